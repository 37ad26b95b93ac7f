//! Multibodies in the engine: one worldline for the whole tree, events per link. Energy, momentum, impulses through
//! the tree, and the same committed bytes under every executor.

use multibody::Workspace;
use physics::{State, Vec3};
use record::{Event, HistoryHash, Segment};
use std::sync::Arc;
use warp::Tick;
use warpline_sim::scene::load;
use warpline_sim::{
    Acting, Algorithm, Collided, Control, Controller, Discard, Flow, History, JointSegment,
    LookAhead, MultibodyBody, Told, World, run,
};

fn world(text: &str) -> World {
    load("test.toml", text, &[])
        .expect("the scene is sound")
        .world
}

/// Links and the states of their joints at every segment of the first multibody.
#[derive(Default)]
struct JointHistory {
    told: Vec<(Tick, Vec<f64>, Vec<f64>)>,
    collisions: usize,
}

impl History for JointHistory {
    fn segment(&mut self, segment: &Segment<'_>) -> Told {
        self.collisions += usize::from(segment.event == Event::Collision && segment.impulse > 0.0);
        Ok(())
    }

    fn joints(&mut self, told: &JointSegment<'_>) -> Told {
        if told.multibody == 0 {
            let (joints, controls) = (told.joints.to_vec(), told.acting.controls.clone());
            self.told.push((told.start, joints, controls));
        }
        Ok(())
    }
}

fn joint_history(world: &World, algorithm: Algorithm) -> (JointHistory, Vec<State>) {
    let mut history = JointHistory::default();
    let (_, ends) = run(world, algorithm, &mut history).expect("the run ends");
    (history, ends)
}

fn hash(world: &World, algorithm: Algorithm) -> (String, u64) {
    let mut history = HistoryHash::new();
    let (stats, _) = run(world, algorithm, &mut history).expect("the run ends");
    (history.finish(), stats.segments_undone)
}

fn acting(made: &MultibodyBody) -> Acting {
    Acting {
        controls: made.controls.clone(),
        ..Acting::default()
    }
}

fn energy(made: &MultibodyBody, joints: &[f64]) -> f64 {
    let mut ws = Workspace::new(&made.model);
    made.energy(joints, &mut ws).total()
}

/// A chain of rods that hang on each other and are let go from the side.
fn chain(links: usize) -> String {
    let mut text = String::from("name = \"chain\"\nuntil = 10\n[[multibody]]\nname = \"chain\"\n");
    for k in 1..=links {
        let (parent, position) = match k {
            1 => (String::new(), "position = [0, 0, 0]".to_string()),
            _ => (
                format!("parent = \"rod {}\"\n", k - 1),
                "position = [0, -1, 0]".into(),
            ),
        };
        let start = if k == 1 { 90 } else { 5 };
        text += &format!(
            "[[multibody.links]]\nname = \"rod {k}\"\n{parent}{position}\njoint = \"hinge\"\naxis = [0, 0, 1]\n\
             start = {start}\nshape = {{ box = [0.05, 1, 0.05], position = [0, -0.5, 0] }}\nmass = 1\n"
        );
    }
    text
}

/// The largest error of the energy over ten seconds, asked between events too, over the energy that the motion has
/// at hand, and the same as the links' bodies tell it.
fn energy_errors(world: &World) -> (f64, f64) {
    let made = &world.multibodies[0];
    let mut flow = Flow::of(&made.start, &acting(made), f64::INFINITY);
    let start = energy(made, &made.start);
    let lowest = {
        let mut rest = made.start.clone();
        rest.fill(0.0);
        energy(made, &rest)
    };
    let (mut of_joints, mut of_links) = (0.0f64, 0.0f64);
    let mut joints = made.start.clone();
    let mut turns: Vec<physics::Turn> = Vec::new();
    let flights: Vec<physics::Flight> = made
        .links
        .iter()
        .map(|link| {
            let body = &world.bodies[link.body.index()];
            let mut turn = physics::Turn::default();
            turn.begin(body.start.rotation, body.start.spin, world.model(link.body));
            turns.push(turn);
            physics::Flight {
                start: Tick::ZERO,
                position: body.start.position,
                velocity: body.start.velocity,
                model: body.model,
                body: link.body.0,
            }
        })
        .collect();
    for k in 1..=2000 {
        let seconds = 10.0 * f64::from(k) / 2000.0;
        flow.reach(made, seconds);
        flow.state(seconds, &mut joints);
        of_joints = of_joints.max((energy(made, &joints) - start).abs());
        let mut sum = 0.0;
        for (place, link) in made.links.iter().enumerate() {
            flow.fill(
                made.links.len(),
                place,
                &mut turns[place],
                f64::NEG_INFINITY,
            );
            let model = world.model(link.body);
            let motion = physics::Motion {
                model,
                flight: &flights[place],
                turn: &turns[place],
            };
            let state = motion.state(Tick::from_seconds(seconds));
            let spin = state.rotation.inverse() * state.spin;
            sum += 0.5 * model.mass.mass * state.velocity.length_squared();
            sum += 0.5 * spin.dot(model.mass.inertia * spin);
            sum -= model.mass.mass * model.gravity.dot(state.position);
        }
        of_links = of_links.max((sum - start).abs());
    }
    (of_joints / (start - lowest), of_links / (start - lowest))
}

