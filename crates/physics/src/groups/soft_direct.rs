//! All contacts of a group at once, for `soft-step`: where sweeps would need hundreds of rounds, because
//! forces have a long way to the ground or a heavy body stands on a light one.
//!
//! Sweeps pass a force on from body to body, and by a heavy body through a light one in steps of the light one's
//! mass. Here it is said which groups are solved at once instead; [`super::soft_newton`] does it.

use super::soft_newton::Newton;
use super::soft_rows::{Mover, Pass, Patch, Row};

/// Bodies between a member and the ground from which on all contacts are solved at once.
const DEEP: u32 = 12;
/// Mass ratio from which on they are, when the lighter of the two touches a third body.
pub(super) const HEAVY: f64 = 20.0;
/// Mass ratio up to which a light body is held between others.
const HEAVIEST: f64 = 2e7;
/// Products of blocks per member that a factorisation may take.
const BUDGET: usize = 120;
/// The same where sweeps would do as well in the end.
const LEAN: usize = 8;
/// How much work the contacts of a group are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// A sweep at a time will do.
    Light,
    /// Forces have far to go.
    Deep,
    /// A heavy body leans on a light one.
    Heavy,
    /// Next to nothing moves: what is left to do is small, and soon done.
    Still,
    /// So heavy a one that double precision does not tell the light one's velocity from rounding.
    Hopeless,
}

/// Says whether all contacts are solved at once, and does so.
#[derive(Default)]
pub struct Direct {
    newton: Newton,
    depth: Vec<u32>,
    partners: Vec<u32>,
}

impl Direct {
    /// What the contacts of a group ask for: a function of who touches whom. Who passes another one fast (patches from
    /// `brief` on) does not lean on it, however heavy it is.
    pub(super) fn effort<'a>(
        &mut self,
        patches: &'a [Patch],
        brief: usize,
        movers: &[Mover],
        members: usize,
        is_still: bool,
    ) -> Effort {
        self.partners.clear();
        self.partners.resize(members, 0);
        self.depth.clear();
        self.depth.resize(members, u32::MAX);
        let mut last = (u32::MAX, u32::MAX);
        for patch in patches.iter().filter(|p| p.end > p.first) {
            let (a, b) = (patch.a as usize, patch.b as usize);
            let is_new = (patch.a, patch.b) != last;
            last = (patch.a, patch.b);
            self.partners[a] += u32::from(is_new);
            match self.partners.get_mut(b) {
                Some(partners) => *partners += u32::from(is_new),
                None => self.depth[a] = 0,
            }
        }
        let between = |patches: &'a [Patch]| {
            let touching = patches.iter().filter(|p| p.end > p.first);
            touching.filter(move |p| (p.b as usize) < members)
        };
        let mut heaviest = 0f64;
        for patch in between(&patches[..brief]) {
            let (mut light, mut heavy) = (patch.a as usize, patch.b as usize);
            if movers[light].inverse_mass < movers[heavy].inverse_mass {
                (light, heavy) = (heavy, light);
            }
            let ratio = movers[light].inverse_mass / movers[heavy].inverse_mass;
            if self.partners[light] > 1 {
                heaviest = heaviest.max(ratio);
            }
        }
        if heaviest > HEAVIEST {
            return Effort::Hopeless;
        } else if heaviest > HEAVY {
            return Effort::Heavy;
        }
        for round in 0..=DEEP {
            let mut is_changed = false;
            for patch in between(patches) {
                let (a, b) = (patch.a as usize, patch.b as usize);
                let (da, db) = (self.depth[a], self.depth[b]);
                for (from, to, at) in [(da, db, b), (db, da, a)] {
                    if from == round && to == u32::MAX {
                        self.depth[at] = round + 1;
                        is_changed = true;
                    }
                }
            }
            if !is_changed {
                return if is_still {
                    Effort::Still
                } else {
                    Effort::Light
                };
            }
        }
        Effort::Deep
    }

    /// Takes the patches of a step, or of a sub-step with other ones. Says whether a factorisation is within reach.
    pub(super) fn begin(&mut self, patches: &[Patch], members: usize, effort: Effort) -> bool {
        let budget = match effort {
            Effort::Still => LEAN,
            _ => BUDGET,
        };
        self.newton.begin(patches, members, budget * members)
    }

    /// Solves all rows. Says whether nothing is left to do.
    pub(super) fn solve(
        &mut self,
        patches: &[Patch],
        rows: &mut [Row],
        movers: &mut [Mover],
        pass: &Pass,
        members: usize,
    ) -> bool {
        let velocities = Pass {
            soft: None,
            hold_rate: 0.0,
            ..*pass
        };
        match pass.soft {
            None => self.newton.relax(patches, rows, movers, pass, members),
            Some(_) => {
                // Velocities first; then the push-out.
                let is_solved = self
                    .newton
                    .solve(patches, rows, movers, &velocities, members);
                if is_solved {
                    self.newton.push(patches, rows, movers, pass, members);
                }
                is_solved
            }
        }
    }
}
