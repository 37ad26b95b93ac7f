//! An MPI job: how it begins, that all ranks are about the same thing, and that none waits for one
//! that has failed.

use mpi::Threading;
use mpi::collective::CommunicatorCollectives;
use mpi::environment::Universe;
use mpi::topology::{Communicator, SimpleCommunicator};
use std::fmt;

/// What a rank must have in common with all others, in bytes whose meaning never changes: a mark, the
/// size of a word and the order of its bytes, the version, and a digest of what is to be run.
const SIGNATURE: usize = 64;

/// Why a job did not begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobError {
    /// The program was started by itself.
    Alone,
    /// MPI did not start, or had been started before.
    NoMpi,
    /// The MPI library cannot be called from several threads in turn.
    OneThread,
    /// A rank is not about the same thing as rank 0.
    Different {
        /// The first such rank.
        rank: usize,
        /// What is different there.
        what: &'static str,
    },
}

impl fmt::Display for JobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JobError::Alone => write!(
                f,
                "this is one of several programs that run together and was started alone; start it with `mpirun -n RANKS`"
            ),
            JobError::NoMpi => write!(f, "the MPI library did not start"),
            JobError::OneThread => write!(
                f,
                "the MPI library can be called from one thread only; expected one that several threads may call in turn (MPI_THREAD_SERIALIZED)"
            ),
            JobError::Different { rank, what } => write!(
                f,
                "rank {rank} has {what} than rank 0; all ranks must run the same program on the same input"
            ),
        }
    }
}

impl std::error::Error for JobError {}

/// MPI is running and all ranks are there. Ends the job in order when it is dropped.
pub struct Begun {
    /// Held for its end.
    _universe: Universe,
    world: SimpleCommunicator,
}

impl Begun {
    /// Starts MPI. From here on a panic of this rank ends the whole job, with its message.
    pub fn new() -> Result<Self, JobError> {
        // What OpenMPI and the process managers of the MPICH family set for those they start.
        let managers = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"];
        if !managers.iter().any(|name| std::env::var_os(name).is_some()) {
            return Err(JobError::Alone);
        }
        // Regions exchange on the thread that comes last to their meeting.
        let started = mpi::initialize_with_threading(Threading::Serialized);
        let (universe, threading) = started.ok_or(JobError::NoMpi)?;
        if threading < Threading::Serialized {
            return Err(JobError::OneThread);
        }
        let world = universe.world();
        end_with_a_panic(world.rank());
        Ok(Begun {
            _universe: universe,
            world,
        })
    }

    /// This rank's number.
    pub fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    /// How many ranks there are.
    pub fn ranks(&self) -> usize {
        self.world.size() as usize
    }

    /// Goes on only if all ranks have the same version and are to run the same, of which `input` is a
    /// digest.
    pub fn agree(self, version: &str, input: u64) -> Result<Job, JobError> {
        let own = signature(version, input);
        let mut all = vec![0u8; SIGNATURE * self.ranks()];
        self.world.all_gather_into(&own[..], &mut all[..]);
        let first = &all[..SIGNATURE];
        for (rank, other) in all.chunks(SIGNATURE).enumerate() {
            if let Some(what) = difference(first, other) {
                return Err(JobError::Different { rank, what });
            }
        }
        Ok(Job { begun: self })
    }
}

/// A job whose ranks agree on what they do.
pub struct Job {
    begun: Begun,
}

impl Job {
    /// This rank's number.
    pub fn rank(&self) -> usize {
        self.begun.rank()
    }

    /// How many ranks there are.
    pub fn ranks(&self) -> usize {
        self.begun.ranks()
    }

    /// The communicator of all ranks.
    pub(crate) fn world(&self) -> &SimpleCommunicator {
        &self.begun.world
    }

    /// The same numbers of all ranks, in their order.
    pub fn gather(&self, own: &[u64]) -> Vec<u64> {
        let mut all = vec![0; own.len() * self.ranks()];
        self.world().all_gather_into(own, &mut all[..]);
        all
    }

    /// Waits until all ranks are here.
    pub fn meet(&self) {
        self.world().barrier();
    }
}

fn signature(version: &str, input: u64) -> [u8; SIGNATURE] {
    let mut bytes = [0; SIGNATURE];
    bytes[..8].copy_from_slice(b"warpline");
    bytes[8] = size_of::<usize>() as u8;
    bytes[9] = u8::from(cfg!(target_endian = "big"));
    bytes[16..24].copy_from_slice(&input.to_le_bytes());
    let version = version.as_bytes();
    let length = version.len().min(SIGNATURE - 24);
    bytes[24..24 + length].copy_from_slice(&version[..length]);
    bytes
}

/// What tells two signatures apart, if anything.
fn difference(a: &[u8], b: &[u8]) -> Option<&'static str> {
    let parts = [
        (0..8, "another program"),
        (8..16, "another size or order of words"),
        (24..SIGNATURE, "another version"),
        (16..24, "another input"),
    ];
    let mut found = parts
        .into_iter()
        .filter(|(part, _)| a[part.clone()] != b[part.clone()]);
    found.next().map(|(_, what)| what)
}

/// A rank that panics would leave the others waiting: it says why, and ends them all.
fn end_with_a_panic(rank: i32) {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        eprintln!("rank {rank} has failed and ends the run:");
        usual(panic);
        if mpi::is_initialized() && !mpi::is_finalized() {
            SimpleCommunicator::world().abort(1);
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_that_differ_are_told_apart_by_what_differs() {
        let own = signature("1.2", 7);
        assert_eq!(difference(&own, &signature("1.2", 7)), None);
        assert_eq!(
            difference(&own, &signature("1.2", 8)),
            Some("another input")
        );
        assert_eq!(
            difference(&own, &signature("1.3", 8)),
            Some("another version")
        );
        let mut wide = own;
        wide[8] ^= 12;
        assert_eq!(
            difference(&own, &wide),
            Some("another size or order of words")
        );
    }
}
