//! `ordered` and `timewarp`: the same engine, the same agenda, two disciplines. `ordered` takes pending events in
//! their total order, so it never has to undo anything; `timewarp` takes whatever lies in the speculation window.

use super::LookAhead;
use super::governor::Governor;
use super::windows::Windows;
use super::worker::{Discipline, InOrder, Next};
use crate::engine::Engine;
use warp::Tick;

/// Windows of an adaptive look-ahead are about so long at first, seconds.
const FIRST_WINDOW: f64 = 1e-3;

/// One of the two disciplines.
pub(super) enum EventDriven {
    Ordered(InOrder),
    TimeWarp(Box<Windows>),
}

impl EventDriven {
    /// What a look-ahead asks for, and the engine prepared for it; `ordered` is a look-ahead of one event.
    pub fn new(engine: &mut Engine, look_ahead: LookAhead) -> Self {
        let (seconds, is_adaptive) = match look_ahead {
            LookAhead::OneEvent => return EventDriven::Ordered(InOrder::default()),
            LookAhead::Seconds(seconds) => (seconds, false),
            LookAhead::Adaptive => (FIRST_WINDOW, true),
        };
        let width = width_for(seconds);
        engine.set_window(width);
        engine.speculate();
        let moving = engine.stats().bodies_moving;
        let governor = is_adaptive.then(|| Governor::new(width, moving));
        EventDriven::TimeWarp(Box::new(Windows::new(governor)))
    }
}

impl Discipline for EventDriven {
    #[inline]
    fn next(&mut self, engine: &mut Engine) -> Option<Next> {
        match self {
            EventDriven::Ordered(in_order) => in_order.next(engine),
            EventDriven::TimeWarp(windows) => windows.next(engine),
        }
    }
}

/// The power of two of ticks nearest to this many seconds.
fn width_for(seconds: f64) -> u32 {
    let ticks = (seconds * Tick::TICKS_PER_SECOND).clamp(1.0, 4e18);
    libm::log2(ticks).round() as u32
}
