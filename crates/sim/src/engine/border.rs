//! The border of a region: which bodies are its own, which of them its neighbours know, and what it was told of
//! theirs. A region owns bodies by place. It does all that happens to them; what happens between two owners' bodies
//! both compute, and nothing is sent. What happens to a body that a neighbour knows, and in which the neighbour owns
//! nobody, is a *fact* for the neighbour: a segment that it begins on its ghost of the body, at the event's own place
//! in the total order.
//!
//! Nothing is missed as long as the boxes of a region's own bodies lie inside its hull (its cell and a margin), and
//! every body whose box reaches into another region's hull is known there: two bodies that touch are then known to
//! the owners of both.

use super::Origin;
use crate::grid::{Bounds, Standing};
use crate::world::{Kind as BodyKind, World};
use physics::{Flight, Quat, Vec3};
use std::collections::BTreeMap;
use warp::{EventOrder, Moment, Tick};

/// The owner of a body that every region has.
const EVERYBODY: u8 = u8::MAX;

/// A segment as one region tells another of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carried {
    pub order: EventOrder,
    pub flight: Flight,
    pub rotation: Quat,
    pub spin: Vec3,
    pub(super) origin: Origin,
}

impl PartialEq for Carried {
    /// Whether the body does the same: how it came about follows from that.
    fn eq(&self, other: &Self) -> bool {
        self.order == other.order
            && self.flight.position == other.flight.position
            && self.flight.velocity == other.flight.velocity
            && self.flight.model == other.flight.model
            && self.rotation == other.rotation
            && self.spin == other.spin
            && self.origin.storm == other.origin.storm
            && self.origin.flurry == other.origin.flurry
    }
}

/// What regions say to each other while a window is worked off.
#[derive(Clone, Debug)]
pub(crate) enum Message {
    /// A body comes into sight: the segment that it is on at GVT, and the facts since.
    Import(Carried, Vec<Carried>),
    /// A segment of a ghost.
    Fact(Carried),
    /// A fact does not hold.
    Retract(u32, EventOrder),
    /// A ghost is out of sight.
    Drop(u32),
}

/// A body changes its owner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Migration {
    pub body: u32,
    pub from: u8,
    pub to: u8,
    /// The regions that know it as a ghost afterwards, one bit each.
    pub known: u32,
}

/// See the module's text.
#[derive(Clone, Debug)]
pub(crate) struct Border {
    own: u8,
    /// By body.
    owners: Vec<u8>,
    /// Lower and upper corner of where bodies of this region are before they should belong to another.
    home: [Vec3; 2],
    /// By region: where the boxes of its bodies must lie.
    hulls: Vec<Bounds>,
    /// Where no other region's hull reaches.
    inner: Bounds,
    /// By body of this region: the regions that know it, one bit each.
    known: Vec<u32>,
    /// Bodies that have come into another region's sight since the last flush.
    fresh: Vec<(u32, u8)>,
    /// Bodies whose boxes may have left the sight of some region.
    faded: Vec<u32>,
    /// Bodies that others know and that have changed since the last flush.
    changed: Vec<u32>,
    is_changed: Vec<bool>,
    /// What was said since GVT of a body to a region; an entry for every region that knows it.
    sent: BTreeMap<(u32, u8), Vec<Carried>>,
    /// What was heard, by ghost and place in the order.
    facts: BTreeMap<(u32, EventOrder), Carried>,
    /// Bodies of this region whose boxes are not inside of its hull, and from when on.
    leavers: Vec<(u32, Tick)>,
}

impl Border {
    /// The border of region `own`, where bodies are owned by `owners` (by place at the start) and each region has
    /// a hull; no other hull reaches into `inner`, and bodies of this region change their owner outside of `home`.
    pub fn new(
        world: &World,
        own: u8,
        owners: &[u8],
        hulls: &[Bounds],
        (home, inner): ([Vec3; 2], Bounds),
    ) -> Self {
        let bodies = world.bodies.len();
        let owner = |body: usize| match world.bodies[body].kind {
            BodyKind::Dynamic => owners[body],
            _ => EVERYBODY,
        };
        Border {
            own,
            owners: (0..bodies).map(owner).collect(),
            home,
            hulls: hulls.to_vec(),
            inner,
            known: vec![0; bodies],
            fresh: Vec::new(),
            faded: Vec::new(),
            changed: Vec::new(),
            is_changed: vec![false; bodies],
            sent: BTreeMap::new(),
            facts: BTreeMap::new(),
            leavers: Vec::new(),
        }
    }

