//! Candidate pairs of a group's step: who among the members, and which fixed and kinematic bodies and sleepers near
//! them, may touch within the step. A function of the bodies' states at the step's start alone, whatever the broad
//! phase has registered beyond that.
//!
//! The broad phase is asked once for the whole group, who is near and no member. Which boxes overlap is found by a
//! sweep over members and neighbours together, along the axis along which the group is longest.

use super::Engine;
use super::groups::{Joining, NO_MEMBER, Workshop};
use super::neighbourhood::When;
use crate::contact::ContactRules;
use crate::grid::Bounds;
use crate::overlap::corners_at;
use crate::world::BodyId;
use physics::rotation::rotation_vector;
use physics::{State, Vec3};
use warp::{EventOrder, ProcessId};

/// Groups of fewer members ask member by member who is near.
const MANY: usize = 8;
/// Boxes that are compared at once.
const LANES: usize = 8;

/// Boxes of one step, and what a sweep over them needs; reused.
#[derive(Default)]
pub(super) struct Sweep {
    /// The members' boxes, then those of the bodies near them.
    boxes: Vec<(Vec3, Vec3)>,
    /// Bodies near the members, rising.
    near: Vec<u32>,
    /// Where each box begins along the axis of the sweep, rising, and its place.
    order: Vec<(f64, u32)>,
    /// In that order and in single precision, rounded outwards, where each box begins and ends along that axis, and its
    /// lower and upper sides along the other two. Filled up with what overlaps nothing.
    low: Vec<f32>,
    high: Vec<f32>,
    sides: [Vec<f32>; 4],
    /// Pairs of places, the lower one in the upper half.
    pairs: Vec<u64>,
    /// By body near the members: its number among the neighbours.
    numbers: Vec<u32>,
}

impl Sweep {
    /// The box around the first `count` boxes.
    fn around(&self, count: usize) -> (Vec3, Vec3) {
        let all = self.boxes[..count].iter().copied();
        all.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |all, one| {
            (all.0.min(one.0), all.1.max(one.1))
        })
    }

    /// Sorts the boxes along the axis along which the first `members` of them are spread farthest.
    fn sort(&mut self, members: usize) {
        let (lo, hi) = self.around(members);
        let extent = hi - lo;
        let axis = (0..3).fold(0, |most, i| if extent[i] > extent[most] { i } else { most });
        self.order.clear();
        let begins = self.boxes.iter().map(|(lo, _)| lo[axis]).zip(0..);
        self.order.extend(begins);
        self.order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        self.low.clear();
        self.high.clear();
        self.sides.iter_mut().for_each(Vec::clear);
        let [second, third] = [(axis + 1) % 3, (axis + 2) % 3];
        for (_, place) in &self.order {
            let (lo, hi) = self.boxes[*place as usize];
            let Bounds { lo, hi } = Bounds::around(lo, hi);
            self.low.push(lo[axis]);
            self.high.push(hi[axis]);
            let sides = [lo[second], hi[second], lo[third], hi[third]];
            for (all, side) in self.sides.iter_mut().zip(sides) {
                all.push(side);
            }
        }
        let filled = self.order.len() + LANES;
        self.low.resize(filled, f32::NAN);
        self.sides
            .iter_mut()
            .for_each(|side| side.resize(filled, f32::NAN));
    }

    /// Finds all pairs of boxes that overlap and are not both beyond the first `members`. Sorted.
    fn find(&mut self, members: usize) {
        self.sort(members);
        self.pairs.clear();
        let [lo_a, hi_a, lo_b, hi_b] = &self.sides;
        for (at, (&(_, place), &high)) in self.order.iter().zip(&self.high).enumerate() {
            let own = [lo_a[at], hi_a[at], lo_b[at], hi_b[at]];
            let mut from = at + 1;
            loop {
                let [low, la, ha, lb, hb] = [&self.low, lo_a, hi_a, lo_b, hi_b]
                    .map(|lane| lane.get(from..from + LANES).unwrap_or(&[f32::NAN; LANES]));
                let mut hits = 0u32;
                for lane in 0..LANES {
                    let meets = (low[lane] <= high)
                        & (la[lane] <= own[1])
                        & (own[0] <= ha[lane])
                        & (lb[lane] <= own[3])
                        & (own[2] <= hb[lane]);
                    hits |= u32::from(meets) << lane;
                }
                while hits != 0 {
                    let (_, other) = self.order[from + hits.trailing_zeros() as usize];
                    hits &= hits - 1;
                    let (first, second) = (place.min(other), place.max(other));
                    if (first as usize) < members && overlap(&self.boxes, first, second) {
                        self.pairs.push(u64::from(first) << 32 | u64::from(second));
                    }
                }
                // What pads the last lanes is not a number, and ends the search as well.
                let goes_on = low[LANES - 1] <= high;
                if !goes_on {
                    break;
                }
                from += LANES;
            }
        }
        self.pairs.sort_unstable();
    }
}

