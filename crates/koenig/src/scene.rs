//! What the protocol simulates: spheres, and fixed shapes that they bounce off. Constant while it runs.

use glamx::DVec3;

/// A vector, metres or metres per second.
pub type Vec3 = DVec3;

/// Virtual time in whole milliseconds, as the paper has it.
pub type Ms = i64;

/// A physical state: what changes about an entity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Phy {
    /// Centre, m.
    pub position: Vec3,
    /// m/s.
    pub velocity: Vec3,
}

/// A sphere that moves: one entity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// m.
    pub radius: f64,
    /// kg.
    pub mass: f64,
    /// Its surface, a row of [`Scene::restitution`].
    pub surface: usize,
    /// Its state at the start.
    pub start: Phy,
}

/// A frame in which a fixed shape lies: its origin and three orthogonal unit axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// m.
    pub origin: Vec3,
    /// x, y, z.
    pub axes: [Vec3; 3],
}

/// The geometry of what stays where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// All points with `normal . x <= offset`.
    HalfSpace {
        /// Outward unit normal.
        normal: Vec3,
        /// m.
        offset: f64,
    },
    /// A box about a frame's origin.
    Box {
        /// Where it lies.
        frame: Frame,
        /// Half of the edges, m.
        half_extents: Vec3,
    },
    /// A cylinder along a frame's y axis.
    Cylinder {
        /// Where it lies.
        frame: Frame,
        /// Half of the height, m.
        half_height: f64,
        /// m.
        radius: f64,
    },
    /// A ball that stays.
    Ball {
        /// m.
        centre: Vec3,
        /// m.
        radius: f64,
    },
}

/// What stays where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fixed {
    /// Its geometry.
    pub form: Form,
    /// Its surface, a row of [`Scene::restitution`].
    pub surface: usize,
}

/// Everything that is constant.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// The entities.
    pub spheres: Vec<Sphere>,
    /// What they bounce off.
    pub fixed: Vec<Fixed>,
    /// Restitution by the surfaces of both.
    pub restitution: Vec<Vec<f64>>,
    /// m/s^2.
    pub gravity: Vec3,
    /// Where the run ends; a multiple of the sub-step.
    pub end: Ms,
}

/// A fault to plant, for tests that must find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Buckets are locked in the order in which an entity passes through them, not in the order of their numbers.
    UnsortedLocks,
    /// An antievent is acknowledged when all the antievents that it made necessary are, as the paper's recursion has it.
    LateAcknowledgements,
    /// This entity panics when it writes its first state.
    Panic(u32),
}

/// How the protocol runs. Only the sub-step has an influence on the history.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The rollback granularity, and the step of integration.
    pub sub_step: Ms,
    /// How far an entity may run ahead of GVT.
    pub ahead: Ms,
    /// How many buckets the hash table has; none for a number that fits the scene.
    pub buckets: Option<usize>,
    /// For tests.
    pub fault: Option<Fault>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            sub_step: 4,
            ahead: 256,
            buckets: None,
            fault: None,
        }
    }
}

/// Settings or a scene that cannot be run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unusable {
    /// The sub-step.
    #[error("the sub-step is {0} ms; expected at least 1 ms")]
    SubStep(Ms),
    /// The distance from GVT.
    #[error(
        "entities may run {ahead} ms ahead of GVT with a sub-step of {sub_step} ms; expected at least two sub-steps, \
         or the events at the bound are never acknowledged"
    )]
    Ahead {
        /// What was asked for.
        ahead: Ms,
        /// The sub-step.
        sub_step: Ms,
    },
    /// The end.
    #[error(
        "the run ends at {end} ms; expected a multiple of the sub-step of {sub_step} ms, and not before 0"
    )]
    End {
        /// What was asked for.
        end: Ms,
        /// The sub-step.
        sub_step: Ms,
    },
    /// The threads.
    #[error("{0} threads were asked for; expected 1 to 1024")]
    Threads(usize),
}

impl Settings {
    /// Whether the scene can be run with these.
    pub fn check(&self, scene: &Scene) -> Result<(), Unusable> {
        let Settings {
            sub_step, ahead, ..
        } = *self;
        let end = scene.end;
        if sub_step < 1 {
            return Err(Unusable::SubStep(sub_step));
        }
        if ahead < 2 * sub_step {
            return Err(Unusable::Ahead { ahead, sub_step });
        }
        if end < 0 || end % sub_step != 0 {
            return Err(Unusable::End { end, sub_step });
        }
        Ok(())
    }

    /// LVT_ub rises by at least this much at a time, or entities would be woken for every sub-step of the slowest.
    /// Less than `ahead` by a sub-step at least: an event at LVT_ub is acknowledged by a step beyond it.
    pub(crate) fn stride(&self) -> Ms {
        (self.ahead / 4 / self.sub_step).max(1) * self.sub_step
    }

    /// The largest LVT that is allowed for a GVT.
    pub(crate) fn lvt_ub(&self, gvt: Ms, end: Ms) -> Ms {
        let stride = self.stride();
        ((gvt + self.ahead) / stride * stride).min(end)
    }
}
