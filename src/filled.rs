//! How densely bodies are packed: the fraction of the space that they fill, away from walls and surfaces.

use physics::Vec3;
use sim::{Kind, World};

/// Points along each edge of the region in which a packing's fraction is taken.
const POINTS: usize = 100;

/// The fraction of points that lie within some body, in the region two diameters away from the outermost
/// bodies on every side: walls and surfaces order what is next to them. None if that region is empty.
pub fn filled(world: &World, states: &[physics::State]) -> Option<f64> {
    let dynamic = |b: &usize| world.bodies[*b].kind == Kind::Dynamic;
    let bodies: Vec<usize> = (0..world.bodies.len()).filter(dynamic).collect();
    let radius = |b: usize| world.model(sim::BodyId(b as u32)).bounding_radius();
    let (mut lo, mut hi) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for &b in &bodies {
        lo = lo.min(states[b].position - Vec3::splat(radius(b)));
        hi = hi.max(states[b].position + Vec3::splat(radius(b)));
    }
    let mean = bodies.iter().map(|b| radius(*b)).sum::<f64>() / bodies.len() as f64;
    let (lo, hi) = (lo + Vec3::splat(4.0 * mean), hi - Vec3::splat(4.0 * mean));
    if !lo.cmplt(hi).all() {
        return None;
    }
    let near: Vec<usize> = bodies
        .into_iter()
        .filter(|b| {
            let (at, reach) = (states[*b].position, Vec3::splat(radius(*b)));
            (at + reach).cmpge(lo).all() && (at - reach).cmple(hi).all()
        })
        .collect();
    let mut inside = 0usize;
    for index in 0..POINTS * POINTS * POINTS {
        let [x, y, z] = [index, index / POINTS, index / (POINTS * POINTS)].map(|k| k % POINTS);
        let share = Vec3::new(x as f64 + 0.5, y as f64 + 0.5, z as f64 + 0.5) / POINTS as f64;
        let point = lo + (hi - lo) * share;
        let holds = |b: &usize| {
            let model = world.model(sim::BodyId(*b as u32));
            let (state, reach) = (&states[*b], model.bounding_radius());
            state.position.distance_squared(point) <= reach * reach
                && model.collider.parts.iter().any(|part| {
                    let pose = state.pose() * part.pose;
                    match part.margin > 0.0 {
                        true => part.shape.distance_to_point(&pose, point, true) <= part.margin,
                        false => part.shape.contains_point(&pose, point),
                    }
                })
        };
        inside += usize::from(near.iter().any(holds));
    }
    Some(inside as f64 / (POINTS * POINTS * POINTS) as f64)
}
