//! Controllers that scenes write: programs of assignments, and the one that picks boxes up. What they do, that nobody can
//! tell whether anything was undone meanwhile, and what is refused.

use record::{HistoryHash, Segment};
use std::fmt::Write;
use warp::Tick;
use warpline_sim::scene::{builtin, load};
use warpline_sim::{Algorithm, Discard, History, LookAhead, Simulation, Told, World, run};

/// A pendulum with a motor, a ball that flies into it, and a controller.
fn held(run: &str) -> String {
    format!(
        r#"
name = "held"
until = 2
[parameters]
stiffness = 60
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
shape = {{ box = [0.1, 1, 0.1], position = [0, -0.5, 0] }}
mass = 1
material = "m"
motor = {{ force = 0 }}
[[body]]
name = "ball"
shape = {{ ball = 0.1 }}
mass = 0.1
position = [3, 3.1, 0]
velocity = [-3, 2, 0]
material = "m"
[[controller]]
multibody = "arm"
slots = {{ calls = 0, farthest = 0 }}
run = [
{run}
]
"#
    )
}

const UPRIGHT: &str = r#"
    "away = pi - position('rod')",
    "signal('rod') = $stiffness * away - 8 * velocity('rod')",
    "calls = calls + 1",
    "farthest = max(farthest, abs(away))",
"#;

fn world(text: &str) -> World {
    load("test.toml", text, &[])
        .expect("the scene is sound")
        .world
}

fn hash(world: &World, algorithm: Algorithm) -> (String, u64) {
    let mut history = HistoryHash::new();
    let (stats, _) = run(world, algorithm, &mut history).expect("the run ends");
    (history.finish(), stats.segments_undone)
}

#[test]
fn a_program_holds_an_arm_upright_whatever_is_undone() {
    let world = world(&held(UPRIGHT));
    let mut sim = Simulation::new(world.clone(), 2.0).expect("a simulation");
    sim.advance(Tick::from_seconds(1.995)).expect("it runs");
    let [joints, controls, slots] = sim
        .joints(0, Tick::from_seconds(1.9905))
        .expect("within history");
    assert!(
        (joints[0] - std::f64::consts::PI).abs() < 0.05,
        "{joints:?}"
    );
    // Calls at 0, 0.01, ..., 1.99 s.
    assert_eq!(slots[0], 200.0, "{slots:?}");
    // It began ten degrees away, and the ball has pushed it.
    assert!(slots[1] >= 10f64.to_radians() - 1e-9, "{slots:?}");
    assert!(controls[0].abs() < 60.0 * 0.2, "{controls:?}");
    let (reference, _) = hash(&world, Algorithm::Ordered);
    for look_ahead in [
        LookAhead::OneEvent,
        LookAhead::Adaptive,
        LookAhead::Seconds(1e-3),
        LookAhead::Seconds(1.0),
    ] {
        assert_eq!(
            hash(&world, Algorithm::TimeWarp(look_ahead)).0,
            reference,
            "{look_ahead:?}"
        );
    }
    assert_eq!(hash(&world, Algorithm::Checking).0, reference);
}

/// What a program sees of links is what kinematics says.
#[test]
fn a_program_sees_links() {
    let text = held(
        r#"
    "signal('rod') = 0",
    "calls = place('rod', 'y') + axis('rod', 'y', 'x')",
    "farthest = spin('rod', 'z') - velocity('rod') + speed('rod', 'x')",
"#,
    );
    let world = world(&text);
    let mut sim = Simulation::new(world.clone(), 2.0).expect("a simulation");
    sim.advance(Tick::from_seconds(0.5)).expect("it runs");
    let at = Tick::from_seconds(0.3005);
    let [_, _, slots] = sim.joints(0, at).expect("within history");
    let [then, _, _] = sim
        .joints(0, Tick::from_seconds(0.3))
        .expect("within history");
    // The rod's y axis, turned by the hinge about z.
    assert!(
        (slots[0] + libm::sin(then[0])).abs() < 1e-9,
        "{slots:?} {then:?}"
    );
    assert!(slots[1].abs() < 1e-9, "{slots:?}");
}

/// Two arms, of which one is driven by the other's controller to where the first one is, and a ball that it looks at.
const FOLLOWED: &str = r#"
[[multibody]]
name = "follower"
position = [0, 0, 5]
[[multibody.links]]
name = "rod"
joint = "hinge"
axis = [0, 0, 1]
shape = { box = [0.1, 1, 0.1], position = [0, -0.5, 0] }
mass = 1
motor = { force = 0 }
[[body]]
name = "moon"
shape = { box = [0.1, 0.2, 0.3] }
density = 1

