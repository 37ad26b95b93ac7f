//! Multibodies of a world (Mirtich 4.3): trees of links whose joints are their only freedoms. Each link that has
//! mass is a body of the world, which collides and is drawn as others are; the multibody owns its motion.

mod control;
mod flow;
mod make;
pub(crate) mod program;
mod step;
pub(crate) mod thrower;

pub use control::{Collided, CollidedFn, Control, ControlFn, Controller, Other};
pub use flow::{Acting, Flow};
pub use make::{LinkShape, MultibodyError, Plan, State as JointState};
pub(crate) use step::{StepRoom, Tree, step};

use crate::world::BodyId;
use multibody::constraint::Combination;
use multibody::loops::Loops;
use multibody::motor::Motor;
use multibody::{Multibody, Pose, Vec3, Workspace};
use physics::State;
use std::sync::Arc;

/// A link that is a body of the world.
#[derive(Clone, Copy, Debug)]
pub struct LinkBody {
    /// The body.
    pub body: BodyId,
    /// The link's number in the tree.
    pub link: u32,
    /// Principal axes and centre of mass in the link's frame.
    pub frame: Pose,
}

/// A fixed tendon that cannot be stretched or let out farther than it reaches, or that rubs. Its spring is the model's.
#[derive(Clone, Debug, PartialEq)]
pub struct Tendon {
    /// For messages.
    pub name: String,
    /// Its length, as a sum of joint positions.
    pub length: Combination,
    /// Least and largest length.
    pub limits: Option<(f64, f64)>,
    /// Dry friction, N.
    pub friction_loss: f64,
}

impl Tendon {
    fn is_rough(&self) -> bool {
        self.limits.is_some() || self.friction_loss > 0.0
    }
}

/// A multibody of a world.
#[derive(Clone, Debug)]
pub struct MultibodyBody {
    /// For messages.
    pub name: String,
    /// The tree.
    pub model: Arc<Multibody>,
    /// Closed loops and couplings.
    pub loops: Loops,
    /// Fixed tendons with limits or dry friction.
    pub tendons: Vec<Tendon>,
    /// Motors.
    pub motors: Vec<Motor>,
    /// The motors' control signals at the start.
    pub controls: Vec<f64>,
    /// Positions, then velocities of the joints at the start.
    pub start: Vec<f64>,
    /// Links that are bodies, rising.
    pub links: Vec<LinkBody>,
    /// Names of the joints, by link.
    pub joints: Vec<String>,
    /// Names of the motors.
    pub motor_names: Vec<String>,
    /// Who sets the motors' control signals, if somebody does.
    pub controller: Option<Controller>,
    /// Pairs of links' bodies that never collide, the lower number first, sorted.
    pub apart: Vec<(u32, u32)>,
}

impl MultibodyBody {
    /// States of all links that are bodies, from positions and velocities of the joints.
    pub fn link_states(
        &self,
        joints: &[f64],
        ws: &mut Workspace,
        mut each: impl FnMut(usize, State),
    ) {
        let (q, v) = joints.split_at(self.model.positions());
        self.model.kinematics(q, &v[..self.model.velocities()], ws);
        for (place, link) in self.links.iter().enumerate() {
            each(place, link.state(ws));
        }
    }

    /// Whether it can be followed by smooth motion alone: nothing in it is a limit or dry friction.
    pub fn is_smooth(&self) -> bool {
        !self.tendons.iter().any(Tendon::is_rough)
            && (0..self.model.len()).all(|k| {
                let joint = &self.model.link(k).joint;
                joint.limits.is_none() && joint.friction_loss == 0.0
            })
    }

    /// What the motors do to the joints under control signals: a force or torque for each velocity.
    pub fn motor_forces(&self, q: &[f64], v: &[f64], controls: &[f64]) -> Vec<f64> {
        let mut forces = vec![0.0; self.model.velocities()];
        for (motor, control) in self.motors.iter().zip(controls) {
            motor.add(*control, q, v, &mut forces);
        }
        forces
    }

