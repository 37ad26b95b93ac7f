//! What a region tells its neighbours of its bodies, and what it does with what they tell. Facts behave as inputs do:
//! they are kept until GVT passes them, every segment of a ghost is armed with the first fact after its start, and so
//! rollback needs nothing special.

use super::{Border, Carried, Course, Engine, Message, Migration, Pending};
use crate::grid::{Bounds, Standing};
use crate::world::{BodyId, World};
use physics::{Flight, ModelId, Quat, State, Vec3};
use record::Event;
use std::sync::Arc;
use warp::{EventOrder, Moment, NodeId, ProcessId, Tick};

/// How often a look-ahead is halved to keep a body inside of its region's hull, where the body is already so far out
/// that it belongs to another region: it would look ahead by less and less.
const SHORTENINGS: u32 = 3;
/// The same for a body that is where it belongs: from there some look-ahead stays inside, however fast it is.
const SHORTENINGS_AT_HOME: u32 = 62;

impl Engine {
    /// An engine for one region of a world: bodies of other regions are not there until they are told of.
    pub(crate) fn regional(world: Arc<World>, border: Border) -> Self {
        let mut engine = Self::bare(world, true);
        engine.speculate();
        for body in 0..engine.world.bodies.len() as u32 {
            engine.around.set_standing(body, border.standing(body));
        }
        engine.border = Some(Box::new(border));
        engine.add_processes();
        for input in &Arc::clone(&engine.world).inputs {
            // A world that was validated has no input that can be refused. Whoever owns the body when it is due takes it.
            let _ = engine.add_input(input);
        }
        engine.begin_redraws();
        engine
    }

    /// Whether a body is another region's.
    pub(super) fn is_elsewhere(&self, body: u32) -> bool {
        self.border.is_some() && self.around.of(body).standing == Standing::Ghost
    }

    /// Whether the history is told of a body by this region.
    #[inline]
    pub(super) fn tells_of(&self, body: u32) -> bool {
        match &self.border {
            None => true,
            Some(border) => border.tells_of(body),
        }
    }

    /// Whether an entry about two bodies concerns one of this region's own; a body may have changed its owner since
    /// the entry was made.
    #[inline]
    pub(super) fn is_ours(&self, entry: &Pending) -> bool {
        self.border.is_none() || {
            let [a, b] = [entry.a, entry.b].map(|side| self.lines.process(side.node).0);
            self.around.concerns_us(a, b)
        }
    }

    /// A body's worldline has changed.
    #[inline]
    pub(super) fn note_changed(&mut self, body: u32) {
        if let Some(border) = &mut self.border {
            border.note_changed(body);
        }
    }

    /// Shortens the look-ahead of one of the region's own bodies until its box lies inside of the region's hull, and
    /// notes who sees it.
    pub(super) fn keep_inside(
        &mut self,
        node: NodeId,
        from: Tick,
        mut bounds: Bounds,
        mut horizon: Tick,
    ) -> (Bounds, Tick) {
        let body = self.lines.flight(node).body;
        let Some(border) = self.border.as_ref().filter(|border| border.is_own(body)) else {
            return (bounds, horizon);
        };
        let mut shorter = (bounds, horizon);
        let place = || self.motion(node).position(from);
        for halved in 0..SHORTENINGS_AT_HOME {
            let is_enough = border.holds(&shorter.0) || horizon == Tick::MAX;
            if is_enough || (halved == SHORTENINGS && !border.is_home(place())) {
                break;
            }
            shorter.1 = from.saturating_add((shorter.1.0 - from.0) / 2 + 1);
            shorter.0 = self.path(node, from, shorter.1);
        }
        let is_inside = border.holds(&shorter.0);
        if is_inside {
            (bounds, horizon) = shorter;
        }
        if let Some(border) = &mut self.border {
            border.note_leaving(body, from, is_inside);
            border.note_box(body, &bounds);
        }
        (bounds, horizon)
    }

    // Telling.

    /// Fills the messages to each region with the difference between what it should know and what it was told.
    pub(crate) fn flush(&mut self, out: &mut [Vec<Message>]) {
        let Some(mut border) = self.border.take() else {
            return;
        };
        let fresh = border.take_fresh();
        for body in border.take_changed() {
            for region in border.knowing(body) {
                if fresh.binary_search(&(body, region)).is_err() {
                    let facts = self.facts_for(&border, body, region);
                    border.say(body, region, facts, &mut out[region as usize]);
                }
            }
        }
        for (body, region) in fresh {
            let facts = self.facts_for(&border, body, region);
            let root = self.carried(self.at_gvt(body));
            border.introduce(body, region, facts.clone());
            out[region as usize].push(Message::Import(root, facts));
        }
        self.border = Some(border);
    }

