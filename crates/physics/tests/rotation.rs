//! How bodies in groups turn, roll and bounce: probes.

use warpline_physics::body::{Heft, Material};
use warpline_physics::groups::{
    GroupSolver, Impulse, Member, Memory, Neighbour, Penalty, PenaltySettings, Report, Scratch,
    Settings, SoftStep, SolverError, Span, Surroundings,
};
use warpline_physics::joints::{Joint, JointKind, Link};
use warpline_physics::{BodyModel, Part, Pose, Quat, Shape, State, Vec3};

const GROUND: u32 = u32::MAX;

fn solvers(hz: f64) -> Vec<(&'static str, Box<dyn GroupSolver>)> {
    let settings = || Settings {
        step: 1.0 / hz,
        ..Settings::default()
    };
    vec![
        ("soft-step", Box::new(SoftStep::new(settings()).expect("settings"))),
        ("impulse", Box::new(Impulse::new(settings()).expect("settings"))),
        ("penalty", Box::new(Penalty::new(PenaltySettings::default()).expect("settings"))),
    ]
}

struct Rig {
    models: Vec<BodyModel>,
    states: Vec<State>,
    ground: BodyModel,
    joints: Vec<Joint>,
    memory: Memory,
    scratch: Scratch,
    gravity: f64,
    now: f64,
    contact: bool,
}

impl Rig {
    fn new(gravity: f64, material: Material) -> Self {
        let part = Part::centred(Shape::HalfSpace { normal: Vec3::Y });
        Rig {
            models: Vec::new(),
            states: Vec::new(),
            ground: BodyModel::fixed(&[part], material).expect("a ground"),
            joints: Vec::new(),
            memory: Memory::default(),
            scratch: Scratch::default(),
            gravity,
            now: 0.0,
            contact: true,
        }
    }

    fn add(&mut self, shape: Shape, mass: f64, pose: Pose, material: Material) -> u32 {
        let pull = Vec3::new(0.0, -self.gravity, 0.0);
        let model = BodyModel::dynamic(&[Part::centred(shape)], Heft::Mass(mass), material, pull);
        let model = model.expect("a body");
        self.states.push(State::at_rest(pose * model.user_frame.inverse()));
        self.models.push(model);
        self.models.len() as u32 - 1
    }

    fn pose(&self, body: u32) -> Pose {
        match body {
            GROUND => Pose::IDENTITY,
            body => self.states[body as usize].pose(),
        }
    }

    fn join(&mut self, bodies: [u32; 2], anchors: [Vec3; 2], axis: Vec3, kind: JointKind) {
        let poses = bodies.map(|b| self.pose(b));
        let joint = Joint::between("joint", bodies, poses, anchors, axis, kind);
        joint.validate(Some(poses)).expect("a sound joint");
        self.joints.push(joint);
    }

    fn step(&mut self, solver: &dyn GroupSolver, seconds: f64) -> Result<(), SolverError> {
        let count = self.models.len() as u32;
        let mut members: Vec<Member> = (self.models.iter().zip(&self.states).enumerate())
            .map(|(body, (model, &state))| Member { body: body as u32, model, state })
            .collect();
        let ground = Neighbour {
            body: count,
            model: &self.ground,
            state: State::at_rest(Pose::IDENTITY),
        };
        let links: Vec<Link> = (self.joints.iter().enumerate())
            .map(|(number, joint)| Link {
                joint,
                number: number as u32,
                places: joint.bodies.map(|b| b.min(count)),
            })
            .collect();
        let mut pairs = Vec::new();
        if self.contact {
            for i in 0..count {
                for j in i + 1..=count {
                    pairs.push((i, j));
                }
            }
        }
        let mut report = Report::default();
        let span = Span { begin: self.now, seconds };
        let around = Surroundings { neighbours: &[ground], pairs: &pairs, links: &links };
        let (memory, scratch) = (&mut self.memory, &mut self.scratch);
        solver.step(span, &mut members, &around, memory, scratch, &mut report)?;
        self.states = members.iter().map(|m| m.state).collect();
        self.now += seconds;
        Ok(())
    }

    fn run(&mut self, solver: &dyn GroupSolver, hz: f64, seconds: f64, mut look: impl FnMut(&Rig)) {
        for _ in 0..(seconds * hz).round() as u32 {
            self.step(solver, 1.0 / hz).expect("a step");
            look(self);
        }
    }

    fn energy(&self) -> f64 {
        let of = |(model, state): (&BodyModel, &State)| {
            let mass = &model.mass;
            let spin = state.rotation.inverse() * state.spin;
            0.5 * mass.mass * state.velocity.length_squared()
                + 0.5 * spin.dot(mass.inertia * spin)
                + mass.mass * self.gravity * state.position.y
        };
        self.models.iter().zip(&self.states).map(of).sum()
    }