    /// The regions' hulls are others from now on; nobody is said to leave his.
    pub fn recut(&mut self, hulls: &[Bounds], (home, inner): ([Vec3; 2], Bounds)) {
        self.hulls = hulls.to_vec();
        (self.home, self.inner) = (home, inner);
        self.leavers.clear();
    }

    /// The number of the region.
    pub fn own(&self) -> u8 {
        self.own
    }

    /// Whose a body is.
    pub fn standing(&self, body: u32) -> Standing {
        match self.owners[body as usize] {
            EVERYBODY => Standing::Shared,
            owner if owner == self.own => Standing::Own,
            _ => Standing::Ghost,
        }
    }

    /// Whether this region tells the history of a body: its owner does, and the first region of what all have.
    #[inline]
    pub fn tells_of(&self, body: u32) -> bool {
        let owner = self.owners[body as usize];
        owner == self.own || (owner == EVERYBODY && self.own == 0)
    }

    /// Whether a body belongs to a region.
    pub fn is_owned_by(&self, body: u32, region: u8) -> bool {
        self.owners.get(body as usize) == Some(&region)
    }

    /// Whether a body is this region's own.
    #[inline]
    pub fn is_own(&self, body: u32) -> bool {
        self.owners[body as usize] == self.own
    }

    // What others must know.

    /// Whether a box lies inside of the region's hull.
    #[inline]
    pub fn holds(&self, bounds: &Bounds) -> bool {
        self.inner.holds(bounds) || self.hulls[self.own as usize].holds(bounds)
    }

    /// The regions whose hulls a box reaches, one bit each.
    fn reached(&self, bounds: &Bounds) -> u32 {
        let mut reached = 0;
        for (region, hull) in self.hulls.iter().enumerate() {
            reached |= u32::from(hull.overlaps(bounds)) << region;
        }
        reached
    }

    /// Whether a body at a place should be this region's rather than another's.
    pub fn is_home(&self, place: Vec3) -> bool {
        let [lo, hi] = self.home;
        place.cmpge(lo).all() && place.cmple(hi).all()
    }

    /// A body of this region has looked ahead from a tick on: notes whether it cannot be kept inside of the hull.
    pub fn note_leaving(&mut self, body: u32, from: Tick, is_inside: bool) {
        if !self.leavers.is_empty() {
            self.leavers.retain(|(leaver, _)| *leaver != body);
        }
        if !is_inside {
            self.leavers.push((body, from));
        }
    }

    /// The first tick from which on a body is not inside of the hull.
    pub fn leaves_at(&self) -> Tick {
        let ticks = self.leavers.iter().map(|(_, from)| *from);
        ticks.min().unwrap_or(Tick::MAX)
    }

    /// A body of this region has a new box: notes into whose sight it comes.
    #[inline]
    pub fn note_box(&mut self, body: u32, bounds: &Bounds) {
        let known = self.known[body as usize];
        if known == 0 && self.inner.holds(bounds) {
            return;
        }
        let reached = self.reached(bounds) & !(1 << self.own);
        for region in bits(reached & !known) {
            self.fresh.push((body, region));
        }
        if known & !reached != 0 {
            self.faded.push(body);
        }
        self.known[body as usize] = known | reached;
    }

    /// A body's worldline has changed.
    #[inline]
    pub fn note_changed(&mut self, body: u32) {
        let place = body as usize;
        if self.known.get(place).is_some_and(|known| *known != 0)
            && !std::mem::replace(&mut self.is_changed[place], true)
        {
            self.changed.push(body);
        }
    }

    /// Bodies that have come into a region's sight since this was asked last, in the order of bodies.
    pub fn take_fresh(&mut self) -> Vec<(u32, u8)> {
        self.fresh.sort_unstable();
        std::mem::take(&mut self.fresh)
    }

    /// Bodies that others know and that have changed since this was asked last.
    pub fn take_changed(&mut self) -> Vec<u32> {
        for &body in &self.changed {
            self.is_changed[body as usize] = false;
        }
        std::mem::take(&mut self.changed)
    }

