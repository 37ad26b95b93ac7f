//! The cloth's own constraints cut into blocks of four that follow each other and share no moving particle, and for
//! each block from whom its errors are gathered. Only the pattern matters here, no direction, and it is found once;
//! contacts come and go and are no part of it.

use std::ops::Range;

use crate::impulse::gathered::mirror::{Mirror, NOWHERE};
use crate::impulse::gathered::ties::{Link, Ties};
use crate::impulse::lanes::{LANES, Lanes};
use crate::impulse::model::constraint::Constraint;
use crate::impulse::model::incidence::{Pattern, signed_weight};

/// A moving particle with more constraints than this is a hub: its displacement is kept, so that its constraints
/// need not gather from each other.
const HUB: usize = 7;

/// Up to four constraints that do not couple. Lanes without a constraint repeat the first, and demand nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block {
    first: u32,
    pub count: u32,
    /// Its links; so many of the first of them have slots that follow each other.
    start: u32,
    end: u32,
    pub consecutive: u32,
    /// The hub that its only constraint hangs on, by place in `Blocks::hubs`; its inverse mass, and -1 where it is the
    /// second particle.
    pub hub: Option<u32>,
    pub hub_weight: f64,
    pub hub_sign: f64,
    /// Particles.
    pub a: [u32; LANES],
    pub b: [u32; LANES],
    /// Effective masses.
    pub mass: Lanes,
}

impl Block {
    /// The constraints, one a lane.
    pub fn constraints(&self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    fn new(index: usize, c: &Constraint) -> Self {
        let mut block = Block {
            first: index as u32,
            count: 0,
            start: 0,
            end: 0,
            consecutive: 0,
            hub: None,
            hub_weight: 0.0,
            hub_sign: 0.0,
            a: [c.a; LANES],
            b: [c.b; LANES],
            mass: [c.effective_mass; LANES],
        };
        block.add(c);
        block
    }

    fn add(&mut self, c: &Constraint) {
        let lane = self.count as usize;
        (self.a[lane], self.b[lane]) = (c.a, c.b);
        self.mass[lane] = c.effective_mass;
        self.count += 1;
    }
}

/// Constraints whose particles follow each other by equal steps, as those of a row of a weave do. A row begins with a
/// block of its own, so that the same lanes of neighbouring rows are neighbours.
#[derive(Debug, Default)]
struct Run {
    last: [u32; 2],
    step: [u32; 2],
    length: usize,
}

impl Run {
    /// Whether a row ends before this constraint.
    fn ends_before(&mut self, c: &Constraint) -> bool {
        let step = [
            c.a.wrapping_sub(self.last[0]),
            c.b.wrapping_sub(self.last[1]),
        ];
        self.last = [c.a, c.b];
        if step == self.step {
            self.length += 1;
            return false;
        }
        let is_end = self.length >= LANES;
        (self.step, self.length) = (step, 0);
        is_end
    }
}

/// All blocks of a pattern.
#[derive(Debug, Clone, Default)]
pub(crate) struct Blocks {
    pub list: Vec<Block>,
    /// Second places of their impulses.
    pub mirror_of: Vec<[u16; LANES]>,
    /// Particles with many constraints.
    pub hubs: Vec<u32>,
    links: Vec<Link>,
    slot: Vec<u16>,
    mirror: Mirror,
    /// Constraints that it was made for.
    constraints: Option<usize>,
}

impl Blocks {
    /// The links of a block: first those whose slots follow each other, then the rest.
    pub fn links_of(&self, block: &Block) -> (&[Link], &[Link]) {
        let links = &self.links[block.start as usize..block.end as usize];
        links.split_at(block.consecutive as usize)
    }

    /// How many links there are.
    pub fn links(&self) -> usize {
        self.links.len()
    }

    /// The slot of a constraint.
    pub fn slot_of(&self, constraint: usize) -> u16 {
        self.slot[constraint]
    }

    /// The effective mass of the constraint in a slot, kg.
    pub fn mass_of(&self, slot: u16) -> f64 {
        let slot = slot as usize;
        self.list[slot / LANES].mass[slot % LANES]
    }

    /// The hub that a particle is, if it is one.
    pub fn hub_of(&self, particle: u32) -> Option<u32> {
        let place = self.hubs.binary_search(&particle).ok()?;
        Some(place as u32)
    }

    /// The slot from which on there are second places.
    pub fn mirror_start(&self) -> usize {
        self.mirror.start()
    }

    /// Whether there are no more slots needed than there are.
    pub fn fit(&self) -> bool {
        self.list.len() * LANES < NOWHERE as usize
    }

    /// Slots in use, with three more behind the last.
    pub fn slots(&self) -> usize {
        self.mirror.end().max(self.list.len() * LANES) + LANES
    }

