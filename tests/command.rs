//! The `warpline` command as a user meets it: what it prints, what it writes, how it ends.

use std::path::Path;
use std::process::{Command, Output};

fn warpline(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_warpline"))
        .args(arguments)
        .output()
        .unwrap()
}

fn succeeds(arguments: &[&str]) -> String {
    let output = warpline(arguments);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn statistics(path: &Path) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

const FEW_ATOMS: [&str; 8] = [
    "atoms",
    "--set",
    "bodies=30",
    "--set",
    "divider=still",
    "--until",
    "0.5",
    "--set=seed=3",
];

fn few_atoms<'a>(command: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec![command];
    arguments.extend(FEW_ATOMS);
    arguments.extend(more);
    arguments
}

#[test]
fn scenes_lists_every_built_in_scene_and_its_parameters() {
    let list = succeeds(&["scenes"]);
    for scene in warpline::sim::scene::BUILTIN {
        let line = list.lines().find(|l| l.starts_with(scene.name));
        assert!(
            line.is_some_and(|l| l.len() > scene.name.len() + 10),
            "{list}"
        );
        // The file in the repository is the scene in the program.
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
        let file = file.join(format!("{}.toml", scene.name));
        assert_eq!(std::fs::read_to_string(file).unwrap(), scene.text);
        assert_eq!(succeeds(&["scenes", scene.name, "--text"]), scene.text);
    }
    assert!(succeeds(&["scenes", "atoms"]).contains("divider"));
}

#[test]
fn run_writes_statistics_with_stable_keys() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("stats.json");
    let table = succeeds(&few_atoms("run", &["--stats", file.to_str().unwrap()]));
    let stats = statistics(&file);
    for key in [
        "scene",
        "algorithm",
        "solver",
        "threads",
        "sim_seconds",
        "wall_seconds",
        "bodies_moving",
        "bodies_total",
        "events_committed",
        "collisions",
        "fusions",
        "fissions",
        "callbacks",
        "checks",
        "integrations",
        "mean_step_ms",
        "mean_time_between_events_ms",
        "integration_per_body_s",
        "rollback_per_body_s",
        "rollbacks",
        "segments_undone",
        "segments_committed",
        "efficiency",
        "groups_created",
        "largest_group",
        "max_penetration_m",
        "energy_drift_relative",
        "peak_history_bytes",
        "history_sha256",
    ] {
        assert!(stats.get(key).is_some(), "{key} is missing");
    }
    assert_eq!(stats["bodies_total"], 38);
    assert_eq!(stats["bodies_moving"], 32);
    assert!(stats["collisions"].as_u64().unwrap() > 10);
    // Elastic collisions: a few hundred of them, each exact to rounding.
    assert!(stats["energy_drift_relative"].as_f64().unwrap().abs() < 1e-12);
    assert!(table.contains(stats["history_sha256"].as_str().unwrap()));
    let to_stdout: serde_json::Value =
        serde_json::from_str(&succeeds(&few_atoms("run", &["--stats", "-"]))).unwrap();
    assert_eq!(to_stdout["history_sha256"], stats["history_sha256"]);
    // Nothing but the statistics is left behind.
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn every_algorithm_runs_and_the_event_driven_ones_agree() {
    let hash = |algorithm: &str, more: &[&str]| {
        let mut arguments = few_atoms("run", &["--stats", "-", "--algorithm", algorithm]);
        arguments.extend(more);
        let stats: serde_json::Value = serde_json::from_str(&succeeds(&arguments)).unwrap();
        stats["history_sha256"].as_str().unwrap().to_string()
    };
    let ordered = hash("ordered", &[]);
    assert_eq!(hash("tw", &[]), ordered);
    assert_eq!(hash("timewarp", &["--look-ahead", "0.1"]), ordered);
    assert_eq!(hash("timewarp", &["--look-ahead", "event"]), ordered);
    assert_eq!(hash("oracle", &[]), ordered);
    hash("rd:1/30", &[]);
    hash("ca", &[]);
}

