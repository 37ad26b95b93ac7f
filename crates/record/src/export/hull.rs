//! The convex hull's triangles, by adding one point at a time. For pictures: points within a millionth
//! of the hull's size of a face count as inside it.

use super::tessellate::{cross, dot, sub};

type Triangle = [usize; 3];

/// Triangles of the hull, turned outward; empty if the points lie in a plane.
pub(crate) fn triangles(points: &[[f64; 3]]) -> Vec<Triangle> {
    let Some(first) = tetrahedron(points) else {
        return Vec::new();
    };
    let [a, b, c, d] = first;
    let mut faces = vec![[a, b, c], [a, c, d], [a, d, b], [b, d, c]];
    let epsilon = 1e-6 * extent(points);
    for point in 0..points.len() {
        if !first.contains(&point) {
            add(points, point, epsilon, &mut faces);
        }
    }
    faces
}

/// Replaces the faces that see `point` by a cone from their outline to it.
fn add(points: &[[f64; 3]], point: usize, epsilon: f64, faces: &mut Vec<Triangle>) {
    let (seen, hidden): (Vec<Triangle>, Vec<Triangle>) = faces
        .iter()
        .partition(|face| height(points, face, point) > epsilon);
    let edges = |f: &Triangle| [(f[0], f[1]), (f[1], f[2]), (f[2], f[0])];
    let all: Vec<(usize, usize)> = seen.iter().flat_map(edges).collect();
    *faces = hidden;
    let outline = all.iter().filter(|(a, b)| !all.contains(&(*b, *a)));
    faces.extend(outline.map(|&(a, b)| [a, b, point]));
}

/// Four points that span a volume, the fourth behind the first three.
fn tetrahedron(points: &[[f64; 3]]) -> Option<[usize; 4]> {
    let epsilon = 1e-6 * extent(points);
    let farthest = |measure: &dyn Fn(usize) -> f64| {
        let best = (0..points.len()).max_by(|&i, &j| measure(i).total_cmp(&measure(j)))?;
        (measure(best) > epsilon).then_some(best)
    };
    let a = 0;
    let b = farthest(&|i| norm(sub(points[i], *points.first().unwrap_or(&[0.0; 3]))))?;
    let along = unit(sub(points[b], points[a]));
    let c = farthest(&|i| norm(cross(along, sub(points[i], points[a]))))?;
    let d = farthest(&|i| height(points, &[a, b, c], i).abs())?;
    let behind = height(points, &[a, b, c], d) < 0.0;
    Some(if behind { [a, b, c, d] } else { [a, c, b, d] })
}

/// Distance of a point from a face's plane, positive outside.
fn height(points: &[[f64; 3]], face: &Triangle, point: usize) -> f64 {
    let [a, b, c] = face.map(|i| points[i]);
    dot(unit(cross(sub(b, a), sub(c, a))), sub(points[point], a))
}

fn extent(points: &[[f64; 3]]) -> f64 {
    points
        .iter()
        .flatten()
        .fold(0.0, |most: f64, x| most.max(x.abs()))
}

fn norm(v: [f64; 3]) -> f64 {
    dot(v, v).sqrt()
}

fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = norm(v);
    if length > 0.0 {
        v.map(|x| x / length)
    } else {
        v
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six times the volume inside closed, outward triangles.
    fn volume(points: &[[f64; 3]], faces: &[Triangle]) -> f64 {
        let six = |f: &Triangle| dot(points[f[0]], cross(points[f[1]], points[f[2]]));
        faces.iter().map(six).sum::<f64>() / 6.0
    }

    #[test]
    fn a_cube_with_points_inside_has_the_cubes_hull() {
        let mut points = vec![[0.1, 0.2, 0.3], [0.0, 0.0, 0.0]];
        for corner in 0..8 {
            points.push([0, 1, 2].map(|axis| if corner >> axis & 1 == 1 { 1.0 } else { -1.0 }));
        }
        let faces = triangles(&points);
        assert_eq!(faces.len(), 12);
        assert!((volume(&points, &faces) - 8.0).abs() < 1e-12);
    }

    #[test]
    fn points_on_a_ball_are_all_corners() {
        let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
        let on_ball = |i: i32| {
            let y = 1.0 - 2.0 * (f64::from(i) + 0.5) / 200.0;
            let (r, turn) = ((1.0 - y * y).sqrt(), golden * f64::from(i));
            [r * turn.cos(), y, r * turn.sin()]
        };
        let points: Vec<_> = (0..200).map(on_ball).collect();
        let faces = triangles(&points);
        // Euler: a triangulated sphere with v corners has 2v - 4 faces
        assert_eq!(faces.len(), 396);
        let inside = volume(&points, &faces);
        assert!(
            inside > 4.0 && inside < 4.0 * std::f64::consts::PI / 3.0,
            "{inside}"
        );
    }

    #[test]
    fn flat_points_have_no_hull() {
        assert!(triangles(&[]).is_empty());
        assert!(triangles(&[[1.0; 3]]).is_empty());
        let square = [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            [0.0, 1.0, 0.0],
        ];
        assert!(triangles(&square).is_empty());
    }
}
