//! Bodies that a kinematic body has struck. A bounce off a kinematic body begins a segment on the other one
//! alone: the kinematic body goes on as it was, and no link leads from its worldline to the bounce. When it
//! moves otherwise from some event on, by an input or because one was taken back, every later bounce off it
//! is found here and undone.

use super::Engine;
use record::Event;
use std::collections::BTreeMap;
use warp::{Column, EventOrder, NodeId, NodeRef};

/// Bounces that are too few to be worth looking through.
const FEW: usize = 64;

/// The segments that begin with a bounce off one kinematic body, some of which are gone.
#[derive(Debug, Default)]
struct Bounces {
    segments: Column<NodeRef>,
    /// How many were left when those that are gone were last dropped.
    left: usize,
    /// No bounce is later.
    latest: EventOrder,
}

/// Bounces off kinematic bodies, by body. See the module's text.
#[derive(Debug, Default)]
pub(super) struct Struck {
    by: BTreeMap<u32, Bounces>,
}

impl Struck {
    /// The same for a branch.
    pub fn branch(&mut self) -> Self {
        let branch = |(body, bounces): (&u32, &mut Bounces)| {
            let copy = Bounces {
                segments: bounces.segments.branch(),
                ..*bounces
            };
            (*body, copy)
        };
        Struck {
            by: self.by.iter_mut().map(branch).collect(),
        }
    }

    /// Takes back what no branch shares any more.
    pub fn reclaim(&mut self) {
        for bounces in self.by.values_mut() {
            bounces.segments.reclaim();
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.by.values().map(|b| b.segments.bytes()).sum()
    }
}

impl Engine {
    fn is_kinematic(&self, body: u32) -> bool {
        let about = self.world.bodies.get(body as usize);
        about.is_some_and(|b| b.kind == crate::world::Kind::Kinematic)
    }

    /// Notes a segment that has just begun, if it begins with a bounce off a kinematic body.
    pub(super) fn note_struck(&mut self, node: NodeId) {
        let origin = &self.origins[node.index()];
        let by = origin.partner;
        // Where nothing is ever undone there is nothing to note.
        if self.past.is_none() || origin.event != Event::Collision || !self.is_kinematic(by) {
            return;
        }
        let bounces = self.struck.by.entry(by).or_default();
        if bounces.segments.len() >= FEW.max(2 * bounces.left) {
            let is_live = |segment: &&NodeRef| self.graph.is_live(**segment);
            let live: Vec<NodeRef> = bounces.segments.iter().filter(is_live).copied().collect();
            bounces.left = live.len();
            bounces.segments = live.into();
        }
        bounces.segments.push(self.graph.reference(node));
        bounces.latest = bounces.latest.max(self.graph.order(node));
    }

    /// A body goes on otherwise after an event: if it is kinematic, undoes later bounces off it.
    pub(super) fn undo_struck(&mut self, body: u32, after: EventOrder) {
        let Some(bounces) = self.struck.by.get_mut(&body) else {
            return;
        };
        if bounces.latest <= after {
            return;
        }
        bounces.latest = after;
        let graph = &self.graph;
        let is_later =
            |segment: &&NodeRef| graph.is_live(**segment) && graph.order(segment.node) > after;
        let later: Vec<NodeRef> = bounces.segments.iter().filter(is_later).copied().collect();
        for segment in later {
            // Undoing one may have undone the others.
            if self.graph.is_live(segment) {
                let process = self.graph.process(segment.node);
                self.roll_back(process, self.graph.order(segment.node));
            }
        }
    }
}