fn overlap(boxes: &[(Vec3, Vec3)], a: u32, b: u32) -> bool {
    let ((lo_a, hi_a), (lo_b, hi_b)) = (boxes[a as usize], boxes[b as usize]);
    lo_a.cmple(hi_b).all() && lo_b.cmple(hi_a).all()
}

impl Engine {
    /// Candidate pairs of a step. Members are expected to get `farther` than their velocities say, metres.
    pub(super) fn find_pairs(
        &mut self,
        rules: &ContactRules,
        bodies: &[Joining],
        farther: f64,
        order: EventOrder,
    ) {
        let mut taken = std::mem::take(&mut self.groups.workshop);
        let workshop = &mut taken;
        workshop.places.grow(self.world.bodies.len(), NO_MEMBER);
        workshop.sweep.boxes.clear();
        let mut widest: f64 = 0.0;
        for (place, joining) in bodies.iter().enumerate() {
            workshop.places[joining.body.index()] = place as u32;
            let reach = self.step_reach(rules, joining) + farther;
            widest = widest.max(reach);
            let own = self.box_at(joining.body, &joining.state, reach);
            workshop.sweep.boxes.push(own);
        }
        self.readers.widen(widest);
        self.find_near(bodies, widest, order, workshop);
        self.box_neighbours(rules, order, workshop);
        workshop.sweep.find(bodies.len());
        self.number_pairs(bodies, workshop);
        self.find_ties(bodies, workshop);
        for joining in bodies {
            workshop.places[joining.body.index()] = NO_MEMBER;
        }
        self.groups.workshop = taken;
    }

    /// Finds the bodies near the members that are no members themselves, within `widest` metres of a member's box or of
    /// the box around all.
    fn find_near(
        &self,
        bodies: &[Joining],
        widest: f64,
        order: EventOrder,
        workshop: &mut Workshop,
    ) {
        let Workshop { sweep, places, .. } = workshop;
        let wide = Vec3::splat(widest);
        let around = |(lo, hi): (Vec3, Vec3)| Bounds::around(lo - wide, hi + wide);
        let all = around(sweep.around(bodies.len()));
        let at = When::at(order);
        let reads_past = self
            .around
            .concerns_past(bodies.len(), &all, at, &self.lines);
        let when = When { reads_past, ..at };
        let Sweep { near, boxes, .. } = sweep;
        near.clear();
        let mut add = |body: u32| {
            if places[body as usize] == NO_MEMBER {
                near.push(body);
            }
        };
        if bodies.len() >= MANY && self.around.is_compact(&all, bodies.len()) {
            self.around.near(&all, when, &self.lines, add);
        } else {
            for own in &boxes[..bodies.len()] {
                self.around.near(&around(*own), when, &self.lines, &mut add);
            }
        }
        // What moves by itself may come from farther away, and how far its box in the broad phase reaches depends on
        // how far somebody has looked ahead.
        near.extend_from_slice(self.readers.roaming());
        near.sort_unstable();
        near.dedup();
    }

