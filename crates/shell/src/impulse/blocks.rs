//! The constraints of a pattern cut into blocks of four that follow each other and share no moving particle, and for
//! each block from whom its errors are gathered. Only the pattern matters here, no direction. Contacts come and go and
//! stand at the end of the constraints: the blocks of the cloth's own stay, and only what hangs on contacts is linked
//! again.

use std::ops::Range;

use super::constraint::Constraint;
use super::incidence::{Pattern, signed_weight};
use super::lanes::{LANES, Lanes};
use super::mirror::{Mirror, NOWHERE};
use super::ties::{Link, Ties};

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

/// The part of the blocks that does not change with the contacts.
#[derive(Debug, Clone, Default)]
struct Lasting {
    constraints: usize,
    blocks: usize,
    links: usize,
    /// Hubs when it was made, if one of its constraints hangs on a hub.
    hubs: Option<Vec<u32>>,
    is_made: bool,
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
    is_hub: Vec<bool>,
    mirror: Mirror,
    lasting: Lasting,
    /// Lasting blocks that are linked to contacts, as they are without.
    linked: Vec<(u32, Block)>,
    is_linked: Vec<bool>,
    ties: Ties,
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

    /// The slot from which on there are second places.
    pub fn mirror_start(&self) -> usize {
        self.mirror.start()
    }

