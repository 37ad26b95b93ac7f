//! A step of gathered bodies is tried until it stands: shorter where members would bounce or are jammed in it, farther
//! around where they were moved out of reach of their candidate pairs, and with the sleepers that it has pressed too hard.

use super::Engine;
use super::calm::Calm;
use super::groups::{Joining, Workshop};
use super::regroup::{Gathering, Stepped};
use super::wake::Company;
use crate::contact::ContactRules;
use crate::world::BodyId;
use physics::State;
use physics::groups::{
    Member, Memory, Neighbour, Report, Scratch, SolverError, Span, Surroundings,
};
use physics::joints::Link;
use std::sync::Arc;
use warp::{EventOrder, Tick};

/// How often a step is cut because of bounces at most. A solver whose sub-steps get shorter with the step finds
/// them later when it is cut.
const CUTS: u32 = 3;

/// How often a step is halved at most where bodies are jammed. What is pushed about farther than linearised planes follow
/// often finds its room in shorter steps; what has none finds none in them either.
const JAMMED_HALVINGS: u32 = 5;

/// Times that a step is solved again because bodies were moved farther than their candidate pairs reach.
const STRAYED_MAX: u32 = 4;

/// How long a step is tried to be, and what trying has shown so far.
struct Trial {
    /// Ticks.
    length: i64,
    /// Who is next to the group.
    company: Company,
    /// Cuts at bounces so far.
    cuts: u32,
    /// Halvings so far.
    halvings: u32,
    /// The shortest length that was solved, though something overlaps on the way.
    unclear: Option<i64>,
    /// Whether the step stands as it comes out.
    is_last: bool,
}

impl Trial {
    fn new(length: i64, company: Company) -> Self {
        Trial {
            length,
            company,
            cuts: 0,
            halvings: 0,
            unclear: None,
            is_last: false,
        }
    }

    /// Whether the step has to be tried again at another length. It ends where members with joints would bounce within
    /// it, so that what a bounce does is done at one moment, at the start of the step that follows; and it is halved
    /// until nobody is jammed in it and nothing overlaps on the way. If no length keeps the ways clear, the shortest
    /// counts that was solved.
    fn wants_other_length(
        &mut self,
        failure: Option<&SolverError>,
        report: &Report,
        is_tied: bool,
    ) -> bool {
        if is_tied {
            return failure.is_none() && self.cut(report);
        }
        let is_clear = match failure {
            None => report.effort.unclear == 0,
            Some(error) => !matches!(error, SolverError::Jammed { .. }),
        };
        let is_shortest = self.halvings == JAMMED_HALVINGS;
        if self.is_last || is_clear || (is_shortest && self.unclear.is_none()) {
            return false;
        }
        if failure.is_none() {
            self.unclear = Some(self.length);
        }
        (self.length, self.is_last) = match self.unclear.filter(|_| is_shortest) {
            Some(length) => (length, true),
            None => ((self.length / 2).max(1), false),
        };
        self.halvings += 1;
        true
    }

    /// Cuts the step at the first bounce in it, if there is one.
    fn cut(&mut self, report: &Report) -> bool {
        let bounce = report.bounce_after.map(|after| Tick::from_seconds(after).0);
        match bounce {
            Some(cut) if (1..self.length).contains(&cut) && self.cuts < CUTS => {
                (self.length, self.cuts) = (cut, self.cuts + 1);
                true
            }
            _ => false,
        }
    }
}

/// What a solver works with, taken out of the workshop for one step.
struct Tools {
    workshop: Workshop,
    /// The neighbours of the group.
    nearby: Vec<Joining>,
    scratch: Box<Scratch>,
    report: Report,
}

/// A step's bodies and joints as a solver wants them.
type Laid<'a> = (Vec<Member<'a>>, Vec<Neighbour<'a>>, Vec<Link<'a>>);

