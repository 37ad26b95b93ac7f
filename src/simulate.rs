//! One run of a subcommand: the library does it, and a bar shows how far it is.

use crate::algorithm::Named;
use crate::failure::Failure;
use record::Segment;
use sim::{History, Stats, World};
use std::io::IsTerminal;
use std::time::{Duration, Instant};
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
    name: String,
    until: f64,
    begun: Instant,
    /// When the bar was drawn last.
    drawn: Option<Instant>,
    is_seen: bool,
}

/// Between two pictures of the bar.
const DRAW_EVERY: Duration = Duration::from_millis(100);
/// Letters of a whole bar.
const BAR: usize = 40;

impl Progress {
    /// A bar for a world; invisible where there is no terminal.
    pub fn new(world: &World) -> Self {
        Progress {
            name: world.name.clone(),
            until: world.until.seconds(),
            begun: Instant::now(),
            drawn: None,
            is_seen: std::io::stderr().is_terminal(),
        }
    }

    /// Takes the bar away.
    pub fn clear(&mut self) {
        if self.drawn.take().is_some() {
            anstream::eprint!("\r\x1b[K");
        }
    }

    /// The bar when a share of the run is done, after so many seconds.
    fn line(&self, share: f64, elapsed: f64) -> String {
        let full = ((share * BAR as f64) as usize).min(BAR);
        let bar = format!("{}{}", "█".repeat(full), "░".repeat(BAR - full));
        let left = match share > 0.0 {
            true => format!(", {} to go", clock(elapsed * (1.0 - share) / share)),
            false => String::new(),
        };
        let percent = (share * 100.0).floor();
        let (name, gone) = (&self.name, clock(elapsed));
        format!("{name} \x1b[36m{bar}\x1b[0m {percent:>3} %  {gone} elapsed{left}")
    }
}

/// Seconds as hours, minutes and seconds.
fn clock(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match hours {
        0 => format!("{minutes}:{:02}", seconds % 60),
        _ => format!("{hours}:{minutes:02}:{:02}", seconds % 60),
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

impl History for Progress {
    fn segment(&mut self, _: &Segment<'_>) -> sim::Told {
        Ok(())
    }

    fn gvt(&mut self, tick: Tick) -> sim::Told {
        // What is over at once needs no bar.
        let last = self.drawn.unwrap_or(self.begun);
        if self.is_seen && last.elapsed() >= DRAW_EVERY {
            self.drawn = Some(Instant::now());
            let share = (tick.seconds() / self.until).clamp(0.0, 1.0);
            let line = self.line(share, self.begun.elapsed().as_secs_f64());
            anstream::eprint!("\r{line}\x1b[K");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_says_how_far_the_run_is_and_how_long_it_will_take() {
        let progress = Progress {
            name: "gas".into(),
            until: 1.0,
            begun: Instant::now(),
            drawn: None,
            is_seen: false,
        };
        let line = |share, elapsed| {
            anstream::adapter::strip_str(&progress.line(share, elapsed)).to_string()
        };
        let half = format!(
            "gas {}{}  50 %  1:01 elapsed, 1:01 to go",
            "█".repeat(20),
            "░".repeat(20)
        );
        assert_eq!(line(0.5, 61.0), half);
        assert!(line(0.0, 0.1).ends_with("0 %  0:00 elapsed"));
        assert!(line(1.0, 3661.0).ends_with("100 %  1:01:01 elapsed, 0:00 to go"));
    }
}
