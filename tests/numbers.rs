//! Numbers that the program gives away are true: exports hold the history, statistics hold what happened,
//! and `check` finds what is not conserved.

use std::path::Path;
use std::process::Command;
use warpline::sim::{BodyId, Simulation, scene};
use warpline::warp::Tick;

fn warpline(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_warpline"))
        .args(arguments)
        .output()
        .expect("the command starts");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[track_caller]
fn succeeds(arguments: &[&str]) -> String {
    let (code, out, errors) = warpline(arguments);
    assert_eq!(code, Some(0), "{arguments:?}: {errors}");
    out
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("a readable path").into()
}

/// A scene written to a folder, run and recorded.
fn recorded(folder: &Path, text: &str) -> String {
    let (file, recording) = (path(folder, "scene.toml"), path(folder, "run.wline"));
    std::fs::write(&file, text).expect("a scene");
    succeeds(&["run", &file, "--record", &recording]);
    recording
}

/// Rows of a CSV file by column names.
struct Rows {
    heading: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Rows {
    fn read(file: &str) -> Self {
        let text = std::fs::read_to_string(file).expect("an export");
        let cells = |line: &str| line.split(',').map(String::from).collect::<Vec<_>>();
        let mut lines = text.lines().map(cells);
        Rows {
            heading: lines.next().expect("a heading"),
            rows: lines.collect(),
        }
    }

    fn cell<'a>(&'a self, row: &'a [String], column: &str) -> &'a str {
        let place = self.heading.iter().position(|h| h == column);
        &row[place.unwrap_or_else(|| panic!("no column {column}"))]
    }

    fn number(&self, row: &[String], column: &str) -> f64 {
        self.cell(row, column).parse().expect("a number")
    }
}

const GHOST_ROWS: &str = include_str!("../crates/sim/tests/truths/scenes/ghost-rows.toml");

#[test]
fn no_row_lies_beyond_the_walls_or_after_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let recording = recorded(folder.path(), GHOST_ROWS);
    for more in [&[][..], &["--fps", "240"]] {
        let csv = path(folder.path(), "run.csv");
        succeeds(&[&["export", &recording, "--to", &csv][..], more].concat());
        let rows = Rows::read(&csv);
        let own = rows.rows.iter().filter(|r| rows.cell(r, "name") == "ball");
        let mut count = 0;
        for row in own {
            let (time, x) = (rows.number(row, "time_s"), rows.number(row, "x_m"));
            // A bounce is found to a billionth of a metre.
            assert!(x.abs() <= 0.9 + 1e-9, "{x} m at {time} s");
            assert!((0.0..=2.0).contains(&time), "{time} s");
            count += 1;
        }
        assert!(count > 100, "{count} rows");
    }
}

const TUMBLER: &str = r#"
name = "tumbler"
until = 2
gravity = [0, -1, 0]
[forces.air]
kind = "wind"
velocity = [1, 0, 0]
drag = 0.2
[[body]]
name = "free"
shape = { box = [0.2, 0.5, 1.1] }
position = [0, 5, 0]
spin = [3, 0.2, 7]
[[body]]
name = "blown"
shape = { box = [0.2, 0.5, 1.1] }
position = [5, 5, 0]
spin = [0.1, 9, 0.3]
forces = ["air"]
damping = 0.1
"#;

#[test]
fn frames_are_the_simulated_trajectory_not_an_interpolation() {
    let folder = tempfile::tempdir().expect("a folder");
    let recording = recorded(folder.path(), TUMBLER);
    let csv = path(folder.path(), "run.csv");
    succeeds(&["export", &recording, "--to", &csv, "--fps", "37"]);
    let rows = Rows::read(&csv);
    let world = scene::load("tumbler", TUMBLER, &[]).expect("a scene").world;
    let mut simulation = Simulation::new(world, 4.0).expect("a world");
    simulation
        .advance(Tick::from_seconds(2.0))
        .expect("it runs");
    assert_eq!(rows.rows.len(), 2 * 75);
    for row in &rows.rows {
        let tick = Tick(rows.cell(row, "tick").parse().expect("a tick"));
        let body = BodyId(rows.cell(row, "body").parse().expect("a body"));
        let state = simulation.state(body, tick).expect("it is there");
        let near = |columns: [&str; 3], truth: [f64; 3], what: &str| {
            for (column, truth) in columns.iter().zip(truth) {
                let told = rows.number(row, column);
                // The same computation: what is left is rounding.
                assert!((told - truth).abs() < 1e-9, "{what}: {told}, not {truth}");
            }
        };
        near(["x_m", "y_m", "z_m"], state.position.to_array(), "position");
        near(
            ["vx_m_s", "vy_m_s", "vz_m_s"],
            state.velocity.to_array(),
            "velocity",
        );
        near(
            ["wx_rad_s", "wy_rad_s", "wz_rad_s"],
            state.spin.to_array(),
            "spin",
        );
    }
}

const MEMBER: &str = r#"
name = "sliding"
until = 0.5
gravity = [0, -10, 0]
[contact]
solver = "soft-step"
[[body]]
name = "ground"
kind = "fixed"
shape = { half_space = [0, 1, 0] }
friction = 0.3
[[body]]
name = "crate"
shape = { box = [1, 1, 1] }
position = [0, 0.5, 0]
velocity = [4, 0, 0]
friction = 0.3
restitution = 0
"#;

#[test]
fn a_member_of_a_group_has_the_velocity_of_its_momentum() {
    let folder = tempfile::tempdir().expect("a folder");
    let recording = recorded(folder.path(), MEMBER);
    let csv = path(folder.path(), "run.csv");
    succeeds(&[
        "export", &recording, "--to", &csv, "--fps", "100", "--since", "0.1",
    ]);
    let rows = Rows::read(&csv);
    let own = rows.rows.iter().filter(|r| rows.cell(r, "name") == "crate");
    for row in own {
        let (time, speed) = (rows.number(row, "time_s"), rows.number(row, "vx_m_s"));
        assert!(time >= 0.1 - 1e-9);
        // Friction brakes by 3 m/s². The box needs a moment to settle into its contact: half a percent
        // of what it has lost in half a second; a step's mean would lag behind by half a step as well.
        let truth = 4.0 - 3.0 * time;
        assert!(
            (speed - truth).abs() < 0.02,
            "{speed} m/s at {time} s, not {truth}"
        );
    }
}

fn statistics(arguments: &[&str]) -> serde_json::Value {
    let json = succeeds(&[arguments, &["--stats", "-"]].concat());
    serde_json::from_str(&json).expect("JSON")
}

const DROPS: &str = r#"
name = "drops"
until = 1.2
gravity = [0, -10, 0]
[[body]]
name = "ground"
kind = "fixed"
shape = { half_space = [0, 1, 0] }
restitution = 0.5
friction = 0
[[body]]
name = "ball"
shape = { ball = 0.1 }
mass = 2
position = [0, 5.1, 0]
restitution = 0.5
friction = 0
"#;

#[test]
fn the_books_of_energy_say_where_it_went() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = path(folder.path(), "drops.toml");
    std::fs::write(&file, DROPS).expect("a scene");
    let stats = statistics(&["run", &file]);
    let number = |key: &str| stats[key].as_f64().unwrap_or_else(|| panic!("no {key}"));
    // It falls 5 m in 1 s, 100 J, and comes back with half the speed: three quarters are lost.
    assert!((number("energy_collisions_j") + 75.0).abs() < 1e-6);
    assert!((number("energy_potential_start_j") - 102.0).abs() < 1e-9);
    assert!(number("energy_unexplained_max_relative").abs() < 1e-12);
    let change = number("energy_kinetic_end_j") + number("energy_potential_end_j") - 102.0;
    assert!((change + 75.0).abs() < 1e-6, "{change}");
    assert!((number("energy_change_max_at_s") - 1.0).abs() < 1e-6);
    assert_eq!(number("energy_groups_j"), 0.0);
    assert_eq!(number("max_group_overlap_m"), 0.0);
    // Without the books the table says what it covers.
    let table = succeeds(&["run", &file, "--no-energy"]);
    assert!(table.contains("no books were kept"), "{table}");
}

