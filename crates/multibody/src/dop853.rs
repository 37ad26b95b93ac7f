//! One step of the explicit Runge-Kutta method of order 8 by Dormand and Prince with error estimates
//! of order 5 and 3 and dense output of order 7 (Hairer, Nørsett, Wanner, *Solving Ordinary
//! Differential Equations I*, section II.5; coefficients as published there). Smooth multibodies take
//! few long steps with it: twelve evaluations a step, three more for dense output.

/// What is integrated.
pub trait System {
    /// How many numbers a state has.
    fn dimension(&self) -> usize;
    /// The derivative `dy` of `y` at `t`.
    fn derivative(&mut self, t: f64, y: &[f64], dy: &mut [f64]);
    /// Brings a state back onto what must hold (lengths of quaternions, closed loops) after a step;
    /// says whether anything may have changed.
    fn settle(&mut self, _y: &mut [f64]) -> bool {
        false
    }
}

/// How many vectors describe a step's dense output.
pub const DENSE: usize = 8;

type Weights = &'static [(usize, f64)];

/// Times of the stages.
const NODES: [f64; 16] = [
    0.0,
    0.05260015195876773,
    0.0789002279381516,
    0.1183503419072274,
    0.2816496580927726,
    0.3333333333333333,
    0.25,
    0.3076923076923077,
    0.6512820512820513,
    0.6,
    0.8571428571428571,
    1.0,
    1.0,
    0.1,
    0.2,
    0.7777777777777778,
];

/// Weights of the stages before each stage; stage 12 is the step's end, 13 to 15 serve dense output.
const STAGES: [Weights; 16] = [
    &[],
    &[(0, 0.05260015195876773)],
    &[(0, 0.0197250569845379), (1, 0.0591751709536137)],
    &[(0, 0.02958758547680685), (2, 0.08876275643042054)],
    &[
        (0, 0.2413651341592667),
        (2, -0.8845494793282861),
        (3, 0.924834003261792),
    ],
    &[
        (0, 0.037037037037037035),
        (3, 0.17082860872947386),
        (4, 0.12546768756682242),
    ],
    &[
        (0, 0.037109375),
        (3, 0.17025221101954405),
        (4, 0.06021653898045596),
        (5, -0.017578125),
    ],
    &[
        (0, 0.03709200011850479),
        (3, 0.17038392571223998),
        (4, 0.10726203044637328),
        (5, -0.015319437748624402),
        (6, 0.008273789163814023),
    ],
    &[
        (0, 0.6241109587160757),
        (3, -3.3608926294469414),
        (4, -0.868219346841726),
        (5, 27.59209969944671),
        (6, 20.154067550477894),
        (7, -43.48988418106996),
    ],
    &[
        (0, 0.47766253643826434),
        (3, -2.4881146199716677),
        (4, -0.590290826836843),
        (5, 21.230051448181193),
        (6, 15.279233632882423),
        (7, -33.28821096898486),
        (8, -0.020331201708508627),
    ],
    &[
        (0, -0.9371424300859873),
        (3, 5.186372428844064),
        (4, 1.0914373489967295),
        (5, -8.149787010746927),
        (6, -18.52006565999696),
        (7, 22.739487099350505),
        (8, 2.4936055526796523),
        (9, -3.0467644718982196),
    ],
    &[
        (0, 2.273310147516538),
        (3, -10.53449546673725),
        (4, -2.0008720582248625),
        (5, -17.9589318631188),
        (6, 27.94888452941996),
        (7, -2.8589982771350235),
        (8, -8.87285693353063),
        (9, 12.360567175794303),
        (10, 0.6433927460157636),
    ],
    &[
        (0, 0.054293734116568765),
        (5, 4.450312892752409),
        (6, 1.8915178993145003),
        (7, -5.801203960010585),
        (8, 0.3111643669578199),
        (9, -0.1521609496625161),
        (10, 0.20136540080403034),
        (11, 0.04471061572777259),
    ],
    &[
        (0, 0.056167502283047954),
        (6, 0.25350021021662483),
        (7, -0.2462390374708025),
        (8, -0.12419142326381637),
        (9, 0.15329179827876568),
        (10, 0.00820105229563469),
        (11, 0.007567897660545699),
        (12, -0.008298),
    ],
    &[
        (0, 0.03183464816350214),
        (5, 0.028300909672366776),
        (6, 0.053541988307438566),
        (7, -0.05492374857139099),
        (10, -0.00010834732869724932),
        (11, 0.0003825710908356584),
        (12, -0.00034046500868740456),
        (13, 0.1413124436746325),
    ],
    &[
        (0, -0.42889630158379194),
        (5, -4.697621415361164),
        (6, 7.683421196062599),
        (7, 4.06898981839711),
        (8, 0.3567271874552811),
        (12, -0.0013990241651590145),
        (13, 2.9475147891527724),
        (14, -9.15095847217987),
    ],
];