position = [9, 1, 2]
velocity = [0, 0, 0.5]
"#;

#[test]
fn a_program_drives_several_multibodies_and_looks_at_bodies() {
    let text = held(
        r#"
    "signal('rod') = $stiffness * (pi - position('rod')) - 8 * velocity('rod')",
    "signal('follower.rod') = 200 * (1 - position('follower.rod')) - 20 * velocity('follower.rod')",
    "calls = place('moon', 'z') + 10 * axis('moon', 'z', 'z') + 100 * speed('moon', 'z')",
    "farthest = place('follower.rod', 'z') + spin('follower.rod', 'z') - velocity('follower.rod')",
"#,
    )
    .replace("[[controller]]", &format!("{FOLLOWED}\n[[controller]]"))
    .replace(
        "multibody = \"arm\"",
        "multibody = \"arm\"\ndrives = [\"follower\"]\nsees = [\"moon\"]",
    )
    .replace("gravity = false\n", "");
    let text = format!("gravity = [0, 0, 0]\n{text}");
    let world = world(&text);
    let mut sim = Simulation::new(world.clone(), 2.0).expect("a simulation");
    sim.advance(Tick::from_seconds(1.9)).expect("it runs");
    let [joints, ..] = sim.joints(1, Tick::from_seconds(1.9)).expect("now");
    assert!((joints[0] - 1.0).abs() < 1e-3, "{joints:?}");
    let [_, _, slots] = sim.joints(0, Tick::from_seconds(1.505)).expect("kept");
    // At 1.5 s the moon is at 2.75 m and its axes are the world's.
    assert!((slots[0] - (2.75 + 10.0 + 50.0)).abs() < 1e-9, "{slots:?}");
    assert!((slots[1] - 5.0).abs() < 1e-9, "{slots:?}");
    let (reference, _) = hash(&world, Algorithm::Ordered);
    for algorithm in [
        Algorithm::TimeWarp(LookAhead::Adaptive),
        Algorithm::TimeWarp(LookAhead::Seconds(1.0)),
        Algorithm::Checking,
    ] {
        assert_eq!(hash(&world, algorithm).0, reference, "{algorithm:?}");
    }
}

#[test]
fn what_a_program_cannot_drive_or_see_is_refused_with_a_reason() {
    for (keys, reason) in [
        ("drives = [\"arm\"]", "drives anyway"),
        ("drives = [\"folower\"]", "no multibody or robot `folower`"),
        ("drives = [\"follower\", \"follower\"]", "named twice"),
        (
            "sees = [\"follower.rod\"]",
            "name the multibody in `drives`",
        ),
        ("sees = [\"mon\"]", "no body `mon`"),
        ("sees = [\"moon\", \"moon\"]", "named twice"),
        (
            "run = [\"x = position('follower.rod')\"]",
            "no joint `follower.rod`",
        ),
    ] {
        let text = held(UPRIGHT)
            .replace("[[controller]]", &format!("{FOLLOWED}\n[[controller]]"))
            .replace("gravity = false\n", "");
        let text = match keys.strip_prefix("run = ") {
            Some(_) => text[..text.find("run = [").expect("lines")].to_string() + keys,
            None => text.replace(
                "multibody = \"arm\"",
                &format!("multibody = \"arm\"\n{keys}"),
            ),
        };
        let error = load("test.toml", &text, &[]).err().expect("refused");
        assert!(error.message.contains(reason), "{keys}: {}", error.message);
    }
}

