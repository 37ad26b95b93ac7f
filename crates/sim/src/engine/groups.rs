//! Contact groups as processes (Mirtich 4.4): who belongs to a group, and one step of it.
//!
//! Members keep their worldlines; a group has one of its own, and every event of the group begins a
//! segment on the group's and on all members' worldlines, linked in one ring. Rolling any of them
//! back therefore rolls the group back as a unit, and undoing a fusion or a fission restores the
//! groups it had ended. Membership is fixed: when it changes a new group begins. Fixed and kinematic
//! bodies touch many groups and join none.

use super::Engine;
use super::calm::Calm;
use super::candidates::Sweep;
use super::joints::Tie;
use crate::contact::ContactRules;
use crate::world::BodyId;
use physics::groups::{
    Member, Memory, Neighbour, Report, Scratch, SolverError, Span, Surroundings,
};
use physics::{ModelId, State};
use std::sync::Arc;
use warp::{Column, EventOrder, Moment, NodeId, ProcessId, Tick};

/// The bodies of a group, by rising number; none for processes that are not groups.
#[derive(Clone, Debug, Default)]
struct Members(Vec<u32>);

/// One segment of a group's worldline.
#[derive(Clone, Debug, Default)]
pub(super) struct GroupSegment {
    /// Contact forces to start the next step from.
    pub memory: Arc<Memory>,
    /// How calm each member was when the step began, in the order of members.
    pub calm: Arc<Vec<Calm>>,
    /// When the step began: guests come in the middle of it.
    pub began: Tick,
    /// Bodies that have come to a member since the step began, rising. They are members from the next step on.
    pub guests: Vec<u32>,
    /// Steps since the group began.
    pub steps: u32,
    /// The group rests: no step is due until something happens to a member.
    pub is_resting: bool,
    /// The group's last segment: its members belong to others from here on.
    pub is_ended: bool,
    /// Kinematic bodies that a resting group leans on: it wakes when they may move.
    pub leans_on: Vec<u32>,
    /// Sleepers that the group touches: if it lets go of them, they wake.
    pub leaning: Vec<u32>,
    /// The deepest overlap in the step, as the solver measured it, metres; for the statistics alone.
    pub deepest: f32,
}

impl GroupSegment {
    /// Bytes it holds elsewhere.
    pub fn bytes(&self) -> usize {
        let numbers = self.leans_on.capacity() + self.leaning.capacity() + self.guests.capacity();
        self.memory.bytes() - size_of::<Memory>()
            + numbers * size_of::<u32>()
            + self.calm.capacity() * size_of::<Calm>()
    }
}

/// A body about to take part in a group's event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joining {
    pub body: BodyId,
    /// The segment it comes from.
    pub node: NodeId,
    /// The model it follows on its own.
    pub model: ModelId,
    /// Its state at the event; velocity and spin are those of its momentum.
    pub state: State,
}

/// All groups: who belongs to each, and what each remembers from step to step.
#[derive(Default)]
pub(super) struct Groups {
    /// By segment of a group's worldline.
    steps: Column<GroupSegment>,
    /// By process.
    members: Column<Members>,
    pub workshop: Workshop,
}

impl Groups {
    /// The bodies of a group, by rising number.
    #[inline]
    pub fn members(&self, group: ProcessId) -> &[u32] {
        let members = self.members.get(group.index());
        members.map_or(&[], |members| &members.0)
    }

    /// The first body of a group: how history and the order of events know it.
    #[inline]
    pub fn first(&self, group: ProcessId) -> u32 {
        self.members[group.index()].0[0]
    }

    /// Says who belongs to a new group.
    pub fn found(&mut self, group: ProcessId, members: impl Iterator<Item = u32>) {
        self.members.grow(group.index() + 1, Members::default());
        let own = &mut self.members[group.index()].0;
        own.clear();
        own.extend(members);
    }

    /// A segment of a group.
    #[inline]
    pub fn step(&self, node: NodeId) -> &GroupSegment {
        &self.steps[node.index()]
    }

    /// Fills in a segment of a group.
    pub fn set_step(&mut self, node: NodeId, step: GroupSegment) {
        self.steps.grow(node.index() + 1, GroupSegment::default());
        self.steps[node.index()] = step;
    }

