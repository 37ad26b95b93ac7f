//! Which constraints hang on which particle, and which constraints share a particle: the two
//! adjacencies that anticipation (4.2) and skipping (4.3) walk. Compressed rows, in constraint order.

use glamx::DVec3;

use super::constraint::Constraint;

/// For every particle the constraints attached to it, ascending.
#[derive(Debug, Clone, Default)]
pub struct Incidence {
    start: Vec<u32>,
    constraint: Vec<u32>,
}

impl Incidence {
    /// Rebuilds the rows for `particles` particles; keeps its buffers.
    pub fn rebuild(&mut self, particles: usize, constraints: &[Constraint]) {
        self.start.clear();
        self.start.resize(particles + 1, 0);
        for c in constraints {
            self.start[c.a as usize + 1] += 1;
            self.start[c.b as usize + 1] += 1;
        }
        for i in 0..particles {
            self.start[i + 1] += self.start[i];
        }
        self.constraint.clear();
        self.constraint.resize(2 * constraints.len(), 0);
        for (index, c) in constraints.iter().enumerate().rev() {
            for end in [c.b, c.a] {
                let slot = self.start[end as usize + 1] - 1;
                self.start[end as usize + 1] = slot;
                self.constraint[slot as usize] = index as u32;
            }
        }
        // filling from the back moved every row's end down to its start: shift the starts back
        self.start.remove(0);
        self.start.push(2 * constraints.len() as u32);
    }

    /// The constraints attached to a particle, ascending.
    #[inline]
    pub fn of(&self, particle: usize) -> &[u32] {
        &self.constraint[self.start[particle] as usize..self.start[particle + 1] as usize]
    }
}

/// How strongly two constraints that share the particle `end` couple where they are parallel, 1/kg: its inverse mass
/// `w`, negative when it is the first particle of one and the second of the other.
#[inline]
pub fn signed_weight(w: f64, end: u32, one: &Constraint, other: &Constraint) -> f64 {
    let is_same_role = (one.a == end) == (other.a == end);
    if is_same_role { w } else { -w }
}

/// Rows are filled up to a multiple of this, so that a loop over them is guessed right more often.
pub const ROW_UNIT: usize = 2;

/// One entry of a coupling row: correcting the row's constraint by a position impulse `l` lowers the
/// error of `other` by `coefficient * l`.
#[derive(Debug, Clone, Copy)]
pub struct Coupling {
    /// The constraint that is affected.
    pub other: u32,
    /// `weight * (n_other . n_row)`, 1/kg; valid for the current directions.
    pub coefficient: f64,
}

/// For every constraint the others that share a moving particle with it, ascending within each end.
/// Coefficients are computed for a row when it is first used after the directions changed; constraints
/// that stand at right angles to each other do not couple, and their entries are left out.
#[derive(Debug, Clone, Default)]
pub struct Couplings {
    start: Vec<u32>,
    /// The pattern: who shares a particle, and its signed inverse mass.
    other: Vec<u32>,
    weight: Vec<f64>,
    /// Rows for the present directions, each in the place of its pattern, filled up to whole units.
    entry: Vec<Coupling>,
    used: Vec<u32>,
    is_current: Vec<bool>,
    is_built: bool,
}

impl Couplings {
    /// The pattern of constraints changed.
    pub fn forget_pattern(&mut self) {
        self.is_built = false;
    }

    /// Rebuilds the pattern and the signed weights, unless they are there.
    pub fn rebuild(
        &mut self,
        incidence: &Incidence,
        constraints: &[Constraint],
        inverse_mass: &[f64],
    ) {
        if self.is_built {
            return;
        }
        self.is_built = true;
        self.start.clear();
        self.other.clear();
        self.weight.clear();
        for (index, c) in constraints.iter().enumerate() {
            let begin = self.other.len();
            self.start.push(begin as u32);
            for end in [c.a, c.b] {
                let w = inverse_mass[end as usize];
                if w == 0.0 {
                    continue;
                }
                for &other in incidence.of(end as usize) {
                    if other as usize == index {
                        continue;
                    }
                    self.other.push(other);
                    let weight = signed_weight(w, end, c, &constraints[other as usize]);
                    self.weight.push(weight);
                }
            }
            // what fills a row up changes nothing: the row's own constraint, by nothing
            let length = (self.other.len() - begin).next_multiple_of(ROW_UNIT);
            self.other.resize(begin + length, index as u32);
            self.weight.resize(begin + length, 0.0);
        }
        self.start.push(self.other.len() as u32);
        let nothing = Coupling {
            other: 0,
            coefficient: 0.0,
        };
        self.entry.clear();
        self.entry.resize(self.other.len(), nothing);
        self.used.clear();
        self.used.resize(constraints.len(), 0);
        self.is_current.clear();
        self.is_current.resize(constraints.len(), false);
    }

    /// The directions changed: no coefficient is valid any more.
    pub fn invalidate(&mut self) {
        self.is_current.fill(false);
    }

    /// Whether the coefficients of a row are those of the present directions.
    #[inline]
    pub fn is_current(&self, constraint: usize) -> bool {
        self.is_current[constraint]
    }

    /// Computes the coefficients of a row for `direction`.
    pub fn compute(&mut self, constraint: usize, direction: &[DVec3]) {
        self.is_current[constraint] = true;
        let range = self.range(constraint);
        let n = direction[constraint];
        let mut end = range.start;
        for index in range.clone() {
            let other = self.other[index];
            let coefficient = self.weight[index] * n.dot(direction[other as usize]);
            if coefficient != 0.0 {
                self.entry[end] = Coupling { other, coefficient };
                end += 1;
            }
        }
        let used = (end - range.start).next_multiple_of(ROW_UNIT);
        self.entry[end..range.start + used].fill(Coupling {
            other: constraint as u32,
            coefficient: 0.0,
        });
        self.used[constraint] = used as u32;
    }

    /// The row of a constraint, which must be current: whole units of entries.
    #[inline]
    pub fn row(&self, constraint: usize) -> &[Coupling] {
        let start = self.start[constraint] as usize;
        &self.entry[start..start + self.used[constraint] as usize]
    }

    /// The attached constraints with signed weights, for directions that are about to change.
    #[inline]
    pub fn weighted_row(&self, constraint: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.range(constraint);
        let weights = self.weight[range.clone()].iter();
        self.other[range]
            .iter()
            .zip(weights)
            .map(|(&other, &weight)| (other as usize, weight))
    }

    #[inline]
    fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.start[row] as usize..self.start[row + 1] as usize
    }
}
