//! Bounds on how fast links move over a stretch of dense output: what conservative advancement
//! needs. Bounds on joint rates come from the Bernstein form of the step's polynomials; they go out
//! along the tree as bounds on spin and on the speed of each link's origin.

use crate::dop853::{DENSE, polynomial};
use crate::model::Kind;
use crate::{Multibody, Vec3};

/// How fast a link can be over an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Speed {
    /// Largest angular speed, rad/s.
    pub spin: f64,
    /// Largest speed of the link's origin, m/s.
    pub origin: f64,
}

impl Speed {
    /// Largest speed of any point of the link within `radius` of its origin.
    pub fn within(self, radius: f64) -> f64 {
        self.origin + self.spin * radius
    }
}

/// Least and largest value of a polynomial (constant first) for arguments from `a` to `b`: the
/// hull of its Bernstein coefficients, never too narrow but for rounding.
pub fn range(p: &[f64], a: f64, b: f64) -> (f64, f64) {
    let n = p.len();
    let mut c = [0.0; DENSE];
    c[..n].copy_from_slice(p);
    // p(a + (b - a) s) as a polynomial of s
    for i in 0..n {
        for k in (i..n - 1).rev() {
            c[k] += a * c[k + 1];
        }
    }
    let mut width = 1.0;
    for k in c[..n].iter_mut() {
        *k *= width;
        width *= b - a;
    }
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for i in 0..n {
        let mut sum = 0.0;
        let mut ratio = 1.0;
        for k in 0..=i {
            sum += ratio * c[k];
            ratio *= (i - k) as f64 / (n - 1 - k).max(1) as f64;
        }
        low = low.min(sum);
        high = high.max(sum);
    }
    (low, high)
}

/// Range of a number of dense output over fractions `a` to `b` of its step.
fn value_range(dense: &[f64], n: usize, i: usize, a: f64, b: f64) -> (f64, f64) {
    range(&polynomial(dense, n, i), a, b)
}

/// Largest rate of a number of dense output, per second.
fn rate(dense: &[f64], n: usize, i: usize, (a, b): (f64, f64), h: f64) -> f64 {
    let p = polynomial(dense, n, i);
    let mut d = [0.0; DENSE - 1];
    for k in 1..DENSE {
        d[k - 1] = k as f64 * p[k];
    }
    let (low, high) = range(&d, a, b);
    low.abs().max(high.abs()) / h
}

impl Multibody {
    /// Bounds on the speed of every link over the fractions `a` to `b` of a step of length `h`
    /// (seconds) with this dense output. They hold for the trajectory as it is evaluated, not only
    /// for the motion that it approximates.
    pub fn speed_bounds(&self, dense: &[f64], h: f64, (a, b): (f64, f64), out: &mut [Speed]) {
        let n = dense.len() / DENSE;
        let span = (a, b);
        for (k, link) in self.links.iter().enumerate() {
            let parent = match link.parent {
                0 => Speed::default(),
                p => out[p as usize - 1],
            };
            let q = link.q as usize;
            let mut arm = link.at.length();
            let mut own = Speed::default();
            match link.kind {
                Kind::Fixed => {}
                Kind::Hinge => own.spin = rate(dense, n, q, span, h),
                Kind::Slide => {
                    let (low, high) = value_range(dense, n, q, a, b);
                    arm += (low - link.reference)
                        .abs()
                        .max((high - link.reference).abs());
                    own.origin = rate(dense, n, q, span, h);
                }
                Kind::Ball => own.spin = spin(dense, n, q, span, h),
                Kind::Free => {
                    let v = [0, 1, 2].map(|c| rate(dense, n, q + c, span, h));
                    own.origin = Vec3::from_array(v).length();
                    own.spin = spin(dense, n, q + 3, span, h);
                    arm = 0.0;
                }
            }
            out[k] = Speed {
                spin: parent.spin + own.spin,
                origin: parent.origin + parent.spin * arm + own.origin,
            };
        }
    }
}

/// Largest angular speed of a quaternion of dense output: twice its rate over its least length.
fn spin(dense: &[f64], n: usize, q: usize, span: (f64, f64), h: f64) -> f64 {
    let mut rates = 0.0;
    for c in 0..4 {
        let r = rate(dense, n, q + c, span, h);
        rates += r * r;
    }
    let mut start = 0.0;
    for c in 0..4 {
        let (low, high) = value_range(dense, n, q + c, span.0, span.1);
        let least = if low <= 0.0 && high >= 0.0 {
            0.0
        } else {
            low.abs().min(high.abs())
        };
        start += least * least;
    }
    // steps are short against a turn: the quaternion stays near unit length, and one half is a
    // floor that a step within its tolerance never reaches
    let length = start.sqrt().max(0.5);
    2.0 * rates.sqrt() / length
}
