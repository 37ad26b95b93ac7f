//! Impulses that hold the joints of a group: on the previewed poses, and on the velocities once the bodies have
//! moved there.

use super::Link;
use super::rows::{Hold, errors};
use super::system::{Body, Entry, SOFTENING, System};
use crate::Vec3;

/// Errors of previewed poses that need no correction, metres and radians.
const TOLERANCE: f64 = 1e-10;
/// Errors after all iterations from which on joints count as lost, metres and radians.
const LOST: f64 = 1e-3;
/// Iterations of Newton's method at most; it gains two digits or more in each.
const ITERATIONS: usize = 30;
/// So many of them have the directions of the sub-step's start.
const SIMPLE: usize = 12;
/// How often a sub-step begins again because a chain snaps taut.
const AGAIN: u32 = 6;
/// A limit or a rope stops what comes closer to its end than this, metres and radians.
const AT_LIMIT: f64 = 1e-7;
/// Joints do no work; a chain to which they seem to have added more than this share of its energy is calmed.
pub(super) const WORK: f64 = 1e-3;

impl System {
    /// Applies the impulses of the sub-step before, as far as the bounds of this one permit.
    pub fn warm_start(&mut self, h: f64) {
        for row in 0..self.holds.len() {
            let (low, high) = bounds(self.holds[row], h);
            self.impulses[row] = self.impulses[row].clamp(low, high);
        }
        for body in &mut self.bodies {
            body.added = [Vec3::ZERO; 2];
        }
        self.change.clone_from(&self.impulses);
        self.apply();
    }

    /// Applies `change`, which is sorted by rows, to the bodies.
    fn apply(&mut self) {
        for entry in &self.entries {
            for (side, &body) in entry.bodies.iter().enumerate() {
                let body = &mut self.bodies[body as usize];
                if body.is_fixed() {
                    continue;
                }
                let sign = if side == 1 { 1.0 } else { -1.0 };
                for row in entry.rows() {
                    let impulse = sign * self.change[row];
                    let velocity = self.rows[row].along * (impulse * body.yields);
                    let spin = self.turns[row][side] * impulse;
                    body.velocity += velocity;
                    body.spin += spin;
                    body.is_touched |= impulse != 0.0;
                    if !self.holds[row].is_drive() {
                        body.added[0] += velocity * body.mass.mass;
                        body.added[1] += body.inertia[0] * spin;
                    }
                }
            }
        }
    }

    /// Impulses after which no joint is violated at the previewed poses. An error that was there before is
    /// taken back by `most` metres or radians at most. Returns the largest violation found, metres or radians.
    pub fn hold_positions(&mut self, links: &[Link], h: f64, most: f64) -> f64 {
        self.kept.clear();
        self.errors_at(links, 0.0);
        for (error, hold) in self.residuals.iter().zip(&self.holds) {
            let left = error - error.clamp(-most, most);
            self.kept.push(match hold {
                Hold::Both => left,
                Hold::Above => left.min(0.0),
                Hold::Below => left.max(0.0),
                Hold::Motor(_) | Hold::Spring(_) => 0.0,
            });
        }
        self.begin_springs(h);
        let mut found = 0.0;
        let mut again = AGAIN;
        let mut left = 0.0;
        for iteration in 0..ITERATIONS {
            self.errors_at(links, h);
            for row in 0..self.residuals.len() {
                if self.holds[row].is_drive() {
                    continue;
                }
                let soft = SOFTENING * *self.matrix.entry(row, row) * self.impulses[row] * h;
                self.residuals[row] += soft - self.kept[row];
            }
            self.add_motors(h);
            self.add_springs(h);
            let worst = self.choose_active(h);
            if iteration == 0 {
                found = worst;
            }
            left = worst;
            if worst <= TOLERANCE || worst.is_nan() {
                break;
            }
            // Where the bodies turn far, the directions of the start lead astray: those of the preview do not.
            if iteration >= SIMPLE {
                self.linearise(links, h);
            }
            if again > 0 && self.snaps(links, h) {
                again -= 1;
                self.begin_again(links, h);
                continue;
            }
            self.correct(1.0 / h);
            for row in 0..self.holds.len() {
                let (low, high) = bounds(self.holds[row], h);
                let wanted = (self.impulses[row] + self.change[row]).clamp(low, high);
                self.change[row] = wanted - self.impulses[row];
                self.impulses[row] = wanted;
            }
            self.apply();
        }
        self.is_lost = !left.is_finite() || left > LOST;
        found
    }

    /// Takes away the velocities that would open the joints, once the bodies have moved. Where a chain snaps
    /// taut within a sub-step, the impulses that kept it whole may have given it energy; then it is calmed.
    pub fn settle(&mut self, links: &[Link]) {
        self.tensions.clone_from(&self.impulses);
        let before: Vec<f64> = self.bodies.iter().map(Body::energy_before).collect();
        self.hold_velocities(links);
        self.calm(&before);
    }

    /// Impulses after which no joint is about to open, at the poses of now. Returns the largest speed found.
    pub fn hold_velocities(&mut self, links: &[Link]) -> f64 {
        let free = self.free_rows(links);
        self.hold_rows(&free)
    }

    /// The same within a blow: what held until now (see [`System::recall`]) holds, though on their straight ways
    /// through a step the bodies may have come a little closer than its rope is long.
    pub(super) fn hold_blow(&mut self, links: &[Link]) {
        let mut free = self.free_rows(links);
        for (row, free) in free.iter_mut().enumerate() {
            let impulse = self.impulses[row];
            *free &= match self.holds[row] {
                Hold::Above => impulse <= 0.0,
                Hold::Below => impulse >= 0.0,
                Hold::Both | Hold::Motor(_) | Hold::Spring(_) => true,
            };
        }
        self.hold_rows(&free);
    }

