//! Layers activated inside a window. Pairs that the last detection found near are looked at again
//! at every savepoint: one that is about to enter its next layer gets it at once, and one that has
//! just entered sends the pass back to the savepoint before. Both only save larger rollbacks; what
//! they overlook the detection at the window's end still finds.

use crate::acm::detect::reach::{Stencils, measure};
use crate::acm::lanes::quads::{Quad, Row, pad, registers_of};
use crate::acm::lanes::real::{Precision, Real};
use crate::acm::lanes::wide::Wide;
use crate::acm::model::contact::{Contact, Kind};
use crate::acm::{Pair, ShellModel, ShellState, Tick};
use glamx::DVec3;
use pulp::{Arch, Simd, WithSimd};

/// A layer counts as imminent when the distance to come is below this multiple of its thickness:
/// pairs hover at the border of a layer, and an unneeded layer costs less than a rollback.
pub(crate) const ANTICIPATION: f64 = 1.05;

/// A layer is dropped when the distance to come is above this multiple of its thickness.
pub(crate) const LINGER: f64 = 1.15;

/// Single precision is fine enough where it is off by less than this share of the first layer's thickness.
pub(crate) const FINE: f64 = 0.01;

/// Least distance to come until the next look, in m, if the pair goes on as since `before`, one part of a window
/// ago: looks are as far apart, and half as much again is on the safe side.
#[inline]
pub(crate) fn soon(before: f64, now: f64) -> f64 {
    now + 1.5 * (now - before).min(0.0)
}

/// Pairs to look at, vertex-face pairs first.
#[derive(Debug, Default)]
pub(crate) struct Watched {
    pub pairs: Vec<Pair>,
    pub contacts: Vec<Contact>,
    /// The same in blocks of one precision, once all have been added.
    pub precision: Precision,
    pub single: Vec<Stencils<f32>>,
    pub double: Vec<Stencils>,
    /// If they were measured, when, how far apart they were then, and how far they will [soon] be, in m.
    pub at: Tick,
    pub distances: Vec<f64>,
    pub to_come: Vec<f64>,
    /// How many layers they have then, as far as that is known.
    pub layers: Vec<u8>,
}

impl Watched {
    /// Watches nothing.
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.contacts.clear();
        self.single.clear();
        self.double.clear();
        self.distances.clear();
        self.to_come.clear();
        self.layers.clear();
    }

    /// To be called when all have been added.
    pub fn lay_out(&mut self, precision: Precision) {
        self.precision = precision;
        self.single.clear();
        self.double.clear();
        if precision.single {
            Stencils::lay_out_flat(&self.contacts, &mut self.single);
        } else {
            Stencils::lay_out_flat(&self.contacts, &mut self.double);
        }
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
    pub fn set(
        &mut self,
        near: impl Iterator<Item = (Pair, [u32; 4])> + Clone,
        precision: Precision,
    ) {
        self.clear();
        for kind in [Kind::VertexFace, Kind::EdgeEdge] {
            for (pair, stencil) in near.clone().filter(|n| n.0.kind() == kind) {
                self.push(pair, stencil);
            }
        }
        self.lay_out(precision);
    }
}

/// A layer that was activated inside a window: before `since` the pair had `layers` layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Activation {
    pub pair: Pair,
    pub layers: u8,
    pub since: Tick,
}

/// What a look at the watched pairs found; both lists sorted by pair.
#[derive(Debug, Default)]
pub(crate) struct Look {
    /// About to enter their next layer.
    pub imminent: Vec<Pair>,
    /// Already inside it.
    pub entered: Vec<Pair>,
    single: Gauge<f32>,
    double: Gauge<f64>,
    /// Those that came below their limits.
    close: Vec<Close>,
    /// How many layers each watched pair has, as far as that was asked for in this pass.
    layers: Vec<u8>,
}

/// Stands for a number of layers that was not asked for yet.
pub(crate) const UNKNOWN: u8 = u8::MAX;

impl Look {
    /// Remembers the distances at the state's time.
    pub fn begin(&mut self, model: &ShellModel, state: &ShellState, watched: &Watched) {
        let widest = ANTICIPATION * model.layers.next_thickness(0);
        if watched.precision.single {
            self.single.begin(&watched.single, state, watched, widest);
        } else {
            self.double.begin(&watched.double, state, watched, widest);
        }
        self.layers.clear();
        if watched.at == state.now {
            self.layers.clone_from(&watched.layers);
        }
        self.layers.resize(watched.pairs.len(), UNKNOWN);
    }

