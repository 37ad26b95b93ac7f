//! `penalty`: springs and dampers between bodies that overlap, integrated implicitly (Mirtich's
//! appendix A). Contact points are found once a step and stay fixed to the bodies during it.

use super::block_lu::{Block, BlockLu};
use super::contacts::{self, body, body_id, check};
use super::flown::flown;
use super::penalty_forces::{Equations, Spot, centre};
use super::rolling::{Ring, rings_of};
use super::rosenbrock::Rosenbrock;
use super::{
    GroupSolver, Member, Memory, Neighbour, Report, Scratch, SolverError, Span, Surroundings, Touch,
};
use crate::motion::Turn;
use crate::{BodyModel, Quat, State};
use std::cell::Cell;
use std::f64::consts::PI;

/// Settings of the penalty method.
#[derive(Clone, Debug, PartialEq)]
pub struct PenaltySettings {
    /// Frequency of two bodies on their contact spring, Hz: it fixes the spring of every pair.
    pub hertz: f64,
    /// Sliding speed below which friction fades (Mirtich's epsilon), m/s. There is no static
    /// friction: a body on a slope creeps at a share of this speed.
    pub slip_speed: f64,
    /// Allowed error of a position (metres) or attitude (radians) per internal step.
    pub tolerance: f64,
    /// Distance within which two bodies are reported as touching, metres.
    pub margin: f64,
}

impl Default for PenaltySettings {
    fn default() -> Self {
        PenaltySettings {
            hertz: 60.0,
            slip_speed: 1e-3,
            tolerance: 1e-6,
            margin: 2e-3,
        }
    }
}

impl PenaltySettings {
    /// Checks every number.
    pub fn validate(&self) -> Result<(), SolverError> {
        let within = |what, value: f64, low: f64, high: f64, expected| {
            if value >= low && value <= high {
                Ok(())
            } else {
                Err(SolverError::setting(what, value, expected))
            }
        };
        let stiff = "1 to 10000 Hz (stiffer contacts cannot be integrated in double precision)";
        within("hertz", self.hertz, 1.0, 1e4, stiff)?;
        within("slip_speed", self.slip_speed, 1e-6, 1.0, "1e-6 to 1 m/s")?;
        within("tolerance", self.tolerance, 1e-10, 1e-2, "1e-10 to 1e-2 m")?;
        within("margin", self.margin, 1e-9, 1.0, "1e-9 to 1 m")
    }
}

/// Mirtich's group solver.
#[derive(Clone, Debug, Default)]
pub struct Penalty {
    settings: PenaltySettings,
}

/// Buffers of `penalty`.
#[derive(Default)]
pub struct Buffers {
    spots: Vec<Spot>,
    couplings: Vec<(u32, u32)>,
    matrix: BlockLu,
    jacobian: Vec<(u32, u32, Block)>,
    integrator: Rosenbrock,
    unknowns: Vec<f64>,
    states: Vec<State>,
    impulses: Vec<f64>,
    felt: Vec<Cell<bool>>,
    turn: Turn,
}

impl Penalty {
    /// With checked settings.
    pub fn new(settings: PenaltySettings) -> Result<Self, SolverError> {
        settings.validate()?;
        Ok(Penalty { settings })
    }

    /// The spring between two bodies, N/m.
    pub fn stiffness(&self, a: &BodyModel, b: &BodyModel) -> f64 {
        let omega = 2.0 * PI * self.settings.hertz;
        reduced_mass(a, b) * omega * omega
    }

    /// The damper between two bodies, N s/m: with it they rebound with the pair's coefficient of
    /// restitution (with 0.01 at least).
    pub fn damper(&self, a: &BodyModel, b: &BodyModel) -> f64 {
        let ratio = damping_ratio(a.meeting(b).material.restitution);
        2.0 * ratio * (self.stiffness(a, b) * reduced_mass(a, b)).sqrt()
    }

    fn place_spots(&self, members: &[Member], neighbours: &[Neighbour], scratch: &mut Scratch) {
        let Scratch {
            manifolds, penalty, ..
        } = scratch;
        penalty.spots.clear();
        penalty.couplings.clear();
        let list = &manifolds.list;
        let mut first = 0;
        while first < list.len() {
            let pair = list[first].pair;
            let group = list[first..].iter().take_while(|m| m.pair == pair).count();
            let manifolds_of_pair = &list[first..first + group];
            let points: u32 = manifolds_of_pair.iter().map(|m| m.count).sum();
            let (i, j) = (pair.0 as usize, pair.1 as usize);
            let both = [i, j].map(|k| body(members, neighbours, k));
            let [a, b] = both.map(|(model, _)| model);
            let share = 1.0 / f64::from(points.max(1));
            let (stiffness, damper) = (self.stiffness(a, b) * share, self.damper(a, b) * share);
            let friction = a.meeting(b).material.friction;
            let centres = [pair.0, pair.1].map(|k| centre(members, neighbours, k));
            for manifold in manifolds_of_pair {
                let to_surfaces = [
                    manifold.normal * -manifold.margins[0],
                    manifold.normal * manifold.margins[1],
                ];
                for point in manifolds.points_of(manifold) {
                    let points = [point.on_a, point.on_b];
                    let (normal, margins) = (manifold.normal, manifold.margins);
                    let rings = rings_of(both, manifold.parts, points, normal, margins);
                    let turned = |k: usize, rings: [Option<Ring>; 2]| {
                        rings[k].map(|ring| ring.in_world(both[k].1.rotation))
                    };
                    let rings = rings.map(|rings| [turned(0, rings), turned(1, rings)]);
                    let inwards = [normal, -normal];
                    let mut cores = [
                        point.on_a - to_surfaces[0] - centres[0],
                        point.on_b - to_surfaces[1] - centres[1],
                    ];
                    for (k, ring) in rings.iter().flat_map(|r| r.iter().enumerate()) {
                        let arm = ring.and_then(|ring| ring.arm(Quat::IDENTITY, inwards[k]));
                        cores[k] = arm.unwrap_or(cores[k]);
                    }
                    penalty.spots.push(Spot {
                        pair,
                        bodies: [members[i].body, body_id(members, neighbours, j)],
                        normal: manifold.normal,
                        cores,
                        to_surfaces,
                        rings,
                        gap: point.gap,
                        stiffness,
                        damper,
                        friction,
                    });
                }
            }
            if j < members.len() {
                penalty.couplings.push(pair);
            }
            first += group;
        }
    }
}

