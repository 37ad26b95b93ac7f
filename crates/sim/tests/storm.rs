//! Random worlds of all features, under every executor and look-ahead, with late inputs, branches and
//! checkpoints: one history, finite numbers, bounded time, work and memory. A seed replays a failure:
//!
//! `WARPLINE_SEED=17 cargo nextest run -p warpline-sim storm::`
//!
//! Hours of it, with worlds cut down to what shows a fault: the example `storm`.

use crate::random_worlds;

use random_worlds::draw::plan;
use random_worlds::verdict::{Bounds, Verdict, judge};

/// Worlds in an ordinary run.
const WORLDS: u64 = 40;

/// Worlds whose faults are known and not yet mended, left out of an ordinary run. An entry is taken out with
/// the change that mends it; `WARPLINE_SEED` runs it all the same.
const OPEN: [(u64, &str); 0] = [];

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    match text.parse() {
        Ok(number) => Some(number),
        Err(_) => panic!("{variable}={text}: expected a whole number"),
    }
}

#[test]
fn random_worlds_of_all_features_have_one_history() {
    let seeds = match number("WARPLINE_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("WARPLINE_WORLDS").unwrap_or(WORLDS),
    };
    let count = seeds.end - seeds.start;
    let (mut sound, mut failed, mut refused, mut events, mut undone) = (0, 0, 0, 0, 0);
    let is_chosen = count == 1;
    for seed in seeds {
        if let Some((_, why)) = OPEN.iter().find(|(open, _)| *open == seed && !is_chosen) {
            println!("seed {seed}: left out: {why}");
            continue;
        }
        match judge(&plan(seed), Bounds::default()) {
            Verdict::Sound {
                events: e,
                undone: u,
            } => {
                (sound, events, undone) = (sound + 1, events + e, undone + u);
            }
            Verdict::Failed(error) => {
                println!("seed {seed}: {error}");
                failed += 1;
            }
            Verdict::Refused(error) => {
                println!("seed {seed}: refused: {error}");
                refused += 1;
            }
            Verdict::Fault(fault) => panic!(
                "world {seed}: {fault}\nreplay: WARPLINE_SEED={seed} cargo nextest run -p \
                 warpline-sim storm::\nthe smallest such world: cargo run --profile dev -p \
                 warpline-sim --example storm -- --shrink {seed}"
            ),
        }
    }
    println!(
        "{sound} worlds sound, {failed} ended with an error, {refused} refused; {events} events, \
         {undone} segments undone"
    );
    if count >= WORLDS {
        // A generator whose worlds are refused, fail or are dull tests nothing.
        assert!(
            10 * refused <= count,
            "{refused} of {count} worlds are refused"
        );
        assert!(4 * failed <= count, "{failed} of {count} runs fail");
        assert!(
            events > 20 * count && undone > 5 * count,
            "{events} events, {undone} undone"
        );
    }
}
