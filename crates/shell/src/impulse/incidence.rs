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
/// Coefficients are computed for a row when it is first used after the directions changed.
#[derive(Debug, Clone, Default)]
pub struct Couplings {
    start: Vec<u32>,
    entry: Vec<Coupling>,
    weight: Vec<f64>,
    is_current: Vec<bool>,
}

impl Couplings {
    /// Rebuilds the pattern and the signed weights (inverse mass of the shared particle; negative when
    /// it is the first particle of one constraint and the second of the other).
    pub fn rebuild(
        &mut self,
        incidence: &Incidence,
        constraints: &[Constraint],
        inverse_mass: &[f64],
    ) {
        self.start.clear();
        self.entry.clear();
        self.weight.clear();
        for (index, c) in constraints.iter().enumerate() {
            self.start.push(self.entry.len() as u32);
            for end in [c.a, c.b] {
                let w = inverse_mass[end as usize];
                if w == 0.0 {
                    continue;
                }
                for &other in incidence.of(end as usize) {
                    if other as usize == index {
                        continue;
                    }
                    let same_role = (constraints[other as usize].a == end) == (c.a == end);
                    self.entry.push(Coupling {
                        other,
                        coefficient: 0.0,
                    });
                    self.weight.push(if same_role { w } else { -w });
                }
            }
        }
        self.start.push(self.entry.len() as u32);
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
        for (entry, weight) in self.entry[range.clone()]
            .iter_mut()
            .zip(&self.weight[range])
        {
            entry.coefficient = weight * n.dot(direction[entry.other as usize]);
        }
    }

    /// The row of a constraint.
    #[inline]
    pub fn row(&self, constraint: usize) -> &[Coupling] {
        &self.entry[self.range(constraint)]
    }

    /// The row of a constraint with the signed weights instead, for directions that are about to change.
    #[inline]
    pub fn weighted_row(&self, constraint: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.range(constraint);
        let weights = self.weight[range.clone()].iter();
        self.entry[range]
            .iter()
            .zip(weights)
            .map(|(entry, &weight)| (entry.other as usize, weight))
    }

    #[inline]
    fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.start[row] as usize..self.start[row + 1] as usize
    }
}
