//! The velocities that satisfy all contacts of a group at once: a convex program, solved by Newton's method.
//!
//! A contact answers to its velocity by an impulse in Coulomb's cone: the point of the cone that is nearest to the
//! impulse so far less a stiffness times the velocity that is left to do. Of all velocities the ones are sought
//! that then balance: the least of a convex function (Castro, Permenter and Han 2022), which a Newton step with a search
//! along it comes nearer to every time, from wherever it begins. The impulses found are where the next
//! round begins, so that stiffness does not decide the result but only how soon it is reached (the method of multipliers). What slides
//! would lift off by its slip times the friction in such a program; that much is taken off, as of the slip of the round before
//! (de Saxcé's correction, iterated after Cadoux 2009). What acts on the bodies are the rows' impulses
//! alone, equal and opposite.

use super::block_cholesky::{Block, BlockCholesky, SIDE};
use super::soft_rows::{Mover, Pass, Patch, Row, two};
use crate::{Mat3, Vec3};

/// How much a contact yields to a change of its impulse, against how its bodies do. Little, so that forces go far in
/// one round; not less, for rounding.
const YIELDING: f64 = 1e-6;
/// Rounds, at most.
const ROUNDS: u32 = 12;
/// Newton steps in all rounds, at most, and in a first stiff one.
const STEPS: u32 = 32;
const QUICK: u32 = 4;
/// Looks along one of them, at most.
const LOOKS: u32 = 40;
/// The same while overlaps are pushed out.
const PUSHING: f64 = 1e-2;
/// The softest contacts that are tried where stiff ones are not solved.
const SOFTEST: f64 = 1e-2;
/// Part of the first step's gain below which another one is not worth it.
const ENOUGH: f64 = 1e-18;
/// What is left to do, against the velocity that the impulses make, when all is done.
const DONE: f64 = 1e-7;
/// The same where no solution is found: with so little left the impulses stay what they are. At large mass ratios rounding
/// hides the way to a better solution, and sweeps would lead far from this one.
const NEARLY: f64 = 1e-5;
/// How far bodies move (metres) or turn (radians) before a factor is made anew.
const STILL: f64 = 1e-6;

/// What a contact does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Stance {
    /// It does not press.
    #[default]
    Open,
    /// It presses, and friction is at its limit: the direction of friction in the tangent plane, and how stiffly
    /// friction turns with the slip.
    Slides {
        along: [f64; 2],
        across: f64,
        lifts: f64,
    },
    /// It presses and holds.
    Sticks,
}

impl Stance {
    /// Whether it answers to changes in nearly the same way.
    fn is_like(&self, other: &Stance) -> bool {
        match (self, other) {
            (
                Stance::Slides {
                    across: a,
                    lifts: 0.0,
                    ..
                },
                Stance::Slides {
                    across: b,
                    lifts: 0.0,
                    ..
                },
            ) => a.max(*b) < 0.1 * YIELDING,
            _ => self == other,
        }
    }
}

/// A contact in the program. Vectors are along the patch's frame.
#[derive(Clone, Copy, Debug, Default)]
struct Point {
    /// Velocity that was left to do at the round's start, m/s.
    rate: Vec3,
    /// What the way so far has changed of it, and what a whole step along the direction would.
    gone: Vec3,
    ahead: Vec3,
    /// The impulse that it leaves no farther than it has to, at the round's start, and now, N s.
    centre: Vec3,
    before: Vec3,
    impulse: Vec3,
    /// kg.
    stiffness: f64,
    friction: f64,
    /// The limit of friction of what slid before, N s.
    most: Option<f64>,
    stance: Stance,
}

impl Point {
    /// The impulse at the round's start if the contact does what is expected of it.
    fn model(&self) -> Vec3 {
        let wanted = self.centre - self.rate * self.stiffness;
        match self.stance {
            Stance::Open => Vec3::ZERO,
            Stance::Sticks => wanted,
            Stance::Slides {
                along: [x, y],
                lifts: friction,
                ..
            } => {
                let held = self.most.unwrap_or(friction * wanted.x);
                Vec3::new(wanted.x, held * x, held * y)
            }
        }
    }

