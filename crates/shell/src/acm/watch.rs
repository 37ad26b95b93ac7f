//! Layers activated inside a window. Pairs that the last detection found near are looked at again
//! at every checkpoint: one that is about to enter its next layer gets it at once, and one that has
//! just entered sends the pass back to the checkpoint before. Both only save larger rollbacks; what
//! they overlook the detection at the window's end still finds.

use super::contact::{Contact, Kind};
use super::quads::{Quad, pad, quad};
use super::reach::{Distances, Stencils};
use super::{Pair, ShellModel, ShellState, Tick};

/// A layer counts as imminent when the distance to come is below this multiple of its thickness:
/// pairs hover at the border of a layer, and an unneeded layer costs less than a rollback.
pub(super) const ANTICIPATION: f64 = 1.05;

/// A layer is dropped when the distance to come is above this multiple of its thickness.
pub(super) const LINGER: f64 = 1.15;

/// Least distance to come until the next look, in m, if the pair goes on as since `before`, one part of a window
/// ago: looks are as far apart, and half as much again is on the safe side.
#[inline]
pub(super) fn soon(before: f64, now: f64) -> f64 {
    now + 1.5 * (now - before).min(0.0)
}

/// Pairs to look at, vertex-face pairs first.
#[derive(Debug, Default)]
pub(super) struct Watched {
    pub pairs: Vec<Pair>,
    pub contacts: Vec<Contact>,
    /// The same in blocks, once all have been added.
    pub blocks: Vec<Stencils>,
    /// If they were measured, when, how far apart they were then, and how far one part of a window before, in m.
    pub at: Tick,
    pub distances: Vec<f64>,
    pub before: Vec<f64>,
}

impl Watched {
    /// Watches nothing.
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.contacts.clear();
        self.blocks.clear();
        self.distances.clear();
        self.before.clear();
    }

    /// To be called when all have been added.
    pub fn lay_out(&mut self) {
        Stencils::lay_out(&self.contacts, &mut self.blocks);
    }

    /// Adds all of another list's pairs of one kind.
    pub fn append(&mut self, other: &mut Watched) {
        self.pairs.append(&mut other.pairs);
        self.contacts.append(&mut other.contacts);
    }

    /// Adds a pair.
    pub fn push(&mut self, pair: Pair, stencil: [u32; 4]) {
        let kind = pair.kind();
        self.pairs.push(pair);
        self.contacts.push(Contact { kind, stencil });
    }

    /// Watches these pairs and no others.
    pub fn set(&mut self, near: impl Iterator<Item = (Pair, [u32; 4])> + Clone) {
        self.clear();
        for kind in [Kind::VertexFace, Kind::EdgeEdge] {
            for (pair, stencil) in near.clone().filter(|n| n.0.kind() == kind) {
                self.push(pair, stencil);
            }
        }
        self.lay_out();
    }
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
    distances: Distances,
    /// Distances at the last look, in m.
    last: Vec<f64>,
    /// Where all vertices are, in m.
    places: Vec<Quad>,
    /// How many layers each watched pair has, as far as that was asked for in this pass.
    layers: Vec<u8>,
}

/// Stands for a number of layers that was not asked for yet.
const UNKNOWN: u8 = u8::MAX;

impl Look {
    fn measure(&mut self, state: &ShellState, watched: &Watched) {
        if watched.pairs.is_empty() {
            self.distances.all.clear();
            return;
        }
        self.places.clear();
        let all = (0..state.x.len()).map(|i| quad(state.position_at(i, state.now)));
        self.places.extend(all);
        pad(&mut self.places, state.x.len(), [0.0; 4]);
        self.distances.measure(&watched.blocks, &self.places);
    }

    /// Remembers the distances at the state's time.
    pub fn begin(&mut self, state: &ShellState, watched: &Watched) {
        if watched.at == state.now && watched.distances.len() == watched.pairs.len() {
            self.last.clone_from(&watched.distances);
        } else {
            self.measure(state, watched);
            self.last.clone_from(&self.distances.all);
        }
        self.layers.clear();
        self.layers.resize(watched.pairs.len(), UNKNOWN);
    }

    /// Compares distances with those at the last look, one checkpoint ago. Pairs that are imminent
    /// count as having their next layer from now on.
    pub fn again(&mut self, model: &ShellModel, state: &ShellState, watched: &Watched) {
        self.imminent.clear();
        self.entered.clear();
        self.measure(state, watched);
        let widest = ANTICIPATION * model.layers.next_thickness(0);
        let both = self.distances.all.iter().zip(&self.last);
        let known = watched.pairs.iter().zip(&mut self.layers);
        for ((&pair, known), (&now, &last)) in known.zip(both) {
            let to_come = now + (now - last).min(0.0);
            if to_come >= widest {
                continue;
            }
            if *known == UNKNOWN {
                *known = state.contacts.layers_of(pair);
            }
            let layers = *known;
            if layers + 1 < model.layers.count() {
                let thickness = model.layers.next_thickness(layers);
                if now < thickness {
                    self.entered.push(pair);
                } else if to_come < ANTICIPATION * thickness {
                    self.imminent.push(pair);
                    *known += 1;
                }
            }
        }
        std::mem::swap(&mut self.last, &mut self.distances.all);
        self.imminent.sort_unstable();
        self.entered.sort_unstable();
    }
}
