//! Collision checks (Mirtich 4.5): which pairs of segments are active, and what is known of them.

use super::{Engine, Pending};
use crate::grid::Swept;
use crate::periodic::Image;
use crate::world::Kind as BodyKind;
use physics::advance::Found;
use physics::ballistic::{Relative, balls_touch};
use physics::impact::{Approach, Windows, approach, search};
use physics::{BodyModel, Flight, Form, Motion, Vec3};
use warp::{EventOrder, Moment, NodeId, Tick};

/// Looks at a pair that a search may take before it is known that the pair gets there.
const ROUNDS_AHEAD: u32 = 512;

/// What the check of a pair of balls needs to know of a model, in half a cache line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outline {
    gravity: Vec3,
    /// Radius of a ball in ballistic flight, otherwise zero.
    radius: f64,
    is_movable: bool,
}

impl Outline {
    /// Whether it moves by the laws of motion.
    pub(super) fn is_movable(&self) -> bool {
        self.is_movable
    }

    pub(super) fn new(model: &BodyModel) -> Self {
        let radius = match model.collider.form {
            Form::Ball { radius } if !model.law.is_pieced() => radius,
            _ => 0.0,
        };
        Outline {
            gravity: model.gravity,
            radius,
            is_movable: model.is_movable(),
        }
    }

    /// Whether both are balls that fall alike, so that the closed form of [`balls_touch`] holds.
    #[inline]
    fn is_ball_in_step_with(&self, other: &Outline) -> bool {
        self.radius > 0.0
            && other.radius > 0.0
            && self.gravity == other.gravity
            && (self.is_movable || other.is_movable)
    }
}

/// One of two segments that are checked against each other.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub node: NodeId,
    pub flight: &'a Flight,
    pub horizon: Tick,
}

impl<'a> Side<'a> {
    #[inline]
    fn newest(entry: &'a Swept) -> Self {
        Side {
            node: entry.segment,
            flight: &entry.flight,
            horizon: entry.horizon,
        }
    }
}

/// What is to be expected of two segments.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Forecast {
    /// They have nothing to do with each other.
    Nothing,
    /// They pass each other within both look-aheads.
    Free,
    /// They touch at this tick.
    Collision(Tick),
    /// They may touch from this tick on.
    Check(Tick),
}

impl Engine {
    /// Checks the stretch of a segment from `from` to its horizon against every segment whose swept
    /// box overlaps its own.
    pub(super) fn check_node(&mut self, node: NodeId, from: Tick) {
        self.find_neighbours(node, 0);
        self.check_in(node, from, true, 0);
    }

    /// Checks the new segments of all bodies that an event at `from` involves.
    pub(super) fn check_all(&mut self, nodes: &[NodeId], from: EventOrder) {
        let bodies = nodes.iter().map(|node| self.lines.body_of(*node).0);
        let asks_past = self.around.concern_past(bodies, from, &self.lines);
        if !asks_past && self.check_group(nodes, from) {
            return;
        }
        self.check_each(nodes, from, asks_past);
    }

    /// Checks the new segments of bodies that an event at `from` involves, one by one.
    pub(super) fn check_each(&mut self, nodes: &[NodeId], from: EventOrder, asks_past: bool) {
        // The two of a collision look around together: what one waits for comes while the other looks.
        for few in nodes.chunks(2) {
            for (place, &node) in few.iter().enumerate() {
                if self.lines.is_bodys(node) {
                    self.find_neighbours(node, place);
                }
            }
            for (place, &node) in few.iter().enumerate() {
                if self.lines.is_bodys(node) {
                    self.check_in(node, from.moment.tick, asks_past, place);
                    self.outdate_steps_around(node);
                }
            }
        }
    }

    /// Finds the bodies near a body's newest segment, and asks for what the check is going to read.
    fn find_neighbours(&mut self, node: NodeId, place: usize) {
        let own = self.lines.flight(node).body;
        let near = &mut self.scratch.near[place];
        near.clear();
        if self.detect && self.around.of(own).is_in() {
            self.around
                .neighbours(own, self.world.periodic.as_ref(), near);
        }
    }

