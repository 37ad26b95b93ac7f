//! Contact points of `soft-step` that roll over a round surface while a step lasts.

use super::soft_buffers::Buffers;
use super::soft_rows::{Mover, Patch};
use super::{Member, Neighbour};
use crate::Vec3;

impl Buffers {
    /// Points of what a kinematic body carries round go in circles: notes how their velocities will differ.
    fn carry(&mut self, patch: &Patch, ahead: f64) {
        let spins = [patch.a, patch.b].map(|body| self.movers[body as usize].spin);
        let bend = |spin: Vec3, arm: Vec3| spin.cross(spin.cross(arm));
        for row in &mut self.rows[patch.first as usize..patch.end as usize] {
            let [a, b] = row.arms;
            row.ahead = (bend(spins[0], a) - bend(spins[1], b)) * ahead;
        }
    }

    /// Puts the rows that roll where their bodies touch now, and notes how their velocities will differ `ahead`
    /// seconds from now (before now, if it is negative).
    ///
    /// Impulses act here and now, but what they are to stop is the slip in the middle of the sub-step: then they
    /// give on one side of it what they take on the other, and what rolls loses nothing.
    pub(super) fn roll(&mut self, members: &[Member], neighbours: &[Neighbour], ahead: f64) {
        let turns = |m: &Mover| m.inverse_mass == 0.0 && m.spin != Vec3::ZERO;
        let is_carried = self.movers[members.len()..].iter().any(turns);
        if self.rings.is_empty() && !is_carried {
            return;
        }
        for k in 0..self.patches.len() {
            let patch = &self.patches[k].clone();
            let bodies = [patch.a as usize, patch.b as usize];
            if turns(&self.movers[bodies[1]]) {
                self.carry(patch, ahead);
            }
            let normal = patch.frame[0];
            let inwards = [normal, -normal];
            for k in patch.first as usize..patch.end as usize {
                let (row, foot) = (&mut self.rows[k], &self.feet[k]);
                let Some(rings) = (foot.rolls as usize)
                    .checked_sub(1)
                    .map(|place| self.rings[place])
                else {
                    continue;
                };
                let [a, b] = bodies.map(|body| &self.movers[body]);
                row.follow(foot, (a, b), patch);
                row.ahead = Vec3::ZERO;
                let mut surfaces = [None; 2];
                for side in 0..2 {
                    let (Some(ring), Some(member)) = (rings[side], members.get(bodies[side]))
                    else {
                        continue;
                    };
                    let mover = &self.movers[bodies[side]];
                    let rotation = member.state.rotation;
                    let Some(core) = ring.arm(rotation, inwards[side]) else {
                        continue;
                    };
                    let fixed = foot.cores[side] + mover.turned * foot.cores[side];
                    row.separation += inwards[side].dot(core - fixed);
                    surfaces[side] = Some(core - patch.to_cores[side]);
                    let turning = (rotation, mover.spin);
                    let mass = &member.model.mass;
                    let change = ring.change(mass, turning, inwards[side], ahead);
                    row.ahead += if side == 0 { change } else { -change };
                }
                let centre = |body: usize| match members.get(body) {
                    Some(member) => member.state.position,
                    None => {
                        let start = neighbours[body - members.len()].state.position;
                        start + self.movers[body].moved
                    }
                };
                let centres = bodies.map(centre);
                let points = [0, 1].map(|side| surfaces[side].map(|arm| centres[side] + arm));
                let at = match points {
                    [Some(a), Some(b)] => 0.5 * (a + b),
                    [Some(point), None] | [None, Some(point)] => point,
                    [None, None] => continue,
                };
                row.arms = centres.map(|centre| at - centre);
                row.weigh(a, b, &patch.frame);
            }
        }
    }
}
