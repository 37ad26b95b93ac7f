//! Which model a segment follows.

/// How a body follows its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// On its own, under the law of the model.
    Free,
    /// Where a contact group or sleep has put it: in straight lines that something else decides on.
    Carried,
}

/// A model of a world and how it is followed. Tables of models hold both modes of each side by side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModelId(u32);

impl ModelId {
    /// The model with this index, followed in this way.
    pub const fn new(index: u32, mode: Mode) -> Self {
        ModelId(index << 1 | mode as u32)
    }

    /// The model at a place of a table with both modes.
    pub const fn at(place: u32) -> Self {
        ModelId(place)
    }

    /// Its place in such a table.
    #[inline]
    pub const fn place(self) -> usize {
        self.0 as usize
    }

    /// The index of the model, whatever the mode.
    #[inline]
    pub const fn index(self) -> u32 {
        self.0 >> 1
    }

    /// How it is followed.
    #[inline]
    pub const fn mode(self) -> Mode {
        if self.0 & 1 == 0 {
            Mode::Free
        } else {
            Mode::Carried
        }
    }

    /// The same model, followed freely.
    #[inline]
    pub const fn free(self) -> Self {
        ModelId(self.0 & !1)
    }

    /// The same model of a body that is carried.
    #[inline]
    pub const fn carried(self) -> Self {
        ModelId(self.0 | 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_modes_of_a_model_lie_side_by_side() {
        let free = ModelId::new(7, Mode::Free);
        assert_eq!((free.place(), free.carried().place()), (14, 15));
        assert_eq!(free.carried().free(), free);
        assert_eq!(free.carried().mode(), Mode::Carried);
        assert_eq!(free.index(), free.carried().index());
        assert_eq!(ModelId::at(15), free.carried());
    }
}
