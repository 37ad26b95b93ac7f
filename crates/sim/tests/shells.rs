//! Shells in the engine: one history from all executors (law 1) and every window length, the library's
//! own run, no intersection in any frame, meshes of the user's own, and mistakes shown where they are.

use physics::Vec3;
use shell::acm::{Acm, AcmOptions, SceneName, intersections};
use warp::Tick;
use warpline_sim::scene::{Override, Scene, builtin, load};
use warpline_sim::{Algorithm, History, LookAhead, Simulation, World, run};

fn scene(name: &str, set: &[&str]) -> Scene {
    let builtin = builtin(name).unwrap();
    let set: Vec<Override> = set.iter().map(|s| Override::parse(s).unwrap()).collect();
    load(builtin.name, builtin.text, &set).unwrap()
}

pub fn hash(world: &World, algorithm: Algorithm) -> String {
    let mut hash = record::HistoryHash::new();
    run(world, algorithm, &mut hash).unwrap();
    hash.finish()
}

/// Keeps the frames of the first deformable.
#[derive(Default)]
struct Frames(Vec<(Tick, Vec<[f64; 3]>)>);

impl History for Frames {
    fn segment(&mut self, _: &record::Segment<'_>) -> warpline_sim::Told {
        Ok(())
    }

    fn vertices(&mut self, _: u32, tick: Tick, positions: &[[f64; 3]]) -> warpline_sim::Told {
        self.0.push((tick, positions.to_vec()));
        Ok(())
    }
}

#[test]
fn every_scene_has_one_history_for_all_executors_and_windows() {
    for name in SceneName::ALL {
        let duration = "duration=0.02";
        let world = scene(name.as_str(), &[duration]).world;
        let reference = hash(&world, Algorithm::Ordered);
        for ahead in [LookAhead::OneEvent, LookAhead::Seconds(0.01)] {
            let found = hash(&world, Algorithm::TimeWarp(ahead));
            assert_eq!(found, reference, "{ahead:?} in {}", name.as_str());
        }
        // the scenes have their windows' length found; a fixed one leaves no other trace
        for window in ["window=0.0004", "window=0.002", "window=0.004"] {
            let fixed = scene(name.as_str(), &[duration, window]).world;
            assert_eq!(hash(&fixed, Algorithm::Ordered), reference, "{window}");
        }
    }
}

/// Committed frames are those of the library, and nothing intersects in any of them.
#[test]
fn the_engine_runs_shells_as_the_library_does() {
    let mut frames = Frames::default();
    let world = scene("two-cloths", &["size=6", "duration=0.1"]).world;
    run(
        &world,
        Algorithm::TimeWarp(LookAhead::Adaptive),
        &mut frames,
    )
    .unwrap();
    assert_eq!(frames.0.len(), 26);
    let built = SceneName::TwoCloths.build(6).unwrap();
    let (model, mut state) = (built.model, built.state);
    let mut acm = Acm::new(&model, &state, AcmOptions::default());
    for (tick, positions) in &frames.0 {
        acm.run_until(&model, &mut state, tick.0).unwrap();
        let expected = state.positions();
        assert_eq!(intersections(&model, &expected), []);
        for (x, &place) in expected.iter().zip(model.input_of()) {
            assert_eq!(x.to_array(), positions[place as usize]);
        }
    }
    assert!(
        !state.contacts().entries().is_empty(),
        "the cloths must touch"
    );
}

#[test]
fn a_saved_world_with_shells_goes_on_as_if_it_had_not_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.warp");
    for (name, size, from) in [("two-cloths", "size=6", 6), ("twister", "size=4", 0)] {
        let world = || scene(name, &[size, "duration=0.3"]).world;
        let mut histories = Vec::new();
        for stop in [None, Some(0), Some(from + 1), Some(from + 4), Some(9)] {
            let mut simulation = Simulation::new(world(), 0.1).unwrap();
            let mut found = record::HistoryHash::new();
            for frame in 0..=12_u32 {
                let now = Tick::from_seconds(f64::from(frame) / 60.0);
                simulation.advance_into(now, &mut found).unwrap();
                if stop == Some(frame) {
                    simulation.save(&path).unwrap();
                    simulation = Simulation::load(&path, world()).unwrap();
                    assert_eq!(simulation.now(), now);
                }
            }
            histories.push((found.finish(), simulation.hash_at(simulation.now())));
        }
        for history in &histories[1..] {
            assert_eq!(history, &histories[0], "{name}");
        }
        let other = scene(name, &["size=5", "duration=0.3"]).world;
        assert!(Simulation::load(&path, other).is_err());
    }
}

