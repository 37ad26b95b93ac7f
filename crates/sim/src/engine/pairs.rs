//! Collision checks (Mirtich 4.5): which pairs of segments are active, and what is known of them.

use super::{Engine, NO_GROUP, Pending};
use physics::ballistic::{Relative, balls_touch};
use physics::body::Law;
use physics::impact::{Approach, approach, search, search_needs, window_end};
use physics::{BodyModel, Form, Motion, Vec3};
use warp::{EventOrder, Moment, NodeId, Tick};

/// What the check of a pair of balls needs to know of a model, in half a cache line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quick {
    gravity: Vec3,
    /// Radius of a ball in ballistic flight, otherwise zero.
    radius: f64,
    is_movable: bool,
}

impl Quick {
    pub(super) fn new(model: &BodyModel) -> Self {
        let radius = match model.collider.form {
            Form::Ball { radius } if model.law != Law::Integrated => radius,
            _ => 0.0,
        };
        Quick {
            gravity: model.gravity,
            radius,
            is_movable: model.is_movable(),
        }
    }

    /// Whether both are balls that fall alike, so that the closed form of [`balls_touch`] holds.
    #[inline]
    fn is_ball_in_step_with(&self, other: &Quick) -> bool {
        self.radius > 0.0
            && other.radius > 0.0
            && self.gravity == other.gravity
            && (self.is_movable || other.is_movable)
    }
}

impl Engine {
    /// Checks the stretch of a segment from `from` to its horizon against every segment whose swept
    /// box overlaps its own.
    pub(super) fn check_node(&mut self, node: NodeId, from: Tick) {
        let is_absent = self.flights[node.index()].model == self.absent;
        if !self.detect || is_absent || self.is_suspended(node) {
            return;
        }
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        if self.is_unbounded(node) {
            self.everything(node, &mut found);
        } else {
            let bounds = self.swept[node.index()].bounds;
            self.grid
                .query(&self.swept, &bounds, |other| found.push(other));
            let at = self
                .graph
                .order(node)
                .max(EventOrder::before(Moment::at(from)));
            if let Some(past) = self.past.as_ref().filter(|p| p.reach_past(at)) {
                let to = self.swept[node.index()].horizon;
                past.query(&bounds, from, to, |other| found.push(other));
            }
            for unbounded in self.grid.unbounded() {
                if unbounded.is_near(&bounds) {
                    found.push(unbounded.node);
                }
            }
        }
        for &other in &found {
            self.check_pair(node, other, from);
        }
        self.found = found;
    }

    pub(super) fn is_unbounded(&self, node: NodeId) -> bool {
        let flight = &self.flights[node.index()];
        self.models[flight.model as usize].collider.is_unbounded()
    }

    /// All live segments of movable bodies: what an unbounded body must be checked against.
    fn everything(&self, node: NodeId, found: &mut Vec<NodeId>) {
        let own = self.flights[node.index()].body;
        for body in 0..self.world.bodies.len() as u32 {
            if body == own {
                continue;
            }
            let mut at = Some(self.graph.tip(warp::ProcessId(body)));
            while let Some(segment) = at {
                if self.flights[segment.index()].model != self.absent {
                    found.push(segment);
                }
                at = self.graph.previous(segment);
            }
        }
    }

    /// Forecasts one pair of segments from `from` on and schedules what follows from it.
    #[inline]
    fn check_pair(&mut self, a: NodeId, b: NodeId, from: Tick) {
        // The lower body comes first, whoever looks: distances may differ in the last bit otherwise.
        let swapped = self.flights[a.index()].body > self.flights[b.index()].body;
        let (a, b) = if swapped { (b, a) } else { (a, b) };
        let (fa, fb) = (&self.flights[a.index()], &self.flights[b.index()]);
        if fa.body == fb.body || self.ties.is_apart(fa.body, fb.body) {
            return;
        }
        if self.world.contact.is_some() && self.is_groups_affair(a, b) {
            return;
        }
        let until = self.common_horizon(a, b);
        if fa.start.max(fb.start) >= until {
            return;
        }
        self.stats.checks += 1;
        let (qa, qb) = (
            &self.quick[fa.model as usize],
            &self.quick[fb.model as usize],
        );
        if qa.is_ball_in_step_with(qb) {
            let relative = Relative::new(fa, qa.gravity, fb, qb.gravity);
            if let Some(tick) = balls_touch(&relative, qa.radius + qb.radius)
                && tick < until
            {
                self.foresee(a, b, tick);
            }
            return;
        }
        if !(qa.is_movable || qb.is_movable) || (self.is_still(a) && self.is_still(b)) {
            return;
        }
        let models = &self.models;
        let (ma, mb) = (&models[fa.model as usize], &models[fb.model as usize]);
        match approach(ma, fa, mb, fb) {
            Approach::Never => {}
            Approach::Impact(tick) => {
                if tick < until {
                    self.foresee(a, b, tick);
                }
            }
            Approach::Possible(enter, exit) => {
                let at = enter.max(from).max(fa.start).max(fb.start);
                if at < until.min(exit) && at < self.world.until && self.both_cover(a, b, at) {
                    let (a, b) = (self.graph.reference(a), self.graph.reference(b));
                    self.queue.push(Pending::check(at, a, b));
                }
            }
        }
    }

