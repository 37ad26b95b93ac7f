//! An implicit Rosenbrock method of order 4 with an embedded order 3 for step control (Shampine's
//! rational coefficients, 1982): four linear solves with one matrix, three evaluations a step.

/// A system of ordinary differential equations `y' = f(t, y)` and its linear algebra.
pub trait System {
    /// Writes `f(t, y)`.
    fn rates(&self, t: f64, y: &[f64], out: &mut [f64]);
    /// Writes the derivative of `f` with respect to time alone.
    fn time_rates(&self, t: f64, y: &[f64], out: &mut [f64]);
    /// Finds the Jacobian of `f` at `(t, y)` and keeps it.
    fn linearise(&mut self, t: f64, y: &[f64]);
    /// Factors `shift * identity - Jacobian`. False if it is singular.
    fn factor(&mut self, shift: f64) -> bool;
    /// Solves with the factored matrix, in place.
    fn solve(&self, right: &mut [f64]);
    /// Size of an error relative to what is allowed; at most 1 for a good step.
    fn error_size(&self, error: &[f64]) -> f64;
}

const GAMMA: f64 = 0.5;
const A21: f64 = 2.0;
const A31: f64 = 48.0 / 25.0;
const A32: f64 = 6.0 / 25.0;
const C21: f64 = -8.0;
const C31: f64 = 372.0 / 25.0;
const C32: f64 = 12.0 / 5.0;
const C41: f64 = -112.0 / 125.0;
const C42: f64 = -54.0 / 125.0;
const C43: f64 = -2.0 / 5.0;
const B: [f64; 4] = [19.0 / 9.0, 0.5, 25.0 / 108.0, 125.0 / 108.0];
const E: [f64; 4] = [17.0 / 54.0, 7.0 / 36.0, 0.0, 125.0 / 108.0];
const D: [f64; 4] = [0.5, -1.5, 121.0 / 50.0, 29.0 / 250.0];
const STAGE_2: f64 = 1.0;
const STAGE_3: f64 = 0.6;

/// Buffers of the integrator.
#[derive(Default)]
pub struct Rosenbrock {
    stages: [Vec<f64>; 4],
    rates: Vec<f64>,
    time_rates: Vec<f64>,
    trial: Vec<f64>,
    next: Vec<f64>,
    error: Vec<f64>,
}

/// Why an integration stopped early.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TooStiff {
    /// The last step tried, seconds.
    pub step: f64,
}

impl Rosenbrock {
    fn resize(&mut self, length: usize) {
        let own = self.stages.iter_mut().chain([
            &mut self.rates,
            &mut self.time_rates,
            &mut self.trial,
            &mut self.next,
            &mut self.error,
        ]);
        for buffer in own {
            buffer.clear();
            buffer.resize(length, 0.0);
        }
    }

    /// One step of `h` from `y`, for which `system` has been linearised. The result is in
    /// [`Rosenbrock::next`]; returns the size of the error, or `None` if the matrix is singular.
    pub fn step(&mut self, system: &mut impl System, t: f64, y: &[f64], h: f64) -> Option<f64> {
        self.resize(y.len());
        if !system.factor(1.0 / (GAMMA * h)) {
            return None;
        }
        system.rates(t, y, &mut self.rates);
        system.time_rates(t, y, &mut self.time_rates);
        self.stage(system, 0, h, &[]);
        self.try_at(y, &[A21]);
        system.rates(t + STAGE_2 * h, &self.trial, &mut self.rates);
        self.stage(system, 1, h, &[C21]);
        self.try_at(y, &[A31, A32]);
        system.rates(t + STAGE_3 * h, &self.trial, &mut self.rates);
        self.stage(system, 2, h, &[C31, C32]);
        self.stage(system, 3, h, &[C41, C42, C43]);
        for i in 0..y.len() {
            let sum = |c: &[f64; 4]| (0..4).map(|s| c[s] * self.stages[s][i]).sum::<f64>();
            self.next[i] = y[i] + sum(&B);
            self.error[i] = sum(&E);
        }
        Some(system.error_size(&self.error))
    }

    /// The state that the last step led to.
    pub fn next(&self) -> &[f64] {
        &self.next
    }

    fn stage(&mut self, system: &impl System, stage: usize, h: f64, couplings: &[f64]) {
        let (known, open) = self.stages.split_at_mut(stage);
        let right = &mut open[0];
        for (i, value) in right.iter_mut().enumerate() {
            let coupled: f64 = known.iter().zip(couplings).map(|(g, c)| c * g[i]).sum();
            *value = self.rates[i] + h * D[stage] * self.time_rates[i] + coupled / h;
        }
        system.solve(right);
    }

    fn try_at(&mut self, y: &[f64], weights: &[f64]) {
        for (i, value) in self.trial.iter_mut().enumerate() {
            let gone: f64 = (self.stages.iter().zip(weights))
                .map(|(g, a)| a * g[i])
                .sum();
            *value = y[i] + gone;
        }
    }

    /// Integrates `y` over `seconds` with steps that the error controls. `accepted` sees every
    /// step's end: time, state and length.
    pub fn integrate<S: System>(
        &mut self,
        system: &mut S,
        t: f64,
        seconds: f64,
        y: &mut [f64],
        mut accepted: impl FnMut(&S, f64, &[f64], f64),
    ) -> Result<(), TooStiff> {
        let least = seconds * 1e-7;
        let (mut gone, mut h) = (0.0, seconds);
        let mut linear = false;
        while gone < seconds {
            let last = gone + h >= seconds * (1.0 - 1e-12);
            let length = if last { seconds - gone } else { h };
            if !linear {
                system.linearise(t + gone, y);
                linear = true;
            }
            let error = self.step(system, t + gone, y, length);
            let error = error.filter(|e| e.is_finite()).unwrap_or(1e6);
            // The embedded method has order 3: errors go with the fourth power of the step.
            let factor = (0.9 / error.max(1e-6).sqrt().sqrt()).clamp(0.2, 4.0);
            if error <= 1.0 {
                y.copy_from_slice(&self.next);
                gone = if last { seconds } else { gone + length };
                linear = false;
                accepted(system, t + gone, y, length);
            } else if length <= least {
                return Err(TooStiff { step: length });
            }
            h = length * factor;
        }
        Ok(())
    }
}
