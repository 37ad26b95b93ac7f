//! A second engine that shares its past with the first. Columns branch in constant time; only what is
//! small (the current bucket of the queue, inputs, buffers) is copied.

use super::Engine;
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
            sheets: self.sheets.clone(),
            vertices: Vec::new(),
            frames: self.frames.clone(),
            inputs: self.inputs.clone(),
            watch: self.watch.clone(),
            keeps_dense: self.keeps_dense,
            at_work: None,
            gvt: self.gvt,
            overrun: self.overrun,
            is_in_order: self.is_in_order,
            detect: self.detect,
            is_starting: false,
            stats: self.stats.clone(),
            found: Vec::new(),
            soonest: self.soonest,
            near: Default::default(),
            members: Vec::new(),
            resuming: Vec::new(),
            spare_nodes: Vec::new(),
            undone: Vec::new(),
            resumed: self.resumed.branch(),
            batch: Vec::new(),
            commits: self.commits,
            trace: super::trace::Trace::default(),
        }
    }

    /// Takes back what no branch shares any more, so that columns are plain vectors again.
    pub fn reclaim(&mut self) {
        self.models.reclaim();
        self.lines.reclaim();
        self.around.reclaim();
        self.agenda.reclaim();
        self.groups.reclaim();
        self.readers.reclaim();
        self.resumed.reclaim();
    }
}
