//! How the benchmarks measure: CPU time of the own thread, best of several repetitions that take
//! turns, because elapsed time on a shared machine says nothing.

// Every benchmark includes this module and uses a part of it.
#![allow(dead_code, unused_imports)]

mod scene;

#[allow(unused_imports)]
pub use scene::{scene, scene_of};

use cpu_time::ThreadTime;
use sim::{Algorithm, Discard, Stats, World};

/// Seconds of this thread's CPU time that `work` takes, and its result.
pub fn cpu<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = ThreadTime::now();
    let result = work();
    (start.elapsed().as_secs_f64(), result)
}

/// CPU seconds and statistics of one run whose history goes nowhere.
pub fn run(world: &World, algorithm: Algorithm) -> (f64, Stats) {
    let (seconds, result) = cpu(|| sim::run(world, algorithm, &mut Discard));
    match result {
        Ok((stats, _)) => (seconds, stats),
        Err(error) => panic!("{} under {algorithm:?}: {error}", world.name),
    }
}

/// What the command line asks for: `--quick` for short runs, `--only TEXT` for the rows whose name
/// contains a text, `--csv FILE` for a copy of the table.
pub struct Options {
    /// Short runs.
    pub quick: bool,
    /// Part of the names of the rows wanted.
    pub only: Option<String>,
    csv: Option<String>,
}

impl Options {
    /// From the command line; what the test runner adds is passed over.
    pub fn parse() -> Self {
        let mut arguments = std::env::args().skip(1);
        let mut options = Options {
            quick: false,
            only: None,
            csv: None,
        };
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--quick" => options.quick = true,
                "--only" => options.only = arguments.next(),
                "--csv" => options.csv = arguments.next(),
                "--bench" | "--test" => {}
                other => {
                    eprintln!(
                        "unknown option `{other}`; expected --quick, --only TEXT or --csv FILE"
                    );
                    std::process::exit(2);
                }
            }
        }
        options
    }
}

/// A table that prints itself as Markdown, row by row, and is kept for the CSV file.
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Prints the head.
    pub fn new(head: &[&str]) -> Self {
        println!("| {} |", head.join(" | "));
        println!("|{}", "---|".repeat(head.len()));
        Table {
            rows: vec![head.iter().map(|h| h.to_string()).collect()],
        }
    }

    /// Prints a row.
    pub fn row(&mut self, cells: Vec<String>) {
        println!("| {} |", cells.join(" | "));
        self.rows.push(cells);
    }

    /// Writes the CSV file, if one was asked for.
    pub fn finish(self, options: &Options) {
        let Some(path) = &options.csv else {
            return;
        };
        let lines: Vec<String> = self.rows.iter().map(|row| row.join(",")).collect();
        if let Err(error) = std::fs::write(path, lines.join("\n") + "\n") {
            eprintln!("cannot write {path}: {error}");
            std::process::exit(1);
        }
    }
}
