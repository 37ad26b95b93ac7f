//! Contacts with surfaces made of triangles (meshes and height fields), one triangle at a time.
//!
//! A surface is one-sided: it pushes along its outward side. Where the closest point lies on an
//! edge or a corner that neighbouring triangles share, the normal counts only if those neighbours
//! lie below it; otherwise a body that slides over a flat patch would trip over its inner edges.

use super::candidate::{Candidate, Witness};
use super::clip::{Corner, Polygon, choose};
use super::faces::Solid;
use super::manifold::Manifolds;
use crate::collider::SolidPart;
use crate::terrain::{Facet, facets_in};
use crate::{Pose, Vec3};
use parry3d_f64::bounding_volume::BoundingVolume;

/// Triangles near a body, in the surface's frame.
#[derive(Default)]
pub struct Triangles {
    list: Vec<Facet>,
    /// Vertices of the solid in the surface's frame; empty for round solids.
    vertices: Vec<Vec3>,
    /// Where they will be at the step's end.
    later: Vec<Vec3>,
    /// How high they are above the plane of the triangle that is looked at.
    heights: Vec<f64>,
}

impl Triangles {
    /// Lists the solid's vertices.
    fn place(&mut self, solid: &Solid, in_surface: &Pose) {
        self.vertices.clear();
        let place = |&p: &Vec3| in_surface * p;
        match solid {
            Solid::Point => self.vertices.push(in_surface.translation),
            Solid::Segment(ends) => self.vertices.extend(ends.iter().map(place)),
            Solid::Triangle(corners) => self.vertices.extend(corners.iter().map(place)),
            Solid::Cuboid(half) => self.vertices.extend((0..8).map(|corner| {
                let side = |bit: u32, h: f64| if corner & bit == 0 { -h } else { h };
                in_surface * Vec3::new(side(1, half.x), side(2, half.y), side(4, half.z))
            })),
            Solid::Hull(hull) if hull.points().len() <= Polygon::CAPACITY => {
                self.vertices.extend(hull.points().iter().map(place));
            }
            Solid::Hull(_) | Solid::Round(_) => {}
        }
    }

    /// Where the vertices will be at the step's end.
    fn foresee(&mut self, near: &Candidate, in_surface: &Pose) {
        let twist = near.twist.turned(in_surface.rotation);
        let later = |&point: &Vec3| point + twist.displacement(point - in_surface.translation);
        self.later.clear();
        self.later.extend(self.vertices.iter().map(later));
    }

    /// Measures the vertices over a triangle's plane. Gives the lowest of them; none if there are none.
    fn measure(&mut self, at: usize) -> Option<f64> {
        let Facet {
            normal, corners, ..
        } = self.list[at];
        let height = |point: &Vec3| normal.dot(*point - corners[0]);
        self.heights.clear();
        self.heights.extend(self.vertices.iter().map(height));
        self.heights.iter().copied().reduce(f64::min)
    }

    /// Whether no triangle around `patch` falls behind its plane: the surface is flat or hollow
    /// there, as far as the solid reaches.
    fn is_hollow_around(&self, patch: &Facet) -> bool {
        let plane = patch.normal.dot(patch.corners[0]);
        let slack = 1e-9 * (1.0 + plane.abs());
        let rises = |corner: &Vec3| patch.normal.dot(*corner) - plane >= -slack;
        self.list.iter().all(|p| p.corners.iter().all(rises))
    }

    /// Whether all vertices lie, now and at the step's end, farther than `limit` outside of one edge.
    fn is_beside(&self, patch: &Facet, limit: f64) -> bool {
        let Some(&first) = self.vertices.first() else {
            return false;
        };
        (0..3).any(|k| {
            let (corner, across) = patch.outside(k);
            // Most edges have the solid on their inner side, which the vector's length does not matter for.
            if across.dot(first - corner) <= 0.0 {
                return false;
            }
            let outward = across.normalize_or_zero();
            let beyond = |p: &Vec3| outward.dot(*p - corner) > limit;
            self.vertices.iter().all(beyond) && self.later.iter().all(beyond)
        })
    }

    /// Whether the surface around `point` lies below the plane through it with this normal.
    fn supports(&self, point: Vec3, normal: Vec3) -> bool {
        self.list.iter().all(|patch| {
            let rises = |corner: &Vec3| {
                let away = *corner - point;
                normal.dot(away) > 1e-6 * away.length()
            };
            !patch.corners.iter().any(rises) || !patch.holds(point)
        })
    }
}

