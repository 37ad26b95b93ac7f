//! The speculative algorithm (Ainsley, section 2, Algorithm 1): run a window with the layers known
//! so far, look back for contacts that were missed, roll back, add layers, repeat until clean.
//! Layers out of reach exert nothing, so all that happened before the first missed contact stands:
//! a rollback lands on the last savepoint before it.
//! While a window is checked the next one already runs, on the assumption that it is clean.

use crate::acm::detect::parts::COUNT;
use crate::acm::detect::{Detector, Missed};
use crate::acm::forces::integrate::{Integrator, Plan, SHORTEST, Trace};
use crate::acm::lanes::real::Precision;
use crate::acm::speculate::watch::{FINE, LINGER, Outlook, Watched};
use crate::acm::{
    Counts, Pair, Profile, ShellError, ShellModel, ShellState, Threads, Tick, seconds, ticks,
};
use cpu_time::ThreadTime;
use std::sync::atomic::{AtomicBool, Ordering};

/// How long a rollback window is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum WindowLength {
    /// Always this many ticks.
    Fixed(Tick),
    /// Found while running: see [`Acm`].
    Adaptive,
}

impl WindowLength {
    /// A fixed length in seconds.
    pub fn seconds(r: f64) -> WindowLength {
        WindowLength::Fixed(ticks(r).max(1))
    }
}

/// Choices that change how fast a run is and nothing about its history.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AcmOptions {
    /// Length of the rollback windows; adaptive unless said otherwise.
    pub window: WindowLength,
    /// Worker threads.
    pub threads: usize,
    /// Whether the narrow phase tries slabs before continuous detection.
    pub slabs: bool,
    /// Whether to measure CPU time by phase.
    pub timed: bool,
}

impl Default for AcmOptions {
    fn default() -> AcmOptions {
        AcmOptions {
            window: WindowLength::Adaptive,
            threads: 1,
            slabs: true,
            timed: false,
        }
    }
}

/// The speculative executor and its buffers.
#[derive(Debug)]
pub struct Acm {
    threads: Threads,
    /// One thread, for work that runs beside other work.
    alone: Threads,
    detector: Detector,
    current: Pass,
    next: Pass,
    /// Pairs that were near in the last window.
    watched: Watched,
    pacer: Pacer,
    /// What was done so far.
    pub profile: Profile,
}

/// A window that was rolled back more often than this is cut.
const ROLLBACKS_MAX: u32 = 3;

/// An earlier end for a window in which too much goes wrong. Where windows end leaves no trace in the history,
/// but layers are dropped there: after a fast impact deep ones, with steps of nanoseconds, would go on to the end.
fn cut(now: Tick, end: Tick) -> Tick {
    if end - now > SHORTEST {
        now + (end - now) / 4
    } else {
        end
    }
}

/// One speculative pass over a window: the state it ended in and how it got there.
#[derive(Debug, Default)]
struct Pass {
    integrator: Integrator,
    state: ShellState,
    trace: Trace,
    work: Profile,
    idle: Idle,
}

/// Buffers for finding layers that exert no force.
#[derive(Debug, Default)]
struct Idle {
    pairs: Watched,
    outlook: Outlook,
}

impl Acm {
    /// An executor for `model`, starting from `state`.
    pub fn new(model: &ShellModel, state: &ShellState, options: AcmOptions) -> Acm {
        let profile = || {
            if options.timed {
                Profile::timed()
            } else {
                Profile::default()
            }
        };
        let pass = || Pass {
            work: profile(),
            ..Pass::default()
        };
        let threads = Threads::new(options.threads);
        Acm {
            detector: Detector::new(model, state, options.slabs, &threads),
            threads,
            alone: Threads::new(1),
            current: pass(),
            next: pass(),
            watched: Watched::default(),
            pacer: Pacer::new(options.window),
            profile: profile(),
        }
    }

    /// Advances `state` to `until`; on an error the state stays where it was last known to be clean.
    pub fn run_until(
        &mut self,
        model: &ShellModel,
        state: &mut ShellState,
        until: Tick,
    ) -> Result<(), ShellError> {
        let mut ready = false;
        while state.now < until {
            ready = self.run_window(model, state, until, ready)?;
        }
        Ok(())
    }

