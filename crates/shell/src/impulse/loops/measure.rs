//! Directions and errors of all constraints from the previews (section 4.2's initial computation), four constraints
//! at a time so that square roots and divisions are taken together.

use glamx::DVec3;
use pulp::NullaryFnOnce;

use crate::impulse::lanes::{LANES, Lanes, Vectors, minus};
use crate::impulse::model::constraint::Constraint;

/// Measures every constraint; gives how many are violated, and the largest error of those, m.
pub(crate) struct Measure<'a> {
    pub constraints: &'a [Constraint],
    pub preview: &'a [DVec3],
    /// Whether errors are measured along the direction (4.1).
    pub is_along: bool,
    pub direction: &'a mut [DVec3],
    pub error: &'a mut [f64],
}

impl NullaryFnOnce for Measure<'_> {
    type Output = (u64, f64);

    #[inline(always)]
    fn call(self) -> (u64, f64) {
        let (mut violated, mut largest) = ([0; LANES], [0.0_f64; LANES]);
        let (fours, rest) = self.constraints.as_chunks::<LANES>();
        let (directions, rest_directions) = self.direction.as_chunks_mut::<LANES>();
        let (errors, rest_errors) = self.error.as_chunks_mut::<LANES>();
        for (four, (directions, errors)) in fours.iter().zip(directions.iter_mut().zip(errors)) {
            *errors = measure(four, self.preview, self.is_along, directions);
            for lane in 0..LANES {
                let (c, error) = (&four[lane], errors[lane]);
                let is_satisfied = (error >= c.low) & (error <= c.high);
                violated[lane] += u64::from(!is_satisfied);
                let excess = if is_satisfied { 0.0 } else { error.abs() };
                largest[lane] = if excess > largest[lane] {
                    excess
                } else {
                    largest[lane]
                };
            }
        }
        let results = rest_directions.iter_mut().zip(rest_errors);
        for (c, (direction, error)) in rest.iter().zip(results) {
            let mut directions = [DVec3::ZERO; LANES];
            let four = [*c; LANES];
            let errors = measure(&four, self.preview, self.is_along, &mut directions);
            (*direction, *error) = (directions[0], errors[0]);
            if c.is_violated(*error) {
                violated[0] += 1;
                largest[0] = largest[0].max(error.abs());
            }
        }
        (
            violated.iter().sum(),
            largest.into_iter().fold(0.0, f64::max),
        )
    }
}

#[inline(always)]
fn measure(
    four: &[Constraint; LANES],
    preview: &[DVec3],
    is_along: bool,
    directions: &mut [DVec3; LANES],
) -> Lanes {
    let (mut a, mut b, mut rest_length) = (Vectors::ZERO, Vectors::ZERO, [0.0; LANES]);
    for lane in 0..LANES {
        let c = &four[lane];
        a.set(lane, preview[c.a as usize]);
        b.set(lane, preview[c.b as usize]);
        rest_length[lane] = c.length;
    }
    let d = b.minus(a);
    let squared = d.dot(d);
    let (mut length, mut inverse, mut are_apart) = (squared, squared, true);
    for lane in 0..LANES {
        length[lane] = squared[lane].sqrt();
        inverse[lane] = 1.0 / length[lane];
        are_apart &= length[lane] > 0.0;
    }
    let mut n = d.scaled(inverse);
    if !are_apart {
        // a fixed axis where particles coincide
        for lane in (0..LANES).filter(|&lane| squared[lane] <= 0.0) {
            n.set(lane, DVec3::Z);
        }
    }
    for lane in 0..LANES {
        directions[lane] = n.lane(lane);
    }
    let measured = match is_along {
        true => n.dot(d),
        false => length,
    };
    minus(measured, rest_length)
}
