//! The arithmetic of the fused kernel, a register of elements at a time.

use crate::acm::forces::facets::{FacetBlock, HingeBlock};
use crate::acm::forces::hinge::ATAN;
use crate::acm::lanes::quads::{Quads, Row, get3, set3, tell};
use crate::acm::lanes::wide::{Wide, Wide3};
use pulp::Simd;
use std::f64::consts::{FRAC_PI_4, PI, TAU};

/// Tangent of an eighth of half a turn.
const TAN_EIGHTH: f64 = std::f64::consts::SQRT_2 - 1.0;

/// What a block of triangles tells its hinges: for each side the unit normal and how fast the
/// triangle turns about the side, over the side's length, in rad/(m s); by slot.
pub(crate) type Sides = [Quads; 4];

/// What a block of triangles keeps for itself.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    /// n / |n|^2, in 1/m.
    normal: [Row; 3],
    /// For each side where the opposite corner stands over it, as a fraction of the side.
    foot: [Row; 3],
    /// Stretching forces on corners 1 and 2, in N; corner 0 takes minus their sum.
    stretch: [[Row; 3]; 2],
}

impl Kept {
    pub const ZERO: Kept = Kept {
        normal: [Row::ZERO; 3],
        foot: [Row::ZERO; 3],
        stretch: [[Row::ZERO; 3]; 2],
    };
}

/// Where the corners of a block of triangles are, seen from the first one.
#[derive(Clone, Copy)]
pub(crate) struct Shape<S: Simd> {
    /// The other two corners, in m.
    d1: Wide3<S>,
    d2: Wide3<S>,
    /// Squares of the sides, in the order of corners, and the product of the first and the last.
    l0: Wide<S>,
    l1: Wide<S>,
    l2: Wide<S>,
    mixed: Wide<S>,
    /// Normal, its square, and its length.
    n: Wide3<S>,
    square: Wide<S>,
    length: Wide<S>,
    /// Two divisions for four quotients.
    first: Wide<S>,
    second: Wide<S>,
}

/// The shape of triangles from where their corners 1 and 2 are, seen from corner 0 (m).
#[inline(always)]
pub(crate) fn shape<S: Simd>(d1: Wide3<S>, d2: Wide3<S>) -> Shape<S> {
    let simd = d1.0[0].0;
    let (one, two) = (Wide::all(simd, 1.0), Wide::all(simd, 2.0));
    let n = d1.cross(d2);
    let (l0, l2, mixed) = (d1.dot(d1), d2.dot(d2), d1.dot(d2));
    let square = n.dot(n);
    let l1 = (l0 + l2).minus_times(two, mixed);
    Shape {
        d1,
        d2,
        l0,
        l1,
        l2,
        mixed,
        n,
        square,
        length: square.sqrt(),
        first: one / (square * l0),
        second: one / (l1 * l2),
    }
}

