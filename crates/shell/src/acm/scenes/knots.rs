//! Centre lines of the knots: plane diagrams with the crossings lifted over and under.

use glamx::DVec3;
use std::f64::consts::PI;

/// Points of a polyline put at equal distances of about `spacing`.
pub(crate) fn resample(line: &[DVec3], spacing: f64) -> Vec<DVec3> {
    let mut reach = vec![0.0];
    for pair in line.windows(2) {
        reach.push(reach[reach.len() - 1] + pair[0].distance(pair[1]));
    }
    let total = reach[reach.len() - 1];
    let count = (total / spacing).round().max(2.0) as usize;
    (0..=count)
        .map(|k| {
            let at = total * k as f64 / count as f64;
            let i = reach.partition_point(|&r| r <= at).clamp(1, line.len() - 1);
            let part = (at - reach[i - 1]) / (reach[i] - reach[i - 1]);
            line[i - 1].lerp(line[i], part.clamp(0.0, 1.0))
        })
        .collect()
}

/// Unit width directions of a flat ribbon: across the line, in the plane of the diagram.
pub(crate) fn side_vectors(line: &[DVec3]) -> Vec<DVec3> {
    let last = line.len() - 1;
    (0..=last)
        .map(|i| {
            let along = line[(i + 1).min(last)] - line[i.saturating_sub(1)];
            DVec3::new(-along.y, along.x, 0.0).normalize_or(DVec3::Y)
        })
        .collect()
}

fn smoothstep(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    u * u * (3.0 - 2.0 * u)
}

/// One ribbon of a reef knot of width `w`: two legs from the left that widen to a bight on the
/// right. Over the partner at x = -a and +a, under it at 0; the partner is (-x, y, -z).
pub(crate) fn reef_line(w: f64) -> Vec<DVec3> {
    let (narrow, wide, bend, lift) = (0.72 * w, 1.92 * w, 1.75 * w, 0.4 * w);
    let crossing = bend + (wide * wide - narrow * narrow).sqrt();
    let height = |x: f64| {
        let u = (x / (0.8 * crossing)).abs().min(1.0);
        let bump = (1.0 - u * u) * (1.0 - u * u);
        lift * (1.0 - 2.0 * bump)
    };
    let leg = |x: f64| narrow + (wide - narrow) * smoothstep((x + 1.7 * w) / (3.4 * w));
    let start = -(crossing + 0.9 * w);
    let steps = 200;
    let leg_x = |k: usize| start + (bend - start) * k as f64 / steps as f64;
    let mut line: Vec<DVec3> = (0..steps)
        .map(leg_x)
        .map(|x| DVec3::new(x, leg(x), height(x)))
        .collect();
    for k in 0..=steps {
        let (sin, cos) = libm::sincos(PI * (0.5 - k as f64 / steps as f64));
        let x = bend + wide * cos;
        line.push(DVec3::new(x, wide * sin, height(x)));
    }
    line.extend(
        (0..steps)
            .rev()
            .map(leg_x)
            .map(|x| DVec3::new(x, -leg(x), height(x))),
    );
    line
}

/// A bowline in a ribbon of width `w`: standing part, nipping turn, loop, and the end that comes up
/// through the turn, around behind the standing part and down again.
pub(crate) fn bowline_line(w: f64, across: usize) -> Vec<DVec3> {
    // the loop is long enough for about the paper's 3,995 vertices at its size
    let loop_depth = if across >= 5 { 30.0 } else { 4.0 };
    let points = [
        [0.0, 13.0, 0.0],
        [0.0, 10.5, 0.6],
        [0.0, 9.0, 0.6],
        [0.1, 7.2, -0.8],
        [0.9, 5.6, -0.9],
        [2.2, 4.2, -0.7],
        [2.4, 2.6, 0.0],
        [1.3, 1.2, 0.4],
        [-0.3, 0.9, 0.4],
        [-2.0, 1.4, 0.3],
        [-2.9, 3.2, 0.2],
        [-2.6, 5.4, 0.1],
        [-1.2, 6.9, 0.0],
        [0.3, 7.3, 0.0],
        [2.2, 6.8, 0.0],
        [4.0, 5.2, 0.0],
        [4.4, 2.0, 0.0],
        [4.4, -1.0, 0.0],
        [4.2, -0.6 * loop_depth - 2.0, 0.0],
        [2.6, -loop_depth - 2.0, 0.0],
        [0.4, -loop_depth - 3.2, 0.0],
        [-1.6, -loop_depth - 2.0, 0.0],
        [-2.4, -0.6 * loop_depth - 2.0, 0.0],
        [-1.4, -1.2, -0.5],
        [-1.2, 1.0, -0.7],
        [-1.3, 3.6, 0.2],
        [-1.4, 5.6, 1.0],
        [-1.5, 7.2, 1.1],
        [-1.4, 8.8, 0.4],
        [-0.9, 10.3, -0.4],
        [0.1, 10.9, -0.6],
        [1.2, 10.3, -0.4],
        [1.7, 8.8, 0.4],
        [1.6, 7.2, 1.1],
        [1.2, 5.4, 0.9],
        [0.7, 3.6, 0.2],
        [0.5, 1.0, -0.8],
        [0.6, -0.8, -0.8],
        [0.6, -2.2, -0.5],
    ];
    let scale = DVec3::new(1.6 * w, 1.6 * w, 0.7 * w);
    let points: Vec<DVec3> = points.iter().map(|&p| DVec3::from(p) * scale).collect();
    catmull_rom(&points, 24)
}

/// A smooth curve through the points (centripetal knots, so that it does not overshoot).
fn catmull_rom(points: &[DVec3], steps: usize) -> Vec<DVec3> {
    let last = points.len() - 1;
    let mut line = Vec::with_capacity(last * steps + 1);
    for i in 0..last {
        let [p0, p1, p2, p3] =
            [i.saturating_sub(1), i, i + 1, (i + 2).min(last)].map(|k| points[k]);
        let knot = |a: DVec3, b: DVec3| a.distance(b).sqrt().max(1e-9);
        let (d1, d2, d3) = (knot(p0, p1), knot(p1, p2), knot(p2, p3));
        let m1 = (p1 - p0) / d1 - (p2 - p0) / (d1 + d2) + (p2 - p1) / d2;
        let m2 = (p2 - p1) / d2 - (p3 - p1) / (d2 + d3) + (p3 - p2) / d3;
        for k in 0..steps {
            let u = k as f64 / steps as f64;
            let (u2, u3) = (u * u, u * u * u);
            let hermite = [
                2.0 * u3 - 3.0 * u2 + 1.0,
                u3 - 2.0 * u2 + u,
                3.0 * u2 - 2.0 * u3,
                u3 - u2,
            ];
            line.push(
                p1 * hermite[0] + m1 * (d2 * hermite[1]) + p2 * hermite[2] + m2 * (d2 * hermite[3]),
            );
        }
    }
    line.push(points[last]);
    line
}
