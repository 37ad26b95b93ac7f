//! What ranks exchange at a meeting of all regions, as bytes.

use super::cells::MOST;
use super::lines::Run;
use super::plan::Tally;
use super::post::Letters;
use super::region::Ended;
use crate::engine::{put_all, put_numbers, take_all, take_numbers};
use crate::stats::{RegionStats, Stats};
use crate::world::BodyId;
use physics::{Quat, State, Vec3};
use record::{Event, Momentum, Segment};
use warp::Tick;
use warp::message::Wire;

impl Wire for Tally {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.sent.put(bytes);
        self.next.put(bytes);
        self.leaves.put(bytes);
        self.begun.put(bytes);
        for load in self.loads {
            load.put(bytes);
        }
        self.cpu_ns.put(bytes);
        self.failed.put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        Some(Tally {
            sent: u64::take(bytes)?,
            next: Tick::take(bytes)?,
            leaves: Tick::take(bytes)?,
            begun: u64::take(bytes)?,
            loads: take_loads(bytes)?,
            cpu_ns: u64::take(bytes)?,
            failed: bool::take(bytes)?,
        })
    }
}

fn take_loads(bytes: &mut &[u8]) -> Option<[u32; MOST]> {
    let mut loads = [0; MOST];
    for load in &mut loads {
        *load = u32::take(bytes)?;
    }
    Some(loads)
}

/// What one region has for another, with both their numbers.
pub(super) struct Delivery {
    pub from: u8,
    pub to: u8,
    pub letters: Letters,
}

impl Wire for Delivery {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.from.put(bytes);
        self.to.put(bytes);
        put_all(&self.letters.moves, bytes);
        put_all(&self.letters.messages, bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        Some(Delivery {
            from: u8::take(bytes)?,
            to: u8::take(bytes)?,
            letters: Letters {
                moves: take_all(bytes)?,
                messages: take_all(bytes)?,
            },
        })
    }
}

/// Appends what a region has committed.
pub(super) fn put_run(run: &Run, bytes: &mut Vec<u8>) {
    run.gvt.put(bytes);
    (run.segments.len() as u32).put(bytes);
    for segment in &run.segments {
        put_segment(segment, bytes);
    }
    (run.frames.len() as u32).put(bytes);
    for (body, tick, state) in &run.frames {
        body.0.put(bytes);
        tick.put(bytes);
        put_state(state, bytes);
    }
}

/// Takes what [`put_run`] has put.
pub(super) fn take_run(bytes: &mut &[u8], room: Vec<Segment<'static>>) -> Option<Run> {
    let gvt = Tick::take(bytes)?;
    let mut segments = room;
    for _ in 0..u32::take(bytes)? {
        segments.push(take_segment(bytes)?);
    }
    let mut frames = Vec::new();
    for _ in 0..u32::take(bytes)? {
        let (body, tick) = (BodyId(u32::take(bytes)?), Tick::take(bytes)?);
        frames.push((body, tick, take_state(bytes)?));
    }
    Some(Run {
        gvt,
        segments,
        frames,
        spans: Vec::new(),
    })
}

fn put_state(state: &State, bytes: &mut Vec<u8>) {
    put_numbers(&state.position.to_array(), bytes);
    put_numbers(&state.rotation.to_array(), bytes);
    put_numbers(&state.velocity.to_array(), bytes);
    put_numbers(&state.spin.to_array(), bytes);
}

fn take_state(bytes: &mut &[u8]) -> Option<State> {
    Some(State {
        position: Vec3::from_array(take_numbers(bytes)?),
        rotation: Quat::from_array(take_numbers(bytes)?),
        velocity: Vec3::from_array(take_numbers(bytes)?),
        spin: Vec3::from_array(take_numbers(bytes)?),
    })
}

fn put_segment(segment: &Segment<'_>, bytes: &mut Vec<u8>) {
    segment.body.put(bytes);
    segment.start.put(bytes);
    segment.micro.put(bytes);
    bytes.push(segment.event as u8);
    segment.partner.put(bytes);
    segment.group.put(bytes);
    put_numbers(&segment.position, bytes);
    put_numbers(&segment.velocity, bytes);
    put_numbers(&segment.acceleration, bytes);
    put_numbers(&segment.rotation, bytes);
    put_numbers(&segment.spin, bytes);
    segment.impulse.put(bytes);
    segment.momentum.is_some().put(bytes);
    if let Some(momentum) = &segment.momentum {
        momentum.end.put(bytes);
        put_numbers(momentum.velocity.as_flattened(), bytes);
        put_numbers(momentum.spin.as_flattened(), bytes);
        put_numbers(&momentum.bend, bytes);
    }
}

