//! Air that cloth and shells move through: each triangle is pushed along its normal by the square of the wind against it, and dragged
//! along by a small part of that. A push is found implicitly (the wind that is left after it is the one that pushes), so it
//! never turns the relative motion round, however light the cloth.

use glamx::DVec3;

use crate::impulse::model::error::ClothError;

/// Air, and how it moves.
#[derive(Debug, Clone, PartialEq)]
pub struct Air {
    /// Density, kg/m^3.
    pub density: f64,
    /// Velocity of the wind, m/s.
    pub velocity: DVec3,
    /// Part by which the wind swells and falls, with this many seconds from one gust to the next.
    pub gust: f64,
    /// Seconds from one gust to the next.
    pub period: f64,
    /// Coefficient of drag of a triangle across the wind, and of one along it.
    pub drag: [f64; 2],
}

impl Default for Air {
    /// Still air at the sea's level; a flat plate across it.
    fn default() -> Self {
        Self {
            density: 1.2,
            velocity: DVec3::ZERO,
            gust: 0.0,
            period: 1.0,
            drag: [1.3, 0.02],
        }
    }
}

impl Air {
    /// Whether all numbers are in their ranges.
    pub(crate) fn check(&self) -> Result<(), ClothError> {
        let numbers = [
            ("air.density (kg/m^3)", self.density),
            ("air.gust", self.gust),
            ("air.drag", self.drag[0]),
            ("air.drag along", self.drag[1]),
        ];
        for (what, value) in numbers {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(ClothError::bad(what, value, "a number of at least 0"));
            }
        }
        if !(self.period > 0.0 && self.period.is_finite()) {
            let expected = "a positive number of seconds";
            return Err(ClothError::bad("air.period (s)", self.period, expected));
        }
        match self.velocity.is_finite() {
            true => Ok(()),
            false => Err(ClothError::bad(
                "air.velocity (m/s)",
                f64::NAN,
                "a finite vector",
            )),
        }
    }

    /// The wind at a time, s, in m/s.
    pub(crate) fn wind(&self, time: f64) -> DVec3 {
        let swell = libm::sin(std::f64::consts::TAU * time / self.period);
        self.velocity * (1.0 + self.gust * swell)
    }

    /// The impulse, N s, on a triangle in `step` seconds of this wind (m/s), of which each corner gets a third.
    #[inline]
    pub(crate) fn impulse(
        &self,
        (wind, step): (DVec3, f64),
        [a, b, c]: [DVec3; 3],
        velocity: [DVec3; 3],
        inverse_mass: [f64; 3],
    ) -> DVec3 {
        let twice = (b - a).cross(c - a);
        // what the mean velocity changes for a unit impulse that the corners share
        let mobility = inverse_mass.iter().sum::<f64>() / 9.0;
        let Some(normal) = twice.try_normalize().filter(|_| mobility > 0.0) else {
            return DVec3::ZERO;
        };
        let mean = velocity.iter().sum::<DVec3>() / 3.0;
        let pressure = 0.25 * self.density * twice.length() * step;
        let across = normal * normal.dot(wind - mean);
        let along = wind - mean - across;
        implicit(across, pressure * self.drag[0], mobility)
            + implicit(along, pressure * self.drag[1], mobility)
    }

    /// Pushes all triangles for `step` seconds from `time` on.
    pub(crate) fn push(
        &self,
        [time, step]: [f64; 2],
        triangles: &[[u32; 3]],
        inverse_mass: &[f64],
        position: &[DVec3],
        velocity: &mut [DVec3],
    ) {
        let wind = self.wind(time);
        for corners in triangles.iter().map(|t| t.map(|v| v as usize)) {
            let weights = corners.map(|v| inverse_mass[v]);
            let moving = corners.map(|v| velocity[v]);
            let impulse = self.impulse((wind, step), corners.map(|v| position[v]), moving, weights);
            for (v, w) in corners.into_iter().zip(weights) {
                velocity[v] += impulse * (w / 3.0);
            }
        }
    }
}

/// The impulse J = k |u'| u' with the relative velocity u' = u - w J that is left after it, N s.
fn implicit(u: DVec3, k: f64, w: f64) -> DVec3 {
    let (q, speed) = (k * w, u.length());
    if q * speed <= 0.0 {
        return DVec3::ZERO;
    }
    let left = 2.0 * speed / (1.0 + (1.0 + 4.0 * q * speed).sqrt());
    u * (k * left * left / speed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plate that falls comes to the speed at which drag carries its weight.
    #[test]
    fn a_plate_falls_at_its_terminal_speed() {
        let air = Air::default();
        let position = [DVec3::ZERO, DVec3::X * 2.0, DVec3::Z];
        let (mass, step) = (0.3, 0.01);
        let inverse_mass = [3.0 / mass; 3];
        let mut velocity = [DVec3::ZERO; 3];
        for k in 0..2000 {
            let time = f64::from(k) * step;
            velocity.iter_mut().for_each(|v| v.y -= 9.81 * step);
            air.push(
                [time, step],
                &[[0, 1, 2]],
                &inverse_mass,
                &position,
                &mut velocity,
            );
        }
        // over a square metre
        let expected = (2.0 * mass * 9.81 / (air.density * air.drag[0])).sqrt();
        let mean = -velocity.iter().map(|v| v.y).sum::<f64>() / 3.0;
        assert!(
            (mean / expected - 1.0).abs() < 1e-3,
            "{mean} instead of {expected}"
        );
    }

    /// A gale on gossamer takes it along and never further.
    #[test]
    fn a_gale_takes_gossamer_along() {
        let air = Air {
            velocity: DVec3::X * 100.0,
            ..Air::default()
        };
        let position = [DVec3::ZERO, DVec3::Y, DVec3::Z];
        let mut velocity = [DVec3::ZERO; 3];
        for _ in 0..100 {
            air.push(
                [0.0, 0.1],
                &[[0, 1, 2]],
                &[1e6; 3],
                &position,
                &mut velocity,
            );
            assert!(velocity.iter().all(|v| (0.0..=100.0).contains(&v.x)));
        }
        assert!(velocity[0].x > 99.0);
    }
}
