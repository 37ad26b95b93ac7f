//! Solvers of contact groups side by side on one scene (slide 38 of Geigenfeind's seminar on optimization-based
//! animation): what they cost, how deep bodies overlap, what becomes of the energy, when all is at rest, and
//! what looks wrong.

use crate::algorithm::Named;
use crate::audit::{Audit, Overlap};
use crate::failure::Failure;
use crate::source::SceneArguments;
use crate::table::{Table, short};
use record::{Event, Segment};
use sim::scene::Override;
use sim::{Algorithm, History, Kind, LookAhead, Stats, World};
use std::str::FromStr;
use warp::Tick;
use warpline::energy::Energy;
use warpline::running;

/// Ticks at which committed states are audited.
const SAMPLES: usize = 400;
/// Overlap, as a part of a body's width, that can be seen.
const VISIBLE: f64 = 1e-2;
/// Overlap, as a part of a body's width, from which on it is worth a remark: a ten-thousandth is none, a
/// hundredth can be seen.
const REMARKABLE: f64 = 1e-4;
/// Relative gain of energy that is worth a remark.
const GAIN: f64 = 1e-6;

/// A solver as it is named on the command line: `soft-step`, `soft-step:1/240`, `soft-step:1/240:8`.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// As it was given.
    pub name: String,
    solver: String,
    /// Length of a step, seconds; the scene's or the solver's own if none is given.
    step: Option<String>,
    substeps: Option<String>,
}

impl FromStr for Entrant {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.split(':').map(str::to_string);
        let solver = parts.next().filter(|s| !s.is_empty());
        let (step, substeps, rest) = (parts.next(), parts.next(), parts.next());
        match (solver, rest) {
            (Some(solver), None) => Ok(Entrant {
                name: text.into(),
                solver,
                step,
                substeps,
            }),
            _ => Err(format!(
                "`{text}` is not of the form SOLVER, SOLVER:STEP or SOLVER:STEP:SUBSTEPS, as in `soft-step:1/240:8`"
            )),
        }
    }
}

impl Entrant {
    /// The scene with this solver.
    pub fn world(&self, scene: &SceneArguments) -> Result<World, Failure> {
        let mut changes = vec![Override::option(
            "--solvers",
            "contact.solver",
            &self.solver,
        )];
        for (key, value) in [
            ("contact.step", &self.step),
            ("contact.substeps", &self.substeps),
        ] {
            changes.extend((value.iter()).map(|v| Override::option("--solvers", key, v)));
        }
        Ok(scene.load_with(&changes)?.world)
    }
}

/// What became of one solver.
pub struct Outcome {
    /// As it was named.
    pub name: String,
    /// Length of a group's step, seconds.
    pub step: f64,
    /// Its numbers, or why it ended early.
    pub ran: Result<Measured, String>,
}

/// The numbers of a run.
pub struct Measured {
    /// What the run did.
    pub stats: Stats,
    /// Energy at its end, kinetic and in gravity, J: bodies that overlap lie lower.
    pub energy_end: f64,
    /// The deepest overlap that the audit found, for its allowance.
    pub overlap: Option<Overlap>,
    /// When the last body came to rest, seconds; none if some still move.
    pub rests_at: Option<f64>,
    /// Bodies that move at the end.
    pub moving: usize,
}

/// Runs a world and measures it. `other` listens to the history as well.
pub fn measure(name: &str, world: &World, other: &mut dyn History) -> Outcome {
    let named = Named {
        name: "timewarp".into(),
        algorithm: Algorithm::TimeWarp(LookAhead::Adaptive),
    };
    let mut history = (Audit::new(world, SAMPLES), (Rests::new(world), other));
    let ran = running::timed(world, &named, &mut history);
    let (audit, (rests, _)) = history;
    let ran = ran.map_err(|why| told(why.into())).map(|ran| {
        let (rests_at, moving) = rests.conclude();
        Measured {
            stats: ran.stats,
            energy_end: Energy::of(world, &ran.states).total(),
            overlap: audit.conclude().deepest,
            rests_at,
            moving,
        }
    });
    Outcome {
        name: name.into(),
        step: world.contact.as_ref().map_or(f64::NAN, |rules| rules.step),
        ran,
    }
}

fn told(failure: Failure) -> String {
    match failure {
        Failure::Input(report) | Failure::Run(report) => format!("ended early: {report}"),
        Failure::ReaderGone => "ended early".into(),
    }
}