    /// Cuts the first `lasting` constraints into blocks and finds who gathers from whom. False if that was done.
    pub fn build(&mut self, pattern: Pattern, lasting: usize) -> bool {
        if self.constraints == Some(lasting) {
            return false;
        }
        *self = Blocks {
            constraints: Some(lasting),
            ..Blocks::default()
        };
        self.find_hubs(pattern, lasting);
        let mut run = Run::default();
        for (index, c) in pattern.constraints[..lasting].iter().enumerate() {
            let is_row_end = run.ends_before(c);
            self.place(index, c, is_row_end, pattern.inverse_mass);
        }
        if !self.fit() {
            return true;
        }
        for (index, block) in self.list.iter().enumerate() {
            let lanes = 0..block.count as usize;
            self.slot
                .extend(lanes.map(|lane| (index * LANES + lane) as u16));
        }
        self.find_mirror(pattern, lasting);
        let mut ties = Ties::default();
        for index in 0..self.list.len() {
            self.link(index, pattern, lasting, &mut ties);
        }
        true
    }

    /// No constraint has two hubs.
    fn find_hubs(&mut self, pattern: Pattern, lasting: usize) {
        let w = pattern.inverse_mass;
        let count = |p: usize| {
            let attached = pattern.incidence.of(p);
            attached.partition_point(|&c| (c as usize) < lasting)
        };
        let is_crowded = |p: usize| w[p] > 0.0 && count(p) > HUB;
        let mut is_hub: Vec<bool> = (0..w.len()).map(is_crowded).collect();
        for c in &pattern.constraints[..lasting] {
            let (a, b) = c.pair();
            is_hub[b] &= !is_hub[a];
        }
        let hubs = (0..w.len()).filter(|&p| is_hub[p]);
        self.hubs.extend(hubs.map(|p| p as u32));
    }

    /// Whether constraints gather from each other what happens to this particle.
    fn is_gathered(&self, pattern: Pattern, particle: u32) -> bool {
        pattern.inverse_mass[particle as usize] > 0.0 && self.hub_of(particle).is_none()
    }

    /// Gives second places to constraints that blocks want side by side and that are not.
    fn find_mirror(&mut self, pattern: Pattern, lasting: usize) {
        let mut mirror = Mirror::default();
        for block in &self.list {
            for ends in [block.a, block.b] {
                for pair in ends[..block.count as usize].windows(2) {
                    if pair.iter().all(|&p| self.is_gathered(pattern, p)) {
                        let pair = [pair[0], pair[1]];
                        mirror.want_abreast(pattern, lasting, pair, &self.slot);
                    }
                }
            }
        }
        mirror.lay_out(lasting, self.list.len() * LANES);
        let place = |block: &Block, lane: usize| match lane < block.count as usize {
            true => mirror.of(block.first as usize + lane),
            false => NOWHERE,
        };
        let places = |block: &Block| std::array::from_fn(|lane| place(block, lane));
        self.mirror_of.extend(self.list.iter().map(places));
        self.mirror = mirror;
    }

    /// Puts a constraint into the last block if it fits there, otherwise into a new one.
    fn place(&mut self, index: usize, c: &Constraint, is_row_end: bool, w: &[f64]) {
        let is_taken = |block: &Block, p: u32| {
            w[p as usize] > 0.0 && (block.a.contains(&p) || block.b.contains(&p))
        };
        let hub = [c.a, c.b]
            .into_iter()
            .find_map(|p| Some((p, self.hub_of(p)?)));
        let has_room = |block: &Block| {
            block.hub.is_none()
                && (block.count as usize) < LANES
                && !is_taken(block, c.a)
                && !is_taken(block, c.b)
        };
        match self.list.last_mut() {
            Some(block) if hub.is_none() && !is_row_end && has_room(block) => block.add(c),
            _ => {
                let mut block = Block::new(index, c);
                if let Some((particle, hub)) = hub {
                    block.hub = Some(hub);
                    block.hub_weight = w[particle as usize];
                    block.hub_sign = if c.a == particle { 1.0 } else { -1.0 };
                }
                self.list.push(block);
            }
        }
    }

    /// Finds the links of a block.
    fn link(&mut self, index: usize, pattern: Pattern, lasting: usize, ties: &mut Ties) {
        let (constraints, w) = (pattern.constraints, pattern.inverse_mass);
        let block = self.list[index];
        ties.begin(index);
        for ends in [block.a, block.b] {
            for (lane, c) in block.constraints().enumerate() {
                let end = ends[lane];
                if !self.is_gathered(pattern, end) {
                    continue;
                }
                let attached = pattern.incidence.of(end as usize).iter();
                let attached = attached.map(|&other| other as usize);
                for other in attached.filter(|&other| other < lasting && other != c) {
                    let (one, two) = (&constraints[c], &constraints[other]);
                    let places = [self.slot[other], self.mirror.of(other)];
                    let weight = signed_weight(w[end as usize], end, one, two);
                    ties.add(lane, places, weight);
                }
            }
        }
        let start = self.links.len();
        let consecutive = ties.bundle(&mut self.links);
        let block = &mut self.list[index];
        (block.start, block.end) = (start as u32, self.links.len() as u32);
        block.consecutive = consecutive as u32;
    }
}
