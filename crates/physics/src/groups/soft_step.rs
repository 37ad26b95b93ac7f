//! `soft-step`: a sub-stepped solver with soft contacts, the default for piles and stacks.
//!
//! Contacts are found once a step. Every sub-step then integrates velocities, starts from the last
//! impulses, solves the contacts with a soft push-out, moves the bodies, and relaxes: solves once
//! more without push-out, so that pushing leaves no speed behind. Restitution comes last. (The
//! "TGS soft" scheme of Catto's Solver2D.)

use super::contacts::{self, body, body_id, check};
use super::manifold::Manifold;
use super::memory::{Held, PointKey};
use super::soft_rows::{Mover, Pass, Patch, Row, Softness, relax, restitution, solve, warm_start};
use super::{
    GroupSolver, Member, Memory, Neighbour, Report, Scratch, Settings, SolverError, Touch,
};
use crate::body::Material;
use crate::rotation::{turned, world_tensor};
use crate::{BodyModel, Mat3, Quat, State, Vec3};

/// Sweeps over the contacts in the first sub-step of a group that remembers nothing: the forces have
/// to be found from zero, and a body that lets go meanwhile may not find its hold again.
const COLD_SWEEPS: u32 = 16;

/// Largest mass ratio that contacts pass on through a body held from two sides.
const BRACED_RATIO: f64 = 20.0;

/// How many times loads are passed on to the next body.
const BRACE_ROUNDS: usize = 6;

/// The default group solver.
#[derive(Clone, Debug, Default)]
pub struct SoftStep {
    settings: Settings,
}

/// Buffers of `soft-step`.
#[derive(Default)]
pub struct Buffers {
    movers: Vec<Mover>,
    patches: Vec<Patch>,
    rows: Vec<Row>,
    keys: Vec<PointKey>,
    /// Per row: what separates its rest distance from contact.
    rests: Vec<f64>,
    /// Per member: the heaviest body it carries or is, and how many bodies it touches.
    braced: Vec<(f64, u32)>,
}

impl SoftStep {
    /// With checked settings.
    pub fn new(settings: Settings) -> Result<Self, SolverError> {
        settings.validate()?;
        Ok(SoftStep { settings })
    }

    /// The settings in use.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Sub-steps for a step of `seconds`: as many as keep them no longer than in a full step.
    fn substeps(&self, seconds: f64) -> u32 {
        let share = seconds / self.settings.step * f64::from(self.settings.substeps);
        (share - 1e-9).ceil().clamp(1.0, 1e6) as u32
    }

    /// Turns manifolds into rows: contacts among members first, those that lean on neighbours last,
    /// so that the ground has the last word.
    fn prepare(
        &self,
        members: &[Member],
        neighbours: &[Neighbour],
        memory: &Memory,
        h: f64,
        scratch: &mut Scratch,
    ) {
        let Scratch {
            manifolds, soft, ..
        } = scratch;
        soft.begin(members, neighbours);
        soft.brace(members, &manifolds.list);
        for grounded in [false, true] {
            for manifold in &manifolds.list {
                if (manifold.pair.1 as usize >= members.len()) == grounded {
                    let points =
                        &manifolds.points[manifold.first as usize..][..manifold.count as usize];
                    let (i, j) = (manifold.pair.0 as usize, manifold.pair.1 as usize);
                    let b = body(members, neighbours, j);
                    let patch = self.patch(manifold, members[i].model, b.0);
                    let rest = if manifold.rests_apart {
                        self.settings.skin
                    } else {
                        0.0
                    };
                    let bodies = [members[i].body, body_id(members, neighbours, j)];
                    let centres = [members[i].state.position, b.1.position];
                    soft.push_patch(patch);
                    for point in points {
                        let key = PointKey {
                            bodies,
                            parts: manifold.parts,
                            piece: manifold.piece,
                            feature: point.feature,
                        };
                        let force = memory.force(&key) * h;
                        let arms = [point.on_a - centres[0], point.on_b - centres[1]];
                        soft.push_row(key, arms, point.gap, rest, force);
                    }
                }
            }
        }
    }

