//! Contacts with surfaces made of triangles (meshes and height fields), one triangle at a time.
//!
//! A surface is one-sided: it pushes along its outward side. Where the closest point lies on an
//! edge or a corner that neighbouring triangles share, the normal counts only if those neighbours
//! lie below it; otherwise a body that slides over a flat patch would trip over its inner edges.

use super::faces::Solid;
use super::manifold::{Candidate, Manifolds, Witness, witness};
use crate::collider::SolidPart;
use crate::{Pose, Vec3};
use parry3d_f64::bounding_volume::BoundingVolume;
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::{Triangle, TypedShape};

/// Triangles near a body, in the surface's frame.
#[derive(Default)]
pub struct Triangles {
    list: Vec<Patch>,
}

#[derive(Clone, Copy)]
struct Patch {
    id: u32,
    corners: [Vec3; 3],
    /// Outward unit normal.
    normal: Vec3,
    /// Whether what lies behind it is solid (a height field), or empty (a mesh).
    solid: bool,
}

impl Triangles {
    fn push(&mut self, id: u32, triangle: &Triangle, solid: bool) {
        let [a, b, c] = [triangle.a, triangle.b, triangle.c];
        let normal = (b - a).cross(c - a).normalize_or_zero();
        if normal == Vec3::ZERO {
            return;
        }
        let below = solid && normal.y < 0.0;
        self.list.push(Patch {
            id,
            corners: [a, b, c],
            normal: if below { -normal } else { normal },
            solid,
        });
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

impl Patch {
    /// Whether `point` lies in the triangle, to rounding.
    fn holds(&self, point: Vec3) -> bool {
        let [a, b, c] = self.corners;
        let size = (b - a).length_squared() + (c - a).length_squared();
        let nearest = Triangle::new(a, b, c).project_local_point(point, true);
        nearest.point.distance_squared(point) <= 1e-14 * size
    }
}

impl Manifolds {
    pub(super) fn on_surface(&mut self, near: &Candidate, part: &SolidPart, surface: &SolidPart) {
        let mut triangles = std::mem::take(&mut self.triangles);
        collect(near, part, surface, &mut triangles);
        let in_surface = near.poses[1].inverse() * near.poses[0];
        for patch in &triangles.list {
            self.on_triangle(near, patch, &triangles, &in_surface);
        }
        self.triangles = triangles;
    }

    /// `in_surface` is the pose of the solid in the surface's frame.
    fn on_triangle(&mut self, near: &Candidate, patch: &Patch, all: &Triangles, in_surface: &Pose) {
        let near = &Candidate {
            piece: patch.id + 1,
            solids: [near.solids[0], Solid::Triangle(patch.corners)],
            ..*near
        };
        let height = |p: Vec3| patch.normal.dot(p - patch.corners[0]);
        let down = in_surface.rotation.inverse() * -patch.normal;
        let lowest = height(in_surface * near.solids[0].support(down));
        let limit = near.reach + near.margins[0];
        let behind = height(in_surface.translation) < 0.0;
        if lowest > limit || (behind && !patch.solid) {
            return;
        }
        let found = match witness(near, limit) {
            None => return,
            Some(found) => found,
        };
        // Everything below is in the solid's frame, where the manifold wants it.
        let to_solid = in_surface.rotation.inverse();
        let square = -found.outward.dot(to_solid * patch.normal);
        if found.distance <= 0.0 || square < 0.0 {
            let flat = Witness {
                outward: to_solid * -patch.normal,
                distance: lowest,
                ..found
            };
            self.clip_faces(near, &flat, false);
            return;
        }
        let normal = in_surface.rotation * -found.outward;
        let on_triangle = in_surface * found.points[1];
        if square > 1.0 - 1e-9 || all.supports(on_triangle, normal) {
            self.clip_faces(near, &found, true);
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
    match surface.shape.as_typed_shape() {
        TypedShape::HeightField(field) => {
            field.map_elements_in_local_aabb(&region, &mut |id, t| out.push(id, t, true));
        }
        TypedShape::TriMesh(mesh) => {
            for id in mesh.bvh().intersect_aabb(&region) {
                out.push(id, &mesh.triangle(id), false);
            }
            out.list.sort_unstable_by_key(|patch| patch.id);
        }
        _ => {}
    }
}
