//! Where a step finds no way, because many layers press on each other faster than links and contacts can tell each other: the
//! particles that touch are sent on together, and if that does not help either, not at all. Motion within the zone is lost, as in
//! an impact without rebound; no energy is gained.

use glamx::DVec3;

use crate::impulse::contact::fold::Fold;
use crate::impulse::model::constraint::Constraint;

/// How a step begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Calm {
    /// As the velocities say.
    #[default]
    Free,
    /// What touched itself in the attempt before goes on with one velocity for each zone.
    Together,
    /// What touched itself in the attempt before begins at rest.
    AtRest,
    /// Everything begins at rest.
    AllAtRest,
}

impl Calm {
    /// What may be tried, one after the other.
    pub const ALL: [Self; 4] = [Self::Free, Self::Together, Self::AtRest, Self::AllAtRest];
}

/// Changes the velocities of what pressed on itself in the attempt before.
pub(crate) fn calm(
    level: Calm,
    folds: &[Fold],
    links: &[Constraint],
    inverse_mass: &[f64],
    velocity: &mut [DVec3],
) {
    if level == Calm::Free {
        return;
    }
    let is_free = |v: usize| inverse_mass[v] > 0.0;
    let mut zone: Vec<usize> = (0..velocity.len()).collect();
    let mut touches = vec![level == Calm::AllAtRest; velocity.len()];
    for fold in folds.iter().filter(|fold| fold.is_pressed()) {
        let [first, rest @ ..] = fold.near.stencil.map(|v| v as usize);
        touches[first] = true;
        for v in rest {
            touches[v] = true;
            join(&mut zone, first, v);
        }
    }
    for (a, b) in links.iter().map(Constraint::pair) {
        if touches[a] && touches[b] {
            join(&mut zone, a, b);
        }
    }
    let mut sums = vec![(0.0, DVec3::ZERO); velocity.len()];
    if level == Calm::Together {
        for v in (0..velocity.len()).filter(|&v| touches[v] && is_free(v)) {
            let (mass, root) = (1.0 / inverse_mass[v], find(&mut zone, v));
            sums[root].0 += mass;
            sums[root].1 += velocity[v] * mass;
        }
    }
    for v in (0..velocity.len()).filter(|&v| touches[v] && is_free(v)) {
        let (mass, momentum) = sums[find(&mut zone, v)];
        velocity[v] = if mass > 0.0 {
            momentum / mass
        } else {
            DVec3::ZERO
        };
    }
}

/// The lowest number of a zone.
fn find(zone: &mut [usize], mut v: usize) -> usize {
    while zone[v] != v {
        zone[v] = zone[zone[v]];
        v = zone[v];
    }
    v
}

fn join(zone: &mut [usize], a: usize, b: usize) {
    let (a, b) = (find(zone, a), find(zone, b));
    zone[a.max(b)] = a.min(b);
}