    /// Checks a segment from `from` on; who is near was found at `place`.
    fn check_in(&mut self, node: NodeId, from: Tick, asks_past: bool, place: usize) {
        let body = self.lines.flight(node).body;
        // Who is absent or suspended is not in the grid, nor is who has no box.
        let is_boxed = self.around.of(body).is_in();
        if !self.detect || (!is_boxed && (!self.is_unbounded(node) || self.is_suspended(node))) {
            return;
        }
        let mut found = std::mem::take(&mut self.scratch.found);
        found.clear();
        self.soonest = Tick::MAX;
        if !is_boxed {
            self.everything(node, &mut found);
        } else {
            if asks_past {
                self.find_in_past(node, from, &mut found);
            }
            self.check_neighbours(node, from, place);
            self.sift_past(node, from, &mut found);
            self.find_unbounded(node, &mut found);
        }
        for &other in &found {
            self.check_pair(node, other, from);
        }
        self.scratch.found = found;
        // A member's next step replaces its look-ahead.
        if is_boxed && self.soonest >= self.around.of(body).horizon && !self.is_moving_member(node)
        {
            self.plan_extension(node);
        }
    }

    /// Checks a body's newest segment against the newest segments of the bodies near it.
    fn check_neighbours(&mut self, node: NodeId, from: Tick, place: usize) {
        let own = self.lines.flight(node).body;
        let near = std::mem::take(&mut self.scratch.near[place]);
        let is_simple = self.world.contact.is_none() && self.world.periodic.is_none();
        let asks_behind = self.around.keeps_past();
        for &other in &near {
            if other == own || (self.is_starting && self.has_looked(other, own)) {
                continue;
            }
            // What groups do to each other is not worth a search, nor is what is seen of an image.
            if is_simple && self.pass_each_other(own, other) {
                self.observers.count().checks += 1;
                if asks_behind && self.around.of(other).flight.start >= from {
                    self.check_behind(node, other, from);
                }
                continue;
            }
            self.check_neighbour(node, other, from);
        }
        self.scratch.near[place] = near;
    }

    /// Whether the flights of two bodies tell by themselves that they do not touch within the look-ahead of the first.
    #[inline]
    fn pass_each_other(&self, own: u32, other: u32) -> bool {
        // The lower body comes first, whoever looks: distances may differ in the last bit otherwise.
        let (a, b) = (own.min(other), own.max(other));
        let (sa, sb) = (self.around.of(a), self.around.of(b));
        self.around.concerns_us(own, other)
            && self
                .balls_touch(&sa.flight, &sb.flight)
                .is_some_and(|touch| touch.is_none_or(|tick| tick >= self.around.of(own).horizon))
    }

    /// Checks a body's newest segment against the newest segment of a body near it.
    pub(super) fn check_neighbour(&mut self, node: NodeId, other: u32, from: Tick) {
        let own = self.lines.flight(node).body;
        if !self.around.concerns_us(own, other) {
            return;
        }
        // The lower body comes first, whoever looks: distances may differ in the last bit otherwise.
        let (a, b) = (own.min(other), own.max(other));
        let (sa, sb) = (self.around.of(a), self.around.of(b));
        if self.world.periodic.is_some() {
            let (a, b) = (sa.segment, sb.segment);
            self.check_images(a, b, from);
        } else {
            let forecast = self.forecast(Side::newest(sa), Side::newest(sb), from);
            if let Forecast::Collision(tick) = forecast {
                self.observers.count().checks += 1;
                self.foresee_newest(a, b, tick);
            } else {
                let (a, b) = (sa.segment, sb.segment);
                self.take_note(a, b, forecast);
            }
        }
        if self.around.of(other).flight.start >= from && self.around.keeps_past() {
            self.check_behind(node, other, from);
        }
    }

