//! Jobs of several ranks on this machine, started as a user would.

use std::process::{Command, Output};

/// Runs PHOLD on so many ranks.
fn phold(ranks: u32, arguments: &[&str]) -> Output {
    job(&[
        &[&ranks.to_string(), env!("CARGO_BIN_EXE_warpline-phold")],
        arguments,
    ]
    .concat())
}

/// Runs what follows `mpirun -n`.
fn job(words: &[&str]) -> Output {
    Command::new("mpirun")
        .args(["--oversubscribe", "-n"])
        .args(words)
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .env("OMPI_MCA_mpi_yield_when_idle", "1")
        .output()
        .expect("mpirun, which is installed where these tests are built")
}

fn said(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&both).into_owned()
}

#[test]
fn every_number_of_ranks_commits_the_history_of_the_plain_loop() {
    for ranks in 1..=4 {
        let models: [&[&str]; 3] = [
            &["--until", "20"],
            &["--until", "6", "--model", "tied"],
            &["--until", "4", "--model", "pucks", "--sectors", "8"],
        ];
        for model in models {
            let load = ["--processes", "256", "--events-each", "4", "--verify"];
            let output = phold(ranks, &[&load[..], model].concat());
            assert!(output.status.success(), "{ranks} ranks: {}", said(&output));
            assert!(said(&output).contains("commits the same history"));
        }
    }
}

#[test]
fn a_network_that_delays_and_reorders_changes_nothing() {
    let mut first = 0;
    for seed in ["1", "2", "3"] {
        let load = [
            "--processes",
            "64",
            "--events-each",
            "4",
            "--remote",
            "0.9",
            "--until",
            "12",
        ];
        let hostile = ["--hostile", "40", "--seed", seed, "--verify"];
        let output = phold(3, &[&load[..], &hostile].concat());
        assert!(output.status.success(), "seed {seed}: {}", said(&output));
        let said = said(&output);
        let line = said
            .lines()
            .find(|line| line.starts_with("between ranks"))
            .unwrap();
        let count = line
            .split(", ")
            .nth(2)
            .and_then(|words| words.split(' ').next());
        first += count.and_then(|count| count.parse::<u32>().ok()).unwrap();
    }
    assert!(
        first > 0,
        "no antimessage came before its message: nothing was tried"
    );
}

#[test]
fn a_rank_that_fails_ends_the_job_and_is_named() {
    let output = phold(3, &["--fail-on", "1", "--until", "20"]);
    assert!(!output.status.success());
    assert!(
        said(&output).contains("rank 1 has failed"),
        "{}",
        said(&output)
    );
}

#[test]
fn ranks_with_other_inputs_are_refused() {
    let program = env!("CARGO_BIN_EXE_warpline-phold");
    let output = job(&[
        "1", program, "--seed", "1", ":", "-n", "1", program, "--seed", "2",
    ]);
    assert!(!output.status.success());
    assert!(
        said(&output).contains("rank 1 has another input"),
        "{}",
        said(&output)
    );
}

#[test]
fn without_mpirun_it_says_how_to_start() {
    let output = Command::new(env!("CARGO_BIN_EXE_warpline-phold"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("mpirun -n"), "{}", said(&output));
}