/// Stretching forces, normals, and what the hinges need, from the triangles' shape and the velocities of
/// corners 1 and 2, seen from corner 0 (m/s). Stretching and turning do not need each other: their steps alternate, so that the processor
/// has two things to do.
#[inline(always)]
pub(crate) fn stretch<S: Simd>(
    c: &FacetBlock,
    r: usize,
    shape: Shape<S>,
    [w1, w2]: [Wide3<S>; 2],
    kept: &mut Kept,
    sides: &mut Sides,
) {
    let Shape {
        d1,
        d2,
        l0,
        l1,
        l2,
        mixed,
        n,
        square,
        length,
        first,
        second,
    } = shape;
    let simd = length.0;
    let (one, two) = (Wide::all(simd, 1.0), Wide::all(simd, 2.0));
    let inverse = first * l0;
    let (p1, p12, p2) = (d1.dot(w1), d1.dot_plus(w2, d2.dot(w1)), d2.dot(w2));
    let u = n * inverse;
    // the metric as it will be after the damping time, to first order
    let damping = c.damping_s.get(simd, r);
    let a = (two * damping).times_plus(p1, l0);
    let b = damping.times_plus(p12, mixed);
    let c2 = (two * damping).times_plus(p2, l2);
    let (n1, n2) = (u.dot(w1), u.dot(w2));
    // twice Green's strain
    let [b00, b01, b11] = get3(&c.inverse_rest, simd, r).0;
    let (ab, bc) = (b01.times_plus(a, b11 * b), b01.times_plus(b, b11 * c2));
    let foot = [
        mixed * (first * square),
        (l0 - mixed) * (second * l2),
        (l2 - mixed) * (second * l1),
    ];
    let g11 = (b00 * a).times_plus(b00, -one);
    let g22 = b11.times_plus(bc, b01.times_plus(ab, -one));
    set3(&mut kept.normal, r, u);
    set3(&mut kept.foot, r, Wide3(foot));
    let unit = n * (length * inverse);
    // stress, with a minus
    let volumetric = c.minus_half_lambda.get(simd, r) * (g11 + g22);
    let mu = c.minus_mu.get(simd, r);
    let turns = [
        foot[0].times_plus(n1, -n2),
        foot[1].times_plus(n2 - n1, n1),
        (n2 - n1).minus_times(foot[2], n2),
    ];
    let s12 = mu * (b00 * ab);
    let (s11, s22) = (
        mu.times_plus(g11, volumetric),
        mu.times_plus(g22, volumetric),
    );
    tell(&mut sides[0], r, unit, turns[0]);
    // stress pulled back to the sides
    let (t1, t2) = (
        b00.times_plus(s11, b01 * s12),
        b00.times_plus(s12, b01 * s22),
    );
    tell(&mut sides[1], r, unit, turns[1]);
    let (k11, k12, k22) = (b00.times_plus(t1, b01 * t2), b11 * t2, b11 * (b11 * s22));
    tell(&mut sides[2], r, unit, turns[2]);
    set3(&mut kept.stretch[0], r, d1.times_plus(k11, d2 * k12));
    set3(&mut kept.stretch[1], r, d1.times_plus(k12, d2 * k22));
}

/// How a block of edges is bent.
#[derive(Clone, Copy)]
pub(crate) struct Bent<S: Simd> {
    /// In m.
    length: Wide<S>,
    /// Sine and cosine of the angle, times the length.
    sine: Wide<S>,
    cosine: Wide<S>,
    /// How fast the angle grows, over the length, in rad/(m s).
    turn: Wide<S>,
}

/// How edges (m) are bent of which their two triangles tell something.
#[inline(always)]
pub(crate) fn bent<S: Simd>(
    c: &HingeBlock,
    r: usize,
    e: Wide3<S>,
    [(u1, turn1), (u2, turn2)]: [(Wide3<S>, Wide<S>); 2],
) -> Bent<S> {
    let simd = turn1.0;
    let (f1, f2) = (c.facing[0].get(simd, r), c.facing[1].get(simd, r));
    let (both, length) = (f1 * f2, e.dot(e).sqrt());
    // both times the length, which saves a division
    Bent {
        length,
        sine: both * u1.cross(u2).dot(e),
        cosine: both * u1.dot(u2) * length,
        turn: f1.times_plus(turn1, f2 * turn2),
    }
}

/// Moments of some blocks of hinges times the length of their edges, in J m. Each step is taken for all
/// blocks before the next: a root, a quotient and a polynomial follow from each other, and the processor does
/// not look far enough ahead to begin with the next block meanwhile.
#[inline(always)]
pub(crate) fn moments<S: Simd, const N: usize>(
    c: [&HingeBlock; N],
    r: usize,
    bent: [Bent<S>; N],
) -> [Wide<S>; N] {
    let mut moments = angles_of(bent);
    for i in 0..N {
        let (Bent { length, turn, .. }, simd) = (bent[i], moments[i].0);
        let damped = c[i].damping_s.get(simd, r) * length;
        let bend = damped.times_plus(turn, wrap(moments[i] - c[i].rest_angle.get(simd, r)));
        moments[i] = c[i].pull.get(simd, r) * bend * length;
    }
    moments
}