    /// At the start: whether a body has looked around before another, and has seen it.
    #[cold]
    fn has_looked(&self, body: u32, before: u32) -> bool {
        body < before && self.world.bodies[body as usize].kind == BodyKind::Dynamic
    }

    /// Checks a segment against what a body that has run ahead of `from` has behind it in its box.
    #[cold]
    fn check_behind(&mut self, node: NodeId, other: u32, from: Tick) {
        let after = self.asked_from(node, from);
        let since = self.around.of(other).since;
        let mut at = self.around.of(other).segment;
        while self.lines.order(at) > after && self.lines.start(at).tick >= since {
            let Some(before) = self.lines.previous(at) else {
                return;
            };
            at = before;
            if self.is_there(at) {
                self.check_pair(node, at, from);
            }
        }
    }

    /// The place in the order from which on a check of a segment from `from` on asks.
    fn asked_from(&self, node: NodeId, from: Tick) -> EventOrder {
        let from = EventOrder::before(Moment::at(from));
        self.lines.order(node).max(from)
    }

    /// Finds what was near a body's newest segment and may not be newest itself, and asks for what is
    /// needed to tell.
    fn find_in_past(&mut self, node: NodeId, from: Tick, found: &mut Vec<NodeId>) {
        let body = self.lines.flight(node).body;
        let after = self.asked_from(node, from);
        if !self.around.reaches_past(after) {
            return;
        }
        let Swept {
            bounds, horizon, ..
        } = *self.around.of(body);
        match self.world.periodic {
            None => self.find_past(&bounds, from, after, horizon, found),
            Some(periodic) => periodic.each_shifted(&bounds, |image| {
                self.find_past(image, from, after, horizon, found);
            }),
        }
        for other in found.iter() {
            self.lines.prefetch_flight(*other);
        }
    }

    /// Leaves of what was found behind a body the segments that it may meet and does not meet anyway.
    fn sift_past(&self, node: NodeId, from: Tick, found: &mut Vec<NodeId>) {
        if found.is_empty() {
            return;
        }
        let entry = self.around.of(self.lines.flight(node).body);
        // Every step leaves fewer to the next, which reads more of each.
        found.retain(|other| self.is_there_between(*other, from, entry.horizon));
        found.sort_unstable();
        found.dedup();
        found.retain(|other| self.may_meet(*other, entry));
        found.retain(|other| !self.is_neighbour(*other, entry));
        found.retain(|other| self.is_body(*other));
    }

    /// Finds the segments near a body's newest one that have no box.
    fn find_unbounded(&self, node: NodeId, found: &mut Vec<NodeId>) {
        let entry = self.around.of(self.lines.flight(node).body);
        for unbounded in self.around.unbounded() {
            if unbounded.is_near(&entry.bounds) {
                found.push(unbounded.node);
            }
        }
    }

    /// Whether a segment, if there is one of this number, may have a part between two ticks. A group's
    /// members have a segment for every step, and most are over or yet to come.
    #[inline]
    fn is_there_between(&self, node: NodeId, from: Tick, to: Tick) -> bool {
        self.lines.flight(node).start < to && self.lines.step_end(node) >= from
    }

    /// Whether a segment, if there is one of this number, may meet a body within its look-ahead.
    fn may_meet(&self, node: NodeId, of: &Swept) -> bool {
        let (flight, own) = (self.lines.flight(node), &of.flight);
        if !self.lines.tells_of_body(node) || flight.body == own.body {
            return false;
        }
        if self.world.periodic.is_some() {
            return true;
        }
        let (a, b) = if flight.body < own.body {
            (flight, own)
        } else {
            (own, flight)
        };
        match self.balls_touch(a, b) {
            Some(touch) => touch.is_some_and(|tick| tick < of.horizon),
            None => true,
        }
    }

