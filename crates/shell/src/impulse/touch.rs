//! Contacts of a cloth's vertices and triangles with obstacles: unilateral constraints along the obstacle's normal,
//! enforced in the same iteration as the cloth's own. A contact inside a triangle moves its corners by their
//! barycentric weights, so impulses on cloth and obstacle are opposite and equal.

use glamx::DVec3;

use super::obstacle::{Obstacle, Preview, SurfacePoint};

/// A place of the cloth that may touch an obstacle in this step: a vertex, or a point of a triangle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Touch {
    /// The vertex, or the number of vertices and the triangle.
    feature: u32,
    obstacle: u32,
    /// Particles that share it, and how; a vertex has all the weight.
    particles: [u32; 3],
    weights: [f64; 3],
    surface: SurfacePoint,
    /// Normal at the start of the step: which side a triangle is on.
    side: DVec3,
    /// Position impulses of this step along the normal and across it, on the cloth, kg m.
    pressed: f64,
    rubbed: DVec3,
}

impl Touch {
    fn is_vertex(&self) -> bool {
        self.particles[0] == self.particles[1]
    }

    fn shares(&self) -> impl Iterator<Item = (usize, f64)> + use<> {
        let particles = self.particles.map(|p| p as usize);
        particles
            .into_iter()
            .zip(self.weights)
            .filter(|share| share.1 > 0.0)
    }

    /// The place, from whatever says where its particles are.
    fn place(&self, of: impl Fn(usize) -> DVec3) -> DVec3 {
        self.shares().map(|(p, weight)| of(p) * weight).sum()
    }
}

/// What may slip in a step though friction would hold it, as a part of the contact tolerance.
const SLIP: f64 = 0.01;

/// A point of a triangle with this much of the weight at one corner is that corner's affair.
const CORNER: f64 = 1.0 - 1e-6;

/// How many contact tolerances away a triangle is watched; others are found when they are violated.
const TRIANGLE_REACH: f64 = 2.0;

/// What contact with obstacles demands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TouchRule<'a> {
    pub inverse_mass: &'a [f64],
    pub radius: &'a [f64],
    /// Triangles that meet obstacles; none if only vertices do.
    pub surface: &'a [[u32; 3]],
    pub tolerance: f64,
    pub step: f64,
    pub friction: f64,
    /// Positions at the step's start, from where what slips is measured.
    pub start: &'a [DVec3],
}

