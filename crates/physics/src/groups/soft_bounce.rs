//! Bounces of `soft-step` in groups with joints.

use super::soft_buffers::Buffers;
use crate::joints::{Blow, Link, System};

/// Rounds in which blows are passed on at most.
pub(super) const BLOWS: u32 = 64;
/// Slowest approach at which what loses nothing bounces, m/s.
pub(super) const SLOWEST: f64 = 1e-9;

/// How many sub-steps before it would close a contact may bounce: once it has closed it is too late, and what
/// else happens in the sub-step may close it sooner.
pub(super) const SOON: f64 = 1.5;

impl Buffers {
    /// Lets contacts that will close within the sub-step of `h` seconds bounce, one after the other until all part:
    /// with all joints held, so that the blow loses nothing in them. Without joints, contacts bounce at the
    /// step's end. Says whether any did.
    pub(super) fn bounce(
        &mut self,
        joints: &mut System,
        links: &[Link],
        (h, threshold): (f64, f64),
    ) -> bool {
        let mut has_bounced = false;
        if joints.is_empty() {
            return has_bounced;
        }
        for _ in 0..BLOWS {
            let mut is_struck = false;
            for patch in self.patches.iter().filter(|p| p.restitution > 0.0) {
                let bodies = [patch.a as usize, patch.b as usize];
                let slowest = match patch.restitution < 1.0 {
                    true => threshold,
                    false => SLOWEST,
                };
                for row in &mut self.rows[patch.first as usize..patch.end as usize] {
                    let blow = Blow {
                        bodies,
                        arms: row.arms,
                        normal: patch.frame[0],
                        restitution: patch.restitution,
                    };
                    let speed = blow.speed(&self.movers);
                    if speed >= -slowest || row.separation + SOON * speed * h > 0.0 {
                        continue;
                    }
                    row.normal_total += joints.strike(links, &mut self.movers, &blow);
                    // It has bounced, and will not do so again at the step's end.
                    row.approach = 0.0;
                    is_struck = true;
                    for body in bodies {
                        if let Some(touched) = self.touched.get_mut(body) {
                            *touched = true;
                        }
                    }
                }
            }
            if !is_struck {
                break;
            }
            has_bounced = true;
        }
        has_bounced
    }
}
