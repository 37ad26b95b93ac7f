//! Commit and fossil collection: what GVT has passed is handed to the history in canonical order
//! (start, micro, body), whatever the order it was found in, and its memory is used again.

use super::{Engine, EngineError};
use crate::history::{History, Listener};
use physics::Drive;
use record::{Event, Knot, Momentum, Segment};
use warp::{Moment, NodeId, NodeRef, Tick};

/// Turning between two knots of a recording, radians.
const RADIANS_PER_KNOT: f64 = 0.15;

/// Commits between two looks at the bytes held.
const COMMITS_PER_WEIGHING: u64 = 256;

/// How many segments ahead of the one that is committed memory is asked for.
const ASKED_AHEAD: usize = 4;

/// A segment to be committed: start, then micro and body in one number, and the node.
pub(super) type Ended = (Tick, u64, NodeId);

impl Engine {
    /// Commits every segment that began before `gvt`.
    pub(super) fn commit_ledger(
        &mut self,
        gvt: Tick,
        history: &mut Listener<'_>,
    ) -> Result<(), EngineError> {
        if !self.suspended.is_empty() {
            if let Some(error) = self.surviving_suspension(gvt) {
                return Err(error);
            }
            self.suspended.retain(|r| self.graph.is_live(*r));
        }
        if let Some(error) = self.surviving_failure(gvt) {
            return Err(error);
        }
        self.failures.retain(|(r, _)| self.graph.is_live(*r));
        if !self.halted.is_empty() {
            if let Some(error) = self.surviving_halt(gvt) {
                return Err(error);
            }
            self.halted.retain(|(r, ..)| self.graph.is_live(*r));
        }
        let mut batch = std::mem::take(&mut self.batch);
        batch.clear();
        // From here on everything is asked of the graph where it can be: one line of memory a segment.
        let (graph, flights) = (&self.graph, &self.flights);
        let bodies = self.world.bodies.len() as u32;
        let note = |reference: NodeRef| {
            if graph.is_live(reference) {
                let node = reference.node;
                let body = match graph.process(node).0 {
                    body if body < bodies => body,
                    _ => flights[node.index()].body,
                };
                let Moment { tick, micro } = graph.start(node);
                let rank = u64::from(micro) << 32 | u64::from(body);
                batch.push((tick, rank, node));
            }
        };
        let is_due = |r: NodeRef| !graph.is_live(r) || graph.start(r.node).tick < gvt;
        self.ledger.settle(gvt, is_due, note);
        // A body may begin two segments at one moment, by an input and a push, say: the events' keys tell
        // which comes first.
        batch.sort_unstable_by(|a, b| {
            let key = |ended: &Ended| self.graph.order(ended.2).key;
            (a.0, a.1)
                .cmp(&(b.0, b.1))
                .then_with(|| key(a).cmp(&key(b)))
        });
        for (place, &(_, _, node)) in batch.iter().enumerate() {
            self.ask_ahead(batch.get(place + ASKED_AHEAD));
            if self.is_body_process(node) {
                self.commit_segment(node, history);
            } else if let Some(index) = self.deformable_of(self.graph.process(node)) {
                self.commit_deformable(node, index, history);
            } else {
                self.commit_process(node);
            }
        }
        self.batch = batch;
        self.commits += 1;
        if self.commits % COMMITS_PER_WEIGHING == 1 {
            self.weigh();
        }
        Ok(())
    }

    /// Looks at the bytes held.
    fn weigh(&mut self) {
        let bytes = self.bytes() as u64;
        self.stats.peak_history_bytes = self.stats.peak_history_bytes.max(bytes);
    }

    /// Asks for what is read of a segment that is to be committed soon, and of the one before it.
    #[inline]
    fn ask_ahead(&self, ended: Option<&Ended>) {
        let Some(&(_, _, node)) = ended else {
            return;
        };
        self.origins.prefetch(node.index());
        self.flights.prefetch(node.index());
        self.turns.prefetch(node);
        if let Some(previous) = self.graph.previous(node) {
            self.graph.prefetch(previous);
            self.turns.prefetch(previous);
        }
    }

    /// Commits a segment of a callback's or a group's worldline; a group that has ended is obsolete.
    fn commit_process(&mut self, node: NodeId) {
        self.graph.collect_before(node, |_| {});
        if self.world.contact.is_some() {
            let deepest = f64::from(self.segments[node.index()].deepest);
            self.stats.max_group_overlap_m = self.stats.max_group_overlap_m.max(deepest);
        }
        if self.world.contact.is_some() && self.segments[node.index()].is_ended {
            self.segments[node.index()].is_ended = false;
            let process = self.graph.process(node);
            self.graph.remove_process(process, |_| {});
        }
    }

    /// Counts the event that began a segment, once for all the segments it began.
    fn count_event(&mut self, node: NodeId) {
        let own = self.graph.process(node);
        let counted = |other: NodeId| self.graph.process(other) < own;
        if self.graph.linked(node).any(counted) {
            return;
        }
        match self.origins[node.index()].event {
            Event::Start | Event::Step | Event::Touch => return,
            Event::Collision => self.stats.collisions += 1,
            Event::Callback => self.stats.callbacks += 1,
            Event::Fusion => self.stats.fusions += 1,
            Event::Fission => self.stats.fissions += 1,
            _ => {}
        }
        self.stats.events_committed += 1;
    }

