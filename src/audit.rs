//! An audit of committed history: states of all bodies at evenly spaced ticks, taken from the segments
//! as they are committed, and the overlaps between them.

use physics::{Quat, State, Vec3};
use record::{Event, OwnedSegment, Segment};
use sim::{History, World};

/// States kept at most over all samples, about 100 MB.
const STATES_MAX: usize = 1_000_000;

/// Collects states at sample ticks.
pub struct Audit {
    ticks: Vec<i64>,
    /// Each body's newest segment.
    newest: Vec<Option<OwnedSegment>>,
    /// Each body's next sample.
    next: Vec<usize>,
    /// By sample, then by body.
    states: Vec<Vec<State>>,
}

/// What an audit found.
pub struct Findings {
    /// How many ticks were looked at.
    pub samples: usize,
    /// The deepest overlap, m, and the bodies.
    pub deepest: Option<(f64, String, String)>,
}

impl Audit {
    /// An audit of a world at up to `samples` ticks between its start and its end.
    pub fn new(world: &World, samples: usize) -> Self {
        let bodies = world.bodies.len();
        let samples = samples.min(STATES_MAX / bodies.max(1)).max(4);
        let step = world.until.0 / samples as i64;
        let starts: Vec<State> = world.bodies.iter().map(|b| b.start).collect();
        Audit {
            ticks: (1..=samples as i64).map(|k| k * step).collect(),
            newest: vec![None; bodies],
            next: vec![0; bodies],
            states: vec![starts; samples],
        }
    }

    /// Evaluates a segment at the body's samples before `end`.
    fn sample(&mut self, segment: &Segment<'_>, end: i64) {
        let body = segment.body as usize;
        while let Some(&tick) = self.ticks.get(self.next[body]) {
            if tick >= end {
                break;
            }
            let state = segment.state(tick);
            self.states[self.next[body]][body] = State {
                position: Vec3::from_array(state.position),
                velocity: Vec3::from_array(state.velocity),
                rotation: Quat::from_array(state.rotation),
                spin: Vec3::from_array(state.spin),
            };
            self.next[body] += 1;
        }
    }

    /// Looks for overlaps in all samples.
    pub fn conclude(mut self, world: &World) -> Findings {
        for newest in std::mem::take(&mut self.newest).iter().flatten() {
            self.sample(&newest.as_segment(), i64::MAX);
        }
        let mut deepest: Option<(f64, String, String)> = None;
        let name = |body: sim::BodyId| world.bodies[body.index()].name.clone();
        for states in &self.states {
            sim::overlap::overlaps(world, states, 0.0, |a, b, depth| {
                if deepest.as_ref().is_none_or(|(d, _, _)| depth > *d) {
                    deepest = Some((depth, name(a), name(b)));
                }
            });
        }
        Findings {
            samples: self.ticks.len(),
            deepest,
        }
    }
}

impl History for Audit {
    fn segment(&mut self, segment: &Segment<'_>) {
        let body = segment.body as usize;
        if segment.event == Event::Continue {
            // The knots reach from the segment's start to its end.
            if let Some(last) = segment.knots.last() {
                self.sample(segment, last.tick + 1);
            }
            return;
        }
        if let Some(previous) = self.newest[body].take() {
            self.sample(&previous.as_segment(), segment.start);
        }
        self.newest[body] = Some(OwnedSegment::from(*segment));
    }

    fn wants_knots(&self) -> bool {
        true
    }
}
