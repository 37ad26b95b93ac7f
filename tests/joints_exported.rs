//! Joints of multibodies in recordings and exports: what is written agrees with the run, and links stand in a tree where
//! the recording has them in the world.

use record::export::{Options, export, joints};
use record::{JointTracks, Reader};
use std::collections::BTreeMap;
use std::path::Path;
use warpline::recorder::Recorder;
use warpline::sim::{Algorithm, LookAhead, Simulation, World, run, scene};
use warpline::warp::Tick;

/// A cart on two wheels that rolls down onto the ground (steps of a group), a flail of a ball joint with a hinge on it
/// that swings, and a universal joint made of two hinges.
const SCENE: &str = r#"
name = "joints"
until = 1
[contact]
[[body]]
name = "ground"
kind = "fixed"
shape = { half_space = [0, 1, 0] }

[[multibody]]
name = "cart"
position = [0, 0.25, 0]
[[multibody.links]]
name = "chassis"
joint = "free"
velocity = [1, 0, 0]
shape = { box = [1, 0.2, 0.5] }
mass = 20
[[multibody.links]]
name = "front"
parent = "chassis"
joint = "hinge"
axis = [0, 0, 1]
position = [0.35, -0.05, 0.35]
shape = { ball = 0.18 }
mass = 2
[[multibody.links]]
name = "rear"
parent = "chassis"
joint = "hinge"
axis = [0, 0, 1]
position = [-0.35, -0.05, 0.35]
shape = { ball = 0.18 }
mass = 2

[[multibody]]
name = "flail"
position = [5, 4, 0]
[[multibody.links]]
name = "arm"
joint = "ball"
spin = [1, 0.5, 3]
shape = { box = [0.1, 1, 0.2], position = [0, -0.5, 0] }
mass = 1
[[multibody.links]]
name = "end"
parent = "arm"
joint = "hinge"
axis = [0, 0, 1]
position = [0, -1, 0]
start = 60
rate = 200
shape = { box = [0.1, 0.6, 0.1], position = [0, -0.3, 0] }
mass = 0.5

[[multibody]]
name = "cardan"
position = [9, 4, 0]
[[multibody.links]]
name = "cross"
joint = "hinge"
axis = [1, 0, 0]
start = 30
shape = { ball = 0.05 }
mass = 0.2
[[multibody.links]]
name = "shaft"
parent = "cross"
joint = "hinge"
axis = [0, 0, 1]
start = 40
shape = { box = [0.1, 1, 0.1], position = [0, -0.5, 0] }
mass = 1
"#;

fn world() -> World {
    scene::load("joints.toml", SCENE, &[])
        .expect("the scene is sound")
        .world
}

fn recorded(folder: &Path) -> Reader {
    let path = folder.join("joints.wline");
    let world = world();
    let mut recorder = Recorder::create(&path, &world, "timewarp").expect("a temporary file");
    run(
        &world,
        Algorithm::TimeWarp(LookAhead::Adaptive),
        &mut recorder,
    )
    .expect("it runs");
    recorder.finish("{}").expect("written");
    Reader::open(&path).expect("readable")
}

#[test]
fn recorded_joints_are_those_of_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let reader = recorded(folder.path());
    let made = &reader.header().multibodies;
    let names: Vec<_> = made.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["cart", "flail", "cardan"]);
    assert_eq!(
        made[1].coordinates(),
        ["arm.qw", "arm.qx", "arm.qy", "arm.qz", "end"]
    );
    assert_eq!(made[2].links[1].parent, Some(made[2].links[0].body));
    let tracks = JointTracks::read(&reader).expect("readable");
    let mut sim = Simulation::new(world(), 2.0).expect("a sound world");
    sim.advance(Tick::from_seconds(1.0)).expect("it runs");
    for step in 1..200 {
        let tick = Tick::from_seconds(f64::from(step) * 0.005 - 0.0013);
        for (number, made) in (0u32..).zip(made) {
            let [joints, ..] = sim.joints(number as usize, tick).expect("kept");
            for coordinate in 0..made.coordinates().len() as u32 {
                let [told, _] = tracks.coordinate(number, coordinate, tick.0).expect("told");
                let wanted = joints[coordinate as usize];
                // Cubics pass their middles within 1e-7, and err little more elsewhere; quaternions are made unit ones.
                let error = (told - wanted).abs();
                let name = &made.coordinates()[coordinate as usize];
                assert!(error < 1e-6, "{} {name} at {step}: {error}", made.name);
            }
        }
    }
}

