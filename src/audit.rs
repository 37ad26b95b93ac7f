//! An audit of committed history: states of all bodies at evenly spaced ticks, or at every tick at which a
//! step of a contact group or any other event ends, taken from the segments as they are committed, and the
//! overlaps between them by exact distances: nothing of it comes from a solver.

use crate::replay::{Replay, Tree, Trees};
use physics::State;
use record::{Event, OwnedSegment, Segment};
use sim::{History, World};
use warp::Tick;

/// States kept at most over all samples, about 100 MB.
const STATES_MAX: usize = 1_000_000;

/// Collects states at sample ticks.
pub struct Audit<'w> {
    world: &'w World,
    ticks: Vec<Tick>,
    /// Each body's newest segment.
    newest: Vec<Option<(OwnedSegment, Option<Tree<'w>>)>>,
    trees: Trees<'w>,
    /// Each body's next sample.
    next: Vec<usize>,
    /// By sample, then by body.
    states: Vec<Vec<State>>,
}

/// What an audit found.
#[derive(Clone, Debug)]
pub struct Findings {
    /// How many ticks were looked at.
    pub samples: usize,
    /// The overlap that is deepest for what is allowed.
    pub deepest: Option<Overlap>,
}

/// Two bodies that overlap.
#[derive(Clone, Debug)]
pub struct Overlap {
    /// By how much, m.
    pub depth: f64,
    /// How much is tolerated between these two, m.
    pub allowed: f64,
    /// The least width of the smaller body, m.
    pub width: f64,
    /// Their names.
    pub bodies: [String; 2],
}

/// Overlap tolerated between bodies that only bounce, metres: a thousandth of a millimetre, far above
/// rounding, far below anything that tunnels.
pub const OVERLAP_BOUNCING: f64 = 1e-6;
/// The same for small bodies, as a part of the smaller one's least width.
const OVERLAP_BOUNCING_PART: f64 = 1e-3;
/// Overlap tolerated in contacts that last, as a part of the smaller body's least width: a hundredth is
/// seen by nobody, and a body that sinks deeper is on its way through.
const OVERLAP_LASTING_PART: f64 = 1e-2;

/// The same where every group is advanced by a solver that promises that nothing overlaps.
const OVERLAP_APART_PART: f64 = 1e-4;

/// Overlap tolerated between two bodies of a world, and the least width of the smaller one, m.
fn allowed(world: &World, a: sim::BodyId, b: sim::BodyId) -> (f64, f64) {
    let width = |body: sim::BodyId| world.model(body).collider.least_width();
    let width = width(a).min(width(b));
    let allowed = match &world.contact {
        // Groups with joints stay with `soft-step`.
        Some(rules) if rules.solver.name() == "optimization" && world.joints.is_empty() => {
            OVERLAP_APART_PART * width
        }
        Some(_) => OVERLAP_LASTING_PART * width,
        None => OVERLAP_BOUNCING.min(OVERLAP_BOUNCING_PART * width),
    };
    (allowed, width)
}

/// Collects the ticks at which anything began anew: the ends of group steps, collisions, fusions.
#[derive(Default)]
pub struct Moments {
    ticks: std::collections::BTreeSet<Tick>,
}

impl History for Moments {
    fn segment(&mut self, segment: &Segment<'_>) -> sim::Told {
        if segment.event != Event::Continue {
            self.ticks.insert(Tick(segment.start));
        }
        Ok(())
    }
}

impl Findings {
    /// What two audits of one history have found.
    pub fn and(self, other: Findings) -> Findings {
        let part = |f: &Findings| f.deepest.as_ref().map_or(0.0, |o| o.depth / o.allowed);
        let samples = self.samples + other.samples;
        let deepest = match part(&other) > part(&self) {
            true => other.deepest,
            false => self.deepest,
        };
        Findings { samples, deepest }
    }
}

impl<'w> Audit<'w> {
    /// An audit of a world at up to `samples` ticks between its start and its end.
    pub fn new(world: &'w World, samples: usize) -> Self {
        let bodies = world.bodies.len();
        let samples = samples.min(STATES_MAX / bodies.max(1)).max(4);
        let step = world.until.0 / samples as i64;
        Self::at(
            world,
            (1..=samples as i64).map(|k| Tick(k * step)).collect(),
        )
    }

    /// An audit at the end of every step and every other event of a history; of a long one with many bodies at as many
    /// of them as memory allows, evenly chosen.
    pub fn at_moments(world: &'w World, moments: &Moments) -> Self {
        let most = (STATES_MAX / world.bodies.len().max(1)).max(4);
        let every = moments.ticks.len().div_ceil(most).max(1);
        Self::at(
            world,
            moments.ticks.iter().copied().step_by(every).collect(),
        )
    }

    /// An audit at these ticks, rising.
    fn at(world: &'w World, ticks: Vec<Tick>) -> Self {
        let (bodies, samples) = (world.bodies.len(), ticks.len());
        let starts: Vec<State> = world.bodies.iter().map(|b| b.start).collect();
        Audit {
            world,
            ticks,
            newest: vec![None; bodies],
            trees: Trees::new(world),
            next: vec![0; bodies],
            states: vec![starts; samples],
        }
    }

    /// Evaluates a segment at the body's samples before `end`.
    fn sample(&mut self, segment: &Segment<'_>, tree: Option<Tree<'w>>, end: Tick) {
        let body = segment.body as usize;
        let due = |audit: &Self| audit.ticks.get(audit.next[body]).is_some_and(|t| *t < end);
        if !due(self) {
            return;
        }
        let mut replay = Replay::new(self.world, segment, tree);
        while due(self) {
            let sample = self.next[body];
            self.states[sample][body] = replay.state(self.ticks[sample]);
            self.next[body] += 1;
        }
    }

    /// The states of all bodies at the sampled ticks, when the run is over: for who measures them by other means.
    pub fn states(&mut self) -> &[Vec<State>] {
        for (newest, tree) in std::mem::take(&mut self.newest).into_iter().flatten() {
            self.sample(&newest.as_segment(), tree, Tick::MAX);
        }
        &self.states
    }

    /// Looks for overlaps in all samples.
    pub fn conclude(mut self) -> Findings {
        self.states();
        let mut deepest: Option<Overlap> = None;
        let name = |body: sim::BodyId| self.world.bodies[body.index()].name.clone();
        for states in &self.states {
            sim::overlap::overlaps(self.world, states, 0.0, |a, b, depth| {
                let (allowed, width) = allowed(self.world, a, b);
                let excess = |o: &Overlap| o.depth * allowed >= depth * o.allowed;
                if !deepest.as_ref().is_some_and(excess) {
                    deepest = Some(Overlap {
                        depth,
                        allowed,
                        width,
                        bodies: [name(a), name(b)],
                    });
                }
            });
        }
        Findings {
            samples: self.ticks.len(),
            deepest,
        }
    }
}

impl History for Audit<'_> {
    fn joints(&mut self, joints: &sim::JointSegment<'_>) -> sim::Told {
        self.trees.tell(joints);
        Ok(())
    }

    fn segment(&mut self, segment: &Segment<'_>) -> sim::Told {
        if segment.event == Event::Continue {
            return Ok(());
        }
        let body = segment.body as usize;
        if let Some((previous, tree)) = self.newest[body].take() {
            self.sample(&previous.as_segment(), tree, Tick(segment.start));
        }
        let tree = self.trees.of(segment.body);
        self.newest[body] = Some((OwnedSegment::from(*segment), tree));
        Ok(())
    }
}