    /// Leaves those bodies near the members that a solver is told of: fixed and kinematic ones, and sleepers; and adds
    /// their boxes to those of the members.
    fn box_neighbours(&mut self, rules: &ContactRules, order: EventOrder, workshop: &mut Workshop) {
        let sweep = &mut workshop.sweep;
        let (lo, hi) = sweep.around(sweep.boxes.len());
        let Sweep { near, boxes, .. } = sweep;
        near.retain(|&body| {
            let Some(node) = self.lines.covering(ProcessId(body), order) else {
                return false;
            };
            // What was registered may be long before or after.
            if !self.is_there(node) {
                return false;
            }
            if self.world.model(BodyId(body)).is_movable() && !self.lines.is_asleep(node) {
                return false;
            }
            let Some(joining) = self.joining(BodyId(body), order) else {
                return false;
            };
            let after = self.after_corner(rules, &joining, order);
            let reach = self.step_reach(rules, &joining);
            let reach = reach.max(after.map_or(0.0, |after| self.step_reach(rules, &after)));
            self.readers.widen(reach);
            let own = self.box_at(joining.body, &joining.state, reach);
            let meets = own.0.cmple(hi).all() && lo.cmple(own.1).all();
            if meets {
                boxes.push(own);
            }
            meets
        });
    }

    /// How a kinematic body goes on whose script has a corner within a step from an event on. If it gets near the group
    /// then, the step ends at the corner.
    fn after_corner(
        &self,
        rules: &ContactRules,
        joining: &Joining,
        order: EventOrder,
    ) -> Option<Joining> {
        let script = self.world.bodies[joining.body.index()].script.as_ref()?;
        let corner = self.lines.alarm(joining.node);
        if corner >= order.moment.tick.saturating_add(rules.step_ticks()) {
            return None;
        }
        let (after, _) = script.piece(corner)?;
        let state = State {
            velocity: after.velocity,
            spin: after.spin,
            ..joining.state
        };
        Some(Joining { state, ..*joining })
    }

    /// Numbers the neighbours that a member may touch, rising, and lists the pairs as a solver wants them.
    fn number_pairs(&self, bodies: &[Joining], workshop: &mut Workshop) {
        let Workshop {
            sweep,
            neighbours,
            pairs,
            ..
        } = workshop;
        let members = bodies.len() as u32;
        let body_at = |place: u32| match bodies.get(place as usize) {
            Some(joining) => joining.body.0,
            None => sweep.near[(place - members) as usize],
        };
        let halves = |pair: u64| ((pair >> 32) as u32, pair as u32);
        sweep.pairs.retain(|&pair| {
            let (a, b) = halves(pair);
            let (a, b) = (body_at(a), body_at(b));
            !self.ties.is_apart(a.min(b), a.max(b))
        });
        sweep.numbers.clear();
        sweep.numbers.resize(sweep.near.len(), u32::MAX);
        for &pair in &sweep.pairs {
            if let Some(place) = halves(pair).1.checked_sub(members) {
                sweep.numbers[place as usize] = 0;
            }
        }
        neighbours.clear();
        for (number, body) in sweep.numbers.iter_mut().zip(&sweep.near) {
            if *number == 0 {
                *number = neighbours.len() as u32;
                neighbours.push(*body);
            }
        }
        pairs.clear();
        pairs.extend(sweep.pairs.iter().map(|&pair| {
            let (a, b) = halves(pair);
            match b.checked_sub(members) {
                Some(place) => (a, members + sweep.numbers[place as usize]),
                None => (a, b),
            }
        }));
    }

    /// How far a body's surface may get within a step, and the contact margin.
    pub(super) fn step_reach(&self, rules: &ContactRules, joining: &Joining) -> f64 {
        let (model, state) = (self.models.get(joining.model), &joining.state);
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
        if self.groups.workshop.report.effort.steps == 0 {
            return None;
        }
        let mut strayed = None;
        for (joining, end) in bodies.iter().zip(ends) {
            let (model, start) = (self.models.get(joining.model), &joining.state);
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

    pub(super) fn box_at(&self, body: BodyId, state: &State, reach: f64) -> (Vec3, Vec3) {
        let everywhere = (Vec3::NEG_INFINITY, Vec3::INFINITY);
        let (lo, hi) = corners_at(self.world.model(body), &state.pose()).unwrap_or(everywhere);
        (lo - Vec3::splat(reach), hi + Vec3::splat(reach))
    }
}
