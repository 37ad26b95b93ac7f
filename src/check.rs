//! `warpline check`: law 1 (one committed history, whatever the executor and its look-ahead) and no
//! overlaps in it.

use crate::algorithm::Named;
use crate::audit::Audit;
use crate::failure::Failure;
use crate::output::print;
use crate::simulate::{Progress, simulate_hashed};
use crate::source::SceneArguments;
use crate::table::{Table, short};
use sim::{Algorithm, LookAhead, World};

/// Arguments of `check`.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    scene: SceneArguments,
}

/// Overlap tolerated between bodies that only bounce, metres: a thousandth of a millimetre, far above
/// rounding, far below anything that tunnels.
const OVERLAP_BOUNCING: f64 = 1e-6;

/// Overlap tolerated in a world: contacts that last may be as soft as their solver's margin.
fn overlap_allowed(world: &World) -> f64 {
    let rules = world.contact.as_ref();
    rules.map_or(OVERLAP_BOUNCING, |rules| rules.margin)
}

/// Ticks at which committed states are audited.
const SAMPLES: usize = 100;

/// Every event-driven executor. The oracle's tape knows collisions, not the steps of deformables.
fn executors(world: &World) -> Vec<Named> {
    let named = |name: &str, algorithm| Named {
        name: name.into(),
        algorithm,
    };
    let ahead = |text: &str, look_ahead| {
        let name = format!("timewarp, look-ahead {text}");
        named(&name, Algorithm::TimeWarp(look_ahead))
    };
    let mut executors = vec![
        named("ordered", Algorithm::Ordered),
        ahead("one event", LookAhead::OneEvent),
        ahead("1 µs", LookAhead::Seconds(1e-6)),
        ahead("100 µs", LookAhead::Seconds(1e-4)),
        ahead("10 ms", LookAhead::Seconds(1e-2)),
        ahead("1 s", LookAhead::Seconds(1.0)),
        ahead("8 s", LookAhead::Seconds(8.0)),
        ahead("adaptive", LookAhead::Adaptive),
    ];
    if world.deformables.is_empty() {
        executors.push(named("oracle", Algorithm::Oracle));
    }
    executors
}

/// Runs the command.
pub fn check(arguments: &Arguments) -> Result<(), Failure> {
    let world = arguments.scene.load()?.world;
    let heading = ["executor", "events", "rolled back", "undone", "history", ""];
    let mut table = Table::new(heading);
    let mut audit = Audit::new(&world, SAMPLES);
    let mut reference: Option<String> = None;
    let mut differing = Vec::new();
    let mut at_impact = 0.0f64;
    for (index, named) in executors(&world).iter().enumerate() {
        let mut progress = Progress::new(&world);
        let ran = match index {
            0 => simulate_hashed(&world, named, &mut (&mut progress, &mut audit)),
            _ => simulate_hashed(&world, named, &mut progress),
        };
        progress.clear();
        let stats = ran?;
        at_impact = at_impact.max(stats.max_penetration_m);
        let hash = stats.history_sha256;
        let same = *reference.get_or_insert_with(|| hash.clone()) == hash;
        if !same {
            differing.push(named.name.clone());
        }
        table.row([
            named.name.clone(),
            stats.events_committed.to_string(),
            stats.rollbacks.to_string(),
            stats.segments_undone.to_string(),
            hash[..16].to_string(),
            if same { "same" } else { "DIFFERENT" }.to_string(),
        ]);
    }
    let mut text = table.render();
    let allowed = overlap_allowed(&world);
    let mut deepest = overlap_report(audit, allowed, &mut text);
    // Where contacts last their solver answers for depths; a bounce has to be found in time.
    if world.contact.is_none() {
        text += &format!("deepest overlap at a bounce: {} m\n", short(at_impact));
        deepest = deepest.max(at_impact);
    }
    print(&text)?;
    verdict(&differing, deepest, allowed)
}

/// Adds a line about overlaps; gives the deepest.
fn overlap_report(audit: Audit<'_>, allowed: f64, text: &mut String) -> f64 {
    let findings = audit.conclude();
    let samples = findings.samples;
    let (depth, pair) = match findings.deepest {
        Some((depth, a, b)) => (depth, format!(", between `{a}` and `{b}`")),
        None => (0.0, String::new()),
    };
    *text += &format!(
        "\ndeepest overlap at {samples} audited times: {} m{pair} (allowed: {allowed:.0e} m)\n",
        short(depth)
    );
    depth
}

fn verdict(differing: &[String], deepest: f64, allowed: f64) -> Result<(), Failure> {
    let mut wrong = Vec::new();
    if !differing.is_empty() {
        let names = differing.join("; ");
        wrong.push(format!("a different history was committed by: {names}"));
    }
    if deepest > allowed {
        wrong.push(format!("bodies overlap by {} m", short(deepest)));
    }
    if wrong.is_empty() {
        return print("passed: one history, no overlap beyond what is allowed\n");
    }
    Err(Failure::run(
        format!("check failed: {}", wrong.join("; and ")),
        None,
    ))
}
