//! What lies between the ranks of a job: programs on one machine or several, each with a share of the regions.

use std::ops::Range;

/// A connection of one rank with all others.
pub trait Uplink: Send {
    /// This rank's number.
    fn rank(&self) -> usize;

    /// How many ranks there are.
    fn ranks(&self) -> usize;

    /// Gives every rank what this one has for it, and returns what each has for this one, by rank. All ranks call it
    /// equally often, and each goes on when all that is for it has come. What is given to oneself is passed over.
    fn exchange(&mut self, out: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, String>;
}

/// Which regions live on which rank: each rank has neighbours in the order in which space was cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Homes {
    pub regions: usize,
    pub ranks: usize,
}

impl Homes {
    /// The regions of a rank.
    pub fn of(self, rank: usize) -> Range<usize> {
        let begin = |rank: usize| rank * self.regions / self.ranks;
        begin(rank)..begin(rank + 1)
    }

    /// The ranks, each with its regions.
    pub fn all(self) -> impl Iterator<Item = (usize, Range<usize>)> {
        (0..self.ranks).map(move |rank| (rank, self.of(rank)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_region_has_one_home_and_shares_are_fair() {
        for ranks in 1..9 {
            for regions in ranks..33 {
                let homes = Homes { regions, ranks };
                let all: Vec<usize> = homes.all().flat_map(|(_, own)| own).collect();
                assert_eq!(all, (0..regions).collect::<Vec<_>>());
                let fair = regions / ranks;
                let is_fair = |(_, own): (usize, Range<usize>)| own.len() - fair <= 1;
                assert!(homes.all().all(is_fair), "{regions} on {ranks} ranks");
            }
        }
    }
}
