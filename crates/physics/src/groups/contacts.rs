//! What all group solvers share: from candidate pairs to manifolds, and from points to touches.

use super::candidate::Approach;
use super::manifold::Manifolds;
use super::{Member, Neighbour, SolverError, Touch};
use crate::{BodyModel, State};

/// Share of the way two bodies may travel in a step by which a straight prediction may be wrong.
const TURNING_SLACK: f64 = 0.2;

/// Finds the contacts of all candidate pairs that may come within `margin` during `seconds`.
pub fn find(
    members: &[Member],
    neighbours: &[Neighbour],
    pairs: &[(u32, u32)],
    margin: f64,
    seconds: f64,
    manifolds: &mut Manifolds,
) -> Result<(), SolverError> {
    manifolds.seeds.clear();
    find_again(members, neighbours, pairs, margin, seconds, manifolds)
}

/// The same, with the searches beginning where those of the manifolds' seeds ended.
pub(super) fn find_again(
    members: &[Member],
    neighbours: &[Neighbour],
    pairs: &[(u32, u32)],
    margin: f64,
    seconds: f64,
    manifolds: &mut Manifolds,
) -> Result<(), SolverError> {
    find_each(members, neighbours, pairs, margin, |_| seconds, manifolds)
}

/// The same, with as many seconds for each pair as `ahead` says.
pub(super) fn find_each(
    members: &[Member],
    neighbours: &[Neighbour],
    pairs: &[(u32, u32)],
    margin: f64,
    mut ahead: impl FnMut((u32, u32)) -> f64,
    manifolds: &mut Manifolds,
) -> Result<(), SolverError> {
    let count = members.len() + neighbours.len();
    manifolds.clear();
    for &(first, second) in pairs {
        let seconds = ahead((first, second));
        let (i, j) = (first as usize, second as usize);
        if i >= members.len() || j >= count || i == j {
            return Err(SolverError::Pair {
                first,
                second,
                count,
            });
        }
        let a = (members[i].model, &members[i].state);
        let b = body(members, neighbours, j);
        let travel = travel(a, b, seconds);
        let approach = Approach {
            reach: margin + travel,
            margin: margin + TURNING_SLACK * travel,
            seconds,
        };
        let apart = (a.1.position - b.1.position).length();
        let radii = a.0.bounding_radius() + b.0.bounding_radius();
        if apart <= radii + approach.reach {
            manifolds.find((first, second), a, b, &approach);
        }
    }
    manifolds.seeds.settle();
    Ok(())
}

/// Makes one touch of all points of a pair; drops pairs that neither touch nor push.
pub fn merge_touches(touches: &mut Vec<Touch>, margin: f64) {
    touches.sort_by_key(|t| u64::from(t.a) << 32 | u64::from(t.b));
    touches.dedup_by(|later, kept| {
        let same = (later.a, later.b) == (kept.a, kept.b);
        if same {
            kept.gap = kept.gap.min(later.gap);
            kept.normal_impulse += later.normal_impulse;
        }
        same
    });
    touches.retain(|t| t.gap <= margin || t.normal_impulse > 0.0);
}

/// Model and state of the member or neighbour that a pair names.
pub fn body<'a>(
    members: &'a [Member],
    neighbours: &'a [Neighbour],
    index: usize,
) -> (&'a BodyModel, &'a State) {
    match members.get(index) {
        Some(member) => (member.model, &member.state),
        None => {
            let neighbour = &neighbours[index - members.len()];
            (neighbour.model, &neighbour.state)
        }
    }
}

/// Its number in the world.
pub fn body_id(members: &[Member], neighbours: &[Neighbour], index: usize) -> u32 {
    match members.get(index) {
        Some(member) => member.body,
        None => neighbours[index - members.len()].body,
    }
}

/// Refuses states that are not finite.
pub fn check(
    members: &[Member],
    neighbours: &[Neighbour],
    when: &'static str,
) -> Result<(), SolverError> {
    let members = members.iter().map(|m| (m.body, &m.state));
    let neighbours = neighbours.iter().map(|n| (n.body, &n.state));
    match members.chain(neighbours).find(|(_, s)| !s.is_finite()) {
        Some((body, _)) => Err(SolverError::NotFinite { body, when }),
        None => Ok(()),
    }
}

/// A bound on how far the surfaces of two bodies approach each other within `seconds`, as long as
/// nothing but gravity speeds them up.
pub(super) fn travel(a: (&BodyModel, &State), b: (&BodyModel, &State), seconds: f64) -> f64 {
    let apart = (a.1.position - b.1.position).length();
    let turning = |(model, state): (&BodyModel, &State), other: &BodyModel| {
        let spin = state.spin.length();
        if spin == 0.0 {
            return 0.0;
        }
        let arm = model.bounding_radius().min(apart + other.bounding_radius());
        spin * arm
    };
    let speed = (a.1.velocity - b.1.velocity).length() + turning(a, b.0) + turning(b, a.0);
    let pull = (a.0.gravity - b.0.gravity).length();
    (speed + pull * seconds) * seconds
}
