//! A second engine that shares its past with the first. Columns branch in constant time; only what is
//! small (the current bucket of the queue, inputs, buffers) is copied.

use super::Engine;
use super::scratch::Scratch;
use std::sync::Arc;

impl Engine {
    /// An engine with the same history and the same pending events.
    pub fn branch(&mut self) -> Engine {
        Engine {
            world: Arc::clone(&self.world),
            models: self.models.branch(),
            lines: self.lines.branch(),
            around: self.around.branch(),
            agenda: self.agenda.branch(),
            groups: self.groups.branch(),
            readers: self.readers.branch(),
            account: self.account.clone(),
            ties: Arc::clone(&self.ties),
            deformables: self.deformables.branch(),
            multibodies: self.multibodies.branch(),
            frames: self.frames.clone(),
            inputs: self.inputs.clone(),
            border: self.border.clone(),
            at_work: None,
            gvt: self.gvt,
            overrun: self.overrun,
            is_in_order: self.is_in_order,
            detect: self.detect,
            is_starting: false,
            observers: self.observers.branch(),
            scratch: Scratch::default(),
            soonest: self.soonest,
            undone: Vec::new(),
            commits: self.commits,
        }
    }

    /// Takes back what no branch shares any more, so that columns are plain vectors again.
    pub fn reclaim(&mut self) {
        self.models.reclaim();
        self.lines.reclaim();
        self.around.reclaim();
        self.agenda.reclaim();
        self.groups.reclaim();
        self.multibodies.reclaim();
        self.readers.reclaim();
    }
}