    /// Energy of a state, J: kinetic with the drives' armature, and potential with the springs'.
    pub fn energy(&self, joints: &[f64], ws: &mut Workspace) -> multibody::Energy {
        let (q, v) = joints.split_at(self.model.positions());
        self.model.energy(q, v, ws)
    }
}

impl LinkBody {
    /// The state of the link's body after kinematics.
    pub fn state(&self, ws: &Workspace) -> State {
        let link = self.link as usize;
        let turn = ws.rotation(link);
        let arm = turn * self.frame.translation;
        let velocity = ws.velocity(link).at(arm);
        let rotation = multibody::Quat::from_mat3(&turn) * self.frame.rotation;
        State {
            position: ws.origin(link) + arm,
            velocity: velocity.lin,
            rotation: rotation.normalize(),
            spin: velocity.ang,
        }
    }
}

/// How an impulse at a point of one link, and its opposite at the same point of another, changes the joints'
/// velocities: one column for each direction of the world.
#[derive(Clone, Debug, Default)]
pub struct Response {
    /// Changes of the joints' velocities per unit impulse along x, y and z.
    pub columns: [Vec<f64>; 3],
    /// Changes of the points' velocities against each other per unit impulse along x, y and z.
    pub at_point: [Vec3; 3],
}

impl Response {
    /// The response of a multibody in the positions `q` to an impulse at `point` on a link (plus), or on two of its
    /// links against each other. Closed loops answer with impulses of their own in the same moment, so that a
    /// column is a motion that they allow.
    pub fn new(
        body: &MultibodyBody,
        q: &[f64],
        point: Vec3,
        (plus, minus): (u32, Option<u32>),
        ws: &mut Workspace,
    ) -> Self {
        let model = &*body.model;
        let mut response = Response::default();
        model.factorize(q, ws);
        for (axis, column) in response.columns.iter_mut().enumerate() {
            let impulse = Vec3::AXES[axis];
            let wrench = |link: u32, sign: f64, ws: &Workspace| {
                let origin = ws.origin(link as usize);
                let force = multibody::spatial::Force::at_point(impulse * sign, point, origin);
                (link as usize, force)
            };
            let mut wrenches = vec![wrench(plus, 1.0, ws)];
            wrenches.extend(minus.map(|link| wrench(link, -1.0, ws)));
            column.resize(model.velocities(), 0.0);
            model.wrench_response(ws, &wrenches, column);
            let moved = |link: u32, ws: &Workspace| {
                let arm = point - ws.origin(link as usize);
                model.response_of(ws, link as usize).at(arm).lin
            };
            response.at_point[axis] =
                moved(plus, ws) - minus.map_or(Vec3::ZERO, |link| moved(link, ws));
        }
        if !body.loops.is_empty() {
            response.close(body, q, point, (plus, minus));
        }
        response
    }

    /// Takes into account that closed loops stay closed.
    fn close(
        &mut self,
        body: &MultibodyBody,
        q: &[f64],
        point: Vec3,
        (plus, minus): (u32, Option<u32>),
    ) {
        let model = &*body.model;
        let (mut loops, mut ws) = (body.loops.clone(), Workspace::new(model));
        for (column, at_point) in self.columns.iter_mut().zip(&mut self.at_point) {
            loops.close_velocities(model, q, column, &mut ws);
            model.kinematics(q, column, &mut ws);
            let moved = |link: u32| {
                let arm = point - ws.origin(link as usize);
                ws.velocity(link as usize).at(arm).lin
            };
            *at_point = moved(plus) - minus.map_or(Vec3::ZERO, moved);
        }
    }

    /// Change of the point's velocity by an impulse.
    pub fn of(&self, impulse: Vec3) -> Vec3 {
        self.at_point[0] * impulse.x + self.at_point[1] * impulse.y + self.at_point[2] * impulse.z
    }

    /// Adds what an impulse does to the joints' velocities.
    pub fn apply(&self, impulse: Vec3, v: &mut [f64]) {
        for (axis, column) in self.columns.iter().enumerate() {
            for (v, dv) in v.iter_mut().zip(column) {
                *v += dv * impulse[axis];
            }
        }
    }
}
