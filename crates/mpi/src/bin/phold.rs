//! PHOLD or colliding pucks over the ranks of an MPI job: `mpirun -n 2 warpline-phold`.

use clap::{Parser, ValueEnum};
use cpu_time::ProcessTime;
use std::process::ExitCode;
use std::time::Instant;
use warp::Tick;
use warp::message::{
    Delay, Hostile, LowestFirst, Model, Optimistic, Phold, Pucks, Statistics, TraceHash, Transport,
    Wire, run_sequential,
};
use warpline_mpi::{Begun, Job, Ranks};

/// What is run.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Load {
    /// PHOLD: random messages after random delays
    Phold,
    /// PHOLD in which every message travels for exactly one second, so that all events tie
    Tied,
    /// Pucks that collide on a table
    Pucks,
}

/// Runs PHOLD over all ranks and prints what the job did, with the hash of its committed history.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// The model
    #[arg(long, value_enum, default_value = "phold")]
    model: Load,
    /// Sectors along each side of the table of pucks, with five pucks in each
    #[arg(long, default_value_t = 16)]
    sectors: u32,
    /// Processes of PHOLD
    #[arg(long, default_value_t = 2048)]
    processes: u32,
    /// Events that each process begins with
    #[arg(long, default_value_t = 16)]
    events_each: u32,
    /// The probability that a message goes to a random process
    #[arg(long, default_value_t = 0.1)]
    remote: f64,
    /// Seconds of virtual time
    #[arg(long, default_value_t = 90.0)]
    until: f64,
    /// Seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Hold back up to so many parcels and deliver them in a random order, antimessages first
    #[arg(long, default_value_t = 0)]
    hostile: usize,
    /// Repetitions; the fastest counts
    #[arg(long, default_value_t = 1)]
    repetitions: u32,
    /// Run the plain event loop on rank 0 as well, and end with 1 if its history is another
    #[arg(long)]
    verify: bool,
    /// Fail on this rank half-way, to see the job end
    #[arg(long, hide = true)]
    fail_on: Option<usize>,
}

impl Arguments {
    fn phold(&self, delay: Delay) -> Phold {
        Phold {
            processes: self.processes,
            events_each: self.events_each,
            remote: self.remote,
            delay,
            seed: self.seed,
        }
    }

    fn pucks(&self) -> Pucks {
        Pucks {
            sectors: self.sectors,
            pucks_each: 5,
            seed: self.seed,
        }
    }

    /// A number that stands for all that the ranks must have in common.
    fn digest(&self) -> u64 {
        let text = format!("{self:?}");
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        text.bytes().fold(0xCBF2_9CE4_8422_2325, mix)
    }
}

/// What one run on all ranks did.
struct Ran {
    wall_s: f64,
    cpu_s: f64,
    history: (u64, u64),
    statistics: Statistics,
}

fn run<M: Model<Payload: Wire>>(arguments: &Arguments, job: &Job, model: &M) -> Ran {
    let ranks = Ranks::new(job);
    match arguments.hostile {
        0 => run_over(arguments, job, model, ranks),
        most => {
            let hostile = Hostile::new(ranks, most, arguments.seed);
            run_over(arguments, job, model, hostile)
        }
    }
}

fn run_over<M: Model>(
    arguments: &Arguments,
    job: &Job,
    model: &M,
    transport: impl Transport<M::Payload>,
) -> Ran {
    let until = Tick::from_seconds(arguments.until);
    let mut trace = TraceHash::default();
    job.meet();
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let mut worker = Optimistic::new(model, LowestFirst::default(), transport);
    if arguments.fail_on == Some(job.rank()) {
        worker.run(Tick::from_seconds(0.5 * arguments.until), &mut trace);
        panic!("asked to fail");
    }
    let statistics = worker.run(until, &mut trace);
    let cpu = cpu.elapsed();
    job.meet();
    let wall_s = wall.elapsed().as_secs_f64();
    let (events, sum) = trace.finish();
    let all = job.gather(&[
        events,
        sum,
        cpu.as_nanos() as u64,
        statistics.processed,
        statistics.undone,
        statistics.committed,
        statistics.rollbacks,
        statistics.posted,
        statistics.antimessages,
        statistics.antimessages_first,
    ]);
    let total = |column: usize| {
        all.iter()
            .skip(column)
            .step_by(10)
            .fold(0u64, |a, b| a.wrapping_add(*b))
    };
    Ran {
        wall_s,
        cpu_s: total(2) as f64 * 1e-9,
        history: (total(0), total(1)),
        statistics: Statistics {
            processed: total(3),
            undone: total(4),
            committed: total(5),
            rollbacks: total(6),
            posted: total(7),
            antimessages: total(8),
            antimessages_first: total(9),
            ..statistics
        },
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let begun = Begun::new();
    let job = match begun.and_then(|b| b.agree(env!("CARGO_PKG_VERSION"), arguments.digest())) {
        Ok(job) => job,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    match arguments.model {
        Load::Phold => best_of(&arguments, &job, &arguments.phold(Delay::Exponential)),
        Load::Tied => best_of(&arguments, &job, &arguments.phold(Delay::Tied)),
        Load::Pucks => best_of(&arguments, &job, &arguments.pucks()),
    }
}

/// Runs a model as often as was asked for, and reports the fastest run.
fn best_of<M: Model<Payload: Wire>>(arguments: &Arguments, job: &Job, model: &M) -> ExitCode {
    let runs = (0..arguments.repetitions.max(1)).map(|_| run(arguments, job, model));
    match runs.min_by(|a, b| a.wall_s.total_cmp(&b.wall_s)) {
        Some(best) if job.rank() == 0 => report(arguments, job, model, &best),
        _ => ExitCode::SUCCESS,
    }
}

fn report<M: Model>(arguments: &Arguments, job: &Job, model: &M, ran: &Ran) -> ExitCode {
    let Statistics {
        processed,
        undone,
        committed,
        rollbacks,
        posted,
        antimessages,
        antimessages_first,
        ..
    } = ran.statistics;
    println!("ranks               {}", job.ranks());
    println!("committed           {committed}");
    println!(
        "million a second    {:.2}",
        committed as f64 / ran.wall_s / 1e6
    );
    println!("CPU seconds         {:.3}", ran.cpu_s);
    println!("wall seconds        {:.3}", ran.wall_s);
    println!("efficiency          {:.4}", ran.statistics.efficiency());
    println!("processed, undone   {processed}, {undone} in {rollbacks} rollbacks");
    println!(
        "between ranks       {posted} messages, {antimessages} antimessages, {antimessages_first} of them first"
    );
    println!(
        "history             {} events, {:016x}",
        ran.history.0, ran.history.1
    );
    if !arguments.verify {
        return ExitCode::SUCCESS;
    }
    let mut plain = TraceHash::default();
    run_sequential(model, Tick::from_seconds(arguments.until), &mut plain);
    match plain.finish() == ran.history {
        true => {
            println!("the plain event loop commits the same history");
            ExitCode::SUCCESS
        }
        false => {
            eprintln!(
                "the plain event loop commits another history: {:016x}",
                plain.finish().1
            );
            ExitCode::from(1)
        }
    }
}
