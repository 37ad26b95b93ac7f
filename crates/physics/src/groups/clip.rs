//! Clipping: the part of one face that lies over another, and the four of its points that matter.
//!
//! Sutherland and Hodgman's polygon clipping against the side planes of a reference face. Every
//! point carries a number made of the features that meet in it, so that a contact is recognised
//! again in the next step.

use super::faces::Face;
use crate::Vec3;

/// Largest number of points while clipping: every side plane adds at most one.
const CLIPPED: usize = 2 * super::faces::FACE_VERTICES;

/// A point of a clipped face.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Corner {
    /// Where it is.
    pub point: Vec3,
    /// Height above the reference plane along the contact normal, metres.
    pub height: f64,
    /// The features that meet here.
    pub feature: u32,
    /// The least height at the step's start and end, metres, once it is known.
    pub arrival: f64,
}

/// A polygon under the knife.
#[derive(Clone, Copy)]
pub struct Polygon {
    corners: [Corner; CLIPPED],
    count: usize,
}

impl Default for Polygon {
    fn default() -> Self {
        Polygon {
            corners: [Corner::default(); CLIPPED],
            count: 0,
        }
    }
}

impl Polygon {
    /// How many points it holds at most.
    pub const CAPACITY: usize = CLIPPED;

    /// Forgets all points.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Drops the points that do not count.
    pub fn keep(&mut self, counts: impl Fn(&mut Corner) -> bool) {
        let mut kept = 0;
        for k in 0..self.count {
            if counts(&mut self.corners[k]) {
                self.corners[kept] = self.corners[k];
                kept += 1;
            }
        }
        self.count = kept;
    }

    /// The points.
    pub fn corners(&self) -> &[Corner] {
        &self.corners[..self.count]
    }

    /// Adds a point; a full polygon stays as it is.
    pub fn push(&mut self, corner: Corner) {
        if self.count < CLIPPED {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }
}

/// The part of `incident` over `reference` and its height above it along `normal`, which looks out
/// of the reference face. `spare` is a buffer.
pub fn clip(
    reference: &Face,
    incident: &Face,
    normal: Vec3,
    out: &mut Polygon,
    spare: &mut Polygon,
) {
    out.count = 0;
    for k in 0..incident.count {
        out.push(Corner {
            point: incident.vertices[k],
            height: 0.0,
            feature: (incident.ids[k] & 0xffff) << 8,
            ..Corner::default()
        });
    }
    let open = incident.count == 2;
    for side in 0..reference.count {
        let here = reference.vertices[side];
        let next = reference.vertices[(side + 1) % reference.count];
        let outward = match reference.count {
            2 => here - next,
            _ => (next - here).cross(reference.normal),
        };
        if side % 2 == 0 {
            cut(out, here, outward, side as u32, open, spare);
        } else {
            cut(spare, here, outward, side as u32, open, out);
        }
    }
    if reference.count % 2 == 1 {
        out.count = spare.count;
        out.corners[..spare.count].copy_from_slice(spare.corners());
    }
    let plane = reference_plane(reference, normal);
    let slope = 1.0 / plane.dot(normal);
    for corner in &mut out.corners[..out.count] {
        corner.height = plane.dot(corner.point - reference.vertices[0]) * slope;
    }
}

/// Normal of the reference plane; for an edge, the contact normal made square to it.
fn reference_plane(reference: &Face, normal: Vec3) -> Vec3 {
    if reference.count > 2 {
        return reference.normal;
    }
    let along = (reference.vertices[1] - reference.vertices[0]).normalize_or_zero();
    (normal - along * along.dot(normal)).normalize_or(normal)
}

/// Keeps what lies behind the plane through `origin` with normal `outward`.
fn cut(from: &Polygon, origin: Vec3, outward: Vec3, side: u32, open: bool, out: &mut Polygon) {
    out.count = 0;
    let corners = from.corners();
    let edges = if open {
        corners.len().saturating_sub(1)
    } else {
        corners.len()
    };
    let excess = |c: &Corner| outward.dot(c.point - origin);
    for (k, here) in corners.iter().enumerate() {
        let beyond = excess(here);
        if beyond <= 0.0 {
            out.push(*here);
        }
        if k >= edges {
            continue;
        }
        let next = &corners[(k + 1) % corners.len()];
        let next_beyond = excess(next);
        if (beyond <= 0.0) == (next_beyond <= 0.0) {
            continue;
        }
        let share = beyond / (beyond - next_beyond);
        let enters = u32::from(beyond > 0.0);
        out.push(Corner {
            point: here.point + (next.point - here.point) * share,
            height: 0.0,
            feature: (here.feature & 0xff_ff00) | (enters << 7) | (side + 1),
            ..Corner::default()
        });
    }
}

/// Chooses at most four points that span the contact: the one that will be deepest, the one farthest from it,
/// and the farthest on both sides of the line between them. Returns how many were chosen.
pub fn choose(corners: &[Corner], normal: Vec3, chosen: &mut [Corner; 4]) -> usize {
    if corners.len() <= 4 {
        chosen[..corners.len()].copy_from_slice(corners);
        return corners.len();
    }
    let best = |score: &dyn Fn(&Corner) -> f64| {
        let mut found = 0;
        for k in 1..corners.len() {
            if score(&corners[k]) > score(&corners[found]) {
                found = k;
            }
        }
        found
    };
    let deepest = best(&|c| -c.arrival);
    let origin = corners[deepest].point;
    let far = best(&|c| (c.point - origin).length_squared());
    let across = normal.cross(corners[far].point - origin);
    let left = best(&|c| across.dot(c.point - origin));
    let right = best(&|c| -across.dot(c.point - origin));
    let mut count = 0;
    for (k, pick) in [deepest, far, left, right].into_iter().enumerate() {
        if ![deepest, far, left, right][..k].contains(&pick) {
            chosen[count] = corners[pick];
            count += 1;
        }
    }
    count
}