/// What the entries of the books come to, and the change of the energy, J.
fn entries_and_change(stats: &serde_json::Value) -> (f64, f64) {
    let number = |key: &str| {
        let key = format!("energy_{key}_j");
        stats[&key].as_f64().unwrap_or_else(|| panic!("no {key}"))
    };
    let entries = [
        "collisions",
        "groups",
        "fields",
        "scripts",
        "inputs",
        "deformables",
        "unexplained",
    ];
    let end = number("kinetic_end") + number("potential_end");
    let start = number("kinetic_start") + number("potential_start");
    (entries.map(number).iter().sum(), end - start)
}

/// Cloth, shells and multibodies are in the books: what has changed is what the entries say, and nothing of it unexplained.
#[test]
fn the_books_of_cloth_shells_and_multibodies_add_up() {
    for run in [
        &["cloth-catch", "--set", "side=8", "--until", "0.8"][..],
        &["cloth-swing", "--until", "0.3"],
        &["two-cloths", "--set", "size=5", "--until", "0.02"],
        &["double-pendulum", "--until", "1"],
        &["robots", "--until", "0.3"],
    ] {
        let stats = statistics(&[&["run"][..], run].concat());
        let (entries, change) = entries_and_change(&stats);
        let moved = stats["energy_change_max_relative"]
            .as_f64()
            .expect("a number");
        assert!(moved.is_finite(), "{run:?}");
        let scale = stats["energy_potential_start_j"]
            .as_f64()
            .expect("a number")
            .abs()
            + change.abs()
            + 1e-3;
        assert!(
            (entries - change).abs() < 1e-9 * scale,
            "{run:?}: {entries} J entered, {change} J changed"
        );
        let unexplained = stats["energy_unexplained_j"].as_f64().expect("a number");
        // Links tell their velocities to 1e-7 m/s between the steps of their motion.
        assert!(
            unexplained.abs() < 2e-8 * scale,
            "{run:?}: {unexplained} J unexplained"
        );
    }
}

