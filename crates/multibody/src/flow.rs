//! Motion of a multibody over time: steps of order 8 with dense output, chosen from the start alone,
//! so that asking for a state between never changes anything.

use crate::dop853::{self, DENSE, Stepper, System, Tolerance};
use crate::loops::Loops;
use crate::motor::Motor;
use crate::{Multibody, Workspace};

/// How close loops are brought after each step, m or rad.
const LOOP_TOLERANCE: f64 = 1e-12;

/// A multibody under constant joint forces and control signals: what is integrated. A state is all
/// positions, then all velocities.
#[derive(Clone, Debug)]
pub struct Law<'a> {
    model: &'a Multibody,
    loops: Loops,
    motors: &'a [Motor],
    /// Control signals of the motors.
    pub controls: Vec<f64>,
    /// Joint forces from outside.
    pub applied: Vec<f64>,
    tau: Vec<f64>,
    ws: Workspace,
}

impl<'a> Law<'a> {
    /// The free motion of a multibody, its loops kept and its motors off.
    pub fn new(model: &'a Multibody, loops: Loops, motors: &'a [Motor]) -> Law<'a> {
        Law {
            model,
            loops,
            motors,
            controls: vec![0.0; motors.len()],
            applied: vec![0.0; model.velocities()],
            tau: vec![0.0; model.velocities()],
            ws: Workspace::new(model),
        }
    }

    /// Forces of the world through the centres of mass of links.
    pub fn hold_forces(&mut self, forces: &[(u32, crate::Vec3)]) {
        self.ws.hold_forces(forces);
    }

    /// The loops.
    pub fn loops(&self) -> &Loops {
        &self.loops
    }
}

impl System for Law<'_> {
    fn dimension(&self) -> usize {
        self.model.positions() + self.model.velocities()
    }

    fn derivative(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) {
        let (q, v) = y.split_at(self.model.positions());
        let (dq, a) = dy.split_at_mut(self.model.positions());
        self.model.position_rates(q, v, dq);
        self.tau.copy_from_slice(&self.applied);
        for (motor, control) in self.motors.iter().zip(&self.controls) {
            motor.add(*control, q, v, &mut self.tau);
        }
        self.model.accelerations(q, v, &self.tau, &mut self.ws, a);
        if !self.loops.is_empty() {
            self.loops.accelerate(self.model, q, v, &mut self.ws, a);
        }
    }

    fn settle(&mut self, y: &mut [f64]) -> bool {
        let (q, v) = y.split_at_mut(self.model.positions());
        let turned = self.model.normalize(q);
        if self.loops.is_empty() {
            return turned;
        }
        self.loops
            .close_positions(self.model, q, &mut self.ws, LOOP_TOLERANCE);
        self.loops.close_velocities(self.model, q, v, &mut self.ws);
        true
    }
}

/// Why a motion cannot go on.
#[derive(Clone, Copy, Debug, thiserror::Error, PartialEq)]
pub enum FlowError {
    /// Steps became too short: the motion is stiff beyond use, or diverges.
    #[error(
        "after {time} s the multibody's motion cannot be followed with steps of {step} s: its springs, dampers or motors are too stiff for its masses, or it diverges"
    )]
    TooStiff {
        /// Where, in seconds from the start.
        time: f64,
        /// The step that failed.
        step: f64,
    },
}

/// A trajectory with dense output, as far as it has been asked for.
#[derive(Clone, Debug)]
pub struct Trajectory {
    n: usize,
    /// End of each step, seconds from the start.
    ends: Vec<f64>,
    dense: Vec<f64>,
    y: Vec<f64>,
    h: f64,
    tolerance: Tolerance,
    stepper: Stepper,
    fresh: bool,
    /// The longest step, s.
    pub longest: f64,
}

