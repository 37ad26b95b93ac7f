//! Who tells a body's state between the moments that a recording holds.

use crate::segment::{Segment, State};

/// Evaluates recorded motion. A recording interpolates between its knots, which is good to about 1e-7 of
/// a turn; who has the scene's laws of motion can evaluate the very trajectory that was simulated.
pub trait Evaluator {
    /// A body begins a segment; a body's segments come in the order of time.
    fn begin(&mut self, segment: &Segment<'_>) {
        let _ = segment;
    }

    /// The state at a tick of the segment that its body began last.
    fn state(&mut self, segment: &Segment<'_>, tick: i64) -> State;
}

/// Interpolates between recorded knots.
#[derive(Clone, Copy, Debug, Default)]
pub struct Interpolated;

impl Evaluator for Interpolated {
    fn state(&mut self, segment: &Segment<'_>, tick: i64) -> State {
        segment.state(tick)
    }
}
