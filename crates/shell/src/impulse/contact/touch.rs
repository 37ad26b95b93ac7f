//! Contacts of a cloth's vertices and triangles with obstacles: unilateral constraints along the obstacle's normal,
//! enforced in the same iteration as the cloth's own. A contact inside a triangle moves its corners by their
//! barycentric weights, so impulses on cloth and obstacle are opposite and equal.
//!
//! Where a place meets an obstacle is found once and kept as a plane while impulses are applied, as directions of
//! constraints are (section 4.4); when all planes hold, they are found anew. A contact's impulses add up and may be
//! taken back, but never pull: what holds a cloth at rest presses in every step, and bounds its friction.

use glamx::DVec3;

use crate::impulse::model::obstacle::{Obstacle, Preview, SurfacePoint};

/// A place of the cloth that may touch an obstacle in this step: a vertex, or a point of a triangle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Touch {
    /// The vertex, or the number of vertices and the triangle.
    feature: u32,
    obstacle: u32,
    /// Particles that share it, and how; a vertex has all the weight.
    particles: [u32; 3],
    weights: [f64; 3],
    /// The plane that it must not pass.
    surface: SurfacePoint,
    /// How far from the plane it stays, m.
    thickness: f64,
    /// Normal at the start of the step: which side it is on.
    side: DVec3,
    /// The gap that must be left at the end of the step, m: zero, or less where the step began inside.
    least: f64,
    /// How far the place moves for a unit position impulse, and the obstacle along the normal, 1/kg.
    mobility: f64,
    give: f64,
    /// Position impulses of this step along the normal and across it, on the cloth, kg m.
    pressed: f64,
    rubbed: DVec3,
    /// Impulses of the velocity loop, likewise, N s.
    held: f64,
    dragged: DVec3,
    /// Whether it has not been looked at yet in this step.
    is_new: bool,
    /// Where the place was at the start of the step, m.
    begun: DVec3,
    /// How far the surface moves there in the step, m, if it does not give way.
    carried: DVec3,
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
    #[inline(always)]
    fn place(&self, of: impl Fn(usize) -> DVec3) -> DVec3 {
        let [a, b, c] = self.particles.map(|p| p as usize);
        if self.is_vertex() {
            return of(a);
        }
        let [wa, wb, wc] = self.weights;
        of(a) * wa + of(b) * wb + of(c) * wc
    }

    fn key(&self) -> (u32, u32) {
        (self.obstacle, self.feature)
    }
}

/// What contacts may be wrong by when an iteration ends: gaps as a part of the contact tolerance and as a speed, m/s,
const GAP: [f64; 2] = [0.2, 0.02];
/// and what slips though friction would hold it. The first impulses of a step are exact, so a cloth at rest does
/// neither.
const SLIP: [f64; 2] = [0.01, 0.001];

/// What the true surface may be deeper than the plane that was kept, as a part of the contact tolerance.
const CURVED: f64 = 0.1;

/// What a gap may be wrong by where an obstacle gives way, as a part of the contact tolerance.
const PUSHED: f64 = 0.8;
/// How deep it may be there at all, likewise.
const DEEPEST: f64 = 0.85;

