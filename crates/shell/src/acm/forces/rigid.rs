//! Rigid bodies among shells: their surfaces are part of the model, their vertices are driven by a rigid state, and the
//! layers push that state. Whoever holds the model drives it: a body has its own law of motion outside of it, and is told
//! here how it goes on. Between two events its vertices move straight, like all others, towards where the rigid state
//! will be at the next slow event; a push changes that state at once and turns all vertices of the surface.

use crate::acm::forces::integrate::{drift, slow_step};
use crate::acm::model::saved::{halves, whole};
use crate::acm::{ShellModel, ShellState, Tick, seconds};
use glamx::{DMat3, DQuat, DVec3};

/// What is constant about a rigid body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RigidBody {
    /// Inverse mass, 1/kg; 0 for what nothing pushes.
    pub inverse_mass: f64,
    /// Inverse moments of inertia about the axes of its own frame, 1/(kg m^2).
    pub inverse_inertia: DVec3,
}

/// Index of a rigid body given to a builder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RigidId(pub(crate) u32);

impl RigidId {
    /// Its number, in the order in which bodies were given.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a body goes on if nothing pushes it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Course {
    /// Velocity of its centre, m/s.
    pub velocity: DVec3,
    /// Spin, rad/s.
    pub spin: DVec3,
    /// Acceleration of its centre, m/s^2.
    pub acceleration: DVec3,
    /// What the surface moves besides, m/s: it makes up for where it was elsewhere than the body.
    pub shift: DVec3,
    /// What the surface turns besides, rad/s.
    pub turn: DVec3,
}

/// Where a rigid body is at its clock, and how it goes on from there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RigidState {
    /// Centre of mass, m.
    pub position: DVec3,
    /// From its own frame to the world.
    pub rotation: DQuat,
    /// How it goes on.
    pub course: Course,
    /// Whether it has been pushed since it was last told its course.
    pub is_pushed: bool,
    pub(crate) clock: Tick,
}

impl RigidState {
    /// A body at rest at t = 0.
    pub fn at_rest(position: DVec3, rotation: DQuat) -> RigidState {
        RigidState {
            position,
            rotation,
            course: Course::default(),
            is_pushed: false,
            clock: 0,
        }
    }

    /// The same body at a later tick if nothing pushes it.
    pub(crate) fn at(&self, t: Tick) -> RigidState {
        let dt = seconds(t - self.clock);
        let Course {
            velocity,
            spin,
            acceleration,
            shift,
            turn,
        } = self.course;
        RigidState {
            position: self.position + (velocity + shift) * dt + acceleration * (0.5 * dt * dt),
            rotation: (rotation_by((spin + turn) * dt) * self.rotation).normalize(),
            course: Course {
                velocity: velocity + acceleration * dt,
                ..self.course
            },
            is_pushed: self.is_pushed,
            clock: t,
        }
    }

    fn place(&self, own: DVec3) -> DVec3 {
        self.position + self.rotation * own
    }

    /// As numbers, in a fixed order; the clock is two halves.
    fn numbers(&self) -> [f64; NUMBERS] {
        let Course {
            velocity,
            spin,
            acceleration,
            shift,
            turn,
        } = self.course;
        let vectors = [self.position, velocity, spin, acceleration, shift, turn];
        let mut numbers = [0.0; NUMBERS];
        for (to, vector) in numbers.chunks_exact_mut(3).zip(vectors) {
            to.copy_from_slice(&vector.to_array());
        }
        numbers[18..22].copy_from_slice(&self.rotation.to_array());
        numbers[22..24].copy_from_slice(&halves(self.clock as u64));
        numbers[24] = f64::from(u8::from(self.is_pushed));
        numbers
    }
}

/// The rotation by a vector of angle and axis, rad.
fn rotation_by(vector: DVec3) -> DQuat {
    let angle = vector.length();
    if angle == 0.0 {
        return DQuat::IDENTITY;
    }
    let (sin, cos) = libm::sincos(0.5 * angle);
    let axis = vector * (sin / angle);
    DQuat::from_xyzw(axis.x, axis.y, axis.z, cos)
}

/// A rigid body of a model: its constants and its surface.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rigid {
    pub body: RigidBody,
    /// Vertices of the model and where they are in the body's frame, m.
    pub surface: Vec<(u32, DVec3)>,
}

impl Rigid {
    pub fn is_movable(&self) -> bool {
        self.body.inverse_mass > 0.0
    }

    /// How far its corners give way at most, 1/kg, with room for some contacts at once.
    pub fn compliances(&self) -> impl Iterator<Item = f64> {
        let of = |&(_, own): &(u32, DVec3)| SHARED * self.body.compliance(own);
        self.surface.iter().map(of)
    }
}

/// The layers are stable for some dozen contacts at one vertex; a body may have many times as many.
const SHARED: f64 = 4.0;

/// Stands for a vertex of no rigid body.
pub(crate) const NONE: u32 = u32::MAX;