/// A ball of 1 kg at 4 m/s hits a rod of 3 kg and 2 m on a hinge, a link of a multibody, at 1.5 m from the hinge with
/// restitution 1/2: the loss is (1 - e^2) u^2 / 2 over 1/m + arm^2 / J, with all that the hinge does in it.
#[test]
fn the_books_know_what_a_hit_on_a_link_costs() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = path(folder.path(), "gate.toml");
    let text = r#"
name = "gate"
until = 0.4
gravity = [0, 0, 0]
[[multibody]]
name = "gate"
[[multibody.links]]
name = "rod"
joint = "hinge"
axis = [0, 0, 1]
position = [0, 0, 0]
shape = { box = [2, 0.02, 0.02], position = [1, 0, 0] }
mass = 3
friction = 0
restitution = 0.5
[[body]]
name = "ball"
shape = { ball = 0.05 }
mass = 1
friction = 0
restitution = 0.5
position = [1.5, -1.06, 0]
velocity = [0, 4, 0]
"#;
    std::fs::write(&file, text).expect("a scene");
    let stats = statistics(&["run", &file]);
    let moment = 3.0 * (4.0 + 0.0004) / 12.0 + 3.0;
    let lost = 0.5 * 0.75 * 16.0 / (1.0 + 2.25 / moment);
    let found = stats["energy_collisions_j"].as_f64().expect("a number");
    assert!(
        (found + lost).abs() < 1e-6,
        "{found} J instead of -{lost} J"
    );
    let unexplained = stats["energy_unexplained_j"].as_f64().expect("a number");
    assert!(unexplained.abs() < 1e-9, "{unexplained} J");
}

/// A body that flies into a group takes energy from it or gives it energy: neither is without cause.
#[test]
fn what_free_bodies_get_from_groups_is_not_unexplained() {
    let stats = statistics(&["run", "pile", "--until", "2"]);
    let number = |key: &str| stats[key].as_f64().unwrap_or_else(|| panic!("no {key}"));
    assert!(number("fusions") > 10.0, "there are groups to fly into");
    assert!(number("energy_groups_j") < -100.0);
    // Free flight is a closed form for balls, and integrated to 1e-12 for the others.
    assert!(number("energy_unexplained_max_relative").abs() < 1e-9);
}

