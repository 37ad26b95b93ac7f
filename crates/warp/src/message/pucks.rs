//! Colliding pucks: discs that slide on a table without friction and bounce off each other and off its cushions, after
//! the model that the Time Warp Operating System was measured with (Hontalas, Beckman and others, "Performance of the
//! Colliding Pucks Simulation on the Time Warp Operating Systems", 1989). Pucks and the square sectors of the table are
//! processes. A puck tells the sectors that its disc reaches into how it moves; a sector finds when two of its pucks
//! meet, and tells both. Most messages are local, predictions are often overtaken, and ties are common: what PHOLD
//! is not.
//!
//! News takes a tick (2^-40 s) from process to process, so that contacts are found two ticks late: overlaps are below
//! 1e-11 of a puck's way in a second.

use super::model::{Model, Outbox};
use super::wire::Wire;
use crate::graph::ProcessId;
use crate::pcg::Pcg32;
use crate::time::Tick;

/// The side of a sector, m.
const SECTOR: f64 = 1.0;
/// The radius of a puck, m.
const RADIUS: f64 = 0.1;
/// Pucks start with at most this speed along each axis, m/s.
const FASTEST: f64 = 1.0;

/// The table and its pucks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pucks {
    /// Sectors along each side of the table.
    pub sectors: u32,
    /// Pucks in each sector at the start, at most 9: they lie on a grid.
    pub pucks_each: u32,
    /// Seed of velocities.
    pub seed: u64,
}

/// Uniform motion from a tick on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Path {
    start: Tick,
    place: [f64; 2],
    velocity: [f64; 2],
}

impl Path {
    fn at(&self, tick: Tick) -> [f64; 2] {
        let s = tick.since(self.start);
        [0, 1].map(|axis| self.place[axis] + self.velocity[axis] * s)
    }

    fn from(&self, tick: Tick) -> Path {
        Path {
            start: tick,
            place: self.at(tick),
            velocity: self.velocity,
        }
    }
}

/// A puck as its sectors know it. `turn` counts its bounces: news of an earlier turn is stale.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Known {
    puck: ProcessId,
    turn: u32,
    path: Path,
}

/// What pucks and sectors tell each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct News(Tidings);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Tidings {
    /// To a sector: a puck reaches into it, or has bounced.
    Here(Known),
    /// To a sector: a puck has left it.
    Gone(ProcessId),
    /// From a sector to itself: two pucks meet, if both are still on the same turn.
    Meet([ProcessId; 2], [u32; 2]),
    /// To a puck on this turn: it hits another one that moves like this.
    Hit(u32, Path),
    /// From a puck to itself: its disc reaches a line between sectors or a cushion, if nothing has happened since.
    Line(u32),
}

/// What a process remembers.
#[derive(Clone, Debug, PartialEq)]
pub struct PuckState(Memory);

#[derive(Clone, Debug, PartialEq)]
enum Memory {
    Puck {
        path: Path,
        turn: u32,
        /// Counts all that happened to it.
        age: u32,
        /// The first and last sector that it reaches into along each axis.
        reach: [[u32; 2]; 2],
    },
    Sector(Vec<Known>),
}

impl PuckState {
    /// Where a puck is at a tick at which it is still on its last path, and its velocity; nothing for a sector.
    pub fn puck_at(&self, tick: Tick) -> Option<[[f64; 2]; 2]> {
        match &self.0 {
            Memory::Puck { path, .. } => Some([path.at(tick), path.velocity]),
            Memory::Sector(_) => None,
        }
    }
}

/// The next line that a disc's edges reach along an axis, and what its reach becomes there; a cushion, if it stays.
struct Crossing {
    at: f64,
    axis: usize,
    reach: [u32; 2],
    is_cushion: bool,
}

impl Pucks {
    fn sector_count(&self) -> u32 {
        self.sectors * self.sectors
    }

    fn sector(&self, x: u32, y: u32) -> ProcessId {
        ProcessId(y * self.sectors + x)
    }

    /// A puck at the start; sector by sector, so that neighbours have numbers close to each other.
    fn start_of(&self, puck: u32) -> Path {
        let (sector, place) = (puck / self.pucks_each, puck % self.pucks_each);
        let (x, y) = (sector % self.sectors, sector / self.sectors);
        let mut random = Pcg32::new(self.seed, u64::from(puck));
        let mut speed = || FASTEST * (2.0 * random.unit() - 1.0);
        Path {
            start: Tick::ZERO,
            place: [(x, place % 3), (y, place / 3)].map(|(corner, third)| {
                SECTOR * (f64::from(corner) + (0.5 + f64::from(third)) / 3.0)
            }),
            velocity: [speed(), speed()],
        }
    }

