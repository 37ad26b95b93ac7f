//! What a contact group's step is made in: buffers that the next step uses again.

use super::candidates::Sweep;
use super::joints::Tie;
use physics::groups::{Report, Scratch};
use warp::Column;

/// The place among the members of a body that is none.
pub(super) const NO_MEMBER: u32 = u32::MAX;

/// Buffers of a step, reused.
#[derive(Default)]
pub(super) struct Workshop {
    /// In a box that is taken out of here for a step and put back: it is large.
    pub scratch: Option<Box<Scratch>>,
    pub report: Report,
    pub sweep: Sweep,
    pub neighbours: Vec<u32>,
    pub pairs: Vec<(u32, u32)>,
    /// Joints of the members.
    pub ties: Vec<Tie>,
    /// For steps that multibodies take part in.
    pub trees: crate::multibodies::StepRoom,
    /// Per body: its place among the members, or [`NO_MEMBER`].
    pub places: Column<u32>,
}

impl Workshop {
    /// Buffers for a branch: empty, but for the place of every body, which is shared.
    pub fn branch(&mut self) -> Self {
        Workshop {
            places: self.places.branch(),
            ..Workshop::default()
        }
    }

    /// Takes back what no branch shares any more.
    pub fn reclaim(&mut self) {
        self.places.reclaim();
    }

    /// The pairs of a member's place and a neighbour's body that were found last.
    pub fn pairs_with_neighbours(&self, members: usize) -> Vec<(u32, u32)> {
        let of = |&(place, other): &(u32, u32)| {
            let index = (other as usize).checked_sub(members)?;
            Some((place, self.neighbours[index]))
        };
        self.pairs.iter().filter_map(of).collect()
    }
}
