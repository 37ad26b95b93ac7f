//! Every built-in scene does what its description says, and can be seen: a test of its motion, on few
//! bodies and for a short time, and a test of its picture.

use std::path::Path;
use std::process::Command;
use warpline::physics::{State, Vec3};
use warpline::sim::scene::{self, Override};
use warpline::sim::{Algorithm, History, Kind, LookAhead, World, run};

fn load(name: &str, sets: &[&str]) -> World {
    let builtin = scene::builtin(name).unwrap_or_else(|| panic!("no scene {name}"));
    let parse = |set: &&str| Override::parse(set).expect("KEY=VALUE");
    let sets: Vec<Override> = sets.iter().map(parse).collect();
    match scene::load(builtin.name, builtin.text, &sets) {
        Ok(scene) => scene.world,
        Err(error) => panic!("{name}: {error}"),
    }
}

/// The last vertices of each deformable.
#[derive(Default)]
struct Vertices(Vec<(u32, Vec<[f64; 3]>)>);

impl History for Vertices {
    fn segment(&mut self, _: &warpline::record::Segment<'_>) -> sim::Told {
        Ok(())
    }

    fn vertices(
        &mut self,
        deformable: u32,
        _: warpline::warp::Tick,
        positions: &[[f64; 3]],
    ) -> sim::Told {
        self.0.retain(|(other, _)| *other != deformable);
        self.0.push((deformable, positions.to_vec()));
        Ok(())
    }
}

fn end(name: &str, sets: &[&str]) -> (World, Vec<State>, Vertices) {
    let world = load(name, sets);
    let mut vertices = Vertices::default();
    let algorithm = Algorithm::TimeWarp(LookAhead::Adaptive);
    match run(&world, algorithm, &mut vertices) {
        Ok((_, states)) => (world, states, vertices),
        Err(error) => panic!("{name}: {error}"),
    }
}

/// Dynamic bodies by name, with their states.
fn moving<'a>(world: &'a World, states: &'a [State]) -> impl Iterator<Item = (&'a str, &'a State)> {
    let bodies = world.bodies.iter().zip(states);
    let dynamic = bodies.filter(|(body, _)| body.kind == Kind::Dynamic);
    dynamic.map(|(body, state)| (body.name.as_str(), state))
}

#[track_caller]
fn stays_within(world: &World, states: &[State], low: Vec3, high: Vec3) {
    for (name, state) in moving(world, states) {
        let p = state.position;
        let inside = p.cmpge(low).all() && p.cmple(high).all();
        assert!(inside, "{}: `{name}` is at {p}", world.name);
    }
}

fn named<'a>(world: &World, states: &'a [State], name: &str) -> &'a State {
    let found = world.bodies.iter().position(|b| b.name == name);
    &states[found.unwrap_or_else(|| panic!("no body {name}"))]
}

fn kinetic(world: &World, states: &[State]) -> f64 {
    let each = world
        .bodies
        .iter()
        .zip(states)
        .filter(|(b, _)| b.kind == Kind::Dynamic);
    each.map(|(body, s)| {
        let mass = world.models[body.model.place()].mass;
        let spin = s.rotation.inverse() * s.spin;
        0.5 * mass.mass * s.velocity.length_squared() + 0.5 * spin.dot(mass.inertia * spin)
    })
    .sum()
}

#[test]
fn gases_and_tumblers_keep_their_energy_and_their_box() {
    for (name, sets) in [
        ("atoms", &["bodies=30", "divider=still", "duration=1"][..]),
        ("gas", &["bodies=50", "duration=1"]),
        ("tumblers", &["each=2", "duration=1"]),
    ] {
        let (world, states, _) = end(name, sets);
        let starts: Vec<State> = world.bodies.iter().map(|b| b.start).collect();
        let (before, after) = (kinetic(&world, &starts), kinetic(&world, &states));
        // Elastic, without gravity: some hundred bounces, each exact to rounding; tumbling to 1e-10.
        assert!(
            (after / before - 1.0).abs() < 1e-9,
            "{name}: {before} to {after} J"
        );
        let planes = world.bodies.iter().filter(|b| b.kind == Kind::Fixed);
        for plane in planes {
            let collider = &world.models[plane.model.place()].collider;
            let Some(warpline::physics::Shape::HalfSpace { normal }) =
                collider.described.first().map(|part| part.shape.clone())
            else {
                continue;
            };
            for (body, state) in moving(&world, &states) {
                let above = (state.position - plane.start.position).dot(normal);
                assert!(above > 0.0, "{name}: `{body}` is outside `{}`", plane.name);
            }
        }
    }
}