impl Manifolds {
    pub(super) fn on_surface(&mut self, near: &Candidate, part: &SolidPart, surface: &SolidPart) {
        let mut triangles = std::mem::take(&mut self.triangles);
        collect(near, part, surface, &mut triangles);
        if !triangles.list.is_empty() {
            let in_surface = near.poses[1].inverse() * near.poses[0];
            triangles.place(&near.solids[0], &in_surface);
            triangles.foresee(near, &in_surface);
            for at in 0..triangles.list.len() {
                let lowest = triangles.measure(at);
                self.on_triangle(near, (&triangles.list[at], lowest), &triangles, &in_surface);
            }
        }
        self.triangles = triangles;
    }

    /// `in_surface` is the pose of the solid in the surface's frame; `lowest` is the height of its lowest vertex.
    fn on_triangle(
        &mut self,
        near: &Candidate,
        (patch, lowest): (&Facet, Option<f64>),
        all: &Triangles,
        in_surface: &Pose,
    ) {
        let height = |p: Vec3| patch.normal.dot(p - patch.corners[0]);
        let limit = near.reach + near.margins[0];
        if height(in_surface.translation) < 0.0 && !patch.is_solid {
            return;
        }
        let lowest = lowest.unwrap_or_else(|| {
            let down = in_surface.rotation.inverse() * -patch.normal;
            height(in_surface * near.solids[0].support(down))
        });
        if lowest > limit || all.is_beside(patch, limit) {
            return;
        }
        if !all.vertices.is_empty() && all.is_hollow_around(patch) {
            self.vertices_over(near, patch, all, in_surface);
            return;
        }
        let near = &Candidate {
            piece: patch.id + 1,
            solids: [near.solids[0], Solid::Triangle(patch.corners)],
            ..*near
        };
        let Some(found) = self.witness(near, limit) else {
            return;
        };
        if found.distance <= 0.0 {
            let flat = Witness {
                outward: in_surface.rotation.inverse() * -patch.normal,
                distance: lowest,
                ..found
            };
            self.clip_faces(near, &flat, false);
            return;
        }
        let normal = in_surface.rotation * -found.outward;
        if all.supports(in_surface * found.points[1], normal) {
            self.clip_faces(near, &found, true);
        } else {
            // The closest point is a neighbour's affair, but vertices may still come down here.
            self.vertices_over(near, patch, all, in_surface);
        }
    }

    /// Contacts of the solid's vertices with a triangle that no neighbour falls away from: there
    /// vertices touch before anything else does. They count if they are over the triangle now or
    /// at the step's end. What is beside it and below its plane by now has not sunk in: the ground falls away there, and
    /// it gets here over a neighbour, if at all.
    fn vertices_over(&mut self, near: &Candidate, patch: &Facet, all: &Triangles, at: &Pose) {
        let limit = near.reach + near.margins[0];
        let polygon = &mut self.polygons[0];
        polygon.clear();
        for (id, &height) in all.heights.iter().enumerate() {
            if height > limit {
                continue;
            }
            let (point, later) = (all.vertices[id], all.later[id]);
            if patch.is_below(point) || (height >= near.margins[0] && patch.is_below(later)) {
                polygon.push(Corner {
                    point,
                    height,
                    feature: id as u32,
                    ..Corner::default()
                });
            }
        }
        if polygon.corners().is_empty() {
            return;
        }
        let up = at.rotation.inverse() * patch.normal;
        near.keep_arriving(polygon, -up, |point| at.inverse_transform_point(point));
        let mut chosen = [Corner::default(); 4];
        let count = choose(polygon.corners(), patch.normal, &mut chosen);
        if count == 0 {
            return;
        }
        let surface = near.poses[1];
        let normal = surface.rotation * patch.normal;
        let near = &Candidate {
            piece: patch.id + 1,
            ..*near
        };
        self.begin(near, normal);
        for corner in &chosen[..count] {
            let point = surface * corner.point;
            let on_a = point - normal * near.margins[0];
            let on_b = point - normal * corner.height;
            self.push(on_a, on_b, corner.height - near.margins[0], corner.feature);
        }
    }
}

fn collect(near: &Candidate, part: &SolidPart, surface: &SolidPart, out: &mut Triangles) {
    out.list.clear();
    let in_surface = near.poses[1].inverse() * near.poses[0];
    let region = part
        .shape
        .compute_aabb(&in_surface)
        .loosened(near.reach + near.margins[0]);
    facets_in(surface, &region, |facet| out.list.push(facet));
}
