//! The equations of motion of a group under penalty forces (Mirtich's appendix A).
//!
//! The unknowns of a body are its shift and turn since the step's start, velocity and spin. At every
//! contact point a spring and a damper push along the normal while the bodies overlap, and friction
//! follows the smooth law `f_t = mu f_n tanh(v_t / eps)`.

use super::block_lu::{Block, BlockLu, SIDE};
use super::contacts::body;
use super::rolling::Rings;
use super::rosenbrock::System;
use super::{Member, Neighbour};
use crate::rotation::from_rotation_vector;
use crate::{Quat, State, Vec3};
use std::cell::Cell;

/// Depth over which the damper comes in, metres; without it every touch would be a jump.
const DAMPER_DEPTH: f64 = 1e-4;
/// Step of the difference quotients, in metres, radians, m/s and rad/s.
const PROBE: f64 = 1e-7;

/// A contact point.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    /// Indices of the bodies: members first, then neighbours.
    pub pair: (u32, u32),
    /// Numbers of the bodies in the world.
    pub bodies: [u32; 2],
    /// Unit vector towards the first body.
    pub normal: Vec3,
    /// From the centres of mass to the points on the cores, at the step's start.
    pub cores: [Vec3; 2],
    /// From the cores to the surfaces.
    pub to_surfaces: [Vec3; 2],
    /// Circles that it rolls on, as the bodies are turned at the step's start.
    pub rings: Option<Rings>,
    /// Gap at the step's start, metres.
    pub gap: f64,
    /// Spring, N/m.
    pub stiffness: f64,
    /// Damper, N s/m.
    pub damper: f64,
    /// Coulomb's coefficient.
    pub friction: f64,
}

impl Spot {
    /// From the centres of mass to the points on the cores, of bodies that have turned since the step's start.
    fn cores_at(&self, turns: [Quat; 2]) -> [Vec3; 2] {
        let fixed = [turns[0] * self.cores[0], turns[1] * self.cores[1]];
        let Some(rings) = self.rings else {
            return fixed;
        };
        let inwards = [self.normal, -self.normal];
        [0, 1].map(|k| {
            let rolled = rings[k].and_then(|ring| ring.arm(turns[k], inwards[k]));
            rolled.unwrap_or(fixed[k])
        })
    }
}

/// A body somewhere in the step.
#[derive(Clone, Copy, Debug)]
struct Moving {
    shift: Vec3,
    turn: Quat,
    velocity: Vec3,
    spin: Vec3,
}

/// What a contact point does at some moment.
#[derive(Clone, Copy, Debug)]
pub struct Push {
    /// Gap, metres.
    pub gap: f64,
    /// Normal force, newtons.
    pub normal_force: f64,
    force: Vec3,
    arms: [Vec3; 2],
}

/// The group as a system of differential equations.
pub struct Equations<'a> {
    /// Bodies that move, as they were at the step's start.
    pub members: &'a [Member<'a>],
    /// Bodies that nothing moves.
    pub neighbours: &'a [Neighbour<'a>],
    /// Contact points.
    pub spots: &'a [Spot],
    /// Which of them have pushed.
    pub felt: &'a [Cell<bool>],
    /// The step's start, seconds.
    pub start: f64,
    /// Speed below which friction fades, m/s.
    pub slip_speed: f64,
    /// Allowed error of a shift (metres) or turn (radians) per step.
    pub tolerance: f64,
    /// Linear algebra, shaped for the spots.
    pub matrix: &'a mut BlockLu,
    /// The Jacobian as a sum of blocks.
    pub jacobian: &'a mut Vec<(u32, u32, Block)>,
}

fn vector(y: &[f64], at: usize) -> Vec3 {
    Vec3::new(y[at], y[at + 1], y[at + 2])
}

fn add(out: &mut [f64], at: usize, v: Vec3) {
    out[at] += v.x;
    out[at + 1] += v.y;
    out[at + 2] += v.z;
}

/// Rate of the rotation vector `turn` under world spin: the inverse of the exponential's
/// differential.
fn turn_rate(turn: Vec3, spin: Vec3) -> Vec3 {
    let angle_squared = turn.length_squared();
    let third = if angle_squared < 1e-4 {
        1.0 / 12.0 + angle_squared / 720.0
    } else {
        let half = 0.5 * angle_squared.sqrt();
        (1.0 - half / libm::tan(half)) / angle_squared
    };
    let across = turn.cross(spin);
    spin - 0.5 * across + third * turn.cross(across)
}