    fn patch(&self, manifold: &Manifold, a: &BodyModel, b: &BodyModel) -> Patch {
        let material = Material::pair(a.material, b.material);
        let (t, u) = manifold.normal.any_orthonormal_pair();
        Patch {
            a: manifold.pair.0,
            b: manifold.pair.1,
            frame: [manifold.normal, t, u],
            to_cores: [
                manifold.normal * manifold.margins[0],
                manifold.normal * -manifold.margins[1],
            ],
            friction: material.friction,
            restitution: material.restitution,
            first: 0,
            end: 0,
        }
    }

    fn passes(&self, h: f64) -> [Pass; 2] {
        // Stiffer than this the sweeps of one sub-step no longer keep up with the push-out.
        let hertz = self.settings.contact_hertz.min(0.25 / h);
        let relaxing = Pass {
            inverse_h: 1.0 / h,
            soft: None,
            slop: self.settings.linear_slop,
            push_out_speed: self.settings.push_out_speed,
        };
        let soft = Some(Softness::new(hertz, self.settings.damping_ratio, h));
        let solving = Pass { soft, ..relaxing };
        [solving, relaxing]
    }
}

impl GroupSolver for SoftStep {
    fn name(&self) -> &'static str {
        "soft-step"
    }

    fn step(
        &self,
        seconds_now: f64,
        members: &mut [Member],
        neighbours: &[Neighbour],
        pairs: &[(u32, u32)],
        memory: &mut Memory,
        scratch: &mut Scratch,
        seconds: f64,
        report: &mut Report,
    ) -> Result<(), SolverError> {
        check(members, neighbours, "at the step's start")?;
        let substeps = self.substeps(seconds);
        let h = seconds / f64::from(substeps);
        let margin = self.settings.margin;
        let manifolds = &mut scratch.manifolds;
        contacts::find(members, neighbours, pairs, margin, seconds, manifolds)?;
        self.prepare(members, neighbours, memory, h, scratch);
        let starts = &mut scratch.starts;
        starts.clear();
        starts.extend(members.iter().map(|m| (m.state.position, m.state.rotation)));
        let soft = &mut scratch.soft;
        let [solving, relaxing] = self.passes(h);
        let first_sweeps = if memory.held.is_empty() {
            COLD_SWEEPS
        } else {
            1
        };
        for substep in 0..substeps {
            let now = seconds_now + h * f64::from(substep);
            soft.push_velocities(members, now, h);
            warm_start(&soft.patches, &soft.rows, &mut soft.movers);
            let sweeps = if substep == 0 { first_sweeps } else { 1 };
            for _ in 0..sweeps {
                solve(&soft.patches, &mut soft.rows, &mut soft.movers, &solving);
            }
            soft.move_bodies(members, neighbours, starts, h);
            relax(&soft.patches, &mut soft.rows, &mut soft.movers, &relaxing);
        }
        let threshold = self.settings.restitution_threshold;
        restitution(&soft.patches, &mut soft.rows, &mut soft.movers, threshold);
        for (member, mover) in members.iter_mut().zip(&soft.movers) {
            member.state.velocity = mover.velocity;
            member.state.spin = mover.spin;
        }
        soft.remember(memory, h);
        soft.report(scratch.manifolds.deepest(), margin, report);
        check(members, &[], "at the step's end")
    }
}

impl Buffers {
    fn begin(&mut self, members: &[Member], neighbours: &[Neighbour]) {
        self.movers.clear();
        self.patches.clear();
        self.rows.clear();
        self.keys.clear();
        self.rests.clear();
        let bodies = members.iter().map(|m| (m.model, &m.state));
        let others = neighbours.iter().map(|n| (n.model, &n.state));
        for (model, state) in bodies {
            self.movers.push(Mover {
                velocity: state.velocity,
                spin: state.spin,
                inverse_mass: model.mass.inverse_mass,
                inverse_inertia: world_tensor(state.rotation, model.mass.inverse_inertia),
                moved: Vec3::ZERO,
                turned: Mat3::ZERO,
            });
        }
        for (_, state) in others {
            self.movers.push(Mover {
                velocity: state.velocity,
                spin: state.spin,
                inverse_mass: 0.0,
                inverse_inertia: Mat3::ZERO,
                moved: Vec3::ZERO,
                turned: Mat3::ZERO,
            });
        }
    }

