//! Key times: where a body's motion must be sampled so that straight lines between the samples stay
//! within a tolerance of it. Free flight needs few keys, a bounce needs one at its very tick.

use super::links::Hierarchy;
use super::{Evaluator, Options};
use crate::error::Result;
use crate::model::{Body, Shape};
use crate::reader::Reader;
use crate::segment::{OwnedSegment, Segment, State};
use crate::{TICKS_PER_SECOND, seconds_between};

/// Largest turn between two keys, rad: spherical interpolation is then exact for steady spin and takes
/// the right way round.
const MAX_TURN: f64 = std::f64::consts::FRAC_PI_2;
/// Cosine of half the turn, 1e-3 rad, that counts as a jump between two segments.
const MIN_COSINE: f64 = 1.0 - 1.25e-7;
/// Halvings of an interval between events: 2^16 keys are enough for any motion worth looking at.
const MAX_HALVINGS: u32 = 16;

/// A sampled state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    /// When.
    pub(crate) tick: i64,
    /// What.
    pub(crate) state: State,
}

/// The keys of every body, in the header's order.
pub(crate) fn all_bodies(
    reader: &Reader,
    options: &Options,
    evaluator: &mut dyn Evaluator,
) -> Result<Vec<Vec<Key>>> {
    let span = options.span(reader);
    match options.fps {
        Some(fps) => frames(reader, fps, span, evaluator),
        None => adaptive(reader, options.tolerance, span),
    }
}

/// The tick of a frame; a frame's time in seconds is its number over the rate.
pub(crate) fn frame_tick(first: i64, frame: u64, fps: f64) -> i64 {
    first + (frame as f64 / fps * TICKS_PER_SECOND).round() as i64
}

/// How many frames a span has.
pub(crate) fn frame_count((first, last): (i64, i64), fps: f64) -> u64 {
    // A span that is a whole number of frames long, up to a tick, must not lose its last one.
    (seconds_between(first, last.saturating_add(1)) * fps).floor() as u64 + 1
}

/// The ticks at which the vertices of a deformable are exported: frames, or its own.
pub(crate) fn vertex_ticks(reader: &Reader, process: u32, options: &Options) -> Vec<i64> {
    let own = reader.vertex_ticks(process);
    let (first, last) = options.span(reader);
    let Some(&begin) = own.first() else {
        return own;
    };
    match options.fps {
        Some(fps) => (0..frame_count((first, last), fps))
            .map(|frame| frame_tick(first, frame, fps).min(last))
            .filter(|tick| *tick >= begin)
            .collect(),
        None => own
            .into_iter()
            .filter(|tick| (first..=last).contains(tick))
            .collect(),
    }
}

fn frames(
    reader: &Reader,
    fps: f64,
    (first, last): (i64, i64),
    evaluator: &mut dyn Evaluator,
) -> Result<Vec<Vec<Key>>> {
    let mut keys: Vec<Vec<Key>> = vec![Vec::new(); reader.header().bodies.len()];
    let mut next = vec![0; keys.len()];
    let count = frame_count((first, last), fps);
    reader.for_each_stretch(|stretch| {
        let body = stretch.segment.body as usize;
        evaluator.begin(&stretch.segment);
        while next[body] < count {
            let tick = frame_tick(first, next[body], fps).min(last);
            if !stretch.holds(tick) && tick >= stretch.segment.start {
                return;
            }
            next[body] += 1;
            if stretch.holds(tick) && stretch.is_present() {
                let state = evaluator.state(&stretch.segment, tick);
                keys[body].push(Key { tick, state });
            }
        }
    })?;
    Ok(keys)
}

/// How closely straight motion between keys must follow a body.
#[derive(Clone, Copy)]
struct Fineness {
    /// Largest distance, m.
    distance: f64,
    /// Largest turn between two keys, rad.
    turn: f64,
}

fn adaptive(reader: &Reader, tolerance: f64, (first, last): (i64, i64)) -> Result<Vec<Vec<Key>>> {
    let bodies = &reader.header().bodies;
    let hierarchy = Hierarchy::of(reader.header());
    // Between two keys of a link that turns its children go along chords: off the arc by an eighth of the turn's square
    // times how far away they are, which is taken to be twice the link's size.
    let turn = |body| match hierarchy.holds(body) {
        true => (4.0 * tolerance).sqrt().min(MAX_TURN),
        false => MAX_TURN,
    };
    let finest = |(number, body): (usize, &Body)| Fineness {
        distance: tolerance * size(body),
        turn: turn(number),
    };
    let tolerances: Vec<Fineness> = bodies.iter().enumerate().map(finest).collect();
    let mut open: Vec<Option<OwnedSegment>> = vec![None; bodies.len()];
    let mut keys: Vec<Vec<Key>> = vec![Vec::new(); bodies.len()];
    reader.for_each_segment(i64::MIN, last.saturating_add(1), |segment| {
        let body = segment.body as usize;
        let next = OwnedSegment::from(segment);
        if let Some(before) = open[body].replace(next)
            && segment.start >= first
        {
            let (before, tolerance) = (before.as_segment(), tolerances[body]);
            sample(&before, (first, segment.start), tolerance, &mut keys[body]);
            hold_jump(&before, &segment, tolerance, &mut keys[body]);
        }
    })?;
    for (body, newest) in open.iter().enumerate() {
        if let Some(newest) = newest {
            let (newest, tolerance) = (newest.as_segment(), tolerances[body]);
            sample(&newest, (first, last), tolerance, &mut keys[body]);
            keys[body].push(Key {
                tick: last,
                state: newest.state(last),
            });
            thin_rest(&mut keys[body]);
        }
    }
    Ok(keys)
}