/// What is left, after a step, of an overlap with which it began: all at once would throw the cloth off.
const LEFT: f64 = 0.8;

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
    /// Changes of a gap and of what slips that are not worth another iteration, m.
    fn settled(&self) -> [f64; 2] {
        [GAP, SLIP].map(|[part, speed]| (part * self.tolerance).min(speed * self.step))
    }

    /// What a gap may be less than the least where an obstacle gives way, m.
    fn allowed(&self, touch: &Touch) -> f64 {
        (PUSHED * self.tolerance).min(touch.least + DEEPEST * self.tolerance)
    }

    /// Finds the plane that a preview meets, and gives the previewed gap to it (m, negative inside). The query is
    /// moved back by the obstacle's own motion, so a translating obstacle is met exactly. Where the preview has
    /// passed to the other side of what it met at the start of the step, the plane that was last seen on the right
    /// one counts.
    fn meet(&self, touch: &mut Touch, obstacle: &dyn Obstacle, bodies: &impl Preview) -> f64 {
        // every corner by what the obstacle does there: across a large triangle, one that turns moves differently
        let moved_back = |p: usize| {
            let preview = bodies.preview(p);
            preview - obstacle.velocity(preview) * self.step
        };
        if touch.is_vertex() {
            let near = obstacle.closest(moved_back(touch.particles[0] as usize));
            if near.normal.dot(touch.side) > 0.0 {
                touch.surface = near;
            }
        } else {
            let corners = touch.particles.map(|p| moved_back(p as usize));
            if let Some(near) = obstacle.closest_to_triangle(corners)
                && near.surface.normal.dot(touch.side) > 0.0
            {
                touch.weights = near.weights;
                touch.surface = near.surface;
            }
        }
        self.weigh(touch, obstacle);
        self.gap(touch, obstacle, bodies)
    }

    /// What follows from the weights and the plane of a touch.
    fn weigh(&self, touch: &mut Touch, obstacle: &dyn Obstacle) {
        let SurfacePoint { point, normal } = touch.surface;
        let radius = |(p, weight): (usize, f64)| self.radius[p] * weight;
        let mobility = |(p, weight): (usize, f64)| weight * weight * self.inverse_mass[p];
        touch.thickness = touch.shares().map(radius).sum();
        touch.mobility = touch.shares().map(mobility).sum();
        touch.give = obstacle.inverse_mass(point, normal);
        touch.carried = obstacle.velocity(point) * self.step;
        touch.begun = touch.place(|p| self.start[p]);
    }

    /// How far the surface moves in the step where a touch is, m. Only what gives way has to be asked again.
    #[inline(always)]
    fn carried(&self, touch: &Touch, obstacle: &dyn Obstacle) -> DVec3 {
        match touch.give > 0.0 {
            true => obstacle.velocity(touch.surface.point) * self.step,
            false => touch.carried,
        }
    }

    /// The previewed gap to the plane that a touch has, m.
    #[inline(always)]
    fn gap(&self, touch: &Touch, obstacle: &dyn Obstacle, bodies: &impl Preview) -> f64 {
        let SurfacePoint { point, normal } = touch.surface;
        let place = touch.place(|p| bodies.preview(p));
        let apart = place - self.carried(touch, obstacle) - point;
        normal.dot(apart) - touch.thickness
    }

    /// Adds the pairs that are not in `touches` yet and whose previewed gap is below `reach`. Returns
    /// whether there were any. Touches rise by obstacle and feature.
    pub fn find(
        &self,
        obstacles: &[&mut dyn Obstacle],
        bodies: &impl Preview,
        reach: f64,
        touches: &mut Vec<Touch>,
    ) -> bool {
        let known = touches.len();
        for (index, obstacle) in obstacles.iter().enumerate() {
            let obstacle = &**obstacle;
            let is_known = |touches: &[Touch], feature: usize| {
                let key = (index as u32, feature as u32);
                let found = touches[..known].binary_search_by_key(&key, Touch::key);
                found.is_ok()
            };
            for particle in (0..self.inverse_mass.len()).filter(|&i| self.inverse_mass[i] > 0.0) {
                let (start, preview) = (self.start[particle], bodies.preview(particle));
                let wide = reach.max(0.0) + self.radius[particle];
                if obstacle.may_touch_box(start.min(preview), start.max(preview), wide)
                    && !is_known(touches, particle)
                {
                    let mut touch = self.vertex(particle, index, obstacle);
                    let is_touching = self.meet(&mut touch, obstacle, bodies) < reach;
                    touches.extend(is_touching.then_some(touch));
                }
            }
            let reach = reach.min(TRIANGLE_REACH * self.tolerance);
            for number in 0..self.surface.len() {
                let [low, high] = self.swept_box(number, bodies);
                let wide = reach.max(0.0) + self.radius[self.surface[number][0] as usize];
                if !obstacle.may_touch_box(low, high, wide)
                    || is_known(touches, self.inverse_mass.len() + number)
                {
                    continue;
                }
                if let Some(mut touch) = self.triangle(number, index, obstacle) {
                    let gap = self.meet(&mut touch, obstacle, bodies);
                    let is_corner = touch.weights.iter().any(|&weight| weight > CORNER);
                    let is_touching = gap < reach && !is_corner && touch.mobility > 0.0;
                    touches.extend(is_touching.then_some(touch));
                }
            }
        }
        if known > 0 && touches.len() > known {
            touches.sort_unstable_by_key(Touch::key);
        }
        touches.len() > known
    }

    /// A box that holds a triangle through the whole step.
    fn swept_box(&self, number: usize, bodies: &impl Preview) -> [DVec3; 2] {
        let mut ends = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        for corner in self.surface[number].map(|p| p as usize) {
            for at in [self.start[corner], bodies.preview(corner)] {
                ends = [ends[0].min(at), ends[1].max(at)];
            }
        }
        ends
    }

    /// A vertex as it is at the start of the step.
    fn vertex(&self, particle: usize, obstacle: usize, body: &dyn Obstacle) -> Touch {
        let near = body.closest(self.start[particle]);
        let gap = near.normal.dot(self.start[particle] - near.point);
        let shares = ([particle as u32; 3], [1.0, 0.0, 0.0]);
        self.touch((particle as u32, obstacle), shares, near, gap)
    }

    /// A triangle as it is at the start of the step.
    fn triangle(&self, number: usize, obstacle: usize, body: &dyn Obstacle) -> Option<Touch> {
        let particles = self.surface[number];
        let corners = particles.map(|p| self.start[p as usize]);
        let near = body.closest_to_triangle(corners)?;
        let feature = (self.inverse_mass.len() + number) as u32;
        let shares = (particles, near.weights);
        Some(self.touch((feature, obstacle), shares, near.surface, near.gap))
    }

    /// A touch that begins the step with a gap to the surface, before its thickness is taken off.
    fn touch(
        &self,
        (feature, obstacle): (u32, usize),
        (particles, weights): ([u32; 3], [f64; 3]),
        surface: SurfacePoint,
        gap: f64,
    ) -> Touch {
        let mut touch = Touch {
            feature,
            obstacle: obstacle as u32,
            particles,
            weights,
            surface,
            thickness: 0.0,
            side: surface.normal,
            least: 0.0,
            mobility: 0.0,
            give: 0.0,
            pressed: 0.0,
            rubbed: DVec3::ZERO,
            held: 0.0,
            dragged: DVec3::ZERO,
            is_new: true,
            begun: DVec3::ZERO,
            carried: DVec3::ZERO,
        };
        let radius = |(p, weight): (usize, f64)| self.radius[p] * weight;
        let inside = gap - touch.shares().map(radius).sum::<f64>();
        touch.least = (LEFT * inside.min(0.0)).max(-0.5 * self.tolerance);
        touch
    }

    /// Corrects every violated touch once and tells `moved` which particles changed. Returns the count.
    pub fn sweep(
        &self,
        touches: &mut [Touch],
        obstacles: &mut [&mut dyn Obstacle],
        bodies: &mut impl Preview,
        mut moved: impl FnMut(usize),
    ) -> u64 {
        let settled = self.settled();
        let mut corrections = 0;
        for touch in touches {
            let settled = match std::mem::take(&mut touch.is_new) {
                true => [0.0; 2],
                false => settled,
            };
            let obstacle = &mut *obstacles[touch.obstacle as usize];
            let w = touch.mobility + touch.give;
            if w == 0.0 {
                continue;
            }
            let missing = touch.least - self.gap(touch, obstacle, bodies);
            let change = (missing / w).max(-touch.pressed);
            let is_wrong = match touch.give > 0.0 {
                // what gives way is pushed only, and not for every trifle: taken back and forth, impulses between
                // heavy bodies and light particles would not come to an end
                true => change * w > f64::from(settled[0] > 0.0) * self.allowed(touch),
                false => change.abs() * w > settled[0],
            };
            let mut is_moved = false;
            if is_wrong {
                touch.pressed += change;
                self.push(touch, touch.surface.normal * change, obstacle, bodies);
                is_moved = true;
                corrections += 1;
            }
            let is_rubbing = touch.pressed > 0.0 || touch.rubbed != DVec3::ZERO;
            if self.friction > 0.0 && is_rubbing && self.rub(touch, settled[1], obstacle, bodies) {
                is_moved = true;
                corrections += 1;
            }
            if is_moved {
                touch.shares().for_each(|(particle, _)| moved(particle));
            }
        }
        corrections
    }

    /// Finds all planes anew. Returns whether the surfaces hold as the planes did.
    pub fn renew(
        &self,
        touches: &mut [Touch],
        obstacles: &[&mut dyn Obstacle],
        bodies: &impl Preview,
    ) -> bool {
        let curved = CURVED * self.tolerance;
        let allowed = |touch: &Touch| self.allowed(touch) + curved;
        !self.is_deeper_than(allowed, touches, obstacles, bodies)
    }

    /// Whether a touch is violated by more than the tolerance.
    pub fn is_any_violated(
        &self,
        touches: &mut [Touch],
        obstacles: &[&mut dyn Obstacle],
        bodies: &impl Preview,
    ) -> bool {
        self.is_deeper_than(
            |touch| touch.least + self.tolerance,
            touches,
            obstacles,
            bodies,
        )
    }

    fn is_deeper_than(
        &self,
        depth: impl Fn(&Touch) -> f64,
        touches: &mut [Touch],
        obstacles: &[&mut dyn Obstacle],
        bodies: &impl Preview,
    ) -> bool {
        let mut is_deeper = false;
        for touch in touches {
            let obstacle = &*obstacles[touch.obstacle as usize];
            let gap = self.meet(touch, obstacle, bodies);
            is_deeper |= gap < touch.least - depth(touch);
        }
        is_deeper
    }

    /// A position impulse on the place, kg m, and its opposite on the obstacle.
    fn push(
        &self,
        touch: &Touch,
        impulse: DVec3,
        obstacle: &mut dyn Obstacle,
        bodies: &mut impl Preview,
    ) {
        for (particle, weight) in touch.shares() {
            bodies.push(particle, impulse * (weight * self.inverse_mass[particle]));
        }
        if touch.give > 0.0 {
            obstacle.apply_impulse(touch.surface.point, -impulse / self.step);
        }
    }

    /// What a place slips on the surface in this step, m.
    #[inline(always)]
    fn slip(&self, touch: &Touch, obstacle: &dyn Obstacle, bodies: &impl Preview) -> DVec3 {
        let normal = touch.surface.normal;
        let moved = touch.place(|p| bodies.preview(p)) - touch.begun;
        let against = moved - self.carried(touch, obstacle);
        against - normal * normal.dot(against)
    }

    /// Coulomb's law: takes away what the place slips on the surface in this step, as far as the normal impulse
    /// holds it. False if it hardly changes.
    fn rub(
        &self,
        touch: &mut Touch,
        settled: f64,
        obstacle: &mut dyn Obstacle,
        bodies: &mut impl Preview,
    ) -> bool {
        let slip = self.slip(touch, obstacle, bodies);
        let w = touch.mobility + give_across(touch, obstacle, slip);
        let wanted = touch.rubbed - slip / w;
        let rubbed = wanted.clamp_length_max(self.friction * touch.pressed);
        let change = rubbed - touch.rubbed;
        if change.length() * w <= settled {
            return false;
        }
        touch.rubbed = rubbed;
        self.push(touch, change, obstacle, bodies);
        true
    }

    /// Forgets the impulses of an earlier velocity loop.
    pub fn begin_velocities(touches: &mut [Touch]) {
        for touch in touches {
            (touch.held, touch.dragged) = (0.0, DVec3::ZERO);
        }
    }

    /// Removes approaching velocity at touches that are closed, and sliding as far as friction can; returns the number
    /// of corrections.
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
            let is_closed = touch.pressed > 0.0
                || self.gap(touch, obstacle, &Settled(preview)) <= self.settled()[0];
            if !is_closed || touch.mobility + touch.give == 0.0 {
                continue;
            }
            let SurfacePoint { point, normal } = touch.surface;
            let w = touch.mobility + touch.give;
            let relative = touch.place(|p| velocity[p]) - obstacle.velocity(point);
            let approach = normal.dot(relative);
            let held = (touch.held - approach / w).max(0.0);
            let mut change = normal * (held - touch.held);
            let mut is_corrected = (held - touch.held).abs() * w > tolerance;
            if is_corrected {
                touch.held = held;
            } else {
                change = DVec3::ZERO;
            }
            let slip = relative - normal * approach;
            let w_across = touch.mobility + give_across(touch, obstacle, slip);
            let dragged =
                (touch.dragged - slip / w_across).clamp_length_max(self.friction * touch.held);
            if (dragged - touch.dragged).length() * w_across > SLIDING * tolerance {
                change += dragged - touch.dragged;
                touch.dragged = dragged;
                is_corrected = true;
            }
            if !is_corrected {
                continue;
            }
            for (particle, weight) in touch.shares() {
                velocity[particle] += change * (weight * self.inverse_mass[particle]);
            }
            if touch.give > 0.0 {
                obstacle.apply_impulse(point, -change);
            }
            corrections += 1;
        }
        corrections
    }
}

/// Sliding that the velocity loop leaves, as a part of its tolerance: friction of the next step has little to spare.
const SLIDING: f64 = 0.05;

/// How far an obstacle gives way across the normal, 1/kg.
fn give_across(touch: &Touch, obstacle: &dyn Obstacle, slip: DVec3) -> f64 {
    match touch.give > 0.0 {
        true => obstacle.inverse_mass(touch.surface.point, slip.normalize_or_zero()),
        false => 0.0,
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