#[test]
fn the_last_ball_of_the_cradle_flies_off_and_the_others_hang_still() {
    // Pendulums of one metre: a quarter swing takes π/2 / sqrt(9.81) s. After two of them the last ball
    // is as far out as the first one was, less the gaps of 0.2 mm, over which it comes to the others late.
    let half = std::f64::consts::PI / 9.81f64.sqrt();
    let duration = format!("duration={half}");
    let (world, states, _) = end("newtons-cradle", &[&duration]);
    let offset = |number: usize| {
        let place = 0.2002 * (number - 1) as f64;
        let state = named(&world, &states, &format!("ball {number}"));
        state.position - Vec3::new(place, 0.0, 0.0)
    };
    assert!((offset(5).x - 0.3).abs() < 2e-3, "{}", offset(5));
    for number in 1..=4 {
        assert!(
            offset(number).length() < 2e-3,
            "ball {number}: {}",
            offset(number)
        );
    }
    let (_, states, _) = end("newtons-cradle", &[]);
    assert!(
        states
            .iter()
            .all(|s| s.position.y == 0.0 && s.position.z == 0.0)
    );
}

#[test]
fn the_last_ball_of_the_cradle_on_rods_flies_off() {
    // A rod of sqrt(1 + 0.4²) m between a bar and the ball's middle: it swings about the line through both anchors, one metre
    // below it, so it is a pendulum of one metre let go at 30 degrees. Its period is 2 π sqrt(1 / 9.81) times
    // 1 + (30°)²/16 + 11 (30°)⁴/3072; the ball's own turning does not count, the rods hold its middle alone.
    let swing = 30f64.to_radians();
    let period = std::f64::consts::TAU / 9.81f64.sqrt()
        * (1.0 + swing.powi(2) / 16.0 + 11.0 * swing.powi(4) / 3072.0);
    let duration = format!("duration={}", 0.5 * period);
    let (world, states, _) = end("cradle", &[&duration]);
    let aside = |number: usize| {
        let place = 0.2025 * (number - 1) as f64;
        named(&world, &states, &format!("ball {number}")).position - Vec3::new(place, 0.0, 0.0)
    };
    // The gaps of 2.5 mm let the hit arrive some milliseconds early, and take their share of energy with the group's steps.
    assert!((aside(5).x - 0.5).abs() < 0.01, "{}", aside(5));
    for number in 1..=4 {
        assert!(
            aside(number).length() < 0.01,
            "ball {number}: {}",
            aside(number)
        );
    }
}

#[test]
fn most_balls_of_the_galton_board_end_in_the_middle() {
    let (world, states, _) = end("galton", &[]);
    let mut bins = [0; 11];
    for (name, state) in moving(&world, &states) {
        let p = state.position;
        assert!(p.y < 0.0 && p.y > -0.4, "`{name}` is at {p}, not in a bin");
        assert!(
            p.z.abs() < 0.001,
            "`{name}` is at {p}, not behind the glass"
        );
        let bin = ((p.x + 0.33) / 0.06).floor();
        assert!(
            (0.0..11.0).contains(&bin),
            "`{name}` is at {p}, beside the bins"
        );
        bins[bin as usize] += 1;
    }
    let middle: u32 = bins[3..8].iter().sum();
    let outer: u32 = bins.iter().sum::<u32>() - middle;
    // Five bins of eleven: an even spread would put 27 of 60 there.
    assert!(middle > 2 * outer, "{bins:?}");
    assert!(
        bins.iter().filter(|count| **count > 0).count() >= 5,
        "{bins:?}"
    );
}

