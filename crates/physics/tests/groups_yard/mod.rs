//! A yard for trying group solvers: bodies, ground, a naive broad phase and a loop.
#![allow(dead_code)]

use warpline_physics::body::{Heft, Material};
use warpline_physics::groups::{
    GroupSolver, Member, Memory, Neighbour, Report, Scratch, SolverError, Span, Surroundings,
};
use warpline_physics::{BodyModel, Part, Pose, Quat, Shape, State, Vec3};

pub const GRAVITY: Vec3 = Vec3::new(0.0, -9.81, 0.0);

/// Bodies and what the solver remembers about them.
#[derive(Default)]
pub struct Yard {
    pub models: Vec<BodyModel>,
    pub states: Vec<State>,
    pub grounds: Vec<(BodyModel, State)>,
    pub memory: Memory,
    pub scratch: Scratch,
    pub report: Report,
    pub pairs: Vec<(u32, u32)>,
    pub seconds: f64,
    pub deepest: f64,
}

pub fn material(friction: f64, restitution: f64) -> Material {
    Material {
        restitution,
        friction,
    }
}

pub fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Box {
        half_extents: Vec3::new(x, y, z),
    }
}

impl Yard {
    /// A yard with a floor whose outward normal leans by `slope` radians towards +x.
    pub fn with_floor(slope: f64, friction: f64) -> Self {
        let mut yard = Yard::default();
        let normal = Vec3::new(libm::sin(slope), libm::cos(slope), 0.0);
        yard.fixed(
            Shape::HalfSpace { normal },
            Vec3::ZERO,
            material(friction, 0.0),
        );
        yard
    }

    pub fn fixed(&mut self, shape: Shape, at: Vec3, material: Material) {
        let model = BodyModel::fixed(&[Part::centred(shape)], material).expect("a fixed body");
        let state = State::at_rest(Pose::from_translation(at));
        self.grounds.push((model, state));
    }

    /// Adds a body whose user frame is at the given pose; returns its index.
    pub fn add(&mut self, shape: Shape, mass: f64, pose: Pose, material: Material) -> usize {
        let heft = Heft::Mass(mass);
        let model = BodyModel::dynamic(&[Part::centred(shape)], heft, material, GRAVITY)
            .expect("a body that moves");
        let principal = pose * model.user_frame.inverse();
        self.states.push(State::at_rest(principal));
        self.models.push(model);
        self.models.len() - 1
    }

    /// All pairs whose bounding balls come within a step's reach of each other.
    fn broad_phase(&mut self, seconds: f64) {
        let (models, states) = (&self.models, &self.states);
        self.pairs.clear();
        let reach = |i: usize| {
            let state: &State = &states[i];
            models[i].bounding_radius() + (state.velocity.length() + 0.1) * seconds + 0.01
        };
        for i in 0..models.len() {
            for j in i + 1..models.len() {
                let limit = reach(i) + reach(j);
                let apart = states[i].position - states[j].position;
                if apart.length_squared() <= limit * limit {
                    self.pairs.push((i as u32, j as u32));
                }
            }
            for k in 0..self.grounds.len() {
                let (model, state) = &self.grounds[k];
                let apart = states[i].position - state.position;
                let limit = reach(i) + model.bounding_radius();
                if apart.length() <= limit {
                    self.pairs.push((i as u32, (models.len() + k) as u32));
                }
            }
        }
    }

    /// One step of the solver.
    pub fn step(&mut self, solver: &dyn GroupSolver, seconds: f64) -> Result<(), SolverError> {
        self.broad_phase(seconds);
        let mut members: Vec<Member> = (self.models.iter().zip(&self.states).enumerate())
            .map(|(body, (model, &state))| Member {
                body: body as u32,
                model,
                state,
            })
            .collect();
        let neighbours: Vec<Neighbour> = (self.grounds.iter().enumerate())
            .map(|(k, (model, state))| Neighbour {
                body: 1_000_000 + k as u32,
                model,
                state: *state,
            })
            .collect();
        let span = Span {
            begin: self.seconds,
            seconds,
        };
        let around = Surroundings {
            neighbours: &neighbours,
            pairs: &self.pairs,
            links: &[],
        };
        let (memory, scratch) = (&mut self.memory, &mut self.scratch);
        solver.step(
            span,
            &mut members,
            &around,
            memory,
            scratch,
            &mut self.report,
        )?;
        self.states.clear();
        self.states.extend(members.iter().map(|m| m.state));
        self.seconds += seconds;
        self.deepest = self.deepest.max(self.report.deepest);
        Ok(())
    }

    /// Steps of `step` seconds until `seconds` more have passed.
    pub fn run(&mut self, solver: &dyn GroupSolver, step: f64, seconds: f64) {
        for _ in 0..(seconds / step).round() as usize {
            self.step(solver, step).expect("a step");
        }
    }

    pub fn fastest(&self) -> f64 {
        self.states
            .iter()
            .map(|s| s.velocity.length())
            .fold(0.0, f64::max)
    }
}

/// The pose at a point, unturned.
pub fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

/// The pose at a point, turned about z.
pub fn turned_about_z(at: Vec3, angle: f64) -> Pose {
    let (sin, cos) = libm::sincos(angle * 0.5);
    Pose::from_parts(at, Quat::from_xyzw(0.0, 0.0, sin, cos))
}