/// Difference to the embedded solution of order 3.
const ERROR_3: Weights = &[
    (0, -0.18980075407240762),
    (5, 4.450312892752409),
    (6, 1.8915178993145003),
    (7, -5.801203960010585),
    (8, -0.4226823213237919),
    (9, -0.1521609496625161),
    (10, 0.20136540080403034),
    (11, 0.02265179219836082),
];

/// Difference to the embedded solution of order 5.
const ERROR_5: Weights = &[
    (0, 0.01312004499419488),
    (5, -1.2251564463762044),
    (6, -0.4957589496572502),
    (7, 1.6643771824549864),
    (8, -0.35032884874997366),
    (9, 0.3341791187130175),
    (10, 0.08192320648511571),
    (11, -0.022355307863886294),
];

/// The last four vectors of dense output.
const SHAPE: [Weights; 4] = [
    &[
        (0, -8.428938276109013),
        (5, 0.5667149535193777),
        (6, -3.0689499459498917),
        (7, 2.38466765651207),
        (8, 2.117034582445028),
        (9, -0.871391583777973),
        (10, 2.2404374302607883),
        (11, 0.6315787787694688),
        (12, -0.08899033645133331),
        (13, 18.148505520854727),
        (14, -9.194632392478356),
        (15, -4.436036387594894),
    ],
    &[
        (0, 10.427508642579134),
        (5, 242.28349177525817),
        (6, 165.20045171727028),
        (7, -374.5467547226902),
        (8, -22.113666853125306),
        (9, 7.733432668472264),
        (10, -30.674084731089398),
        (11, -9.332130526430229),
        (12, 15.697238121770845),
        (13, -31.139403219565178),
        (14, -9.35292435884448),
        (15, 35.81684148639408),
    ],
    &[
        (0, 19.985053242002433),
        (5, -387.0373087493518),
        (6, -189.17813819516758),
        (7, 527.8081592054236),
        (8, -11.57390253995963),
        (9, 6.8812326946963),
        (10, -1.0006050966910838),
        (11, 0.7777137798053443),
        (12, -2.778205752353508),
        (13, -60.19669523126412),
        (14, 84.32040550667716),
        (15, 11.99229113618279),
    ],
    &[
        (0, -25.69393346270375),
        (5, -154.18974869023643),
        (6, -231.5293791760455),
        (7, 357.6391179106141),
        (8, 93.40532418362432),
        (9, -37.45832313645163),
        (10, 104.0996495089623),
        (11, 29.8402934266605),
        (12, -43.53345659001114),
        (13, 96.32455395918828),
        (14, -39.17726167561544),
        (15, -149.72683625798564),
    ],
];

/// How much error a step may make.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Per size of each number.
    pub relative: f64,
    /// In the numbers' own units.
    pub absolute: f64,
}

/// Memory for steps of systems of one size.
#[derive(Clone, Debug)]
pub struct Stepper {
    n: usize,
    k: Vec<f64>,
    stage: Vec<f64>,
    end: Vec<f64>,
}

impl Stepper {
    /// For states of `n` numbers.
    pub fn new(n: usize) -> Stepper {
        Stepper {
            n,
            k: vec![0.0; 16 * n],
            stage: vec![0.0; n],
            end: vec![0.0; n],
        }
    }

    /// The state at the end of the last step.
    pub fn end(&self) -> &[f64] {
        &self.end
    }

    /// Computes the derivative at the start of the next step.
    pub fn begin(&mut self, system: &mut impl System, t: f64, y: &[f64]) {
        system.derivative(t, y, &mut self.k[..self.n]);
    }

    /// Takes the derivative at the end of the last step as that at the start of the next.
    pub fn go_on(&mut self) {
        let n = self.n;
        self.k.copy_within(12 * n..13 * n, 0);
    }