    /// Advances `state` by one window, at most to `until`, without beginning the next: for those who
    /// want to see every state that was committed.
    pub fn run_single_window(
        &mut self,
        model: &ShellModel,
        state: &mut ShellState,
        until: Tick,
    ) -> Result<(), ShellError> {
        if state.now < until {
            let end = self.pacer.end_after(state.now, until);
            self.run_window(model, state, end, false)?;
        }
        Ok(())
    }

    /// Integrates one window, at most to `until`, to its clean end, which is a savepoint before the first missed contact
    /// if that is not at its begin. `ready` says that the call before has said that it already ran a pass over it;
    /// returns whether this one has for the window after.
    pub fn run_window(
        &mut self,
        model: &ShellModel,
        state: &mut ShellState,
        until: Tick,
        mut ready: bool,
    ) -> Result<bool, ShellError> {
        // A pass that already ran keeps the end it was given.
        let mut end = match ready {
            true => self.current.state.now,
            false => self.pacer.end_after(state.now, until),
        };
        let (before, mut rollbacks) = (self.profile.counts, 0);
        loop {
            let plan = Plan {
                end,
                watched: &self.watched,
                threads: &self.threads,
            };
            let pass = &mut self.current;
            let (states, told) = (
                (&*state, &mut pass.state),
                (&mut pass.trace, &mut pass.work),
            );
            let done = ready || (pass.integrator).advance(model, states, &plan, told, || true);
            ready = false;
            // nothing can be certified of what is not finite, and a false future may well end there
            let diverged = self.current.diverged(model);
            if !done || diverged.is_some() {
                if let Some(vertex) = diverged.filter(|_| end - state.now <= SHORTEST) {
                    return Err(ShellError::Diverged {
                        vertex: model.name_vertex(vertex as u32),
                        time_s: seconds(end),
                    });
                }
                self.profile.absorb(&mut self.current.work, 1.0);
                end = cut(state.now, end);
                self.pacer.expect(end - state.now);
                continue;
            }
            let (missed, next_ran) = self.check(model, end, until);
            self.detector.watched(&mut self.watched);
            if missed.pairs.is_empty() {
                self.profile.absorb(&mut self.current.work, 0.0);
                std::mem::swap(state, &mut self.current.state);
                self.deepen_imminent(model, state);
                if next_ran {
                    std::mem::swap(&mut self.current, &mut self.next);
                }
                self.commit(&before, 1.0);
                return Ok(next_ran);
            }
            let begun = state.now;
            state.copy_from(self.current.trace.savepoints.before(missed.since));
            let kept = (state.now - begun) as f64 / (end - begun) as f64;
            self.profile.absorb(&mut self.current.work, 1.0 - kept);
            self.profile.absorb(&mut self.next.work, 1.0);
            self.profile.counts.rollbacks += 1;
            self.deepen(model, state, missed)?;
            if state.now > begun {
                // what came before the savepoint is clean; the rest is not worth a check of its own
                self.commit(&before, kept);
                return Ok(false);
            }
            rollbacks += 1;
            if rollbacks > ROLLBACKS_MAX {
                end = cut(state.now, end);
            }
        }
    }

    /// Counts a window of which some share is kept.
    fn commit(&mut self, before: &Counts, kept: f64) {
        self.profile.counts.windows += 1;
        self.pacer.learn(before, &self.profile.counts, kept);
    }