/// The text of a square grid as an OBJ file.
fn square(side: u32, width: f64) -> String {
    let mut obj = String::new();
    let step = width / f64::from(side - 1);
    for i in 0..side {
        for j in 0..side {
            let at = |k: u32| f64::from(k) * step - 0.5 * width;
            obj += &format!("v {} 0 {}\n", at(i), at(j) * 1.1);
        }
    }
    for a in (0..side * (side - 1)).filter(|a| a % side + 1 < side) {
        obj += &format!("f {} {} {} {}\n", a + 1, a + 2, a + side + 2, a + side + 1);
    }
    obj
}

/// Heights of a sheet of 25 vertices at the end, over an obstacle of 4.
fn laid(obstacle: &str) -> (Vec<f64>, Vec<[f64; 3]>) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("sheet.obj"), square(5, 0.04)).unwrap();
    std::fs::write(folder.path().join("floor.obj"), square(2, 0.2)).unwrap();
    let text = format!(
        "name = \"s\"\nuntil = 0.3\n[[shell]]\nmesh = \"sheet.obj\"\n\
         position = [0, 0.005, 0]\nobstacles = [{obstacle}]\nrestitution = 0.3\n\
         friction = 0.2\ndamping = 2e-5\n"
    );
    let name = folder.path().join("s.toml");
    let world = load(&name.to_string_lossy(), &text, &[]).unwrap().world;
    let mut frames = Frames::default();
    run(&world, Algorithm::Ordered, &mut frames).unwrap();
    let (_, last) = frames.0.last().unwrap();
    let heights = last[..25].iter().map(|p| p[1]).collect();
    (heights, last[25..].to_vec())
}

#[test]
fn a_mesh_file_falls_on_an_obstacle_file() {
    let (heights, _) = laid("\"floor.obj\"");
    // it lies in the first layer, a millimetre thick, above the floor
    assert!(heights.iter().all(|&y| y > 0.0 && y < 0.002), "{heights:?}");
}

/// A floor that rises, and turns, carries the sheet along.
#[test]
fn obstacles_move_by_their_keys() {
    let (heights, floor) = laid(
        "{ mesh = \"floor.obj\", shift = [[0.1, [0, 0, 0]], [0.2, [0, 0.01, 0]]], \
         turn = { axis = [0, 2, 0], angle = [[0, 0], [0.25, 90]] } }",
    );
    let lies = |y: f64| y > 0.01 && y < 0.012;
    assert!(heights.iter().all(|&y| lies(y)), "{heights:?}");
    // the corner (-0.1, 0, -0.11), a quarter of a turn about y
    for (found, expected) in floor[0].into_iter().zip([-0.11, 0.01, 0.1]) {
        assert!((found - expected).abs() < 1e-12, "{floor:?}");
    }
}

#[test]
fn pins_move_by_their_keys() {
    let text = "name = \"s\"\nuntil = 0.05\n[[shell]]\n\
                grid = { columns = 5, rows = 5, u = [0.04, 0, 0], v = [0, 0, 0.04] }\n\
                pins = [{ near = [0.04, 0, 0], radius = 0.001, shift = [[0, [0, 0, 0]], [0.04, [0.001, 0, 0]]] }]\n";
    let world = load("s", text, &[]).unwrap().world;
    let mut frames = Frames::default();
    run(&world, Algorithm::Ordered, &mut frames).unwrap();
    let (_, last) = frames.0.last().unwrap();
    let held = Vec3::from_array(last[20]);
    assert!(held.distance(Vec3::new(0.041, 0.0, 0.0)) < 1e-12, "{held}");
}