    /// The segment that a body is on when the events at GVT begin.
    fn at_gvt(&self, body: u32) -> NodeId {
        let before = EventOrder::before(Moment::at(self.gvt));
        let found = self.lines.covering(ProcessId(body), before);
        found.unwrap_or_else(|| self.lines.oldest(ProcessId(body)))
    }

    /// The segments of a body since GVT that were begun by events in which a region owns nobody, oldest first.
    fn facts_for(&self, border: &Border, body: u32, region: u8) -> Vec<Carried> {
        let before = EventOrder::before(Moment::at(self.gvt));
        let is_theirs = |node: NodeId| {
            let linked = self.lines.linked(node).map(|n| self.lines.process(n).0);
            linked
                .into_iter()
                .any(|other| border.is_owned_by(other, region))
        };
        let since = self.lines.after(ProcessId(body), before);
        let mut facts: Vec<Carried> = since
            .filter(|node| !is_theirs(*node))
            .map(|node| self.carried(node))
            .collect();
        facts.reverse();
        facts
    }

    /// A segment as others are told of it.
    fn carried(&self, node: NodeId) -> Carried {
        let turn = self.lines.turn(node);
        Carried {
            order: self.lines.order(node),
            flight: *self.lines.flight(node),
            rotation: turn.rotation,
            spin: turn.spin,
            origin: *self.lines.origin(node),
        }
    }

    // Listening.

    /// Takes what another region has said.
    pub(crate) fn hear(&mut self, message: Message) {
        match message {
            Message::Import(root, facts) => self.import(root, facts),
            Message::Fact(fact) => self.hear_fact(fact),
            Message::Retract(body, order) => self.retract(body, order),
            Message::Drop(body) => self.drop_ghost(body),
        }
    }

    /// A body comes into sight.
    fn import(&mut self, root: Carried, facts: Vec<Carried>) {
        let body = root.flight.body;
        let Some(border) = &mut self.border else {
            return;
        };
        for fact in facts {
            border.hear(fact);
        }
        let node = self.restart(&root);
        let from = self.gvt.max(root.flight.start);
        self.around.set_since(body, from);
        self.register_sweep(node, from);
        self.arm(node);
        self.check_node(node, from);
        self.resume(&[]);
    }

    /// A ghost's worldline begins anew with this segment.
    fn restart(&mut self, root: &Carried) -> NodeId {
        let process = ProcessId(root.flight.body);
        let node = self.lines.restart(process, root.order);
        self.lines.set_origin(node, root.origin);
        let attitude = (root.rotation, root.spin);
        self.lines
            .place_saved(node, root.flight, attitude, &self.models);
        self.lines.set_alarm(node, Tick::MAX);
        self.enter(node, root.flight);
        node
    }

    /// A ghost is out of sight.
    fn drop_ghost(&mut self, body: u32) {
        let start = Tick::ZERO;
        let flight = Flight {
            start,
            position: Vec3::ZERO,
            velocity: Vec3::ZERO,
            model: self.models.absent(),
            body,
        };
        let node = self.restart(&Carried {
            order: EventOrder::before(Moment::at(start)),
            flight,
            rotation: Quat::IDENTITY,
            spin: Vec3::ZERO,
            origin: super::Origin::of(Event::Leave),
        });
        self.around.set_since(body, self.gvt);
        self.leave(node, self.gvt);
    }

    /// Something happens to a ghost.
    fn hear_fact(&mut self, fact: Carried) {
        let (body, order) = (fact.flight.body, fact.order);
        if let Some(border) = &mut self.border {
            border.hear(fact);
        }
        if let Some(node) = self.lines.covering(ProcessId(body), order) {
            self.push_fact(node, order);
        }
    }

    /// Something does not happen to a ghost after all.
    fn retract(&mut self, body: u32, order: EventOrder) {
        if let Some(border) = &mut self.border {
            border.unhear(body, order);
        }
        let process = ProcessId(body);
        let begun = self.lines.covering(process, order);
        if begun.is_some_and(|node| self.lines.order(node) == order) {
            self.roll_back(process, order);
            self.resume(&[]);
        }
    }

    fn push_fact(&mut self, node: NodeId, order: EventOrder) {
        let reference = self.lines.reference(node);
        self.agenda.push(Pending::fact(order, reference));
    }

    /// Schedules the first fact that a ghost's segment meets.
    pub(super) fn arm_fact(&mut self, node: NodeId) {
        let body = self.lines.flight(node).body;
        let next = self
            .border
            .as_ref()
            .and_then(|border| border.next_fact(body, self.lines.order(node)));
        if let Some(order) = next {
            self.push_fact(node, order);
        }
    }

