//! Where the ranks of a job meet that have a share of a world's regions: everybody gives everybody what there is for them,
//! and goes on when all has come.

use crate::job::Job;
use mpi::collective::CommunicatorCollectives;
use mpi::point_to_point::{Destination, Source};
use mpi::request::multiple_scope;
use mpi::topology::{Communicator, SimpleCommunicator};
use sim::Uplink;

/// The tag of what is exchanged.
const EXCHANGED: i32 = 2;

/// The longest message: an MPI library counts in 32 bits.
const LONGEST: usize = 1 << 30;

/// A rank's end of the meetings. One thread at a time may be in an exchange, whichever it is.
pub struct Meetings {
    rank: usize,
    ranks: usize,
}

impl Meetings {
    /// This rank's end.
    pub fn new(job: &Job) -> Self {
        Meetings {
            rank: job.rank(),
            ranks: job.ranks(),
        }
    }
}

impl Uplink for Meetings {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn exchange(&mut self, mut out: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, String> {
        out[self.rank].clear();
        let world = SimpleCommunicator::world();
        let going: Vec<u64> = out.iter().map(|bytes| bytes.len() as u64).collect();
        let mut coming = vec![0u64; self.ranks];
        world.all_to_all_into(&going[..], &mut coming[..]);
        let mut come: Vec<Vec<u8>> = coming.iter().map(|n| vec![0; *n as usize]).collect();
        let messages = |bytes: &Vec<u8>| bytes.len().div_ceil(LONGEST);
        let count = out.iter().chain(&come).map(messages).sum();
        multiple_scope(count, |scope, under_way| {
            for (rank, bytes) in come.iter_mut().enumerate() {
                let from = world.process_at_rank(rank as i32);
                for part in bytes.chunks_mut(LONGEST) {
                    under_way.add(from.immediate_receive_into_with_tag(scope, part, EXCHANGED));
                }
            }
            for (rank, bytes) in out.iter().enumerate() {
                let to = world.process_at_rank(rank as i32);
                for part in bytes.chunks(LONGEST) {
                    under_way.add(to.immediate_send_with_tag(scope, part, EXCHANGED));
                }
            }
            under_way.wait_all(&mut Vec::with_capacity(count));
        });
        Ok(come)
    }
}
