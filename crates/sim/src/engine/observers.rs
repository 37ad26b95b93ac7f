//! Observers: what a run counts and tells of itself. Nothing here decides anything.

use super::speculation::Speculation;
use super::watch::Watch;
use crate::stats::Stats;
use crate::world::World;

/// See the module's text.
pub(super) struct Observers {
    stats: Stats,
    speculation: Speculation,
    watch: Watch,
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

    /// Counters.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Counters, to be counted on.
    #[inline]
    pub fn count(&mut self) -> &mut Stats {
        &mut self.stats
    }

    /// What rollbacks took back, for a history that asks for it.
    #[inline]
    pub fn speculation(&self) -> &Speculation {
        &self.speculation
    }

    /// The same, to be added to.
    pub fn speculation_mut(&mut self) -> &mut Speculation {
        &mut self.speculation
    }

    /// What an input changes.
    #[inline]
    pub fn watch(&self) -> &Watch {
        &self.watch
    }

    /// The same, to be added to.
    #[inline]
    pub fn watch_mut(&mut self) -> &mut Watch {
        &mut self.watch
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

#[cfg(test)]
mod tests {
    use super::*;
    use physics::Vec3;

    #[test]
    fn a_branch_counts_on_and_tells_its_own_story() {
        let world = World::new("empty", Vec3::ZERO, 2.0);
        let mut observers = Observers::new(&world);
        observers.count().rollbacks = 3;
        let mut branch = observers.branch();
        branch.count().rollbacks += 1;
        assert_eq!(observers.stats().rollbacks, 3);
        assert_eq!(branch.stats().rollbacks, 4);
        assert_eq!(branch.stats().sim_seconds, 2.0);
        assert!(!branch.speculation().is_wanted());
    }
}
