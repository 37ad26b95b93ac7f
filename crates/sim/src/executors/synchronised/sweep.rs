//! The broad phase of the synchronised baselines: sort and sweep along the longest axis of the
//! scene. From step to step the order hardly changes, so the insertion sort is linear and a step
//! costs a pass over contiguous boxes; at a few hundred bodies this beats a grid.

use super::Synchronised;
use crate::grid::Bounds;
use crate::layers::Meets;
use physics::Vec3;
use physics::collider::{Core, Form};
use warp::Tick;

/// A fixed plane in the world.
struct Plane {
    normal: [f32; 3],
    offset: f32,
}

/// A body without a box, and its plane if it is nothing but a fixed plane. It cannot be movable.
struct Unbounded {
    body: u32,
    plane: Option<Plane>,
}

/// Boxes of all bodies over one stretch of time, and the pairs that overlap.
pub(in crate::executors) struct Sweep {
    axis: usize,
    boxes: Vec<Bounds>,
    movable: Vec<bool>,
    /// Bodies with boxes, by lower end along the axis.
    order: Vec<u32>,
    sorted: Vec<(Bounds, u32)>,
    /// Bodies whose boxes change from stretch to stretch.
    moving: Vec<u32>,
    unbounded: Vec<Unbounded>,
    meets: Meets,
    /// Pairs whose boxes overlap, lower number first.
    pub(in crate::executors) pairs: Vec<(u32, u32)>,
}

impl Sweep {
    /// For the bodies of `all`.
    pub(in crate::executors) fn new(all: &Synchronised<'_>) -> Self {
        let bodies = 0..all.world.bodies.len() as u32;
        let bounded = |b: &u32| !all.motion(*b).model.collider.is_unbounded();
        let nothing = Bounds {
            lo: [f32::INFINITY, f32::INFINITY, f32::INFINITY, 0.0],
            hi: [f32::NEG_INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY, 0.0],
        };
        let model = |b: u32| all.motion(b).model;
        let mut sweep = Sweep {
            axis: longest_axis(all),
            boxes: bodies
                .clone()
                .map(|b| all.swept_box(b, all.now).unwrap_or(nothing))
                .collect(),
            movable: bodies.clone().map(|b| model(b).is_movable()).collect(),
            order: bodies.clone().filter(bounded).collect(),
            sorted: Vec::new(),
            moving: all
                .drifting
                .iter()
                .chain(&all.integrated)
                .copied()
                .filter(bounded)
                .collect(),
            unbounded: bodies
                .filter(|b| !bounded(b))
                .map(|b| Unbounded {
                    body: b,
                    plane: fixed_plane(all, b),
                })
                .collect(),
            meets: Meets::new(&all.world.bodies),
            pairs: Vec::new(),
        };
        let (boxes, axis) = (&sweep.boxes, sweep.axis);
        sweep
            .order
            .sort_by(|a, b| low(boxes, *a, axis).total_cmp(&low(boxes, *b, axis)));
        sweep
    }

    /// Sweeps all bodies from the common time to `end` and finds the pairs whose boxes overlap.
    pub(in crate::executors) fn find_pairs(&mut self, all: &Synchronised<'_>, end: Tick) {
        for &body in &self.moving {
            if let Some(bounds) = all.swept_box(body, end) {
                self.boxes[body as usize] = bounds;
            }
        }
        self.sort();
        self.pairs.clear();
        for (rank, (bounds, body)) in self.sorted.iter().enumerate() {
            for (other_bounds, other) in &self.sorted[rank + 1..] {
                if other_bounds.lo[self.axis] > bounds.hi[self.axis] {
                    break;
                }
                if bounds.overlaps(other_bounds)
                    && (self.movable[*body as usize] || self.movable[*other as usize])
                    && !self.meets.are_apart(*body, *other)
                {
                    self.pairs.push(((*body).min(*other), (*body).max(*other)));
                }
            }
            let slack = slack(bounds);
            for other in &self.unbounded {
                if other.may_touch(bounds, slack)
                    && self.movable[*body as usize]
                    && !self.meets.are_apart(*body, other.body)
                {
                    let pair = ((*body).min(other.body), (*body).max(other.body));
                    self.pairs.push(pair);
                }
            }
        }
    }