impl Trajectory {
    /// From this state on (positions, then velocities).
    pub fn new(start: &[f64], tolerance: Tolerance) -> Trajectory {
        Trajectory {
            n: start.len(),
            ends: Vec::new(),
            dense: Vec::new(),
            y: start.to_vec(),
            h: 0.01,
            tolerance,
            stepper: Stepper::new(start.len()),
            fresh: true,
            longest: 0.25,
        }
    }

    /// Tries a first step of so many seconds.
    pub fn begin_with(&mut self, seconds: f64) {
        self.h = seconds.min(self.longest);
    }

    /// Makes the next step end at `time` at the latest.
    pub fn no_farther_than(&mut self, time: f64) {
        let left = time - self.known();
        if left > 0.0 {
            self.h = self.h.min(left);
        }
    }

    /// How far it is known, s.
    pub fn known(&self) -> f64 {
        self.ends.last().copied().unwrap_or(0.0)
    }

    /// How many steps it has.
    pub fn steps(&self) -> usize {
        self.ends.len()
    }

    /// Integrates until at least `time` is known.
    pub fn extend(&mut self, system: &mut impl System, time: f64) -> Result<(), FlowError> {
        while self.known() < time {
            self.advance(system)?;
        }
        Ok(())
    }

    /// How many numbers a state has.
    pub fn dimension(&self) -> usize {
        self.n
    }

    /// Takes one step.
    pub fn advance(&mut self, system: &mut impl System) -> Result<(), FlowError> {
        let t = self.known();
        if self.fresh {
            self.stepper.begin(system, t, &self.y);
            self.fresh = false;
        }
        let mut refused = false;
        loop {
            let h = self.h;
            let error = self.stepper.attempt(system, t, &self.y, h, self.tolerance);
            // an error that is not a number means that the step went somewhere impossible
            let ratio = if error.is_finite() { error } else { 1e9 };
            self.h = dop853::next_length(h, ratio).min(self.longest);
            if ratio <= 1.0 {
                if refused {
                    self.h = self.h.min(h);
                }
                self.accept(system, t, h);
                return Ok(());
            }
            refused = true;
            if self.h < 1e-9 {
                return Err(FlowError::TooStiff { time: t, step: h });
            }
        }
    }

    fn accept(&mut self, system: &mut impl System, t: f64, h: f64) {
        let from = self.dense.len();
        self.dense.resize(from + DENSE * self.n, 0.0);
        self.stepper
            .dense(system, t, &self.y, h, &mut self.dense[from..]);
        self.y.copy_from_slice(self.stepper.end());
        self.fresh = system.settle(&mut self.y);
        if !self.fresh {
            self.stepper.go_on();
        }
        self.ends.push(t + h);
    }

    /// The step that holds `time`: its number, start, and length.
    pub fn step_at(&self, time: f64) -> Option<(usize, f64, f64)> {
        if self.ends.is_empty() {
            return None;
        }
        let k = self
            .ends
            .partition_point(|end| *end < time)
            .min(self.ends.len() - 1);
        let start = if k == 0 { 0.0 } else { self.ends[k - 1] };
        Some((k, start, self.ends[k] - start))
    }

    /// The longest step up to the one that holds `time`; zero if there is none.
    pub fn longest_step(&self, time: f64) -> f64 {
        let last = self.step_at(time).map_or(0, |(k, ..)| k + 1);
        let mut start = 0.0;
        self.ends[..last].iter().fold(0.0, |longest: f64, &end| {
            let length = end - start;
            start = end;
            longest.max(length)
        })
    }

    /// Dense output of step `k`.
    pub fn dense(&self, k: usize) -> &[f64] {
        let size = DENSE * self.n;
        &self.dense[k * size..(k + 1) * size]
    }

    /// The state at `time`, which must be known. Quaternions may be off unit length by the
    /// tolerance; all algorithms take their direction only.
    pub fn state(&self, time: f64, y: &mut [f64]) {
        match self.step_at(time) {
            Some((k, start, h)) => dop853::evaluate(self.dense(k), (time - start) / h, y),
            None => y.copy_from_slice(&self.y),
        }
    }
}
