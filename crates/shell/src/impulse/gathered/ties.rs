//! What one block gathers from: its constraints' ties to others that share a moving particle, bundled into links of one
//! tie a lane. Ties whose slots follow each other as their lanes do make a link that is one load.

use crate::impulse::gathered::mirror::NOWHERE;
use crate::impulse::lanes::{LANES, Lanes};

/// One attached constraint for every lane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Link {
    /// Place of its impulse.
    pub slot: [u16; LANES],
    /// Signed inverse mass of the shared particle, 1/kg; 0 where a lane has no such constraint.
    pub weight: Lanes,
}

#[derive(Debug, Clone, Copy)]
struct Tie {
    lane: usize,
    /// Slot of the other constraint.
    slot: u16,
    weight: f64,
    is_linked: bool,
}

/// The ties of a block, while it is linked.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ties {
    all: Vec<Tie>,
    /// The slots at which links would begin that hold a tie's first or second place in its lane.
    first: [Vec<u16>; 2],
    rest: Vec<Link>,
    own: [u16; LANES],
}

impl Ties {
    /// Those of the block with this number.
    pub fn begin(&mut self, block: usize) {
        self.all.clear();
        self.first.iter_mut().for_each(Vec::clear);
        self.own = std::array::from_fn(|lane| (block * LANES + lane) as u16);
    }

    /// One more: in this lane, with a constraint that has these places.
    pub fn add(&mut self, lane: usize, places: [u16; 2], weight: f64) {
        for (place, first) in places.into_iter().zip(&mut self.first) {
            let start = place.checked_sub(lane as u16);
            first.push(start.filter(|_| place != NOWHERE).unwrap_or(NOWHERE));
        }
        self.all.push(Tie {
            lane,
            slot: places[0],
            weight,
            is_linked: false,
        });
    }

    /// Appends links that hold all ties: first those with slots that follow each other, whose number it returns.
    pub fn bundle(&mut self, links: &mut Vec<Link>) -> usize {
        let start = links.len();
        for index in 0..self.all.len() {
            links.extend(self.abreast(index));
        }
        self.gather_rest();
        self.rest.retain(|link| match link.singly() {
            Some(single) => {
                links.extend(single);
                false
            }
            None => true,
        });
        let consecutive = links.len() - start;
        links.append(&mut self.rest);
        consecutive
    }

    /// The link of this tie and others beside it, where more of them are: in first or in second places.
    fn abreast(&mut self, index: usize) -> Option<Link> {
        if self.all[index].is_linked {
            return None;
        }
        let [one, two] = [0, 1].map(|place| self.beside(index, place));
        let lanes = |beside: &[Option<usize>; LANES]| beside.iter().flatten().count();
        let (beside, place) = match lanes(&two) >= lanes(&one) {
            true => (two, 1),
            false => (one, 0),
        };
        if lanes(&beside) < 2 {
            return None;
        }
        let first = self.first[place][index];
        let mut weight = [0.0; LANES];
        for tie in beside.into_iter().flatten() {
            let tie = &mut self.all[tie];
            tie.is_linked = true;
            weight[tie.lane] = tie.weight;
        }
        let slot = std::array::from_fn(|lane| first + lane as u16);
        Some(Link { slot, weight })
    }

    /// Ties that one link can hold with this one, by lane.
    fn beside(&self, index: usize, place: usize) -> [Option<usize>; LANES] {
        let mut beside = [None; LANES];
        let first = self.first[place][index];
        if first == NOWHERE {
            return beside;
        }
        for (other, &start) in self.first[place].iter().enumerate().skip(index) {
            if start == first && !self.all[other].is_linked {
                beside[self.all[other].lane].get_or_insert(other);
            }
        }
        beside
    }

    /// Puts what is not linked into as few links as the lanes allow.
    fn gather_rest(&mut self) {
        for tie in self.all.iter_mut().filter(|tie| !tie.is_linked) {
            let is_free = |link: &Link| link.weight[tie.lane] == 0.0;
            let place = self.rest.iter().position(is_free);
            let place = place.unwrap_or_else(|| {
                self.rest.push(Link {
                    slot: self.own,
                    weight: [0.0; LANES],
                });
                self.rest.len() - 1
            });
            self.rest[place].slot[tie.lane] = tie.slot;
            self.rest[place].weight[tie.lane] = tie.weight;
        }
    }
}

/// Up to so many scattered places are read one by one: each with what lies beside it, of which nothing is taken.
const FEW: usize = 2;

impl Link {
    /// Links of one tie each, if it has few.
    fn singly(&self) -> Option<impl Iterator<Item = Link> + use<>> {
        let Link { slot, weight } = *self;
        let used = (0..LANES).filter(move |&lane| weight[lane] != 0.0);
        let has_room = |lane: usize| slot[lane] as usize >= lane;
        if used.clone().count() > FEW || !used.clone().all(has_room) {
            return None;
        }
        let only = move |lane: usize| Link {
            slot: std::array::from_fn(|other| slot[lane] - lane as u16 + other as u16),
            weight: std::array::from_fn(|other| if other == lane { weight[lane] } else { 0.0 }),
        };
        Some(used.map(only))
    }
}