    fn sectors_in(&self, reach: [[u32; 2]; 2]) -> impl Iterator<Item = ProcessId> {
        let model = *self;
        let [[left, right], [low, high]] = reach;
        (low..=high).flat_map(move |y| (left..=right).map(move |x| model.sector(x, y)))
    }

    /// What a puck's edges reach next, in seconds from the start of its path.
    fn crossing(&self, path: &Path, reach: [[u32; 2]; 2]) -> Option<Crossing> {
        let along = |axis: usize| {
            let [low, high] = reach[axis];
            let (place, velocity) = (path.place[axis], path.velocity[axis]);
            let time =
                |line: u32, edge: f64| (f64::from(line) * SECTOR - (place + edge)) / velocity;
            let last = self.sectors - 1;
            let candidates = if velocity > 0.0 {
                [
                    (
                        time(high + 1, RADIUS),
                        [low, (high + 1).min(last)],
                        high == last,
                    ),
                    (time(low + 1, -RADIUS), [low + 1, high], false),
                ]
            } else if velocity < 0.0 {
                [
                    (time(low, -RADIUS), [low.saturating_sub(1), high], low == 0),
                    (time(high, RADIUS), [low, high.saturating_sub(1)], false),
                ]
            } else {
                return None;
            };
            let [a, b] = candidates;
            // A disc in one sector alone leaves none behind.
            let (at, reach, is_cushion) = if low == high || a.0 <= b.0 { a } else { b };
            Some(Crossing {
                at: at.max(0.0),
                axis,
                reach,
                is_cushion,
            })
        };
        let (x, y) = (along(0), along(1));
        match (x, y) {
            (Some(x), Some(y)) if y.at < x.at => Some(y),
            (Some(x), _) => Some(x),
            (None, y) => y,
        }
    }

    /// A puck has a new path or a new reach: it will look at the next line in time.
    fn plan(
        &self,
        process: ProcessId,
        (now, path, age): (Tick, &Path, u32),
        reach: [[u32; 2]; 2],
        outbox: &mut impl Outbox<News>,
    ) {
        if let Some(crossing) = self.crossing(path, reach) {
            let at = path.start.saturating_add(Tick::from_seconds(crossing.at).0);
            let at = at.max(now.saturating_add(1));
            outbox.send(process, at, News(Tidings::Line(age)));
        }
    }
}

/// When two pucks that approach each other touch; at once, if they already do.
fn meeting(a: &Path, b: &Path, now: Tick) -> Option<Tick> {
    let (pa, pb) = (a.at(now), b.at(now));
    let p = [pb[0] - pa[0], pb[1] - pa[1]];
    let v = [0, 1].map(|axis| b.velocity[axis] - a.velocity[axis]);
    let dot = |u: [f64; 2], w: [f64; 2]| u[0] * w[0] + u[1] * w[1];
    let (approach, gap) = (dot(p, v), dot(p, p) - 4.0 * RADIUS * RADIUS);
    let discriminant = approach * approach - dot(v, v) * gap;
    if approach >= 0.0 || discriminant < 0.0 {
        return None;
    }
    let seconds = gap / (discriminant.sqrt() - approach);
    let ticks = Tick::from_seconds(seconds.max(0.0)).0;
    Some(now.saturating_add(ticks.max(1)))
}

/// The velocity of a puck after it has hit another one of the same mass.
fn after_hit(own: &Path, other: &Path, now: Tick) -> [f64; 2] {
    let (a, b) = (own.at(now), other.at(now));
    let n = [b[0] - a[0], b[1] - a[1]];
    let square = n[0] * n[0] + n[1] * n[1];
    let v = [0, 1].map(|axis| own.velocity[axis] - other.velocity[axis]);
    let approach = n[0] * v[0] + n[1] * v[1];
    if square == 0.0 || approach <= 0.0 {
        return own.velocity;
    }
    [0, 1].map(|axis| own.velocity[axis] - n[axis] * approach / square)
}

impl Model for Pucks {
    type State = PuckState;
    type Payload = News;

    fn processes(&self) -> u32 {
        self.sector_count() * (1 + self.pucks_each)
    }

    fn start(&self, process: ProcessId, outbox: &mut impl Outbox<News>) -> PuckState {
        let Some(puck) = process.0.checked_sub(self.sector_count()) else {
            return PuckState(Memory::Sector(Vec::new()));
        };
        let path = self.start_of(puck);
        let reach = path.place.map(|x| {
            let edge = |x: f64| ((x / SECTOR) as u32).min(self.sectors - 1);
            [edge(x - RADIUS), edge(x + RADIUS)]
        });
        let known = Known {
            puck: process,
            turn: 0,
            path,
        };
        for sector in self.sectors_in(reach) {
            outbox.send(sector, Tick(1), News(Tidings::Here(known)));
        }
        self.plan(process, (Tick::ZERO, &path, 0), reach, outbox);
        PuckState(Memory::Puck {
            path,
            turn: 0,
            age: 0,
            reach,
        })
    }

