//! One run of a subcommand: the library does it, and a bar shows how far it is.

use crate::algorithm::Named;
use crate::failure::Failure;
use indicatif::{ProgressBar, ProgressStyle};
use record::Segment;
use sim::{History, Stats, World};
use warp::Tick;
use warpline::running;

/// Runs a world and fills in the statistics that only the outside can know (clocks and energy).
pub fn simulate(world: &World, named: &Named, history: &mut dyn History) -> Result<Stats, Failure> {
    Ok(running::timed(world, named, history)?.stats)
}

/// Runs a world and also hashes its history.
pub fn simulate_hashed(
    world: &World,
    named: &Named,
    other: &mut dyn History,
) -> Result<Stats, Failure> {
    Ok(running::hashed(world, named, other)?.stats)
}

/// Runs a world, hashes its history, and keeps the books of its energy if they are wanted.
pub fn simulate_measured(
    world: &World,
    named: &Named,
    books: bool,
    other: &mut dyn History,
) -> Result<Stats, Failure> {
    Ok(running::measured(world, named, books, other)?.stats)
}

/// Shows GVT as a bar on a terminal.
pub struct Progress {
    bar: ProgressBar,
    until: f64,
}

/// Steps of the bar.
const STEPS: f64 = 1e4;

impl Progress {
    /// A bar for a world; invisible where there is no terminal.
    pub fn new(world: &World) -> Self {
        let bar = ProgressBar::new(STEPS as u64);
        let template = "{msg} {bar:40.cyan/blue} {percent:>3} %  {elapsed} elapsed, {eta} to go";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(world.name.clone());
        Progress {
            bar,
            until: world.until.seconds(),
        }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl History for Progress {
    fn segment(&mut self, _: &Segment<'_>) -> sim::Told {
        Ok(())
    }

    fn gvt(&mut self, tick: Tick) -> sim::Told {
        let share = (tick.seconds() / self.until).clamp(0.0, 1.0);
        self.bar.set_position((share * STEPS) as u64);
        Ok(())
    }
}
