//! The bodies of a step: velocities while impulses are found, then targets, then where they were put.

use crate::groups::{Member, Neighbour, Span};
use crate::rotation::{angular_momentum, drifted, rotation_vector, spin_of, turned, world_tensor};
use crate::{Mat3, Pose, State, Vec3};

/// A body as impulses see it; neighbours have no inverse mass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mover {
    pub velocity: Vec3,
    pub spin: Vec3,
    /// What fast collisions within the step have changed of its way, metres and radians.
    pub detour: [Vec3; 2],
    pub inverse_mass: f64,
    /// In the world, at the step's start.
    pub inverse_inertia: Mat3,
}

impl Mover {
    #[inline]
    pub fn velocity_at(&self, arm: Vec3) -> Vec3 {
        self.velocity + self.spin.cross(arm)
    }

    #[inline]
    pub fn kick(&mut self, arm: Vec3, impulse: Vec3) {
        self.velocity += impulse * self.inverse_mass;
        self.spin += self.inverse_inertia * arm.cross(impulse);
    }

    /// Change of velocity at the end of `arm` by an impulse there.
    #[inline]
    pub fn response(&self, arm: Vec3, impulse: Vec3) -> Vec3 {
        impulse * self.inverse_mass + (self.inverse_inertia * arm.cross(impulse)).cross(arm)
    }

    /// A kick at `gone` seconds after the step's start: the way until then stays as it was.
    pub fn kick_late(&mut self, arm: Vec3, impulse: Vec3, gone: f64) {
        let (velocity, spin) = (self.velocity, self.spin);
        self.kick(arm, impulse);
        self.detour[0] += (velocity - self.velocity) * gone;
        self.detour[1] += (spin - self.spin) * gone;
    }
}

/// All bodies of a step, members first.
#[derive(Default)]
pub(super) struct Bodies {
    pub movers: Vec<Mover>,
    /// Members at the step's start.
    pub starts: Vec<State>,
    /// Where members would be after the step if nothing stood in their way.
    pub targets: Vec<Pose>,
    /// The strongest pull on any member, m/s^2.
    pub pull: f64,
    /// Length of the step, seconds.
    seconds: f64,
}

impl Bodies {
    /// Takes the states at the step's start and lets all forces but contact act.
    pub fn begin(&mut self, members: &[Member], neighbours: &[Neighbour], span: Span) {
        self.seconds = span.seconds;
        self.starts.clear();
        self.starts.extend(members.iter().map(|m| m.state));
        self.movers.clear();
        let pulls = members.iter().map(|m| m.model.gravity.length());
        self.pull = pulls.fold(0.0, f64::max);
        let movable = members.iter().map(|m| forced(m, span));
        self.movers.extend(movable);
        self.movers.extend(neighbours.iter().map(|n| Mover {
            velocity: n.state.velocity,
            spin: n.state.spin,
            detour: [Vec3::ZERO; 2],
            inverse_mass: 0.0,
            inverse_inertia: Mat3::ZERO,
        }));
    }

    /// Sets the targets. A member that nothing touches falls freely, to second order.
    pub fn aim(&mut self, members: &[Member], touched: &[bool]) {
        let h = self.seconds;
        self.targets.clear();
        for (place, member) in members.iter().enumerate() {
            let (start, mover) = (&self.starts[place], &self.movers[place]);
            let fall = if touched[place] {
                Vec3::ZERO
            } else {
                member.model.gravity * (-0.5 * h * h)
            };
            let position = start.position + mover.velocity * h + mover.detour[0] + fall;
            let mass = &member.model.mass;
            let momentum = angular_momentum(start.rotation, mass.inertia, mover.spin);
            let free = drifted(start.rotation, momentum, mass, h);
            let rotation = turned(free, mover.detour[1], 1.0);
            self.targets.push(Pose::from_parts(position, rotation));
        }
    }

    /// What separates a member at `pose` from its target: metres, and a rotation vector.
    pub fn deficit(&self, place: usize, pose: &Pose) -> [Vec3; 2] {
        let target = &self.targets[place];
        let turn = target.rotation * pose.rotation.inverse();
        [target.translation - pose.translation, rotation_vector(turn)]
    }

    /// Writes velocities and spins to the members: the angular momentum stays as they turn.
    pub fn write_velocities(&self, members: &mut [Member]) {
        let known = self.movers.iter().zip(&self.starts);
        for (member, (mover, start)) in members.iter_mut().zip(known) {
            let mass = &member.model.mass;
            let momentum = angular_momentum(start.rotation, mass.inertia, mover.spin);
            member.state.velocity = mover.velocity;
            member.state.spin = spin_of(member.state.rotation, mass.inverse_inertia, momentum);
        }
    }
}

/// A member after gravity, damping and fields have acted for the whole step.
fn forced(member: &Member, span: Span) -> Mover {
    let (model, state, h) = (member.model, &member.state, span.seconds);
    let mut velocity = state.velocity + model.gravity * h;
    let mut spin = state.spin;
    if let Some(field) = &model.field {
        let now = State { velocity, ..*state };
        let wrench = field.wrench(span.begin, model.mass.mass, &now);
        let torque = state.rotation.inverse() * wrench.torque;
        velocity += wrench.force * (model.mass.inverse_mass * h);
        spin += state.rotation * (model.mass.inverse_inertia * torque) * h;
    }
    let [linear, angular] = model.damping;
    Mover {
        velocity: velocity * (1.0 / (1.0 + h * linear)),
        spin: spin * (1.0 / (1.0 + h * angular)),
        detour: [Vec3::ZERO; 2],
        inverse_mass: model.mass.inverse_mass,
        inverse_inertia: world_tensor(state.rotation, model.mass.inverse_inertia),
    }
}
