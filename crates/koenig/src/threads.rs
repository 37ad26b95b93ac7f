//! Real threads: one task queue for each core, and a worker that runs what is at its head. A worker whose queue is empty
//! takes from the longest.

use crate::frames::Frames;
use crate::law::Turn;
use crate::protocol::{Error, Machine, Protocol, Task};
use crate::scene::{Ms, Phy, Scene, Settings, Unusable};
use crate::sync::{Condvar, Mutex, MutexGuard, lock, thread};
use crate::tally::Tally;
use cpu_time::ThreadTime;
use std::any::Any;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// What a run leaves.
#[derive(Clone, Debug)]
pub struct Ran {
    /// States at the end.
    pub states: Vec<Phy>,
    /// What was done.
    pub tally: Tally,
    /// Elapsed seconds.
    pub wall_s: f64,
    /// CPU seconds of each worker.
    pub cpu_s: Vec<f64>,
}

/// Takes the history: turns in the order of LVT and entity, and the GVT up to which they are complete.
pub type Taker<'a> = &'a mut dyn FnMut(&[Turn], Ms) -> ControlFlow<()>;

/// How a run uses the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workers {
    /// How many.
    pub threads: usize,
    /// Whether to note where the time goes.
    pub timed: bool,
}

/// Runs a scene on threads. The history is the same for any number of them.
pub fn run(
    scene: &Scene,
    settings: &Settings,
    workers: Workers,
    taker: Taker<'_>,
) -> Result<Ran, Error> {
    let Workers { threads, timed } = workers;
    if !(1..=1024).contains(&threads) {
        return Err(Unusable::Threads(threads).into());
    }
    let protocol = Protocol::new(scene, settings)?;
    let crew = Crew::new(&protocol, threads);
    let begun = Instant::now();
    let cpu_s = thread::scope(|scope| {
        let work = |worker: usize| {
            let (protocol, crew) = (&protocol, &crew);
            scope.spawn(move || {
                let cpu = ThreadTime::now();
                let at = Worker {
                    crew,
                    protocol,
                    timed: timed.then(Instant::now),
                };
                at.work(worker);
                cpu.elapsed().as_secs_f64()
            })
        };
        let handles: Vec<_> = (0..threads).map(work).collect();
        crew.hand_over(&protocol.frames, taker);
        // A worker catches what panics; a time is all that can be lost here.
        let join = |h: thread::ScopedJoinHandle<'_, f64>| h.join().unwrap_or(0.0);
        handles.into_iter().map(join).collect::<Vec<f64>>()
    });
    let wall_s = begun.elapsed().as_secs_f64();
    let end = std::mem::replace(&mut *lock(&crew.ended), Ended::Quietly);
    match end {
        Ended::Panicked(message) => Err(Error::Panicked(message)),
        Ended::Interrupted => Err(Error::Interrupted),
        Ended::Quietly if protocol.frames.is_finished() => Ok(Ran {
            states: protocol.states(),
            tally: protocol.tally(),
            wall_s,
            cpu_s,
        }),
        Ended::Quietly => Err(protocol.stuck()),
    }
}

/// Why the workers have stopped.
enum Ended {
    /// There was nothing left to do.
    Quietly,
    Panicked(String),
    Interrupted,
}

struct Queues {
    queues: Vec<VecDeque<Task>>,
    asleep: usize,
    at_work: usize,
    stop: bool,
    /// GVT has risen since the history was last handed over.
    has_news: bool,
}

struct Crew {
    queues: Mutex<Queues>,
    more: Condvar,
    news: Condvar,
    ended: Mutex<Ended>,
}

impl Crew {
    fn new(protocol: &Protocol, threads: usize) -> Self {
        let parts = threads as u32;
        let tasks = |part| protocol.part(part, parts).map(Task::Entity).collect();
        Crew {
            queues: Mutex::new(Queues {
                queues: (0..parts).map(tasks).collect(),
                asleep: 0,
                at_work: threads,
                stop: false,
                has_news: false,
            }),
            more: Condvar::new(),
            news: Condvar::new(),
            ended: Mutex::new(Ended::Quietly),
        }
    }

