//! Steps that are too long for the joints of a group: they are done over with shorter sub-steps.

use super::{Member, Memory, SolverError, Span, Surroundings};
use crate::State;
use crate::joints::System;

/// How many times as many sub-steps are tried, one after the other.
const FINER: [u32; 4] = [1, 4, 16, 64];

/// Asks for the usual sub-steps, whatever joints they leave open.
pub(super) const TOLERANT: u32 = 0;

/// Whether a sub-step is too long for the joints: they could not be held, or only by holding a light body as if it were
/// heavier, which is not what joints do. With the finest sub-steps the latter is put up with.
pub(super) fn is_too_long(joints: &System, finer: u32) -> bool {
    let [.., finest] = FINER;
    finer != TOLERANT && (joints.is_lost() || (joints.is_steadied() && finer != finest))
}

/// Advances members with `advance`, which is told how many times as many sub-steps to take as usual and says whether
/// all joints were held. A pure function of the same things: what fails leaves no trace. Joints that no sub-step
/// holds, because something has torn them open, are left open, and close again as fast as overlaps do.
pub(super) fn until_held(
    span: Span,
    members: &mut [Member],
    around: &Surroundings<'_>,
    memory: &mut Memory,
    mut advance: impl FnMut(&mut [Member], &mut Memory, u32) -> Result<bool, SolverError>,
) -> Result<(), SolverError> {
    if around.links.is_empty() {
        return advance(members, memory, 1).map(|_| ());
    }
    let starts: Vec<State> = members.iter().map(|m| m.state).collect();
    let remembered = memory.clone();
    for finer in FINER {
        if advance(members, memory, finer)? {
            return Ok(());
        }
        for (member, start) in members.iter_mut().zip(&starts) {
            member.state = *start;
        }
        memory.clone_from(&remembered);
    }
    let [.., finest] = FINER;
    let left_open = advance(members, memory, TOLERANT);
    left_open.map(|_| ()).map_err(|_| SolverError::Joints {
        joint: around.links[0].joint.name.clone(),
        members: members.len(),
        step: span.seconds,
        shorter: span.seconds / f64::from(finest),
        finest,
    })
}