    /// When two balls that fall alike touch, if they do; nothing is said of others.
    #[inline]
    fn balls_touch(&self, a: &Flight, b: &Flight) -> Option<Option<Tick>> {
        let (qa, qb) = (self.models.outline(a.model), self.models.outline(b.model));
        qa.is_ball_in_step_with(qb).then(|| {
            let relative = Relative::new(a, qa.gravity, b, qb.gravity);
            balls_touch(&relative, qa.radius + qb.radius)
        })
    }

    /// Whether a segment is the newest of its body and near another body's: those are checked anyway.
    fn is_neighbour(&self, node: NodeId, of: &Swept) -> bool {
        let entry = self.around.of(self.lines.flight(node).body);
        entry.segment == node && entry.is_in() && entry.bounds.overlaps(&of.bounds)
    }

    pub(super) fn is_unbounded(&self, node: NodeId) -> bool {
        let flight = self.lines.flight(node);
        self.models.get(flight.model).collider.is_unbounded()
    }

    /// All live segments of movable bodies: what an unbounded body must be checked against.
    fn everything(&self, node: NodeId, found: &mut Vec<NodeId>) {
        let own = self.lines.flight(node).body;
        for body in 0..self.world.bodies.len() as u32 {
            if body == own {
                continue;
            }
            let mut at = Some(self.lines.tip(warp::ProcessId(body)));
            while let Some(segment) = at {
                if self.is_there(segment) {
                    found.push(segment);
                }
                at = self.lines.previous(segment);
            }
        }
    }

    /// Forecasts one pair of segments from `from` on and schedules what follows from it.
    fn check_pair(&mut self, a: NodeId, b: NodeId, from: Tick) {
        let (body_a, body_b) = (self.lines.flight(a).body, self.lines.flight(b).body);
        if body_a == body_b || !self.around.concerns_us(body_a, body_b) {
            return;
        }
        let (a, b) = if body_a > body_b { (b, a) } else { (a, b) };
        if self.world.periodic.is_some() {
            return self.check_images(a, b, from);
        }
        let forecast = self.forecast(self.side(a), self.side(b), from);
        self.take_note(a, b, forecast);
    }