    /// Rows that nothing is to hold at the poses of now: those of motors, of limits that are not reached, and of
    /// slack ropes.
    fn free_rows(&mut self, links: &[Link]) -> Vec<bool> {
        self.errors_at(links, 0.0);
        let is_free = |error: f64, hold: Hold| match hold {
            Hold::Both => false,
            Hold::Above => error > AT_LIMIT,
            Hold::Below => error < -AT_LIMIT,
            Hold::Motor(_) | Hold::Spring(_) => true,
        };
        (self.residuals.iter().zip(&self.holds))
            .map(|(error, hold)| is_free(*error, *hold))
            .collect()
    }

    fn hold_rows(&mut self, free: &[bool]) -> f64 {
        let mut pushed = vec![0.0; self.holds.len()];
        let mut found = 0.0;
        for iteration in 0..ITERATIONS {
            self.active.clear();
            let mut worst: f64 = 0.0;
            for entry in &self.entries {
                for row in entry.rows() {
                    let speed = self.speed(entry, row);
                    self.residuals[row] = speed;
                    let is_active = !free[row]
                        && match self.holds[row] {
                            Hold::Above => speed < 0.0 || pushed[row] > 0.0,
                            Hold::Below => speed > 0.0 || pushed[row] < 0.0,
                            _ => true,
                        };
                    self.active.push(is_active);
                    if is_active {
                        worst = worst.max(speed.abs());
                    }
                }
            }
            if iteration == 0 {
                found = worst;
            }
            if worst <= TOLERANCE {
                break;
            }
            self.correct(1.0);
            let mut is_cut = false;
            for row in 0..self.holds.len() {
                let (low, high) = match self.holds[row] {
                    hold if hold.is_drive() => (0.0, 0.0),
                    hold => bounds(hold, 1.0),
                };
                let wanted: f64 = pushed[row] + self.change[row];
                let allowed = wanted.clamp(low, high);
                is_cut |= allowed != wanted;
                self.change[row] = allowed - pushed[row];
                pushed[row] = allowed;
            }
            self.apply();
            // The equations are linear: one solution is exact, once its rows are the right ones.
            if !is_cut
                && !self
                    .holds
                    .iter()
                    .any(|h| matches!(h, Hold::Above | Hold::Below))
            {
                break;
            }
        }
        found
    }

    /// Errors of all rows, `h` seconds ahead.
    fn errors_at(&mut self, links: &[Link], h: f64) {
        self.residuals.clear();
        for entry in &self.entries {
            let joint = links[entry.link as usize].joint;
            let poses = entry.bodies.map(|b| self.bodies[b as usize].previewed(h));
            errors(joint, poses, &self.holds[entry.rows()], &mut self.residuals);
        }
    }

    /// How fast a row's error grows.
    pub(super) fn speed(&self, entry: &Entry, row: usize) -> f64 {
        let [a, b] = entry.bodies.map(|k| &self.bodies[k as usize]);
        let equation = &self.rows[row];
        let apart = b.velocity - a.velocity;
        equation.along.dot(apart) + equation.about[1].dot(b.spin) - equation.about[0].dot(a.spin)
    }

    /// The error of a motor is the way that its speed is off in a sub-step.
    fn add_motors(&mut self, h: f64) {
        for entry in &self.entries {
            let [a, b] = entry.bodies.map(|k| self.bodies[k as usize].falling);
            for row in entry.rows() {
                if let Hold::Motor(motor) = self.holds[row] {
                    let falling = self.rows[row].along.dot(b - a);
                    let speed = self.speed(entry, row) + falling;
                    self.residuals[row] = (speed - motor.speed) * h;
                }
            }
        }
    }

    /// Rows that an impulse can still help, or that have one within its bounds. Returns the largest residual
    /// among them.
    fn choose_active(&mut self, h: f64) -> f64 {
        self.active.clear();
        let mut worst: f64 = 0.0;
        for row in 0..self.holds.len() {
            let (residual, impulse) = (self.residuals[row], self.impulses[row]);
            let (low, high) = bounds(self.holds[row], h);
            let is_active = (impulse > low || residual < 0.0) && (impulse < high || residual > 0.0);
            self.active.push(is_active);
            // A spring's residual is what it would move if nothing were soft.
            let residual = residual * self.soft[row].share;
            if is_active && (residual.is_nan() || residual.abs() > worst) {
                worst = residual.abs();
            }
        }
        worst
    }

    /// Solves for the impulses that take away the residuals of the active rows, times `rate`.
    fn correct(&mut self, rate: f64) {
        if self.factored != self.active {
            self.factors.copy_active(&self.matrix, &self.active);
            self.factors.factor();
            self.factored.clone_from(&self.active);
        }
        self.change.clear();
        for (residual, is_active) in self.residuals.iter().zip(&self.active) {
            self.change
                .push(if *is_active { -residual * rate } else { 0.0 });
        }
        self.factors.solve(&mut self.change);
    }
}

/// Smallest and largest impulse of a row in a sub-step.
fn bounds(hold: Hold, h: f64) -> (f64, f64) {
    match hold {
        Hold::Both => (f64::NEG_INFINITY, f64::INFINITY),
        Hold::Above => (0.0, f64::INFINITY),
        Hold::Below => (f64::NEG_INFINITY, 0.0),
        Hold::Motor(motor) => (-motor.strength * h, motor.strength * h),
        Hold::Spring(spring) => (-spring.strength * h, spring.strength * h),
    }
}
