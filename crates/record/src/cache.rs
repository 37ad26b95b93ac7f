//! Decoded blocks, kept while they are in use: the least recently used go first when memory is short.

use crate::decoded::Decoded;
use std::sync::Arc;

/// Memory for decoded blocks.
const BUDGET_BYTES: usize = 64 << 20;

/// A bounded map from a block's number to its segments; the most recently used stand last.
#[derive(Default)]
pub(crate) struct Cache {
    blocks: Vec<(usize, Arc<Decoded>)>,
    bytes: usize,
}

impl Cache {
    pub(crate) fn get(&mut self, number: usize) -> Option<Arc<Decoded>> {
        let place = self.blocks.iter().rposition(|(n, _)| *n == number)?;
        let entry = self.blocks.remove(place);
        self.blocks.push(entry);
        self.blocks.last().map(|(_, block)| block.clone())
    }

    pub(crate) fn put(&mut self, number: usize, block: Arc<Decoded>) {
        self.bytes += block.bytes();
        self.blocks.push((number, block));
        while self.bytes > BUDGET_BYTES && self.blocks.len() > 1 {
            self.bytes -= self.blocks.remove(0).1.bytes();
        }
    }
}