impl TouchRule<'_> {
    /// The surface point that a preview meets, and the previewed gap to it (m, negative inside). The
    /// query is moved back by the obstacle's own motion, so a translating obstacle is met exactly.
    fn meet(&self, touch: &mut Touch, obstacle: &dyn Obstacle, bodies: &impl Preview) -> f64 {
        match touch.is_vertex() {
            true => self.meet_vertex(touch, obstacle, bodies),
            false => self.meet_triangle(touch, obstacle, bodies),
        }
    }

    fn meet_vertex(
        &self,
        touch: &mut Touch,
        obstacle: &dyn Obstacle,
        bodies: &impl Preview,
    ) -> f64 {
        let particle = touch.particles[0] as usize;
        let preview = bodies.preview(particle);
        let first = obstacle.closest(preview);
        let query = preview - obstacle.velocity(first.point) * self.step;
        touch.surface = obstacle.closest(query);
        touch.surface.normal.dot(query - touch.surface.point) - self.radius[particle]
    }

    /// As long as a triangle is on the side where it began the step, its nearest point counts. Where it has passed to
    /// the other side, the point and the plane that were last seen on the right one do.
    fn meet_triangle(
        &self,
        touch: &mut Touch,
        obstacle: &dyn Obstacle,
        bodies: &impl Preview,
    ) -> f64 {
        // every corner by what the obstacle does there: across a large triangle, one that turns moves differently
        let moved_back = |p: usize| {
            let preview = bodies.preview(p);
            preview - obstacle.velocity(preview) * self.step
        };
        let corners = touch.particles.map(|p| moved_back(p as usize));
        let near = obstacle.closest_to_triangle(corners);
        if let Some(near) = near
            && near.surface.normal.dot(touch.side) > 0.0
        {
            touch.weights = near.weights;
            touch.surface = near.surface;
            return near.gap - self.thickness(touch);
        }
        let place = touch.place(moved_back);
        let SurfacePoint { point, normal } = touch.surface;
        normal.dot(place - point) - self.thickness(touch)
    }

    fn thickness(&self, touch: &Touch) -> f64 {
        touch
            .shares()
            .map(|(p, weight)| self.radius[p] * weight)
            .sum()
    }

    /// How far the place moves for a unit position impulse, 1/kg.
    fn inverse_mass(&self, touch: &Touch) -> f64 {
        let share = |(p, weight): (usize, f64)| weight * weight * self.inverse_mass[p];
        touch.shares().map(share).sum()
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
        let boxes = self.boxes(bodies);
        for (index, obstacle) in obstacles.iter().enumerate() {
            let obstacle = &**obstacle;
            for particle in (0..self.inverse_mass.len()).filter(|&i| self.inverse_mass[i] > 0.0) {
                let preview = bodies.preview(particle);
                if !obstacle.may_touch(preview, reach.max(0.0) + self.radius[particle]) {
                    continue;
                }
                let mut touch = vertex(particle, index);
                let gap = self.meet(&mut touch, obstacle, bodies);
                add(touch, gap < reach, known, touches);
            }
            let reach = reach.min(TRIANGLE_REACH * self.tolerance);
            for (number, &[low, high]) in boxes.iter().enumerate() {
                let thickness = self.radius[self.surface[number][0] as usize];
                if !obstacle.may_touch_box(low, high, reach.max(0.0) + thickness) {
                    continue;
                }
                if let Some(mut touch) = self.triangle(number, index, obstacle) {
                    let gap = self.meet(&mut touch, obstacle, bodies);
                    let is_corner = touch.weights.iter().any(|&weight| weight > CORNER);
                    let is_touching = gap < reach && !is_corner && self.inverse_mass(&touch) > 0.0;
                    add(touch, is_touching, known, touches);
                }
            }
        }
        touches.len() > known
    }

    /// Boxes that hold the triangles through the whole step.
    fn boxes(&self, bodies: &impl Preview) -> Vec<[DVec3; 2]> {
        let of = |corners: &[u32; 3]| {
            let mut ends = [DVec3::INFINITY, DVec3::NEG_INFINITY];
            for corner in corners.map(|p| p as usize) {
                for at in [self.start[corner], bodies.preview(corner)] {
                    ends = [ends[0].min(at), ends[1].max(at)];
                }
            }
            ends
        };
        self.surface.iter().map(of).collect()
    }

    /// A triangle as it is at the start of the step.
    fn triangle(&self, number: usize, obstacle: usize, body: &dyn Obstacle) -> Option<Touch> {
        let particles = self.surface[number];
        let corners = particles.map(|p| self.start[p as usize]);
        let near = body.closest_to_triangle(corners)?;
        Some(Touch {
            feature: (self.inverse_mass.len() + number) as u32,
            obstacle: obstacle as u32,
            particles,
            weights: near.weights,
            surface: near.surface,
            side: near.surface.normal,
            pressed: 0.0,
            rubbed: DVec3::ZERO,
        })
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
            let gap = self.meet(touch, obstacle, bodies);
            let mut is_moved = false;
            if gap < -self.tolerance {
                let SurfacePoint { point, normal } = touch.surface;
                let w_obstacle = obstacle.inverse_mass(point, normal);
                let pressed = -gap / (self.inverse_mass(touch) + w_obstacle);
                self.push(touch, normal * pressed, bodies);
                if w_obstacle > 0.0 {
                    obstacle.apply_impulse(point, -normal * (pressed / self.step));
                }
                touch.pressed += pressed;
                is_moved = true;
                corrections += 1;
            }
            if self.friction > 0.0 && touch.pressed > 0.0 && self.rub(touch, obstacle, bodies) {
                is_moved = true;
                corrections += 1;
            }
            if is_moved {
                touch.shares().for_each(|(particle, _)| moved(particle));
            }
        }
        corrections
    }

    /// Whether a touch needs correction.
    pub fn is_any_violated(
        &self,
        touches: &mut [Touch],
        obstacles: &[&mut dyn Obstacle],
        bodies: &impl Preview,
    ) -> bool {
        touches.iter_mut().any(|touch| {
            let obstacle = &*obstacles[touch.obstacle as usize];
            self.meet(touch, obstacle, bodies) < -self.tolerance
        })
    }

    /// A position impulse on the place, kg m.
    fn push(&self, touch: &Touch, impulse: DVec3, bodies: &mut impl Preview) {
        for (particle, weight) in touch.shares() {
            bodies.push(particle, impulse * (weight * self.inverse_mass[particle]));
        }
    }

    /// Coulomb's law: takes away what the place slips on the surface in this step, as far as the normal impulse
    /// holds it. False if it hardly changes.
    fn rub(
        &self,
        touch: &mut Touch,
        obstacle: &mut dyn Obstacle,
        bodies: &mut impl Preview,
    ) -> bool {
        let SurfacePoint { point, normal } = touch.surface;
        let moved = touch.place(|p| bodies.preview(p) - self.start[p]);
        let against = moved - obstacle.velocity(point) * self.step;
        let slip = against - normal * normal.dot(against);
        let w = self.inverse_mass(touch);
        let across = slip.try_normalize().unwrap_or(DVec3::ZERO);
        let w_obstacle = obstacle.inverse_mass(point, across);
        let wanted = touch.rubbed - slip / (w + w_obstacle);
        let rubbed = wanted.clamp_length_max(self.friction * touch.pressed);
        let change = rubbed - touch.rubbed;
        if change.length() * (w + w_obstacle) <= SLIP * self.tolerance {
            return false;
        }
        touch.rubbed = rubbed;
        self.push(touch, change, bodies);
        if w_obstacle > 0.0 {
            obstacle.apply_impulse(point, -change / self.step);
        }
        true
    }

    /// Removes approaching velocity at touches that are closed; returns the number of corrections.
    pub fn sweep_velocities(
        &self,
        touches: &mut [Touch],
        obstacles: &mut [&mut dyn Obstacle],
        (preview, velocity): (&[DVec3], &mut [DVec3]),
        tolerance: f64,
    ) -> u64 {
        let mut corrections = 0;
        for touch in touches {
            let obstacle = &mut *obstacles[touch.obstacle as usize];
            if self.meet(touch, obstacle, &Settled(preview)) > 0.0 {
                continue;
            }
            let SurfacePoint { point, normal } = touch.surface;
            let approach = normal.dot(touch.place(|p| velocity[p]) - obstacle.velocity(point));
            if approach >= -tolerance {
                continue;
            }
            let w_obstacle = obstacle.inverse_mass(point, normal);
            let impulse = normal * (-approach / (self.inverse_mass(touch) + w_obstacle));
            for (particle, weight) in touch.shares() {
                velocity[particle] += impulse * (weight * self.inverse_mass[particle]);
            }
            if w_obstacle > 0.0 {
                obstacle.apply_impulse(point, -impulse);
            }
            corrections += 1;
        }
        corrections
    }
}

/// Positions that nothing moves any more.
struct Settled<'a>(&'a [DVec3]);

impl Preview for Settled<'_> {
    fn preview(&self, particle: usize) -> DVec3 {
        self.0[particle]
    }
    fn push(&mut self, _: usize, _: DVec3) {}
}

fn vertex(particle: usize, obstacle: usize) -> Touch {
    let nowhere = SurfacePoint {
        point: DVec3::ZERO,
        normal: DVec3::Y,
    };
    Touch {
        feature: particle as u32,
        obstacle: obstacle as u32,
        particles: [particle as u32; 3],
        weights: [1.0, 0.0, 0.0],
        surface: nowhere,
        side: DVec3::Y,
        pressed: 0.0,
        rubbed: DVec3::ZERO,
    }
}

/// Adds a touch unless it is among the first `known`.
fn add(touch: Touch, is_touching: bool, known: usize, touches: &mut Vec<Touch>) {
    let is_same = |t: &Touch| (t.feature, t.obstacle) == (touch.feature, touch.obstacle);
    if is_touching && !touches[..known].iter().any(is_same) {
        touches.push(touch);
    }
}