    /// The regions that know a body.
    pub fn knowing(&self, body: u32) -> impl Iterator<Item = u8> + use<> {
        bits(self.known[body as usize])
    }

    /// Compares what there is to say of a body to a region with what was said; returns the messages that make up the
    /// difference, or what there is to say, if nothing was ever said.
    pub fn say(&mut self, body: u32, to: u8, facts: Vec<Carried>, out: &mut Vec<Message>) {
        let said = self.sent.entry((body, to)).or_default();
        for old in said.iter().filter(|old| !facts.contains(old)) {
            out.push(Message::Retract(body, old.order));
        }
        for new in facts.iter().filter(|new| !said.contains(new)) {
            out.push(Message::Fact(*new));
        }
        *said = facts;
    }

    /// A body comes into a region's sight, which is told all there is to say.
    pub fn introduce(&mut self, body: u32, to: u8, facts: Vec<Carried>) {
        self.sent.insert((body, to), facts);
    }

    /// Bodies that some region knows, with their numbers, each once.
    pub fn abroad(&self) -> Vec<u32> {
        let mut bodies: Vec<u32> = self.sent.keys().map(|(body, _)| *body).collect();
        bodies.dedup();
        bodies
    }

    /// The regions that know a body and that its box does not reach, for bodies whose boxes have changed so; they are
    /// not said to know it any more.
    pub fn take_faded(&mut self, reach: impl Fn(u32) -> Bounds) -> Vec<(u32, u8)> {
        let mut faded = std::mem::take(&mut self.faded);
        faded.sort_unstable();
        faded.dedup();
        let mut gone = Vec::new();
        for body in faded {
            let reached = self.reached(&reach(body));
            for region in bits(self.known[body as usize] & !reached) {
                self.known[body as usize] &= !(1 << region);
                self.sent.remove(&(body, region));
                gone.push((body, region));
            }
        }
        gone
    }

    /// The move of a body of this region to another that knows it.
    pub fn migration(&self, body: u32, to: u8) -> Option<Migration> {
        let known = self.known[body as usize];
        let is_known_there = known & (1 << to) != 0;
        (self.is_own(body) && is_known_there).then_some(Migration {
            body,
            from: self.own,
            to,
            known: (known | 1 << self.own) & !(1 << to),
        })
    }

    /// A body has another owner from now on.
    pub fn migrate(&mut self, migration: &Migration) {
        let Migration {
            body,
            from,
            to,
            known,
        } = *migration;
        self.owners[body as usize] = to;
        if from == self.own {
            self.leavers.retain(|(leaver, _)| *leaver != body);
            for region in bits(self.known[body as usize]) {
                self.sent.remove(&(body, region));
            }
            self.known[body as usize] = 0;
        } else if to == self.own {
            self.known[body as usize] = known;
            for region in bits(known) {
                self.sent.insert((body, region), Vec::new());
            }
        }
    }

    // What others have said.

    /// Keeps a fact.
    pub fn hear(&mut self, fact: Carried) {
        self.facts.insert((fact.flight.body, fact.order), fact);
    }

    /// Forgets a fact.
    pub fn unhear(&mut self, body: u32, order: EventOrder) {
        self.facts.remove(&(body, order));
    }

    /// The fact about a body at a place in the order.
    pub fn fact(&self, body: u32, order: EventOrder) -> Option<&Carried> {
        self.facts.get(&(body, order))
    }

    /// The first fact about a body after a place in the order.
    pub fn next_fact(&self, body: u32, order: EventOrder) -> Option<EventOrder> {
        use std::ops::Bound::{Excluded, Included};
        if self.facts.is_empty() {
            return None;
        }
        let range = (Excluded((body, order)), Included((body, EventOrder::MAX)));
        self.facts.range(range).next().map(|((_, order), _)| *order)
    }

    /// GVT has passed: what lies before it is nobody's concern.
    pub fn expire(&mut self, gvt: Tick) {
        self.facts.retain(|(_, order), _| order.moment.tick >= gvt);
        let before = EventOrder::before(Moment::at(gvt));
        for said in self.sent.values_mut() {
            said.retain(|fact| fact.order >= before);
        }
    }
}

/// The numbers of the bits that are set.
fn bits(mut mask: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let next = (mask != 0).then(|| mask.trailing_zeros() as u8)?;
        mask &= mask - 1;
        Some(next)
    })
}