#[test]
fn a_recording_holds_the_run_and_can_be_run_again() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("tumblers.wline");
    let stats = directory.path().join("stats.json");
    succeeds(&[
        "run",
        "tumblers",
        "--set",
        "each=3",
        "--until",
        "1",
        "--record",
        file.to_str().unwrap(),
        "--stats",
        stats.to_str().unwrap(),
    ]);
    let recording = warpline::record::Reader::open(&file).unwrap();
    assert!(recording.is_complete());
    let header = recording.header().clone();
    assert_eq!(header.bodies.len(), 6 * 3 + 6);
    assert_eq!(header.algorithm, "timewarp");

    // The recorded motion is the simulated one: run the recorded scene in this process and compare
    // the states at the end. Between knots 0.15 rad apart cubic interpolation errs by 1e-7 rad, and
    // knots themselves are exact: a micrometre allows for bodies of half a metre.
    let scene = warpline::sim::scene::load("recorded", &header.scene_toml, &[]).unwrap();
    let algorithm = warpline::sim::Algorithm::Ordered;
    let mut hash = warpline::record::HistoryHash::new();
    let (_, states) = warpline::sim::run(&scene.world, algorithm, &mut hash).unwrap();
    assert_eq!(
        hash.finish(),
        statistics(&stats)["history_sha256"].as_str().unwrap()
    );
    let mut recorded = Vec::new();
    recording
        .states_at(scene.world.until.0, &mut recorded)
        .unwrap();
    assert_eq!(recorded.len(), states.len());
    for (index, (state, recorded)) in states.iter().zip(&recorded).enumerate() {
        let recorded = recorded.as_ref().unwrap();
        let gap = (0..3).map(|i| (state.position[i] - recorded.position[i]).abs());
        assert!(gap.fold(0.0, f64::max) < 1e-6, "body {index}");
        let dot: f64 = (0..4)
            .map(|i| state.rotation.to_array()[i] * recorded.rotation[i])
            .sum();
        assert!((dot.abs() - 1.0).abs() < 1e-12, "body {index}: {dot}");
    }
}

#[test]
fn check_passes_on_a_small_scene_of_every_shape() {
    let report = succeeds(&["check", "tumblers", "--set", "each=3", "--until", "1"]);
    assert!(report.contains("passed"), "{report}");
    assert!(report.matches("same").count() >= 7, "{report}");
    assert!(!report.contains("DIFFERENT"), "{report}");
}

#[test]
fn compare_writes_a_table_csv_and_svg() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("results");
    let table = succeeds(&[
        "compare",
        "atoms",
        "--set",
        "divider=still",
        "--until",
        "0.2",
        "--algorithms",
        "tw,rd:0.01,ca",
        "--sweep",
        "bodies=15,30",
        "--out",
        out.to_str().unwrap(),
    ]);
    assert_eq!(table.lines().count(), 2 + 6, "{table}");
    let csv = std::fs::read_to_string(out.join("compare.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + 6);
    let columns = csv.lines().next().unwrap().split(',').count();
    assert!(csv.lines().all(|line| line.split(',').count() == columns));
    let svg = std::fs::read_to_string(out.join("compare.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.matches("<circle").count() == 6);
}

#[test]
fn reproductions_write_data_figures_and_a_page() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().to_str().unwrap();
    for (name, figures) in [("mirtich-figure-2", 2), ("mirtich-table-1", 0)] {
        succeeds(&["reproduce", name, "--quick", "--out", out]);
        let page = directory.path().join(format!("{name}.html"));
        let page = std::fs::read_to_string(page).unwrap();
        assert_eq!(page.matches("<svg").count(), figures);
        assert!(page.contains("paper"));
        let csv = directory.path().join(format!("{name}.csv"));
        assert!(std::fs::read_to_string(csv).unwrap().lines().count() > 1);
    }
}

#[test]
fn figure_6_has_the_papers_shape() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().to_str().unwrap();
    succeeds(&["reproduce", "mirtich-figure-6", "--quick", "--out", out]);
    let csv = std::fs::read_to_string(directory.path().join("mirtich-figure-6.csv")).unwrap();
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let heading = lines.next().unwrap();
    let column = |name: &str| heading.iter().position(|h| *h == name).unwrap();
    let rows: Vec<_> = lines.collect();
    let value = |bodies: &str, algorithm: &str, name: &str| -> f64 {
        let own = |r: &&Vec<&str>| r[0] == bodies && r[column("algorithm")] == algorithm;
        rows.iter().find(own).unwrap()[column(name)]
            .parse()
            .unwrap()
    };
    let (step, integration) = ("mean_step_ms", "integration_per_body_s");
    // Section 5.2: the step of ca falls with the number of bodies (with their pairs, so by more than
    // the factor 4 between the numbers); rd integrates more and more, timewarp about the two seconds.
    assert!(value("25", "ca", step) > 4.0 * value("100", "ca", step));
    assert!(value("100", "rd:1/30", integration) > 2.0 * value("25", "rd:1/30", integration));
    assert!(value("100", "rd:1/30", integration) > 4.0);
    for bodies in ["25", "50", "100"] {
        let timewarp = value(bodies, "timewarp", integration);
        assert!(
            (2.0..2.5).contains(&timewarp),
            "{bodies} bodies: {timewarp} s"
        );
        assert!(value(bodies, "ca", integration) < 2.0 + 1e-6);
    }
}

#[test]
fn new_writes_a_scene_that_runs_and_does_not_overwrite() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("pegs.toml");
    let file = file.to_str().unwrap();
    assert!(succeeds(&["new", file]).contains("warpline view"));
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains("name = \"pegs\""), "{text}");
    let said = succeeds(&["run", file, "--set", "balls=3", "--until", "0.5"]);
    assert!(said.contains("pegs under timewarp"), "{said}");
    let again = warpline(&["new", file]);
    assert_eq!(again.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(file).unwrap(), text);
    assert_eq!(warpline(&["new", "scene.json"]).status.code(), Some(2));
}