#[test]
fn energy_momentum_and_overlap_can_be_exported_over_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let recording = recorded(folder.path(), DROPS);
    let csv = path(folder.path(), "energy.csv");
    succeeds(&[
        "export", &recording, "--to", &csv, "--what", "energy", "--fps", "50",
    ]);
    let rows = Rows::read(&csv);
    assert_eq!(rows.rows.len(), 61);
    for row in &rows.rows {
        let time = rows.number(row, "time_s");
        let energy = if time < 1.0 - 1e-9 { 102.0 } else { 27.0 };
        let at_bounce = (time - 1.0).abs() < 1e-9;
        assert!(
            at_bounce || (rows.number(row, "energy_J") - energy).abs() < 1e-6,
            "{time} s"
        );
        let falling = if time < 1.0 {
            -20.0 * time
        } else {
            10.0 - 20.0 * (time - 1.0)
        };
        assert!(
            at_bounce || (rows.number(row, "py_Ns") - falling).abs() < 1e-6,
            "{time} s"
        );
        assert!(rows.number(row, "overlap_m") < 1e-9);
    }
}

#[test]
fn a_stack_shows_how_deep_its_contacts_are() {
    let stats = statistics(&["run", "stack", "--set", "height=4", "--until", "0.5"]);
    let depth = stats["max_group_overlap_m"].as_f64().expect("a number");
    // Half-metre boxes under their own weight: something, and less than a hundredth of a box.
    assert!(depth > 0.0 && depth < 5e-3, "{depth} m");
}

#[test]
fn shells_have_vertices_and_no_efficiency() {
    let run = ["run", "two-cloths", "--set", "size=5", "--until", "0.002"];
    let stats = statistics(&run);
    assert!(stats["vertices_total"].as_u64().expect("a number") >= 50);
    assert!(stats["efficiency"].is_null());
    let table = succeeds(&run);
    assert!(
        !table.contains("0 / 0") && !table.contains("100.00 %"),
        "{table}"
    );
    assert!(table.contains("vertices"), "{table}");
}

#[test]
fn check_sums_momentum_over_events() {
    let few = ["--set", "each=6", "--until", "1", "--conservation"];
    let report = succeeds(&[&["check", "tumblers"][..], &few].concat());
    assert!(report.contains("momentum conserved"), "{report}");
    let line = report
        .lines()
        .find(|l| l.starts_with("momentum checked over"));
    let events = line.and_then(|l| l.split_whitespace().nth(3));
    let events: u32 = events.and_then(|n| n.parse().ok()).expect("a count");
    assert!(events > 0, "{report}");
}

#[test]
fn compare_writes_the_hash_of_each_history() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = path(folder.path(), "compared");
    let few = [
        "--set",
        "bodies=10",
        "--until",
        "0.1",
        "--algorithms",
        "tw,ordered",
    ];
    succeeds(&[&["compare", "gas", "--out", &out][..], &few].concat());
    let rows = Rows::read(&format!("{out}/compare.csv"));
    let hashes: Vec<&str> = rows
        .rows
        .iter()
        .map(|r| rows.cell(r, "history_sha256"))
        .collect();
    assert_eq!(hashes.len(), 2);
    assert!(
        hashes[0].len() == 64 && hashes[0] == hashes[1],
        "{hashes:?}"
    );
}

#[test]
fn pictures_are_what_their_names_say() {
    let folder = tempfile::tempdir().expect("a folder");
    let recording = recorded(folder.path(), DROPS);
    let draw = |name: &str, more: &[&str]| {
        let out = path(folder.path(), name);
        let fixed = ["render", &recording, "-o", &out, "--size", "48", "32"];
        let (code, _, errors) = warpline(&[&fixed[..], more].concat());
        (code, errors, std::fs::read(&out).unwrap_or_default())
    };
    let (code, errors, bytes) = draw("x.gif", &["--to", "0.2"]);
    assert_eq!(code, Some(0), "{errors}");
    assert!(bytes.starts_with(b"GIF89a"));
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(&bytes[..]).expect("a GIF");
    let mut frames = 0;
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        assert_eq!((frame.width, frame.height, frame.delay), (48, 32, 4));
        frames += 1;
    }
    assert_eq!(frames, 6, "0.2 s at 25 frames a second");
    for name in ["x.jpg", "x", "x.mkv"] {
        let (code, errors, bytes) = draw(name, &[]);
        assert_eq!(code, Some(2), "{name}: {errors}");
        assert!(
            errors.contains(".gif") && bytes.is_empty(),
            "{name}: {errors}"
        );
    }
    assert_eq!(
        draw("x.mp4", &[]).0,
        Some(2),
        "a film needs a second moment"
    );
    let (code, errors, bytes) = draw("x.mp4", &["--to", "0.2"]);
    match code {
        Some(0) => assert_eq!(&bytes[4..8], b"ftyp"),
        _ => assert!(errors.contains("ffmpeg"), "{errors}"),
    }
}