#[test]
fn a_double_pendulum_and_a_chain_of_ten_keep_their_energy() {
    for links in [2, 10] {
        let world = world(&chain(links));
        let (of_joints, of_links) = energy_errors(&world);
        // The goal is one hundred millionth; the links' polynomials follow the joints almost as well.
        assert!(of_joints < 1e-8, "{links} links: {of_joints:e}");
        assert!(of_links < 1e-7, "{links} links, as bodies: {of_links:e}");
    }
}

/// The joints' motion through the engine is that of the law alone, to the last bit, whoever looks in between.
#[test]
fn a_multibody_alone_follows_its_law() {
    let world = world(&chain(3));
    let (history, ends) = joint_history(&world, Algorithm::TimeWarp(LookAhead::Adaptive));
    assert_eq!(history.told.len(), 1, "nothing happens to it");
    let made = &world.multibodies[0];
    let mut flow = Flow::of(&made.start, &acting(made), f64::INFINITY);
    let mut joints = made.start.clone();
    flow.reach(made, 10.0);
    flow.state(10.0, &mut joints);
    let mut ws = Workspace::new(&made.model);
    made.link_states(&joints, &mut ws, |place, state| {
        let end = ends[made.links[place].body.index()];
        assert!((end.position - state.position).length() < 1e-9);
        assert!((end.velocity - state.velocity).length() < 1e-7);
    });
}

const BATTED: &str = r#"
name = "batted"
until = 4
gravity = [0, 0, 0]
[materials.m]
restitution = 0.8
friction = 0.3
[[multibody]]
name = "flail"
[[multibody.links]]
name = "handle"
joint = "free"
velocity = [0, 0.5, 0]
spin = [0.3, 0.2, 3]
shape = { box = [0.1, 1, 0.1] }
material = "m"
mass = 2
[[multibody.links]]
name = "chain"
parent = "handle"
joint = "ball"
spin = [1, 0, 2]
position = [0, 0.55, 0]
shape = { capsule = { length = 0.5, radius = 0.05 }, position = [0, 0.3, 0] }
material = "m"
mass = 1
[[multibody.links]]
name = "head"
parent = "chain"
joint = "hinge"
axis = [1, 0, 0]
rate = -1
position = [0, 0.65, 0]
shape = { ball = 0.2, position = [0, 0.25, 0] }
material = "m"
mass = 1.5
[[scatter]]
name = "ball"
count = 110
shape = { ball = 0.15 }
mass = 0.5
region = { min = [-2, -2, -1.5], max = [2, 3, 1.5] }
speed = { rms = 2 }
material = "m"
seed = 7
"#;

/// Walls all around.
const WALLS: &str = "[box]\nmin = [-3, -3, -2]\nmax = [3, 4, 2]\nrestitution = 1\nfriction = 0\n";

/// Linear and angular momentum of everything that moves.
fn momenta(world: &World, states: &[State]) -> [Vec3; 2] {
    let mut all = [Vec3::ZERO; 2];
    for (body, state) in world.bodies.iter().zip(states) {
        let mass = world.models[body.model.place()].mass;
        let spin = state.rotation.inverse() * state.spin;
        let linear = state.velocity * mass.mass;
        all[0] += linear;
        all[1] += state.position.cross(linear) + state.rotation * (mass.inertia * spin);
    }
    all
}

