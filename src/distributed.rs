//! `run --algorithm distributed`: a world's regions on the ranks of an MPI job. Rank 0 is the one that talks to people.

use crate::failure::Failure;
use sim::World;
use warpline::running::Runner;

/// Runs a world on all ranks; `put_out` runs it on the first, and writes what comes of it.
#[cfg(feature = "mpi")]
pub fn run(
    threads: usize,
    load: impl FnOnce() -> Result<World, Failure>,
    put_out: impl FnOnce(&World, &mut Runner) -> Result<(), Failure>,
) -> Result<(), Failure> {
    use mpi::{Begun, Meetings};
    use sim::{Discard, RunError, run_on_ranks};

    let refuse = |error: mpi::JobError| Failure::input(error.to_string(), None);
    let begun = Begun::new().map_err(refuse)?;
    let is_first = begun.rank() == 0;
    let world = match load() {
        Ok(world) => world,
        // All ranks have read the same; one of them says what is wrong with it.
        Err(failure) if is_first => return Err(failure),
        Err(_) => return Ok(()),
    };
    let job = match begun.agree(env!("CARGO_PKG_VERSION"), digest(&world, threads)) {
        Ok(job) => job,
        Err(error) if is_first => return Err(refuse(error)),
        Err(_) => return Ok(()),
    };
    let mut meetings = Meetings::new(&job);
    if is_first {
        return put_out(&world, &mut |world, _, history| {
            let ran = run_on_ranks(world, threads, &mut meetings, history)?;
            ran.ok_or(RunError::NoRanks)
        });
    }
    match run_on_ranks(&world, threads, &mut meetings, &mut Discard) {
        Err(error @ RunError::Network { .. }) => Err(error.into()),
        // The first rank says what there is to say.
        _ => Ok(()),
    }
}

/// What tells worlds apart that ranks must have in common.
#[cfg(feature = "mpi")]
fn digest(world: &World, threads: usize) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};

    let mut hasher = DefaultHasher::new();
    (threads, world.until, world.models.len()).hash(&mut hasher);
    for model in &world.models {
        let mass = model.mass;
        let radius = model.bounding_radius();
        for number in [
            mass.mass,
            radius,
            model.gravity.x,
            model.gravity.y,
            model.gravity.z,
        ] {
            number.to_bits().hash(&mut hasher);
        }
    }
    for body in &world.bodies {
        body.name.hash(&mut hasher);
        body.model.hash(&mut hasher);
        let start = &body.start;
        for vector in [start.position, start.velocity, start.spin] {
            vector.to_array().map(f64::to_bits).hash(&mut hasher);
        }
        start
            .rotation
            .to_array()
            .map(f64::to_bits)
            .hash(&mut hasher);
    }
    hasher.finish()
}

/// This program was built without MPI.
#[cfg(not(feature = "mpi"))]
pub fn run(
    _: usize,
    _: impl FnOnce() -> Result<World, Failure>,
    _: impl FnOnce(&World, &mut Runner) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let help = "install an MPI library (Debian: libopenmpi-dev, openmpi-bin and libclang-dev), build with \
                `cargo install --path . --features mpi`, and start it with `mpirun -n RANKS warpline run SCENE --algorithm distributed`";
    Err(Failure::input(
        "this `warpline` was built without MPI, which `distributed` needs",
        Some(help.into()),
    ))
}
