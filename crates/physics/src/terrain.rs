//! Surfaces made of triangles (meshes and height fields) as the impact search sees them: which
//! triangles a solid is near, how far it is from the closest one, and how long it stays clear.
//!
//! Every triangle is a convex set of its own, so that the certificate of two convex parts holds for
//! each; a triangle whose plane the solid does not reach is dismissed without asking for a distance.

use crate::advance::{Verdict, floor_while_touching, slack_within, time_to_close};
use crate::collider::{Collider, SolidPart};
use crate::contact::Proximity;
use crate::depth::least_overlap;
use crate::groups::faces::Solid;
use crate::motion::State;
use crate::slab::{Side, Slab};
use crate::{Pose, Vec3};
use parry3d_f64::bounding_volume::{Aabb, BoundingVolume};
use parry3d_f64::query::PointQuery;
use parry3d_f64::query::gjk::{self, CsoPoint, GJKResult, VoronoiSimplex};
use parry3d_f64::shape::{Triangle, TypedShape};

/// One triangle in its surface's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facet {
    /// Its number in the surface.
    pub id: u32,
    /// Its corners.
    pub corners: [Vec3; 3],
    /// Outward unit normal: upward for a height field.
    pub normal: Vec3,
    /// Whether what lies behind it is solid (a height field), or empty (a mesh).
    pub is_solid: bool,
    /// One if the corners turn counter-clockwise about the normal, else minus one.
    winding: f64,
}

impl Facet {
    fn new(id: u32, triangle: &Triangle, is_solid: bool) -> Option<Self> {
        let corners = [triangle.a, triangle.b, triangle.c];
        let [a, b, c] = corners;
        let normal = (b - a).cross(c - a).try_normalize()?;
        let below = is_solid && normal.y < 0.0;
        Some(Facet {
            id,
            corners,
            normal: if below { -normal } else { normal },
            is_solid,
            winding: if below { -1.0 } else { 1.0 },
        })
    }

    /// A corner and a vector out of the triangle, in its plane, across the edge that begins there.
    #[inline]
    pub fn outside(&self, edge: usize) -> (Vec3, Vec3) {
        let (here, next) = (self.corners[edge], self.corners[(edge + 1) % 3]);
        (here, (next - here).cross(self.normal) * self.winding)
    }

    /// Whether `point` is over the triangle, along its normal.
    pub fn is_below(&self, point: Vec3) -> bool {
        (0..3).all(|k| {
            let (here, next) = (self.corners[k], self.corners[(k + 1) % 3]);
            let inward = self.normal.cross(next - here);
            inward.dot(point - here) * self.winding >= 0.0
        })
    }

    /// Whether `point` lies in the triangle, to rounding.
    pub fn holds(&self, point: Vec3) -> bool {
        let [a, b, c] = self.corners;
        let size = (b - a).length_squared() + (c - a).length_squared();
        let nearest = Triangle::new(a, b, c).project_local_point(point, true);
        nearest.point.distance_squared(point) <= 1e-14 * size
    }
}

/// Calls `found` with every triangle of a surface that meets a box in the surface's frame, by rising
/// number.
pub(crate) fn facets_in(surface: &SolidPart, region: &Aabb, mut found: impl FnMut(Facet)) {
    match surface.shape.as_typed_shape() {
        TypedShape::HeightField(field) => {
            field.map_elements_in_local_aabb(region, &mut |id, triangle| {
                if let Some(facet) = Facet::new(id, triangle, true) {
                    found(facet);
                }
            });
        }
        TypedShape::TriMesh(mesh) => {
            let mut ids: Vec<u32> = mesh.bvh().intersect_aabb(region).collect();
            ids.sort_unstable();
            for id in ids {
                if let Some(facet) = Facet::new(id, &mesh.triangle(id), false) {
                    found(facet);
                }
            }
        }
        _ => {}
    }
}