#[test]
fn run_says_what_to_try_next_and_it_works() {
    let said = succeeds(&few_atoms("run", &[]));
    let next: Vec<&str> = said.lines().skip_while(|l| *l != "next:").skip(1).collect();
    assert_eq!(next.len(), 2, "{said}");
    assert!(
        next[0]
            .trim()
            .starts_with("warpline view atoms --set bodies=30"),
        "{said}"
    );
    let check = next[1].trim().split("   ").next().unwrap();
    let words: Vec<&str> = check.split_whitespace().skip(1).collect();
    assert!(succeeds(&words).contains("passed"), "{check}");
    // What programs read is not for people.
    let json = succeeds(&few_atoms("run", &["--stats", "-"]));
    serde_json::from_str::<serde_json::Value>(&json).unwrap();
}

#[test]
fn check_tells_programs_its_verdict() {
    let json = succeeds(&few_atoms("check", &["--json", "--conservation"]));
    let verdict: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(verdict["passed"], true);
    let executors = verdict["executors"].as_array().unwrap();
    assert_eq!(executors.len(), 15);
    let hash = &executors[0]["history_sha256"];
    assert_eq!(hash.as_str().unwrap().len(), 64);
    assert!(
        executors
            .iter()
            .all(|e| e["same"] == true && e["history_sha256"] == *hash)
    );
    assert!(verdict["momentum_error_relative"].as_f64().unwrap() < 1e-12);
    // A check that fails says so in the same form, and with its exit code.
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("deep.toml");
    let scene = "name = 'deep'\nuntil = 1\n[contact]\nsolver = 'penalty'\nhertz = 1\n\
        [[body]]\nname = 'floor'\nkind = 'fixed'\nshape = { half_space = [0, 1, 0] }\n\
        [[body]]\nname = 'ball'\nshape = { ball = 0.1 }\nposition = [0, 0.1, 0]\nrestitution = 0\n";
    std::fs::write(&file, scene).unwrap();
    let failed = warpline(&["check", file.to_str().unwrap(), "--json"]);
    assert_eq!(failed.status.code(), Some(1));
    let verdict: serde_json::Value = serde_json::from_slice(&failed.stdout).unwrap();
    assert_eq!(verdict["passed"], false);
    assert!(verdict["failures"][0].as_str().unwrap().contains("overlap"));
}

#[test]
fn shells_and_man_are_served() {
    for shell in ["bash", "zsh", "fish"] {
        let text = succeeds(&["completions", shell]);
        assert!(
            text.contains("reproduce") && text.contains("look-ahead"),
            "{shell}"
        );
    }
    assert!(succeeds(&["man"]).contains(".TH warpline 1"));
    let directory = tempfile::tempdir().unwrap();
    succeeds(&["man", "--out", directory.path().to_str().unwrap()]);
    let page = std::fs::read_to_string(directory.path().join("warpline-run.1")).unwrap();
    assert!(page.contains("look"), "{page}");
}

#[test]
fn the_schema_is_printed_as_the_book_has_it() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    for (arguments, file) in [
        (&["schema"][..], "scene.schema.json"),
        (&["schema", "--reference"], "reference.md"),
    ] {
        let kept = std::fs::read_to_string(book.join(file)).unwrap();
        assert_eq!(succeeds(arguments), kept);
    }
}

#[test]
fn the_view_of_a_scene_is_drawn() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_string();
    let (scene, recording) = (path("seen.toml"), path("seen.wline"));
    let draw = |view: &str, picture: &str| {
        let text = format!(
            "name = 'seen'\nuntil = 0.1\n[view]\n{view}\n[[body]]\nname = 'floor'\nkind = 'fixed'\n\
             shape = {{ half_space = [0, 1, 0] }}\n[[body]]\nname = 'ball'\nshape = {{ ball = 0.5 }}\nposition = [0, 1, 0]\n"
        );
        std::fs::write(&scene, text).unwrap();
        succeeds(&["run", &scene, "--record", &recording]);
        succeeds(&["render", &recording, "-o", picture, "--size", "64", "48"]);
        std::fs::read(picture).unwrap()
    };
    let usual = draw("", &path("usual.png"));
    let dark = draw("ground = 'dark'", &path("dark.png"));
    let near = draw(
        "camera = { from = [0, 1, 3], to = [0, 1, 0] }",
        &path("near.png"),
    );
    let far = draw(
        "camera = { from = [0, 1, 30], to = [0, 1, 0] }",
        &path("far.png"),
    );
    let lit = draw("light = [1, 0.2, 0]", &path("lit.png"));
    let all = [usual, dark, near, far, lit];
    for (i, one) in all.iter().enumerate() {
        assert!(
            all[..i].iter().all(|other| other != one),
            "picture {i} is like another"
        );
    }
}
