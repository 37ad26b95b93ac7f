//! Contact groups as processes (Mirtich 4.4): who belongs to a group, and one step of it.
//!
//! Members keep their worldlines; a group has one of its own, and every event of the group begins a
//! segment on the group's and on all members' worldlines, linked in one ring. Rolling any of them
//! back therefore rolls the group back as a unit, and undoing a fusion or a fission restores the
//! groups it had ended. Membership is fixed: when it changes a new group begins. Fixed and kinematic
//! bodies touch many groups and join none.

use super::calm::Calm;
use super::joints::Tie;
use super::{Engine, NO_GROUP};
use crate::contact::ContactRules;
use crate::grid::Bounds;
use crate::overlap::corners_at;
use crate::world::BodyId;
use physics::groups::{
    Member, Memory, Neighbour, Report, Scratch, SolverError, Span, Surroundings,
};
use physics::rotation::rotation_vector;
use physics::{State, Vec3};
use warp::{Column, EventOrder, NodeId, ProcessId, Tick};

/// What is constant about a group.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    /// Its bodies, by rising number; empty for processes that are not groups.
    pub members: Vec<u32>,
}

/// One segment of a group's worldline.
#[derive(Clone, Debug, Default)]
pub(super) struct GroupSegment {
    /// Contact forces to start the next step from.
    pub memory: Memory,
    /// How calm each member is, in the order of members.
    pub calm: Vec<Calm>,
    /// Steps since the group began.
    pub steps: u32,
    /// The group rests: no step is due until something happens to a member.
    pub is_resting: bool,
    /// The group's last segment: its members belong to others from here on.
    pub is_ended: bool,
    /// Kinematic bodies that a resting group leans on: it wakes when they may move.
    pub leans_on: Vec<u32>,
    /// Sleepers that the group touches: if it lets go of them, they wake.
    pub leaning: Vec<u32>,
    /// The deepest overlap in the step, as the solver measured it, metres; for the statistics alone.
    pub deepest: f32,
}

impl GroupSegment {
    /// Bytes it holds elsewhere.
    pub fn bytes(&self) -> usize {
        let numbers = self.leans_on.capacity() + self.leaning.capacity();
        self.memory.bytes() - size_of::<Memory>()
            + numbers * size_of::<u32>()
            + self.calm.capacity() * size_of::<Calm>()
    }
}

/// A body about to take part in a group's event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joining {
    pub body: BodyId,
    /// The segment it comes from.
    pub node: NodeId,
    /// Index of the model it follows on its own.
    pub model: u32,
    /// Its state at the event; velocity and spin are those of its momentum.
    pub state: State,
}

/// Buffers of a step, reused.
#[derive(Default)]
pub(super) struct Workshop {
    pub scratch: Scratch,
    pub report: Report,
    boxes: Vec<(Vec3, Vec3)>,
    found: Vec<(u32, u32)>,
    pub neighbours: Vec<u32>,
    pub pairs: Vec<(u32, u32)>,
    /// Joints of the members.
    pub ties: Vec<Tie>,
    /// Per body: its place among the members, or `NO_GROUP`.
    pub places: Column<u32>,
}

impl Workshop {
    /// Buffers for a branch: empty, but for the place of every body, which is shared.
    pub fn branch(&mut self) -> Self {
        Workshop {
            places: self.places.branch(),
            ..Workshop::default()
        }
    }

    /// Takes back what no branch shares any more.
    pub fn reclaim(&mut self) {
        self.places.reclaim();
    }

    /// The pairs of a member's place and a neighbour's body that were found last.
    pub fn pairs_with_neighbours(&self, members: usize) -> Vec<(u32, u32)> {
        let of = |&(place, other): &(u32, u32)| {
            let index = (other as usize).checked_sub(members)?;
            Some((place, self.neighbours[index]))
        };
        self.pairs.iter().filter_map(of).collect()
    }
}

impl Engine {
    /// The group of a segment, if it has one.
    pub(super) fn group_of(&self, node: NodeId) -> Option<ProcessId> {
        // Worlds without contact rules have no such column.
        let group = *self.group.get(node.index())?;
        (group != NO_GROUP).then_some(ProcessId(group))
    }

    /// Whether a segment belongs to a group that rests.
    pub(super) fn rests(&self, node: NodeId) -> bool {
        self.group_of(node).is_some() && self.is_still(node)
    }

