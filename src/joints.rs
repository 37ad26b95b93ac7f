//! How the joints of multibodies stand: what a recording tells of them at its start, and keeps of them as they move.

use crate::replay::Trees;
use multibody::{JointKind, Pose, Vec3};
use record::{JointAxis, JointFreedom, JointSample, Link, LinkJoint, Multibody};
use sim::{JointSegment, LinkBody, MultibodyBody, World};
use warp::Tick;

/// Largest way of a coordinate between two samples of smooth motion, rad or m.
const WAY_PER_SAMPLE: f64 = 0.15;
/// Longest time between two such samples, seconds.
const SECONDS_MAX: f64 = 1.0 / 64.0;
/// A cubic between two such samples passes this close to the middle, or there is another sample; so often at most.
const ERROR_MAX: f64 = 1e-7;
const HALVINGS_MAX: u32 = 6;

/// What a recording tells of a multibody at its start.
pub fn described(made: &MultibodyBody) -> Multibody {
    let link = |link: &LinkBody| {
        let mut joints = Vec::new();
        let (mut at, mut parent) = (link.link as usize, None);
        loop {
            joints.extend(joint(made, at));
            let Some(above) = made.model.link(at).parent else {
                break;
            };
            parent = made.links.iter().find(|l| l.link as usize == above);
            if parent.is_some() {
                break;
            }
            at = above;
        }
        joints.reverse();
        Link {
            body: link.body.0,
            parent: parent.map(|parent| parent.body.0),
            joints,
        }
    };
    Multibody {
        name: made.name.clone(),
        links: made.links.iter().map(link).collect(),
    }
}

/// The joint that holds a link of the tree, unless it is fixed.
fn joint(made: &MultibodyBody, number: usize) -> Option<LinkJoint> {
    let spec = made.model.link(number);
    let (kind, along) = match spec.joint.kind {
        JointKind::Fixed => return None,
        JointKind::Hinge(axis) => (JointFreedom::Hinge, axis.normalize()),
        JointKind::Slide(axis) => (JointFreedom::Slide, axis.normalize()),
        JointKind::Ball => (JointFreedom::Ball, Vec3::ZERO),
        JointKind::Free => (JointFreedom::Free, Vec3::ZERO),
    };
    let body_of = |link: usize| made.links.iter().find(|l| l.link as usize == link);
    // A hinge's axis stands still in both of its links; whichever is a body can tell where it is.
    let placed = |body: &LinkBody, pose: Pose| JointAxis {
        body: body.body.0,
        at: body
            .frame
            .inverse_transform_point(pose.translation)
            .to_array(),
        along: (body.frame.rotation.inverse() * (pose.rotation * along)).to_array(),
    };
    let own = body_of(number).filter(|_| kind != JointFreedom::Free);
    let own = own.map(|body| placed(body, Pose::IDENTITY));
    let above = spec.parent.and_then(body_of);
    let name = &made.joints[number];
    Some(LinkJoint {
        name: if name.is_empty() {
            spec.name.clone()
        } else {
            name.clone()
        },
        kind,
        first: made.model.position_index(number) as u32,
        axis: own.or_else(|| above.map(|body| placed(body, spec.placement))),
    })
}

/// Gathers how the joints of a world stand as history tells of them. See the module's text.
pub struct JointNotes<'w> {
    world: &'w World,
    newest: Vec<Option<Newest>>,
    ready: Vec<JointSample>,
}

/// The newest segment of a multibody.
struct Newest {
    start: Tick,
    /// When it was sampled last, and what was found.
    sampled: Tick,
    last: Vec<[f64; 2]>,
    way: Way,
}

/// How its joints move.
enum Way {
    /// Smoothly; the next sample is due then.
    Smooth(Tick),
    /// Straight: the joints at the start and the end of a step, and its end.
    Step(Vec<f64>, Vec<f64>, Tick),
}

impl<'w> JointNotes<'w> {
    /// Of a world, from its start.
    pub fn new(world: &'w World) -> Self {
        JointNotes {
            world,
            newest: world.multibodies.iter().map(|_| None).collect(),
            ready: Vec::new(),
        }
    }

    /// A multibody goes on from here; `trees` has been told of all that is before, and not yet of this.
    pub fn segment(&mut self, joints: &JointSegment<'_>, trees: &Trees<'_>) {
        let index = joints.multibody as usize;
        if index >= self.newest.len() {
            return;
        }
        // How fast it was right before is told as well, for what happens here may change that at once; but whole steps
        // follow each other.
        let is_whole = |n: &Newest| matches!(n.way, Way::Step(_, _, end) if end <= joints.start);
        if !self.newest[index].as_ref().is_some_and(is_whole) {
            self.sample(index, Tick(joints.start.0 - 1), trees);
        }
        let way = match joints.step {
            Some((end, until)) => Way::Step(joints.joints.to_vec(), end.to_vec(), until),
            None => Way::Smooth(Tick::MAX),
        };
        self.newest[index] = Some(Newest {
            start: joints.start,
            sampled: joints.start,
            last: Vec::new(),
            way,
        });
        self.note(index, joints.start, joints.joints);
    }

