//! One region at work.

use super::cells::Cells;
use super::lines::{Frame, Outlet, Run};
use super::plan::{Tally, Task};
use super::post::Post;
use super::{Outset, RunError};
use crate::engine::{Border, Engine, Message};
use crate::history::{Discard, History, Told};
use crate::panicked::guarded;
use crate::span::{Doing, Span};
use crate::stats::{RegionStats, Stats};
use crate::world::{BodyId, World};
use cpu_time::ThreadTime;
use physics::State;
use record::Segment;
use std::sync::Arc;
use std::time::{Duration, Instant};
use warp::Tick;

/// A region with its engine.
pub(super) struct Region {
    engine: Engine,
    cells: Cells,
    /// The cells have been moved, and the engine has not been told yet.
    is_recut: bool,
    number: usize,
    out: Vec<Vec<Message>>,
    /// Segments begun at the last settlement.
    begun_before: u64,
    counts: RegionStats,
    clocks: Clocks,
    /// What the thread was at since the last commit, if somebody wants to know.
    spans: Vec<Span>,
    wants_spans: bool,
}

/// When things began, and how long they took.
struct Clocks {
    /// The run.
    run: Instant,
    /// The region.
    region: Instant,
    waited: Duration,
    /// CPU time of the thread at the last meeting.
    met: ThreadTime,
    /// CPU time of the thread, without waiting.
    worked: Duration,
    /// That of the busiest between two meetings, added up, ns.
    critical_ns: u64,
}

/// What is left of a region: its counters, and the final states of its bodies.
pub(super) struct Ended {
    pub stats: Stats,
    pub counts: RegionStats,
    pub states: Vec<(u32, State)>,
    /// Where the regions' common history ends, if they had to be united.
    pub united_at: Option<Tick>,
    /// CPU time that no number of threads could have saved.
    pub critical_s: f64,
}

/// Keeps what is committed.
struct Keep {
    segments: Vec<Segment<'static>>,
    frames: Vec<Frame>,
}

impl History for Keep {
    fn segment(&mut self, segment: &Segment<'_>) -> Told {
        // Nobody has asked for knots.
        self.segments.push(Segment {
            knots: &[],
            ..*segment
        });
        Ok(())
    }

    fn frame(&mut self, body: BodyId, tick: Tick, state: &State) -> Told {
        self.frames.push((body, tick, *state));
        Ok(())
    }
}

impl Region {
    /// The region of this number at the start of the world.
    pub fn new(world: Arc<World>, cells: &Cells, number: usize, outset: &Outset) -> Self {
        let region = Instant::now();
        let met = ThreadTime::now();
        let owners: Vec<u8> = world
            .bodies
            .iter()
            .map(|body| cells.region_at(body.start.position))
            .collect();
        let hulls = cells.hulls();
        let places = (cells.home(number), cells.inner(number));
        let border = Border::new(&world, number as u8, &owners, &hulls, places);
        Region {
            engine: Engine::regional(world, border),
            cells: cells.clone(),
            is_recut: false,
            number,
            out: vec![Vec::new(); cells.count()],
            begun_before: 0,
            counts: RegionStats::default(),
            clocks: Clocks {
                run: outset.began,
                region,
                waited: Duration::ZERO,
                met,
                worked: Duration::ZERO,
                critical_ns: 0,
            },
            spans: Vec::new(),
            wants_spans: outset.wants_spans,
        }
    }

    /// Says who is in sight of others at the start.
    pub fn begin(&mut self, post: &Post) -> Tally {
        self.say(post)
    }

    /// Reports to the others, with the CPU time since the last meeting, and waits for what all have reported.
    pub fn meet(&mut self, own: Tally, meet: impl FnOnce(Tally) -> Tally) -> Tally {
        let cpu = self.clocks.met.elapsed();
        self.clocks.worked += cpu;
        let own = Tally {
            cpu_ns: cpu.as_nanos() as u64,
            ..own
        };
        let all = self.waiting(|| meet(own));
        self.clocks.met = ThreadTime::now();
        self.clocks.critical_ns += all.cpu_ns;
        all
    }