/// The closest points of a solid and a surface; the gap is negative where the solid has sunk in.
pub(crate) fn closest_on_surface(
    solid: &SolidPart,
    solid_pose: &Pose,
    surface: &SolidPart,
    surface_pose: &Pose,
) -> Proximity {
    let Some(core) = Solid::of(solid) else {
        return Proximity::NEVER;
    };
    let (at, ground) = (solid_pose * solid.pose, surface_pose * surface.pose);
    let in_surface = ground.inverse() * at;
    let whole = surface.shape.compute_local_aabb();
    let own = solid.shape.compute_aabb(&in_surface);
    let mut best = Proximity::NEVER;
    let mut reach = solid.reach + solid.margin;
    // Look farther and farther until nothing outside the box looked at can be closer.
    loop {
        let region = own.loosened(reach);
        facets_in(surface, &region, |facet| {
            let near = core_to_facet(&core, solid.margin, &in_surface, &facet, best.gap);
            if let Some(near) = near.filter(|n| n.gap < best.gap) {
                best = near;
            }
        });
        if best.gap <= reach - solid.margin || region.contains(&whole) {
            break;
        }
        reach *= 4.0;
    }
    if best.gap.is_infinite() {
        return best;
    }
    Proximity {
        gap: best.gap,
        normal: ground.rotation * best.normal,
        on_a: ground * best.on_a,
        on_b: ground * best.on_b,
    }
}

/// The closest points of a solid's core and a triangle, in the surface's frame, if their gap may be
/// below `limit`.
fn core_to_facet(
    core: &Solid,
    margin: f64,
    in_surface: &Pose,
    facet: &Facet,
    limit: f64,
) -> Option<Proximity> {
    let down = in_surface.rotation.inverse() * -facet.normal;
    let lowest = in_surface * core.support(down);
    let height = facet.normal.dot(lowest - facet.corners[0]);
    if height - margin > limit {
        return None;
    }
    let triangle = Solid::Triangle(facet.corners);
    let relative = in_surface.inverse();
    let towards = in_surface.inverse_transform_point(facet.corners[0]);
    let mut simplex = VoronoiSimplex::new();
    let direction = towards.normalize_or(Vec3::X);
    simplex.reset(CsoPoint::from_shapes(&relative, core, &triangle, direction));
    let farthest = if limit.is_finite() {
        limit + margin
    } else {
        f64::MAX
    };
    let near = |p: Vec3, q: Vec3, normal: Vec3, distance: f64| Proximity {
        gap: distance - margin,
        normal,
        on_a: p - normal * margin,
        on_b: q,
    };
    match gjk::closest_points(&relative, core, &triangle, farthest, true, &mut simplex) {
        GJKResult::ClosestPoints(p, q, outward) => {
            let normal = in_surface.rotation * -outward;
            let distance = (q - p).dot(outward);
            Some(near(in_surface * p, in_surface * q, normal, distance))
        }
        // What is under the ground is pushed up; what pierces a mesh, out the shortest way.
        GJKResult::Intersection if facet.is_solid => {
            let foot = lowest - facet.normal * height;
            Some(near(lowest, foot, facet.normal, height.min(0.0)))
        }
        GJKResult::Intersection => {
            let found = least_overlap(|direction| {
                let own = in_surface.rotation.inverse() * direction;
                [in_surface * core.support(own), triangle.support(-direction)]
            })?;
            Some(near(found.on_a, found.on_b, -found.outward, -found.depth))
        }
        _ => None,
    }
}

