//! Virtual time of the shells: integer ticks of 2^-40 s, the unit of the whole simulator.
//! Every step is a whole number of ticks and every event falls on a multiple of its own step,
//! so no event time is ever accumulated and order is total.

/// A point in virtual time, or a duration, in ticks of 2^-40 s.
pub type Tick = i64;

/// Ticks in one second.
pub const TICKS_PER_SECOND: Tick = 1 << 40;

/// Converts a duration in ticks to seconds; exact for durations below 2^53 ticks (2.2 h).
#[inline]
pub fn seconds(ticks: Tick) -> f64 {
    const TICK_S: f64 = 1.0 / TICKS_PER_SECOND as f64;
    ticks as f64 * TICK_S
}

/// Converts seconds to the nearest tick.
#[inline]
pub fn ticks(seconds: f64) -> Tick {
    (seconds * TICKS_PER_SECOND as f64).round() as Tick
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_ticks_survive_the_round_trip() {
        for t in [0, 1, 109, 1 << 30, (1 << 50) + 1] {
            assert_eq!(ticks(seconds(t)), t);
        }
    }
}
