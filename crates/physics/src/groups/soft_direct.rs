//! All contacts of a group at once, for `soft-step`: where sweeps would need hundreds of rounds, because
//! forces have a long way to the ground or a heavy body stands on a light one.
//!
//! Sweeps pass a force on from body to body, and by a heavy body through a light one in steps of the light one's
//! mass. Here the contacts that press, and hold by friction, are taken for bonds, and the velocities that satisfy all
//! bonds are found by one sparse factorisation (subspace minimisation between sweeps, after Silcowitz, Niebe and
//! Erleben 2010). Bonds that would have to pull, or to hold more than friction can, are cut back; sweeps go
//! between to say which contacts press. What acts on the bodies are the rows' impulses alone, equal and opposite.

use super::block_cholesky::{Block, BlockCholesky, SIDE};
use super::soft_rows::{Mover, Pass, Patch, Row, solve, two};
use crate::{Mat3, Vec3};

/// Bodies between a member and the ground from which on all contacts are solved at once.
const DEEP: u32 = 12;
/// Mass ratio from which on they are, when the lighter of the two touches a third body.
pub(super) const HEAVY: f64 = 20.0;
/// Mass ratio up to which a light body is held between others.
const HEAVIEST: f64 = 2e5;
/// How much a bond yields to a change of its impulse, against how its bodies do. Little, so that forces go far;
/// not less, for bonds that contradict each other answer with the inverse.
const YIELDING: f64 = 1e-6;
/// Sweeps and solutions in turn, at most.
const ROUNDS: u32 = 8;
/// How often a step that makes matters worse is halved.
const HALVINGS: u32 = 4;
/// Products of blocks per member that a factorisation may take.
const BUDGET: usize = 120;
/// Part of the largest impulse below which it does not matter that a bond was cut.
const TRIFLE: f64 = 1e-9;

/// How far bodies move (metres) or turn (radians) before a factor is made anew.
const STILL: f64 = 1e-6;

/// Part of the work of all contacts below which a gain is rounding.
const NOISE: f64 = 1e-6;

/// What a contact does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stance {
    /// It does not press.
    #[default]
    Open,
    /// It presses, and friction is at its limit.
    Slides,
    /// It presses and holds.
    Sticks,
}

/// How much work the contacts of a group are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// A sweep at a time will do.
    Light,
    /// Forces have far to go.
    Deep,
    /// A heavy body leans on a light one.
    Heavy,
    /// So heavy a one that double precision does not tell the light one's velocity from rounding.
    Hopeless,
}

/// How a solution ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// All bonds hold.
    Whole,
    /// Some bonds had to be cut back.
    Cut,
    /// Nothing was gained.
    Failed,
}

/// The solution of all contacts at once, and its buffers.
#[derive(Default)]
pub struct Direct {
    matrix: BlockCholesky,
    couplings: Vec<(u32, u32)>,
    /// Whether the matrix has a shape for the patches of now.
    is_shaped: bool,
    stances: Vec<Stance>,
    /// The stances that the factor stands for, if there is one.
    factored: Vec<Stance>,
    /// How far the bodies had moved and turned when it was made.
    poses: Vec<(Vec3, Mat3)>,
    right: Vec<[f64; SIDE]>,
    /// Per row: what is left to do, and the change of impulses, along the frame.
    residuals: Vec<Vec3>,
    changes: Vec<Vec3>,
    saved: (Vec<Mover>, Vec<Row>),
    depth: Vec<u32>,
    partners: Vec<u32>,
}

impl Direct {
    /// What the contacts of a group ask for: a function of who touches whom.
    pub(super) fn effort(&mut self, patches: &[Patch], movers: &[Mover], members: usize) -> Effort {
        self.partners.clear();
        self.partners.resize(members, 0);
        self.depth.clear();
        self.depth.resize(members, u32::MAX);
        let mut last = (u32::MAX, u32::MAX);
        for patch in patches.iter().filter(|p| p.end > p.first) {
            let (a, b) = (patch.a as usize, patch.b as usize);
            let is_new = (patch.a, patch.b) != last;
            last = (patch.a, patch.b);
            self.partners[a] += u32::from(is_new);
            match self.partners.get_mut(b) {
                Some(partners) => *partners += u32::from(is_new),
                None => self.depth[a] = 0,
            }
        }
        let between = || {
            let touching = patches.iter().filter(|p| p.end > p.first);
            touching.filter(|p| (p.b as usize) < members)
        };
        let mut heaviest = 0f64;
        for patch in between() {
            let (mut light, mut heavy) = (patch.a as usize, patch.b as usize);
            if movers[light].inverse_mass < movers[heavy].inverse_mass {
                (light, heavy) = (heavy, light);
            }
            let ratio = movers[light].inverse_mass / movers[heavy].inverse_mass;
            if self.partners[light] > 1 {
                heaviest = heaviest.max(ratio);
            }
        }
        if heaviest > HEAVIEST {
            return Effort::Hopeless;
        } else if heaviest > HEAVY {
            return Effort::Heavy;
        }
        for round in 0..=DEEP {
            let mut is_changed = false;
            for patch in between() {
                let (a, b) = (patch.a as usize, patch.b as usize);
                let (da, db) = (self.depth[a], self.depth[b]);
                for (from, to, at) in [(da, db, b), (db, da, a)] {
                    if from == round && to == u32::MAX {
                        self.depth[at] = round + 1;
                        is_changed = true;
                    }
                }
            }
            if !is_changed {
                return Effort::Light;
            }
        }
        Effort::Deep
    }

