//! What waits in the event queue: Mirtich's event types (4.1), in 40 bytes each.

use crate::periodic::Image;
use std::cmp::Ordering;
use warp::{Entry, EventOrder, Moment, NodeId, NodeRef, Tick};

/// The kinds of pending work. The first three are not history: they make certain that a stretch of
/// time is free, or find what is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A body's look-ahead ends: extend it.
    Extend,
    /// Two segments are certified free up to here, their safe time: look further.
    CollisionCheck,
    /// A rendered body's next frame.
    Redraw,
    /// A kinematic body's script goes on.
    Piece,
    /// A user's input is due.
    Input,
    /// What another region has said of a ghost is due.
    Fact,
    /// A contact group's step is due, and every few of them a group check.
    GroupStep,
    /// A user function is due.
    Callback,
    /// Two segments touch and approach here.
    Collision,
    /// A deformable's step is due.
    Deform,
}

/// One entry of the event queue.
#[derive(Clone, Copy, Debug)]
pub struct Pending {
    tick: Tick,
    key: u64,
    micro: u32,
    /// What to do.
    pub kind: Kind,
    /// The segment it is about.
    pub a: NodeRef,
    /// The other segment (the same one where there is none).
    pub b: NodeRef,
}

const CLASS_SHIFT: u32 = 60;
const NOWHERE: NodeRef = NodeRef {
    node: NodeId(u32::MAX),
    generation: 0,
};

/// Class of an event among those of one moment: work that is not history first, then what is fixed
/// in time, then collisions, and then deformables, which read what all the others have done.
fn class(kind: Kind) -> u64 {
    match kind {
        Kind::Extend | Kind::CollisionCheck | Kind::Redraw => 0,
        Kind::Piece => 1,
        // A fact has the place in the order of what it tells of.
        Kind::Input | Kind::Fact => 2,
        Kind::GroupStep => 3,
        Kind::Callback => 4,
        Kind::Collision => 5,
        Kind::Deform => 6,
    }
}

impl Pending {
    /// A check of a pair, at its safe time.
    pub(crate) fn check(at: Tick, a: NodeRef, b: NodeRef, image: Image) -> Self {
        Pending {
            tick: at,
            key: u64::from(image.0),
            micro: 0,
            kind: Kind::CollisionCheck,
            a,
            b,
        }
    }

    /// Which image of the second body a check is about.
    pub(crate) fn image(&self) -> Image {
        Image(self.key as u8)
    }

    /// Work on one segment that is not history.
    pub fn upkeep(kind: Kind, at: Tick, a: NodeRef) -> Self {
        Pending {
            tick: at,
            key: 0,
            micro: 0,
            kind,
            a,
            b: NOWHERE,
        }
    }

    /// Something that a process does at a fixed tick; `key` tells processes apart.
    pub fn alarm(kind: Kind, at: Tick, key: u32, a: NodeRef) -> Self {
        Pending {
            tick: at,
            key: class(kind) << CLASS_SHIFT | u64::from(key),
            micro: 0,
            kind,
            a,
            b: NOWHERE,
        }
    }

    /// The same right after a moment of the same tick.
    pub(super) fn after(self, moment: Moment) -> Self {
        Pending {
            micro: moment.micro + 1,
            ..self
        }
    }

    /// An input to a body.
    pub fn input(order: EventOrder, a: NodeRef) -> Self {
        Pending {
            tick: order.moment.tick,
            key: order.key,
            micro: order.moment.micro,
            kind: Kind::Input,
            a,
            b: NOWHERE,
        }
    }

    /// What another region has said happens to a ghost.
    pub fn fact(order: EventOrder, a: NodeRef) -> Self {
        Pending {
            kind: Kind::Fact,
            ..Pending::input(order, a)
        }
    }

    /// The key of an input to a body.
    pub fn input_key(body: u32, order: u32) -> u64 {
        class(Kind::Input) << CLASS_SHIFT | u64::from(body) << 30 | u64::from(order)
    }

    /// The step of a deformable. Its key leaves room for the groups that it strikes right after.
    pub fn deform(at: Tick, index: u32, a: NodeRef) -> Self {
        Pending {
            key: class(Kind::Deform) << CLASS_SHIFT | u64::from(index) << 33,
            ..Pending::alarm(Kind::Deform, at, 0, a)
        }
    }

    /// A collision of two bodies.
    pub fn collision(order: EventOrder, a: NodeRef, b: NodeRef) -> Self {
        Pending {
            tick: order.moment.tick,
            key: order.key,
            micro: order.moment.micro,
            kind: Kind::Collision,
            a,
            b,
        }
    }

    /// The key of the collision of two bodies: ties at one moment go to the lower numbers.
    pub fn collision_key(a: u32, b: u32) -> u64 {
        class(Kind::Collision) << CLASS_SHIFT | u64::from(a.min(b)) << 30 | u64::from(a.max(b))
    }

    /// Where it stands in the total order.
    pub fn order(&self) -> EventOrder {
        EventOrder {
            moment: Moment {
                tick: self.tick,
                micro: self.micro,
            },
            key: self.key,
        }
    }
}

impl Entry for Pending {
    #[inline]
    fn tick(&self) -> Tick {
        self.tick
    }

    #[inline]
    fn cmp_order(&self, other: &Self) -> Ordering {
        (self.tick, self.micro, self.key).cmp(&(other.tick, other.micro, other.key))
    }
}