    /// One body has begun anew: sweeps it from the common time to `end` and calls `found` with
    /// every body whose box overlaps.
    pub(in crate::executors) fn find_partners(
        &mut self,
        all: &Synchronised<'_>,
        body: u32,
        end: Tick,
        mut found: impl FnMut(u32),
    ) {
        let Some(bounds) = all.swept_box(body, end) else {
            let order = self.order.iter();
            order
                .filter(|other| !self.meets.are_apart(body, **other))
                .for_each(|&other| found(other));
            return;
        };
        self.boxes[body as usize] = bounds;
        for (index, other) in self.boxes.iter().enumerate() {
            if bounds.overlaps(other)
                && index != body as usize
                && !self.meets.are_apart(body, index as u32)
            {
                found(index as u32);
            }
        }
        let slack = slack(&bounds);
        for other in &self.unbounded {
            if other.may_touch(&bounds, slack) && !self.meets.are_apart(body, other.body) {
                found(other.body);
            }
        }
    }

    fn sort(&mut self) {
        let Sweep {
            order,
            boxes,
            sorted,
            axis,
            ..
        } = self;
        for rank in 1..order.len() {
            let body = order[rank];
            let key = low(boxes, body, *axis);
            let mut place = rank;
            while place > 0 && low(boxes, order[place - 1], *axis) > key {
                order[place] = order[place - 1];
                place -= 1;
            }
            order[place] = body;
        }
        sorted.clear();
        sorted.extend(order.iter().map(|&b| (boxes[b as usize], b)));
    }
}

#[inline]
fn low(boxes: &[Bounds], body: u32, axis: usize) -> f32 {
    boxes[body as usize].lo[axis]
}

impl Unbounded {
    #[inline]
    fn may_touch(&self, bounds: &Bounds, slack: f32) -> bool {
        let Some(plane) = &self.plane else {
            return true;
        };
        let least = |i: usize| (plane.normal[i] * bounds.lo[i]).min(plane.normal[i] * bounds.hi[i]);
        least(0) + least(1) + least(2) <= plane.offset + slack
    }
}

/// What single precision may get wrong about a box and a plane near it, metres.
#[inline]
fn slack(bounds: &Bounds) -> f32 {
    let reach = |i: usize| bounds.lo[i].abs().max(bounds.hi[i].abs());
    1e-6 * (reach(0) + reach(1) + reach(2))
}

/// The plane of a fixed body that is one half-space.
fn fixed_plane(all: &Synchronised<'_>, body: u32) -> Option<Plane> {
    let motion = all.motion(body);
    let fixed = all.world.bodies[body as usize].kind == crate::world::Kind::Fixed;
    if !fixed || motion.model.collider.form != Form::HalfSpace {
        return None;
    }
    match motion.model.collider.parts[0].core {
        Core::HalfSpace { normal, offset } => {
            let normal: Vec3 = motion.turn.rotation * normal;
            Some(Plane {
                normal: normal.to_array().map(|x| x as f32),
                offset: (offset + normal.dot(motion.flight.position)) as f32,
            })
        }
        _ => None,
    }
}

/// The axis along which the movable bodies are spread widest.
fn longest_axis(all: &Synchronised<'_>) -> usize {
    let (mut lo, mut hi) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for &body in all.drifting.iter().chain(&all.integrated) {
        let at = all.flights[body as usize].position;
        (lo, hi) = (lo.min(at), hi.max(at));
    }
    let extent = (hi - lo).to_array();
    (0..3).fold(0, |best, i| if extent[i] > extent[best] { i } else { best })
}