#[test]
fn pins_hold_and_gravity_pulls() {
    let text = "name = \"s\"\nuntil = 0.05\n[[shell]]\n\
                grid = { columns = 5, rows = 5, u = [0.04, 0, 0], v = [0, 0, 0.04] }\n\
                pins = [0, { near = [0.04, 0, 0], radius = 0.001 }]\n";
    let world = load("s", text, &[]).unwrap().world;
    let mut frames = Frames::default();
    run(&world, Algorithm::Ordered, &mut frames).unwrap();
    let ((_, first), (_, last)) = (&frames.0[0], frames.0.last().unwrap());
    assert_eq!(last[0], first[0]);
    let fallen = first.iter().zip(last).filter(|(a, b)| b[1] < a[1] - 1e-3);
    assert!(fallen.count() > 10);
    let held = first.iter().zip(last).filter(|(a, b)| a == b).count();
    assert_eq!(held, 2);
    assert!(Vec3::from_array(last[24]).is_finite());
}

#[test]
fn mistakes_in_a_shell_are_shown_where_they_are() {
    let error = |shell: &str| {
        let text = format!("name = \"c\"\nuntil = 1\n[[shell]]\n{shell}\n");
        load("c", &text, &[])
            .err()
            .map_or_else(|| panic!("{shell}: no error"), |e| e.to_string())
    };
    const GRID: &str = "grid = { columns = 5, rows = 5, u = [0.04, 0, 0], v = [0, 0, 0.04] }";
    let pin = |keys: &str| format!("{GRID}\npins = [{{ near = [0, 0, 0], {keys} }}]");
    for (shell, line, part) in [
        ("color = \"#102030\"", 3, "a `scene`, a `grid` or a `mesh`"),
        ("scene = \"reef-not\"", 4, "did you mean `reef-knot`"),
        ("scene = \"twister\"\nfriction = 0.1", 5, "brings its own"),
        ("scene = \"twister\"\nsize = 2", 5, "from 3 to"),
        ("scene = \"twister\"\nstep = 3", 5, "from 0.00001 to 1"),
        ("mesh = \"nowhere.obj\"", 4, "cannot read nowhere.obj"),
        (
            &pin("shift = [[0, [0, 0, 0]], [0, [0, 1, 0]]]"),
            5,
            "expected later times",
        ),
        (
            &pin("shift = [[0, 1, 2]]"),
            5,
            "is [time in s, [x, y, z] in m]",
        ),
        (
            &pin("turn = { axis = [0, 0, 0], angle = [[0, 0]] }"),
            5,
            "expected a direction",
        ),
        (&pin("turn = { axis = [0, 0, 1] }"), 5, "`angle` is missing"),
        (
            &format!("{GRID}\ncontact_thickness = 0.02"),
            3,
            "but contacts are 2e-2 m thick",
        ),
        (
            &format!("{GRID}\nyoung = 1e20"),
            3,
            "the internal forces need steps of",
        ),
        (
            &format!("{GRID}\ndamping = 1e300"),
            3,
            "the internal forces need steps of",
        ),
    ] {
        let message = error(shell);
        assert!(message.contains(part), "{shell}: {message}");
        assert!(
            message.starts_with(&format!("c:{line}:")),
            "{shell}: {message}"
        );
    }
}

const SHEET: &str = r#"
    name = "sheet"
    until = 0.12
    gravity = [0, -9.81, 0]
    [[shell]]
    name = "sheet"
    damping = 2e-5
    grid = { columns = 7, rows = 7, corner = [-0.05, 0.002, -0.05], u = [0.1, 0, 0], v = [0, 0, 0.1] }
"#;

/// The world of a sheet and something else.
fn with_sheet(more: &str) -> Result<World, String> {
    let scene = load("sheet.toml", &format!("{SHEET}\n{more}"), &[]);
    scene.map(|scene| scene.world).map_err(|e| e.to_string())
}

/// Positions at the end; no committed form intersects, and all executors agree.
fn run_sheet(world: &World) -> Vec<[f64; 3]> {
    let mut frames = Frames::default();
    run(world, Algorithm::Ordered, &mut frames).unwrap();
    let reference = hash(world, Algorithm::Ordered);
    for ahead in [LookAhead::OneEvent, LookAhead::Seconds(0.03)] {
        assert_eq!(hash(world, Algorithm::TimeWarp(ahead)), reference);
    }
    let triangles = world.deformables[0].model.triangles();
    for (tick, positions) in frames.0.iter().step_by(6) {
        let crossing = crossings(positions, triangles);
        assert_eq!(crossing, 0, "at {} s", tick.seconds());
    }
    frames.0.pop().unwrap().1
}