    /// Whether a segment is that of a group's member that moves: it lasts for one step.
    pub(super) fn is_moving_member(&self, node: NodeId) -> bool {
        self.group_of(node).is_some() && !self.is_still(node)
    }

    /// Whether a segment does not move at all.
    pub(super) fn is_still(&self, node: NodeId) -> bool {
        let flight = &self.flights[node.index()];
        let model = &self.models[flight.model as usize];
        flight.velocity == Vec3::ZERO
            && self.turns[node].spin_max() == 0.0
            && model.gravity == Vec3::ZERO
            && model.law != physics::body::Law::Integrated
    }

    /// A body's segment and state at an event, as a group's solver wants it.
    pub(super) fn joining(&mut self, body: BodyId, order: EventOrder) -> Option<Joining> {
        let node = self.graph.covering(ProcessId(body.0), order)?;
        self.integrate(node, order.moment.tick);
        Some(Joining {
            body,
            node,
            model: self.model_index(node),
            state: self.momentary(node, order.moment.tick),
        })
    }

    /// A body's state at a tick of an integrated segment. A member of a group has the velocity and spin
    /// of its momentum, not those of its way through the step.
    pub(super) fn momentary(&self, node: NodeId, tick: Tick) -> State {
        let motion = self.motion(node);
        let mut state = motion.state(tick);
        if self.group_of(node).is_some() {
            let (drive, end) = (&self.drive[node.index()], self.step_ends[node.index()]);
            [state.velocity, state.spin] = drive.at(&motion, end, tick);
        }
        state
    }

    /// The members of the group that a body belongs to just before the events of a tick that history still
    /// covers; none if it is on its own.
    pub(crate) fn group_at(&self, body: BodyId, tick: Tick) -> Vec<BodyId> {
        let group = self.present(body, tick).and_then(|n| self.group_of(n));
        let members = group.map_or(&[][..], |g| &self.groups[g.index()].members);
        members.iter().map(|m| BodyId(*m)).collect()
    }

    /// Groups that history still holds, ended ones among them.
    pub(crate) fn groups_held(&self) -> usize {
        let processes = 0..self.graph.processes() as u32;
        let is_group = |p: ProcessId| {
            !self
                .groups
                .get(p.index())
                .is_none_or(|g| g.members.is_empty())
                && self.graph.contains(p)
                && !self.graph.is_idle(p)
        };
        processes.filter(|p| is_group(ProcessId(*p))).count()
    }

    /// Advances `bodies` (rising numbers) by one step and leaves what they touch in the workshop's
    /// report. Returns their states at the step's end.
    pub(super) fn solve_step(
        &mut self,
        rules: &ContactRules,
        bodies: &[Joining],
        order: EventOrder,
        memory: &mut Memory,
    ) -> Result<Vec<State>, SolverError> {
        let mut workshop = std::mem::take(&mut self.workshop);
        let nearby: Vec<Joining> = workshop
            .neighbours
            .iter()
            .filter_map(|&body| self.joining(BodyId(body), order))
            .collect();
        let mut members: Vec<Member> = bodies
            .iter()
            .map(|j| Member {
                body: j.body.0,
                model: &self.models[j.model as usize],
                state: j.state,
            })
            .collect();
        let neighbours: Vec<Neighbour> = nearby
            .iter()
            .map(|j| Neighbour {
                body: j.body.0,
                model: &self.models[j.model as usize],
                state: j.state,
            })
            .collect();
        workshop.report.clear();
        let links = Self::links(&self.world, &workshop.ties);
        let span = Span {
            begin: order.moment.tick.seconds(),
            seconds: rules.step_seconds(),
        };
        let around = Surroundings {
            neighbours: &neighbours,
            pairs: &workshop.pairs,
            links: &links,
        };
        let (scratch, report) = (&mut workshop.scratch, &mut workshop.report);
        let outcome = (rules.solver).step(span, &mut members, &around, memory, scratch, report);
        let outcome = outcome.map(|()| members.iter().map(|m| m.state).collect());
        self.workshop = workshop;
        self.stats.group_steps += 1;
        self.stats.count_effort(&self.workshop.report.effort);
        outcome
    }