impl Measured {
    /// The deepest overlap as a part of the smaller body's least width.
    fn overlap_part(&self) -> f64 {
        let part = |o: &Overlap| o.depth / o.width;
        self.overlap.as_ref().map_or(0.0, part)
    }

    /// What a spectator, or a physicist, would object to.
    fn objections(&self) -> String {
        let mut said = Vec::new();
        let part = self.overlap_part();
        if let Some(overlap) = self.overlap.as_ref().filter(|_| part > REMARKABLE) {
            let [a, b] = &overlap.bodies;
            let seen = if part > VISIBLE { "visibly " } else { "" };
            said.push(format!("`{a}` and `{b}` {seen}overlap"));
        }
        if self.moving > 0 {
            said.push(format!("{} bodies still move", self.moving));
        }
        if self.stats.energy_drift_relative > GAIN {
            said.push("energy has grown".into());
        }
        match said.is_empty() {
            true => "nothing".into(),
            false => said.join("; "),
        }
    }
}

/// Column names of the table.
pub const COLUMNS: [&str; 8] = [
    "solver",
    "step ms",
    "CPU ms per s",
    "largest overlap mm",
    "of a body's width",
    "energy at the end J",
    "at rest at s",
    "looks wrong",
];

/// The cells of one row.
pub fn cells(outcome: &Outcome) -> [String; 8] {
    let (name, step) = (outcome.name.clone(), short(1e3 * outcome.step));
    match &outcome.ran {
        Ok(measured) => {
            let depth = measured.overlap.as_ref().map_or(0.0, |o| o.depth);
            let stats = &measured.stats;
            [
                name,
                step,
                short(1e3 * stats.cpu_seconds / stats.sim_seconds),
                short(1e3 * depth),
                short(measured.overlap_part()),
                short(measured.energy_end),
                measured.rests_at.map_or("never".into(), short),
                measured.objections(),
            ]
        }
        Err(why) => {
            let none = String::new;
            [
                name,
                step,
                none(),
                none(),
                none(),
                none(),
                none(),
                why.clone(),
            ]
        }
    }
}

/// All outcomes as a table.
pub fn table<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Table {
    let mut table = Table::new(COLUMNS);
    for outcome in outcomes {
        table.row(cells(outcome));
    }
    table
}

/// When bodies came to rest: each body's newest segment, and whether it is still.
struct Rests<'w> {
    world: &'w World,
    newest: Vec<(Tick, bool)>,
}

impl<'w> Rests<'w> {
    fn new(world: &'w World) -> Self {
        Rests {
            world,
            newest: vec![(Tick::ZERO, false); world.bodies.len()],
        }
    }

    /// When the last dynamic body came to rest, and how many have not.
    fn conclude(&self) -> (Option<f64>, usize) {
        let dynamic = |body: usize| self.world.bodies[body].kind == Kind::Dynamic;
        let ends = (0..self.newest.len()).filter(|b| dynamic(*b));
        let ends: Vec<(Tick, bool)> = ends.map(|b| self.newest[b]).collect();
        let moving = ends.iter().filter(|(_, still)| !still).count();
        let last = ends.iter().map(|(tick, _)| tick.seconds());
        let last = last.fold(0.0, f64::max);
        ((moving == 0).then_some(last), moving)
    }
}

impl History for Rests<'_> {
    fn segment(&mut self, segment: &Segment<'_>) -> sim::Told {
        if segment.event == Event::Continue {
            return Ok(());
        }
        let is_zero = |v: [f64; 3]| v == [0.0; 3];
        let still = is_zero(segment.velocity)
            && is_zero(segment.spin)
            && is_zero(segment.acceleration)
            && segment.momentum.is_none();
        let newest = &mut self.newest[segment.body as usize];
        if !(still && newest.1) {
            *newest = (Tick(segment.start), still);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solvers_are_named_with_step_and_substeps() {
        let entrant: Entrant = "soft-step:1/240:8".parse().expect("a solver");
        assert_eq!(entrant.solver, "soft-step");
        assert_eq!(entrant.step.as_deref(), Some("1/240"));
        assert_eq!(entrant.substeps.as_deref(), Some("8"));
        assert!("".parse::<Entrant>().is_err());
        assert!("impulse:1:2:3".parse::<Entrant>().is_err());
    }
}