    fn angular(&self) -> Vec3 {
        let of = |(m, s): (&BodyModel, &State)| {
            s.rotation * (m.mass.inertia * (s.rotation.inverse() * s.spin))
                + s.position.cross(s.velocity * m.mass.mass)
        };
        self.models.iter().zip(&self.states).map(of).fold(Vec3::ZERO, |a, b| a + b)
    }

    fn momentum(&self) -> Vec3 {
        let of = |(m, s): (&BodyModel, &State)| s.velocity * m.mass.mass;
        self.models.iter().zip(&self.states).map(of).fold(Vec3::ZERO, |a, b| a + b)
    }
}

fn about(axis: Vec3, degrees: f64) -> Quat {
    Quat::from_axis_angle(axis, degrees.to_radians())
}

fn material(friction: f64, restitution: f64) -> Material {
    Material { friction, restitution }
}

#[test]
fn probe_rolling() {
    for hz in [60.0, 120.0, 240.0] {
        for (name, solver) in solvers(hz) {
            let mut rig = Rig::new(9.81, material(0.5, 0.0));
            let shape = Shape::Cylinder { radius: 0.1, half_height: 0.1 };
            let pose = Pose::from_parts(Vec3::new(0.0, 0.1, 0.0), about(Vec3::X, 90.0));
            let b = rig.add(shape, 1.0, pose, material(0.5, 0.0)) as usize;
            rig.states[b].velocity = Vec3::X * 2.0;
            rig.states[b].spin = Vec3::Z * -20.0;
            let mut trace = Vec::new();
            let mut k = 0;
            let mut wild: f64 = 0.0;
            rig.run(&*solver, hz, 5.0, |rig| {
                k += 1;
                wild = wild.max(rig.states[b].spin.x.abs());
                if k % (hz as u32 / 2) == 0 {
                    trace.push(format!("{wild:.1e}"));
                    wild = 0.0;
                }
            });
            println!("rock {name} {hz} {trace:?}");
            let s = &rig.states[b];
            println!("roll {name} {hz}: {} v {} spin {}", s.position, s.velocity, s.spin);
        }
    }
}

#[test]
fn probe_disc() {
    for hz in [60.0, 120.0, 480.0] {
        for (name, solver) in solvers(hz) {
            let mut rig = Rig::new(9.81, material(0.8, 0.0));
            let shape = Shape::Cylinder { radius: 1.0, half_height: 0.01 };
            let pose = Pose::from_parts(Vec3::new(0.0, 0.5086602540378443, 0.0), about(Vec3::X, 30.0));
            let b = rig.add(shape, 62.83, pose, material(0.8, 0.0)) as usize;
            rig.states[b].spin = Vec3::new(0.0, 2.2147234590350093, -3.8360135557633264);
            let start = rig.energy();
            let mut trace = Vec::new();
            let mut highest: f64 = f64::NEG_INFINITY;
            let mut gain: f64 = 0.0;
            let mut lowest = start;
            let mut k = 0;
            rig.run(&*solver, hz, 10.0, |rig| {
                let e = rig.energy();
                gain = gain.max(e - lowest);
                lowest = lowest.min(e);
                highest = highest.max(e);
                k += 1;
                if k % (hz as u32) == 0 {
                    let s = &rig.states[b];
                    let model = &rig.models[b];
                    let axis = (s.pose() * model.user_frame).rotation * Vec3::Y;
                    trace.push(format!("{:.3}/{:.2}", axis.y.abs().acos().to_degrees(), e - start));
                }
            });
            println!("disc {name} {hz}: E0 {start:.2} above {:.3e} gain {gain:.3e} {trace:?}", highest - start);
        }
    }
}