/// Restitution of a spring and damper that may push but not pull: contact ends when the force is
/// zero, which is before the spring is relaxed.
fn rebound(ratio: f64) -> f64 {
    let detuned = 1.0 - ratio * ratio;
    let root = detuned.abs().sqrt();
    if root < 1e-6 {
        return libm::exp(-2.0);
    }
    let time = if detuned > 0.0 {
        PI - libm::atan2(2.0 * ratio * root, detuned - ratio * ratio)
    } else {
        libm::log((ratio + root) / (ratio - root))
    };
    libm::exp(-ratio / root * time)
}

/// The damping ratio that rebounds with `restitution`.
fn damping_ratio(restitution: f64) -> f64 {
    let (mut low, mut high) = (0.0, 5.0);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if rebound(middle) > restitution {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

fn reduced_mass(a: &BodyModel, b: &BodyModel) -> f64 {
    1.0 / (a.mass.inverse_mass + b.mass.inverse_mass)
}

impl GroupSolver for Penalty {
    fn name(&self) -> &'static str {
        "penalty"
    }

    fn step(
        &self,
        span: Span,
        members: &mut [Member],
        around: &Surroundings<'_>,
        memory: &mut Memory,
        scratch: &mut Scratch,
        report: &mut Report,
    ) -> Result<(), SolverError> {
        let Surroundings {
            neighbours,
            pairs,
            links,
        } = *around;
        if !links.is_empty() {
            return Err(SolverError::NoJoints {
                solver: self.name(),
            });
        }
        let Span { begin, seconds } = span;
        check(members, neighbours, "at the step's start")?;
        memory.clear();
        let margin = self.settings.margin;
        let manifolds = &mut scratch.manifolds;
        contacts::find(members, neighbours, pairs, margin, seconds, manifolds)?;
        self.place_spots(members, neighbours, scratch);
        let deepest = scratch.manifolds.deepest();
        let own = &mut scratch.penalty;
        own.begin(members);
        let mut equations = Equations {
            members,
            neighbours,
            spots: &own.spots,
            felt: &own.felt,
            start: begin,
            slip_speed: self.settings.slip_speed,
            tolerance: self.settings.tolerance,
            matrix: &mut own.matrix,
            jacobian: &mut own.jacobian,
        };
        let (impulses, y) = (&mut own.impulses, &mut own.unknowns);
        own.integrator
            .integrate(&mut equations, begin, seconds, y, |e, t, y, h| {
                for (sum, spot) in impulses.iter_mut().zip(e.spots) {
                    *sum += e.push_at(spot, t, y).normal_force * h;
                }
            })
            .map_err(|stop| SolverError::Stiffness {
                seconds_now: begin,
                step: stop.step,
                members: members.len(),
                hertz: self.settings.hertz,
            })?;
        report.clear();
        report.deepest = deepest;
        for (spot, &impulse) in own.spots.iter().zip(&own.impulses) {
            let gap = equations.push_at(spot, begin + seconds, &own.unknowns).gap;
            let [a, b] = spot.bodies;
            report.touches.push(Touch {
                a: a.min(b),
                b: a.max(b),
                gap,
                normal_impulse: impulse,
            });
        }
        contacts::merge_touches(&mut report.touches, margin);
        own.states.clear();
        let states = (0..members.len()).map(|k| equations.state(k, &own.unknowns));
        own.states.extend(states);
        own.move_members(members, span);
        check(members, &[], "at the step's end")
    }
}

impl Buffers {
    /// Puts the members where the integration has left them; what felt no contact, where its own law of motion does.
    fn move_members(&mut self, members: &mut [Member], span: Span) {
        let felt = self
            .spots
            .iter()
            .zip(&self.felt)
            .filter(|(_, felt)| felt.get());
        let mut touched = vec![false; members.len()];
        for body in felt.flat_map(|(spot, _)| [spot.pair.0, spot.pair.1]) {
            if let Some(touched) = touched.get_mut(body as usize) {
                *touched = true;
            }
        }
        let ends = self.states.iter().zip(touched);
        for (member, (state, is_touched)) in members.iter_mut().zip(ends) {
            member.state = match is_touched {
                true => *state,
                false => flown(member.model, &member.state, span, &mut self.turn),
            };
        }
    }

    fn begin(&mut self, members: &[Member]) {
        self.matrix.shape(members.len(), &self.couplings);
        self.impulses.clear();
        self.impulses.resize(self.spots.len(), 0.0);
        self.felt.clear();
        self.felt.resize(self.spots.len(), Cell::new(false));
        self.unknowns.clear();
        for member in members {
            let State { velocity, spin, .. } = member.state;
            self.unknowns.extend([0.0; 6]);
            self.unknowns.extend(velocity.to_array());
            self.unknowns.extend(spin.to_array());
        }
    }
}