    /// Waits for something; the time counts as waiting.
    pub fn waiting<T>(&mut self, wait: impl FnOnce() -> T) -> T {
        let from = Instant::now();
        let result = wait();
        self.clocks.waited += from.elapsed();
        self.note_span(Doing::Wait, from, self.engine.gvt(), 1);
        result
    }

    fn note_span(&mut self, what: Doing, from: Instant, tick: Tick, count: u64) {
        if self.wants_spans {
            self.spans.push(Span {
                thread: self.number as u32,
                what,
                begin: from.saturating_duration_since(self.clocks.run),
                end: self.clocks.run.elapsed(),
                tick,
                count,
            });
        }
    }

    /// Does a task; returns what there is to report and, after a settlement, what was committed.
    pub fn perform(
        &mut self,
        task: Task,
        post: &Post,
        line: &Outlet,
    ) -> Result<(Tally, Option<Run>), RunError> {
        let result = guarded(self, |region| match task {
            Task::Work(end) => Ok((region.work(end, post), None)),
            Task::Cut(end) => {
                region.engine.cut_at(end);
                region.counts.cuts += 1;
                Ok((region.work(end, post), None))
            }
            Task::Unite => Ok((Tally::NONE, None)),
            Task::Settle {
                gvt,
                migrates,
                loads,
            } => {
                let run = region.commit(gvt, line.room())?;
                if let Some(loads) = loads
                    && region.cells.shift(&loads)
                {
                    region.is_recut = true;
                    region.counts.recuts += 1;
                }
                Ok((region.part(migrates, post), Some(run)))
            }
            Task::Finish => {
                let run = region.commit(Tick::MAX, line.room())?;
                region.engine.finish(&mut Discard)?;
                Ok((Tally::NONE, Some(run)))
            }
        });
        result?
    }

    /// Hears what was said, does what is pending before `end`, and says what has changed.
    fn work(&mut self, end: Tick, post: &Post) -> Tally {
        let from = Instant::now();
        self.counts.rounds += 1;
        let (mut moves, messages) = post.take(self.number);
        moves.sort_by_key(|migration| migration.body);
        self.engine.migrate(&moves);
        if std::mem::take(&mut self.is_recut) {
            let places = (self.cells.home(self.number), self.cells.inner(self.number));
            self.engine.recut(&self.cells.hulls(), places);
        }
        for message in messages {
            self.engine.hear(message);
        }
        let mut processed = 0;
        // From where a body leaves the region on, the window is going to be cut.
        while let Some(next) = self.engine.next_order()
            && next.moment.tick < end.min(self.engine.leaves_at())
        {
            if let Some(entry) = self.engine.take() {
                self.engine.process(&entry);
                processed += 1;
            }
        }
        let tally = self.say(post);
        self.note_span(Doing::Work, from, end, processed);
        tally
    }

    /// Says what has changed for others.
    fn say(&mut self, post: &Post) -> Tally {
        self.engine.flush(&mut self.out);
        for message in self.out.iter().flatten() {
            match message {
                Message::Import(..) => self.counts.imports += 1,
                Message::Fact(_) => self.counts.facts += 1,
                Message::Retract(..) => self.counts.retractions += 1,
                Message::Drop(_) => {}
            }
        }
        let sent = post.send(self.number, &mut self.out);
        let begun = self.engine.stats().segments_begun - self.begun_before;
        let mut loads = Tally::NONE.loads;
        loads[self.number] = begun as u32;
        Tally {
            leaves: self.engine.leaves_at(),
            begun,
            loads,
            ..self.tally(sent)
        }
    }

    fn tally(&mut self, sent: u64) -> Tally {
        let next = self.engine.next_order();
        Tally {
            sent,
            next: next.map_or(Tick::MAX, |order| order.moment.tick),
            ..Tally::NONE
        }
    }

