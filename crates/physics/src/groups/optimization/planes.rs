//! Separating planes as constraints between points of two bodies.
//!
//! A plane with normal n and offset d separates two convex pieces if n.q <= d for all vertices q of one
//! and n.q >= d for all of the other. Linearised (slide 31 of Geigenfeind's seminar on the paper) each
//! vertex gives one row in the moves of its body and in the plane's three variables: two tilts and d.
//! These three appear in no objective, so the multipliers of both sides must have the same sum and the
//! same two moments in the plane: the pressure on one piece is the pressure on the other, at the same
//! place. The extreme pressures that do this act where a feature of one piece lies over a feature of the
//! other, which is where clipping the two faces puts its corners. Eliminating the plane's variables
//! therefore leaves one row for each such corner, between a point of one body and a point of the other,
//! and that is what the program works with.

use crate::groups::manifold::Manifold;
use crate::groups::memory::PointKey;
use crate::{BodyModel, Vec3};

/// Share of the skin that planes keep where one side is round or flat without end: their distance is
/// well-defined down to zero.
const ROUND: f64 = 0.1;

/// Overlap that a step may end with if it cannot do better, and that ways between two steps may have, as a part of
/// the smaller body's least width.
pub(super) const OVERLAP: f64 = 5e-5;

/// The smaller of two bodies' least widths, metres.
pub(super) fn width(models: [&BodyModel; 2]) -> f64 {
    let [a, b] = models.map(|model| model.collider.least_width());
    a.min(b)
}

/// Distance that the plane of a manifold keeps, metres.
pub(super) fn kept(manifold: &Manifold, skin: f64) -> f64 {
    if manifold.rests_apart {
        skin
    } else {
        ROUND * skin
    }
}

/// Which row: the contact point, and the moment of the step (see [`super::ways`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RowKey {
    pub point: PointKey,
    pub moment: u32,
}

/// One row: the gap between two points along the plane's normal stays above zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub key: RowKey,
    pub bodies: [u32; 2],
    /// Towards the first body, times the share of the step that has passed: so much of a move at the
    /// step's end has been made by then.
    pub normal: Vec3,
    /// What a unit of the multiplier turns, per body: arm cross normal, times the same share.
    pub turns: [Vec3; 2],
    /// The same times the inverse weight of turning.
    pub responses: [Vec3; 2],
    /// Distance less the one to keep, where the bodies were when it was linearised, metres.
    pub gap: f64,
    /// The distance to keep, metres.
    pub keep: f64,
    /// One over the row's response.
    pub weight: f64,
    /// The multiplier.
    pub push: f64,
}
