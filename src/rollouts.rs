//! Many futures of one simulation, run on all cores.

use crate::error::Error;
use crate::events::{Events, Happening};
use crate::simulation::Simulation;
use crate::world::tick;
use physics::State;
use sim::{Discard, Input};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use warp::Tick;

/// Log2 of the ticks of a sixty-fourth of a second, up to which history is settled at a time.
const PAGE_LOG2: u32 = 34;

/// Ticks of a quarter of a second: simulated between two questions whether to go on.
const SLICE: i64 = 1 << 38;

/// A branch of [`Simulation::rollouts`] at its end.
#[derive(Clone, Debug)]
pub struct Rollout {
    /// States of all bodies at each sample, in the frames in which they were given; none of bodies that are not there.
    pub samples: Vec<Vec<Option<State>>>,
    /// What happened in it, if that was asked for.
    pub events: Vec<Happening>,
}

/// What [`Simulation::rollouts`] is to do.
#[derive(Clone, Copy, Debug)]
pub struct Rollouts {
    /// Seconds from now.
    pub horizon: f64,
    /// How often states are told, at equal distances, the last at the horizon.
    pub samples: usize,
    /// Whether events are told.
    pub events: bool,
    /// Threads; 0 for as many as the machine has. The results are the same.
    pub threads: usize,
}

/// What one branch is run with.
struct Course<'a> {
    asked: &'a Rollouts,
    /// Whether to go on: asked now and then.
    goes_on: &'a mut dyn FnMut() -> bool,
}

impl Simulation {
    /// Runs a branch for each plan, a list of inputs, and tells where they lead. The branches share this simulation's
    /// past and leave it as it is; what they tell does not depend on the number of threads.
    pub fn rollouts(
        &mut self,
        plans: &[Vec<Input>],
        asked: &Rollouts,
    ) -> Result<Vec<Rollout>, Error> {
        self.rollouts_while(plans, asked, &mut || true)
    }

    /// The same, and asks now and then, from the calling thread, whether to go on; [`Error::Stopped`] if not.
    pub fn rollouts_while(
        &mut self,
        plans: &[Vec<Input>],
        asked: &Rollouts,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<Rollout>, Error> {
        tick(asked.horizon)?;
        let most = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = match asked.threads {
            0 => most,
            n => n,
        };
        let threads = threads.clamp(1, plans.len().max(1));
        let is_stopped = AtomicBool::new(false);
        let next = AtomicUsize::new(0);
        let told: Vec<Mutex<Option<Result<Rollout, Error>>>> =
            plans.iter().map(|_| Mutex::new(None)).collect();
        let roots: Vec<Simulation> = (0..threads).map(|_| self.branch()).collect();
        let work = |mut root: Simulation, goes_on: &mut dyn FnMut() -> bool| {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let (Some(plan), Some(place)) = (plans.get(index), told.get(index)) else {
                    return;
                };
                let outcome = root.branch().roll_out(plan, &mut Course { asked, goes_on });
                if let Ok(mut place) = place.lock() {
                    *place = Some(outcome);
                }
            }
        };
        let mut roots = roots.into_iter();
        let own = roots.next();
        std::thread::scope(|scope| {
            let (work, is_stopped) = (&work, &is_stopped);
            for root in roots {
                scope.spawn(move || work(root, &mut || !is_stopped.load(Ordering::Relaxed)));
            }
            let mut look = || {
                if !is_stopped.load(Ordering::Relaxed) && !goes_on() {
                    is_stopped.store(true, Ordering::Relaxed);
                }
                !is_stopped.load(Ordering::Relaxed)
            };
            if let Some(own) = own {
                work(own, &mut look);
            }
        });
        let outcome = |place: Mutex<Option<Result<Rollout, Error>>>| {
            let lost = || Err(Error::Other("a rollout's thread has ended early".into()));
            place.into_inner().ok().flatten().unwrap_or_else(lost)
        };
        told.into_iter().map(outcome).collect()
    }

    /// One future to its end.
    fn roll_out(mut self, plan: &[Input], course: &mut Course<'_>) -> Result<Rollout, Error> {
        let asked = course.asked;
        let begun = self.inner.now();
        if !plan.is_empty() {
            self.inner.inputs(plan)?;
        }
        let horizon = Tick::from_seconds(asked.horizon).0;
        let count = asked.samples.max(1) as i64;
        let mut samples = Vec::with_capacity(asked.samples);
        let mut events = Events::default();
        for k in 1..=count {
            let part = i128::from(horizon) * i128::from(k) / i128::from(count);
            let at = begun.saturating_add(part as i64);
            self.go_to(at, &mut events, course)?;
            if asked.samples > 0 {
                samples.push(self.all(at));
            }
        }
        if asked.events {
            // History is handed over by whole pages: the one that the horizon lies in is simulated to its end.
            let end = self.inner.now();
            let page = (end.0 + (1 << PAGE_LOG2) - 1) >> PAGE_LOG2 << PAGE_LOG2;
            self.inner.advance_into(Tick(page), &mut events)?;
            self.inner.settle(Tick(page), &mut events)?;
            let span = begun.0..end.0;
            events.happenings.retain(|h| span.contains(&h.tick));
        }
        Ok(Rollout {
            samples,
            events: events.happenings,
        })
    }

    /// Simulates up to a tick in slices, and asks before each whether to.
    fn go_to(
        &mut self,
        to: Tick,
        events: &mut Events,
        course: &mut Course<'_>,
    ) -> Result<(), Error> {
        loop {
            if !(course.goes_on)() {
                return Err(Error::Stopped);
            }
            let slice = self.inner.now().saturating_add(SLICE).min(to);
            match course.asked.events {
                true => self.inner.advance_into(slice, events)?,
                false => self.inner.advance_into(slice, &mut Discard)?,
            }
            if slice == to {
                return Ok(());
            }
        }
    }
}
