//! Boxes that overlap, by separating axes: the commonest case of a stack, and far cheaper than the
//! general search for the depth of an overlap.

use super::candidate::Witness;
use super::manifold::FACE_TOLERANCE;
use crate::{Pose, Vec3};
use parry3d_f64::query::sat::{
    cuboid_cuboid_find_local_separating_edge_twoway as across_edges,
    cuboid_cuboid_find_local_separating_normal_oneway as across_face,
};
use parry3d_f64::shape::{Cuboid, SupportMap};

/// The deepest points of two boxes with these half extents that overlap and whose shallowest way apart
/// is across a face of one of them; `relative` is the pose of the second one in the first one's frame.
pub(super) fn overlap(half_extents: [Vec3; 2], relative: &Pose) -> Option<Witness> {
    let [a, b] = half_extents.map(Cuboid::new);
    let (over_a, outward_a) = across_face(&a, &b, relative);
    if over_a > 0.0 {
        return None;
    }
    let back = relative.inverse();
    let (over_b, outward_b) = across_face(&b, &a, &back);
    let over_faces = over_a.max(over_b);
    if over_b > 0.0 || across_edges(&a, &b, relative).0 > over_faces + FACE_TOLERANCE {
        return None;
    }
    let witness = if over_a >= over_b {
        let lowest = relative * b.local_support_point(back.rotation * -outward_a);
        Witness {
            points: [lowest - outward_a * over_a, lowest],
            outward: outward_a,
            distance: over_a,
        }
    } else {
        let outward = relative.rotation * -outward_b;
        let lowest = a.local_support_point(outward);
        Witness {
            points: [lowest, lowest + outward * over_b],
            outward,
            distance: over_b,
        }
    };
    Some(witness)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Quat;
    use parry3d_f64::query::epa::EPA;
    use parry3d_f64::query::gjk::{self, CsoPoint, GJKResult, VoronoiSimplex};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    /// The signed distance of boxes that overlap, by the general search.
    fn general([a, b]: [Vec3; 2], relative: &Pose) -> Option<f64> {
        let (a, b) = (Cuboid::new(a), Cuboid::new(b));
        let towards = relative.translation.normalize();
        let mut simplex = VoronoiSimplex::new();
        simplex.reset(CsoPoint::from_shapes(relative, &a, &b, towards));
        let found = gjk::closest_points(relative, &a, &b, 1e-3, true, &mut simplex);
        let GJKResult::Intersection = found else {
            return None;
        };
        let (p, q, outward) = EPA::new().closest_points(relative, &a, &b, &simplex)?;
        Some((q - p).dot(outward))
    }

    #[test]
    fn depth_and_direction_are_those_of_the_general_search() {
        let mut rng = Pcg64Mcg::seed_from_u64(4);
        let (mut compared, mut edges) = (0, 0);
        for _ in 0..20_000 {
            let mut one = || 2.0 * rng.random::<f64>() - 1.0;
            let mut half = || 0.2 + 0.3 * one().abs();
            let sizes = [half(), half(), half(), half(), half(), half()];
            let boxes = [
                Vec3::new(sizes[0], sizes[1], sizes[2]),
                Vec3::new(sizes[3], sizes[4], sizes[5]),
            ];
            let turn = Quat::from_xyzw(one(), one(), one(), one()).normalize();
            let relative = Pose::from_parts(Vec3::new(one(), one(), one()), turn);
            let Some(depth) = general(boxes, &relative).filter(|d| *d < -1e-3) else {
                continue;
            };
            let Some(found) = overlap(boxes, &relative) else {
                edges += 1;
                continue;
            };
            compared += 1;
            assert!(
                (found.distance - depth).abs() <= FACE_TOLERANCE + 1e-7,
                "{found:?} {depth}"
            );
            let across = found.points[1] - found.points[0];
            assert!((across - found.outward * found.distance).length() < 1e-12);
            // Moved that way by that much, they are free.
            let shift = found.outward * (1e-6 - found.distance);
            let free = Pose::from_parts(relative.translation + shift, relative.rotation);
            assert!(general(boxes, &free).is_none());
        }
        assert!(compared > 2000 && edges > 200, "{compared} {edges}");
    }

    #[test]
    fn boxes_apart_are_not_said_to_overlap() {
        let relative = Pose::from_translation(Vec3::new(0.0, 1.001, 0.0));
        assert!(overlap([Vec3::splat(0.5); 2], &relative).is_none());
    }
}