    fn handle(
        &self,
        process: ProcessId,
        now: Tick,
        News(tidings): News,
        PuckState(state): &mut PuckState,
        outbox: &mut impl Outbox<News>,
    ) {
        match state {
            Memory::Sector(known) => hear(process, now, tidings, known, outbox),
            Memory::Puck {
                path,
                turn,
                age,
                reach,
            } => {
                let soon = now.saturating_add(1);
                let before = *reach;
                let bounced = match tidings {
                    Tidings::Hit(on_turn, other) if on_turn == *turn => {
                        *path = Path {
                            velocity: after_hit(path, &other, now),
                            ..path.from(now)
                        };
                        true
                    }
                    Tidings::Line(at_age) if at_age == *age => {
                        let Some(crossing) = self.crossing(path, *reach) else {
                            return;
                        };
                        reach[crossing.axis] = crossing.reach;
                        if crossing.is_cushion {
                            *path = path.from(now);
                            path.velocity[crossing.axis] = -path.velocity[crossing.axis];
                        }
                        crossing.is_cushion
                    }
                    _ => return,
                };
                *age += 1;
                *turn += u32::from(bounced);
                let known = Known {
                    puck: process,
                    turn: *turn,
                    path: *path,
                };
                let is_in = |reach: [[u32; 2]; 2], sector| {
                    self.sectors_in(reach).any(|other| other == sector)
                };
                for sector in self.sectors_in(*reach) {
                    if bounced || !is_in(before, sector) {
                        outbox.send(sector, soon, News(Tidings::Here(known)));
                    }
                }
                for sector in self.sectors_in(before) {
                    if !is_in(*reach, sector) {
                        outbox.send(sector, soon, News(Tidings::Gone(process)));
                    }
                }
                self.plan(process, (now, path, *age), *reach, outbox);
            }
        }
    }

    fn encode(&self, PuckState(state): &PuckState, bytes: &mut Vec<u8>) {
        match state {
            Memory::Puck {
                path,
                turn,
                age,
                reach,
            } => {
                put_path(path, bytes);
                [turn, age].iter().for_each(|x| x.put(bytes));
                reach.as_flattened().iter().for_each(|x| x.put(bytes));
            }
            Memory::Sector(known) => known.iter().for_each(|known| put_known(known, bytes)),
        }
    }

    fn encode_payload(&self, payload: &News, bytes: &mut Vec<u8>) {
        payload.put(bytes);
    }
}

/// A sector hears of a puck, or that two of its pucks meet.
fn hear(
    sector: ProcessId,
    now: Tick,
    tidings: Tidings,
    known: &mut Vec<Known>,
    outbox: &mut impl Outbox<News>,
) {
    let place = |known: &[Known], puck| known.iter().position(|entry| entry.puck == puck);
    match tidings {
        Tidings::Here(news) => {
            match place(known, news.puck) {
                Some(place) => known[place] = news,
                None => known.push(news),
            }
            for other in known.iter().filter(|other| other.puck != news.puck) {
                if let Some(at) = meeting(&news.path, &other.path, now) {
                    let both = [news.puck, other.puck];
                    let meet = Tidings::Meet(both, [news.turn, other.turn]);
                    outbox.send(sector, at, News(meet));
                }
            }
        }
        Tidings::Gone(puck) => {
            if let Some(place) = place(known, puck) {
                known.swap_remove(place);
            }
        }
        Tidings::Meet(pucks, turns) => {
            let find = |side: usize| {
                let entry = known.iter().find(|entry| entry.puck == pucks[side]);
                entry.filter(|entry| entry.turn == turns[side])
            };
            if let (Some(a), Some(b)) = (find(0), find(1)) {
                for (own, other) in [(a, b), (b, a)] {
                    let hit = Tidings::Hit(own.turn, other.path);
                    outbox.send(own.puck, now.saturating_add(1), News(hit));
                }
            }
        }
        Tidings::Hit(..) | Tidings::Line(_) => {}
    }
}

fn put_path(path: &Path, bytes: &mut Vec<u8>) {
    path.start.put(bytes);
    let numbers = [path.place, path.velocity];
    numbers.as_flattened().iter().for_each(|x| x.put(bytes));
}

fn take_path(bytes: &mut &[u8]) -> Option<Path> {
    let start = Tick::take(bytes)?;
    let mut next = || f64::take(bytes);
    Some(Path {
        start,
        place: [next()?, next()?],
        velocity: [next()?, next()?],
    })
}

fn put_known(known: &Known, bytes: &mut Vec<u8>) {
    known.puck.put(bytes);
    known.turn.put(bytes);
    put_path(&known.path, bytes);
}