    /// Slots of the second places, and which slots they repeat.
    pub fn mirrored(&self) -> impl Iterator<Item = (u16, u16)> + '_ {
        self.mirror.places(&self.slot)
    }

    /// Whether there are no more slots needed than there are.
    pub fn fit(&self) -> bool {
        self.list.len() * LANES < self.mirror.start()
    }

    /// Cuts the constraints into blocks and finds who gathers from whom; keeps its buffers, and what it knows of the
    /// `lasting` first constraints. The result depends on the pattern alone and not on what was known.
    pub fn rebuild(&mut self, pattern: Pattern, lasting: usize) {
        self.forget_contacts();
        let hubs = self.find_hubs(pattern, lasting);
        let is_known = self.lasting.is_made
            && self.lasting.constraints == lasting
            && self.lasting.hubs == hubs;
        if !is_known {
            self.list.clear();
            self.links.clear();
            self.slot.clear();
            self.mirror.clear();
            self.append(pattern, 0..lasting);
            self.lasting = Lasting {
                constraints: lasting,
                blocks: self.list.len(),
                links: self.links.len(),
                hubs,
                is_made: self.fit(),
            };
        }
        self.append(pattern, lasting..pattern.constraints.len());
    }

    /// Back to the lasting blocks.
    fn forget_contacts(&mut self) {
        for (index, block) in self.linked.drain(..) {
            self.list[index as usize] = block;
        }
        self.list.truncate(self.lasting.blocks);
        self.mirror_of.truncate(self.lasting.blocks);
        self.mirror.truncate(self.lasting.constraints);
        self.links.truncate(self.lasting.links);
        self.slot.truncate(self.lasting.constraints);
    }

    /// No constraint has two hubs. Gives the hubs if one of the `lasting` constraints hangs on one.
    fn find_hubs(&mut self, pattern: Pattern, lasting: usize) -> Option<Vec<u32>> {
        let w = pattern.inverse_mass;
        let is_hub = |(p, w): (usize, &f64)| *w > 0.0 && pattern.incidence.of(p).len() > HUB;
        self.is_hub.clear();
        self.is_hub.extend(w.iter().enumerate().map(is_hub));
        self.hubs.clear();
        if !self.is_hub.contains(&true) {
            return None;
        }
        for c in pattern.constraints {
            let (a, b) = c.pair();
            self.is_hub[b] &= !self.is_hub[a];
        }
        let hubs = (0..w.len()).filter(|&p| self.is_hub[p]);
        self.hubs.extend(hubs.map(|p| p as u32));
        let hangs = |c: &Constraint| self.is_hub[c.a as usize] || self.is_hub[c.b as usize];
        let is_any = pattern.constraints[..lasting].iter().any(hangs);
        is_any.then(|| self.hubs.clone())
    }

    /// Cuts the constraints of a range into blocks of their own and links those to all constraints up to its end.
    fn append(&mut self, pattern: Pattern, range: Range<usize>) {
        let first = self.list.len();
        let mut run = Run::default();
        for index in range.clone() {
            let c = &pattern.constraints[index];
            let is_row_end = run.ends_before(c) || self.list.len() == first;
            self.place(index, c, is_row_end, pattern.inverse_mass);
        }
        if !self.fit() {
            return;
        }
        for (index, block) in self.list.iter().enumerate().skip(first) {
            let lanes = 0..block.count as usize;
            self.slot
                .extend(lanes.map(|lane| (index * LANES + lane) as u16));
        }
        self.find_neighbours(pattern, &range);
        self.find_mirror(pattern, &range, first);
        for index in first..self.list.len() {
            self.link(index, pattern, 0..range.end);
        }
        for index in 0..self.linked.len() {
            self.link(self.linked[index].0 as usize, pattern, range.clone());
        }
    }

    /// Finds the lasting blocks that share a particle with the contacts in the range, which are to be linked again.
    fn find_neighbours(&mut self, pattern: Pattern, range: &Range<usize>) {
        let lasting = range.start;
        self.is_linked.clear();
        self.is_linked.resize(self.lasting.blocks, false);
        for contact in &pattern.constraints[range.clone()] {
            for end in [contact.a as usize, contact.b as usize] {
                if pattern.inverse_mass[end] == 0.0 || self.is_hub[end] {
                    continue;
                }
                for &other in pattern.incidence.of(end) {
                    if (other as usize) >= lasting {
                        break;
                    }
                    let index = self.slot[other as usize] as usize / LANES;
                    if !std::mem::replace(&mut self.is_linked[index], true) {
                        self.linked.push((index as u32, self.list[index]));
                    }
                }
            }
        }
    }

    /// Gives second places to constraints of the range that blocks want side by side and that are not. The blocks are
    /// those from `first` on, or those that are linked again.
    fn find_mirror(&mut self, pattern: Pattern, range: &Range<usize>, first: usize) {
        let (is_hub, w) = (&self.is_hub, pattern.inverse_mass);
        let is_gathered = |p: u32| w[p as usize] > 0.0 && !is_hub[p as usize];
        let own = self.list[first..].iter().filter(|_| first == 0);
        for block in own.chain(self.linked.iter().map(|(_, block)| block)) {
            for ends in [block.a, block.b] {
                for pair in ends[..block.count as usize].windows(2) {
                    if is_gathered(pair[0]) && is_gathered(pair[1]) {
                        let pair = [pair[0], pair[1]];
                        self.mirror.want_abreast(pattern, range, pair, &self.slot);
                    }
                }
            }
        }
        match first {
            0 => self.mirror.lay_out(range.end, self.list.len() * LANES),
            _ => self.mirror.lay_out_more(range.end),
        }
        let place = |block: &Block, lane: usize| match lane < block.count as usize {
            true => self.mirror.of(block.first as usize + lane),
            false => NOWHERE,
        };
        let places = |block: &Block| std::array::from_fn(|lane| place(block, lane));
        self.mirror_of.truncate(first);
        self.mirror_of.extend(self.list[first..].iter().map(places));
    }

    /// Puts a constraint into the last block if it fits there, otherwise into a new one.
    fn place(&mut self, index: usize, c: &Constraint, is_row_end: bool, w: &[f64]) {
        let is_taken = |block: &Block, p: u32| {
            w[p as usize] > 0.0 && (block.a.contains(&p) || block.b.contains(&p))
        };
        let hub = [c.a, c.b].into_iter().find(|&p| self.is_hub[p as usize]);
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
                if let Some(particle) = hub {
                    block.hub = self.hubs.binary_search(&particle).ok().map(|i| i as u32);
                    block.hub_weight = w[particle as usize];
                    block.hub_sign = if c.a == particle { 1.0 } else { -1.0 };
                }
                self.list.push(block);
            }
        }
    }

    /// Links a block to `others`, and to what it is linked to already.
    fn link(&mut self, index: usize, pattern: Pattern, others: Range<usize>) {
        let (constraints, w) = (pattern.constraints, pattern.inverse_mass);
        let block = &mut self.list[index];
        self.ties.begin(index);
        for ends in [block.a, block.b] {
            for (lane, c) in block.constraints().enumerate() {
                let end = ends[lane];
                if w[end as usize] == 0.0 || self.is_hub[end as usize] {
                    continue;
                }
                let attached = pattern.incidence.of(end as usize).iter();
                let attached = attached.map(|&other| other as usize);
                for other in attached.filter(|other| others.contains(other) && *other != c) {
                    let (one, two) = (&constraints[c], &constraints[other]);
                    let places = [self.slot[other], self.mirror.of(other)];
                    let weight = signed_weight(w[end as usize], end, one, two);
                    self.ties.add(lane, places, weight);
                }
            }
        }
        let far = (block.start + block.consecutive) as usize;
        let known = [block.start as usize..far, far..block.end as usize];
        block.start = self.links.len() as u32;
        block.consecutive = self.ties.bundle(known, &mut self.links) as u32;
        block.end = self.links.len() as u32;
    }
}
