//! Contact groups as processes (Mirtich 4.4): who belongs to a group, and what it remembers from step to step. A step is
//! in `group_step.rs`, its buffers in `workshop.rs`.
//!
//! Members keep their worldlines; a group has one of its own, and every event of the group begins a
//! segment on the group's and on all members' worldlines, linked in one ring. Rolling any of them
//! back therefore rolls the group back as a unit, and undoing a fusion or a fission restores the
//! groups it had ended. Membership is fixed: when it changes a new group begins. Fixed and kinematic
//! bodies touch many groups and join none.

use super::calm::Calm;
use super::joints::Tie;
pub(super) use super::workshop::{NO_MEMBER, Workshop};
use crate::world::BodyId;
use physics::groups::{Memory, Report};
use physics::{ModelId, State};
use std::sync::Arc;
use warp::{Column, NodeId, ProcessId, Tick};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::parts_yard::{at, two_balls};
    use physics::groups::Touch;
    use physics::{Pose, Vec3};

    fn joining(body: u32) -> Joining {
        Joining {
            body: BodyId(body),
            node: NodeId(body),
            model: ModelId::default(),
            state: State::at_rest(Pose::from_translation(Vec3::ZERO)),
        }
    }

    fn touching(pairs: &[(u32, u32)]) -> Report {
        let touch = |&(a, b): &(u32, u32)| Touch {
            a,
            b,
            gap: 0.0,
            normal_impulse: 1.0,
        };
        Report {
            touches: pairs.iter().map(touch).collect(),
            ..Report::default()
        }
    }

    #[test]
    fn members_belong_to_their_group_whatever_other_groups_begin() {
        let (_, mut lines, _) = two_balls();
        let mut groups = Groups::default();
        let [one, other] = [lines.add_idle_process(), lines.add_idle_process()];
        groups.found(other, [3, 5].into_iter());
        assert_eq!(groups.members(one), &[] as &[u32]);
        groups.found(one, [1].into_iter());
        assert_eq!(groups.members(other), [3, 5]);
        assert_eq!(groups.first(other), 3);
        assert!(
            groups.members(ProcessId(0)).is_empty(),
            "a body is no group"
        );
    }

    #[test]
    fn a_group_that_had_ended_goes_on_when_its_end_is_undone() {
        let (_, mut lines, _) = two_balls();
        let mut groups = Groups::default();
        let group = lines.add_idle_process();
        let mut begun = Vec::new();
        lines.begin(at(10), &[group], &mut begun);
        let last = GroupSegment {
            is_ended: true,
            ..GroupSegment::default()
        };
        groups.set_step(begun[0], last);
        let mut branch = groups.branch();
        groups.reopen(begun[0]);
        assert!(!groups.step(begun[0]).is_ended);
        assert!(branch.step(begun[0]).is_ended, "a branch has its own end");
        branch.reopen(NodeId(u32::MAX - 1));
    }

    #[test]
    fn who_touches_is_together_and_who_touches_nothing_is_alone() {
        let bodies: Vec<Joining> = [2, 4, 6, 8, 9].into_iter().map(joining).collect();
        // Places 0 and 1 touch, 1 and 2 may touch soon, 3 stands on a fixed body (place 5), 4 is on its own.
        let pairs = [(0, 1), (1, 2), (3, 5)];
        let report = touching(&[(2, 4), (8, 100)]);
        let found = components(&bodies, &report, &pairs, &[], (&[], &[]));
        let expected = [(0, true), (0, true), (0, true), (3, true), (4, false)];
        assert_eq!(found, expected);
    }

    #[test]
    fn who_may_touch_and_does_not_is_let_go() {
        let bodies: Vec<Joining> = [2, 4].into_iter().map(joining).collect();
        let found = components(&bodies, &touching(&[]), &[(0, 1)], &[], (&[], &[]));
        assert_eq!(found, [(0, false), (1, false)]);
        let held = components(&bodies, &touching(&[]), &[(0, 1)], &[], (&[], &[1]));
        assert_eq!(
            held,
            [(0, true), (0, true)],
            "one of them cannot be on its own"
        );
    }

    #[test]
    fn links_of_a_multibody_are_together() {
        let bodies: Vec<Joining> = [2, 4, 6].into_iter().map(joining).collect();
        let report = touching(&[(6, 100)]);
        let found = components(&bodies, &report, &[], &[], (&[(0, 2)], &[]));
        assert_eq!(found, [(0, true), (1, false), (0, true)]);
    }
}