    /// The impulse after a share of the direction.
    fn after(&self, share: f64) -> (Vec3, Stance) {
        let left = self.rate + self.gone + self.ahead * share;
        let wanted = self.centre - left * self.stiffness;
        match self.most {
            Some(most) => in_cylinder(wanted, most),
            None => in_cone(wanted, self.friction),
        }
    }
}

/// The point of Coulomb's cone that is nearest to an impulse.
fn in_cone(wanted: Vec3, friction: f64) -> (Vec3, Stance) {
    let [n, t, u] = wanted.to_array();
    let size = (t * t + u * u).sqrt();
    if n > 0.0 && size <= friction * n {
        return (wanted, Stance::Sticks);
    }
    let normal = (n + friction * size) / (1.0 + friction * friction);
    if normal <= 0.0 {
        return (Vec3::ZERO, Stance::Open);
    }
    let held = friction * normal;
    let (along, across) = match size > 0.0 {
        true => ([t / size, u / size], held / size),
        false => ([1.0, 0.0], 0.0),
    };
    let lifts = friction;
    let impulse = Vec3::new(normal, held * along[0], held * along[1]);
    (
        impulse,
        Stance::Slides {
            along,
            across,
            lifts,
        },
    )
}

/// The same where friction has a limit that the normal impulse does not change.
fn in_cylinder(wanted: Vec3, most: f64) -> (Vec3, Stance) {
    let [n, t, u] = wanted.to_array();
    if n <= 0.0 {
        return (Vec3::ZERO, Stance::Open);
    }
    let size = (t * t + u * u).sqrt();
    if size <= most {
        return (wanted, Stance::Sticks);
    }
    let (along, across, lifts) = ([t / size, u / size], most / size, 0.0);
    let impulse = Vec3::new(n, most * along[0], most * along[1]);
    (
        impulse,
        Stance::Slides {
            along,
            across,
            lifts,
        },
    )
}

/// The program and its buffers.
#[derive(Default)]
pub(super) struct Newton {
    matrix: BlockCholesky,
    couplings: Vec<(u32, u32)>,
    is_shaped: bool,
    points: Vec<Point>,
    /// The stances that the factor stands for, if there is one.
    factored: Vec<(Stance, f64)>,
    /// How far the bodies had moved and turned when it was made.
    poses: Vec<(Vec3, Mat3)>,
    /// Per member: change of velocity and spin in this round, and where to next.
    change: Vec<[f64; SIDE]>,
    /// The lightest contact, kg, and the slope below which a step is rounding, J.
    light: f64,
    enough: f64,
    /// What was left to do when the round began, against the velocity that the impulses make.
    left: f64,
    direction: Vec<[f64; SIDE]>,
    /// The impulses before overlaps were pushed out.
    centres: Vec<Vec3>,
}

impl Newton {
    /// Takes the patches of a step, or of a sub-step with other ones. Says whether a factorisation is within
    /// `budget` products of blocks.
    pub(super) fn begin(&mut self, patches: &[Patch], members: usize, budget: usize) -> bool {
        self.couplings.clear();
        let between = patches.iter().filter(|p| (p.b as usize) < members);
        self.couplings.extend(between.map(|p| (p.a, p.b)));
        self.couplings.sort_unstable();
        self.couplings.dedup();
        self.factored.clear();
        self.is_shaped = self.matrix.shape(members, &self.couplings, budget);
        self.is_shaped
    }

    /// Finds the impulses of all rows, from those they have. Says whether nothing is left to do.
    pub(super) fn solve(
        &mut self,
        patches: &[Patch],
        rows: &mut [Row],
        movers: &mut [Mover],
        pass: &Pass,
        members: usize,
    ) -> bool {
        self.centres.clear();
        let is_solved = self.rounds(patches, rows, movers, pass, members);
        let impulse = |row: &Row| Vec3::new(row.normal, row.tangent[0], row.tangent[1]);
        self.centres.extend(rows.iter().map(impulse));
        is_solved
    }

