//! Observers: what a run counts and tells of itself. Nothing here decides anything.

use super::speculation::Speculation;
use super::watch::Watch;
use crate::stats::Stats;
use crate::world::World;

/// See the module's text.
pub(super) struct Observers {
    /// Counters.
    pub stats: Stats,
    /// What rollbacks took back, for a history that asks for it.
    pub speculation: Speculation,
    /// What an input changes.
    pub watch: Watch,
}

impl Observers {
    /// Nothing has happened yet.
    pub fn new(world: &World) -> Self {
        Observers {
            stats: Stats {
                scene: world.name.clone(),
                threads: 1,
                sim_seconds: world.until.seconds(),
                bodies_moving: world.moving(),
                bodies_total: world.declared(),
                ..Stats::default()
            },
            speculation: Speculation::default(),
            watch: Watch::default(),
        }
    }

    /// The same for a branch, whose story nobody has asked for.
    pub fn branch(&self) -> Self {
        Observers {
            stats: self.stats.clone(),
            speculation: Speculation::default(),
            watch: self.watch.clone(),
        }
    }
}
