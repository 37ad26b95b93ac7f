//! The constraints of a pattern cut into blocks of four that follow each other and share no moving particle, and for
//! each block from whom its errors are gathered. Only the pattern matters here, no direction. Contacts come and go and
//! stand at the end of the constraints: the blocks of the cloth's own stay, and only what hangs on contacts is linked
//! again.

use super::constraint::Constraint;
use super::gathered::SLOTS;
use super::incidence::{Pattern, signed_weight};
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
    /// Particles with many constraints.
    pub hubs: Vec<u32>,
    links: Vec<Link>,
    slot: Vec<u16>,
    is_hub: Vec<bool>,
    lasting: Lasting,
    /// Lasting blocks that are linked to contacts, as they are without.
    linked: Vec<(u32, Block)>,
    spread: Vec<Link>,
}

impl Blocks {
    pub fn links_of(&self, block: &Block) -> &[Link] {
        &self.links[block.start as usize..block.end as usize]
    }

    /// Whether there are no more slots needed than there are.
    pub fn fit(&self) -> bool {
        self.list.len() * LANES <= SLOTS
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
        if self.fit() {
            self.link_to_contacts(pattern);
        }
    }

    /// Back to the lasting blocks.
    fn forget_contacts(&mut self) {
        for (index, block) in self.linked.drain(..) {
            self.list[index as usize] = block;
        }
        self.list.truncate(self.lasting.blocks);
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
    fn append(&mut self, pattern: Pattern, range: std::ops::Range<usize>) {
        let (first, end) = (self.list.len(), range.end);
        let mut run = Run::default();
        for index in range {
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
        for index in first..self.list.len() {
            self.link(index, pattern, end);
        }
    }

    /// Links the lasting blocks again that share a particle with a contact.
    fn link_to_contacts(&mut self, pattern: Pattern) {
        let lasting = self.lasting.constraints;
        for contact in &pattern.constraints[lasting..] {
            for end in [contact.a as usize, contact.b as usize] {
                if pattern.inverse_mass[end] == 0.0 || self.is_hub[end] {
                    continue;
                }
                for &other in pattern.incidence.of(end) {
                    if (other as usize) >= lasting {
                        break;
                    }
                    let index = self.slot[other as usize] as usize / LANES;
                    let block = self.list[index];
                    // what is linked again has its links behind those that last
                    if (block.start as usize) < self.lasting.links || block.links() == 0 {
                        self.linked.push((index as u32, block));
                        self.link(index, pattern, pattern.constraints.len());
                    }
                }
            }
        }
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

    /// Finds the links of a block to the constraints before `until`: lane by lane what hangs on the first particles,
    /// then on the second.
    fn link(&mut self, index: usize, pattern: Pattern, until: usize) {
        let (constraints, w) = (pattern.constraints, pattern.inverse_mass);
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
                for &other in pattern.incidence.of(end as usize) {
                    let other = other as usize;
                    if other >= until {
                        break;
                    }
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
