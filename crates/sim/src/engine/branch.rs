//! A second engine that shares its past with the first. Columns branch in constant time; only what is
//! small (the current bucket of the queue, inputs, buffers) is copied.

use super::{Engine, Stretches};
use std::sync::Arc;

impl Engine {
    /// An engine with the same history and the same pending events.
    pub fn branch(&mut self) -> Engine {
        Engine {
            world: Arc::clone(&self.world),
            models: self.models.branch(),
            graph: self.graph.branch(),
            queue: self.queue.branch(),
            crowded: self.crowded,
            grid: self.grid.branch(),
            flights: self.flights.branch(),
            turns: self.turns.branch(),
            swept: self.swept.branch(),
            origins: self.origins.branch(),
            alarms: self.alarms.branch(),
            slots: self.slots.branch(),
            group: self.group.branch(),
            drive: self.drive.branch(),
            step_ends: self.step_ends.branch(),
            segments: self.segments.branch(),
            groups: self.groups.branch(),
            workshop: self.workshop.branch(),
            ties: Arc::clone(&self.ties),
            failures: self.failures.clone(),
            sheets: self.sheets.clone(),
            held: self.held.clone(),
            vertices: Vec::new(),
            frames: self.frames.clone(),
            reaches: self.reaches.branch(),
            quick: self.quick.branch(),
            ledger: self.ledger.clone(),
            past: self.past.as_mut().map(Stretches::branch),
            inputs: self.inputs.clone(),
            struck: self.struck.branch(),
            stale: Vec::new(),
            widest_reach: self.widest_reach,
            watch: self.watch.clone(),
            absent: self.absent,
            suspended: self.suspended.clone(),
            halted: self.halted.clone(),
            keeps_dense: self.keeps_dense,
            at_work: None,
            gvt: self.gvt,
            overrun: self.overrun,
            detect: self.detect,
            is_starting: false,
            stats: self.stats.clone(),
            found: Vec::new(),
            soonest: self.soonest,
            near: Default::default(),
            members: Vec::new(),
            resuming: Vec::new(),
            begun: Vec::new(),
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
        self.graph.reclaim();
        self.queue.reclaim();
        self.struck.reclaim();
        self.grid.reclaim();
        self.flights.reclaim();
        self.turns.reclaim();
        self.swept.reclaim();
        self.origins.reclaim();
        self.alarms.reclaim();
        self.slots.reclaim();
        self.group.reclaim();
        self.drive.reclaim();
        self.step_ends.reclaim();
        self.segments.reclaim();
        self.groups.reclaim();
        self.workshop.reclaim();
        self.reaches.reclaim();
        self.quick.reclaim();
        self.resumed.reclaim();
        if let Some(past) = &mut self.past {
            past.reclaim();
        }
    }
}
