//! PHOLD over the ranks of an MPI job: `mpirun -n 2 warpline-phold --load P2`.

use clap::Parser;
use cpu_time::ProcessTime;
use std::process::ExitCode;
use std::time::Instant;
use warp::Tick;
use warp::message::{
    Delay, Hostile, LowestFirst, Optimistic, Phold, Statistics, TraceHash, Transport,
    run_sequential,
};
use warpline_mpi::{Begun, Job, Ranks};

/// Runs PHOLD over all ranks and prints what the job did, with the hash of its committed history.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Processes
    #[arg(long, default_value_t = 2048)]
    processes: u32,
    /// Events that each process begins with
    #[arg(long, default_value_t = 16)]
    events_each: u32,
    /// The probability that a message goes to a random process
    #[arg(long, default_value_t = 0.1)]
    remote: f64,
    /// Every message travels for exactly one second, so that all events tie
    #[arg(long)]
    tied: bool,
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
    fn model(&self) -> Phold {
        Phold {
            processes: self.processes,
            events_each: self.events_each,
            remote: self.remote,
            delay: match self.tied {
                true => Delay::Tied,
                false => Delay::Exponential,
            },
            seed: self.seed,
        }
    }

    /// A number that stands for all that the ranks must have in common.
    fn digest(&self) -> u64 {
        let model = self.model();
        let text = format!(
            "{model:?} {} {} {}",
            self.until, self.repetitions, self.hostile
        );
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

fn run(arguments: &Arguments, job: &Job) -> Ran {
    let ranks = Ranks::new(job);
    match arguments.hostile {
        0 => run_over(arguments, job, ranks),
        most => run_over(arguments, job, Hostile::new(ranks, most, arguments.seed)),
    }
}

fn run_over(arguments: &Arguments, job: &Job, transport: impl Transport<()>) -> Ran {
    let model = arguments.model();
    let until = Tick::from_seconds(arguments.until);
    let mut trace = TraceHash::default();
    job.meet();
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let mut worker = Optimistic::new(&model, LowestFirst::default(), transport);
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
    let mut best: Option<Ran> = None;
    for _ in 0..arguments.repetitions.max(1) {
        let ran = run(&arguments, &job);
        if best.as_ref().is_none_or(|best| ran.wall_s < best.wall_s) {
            best = Some(ran);
        }
    }
    match best {
        Some(best) if job.rank() == 0 => report(&arguments, &job, &best),
        _ => ExitCode::SUCCESS,
    }
}

fn report(arguments: &Arguments, job: &Job, ran: &Ran) -> ExitCode {
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
    let model = arguments.model();
    run_sequential(&model, Tick::from_seconds(arguments.until), &mut plain);
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
