//! Bad input: each kind gets a message that says what and where, the right exit code, and leaves nothing
//! behind that looks like a result.

use std::path::Path;
use std::process::{Command, Output};

fn warpline(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_warpline"))
        .args(arguments)
        .output()
        .unwrap()
}

/// Runs the command, expects the exit code and every phrase in the message.
fn fails(code: i32, arguments: &[&str], phrases: &[&str]) {
    let output = warpline(arguments);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
    for phrase in phrases {
        assert!(message.contains(phrase), "`{phrase}` is not in:\n{message}");
    }
    assert!(!message.contains("panicked"), "{message}");
}

/// Writes a scene whose body has the given lines (from line 6 on) and runs it.
fn scene_fails(body: &str, phrases: &[&str]) {
    let directory = tempfile::tempdir().unwrap();
    let scene = directory.path().join("scene.toml");
    let text = format!("name = 'test'\nuntil = 1.0\n\n[[body]]\nname = 'it'\n{body}\n");
    std::fs::write(&scene, text).unwrap();
    let (record, stats) = (
        directory.path().join("a.wline"),
        directory.path().join("a.json"),
    );
    fails(
        2,
        &[
            "run",
            scene.to_str().unwrap(),
            "--record",
            record.to_str().unwrap(),
            "--stats",
            stats.to_str().unwrap(),
        ],
        phrases,
    );
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn a_half_space_that_is_turned_by_its_body_is_refused() {
    scene_fails(
        "kind = 'fixed'\nshape = { half_space = [0, 1, 0] }\nrotation = { axis = [0, 0, 1], degrees = 30 }",
        &["body `it`", "turn `half_space` instead of the body"],
    );
}

#[test]
fn an_unknown_key_is_shown_with_what_was_meant() {
    scene_fails(
        "shape = { ball = 0.1 }\nvelocty = [1, 0, 0]",
        &[
            "scene.toml:7:1",
            "unknown key `velocty`",
            "did you mean `velocity`",
        ],
    );
}

#[test]
fn a_negative_mass_is_shown_with_its_line() {
    scene_fails(
        "shape = { ball = 0.1 }\nmass = -3",
        &[
            "scene.toml:7:8",
            "`mass` is -3",
            "expected a positive number",
        ],
    );
}

#[test]
fn overlapping_bodies_are_named() {
    scene_fails(
        "shape = { ball = 0.1 }\n[[body]]\nname = 'other'\nshape = { ball = 0.1 }",
        &[
            "scene.toml:7:1",
            "`it` and `other` overlap by 0.2 m",
            "line 4",
        ],
    );
}

#[test]
fn a_value_that_is_not_a_number_is_shown() {
    scene_fails(
        "shape = { ball = 0.1 }\nposition = [0, nan, 0]",
        &["scene.toml:7:16", "`position` is NaN", "finite number"],
    );
}

#[test]
fn a_degenerate_hull_is_shown() {
    scene_fails(
        "shape = { hull = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]] }",
        &["scene.toml:6:9", "no volume"],
    );
}

#[test]
fn text_that_is_not_toml_is_shown() {
    scene_fails("shape = { ball = ", &["scene.toml:6", "not valid TOML"]);
}

#[test]
fn a_missing_file_is_named() {
    fails(
        2,
        &["run", "nowhere/scene.toml"],
        &["cannot read scene nowhere/scene.toml", "No such file"],
    );
    fails(
        2,
        &["run", "atom"],
        &["`atom` is neither", "did you mean `atoms`"],
    );
}

#[test]
fn an_end_before_the_start_is_refused() {
    fails(
        2,
        &["run", "gas", "--until", "-1"],
        &["--until -1", "not after its start at 0 s"],
    );
    fails(
        2,
        &["run", "gas", "--until=0"],
        &["not after its start at 0 s"],
    );
    fails(
        2,
        &["run", "gas", "--until", "soon"],
        &["--until soon", "`until` must be a number"],
    );
}

#[test]
fn bad_overrides_are_shown() {
    fails(
        2,
        &["run", "atoms", "--set", "bodys=3"],
        &["--set bodys=3", "did you mean `bodies`"],
    );
    fails(
        2,
        &["run", "atoms", "--set", "bodies=many"],
        &["--set bodies=many", "expected a number"],
    );
    fails(2, &["run", "atoms", "--set", "bodies"], &["KEY=VALUE"]);
    fails(
        2,
        &["run", "atoms", "--set", "bodies=-5"],
        &["--set bodies=-5", "expected a number from 0 to 3000"],
    );
}

#[test]
fn unknown_algorithms_and_steps_are_refused() {
    fails(
        2,
        &["run", "gas", "--algorithm", "warp"],
        &["unknown algorithm `warp`", "timewarp"],
    );
    fails(
        2,
        &["run", "gas", "--algorithm", "rd:0"],
        &["positive number of seconds"],
    );
    fails(
        2,
        &["run", "gas", "--algorithm", "ca", "--look-ahead", "1"],
        &["belongs to `timewarp`"],
    );
    fails(2, &["reproduce", "figure-7"], &["mirtich-figure-6"]);
}

#[test]
fn outputs_that_cannot_be_created_are_found_before_the_run() {
    let quick = ["run", "gas", "--set", "bodies=5", "--until", "0.1"];
    let with = |more: &[&'static str]| [&quick[..], more].concat();
    fails(
        2,
        &with(&["--stats", "nowhere/a.json"]),
        &["cannot create nowhere/a.json"],
    );
    fails(
        2,
        &with(&["--record", "nowhere/a.wline"]),
        &["nowhere/a.wline"],
    );
}

#[test]
fn a_full_disk_ends_the_run_with_code_1() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let quick = ["run", "gas", "--set", "bodies=5", "--until", "0.1"];
    let with = |more: &[&'static str]| [&quick[..], more].concat();
    fails(
        1,
        &with(&["--stats", "/dev/full"]),
        &["cannot write /dev/full", "No space left"],
    );
    fails(
        1,
        &with(&["--record", "/dev/full"]),
        &["cannot write recording /dev/full", "No space left"],
    );
    let full = std::fs::File::create("/dev/full").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_warpline"))
        .args(quick)
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write to standard output"));
}

#[test]
fn accumulating_events_end_with_the_bodies_names() {
    // Bounces that halve the speed: infinitely many of them before 1.3 s.
    let directory = tempfile::tempdir().unwrap();
    let scene = directory.path().join("zeno.toml");
    let text = "name = 'zeno'\nuntil = 5\n[contact]\nsolver = 'none'\n\
        [[body]]\nname = 'floor'\nkind = 'fixed'\nshape = { half_space = [0, 1, 0] }\n\
        [[body]]\nname = 'ball'\nshape = { ball = 0.1 }\nposition = [0, 1, 0]\n";
    std::fs::write(&scene, text).unwrap();
    for algorithm in ["timewarp", "ordered"] {
        fails(
            1,
            &["run", scene.to_str().unwrap(), "--algorithm", algorithm],
            &[
                "events accumulate at 1.2",
                "`floor`",
                "`ball`",
                "add `[contact]`",
            ],
        );
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    use std::process::Stdio;
    let mut child = Command::new(env!("CARGO_BIN_EXE_warpline"))
        .arg("scenes")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(output.stderr.is_empty());
}

/// A run that fails after its results' files were begun leaves none of them.
#[test]
fn a_run_that_fails_leaves_no_begun_statistics() {
    let directory = tempfile::tempdir().unwrap();
    let stats = directory.path().join("s.json");
    let record = directory.path().join("no such directory").join("r.wline");
    fails(
        2,
        &[
            "run",
            "billiard",
            "--stats",
            stats.to_str().unwrap(),
            "--record",
            record.to_str().unwrap(),
        ],
        &["cannot create"],
    );
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
}