impl Equations<'_> {
    fn own<'y>(&self, y: &'y [f64], body: u32) -> &'y [f64] {
        &y[body as usize * SIDE..][..SIDE]
    }

    fn moving(&self, own: &[f64]) -> Moving {
        Moving {
            shift: vector(own, 0),
            turn: from_rotation_vector(vector(own, 3)),
            velocity: vector(own, 6),
            spin: vector(own, 9),
        }
    }

    fn scripted(&self, t: f64, neighbour: usize) -> Moving {
        let state = &self.neighbours[neighbour].state;
        let gone = t - self.start;
        Moving {
            shift: state.velocity * gone,
            turn: from_rotation_vector(state.spin * gone),
            velocity: state.velocity,
            spin: state.spin,
        }
    }

    /// Rates of one body without contact.
    fn free_rates(&self, t: f64, body: usize, own: &[f64]) -> [f64; SIDE] {
        let member = &self.members[body];
        let (model, now) = (member.model, self.moving(own));
        let rotation = now.turn * member.state.rotation;
        let mut force = Vec3::ZERO;
        let mut torque = Vec3::ZERO;
        if let Some(field) = &model.field {
            let state = State {
                position: member.state.position + now.shift,
                velocity: now.velocity,
                rotation,
                spin: now.spin,
            };
            let wrench = field.wrench(t, model.mass.mass, &state);
            force = wrench.force;
            torque = wrench.torque;
        }
        let spin = rotation.inverse() * now.spin;
        let momentum = model.mass.inertia * spin;
        let [linear, angular] = model.damping;
        let torque = rotation.inverse() * torque - spin.cross(momentum) - momentum * angular;
        let mut out = [0.0; SIDE];
        add(&mut out, 0, now.velocity);
        add(&mut out, 3, turn_rate(vector(own, 3), now.spin));
        let push = model.gravity + force * model.mass.inverse_mass;
        add(&mut out, 6, push - now.velocity * linear);
        add(
            &mut out,
            9,
            rotation * (model.mass.inverse_inertia * torque),
        );
        out
    }

    fn push(&self, spot: &Spot, a: &Moving, b: &Moving) -> Push {
        let [core_a, core_b] = spot.cores_at([a.turn, b.turn]);
        let moved = a.shift - b.shift + (core_a - spot.cores[0]) - (core_b - spot.cores[1]);
        let gap = spot.gap + spot.normal.dot(moved);
        let arms = [core_a + spot.to_surfaces[0], core_b + spot.to_surfaces[1]];
        let mut out = Push {
            gap,
            normal_force: 0.0,
            force: Vec3::ZERO,
            arms,
        };
        if gap >= 0.0 {
            return out;
        }
        let depth = -gap;
        let relative = a.velocity + a.spin.cross(arms[0]) - b.velocity - b.spin.cross(arms[1]);
        let speed = spot.normal.dot(relative);
        let damping = spot.damper * depth / (depth + DAMPER_DEPTH);
        out.normal_force = (spot.stiffness * depth - damping * speed).max(0.0);
        let slip = relative - spot.normal * speed;
        let share = slip.length() / self.slip_speed;
        let law = if share < 1e-4 {
            1.0 / self.slip_speed
        } else {
            libm::tanh(share) / (share * self.slip_speed)
        };
        let friction = slip * (-spot.friction * out.normal_force * law);
        out.force = spot.normal * out.normal_force + friction;
        out
    }

    /// What a spot adds to the accelerations of both bodies (velocity and spin of each).
    fn accelerations(&self, spot: &Spot, t: f64, own: [&[f64]; 2]) -> [[f64; 6]; 2] {
        let now = [self.moving(own[0]), self.second(spot, t, own[1])];
        let push = self.push(spot, &now[0], &now[1]);
        let mut out = [[0.0; 6]; 2];
        let bodies = [spot.pair.0, spot.pair.1];
        for side in 0..2 {
            let Some(member) = self.members.get(bodies[side] as usize) else {
                continue;
            };
            let force = if side == 0 { push.force } else { -push.force };
            let rotation = now[side].turn * member.state.rotation;
            let torque = rotation.inverse() * push.arms[side].cross(force);
            let mass = &member.model.mass;
            add(&mut out[side], 0, force * mass.inverse_mass);
            add(
                &mut out[side],
                3,
                rotation * (mass.inverse_inertia * torque),
            );
        }
        out
    }

    fn second(&self, spot: &Spot, t: f64, own: &[f64]) -> Moving {
        match (spot.pair.1 as usize).checked_sub(self.members.len()) {
            Some(neighbour) => self.scripted(t, neighbour),
            None => self.moving(own),
        }
    }

    /// The second body's unknowns; none for a neighbour.
    fn second_own<'y>(&self, y: &'y [f64], spot: &Spot) -> &'y [f64] {
        if (spot.pair.1 as usize) < self.members.len() {
            self.own(y, spot.pair.1)
        } else {
            &[]
        }
    }

    /// What a contact point does at a moment.
    pub fn push_at(&self, spot: &Spot, t: f64, y: &[f64]) -> Push {
        let a = self.moving(self.own(y, spot.pair.0));
        self.push(spot, &a, &self.second(spot, t, self.second_own(y, spot)))
    }

    /// The state of a member at the end of a step that led to `y`.
    pub fn state(&self, body: usize, y: &[f64]) -> State {
        let (start, now) = (
            &self.members[body].state,
            self.moving(self.own(y, body as u32)),
        );
        State {
            position: start.position + now.shift,
            velocity: now.velocity,
            rotation: (now.turn * start.rotation).normalize(),
            spin: now.spin,
        }
    }

    fn linearise_free(&mut self, t: f64, y: &[f64], body: usize) {
        let mut own = [0.0; SIDE];
        own.copy_from_slice(self.own(y, body as u32));
        let base = self.free_rates(t, body, &own);
        let mut block = [[0.0; SIDE]; SIDE];
        for column in 0..SIDE {
            let kept = own[column];
            own[column] = kept + PROBE;
            let probed = self.free_rates(t, body, &own);
            own[column] = kept;
            for row in 0..SIDE {
                block[row][column] = (probed[row] - base[row]) / PROBE;
            }
        }
        self.jacobian.push((body as u32, body as u32, block));
    }

    fn linearise_spot(&mut self, t: f64, y: &[f64], spot: &Spot) {
        if self.push_at(spot, t, y).gap > 1e-3 {
            return;
        }
        let bodies = [spot.pair.0, spot.pair.1];
        let mut own = [[0.0; SIDE]; 2];
        own[0].copy_from_slice(self.own(y, bodies[0]));
        let second = self.second_own(y, spot);
        own[1][..second.len()].copy_from_slice(second);
        let sides = if second.is_empty() { 1 } else { 2 };
        let base = self.accelerations(spot, t, [&own[0], &own[1]]);
        for column_side in 0..sides {
            let mut blocks = [[[0.0; SIDE]; SIDE]; 2];
            for column in 0..SIDE {
                let kept = own[column_side][column];
                own[column_side][column] = kept + PROBE;
                let probed = self.accelerations(spot, t, [&own[0], &own[1]]);
                own[column_side][column] = kept;
                for side in 0..sides {
                    for row in 0..6 {
                        let slope = (probed[side][row] - base[side][row]) / PROBE;
                        blocks[side][row + 6][column] = slope;
                    }
                }
            }
            for side in 0..sides {
                self.jacobian
                    .push((bodies[side], bodies[column_side], blocks[side]));
            }
        }
    }
}