impl Engine {
    /// One step of the gathered bodies, with all sleepers awake that feel it.
    pub(super) fn step_gathered(
        &mut self,
        rules: &ContactRules,
        gathering: &mut Gathering,
    ) -> Stepped {
        let order = gathering.order;
        let keeps_apart = rules.solver.keeps_apart();
        if keeps_apart {
            // What is hit gets about as far as what hits it.
            let speeds = gathering.bodies.iter().map(|j| j.state.velocity.length());
            gathering.farther = 0.5 * speeds.fold(0.0, f64::max) * rules.step;
        }
        let mut strayed_left = if keeps_apart { STRAYED_MAX } else { 0 };
        let mut trial = self.begin_trial(rules, gathering);
        loop {
            let is_tied = !self.groups.workshop.ties.is_empty();
            let mut memory = match is_tied || keeps_apart || !trial.company.is_alone() {
                true => gathering.memory.clone(),
                // Nothing makes such a step be solved again.
                false => std::mem::take(&mut gathering.memory),
            };
            let solved = if gathering.trees.is_empty() {
                let mut tools = self.take_tools(order);
                let (mut members, neighbours, links) = self.lay_out(&gathering.bodies, &tools);
                let solved = rules.solver.step(
                    span(order, trial.length),
                    &mut members,
                    &Surroundings {
                        neighbours: &neighbours,
                        pairs: &tools.workshop.pairs,
                        links: &links,
                    },
                    &mut memory,
                    &mut tools.scratch,
                    &mut tools.report,
                );
                let solved = solved.map(|()| members.iter().map(|m| m.state).collect());
                self.put_back(tools);
                solved
            } else {
                self.step_trees(rules, gathering, trial.length, &mut memory)
            };
            if self.wants_other_length(&mut trial, gathering, solved.as_ref().err()) {
                continue;
            }
            if strayed_left > 0
                && let Ok(ends) = &solved
                && let Some(moved) = self.strayed(rules, &gathering.bodies, ends, gathering.farther)
            {
                gathering.farther = 2.0 * moved;
                strayed_left -= 1;
                trial = self.begin_trial(rules, gathering);
                continue;
            }
            let calm = self.calm_now(rules, gathering);
            let leans_on = self
                .rest(rules, gathering, &calm)
                .filter(|_| solved.is_ok() && self.trees_rest(rules, gathering, &calm));
            let woken = match (&solved, &leans_on) {
                (Ok(_), None) => self.overloaded(rules, &trial.company, order),
                _ => Vec::new(),
            };
            if woken.is_empty() {
                return self.stepped(gathering, (trial, solved, memory), (calm, leans_on));
            }
            self.take_in(gathering, woken);
            trial = self.begin_trial(rules, gathering);
        }
    }

    /// Wakes the sleepers that feel a step, and says how long the step is tried to be.
    fn begin_trial(&mut self, rules: &ContactRules, gathering: &mut Gathering) -> Trial {
        let company = self.wake_sleepers(rules, gathering);
        self.gather_trees(gathering);
        Trial::new(self.ticks_to_corner(rules, gathering.order), company)
    }

    /// Whether a step that was solved has to be solved again at another length.
    fn wants_other_length(
        &mut self,
        trial: &mut Trial,
        gathering: &Gathering,
        failure: Option<&SolverError>,
    ) -> bool {
        if !gathering.trees.is_empty() {
            return false;
        }
        let is_tied = !self.groups.workshop.ties.is_empty();
        let report = &self.groups.workshop.report;
        if trial.wants_other_length(failure, report, is_tied) {
            return true;
        }
        if !is_tied {
            let unclear = report.effort.unclear;
            self.observers.count().optimization_unclear += unclear;
        }
        false
    }

    /// Takes what a step is solved with out of the workshop.
    fn take_tools(&mut self, order: EventOrder) -> Tools {
        let mut workshop = std::mem::take(&mut self.groups.workshop);
        let near = workshop.neighbours.iter();
        let nearby = near
            .filter_map(|&body| self.joining(BodyId(body), order))
            .collect();
        let mut report = std::mem::take(&mut workshop.report);
        report.clear();
        Tools {
            nearby,
            scratch: workshop.scratch.take().unwrap_or_default(),
            report,
            workshop,
        }
    }

    /// Puts it back, and counts the step.
    fn put_back(&mut self, tools: Tools) {
        let effort = &tools.report.effort;
        self.observers.count().group_steps += 1;
        self.observers.count().count_effort(effort);
        self.groups.workshop = Workshop {
            scratch: Some(tools.scratch),
            report: tools.report,
            ..tools.workshop
        };
    }

    /// Bodies (rising numbers), their neighbours and their joints as a solver wants them.
    fn lay_out<'a>(&'a self, bodies: &[Joining], tools: &Tools) -> Laid<'a> {
        let member = |j: &Joining| Member {
            body: j.body.0,
            model: self.models.get(j.model),
            state: j.state,
        };
        let neighbour = |j: &Joining| Neighbour {
            body: j.body.0,
            model: self.models.get(j.model),
            state: j.state,
        };
        (
            bodies.iter().map(member).collect(),
            tools.nearby.iter().map(neighbour).collect(),
            Self::links(&self.world, &tools.workshop.ties),
        )
    }

    /// A step as it stands.
    fn stepped(
        &self,
        gathering: &Gathering,
        (trial, solved, memory): (Trial, Result<Vec<State>, SolverError>, Memory),
        (calm, leans_on): (Vec<Calm>, Option<Vec<u32>>),
    ) -> Stepped {
        let name = |body: u32| format!("`{}`", self.world.bodies[body as usize].name);
        let failure = solved.as_ref().err().map(|e| e.naming(&name));
        let stay = |_| gathering.bodies.iter().map(|j| j.state).collect();
        Stepped {
            company: trial.company,
            memory: Arc::new(memory),
            failure,
            ends: solved.unwrap_or_else(stay),
            end: gathering.order.moment.tick.saturating_add(trial.length),
            calm,
            leans_on,
        }
    }
}

fn span(order: EventOrder, length: i64) -> Span {
    Span {
        begin: order.moment.tick.seconds(),
        seconds: Tick(length).seconds(),
    }
}
