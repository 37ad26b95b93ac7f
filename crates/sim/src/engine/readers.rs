//! Readers: who has read a worldline without a link to it. A bounce off a kinematic body begins no segment there; a
//! group rests on it and knows only its number; a group's step reads the kinematic bodies and sleepers near it, for
//! they belong to no group; what deformables read is in `deform_reads.rs`. When such a body moves otherwise, what has read it is found here, and undone.

use super::worldlines::Worldlines;
use std::collections::BTreeMap;
use warp::{Column, EventOrder, NodeId, NodeRef, ProcessId};

/// Segments that are too few to be worth looking through.
const FEW: usize = 64;

/// Segments that have read one body, some of which are gone.
#[derive(Debug, Default)]
struct ReadBy {
    segments: Column<NodeRef>,
    /// How many were left when those that are gone were last dropped.
    left: usize,
    /// None is later.
    latest: EventOrder,
}

impl ReadBy {
    fn note(&mut self, node: NodeId, lines: &Worldlines) {
        if self.segments.len() >= FEW.max(2 * self.left) {
            let is_live = |segment: &&NodeRef| lines.is_live(**segment);
            let live: Vec<NodeRef> = self.segments.iter().filter(is_live).copied().collect();
            self.left = live.len();
            self.segments = live.into();
        }
        self.segments.push(lines.reference(node));
        self.latest = self.latest.max(lines.order(node));
    }

    fn branch(&mut self) -> Self {
        ReadBy {
            segments: self.segments.branch(),
            ..*self
        }
    }
}

/// By body: who has read it.
#[derive(Debug, Default)]
struct ByBody(BTreeMap<u32, ReadBy>);

impl ByBody {
    fn branch(&mut self) -> Self {
        let branch = |(body, read): (&u32, &mut ReadBy)| (*body, read.branch());
        ByBody(self.0.iter_mut().map(branch).collect())
    }
}

/// See the module's text.
#[derive(Debug, Default)]
pub(super) struct Readers {
    /// Segments that begin with a bounce off a kinematic body.
    bounces: ByBody,
    /// Segments of groups that rest on a kinematic body.
    resting: ByBody,
    /// Steps of groups and deformables that have read what has changed, to be undone.
    stale: Vec<(ProcessId, EventOrder)>,
    /// The farthest that any member of a group could reach within a step, metres: so far around it a step reads.
    widest_reach: f64,
}

impl Readers {
    /// A segment has begun with a bounce off a body.
    pub fn add_bounce(&mut self, body: u32, node: NodeId, lines: &Worldlines) {
        self.bounces.0.entry(body).or_default().note(node, lines);
    }

    /// A group rests on a body.
    pub fn add_resting(&mut self, body: u32, node: NodeId, lines: &Worldlines) {
        self.resting.0.entry(body).or_default().note(node, lines);
    }

    /// The bounces off a body that came after an event: it goes on otherwise from there.
    pub fn bounces_after(
        &mut self,
        body: u32,
        after: EventOrder,
        lines: &Worldlines,
    ) -> Vec<NodeRef> {
        let Some(bounces) = self.bounces.0.get_mut(&body) else {
            return Vec::new();
        };
        if bounces.latest <= after {
            return Vec::new();
        }
        bounces.latest = after;
        let is_later =
            |segment: &&NodeRef| lines.is_live(**segment) && lines.order(segment.node) > after;
        bounces.segments.iter().filter(is_later).copied().collect()
    }

    /// The segments of groups that rest on a body at an event.
    pub fn resting_on(&self, body: u32, at: EventOrder, lines: &Worldlines) -> Vec<NodeId> {
        let Some(resting) = self.resting.0.get(&body) else {
            return Vec::new();
        };
        let covers = |s: &&NodeRef| {
            lines.is_live(**s) && lines.order(s.node) <= at && at < lines.end(s.node)
        };
        let mut found: Vec<NodeId> = resting
            .segments
            .iter()
            .filter(covers)
            .map(|s| s.node)
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The step of a group or a deformable at `order` has read what has changed.
    pub fn outdate(&mut self, process: ProcessId, order: EventOrder) {
        self.stale.push((process, order));
    }

    /// Whether some step has to be undone.
    #[inline]
    pub fn is_outdated(&self) -> bool {
        !self.stale.is_empty()
    }

    /// The next step that has to be undone.
    #[inline]
    pub fn take_outdated(&mut self) -> Option<(ProcessId, EventOrder)> {
        self.stale.pop()
    }

    /// Members of a group may reach so far within a step, metres.
    #[inline]
    pub fn widen(&mut self, reach: f64) {
        self.widest_reach = self.widest_reach.max(reach);
    }

    /// The farthest that any member of a group could reach within a step, metres.
    pub fn widest_reach(&self) -> f64 {
        self.widest_reach
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let all = self.bounces.0.values().chain(self.resting.0.values());
        all.map(|read| read.segments.bytes()).sum()
    }

    /// The same for a branch.
    pub fn branch(&mut self) -> Self {
        Readers {
            bounces: self.bounces.branch(),
            resting: self.resting.branch(),
            stale: Vec::new(),
            widest_reach: self.widest_reach,
        }
    }

    /// Takes back what no branch shares any more.
    pub fn reclaim(&mut self) {
        for read in self
            .bounces
            .0
            .values_mut()
            .chain(self.resting.0.values_mut())
        {
            read.segments.reclaim();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::parts_yard::{at, two_balls};

    #[test]
    fn later_bounces_are_found_once_and_those_that_are_gone_never() {
        let (_, mut lines, _) = two_balls();
        let mut readers = Readers::default();
        let mut begun = Vec::new();
        for tick in [10, 20, 30] {
            begun.clear();
            lines.begin(at(tick), &[ProcessId(0)], &mut begun);
            readers.add_bounce(1, begun[0], &lines);
        }
        lines.roll_back(ProcessId(0), at(30), &mut Vec::new());
        let found = readers.bounces_after(1, at(10), &lines);
        assert_eq!(found.len(), 1, "the one at 20: that at 30 is gone");
        assert!(
            readers.bounces_after(1, at(10), &lines).is_empty(),
            "they were told"
        );
        assert!(
            readers.bounces_after(0, at(10), &lines).is_empty(),
            "another body"
        );
    }

    #[test]
    fn who_rests_on_a_body_is_found_as_long_as_it_rests() {
        let (_, mut lines, _) = two_balls();
        let mut readers = Readers::default();
        let group = lines.add_idle_process();
        let mut begun = Vec::new();
        lines.begin(at(10), &[group], &mut begun);
        readers.add_resting(1, begun[0], &lines);
        assert_eq!(readers.resting_on(1, at(15), &lines), begun);
        assert!(readers.resting_on(1, at(5), &lines).is_empty());
        lines.begin(at(20), &[group], &mut Vec::new());
        assert!(readers.resting_on(1, at(25), &lines).is_empty());
    }

    #[test]
    fn a_branch_knows_what_was_read_before_it() {
        let (_, mut lines, _) = two_balls();
        let mut readers = Readers::default();
        let mut begun = Vec::new();
        lines.begin(at(10), &[ProcessId(0)], &mut begun);
        readers.add_bounce(1, begun[0], &lines);
        let mut branch = readers.branch();
        assert_eq!(branch.bounces_after(1, at(5), &lines).len(), 1);
        assert_eq!(readers.bounces_after(1, at(5), &lines).len(), 1);
    }
}
