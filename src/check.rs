//! `warpline check`: law 1 (one committed history, whatever the executor and its look-ahead), no overlaps
//! in it, and conservation of momentum.

use crate::algorithm::Named;
use crate::audit::{Audit, Findings, Moments};
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
    /// Print the verdict as JSON, on standard output, whether it is good or bad
    #[arg(long)]
    json: bool,
}

/// The verdict for programs.
#[derive(serde::Serialize)]
struct Verdict {
    scene: String,
    passed: bool,
    /// What is wrong, in words.
    failures: Vec<String>,
    executors: Vec<Ran>,
    audited_times: usize,
    deepest_overlap: Option<Overlap>,
    max_penetration_m: f64,
    /// Relative errors of momentum and of angular momentum, where they were asked for.
    momentum_error_relative: Option<f64>,
    angular_momentum_error_relative: Option<f64>,
}

/// One executor's run.
#[derive(serde::Serialize)]
struct Ran {
    executor: String,
    events_committed: u64,
    rollbacks: u64,
    segments_undone: u64,
    history_sha256: String,
    same: bool,
}

/// Two bodies that overlap.
#[derive(serde::Serialize)]
struct Overlap {
    depth_m: f64,
    allowed_m: f64,
    bodies: [String; 2],
}

/// Ticks at which committed states are audited.
const SAMPLES: usize = 100;

/// Every event-driven executor. The oracle's tape knows collisions, not the steps of deformables, nor multibodies.
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
    // Where a world is not divided, one run tells that it is not.
    let regions: &[usize] = match sim::undivided(world) {
        None => &[1, 2, 3, 4, 16],
        Some(_) => &[2],
    };
    for &regions in regions {
        let name = format!("parallel, regions: {regions}");
        executors.push(named(&name, Algorithm::Parallel(regions)));
    }
    if world.deformables.is_empty() && world.multibodies.is_empty() {
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
    // The first run tells when steps end; the second is audited there.
    let mut moments = Moments::default();
    let mut at_moments: Option<Audit> = None;
    let mut books = arguments
        .conservation
        .then(|| Changes::new(&world, Conservation::new(&world)));
    let mut reference: Option<String> = None;
    let mut differing = Vec::new();
    let mut ran_all = Vec::new();
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
                let mut listeners = (&mut progress, (&mut audit, (&mut moments, books)));
                simulate_hashed(&world, named, &mut listeners)
            }
            1 => {
                let audit = at_moments.insert(Audit::at_moments(&world, &moments));
                simulate_hashed(&world, named, &mut (&mut progress, audit))
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
        ran_all.push(Ran {
            executor: named.name.clone(),
            events_committed: stats.events_committed,
            rollbacks: stats.rollbacks,
            segments_undone: stats.segments_undone,
            history_sha256: hash.clone(),
            same,
        });
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
    let mut findings = audit.conclude();
    if let Some(audit) = at_moments {
        findings = findings.and(audit.conclude());
    }
    text += &overlap_report(&findings, at_impact);
    let mut conserved = "";
    let mut wrong = Vec::new();
    if !differing.is_empty() {
        let names = differing.join("; ");
        wrong.push(format!("a different history was committed by: {names}"));
    }
    wrong.extend(overlap_verdict(&world, &findings, at_impact));
    let mut errors = [None, None];
    if let Some(books) = books {
        let books = books.conclude();
        errors = books.worst().each_ref().map(|worst| Some(worst.relative));
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
    if arguments.json {
        let verdict = Verdict {
            scene: world.name.clone(),
            passed: wrong.is_empty(),
            failures: wrong.clone(),
            executors: ran_all,
            audited_times: findings.samples,
            deepest_overlap: findings.deepest.as_ref().map(|deepest| Overlap {
                depth_m: deepest.depth,
                allowed_m: deepest.allowed,
                bodies: deepest.bodies.clone(),
            }),
            max_penetration_m: at_impact,
            momentum_error_relative: errors[0],
            angular_momentum_error_relative: errors[1],
        };
        let json = serde_json::to_string_pretty(&verdict);
        let json =
            json.map_err(|e| Failure::run(format!("cannot write the verdict: {e}"), None))?;
        print(&(json + "\n"))?;
    } else {
        print(&text)?;
    }
    if wrong.is_empty() && arguments.json {
        return Ok(());
    }
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
    let mut text =
        format!("\ndeepest overlap at {samples} audited times, ends of steps among them: ");
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
