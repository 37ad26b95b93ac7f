//! Layers activated inside a window. Pairs that the last detection found near are looked at again
//! at every checkpoint: one that is about to enter its next layer gets it at once, and one that has
//! just entered sends the pass back to the checkpoint before. Both only save larger rollbacks; what
//! they overlook the detection at the window's end still finds.

use super::distance::closest;
use super::{Pair, ShellModel, ShellState, Tick};

/// A layer counts as imminent when the distance to come is below this multiple of its thickness:
/// pairs hover at the border of a layer, and an unneeded layer costs less than a rollback.
pub(super) const ANTICIPATION: f64 = 1.05;

/// A layer is dropped when the distance to come is above this multiple of its thickness.
pub(super) const LINGER: f64 = 1.15;

/// A pair to look at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Watched {
    pub pair: Pair,
    pub stencil: [u32; 4],
}

/// A layer that was activated inside a window: before `since` the pair had `layers` layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Activation {
    pub pair: Pair,
    pub layers: u8,
    pub since: Tick,
}

/// What a look at the watched pairs found; both lists sorted by pair.
#[derive(Debug, Default)]
pub(super) struct Look {
    /// About to enter their next layer.
    pub imminent: Vec<Pair>,
    /// Already inside it.
    pub entered: Vec<Pair>,
    /// Distances at the last look, in m.
    distances: Vec<f64>,
}

impl Look {
    /// Remembers the distances at the state's time.
    pub fn begin(&mut self, state: &ShellState, watched: &[Watched]) {
        self.distances.clear();
        self.distances
            .extend(watched.iter().map(|w| distance(state, w)));
    }

    /// Compares distances with those at the last look, one checkpoint ago.
    pub fn again(&mut self, model: &ShellModel, state: &ShellState, watched: &[Watched]) {
        self.imminent.clear();
        self.entered.clear();
        for (w, last) in watched.iter().zip(&mut self.distances) {
            let now = distance(state, w);
            let layers = state.contacts.layers_of(w.pair);
            if layers + 1 < model.layers.count() {
                let thickness = model.layers.next_thickness(layers);
                if now < thickness {
                    self.entered.push(w.pair);
                } else if now + (now - *last).min(0.0) < ANTICIPATION * thickness {
                    self.imminent.push(w.pair);
                }
            }
            *last = now;
        }
    }
}

fn distance(state: &ShellState, w: &Watched) -> f64 {
    let x = w.stencil.map(|v| state.position_at(v as usize, state.now));
    closest(w.pair.kind(), &x).separation.length()
}
