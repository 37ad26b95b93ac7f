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

/// What the runs of all executors have shown.
struct Runs<'w> {
    executors: Vec<Ran>,
    findings: Findings,
    /// The deepest overlap at a collision, metres.
    at_impact: f64,
    books: Option<Conservation<'w>>,
}

/// Runs a world under every executor; the first runs are audited, and the first one's books are kept if they are wanted.
fn run_all(world: &World, conservation: bool) -> Result<Runs<'_>, Failure> {
    let mut audit = Audit::new(world, SAMPLES);
    // The first run tells when steps end; the second is audited there.
    let mut moments = Moments::default();
    let mut at_moments: Option<Audit> = None;
    let mut books = conservation.then(|| Changes::new(world, Conservation::new(world)));
    let mut executors: Vec<Ran> = Vec::new();
    let mut at_impact = 0.0f64;
    for (index, named) in self::executors(world).iter().enumerate() {
        let mut progress = Progress::new(world);
        let ran = match index {
            0 => {
                let mut nobody = Discard;
                let books: &mut dyn History = match &mut books {
                    Some(books) => books,
                    None => &mut nobody,
                };
                let mut listeners = (&mut progress, (&mut audit, (&mut moments, books)));
                simulate_hashed(world, named, &mut listeners)
            }
            1 => {
                let audit = at_moments.insert(Audit::at_moments(world, &moments));
                simulate_hashed(world, named, &mut (&mut progress, audit))
            }
            _ => simulate_hashed(world, named, &mut progress),
        };
        progress.clear();
        let stats = ran?;
        at_impact = at_impact.max(stats.max_penetration_m);
        let first = executors.first().map(|first| &first.history_sha256);
        executors.push(Ran {
            executor: named.name.clone(),
            events_committed: stats.events_committed,
            rollbacks: stats.rollbacks,
            segments_undone: stats.segments_undone,
            same: first.is_none_or(|first| *first == stats.history_sha256),
            history_sha256: stats.history_sha256,
        });
    }
    let mut findings = audit.conclude();
    if let Some(audit) = at_moments {
        findings = findings.and(audit.conclude());
    }
    Ok(Runs {
        executors,
        findings,
        at_impact,
        books: books.map(Changes::conclude),
    })
}

impl Runs<'_> {
    /// A line for each executor.
    fn table(&self) -> Table {
        let heading = ["executor", "events", "rolled back", "undone", "history", ""];
        let mut table = Table::new(heading);
        for ran in &self.executors {
            table.row([
                ran.executor.clone(),
                ran.events_committed.to_string(),
                ran.rollbacks.to_string(),
                ran.segments_undone.to_string(),
                ran.history_sha256[..16].to_string(),
                if ran.same { "same" } else { "DIFFERENT" }.to_string(),
            ]);
        }
        table
    }

    /// What is wrong, in words.
    fn failures(&self, world: &World) -> Vec<String> {
        let mut wrong = Vec::new();
        let differing = self.executors.iter().filter(|ran| !ran.same);
        let differing: Vec<&str> = differing.map(|ran| ran.executor.as_str()).collect();
        if !differing.is_empty() {
            let names = differing.join("; ");
            wrong.push(format!("a different history was committed by: {names}"));
        }
        wrong.extend(overlap_verdict(world, &self.findings, self.at_impact));
        let names = ["momentum", "angular momentum"];
        for (name, error) in names.iter().zip(self.errors()) {
            if let Some(error) = error.filter(|error| *error > conservation::TOLERANCE) {
                wrong.push(format!("{name} is not conserved ({})", short(error)));
            }
        }
        wrong
    }

    /// Relative errors of momentum and of angular momentum, where they were asked for.
    fn errors(&self) -> [Option<f64>; 2] {
        let Some(books) = &self.books else {
            return [None, None];
        };
        books.worst().each_ref().map(|worst| Some(worst.relative))
    }

    /// What can be said of momentum where nothing is wrong.
    fn conserved(&self) -> &'static str {
        match &self.books {
            None => "",
            Some(books) if books.is_empty() => "; nothing whose momentum could be checked",
            Some(_) => ", momentum conserved",
        }
    }

    /// The verdict for programs.
    fn verdict(self, world: &World, failures: Vec<String>) -> Verdict {
        let [momentum_error_relative, angular_momentum_error_relative] = self.errors();
        let deepest = self.findings.deepest.as_ref();
        Verdict {
            scene: world.name.clone(),
            passed: failures.is_empty(),
            failures,
            audited_times: self.findings.samples,
            deepest_overlap: deepest.map(|deepest| Overlap {
                depth_m: deepest.depth,
                allowed_m: deepest.allowed,
                bodies: deepest.bodies.clone(),
            }),
            max_penetration_m: self.at_impact,
            momentum_error_relative,
            angular_momentum_error_relative,
            executors: self.executors,
        }
    }
}

/// Runs the command.
pub fn check(arguments: &Arguments) -> Result<(), Failure> {
    let world = arguments.scene.load()?.world;
    let runs = run_all(&world, arguments.conservation)?;
    let wrong = runs.failures(&world);
    if arguments.json {
        let verdict = runs.verdict(&world, wrong.clone());
        let json = serde_json::to_string_pretty(&verdict);
        let json =
            json.map_err(|e| Failure::run(format!("cannot write the verdict: {e}"), None))?;
        print(&(json + "\n"))?;
    } else {
        let mut text = runs.table().render() + &overlap_report(&runs.findings, runs.at_impact);
        if let Some(books) = &runs.books {
            text += &books.report();
        }
        if wrong.is_empty() {
            let conserved = runs.conserved();
            text += &format!("passed: one history, no overlap beyond what is allowed{conserved}\n");
        }
        print(&text)?;
    }
    if wrong.is_empty() {
        return Ok(());
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