    /// Looks for missed contacts in the current pass, dropping its idle layers, and meanwhile runs
    /// the next window from its end if there are threads to spare.
    fn check(&mut self, model: &ShellModel, end: Tick, until: Tick) -> (Missed, bool) {
        let Acm {
            threads,
            alone,
            detector,
            current,
            next,
            pacer,
            watched,
            profile,
        } = self;
        profile.counts.history_bytes_peak = profile
            .counts
            .history_bytes_peak
            .max(current.history_bytes());
        let active = current.state.contacts.clone();
        current.drop_idle_layers(model);
        if threads.count() == 1 || end >= until {
            return (
                detector.missed(model, &active, &current.trace, threads, profile),
                false,
            );
        }
        let (clean_so_far, next_end) = (AtomicBool::new(true), pacer.end_after(end, until));
        let Pass {
            state: from, trace, ..
        } = current;
        // two threads have enough to do with one side each, and nobody has to wait within an event
        let inner = if threads.count() == 2 {
            &*alone
        } else {
            &*threads
        };
        let (checked, ran) = threads.run(|| {
            rayon::join(
                || {
                    let timer = profile.start();
                    let missed = detector.missed(model, &active, trace, inner, profile);
                    clean_so_far.store(missed.pairs.is_empty(), Ordering::Relaxed);
                    (missed, elapsed(timer))
                },
                || {
                    let timer = next.work.start();
                    let plan = Plan {
                        end: next_end,
                        watched,
                        threads: inner,
                    };
                    let keep_going = || clean_so_far.load(Ordering::Relaxed);
                    let Pass {
                        integrator,
                        state,
                        trace,
                        work,
                        ..
                    } = next;
                    let (states, told) = ((&*from, state), (trace, &mut *work));
                    let done = integrator.advance(model, states, &plan, told, keep_going);
                    (done, elapsed(timer))
                },
            )
        });
        profile.overlap(checked.1, ran.1);
        (checked.0, ran.0)
    }

    /// Gives what was missed one more layer. Only what was missed first is known to need it: a pair that has no
    /// layers left is an error then, and waits for the others else.
    fn deepen(
        &mut self,
        model: &ShellModel,
        state: &mut ShellState,
        mut missed: Missed,
    ) -> Result<(), ShellError> {
        let count = model.layers.count();
        let used_up = |pair: &Pair| state.contacts.layers_of(*pair) >= count;
        if let Some(&pair) = missed.first.iter().find(|pair| used_up(pair)) {
            return Err(ShellError::OutOfLayers {
                pair: model.name_pair(pair),
                layers: count,
                time_s: seconds(state.now),
            });
        }
        missed.pairs.retain(|pair| !used_up(pair));
        state.contacts.deepen(&missed.pairs);
        self.profile.counts.layers_added += missed.pairs.len() as u64;
        Ok(())
    }
}

fn elapsed(timer: Option<ThreadTime>) -> f64 {
    timer.map_or(0.0, |t| t.elapsed().as_secs_f64())
}

impl Acm {
    /// Activates layers ahead of time where the last window points to.
    fn deepen_imminent(&mut self, model: &ShellModel, state: &mut ShellState) {
        let imminent = Detector::imminent(model, &mut self.watched, &state.contacts);
        state.contacts.deepen(&imminent);
    }
}

impl Pass {
    fn history_bytes(&self) -> u64 {
        self.trace.history.bytes() as u64
    }

    /// A vertex that has left the finite numbers.
    fn diverged(&self, model: &ShellModel) -> Option<usize> {
        let finite = |i: &usize| self.state.x[*i].is_finite() && self.state.v[*i].is_finite();
        (0..model.vertex_count()).find(|i| !finite(i))
    }
}

impl Pass {
    /// Drops every layer that exerts no force at the window's end, unless the pair is so near that
    /// it would soon be rolled back for.
    fn drop_idle_layers(&mut self, model: &ShellModel) {
        let mut contacts = std::mem::take(&mut self.state.contacts);
        let (state, idle) = (&self.state, &mut self.idle);
        let before = self.trace.history.marked(COUNT - 1);
        let entries = contacts.entries().iter();
        idle.pairs.set(
            entries.map(|&(pair, _)| (pair, pair.stencil(&model.topology))),
            Precision::for_vertices(state.places(), FINE * model.layers.next_thickness(0)),
        );
        idle.outlook.measure(&idle.pairs, before, state.places());
        // entries are sorted by pair, vertex-face pairs first, as the distances are
        let mut distances = idle.outlook.to_come.iter();
        contacts.retain_layers(|_, layers| {
            let to_come = distances.next().map_or(0.0, |&to_come| to_come);
            (1..=layers)
                .take_while(|&depth| to_come < LINGER * model.layers.at(depth).thickness_m)
                .count() as u8
        });
        self.state.contacts = contacts;
    }
}