/// Edges that cross triangles, by signed volumes: not the routine that keeps them apart.
fn crossings(positions: &[[f64; 3]], triangles: &[[u32; 3]]) -> usize {
    let at = |v: u32| Vec3::from(positions[v as usize]);
    let volume = |a: Vec3, b: Vec3, c: Vec3, d: Vec3| (b - a).cross(c - a).dot(d - a);
    let mut count = 0;
    for own in triangles {
        for (p, q) in [(own[0], own[1]), (own[1], own[2]), (own[2], own[0])] {
            // the sheet's vertices come first; what others do among themselves is none of its business
            let is_sheet = |t: &[u32; 3]| t[0] < 49 || own[0] < 49;
            let apart = |t: &&[u32; 3]| is_sheet(t) && !t.contains(&p) && !t.contains(&q);
            for other in triangles.iter().filter(apart) {
                let [a, b, c] = other.map(at);
                let (p, q) = (at(p), at(q));
                let sides = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)];
                let is_through = sides.iter().all(|s| *s > 0.0) || sides.iter().all(|s| *s < 0.0);
                let is_across = volume(a, b, c, p) * volume(a, b, c, q) < 0.0;
                count += usize::from(is_through && is_across);
            }
        }
    }
    count
}

#[test]
fn what_a_shell_cannot_meet_is_refused() {
    for (more, named) in [
        (
            "[[multibody]]\nname = \"arm\"\n[[multibody.links]]\nname = \"rod\"\njoint = \"hinge\"\naxis = [0, 0, 1]\nshape = { ball = 0.03 }\nmass = 1",
            "rod`",
        ),
        (
            "[[cloth]]\nname = \"rag\"\ngrid = { columns = 3, rows = 3, corner = [0, 1, 0], u = [1, 0, 0], v = [0, 0, 1] }",
            "`rag`",
        ),
        (
            "[[shell]]\nname = \"other\"\nfriction = 0.5\ngrid = { columns = 3, rows = 3, corner = [0, 1, 0], u = [0.1, 0, 0], v = [0, 0, 0.1] }",
            "`other`",
        ),
        (
            "[[shell]]\nname = \"knot\"\nscene = \"reef-knot\"",
            "`knot`",
        ),
    ] {
        let Err(message) = with_sheet(more) else {
            panic!("{named} was taken");
        };
        assert!(message.contains(named), "{message}");
        assert!(message.contains("meet"), "{message}");
    }
    // unless it is said that they may pass through each other
    let ball = "[[body]]\nname = \"ball\"\nshape = { ball = 0.03 }\nposition = [0, 0.1, 0]";
    let scene = format!("{SHEET}collides = \"nothing\"\n{ball}");
    assert!(load("sheet.toml", &scene, &[]).is_ok());
}

#[test]
fn shells_meet_fixed_bodies() {
    for (shape, position) in [
        ("{ ball = 0.04 }", "[0, -0.041, 0]"),
        ("{ box = [0.04, 0.02, 0.04] }", "[0, -0.011, 0]"),
        ("{ half_space = [0, 1, 0] }", "[0, 0, 0]"),
    ] {
        let body = format!(
            "[[body]]\nname = \"post\"\nkind = \"fixed\"\nshape = {shape}\nposition = {position}"
        );
        let end = run_sheet(&with_sheet(&body).unwrap());
        // in free fall it would be 70 mm lower
        let middle = end[3 * 7 + 3][1];
        assert!(middle > -0.002, "{shape}: the middle fell to {middle} m");
    }
}

#[test]
fn shells_meet_each_other() {
    let lower = "[[shell]]\nname = \"lower\"\ndamping = 2e-5\npins = [0, 8, 72, 80]\n\
        grid = { columns = 9, rows = 9, corner = [-0.06, -0.003, -0.06], u = [0.12, 0, 0], v = [0, 0, 0.12] }";
    let world = with_sheet(lower).unwrap();
    assert_eq!(world.deformables.len(), 1);
    assert_eq!(world.deformables[0].name, "sheet + lower");
    let end = run_sheet(&world);
    assert!(
        end[3 * 7 + 3][1] > end[49 + 4 * 9 + 4][1],
        "it fell through"
    );
}