    /// Candidate pairs of a step: a function of the bodies' states at its start alone, whatever the
    /// broad phase has registered beyond that. Members are expected to get `farther` than their velocities
    /// say, metres.
    pub(super) fn find_pairs(
        &mut self,
        rules: &ContactRules,
        bodies: &[Joining],
        farther: f64,
        order: EventOrder,
    ) {
        let mut taken = std::mem::take(&mut self.workshop);
        let workshop = &mut taken;
        workshop.places.grow(self.world.bodies.len(), NO_GROUP);
        workshop.boxes.clear();
        workshop.found.clear();
        workshop.neighbours.clear();
        workshop.pairs.clear();
        let mut widest: f64 = 0.0;
        for (place, joining) in bodies.iter().enumerate() {
            workshop.places[joining.body.index()] = place as u32;
            let reach = self.step_reach(rules, joining) + farther;
            widest = widest.max(reach);
            workshop
                .boxes
                .push(self.box_at(joining.body, &joining.state, reach));
        }
        self.widest_reach = self.widest_reach.max(widest);
        let wide = Vec3::splat(widest);
        let around = |&(lo, hi): &(Vec3, Vec3)| Bounds::around(lo - wide, hi + wide);
        let all = workshop.boxes.iter().map(around);
        let is_past = all
            .reduce(|all, one| all.union(&one))
            .is_some_and(|all| self.concerns_past(bodies.len(), &all, order, order.moment.tick));
        for (place, corners) in workshop.boxes.iter().enumerate() {
            let (place, bounds) = (place as u32, around(corners));
            self.near(place, &bounds, order, is_past, &mut workshop.found);
        }
        workshop.found.sort_unstable();
        workshop.found.dedup();
        self.filter_pairs(rules, bodies, order, workshop);
        self.find_ties(bodies, workshop);
        for joining in bodies {
            workshop.places[joining.body.index()] = NO_GROUP;
        }
        self.workshop = taken;
    }

    /// How far a body's surface may get within a step, and the contact margin.
    fn step_reach(&self, rules: &ContactRules, joining: &Joining) -> f64 {
        let (model, state) = (&self.models[joining.model as usize], &joining.state);
        let turning = if model.collider.is_unbounded() {
            0.0
        } else {
            state.spin.length() * model.bounding_radius()
        };
        let falling = model.gravity.length() * rules.step;
        rules.margin + (state.velocity.length() + turning + falling) * rules.step
    }

    /// How far a solver that keeps bodies apart has moved any of them, if that is farther than their candidate
    /// pairs reach; metres.
    pub(super) fn strayed(
        &self,
        rules: &ContactRules,
        bodies: &[Joining],
        ends: &[State],
        farther: f64,
    ) -> Option<f64> {
        if self.workshop.report.effort.steps == 0 {
            return None;
        }
        let mut strayed = None;
        for (joining, end) in bodies.iter().zip(ends) {
            let (model, start) = (&self.models[joining.model as usize], &joining.state);
            let turn = rotation_vector(end.rotation * start.rotation.inverse());
            let turned = match model.collider.is_unbounded() {
                true => 0.0,
                false => turn.length() * model.bounding_radius(),
            };
            let moved = (end.position - start.position).length() + turned;
            if moved > self.step_reach(rules, joining) + farther {
                strayed = Some(moved.max(strayed.unwrap_or(0.0)));
            }
        }
        strayed
    }

    fn box_at(&self, body: BodyId, state: &State, reach: f64) -> (Vec3, Vec3) {
        let everywhere = (Vec3::NEG_INFINITY, Vec3::INFINITY);
        let (lo, hi) = corners_at(self.world.model(body), &state.pose()).unwrap_or(everywhere);
        (lo - Vec3::splat(reach), hi + Vec3::splat(reach))
    }

    /// Bodies registered near a box, as pairs of `place` and body.
    pub(super) fn near(
        &self,
        place: u32,
        bounds: &Bounds,
        at: EventOrder,
        asks_past: bool,
        found: &mut Vec<(u32, u32)>,
    ) {
        self.grid
            .query(&self.swept, bounds, |body| found.push((place, body)));
        let past = self.past.as_ref();
        if let Some(past) = past.filter(|p| asks_past && p.reach_past(at)) {
            let tick = at.moment.tick;
            past.query(bounds, tick, tick, |owner| {
                found.extend(self.owning_body(owner).map(|body| (place, body)));
            });
        }
        for unbounded in self.grid.unbounded() {
            if unbounded.is_near(bounds) {
                found.push((place, self.flights[unbounded.node.index()].body));
            }
        }
    }

