//! Several workers at once, each in a thread of its own. What lies between them is their transport's
//! matter; this only starts them, and sees to it that none waits for one that has failed.

use super::mailbox::Abandoned;
use super::model::{Model, Output};
use super::optimistic::{Optimistic, Statistics};
use super::schedule::Schedule;
use super::transport::Transport;
use crate::time::Tick;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Runs all workers until GVT reaches `until`; each commits its share to its own output. Returns what
/// they did together. A panic of one ends all and is passed on. May be called again with a later end.
pub fn run_together<M, S, T, O>(
    workers: &mut [Optimistic<'_, M, S, T>],
    until: Tick,
    outputs: &mut [O],
) -> Statistics
where
    M: Model + Sync,
    M::State: Send,
    M::Payload: Send,
    S: Schedule + Send,
    T: Transport<M::Payload> + Send,
    O: Output<M> + Send,
{
    assert_eq!(workers.len(), outputs.len(), "one output for each worker");
    let ends: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = workers
            .iter_mut()
            .zip(outputs)
            .map(|(worker, output)| scope.spawn(move || run_one(worker, until, output)))
            .collect();
        let joined = threads.into_iter().map(|thread| thread.join());
        joined.map(|end| end.and_then(|end| end)).collect()
    });
    let mut total = Statistics::default();
    let mut failure = None;
    for end in ends {
        match end {
            Ok(statistics) => total = total.with(statistics),
            // Of several, the one that was not merely told to stop.
            Err(cause) if failure.is_none() || !cause.is::<Abandoned>() => failure = Some(cause),
            Err(_) => (),
        }
    }
    match failure {
        None => total,
        Some(cause) => resume_unwind(cause),
    }
}

type Ended = Result<Statistics, Box<dyn Any + Send>>;

fn run_one<M: Model, S: Schedule, T: Transport<M::Payload>>(
    worker: &mut Optimistic<'_, M, S, T>,
    until: Tick,
    output: &mut impl Output<M>,
) -> Ended {
    // What the worker holds is not used again unless all ended well.
    let end = catch_unwind(AssertUnwindSafe(|| worker.run(until, output)));
    if end.is_err() {
        worker.transport().abandon();
    }
    end
}