    /// Commits what lies before `gvt`.
    fn commit(&mut self, gvt: Tick, room: Vec<Segment<'static>>) -> Result<Run, RunError> {
        let from = Instant::now();
        let mut keep = Keep {
            segments: room,
            frames: Vec::new(),
        };
        self.engine.commit(gvt, &mut keep)?;
        self.begun_before = self.engine.stats().segments_begun;
        self.counts.windows += 1;
        self.note_span(Doing::Commit, from, gvt, keep.segments.len() as u64);
        Ok(Run {
            gvt,
            segments: keep.segments,
            frames: keep.frames,
            spans: std::mem::take(&mut self.spans),
        })
    }

    /// Says who is out of sight and who changes its region.
    fn part(&mut self, migrates: bool, post: &Post) -> Tally {
        self.engine.flush_faded(&mut self.out);
        let mut sent = post.send(self.number, &mut self.out);
        if migrates {
            let cells = &self.cells;
            let moves = self
                .engine
                .emigrants(|owner, place| cells.region_of(owner, place));
            self.counts.migrations += moves.len() as u64;
            sent += post.announce(self.number, &moves);
        }
        self.tally(sent)
    }

    /// What is left of a region whose run another one has ended.
    pub fn abandon(self) -> Result<Ended, RunError> {
        Ok(self.end())
    }

    /// What is left of a region that gives up being one, with all before `gvt` committed.
    pub fn end_at(self, gvt: Tick) -> Ended {
        Ended {
            stats: Stats::default(),
            counts: self.counts,
            states: Vec::new(),
            united_at: Some(gvt),
            critical_s: 0.0,
        }
    }

    /// What is left of a region at the end of the run.
    pub fn end(mut self) -> Ended {
        let until = self.engine.world().until;
        let bodies = self.engine.world().bodies.len() as u32;
        let states = (0..bodies)
            .filter_map(|body| {
                let state = self.engine.state_if_own(BodyId(body), until)?;
                Some((body, state))
            })
            .collect();
        let stats = self.engine.take_stats();
        let clocks = &self.clocks;
        self.counts.segments = stats.segments_committed;
        self.counts.rollbacks = stats.rollbacks;
        self.counts.waiting_s = clocks.waited.as_secs_f64();
        self.counts.busy_s = clocks.region.elapsed().as_secs_f64() - self.counts.waiting_s;
        let since_met = clocks.met.elapsed();
        self.counts.cpu_s = (clocks.worked + since_met).as_secs_f64();
        let critical_s = 1e-9 * clocks.critical_ns as f64 + since_met.as_secs_f64();
        Ended {
            stats,
            counts: self.counts,
            states,
            united_at: None,
            critical_s,
        }
    }
}

impl crate::panicked::AtWork for Region {
    fn at_work(&self) -> Option<(crate::engine::Kind, Tick)> {
        self.engine.at_work()
    }
}

/// Statistics and final states of all regions together.
pub(super) fn conclude(world: &World, ended: Vec<Ended>) -> (Stats, Vec<State>) {
    let mut states: Vec<State> = world.bodies.iter().map(|body| body.start).collect();
    let mut all: Option<Stats> = None;
    let mut regions = Vec::with_capacity(ended.len());
    let mut critical_s: f64 = 0.0;
    for region in ended {
        for (body, state) in region.states {
            states[body as usize] = state;
        }
        critical_s = critical_s.max(region.critical_s);
        regions.push(region.counts);
        match &mut all {
            None => all = Some(region.stats),
            Some(all) => all.add(&region.stats),
        }
    }
    let mut stats = all.unwrap_or_default();
    let cpu_s: f64 = regions.iter().map(|region| region.cpu_s).sum();
    let fair = cpu_s / regions.len().max(1) as f64;
    for region in &mut regions {
        region.load = region.cpu_s / fair.max(f64::MIN_POSITIVE);
    }
    stats.threads = regions.len() as u32;
    stats.cpu_seconds += cpu_s;
    stats.critical_path_s = Some(critical_s);
    stats.regions = regions;
    stats.conclude();
    (stats, states)
}