    /// Makes a light body that is held from two sides answer to contacts as if it weighed at least
    /// 1 / [`BRACED_RATIO`] of the heaviest body on it. Impulses pass through such a body by steps of
    /// the mass ratio at most, and a ratio of a million would take a million sweeps: it would be
    /// crushed. Weights still pull as they are; what is hit from one side only is never braced.
    fn brace(&mut self, members: &[Member], manifolds: &[Manifold]) {
        let masses = members.iter().map(|m| m.model.mass.mass);
        let (light, heavy) = masses.fold((f64::INFINITY, 0f64), |(l, h), m| (l.min(m), h.max(m)));
        if heavy <= BRACED_RATIO * light {
            return;
        }
        self.braced.clear();
        self.braced
            .extend(members.iter().map(|m| (m.model.mass.mass, 0)));
        let mut last = (u32::MAX, u32::MAX);
        for manifold in manifolds.iter().filter(|m| m.count > 0) {
            if manifold.pair != last {
                last = manifold.pair;
                self.braced[last.0 as usize].1 += 1;
                if let Some(second) = self.braced.get_mut(last.1 as usize) {
                    second.1 += 1;
                }
            }
        }
        for _ in 0..BRACE_ROUNDS {
            for manifold in manifolds {
                let (i, j) = (manifold.pair.0 as usize, manifold.pair.1 as usize);
                if j < members.len() {
                    let (a, b) = (self.braced[i].0, self.braced[j].0);
                    for (body, load) in [(i, b), (j, a)] {
                        let (carried, partners) = &mut self.braced[body];
                        if *partners > 1 {
                            *carried = carried.max(load);
                        }
                    }
                }
            }
        }
        for ((mover, member), (load, _)) in self.movers.iter_mut().zip(members).zip(&self.braced) {
            let mass = member.model.mass.mass;
            let share = mass / mass.max(load / BRACED_RATIO);
            mover.inverse_mass *= share;
            mover.inverse_inertia *= share;
        }
    }

    fn push_patch(&mut self, mut patch: Patch) {
        patch.first = self.rows.len() as u32;
        patch.end = patch.first;
        self.patches.push(patch);
    }

    fn push_row(&mut self, key: PointKey, arms: [Vec3; 2], gap: f64, rest: f64, impulse: Vec3) {
        let Some(patch) = self.patches.last_mut() else {
            return;
        };
        let [n, t, u] = patch.frame;
        let mut row = Row {
            arms,
            separation_start: gap - rest,
            separation: gap - rest,
            normal_mass: 0.0,
            tangent_mass: [0.0; 3],
            slip_mass: 0.0,
            coupling: [0.0; 2],
            normal: n.dot(impulse).max(0.0),
            tangent: [t.dot(impulse), u.dot(impulse)],
            normal_max: 0.0,
            normal_total: 0.0,
            approach: 0.0,
        };
        let (a, b) = (patch.a as usize, patch.b as usize);
        row.prepare(&self.movers[a], &self.movers[b], &patch.frame);
        patch.end += 1;
        self.rows.push(row);
        self.keys.push(key);
        self.rests.push(rest);
    }