#[test]
fn marbles_roll_through_the_channel_into_the_tray() {
    let (world, states, _) = end("marble-run", &["marbles=3"]);
    for (name, state) in moving(&world, &states) {
        let p = state.position;
        let in_tray = (0.25..0.75).contains(&p.x) && (0.27..0.77).contains(&p.z) && p.y < 0.1;
        assert!(in_tray, "`{name}` is at {p}, not in the tray");
    }
    // Halfway they are in the channel: within its section of the helix, below where they began.
    let (world, states, _) = end("marble-run", &["marbles=3", "duration=1.5"]);
    for (name, state) in moving(&world, &states) {
        let p = state.position;
        let radius = p.x.hypot(p.z);
        assert!(
            (0.43..0.57).contains(&radius),
            "`{name}` is at {p}, beside the channel"
        );
        assert!(p.y < 0.7 && p.y > 0.1, "`{name}` is at {p}");
    }
}

#[test]
fn the_break_scatters_the_balls_and_they_stay_on_the_table() {
    let (world, states, _) = end("pool-break", &[]);
    let reach = Vec3::new(1.27 - 0.0286, 1e-9, 0.635 - 0.0286) + Vec3::splat(1e-6);
    stays_within(&world, &states, -reach, reach);
    let travelled =
        moving(&world, &states).zip(world.bodies.iter().filter(|b| b.kind == Kind::Dynamic));
    let scattered = travelled.filter(|((_, s), b)| s.position.distance(b.start.position) > 0.1);
    // One or two may come to rest near where they began, the cue ball after a tour of the table among them.
    assert!(scattered.count() >= 12, "most balls have gone elsewhere");
    // The cloth brakes: after 8 s at 0.4 /s a speed of 8 m/s is below e^-3.2 of it.
    assert!(states.iter().all(|s| s.velocity.length() < 8.0 * 0.041));
}

#[test]
fn billiard_balls_stay_on_their_table_and_rocks_in_orbit() {
    let (world, states, _) = end("billiard", &["duration=2"]);
    let far = states
        .iter()
        .map(|s| s.position.length())
        .fold(0.0, f64::max);
    assert!(far < 3.0, "a ball is {far} m from the middle");
    assert!(kinetic(&world, &states) > 0.0);
    let (world, states, _) = end("orbits", &["rocks=8", "duration=4"]);
    for (name, state) in moving(&world, &states) {
        let radius = state.position.length();
        assert!(
            (0.6..8.0).contains(&radius),
            "`{name}` is {radius} m from the planet's middle"
        );
    }
}

#[test]
fn what_bounces_stays_above_the_ground() {
    let (world, states, _) = end("bouncing", &["balls=6", "boxes=3", "duration=3"]);
    let wide = 30.0;
    stays_within(
        &world,
        &states,
        Vec3::new(-wide, 0.0, -wide),
        Vec3::splat(wide),
    );
}

#[test]
fn the_pile_fills_its_pit_and_the_tower_stands() {
    let (world, states, _) = end("pile", &["each=3", "duration=3"]);
    stays_within(
        &world,
        &states,
        Vec3::new(-0.8, 0.0, -0.8),
        Vec3::new(0.8, 2.0, 0.8),
    );
    let (world, states, _) = end("stack", &["height=6", "duration=2"]);
    for (body, state) in world.bodies.iter().zip(&states) {
        let moved = state.position.distance(body.start.position);
        // Ten gaps of a millimetre close at most; nothing topples.
        assert!(moved < 0.02, "`{}` has moved by {moved} m", body.name);
    }
}

/// What fell from a room of 2.4 m lies on the ground within the reach of its fall, and no higher than a heap.
#[test]
fn the_heap_lies_on_its_ground() {
    let (world, states, _) = end("heap", &["bodies=100", "duration=2"]);
    let (low, high) = (Vec3::new(-6.0, 0.0, -6.0), Vec3::new(6.0, 1.2, 6.0));
    stays_within(&world, &states, low, high);
}

