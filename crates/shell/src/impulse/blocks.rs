//! The constraints of a pattern cut into blocks of four that follow each other and share no moving particle, and for
//! each block from whom its errors are gathered. Only the pattern matters here, no direction.

use super::constraint::Constraint;
use super::gathered::SLOTS;
use super::incidence::{Incidence, signed_weight};
use super::lanes::{LANES, Lanes};

/// A moving particle with more constraints than this is a hub: its displacement is kept, so that its constraints
/// need not gather from each other.
const HUB: usize = 12;

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
    pub fn constraints(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    /// How many links it has.
    pub fn links(&self) -> u32 {
        self.end - self.start
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

/// One attached constraint for every lane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Link {
    /// Place of its impulse.
    pub slot: [u16; LANES],
    /// Signed inverse mass of the shared particle, 1/kg; 0 where a lane has no such constraint.
    pub weight: Lanes,
}

/// All blocks of a pattern.
#[derive(Debug, Clone, Default)]
pub(crate) struct Blocks {
    pub list: Vec<Block>,
    /// Particles with many constraints.
    pub hubs: Vec<u32>,
    links: Vec<Link>,
    slot: Vec<u16>,
    is_hub: Vec<bool>,
    last: Vec<u32>,
    spread: Vec<Link>,
}

impl Blocks {
    pub fn links_of(&self, block: &Block) -> &[Link] {
        &self.links[block.start as usize..block.end as usize]
    }

    /// Cuts the constraints into blocks and finds who gathers from whom; keeps its buffers.
    pub fn rebuild(&mut self, constraints: &[Constraint], incidence: &Incidence, w: &[f64]) {
        self.find_hubs(constraints, incidence, w);
        self.list.clear();
        self.last.clear();
        self.last.resize(w.len(), u32::MAX);
        let mut run = Run::default();
        for (index, c) in constraints.iter().enumerate() {
            let is_row_end = run.ends_before(c);
            self.place(index, c, is_row_end, w);
        }
        self.links.clear();
        if self.list.len() * LANES > SLOTS {
            return;
        }
        self.slot.clear();
        for (index, block) in self.list.iter().enumerate() {
            let lanes = 0..block.count as usize;
            self.slot
                .extend(lanes.map(|lane| (index * LANES + lane) as u16));
        }
        for index in 0..self.list.len() {
            self.link(index, constraints, incidence, w);
        }
    }

    /// No constraint has two hubs.
    fn find_hubs(&mut self, constraints: &[Constraint], incidence: &Incidence, w: &[f64]) {
        let is_hub = |(p, w): (usize, &f64)| *w > 0.0 && incidence.of(p).len() > HUB;
        self.is_hub.clear();
        self.is_hub.extend(w.iter().enumerate().map(is_hub));
        for c in constraints {
            let (a, b) = c.pair();
            self.is_hub[b] &= !self.is_hub[a];
        }
        self.hubs.clear();
        let hubs = (0..w.len()).filter(|&p| self.is_hub[p]);
        self.hubs.extend(hubs.map(|p| p as u32));
    }

    /// Puts a constraint into the last block if it fits there, otherwise into a new one.
    fn place(&mut self, index: usize, c: &Constraint, is_row_end: bool, w: &[f64]) {
        let (a, b) = c.pair();
        let present = (self.list.len() as u32).wrapping_sub(1);
        let is_taken = |p: usize| w[p] > 0.0 && self.last[p] == present;
        let hub = [c.a, c.b].into_iter().find(|&p| self.is_hub[p as usize]);
        let has_room = |block: &Block| block.hub.is_none() && (block.count as usize) < LANES;
        let fits = hub.is_none() && !is_row_end && !is_taken(a) && !is_taken(b);
        match self.list.last_mut() {
            Some(block) if fits && has_room(block) => block.add(c),
            _ => {
                let mut block = Block::new(index, c);
                if let Some(particle) = hub {
                    block.hub = self.hubs.binary_search(&particle).ok().map(|i| i as u32);
                    block.hub_weight = w[particle as usize];
                    block.hub_sign = if c.a == particle { 1.0 } else { -1.0 };
                }
                self.list.push(block);
            }
        }
        let present = self.list.len() as u32 - 1;
        (self.last[a], self.last[b]) = (present, present);
    }

    /// Finds the links of a block: lane by lane what hangs on the first particles, then on the second.
    fn link(&mut self, index: usize, constraints: &[Constraint], incidence: &Incidence, w: &[f64]) {
        let own: [u16; LANES] = std::array::from_fn(|lane| (index * LANES + lane) as u16);
        let none = Link {
            slot: own,
            weight: [0.0; LANES],
        };
        self.spread.clear();
        let block = &self.list[index];
        for ends in [block.a, block.b] {
            let from = self.spread.len();
            for (lane, c) in block.constraints().enumerate() {
                let (end, mut place) = (ends[lane], from);
                if w[end as usize] == 0.0 || self.is_hub[end as usize] {
                    continue;
                }
                for &other in incidence.of(end as usize) {
                    let other = other as usize;
                    if other == c {
                        continue;
                    }
                    if place == self.spread.len() {
                        self.spread.push(none);
                    }
                    let link = &mut self.spread[place];
                    link.slot[lane] = self.slot[other];
                    link.weight[lane] =
                        signed_weight(w[end as usize], end, &constraints[c], &constraints[other]);
                    place += 1;
                }
            }
        }
        let slots = self.list.len() * LANES;
        let start = self.links.len() as u32;
        for link in &mut self.spread {
            close_up(link, slots);
        }
        let near = self.spread.iter().filter(|link| is_consecutive(link));
        self.links.extend(near);
        let consecutive = self.links.len() as u32 - start;
        let far = self.spread.iter().filter(|link| !is_consecutive(link));
        self.links.extend(far);
        let block = &mut self.list[index];
        (block.start, block.end) = (start, self.links.len() as u32);
        block.consecutive = consecutive;
    }
}

/// Lanes that have no such constraint take the slot that makes the four follow each other, if one of all `slots` does.
fn close_up(link: &mut Link, slots: usize) {
    let Some(lane) = (0..LANES).find(|&lane| link.weight[lane] != 0.0) else {
        return;
    };
    let Some(first) = (link.slot[lane] as usize).checked_sub(lane) else {
        return;
    };
    let follows = |l: usize| link.weight[l] == 0.0 || link.slot[l] as usize == first + l;
    if first + LANES <= slots && (0..LANES).all(follows) {
        link.slot = std::array::from_fn(|l| (first + l) as u16);
    }
}

fn is_consecutive(link: &Link) -> bool {
    (1..LANES).all(|lane| link.slot[lane] as usize == link.slot[0] as usize + lane)
}