    /// Takes the patches of a step, or of a sub-step with other ones. Says whether a factorisation is within reach.
    pub(super) fn begin(&mut self, patches: &[Patch], members: usize) -> bool {
        self.couplings.clear();
        let between = patches.iter().filter(|p| (p.b as usize) < members);
        self.couplings.extend(between.map(|p| (p.a, p.b)));
        self.couplings.sort_unstable();
        self.couplings.dedup();
        self.factored.clear();
        self.is_shaped = self
            .matrix
            .shape(members, &self.couplings, BUDGET * members);
        self.is_shaped
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

    /// Solves all rows with the push-out of `pass`. Says whether all bonds hold in the end; if not, sweeps have done
    /// what they could.
    pub(super) fn solve(
        &mut self,
        patches: &[Patch],
        rows: &mut [Row],
        movers: &mut [Mover],
        pass: &Pass,
        members: usize,
    ) -> bool {
        self.follow(&movers[..members]);
        let mut is_whole = false;
        for _ in 0..ROUNDS {
            solve(patches, rows, movers, pass, members);
            if !self.is_shaped {
                return false;
            }
            let is_settled = self.take_stances(rows);
            if is_whole && is_settled {
                return true;
            }
            match self.improve(patches, rows, movers, pass, members) {
                Outcome::Whole => is_whole = true,
                Outcome::Cut => is_whole = false,
                Outcome::Failed => return false,
            }
        }
        solve(patches, rows, movers, pass, members);
        is_whole
    }

    /// Notes what each contact does; says whether it did so before.
    fn take_stances(&mut self, rows: &[Row]) -> bool {
        let mut is_settled = self.stances.len() == rows.len();
        self.stances.resize(rows.len(), Stance::Open);
        for (row, stance) in rows.iter().zip(&mut self.stances) {
            let now = match (row.normal > 0.0, row.slides) {
                (false, _) => Stance::Open,
                (true, true) => Stance::Slides,
                (true, false) => Stance::Sticks,
            };
            is_settled &= now == *stance;
            *stance = now;
        }
        is_settled
    }

    /// The stiffness of a row's bonds, kg.
    fn stiffness(row: &Row) -> f64 {
        row.normal_mass.min(row.slip_mass) / YIELDING
    }

    /// The matrix for the stances of now, factored.
    fn factor(
        &mut self,
        patches: &[Patch],
        rows: &[Row],
        movers: &[Mover],
        members: usize,
    ) -> bool {
        if self.factored == self.stances && !self.factored.is_empty() {
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
                let row = &rows[k];
                let axes = match self.stances[k] {
                    Stance::Open => continue,
                    Stance::Slides => &patch.frame[..1],
                    Stance::Sticks => &patch.frame[..],
                };
                is_pressing = true;
                let stiffness = Self::stiffness(row);
                for &axis in axes {
                    let a = lever(axis, row.arms[0], 1.0);
                    add_outer(&mut owns[0], &a, &a, stiffness);
                    if is_between {
                        let b = lever(axis, row.arms[1], -1.0);
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
        if self.matrix.factor() {
            self.factored.clone_from(&self.stances);
            self.poses.clear();
            let poses = movers[..members].iter().map(|m| (m.moved, m.turned));
            self.poses.extend(poses);
            return true;
        }
        false
    }

    /// One solution for the stances of now.
    fn improve(
        &mut self,
        patches: &[Patch],
        rows: &mut [Row],
        movers: &mut [Mover],
        pass: &Pass,
        members: usize,
    ) -> Outcome {
        if !self.factor(patches, rows, movers, members) {
            return Outcome::Failed;
        }
        self.take_residuals(patches, rows, movers, pass);
        self.right.clear();
        self.right.resize(members, [0.0; SIDE]);
        self.each_bond(patches, rows, members, |direct, k, axis, [a, b], levers| {
            let push = -Self::stiffness(&rows[k]) * direct.residuals[k][axis];
            for (body, lever) in [a, b].into_iter().zip(levers) {
                if let Some(into) = direct.right.get_mut(body) {
                    for (value, l) in into.iter_mut().zip(lever) {
                        *value += push * l;
                    }
                }
            }
        });
        let mut right = std::mem::take(&mut self.right);
        self.matrix.solve(&mut right);
        self.right = right;
        self.changes.clear();
        self.changes.resize(rows.len(), Vec3::ZERO);
        self.each_bond(patches, rows, members, |direct, k, axis, [a, b], levers| {
            let mut left = direct.residuals[k][axis];
            for (body, lever) in [a, b].into_iter().zip(levers) {
                if let Some(change) = direct.right.get(body) {
                    left += change.iter().zip(lever).map(|(c, l)| c * l).sum::<f64>();
                }
            }
            direct.changes[k][axis] = -Self::stiffness(&rows[k]) * left;
        });
        self.advance(patches, rows, movers, pass)
    }

    /// Goes through all bonds: the row, the axis, the bodies, and the levers on them.
    fn each_bond(
        &mut self,
        patches: &[Patch],
        rows: &[Row],
        members: usize,
        mut look: impl FnMut(&mut Self, usize, usize, [usize; 2], [[f64; SIDE]; 2]),
    ) {
        debug_assert!(self.right.len() == members);
        for patch in patches {
            for k in patch.first as usize..patch.end as usize {
                let axes = match self.stances[k] {
                    Stance::Open => 0,
                    Stance::Slides => 1,
                    Stance::Sticks => 3,
                };
                let [ra, rb] = rows[k].arms;
                for (axis, &along) in patch.frame[..axes].iter().enumerate() {
                    let levers = [lever(along, ra, 1.0), lever(along, rb, -1.0)];
                    look(self, k, axis, [patch.a as usize, patch.b as usize], levers);
                }
            }
        }
    }

    fn take_residuals(&mut self, patches: &[Patch], rows: &[Row], movers: &[Mover], pass: &Pass) {
        self.residuals.clear();
        self.residuals.resize(rows.len(), Vec3::ZERO);
        for patch in patches {
            let (a, b) = (&movers[patch.a as usize], &movers[patch.b as usize]);
            for k in patch.first as usize..patch.end as usize {
                self.residuals[k] = rows[k].residual(a, b, patch, pass);
            }
        }
    }

    /// Changes the impulses, as far as contacts push and friction holds, and no further than it helps.
    fn advance(
        &mut self,
        patches: &[Patch],
        rows: &mut [Row],
        movers: &mut [Mover],
        pass: &Pass,
    ) -> Outcome {
        let largest = rows.iter().map(|r| r.normal).fold(0.0, f64::max);
        self.saved.0.clear();
        self.saved.0.extend_from_slice(movers);
        self.saved.1.clear();
        self.saved.1.extend_from_slice(rows);
        let mut share = 1.0;
        for _ in 0..=HALVINGS {
            let mut cut = 0f64;
            let (mut gain, mut work) = (0.0, 0.0);
            for patch in patches {
                let [a, b] = two(movers, patch.a, patch.b);
                for k in patch.first as usize..patch.end as usize {
                    if self.stances[k] == Stance::Open {
                        continue;
                    }
                    let row = &mut rows[k];
                    let wanted = self.changes[k] * share;
                    let change = allowed(row, wanted, patch.friction);
                    cut = cut.max((change - wanted).length());
                    gain += change.dot(self.residuals[k]);
                    work += change.dot(self.residuals[k]).abs();
                    row.change(a, b, patch, change.to_array());
                }
            }
            // What the rows give up is the work of the changes at the mean of the velocities before and after.
            for patch in patches {
                let (a, b) = (&movers[patch.a as usize], &movers[patch.b as usize]);
                for k in patch.first as usize..patch.end as usize {
                    let before = &self.saved.1[k];
                    let change = Vec3::new(
                        rows[k].normal - before.normal,
                        rows[k].tangent[0] - before.tangent[0],
                        rows[k].tangent[1] - before.tangent[1],
                    );
                    gain += change.dot(rows[k].residual(a, b, patch, pass));
                }
            }
            let is_whole = cut <= TRIFLE * largest;
            if gain <= 0.0 || (is_whole && gain <= NOISE * work) {
                return if is_whole {
                    Outcome::Whole
                } else {
                    Outcome::Cut
                };
            }
            movers.copy_from_slice(&self.saved.0);
            rows.copy_from_slice(&self.saved.1);
            share *= 0.5;
        }
        Outcome::Failed
    }
}

/// A change of a row's impulses that lets it neither pull nor hold more than friction does.
fn allowed(row: &Row, wanted: Vec3, friction: f64) -> Vec3 {
    let normal = (row.normal + wanted.x).max(0.0);
    let (mut t, mut u) = (row.tangent[0] + wanted.y, row.tangent[1] + wanted.z);
    let (size, limit) = ((t * t + u * u).sqrt(), friction * normal);
    if size > limit {
        let scale = limit / size;
        (t, u) = (t * scale, u * scale);
    }
    Vec3::new(normal - row.normal, t - row.tangent[0], u - row.tangent[1])
}

/// How a unit impulse along `axis` at `arm` moves and turns a body, before its mass answers.
fn lever(axis: Vec3, arm: Vec3, sign: f64) -> [f64; SIDE] {
    let turn = arm.cross(axis);
    [axis.x, axis.y, axis.z, turn.x, turn.y, turn.z].map(|x| sign * x)
}

fn add_outer(into: &mut Block, a: &[f64; SIDE], b: &[f64; SIDE], scale: f64) {
    for (row, x) in into.iter_mut().zip(a) {
        let x = x * scale;
        for (value, y) in row.iter_mut().zip(b) {
            *value += x * y;
        }
    }
}
