//! Bodies of the world that a cloth collides with but does not contain. An obstacle answers questions
//! about its surface and takes impulses; contacts with it are unilateral constraints along its normal,
//! enforced in the same iteration as the cloth's own, so impulses act on both.

use glamx::DVec3;

/// The point of an obstacle's surface that is nearest to a query point, at the start of the step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfacePoint {
    /// Where it is, m.
    pub point: DVec3,
    /// Unit normal, out of the obstacle.
    pub normal: DVec3,
}

/// The place of a triangle that is nearest to an obstacle, or deepest in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrianglePoint {
    /// Barycentric weights; they add up to one.
    pub weights: [f64; 3],
    /// The obstacle's surface there.
    pub surface: SurfacePoint,
    /// Distance, m; negative inside.
    pub gap: f64,
}

/// A body that cloth collides with.
pub trait Obstacle {
    /// The surface point nearest to `query` (m), with the obstacle as it is at the start of the step.
    fn closest(&self, query: DVec3) -> SurfacePoint;
    /// The place of a triangle that is nearest to the obstacle as it is at the start of the step. None if only its
    /// corners matter.
    fn closest_to_triangle(&self, corners: [DVec3; 3]) -> Option<TrianglePoint> {
        let _ = corners;
        None
    }
    /// Whether the surface may come within `reach` metres of the box with these corners during the step.
    /// Only a matter of speed: true is always right.
    fn may_touch_box(&self, low: DVec3, high: DVec3, reach: f64) -> bool {
        let _ = (low, high, reach);
        true
    }
    /// Velocity of the material at `point`, m/s, with all impulses so far: the mean over the step.
    fn velocity(&self, point: DVec3) -> DVec3;
    /// Change of the velocity at `point` along `normal` for a unit impulse along it there, 1/kg;
    /// 0 for fixed and kinematic bodies.
    fn inverse_mass(&self, point: DVec3, normal: DVec3) -> f64;
    /// Takes an impulse, N s, at `point`. Never called when `inverse_mass` is 0.
    fn apply_impulse(&mut self, point: DVec3, impulse: DVec3);
}

/// The particles' previewed positions, in whichever form a solver keeps them.
pub(crate) trait Preview {
    /// Position at the end of the step as things stand, m.
    fn preview(&self, particle: usize) -> DVec3;
    /// Changes a particle's velocity so that its preview moves by `offset`, m.
    fn push(&mut self, particle: usize, offset: DVec3);
}

/// A sphere, fixed, driven or free to be pushed; the simplest obstacle, and the tests'.
#[derive(Debug, Clone, PartialEq)]
pub struct SphereObstacle {
    /// Centre at the start of the step, m.
    pub centre: DVec3,
    /// Radius, m.
    pub radius: f64,
    /// Velocity, m/s.
    pub velocity: DVec3,
    /// Inverse mass, 1/kg; 0 if nothing moves it.
    pub inverse_mass: f64,
}

impl Obstacle for SphereObstacle {
    fn closest_to_triangle(&self, corners: [DVec3; 3]) -> Option<TrianglePoint> {
        let weights = closest_on_triangle(self.centre, corners);
        let place: DVec3 = (0..3).map(|i| corners[i] * weights[i]).sum();
        let surface = self.closest(place);
        let gap = surface.normal.dot(place - surface.point);
        Some(TrianglePoint {
            weights,
            surface,
            gap,
        })
    }
    fn closest(&self, query: DVec3) -> SurfacePoint {
        let normal = (query - self.centre).try_normalize().unwrap_or(DVec3::Y);
        SurfacePoint {
            point: self.centre + normal * self.radius,
            normal,
        }
    }
    fn velocity(&self, _: DVec3) -> DVec3 {
        self.velocity
    }
    fn inverse_mass(&self, _: DVec3, _: DVec3) -> f64 {
        self.inverse_mass
    }
    fn apply_impulse(&mut self, _: DVec3, impulse: DVec3) {
        self.velocity += impulse * self.inverse_mass;
    }
}

/// Barycentric weights of the point of a triangle that is nearest to `point`: inside it, or on the nearest edge.
fn closest_on_triangle(point: DVec3, corners: [DVec3; 3]) -> [f64; 3] {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a);
    let area = normal.length_squared();
    let of = |from: DVec3, to: DVec3| (to - from).cross(point - from).dot(normal) / area;
    let inside = [of(b, c), of(c, a), of(a, b)];
    if inside.iter().all(|&weight| weight >= 0.0) {
        return inside;
    }
    let mut nearest = ([1.0, 0.0, 0.0], f64::INFINITY);
    for i in 0..3 {
        let (j, along) = ((i + 1) % 3, corners[(i + 1) % 3] - corners[i]);
        let s = (along.dot(point - corners[i]) / along.length_squared()).clamp(0.0, 1.0);
        let distance = (corners[i] + along * s).distance_squared(point);
        if distance < nearest.1 {
            let mut weights = [0.0; 3];
            (weights[i], weights[j]) = (1.0 - s, s);
            nearest = (weights, distance);
        }
    }
    nearest.0
}

/// A half space below a plane, fixed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroundObstacle {
    /// A point of the plane, m.
    pub point: DVec3,
    /// Unit normal, out of the ground.
    pub normal: DVec3,
}

impl Obstacle for GroundObstacle {
    fn closest(&self, query: DVec3) -> SurfacePoint {
        SurfacePoint {
            point: query - self.normal * self.normal.dot(query - self.point),
            normal: self.normal,
        }
    }
    fn velocity(&self, _: DVec3) -> DVec3 {
        DVec3::ZERO
    }
    fn inverse_mass(&self, _: DVec3, _: DVec3) -> f64 {
        0.0
    }
    fn apply_impulse(&mut self, _: DVec3, _: DVec3) {}
}