#[test]
fn what_makes_no_sense_is_refused_with_a_reason() {
    for (line, reason) in [
        ("'position(\"rod\")'", "sets nothing"),
        ("'signal(\"rob\") = 1'", "no motor `rob`"),
        ("'x = position(\"rob\")'", "no joint `rob`"),
        ("'x = place(\"rod\", \"w\")'", "not an axis"),
        ("'x = place(\"rod\")'", "takes 2 arguments"),
        ("'x = y'", "nothing is called `y`"),
        ("'x = sine(2)'", "did you mean `sin`"),
        ("'x = clamp(2, 1)'", "takes 3 arguments"),
        ("'x = table(2, 1)'", "takes 3, 5, 7"),
        ("'time = 2'", "cannot be set"),
        ("'position(\"rod\") = 2'", "cannot be set"),
        ("'x == 2'", "sets nothing"),
        ("'x = $stifness'", "did you mean `stiffness`"),
        ("'x = \"rod\"'", "found the text"),
        ("3", "must be a text"),
    ] {
        let error = load("test.toml", &held(line), &[]).err().expect("refused");
        assert!(error.message.contains(reason), "{line}: {}", error.message);
    }
    let nobody = held(UPRIGHT).replace("multibody = \"arm\"", "multibody = \"leg\"");
    let error = load("test.toml", &nobody, &[]).err().expect("refused");
    assert!(
        error.message.contains("no multibody or robot"),
        "{}",
        error.message
    );
    let twice = held(UPRIGHT) + "[[controller]]\nmultibody = \"arm\"\nrun = []\n";
    let error = load("test.toml", &twice, &[]).err().expect("refused");
    assert!(error.message.contains("already"), "{}", error.message);
    let mut deep = String::new();
    for _ in 0..100_000 {
        deep.push('(');
    }
    let error = load("test.toml", &held(&format!("'x = {deep}'")), &[]);
    assert!(error.err().expect("refused").message.contains("deeply"));
    let mut long = String::from("0");
    for k in 0..100_000 {
        write!(long, " + {k}").expect("a text");
    }
    let error = load("test.toml", &held(&format!("'x = {long}'")), &[]);
    assert!(error.err().expect("refused").message.contains("terms"));
}

/// A signal that would not be a number stays as it was.
#[test]
fn a_division_by_zero_moves_no_motor() {
    let text = held("\"signal('rod') = 1 / (time - time) + log(-1)\"");
    let (stats, ends) = run(&world(&text), Algorithm::Ordered, &mut Discard).expect("the run ends");
    assert!(stats.callbacks > 100, "{}", stats.callbacks);
    assert!(ends.iter().all(|state| state.position.is_finite()));
}

/// A built-in scene with some of its text replaced.
fn scene(name: &str, changes: &[(&str, &str)]) -> World {
    let mut text = builtin(name).expect("a scene").text.to_string();
    for (from, to) in changes {
        assert!(text.contains(from), "{name} has no `{from}`");
        text = text.replace(from, to);
    }
    world(&text)
}

/// Where a body is at the start of each of its segments.
struct Way {
    body: u32,
    places: Vec<[f64; 3]>,
    hits: usize,
}

impl History for Way {
    fn segment(&mut self, segment: &Segment<'_>) -> Told {
        if segment.body == self.body {
            self.places.push(segment.position);
        }
        self.hits += usize::from(segment.impulse > 0.0);
        Ok(())
    }
}

fn way_of(world: &World, body: &str) -> Way {
    let found = world.bodies.iter().position(|b| b.name == body);
    let mut way = Way {
        body: found.expect("a body of this name") as u32,
        places: Vec::new(),
        hits: 0,
    };
    run(world, Algorithm::TimeWarp(LookAhead::Adaptive), &mut way).expect("the run ends");
    way
}

fn same_under_all(world: &World) {
    let (reference, _) = hash(world, Algorithm::Ordered);
    for algorithm in [
        Algorithm::TimeWarp(LookAhead::Adaptive),
        Algorithm::TimeWarp(LookAhead::Seconds(0.05)),
        Algorithm::Checking,
    ] {
        assert_eq!(hash(world, algorithm).0, reference, "{algorithm:?}");
    }
}

#[test]
fn cars_and_robots_are_as_large_as_the_papers() {
    for (name, moving, total) in [("cars", 428, 524), ("robots", 240, 430)] {
        let world = scene(name, &[]);
        let dynamic = world
            .bodies
            .iter()
            .filter(|b| b.kind == warpline_sim::Kind::Dynamic);
        assert_eq!(
            (dynamic.count(), world.bodies.len()),
            (moving, total),
            "{name}"
        );
    }
}