    /// Forces that are not contact: gravity, damping, fields and the gyroscopic torque.
    fn push_velocities(&mut self, members: &[Member], now: f64, h: f64) {
        for (member, mover) in members.iter().zip(&mut self.movers) {
            let model = member.model;
            mover.velocity += model.gravity * h;
            if let Some(field) = &model.field {
                let state = State {
                    velocity: mover.velocity,
                    spin: mover.spin,
                    ..member.state
                };
                let wrench = field.wrench(now, model.mass.mass, &state);
                let torque = state.rotation.inverse() * wrench.torque;
                mover.velocity += wrench.force * (model.mass.inverse_mass * h);
                mover.spin += state.rotation * (model.mass.inverse_inertia * torque) * h;
            }
            let [linear, angular] = model.damping;
            mover.velocity *= 1.0 / (1.0 + h * linear);
            mover.spin *= 1.0 / (1.0 + h * angular);
            mover.spin = gyrated(member.state.rotation, model.mass.inertia, mover.spin, h);
        }
    }

    fn move_bodies(
        &mut self,
        members: &mut [Member],
        neighbours: &[Neighbour],
        starts: &[(Vec3, Quat)],
        h: f64,
    ) {
        let (movers, others) = self.movers.split_at_mut(members.len());
        for ((member, mover), start) in members.iter_mut().zip(movers).zip(starts) {
            let state = &mut member.state;
            state.position += mover.velocity * h;
            mover.moved = state.position - start.0;
            if mover.spin != Vec3::ZERO {
                state.rotation = turned(state.rotation, mover.spin, h);
            }
            mover.turned = turn_between(start.1, state.rotation);
        }
        for (neighbour, mover) in neighbours.iter().zip(others) {
            let state = &neighbour.state;
            if state.velocity == Vec3::ZERO && state.spin == Vec3::ZERO {
                continue;
            }
            mover.moved += state.velocity * h;
            let elapsed = mover.turned + Mat3::IDENTITY;
            let further = Mat3::from_quat(turned(Quat::IDENTITY, state.spin, h));
            mover.turned = further * elapsed - Mat3::IDENTITY;
        }
    }

    fn remember(&self, memory: &mut Memory, h: f64) {
        memory.clear();
        for patch in &self.patches {
            let [n, t, u] = patch.frame;
            for k in patch.first as usize..patch.end as usize {
                let row = &self.rows[k];
                if row.normal > 0.0 {
                    let impulse = n * row.normal + t * row.tangent[0] + u * row.tangent[1];
                    memory.held.push(Held {
                        key: self.keys[k],
                        force: impulse / h,
                    });
                }
            }
        }
        memory.sort();
    }

    fn report(&self, deepest: f64, margin: f64, report: &mut Report) {
        report.clear();
        report.deepest = deepest;
        for (k, row) in self.rows.iter().enumerate() {
            let [a, b] = self.keys[k].bodies;
            report.touches.push(Touch {
                a: a.min(b),
                b: a.max(b),
                gap: row.separation + self.rests[k],
                normal_impulse: row.normal_total,
            });
        }
        contacts::merge_touches(&mut report.touches, margin);
    }
}

/// How a body has turned between two attitudes, less the identity.
fn turn_between(from: Quat, to: Quat) -> Mat3 {
    Mat3::from_quat(to * from.inverse()) - Mat3::IDENTITY
}

/// The spin after `h` seconds of free tumbling: one Newton step of the implicit Euler equation in
/// the body's frame, which never gains energy however long the step.
fn gyrated(rotation: Quat, inertia: Vec3, spin: Vec3, h: f64) -> Vec3 {
    if inertia.x == inertia.y && inertia.y == inertia.z {
        return spin;
    }
    let w = rotation.inverse() * spin;
    let momentum = inertia * w;
    let residual = w.cross(momentum) * h;
    let skew = |v: Vec3| {
        Mat3::from_cols(
            Vec3::new(0.0, v.z, -v.y),
            Vec3::new(-v.z, 0.0, v.x),
            Vec3::new(v.y, -v.x, 0.0),
        )
    };
    let inertia = Mat3::from_diagonal(inertia);
    let jacobian = inertia + (skew(w) * inertia - skew(momentum)) * h;
    rotation * (w - jacobian.inverse() * residual)
}