#[test]
fn collisions_with_links_keep_momentum_and_pass_through_the_tree() {
    let world = world(BATTED);
    let starts: Vec<State> = world.bodies.iter().map(|b| b.start).collect();
    let (history, ends) = joint_history(&world, Algorithm::TimeWarp(LookAhead::Adaptive));
    assert!(
        history.told.len() > 5,
        "only {} hits",
        history.told.len() - 1
    );
    let [before, after] = [momenta(&world, &starts), momenta(&world, &ends)];
    // A few dozen hits, each exact to rounding, and integration between to 1e-10 a step.
    for k in 0..2 {
        let change = (after[k] - before[k]).length();
        assert!(change < 1e-7, "{k}: {change:e} of {}", before[k].length());
    }
    // The joints hold: the end of one link is the beginning of the next.
    let made = &world.multibodies[0];
    let body = |place: usize| made.links[place].body;
    let at = |place: usize, point: Vec3| {
        let state = world
            .model(body(place))
            .user_state(&ends[body(place).index()]);
        state.pose() * point
    };
    let gap = (at(0, Vec3::new(0.0, 0.55, 0.0)) - at(1, Vec3::ZERO)).length();
    assert!(gap < 1e-8, "the joint is {gap} m apart");
}

fn look_aheads() -> [LookAhead; 5] {
    [
        LookAhead::OneEvent,
        LookAhead::Adaptive,
        LookAhead::Seconds(1e-3),
        LookAhead::Seconds(0.05),
        LookAhead::Seconds(2.0),
    ]
}

#[test]
fn every_executor_commits_the_same_history_of_a_multibody() {
    let mut undone = 0;
    let walled = BATTED.to_string() + WALLS;
    for text in [
        &walled,
        include_str!("../../../scenes/double-pendulum.toml"),
    ] {
        let world = world(text);
        let (reference, _) = hash(&world, Algorithm::Ordered);
        for look_ahead in look_aheads() {
            let (found, rolled_back) = hash(&world, Algorithm::TimeWarp(look_ahead));
            assert_eq!(found, reference, "{look_ahead:?}");
            undone += rolled_back;
        }
        assert_eq!(hash(&world, Algorithm::Checking).0, reference);
        assert_eq!(
            hash(&world, Algorithm::Parallel(2)).0,
            reference,
            "undivided"
        );
    }
    assert!(
        undone > 20,
        "the test must force rollbacks; {undone} undone"
    );
}

/// A ball flies at the end of a rod on a hinge. Conservation of the angular momentum about the hinge and of energy
/// give both velocities afterwards.
#[test]
fn a_hit_on_a_hinged_rod_is_as_the_books_say() {
    let text = r#"
name = "rod"
until = 1
gravity = [0, 0, 0]
[materials.m]
restitution = 1
friction = 0
[[multibody]]
name = "rod"
[[multibody.links]]
name = "rod"
joint = "hinge"
axis = [0, 0, 1]
shape = { box = [0.1, 2, 0.1], position = [0, -1, 0] }
mass = 3
material = "m"
[[body]]
name = "ball"
shape = { ball = 0.1 }
mass = 1
position = [-1.15, -1.5, 0]
velocity = [2, 0, 0]
material = "m"
"#;
    let world = world(text);
    let (history, ends) = joint_history(&world, Algorithm::Ordered);
    assert_eq!(history.told.len(), 2);
    let (tick, joints, _) = &history.told[1];
    assert!((tick.seconds() - 0.5).abs() < 1e-9, "{}", tick.seconds());
    // Inertia about the hinge: that of the box about its middle, moved by a metre.
    let inertia = 3.0 * (0.1f64.powi(2) + 4.0) / 12.0 + 3.0;
    let (arm, mass, speed) = (1.5, 1.0, 2.0);
    let spin = 2.0 * mass * speed * arm / (inertia + mass * arm * arm);
    assert!((joints[1] - spin).abs() < 1e-9, "{} for {spin}", joints[1]);
    let ball = ends[world
        .bodies
        .iter()
        .position(|b| b.name == "ball")
        .expect("a ball")];
    let left = speed - inertia * spin / (mass * arm);
    assert!((ball.velocity.x - left).abs() < 1e-9);
}

