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

/// Attempts at one step, each with more sub-steps than the one before, until all joints are held. What fails leaves no
/// trace. Joints that no sub-step holds, because something has torn them open, are left open, and close again as fast as
/// overlaps do.
pub(super) struct Attempts {
    /// What members and memory were at the step's start; nothing without joints, which are what attempts fail for.
    starts: Vec<State>,
    remembered: Memory,
    /// Attempts so far.
    made: usize,
}

impl Attempts {
    pub fn begin(members: &[Member], around: &Surroundings<'_>, memory: &Memory) -> Self {
        let (mut starts, mut remembered) = (Vec::new(), Memory::default());
        if !around.links.is_empty() {
            starts.extend(members.iter().map(|m| m.state));
            remembered.clone_from(memory);
        }
        Attempts {
            starts,
            remembered,
            made: 0,
        }
    }

    /// How many times as many sub-steps as usual are taken now.
    pub fn finer(&self) -> u32 {
        FINER.get(self.made).copied().unwrap_or(TOLERANT)
    }

    /// Takes everything back to the step's start, for the next attempt.
    pub fn again(&mut self, members: &mut [Member], memory: &mut Memory) {
        for (member, start) in members.iter_mut().zip(&self.starts) {
            member.state = *start;
        }
        memory.clone_from(&self.remembered);
        self.made += 1;
    }

    /// What is said of a failure: in the last attempt it is the joints' fault.
    pub fn told(
        &self,
        error: SolverError,
        span: Span,
        around: &Surroundings<'_>,
        members: usize,
    ) -> SolverError {
        let [.., finest] = FINER;
        match around.links.first() {
            Some(link) if self.finer() == TOLERANT => SolverError::Joints {
                joint: link.joint.name.clone(),
                members,
                step: span.seconds,
                shorter: span.seconds / f64::from(finest),
                finest,
            },
            _ => error,
        }
    }
}
