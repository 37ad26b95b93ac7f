//! Contacts of a cloth with itself: a vertex near a triangle, or two edges near each other. Each is a unilateral constraint
//! along the direction in which the two lie apart, enforced in the same iteration as the cloth's own, with Coulomb friction.
//! Impulses on the two sides are opposite and equal, so momentum is kept to rounding.

use glamx::DVec3;

use crate::acm::{Kind, closest};
use crate::impulse::contact::nearby::Near;
use crate::impulse::model::obstacle::Preview;

/// Two primitives of a cloth that may touch in this step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fold {
    pub near: Near,
    /// Weights of the four vertices in the separation; those of the first primitive add up to 1, the others to -1.
    weights: [f64; 4],
    /// Direction in which the first primitive must stay from the second.
    normal: DVec3,
    /// That direction at the start of the step, or when the two were about to meet.
    side: DVec3,
    /// What they must be apart along it at the end of the step, m, and by how much less will do.
    least: f64,
    allowed: f64,
    /// How far they move apart for a unit position impulse, 1/kg.
    mobility: f64,
    /// Position impulses of this step along the normal and across it, kg m.
    pressed: f64,
    rubbed: DVec3,
    /// Impulses of the velocity loop, likewise, N s.
    held: f64,
    dragged: DVec3,
    is_new: bool,
    /// Whether the normal is that of a meeting within the step, which the end of the step does not tell better.
    is_struck: bool,
}

impl Fold {
    /// Whether the two press on each other.
    pub fn is_pressed(&self) -> bool {
        self.pressed > 0.0
    }
}

/// How near two primitives were, and where.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meeting {
    pub weights: [f64; 4],
    pub normal: DVec3,
}

/// What may be missing of a distance, as a part of it.
const TOLERANCE: f64 = 0.25;
/// What an iteration leaves of that, and what may be missing at all.
const SETTLED: f64 = 0.2;
const DEEPEST: f64 = 0.85;
/// What may be missing where a step begins with much less than the distance, as a part of the tolerance.
const LEAST: f64 = 0.1;
/// How many times the least that a step may come to is asked for in any case.
const FLOORS: f64 = 2.0;
/// What a step takes back of an overlap with which it began: a part of it, and a speed at most, m/s.
const PARTING: [f64; 2] = [0.2, 0.2];
/// Slip that friction leaves, as a part of the tolerance and as a speed, m/s.
const SLIP: [f64; 2] = [0.002, 0.0002];

/// What contact of a cloth with itself demands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FoldRule<'a> {
    pub inverse_mass: &'a [f64],
    /// The cloth's tolerance of contacts, m.
    pub tolerance: f64,
    pub step: f64,
    pub friction: f64,
    /// Positions at the step's start.
    pub start: &'a [DVec3],
    /// By how much less than usual is asked for, a factor on what may be missing.
    pub ease: f64,
}

/// After so many sweeps of a step less is asked for, and after each so many more half as much again is let go: where many layers
/// lie on each other, links and thickness may leave no way. What a step may never come to is not touched by that.
const PATIENCE: u32 = 40;
const EASED: u32 = 12;

/// How much less is asked for after some sweeps.
pub(crate) fn ease(sweeps: u32) -> f64 {
    let times = sweeps.saturating_sub(PATIENCE) / EASED;
    libm::pow(1.5, f64::from(times.min(100)))
}