    /// Pushes overlaps out and takes drifts back. Wishes may contradict each other, so that contacts yield.
    pub(super) fn push(
        &mut self,
        patches: &[Patch],
        rows: &mut [Row],
        movers: &mut [Mover],
        pass: &Pass,
        members: usize,
    ) {
        let is_done = self.take(patches, rows, movers, pass, PUSHING);
        if !is_done
            && self
                .minimise(patches, rows, movers, members, STEPS + members as u32 / 8)
                .0
        {
            self.give(patches, rows, movers);
        }
    }

    /// Finds the impulses of all rows once bodies have moved: those nearest to what was solved before overlaps were pushed
    /// out, so that of what two pushes did against each other nothing stays. Says whether nothing is left to do.
    pub(super) fn relax(
        &mut self,
        patches: &[Patch],
        rows: &mut [Row],
        movers: &mut [Mover],
        pass: &Pass,
        members: usize,
    ) -> bool {
        self.rounds(patches, rows, movers, pass, members)
    }

    fn rounds(
        &mut self,
        patches: &[Patch],
        rows: &mut [Row],
        movers: &mut [Mover],
        pass: &Pass,
        members: usize,
    ) -> bool {
        if !self.is_shaped {
            return false;
        }
        self.follow(&movers[..members]);
        // What was nearly solved is so in a step or two. Where much is new the first rounds are soft, which a few
        // steps solve as well, and say what the next ones begin with.
        let (mut yielding, mut steps) = (YIELDING, QUICK + members as u32 / 32);
        let mut left = STEPS + members as u32 / 8;
        let mut is_nearly = false;
        let mut is_solved = false;
        for round in 0..ROUNDS {
            if self.take(patches, rows, movers, pass, yielding) {
                return true;
            }
            // As long as nothing is found, nothing is changed.
            is_nearly |= round == 0 && self.left <= NEARLY;
            let (is_found, taken) = self.minimise(patches, rows, movers, members, steps);
            left = left.saturating_sub(taken);
            steps = left;
            if is_found {
                self.give(patches, rows, movers);
                self.centres.clear();
                is_solved = true;
                yielding = (0.1 * yielding).max(YIELDING);
            } else if !is_solved && yielding < SOFTEST {
                yielding = SOFTEST;
            } else {
                return is_solved || is_nearly;
            }
            if left == 0 {
                return is_solved || is_nearly;
            }
        }
        is_solved || is_nearly
    }

    /// Bodies have moved: the factor may no longer stand for them.
    fn follow(&mut self, movers: &[Mover]) {
        let has_moved = |m: &Mover, (moved, turned): &(Vec3, Mat3)| {
            let turn = m.turned - *turned;
            let turn = turn.x_axis.length() + turn.y_axis.length() + turn.z_axis.length();
            (m.moved - *moved).length() > STILL || turn > STILL
        };
        let mut poses = movers.iter().zip(&self.poses);
        if poses.any(|(mover, pose)| has_moved(mover, pose)) {
            self.factored.clear();
        }
    }

