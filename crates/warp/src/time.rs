//! Virtual time: integer ticks, superdense moments, and the total order of events.
//! Integers make ordering total and bisection end on the same tick whatever bracket it began with.
//! Two events never share an [`EventOrder`], so every executor agrees on what comes first.

/// A point of virtual time, in ticks of 2^-40 s (about 0.9 ps; an `i64` spans about 97 days each way).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tick(pub i64);

impl Tick {
    /// Before everything.
    pub const MIN: Tick = Tick(i64::MIN);
    /// After everything; used for "never".
    pub const MAX: Tick = Tick(i64::MAX);
    /// Where simulations usually begin.
    pub const ZERO: Tick = Tick(0);
    /// Ticks in a second: 2^40, a power of two so that conversions only change the exponent.
    pub const TICKS_PER_SECOND: f64 = (1_u64 << 40) as f64;

    /// The tick nearest to `seconds`, ties to even; beyond the range it saturates at [`Tick::MIN`]
    /// or [`Tick::MAX`]. NaN becomes [`Tick::ZERO`]: callers that can meet NaN must refuse it before.
    #[inline]
    pub fn from_seconds(seconds: f64) -> Tick {
        Tick((seconds * Self::TICKS_PER_SECOND).round_ties_even() as i64)
    }

    /// Seconds since [`Tick::ZERO`]; exact while the tick is below 2^53 (about 2.3 hours).
    #[inline]
    pub fn seconds(self) -> f64 {
        self.0 as f64 / Self::TICKS_PER_SECOND
    }

    /// Seconds from `earlier` to `self`, exact while the difference is below 2^53 ticks however large
    /// the two ticks are; negative when `earlier` is in fact later. Differences beyond `i64` saturate.
    #[inline]
    pub fn since(self, earlier: Tick) -> f64 {
        self.0.saturating_sub(earlier.0) as f64 / Self::TICKS_PER_SECOND
    }

    /// The tick `ticks` later, or `None` beyond the range.
    #[inline]
    pub fn checked_add(self, ticks: i64) -> Option<Tick> {
        self.0.checked_add(ticks).map(Tick)
    }

    /// The tick `ticks` later, held at the ends of the range.
    #[inline]
    pub fn saturating_add(self, ticks: i64) -> Tick {
        Tick(self.0.saturating_add(ticks))
    }
}

/// Superdense time: causally chained events may share a tick, and `micro` counts the chain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment {
    /// The point of virtual time.
    pub tick: Tick,
    /// How many events of the chain came before at this tick.
    pub micro: u32,
}

impl Moment {
    /// Before everything.
    pub const MIN: Moment = Moment {
        tick: Tick::MIN,
        micro: 0,
    };
    /// After everything.
    pub const MAX: Moment = Moment {
        tick: Tick::MAX,
        micro: u32::MAX,
    };

    /// The first moment of `tick`.
    #[inline]
    pub const fn at(tick: Tick) -> Moment {
        Moment { tick, micro: 0 }
    }
}

/// The place of an event in the fixed total order: by moment, ties by `key`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventOrder {
    /// When the event happens.
    pub moment: Moment,
    /// Tells apart events of one moment; a function of what the event is, never of when it was found.
    pub key: u64,
}

impl EventOrder {
    /// Before every event.
    pub const MIN: EventOrder = EventOrder {
        moment: Moment::MIN,
        key: 0,
    };
    /// After every event: the end of a worldline's tip.
    pub const MAX: EventOrder = EventOrder {
        moment: Moment::MAX,
        key: u64::MAX,
    };

    /// Before every event of `moment` except one whose key is 0.
    #[inline]
    pub const fn before(moment: Moment) -> EventOrder {
        EventOrder { moment, key: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_round_to_the_nearest_tick_and_saturate() {
        let half_tick = 0.5 / Tick::TICKS_PER_SECOND;
        assert_eq!(Tick::from_seconds(1.0), Tick(1 << 40));
        assert_eq!(Tick::from_seconds(0.98 * half_tick), Tick(0));
        assert_eq!(Tick::from_seconds(1.02 * half_tick), Tick(1));
        assert_eq!(Tick::from_seconds(-1.02 * half_tick), Tick(-1));
        assert_eq!(Tick::from_seconds(1e30), Tick::MAX);
        assert_eq!(Tick::from_seconds(f64::NEG_INFINITY), Tick::MIN);
        assert_eq!(Tick::from_seconds(f64::NAN), Tick::ZERO);
    }

    #[test]
    fn differences_are_exact_far_from_zero() {
        let late = Tick(i64::MAX - 5);
        let later = late.checked_add(3).unwrap();
        assert_eq!(later.since(late), 3.0 / Tick::TICKS_PER_SECOND);
        assert_eq!(late.since(later), -3.0 / Tick::TICKS_PER_SECOND);
        assert_eq!(later.checked_add(3), None);
        assert_eq!(later.saturating_add(3), Tick::MAX);
    }

    #[test]
    fn order_is_tick_then_micro_then_key() {
        let order = |tick, micro, key| EventOrder {
            moment: Moment {
                tick: Tick(tick),
                micro,
            },
            key,
        };
        let sorted = [
            EventOrder::MIN,
            order(-1, 9, 9),
            order(0, 0, 9),
            order(0, 1, 0),
            order(0, 1, 1),
            EventOrder::MAX,
        ];
        assert!(sorted.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