impl Profile {
    /// Adds a pass's work, of which a share was rolled back.
    fn absorb(&mut self, pass: &mut Profile, undone: f64) {
        let (to, from) = (&mut self.counts, pass.counts);
        to.events += from.events;
        to.element_forces += from.element_forces;
        to.contact_forces += from.contact_forces;
        to.contact_pushes += from.contact_pushes;
        let share = |all: u64, gone: u64| gone + ((all - gone) as f64 * undone) as u64;
        to.element_forces_undone += share(from.element_forces, from.element_forces_undone);
        to.contact_forces_undone += share(from.contact_forces, from.contact_forces_undone);
        to.rollbacks_inside += from.rollbacks_inside;
        self.take_seconds(pass);
    }
}

/// Chooses window lengths. Of the waste of a simulated second one part falls with the length R (each
/// window has its broad phase and looks at its near pairs) and one part rises with it (resimulation,
/// unneeded penalty forces, slabs along longer histories; Ainsley, section 5.1). A sum of a / R and
/// b R is least where both are equal, so the adaptive rule compares them every few windows, in
/// counted work (never in time, so that runs repeat), and changes R in favour of the smaller one.
#[derive(Debug, Clone)]
struct Pacer {
    length: Tick,
    adaptive: bool,
    falling: f64,
    rising: f64,
    windows: u32,
}

/// Windows between two decisions of the adaptive rule.
const WINDOWS_PER_DECISION: u32 = 4;
/// How far apart the two parts may be without a change.
const BALANCE: f64 = 1.25;

impl Pacer {
    fn new(window: WindowLength) -> Pacer {
        let (length, adaptive) = match window {
            WindowLength::Fixed(length) => (length.max(1), false),
            WindowLength::Adaptive => (ticks(1.0 / 500.0), true),
        };
        Pacer {
            length,
            adaptive,
            falling: 0.0,
            rising: 0.0,
            windows: 0,
        }
    }

    fn end_after(&self, now: Tick, until: Tick) -> Tick {
        (now + self.length).min(until)
    }

    /// A longer window than this was too long.
    fn expect(&mut self, length: Tick) {
        if self.adaptive {
            self.length = self.length.min(length);
        }
    }

    /// From what was done for a window of which some share is kept.
    fn learn(&mut self, before: &Counts, after: &Counts, kept: f64) {
        if !self.adaptive {
            return;
        }
        // what has to be checked again after a rollback rises with R, too
        let checks =
            if kept < 1.0 { 0.0 } else { 1.0 } + (after.rollbacks - before.rollbacks) as f64;
        let (checked, once) = (falling(after) - falling(before), kept / checks);
        self.falling += checked * once;
        self.rising += rising(after) - rising(before) + checked * (1.0 - once);
        self.windows += 1;
        // a window that costs this much more than its broad phase is a reason to act at once
        if self.windows < WINDOWS_PER_DECISION && self.rising < 4.0 * self.falling {
            return;
        }
        let length = if self.rising > BALANCE * self.falling {
            self.length * 2 / 3
        } else if self.falling > BALANCE * self.rising {
            self.length * 3 / 2
        } else {
            self.length
        };
        self.length = length.clamp(ticks(1.0e-4), ticks(1.0 / 250.0));
        (self.falling, self.rising, self.windows) = (0.0, 0.0, 0);
    }
}

/// Counted waste that falls with R, in units of about a nanosecond on a present machine.
fn falling(c: &Counts) -> f64 {
    35.0 * c.node_tests as f64 + 5.0 * c.primitive_tests as f64 + 100.0 * c.slab_pairs as f64
}

/// Counted waste that rises with R, in the same units.
fn rising(c: &Counts) -> f64 {
    let resimulation = 9.0 * c.element_forces_undone as f64 + 13.0 * c.contact_forces_undone as f64;
    let unneeded = 9.0 * (c.contact_forces - c.contact_pushes) as f64;
    resimulation + unneeded + 350.0 * c.slab_steps as f64
}