#[test]
fn probe_tops() {
    let tops = [
        (60.0, Vec3::new(0.0, 0.0, -0.1894794698760188), Vec3::new(28.35905965591759, 52.90892157644641, 0.0), 3.78958940),
        (200.0, Vec3::new(0.0, 0.0, -0.049583709893378104), Vec3::new(99.57059247618456, 173.45299930635463, 0.0), 0.99167420),
    ];
    for (rate, velocity, spin, omega) in tops {
        for (name, solver) in solvers(120.0).into_iter().take(2) {
            let mut rig = Rig::new(9.81, material(0.8, 0.0));
            rig.contact = false;
            let shape = Shape::Cylinder { radius: 0.1, half_height: 0.01 };
            let at = Vec3::new(0.049999999999999996, 0.08660254037844388, 0.0);
            let b = rig.add(shape, 1.0, Pose::from_parts(at, about(Vec3::Z, -30.0)), material(0.8, 0.0));
            rig.states[b as usize].spin = spin;
            rig.states[b as usize].velocity = velocity;
            rig.join([GROUND, b], [Vec3::ZERO; 2], Vec3::X, JointKind::Ball);
            let start = rig.energy();
            let (mut tilt, mut off): ([f64; 2], f64) = ([90.0, 0.0], 0.0);
            let mut turned = 0.0;
            let mut last: f64 = 0.0;
            rig.run(&*solver, 120.0, 10.0, |rig| {
                let p = rig.states[0].position;
                let angle = (p.y / p.length()).acos().to_degrees();
                tilt = [tilt[0].min(angle), tilt[1].max(angle)];
                off = off.max((rig.energy() / start - 1.0).abs());
                let now = f64::atan2(-p.z, p.x);
                let mut d = now - last;
                if d < -3.0 { d += std::f64::consts::TAU; }
                if d > 3.0 { d -= std::f64::consts::TAU; }
                turned += d;
                last = now;
            });
            println!("top {rate} {name}: tilt {tilt:?} energy {off:.2e} precession {:.6} of {omega}", turned / 10.0);
        }
    }
}

#[test]
fn probe_free() {
    for (name, solver) in solvers(120.0) {
        let mut rig = Rig::new(0.0, material(0.8, 0.0));
        let shape = Shape::Box { half_extents: Vec3::new(0.5, 0.25, 0.1) };
        let b = rig.add(shape, 12.0, Pose::from_translation(Vec3::Y * 5.0), material(0.5, 0.5)) as usize;
        rig.states[b].spin = Vec3::new(0.01, 5.0, 0.02);
        let (e, l) = (rig.energy(), rig.angular());
        rig.run(&*solver, 120.0, 60.0, |_| {});
        println!("free {name}: energy {:.2e} L {:.2e}", rig.energy() / e - 1.0, (rig.angular() - l).length() / l.length());
    }
}

#[test]
fn probe_isolated() {
    for (name, solver) in solvers(120.0).into_iter().take(2) {
        for ratio in [1.0, 100.0] {
            let mut rig = Rig::new(0.0, material(0.8, 0.0));
            rig.contact = false;
            let n = 6;
            for k in 0..n {
                let shape = Shape::Box { half_extents: Vec3::new(0.25, 0.1, 0.05) };
                let mass = if k == 0 { ratio } else { 1.0 };
                rig.add(shape, mass, Pose::from_translation(Vec3::X * 0.5 * f64::from(k)), material(0.5, 0.5));
            }
            for k in 1..n {
                let at = Vec3::X * (0.5 * f64::from(k) - 0.25);
                let kind = if k % 2 == 0 { JointKind::Ball } else { JointKind::Hinge { limits: None, motor: None } };
                rig.join([k as u32 - 1, k as u32], [at; 2], Vec3::new(0.0, 1.0, 0.3), kind);
            }
            rig.states[n as usize - 1].velocity = Vec3::new(0.3, 4.0, -2.0);
            rig.states[2].spin = Vec3::new(3.0, 4.0, -2.0);
            let (e, l, p) = (rig.energy(), rig.angular(), rig.momentum());
            rig.step(&*solver, 1.0 / 120.0).expect("a step");
            let e1 = rig.energy();
            rig.run(&*solver, 120.0, 5.0, |_| {});
            println!(
                "isolated {name} {ratio}: E {e:.3} {e1:.4} {:.4} L {:.2e} P {:.2e}",
                rig.energy(), (rig.angular() - l).length() / l.length(), (rig.momentum() - p).length() / p.length()
            );
        }
    }
}

#[test]
fn probe_cradle() {
    for (kind, gap) in [("hinge", 0.0), ("distance", 0.0), ("hinge", 1e-4), ("distance", 1e-4)] {
        for (name, solver) in solvers(120.0).into_iter().take(2) {
            let mut rig = Rig::new(9.81, material(0.0, 1.0));
            let n = 5;
            for k in 0..n {
                let at = Vec3::new((0.1 + gap) * f64::from(k), 2.0, 0.0);
                let top = at + Vec3::Y * 1.0;
                let pull = if k == 0 { -30.0 } else { 0.0 };
                let turn = about(Vec3::Z, pull);
                let pose = Pose::from_parts(top + turn * (at - top), turn);
                let b = rig.add(Shape::Ball { radius: 0.05 }, 1.0, pose, material(0.0, 1.0));
                match kind {
                    "hinge" => rig.join([GROUND, b], [top; 2], Vec3::Z, JointKind::Hinge { limits: None, motor: None }),
                    _ => rig.join([GROUND, b], [top, pose.translation], Vec3::Z, JointKind::Distance { length: 1.0 }),
                }
            }
            let low = 5.0 * 9.81 * 2.0;
            let start = rig.energy() - low;
            let (mut least, mut most): (f64, f64) = (1.0, 0.0);
            let mut trace = Vec::new();
            let mut k = 0;
            rig.run(&*solver, 120.0, 10.0, |rig| {
                let e = (rig.energy() - low) / start;
                (least, most) = (least.min(e), most.max(e));
                k += 1;
                if k % 60 == 0 && k < 600 {
                    let xs: Vec<String> = rig.states.iter().map(|s| format!("{:.2}", s.position.y - 2.0)).collect();
                    trace.push(xs.join(","));
                }
            });
            println!("cradle {kind} {gap} {name}: energy {least:.5} to {most:.5} {trace:?}");
        }
    }
}

