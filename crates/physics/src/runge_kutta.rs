//! One step of the explicit Runge-Kutta method of order 5 by Dormand and Prince, with its embedded
//! error estimate of order 4, and the rule that chooses the next step. Fixed-size arrays, no state:
//! the caller chooses steps from a segment's start alone, so they never depend on who asked.

/// The result of one step.
pub struct Step<const N: usize> {
    /// The solution at the end, of order 5.
    pub y: [f64; N],
    /// The derivative at the end (the first stage of the next step).
    pub dy: [f64; N],
    /// Difference to the embedded solution of order 4.
    pub error: [f64; N],
}

/// The weights of the stages in the argument of the next one, the weights of the solution of order 5, and the
/// difference of those to the embedded solution of order 4 (Dormand & Prince 1980, RK5(4)7M).
const STAGE_2: [f64; 1] = [1.0 / 5.0];
const STAGE_3: [f64; 2] = [3.0 / 40.0, 9.0 / 40.0];
const STAGE_4: [f64; 3] = [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0];
const STAGE_5: [f64; 4] = [
    19372.0 / 6561.0,
    -25360.0 / 2187.0,
    64448.0 / 6561.0,
    -212.0 / 729.0,
];
const STAGE_6: [f64; 5] = [
    9017.0 / 3168.0,
    -355.0 / 33.0,
    46732.0 / 5247.0,
    49.0 / 176.0,
    -5103.0 / 18656.0,
];
const SOLUTION: [f64; 5] = [
    35.0 / 384.0,
    500.0 / 1113.0,
    125.0 / 192.0,
    -2187.0 / 6784.0,
    11.0 / 84.0,
];
const ERROR: [f64; 6] = [
    71.0 / 57600.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];

#[inline]
fn combine<const N: usize, const S: usize>(
    y: &[f64; N],
    h: f64,
    weights: [f64; S],
    k: [&[f64; N]; S],
) -> [f64; N] {
    std::array::from_fn(|i| {
        let mut sum = 0.0;
        for s in 0..S {
            sum += weights[s] * k[s][i];
        }
        y[i] + h * sum
    })
}

/// One step of length `h` from `y` at `t`, where the derivative is `k1`.
#[inline]
pub fn step<const N: usize>(
    f: impl Fn(f64, &[f64; N]) -> [f64; N],
    t: f64,
    y: &[f64; N],
    k1: &[f64; N],
    h: f64,
) -> Step<N> {
    let k2 = f(t + h / 5.0, &combine(y, h, STAGE_2, [k1]));
    let k3 = f(t + h * 3.0 / 10.0, &combine(y, h, STAGE_3, [k1, &k2]));
    let at = combine(y, h, STAGE_4, [k1, &k2, &k3]);
    let k4 = f(t + h * 4.0 / 5.0, &at);
    let at = combine(y, h, STAGE_5, [k1, &k2, &k3, &k4]);
    let k5 = f(t + h * 8.0 / 9.0, &at);
    let at = combine(y, h, STAGE_6, [k1, &k2, &k3, &k4, &k5]);
    let k6 = f(t + h, &at);
    let y5 = combine(y, h, SOLUTION, [k1, &k3, &k4, &k5, &k6]);
    let k7 = f(t + h, &y5);
    let stages = [k1, &k3, &k4, &k5, &k6, &k7];
    let error = combine(&[0.0; N], h, ERROR, stages);
    Step {
        y: y5,
        dy: k7,
        error,
    }
}

/// The next step length after a step of length `h` whose error was `ratio` times what is allowed.
pub fn next_length(h: f64, ratio: f64) -> f64 {
    let factor = if ratio > 0.0 {
        0.9 * libm::pow(ratio, -0.2)
    } else {
        5.0
    };
    h * factor.clamp(0.2, 5.0)
}