/// A thin fast link against a thin fast ball: nothing passes through.
#[test]
fn a_fast_link_does_not_tunnel() {
    let text = r#"
name = "fan"
until = 2
gravity = [0, 0, 0]
[materials.m]
restitution = 1
friction = 0
[[multibody]]
name = "fan"
[[multibody.links]]
name = "blade"
joint = "hinge"
axis = [0, 0, 1]
rate = 200
shape = { box = [0.02, 2, 0.5] }
mass = 50
material = "m"
[[body]]
name = "bullet"
shape = { ball = 0.01 }
mass = 0.01
position = [-2, -0.5, 0]
velocity = [7, 0, 0]
material = "m"
"#;
    let world = world(text);
    let (history, ends) = joint_history(&world, Algorithm::TimeWarp(LookAhead::Adaptive));
    assert!(
        history.collisions > 0,
        "the blade is everywhere: it must hit"
    );
    let bullet = &ends[world
        .bodies
        .iter()
        .position(|b| b.name == "bullet")
        .expect("one")];
    assert!(bullet.velocity.length() > 20.0, "{}", bullet.velocity);
}

#[test]
fn worlds_that_links_cannot_be_in_yet_are_refused() {
    let with_joint = chain(1)
        + "[contact]\n[[body]]\nname = \"bob\"\nshape = { ball = 0.1 }\nposition = [3, 0, 0]\n[[joint]]\nkind = \
           \"ball\"\nbodies = [\"bob\", \"hook\"]\n[[body]]\nname = \"hook\"\nkind = \"fixed\"\nshape = { ball = 0.1 \
           }\nposition = [4, 0, 0]\n";
    let error = load("test.toml", &with_joint, &[]).err().expect("refused");
    assert!(error.message.contains("[[joint]]"), "{}", error.message);
    let world = world(&chain(1));
    for algorithm in [
        Algorithm::RetroactiveDetection(0.01),
        Algorithm::ConservativeAdvancement,
        Algorithm::Oracle,
    ] {
        let error = run(&world, algorithm, &mut Discard).expect_err("refused");
        assert!(error.to_string().contains("multibody"), "{error}");
    }
}

const CART: &str = r#"
name = "cart"
until = 3
[materials]
rubber = { friction = 0.9, restitution = 0 }
road = { friction = 0.9, restitution = 0 }
wood = { friction = 0.3, restitution = 0 }
[[material_pair]]
materials = ["wood", "road"]
friction = 0.3
restitution = 0
[[material_pair]]
materials = ["wood", "rubber"]
friction = 0
restitution = 0
[[body]]
name = "ground"
kind = "fixed"
shape = { half_space = [0, 1, 0] }
material = "road"
[[body]]
name = "box"
shape = { box = [0.3, 0.3, 0.3] }
position = [2.5, 0.16, 0]
density = 100
material = "wood"
[[multibody]]
name = "cart"
position = [0, 0.35, 0]
[[multibody.links]]
name = "chassis"
joint = "free"
shape = { box = [1, 0.2, 0.5] }
mass = 20
material = "rubber"
[[multibody.links]]
name = "left front"
parent = "chassis"
joint = "hinge"
axis = [0, 0, 1]
position = [0.35, -0.1, 0.35]
shape = { ball = 0.2 }
mass = 2
motor = { velocity = -4, damping = 5 }
material = "rubber"
[[multibody.links]]
name = "right front"
parent = "chassis"
joint = "hinge"
axis = [0, 0, 1]
position = [0.35, -0.1, -0.35]
shape = { ball = 0.2 }
mass = 2
motor = { velocity = -4, damping = 5 }
material = "rubber"
[[multibody.links]]
name = "left rear"
parent = "chassis"
joint = "hinge"
axis = [0, 0, 1]
position = [-0.35, -0.1, 0.35]
shape = { ball = 0.2 }
mass = 2
motor = { velocity = -4, damping = 5 }
material = "rubber"
[[multibody.links]]
name = "right rear"
parent = "chassis"
joint = "hinge"
axis = [0, 0, 1]
position = [-0.35, -0.1, -0.35]
shape = { ball = 0.2 }
mass = 2
motor = { velocity = -4, damping = 5 }
material = "rubber"
"#;