    fn commit_segment(&mut self, node: NodeId, history: &mut Listener<'_>) {
        if let Some(previous) = self.graph.previous(node) {
            let end = self.graph.start(node).tick;
            self.finish_segment(previous, end, history);
        }
        self.count_event(node);
        let origin = self.origins[node.index()];
        let (flight, turn) = (&self.flights[node.index()], &self.turns[node]);
        let model = &self.models[flight.model as usize];
        self.stats.segments_committed += 1;
        self.stats.max_penetration_m = self.stats.max_penetration_m.max(f64::from(origin.overlap));
        let segment = Segment {
            body: flight.body,
            start: flight.start.0,
            micro: self.graph.start(node).micro,
            event: origin.event,
            partner: origin.partner,
            group: self.first_member(node),
            position: flight.position.to_array(),
            velocity: flight.velocity.to_array(),
            acceleration: model.gravity.to_array(),
            rotation: turn.rotation.to_array(),
            spin: turn.spin.to_array(),
            momentum: self.told_momentum(node),
            impulse: origin.impulse,
            knots: &[],
        };
        history.tell(|history| history.segment(&segment));
        let is_unbounded = !self.grid.unbounded().is_empty() && self.is_unbounded(node);
        let (graph, grid) = (&mut self.graph, &mut self.grid);
        graph.collect_before(node, |freed| {
            if is_unbounded {
                grid.remove_unbounded(freed);
            }
        });
    }

    /// A segment's end is known: accounts for it and hands over its knots.
    pub(super) fn finish_segment(&mut self, node: NodeId, end: Tick, history: &mut Listener<'_>) {
        let start = self.graph.start(node).tick;
        let turn = &self.turns[node];
        let seconds = end.since(start);
        // A power series or a closed form costs the same however far it reaches; an integrator's
        // steps past the end were in vain.
        let integrated = turn
            .attitude()
            .last()
            .map_or(seconds, |p| p.end.max(seconds));
        self.stats.integrated_s += integrated;
        if !history.wants_knots() || turn.covered() == 0.0 {
            return;
        }
        let knots = self.knots(node, end);
        let flight = &self.flights[node.index()];
        let segment = Segment {
            body: flight.body,
            start: start.0,
            micro: self.graph.start(node).micro,
            event: Event::Continue,
            partner: record::NO_PARTNER,
            group: self.first_member(node),
            position: flight.position.to_array(),
            velocity: flight.velocity.to_array(),
            acceleration: self.models[flight.model as usize].gravity.to_array(),
            rotation: turn.rotation.to_array(),
            spin: turn.spin.to_array(),
            momentum: None,
            impulse: 0.0,
            knots: &knots,
        };
        history.tell(|history| history.segment(&segment));
    }

    /// States along a segment without a closed form, up to its end.
    fn knots(&self, node: NodeId, end: Tick) -> Vec<Knot> {
        let motion = self.motion(node);
        let start = motion.flight.start;
        // Close enough for cubic interpolation by whoever reads the recording.
        let bounds = motion.bounds(start);
        let turning = (bounds.spin * end.since(start) / RADIANS_PER_KNOT).min(1e5) as i64;
        let steps = 1 + turning.max(motion.turn.forces().len() as i64);
        let length = end.0.saturating_sub(start.0);
        let ticks = (1..=steps).map(|k| {
            let at = i128::from(length) * i128::from(k) / i128::from(steps);
            start.saturating_add(at as i64)
        });
        ticks
            .filter(|tick| *tick > start)
            .map(|tick| {
                let state = motion.state(tick);
                Knot {
                    tick: tick.0,
                    position: state.position.to_array(),
                    velocity: state.velocity.to_array(),
                    rotation: state.rotation.to_array(),
                    spin: state.spin.to_array(),
                }
            })
            .collect()
    }

    /// The momentum of a member that moves, for the record.
    fn told_momentum(&self, node: NodeId) -> Option<Momentum> {
        let end = self.group_of(node).map(|_| self.step_ends[node.index()]);
        let end = end.filter(|end| *end < Tick::MAX)?;
        let Drive {
            velocity,
            spin,
            bend,
        } = self.drive[node.index()];
        Some(Momentum {
            end: end.0,
            velocity: velocity.map(|v| v.to_array()),
            spin: spin.map(|v| v.to_array()),
            bend: bend.to_array(),
        })
    }

    /// The first member of a segment's group: how history names the group.
    fn first_member(&self, node: NodeId) -> u32 {
        match self.group_of(node) {
            Some(group) => self.groups[group.index()].members[0],
            // A sleeper is like a group of its own.
            None if self.is_asleep(node) => self.flights[node.index()].body,
            None => record::NO_GROUP,
        }
    }

    /// Ends the run: accounts for the segments that reach its end.
    pub fn finish(&mut self, history: &mut dyn History) -> Result<(), EngineError> {
        self.weigh();
        let mut history = Listener::new(history);
        self.finish_deformables(&mut history);
        let until = self.world.until;
        for body in 0..self.world.bodies.len() as u32 {
            if self.world.bodies[body as usize].kind == crate::world::Kind::Fixed {
                continue;
            }
            let node = self.graph.tip(warp::ProcessId(body));
            self.integrate(node, until);
            self.finish_segment(node, until, &mut history);
        }
        history.conclude()?;
        self.surviving_halt(until).map_or(Ok(()), Err)
    }
}
