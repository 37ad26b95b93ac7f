//! Overlaps between bodies at one tick: a sweep along x, then exact distances. Used to validate
//! worlds and to audit histories; the engine itself never relies on it.

use crate::grid::Bounds;
use crate::layers::Meets;
use crate::world::{BodyId, World};
use physics::contact::closest;
use physics::{BodyModel, Pose, State, Vec3};

/// The box of a body at a state (none if unbounded).
pub fn bounds_at(model: &BodyModel, state: &State) -> Option<Bounds> {
    let (lo, hi) = corners_at(model, &state.pose())?;
    Some(Bounds::around(lo, hi))
}

/// Lower and upper corner of a body's box at a pose (none if unbounded).
pub fn corners_at(model: &BodyModel, pose: &Pose) -> Option<(Vec3, Vec3)> {
    if model.collider.is_unbounded() {
        return None;
    }
    let b = model.collider.local_box;
    let centre = pose * (0.5 * (b.mins + b.maxs));
    let half = 0.5 * (b.maxs - b.mins);
    let r = physics::Mat3::from_quat(pose.rotation);
    let reach = r.x_axis.abs() * half.x + r.y_axis.abs() * half.y + r.z_axis.abs() * half.z;
    let ball = Vec3::splat(model.bounding_radius());
    let (lo, hi) = (centre - reach, centre + reach);
    Some((
        lo.max(pose.translation - ball),
        hi.min(pose.translation + ball),
    ))
}

/// Calls `found` with every pair that overlaps by more than `allowed` metres, and by how much.
pub fn overlaps(
    world: &World,
    states: &[State],
    allowed: f64,
    mut found: impl FnMut(BodyId, BodyId, f64),
) {
    let boxes: Vec<Option<Bounds>> = world
        .bodies
        .iter()
        .zip(states)
        .map(|(b, s)| bounds_at(&world.models[b.model.place()], s))
        .collect();
    let is_there = |i: u32| !world.bodies[i as usize].is_absent;
    let mut order: Vec<u32> = (0..boxes.len() as u32)
        .filter(|&i| boxes[i as usize].is_some() && is_there(i))
        .collect();
    let low = |i: u32| boxes[i as usize].map_or(0.0, |b| b.lo[0]);
    order.sort_by(|&a, &b| low(a).total_cmp(&low(b)).then(a.cmp(&b)));
    let apart = world.apart();
    let meets = Meets::new(&world.bodies);
    let mut test = |a: u32, b: u32| {
        if apart.binary_search(&(a.min(b), a.max(b))).is_ok() || meets.are_apart(a, b) {
            return;
        }
        let (ma, mb) = (world.model(BodyId(a)), world.model(BodyId(b)));
        if !(ma.is_movable() || mb.is_movable()) {
            return;
        }
        let near = closest(ma, &states[a as usize], mb, &states[b as usize]);
        if near.gap < -allowed {
            found(BodyId(a.min(b)), BodyId(a.max(b)), -near.gap);
        }
    };
    for (rank, &a) in order.iter().enumerate() {
        let Some(box_a) = boxes[a as usize] else {
            continue;
        };
        for &b in &order[rank + 1..] {
            let Some(box_b) = boxes[b as usize] else {
                continue;
            };
            if box_b.lo[0] > box_a.hi[0] {
                break;
            }
            if box_a.overlaps(&box_b) {
                test(a, b);
            }
        }
    }
    for unbounded in (0..boxes.len() as u32).filter(|&i| boxes[i as usize].is_none()) {
        for &other in &order {
            test(unbounded, other);
        }
    }
}

/// The first overlapping pair of a world's start, by body numbers.
pub fn first_overlap(world: &World, allowed: f64) -> Option<(BodyId, BodyId, f64)> {
    let states: Vec<State> = world.bodies.iter().map(|b| b.start).collect();
    let mut first: Option<(BodyId, BodyId, f64)> = None;
    overlaps(world, &states, allowed, |a, b, depth| {
        if first.is_none_or(|(x, y, _)| (a, b) < (x, y)) {
            first = Some((a, b, depth));
        }
    });
    first
}
