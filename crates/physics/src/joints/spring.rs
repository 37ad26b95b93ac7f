//! Springs and motors that aim at a position, among the impulses of the joints.
//!
//! Over a sub-step of `h` seconds a spring gives the impulse `-h (k e + c v)`, with the speed `v` at which the joint
//! moves in it and the error `e` at its start: bodies are pushed and then moved, which neither gives nor takes
//! energy as long as the spring swings slowly against the sub-steps. A stiffer one is taken at the error of the
//! sub-step's end: it is stable however stiff it is, and swings less than it should.
//!
//! The equation for the impulse is divided by what an impulse changes in it, so that it is one more row of the same
//! symmetric system, with a softer diagonal.

use super::rows::Hold;
use super::system::System;

/// A spring that swings by more radians in a sub-step than the root of this is taken at the sub-step's end.
const STIFF: f64 = 0.25;
/// The least that an impulse changes a spring's own equation by.
const LEAST: f64 = 1e-9;

/// What is soft about a row in this sub-step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Soft {
    /// What an impulse does to the row's own speed, 1/kg or 1/(kg m2).
    own: f64,
    /// The error at the sub-step's start.
    error: f64,
    /// Seconds of the way ahead at which the error counts: none, or all of the sub-step.
    ahead: f64,
    /// What the impulse answers to a change of speed, kg or kg m2; zero where nothing is soft.
    answer: f64,
    /// Turns a residual into metres or radians.
    pub share: f64,
}

impl Default for Soft {
    fn default() -> Self {
        Soft {
            own: 0.0,
            error: 0.0,
            ahead: 0.0,
            answer: 0.0,
            share: 1.0,
        }
    }
}

impl System {
    /// Notes where the springs are at the start of a sub-step, and how stiff they are against it: the errors of
    /// now are among the residuals.
    pub(super) fn begin_springs(&mut self, h: f64) {
        for row in 0..self.soft.len() {
            if self.soft[row].answer > 0.0 {
                *self.matrix.entry(row, row) = self.soft[row].own;
            }
        }
        self.soft.resize(self.holds.len(), Soft::default());
        let mut is_any = false;
        for row in 0..self.holds.len() {
            self.soft[row] = Soft::default();
            if let Hold::Spring(spring) = self.holds[row] {
                is_any = true;
                let own = *self.matrix.entry(row, row);
                let is_stiff = h * h * spring.stiffness * own > STIFF;
                let ahead = if is_stiff { h } else { 0.0 };
                let answer = h * (ahead * spring.stiffness + spring.damping);
                let answer = answer.max(LEAST / own.max(f64::MIN_POSITIVE));
                self.soft[row] = Soft {
                    own,
                    error: self.residuals[row],
                    ahead,
                    answer,
                    share: own * answer / (1.0 + own * answer),
                };
            }
        }
        if is_any {
            self.soften();
        }
    }

    /// Makes the diagonal of springs softer; what was factored before is of no use any more.
    pub(super) fn soften(&mut self) {
        for row in 0..self.soft.len().min(self.rows.len()) {
            if self.soft[row].answer > 0.0 {
                let diagonal = self.matrix.entry(row, row);
                self.soft[row].own = *diagonal;
                *diagonal += 1.0 / self.soft[row].answer;
            }
        }
        self.factored.clear();
    }

    /// The residual of a spring: how far its impulse is from what it should be, as a way.
    pub(super) fn add_springs(&mut self, h: f64) {
        for entry in &self.entries {
            let [a, b] = entry.bodies.map(|k| self.bodies[k as usize].falling);
            for row in entry.rows() {
                let (Hold::Spring(spring), soft) = (self.holds[row], self.soft[row]) else {
                    continue;
                };
                let falling = self.rows[row].along.dot(b - a);
                let speed = self.speed(entry, row) + falling;
                let error = soft.error + soft.ahead * speed;
                let wanted = -h * (spring.stiffness * error + spring.damping * speed);
                self.residuals[row] = h * (self.impulses[row] - wanted) / soft.answer;
            }
        }
    }
}