    fn wait<'a>(on: &Condvar, queues: MutexGuard<'a, Queues>) -> MutexGuard<'a, Queues> {
        match on.wait(queues) {
            Ok(queues) => queues,
            Err(poisoned) => poisoned.into_inner(),
        }
    }

    /// The next task of a worker. When nobody has any, nobody will ever have one again.
    fn next(&self, worker: usize) -> Option<Task> {
        let mut queues = lock(&self.queues);
        loop {
            if queues.stop {
                return None;
            }
            if let Some(task) = queues.take(worker) {
                return Some(task);
            }
            queues.asleep += 1;
            if queues.asleep == queues.queues.len() {
                queues.stop = true;
                self.more.notify_all();
                return None;
            }
            queues = Self::wait(&self.more, queues);
            queues.asleep -= 1;
        }
    }

    fn stop(&self, why: Ended) {
        let mut ended = lock(&self.ended);
        if matches!(*ended, Ended::Quietly) {
            *ended = why;
        }
        drop(ended);
        lock(&self.queues).stop = true;
        self.more.notify_all();
    }

    fn leave(&self) {
        lock(&self.queues).at_work -= 1;
        self.news.notify_all();
    }

    /// Hands the history over as GVT rises, until all workers have left.
    fn hand_over(&self, frames: &Frames, taker: Taker<'_>) {
        let mut turns = Vec::new();
        let mut is_interrupted = false;
        loop {
            let mut queues = lock(&self.queues);
            while !queues.has_news && queues.at_work > 0 {
                queues = Self::wait(&self.news, queues);
            }
            queues.has_news = false;
            let is_over = queues.at_work == 0;
            drop(queues);
            turns.clear();
            let gvt = frames.take(&mut turns);
            if !is_interrupted && taker(&turns, gvt).is_break() {
                is_interrupted = true;
                self.stop(Ended::Interrupted);
            }
            if is_over {
                return;
            }
        }
    }
}

impl Queues {
    fn take(&mut self, worker: usize) -> Option<Task> {
        if let Some(task) = self.queues[worker].pop_front() {
            return Some(task);
        }
        let longest = self.queues.iter_mut().max_by_key(|q| q.len())?;
        longest.pop_front()
    }
}

/// One thread's view of the crew.
struct Worker<'a> {
    crew: &'a Crew,
    protocol: &'a Protocol,
    timed: Option<Instant>,
}

impl Worker<'_> {
    fn work(&self, worker: usize) {
        while let Some(task) = self.crew.next(worker) {
            let ran = catch_unwind(AssertUnwindSafe(|| self.protocol.run(task, self)));
            if let Err(payload) = ran {
                self.crew.stop(Ended::Panicked(words(payload.as_ref())));
            }
        }
        self.crew.leave();
    }
}

fn words(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&'static str>().copied());
    text.unwrap_or("it did not say why").into()
}

impl Machine for Worker<'_> {
    fn ready(&self, task: Task) {
        let part = self.protocol.part_of(task, self.parts());
        let mut queues = lock(&self.crew.queues);
        queues.queues[part as usize].push_back(task);
        if queues.asleep > 0 {
            self.crew.more.notify_one();
        }
    }

    fn parts(&self) -> u32 {
        lock(&self.crew.queues).queues.len() as u32
    }

    fn clock(&self) -> u64 {
        self.timed
            .map_or(0, |begun| begun.elapsed().as_nanos() as u64)
    }

    fn raised(&self) {
        for part in 0..self.parts() {
            self.ready(Task::Gvt(part));
        }
        lock(&self.crew.queues).has_news = true;
        self.crew.news.notify_all();
    }
}
