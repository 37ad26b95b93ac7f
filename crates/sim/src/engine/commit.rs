//! Commit and fossil collection: what GVT has passed is handed to the history in canonical order
//! (start, micro, body), whatever the order it was found in, and its memory is used again.

use super::worldlines::Process;
use super::{Engine, EngineError};
use crate::history::{History, Listener};
use physics::Drive;
use record::{Event, Momentum, Segment};
use warp::{NodeId, Tick};

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
        if let Some(error) = self.surviving_error(gvt) {
            return Err(error);
        }
        self.account.forget_undone(&self.lines);
        let mut batch = std::mem::take(&mut self.scratch.batch);
        self.account.settle(gvt, &self.lines, &mut batch);
        self.scratch.counted.clear();
        for (place, &(_, _, node)) in batch.iter().enumerate() {
            self.ask_ahead(batch.get(place + ASKED_AHEAD));
            if self.lines.is_bodys(node) {
                self.commit_segment(node, history);
            } else if let Some(index) = self.lines.deformable_of(self.lines.process(node)) {
                self.commit_deformable(node, index, history);
            } else {
                self.commit_process(node, history);
            }
        }
        self.scratch.batch = batch;
        self.commits += 1;
        if self.commits % COMMITS_PER_WEIGHING == 1 {
            self.weigh();
        }
        Ok(())
    }

    /// Looks at the bytes held.
    fn weigh(&mut self) {
        let bytes = self.bytes() as u64;
        self.observers.count().peak_history_bytes =
            self.observers.count().peak_history_bytes.max(bytes);
    }

    /// Asks for what is read of a segment that is to be committed soon, and of the one before it.
    #[inline]
    fn ask_ahead(&self, ended: Option<&Ended>) {
        let Some(&(_, _, node)) = ended else {
            return;
        };
        self.lines.prefetch_commit(node);
    }

    /// Commits a segment of a callback's or a group's worldline; a group that has ended is obsolete.
    fn commit_process(&mut self, node: NodeId, history: &mut Listener<'_>) {
        self.tell_contacts(node, history);
        let multibodies = &mut self.multibodies;
        self.lines
            .collect_before(node, |freed| multibodies.forget(freed));
        let process = self.lines.process(node);
        if self.lines.kind(process) != Process::Group {
            return;
        }
        let step = self.groups.step(node);
        let deepest = f64::from(step.deepest);
        self.observers.count().max_group_overlap_m =
            self.observers.count().max_group_overlap_m.max(deepest);
        if step.is_ended {
            self.groups.reopen(node);
            self.lines.remove(process);
        }
    }

    /// Counts the event that began a segment, once for all the segments it began.
    fn count_event(&mut self, node: NodeId) {
        let event = self.lines.origin(node).event;
        if matches!(event, Event::Start | Event::Step | Event::Touch) {
            return;
        }
        // What happens between bodies of two regions both commit: the region of the first of them counts it.
        let own = self.lines.process(node);
        let comes_first = |other: NodeId| self.lines.process(other) < own;
        if self.border.is_some() && self.lines.linked(node).any(comes_first) {
            return;
        }
        // Whoever comes first in the order of commits tells; an event has one place in the total order.
        let order = self.lines.order(node);
        let counted = &mut self.scratch.counted;
        counted.retain(|other| other.moment == order.moment);
        if counted.contains(&order) {
            return;
        }
        counted.push(order);
        match event {
            Event::Collision => self.observers.count().collisions += 1,
            Event::Callback => self.observers.count().callbacks += 1,
            Event::Fusion => self.observers.count().fusions += 1,
            Event::Fission => self.observers.count().fissions += 1,
            _ => {}
        }
        self.observers.count().events_committed += 1;
    }

    fn commit_segment(&mut self, node: NodeId, history: &mut Listener<'_>) {
        if !self.tells_of(self.lines.flight(node).body) {
            return self.collect_before(node);
        }
        if let Some(previous) = self.lines.previous(node) {
            let end = self.lines.start(node).tick;
            self.finish_segment(previous, end);
        }
        self.count_event(node);
        if let Some(joints) = self.told_joints(node) {
            history.tell(|history| history.joints(&joints));
        }
        let origin = *self.lines.origin(node);
        self.observers.count().segments_committed += 1;
        self.observers.count().max_penetration_m = self
            .observers
            .count()
            .max_penetration_m
            .max(f64::from(origin.overlap));
        let segment = self.as_told(node);
        history.tell(|history| history.segment(&segment));
        self.collect_before(node);
    }

    /// A body's segment as history tells it.
    pub(super) fn as_told(&self, node: NodeId) -> Segment<'static> {
        let origin = self.lines.origin(node);
        let (flight, turn) = (self.lines.flight(node), self.lines.turn(node));
        Segment {
            body: flight.body,
            start: flight.start.0,
            micro: self.lines.start(node).micro,
            event: origin.event,
            partner: origin.partner,
            group: self.first_member(node),
            position: flight.position.to_array(),
            velocity: flight.velocity.to_array(),
            acceleration: self.models.get(flight.model).gravity.to_array(),
            rotation: turn.rotation.to_array(),
            spin: turn.spin.to_array(),
            momentum: self.told_momentum(node),
            impulse: origin.impulse,
            knots: &[],
        }
    }

    /// Frees what lies before a body's segment.
    fn collect_before(&mut self, node: NodeId) {
        let is_unbounded = !self.around.unbounded().is_empty() && self.is_unbounded(node);
        let (lines, around) = (&mut self.lines, &mut self.around);
        lines.collect_before(node, |freed| {
            if is_unbounded {
                around.remove_unbounded(freed);
            }
        });
    }

    /// A segment's end is known: accounts for it.
    pub(super) fn finish_segment(&mut self, node: NodeId, end: Tick) {
        let start = self.lines.start(node).tick;
        let turn = self.lines.turn(node);
        let seconds = end.since(start);
        // A power series or a closed form costs the same however far it reaches; an integrator's
        // steps past the end were in vain.
        let integrated = turn.integrated().map_or(seconds, |end| end.max(seconds));
        self.observers.count().integrated_s += integrated;
    }

    /// The momentum of a member that moves, for the record.
    fn told_momentum(&self, node: NodeId) -> Option<Momentum> {
        let end = self.lines.group_of(node).map(|_| self.lines.step_end(node));
        let end = end.filter(|end| *end < Tick::MAX)?;
        let Drive {
            velocity,
            spin,
            bend,
        } = *self.lines.drive(node);
        Some(Momentum {
            end: end.0,
            velocity: velocity.map(|v| v.to_array()),
            spin: spin.map(|v| v.to_array()),
            bend: bend.to_array(),
        })
    }

    /// The first member of a segment's group: how history names the group.
    fn first_member(&self, node: NodeId) -> u32 {
        match self.lines.group_of(node) {
            Some(group) => self.groups.first(group),
            // A sleeper is like a group of its own.
            None if self.lines.is_asleep(node) => self.lines.flight(node).body,
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
            let is_fixed = self.world.bodies[body as usize].kind == crate::world::Kind::Fixed;
            if is_fixed || !self.tells_of(body) {
                continue;
            }
            let node = self.lines.tip(warp::ProcessId(body));
            self.integrate(node, until);
            self.finish_segment(node, until);
        }
        history.conclude()?;
        self.surviving_halt(until).map_or(Ok(()), Err)
    }
}