    /// A segment of whatever process is no longer the last of its group.
    #[inline]
    pub fn reopen(&mut self, node: NodeId) {
        if node.index() < self.steps.len() && self.steps[node.index()].is_ended {
            self.steps[node.index()].is_ended = false;
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let held: usize = self.steps.owned().iter().map(GroupSegment::bytes).sum();
        self.steps.bytes() + held
    }

    /// The same groups for a branch.
    pub fn branch(&mut self) -> Self {
        Groups {
            steps: self.steps.branch(),
            members: self.members.branch(),
            workshop: self.workshop.branch(),
        }
    }

    /// Takes back what no branch shares any more.
    pub fn reclaim(&mut self) {
        self.steps.reclaim();
        self.members.reclaim();
        self.workshop.reclaim();
    }
}

/// The place among the members of a body that is none.
pub(super) const NO_MEMBER: u32 = u32::MAX;

/// Buffers of a step, reused.
#[derive(Default)]
pub(super) struct Workshop {
    /// In a box that is taken out of here for a step and put back: it is large.
    pub scratch: Option<Box<Scratch>>,
    pub report: Report,
    pub sweep: Sweep,
    pub neighbours: Vec<u32>,
    pub pairs: Vec<(u32, u32)>,
    /// Joints of the members.
    pub ties: Vec<Tie>,
    /// For steps that multibodies take part in.
    pub trees: crate::multibodies::StepRoom,
    /// Per body: its place among the members, or [`NO_MEMBER`].
    pub places: Column<u32>,
}

impl Workshop {
    /// Buffers for a branch: empty, but for the place of every body, which is shared.
    pub fn branch(&mut self) -> Self {
        Workshop {
            places: self.places.branch(),
            ..Workshop::default()
        }
    }

    /// Takes back what no branch shares any more.
    pub fn reclaim(&mut self) {
        self.places.reclaim();
    }

    /// The pairs of a member's place and a neighbour's body that were found last.
    pub fn pairs_with_neighbours(&self, members: usize) -> Vec<(u32, u32)> {
        let of = |&(place, other): &(u32, u32)| {
            let index = (other as usize).checked_sub(members)?;
            Some((place, self.neighbours[index]))
        };
        self.pairs.iter().filter_map(of).collect()
    }
}

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

/// Connected components of the contact graph over the members (Mirtich 4.4): for each member its
/// component's first member, and whether anything in the component touches at all.
///
/// Members count as connected as long as they could touch within the next step (`pairs`): a group
/// that let go of every rock of an avalanche between two knocks would have to be made again and
/// again, and searched for impacts meanwhile. Joints connect always, and so do the links of a multibody (`bonds`);
/// `held` are members that cannot be on their own.
pub(super) fn components(
    bodies: &[Joining],
    report: &Report,
    pairs: &[(u32, u32)],
    ties: &[Tie],
    (bonds, held): (&[(u32, u32)], &[u32]),
) -> Vec<(u32, bool)> {
    let mut parent: Vec<u32> = (0..bodies.len() as u32).collect();
    fn root(parent: &mut [u32], mut at: u32) -> u32 {
        while parent[at as usize] != at {
            parent[at as usize] = parent[parent[at as usize] as usize];
            at = parent[at as usize];
        }
        at
    }
    let is_member = |place: u32| (place as usize) < bodies.len();
    let joined = ties.iter().map(|(_, [a, b])| (*a, *b));
    let together = pairs.iter().chain(bonds).copied().chain(joined);
    for (a, b) in together.filter(|(a, b)| is_member(*a) && is_member(*b)) {
        let (ra, rb) = (root(&mut parent, a), root(&mut parent, b));
        parent[ra.max(rb) as usize] = ra.min(rb);
    }
    let mut touches = vec![false; bodies.len()];
    for touch in &report.touches {
        for body in [touch.a, touch.b] {
            if let Ok(place) = bodies.binary_search_by_key(&body, |j| j.body.0) {
                touches[root(&mut parent, place as u32) as usize] = true;
            }
        }
    }
    let tied = ties.iter().flat_map(|(_, places)| *places);
    for place in tied.chain(held.iter().copied()) {
        if is_member(place) {
            touches[root(&mut parent, place) as usize] = true;
        }
    }
    (0..bodies.len() as u32)
        .map(|i| {
            let root = root(&mut parent, i);
            let alive = touches[root as usize];
            (if alive { root } else { i }, alive)
        })
        .collect()
}
