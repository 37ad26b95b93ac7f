//! Independent exact check of a frame: does any edge cross or touch any triangle? Shares nothing
//! with the simulation but the mesh; decides with exact predicates (Shewchuk's), coplanar cases
//! included, so its answer has no tolerance.

use crate::acm::ShellModel;
use crate::acm::model::topology::Topology;
use glamx::DVec3;
use robust::{Coord, Coord3D, orient2d, orient3d};

/// An edge and a triangle that meet, by their vertices in the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Intersection {
    /// The edge.
    pub edge: [u32; 2],
    /// The triangle.
    pub triangle: [u32; 3],
}

/// Every edge and triangle without a common vertex that meet, kinematic against kinematic left out.
pub fn intersections(model: &ShellModel, positions: &[DVec3]) -> Vec<Intersection> {
    crossings(&model.topology, |v| (v as usize) < model.dynamic, positions)
}

/// The same for any triangles of which some vertices may move.
pub(crate) fn crossings(
    topology: &Topology,
    is_movable: impl Fn(u32) -> bool,
    positions: &[DVec3],
) -> Vec<Intersection> {
    let moves = |v: &[u32]| v.iter().any(|&v| is_movable(v));
    let bounds = |v: &[u32]| {
        let first = positions[v[0] as usize];
        v.iter().fold((first, first), |(lo, hi), &v| {
            (lo.min(positions[v as usize]), hi.max(positions[v as usize]))
        })
    };
    let mut triangles: Vec<_> = topology
        .triangles
        .iter()
        .map(|&t| (t, bounds(&t)))
        .collect();
    triangles.sort_by(|a, b| a.1.0.x.total_cmp(&b.1.0.x));
    let widest = triangles
        .iter()
        .map(|(_, (lo, hi))| hi.x - lo.x)
        .fold(0.0, f64::max);
    let mut found = Vec::new();
    for &edge in &topology.edges {
        let (lo, hi) = bounds(&edge);
        let first = triangles.partition_point(|(_, b)| b.0.x < lo.x - widest);
        for &(triangle, (tlo, thi)) in triangles[first..].iter().take_while(|(_, b)| b.0.x <= hi.x)
        {
            let apart = thi.cmplt(lo).any() || hi.cmplt(tlo).any();
            if apart
                || triangle.iter().any(|v| edge.contains(v))
                || !(moves(&edge) || moves(&triangle))
            {
                continue;
            }
            let at = |v: u32| positions[v as usize];
            if edge_meets_triangle(edge.map(at), triangle.map(at)) {
                found.push(Intersection { edge, triangle });
            }
        }
    }
    found.sort_unstable();
    found
}

/// Whether a closed segment and a closed triangle have a common point, decided exactly.
pub fn edge_meets_triangle(edge: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> bool {
    let [p, q] = edge;
    let side_p = turn3(a, b, c, p);
    let side_q = turn3(a, b, c, q);
    if side_p == 0.0 && side_q == 0.0 {
        return coplanar_meet(edge, [a, b, c]);
    }
    if (side_p > 0.0 && side_q > 0.0) || (side_p < 0.0 && side_q < 0.0) {
        return false;
    }
    let turns = [turn3(p, q, a, b), turn3(p, q, b, c), turn3(p, q, c, a)];
    turns.iter().all(|&t| t >= 0.0) || turns.iter().all(|&t| t <= 0.0)
}

/// The segment and the triangle lie in one plane: drop the coordinate that keeps the triangle's area.
fn coplanar_meet([p, q]: [DVec3; 2], corners: [DVec3; 3]) -> bool {
    let flat = |drop: usize, v: DVec3| match drop {
        0 => Coord { x: v.y, y: v.z },
        1 => Coord { x: v.z, y: v.x },
        _ => Coord { x: v.x, y: v.y },
    };
    let area = |drop: usize| {
        orient2d(
            flat(drop, corners[0]),
            flat(drop, corners[1]),
            flat(drop, corners[2]),
        )
        .abs()
    };
    let drop = if area(0) >= area(1) && area(0) >= area(2) {
        0
    } else if area(1) >= area(2) {
        1
    } else {
        2
    };
    let [a, b, c] = corners.map(|v| flat(drop, v));
    let (p, q) = (flat(drop, p), flat(drop, q));
    let inside = |s: Coord<f64>| {
        let t = [orient2d(a, b, s), orient2d(b, c, s), orient2d(c, a, s)];
        t.iter().all(|&t| t >= 0.0) || t.iter().all(|&t| t <= 0.0)
    };
    let crosses = |r: Coord<f64>, s: Coord<f64>| {
        let (d1, d2) = (orient2d(p, q, r), orient2d(p, q, s));
        let (d3, d4) = (orient2d(r, s, p), orient2d(r, s, q));
        let differ = |u: f64, v: f64| (u > 0.0 && v < 0.0) || (u < 0.0 && v > 0.0);
        differ(d1, d2) && differ(d3, d4)
    };
    // a corner on the segment leaves the segment through the triangle or ends inside it, unless it
    // only touches: then the corner itself lies on the segment
    let on = |s: Coord<f64>| {
        orient2d(p, q, s) == 0.0
            && s.x >= p.x.min(q.x)
            && s.x <= p.x.max(q.x)
            && s.y >= p.y.min(q.y)
            && s.y <= p.y.max(q.y)
    };
    inside(p)
        || inside(q)
        || crosses(a, b)
        || crosses(b, c)
        || crosses(c, a)
        || on(a)
        || on(b)
        || on(c)
}

fn turn3(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> f64 {
    let coord = |v: DVec3| Coord3D {
        x: v.x,
        y: v.y,
        z: v.z,
    };
    orient3d(coord(a), coord(b), coord(c), coord(d))
}

#[cfg(test)]
mod tests {
    use super::*;

    const T: [DVec3; 3] = [DVec3::ZERO, DVec3::X, DVec3::Y];

    fn meets(p: [f64; 3], q: [f64; 3]) -> bool {
        edge_meets_triangle([p.into(), q.into()], T)
    }

    #[test]
    fn crossing_touching_and_missing() {
        assert!(meets([0.2, 0.2, -1.0], [0.2, 0.2, 1.0]));
        assert!(
            meets([0.5, 0.5, -1.0], [0.5, 0.5, 1.0]),
            "through the slanted side"
        );
        assert!(
            !meets(
                [0.5, 0.5000000000000002, -1.0],
                [0.5, 0.5000000000000002, 1.0]
            ),
            "one unit in the last place beside it"
        );
        assert!(
            meets([0.2, 0.2, 0.0], [0.2, 0.2, 1.0]),
            "an end on the face"
        );
        assert!(
            !meets([0.2, 0.2, 1e-300], [0.2, 0.2, 1.0]),
            "an end just above the face"
        );
    }

    #[test]
    fn coplanar_cases() {
        assert!(meets([-1.0, 0.2, 0.0], [2.0, 0.2, 0.0]), "right across");
        assert!(meets([0.1, 0.1, 0.0], [0.2, 0.2, 0.0]), "inside");
        assert!(meets([0.0, 0.0, 0.0], [-1.0, 0.0, 0.0]), "corner to corner");
        assert!(
            meets([-1.0, 1.0, 0.0], [1.0, -1.0, 0.0]),
            "past a corner, touching it"
        );
        assert!(!meets([2.0, 0.0, 0.0], [0.0, 2.0, 0.0]), "beside it");
    }
}