    fn stage(&mut self, s: usize, system: &mut impl System, t: f64, y: &[f64], h: f64) {
        let n = self.n;
        combine(&mut self.stage, y, h, STAGES[s], &self.k);
        let (_, rest) = self.k.split_at_mut(s * n);
        system.derivative(t + NODES[s] * h, &self.stage, &mut rest[..n]);
    }

    /// Tries a step from `y` at `t`; gives its error over what is allowed. The derivative at the
    /// start must be there ([`Stepper::begin`] or [`Stepper::go_on`]).
    pub fn attempt(
        &mut self,
        system: &mut impl System,
        t: f64,
        y: &[f64],
        h: f64,
        tolerance: Tolerance,
    ) -> f64 {
        let n = self.n;
        for s in 1..13 {
            self.stage(s, system, t, y, h);
        }
        self.end.copy_from_slice(&self.stage);
        let (mut fifth, mut third) = (0.0, 0.0);
        for i in 0..n {
            let size = y[i].abs().max(self.end[i].abs());
            let scale = tolerance.absolute + tolerance.relative * size;
            let sum = |w: Weights| w.iter().map(|&(j, a)| a * self.k[j * n + i]).sum::<f64>();
            let (five, three) = (sum(ERROR_5) / scale, sum(ERROR_3) / scale);
            fifth += five * five;
            third += three * three;
        }
        let both = fifth + 0.01 * third;
        if both == 0.0 {
            return 0.0;
        }
        h.abs() * fifth / (both * n as f64).sqrt()
    }

    /// Dense output of the last step into `out`: `DENSE` vectors, the first of them the start.
    pub fn dense(&mut self, system: &mut impl System, t: f64, y: &[f64], h: f64, out: &mut [f64]) {
        let n = self.n;
        for s in 13..16 {
            self.stage(s, system, t, y, h);
        }
        out[..n].copy_from_slice(y);
        for i in 0..n {
            let (start, end) = (self.k[i], self.k[12 * n + i]);
            let whole = self.end[i] - y[i];
            out[n + i] = whole;
            out[2 * n + i] = h * start - whole;
            out[3 * n + i] = 2.0 * whole - h * (end + start);
        }
        for (d, weights) in SHAPE.iter().enumerate() {
            let row = &mut out[(4 + d) * n..(5 + d) * n];
            row.fill(0.0);
            for &(j, a) in *weights {
                for i in 0..n {
                    row[i] += h * a * self.k[j * n + i];
                }
            }
        }
    }
}

fn combine(out: &mut [f64], y: &[f64], h: f64, weights: Weights, k: &[f64]) {
    let n = y.len();
    out.fill(0.0);
    for &(j, a) in weights {
        let column = &k[j * n..(j + 1) * n];
        for i in 0..n {
            out[i] += a * column[i];
        }
    }
    for i in 0..n {
        out[i] = y[i] + h * out[i];
    }
}

/// Evaluates dense output at the fraction `x` of its step.
pub fn evaluate(dense: &[f64], x: f64, y: &mut [f64]) {
    let n = y.len();
    let z = 1.0 - x;
    let f = |d: usize, i: usize| dense[d * n + i];
    for i in 0..n {
        let inner = f(5, i) + z * (f(6, i) + x * f(7, i));
        let outer = f(2, i) + x * (f(3, i) + z * (f(4, i) + x * inner));
        y[i] = f(0, i) + x * (f(1, i) + z * outer);
    }
}

/// The coefficients of number `i` of dense output as a polynomial of the fraction, constant first.
pub fn polynomial(dense: &[f64], n: usize, i: usize) -> [f64; DENSE] {
    let mut p = [0.0; DENSE];
    let mut degree = 0;
    p[0] = dense[7 * n + i];
    for d in (0..DENSE - 1).rev() {
        degree += 1;
        // odd levels multiply by 1 - x, even levels by x
        for k in (0..=degree).rev() {
            let lower = if k > 0 { p[k - 1] } else { 0.0 };
            p[k] = if d % 2 == 1 { p[k] - lower } else { lower };
        }
        p[0] += dense[d * n + i];
    }
    p
}

/// The next step length after a step of length `h` whose error was `ratio` times what is allowed.
pub fn next_length(h: f64, ratio: f64) -> f64 {
    let factor = if ratio > 0.0 {
        0.9 * libm::pow(ratio, -0.125)
    } else {
        5.0
    };
    h * factor.clamp(0.2, 5.0)
}