    /// A fact is due: the ghost goes on as its owner has said.
    pub(super) fn take_fact(&mut self, entry: &Pending) {
        let order = entry.order();
        if !self.is_current(entry, order) {
            return;
        }
        let node = entry.a.node;
        let body = self.lines.body_of(node);
        let heard = self.border.as_ref().and_then(|b| b.fact(body.0, order));
        let Some(&fact) = heard else {
            return;
        };
        let course = course_of(body, node, &fact);
        let mut opened = self.open(order, &[ProcessId(body.0)]);
        self.go_on(&mut opened, &course, fact.origin);
        self.close(opened);
    }

    // Between two windows.

    /// Undoes all that began at `end` or later. Who has looked ahead from later on looks ahead from there again: who sees
    /// whom from `end` on is told by boxes.
    pub(crate) fn cut_at(&mut self, end: Tick) {
        self.undo_from(EventOrder::before(Moment::at(end)));
        for body in 0..self.world.bodies.len() as u32 {
            let swept = self.around.of(body);
            if swept.is_in() && swept.since > end {
                self.look_again(body, end);
            }
        }
    }

    /// A body looks ahead again from a tick on.
    fn look_again(&mut self, body: u32, from: Tick) {
        let tip = self.lines.tip(ProcessId(body));
        let from = from.max(self.lines.flight(tip).start);
        self.reopen(tip, from);
        self.check_node(tip, from);
    }

    /// The ghosts that regions need no more: fills the messages to each.
    pub(crate) fn flush_faded(&mut self, out: &mut [Vec<Message>]) {
        let Some(mut border) = self.border.take() else {
            return;
        };
        let around = &self.around;
        for (body, region) in border.take_faded(|body| around.of(body).bounds) {
            out[region as usize].push(Message::Drop(body));
        }
        self.border = Some(border);
    }

    /// Bodies of this region that stand in another's cell, as `cell_of` finds it, and are known there.
    pub(crate) fn emigrants(&mut self, cell_of: impl Fn(u8, Vec3) -> u8) -> Vec<Migration> {
        let Some(border) = self.border.take() else {
            return Vec::new();
        };
        let mut moves = Vec::new();
        let owner = border.own();
        for body in border.abroad() {
            let node = self.at_gvt(body);
            self.integrate(node, self.gvt);
            let position = self.motion(node).position(self.gvt);
            let to = cell_of(owner, position);
            if to != owner {
                moves.extend(border.migration(body, to));
            }
        }
        self.border = Some(border);
        moves
    }

    /// Bodies change their owners, in all regions alike.
    pub(crate) fn migrate(&mut self, moves: &[Migration]) {
        for migration in moves {
            let Some(border) = &mut self.border else {
                return;
            };
            border.migrate(migration);
            let body = migration.body;
            let is_own = border.is_own(body);
            self.around.set_standing(body, border.standing(body));
            self.hand_frames_over(body, is_own);
            if is_own {
                let tip = self.lines.tip(ProcessId(body));
                self.arm_anew(tip);
            }
        }
        self.resume(&[]);
    }

    /// The cuts between regions have moved a little. Every body of this region looks ahead again if its box is not inside
    /// of the new hull, and is noted where it comes into others' sight.
    pub(crate) fn recut(&mut self, hulls: &[Bounds], places: ([Vec3; 2], Bounds)) {
        if let Some(border) = &mut self.border {
            border.recut(hulls, places);
        }
        for body in 0..self.world.bodies.len() as u32 {
            let swept = self.around.of(body);
            let (is_in, bounds) = (swept.is_in(), swept.bounds);
            let Some(border) = self.border.as_mut().filter(|b| is_in && b.is_own(body)) else {
                continue;
            };
            if border.holds(&bounds) {
                border.note_box(body, &bounds);
            } else {
                self.look_again(body, self.gvt);
            }
        }
    }

    /// A body is this region's own from now on: looks around it as nobody here has before.
    fn arm_anew(&mut self, tip: NodeId) {
        let from = self.gvt.max(self.lines.flight(tip).start);
        self.arm(tip);
        self.reopen(tip, from);
        self.check_node(tip, from);
    }

    /// The first tick at which one of the region's bodies is not inside of its hull.
    pub(crate) fn leaves_at(&self) -> Tick {
        self.border
            .as_ref()
            .map_or(Tick::MAX, |border| border.leaves_at())
    }

    /// The state of a body at the end, from its owner.
    pub(crate) fn state_if_own(&mut self, body: BodyId, tick: Tick) -> Option<State> {
        self.tells_of(body.0).then(|| self.state_at(body, tick))?
    }
}

fn course_of(body: BodyId, previous: NodeId, fact: &Carried) -> Course {
    let state = State {
        position: fact.flight.position,
        velocity: fact.flight.velocity,
        rotation: fact.rotation,
        spin: fact.spin,
    };
    let model: ModelId = fact.flight.model;
    Course::alone(body, state, previous, model)
}