    /// Begins a round where the rows are. Says whether nothing is left to do.
    fn take(
        &mut self,
        patches: &[Patch],
        rows: &[Row],
        movers: &[Mover],
        pass: &Pass,
        yielding: f64,
    ) -> bool {
        self.points.clear();
        self.points.resize(rows.len(), Point::default());
        let (mut most, mut pace) = (0f64, 0f64);
        self.light = f64::INFINITY;
        for patch in patches {
            let (a, b) = (&movers[patch.a as usize], &movers[patch.b as usize]);
            for k in patch.first as usize..patch.end as usize {
                let row = &rows[k];
                let rate = row.residual(a, b, patch, pass);
                let before = Vec3::new(row.normal, row.tangent[0], row.tangent[1]);
                let mass = row.normal_mass.min(row.slip_mass);
                let slip = (rate.y * rate.y + rate.z * rate.z).sqrt();
                let lifted = rate + Vec3::X * (patch.friction * slip);
                let centre = self.centres.get(k).copied().unwrap_or(before);
                let (after, mut stance) = in_cone(centre - lifted * mass, patch.friction);
                if let Stance::Slides { across, lifts, .. } = &mut stance {
                    // Friction turns with the slip as stiffly as the limit over the slip allows.
                    *across *= yielding;
                    *lifts = 0.0;
                }
                if mass > 0.0 {
                    self.light = self.light.min(mass);
                    most = most.max((after - before).length() / mass);
                    pace = pace.max(before.length() / mass);
                }
                // What is open and slips past would be lifted, should it close after all.
                let rate = if stance == Stance::Open { lifted } else { rate };
                self.points[k] = Point {
                    rate,
                    centre,
                    before,
                    impulse: before,
                    stiffness: mass / yielding,
                    friction: patch.friction,
                    most: matches!(stance, Stance::Slides { .. })
                        .then_some(patch.friction * after.x),
                    stance,
                    ..Point::default()
                };
            }
        }
        let rounding = 0.1 * DONE * pace;
        self.enough = self.light * rounding * rounding;
        self.left = most / pace.max(f64::MIN_POSITIVE);
        most <= DONE * pace
    }

    /// Newton steps to the round's least.
    fn minimise(
        &mut self,
        patches: &[Patch],
        rows: &[Row],
        movers: &[Mover],
        members: usize,
        steps: u32,
    ) -> (bool, u32) {
        self.change.clear();
        self.change.resize(members, [0.0; SIDE]);
        for point in &mut self.points {
            point.impulse = point.model();
        }
        let mut first = 0f64;
        for step in 0..steps {
            if !self.factor(patches, rows, movers, members) {
                return (false, step);
            }
            let slope = self.aim(patches, rows, movers, members);
            if step == 0 {
                first = slope;
            }
            if slope >= -self.enough || slope > ENOUGH * first {
                if step == 0 {
                    // Nothing is worth a change; what was expected of the contacts is no solution.
                    self.points.iter_mut().for_each(|p| p.impulse = p.before);
                }
                return (true, step);
            }
            let share = if step == 0 {
                1.0
            } else {
                self.look(movers, slope)
            };
            for (change, direction) in self.change.iter_mut().zip(&self.direction) {
                for (c, d) in change.iter_mut().zip(direction) {
                    *c += share * d;
                }
            }
            let mut is_settled = share == 1.0;
            for point in &mut self.points {
                let (impulse, stance) = point.after(share);
                point.gone += point.ahead * share;
                point.impulse = impulse;
                is_settled &= stance == point.stance && !matches!(stance, Stance::Slides { .. });
                point.stance = stance;
            }
            if is_settled {
                return (true, step + 1);
            }
        }
        (false, steps)
    }

