//! Readers: who has read a worldline without a link to it. A bounce off a kinematic body begins no segment there; a
//! group rests on it and knows only its number; a group's step reads the kinematic bodies and sleepers near it, for
//! they belong to no group. When such a body moves otherwise, what has read it is found here, and undone.

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
    /// Steps of groups that have read what has changed, to be undone.
    stale: Vec<(ProcessId, EventOrder)>,
    /// The farthest that any member of a group could reach within a step, metres: so far around it a step reads.
    widest_reach: f64,
}

impl Readers {
    /// A segment has begun with a bounce off a body.
    pub fn note_bounce(&mut self, body: u32, node: NodeId, lines: &Worldlines) {
        self.bounces.0.entry(body).or_default().note(node, lines);
    }

    /// A group rests on a body.
    pub fn note_resting(&mut self, body: u32, node: NodeId, lines: &Worldlines) {
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

    /// A group's step at `order` has read what has changed.
    pub fn note_stale(&mut self, group: ProcessId, order: EventOrder) {
        self.stale.push((group, order));
    }

    /// The next step that has to be undone.
    #[inline]
    pub fn take_stale(&mut self) -> Option<(ProcessId, EventOrder)> {
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
