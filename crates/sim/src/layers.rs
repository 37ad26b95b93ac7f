//! Who meets whom: every body is in some layers and meets the bodies of some layers. Two bodies collide only if
//! each meets the other; a pair that does not is never looked at any further.

use crate::world::Body;

/// The layers of a body, as sets of 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    /// The layers it is in.
    pub of: u32,
    /// The layers that it meets.
    pub meets: u32,
}

impl Default for Layers {
    /// In the first layer, and meets all.
    fn default() -> Self {
        Layers {
            of: 1,
            meets: u32::MAX,
        }
    }
}

impl Layers {
    /// In no layer, and meets none.
    pub const NOBODY: Layers = Layers { of: 0, meets: 0 };

    /// How many layers there can be.
    pub const MOST: usize = 32;

    /// Whether bodies of these layers meet.
    #[inline]
    pub fn meet(self, other: Layers) -> bool {
        self.of & other.meets != 0 && other.of & self.meets != 0
    }
}

/// The layers of all bodies; nothing is kept where everybody meets everybody.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meets {
    layers: Vec<Layers>,
}

impl Meets {
    pub fn new(bodies: &[Body]) -> Self {
        let is_choosy = |body: &Body| body.layers.meets != u32::MAX || body.layers.of == 0;
        if !bodies.iter().any(is_choosy) {
            return Meets::default();
        }
        Meets {
            layers: bodies.iter().map(|body| body.layers).collect(),
        }
    }

    /// Whether everybody meets everybody.
    pub fn is_empty(&self) -> bool {
        self.layers.is_empty()
    }

    /// Whether two bodies never collide.
    #[inline]
    pub fn are_apart(&self, a: u32, b: u32) -> bool {
        !self.layers.is_empty() && !self.layers[a as usize].meet(self.layers[b as usize])
    }
}