fn take_segment(bytes: &mut &[u8]) -> Option<Segment<'static>> {
    Some(Segment {
        body: u32::take(bytes)?,
        start: i64::take(bytes)?,
        micro: u32::take(bytes)?,
        event: Event::from_u8(u8::take(bytes)?)?,
        partner: u32::take(bytes)?,
        group: u32::take(bytes)?,
        position: take_numbers(bytes)?,
        velocity: take_numbers(bytes)?,
        acceleration: take_numbers(bytes)?,
        rotation: take_numbers(bytes)?,
        spin: take_numbers(bytes)?,
        impulse: f64::take(bytes)?,
        momentum: match bool::take(bytes)? {
            false => None,
            true => Some(Momentum {
                end: i64::take(bytes)?,
                velocity: [take_numbers(bytes)?, take_numbers(bytes)?],
                spin: [take_numbers(bytes)?, take_numbers(bytes)?],
                bend: take_numbers(bytes)?,
            }),
        },
        knots: &[],
    })
}

/// Appends what is left of a region, or why it has failed.
pub(super) fn put_rest(ended: Result<&Ended, String>, bytes: &mut Vec<u8>) {
    ended.is_ok().put(bytes);
    match ended {
        Ok(ended) => put_ended(ended, bytes),
        Err(why) => put_all(why.as_bytes(), bytes),
    }
}

/// Takes what [`put_rest`] has put.
pub(super) fn take_rest(bytes: &mut &[u8]) -> Option<Result<Ended, String>> {
    Some(match bool::take(bytes)? {
        true => Ok(take_ended(bytes)?),
        false => Err(String::from_utf8_lossy(&take_all(bytes)?).into_owned()),
    })
}

fn put_ended(ended: &Ended, bytes: &mut Vec<u8>) {
    // The counters that `Stats::add` adds up.
    let Stats {
        events_committed,
        collisions,
        checks,
        searches,
        integrations,
        rollbacks,
        segments_undone,
        segments_committed,
        segments_begun,
        peak_history_bytes,
        integrated_s,
        undone_s,
        max_penetration_m,
        ..
    } = &ended.stats;
    for count in [
        events_committed,
        collisions,
        checks,
        searches,
        integrations,
        rollbacks,
        segments_undone,
        segments_committed,
        segments_begun,
        peak_history_bytes,
    ] {
        count.put(bytes);
    }
    put_numbers(&[*integrated_s, *undone_s, *max_penetration_m], bytes);
    let counts = &ended.counts;
    for count in [
        counts.segments,
        counts.windows,
        counts.rounds,
        counts.cuts,
        counts.recuts,
        counts.imports,
        counts.facts,
        counts.retractions,
        counts.migrations,
        counts.rollbacks,
    ] {
        count.put(bytes);
    }
    put_numbers(&[counts.busy_s, counts.waiting_s, counts.cpu_s], bytes);
    ended.critical_s.put(bytes);
    ended.united_at.is_some().put(bytes);
    ended.united_at.unwrap_or(Tick::ZERO).put(bytes);
    (ended.states.len() as u32).put(bytes);
    for (body, state) in &ended.states {
        body.put(bytes);
        put_state(state, bytes);
    }
}

fn take_ended(bytes: &mut &[u8]) -> Option<Ended> {
    let mut stats = Stats {
        events_committed: u64::take(bytes)?,
        collisions: u64::take(bytes)?,
        checks: u64::take(bytes)?,
        searches: u64::take(bytes)?,
        integrations: u64::take(bytes)?,
        rollbacks: u64::take(bytes)?,
        segments_undone: u64::take(bytes)?,
        segments_committed: u64::take(bytes)?,
        segments_begun: u64::take(bytes)?,
        peak_history_bytes: u64::take(bytes)?,
        ..Stats::default()
    };
    [stats.integrated_s, stats.undone_s, stats.max_penetration_m] = take_numbers(bytes)?;
    let mut counts = RegionStats {
        segments: u64::take(bytes)?,
        windows: u64::take(bytes)?,
        rounds: u64::take(bytes)?,
        cuts: u64::take(bytes)?,
        recuts: u64::take(bytes)?,
        imports: u64::take(bytes)?,
        facts: u64::take(bytes)?,
        retractions: u64::take(bytes)?,
        migrations: u64::take(bytes)?,
        rollbacks: u64::take(bytes)?,
        ..RegionStats::default()
    };
    [counts.busy_s, counts.waiting_s, counts.cpu_s] = take_numbers(bytes)?;
    let critical_s = f64::take(bytes)?;
    let (is_united, tick) = (bool::take(bytes)?, Tick::take(bytes)?);
    let mut states = Vec::new();
    for _ in 0..u32::take(bytes)? {
        let body = u32::take(bytes)?;
        states.push((body, take_state(bytes)?));
    }
    Some(Ended {
        stats,
        counts,
        states,
        united_at: is_united.then_some(tick),
        critical_s,
    })
}