/// Appends the keys of a segment: its start (or `first`, if that is later) and what the tolerance asks for
/// before `end`.
fn sample(
    segment: &Segment<'_>,
    (first, end): (i64, i64),
    tolerance: Fineness,
    keys: &mut Vec<Key>,
) {
    let start = segment.start.max(first);
    // of several events at one tick the last one counts
    keys.pop_if(|key| key.tick == start);
    let mut from = Key {
        tick: start,
        state: segment.state(start),
    };
    keys.push(from);
    let inner = segment
        .knots
        .iter()
        .map(|knot| knot.tick)
        .filter(|tick| *tick < end);
    for tick in inner.chain([end]).filter(|tick| *tick > start) {
        let to = Key {
            tick,
            state: segment.state(tick),
        };
        halve(segment, from, to, tolerance, MAX_HALVINGS, keys);
        if tick < end {
            keys.push(to);
        }
        from = to;
    }
}

/// Where a body was placed or turned anew, its last tick before that is a key: no line is drawn across.
fn hold_jump(before: &Segment<'_>, next: &Segment<'_>, tolerance: Fineness, keys: &mut Vec<Key>) {
    let (tick, end) = (next.start - 1, before.state(next.start));
    let cosine: f64 = (0..4).map(|i| end.rotation[i] * next.rotation[i]).sum();
    let jumped =
        distance(end.position, next.position) > tolerance.distance || cosine.abs() < MIN_COSINE;
    if jumped && tick > before.start {
        keys.push(Key {
            tick,
            state: before.state(tick),
        });
    }
}

/// Appends the keys strictly between two, by halving until a straight line is close enough.
fn halve(s: &Segment<'_>, from: Key, to: Key, tolerance: Fineness, left: u32, keys: &mut Vec<Key>) {
    let span = to.tick - from.tick;
    if left == 0 || span < 4 || is_straight(s, &from, &to, tolerance) {
        return;
    }
    let tick = from.tick + span / 2;
    let middle = Key {
        tick,
        state: s.state(tick),
    };
    halve(s, from, middle, tolerance, left - 1, keys);
    keys.push(middle);
    halve(s, middle, to, tolerance, left - 1, keys);
}

/// Whether straight motion from key to key stays close, asked at the quarters of the interval: a
/// parabola is farthest off in the middle, a cubic near one of the three.
fn is_straight(s: &Segment<'_>, from: &Key, to: &Key, tolerance: Fineness) -> bool {
    let speed = |spin: [f64; 3]| distance(spin, [0.0; 3]);
    let turn =
        speed(from.state.spin).max(speed(to.state.spin)) * seconds_between(from.tick, to.tick);
    turn <= tolerance.turn
        && [0.25, 0.5, 0.75].iter().all(|part| {
            let tick = from.tick + ((to.tick - from.tick) as f64 * part) as i64;
            let (a, b) = (from.state.position, to.state.position);
            let line = std::array::from_fn(|i| a[i] + part * (b[i] - a[i]));
            distance(line, s.state(tick).position) <= tolerance.distance
        })
}

/// Whether a body stays where it is.
pub(crate) fn is_still(keys: &[Key]) -> bool {
    keys.windows(2).all(|pair| is_same(&pair[0], &pair[1]))
}

fn is_same(a: &Key, b: &Key) -> bool {
    a.state.position == b.state.position && a.state.rotation == b.state.rotation
}

/// Drops keys between two equal neighbours: a body at rest needs two.
fn thin_rest(keys: &mut Vec<Key>) {
    let mut kept = 0;
    for i in 0..keys.len() {
        let between = kept > 0
            && i + 1 < keys.len()
            && is_same(&keys[kept - 1], &keys[i])
            && is_same(&keys[i], &keys[i + 1]);
        if !between {
            keys[kept] = keys[i];
            kept += 1;
        }
    }
    keys.truncate(kept);
}

/// The radius about the body's origin that holds its bounded shapes, m; 1 if it has none.
pub fn size(body: &Body) -> f64 {
    let norm = |p: [f64; 3]| distance(p, [0.0; 3]);
    let reach = |shape: &Shape| match shape {
        Shape::Ball { radius } => *radius,
        Shape::Box { half_extents } => norm(*half_extents),
        Shape::Capsule {
            half_height,
            radius,
        } => half_height + radius,
        Shape::Cylinder {
            half_height,
            radius,
        } => norm([*half_height, *radius, 0.0]),
        Shape::Hull { points } => points.iter().map(|p| norm(*p)).fold(0.0, f64::max),
        Shape::Mesh { vertices, .. } => vertices.iter().map(|p| norm(*p)).fold(0.0, f64::max),
        Shape::HeightField { scale, .. } => 0.5 * norm([scale[0], 0.0, scale[2]]),
        Shape::HalfSpace { .. } => 0.0,
    };
    let radius = body
        .shapes
        .iter()
        .map(|at| norm(at.position) + reach(&at.shape))
        .fold(0.0, f64::max);
    if radius > 0.0 { radius } else { 1.0 }
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3)
        .map(|i| (a[i] - b[i]) * (a[i] - b[i]))
        .sum::<f64>()
        .sqrt()
}
