//! Cores that a machine does not have: one real thread runs the protocol as so many cores would. Every activation is run
//! for real and lasts, on its core's own clock, for the CPU time that it took; a core that is free takes the next task of
//! its queue, or of the longest one. Locks are held for as long as the activation that took them lasts, so that others
//! wait for them as they would; what an activation makes ready waits for its end.
//!
//! What is not in it: the queues' own locks, caches and memory that cores share. The history is that of any other run.

use crate::plain::Trajectories;
use crate::protocol::{Error, Machine, Outcome, Point, Protocol, Task};
use crate::scene::{Scene, Settings, Unusable};
use crate::tally::Tally;
use cpu_time::ThreadTime;
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::time::Instant;

/// What a run on simulated cores leaves.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// The history.
    pub trajectories: Trajectories,
    /// What was done.
    pub tally: Tally,
    /// Seconds on the cores' clocks until all was done.
    pub elapsed_s: f64,
    /// Of these, seconds at work, of all cores together.
    pub busy_s: f64,
}

/// Runs a scene on so many simulated cores; the tally says where the time went if the run is timed, which costs some of it.
pub fn run(
    scene: &Scene,
    settings: &Settings,
    cores: usize,
    timed: bool,
) -> Result<Simulated, Error> {
    if !(1..=1024).contains(&cores) {
        return Err(Unusable::Threads(cores).into());
    }
    let protocol = Protocol::new(scene, settings)?;
    let made = Made {
        cores: cores as u32,
        clock: timed.then(Instant::now),
        ready: RefCell::default(),
    };
    let mut machine = Cores::new(&protocol, cores);
    while let Some(Reverse(event)) = machine.events.pop() {
        machine.happen(event, &protocol, &made);
    }
    match protocol.frames.is_finished() {
        true => Ok(Simulated {
            trajectories: protocol.trajectories(),
            tally: protocol.tally(),
            elapsed_s: 1e-9 * machine.last as f64,
            busy_s: 1e-9 * machine.busy as f64,
        }),
        false => Err(protocol.stuck()),
    }
}

/// What the protocol sees of its machine: a list of what is ready once the activation is over.
struct Made {
    cores: u32,
    clock: Option<Instant>,
    ready: RefCell<Vec<Task>>,
}

impl Machine for Made {
    fn ready(&self, task: Task) {
        self.ready.borrow_mut().push(task);
    }

    fn parts(&self) -> u32 {
        self.cores
    }

    /// Locks are given back when the time of what was done under them has passed.
    fn pauses(&self, at: Point) -> bool {
        at == Point::Unlocks
    }

    fn clock(&self) -> u64 {
        self.clock
            .map_or(0, |begun| begun.elapsed().as_nanos() as u64)
    }
}

/// Something that happens on the cores' clocks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Event {
    /// Nanoseconds.
    at: u64,
    /// Of all events: what was caused first comes first.
    number: u64,
    what: What,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    /// These tasks are ready: numbers of entities, or of parts whose LVT_ub has risen.
    Ready(Vec<(bool, u32)>),
    /// A core is free, or goes on with an entity that holds locks.
    Free(usize, Option<u32>),
}

struct Cores {
    events: BinaryHeap<Reverse<Event>>,
    number: u64,
    queues: Vec<VecDeque<Task>>,
    idle: Vec<bool>,
    last: u64,
    busy: u64,
}

impl Cores {
    /// All cores are free, and every entity is ready.
    fn new(protocol: &Protocol, cores: usize) -> Self {
        let parts = cores as u32;
        let tasks = |part| protocol.part(part, parts).map(Task::Entity).collect();
        let mut machine = Cores {
            events: BinaryHeap::new(),
            number: 0,
            queues: (0..parts).map(tasks).collect(),
            idle: vec![false; cores],
            last: 0,
            busy: 0,
        };
        for core in 0..cores {
            machine.plan(0, What::Free(core, None));
        }
        machine
    }

    fn plan(&mut self, at: u64, what: What) {
        self.number += 1;
        let number = self.number;
        self.events.push(Reverse(Event { at, number, what }));
    }

    fn happen(&mut self, event: Event, protocol: &Protocol, made: &Made) {
        match event.what {
            What::Ready(tasks) => {
                for (is_gvt, number) in tasks {
                    let task = match is_gvt {
                        true => Task::Gvt(number),
                        false => Task::Entity(number),
                    };
                    let part = protocol.part_of(task, made.cores) as usize;
                    self.queues[part].push_back(task);
                }
                for core in 0..self.idle.len() {
                    if std::mem::take(&mut self.idle[core]) {
                        self.plan(event.at, What::Free(core, None));
                    }
                }
            }
            What::Free(core, Some(entity)) => {
                self.activate(event.at, core, Some(entity), made, || {
                    protocol.resume(entity, made)
                });
            }
            What::Free(core, None) => match self.take(core) {
                None => self.idle[core] = true,
                Some(task) => {
                    let entity = match task {
                        Task::Entity(entity) => Some(entity),
                        Task::Gvt(_) => None,
                    };
                    self.activate(event.at, core, entity, made, || protocol.run(task, made));
                }
            },
        }
    }

    /// The next task of a core, from the longest queue if its own is empty.
    fn take(&mut self, core: usize) -> Option<Task> {
        if let Some(task) = self.queues[core].pop_front() {
            return Some(task);
        }
        let longest = self.queues.iter_mut().max_by_key(|queue| queue.len())?;
        longest.pop_front()
    }

    /// Runs an activation, which takes its time on a core's clock.
    fn activate(
        &mut self,
        at: u64,
        core: usize,
        entity: Option<u32>,
        made: &Made,
        run: impl FnOnce() -> Outcome,
    ) {
        let begun = ThreadTime::now();
        let outcome = run();
        let took = begun.elapsed().as_nanos() as u64;
        let end = at + took;
        self.busy += took;
        self.last = self.last.max(end);
        let ready = made.ready.take();
        if !ready.is_empty() {
            let plain = |task: Task| match task {
                Task::Entity(entity) => (false, entity),
                Task::Gvt(part) => (true, part),
            };
            self.plan(end, What::Ready(ready.into_iter().map(plain).collect()));
        }
        let goes_on = entity.filter(|_| outcome == Outcome::Paused);
        self.plan(end, What::Free(core, goes_on));
    }
}