#[test]
fn all_dominoes_fall() {
    let (world, states, _) = end("dominoes", &["count=8", "duration=3"]);
    for (name, state) in moving(&world, &states).filter(|(name, _)| name.starts_with("domino")) {
        let upright = (state.rotation * Vec3::Y).y;
        assert!(upright.abs() < 0.9, "`{name}` still stands: {upright}");
        assert!(
            state.position.y > 0.0,
            "`{name}` has fallen through the ground"
        );
    }
}

#[test]
fn the_wrecking_ball_breaks_the_wall_and_the_bridge_holds() {
    let (world, states, _) = end("chain", &["columns=3", "duration=3"]);
    let gone = world.bodies.iter().zip(&states).filter(|(body, state)| {
        body.name.starts_with("brick") && state.position.distance(body.start.position) > 0.3
    });
    assert!(gone.count() > 0, "no brick was knocked away");
    let (world, states, _) = end("bridge", &["planks=6", "duration=2"]);
    for (body, state) in world.bodies.iter().zip(&states) {
        if body.name.starts_with("plank") {
            let sagged = body.start.position.y - state.position.y;
            assert!(
                (-0.5..1.5).contains(&sagged),
                "`{}` sags by {sagged} m",
                body.name
            );
        }
    }
}

#[test]
fn sand_and_rocks_stay_in_their_scenes() {
    let (world, states, _) = end("hourglass", &["grains=20", "duration=1.5"]);
    let lowest = |states: &[State]| {
        let heights = moving(&world, states).map(|(_, s)| s.position.y);
        heights.fold(f64::INFINITY, f64::min)
    };
    let starts: Vec<State> = world.bodies.iter().map(|b| b.start).collect();
    assert!(lowest(&states) < lowest(&starts) - 0.05, "the sand runs");
    let far = states
        .iter()
        .map(|s| s.position.length())
        .fold(0.0, f64::max);
    assert!(far < 10.0, "a grain is {far} m away");
    let (world, states, _) = end("avalanche", &["rocks=10", "duration=2"]);
    let fell = moving(&world, &states)
        .zip(world.bodies.iter().filter(|b| b.kind == Kind::Dynamic))
        .filter(|((_, s), b)| s.position.y < b.start.position.y - 0.1);
    assert!(fell.count() > 5, "rocks come down");
    assert!(states.iter().all(|s| s.position.is_finite()));
}

#[test]
fn cloth_hangs_from_its_pins_and_catches_what_falls() {
    for (name, sets) in [
        ("cloth-swing", &["side=8", "duration=0.5"][..]),
        ("cloth-sphere", &["side=8", "duration=0.5"]),
        ("cloth-catch", &["side=8", "duration=1"]),
        ("cloth-hammock", &["side=9", "each=1", "duration=1"]),
    ] {
        let (world, states, vertices) = end(name, sets);
        let [(_, last)] = &vertices.0[..] else {
            panic!("{name} has one cloth");
        };
        let mut start = Vec::new();
        world.deformables[0].model.start().positions(&mut start);
        let moved = |i: usize| Vec3::from_array(last[i]).distance(Vec3::from_array(start[i]));
        let far = (0..last.len()).map(moved).fold(0.0, f64::max);
        assert!(
            (0.02..4.0).contains(&far),
            "{name}: vertices move by up to {far} m"
        );
        let still = (0..last.len()).filter(|i| moved(*i) < 1e-9).count();
        assert!(
            still > 0 && still < last.len(),
            "{name}: {still} vertices are pinned"
        );
        for (body, state) in moving(&world, &states) {
            assert!(
                state.position.y > -1.0,
                "{name}: `{body}` falls through the cloth"
            );
        }
    }
}

