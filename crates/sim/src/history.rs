//! Where committed history goes: a recorder, a hash, a test's list, or nowhere.

use crate::world::BodyId;
use physics::State;
use record::{HistoryHash, Segment};
use warp::Tick;

/// Receives committed segments in the canonical order (start, micro, body), and GVT as it rises.
pub trait History {
    /// A segment that nothing can change any more. A segment of [`record::Event::Continue`] carries
    /// the knots of an earlier one.
    fn segment(&mut self, segment: &Segment<'_>);

    /// All that lies before `tick` has been handed over.
    fn gvt(&mut self, tick: Tick) {
        let _ = tick;
    }

    /// A frame of a body in a world that is redrawn, in the order of each body's time.
    fn frame(&mut self, body: BodyId, tick: Tick, state: &State) {
        let _ = (body, tick, state);
    }

    /// Vertex positions of a deformable (bodies are counted first, then deformables) at one of its
    /// steps, in the canonical order among the segments.
    fn vertices(&mut self, deformable: u32, tick: Tick, positions: &[[f64; 3]]) {
        let _ = (deformable, tick, positions);
    }

    /// Whether the knots of integrated motion are wanted.
    fn wants_knots(&self) -> bool {
        false
    }
}

/// Forgets everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Discard;

impl History for Discard {
    fn segment(&mut self, _: &Segment<'_>) {}
}

impl History for HistoryHash {
    fn segment(&mut self, segment: &Segment<'_>) {
        self.push(segment);
    }

    fn vertices(&mut self, deformable: u32, tick: Tick, positions: &[[f64; 3]]) {
        self.push_vertices(deformable, tick.0, positions);
    }
}

impl<A: History, B: History> History for (A, B) {
    fn segment(&mut self, segment: &Segment<'_>) {
        self.0.segment(segment);
        self.1.segment(segment);
    }

    fn gvt(&mut self, tick: Tick) {
        self.0.gvt(tick);
        self.1.gvt(tick);
    }

    fn frame(&mut self, body: BodyId, tick: Tick, state: &State) {
        self.0.frame(body, tick, state);
        self.1.frame(body, tick, state);
    }

    fn vertices(&mut self, deformable: u32, tick: Tick, positions: &[[f64; 3]]) {
        self.0.vertices(deformable, tick, positions);
        self.1.vertices(deformable, tick, positions);
    }

    fn wants_knots(&self) -> bool {
        self.0.wants_knots() || self.1.wants_knots()
    }
}

impl<H: History + ?Sized> History for &mut H {
    fn segment(&mut self, segment: &Segment<'_>) {
        (**self).segment(segment);
    }

    fn gvt(&mut self, tick: Tick) {
        (**self).gvt(tick);
    }

    fn frame(&mut self, body: BodyId, tick: Tick, state: &State) {
        (**self).frame(body, tick, state);
    }

    fn vertices(&mut self, deformable: u32, tick: Tick, positions: &[[f64; 3]]) {
        (**self).vertices(deformable, tick, positions);
    }

    fn wants_knots(&self) -> bool {
        (**self).wants_knots()
    }
}
