//! Motors: forces along joints or fixed tendons from a control signal and the joint's own state.

use crate::constraint::Combination;

/// A motor. Its force is `gain · control + bias · (1, length, rate)`, within limits, and acts along
/// its transmission.
#[derive(Clone, Debug, PartialEq)]
pub struct Motor {
    /// What it pulls at: a joint or a fixed tendon, times the gear.
    pub transmission: Combination,
    /// Force per control; constant, per length, per rate.
    pub gain: [f64; 3],
    /// Force without control: constant, per length, per rate.
    pub bias: [f64; 3],
    /// Control is kept within these.
    pub control_range: Option<(f64, f64)>,
    /// Force is kept within these.
    pub force_range: Option<(f64, f64)>,
}

impl Motor {
    /// The control is the force.
    pub fn torque(transmission: Combination) -> Motor {
        Motor::affine(transmission, [1.0, 0.0, 0.0], [0.0; 3])
    }

    /// The control is a velocity that the motor seeks with `gain`.
    pub fn velocity(transmission: Combination, gain: f64) -> Motor {
        Motor::affine(transmission, [gain, 0.0, 0.0], [0.0, 0.0, -gain])
    }

    /// The control is a position that the motor seeks with `stiffness` and `damping`.
    pub fn position(transmission: Combination, stiffness: f64, damping: f64) -> Motor {
        Motor::affine(
            transmission,
            [stiffness, 0.0, 0.0],
            [0.0, -stiffness, -damping],
        )
    }

    /// Any gain and bias.
    pub fn affine(transmission: Combination, gain: [f64; 3], bias: [f64; 3]) -> Motor {
        Motor {
            transmission,
            gain,
            bias,
            control_range: None,
            force_range: None,
        }
    }

    /// The motor's force for a control signal in the state `q`, `v`.
    pub fn force(&self, control: f64, q: &[f64], v: &[f64]) -> f64 {
        let within =
            |x: f64, range: Option<(f64, f64)>| range.map_or(x, |(low, high)| x.max(low).min(high));
        let control = within(control, self.control_range);
        let (length, rate) = (self.transmission.value(q), self.transmission.rate(v));
        let affine = |k: [f64; 3]| k[0] + k[1] * length + k[2] * rate;
        within(
            affine(self.gain) * control + affine(self.bias),
            self.force_range,
        )
    }

    /// Adds what the motor does to the joint forces.
    pub fn add(&self, control: f64, q: &[f64], v: &[f64], tau: &mut [f64]) {
        let force = self.force(control, q, v);
        for (c, k) in &self.transmission.terms {
            tau[c.velocity] += k * force;
        }
    }
}