    pub(super) fn side(&self, node: NodeId) -> Side<'_> {
        Side {
            node,
            flight: self.lines.flight(node),
            horizon: self.horizon(node),
        }
    }

    /// What is to be expected of two segments from `from` on.
    #[inline]
    pub(super) fn forecast(&self, a: Side<'_>, b: Side<'_>, from: Tick) -> Forecast {
        let (fa, fb) = (a.flight, b.flight);
        let (first, second) = (fa.body.min(fb.body), fa.body.max(fb.body));
        if self.ties.is_apart(first, second) {
            return Forecast::Nothing;
        }
        if self.world.contact.is_some() && self.is_groups_affair(a.node, b.node) {
            return Forecast::Nothing;
        }
        let until = a.horizon.min(b.horizon);
        if fa.start.max(fb.start) >= until {
            return Forecast::Nothing;
        }
        if let Some(touch) = self.balls_touch(fa, fb) {
            return match touch {
                Some(tick) if tick < until => Forecast::Collision(tick),
                _ => Forecast::Free,
            };
        }
        let (qa, qb) = (self.models.outline(fa.model), self.models.outline(fb.model));
        if !(qa.is_movable || qb.is_movable) || (self.is_still(a.node) && self.is_still(b.node)) {
            return Forecast::Nothing;
        }
        let models = &self.models;
        let (ma, mb) = (models.get(fa.model), models.get(fb.model));
        match approach(ma, fa, mb, fb) {
            Approach::Impact(tick) if tick < until => Forecast::Collision(tick),
            Approach::Possible(enter, exit) => {
                let at = enter.max(from).max(fa.start).max(fb.start);
                if at < until.min(exit) {
                    Forecast::Check(at)
                } else {
                    Forecast::Free
                }
            }
            _ => Forecast::Free,
        }
    }

    /// Schedules what was forecast for two segments.
    #[inline]
    fn take_note(&mut self, a: NodeId, b: NodeId, forecast: Forecast) {
        self.take_note_of(a, b, forecast, Image::ITSELF);
    }

    /// The same for a segment and an image of another.
    #[inline]
    pub(super) fn take_note_of(&mut self, a: NodeId, b: NodeId, forecast: Forecast, image: Image) {
        self.observers.count().checks += u64::from(forecast != Forecast::Nothing);
        match forecast {
            Forecast::Collision(tick) => self.foresee(a, b, tick),
            Forecast::Check(at) if at < self.world.until && self.both_cover(a, b, at) => {
                self.plan_check(a, b, at, image);
            }
            _ => {}
        }
    }

    fn plan_check(&mut self, a: NodeId, b: NodeId, at: Tick, image: Image) {
        let (a, b) = (self.lines.reference(a), self.lines.reference(b));
        self.agenda.push(Pending::check(at, a, b, image));
    }

    /// Whether a pair is left to a group's solver: members of one group, or a member of a group that
    /// does not rest and a fixed or kinematic body, or one that slept when the group's step began. Who falls asleep
    /// before a step that is under way was no sleeper to its solver.
    fn is_groups_affair(&self, a: NodeId, b: NodeId) -> bool {
        let (ga, gb) = (self.lines.group_of(a), self.lines.group_of(b));
        if ga == gb {
            return ga.is_some() && !self.is_guests_affair(a, b);
        }
        let solved = |member: NodeId, other: NodeId| {
            let model = self.lines.flight(other).model;
            let slept = || {
                self.lines.is_asleep(other)
                    && self.lines.order(other) < self.lines.step_begins(member)
            };
            self.lines.group_of(member).is_some()
                && (!self.models.outline(model).is_movable || slept())
                && !self.rests(member)
                && !self.is_lone_guest(member)
        };
        solved(a, b) || solved(b, a)
    }

    /// Whether a guest meets a member of its group other than its host: the solver has not heard of it yet.
    fn is_guests_affair(&self, a: NodeId, b: NodeId) -> bool {
        let hosts = [a, b].map(|node| self.lines.host(node));
        let [body_a, body_b] = [a, b].map(|node| self.lines.body_of(node));
        [a, b].into_iter().any(|node| self.is_lone_guest(node))
            && hosts[0] != Some(body_b)
            && hosts[1] != Some(body_a)
    }

    /// Whether a segment is that of a guest that came alone. Who came in company is its own host: its way was found
    /// among all that was there.
    fn is_lone_guest(&self, node: NodeId) -> bool {
        let host = self.lines.host(node);
        host.is_some_and(|host| host != self.lines.body_of(node))
    }

    /// The end of the step that a group's member is in; never for everything else. It belongs to the
    /// segment, unlike a look-ahead.
    fn step_end(&self, node: NodeId) -> Tick {
        if self.is_moving_member(node) {
            self.lines.step_end(node)
        } else {
            Tick::MAX
        }
    }

    /// Whether a collision at `at` would still come before the end of both segments.
    fn both_cover(&self, a: NodeId, b: NodeId, at: Tick) -> bool {
        let order = self.collision_order(a, b, at);
        order < self.lines.end(a) && order < self.lines.end(b)
    }

    /// The place in the total order of a collision of two segments at `tick`.
    fn collision_order(&self, a: NodeId, b: NodeId, tick: Tick) -> EventOrder {
        let chained = |node: NodeId| {
            let start = self.lines.start(node);
            if start.tick == tick {
                start.micro + 1
            } else {
                0
            }
        };
        let (body_a, body_b) = (self.lines.process(a).0, self.lines.process(b).0);
        EventOrder {
            moment: Moment {
                tick,
                micro: chained(a).max(chained(b)),
            },
            key: Pending::collision_key(body_a, body_b),
        }
    }

    /// Schedules a collision, unless a segment ends before it or the run does.
    fn foresee(&mut self, a: NodeId, b: NodeId, tick: Tick) {
        if tick >= self.world.until {
            return;
        }
        let order = self.collision_order(a, b, tick);
        if order < self.lines.end(a) && order < self.lines.end(b) {
            let (a, b) = (self.lines.reference(a), self.lines.reference(b));
            self.soonest = self.soonest.min(tick);
            self.agenda.push(Pending::collision(order, a, b));
        }
    }

    /// The same for the newest segments of two bodies, the lower first. No event ends them yet, and the
    /// broad phase knows all that is needed of them but how many events share the moment they begin at.
    fn foresee_newest(&mut self, a: u32, b: u32, tick: Tick) {
        let (sa, sb) = (self.around.of(a), self.around.of(b));
        if sa.flight.start == tick || sb.flight.start == tick {
            return self.foresee(sa.segment, sb.segment, tick);
        }
        if tick >= self.world.until {
            return;
        }
        let order = EventOrder {
            moment: Moment::at(tick),
            key: Pending::collision_key(a, b),
        };
        let pending = Pending::collision(order, sa.reference(), sb.reference());
        debug_assert!(self.lines.next(sa.segment).is_none() && self.lines.is_live(pending.a));
        debug_assert!(self.lines.next(sb.segment).is_none() && self.lines.is_live(pending.b));
        self.soonest = self.soonest.min(tick);
        self.agenda.push(pending);
    }

    /// Processes a collision check: searches the canonical window at its safe time, and either
    /// foresees a collision or moves the safe time to the window's end.
    pub(super) fn collision_check(&mut self, entry: &Pending) {
        let (a, b) = (entry.a.node, entry.b.node);
        let at = entry.order().moment.tick;
        if !self.lines.is_live(entry.a)
            || !self.lines.is_live(entry.b)
            || !self.both_cover(a, b, at)
            || !self.is_ours(entry)
        {
            return;
        }
        let image = entry.image();
        let flown = self.image_of(b, image);
        let (fa, fb) = (self.lines.flight(a), &flown);
        let models = &self.models;
        let found = approach(models.get(fa.model), fa, models.get(fb.model), fb);
        let Approach::Possible(enter, exit) = found else {
            return;
        };
        self.observers.count().searches += 1;
        // Of what turns freely it is known how long its windows are, of all else once it is integrated at all.
        for (node, flight) in [(a, fa.model), (b, fb.model)] {
            if self.models.get(flight).law.is_pieced() {
                self.integrate(node, at);
            }
        }
        let windows = Windows::of_pair(self.lines.turn(a), self.lines.turn(b));
        self.integrate(a, windows.needs(at));
        self.integrate(b, windows.needs(at));
        let until = self.horizon(a).min(self.horizon(b));
        let motion_a: Motion = self.motion(a);
        let motion_b = Motion {
            flight: &flown,
            ..self.motion(b)
        };
        // Beyond a member's step there is nothing to find: the next step begins a segment.
        let exit = exit.min(self.step_end(a)).min(self.step_end(b));
        // Bodies that have run ahead may be where they never get, deep inside each other, and no search of that
        // comes to an end: it has to wait until all that is earlier is done.
        let rounds = if self.is_in_order {
            u32::MAX
        } else {
            ROUNDS_AHEAD
        };
        match search(&motion_a, &motion_b, (at, at), (enter, exit), rounds) {
            Found::Touch(tick) if tick < until => self.foresee(a, b, tick),
            Found::Touch(_) => {}
            Found::Unfinished => {
                self.plan_check(a, b, at, image);
                self.overrun = self.overrun.max(at);
            }
            Found::Free => {
                let safe = windows.end(at);
                if safe < until.min(exit) && safe < self.world.until && self.both_cover(a, b, safe)
                {
                    self.plan_check(a, b, safe, image);
                }
            }
        }
    }
}
