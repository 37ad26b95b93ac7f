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

/// A body that cloth collides with.
pub trait Obstacle {
    /// The surface point nearest to `query` (m), with the obstacle as it is at the start of the step.
    fn closest(&self, query: DVec3) -> SurfacePoint;
    /// Whether the surface, moving as it does, may come within `reach` metres of `query` during the step.
    /// Only a matter of speed: true is always right.
    fn may_touch(&self, query: DVec3, reach: f64) -> bool {
        let _ = (query, reach);
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

/// A particle that may touch an obstacle in this step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Touch {
    pub particle: u32,
    pub obstacle: u32,
    pub surface: SurfacePoint,
    /// Position impulses of this step along the normal and across it, on the particle, kg m.
    pub pressed: f64,
    pub rubbed: DVec3,
}

/// The particles' previewed positions, in whichever form a solver keeps them.
pub(crate) trait Preview {
    /// Position at the end of the step as things stand, m.
    fn preview(&self, particle: usize) -> DVec3;
    /// Changes a particle's velocity so that its preview moves by `offset`, m.
    fn push(&mut self, particle: usize, offset: DVec3);
}

/// What may slip in a step though friction would hold it, as a part of the contact tolerance.
const SLIP: f64 = 0.01;

/// What contact with obstacles demands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TouchRule<'a> {
    pub inverse_mass: &'a [f64],
    pub radius: &'a [f64],
    pub tolerance: f64,
    pub step: f64,
    pub friction: f64,
    /// Positions at the step's start; what slips is measured from there. Only sweeps need them.
    pub start: &'a [DVec3],
}

impl TouchRule<'_> {
    /// The surface point that a preview meets, and the previewed gap to it (m, negative inside). The
    /// query is moved back by the obstacle's own motion, so a translating obstacle is met exactly.
    fn meet(
        &self,
        particle: usize,
        obstacle: &dyn Obstacle,
        preview: DVec3,
    ) -> (SurfacePoint, f64) {
        let first = obstacle.closest(preview);
        let query = preview - obstacle.velocity(first.point) * self.step;
        let surface = obstacle.closest(query);
        let gap = surface.normal.dot(query - surface.point) - self.radius[particle];
        (surface, gap)
    }

    /// Adds the pairs that are not in `touches` yet and whose previewed gap is below `reach`. Returns
    /// whether there were any.
    pub fn find(
        &self,
        obstacles: &[&mut dyn Obstacle],
        bodies: &impl Preview,
        reach: f64,
        touches: &mut Vec<Touch>,
    ) -> bool {
        let known = touches.len();
        for (index, obstacle) in obstacles.iter().enumerate() {
            for particle in (0..self.inverse_mass.len()).filter(|&i| self.inverse_mass[i] > 0.0) {
                let preview = bodies.preview(particle);
                if !obstacle.may_touch(preview, reach.max(0.0) + self.radius[particle]) {
                    continue;
                }
                let (surface, gap) = self.meet(particle, &**obstacle, preview);
                let touch = Touch {
                    particle: particle as u32,
                    obstacle: index as u32,
                    surface,
                    pressed: 0.0,
                    rubbed: DVec3::ZERO,
                };
                let is_known =
                    |t: &Touch| (t.particle, t.obstacle) == (touch.particle, touch.obstacle);
                if gap < reach && !touches[..known].iter().any(is_known) {
                    touches.push(touch);
                }
            }
        }
        touches.len() > known
    }

    /// Corrects every violated touch once and tells `moved` which particles changed. Returns the count.
    pub fn sweep(
        &self,
        touches: &mut [Touch],
        obstacles: &mut [&mut dyn Obstacle],
        bodies: &mut impl Preview,
        mut moved: impl FnMut(usize),
    ) -> u64 {
        let mut corrections = 0;
        for touch in touches {
            let obstacle = &mut *obstacles[touch.obstacle as usize];
            let particle = touch.particle as usize;
            let preview = bodies.preview(particle);
            let (surface, gap) = self.meet(particle, obstacle, preview);
            touch.surface = surface;
            if gap < -self.tolerance {
                let SurfacePoint { point, normal } = touch.surface;
                let w = self.inverse_mass[particle];
                let w_obstacle = obstacle.inverse_mass(point, normal);
                let impulse = normal * (-gap / (w + w_obstacle));
                bodies.push(particle, impulse * w);
                if w_obstacle > 0.0 {
                    obstacle.apply_impulse(point, -impulse / self.step);
                }
                touch.pressed += -gap / (w + w_obstacle);
                moved(particle);
                corrections += 1;
            }
            if self.friction > 0.0 && touch.pressed > 0.0 && self.rub(touch, obstacle, bodies) {
                moved(particle);
                corrections += 1;
            }
        }
        corrections
    }

    /// Coulomb's law: takes away what a particle slips on the surface in this step, as far as the normal impulse
    /// holds it. False if it hardly changes.
    fn rub(
        &self,
        touch: &mut Touch,
        obstacle: &mut dyn Obstacle,
        bodies: &mut impl Preview,
    ) -> bool {
        let particle = touch.particle as usize;
        let SurfacePoint { point, normal } = touch.surface;
        let moved = bodies.preview(particle) - self.start[particle];
        let against = moved - obstacle.velocity(point) * self.step;
        let slip = against - normal * normal.dot(against);
        let w = self.inverse_mass[particle];
        let across = slip.try_normalize().unwrap_or(DVec3::ZERO);
        let w_obstacle = obstacle.inverse_mass(point, across);
        let wanted = touch.rubbed - slip / (w + w_obstacle);
        let rubbed = wanted.clamp_length_max(self.friction * touch.pressed);
        let change = rubbed - touch.rubbed;
        if change.length() * (w + w_obstacle) <= SLIP * self.tolerance {
            return false;
        }
        touch.rubbed = rubbed;
        bodies.push(particle, change * w);
        if w_obstacle > 0.0 {
            obstacle.apply_impulse(point, -change / self.step);
        }
        true
    }

    /// Removes approaching velocity at touches that are closed; returns the number of corrections.
    pub fn sweep_velocities(
        &self,
        touches: &[Touch],
        obstacles: &mut [&mut dyn Obstacle],
        (preview, velocity): (&[DVec3], &mut [DVec3]),
        tolerance: f64,
    ) -> u64 {
        let mut corrections = 0;
        for touch in touches {
            let obstacle = &mut *obstacles[touch.obstacle as usize];
            let particle = touch.particle as usize;
            let (SurfacePoint { point, normal }, gap) =
                self.meet(particle, obstacle, preview[particle]);
            if gap > 0.0 {
                continue;
            }
            let approach = normal.dot(velocity[particle] - obstacle.velocity(point));
            if approach >= -tolerance {
                continue;
            }
            let w = self.inverse_mass[particle];
            let w_obstacle = obstacle.inverse_mass(point, normal);
            let impulse = normal * (-approach / (w + w_obstacle));
            velocity[particle] += impulse * w;
            if w_obstacle > 0.0 {
                obstacle.apply_impulse(point, -impulse);
            }
            corrections += 1;
        }
        corrections
    }
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