fn named(world: &World, name: &str) -> usize {
    let found = world.bodies.iter().position(|b| b.name == name);
    found.expect("a body of this name")
}

/// A cart drops onto its wheels, drives off without slipping, and pushes a box along.
#[test]
fn a_cart_drives_and_pushes_a_box() {
    let world = world(CART);
    let (_, ends) = joint_history(&world, Algorithm::TimeWarp(LookAhead::Adaptive));
    let chassis = ends[named(&world, "cart.chassis")];
    // Wheels of 0.2 m that seek 4 rad/s with 5 N·m·s each lack what the box's friction on the road takes. (Were the box
    // rough in front as well, how high it is pushed and how much it is held down could not be known.)
    let friction = 0.3 * 2.7 * 9.81;
    let speed = 0.2 * (4.0 - friction * 0.2 / (4.0 * 5.0));
    assert!(
        (chassis.velocity.x - speed).abs() < 2e-4,
        "{} instead of {speed}",
        chassis.velocity
    );
    assert!(
        (chassis.position.y - 0.3).abs() < 2e-3,
        "{}",
        chassis.position
    );
    let pushed = ends[named(&world, "box")];
    assert!(
        pushed.position.x > 2.55,
        "the box is at {}",
        pushed.position
    );
    let (reference, _) = hash(&world, Algorithm::Ordered);
    for look_ahead in [
        LookAhead::OneEvent,
        LookAhead::Adaptive,
        LookAhead::Seconds(0.05),
    ] {
        assert_eq!(
            hash(&world, Algorithm::TimeWarp(look_ahead)).0,
            reference,
            "{look_ahead:?}"
        );
    }
}

/// An arm falls against the limit of its hinge and stays there; another is held by dry friction.
#[test]
fn limits_hold_and_dry_friction_holds() {
    let text = r#"
name = "limits"
until = 3
[[multibody]]
name = "arm"
[[multibody.links]]
name = "limited"
joint = "hinge"
axis = [0, 0, 1]
start = 80
limits = [30, 90]
joint_damping = 0.2
shape = { box = [0.1, 1, 0.1], position = [0, -0.5, 0] }
mass = 1
[[multibody.links]]
name = "held"
joint = "hinge"
axis = [0, 0, 1]
position = [3, 0, 0]
start = 45
dry_friction = 4
shape = { box = [0.1, 1, 0.1], position = [0, -0.5, 0] }
mass = 1
"#;
    let world = world(text);
    assert!(world.contact.is_some(), "limits are solved as contacts are");
    let (history, _) = joint_history(&world, Algorithm::Ordered);
    let (_, joints, _) = history.told.last().expect("steps");
    let degrees = |radians: f64| radians * 180.0 / std::f64::consts::PI;
    assert!(
        (degrees(joints[0]) - 30.0).abs() < 0.1,
        "{}",
        degrees(joints[0])
    );
    // Its weight pulls with 3.5 N m, friction holds up to 4.
    assert!(
        (degrees(joints[1]) - 45.0).abs() < 0.01,
        "{}",
        degrees(joints[1])
    );
    let (reference, _) = hash(&world, Algorithm::Ordered);
    assert_eq!(
        hash(&world, Algorithm::TimeWarp(LookAhead::Adaptive)).0,
        reference
    );
}

/// A pendulum with a motor, and a ball that flies into it, under a controller that holds it upright and counts its calls
/// in a slot.
fn controlled() -> World {
    let text = r#"
name = "held"
until = 2
[materials.m]
restitution = 1
friction = 0
[[multibody]]
name = "arm"
[[multibody.links]]
name = "rod"
joint = "hinge"
axis = [0, 0, 1]
start = 170
shape = { box = [0.1, 1, 0.1], position = [0, -0.5, 0] }
mass = 1
material = "m"
motor = { force = 0 }
[[body]]
name = "ball"
shape = { ball = 0.1 }
mass = 0.1
position = [3, 3.1, 0]
velocity = [-3, 2, 0]
material = "m"
"#;
    let mut world = world(text);
    let upright = std::f64::consts::PI;
    world.multibodies[0].controller = Some(Controller::new(
        0.0,
        1,
        Arc::new(move |control: &mut Control<'_>| {
            let (angle, rate) = (control.positions[0], control.velocities[0]);
            control.controls[0] = 60.0 * (upright - angle) - 8.0 * rate;
            control.slots[0] += 1.0;
            Some(0.01)
        }),
    ));
    world
}