#[test]
fn shells_begin_to_move_and_stay_whole() {
    for (name, sets) in [
        ("reef-knot", &["duration=0.01"][..]),
        ("bowline-knot", &["duration=0.01"]),
        ("trash-compactor", &["size=5", "duration=0.01"]),
        ("two-cloths", &["size=6", "duration=0.01"]),
        ("twister", &["size=4", "duration=0.01"]),
    ] {
        let (world, _, vertices) = end(name, sets);
        assert_eq!(vertices.0.len(), world.deformables.len(), "{name}");
        let far = vertices
            .0
            .iter()
            .flat_map(|(_, all)| all)
            .map(|p| Vec3::from_array(*p).length());
        let far = far.fold(0.0, f64::max);
        assert!(
            far.is_finite() && far < 100.0,
            "{name}: a vertex is {far} m away"
        );
    }
}

/// How long a scene is run for its picture, and what makes it small.
fn small(name: &str) -> &'static [&'static str] {
    match name {
        "avalanche" => &["--until=0.05", "--set=rocks=120"],
        "hourglass" => &["--until=0.05", "--set=grains=60"],
        "atoms" => &["--until=0.05", "--set=bodies=60"],
        "cloth-hammock" => &["--until=0.02"],
        "reef-knot" | "bowline-knot" | "trash-compactor" | "two-cloths" | "twister" => {
            &["--until=0.002"]
        }
        _ => &["--until=0.05"],
    }
}

fn warpline(arguments: &[&str]) {
    let ran = Command::new(env!("CARGO_BIN_EXE_warpline"))
        .args(arguments)
        .output()
        .expect("the command starts");
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{arguments:?}: {errors}");
}

/// Width, height and pixels of a picture.
fn pixels(path: &Path) -> (usize, usize, Vec<[u8; 3]>) {
    let file = std::io::BufReader::new(std::fs::File::open(path).expect("a picture"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut bytes).expect("a frame");
    assert_eq!(info.color_type, png::ColorType::Rgb);
    (
        info.width as usize,
        info.height as usize,
        bytes.as_chunks().0.to_vec(),
    )
}

#[test]
fn every_scene_shows_its_bodies_in_frame_and_lit() {
    let folder = tempfile::tempdir().expect("a folder");
    for builtin in scene::BUILTIN {
        let name = builtin.name;
        let recording = folder.path().join(format!("{name}.wline"));
        let picture = folder.path().join(format!("{name}.png"));
        let (file, out) = (
            recording.to_str().expect("a path"),
            picture.to_str().expect("a path"),
        );
        let run = [
            &["run", name, "--no-energy", "--record", file][..],
            small(name),
        ]
        .concat();
        warpline(&run);
        warpline(&["render", file, "-o", out, "--size", "160", "90"]);
        let (width, height, pixels) = pixels(&picture);
        // Ground and sky are nearly grey; bodies are coloured, and lighter and darker as the light falls.
        let is_coloured = |p: &[u8; 3]| {
            let (low, high) = (p.iter().min().copied(), p.iter().max().copied());
            high.zip(low)
                .is_some_and(|(high, low)| high - low > 30 || high - low > high / 4)
        };
        let coloured: Vec<usize> = (0..pixels.len())
            .filter(|i| is_coloured(&pixels[*i]))
            .collect();
        let share = coloured.len() as f64 / pixels.len() as f64;
        assert!(share > 0.004, "{name}: {share} of the picture is coloured");
        let middle = coloured.iter().filter(|&&i| {
            let (x, y) = (i % width, i / width);
            (width / 8..width - width / 8).contains(&x)
                && (height / 8..height - height / 8).contains(&y)
        });
        let inside = middle.count() as f64 / coloured.len() as f64;
        assert!(
            inside > 0.5,
            "{name}: {inside} of it is away from the edges"
        );
        let bright = |i: &usize| pixels[*i].iter().map(|c| u32::from(*c)).sum::<u32>() / 3;
        let lights = coloured.iter().map(bright);
        let (dark, light) = lights.fold((255, 0), |(a, b), l| (a.min(l), b.max(l)));
        assert!(
            light > 60,
            "{name}: the brightest spot of a body is {light}"
        );
        // A sheet that lies flat is lit evenly; round and angular bodies are not.
        let is_flat = !load(name, &[]).deformables.is_empty();
        assert!(
            is_flat || light - dark > 15,
            "{name}: bodies are flat, {dark} to {light}"
        );
    }
}