impl FoldRule<'_> {
    fn tolerance(&self, near: &Near) -> f64 {
        self.tolerance.min(TOLERANCE * near.apart)
    }

    /// A contact of two primitives that are `meeting` so.
    pub fn fold(&self, near: Near, meeting: Meeting) -> Fold {
        let tolerance = self.tolerance(&near);
        let inside = (near.apart - near.distance).max(0.0);
        let parting = (PARTING[0] * inside).min(PARTING[1] * self.step);
        let room = DEEPEST * tolerance - (inside - parting);
        let mut fold = Fold {
            near,
            weights: [0.0; 4],
            normal: DVec3::ZERO,
            side: meeting.normal,
            least: near.apart - inside + parting,
            allowed: room.clamp(LEAST * tolerance, (1.0 - SETTLED) * tolerance),
            mobility: 0.0,
            pressed: 0.0,
            rubbed: DVec3::ZERO,
            held: 0.0,
            dragged: DVec3::ZERO,
            is_new: true,
            is_struck: false,
        };
        self.take(&mut fold, meeting);
        fold
    }

    fn take(&self, fold: &mut Fold, meeting: Meeting) {
        (fold.weights, fold.normal) = (meeting.weights, meeting.normal);
        let mobility = |(&p, w): (&u32, f64)| w * w * self.inverse_mass[p as usize];
        fold.mobility = fold
            .near
            .stencil
            .iter()
            .zip(fold.weights)
            .map(mobility)
            .sum();
    }

    /// Takes the direction in which two primitives were about to meet within the step.
    pub fn strike(&self, fold: &mut Fold, meeting: Meeting) {
        self.take(fold, meeting);
        fold.side = meeting.normal;
        (fold.is_new, fold.is_struck) = (true, true);
    }

    /// What they are apart, m.
    #[inline(always)]
    fn gap(&self, fold: &Fold, bodies: &impl Preview) -> f64 {
        let apart = |(&p, w): (&u32, f64)| bodies.preview(p as usize) * w;
        let apart: DVec3 = fold.near.stencil.iter().zip(fold.weights).map(apart).sum();
        fold.normal.dot(apart)
    }

    /// The least distance that will do now, m.
    #[inline(always)]
    fn enough(&self, fold: &Fold) -> f64 {
        let enough = fold.least - fold.allowed * self.ease;
        enough.max((FLOORS * fold.near.floor).min(fold.least - fold.allowed))
    }

    /// Whether a contact misses more than it may.
    pub fn is_violated(&self, fold: &Fold, bodies: &impl Preview) -> bool {
        self.gap(fold, bodies) < self.enough(fold)
    }

    /// What a distance misses, m.
    pub fn missing(&self, fold: &Fold, bodies: &impl Preview) -> f64 {
        fold.least - self.gap(fold, bodies)
    }

    /// Corrects every violated contact once and tells `moved` which particles changed. Returns the count.
    pub fn sweep(
        &self,
        folds: &mut [Fold],
        bodies: &mut impl Preview,
        mut moved: impl FnMut(usize),
    ) -> u64 {
        let mut corrections = 0;
        for fold in folds {
            if fold.mobility == 0.0 {
                continue;
            }
            let missing = self.missing(fold, bodies);
            let is_new = std::mem::take(&mut fold.is_new);
            let mut is_moved = false;
            let will_do = if is_new {
                0.0
            } else {
                fold.least - self.enough(fold)
            };
            if missing > will_do {
                let change = missing / fold.mobility;
                fold.pressed += change;
                self.push(fold, fold.normal * change, bodies);
                is_moved = true;
            }
            let is_rubbing = self.friction > 0.0 && fold.pressed > 0.0;
            if is_rubbing && self.rub(fold, is_new, bodies) {
                is_moved = true;
            }
            if is_moved {
                corrections += 1;
                fold.near.stencil.iter().for_each(|&p| moved(p as usize));
            }
        }
        corrections
    }

    /// A position impulse on the first primitive, kg m, and its opposite on the second.
    fn push(&self, fold: &Fold, impulse: DVec3, bodies: &mut impl Preview) {
        for (&p, weight) in fold.near.stencil.iter().zip(fold.weights) {
            let p = p as usize;
            bodies.push(p, impulse * (weight * self.inverse_mass[p]));
        }
    }

    /// Coulomb's law, for what the two slip on each other in this step.
    fn rub(&self, fold: &mut Fold, is_new: bool, bodies: &mut impl Preview) -> bool {
        let moved = |(&p, w): (&u32, f64)| {
            let p = p as usize;
            (bodies.preview(p) - self.start[p]) * w
        };
        let moved: DVec3 = fold.near.stencil.iter().zip(fold.weights).map(moved).sum();
        let slip = moved - fold.normal * fold.normal.dot(moved);
        let wanted = fold.rubbed - slip / fold.mobility;
        let rubbed = wanted.clamp_length_max(self.friction * fold.pressed);
        let change = rubbed - fold.rubbed;
        let tolerance = self.tolerance(&fold.near);
        let settled = match is_new {
            true => 0.0,
            false => self.ease * (SLIP[0] * tolerance).max(SLIP[1] * self.step),
        };
        if change.length() * fold.mobility <= settled {
            return false;
        }
        fold.rubbed = rubbed;
        self.push(fold, change, bodies);
        true
    }

    /// Finds anew in which direction the two lie apart. Returns whether all contacts hold so.
    pub fn renew(&self, folds: &mut [Fold], bodies: &impl Preview) -> bool {
        let mut holds = true;
        for fold in folds {
            let at = fold.near.stencil.map(|p| bodies.preview(p as usize));
            let now = closest(fold.near.pair.kind(), &at);
            let distance = now.separation.length();
            let is_deeper = distance < self.enough(fold);
            if !is_deeper && !self.is_violated(fold, bodies) {
                continue;
            }
            let normal = now.separation / distance;
            if !fold.is_struck && distance > 0.0 && normal.dot(fold.side) > 0.0 {
                let weights = now.weights;
                self.take(fold, Meeting { weights, normal });
            }
            holds &= !self.is_violated(fold, bodies);
        }
        holds
    }

    /// Forgets the impulses of an earlier velocity loop.
    pub fn begin_velocities(folds: &mut [Fold]) {
        for fold in folds {
            (fold.held, fold.dragged) = (0.0, DVec3::ZERO);
        }
    }

    /// Removes approaching velocity at closed contacts, and sliding as far as friction can; returns the number of
    /// corrections.
    pub fn sweep_velocities(
        &self,
        folds: &mut [Fold],
        velocity: &mut [DVec3],
        tolerance: f64,
    ) -> u64 {
        let mut corrections = 0;
        for fold in folds
            .iter_mut()
            .filter(|f| f.pressed > 0.0 && f.mobility > 0.0)
        {
            let of = |(&p, w): (&u32, f64)| velocity[p as usize] * w;
            let relative: DVec3 = fold.near.stencil.iter().zip(fold.weights).map(of).sum();
            let approach = fold.normal.dot(relative);
            let held = (fold.held - approach / fold.mobility).max(0.0);
            let mut change = DVec3::ZERO;
            if (held - fold.held).abs() * fold.mobility > tolerance {
                change = fold.normal * (held - fold.held);
                fold.held = held;
            }
            let slip = relative - fold.normal * approach;
            let wanted = fold.dragged - slip / fold.mobility;
            let dragged = wanted.clamp_length_max(self.friction * fold.held);
            if (dragged - fold.dragged).length() * fold.mobility > tolerance {
                change += dragged - fold.dragged;
                fold.dragged = dragged;
            }
            if change == DVec3::ZERO {
                continue;
            }
            for (&p, weight) in fold.near.stencil.iter().zip(fold.weights) {
                velocity[p as usize] += change * (weight * self.inverse_mass[p as usize]);
            }
            corrections += 1;
        }
        corrections
    }
}

/// Where two primitives lie apart, and how far, m; none if they touch.
pub(crate) fn meeting(kind: Kind, at: &[DVec3; 4]) -> Option<(Meeting, f64)> {
    let near = closest(kind, at);
    let distance = near.separation.length();
    let normal = near.separation / distance;
    let weights = near.weights;
    (distance > 0.0).then_some((Meeting { weights, normal }, distance))
}