/// A solid and a surface at one tick.
pub(crate) struct Meeting<'a> {
    pub solid: (&'a SolidPart, &'a State, &'a Pose),
    pub surface: (&'a SolidPart, &'a State, &'a Pose),
    /// The least rate of any gap between them, m/s.
    pub rate: f64,
    /// Acceleration of the solid's centre against the surface's, m/s^2.
    pub acceleration: Vec3,
    /// How much faster than that the rate of a gap may fall, m/s^2.
    pub turning: f64,
    /// As of [`crate::advance::slack`].
    pub slack: f64,
}

impl Meeting<'_> {
    /// How long, at most `longest` seconds, the solid stays clear of every triangle.
    pub fn verdict(&self, longest: f64) -> Verdict {
        let (solid, _, solid_pose) = self.solid;
        let (surface, _, surface_pose) = self.surface;
        let Some(core) = Solid::of(solid) else {
            return Verdict::Free(f64::INFINITY);
        };
        let thick = solid.margin;
        // Look no farther than a few times the solid's size; the rest is for the next look.
        let limit = 2.0 * (solid.reach + thick);
        let mut free = longest.min(1.0);
        let bend = self.acceleration.length() + self.turning;
        let mut travel = (-self.rate).max(0.0) * free + 0.5 * bend * free * free;
        if travel > limit {
            free = time_to_close(limit, self.rate, bend);
            travel = limit;
        }
        let ground = surface_pose * surface.pose;
        let in_surface = ground.inverse() * (solid_pose * solid.pose);
        let region = solid
            .shape
            .compute_aabb(&in_surface)
            .loosened(thick + travel);
        let mut touches = false;
        facets_in(surface, &region, |facet| {
            if touches {
                return;
            }
            match self.facet_verdict(&core, &in_surface, &ground, &facet, free) {
                Verdict::Touch => touches = true,
                Verdict::Free(seconds) => free = free.min(seconds),
            }
        });
        if touches {
            Verdict::Touch
        } else {
            Verdict::Free(free)
        }
    }

    fn facet_verdict(
        &self,
        core: &Solid,
        in_surface: &Pose,
        ground: &Pose,
        facet: &Facet,
        longest: f64,
    ) -> Verdict {
        let (solid, state, _) = self.solid;
        let (surface, ground_state, _) = self.surface;
        let tolerance = Collider::contact_tolerance(solid, surface);
        let up = ground.rotation * facet.normal;
        let floor = 0.5 * tolerance;
        for direction in [up, -up] {
            let above = self.slab(facet, ground, direction);
            if above.is_clear(floor, longest) {
                return Verdict::Free(longest);
            }
            if facet.is_solid {
                break;
            }
        }
        let Some(near) = core_to_facet(core, solid.margin, in_surface, facet, f64::INFINITY) else {
            return Verdict::Free(longest);
        };
        let normal = ground.rotation * near.normal;
        let floor = if near.gap > tolerance {
            floor
        } else {
            let point = ground * (0.5 * (near.on_a + near.on_b));
            let apart = state.velocity_at(point) - ground_state.velocity_at(point);
            if normal.dot(apart) < 0.0 {
                return Verdict::Touch;
            }
            floor_while_touching(near.gap, tolerance)
        };
        let floor = floor - slack_within(self.slack, tolerance);
        let slab = self.slab(facet, ground, normal);
        let crude = time_to_close((near.gap - floor).max(0.0), self.rate, slab.bend);
        if crude >= longest {
            return Verdict::Free(crude);
        }
        let seconds = slab.time_above(floor, longest);
        Verdict::Free(seconds.map_or(crude, |s| s.max(crude)))
    }

    /// The gap between the solid and a triangle along a direction of the world.
    fn slab<'a>(&'a self, facet: &Facet, ground: &Pose, direction: Vec3) -> Slab<'a> {
        let (solid, state, pose) = self.solid;
        let (_, ground_state, _) = self.surface;
        let corners = facet.corners.map(|c| ground * c);
        Slab {
            a: Side::new(solid, state, pose, direction),
            b: Side::Triangle {
                heights: corners.map(|c| -direction.dot(c)),
                rates: corners.map(|c| -direction.dot(ground_state.velocity_at(c))),
            },
            bend: (self.turning - direction.dot(self.acceleration)).max(0.0),
        }
    }
}