/// A point of a triangle or an edge gives way at least a third as much as its corners do, weighted and summed, so a
/// corner is given this many times the point's own.
const CORNERS: f64 = 3.0;

impl RigidBody {
    /// How far a point at this place of its frame gives way to an impulse at most, 1/kg.
    pub(crate) fn compliance(&self, own: DVec3) -> f64 {
        self.inverse_mass + own.length_squared() * self.inverse_inertia.max_element()
    }

    /// The same for a corner of its surface.
    pub(crate) fn corner_compliance(&self, own: DVec3) -> f64 {
        CORNERS * self.compliance(own)
    }
}

/// What the layers do to a body in one event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shove {
    /// Where the body's centre is then, m.
    centre: DVec3,
    /// Impulse, N s, and its moment about the centre, N m s.
    impulse: DVec3,
    moment: DVec3,
    /// How many contacts push.
    pub count: u32,
}

impl Shove {
    /// Nothing yet.
    pub fn about(rigid: &RigidState, t: Tick) -> Shove {
        Shove {
            centre: rigid.at(t).position,
            impulse: DVec3::ZERO,
            moment: DVec3::ZERO,
            count: 0,
        }
    }

    /// Adds an impulse at a point.
    pub fn push(&mut self, at: DVec3, impulse: DVec3) {
        self.impulse += impulse;
        self.moment += (at - self.centre).cross(impulse);
    }

    /// Pushes a body at `t` and turns its surface.
    pub fn apply(&self, model: &ShellModel, state: &mut ShellState, body: usize, t: Tick) {
        let of = &model.rigids[body].body;
        let mut rigid = state.rigid[body].at(t);
        let frame = DMat3::from_quat(rigid.rotation);
        rigid.course.velocity += self.impulse * of.inverse_mass;
        rigid.course.spin += frame * ((frame.transpose() * self.moment) * of.inverse_inertia);
        rigid.is_pushed = true;
        state.rigid[body] = rigid;
        steer_rigid(model, state, body, t);
    }
}

/// Gives all vertices of a body's surface the velocities that take them to where it will be at the next slow event.
pub(crate) fn steer_rigid(model: &ShellModel, state: &mut ShellState, body: usize, t: Tick) {
    let step = slow_step(model);
    let next = (t.div_euclid(step) + 1) * step;
    let then = state.rigid[body].at(next);
    let per_second = 1.0 / seconds(next - t);
    for &(vertex, own) in &model.rigids[body].surface {
        let i = vertex as usize;
        drift(state, i, t);
        state.v[i] = (then.place(own) - state.x[i]) * per_second;
    }
}

/// Brings all bodies to `t` and sends their surfaces on.
pub(crate) fn steer_all(model: &ShellModel, state: &mut ShellState, t: Tick) {
    for body in 0..model.rigids.len() {
        state.rigid[body] = state.rigid[body].at(t);
        steer_rigid(model, state, body, t);
    }
}

impl ShellModel {
    /// The rigid body whose surface is part of a stencil.
    #[inline]
    pub(crate) fn rigid_of(&self, stencil: &[u32; 4]) -> Option<usize> {
        let found = stencil.map(|i| self.rigid_of[i as usize]);
        let body = found.into_iter().fold(NONE, u32::min);
        (body != NONE).then_some(body as usize)
    }
}

impl ShellState {
    /// A rigid body as it is at the state's time.
    pub fn rigid(&self, body: RigidId) -> RigidState {
        self.rigid[body.index()].at(self.now)
    }

    /// Tells a rigid body how it goes on from the state's time.
    pub fn send(&mut self, model: &ShellModel, body: RigidId, course: Course) {
        let (index, now) = (body.index(), self.now);
        let mut rigid = self.rigid[index].at(now);
        rigid.course = course;
        rigid.is_pushed = false;
        self.rigid[index] = rigid;
        steer_rigid(model, self, index, now);
    }

    /// Rigid bodies as numbers.
    pub(crate) fn rigid_numbers(&self) -> Vec<f64> {
        self.rigid.iter().flat_map(RigidState::numbers).collect()
    }
}

/// How many numbers a rigid body is.
pub(crate) const NUMBERS: usize = 25;

/// A rigid body from its numbers; none if they are not one.
pub(crate) fn rigid_from_numbers(numbers: &[f64]) -> Option<RigidState> {
    let vector = |i: usize| DVec3::from_slice(&numbers[3 * i..3 * i + 3]);
    let rotation = DQuat::from_slice(&numbers[18..22]);
    let clock = whole(&numbers[22..24])? as Tick;
    let is_flag = numbers[24] == 0.0 || numbers[24] == 1.0;
    let is_unit = (rotation.length() - 1.0).abs() < 1e-6;
    (is_flag && is_unit).then(|| RigidState {
        position: vector(0),
        rotation,
        course: Course {
            velocity: vector(1),
            spin: vector(2),
            acceleration: vector(3),
            shift: vector(4),
            turn: vector(5),
        },
        is_pushed: numbers[24] == 1.0,
        clock,
    })
}