/// The angles: twice the arc tangent of half of each, less an eighth of a turn if it is nearer to that,
/// obtuse angles by their supplement.
#[inline(always)]
fn angles_of<S: Simd, const N: usize>(bent: [Bent<S>; N]) -> [Wide<S>; N] {
    let mut tangent = [bent[0].sine; N];
    let (mut near, mut square, mut fourth) = (tangent, tangent, tangent);
    for i in 0..N {
        let (over, under) = (bent[i].sine.abs(), bent[i].length + bent[i].cosine.abs());
        let far = (under * over.constant(TAN_EIGHTH)).below(over);
        tangent[i] = far.choose(over - under, over) / far.choose(over + under, under);
        near[i] = far.choose(over.constant(FRAC_PI_4), over.constant(0.0));
    }
    for i in 0..N {
        square[i] = tangent[i] * tangent[i];
        fourth[i] = square[i] * square[i];
    }
    // even and odd powers apart: half as long to wait
    let [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10] = ATAN;
    let even = horner([c0, c2, c4, c6, c8, c10], fourth);
    let odd = horner([c1, c3, c5, c7, c9], fourth);
    let mut angle = near;
    for i in 0..N {
        let zero = near[i].constant(0.0);
        let half = tangent[i].times_plus(odd[i].times_plus(square[i], even[i]), near[i]);
        let acute = half + half;
        let obtuse = acute.constant(PI) - acute;
        let open = bent[i].cosine.below(zero).choose(obtuse, acute);
        angle[i] = bent[i].sine.below(zero).choose(-open, open);
    }
    angle
}

/// The polynomial with these coefficients, the constant one first, at some places.
#[inline(always)]
fn horner<S: Simd, const C: usize, const N: usize>(
    coefficients: [f64; C],
    at: [Wide<S>; N],
) -> [Wide<S>; N] {
    let mut sum = at;
    for sum in &mut sum {
        *sum = sum.constant(coefficients[C - 1]);
    }
    for k in (0..C - 1).rev() {
        for i in 0..N {
            sum[i] = sum[i].times_plus(at[i], at[i].constant(coefficients[k]));
        }
    }
    sum
}

/// A difference of two angles taken to (-pi, pi].
#[inline(always)]
fn wrap<S: Simd>(angle: Wide<S>) -> Wide<S> {
    let (half, turn) = (angle.constant(PI), angle.constant(TAU));
    let above = half.below(angle).choose(angle - turn, angle);
    angle.at_most(-half).choose(angle + turn, above)
}

/// Forces on the three corners, in N: stretching, and the moments of the three sides.
#[inline(always)]
pub(crate) fn join<S: Simd>(
    c: &FacetBlock,
    r: usize,
    kept: &Kept,
    moments: Wide3<S>,
    out: &mut [Quads; 3],
) {
    let simd = moments.0[0].0;
    let ([g0, g1, g2], [m0, m1, m2]) = (get3(&c.facing, simd, r).0, moments.0);
    let (m0, m1, m2) = (g0 * m0, g1 * m1, g2 * m2);
    let [a0, a1, a2] = get3(&kept.foot, simd, r).0;
    let u = get3(&kept.normal, simd, r);
    // a moment turns the side's opposite corner one way and its ends the other
    let s1 = m0.times_plus(a0, (m1 - m2).minus_times(m1, a1));
    let s2 = m1.times_plus(a1, (m2 - m0).minus_times(m2, a2));
    let f1 = u.times_plus(s1, get3(&kept.stretch[0], simd, r));
    let f2 = u.times_plus(s2, get3(&kept.stretch[1], simd, r));
    for (out, f) in out.iter_mut().zip([-(f1 + f2), f1, f2]) {
        // nobody asks for a last number, and this one is at hand
        tell(out, r, f, f.0[2]);
    }
}