    /// The matrix for the stances of now, factored.
    fn factor(
        &mut self,
        patches: &[Patch],
        rows: &[Row],
        movers: &[Mover],
        members: usize,
    ) -> bool {
        let mut known = self.factored.iter().zip(&self.points);
        if !self.factored.is_empty()
            && known.all(|((s, k), p)| *k == p.stiffness && s.is_like(&p.stance))
        {
            return true;
        }
        self.factored.clear();
        self.matrix.clear();
        for (body, mover) in movers[..members].iter().enumerate() {
            let inertia = mover.inverse_inertia.inverse();
            let own = self.matrix.own(body as u32);
            for i in 0..3 {
                own[i][i] = 1.0 / mover.inverse_mass;
                for j in 0..3 {
                    own[3 + i][3 + j] = inertia.col(j)[i];
                }
            }
        }
        for patch in patches {
            let is_between = (patch.b as usize) < members;
            let mut owns = [[[0.0; SIDE]; SIDE]; 2];
            let mut cross = [[0.0; SIDE]; SIDE];
            let mut is_pressing = false;
            for k in patch.first as usize..patch.end as usize {
                let point = &self.points[k];
                if point.stance == Stance::Open {
                    continue;
                }
                is_pressing = true;
                for (axis, stiffness) in bonds(point, &patch.frame) {
                    if stiffness == 0.0 {
                        continue;
                    }
                    let a = lever(axis, rows[k].arms[0], 1.0);
                    add_outer(&mut owns[0], &a, &a, stiffness);
                    if is_between {
                        let b = lever(axis, rows[k].arms[1], -1.0);
                        add_outer(&mut owns[1], &b, &b, stiffness);
                        add_outer(&mut cross, &a, &b, stiffness);
                    }
                }
            }
            if !is_pressing {
                continue;
            }
            for (body, block) in [patch.a, patch.b].into_iter().zip(&owns) {
                if (body as usize) < members {
                    let own = self.matrix.own(body);
                    for i in 0..SIDE {
                        for j in 0..=i {
                            own[i][j] += block[i][j];
                        }
                    }
                }
            }
            if is_between {
                self.matrix.add((patch.a, patch.b), &cross);
            }
        }
        if !self.matrix.factor() {
            return false;
        }
        self.factored
            .extend(self.points.iter().map(|p| (p.stance, p.stiffness)));
        self.poses.clear();
        let poses = movers[..members].iter().map(|m| (m.moved, m.turned));
        self.poses.extend(poses);
        true
    }

    /// Finds the direction of a step. Gives the slope along it.
    fn aim(&mut self, patches: &[Patch], rows: &[Row], movers: &[Mover], members: usize) -> f64 {
        self.direction.clear();
        let pairs = self.change.iter().zip(movers);
        let uphill = pairs.map(|(change, mover)| momentum(mover, change).map(|x| -x));
        self.direction.extend(uphill);
        for patch in patches {
            for k in patch.first as usize..patch.end as usize {
                let point = &self.points[k];
                let push = in_world(point.impulse - point.before, &patch.frame);
                let bodies = [patch.a as usize, patch.b as usize];
                for ((body, arm), sign) in bodies.into_iter().zip(rows[k].arms).zip([1.0, -1.0]) {
                    if body < members {
                        let push = lever(push, arm, sign);
                        let into = self.direction[body].iter_mut().zip(push);
                        into.for_each(|(value, p)| *value += p);
                    }
                }
            }
        }
        let mut slope = 0.0;
        let downhill = self.direction.clone();
        self.matrix.solve(&mut self.direction);
        for (d, g) in self.direction.iter().zip(&downhill) {
            slope -= d.iter().zip(g).map(|(x, y)| x * y).sum::<f64>();
        }
        for patch in patches {
            let bodies = [patch.a as usize, patch.b as usize];
            for k in patch.first as usize..patch.end as usize {
                let mut ahead = Vec3::ZERO;
                for ((body, arm), sign) in bodies.into_iter().zip(rows[k].arms).zip([1.0, -1.0]) {
                    if let Some(d) = self.direction.get(body) {
                        let velocity = Vec3::new(d[0], d[1], d[2]);
                        let spin = Vec3::new(d[3], d[4], d[5]);
                        ahead += (velocity + spin.cross(arm)) * sign;
                    }
                }
                let [n, t, u] = patch.frame;
                self.points[k].ahead = Vec3::new(n.dot(ahead), t.dot(ahead), u.dot(ahead));
            }
        }
        slope
    }