#[test]
fn a_sequence_of_gigabytes_is_refused_before_it_is_begun() {
    let folder = tempfile::tempdir().expect("a folder");
    let recording = recorded(folder.path(), DROPS);
    let out = path(folder.path(), "run.obj");
    let (code, _, errors) = warpline(&["export", &recording, "--to", &out, "--fps", "1e6"]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(
        errors.contains("MB") && errors.contains("--force"),
        "{errors}"
    );
    assert!(!folder.path().join("run.0000.obj").exists());
    let part = ["--fps", "1e3", "--since", "0.5", "--until", "0.502"];
    succeeds(&[&["export", &recording, "--to", &out][..], &part].concat());
    assert!(folder.path().join("run.0002.obj").exists());
    assert!(!folder.path().join("run.0003.obj").exists());
}

#[test]
fn usd_keeps_to_frames_and_leaves_what_rests() {
    let folder = tempfile::tempdir().expect("a folder");
    let recording = recorded(folder.path(), DROPS);
    let out = path(folder.path(), "run.usda");
    succeeds(&["export", &recording, "--to", &out, "--fps", "24"]);
    let text = std::fs::read_to_string(&out).expect("an export");
    assert!(text.contains("timeCodesPerSecond = 24") && text.contains("framesPerSecond = 24"));
    let prims: Vec<&str> = text.split("def Xform ").collect();
    let of = |name: &str| {
        prims
            .iter()
            .find(|p| p.contains(&format!("warpline:name = \"{name}\"")))
    };
    let (ground, ball) = (of("ground").expect("a prim"), of("ball").expect("a prim"));
    assert!(
        !ground.contains("timeSamples") && ground.contains("def Plane"),
        "{ground}"
    );
    let width = ground.split("double width = ").nth(1).expect("a width");
    let width: f64 = width
        .lines()
        .next()
        .and_then(|w| w.parse().ok())
        .expect("a number");
    assert!(
        (1.0..40.0).contains(&width),
        "the ground is {width} m wide, the scene 5 m high"
    );
    // 1.2 s at 24 frames: codes 0 to 28.
    assert!(ball.contains("timeSamples") && ball.contains("            28: ("));
    assert!(!ball.contains("            29: (") && !ball.contains("            28."));
}

#[cfg(unix)]
#[test]
fn an_interrupted_view_leaves_nothing_behind() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = Command::new(env!("CARGO_BIN_EXE_warpline"))
        .args(["view", "gas", "--set", "bodies=20", "--until", "1"])
        .env("TMPDIR", folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut line = String::new();
    let stdout = child.stdout.take().expect("it has an output");
    BufReader::new(stdout)
        .read_line(&mut line)
        .expect("an address");
    let inside = || std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(inside(), 1, "it records there");
    let asked = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(asked.expect("kill is there").success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert_eq!(inside(), 0);
}

#[test]
fn a_run_in_the_viewer_prints_its_statistics() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    let folder = tempfile::tempdir().expect("a folder");
    let stats = path(folder.path(), "stats.json");
    let mut child = Command::new(env!("CARGO_BIN_EXE_warpline"))
        .args([
            "run",
            "gas",
            "--set",
            "bodies=20",
            "--until",
            "1",
            "--view",
            "--stats",
            &stats,
        ])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let stdout = child.stdout.take().expect("it has an output");
    let lines = BufReader::new(stdout).lines().map(|l| l.expect("text"));
    // The hash is the table's last line; the command then goes on serving.
    let found = lines.into_iter().any(|line| line.starts_with("history"));
    child.kill().expect("it can be stopped");
    child.wait().expect("it ends");
    assert!(found);
    let json = std::fs::read_to_string(&stats).expect("statistics");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert!(json["collisions"].as_u64().is_some());
}