    /// The same after going back to an earlier time, for layers that were added to what was known.
    pub fn begin_again(&mut self, model: &ShellModel, state: &ShellState, watched: &Watched) {
        self.begin(model, state, watched);
        self.layers.fill(UNKNOWN);
    }

    /// Compares distances with those at the last look, one savepoint ago. Pairs that are imminent
    /// count as having their next layer from now on.
    pub fn again(&mut self, model: &ShellModel, state: &ShellState, watched: &Watched) {
        self.imminent.clear();
        self.entered.clear();
        self.close.clear();
        let close = &mut self.close;
        if watched.precision.single {
            self.single.again(&watched.single, state, watched, close);
        } else {
            self.double.again(&watched.double, state, watched, close);
        }
        for close in &self.close {
            let (pair, known) = (watched.pairs[close.pair], &mut self.layers[close.pair]);
            if *known == UNKNOWN {
                *known = state.contacts.layers_of(pair);
            }
            let thickness = model.layers.next_thickness(*known);
            let more = *known + 1 < model.layers.count();
            if more && close.now < thickness {
                self.entered.push(pair);
            } else if more && close.to_come < ANTICIPATION * thickness {
                self.imminent.push(pair);
                *known += 1;
            }
            let limit = if *known + 1 < model.layers.count() {
                ANTICIPATION * model.layers.next_thickness(*known)
            } else {
                0.0
            };
            if watched.precision.single {
                self.single.limit(close, limit);
            } else {
                self.double.limit(close, limit);
            }
        }
        self.imminent.sort_unstable();
        self.entered.sort_unstable();
    }
}

/// Distances to come.
#[derive(Debug, Default)]
pub(crate) struct Outlook {
    single: Gauge<f32>,
    double: Gauge<f64>,
    /// The last answer, in m, in the order of the pairs.
    pub to_come: Vec<f64>,
}

impl Outlook {
    /// How near all pairs will [soon] be whose vertices went from `before` to `now` (m) in one part of a window.
    pub fn measure(
        &mut self,
        watched: &Watched,
        before: impl Iterator<Item = DVec3>,
        now: impl Iterator<Item = DVec3>,
    ) {
        self.to_come.clear();
        let (out, precision) = (&mut self.to_come, watched.precision);
        if precision.single {
            self.single
                .outlook(&watched.single, precision, before, now, out);
        } else {
            self.double
                .outlook(&watched.double, precision, before, now, out);
        }
    }
}

impl Watched {
    /// Finds out how near all pairs will [soon] be whose vertices were at `before` (m) one part of a window before
    /// they were measured.
    pub fn look_back(&mut self, outlook: &mut Outlook, before: impl Iterator<Item = DVec3>) {
        let (now, out) = (&self.distances[..], &mut self.to_come);
        out.clear();
        if self.precision.single {
            let gauge = &mut outlook.single;
            gauge.measure(&self.single, self.precision, before);
            gauge.go_on(&self.single, now, out);
        } else {
            let gauge = &mut outlook.double;
            gauge.measure(&self.double, self.precision, before);
            gauge.go_on(&self.double, now, out);
        }
    }
}

/// A pair below its limit, with its block and its place there; distances now and to come until the next look, in m.
#[derive(Debug, Clone, Copy)]
struct Close {
    pair: usize,
    block: usize,
    lane: usize,
    now: f64,
    to_come: f64,
}

/// Distances in some precision, in m, a row for each block.
#[derive(Debug)]
struct Gauge<T: Real> {
    /// Where all vertices are.
    places: Vec<Quad<T>>,
    now: Vec<Row<T>>,
    /// At the last look.
    last: Vec<Row<T>>,
    /// Pairs that come no nearer than this need no closer look.
    limits: Vec<Row<T>>,
}

impl<T: Real> Default for Gauge<T> {
    fn default() -> Gauge<T> {
        Gauge {
            places: Vec::new(),
            now: Vec::new(),
            last: Vec::new(),
            limits: Vec::new(),
        }
    }
}

impl<T: Real> Gauge<T> {
    fn measure(
        &mut self,
        blocks: &[Stencils<T>],
        precision: Precision,
        vertices: impl Iterator<Item = DVec3>,
    ) {
        if blocks.is_empty() {
            self.now.clear();
            return;
        }
        self.places.clear();
        self.places.extend(vertices.map(|x| precision.place(x)));
        let count = self.places.len();
        pad(&mut self.places, count, [T::of(0.0); 4]);
        measure(blocks, &self.places, &mut self.now);
    }