    /// Keeps the pairs whose boxes at the step's start overlap, and numbers the neighbours.
    fn filter_pairs(
        &mut self,
        rules: &ContactRules,
        bodies: &[Joining],
        order: EventOrder,
        workshop: &mut Workshop,
    ) {
        let mut kept = Vec::with_capacity(workshop.found.len());
        for &(place, body) in &workshop.found {
            let own = bodies[place as usize].body.0;
            if self.ties.is_apart(own.min(body), own.max(body)) {
                continue;
            }
            let other = workshop.places[body as usize];
            if other != NO_GROUP {
                if other > place && overlap(&workshop.boxes, place, other) {
                    workshop.pairs.push((place, other));
                }
                continue;
            }
            let Some(node) = self.graph.covering(ProcessId(body), order) else {
                continue;
            };
            // What was registered may be long before or after.
            if !self.is_there(node) {
                continue;
            }
            if self.world.model(BodyId(body)).is_movable() && !self.is_asleep(node) {
                continue;
            }
            let Some(joining) = self.joining(BodyId(body), order) else {
                continue;
            };
            let reach = self.step_reach(rules, &joining);
            self.widest_reach = self.widest_reach.max(reach);
            let (lo, hi) = self.box_at(joining.body, &joining.state, reach);
            let (own_lo, own_hi) = workshop.boxes[place as usize];
            if lo.cmple(own_hi).all() && own_lo.cmple(hi).all() {
                kept.push((place, body));
                workshop.neighbours.push(body);
            }
        }
        workshop.neighbours.sort_unstable();
        workshop.neighbours.dedup();
        let members = workshop.boxes.len() as u32;
        for (place, body) in kept {
            if let Ok(index) = workshop.neighbours.binary_search(&body) {
                workshop.pairs.push((place, members + index as u32));
            }
        }
        workshop.pairs.sort_unstable();
    }
}

fn overlap(boxes: &[(Vec3, Vec3)], a: u32, b: u32) -> bool {
    let ((lo_a, hi_a), (lo_b, hi_b)) = (boxes[a as usize], boxes[b as usize]);
    lo_a.cmple(hi_b).all() && lo_b.cmple(hi_a).all()
}

/// Connected components of the contact graph over the members (Mirtich 4.4): for each member its
/// component's first member, and whether anything in the component touches at all.
///
/// Members count as connected as long as they could touch within the next step (`pairs`): a group
/// that let go of every rock of an avalanche between two knocks would have to be made again and
/// again, and searched for impacts meanwhile. Joints connect always.
pub(super) fn components(
    bodies: &[Joining],
    report: &Report,
    pairs: &[(u32, u32)],
    ties: &[Tie],
) -> Vec<(u32, bool)> {
    let mut parent: Vec<u32> = (0..bodies.len() as u32).collect();
    fn root(parent: &mut [u32], mut at: u32) -> u32 {
        while parent[at as usize] != at {
            parent[at as usize] = parent[parent[at as usize] as usize];
            at = parent[at as usize];
        }
        at
    }
    let is_member = |place: u32| (place as usize) < bodies.len();
    let joined = ties.iter().map(|(_, [a, b])| (*a, *b));
    let together = pairs.iter().copied().chain(joined);
    for (a, b) in together.filter(|(a, b)| is_member(*a) && is_member(*b)) {
        let (ra, rb) = (root(&mut parent, a), root(&mut parent, b));
        parent[ra.max(rb) as usize] = ra.min(rb);
    }
    let mut touches = vec![false; bodies.len()];
    for touch in &report.touches {
        for body in [touch.a, touch.b] {
            if let Ok(place) = bodies.binary_search_by_key(&body, |j| j.body.0) {
                touches[root(&mut parent, place as u32) as usize] = true;
            }
        }
    }
    for place in ties.iter().flat_map(|(_, places)| *places) {
        if is_member(place) {
            touches[root(&mut parent, place) as usize] = true;
        }
    }
    (0..bodies.len() as u32)
        .map(|i| {
            let root = root(&mut parent, i);
            let alive = touches[root as usize];
            (if alive { root } else { i }, alive)
        })
        .collect()
}
