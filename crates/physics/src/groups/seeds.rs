//! Where the searches for closest points ended in the last step, so that the next ones begin there. Part
//! of a group's memory: which of several equally close points is found may depend on it.

use super::contacts::body_id;
use super::gjk::Corners;
use super::memory::{find_from, sort_nearly_sorted, two};
use super::{Member, Memory, Neighbour};

/// Which two cores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SeedKey {
    /// The bodies, in the order in which the pair was given.
    pub bodies: [u32; 2],
    /// Part of the first body in the upper half, part of the second in the lower half.
    pub parts: u32,
    /// The piece of a surface; zero for solids.
    pub piece: u32,
}

/// Where a search ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seed {
    /// Of which cores.
    pub key: SeedKey,
    /// The corners.
    pub corners: Corners,
}

/// A pair's indices, its parts and the piece; and the same in fewer comparisons, by which the list is sorted.
type Place = ((u32, u32), u32, u32);
type Packed = (u64, u64);

fn packed(((i, j), parts, piece): Place) -> Packed {
    (two(i, j), two(parts, piece))
}

fn unpacked((pair, part): Packed) -> Place {
    let halves = |both: u64| ((both >> 32) as u32, both as u32);
    let (parts, piece) = halves(part);
    (halves(pair), parts, piece)
}

/// The seeds of a step, by the places of bodies in it.
#[derive(Default)]
pub(super) struct Seeds {
    /// Sorted; with whether they were used in this step.
    list: Vec<(Packed, Corners, bool)>,
    /// Not in the list yet.
    fresh: Vec<(Packed, Corners, bool)>,
    /// Where the last question was answered: places are asked about in their order.
    last: usize,
}

impl Seeds {
    pub fn clear(&mut self) {
        self.list.clear();
        self.fresh.clear();
        self.last = 0;
    }

    /// Takes over what a group remembers of `pairs`, which are sorted.
    pub fn recall(
        &mut self,
        members: &[Member],
        neighbours: &[Neighbour],
        pairs: &[(u32, u32)],
        memory: &Memory,
    ) {
        self.clear();
        let mut from = 0;
        for &(i, j) in pairs {
            let Some(member) = members.get(i as usize) else {
                continue;
            };
            let bodies = [member.body, body_id(members, neighbours, j as usize)];
            from = find_from(&memory.seeds, from, |s| s.key.bodies < bodies);
            let known = memory.seeds[from..].iter();
            for seed in known.take_while(|s| s.key.bodies == bodies) {
                let place = ((i, j), seed.key.parts, seed.key.piece);
                self.list.push((packed(place), seed.corners, false));
            }
        }
    }

    /// The entry of a place, if it is in the list.
    fn locate(&mut self, place: Packed) -> Option<usize> {
        self.last = find_from(&self.list, self.last, |(p, _, _)| *p < place);
        let found = self.list.get(self.last)?;
        (found.0 == place).then_some(self.last)
    }

    /// Where the search of a pair ended last.
    pub fn get(&mut self, place: Place) -> Corners {
        match self.locate(packed(place)) {
            Some(found) => self.list[found].1,
            None => Corners::default(),
        }
    }

    /// Notes where the search of a pair has ended.
    pub fn set(&mut self, place: Place, corners: Corners) {
        let place = packed(place);
        match self.locate(place) {
            Some(found) => self.list[found] = (place, corners, true),
            None => self.fresh.push((place, corners, true)),
        }
    }

    /// Puts what is new into its place.
    pub fn settle(&mut self) {
        if !self.fresh.is_empty() {
            self.list.append(&mut self.fresh);
            self.last = 0;
            // Two runs, which this sort finds.
            self.list.sort_by_key(|(place, _, _)| *place);
        }
    }

    /// Writes what this step has used to the group's memory.
    pub fn remember(&self, members: &[Member], neighbours: &[Neighbour], memory: &mut Memory) {
        memory.seeds.clear();
        for (place, corners, _) in self.list.iter().filter(|(_, _, used)| *used) {
            let (pair, parts, piece) = unpacked(*place);
            let bodies = [pair.0, pair.1].map(|k| body_id(members, neighbours, k as usize));
            memory.seeds.push(Seed {
                key: SeedKey {
                    bodies,
                    parts,
                    piece,
                },
                corners: *corners,
            });
        }
        // In the order of members already; of one member's partners the neighbours are last.
        sort_nearly_sorted(&mut memory.seeds, |seed| seed.key);
    }
}