    /// Distances at the state's time, which the detection may have measured already; all limits are `widest` (m).
    fn begin(
        &mut self,
        blocks: &[Stencils<T>],
        state: &ShellState,
        watched: &Watched,
        widest: f64,
    ) {
        if watched.at == state.now && watched.distances.len() == watched.pairs.len() {
            self.last.resize(blocks.len(), Row::ZERO);
            let mut distances = &watched.distances[..];
            for (block, row) in blocks.iter().zip(&mut self.last) {
                let (own, others) = distances.split_at(block.count);
                for (to, &from) in row.0.as_mut().iter_mut().zip(own) {
                    *to = T::of(from);
                }
                distances = others;
            }
        } else {
            self.measure(blocks, watched.precision, state.places());
            std::mem::swap(&mut self.now, &mut self.last);
        }
        self.limits.clear();
        self.limits
            .resize(blocks.len(), Row(T::each(T::of(widest))));
    }

    /// Lists the pairs that are below their limits or will be at the next look if they go on as since the last.
    fn again(
        &mut self,
        blocks: &[Stencils<T>],
        state: &ShellState,
        watched: &Watched,
        close: &mut Vec<Close>,
    ) {
        self.measure(blocks, watched.precision, state.places());
        Arch::new().dispatch(Compare {
            blocks,
            gauge: self,
            close,
        });
        std::mem::swap(&mut self.now, &mut self.last);
    }

    /// How near all pairs will [soon] be whose vertices went from `before` to `now` (m).
    fn outlook(
        &mut self,
        blocks: &[Stencils<T>],
        precision: Precision,
        before: impl Iterator<Item = DVec3>,
        now: impl Iterator<Item = DVec3>,
        out: &mut Vec<f64>,
    ) {
        self.measure(blocks, precision, before);
        std::mem::swap(&mut self.now, &mut self.last);
        self.measure(blocks, precision, now);
        for ((block, before), now) in blocks.iter().zip(&self.last).zip(&self.now) {
            let both = before.0.as_ref().iter().zip(now.0.as_ref());
            let both = both.map(|(before, now)| soon(before.double(), now.double()));
            out.extend(both.take(block.count));
        }
    }

    /// How near pairs will be that are at distances `now` and were where they have last been measured.
    fn go_on(&self, blocks: &[Stencils<T>], now: &[f64], out: &mut Vec<f64>) {
        let rows = blocks.iter().zip(&self.now);
        let before = rows.flat_map(|(block, row)| row.0.as_ref().iter().take(block.count));
        out.extend(
            before
                .zip(now)
                .map(|(before, &now)| soon(before.double(), now)),
        );
    }

    /// From now on the pair is close below `limit` (m).
    fn limit(&mut self, close: &Close, limit: f64) {
        self.limits[close.block].0.as_mut()[close.lane] = T::of(limit);
    }
}

/// Lists the pairs that come below their limits.
struct Compare<'a, T: Real> {
    blocks: &'a [Stencils<T>],
    gauge: &'a Gauge<T>,
    close: &'a mut Vec<Close>,
}

impl<T: Real> WithSimd for Compare<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Compare {
            blocks,
            gauge,
            close,
        } = self;
        let rows = gauge.now.iter().zip(&gauge.last).zip(&gauge.limits);
        let mut first = 0;
        for (b, (block, ((now, last), limits))) in blocks.iter().zip(rows).enumerate() {
            let (mut to_come, mut bits) = (Row::ZERO, 0);
            for r in 0..registers_of::<S, T>() {
                let (d, last) = (now.get(simd, r), last.get(simd, r));
                let (zero, nearer) = (Wide::all(simd, 0.0), d - last);
                let then = d + nearer.below(zero).choose(nearer, zero);
                to_come.set(r, then);
                let lanes = T::LANES / registers_of::<S, T>();
                bits |= then.below(limits.get(simd, r)).bits() << (r * lanes);
            }
            let mut bits = u32::from(bits) & ((1 << block.count) - 1);
            while bits != 0 {
                let lane = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                close.push(Close {
                    pair: first + lane,
                    block: b,
                    lane,
                    now: now.0.as_ref()[lane].double(),
                    to_come: to_come.0.as_ref()[lane].double(),
                });
            }
            first += block.count;
        }
    }
}