    /// All that lies before a tick is known.
    pub fn until(&mut self, tick: Tick, trees: &Trees<'_>) {
        for index in 0..self.newest.len() {
            self.follow(index, Tick(tick.0 - 1), trees);
        }
    }

    /// The run ends at a tick.
    pub fn finish(&mut self, tick: Tick, trees: &Trees<'_>) {
        for index in 0..self.newest.len() {
            self.sample(index, tick, trees);
        }
    }

    /// What has been noted since this was last asked.
    pub fn take(&mut self) -> Vec<JointSample> {
        std::mem::take(&mut self.ready)
    }

    /// Notes where the joints of a multibody are at a tick, and all that is due before.
    fn sample(&mut self, index: usize, tick: Tick, trees: &Trees<'_>) {
        self.follow(index, tick, trees);
        let Some(newest) = self.newest[index].as_ref().filter(|n| n.sampled < tick) else {
            return;
        };
        let now = match &newest.way {
            Way::Smooth(_) => self.smooth(index, tick, trees),
            Way::Step(from, to, end) => {
                let share = (tick.since(newest.start) / end.since(newest.start)).min(1.0);
                let between = |(a, b): (&f64, &f64)| a + (b - a) * share;
                from.iter().zip(to).map(between).collect()
            }
        };
        self.refine(index, (tick, &now), trees, HALVINGS_MAX);
        self.note(index, tick, &now);
    }

    /// The joints at a tick of smooth motion.
    fn smooth(&self, index: usize, tick: Tick, trees: &Trees<'_>) -> Vec<f64> {
        let mut now = self.world.multibodies[index].start.clone();
        if let Some(newest) = &self.newest[index] {
            trees.joints(index, tick.since(newest.start), &mut now);
        }
        now
    }

    /// Notes samples between the last one and a state that is about to be noted, where smooth motion bends more than a
    /// cubic does.
    fn refine(&mut self, index: usize, (to, end): (Tick, &[f64]), trees: &Trees<'_>, left: u32) {
        let Some(newest) = self.newest[index].as_ref() else {
            return;
        };
        let long = to.0 - newest.sampled.0;
        if left == 0 || long < 2 || !matches!(newest.way, Way::Smooth(_)) {
            return;
        }
        let middle = Tick(newest.sampled.0 + long / 2);
        let now = self.smooth(index, middle, trees);
        let h = to.since(newest.sampled);
        let ends = newest.last.iter().zip(self.coordinates(index, end));
        let is_close = ends.zip(&now).all(|(([p0, d0], [p1, d1]), q)| {
            let cubic = 0.5 * (p0 + p1) + h * (d0 - d1) / 8.0;
            (cubic - q).abs() <= ERROR_MAX
        });
        if is_close {
            return;
        }
        self.refine(index, (middle, &now), trees, left - 1);
        self.note(index, middle, &now);
        self.refine(index, (to, end), trees, left - 1);
    }

    /// Each coordinate of a state of the joints and its rate.
    fn coordinates(&self, index: usize, joints: &[f64]) -> Vec<[f64; 2]> {
        let model = &self.world.multibodies[index].model;
        let (q, v) = joints.split_at(model.positions());
        let mut rates = vec![0.0; q.len()];
        model.position_rates(q, v, &mut rates);
        q.iter().copied().zip(rates).map(|(q, r)| [q, r]).collect()
    }

    /// Notes the samples of smooth motion that are due up to a tick.
    fn follow(&mut self, index: usize, tick: Tick, trees: &Trees<'_>) {
        while let Some(Newest {
            way: Way::Smooth(due),
            ..
        }) = &self.newest[index]
            && *due <= tick
        {
            let due = *due;
            if let Some(newest) = &mut self.newest[index] {
                newest.way = Way::Smooth(Tick::MAX);
            }
            self.sample(index, due, trees);
        }
    }

    /// Notes a state of the joints, and says when the next sample is due.
    fn note(&mut self, index: usize, tick: Tick, joints: &[f64]) {
        let coordinates = self.coordinates(index, joints);
        let rates = coordinates.iter().map(|[_, rate]| rate.abs());
        let fastest = rates.fold(0.0, f64::max);
        let mut is_straight = true;
        if let Some(newest) = &mut self.newest[index] {
            newest.sampled = tick;
            newest.last.clone_from(&coordinates);
            if let Way::Smooth(due) = &mut newest.way {
                let seconds = (WAY_PER_SAMPLE / fastest).min(SECONDS_MAX);
                *due = tick.saturating_add(Tick::from_seconds(seconds).0.max(1));
                is_straight = false;
            }
        }
        self.ready.push(JointSample {
            tick: tick.0,
            multibody: index as u32,
            is_straight,
            coordinates,
        });
    }
}