#[test]
fn a_controller_holds_an_arm_upright_whatever_is_undone() {
    let world = controlled();
    let (reference, _) = hash(&world, Algorithm::Ordered);
    let (history, _) = joint_history(&world, Algorithm::TimeWarp(LookAhead::Seconds(1.0)));
    let (_, joints, _) = history.told.last().expect("calls");
    assert!(
        (joints[0] - std::f64::consts::PI).abs() < 0.05,
        "{}",
        joints[0]
    );
    // One segment for each call at 0, 0.01, ..., 1.99 s, one for the start, and one for the hit.
    assert!(history.told.len() >= 202, "{} segments", history.told.len());
    for look_ahead in look_aheads() {
        assert_eq!(
            hash(&world, Algorithm::TimeWarp(look_ahead)).0,
            reference,
            "{look_ahead:?}"
        );
    }
    assert_eq!(hash(&world, Algorithm::Checking).0, reference);
}

/// A ball joint swings against its largest angle and stays within it.
#[test]
fn a_ball_joint_stops_at_its_largest_angle() {
    let text = r#"
name = "ball"
until = 4
gravity = [6, -6, 2]
[contact]
[[multibody]]
name = "arm"
[[multibody.links]]
name = "held"
joint = "ball"
limits = [0, 25]
joint_damping = 0.1
shape = { box = [0.1, 1, 0.1], position = [0, -0.5, 0] }
mass = 1
"#;
    let world = world(text);
    let (history, _) = joint_history(&world, Algorithm::Ordered);
    let degrees = |joints: &[f64]| 2.0 * joints[0].abs().min(1.0).acos().to_degrees();
    let angles = history.told.iter().map(|(_, joints, _)| degrees(joints));
    let largest = angles.fold(0.0f64, f64::max);
    assert!(largest < 25.3, "{largest}");
    // Gravity pulls 46 degrees aside: the arm comes to lean against the limit.
    let (_, joints, _) = history.told.last().expect("steps");
    assert!((degrees(joints) - 25.0).abs() < 0.1, "{}", degrees(joints));
    let (reference, _) = hash(&world, Algorithm::Ordered);
    assert_eq!(hash(&world, Algorithm::Checking).0, reference);
}

/// Two arms, one controller: it sees both and keeps the second where the first is, in and out of groups.
fn driven(contact: &str) -> World {
    let arm = |name: &str, x: f64, more: &str| {
        format!(
            "[[multibody]]\nname = \"{name}\"\nposition = [{x}, 0, 0]\n[[multibody.links]]\nname = \"rod\"\n\
             joint = \"hinge\"\naxis = [0, 0, 1]\nshape = {{ box = [0.1, 1, 0.1], position = [0, -0.5, 0] }}\n\
             mass = 1\nmaterial = \"m\"\nmotor = {{ force = 0 }}\n{more}\n"
        )
    };
    let text = format!(
        "name = \"driven\"\nuntil = 2\n{contact}[materials.m]\nrestitution = 0.5\nfriction = 0\n{}{}\
         [[body]]\nname = \"ball\"\nshape = {{ ball = 0.1 }}\nmass = 0.1\nposition = [-2, -0.9, 0]\n\
         velocity = [3, 2.5, 0]\nmaterial = \"m\"\n",
        arm("leader", 0.0, "start = 40"),
        arm(
            "follower",
            3.0,
            if contact.is_empty() {
                ""
            } else {
                "dry_friction = 0.1"
            }
        ),
    );
    let mut world = world(&text);
    let mut controller = Controller::new(
        0.0,
        2,
        Arc::new(|control: &mut Control<'_>| {
            control.slots[0] += 1.0;
            let follower = &mut control.others[0];
            let (q, v) = (follower.positions[0], follower.velocities[0]);
            let (wanted, rate) = (control.positions[0], control.velocities[0]);
            follower.controls[0] = 400.0 * (wanted - q) + 30.0 * (rate - v);
            assert_eq!(follower.torques(), [follower.controls[0]]);
            Some(0.01)
        }),
    );
    controller.others = vec![1];
    controller.collided = Some(Arc::new(|told: &mut Collided<'_>| {
        told.slots[1] += told.impulse;
    }));
    world.multibodies[0].controller = Some(controller);
    world
}