#[test]
fn tables_have_a_column_for_each_joint() {
    let folder = tempfile::tempdir().expect("a folder");
    let reader = recorded(folder.path());
    let path = folder.path().join("joints.csv");
    let options = Options {
        fps: Some(50.0),
        ..Options::default()
    };
    joints(&reader, &path, &options).expect("written");
    let text = std::fs::read_to_string(&path).expect("a file");
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().expect("a head").split(',').collect();
    for name in [
        "cart.front",
        "cart.front.rate",
        "flail.arm.qw",
        "cardan.cross",
        "cardan.shaft.rate",
    ] {
        assert!(columns.contains(&name), "{name} in {columns:?}");
    }
    let last: Vec<&str> = lines.next_back().expect("rows").split(',').collect();
    assert_eq!(last.len(), columns.len());
    let value = |name: &str| -> f64 {
        let at = columns.iter().position(|c| *c == name).expect("a column");
        last[at].parse().expect("a number")
    };
    // The cart goes at about 1 m/s, so its wheels turn at about a radian in 0.18 m.
    let rate = value("cart.front.rate");
    assert!((-7.0..-3.0).contains(&rate), "{rate}");
    // In the bodies' own table a link's row tells of the joint that holds it.
    let path = folder.path().join("motion.csv");
    export(&reader, &path, &options).expect("written");
    let text = std::fs::read_to_string(&path).expect("a file");
    let head: Vec<&str> = text.lines().next().expect("a head").split(',').collect();
    let at = head
        .iter()
        .position(|c| *c == "joint_1_rate")
        .expect("a column");
    let front = text.lines().rfind(|line| line.contains("cart.front"));
    let told: f64 = front
        .expect("a row")
        .split(',')
        .nth(at)
        .expect("a field")
        .parse()
        .expect("a number");
    assert_eq!(told, rate);
    let missing = joints(&reader, &folder.path().join("x.glb"), &options);
    assert!(
        missing
            .expect_err("no table")
            .to_string()
            .contains("end the name in")
    );
}

/// The transforms of a USD file at its frames, made whole by walking up the tree.
fn placed(text: &str) -> BTreeMap<String, Vec<[f64; 3]>> {
    let numbers = |line: &str| -> Vec<f64> {
        let inner = &line[line.rfind('(').expect("opens") + 1..line.rfind(')').expect("closes")];
        inner
            .split(", ")
            .map(|n| n.parse().expect("a number"))
            .collect()
    };
    // (name, places, turns), open prims on a stack, closed by their braces.
    type Frames = (Vec<Vec<f64>>, Vec<Vec<f64>>);
    let mut open: Vec<Option<(String, Frames)>> = Vec::new();
    let mut done: BTreeMap<String, Vec<[f64; 3]>> = BTreeMap::new();
    let (mut name, mut reads) = (None, None);
    for line in text.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix("def Xform \"b") {
            name = Some(
                rest[..rest.len() - 1]
                    .split_once('_')
                    .expect("numbered")
                    .1
                    .to_string(),
            );
        } else if line.starts_with("def ") {
            name = None;
        } else if line == "{" {
            open.push(name.take().map(|n| (n, Frames::default())));
        } else if line == "}" && reads.take().is_none() {
            open.pop();
        } else if let Some(Some((_, frames))) = open.last_mut() {
            let kind = ["double3 xformOp:translate", "quatd xformOp:orient"];
            if let Some(place) = kind.iter().position(|k| line.starts_with(k)) {
                if line.ends_with('{') {
                    reads = Some(place);
                } else {
                    let all = [&mut frames.0, &mut frames.1];
                    *all[place] = vec![numbers(line); 51];
                }
            } else if let (Some(place), true) = (reads, line.ends_with("),")) {
                [&mut frames.0, &mut frames.1][place].push(numbers(line));
            } else if line.starts_with("uniform token[] xformOpOrder") {
                // All of this prim is read: where is it in the world?
                let chain: Vec<&(String, Frames)> = open.iter().flatten().collect();
                let (name, _) = chain[chain.len() - 1];
                let places = (0..51).map(|frame| {
                    chain
                        .iter()
                        .rev()
                        .fold([0.0; 3], |at, (_, (places, turns))| {
                            let (p, q) = (&places[frame], &turns[frame]);
                            let turn = physics::Quat::from_xyzw(q[1], q[2], q[3], q[0]);
                            let at = turn * physics::Vec3::from_array(at);
                            std::array::from_fn(|k| at[k] + p[k])
                        })
                });
                done.entry(name.clone()).or_insert(places.collect());
            }
        }
    }
    done
}

#[test]
fn links_stand_in_a_tree_where_they_are_in_the_world() {
    let folder = tempfile::tempdir().expect("a folder");
    let reader = recorded(folder.path());
    let options = Options {
        fps: Some(50.0),
        ..Options::default()
    };
    let path = folder.path().join("tree.usda");
    export(&reader, &path, &options).expect("written");
    let text = std::fs::read_to_string(&path).expect("a file");
    let seen = placed(&text);
    for name in ["cart.front", "flail.end", "cart.chassis"] {
        let bodies = &reader.header().bodies;
        let body = bodies.iter().position(|b| b.name == name).expect("there") as u32;
        let places = &seen[&name.replace('.', "_")];
        for (frame, place) in places.iter().enumerate() {
            let tick = Tick::from_seconds(frame as f64 / 50.0).min(Tick(reader.span().1));
            let state = reader.pose(body, tick.0).expect("readable").expect("there");
            for k in 0..3 {
                let error = (place[k] - state.position[k]).abs();
                assert!(error < 1e-6, "{name} at frame {frame}: {error}");
            }
        }
    }
    // In a glTF file the nodes of links are children of those they hang on.
    let path = folder.path().join("tree.glb");
    export(&reader, &path, &Options::default()).expect("written");
    let bytes = std::fs::read(&path).expect("a file");
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes")) as usize;
    let json: serde_json::Value = serde_json::from_slice(&bytes[20..20 + length]).expect("JSON");
    let nodes = json["nodes"].as_array().expect("nodes");
    let number = |name: &str| {
        nodes
            .iter()
            .position(|n| n["name"] == name)
            .expect("a node")
    };
    let children = |name: &str| {
        nodes[number(name)]["children"]
            .as_array()
            .expect("children")
            .clone()
    };
    assert!(children("cart.chassis").contains(&number("cart.front").into()));
    assert!(children("flail.arm").contains(&number("flail.end").into()));
}
