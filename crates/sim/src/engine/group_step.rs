//! One step of a contact group: its members as the solver wants them, and what the solver makes of them.

use super::Engine;
use super::groups::Joining;
use crate::contact::ContactRules;
use crate::world::BodyId;
use physics::State;
use physics::groups::{Member, Memory, Neighbour, SolverError, Span, Surroundings};
use warp::{EventOrder, Moment, NodeId, ProcessId, Tick};

impl Engine {
    /// Whether a segment belongs to a group that rests.
    pub(super) fn rests(&self, node: NodeId) -> bool {
        self.lines.group_of(node).is_some() && self.is_still(node)
    }

    /// Whether a segment is that of a group's member that moves: it lasts for one step.
    pub(super) fn is_moving_member(&self, node: NodeId) -> bool {
        self.lines.group_of(node).is_some() && !self.is_still(node)
    }

    /// Whether a segment does not move at all.
    pub(super) fn is_still(&self, node: NodeId) -> bool {
        self.lines.is_still(node, &self.models)
    }

    /// A body's segment and state at an event, as a group's solver wants it.
    pub(super) fn joining(&mut self, body: BodyId, order: EventOrder) -> Option<Joining> {
        let node = self.lines.covering(ProcessId(body.0), order)?;
        self.integrate(node, order.moment.tick);
        Some(Joining {
            body,
            node,
            model: self.lines.model(node),
            state: self.momentary(node, order.moment.tick),
        })
    }

    /// A body's state at a tick of an integrated segment. A member of a group has the velocity and spin
    /// of its momentum, not those of its way through the step.
    pub(super) fn momentary(&self, node: NodeId, tick: Tick) -> State {
        let motion = self.motion(node);
        let mut state = motion.state(tick);
        if self.lines.group_of(node).is_some() {
            let (drive, end) = (self.lines.drive(node), self.lines.step_end(node));
            [state.velocity, state.spin] = drive.at(&motion, end, tick);
        }
        state
    }

    /// The members of the group that a body belongs to just before the events of a tick that history still
    /// covers; none if it is on its own.
    pub(crate) fn group_at(&self, body: BodyId, tick: Tick) -> Vec<BodyId> {
        let group = self
            .present(body, tick)
            .and_then(|n| self.lines.group_of(n));
        let at = EventOrder::before(Moment::at(tick));
        let members = group.map_or(Vec::new(), |g| self.members_at(g, at));
        members.into_iter().map(BodyId).collect()
    }

    /// Groups that history still holds, ended ones among them.
    pub(crate) fn groups_held(&self) -> usize {
        self.lines.groups_alive().count()
    }

    /// Advances `bodies` (rising numbers) by one step of `ticks` and leaves what they touch in the workshop's
    /// report. Returns their states at the step's end.
    pub(super) fn solve_step(
        &mut self,
        rules: &ContactRules,
        bodies: &[Joining],
        (order, ticks): (EventOrder, i64),
        memory: &mut Memory,
    ) -> Result<Vec<State>, SolverError> {
        let mut workshop = std::mem::take(&mut self.groups.workshop);
        let nearby: Vec<Joining> = workshop
            .neighbours
            .iter()
            .filter_map(|&body| self.joining(BodyId(body), order))
            .collect();
        let mut members: Vec<Member> = bodies
            .iter()
            .map(|j| Member {
                body: j.body.0,
                model: self.models.get(j.model),
                state: j.state,
            })
            .collect();
        let neighbours: Vec<Neighbour> = nearby
            .iter()
            .map(|j| Neighbour {
                body: j.body.0,
                model: self.models.get(j.model),
                state: j.state,
            })
            .collect();
        workshop.report.clear();
        let links = Self::links(&self.world, &workshop.ties);
        let span = Span {
            begin: order.moment.tick.seconds(),
            seconds: Tick(ticks).seconds(),
        };
        let around = Surroundings {
            neighbours: &neighbours,
            pairs: &workshop.pairs,
            links: &links,
        };
        let (mut scratch, report) = (
            workshop.scratch.take().unwrap_or_default(),
            &mut workshop.report,
        );
        let outcome =
            (rules.solver).step(span, &mut members, &around, memory, &mut scratch, report);
        let outcome = outcome.map(|()| members.iter().map(|m| m.state).collect());
        workshop.scratch = Some(scratch);
        self.groups.workshop = workshop;
        self.observers.count().group_steps += 1;
        self.observers
            .count()
            .count_effort(&self.groups.workshop.report.effort);
        outcome
    }

    /// The step that was solved last is kept, whether its ways are clear or not.
    pub(super) fn count_unclear(&mut self) {
        let unclear = self.groups.workshop.report.effort.unclear;
        self.observers.count().optimization_unclear += unclear;
    }
}