    /// How far to go along the direction: to where the slope is next to nothing.
    fn look(&self, movers: &[Mover], slope: f64) -> f64 {
        let (mut steady, mut rising) = (0.0, 0.0);
        for ((change, direction), mover) in self.change.iter().zip(&self.direction).zip(movers) {
            let heavy = momentum(mover, direction);
            for i in 0..SIDE {
                steady += heavy[i] * change[i];
                rising += heavy[i] * direction[i];
            }
        }
        let slope_at = |share: f64| {
            let pushes = self.points.iter().map(|p| {
                let (impulse, _) = p.after(share);
                p.ahead.dot(impulse - p.before)
            });
            steady + share * rising - pushes.sum::<f64>()
        };
        let enough = 1e-6 * slope.abs();
        let (mut low, mut high) = ((0.0, slope), (1.0, slope_at(1.0)));
        if high.1 <= enough {
            return 1.0;
        }
        let mut was_high = false;
        let mut was_low = false;
        for look in 0..LOOKS {
            let (f, g) = (
                if was_high { 0.5 * low.1 } else { low.1 },
                if was_low { 0.5 * high.1 } else { high.1 },
            );
            // The false position, halved where one end would stay; every third look is in the middle.
            let share = if look % 3 == 2 {
                0.5 * (low.0 + high.0)
            } else {
                low.0 - f * (high.0 - low.0) / (g - f)
            };
            let now = slope_at(share);
            if now.abs() <= enough {
                return share;
            }
            if now > 0.0 {
                high = (share, now);
                (was_high, was_low) = (true, false);
            } else {
                low = (share, now);
                (was_high, was_low) = (false, true);
            }
        }
        low.0
    }

    /// Gives the rows and their bodies the impulses found.
    fn give(&self, patches: &[Patch], rows: &mut [Row], movers: &mut [Mover]) {
        for patch in patches {
            let [a, b] = two(movers, patch.a, patch.b);
            for k in patch.first as usize..patch.end as usize {
                let (row, point) = (&mut rows[k], &self.points[k]);
                let change = point.impulse - point.before;
                row.change(a, b, patch, change.to_array());
                row.slides = matches!(point.stance, Stance::Slides { .. });
                row.normal_max = row.normal_max.max(row.normal);
            }
        }
    }
}

/// The directions in which a contact answers, and how stiffly.
fn bonds(point: &Point, frame: &[Vec3; 3]) -> [(Vec3, f64); 3] {
    let [n, t, u] = *frame;
    let k = point.stiffness;
    match point.stance {
        Stance::Open => [(n, 0.0); 3],
        Stance::Sticks => [(n, k), (t, k), (u, k)],
        Stance::Slides {
            along: [x, y],
            across,
            lifts,
        } => {
            let side = n + (t * x + u * y) * lifts;
            let turn = u * x - t * y;
            [
                (side, k / (1.0 + lifts * lifts)),
                (turn, k * across),
                (n, 0.0),
            ]
        }
    }
}

fn in_world(along: Vec3, [n, t, u]: &[Vec3; 3]) -> Vec3 {
    *n * along.x + *t * along.y + *u * along.z
}

/// Momentum and angular momentum of a change of velocity and spin.
fn momentum(mover: &Mover, change: &[f64; SIDE]) -> [f64; SIDE] {
    let [x, y, z, p, q, r] = *change;
    let turn = mover.inverse_inertia.inverse() * Vec3::new(p, q, r);
    let mass = 1.0 / mover.inverse_mass;
    [mass * x, mass * y, mass * z, turn.x, turn.y, turn.z]
}

/// How an impulse at `arm` moves and turns a body, before its mass answers.
fn lever(impulse: Vec3, arm: Vec3, sign: f64) -> [f64; SIDE] {
    let turn = arm.cross(impulse);
    let [x, y, z] = impulse.to_array();
    [x, y, z, turn.x, turn.y, turn.z].map(|x| sign * x)
}

fn add_outer(into: &mut Block, a: &[f64; SIDE], b: &[f64; SIDE], scale: f64) {
    for (row, x) in into.iter_mut().zip(a) {
        let x = x * scale;
        for (value, y) in row.iter_mut().zip(b) {
            *value += x * y;
        }
    }
}