/// One car alone stays on its circle, and the bumps lift it.
#[test]
fn a_car_drives_its_circle_over_the_bumps() {
    let mut world = scene(
        "cars",
        &[
            (
                "for = [\"i = 1 to 20\", \"j = 1 to 20\"]",
                "for = \"i = 1 to 0\"",
            ),
            ("\"0.5 * $j - 5.25\"", "0"),
            ("for = \"i = 1 to 4\"", "for = \"i = 1 to 1\""),
        ],
    );
    world.until = Tick::from_seconds(5.0);
    let way = way_of(&world, "car 1.chassis");
    let angle = |p: &[f64; 3]| libm::atan2(p[2], p[0]);
    let gone = angle(way.places.last().expect("segments")) - angle(&way.places[0]);
    let gone = gone.rem_euclid(2.0 * std::f64::consts::PI);
    // Three metres a second but for the first two seconds: twelve metres on a circle of 9.75.
    assert!((gone - 12.0 / 9.75).abs() < 0.15, "it went {gone} rad");
    for place in &way.places {
        let radius = libm::hypot(place[0], place[2]);
        assert!((radius - 9.75).abs() < 0.3, "{place:?}");
    }
    // The chassis' centre of mass stands at 0.3236 m. A bump is four centimetres high and lifts one axle at a time, two
    // centimetres in the middle, and throws the car up a little.
    let later = &way.places[way.places.len() / 2..];
    let highest = later.iter().map(|p| p[1]).fold(0.0, f64::max);
    let lowest = later.iter().map(|p| p[1]).fold(1.0, f64::min);
    assert!((0.34..0.39).contains(&highest), "up to {highest} m");
    assert!((0.321..0.326).contains(&lowest), "down to {lowest} m");
}

/// A car that begins in front of the array drives into it: pendulums swing, and the history is the same under every
/// executor.
#[test]
fn a_car_pushes_pendulums_aside() {
    let mut world = scene(
        "cars",
        &[
            (
                "for = [\"i = 1 to 20\", \"j = 1 to 20\"]",
                "for = [\"i = 4 to 8\", \"j = 1 to 4\"]",
            ),
            ("for = \"i = 1 to 4\"", "for = \"i = 1 to 1\""),
            ("(60 + 45 * $i)", "(-82 + 45 * $i)"),
            ("\"-150 - 45 * $i\"", "\"-8 - 45 * $i\""),
        ],
    );
    world.until = Tick::from_seconds(2.5);
    let way = way_of(&world, "car 1.chassis");
    assert!(way.hits > 3, "{} hits", way.hits);
    let (_, ends) = run(&world, Algorithm::Ordered, &mut Discard).expect("the run ends");
    let aside = world.bodies.iter().zip(&ends).filter(|(body, end)| {
        body.name.starts_with("pendulum") && end.position.distance(body.start.position) > 0.05
    });
    assert!(aside.count() >= 3, "pendulums hang as they did");
    same_under_all(&world);
}

/// One arm picks a box up, which then flies higher than any arm reaches without letting go, and comes to rest in the bowl;
/// and again. The history is the same under every executor.
#[test]
fn an_arm_throws_boxes_again_and_again() {
    let mut world = scene(
        "robots",
        &[("i = 1 to 5", "i = 1 to 1"), ("j = 1 to 4", "j = 1 to 1")],
    );
    world.until = Tick::from_seconds(9.0);
    let arm = &world.multibodies[0];
    let base = arm.model.link(0).placement.translation;
    let (mut flights, mut highest) = (0, 0.0f64);
    let (mut was_up, mut flew) = ([false; 4], [false; 4]);
    let boxes: Vec<_> = (1..=4)
        .map(|k| format!("box 1-1-{k}"))
        .map(|name| world.bodies.iter().position(|b| b.name == name))
        .map(|found| warpline_sim::BodyId(found.expect("a box") as u32))
        .collect();
    let mut sim = Simulation::new(world.clone(), 0.5).expect("a simulation");
    for frame in 1..=890 {
        let at = Tick::from_seconds(f64::from(frame) * 0.01);
        sim.advance(at).expect("it runs");
        for (k, body) in boxes.iter().enumerate() {
            let state = sim.state(*body, at).expect("now");
            highest = highest.max(state.position.y);
            let is_up = state.position.y > 1.0;
            flights += usize::from(is_up && !was_up[k]);
            flew[k] |= is_up;
            was_up[k] = is_up;
        }
    }
    assert!(flights >= 2, "{flights} flights");
    assert!(flew.iter().filter(|f| **f).count() >= 1);
    // Let go at about 1.1 m with 2.3 m/s upwards.
    assert!((1.15..1.6).contains(&highest), "up to {highest} m");
    for body in &boxes {
        let state = sim.state(*body, Tick::from_seconds(8.9)).expect("now");
        let away = libm::hypot(state.position.x - base.x, state.position.z - base.z);
        assert!(away < 1.1, "a box left the bowl: {:?}", state.position);
    }
    world.until = Tick::from_seconds(3.5);
    same_under_all(&world);
}