impl Wire for News {
    fn put(&self, bytes: &mut Vec<u8>) {
        match self.0 {
            Tidings::Here(known) => {
                0u8.put(bytes);
                put_known(&known, bytes);
            }
            Tidings::Gone(puck) => {
                1u8.put(bytes);
                puck.put(bytes);
            }
            Tidings::Meet(pucks, turns) => {
                2u8.put(bytes);
                pucks.iter().for_each(|puck| puck.put(bytes));
                turns.iter().for_each(|turn| turn.put(bytes));
            }
            Tidings::Hit(turn, path) => {
                3u8.put(bytes);
                turn.put(bytes);
                put_path(&path, bytes);
            }
            Tidings::Line(age) => {
                4u8.put(bytes);
                age.put(bytes);
            }
        }
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        Some(News(match u8::take(bytes)? {
            0 => Tidings::Here(Known {
                puck: ProcessId::take(bytes)?,
                turn: u32::take(bytes)?,
                path: take_path(bytes)?,
            }),
            1 => Tidings::Gone(ProcessId::take(bytes)?),
            2 => {
                let pucks = [ProcessId::take(bytes)?, ProcessId::take(bytes)?];
                Tidings::Meet(pucks, [u32::take(bytes)?, u32::take(bytes)?])
            }
            3 => Tidings::Hit(u32::take(bytes)?, take_path(bytes)?),
            4 => Tidings::Line(u32::take(bytes)?),
            _ => return None,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Committed, Output, run_sequential};

    /// The last state of every puck.
    struct Last(Vec<Option<PuckState>>, u64);

    impl Output<Pucks> for Last {
        fn commit(&mut self, model: &Pucks, event: Committed<'_, Pucks>) {
            self.1 += 1;
            if let Some(puck) = event.process.0.checked_sub(model.sector_count()) {
                self.0[puck as usize] = Some(event.state.clone());
            }
        }
    }

    /// Places and velocities of all pucks at the end of a run.
    fn at_end(model: &Pucks, until: Tick) -> (Vec<[[f64; 2]; 2]>, u64) {
        let count = (model.sector_count() * model.pucks_each) as usize;
        let mut last = Last(vec![None; count], 0);
        run_sequential(model, until, &mut last);
        let of = |(puck, state): (usize, &Option<PuckState>)| match state {
            Some(state) => state.puck_at(until).expect("a puck"),
            None => {
                let path = model.start_of(puck as u32);
                [path.at(until), path.velocity]
            }
        };
        (last.0.iter().enumerate().map(of).collect(), last.1)
    }

    fn energy(pucks: &[[[f64; 2]; 2]]) -> f64 {
        let square = |[_, v]: &[[f64; 2]; 2]| v[0] * v[0] + v[1] * v[1];
        pucks.iter().map(square).sum()
    }

    #[test]
    fn pucks_keep_their_energy_and_never_overlap() {
        let model = Pucks {
            sectors: 6,
            pucks_each: 5,
            seed: 3,
        };
        let (start, _) = at_end(&model, Tick(1));
        for seconds in [3.0, 10.0, 30.0] {
            let (pucks, events) = at_end(&model, Tick::from_seconds(seconds));
            assert!(events as f64 > 300.0 * seconds, "only {events} events");
            let drift = energy(&pucks) / energy(&start) - 1.0;
            assert!(drift.abs() < 1e-12, "energy changes by {drift:e}");
            for (i, [a, _]) in pucks.iter().enumerate() {
                let side = 6.0 * SECTOR - RADIUS;
                let is_inside = |x: &f64| *x > RADIUS - 1e-9 && *x < side + 1e-9;
                assert!(a.iter().all(is_inside), "puck {i} is at {a:?}");
                for [b, _] in &pucks[..i] {
                    let distance = (a[0] - b[0]).hypot(a[1] - b[1]);
                    assert!(distance > 2.0 * RADIUS - 1e-9, "an overlap: {distance}");
                }
            }
        }
    }

    #[test]
    fn two_pucks_swap_their_velocities_head_on() {
        let path = |x: f64, velocity: f64| Path {
            start: Tick::ZERO,
            place: [x, 0.0],
            velocity: [velocity, 0.0],
        };
        let (a, b) = (path(0.0, 1.0), path(1.2, -1.0));
        let at = meeting(&a, &b, Tick::ZERO).unwrap();
        assert!((at.seconds() - 0.5).abs() < 1e-9);
        assert_eq!(after_hit(&a, &b, at), [-1.0, 0.0]);
        assert_eq!(after_hit(&b, &a, at), [1.0, 0.0]);
        assert_eq!(meeting(&b, &path(0.0, -2.0), Tick::ZERO), None);
    }
}