#[test]
fn a_controller_drives_another_multibody_as_well() {
    for contact in ["", "[contact]\n"] {
        let world = driven(contact);
        let (history, _) = joint_history(&world, Algorithm::Ordered);
        assert!(history.collisions > 0, "the ball hits the leader");
        let (reference, _) = hash(&world, Algorithm::Ordered);
        let mut undone = 0;
        for look_ahead in look_aheads() {
            let (found, segments) = hash(&world, Algorithm::TimeWarp(look_ahead));
            assert_eq!(found, reference, "{look_ahead:?}");
            undone += segments;
        }
        assert!(undone > 0, "nothing was undone");
        assert_eq!(hash(&world, Algorithm::Checking).0, reference);
        let mut sim = warpline_sim::Simulation::new(world, 1.0).expect("a sound world");
        sim.advance(Tick::from_seconds(1.9)).expect("it runs");
        let at = Tick::from_seconds(1.9);
        let [leader, _, slots] = sim.joints(0, at).expect("kept");
        let [follower, ..] = sim.joints(1, at).expect("kept");
        assert!(
            (leader[0] - follower[0]).abs() < 0.05,
            "{leader:?} {follower:?}"
        );
        // Called at 0, 0.01, ..., and told of the hit by an impulse.
        assert!((slots[0] - 190.0).abs() <= 1.0, "{} calls", slots[0]);
        assert!(slots[1] > 0.1, "{} N s", slots[1]);
    }
}

#[test]
fn a_controller_cannot_drive_what_is_not_there_or_itself() {
    for others in [vec![2], vec![0], vec![1, 1]] {
        let mut world = driven("");
        if let Some(controller) = &mut world.multibodies[0].controller {
            controller.others = others;
        }
        let refused = warpline_sim::Simulation::new(world, 1.0).err();
        let message = refused.expect("refused").to_string();
        assert!(message.contains("drives multibody"), "{message}");
    }
}

/// A chain of three links falls onto the ground, comes to rest, costs nothing from then on, and wakes when a ball hits it.
#[test]
fn a_multibody_rests_and_wakes() {
    let text = r#"
name = "rest"
until = 8
[contact]
[materials.m]
restitution = 0
friction = 0.8
[[body]]
name = "ground"
kind = "fixed"
shape = { half_space = [0, 1, 0] }
material = "m"
[[body]]
name = "ball"
shape = { ball = 0.1 }
mass = 1
position = [0.2, 120, 0]
material = "m"
[[multibody]]
name = "chain"
position = [0, 0.3, 0]
[[multibody.links]]
name = "a"
joint = "free"
shape = { box = [0.5, 0.1, 0.2] }
mass = 1
material = "m"
[[multibody.links]]
name = "b"
parent = "a"
joint = "hinge"
axis = [0, 0, 1]
position = [0.25, 0, 0]
joint_damping = 0.05
shape = { box = [0.46, 0.1, 0.2], position = [0.25, 0, 0] }
mass = 1
material = "m"
"#;
    let world = world(text);
    let (history, ends) = joint_history(&world, Algorithm::Ordered);
    // The ball falls 120 m in 4.9 s; before that all is at rest.
    let seconds: Vec<f64> = history
        .told
        .iter()
        .map(|(tick, ..)| tick.seconds())
        .collect();
    let widest = seconds.windows(2).map(|w| w[1] - w[0]).fold(0.0, f64::max);
    assert!(widest > 2.0, "it rests for {widest} s");
    assert!(seconds.iter().any(|s| *s > 4.94), "it wakes");
    let ball = named(&world, "ball");
    assert!(ends[ball].position.y < 0.5, "{:?}", ends[ball].position);
    let (reference, _) = hash(&world, Algorithm::Ordered);
    assert_eq!(hash(&world, Algorithm::Checking).0, reference);
    for look_ahead in look_aheads() {
        assert_eq!(
            hash(&world, Algorithm::TimeWarp(look_ahead)).0,
            reference,
            "{look_ahead:?}"
        );
    }
}