    /// Whether a pair is left to a group's solver: members of one group, or a member of a group that
    /// does not rest and a fixed or kinematic body.
    fn is_groups_affair(&self, a: NodeId, b: NodeId) -> bool {
        let (ga, gb) = (self.group[a.index()], self.group[b.index()]);
        if ga == gb {
            return ga != NO_GROUP;
        }
        let solved = |member: NodeId, other: NodeId| {
            let model = self.flights[other.index()].model;
            self.group[member.index()] != NO_GROUP
                && (!self.quick[model as usize].is_movable || self.is_asleep(other))
                && !self.rests(member)
        };
        solved(a, b) || solved(b, a)
    }

    /// The end of the step that a group's member is in; never for everything else. It belongs to the
    /// segment, unlike a look-ahead.
    fn step_end(&self, node: NodeId) -> Tick {
        if self.group_of(node).is_none() || self.is_still(node) {
            Tick::MAX
        } else {
            self.swept[node.index()].horizon
        }
    }

    fn common_horizon(&self, a: NodeId, b: NodeId) -> Tick {
        self.swept[a.index()]
            .horizon
            .min(self.swept[b.index()].horizon)
    }

    /// Whether a collision at `at` would still come before the end of both segments.
    fn both_cover(&self, a: NodeId, b: NodeId, at: Tick) -> bool {
        let order = self.collision_order(a, b, at);
        order < self.graph.end(a) && order < self.graph.end(b)
    }

    /// The place in the total order of a collision of two segments at `tick`.
    fn collision_order(&self, a: NodeId, b: NodeId, tick: Tick) -> EventOrder {
        let chained = |node: NodeId| {
            let start = self.graph.start(node);
            if start.tick == tick {
                start.micro + 1
            } else {
                0
            }
        };
        let (body_a, body_b) = (self.flights[a.index()].body, self.flights[b.index()].body);
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
        if order < self.graph.end(a) && order < self.graph.end(b) {
            let (a, b) = (self.graph.reference(a), self.graph.reference(b));
            self.queue.push(Pending::collision(order, a, b));
        }
    }

    /// Processes a collision check: searches the canonical window at its safe time, and either
    /// foresees a collision or moves the safe time to the window's end.
    pub(super) fn collision_check(&mut self, entry: &Pending) {
        let (a, b) = (entry.a.node, entry.b.node);
        let at = entry.order().moment.tick;
        if !self.graph.is_live(entry.a)
            || !self.graph.is_live(entry.b)
            || !self.both_cover(a, b, at)
        {
            return;
        }
        let (fa, fb) = (&self.flights[a.index()], &self.flights[b.index()]);
        let models = &self.models;
        let found = approach(
            &models[fa.model as usize],
            fa,
            &models[fb.model as usize],
            fb,
        );
        let Approach::Possible(enter, exit) = found else {
            return;
        };
        self.stats.searches += 1;
        self.integrate(a, search_needs(at));
        self.integrate(b, search_needs(at));
        let until = self.common_horizon(a, b);
        let (motion_a, motion_b): (Motion, Motion) = (self.motion(a), self.motion(b));
        // Beyond a member's step there is nothing to find: the next step begins a segment.
        let exit = exit.min(self.step_end(a)).min(self.step_end(b));
        match search(&motion_a, &motion_b, at, at, (enter, exit)) {
            Some(tick) if tick < until => self.foresee(a, b, tick),
            Some(_) => {}
            None => {
                let safe = window_end(at);
                if safe < until.min(exit) && safe < self.world.until && self.both_cover(a, b, safe)
                {
                    self.queue.push(Pending::check(safe, entry.a, entry.b));
                }
            }
        }
    }
}
