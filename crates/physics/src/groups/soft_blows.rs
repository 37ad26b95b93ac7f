//! Blows in `soft-step`: a member that was hit just before the step presses into what it leans on, at many metres a
//! second.
//!
//! What it leans on takes the blow up at once, at the points where they touch now, before anything moves. Left to the first
//! sub-step, the body would turn by then onto corners that nobody looked at; and a step that is cut would leave it a part of
//! a speed that it never had a moment to move with.

use super::contacts;
use super::memory::Memory;
use super::soft_rows::restitution;
use super::soft_step::{Kind, SoftStep};
use super::{Member, Neighbour, Report, Scratch, SolverError};

/// How fast a closed contact closes further in a blow, against the travel in a sub-step from which on contacts are found anew.
const BLOW: f64 = 0.2;
/// Sweeps over the contacts of those who were struck.
const SWEEPS: u32 = 8;

impl SoftStep {
    /// Lets closed contacts that are struck take it up. Says whether there were any; the rows are then used up.
    pub(super) fn take_blows(
        &self,
        members: &mut [Member],
        neighbours: &[Neighbour],
        pairs: &[(u32, u32)],
        h: f64,
        (scratch, report): (&mut Scratch, &mut Report),
    ) -> Result<bool, SolverError> {
        let settings = self.settings();
        let hard = -BLOW * settings.refresh_travel / h;
        if !scratch.soft.find_struck(hard, settings.linear_slop) {
            return Ok(false);
        }
        let Scratch {
            manifolds, soft, ..
        } = scratch;
        let mut touching = std::mem::take(&mut soft.blown_pairs);
        touching.clear();
        let is_struck = |body: u32| soft.struck.get(body as usize) == Some(&true);
        touching.extend(pairs.iter().filter(|(i, j)| is_struck(*i) || is_struck(*j)));
        contacts::find_again(
            members,
            neighbours,
            &touching,
            settings.margin,
            0.0,
            manifolds,
        )?;
        soft.begin(members, neighbours);
        soft.blown_pairs = touching;
        let nothing = Memory::default();
        for manifold in &manifolds.list {
            let from = (&*manifolds, &nothing, Kind::Brief);
            self.push_contact(members, neighbours, manifold, from, h, soft);
        }
        let [_, relaxing] = self.passes(h, false);
        soft.sweep((relaxing, SWEEPS), members.len());
        let (patches, rows, movers) = (&soft.patches, &mut soft.rows, &mut soft.movers);
        for row in rows.iter_mut() {
            row.normal_total += row.normal;
        }
        restitution(patches, rows, movers, settings.restitution_threshold);
        report.bounced(0.0, members.len(), |m| {
            let (mover, state) = (&soft.movers[m], &members[m].state);
            [mover.velocity - state.velocity, mover.spin - state.spin]
        });
        soft.report_rows(0, report);
        soft.write_velocities(members);
        Ok(true)
    }
}
