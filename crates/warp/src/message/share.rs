//! Which processes belong to which worker: blocks of consecutive numbers, as equal as can be had with
//! a division, so that a model whose numbers follow its geometry is cut along few borders.

use super::transport::WorkerId;
use crate::graph::ProcessId;
use std::ops::Range;

/// The processes of one worker among those of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    first: u32,
    count: u32,
    block: u32,
}

impl Share {
    /// What `worker` of `workers` has of a model's `processes`.
    pub fn new(worker: WorkerId, workers: u32, processes: u32) -> Self {
        assert!(
            worker.0 < workers && workers <= 1 << 16,
            "worker {} of {workers}: there may be 1 to 65,536 workers, numbered from 0",
            worker.0
        );
        let block = processes.div_ceil(workers).max(1);
        let first = worker.0.saturating_mul(block).min(processes);
        Share {
            first,
            count: block.min(processes - first),
            block,
        }
    }

    /// The numbers of the processes.
    pub fn processes(&self) -> Range<u32> {
        self.first..self.first + self.count
    }

    /// Whether the process is this worker's.
    #[inline]
    pub fn is_own(&self, process: ProcessId) -> bool {
        process.0.wrapping_sub(self.first) < self.count
    }

    /// Whose the process is.
    #[inline]
    pub fn owner(&self, process: ProcessId) -> WorkerId {
        WorkerId(process.0 / self.block)
    }

    /// The number of an own process in the worker's state graph.
    #[inline]
    pub(super) fn local(&self, process: ProcessId) -> ProcessId {
        ProcessId(process.0 - self.first)
    }

    /// The number of a process of the worker's state graph in the model.
    #[inline]
    pub(super) fn global(&self, process: ProcessId) -> ProcessId {
        ProcessId(process.0 + self.first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_process_has_one_owner() {
        for (workers, processes) in [(1, 5), (2, 5), (3, 7), (4, 2), (7, 0), (4, 64)] {
            let share = |worker| Share::new(WorkerId(worker), workers, processes);
            for process in (0..processes).map(ProcessId) {
                let owners = (0..workers).filter(|&worker| share(worker).is_own(process));
                let owner = share(0).owner(process).0;
                assert_eq!(owners.collect::<Vec<_>>(), [owner]);
                let share = share(owner);
                assert!(share.processes().contains(&process.0));
                assert_eq!(share.global(share.local(process)), process);
            }
        }
    }
}
