//! `warpline check`: law 1 (one committed history, whatever the executor and its look-ahead), no overlaps
//! in it, and conservation of momentum.

use crate::algorithm::Named;
use crate::audit::{Audit, Findings};
use crate::changes::Changes;
use crate::conservation::{self, Conservation};
use crate::failure::Failure;
use crate::output::print;
use crate::simulate::{Progress, simulate_hashed};
use crate::source::SceneArguments;
use crate::table::{Table, short};
use sim::{Algorithm, Discard, History, LookAhead, World};

/// Arguments of `check`.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    scene: SceneArguments,
    /// Check momentum and angular momentum for every event and every step of a contact group
    #[arg(long)]
    conservation: bool,
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
        named("checking: forward, back, forward", Algorithm::Checking),
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
    let mut books = arguments
        .conservation
        .then(|| Changes::new(&world, Conservation::new(&world)));
    let mut reference: Option<String> = None;
    let mut differing = Vec::new();
    let mut at_impact = 0.0f64;
    for (index, named) in executors(&world).iter().enumerate() {
        let mut progress = Progress::new(&world);
        let ran = match index {
            0 => {
                let mut nobody = Discard;
                let books: &mut dyn History = match &mut books {
                    Some(books) => books,
                    None => &mut nobody,
                };
                simulate_hashed(&world, named, &mut (&mut progress, (&mut audit, books)))
            }
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
    let findings = audit.conclude();
    text += &overlap_report(&findings, at_impact);
    let mut conserved = "";
    let mut wrong = Vec::new();
    if !differing.is_empty() {
        let names = differing.join("; ");
        wrong.push(format!("a different history was committed by: {names}"));
    }
    wrong.extend(overlap_verdict(&world, &findings, at_impact));
    if let Some(books) = books {
        let books = books.conclude();
        text += &books.report();
        conserved = match books.is_empty() {
            true => "; nothing whose momentum could be checked",
            false => ", momentum conserved",
        };
        let names = ["momentum", "angular momentum"];
        for (name, worst) in names.iter().zip(books.worst()) {
            if worst.relative > conservation::TOLERANCE {
                wrong.push(format!(
                    "{name} is not conserved ({})",
                    short(worst.relative)
                ));
            }
        }
    }
    print(&text)?;
    if wrong.is_empty() {
        let passed = format!("passed: one history, no overlap beyond what is allowed{conserved}\n");
        return print(&passed);
    }
    Err(Failure::run(
        format!("check failed: {}", wrong.join("; and ")),
        None,
    ))
}

/// Lines about overlaps.
fn overlap_report(findings: &Findings, at_impact: f64) -> String {
    let samples = findings.samples;
    let mut text = format!("\ndeepest overlap at {samples} audited times: ");
    match &findings.deepest {
        Some(deepest) => {
            let (depth, allowed) = (short(deepest.depth), short(deepest.allowed));
            let [a, b] = &deepest.bodies;
            text += &format!("{depth} m, between `{a}` and `{b}` (allowed: {allowed} m)\n");
        }
        None => text += "none\n",
    }
    text + &format!("deepest overlap at a collision: {} m\n", short(at_impact))
}

/// What is wrong with overlaps, if anything.
fn overlap_verdict(world: &World, findings: &Findings, at_impact: f64) -> Option<String> {
    let deepest = findings.deepest.as_ref();
    if let Some(deepest) = deepest.filter(|d| d.depth > d.allowed) {
        let [a, b] = &deepest.bodies;
        let depth = short(deepest.depth);
        return Some(format!("`{a}` and `{b}` overlap by {depth} m"));
    }
    // Where contacts last their solver answers for depths; a bounce has to be found in time.
    let allowed = crate::audit::OVERLAP_BOUNCING;
    let late = world.contact.is_none() && at_impact > allowed;
    late.then(|| format!("a collision was found {} m too late", short(at_impact)))
}
