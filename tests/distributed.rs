//! Worlds over the ranks of an MPI job, started as a user would. Built only with the feature `mpi`.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const WARPLINE: &str = env!("CARGO_BIN_EXE_warpline");
const GAS: [&str; 7] = [
    "run",
    "gas",
    "--set",
    "bodies=400",
    "--set",
    "size=4",
    "--stats=-",
];

/// `mpirun` with what follows it.
fn mpirun(words: &[&str]) -> Command {
    let mut command = Command::new("mpirun");
    command
        .arg("--oversubscribe")
        .args(words)
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .env("OMPI_MCA_mpi_yield_when_idle", "1");
    command
}

/// `warpline` with these arguments on so many ranks.
fn on_ranks(ranks: u32, arguments: &[&[&str]]) -> Output {
    let words = arguments.concat();
    let first = ["-n", &ranks.to_string(), WARPLINE];
    let output = mpirun(&[&first[..], &words].concat()).output();
    output.expect("mpirun, which is installed where these tests are built")
}

fn said(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&both).into_owned()
}

/// What the statistics say of the history.
fn hash(output: &Output) -> String {
    assert!(output.status.success(), "{}", said(output));
    let stats: serde_json::Value = serde_json::from_slice(&output.stdout).expect("statistics");
    stats["history_sha256"].as_str().expect("a hash").to_owned()
}

fn alone(arguments: &[&[&str]]) -> Output {
    let output = Command::new(WARPLINE).args(arguments.concat()).output();
    output.expect("warpline")
}

#[test]
fn every_number_of_ranks_and_threads_has_one_history() {
    let ordered = hash(&alone(&[&GAS, &["--algorithm", "ordered"]]));
    for ranks in 1..=4 {
        for threads in ["1", "2"] {
            let how = ["--algorithm", "distributed", "--threads", threads];
            let found = hash(&on_ranks(ranks, &[&GAS, &how]));
            assert_eq!(found, ordered, "{ranks} ranks of {threads} threads");
        }
    }
}

/// All segments of a recording, in the order in which they were committed.
fn segments(path: &Path) -> Vec<String> {
    let mut reader = record::Reader::open(path).expect("a recording");
    reader.refresh().expect("it is read again");
    let mut all = Vec::new();
    for body in 0..reader.header().bodies.len() as u32 {
        let own = reader.segments(body).expect("segments");
        all.extend(own.iter().map(|segment| format!("{segment:?}")));
    }
    all
}

#[test]
fn a_recording_of_several_ranks_is_one_file_with_the_same_history() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    let (one, several) = (file("one.wline"), file("several.wline"));
    let record = |path: &Path| format!("--record={}", path.display());
    let ordered = alone(&[&GAS, &["--algorithm=ordered", &record(&one)]]);
    let ranked = on_ranks(3, &[&GAS, &["--algorithm=distributed", &record(&several)]]);
    assert_eq!(hash(&ranked), hash(&ordered));
    let found = segments(&several);
    assert!(found.len() > 800, "{}", found.len());
    assert_eq!(found, segments(&one));
}

#[test]
fn what_cannot_run_over_ranks_is_refused_with_what_to_do() {
    let by_itself = alone(&[&GAS, &["--algorithm=distributed"]]);
    assert_eq!(by_itself.status.code(), Some(2));
    assert!(
        said(&by_itself).contains("mpirun -n"),
        "{}",
        said(&by_itself)
    );
    let pile = on_ranks(2, &[&["run", "pile", "--algorithm=distributed"]]);
    assert!(!pile.status.success());
    assert!(said(&pile).contains("contact groups"), "{}", said(&pile));
    let bodies = ["--set", "bodies=2", "--algorithm=distributed"];
    let few = on_ranks(4, &[&["run", "gas"], &bodies]);
    assert!(
        said(&few).contains("4 ranks are too many"),
        "{}",
        said(&few)
    );
    let typo = on_ranks(2, &[&["run", "gass", "--algorithm=distributed"]]);
    assert_eq!(said(&typo).matches("error:").count(), 1, "{}", said(&typo));
    let how = ["--algorithm=distributed", "--set"];
    let first = [&["-n", "1", WARPLINE], &GAS[..], &how, &["seed=1", ":"]].concat();
    let second = [&["-n", "1", WARPLINE], &GAS[..], &how, &["seed=2"]].concat();
    let mixed = mpirun(&[first, second].concat()).output().expect("mpirun");
    assert!(!mixed.status.success());
    assert!(
        said(&mixed).contains("rank 1 has another input"),
        "{}",
        said(&mixed)
    );
}

/// The processes of a job, other than `mpirun` itself.
fn ranks_of(job: u32) -> Vec<u32> {
    let parent = format!("PPid:\t{job}\n");
    let is_rank = |pid: &u32| {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status"));
        let command = std::fs::read_to_string(format!("/proc/{pid}/cmdline"));
        status.is_ok_and(|status| status.contains(&parent))
            && command.is_ok_and(|command| command.starts_with(WARPLINE))
    };
    let entries = std::fs::read_dir("/proc").expect("processes").flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let mut found: Vec<u32> = pids.filter(is_rank).collect();
    found.sort_unstable();
    found
}

#[test]
fn a_rank_that_is_killed_ends_the_job_and_what_was_committed_can_be_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("killed.wline");
    let partial = folder.path().join("killed.wline.partial");
    let record = format!("--record={}", path.display());
    let long = ["--until=100000", "--algorithm=distributed", &record];
    // As many bodies as fill a block of the recording soon.
    let gas = ["run", "gas", "--set=bodies=4000", "--set=size=9"];
    let words = [&["-n", "3", WARPLINE], &gas[..], &long].concat();
    let mut command = mpirun(&words);
    let job = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let job = job.expect("mpirun");
    let begun = Instant::now();
    let length = || std::fs::metadata(&partial).map_or(0, |file| file.len());
    while length() < 100_000 {
        assert!(
            begun.elapsed() < Duration::from_secs(120),
            "nothing is recorded"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
    let ranks = ranks_of(job.id());
    assert_eq!(ranks.len(), 3, "{ranks:?}");
    let victim = ranks[2].to_string();
    let kill = Command::new("kill").args(["-KILL", &victim]).status();
    assert!(kill.is_ok_and(|status| status.success()));
    let killed = Instant::now();
    let output = job.wait_with_output().expect("the job ends");
    assert!(killed.elapsed() < Duration::from_secs(20));
    assert!(!output.status.success());
    let words = said(&output);
    assert!(
        words.contains("rank 2") && words.contains("signal 9"),
        "{words}"
    );
    assert!(!path.exists(), "what is not whole must not look whole");
    assert!(segments(&partial).len() > 800);
}
