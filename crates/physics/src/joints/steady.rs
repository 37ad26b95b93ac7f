//! Light bodies under tension: how they are kept from swinging faster than sub-steps can follow.

use super::system::System;
use super::{JointKind, Link};
use crate::Vec3;
use crate::rotation::world_tensor;

/// A body under tension swings about its anchors; faster swings than a radian in this many sub-steps cannot be
/// followed, and are slowed down.
const SWING: f64 = 1.5;

impl System {
    /// Makes light bodies under tension answer as if they were heavier. A link of a chain that holds a thousand
    /// times its weight swings a hundred times in a sub-step; its impulses, which are those of one moment for
    /// all of the sub-step, would drive it farther with every swing. What the tension does to such a body when
    /// it turns (moves, at the end of a rope) is at most `tension * arm` for each radian (`tension / length` for
    /// each metre), so this much inertia is enough. Bodies that swing slower are left as they are.
    pub(super) fn steady(&mut self, links: &[Link], h: f64) {
        self.needed = self.needs(links, &self.tensions, h);
        for (body, [mass, inertia]) in self.bodies.iter_mut().zip(&self.needed) {
            if body.is_fixed() {
                continue;
            }
            let lightest = body.mass.inverse_inertia.max_element();
            self.is_steadied |= body.mass.inverse_mass * mass > 1.0 || lightest * inertia > 1.0;
            let least = |inverse: f64, needed: f64| match inverse * needed > 1.0 {
                true => 1.0 / needed,
                false => inverse,
            };
            body.yields = least(body.mass.inverse_mass, *mass);
            let principal = body.mass.inverse_inertia.to_array();
            let [x, y, z] = principal.map(|i| least(i, *inertia));
            body.inverse_inertia = world_tensor(body.pose.rotation, Vec3::new(x, y, z));
        }
    }

    /// Mass and inertia that each body needs to be steady under these impulses.
    fn needs(&self, links: &[Link], impulses: &[f64], h: f64) -> Vec<[f64; 2]> {
        let mut needed = vec![[0.0f64; 2]; self.bodies.len()];
        for entry in &self.entries {
            let joint = links[entry.link as usize].joint;
            let impulse = &impulses[entry.rows()];
            let (tension, length) = match joint.kind {
                JointKind::Distance { length } | JointKind::Rope { length } => {
                    (impulse[0].abs(), length)
                }
                JointKind::Slider { .. } | JointKind::Free => (0.0, f64::INFINITY),
                _ => {
                    let pull = Vec3::new(impulse[0], impulse[1], impulse[2]);
                    (pull.length(), f64::INFINITY)
                }
            };
            for (side, &body) in entry.bodies.iter().enumerate() {
                let arm = joint.frames[side].translation.length();
                needed[body as usize][0] += 2.0 * tension / length * h * SWING;
                needed[body as usize][1] += tension * arm * h * SWING;
            }
        }
        needed
    }

    /// Whether the impulses found are so much stronger than those that the bodies were steadied for, that they
    /// have to be found again. A chain snaps taut.
    pub(super) fn snaps(&self, links: &[Link], h: f64) -> bool {
        let needed = self.needs(links, &self.impulses, h);
        let bodies = self.bodies.iter().zip(&needed).zip(&self.needed);
        bodies.into_iter().any(|((body, now), then)| {
            let lightest = body.mass.inverse_inertia.max_element();
            let grows = |k: usize, inverse: f64| inverse * now[k] > 1.0 && now[k] > 2.0 * then[k];
            !body.is_fixed() && (grows(0, body.mass.inverse_mass) || grows(1, lightest))
        })
    }

    /// Takes the joints' impulses of this sub-step back, and steadies the bodies for them.
    pub(super) fn begin_again(&mut self, links: &[Link], h: f64) {
        for (tension, impulse) in self.tensions.iter_mut().zip(&mut self.impulses) {
            *tension = tension.abs().max(impulse.abs());
            *impulse = 0.0;
        }
        for body in &mut self.bodies {
            let added = std::mem::take(&mut body.added);
            if !body.is_fixed() {
                body.take_back(added);
            }
        }
        self.steady(links, h);
        self.linearise(links, 0.0);
    }
}
