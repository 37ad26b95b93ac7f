//! Joints in both solvers that hold them: against closed forms, energy, and the errors they may show.

use std::f64::consts::FRAC_PI_2;
use warpline_physics::body::{Heft, Material};
use warpline_physics::groups::{
    GroupSolver, Impulse, Member, Memory, Neighbour, Penalty, PenaltySettings, Report, Scratch,
    Settings, SoftStep, SolverError, Span, Surroundings,
};
use warpline_physics::joints::{Joint, JointKind, Link, Motor};
use warpline_physics::{BodyModel, Part, Pose, Quat, Shape, State, Vec3};

const STEP: f64 = 1.0 / 120.0;
const G: f64 = 9.81;
/// The place of the ground, whatever the number of bodies.
const GROUND: u32 = u32::MAX;
const FREE_HINGE: JointKind = JointKind::Hinge {
    limits: None,
    motor: None,
};

fn solvers() -> [(&'static str, Box<dyn GroupSolver>); 2] {
    let settings = Settings::default;
    [
        (
            "soft-step",
            Box::new(SoftStep::new(settings()).expect("settings")),
        ),
        (
            "impulse",
            Box::new(Impulse::new(settings()).expect("settings")),
        ),
    ]
}

/// Bodies, a fixed ground at the origin, and joints between them; nothing collides.
struct Rig {
    models: Vec<BodyModel>,
    states: Vec<State>,
    ground: BodyModel,
    joints: Vec<Joint>,
    memory: Memory,
    scratch: Scratch,
    gravity: f64,
}

impl Rig {
    fn new(gravity: f64) -> Self {
        let part = Part::centred(Shape::Ball { radius: 0.01 });
        Rig {
            models: Vec::new(),
            states: Vec::new(),
            ground: BodyModel::fixed(&[part], Material::default()).expect("a ground"),
            joints: Vec::new(),
            memory: Memory::default(),
            scratch: Scratch::default(),
            gravity,
        }
    }

    fn add(&mut self, shape: Shape, mass: f64, pose: Pose) -> u32 {
        let pull = Vec3::new(0.0, -self.gravity, 0.0);
        let part = Part::centred(shape);
        let model = BodyModel::dynamic(&[part], Heft::Mass(mass), Material::default(), pull);
        let model = model.expect("a body");
        self.states
            .push(State::at_rest(pose * model.user_frame.inverse()));
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

    fn step(&mut self, solver: &dyn GroupSolver) -> Result<(), SolverError> {
        let count = self.models.len() as u32;
        let mut members: Vec<Member> = (self.models.iter().zip(&self.states).enumerate())
            .map(|(body, (model, &state))| Member {
                body: body as u32,
                model,
                state,
            })
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
        let mut report = Report::default();
        let span = Span {
            begin: 0.0,
            seconds: STEP,
        };
        let around = Surroundings {
            neighbours: &[ground],
            pairs: &[],
            links: &links,
        };
        let (memory, scratch) = (&mut self.memory, &mut self.scratch);
        solver.step(span, &mut members, &around, memory, scratch, &mut report)?;
        self.states = members.iter().map(|m| m.state).collect();
        Ok(())
    }

    fn run(&mut self, solver: &dyn GroupSolver, seconds: f64, mut look: impl FnMut(&Rig, f64)) {
        for step in 1..=(seconds / STEP).round() as u32 {
            self.step(solver).expect("a step");
            look(self, STEP * f64::from(step));
        }
    }

    /// Kinetic and potential energy, J.
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

    /// How far the anchors of all joints are from each other at most, metres.
    fn apart(&self) -> f64 {
        let of = |j: &Joint| j.apart(j.bodies.map(|b| self.pose(b)));
        self.joints.iter().map(of).fold(0.0, f64::max)
    }

    /// Angle of the second body of a joint against the first one about the joint's axis, radians, and how far
    /// the axes are from each other, radians.
    fn angle(&self, joint: usize) -> (f64, f64) {
        let joint = &self.joints[joint];
        let turn = |k: usize| self.pose(joint.bodies[k]).rotation * joint.frames[k].rotation;
        let relative = turn(0).inverse() * turn(1);
        let (y, x) = (relative * Vec3::Y, relative * Vec3::X);
        (
            libm::atan2(y.z, y.y),
            libm::atan2(x.cross(Vec3::X).length(), x.x),
        )
    }
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

fn about_z(point: Vec3, angle: f64) -> Pose {
    let (sin, cos) = libm::sincos(0.5 * angle);
    Pose::from_parts(point, Quat::from_xyzw(0.0, 0.0, sin, cos))
}

fn rod(half: f64) -> Shape {
    Shape::Box {
        half_extents: Vec3::new(0.02, half, 0.02),
    }
}

/// A rod that hangs from a hinge at the origin, at `angle` from the vertical; returns the rig and the time of
/// a full swing, which is 2 pi sqrt(I / m g d) over the arithmetic-geometric mean of 1 and cos(angle / 2).
fn pendulum(angle: f64) -> (Rig, f64) {
    let mut rig = Rig::new(G);
    let down = Vec3::new(libm::sin(angle), -libm::cos(angle), 0.0);
    let body = rig.add(rod(0.5), 2.0, about_z(down * 0.5, angle));
    rig.join([GROUND, body], [Vec3::ZERO; 2], Vec3::Z, FREE_HINGE);
    let mass = &rig.models[0].mass;
    let axis = rig.states[0].rotation.inverse() * Vec3::Z;
    let inertia = axis.dot(mass.inertia * axis) + mass.mass * 0.25;
    let (mut a, mut b) = (1.0, libm::cos(0.5 * angle));
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    let slow = std::f64::consts::TAU * f64::sqrt(inertia / (mass.mass * G * 0.5));
    (rig, slow / a)
}

#[test]
fn a_pendulum_swings_with_the_period_of_the_closed_form() {
    for (name, solver) in solvers() {
        for degrees in [5.0, 60.0, 120.0, 160.0] {
            let angle = f64::to_radians(degrees);
            let (mut rig, period) = pendulum(angle);
            let mut crossings: Vec<f64> = Vec::new();
            let mut before = angle;
            rig.run(&*solver, 10.0 * period, |rig, now| {
                let x = rig.states[0].position.x;
                if before < 0.0 && x >= 0.0 {
                    crossings.push(now - STEP * x / (x - before));
                }
                before = x;
            });
            let swings = crossings.len() - 1;
            let found = (crossings[swings] - crossings[0]) / swings as f64;
            // Second order in the sub-step h = 1/480 s: (h w)^2 / 24 with w up to 10 rad/s is 2e-5.
            let error = found / period - 1.0;
            assert!(
                error.abs() < 5e-5,
                "{name}, {degrees} degrees: off by {error:e}"
            );
        }
    }
}

#[test]
fn a_double_pendulum_keeps_its_energy() {
    for (name, solver) in solvers() {
        let mut rig = Rig::new(G);
        let upper = rig.add(
            rod(0.25),
            1.0,
            about_z(Vec3::new(0.25, 0.0, 0.0), FRAC_PI_2),
        );
        let lower = rig.add(rod(0.25), 1.0, about_z(Vec3::new(0.5, 0.25, 0.0), 0.0));
        rig.join([GROUND, upper], [Vec3::ZERO; 2], Vec3::Z, FREE_HINGE);
        rig.join([upper, lower], [Vec3::X * 0.5; 2], Vec3::Z, FREE_HINGE);
        let start = rig.energy();
        // Between hanging down and standing up: 1 kg at 0.25 m and 1 kg at 0.75 m, twice.
        let scale = 2.0 * G;
        let (mut worst, mut apart): (f64, f64) = (0.0, 0.0);
        rig.run(&*solver, 20.0, |rig, _| {
            worst = worst.max((rig.energy() - start).abs() / scale);
            apart = apart.max(rig.apart());
        });
        let drift = (rig.energy() - start) / scale;
        assert!(worst < 0.005, "{name}: {worst}");
        assert!(drift.abs() < 0.003, "{name}: {drift}");
        assert!(apart < 1e-8, "{name}: {apart} m apart");
    }
}

#[test]
fn a_hinge_keeps_its_axis() {
    for (name, solver) in solvers() {
        let mut rig = Rig::new(G);
        let axis = Vec3::new(1.0, 2.0, -0.5);
        let door = Shape::Box {
            half_extents: Vec3::new(0.4, 0.1, 0.7),
        };
        let body = rig.add(door, 5.0, at(0.5, 0.3, 0.2));
        rig.join([GROUND, body], [Vec3::ZERO; 2], axis, FREE_HINGE);
        let turning = axis.normalize() * 8.0;
        let state = &mut rig.states[0];
        (state.spin, state.velocity) = (turning, turning.cross(state.position));
        let (mut apart, mut tilt): (f64, f64) = (0.0, 0.0);
        rig.run(&*solver, 20.0, |rig, _| {
            apart = apart.max(rig.apart());
            tilt = tilt.max(rig.angle(0).1);
        });
        assert!(apart < 1e-7, "{name}: {apart} m");
        assert!(tilt < 1e-7, "{name}: {tilt} rad");
    }
}

#[test]
fn a_chain_of_twenty_links_holds_a_thousand_times_its_link() {
    for (name, solver) in solvers() {
        let mut rig = Rig::new(G);
        let mut last = GROUND;
        for k in 0..20 {
            let x = 0.1 + 0.2 * f64::from(k);
            let link = rig.add(rod(0.1), 0.1, about_z(Vec3::X * x, FRAC_PI_2));
            rig.join(
                [last, link],
                [Vec3::X * (x - 0.1); 2],
                Vec3::Z,
                JointKind::Ball,
            );
            last = link;
        }
        let ball = rig.add(Shape::Ball { radius: 0.3 }, 100.0, at(4.3, 0.0, 0.0));
        rig.join([last, ball], [Vec3::X * 4.0; 2], Vec3::Z, JointKind::Ball);
        let start = rig.energy();
        let (mut apart, mut gained): (f64, f64) = (0.0, 0.0);
        rig.run(&*solver, 8.0, |rig, _| {
            apart = apart.max(rig.apart());
            gained = gained.max((rig.energy() - start) / (100.0 * G * 4.3));
        });
        assert!(apart < 1e-7, "{name}: {apart} m");
        assert!(gained < 0.01, "{name}: energy grew by {gained}");
    }
}

#[test]
fn a_motor_reaches_its_speed_and_no_more_than_its_torque() {
    for (name, solver) in solvers() {
        let mut rig = Rig::new(0.0);
        let wheel = rig.add(Shape::Ball { radius: 0.5 }, 10.0, at(0.0, 0.0, 0.0));
        let motor = Some(Motor {
            speed: 6.0,
            strength: 2.0,
        });
        let kind = JointKind::Hinge {
            limits: None,
            motor,
        };
        rig.join([GROUND, wheel], [Vec3::ZERO; 2], Vec3::Z, kind);
        // A ball's inertia is 2/5 m r^2 = 1 kg m^2: 2 N m take 3 s to reach 6 rad/s.
        rig.run(&*solver, 1.5, |_, _| {});
        let halfway = rig.states[0].spin.z;
        assert!(
            (halfway - 3.0).abs() < 1e-9,
            "{name}: {halfway} rad/s after 1.5 s"
        );
        rig.run(&*solver, 2.0, |_, _| {});
        let spin = rig.states[0].spin;
        assert!((spin - Vec3::Z * 6.0).length() < 1e-7, "{name}: {spin}");
    }
}

#[test]
fn a_motor_carries_a_load_at_its_speed() {
    for (name, solver) in solvers() {
        let mut rig = Rig::new(G);
        let lift = rig.add(rod(0.1), 3.0, at(0.0, 0.0, 0.0));
        let motor = Some(Motor {
            speed: 0.5,
            strength: 100.0,
        });
        let kind = JointKind::Slider {
            limits: None,
            motor,
        };
        rig.join([GROUND, lift], [Vec3::ZERO; 2], Vec3::Y, kind);
        rig.run(&*solver, 2.0, |_, _| {});
        let state = rig.states[0];
        assert!(
            (state.velocity.y - 0.5).abs() < 0.011,
            "{name}: {}",
            state.velocity
        );
        // Free fall for half a sub-step is what the way may be off.
        assert!(
            (state.position.y - 1.0).abs() < 0.02,
            "{name}: {}",
            state.position
        );
    }
}

#[test]
fn limits_hold() {
    for (name, solver) in solvers() {
        let (mut rig, _) = pendulum(0.0);
        let limit = f64::to_radians(30.0);
        rig.joints[0].kind = JointKind::Hinge {
            limits: Some([-limit, 0.5 * limit]),
            motor: None,
        };
        rig.states[0].spin = Vec3::Z * 6.0;
        rig.states[0].velocity = Vec3::X * 3.0;
        let (mut low, mut high): (f64, f64) = (0.0, 0.0);
        rig.run(&*solver, 1.0, |rig, _| {
            let (angle, _) = rig.angle(0);
            (low, high) = (low.min(angle), high.max(angle));
        });
        // It is seen at the ends of steps, and falls back by g h^2 / 2 within one.
        let reached = |angle: f64, limit: f64| angle < limit + 1e-7 && angle > limit - 1e-3;
        assert!(reached(high, 0.5 * limit), "{name}: {high}");
        rig.states[0].spin = Vec3::Z * -9.0;
        rig.states[0].velocity = Vec3::X * -4.5;
        rig.run(&*solver, 1.0, |rig, _| {
            let (angle, _) = rig.angle(0);
            (low, high) = (low.min(angle), high.max(angle));
        });
        assert!(reached(-low, limit), "{name}: {low}");
        assert!(high < 0.5 * limit + 1e-7, "{name}: {high}");
    }
}

#[test]
fn a_slider_slides_as_on_a_slope_and_stops_at_its_limit() {
    for (name, solver) in solvers() {
        let mut rig = Rig::new(G);
        let block = Shape::Box {
            half_extents: Vec3::new(0.3, 0.2, 0.1),
        };
        let body = rig.add(block, 4.0, at(0.5, 0.2, -0.1));
        let axis = Vec3::new(0.6, -0.8, 0.0);
        let limits = Some([0.0, 3.0]);
        let kind = JointKind::Slider {
            limits,
            motor: None,
        };
        rig.join([GROUND, body], [Vec3::ZERO; 2], axis, kind);
        let start = rig.states[0];
        rig.run(&*solver, 0.5, |_, _| {});
        let way = rig.states[0].position - start.position;
        let expected = 0.5 * G * 0.8 * 0.25;
        // Semi-implicit steps are ahead by g h t / 2; h is 1/480 s.
        assert!((way.dot(axis) - expected).abs() < 0.005, "{name}: {way}");
        assert!(
            (way - axis * way.dot(axis)).length() < 1e-9,
            "{name}: {way}"
        );
        rig.run(&*solver, 1.0, |_, _| {});
        let way = rig.states[0].position - start.position;
        assert!(
            (way - axis * 3.0).length() < 1e-6,
            "{name}: stopped at {way}"
        );
        let turn = rig.states[0].rotation * start.rotation.inverse();
        assert!(turn.xyz().length() < 1e-9, "{name}: turned by {turn}");
    }
}

#[test]
fn fixed_bodies_fall_and_tumble_as_one() {
    for (name, solver) in solvers() {
        let mut rig = Rig::new(G);
        let a = rig.add(rod(0.5), 1.0, at(0.0, 0.0, 0.0));
        let b = rig.add(Shape::Ball { radius: 0.2 }, 7.0, at(0.1, 0.7, 0.3));
        rig.join(
            [a, b],
            [Vec3::new(0.0, 0.5, 0.0); 2],
            Vec3::X,
            JointKind::Fixed,
        );
        rig.states[0].spin = Vec3::new(3.0, -2.0, 1.0);
        rig.run(&*solver, 0.1, |_, _| {});
        let relative = rig.pose(a).inverse() * rig.pose(b);
        rig.run(&*solver, 5.0, |_, _| {});
        let after = rig.pose(a).inverse() * rig.pose(b);
        let moved = (after.translation - relative.translation).length();
        let turned = (after.rotation * relative.rotation.inverse())
            .xyz()
            .length();
        assert!(
            moved < 1e-7 && turned < 1e-7,
            "{name}: {moved} m, {turned} rad"
        );
    }
}

#[test]
fn a_rope_only_pulls() {
    for (name, solver) in solvers() {
        let mut rig = Rig::new(G);
        let ball = rig.add(Shape::Ball { radius: 0.1 }, 1.0, at(0.5, 0.0, 0.0));
        let anchors = [Vec3::ZERO, Vec3::X * 0.5];
        rig.join(
            [GROUND, ball],
            anchors,
            Vec3::X,
            JointKind::Rope { length: 1.0 },
        );
        let mut free = Rig::new(G);
        free.add(Shape::Ball { radius: 0.1 }, 1.0, at(0.5, 0.0, 0.0));
        let mut longest: f64 = 0.0;
        let mut is_slack = true;
        rig.run(&*solver, 6.0, |rig, _| {
            free.step(&*solver).expect("a step");
            let length = rig.states[0].position.length();
            longest = longest.max(length);
            is_slack &= length < 0.99;
            if is_slack {
                assert_eq!(rig.states[0], free.states[0], "{name}: a slack rope pulls");
            }
        });
        assert!(!is_slack, "{name}: the rope was never taut");
        assert!(longest < 1.0 + 1e-7, "{name}: {longest} m");
    }
}

#[test]
fn a_dumbbell_keeps_its_length_and_its_momentum() {
    for (name, solver) in solvers() {
        let mut rig = Rig::new(0.0);
        let a = rig.add(Shape::Ball { radius: 0.1 }, 1.0, at(0.0, 0.0, 0.0));
        let b = rig.add(Shape::Ball { radius: 0.1 }, 3.0, at(2.0, 0.0, 0.0));
        let anchors = [Vec3::ZERO, Vec3::X * 2.0];
        rig.join(
            [a, b],
            anchors,
            Vec3::X,
            JointKind::Distance { length: 2.0 },
        );
        rig.states[0].velocity = Vec3::new(1.0, 4.0, 0.5);
        let momentum = |rig: &Rig| rig.states[0].velocity + rig.states[1].velocity * 3.0;
        let start = momentum(&rig);
        rig.run(&*solver, 10.0, |rig, _| {
            let length = rig.states[0].position.distance(rig.states[1].position);
            assert!((length - 2.0).abs() < 1e-8, "{name}: {length}");
        });
        let change = (momentum(&rig) - start).length();
        assert!(change < 1e-10, "{name}: momentum changed by {change}");
    }
}

/// Four rods in a closed loop of hinges: six rows say what five would.
#[test]
fn a_closed_loop_holds_though_its_hinges_say_too_much() {
    for (name, solver) in solvers() {
        let mut rig = Rig::new(G);
        // A crank that turns all round, a rod and a rocker; none of its poses is flat.
        let points = [
            Vec3::ZERO,
            Vec3::new(0.0, 0.4, 0.0),
            Vec3::new(0.9, 0.7, 0.0),
            Vec3::X,
        ];
        let mut bar = |from: Vec3, to: Vec3| {
            let (middle, along) = (0.5 * (from + to), to - from);
            let angle = libm::atan2(-along.x, along.y);
            rig.add(rod(0.5 * along.length()), 1.0, about_z(middle, angle))
        };
        let [crank, middle, rocker] = [0, 1, 2].map(|k| bar(points[k], points[k + 1]));
        let corners = [
            ([GROUND, crank], points[0]),
            ([crank, middle], points[1]),
            ([middle, rocker], points[2]),
            ([GROUND, rocker], points[3]),
        ];
        for (bodies, at) in corners {
            rig.join(bodies, [at; 2], Vec3::Z, FREE_HINGE);
        }
        rig.states[0].spin = Vec3::Z * 20.0;
        let (mut apart, mut tilt): (f64, f64) = (0.0, 0.0);
        rig.run(&*solver, 10.0, |rig, _| {
            apart = apart.max(rig.apart());
            tilt = (0..4).map(|j| rig.angle(j).1).fold(tilt, f64::max);
        });
        assert!(apart < 1e-8 && tilt < 1e-8, "{name}: {apart} m, {tilt} rad");
    }
}

#[test]
fn penalty_says_that_it_has_no_joints() {
    let (mut rig, _) = pendulum(0.5);
    let penalty = Penalty::new(PenaltySettings::default()).expect("settings");
    let error = rig.step(&penalty).expect_err("penalty has no joints");
    assert!(
        error.to_string().contains("`penalty` holds no joints"),
        "{error}"
    );
}