impl System for Equations<'_> {
    fn rates(&self, t: f64, y: &[f64], out: &mut [f64]) {
        for body in 0..self.members.len() {
            let free = self.free_rates(t, body, self.own(y, body as u32));
            out[body * SIDE..][..SIDE].copy_from_slice(&free);
        }
        for (spot, felt) in self.spots.iter().zip(self.felt) {
            let own = [self.own(y, spot.pair.0), self.second_own(y, spot)];
            let pushed = self.accelerations(spot, t, own);
            if pushed != [[0.0; 6]; 2] {
                felt.set(true);
            }
            let bodies = [spot.pair.0 as usize, spot.pair.1 as usize];
            for side in 0..2 {
                if bodies[side] < self.members.len() {
                    let at = &mut out[bodies[side] * SIDE + 6..][..6];
                    for (value, more) in at.iter_mut().zip(&pushed[side]) {
                        *value += more;
                    }
                }
            }
        }
    }

    fn time_rates(&self, t: f64, y: &[f64], out: &mut [f64]) {
        let timed = self.members.iter().any(|m| m.model.field.is_some());
        if !timed && self.neighbours.iter().all(Neighbour::is_still) {
            out.fill(0.0);
            return;
        }
        let mut later = vec![0.0; y.len()];
        self.rates(t, y, out);
        self.rates(t + PROBE, y, &mut later);
        for (value, after) in out.iter_mut().zip(&later) {
            *value = (after - *value) / PROBE;
        }
    }

    fn linearise(&mut self, t: f64, y: &[f64]) {
        self.jacobian.clear();
        for body in 0..self.members.len() {
            self.linearise_free(t, y, body);
        }
        for spot in self.spots {
            self.linearise_spot(t, y, spot);
        }
    }

    fn factor(&mut self, shift: f64) -> bool {
        self.matrix.clear();
        for (row, column, block) in self.jacobian.iter() {
            let sum = self.matrix.block(*row, *column);
            for (values, rates) in sum.iter_mut().zip(block) {
                for (value, rate) in values.iter_mut().zip(rates) {
                    *value -= rate;
                }
            }
        }
        for body in 0..self.members.len() as u32 {
            let diagonal = self.matrix.block(body, body);
            for (k, row) in diagonal.iter_mut().enumerate() {
                row[k] += shift;
            }
        }
        self.matrix.factor()
    }

    fn solve(&self, right: &mut [f64]) {
        self.matrix.solve(right);
    }

    fn error_size(&self, error: &[f64]) -> f64 {
        let mut worst = 0.0;
        for (i, e) in error.iter().enumerate() {
            // Velocities may be off by a hundred times as much as positions, per second.
            let allowed = if i % SIDE < 6 {
                self.tolerance
            } else {
                100.0 * self.tolerance
            };
            let size = e.abs() / allowed;
            // A size that is not a number is the worst there is.
            if size.is_nan() || size > worst {
                worst = size;
            }
        }
        worst
    }
}

/// Member or neighbour centre of mass at the step's start.
pub(super) fn centre(members: &[Member], neighbours: &[Neighbour], index: u32) -> Vec3 {
    body(members, neighbours, index as usize).1.position
}
