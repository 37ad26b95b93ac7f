//! Buffers that are used again and again, so that an event allocates nothing. Nothing in them outlives the call that
//! fills them.

use super::commit::Ended;
use crate::grid::Bounds;
use warp::{Column, EventOrder, NodeId, Tick};

/// See the module's text.
#[derive(Default)]
pub(super) struct Scratch {
    /// Segments that a check has found.
    pub found: Vec<NodeId>,
    /// Bodies near the two segments of a collision.
    pub near: [Vec<u32>; 2],
    /// Bodies that are near a group and none of its members.
    pub strangers: Vec<u32>,
    /// Segments of an event that are not those of a group's members.
    pub others: Vec<NodeId>,
    /// Bodies whose steps as members of groups are asked about.
    pub members: Vec<u32>,
    /// Segments that an undone end has made newest again, and from when on.
    pub resuming: Vec<(NodeId, Tick)>,
    /// What a body has behind it: segment, from when on, and what it swept.
    pub behind: Vec<(NodeId, Tick, Bounds)>,
    /// Segments of the next event.
    pub nodes: Vec<NodeId>,
    /// Segments that are committed.
    pub batch: Vec<Ended>,
    /// Events of the moment that is committed which have been counted.
    pub counted: Vec<EventOrder>,
    /// By process: whether it has begun or resumed already in this event; all false between events.
    pub resumed: Column<bool>,
}
