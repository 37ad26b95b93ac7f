//! `auto`: dense groups go to the optimiser, all others stay with `soft-step`.
//!
//! Time Warp and impulses are at home where bodies are loosely coupled, the optimiser where they are
//! packed. The rule is a function of the group at the step's start alone: a group is dense if it has at
//! least [`DENSE_MEMBERS`] members, no joints, and in its last step at least [`DENSE_CONTACTS`] pairs of
//! bodies for each member held each other. A step of `soft-step` in which two bodies of a group without joints overlap by
//! more than [`DEEP`] of the smaller one's width goes back to its start and is made by the optimiser. What that cannot move apart
//! in one step stays with `soft-step`, unless it is crushed there ([`CRUSHED`]).

use super::optimization::{Left, Optimization};
use super::soft_step::SoftStep;
use super::{
    GroupSolver, Member, Memory, Neighbour, Report, Scratch, SolverError, Span, Surroundings,
};
use crate::State;
use std::collections::BTreeMap;

/// Members from which on a group may be dense.
pub const DENSE_MEMBERS: usize = 8;

/// Pairs that hold each other, per member, from which on a group is dense: a row on the floor has one, a heap about
/// two, a packing in a container three and more. The sooner a heap is handed over, the less it overlaps by then.
pub const DENSE_CONTACTS: f64 = 1.25;

/// Overlap, as a part of the smaller body's least width, from which on a step is not left to `soft-step`.
pub const DEEP: f64 = 0.004;

/// Overlap, as a part of the smaller body's least width, from which on bodies that the optimiser cannot move apart have no room,
/// and are named.
pub const CRUSHED: f64 = 0.1;

/// Chooses between the optimiser and `soft-step`.
#[derive(Clone, Debug)]
pub struct Auto {
    dense: Optimization,
    loose: SoftStep,
    /// Whether every group without joints counts as dense.
    always: bool,
}

impl Auto {
    /// Dense groups go to the optimiser.
    pub fn new(dense: Optimization, loose: SoftStep) -> Self {
        Auto {
            dense,
            loose,
            always: false,
        }
    }

    /// All groups without joints go to the optimiser.
    pub fn always(dense: Optimization, loose: SoftStep) -> Self {
        Auto {
            dense,
            loose,
            always: true,
        }
    }

    fn is_dense(&self, members: &[Member], around: &Surroundings<'_>, memory: &Memory) -> bool {
        if !around.links.is_empty() {
            return false;
        }
        if members.len() < DENSE_MEMBERS {
            return false;
        }
        let mut holding = 0usize;
        let mut last = None;
        for held in memory.points() {
            if last != Some(held.key.bodies) {
                last = Some(held.key.bodies);
                holding += 1;
            }
        }
        holding as f64 >= DENSE_CONTACTS * members.len() as f64
    }
}

impl GroupSolver for Auto {
    fn name(&self) -> &'static str {
        if self.always { "optimization" } else { "auto" }
    }

    fn holds_joints(&self) -> bool {
        true
    }

    fn keeps_apart(&self) -> bool {
        true
    }

    fn pass(
        &self,
        span: Span,
        members: &mut [Member],
        around: &Surroundings<'_>,
        passing: &[u32],
        memory: &mut Memory,
        scratch: &mut Scratch,
        report: &mut Report,
    ) -> Option<Result<(), SolverError>> {
        if !self.always {
            return None;
        }
        self.dense
            .pass(span, members, around, passing, memory, scratch, report)
    }

    fn step(
        &self,
        span: Span,
        members: &mut [Member],
        around: &Surroundings<'_>,
        memory: &mut Memory,
        scratch: &mut Scratch,
        report: &mut Report,
    ) -> Result<(), SolverError> {
        if self.always && around.links.is_empty() {
            let dense = &self.dense;
            return dense.step(span, members, around, memory, scratch, report);
        }
        if !around.links.is_empty() {
            (self.loose).step(span, members, around, memory, scratch, report)?;
            report.effort.left = Left {
                jointed: 1,
                bodies: members.len() as u64,
                ..Left::default()
            };
            return Ok(());
        }
        let before: Vec<State> = members.iter().map(|m| m.state).collect();
        let known = memory.clone();
        let again = |members: &mut [Member], memory: &mut Memory| {
            for (member, state) in members.iter_mut().zip(&before) {
                member.state = *state;
            }
            memory.clone_from(&known);
        };
        if !self.is_dense(members, around, memory) {
            (self.loose).step(span, members, around, memory, scratch, report)?;
            if !is_deep(members, around.neighbours, report, DEEP) {
                report.effort.left = Left {
                    loose: 1,
                    bodies: members.len() as u64,
                    ..Left::default()
                };
                return Ok(());
            }
            again(members, memory);
        }
        let jammed = match (self.dense).step(span, members, around, memory, scratch, report) {
            // What `soft-step` has let overlap too deeply to be moved apart in one step stays with it for another.
            Err(jammed @ SolverError::Jammed { .. }) => jammed,
            end => return end,
        };
        again(members, memory);
        self.loose
            .step(span, members, around, memory, scratch, report)?;
        match is_deep(members, around.neighbours, report, CRUSHED) {
            true => Err(jammed),
            false => {
                report.effort.left = Left {
                    jammed: 1,
                    bodies: members.len() as u64,
                    ..Left::default()
                };
                Ok(())
            }
        }
    }
}

/// Whether a step let two bodies overlap by more than a part of the smaller one's least width.
fn is_deep(members: &[Member], neighbours: &[Neighbour], report: &Report, part: f64) -> bool {
    let deepest = report.touches.iter().filter(|touch| touch.gap < 0.0);
    let mut deepest = deepest.peekable();
    if deepest.peek().is_none() {
        return false;
    }
    let bodies = members.iter().map(|m| (m.body, m.model));
    let bodies = bodies.chain(neighbours.iter().map(|n| (n.body, n.model)));
    let widths: BTreeMap<u32, f64> = bodies
        .map(|(body, model)| (body, model.collider.least_width()))
        .collect();
    let wide = |body: u32| widths.get(&body).copied().unwrap_or(f64::INFINITY);
    deepest.any(|touch| -touch.gap > part * wide(touch.a).min(wide(touch.b)))
}