#[test]
fn probe_explode() {
    use warpline_physics::joints::Motor;
    let cuboid = |x: f64, y: f64, z: f64| Shape::Box { half_extents: Vec3::new(x, y, z) * 0.5 };
    for h in [0.02, 1.0 / 120.0] {
        for (name, solver) in solvers(1.0 / h).into_iter().take(2) {
            let mut rig = Rig::new(9.81, material(0.5, 0.5));
            rig.contact = false;
            let shapes = [
                (cuboid(0.12, 0.12, 0.1), 1000.0 * 0.12 * 0.12 * 0.1, Vec3::new(2.0, 1.4, 1.0)),
                (Shape::Ball { radius: 0.06 }, 0.905, Vec3::new(1.7, 1.25, 1.4)),
                (Shape::Ball { radius: 0.06 }, 0.905, Vec3::new(2.0, 1.11, 1.4)),
                (cuboid(0.07, 0.12, 0.11), 4e5 * 0.07 * 0.12 * 0.11, Vec3::new(1.7, 0.97, 1.0)),
                (cuboid(0.1, 0.12, 0.06), 48.0 * 0.1 * 0.12 * 0.06, Vec3::new(1.71, 0.83, 1.0)),
                (cuboid(0.08, 0.12, 0.07), 1000.0 * 0.08 * 0.12 * 0.07, Vec3::new(2.0, 0.7, 1.4)),
            ];
            for (shape, mass, at) in shapes {
                rig.add(shape, mass, Pose::from_translation(at), material(0.5, 0.5));
            }
            rig.states[0].velocity = Vec3::new(-0.4, -0.6, -0.1);
            let motor = |speed, strength| JointKind::Hinge { limits: None, motor: Some(Motor { speed, strength }) };
            let middle = |a: u32, b: u32| 0.5 * ((if a == GROUND { Vec3::ZERO } else { shapes_at(a) }) + shapes_at(b));
            fn shapes_at(k: u32) -> Vec3 {
                [
                    Vec3::new(2.0, 1.4, 1.0), Vec3::new(1.7, 1.25, 1.4), Vec3::new(2.0, 1.11, 1.4),
                    Vec3::new(1.7, 0.97, 1.0), Vec3::new(1.71, 0.83, 1.0), Vec3::new(2.0, 0.7, 1.4),
                ][k as usize]
            }
            let joints = [
                ([GROUND, 0], Vec3::Z, motor(3.0, 100.0)),
                ([0, 1], Vec3::Y, JointKind::Slider { limits: None, motor: None }),
                ([1, 2], Vec3::X, JointKind::Fixed),
                ([2, 3], Vec3::X, JointKind::Fixed),
                ([3, 4], Vec3::Y, motor(4.0, 40.0)),
                ([4, 5], Vec3::X, JointKind::Hinge { limits: None, motor: None }),
            ];
            for ([a, b], axis, kind) in joints {
                rig.join([a, b], [middle(a, b); 2], axis, kind);
            }
            let mut trace = Vec::new();
            let mut open: f64 = 0.0;
            let (mut k, every) = (0, (0.1 / h) as u32);
            for _ in 0..(2.0 / h) as u32 {
                if let Err(e) = rig.step(&*solver, h) {
                    println!("{name} {h}: {e}");
                    break;
                }
                open = rig.joints.iter().filter(|j| !matches!(j.kind, JointKind::Slider { .. }))
                    .map(|j| j.apart(j.bodies.map(|b| rig.pose(b)))).fold(open, f64::max);
                k += 1;
                if k % every == 0 {
                    let fast = rig.states.iter().map(|s| s.velocity.length()).fold(0.0, f64::max);
                    let spin = rig.states.iter().map(|s| s.spin.length()).fold(0.0, f64::max);
                    trace.push(format!("{fast:.1}/{spin:.0}/E{:.0}", rig.energy()));
                }
            }
            println!("explode {name} {h}: open {open:.1e} {trace:?}");
        }
    }
}
