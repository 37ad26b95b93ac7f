//! Which constraints hang on which particle, and which constraints share a particle: the two
//! adjacencies that anticipation (4.2) and skipping (4.3) walk. Compressed rows, in constraint order.

use glamx::DVec3;

use crate::impulse::model::constraint::Constraint;

/// For every particle the constraints attached to it, ascending. Contacts come and go: rows have room for them.
#[derive(Debug, Clone, Default)]
pub struct Incidence {
    start: Vec<u32>,
    length: Vec<u32>,
    constraint: Vec<u32>,
    /// Particles that have contacts.
    grown: Vec<u32>,
}

impl Incidence {
    /// Rebuilds the rows for `particles` particles; keeps its buffers.
    pub fn rebuild(&mut self, particles: usize, constraints: &[Constraint]) {
        self.rebuild_with_room(particles, constraints, |_| 0);
    }

    /// The same, with room for so many contacts of each particle.
    pub fn rebuild_with_room(
        &mut self,
        particles: usize,
        constraints: &[Constraint],
        room: impl Fn(usize) -> usize,
    ) {
        self.start.clear();
        self.start.resize(particles + 1, 0);
        for c in constraints {
            self.start[c.a as usize + 1] += 1;
            self.start[c.b as usize + 1] += 1;
        }
        for i in 0..particles {
            self.start[i + 1] += self.start[i] + room(i) as u32;
        }
        self.constraint.clear();
        self.constraint.resize(self.start[particles] as usize, 0);
        self.length.clear();
        self.length.resize(particles, 0);
        self.grown.clear();
        for (index, c) in constraints.iter().enumerate() {
            self.push(c.a, index);
            self.push(c.b, index);
        }
    }

    /// Replaces the contacts, which are the constraints from `lasting` on.
    pub fn replace_contacts(&mut self, lasting: usize, constraints: &[Constraint]) {
        let mut grown = std::mem::take(&mut self.grown);
        for particle in grown.drain(..) {
            let is_contact = |&&c: &&u32| c as usize >= lasting;
            let contacts = self.of(particle as usize).iter().rev();
            self.length[particle as usize] -= contacts.take_while(is_contact).count() as u32;
        }
        for (index, c) in constraints.iter().enumerate().skip(lasting) {
            for end in [c.a, c.b] {
                self.push(end, index);
                grown.push(end);
            }
        }
        self.grown = grown;
    }

    fn push(&mut self, particle: u32, constraint: usize) {
        let particle = particle as usize;
        let place = self.start[particle] + self.length[particle];
        self.constraint[place as usize] = constraint as u32;
        self.length[particle] += 1;
    }

    /// The constraints attached to a particle, ascending.
    #[inline]
    pub fn of(&self, particle: usize) -> &[u32] {
        let start = self.start[particle] as usize;
        &self.constraint[start..start + self.length[particle] as usize]
    }

    /// How many constraints a particle has room for.
    fn room(&self, particle: usize) -> usize {
        (self.start[particle + 1] - self.start[particle]) as usize
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
/// The pattern of a row is found when it is first used after the constraints changed, and its coefficients when it is
/// first used after the directions did: few rows are, where little is violated. Constraints that stand at right
/// angles to each other do not couple, and their entries are left out.
#[derive(Debug, Clone, Default)]
pub struct Couplings {
    start: Vec<u32>,
    /// The pattern: who shares a particle, and its signed inverse mass; a row may end before the next one starts.
    other: Vec<u32>,
    weight: Vec<f64>,
    end: Vec<u32>,
    /// Rows for the present directions, each in the place of its pattern, filled up to whole units.
    entry: Vec<Coupling>,
    used: Vec<u32>,
    state: Vec<RowState>,
    /// How many of the first constraints are the same in every pattern, and where their rows end.
    lasting: usize,
    lasting_end: usize,
    /// Rows of lasting constraints that share a particle with a contact.
    beside: Vec<u32>,
    is_built: bool,
}

/// What is known of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RowState {
    Unknown,
    /// Its pattern.
    Found,
    /// Its coefficients for the present directions, too.
    Current,
}

/// What couplings are made from.
#[derive(Debug, Clone, Copy)]
pub struct Pattern<'a> {
    /// All constraints.
    pub constraints: &'a [Constraint],
    /// Which of them hang on which particle.
    pub incidence: &'a Incidence,
    /// Of the particles, 1/kg.
    pub inverse_mass: &'a [f64],
}

impl Couplings {
    /// The pattern of constraints changed, but for the first `lasting` ones.
    pub fn forget_pattern(&mut self, lasting: usize) {
        self.is_built = false;
        if self.lasting != lasting {
            self.lasting = lasting;
            self.start.clear();
        }
    }

    /// Gives every row its place, unless they have theirs. Rows of lasting constraints keep it, and what is known of
    /// them, but for those that have or had contacts beside them.
    pub fn rebuild(&mut self, pattern: Pattern) {
        if self.is_built {
            return;
        }
        self.is_built = true;
        let (count, known) = (
            pattern.constraints.len(),
            self.start.len().min(self.lasting),
        );
        self.start.truncate(known);
        self.state.truncate(known);
        let mut end = match known {
            0 => 0,
            _ => self.lasting_end,
        };
        for (index, c) in pattern.constraints.iter().enumerate().skip(known) {
            if index == self.lasting {
                self.lasting_end = end;
            }
            self.start.push(end as u32);
            let others = |p: u32| match pattern.inverse_mass[p as usize] > 0.0 {
                true if index < self.lasting => pattern.incidence.room(p as usize) - 1,
                true => pattern.incidence.of(p as usize).len() - 1,
                false => 0,
            };
            end += (others(c.a) + others(c.b)).next_multiple_of(ROW_UNIT);
        }
        if count == self.lasting {
            self.lasting_end = end;
        }
        let nothing = Coupling {
            other: 0,
            coefficient: 0.0,
        };
        self.other.resize(end, 0);
        self.weight.resize(end, 0.0);
        self.entry.resize(end, nothing);
        self.end.resize(count, 0);
        self.used.resize(count, 0);
        self.state.resize(count, RowState::Unknown);
        self.forget_beside_contacts(pattern);
    }

    fn forget_beside_contacts(&mut self, pattern: Pattern) {
        for row in self.beside.drain(..) {
            self.state[row as usize] = RowState::Unknown;
        }
        for contact in &pattern.constraints[self.lasting..] {
            for end in [contact.a as usize, contact.b as usize] {
                if pattern.inverse_mass[end] > 0.0 {
                    let attached = pattern.incidence.of(end).iter().copied();
                    let rows = attached.take_while(|&row| (row as usize) < self.lasting);
                    self.beside.extend(rows);
                }
            }
        }
        for &row in &self.beside {
            self.state[row as usize] = RowState::Unknown;
        }
    }

    /// The directions changed: no coefficient is valid any more.
    pub fn invalidate(&mut self) {
        for state in &mut self.state {
            *state = (*state).min(RowState::Found);
        }
    }

    /// Whether the coefficients of a row are those of the present directions.
    #[inline]
    pub fn is_current(&self, constraint: usize) -> bool {
        self.state[constraint] == RowState::Current
    }

    /// Finds who shares a particle with a constraint, unless that is known.
    #[inline]
    pub fn find(&mut self, constraint: usize, pattern: Pattern) {
        if self.state[constraint] == RowState::Unknown {
            self.find_row(constraint, pattern);
        }
    }

    fn find_row(&mut self, constraint: usize, pattern: Pattern) {
        let c = &pattern.constraints[constraint];
        let mut place = self.start[constraint] as usize;
        for end in [c.a, c.b] {
            let w = pattern.inverse_mass[end as usize];
            if w == 0.0 {
                continue;
            }
            for &other in pattern.incidence.of(end as usize) {
                if other as usize != constraint {
                    self.other[place] = other;
                    self.weight[place] =
                        signed_weight(w, end, c, &pattern.constraints[other as usize]);
                    place += 1;
                }
            }
        }
        self.end[constraint] = place as u32;
        self.state[constraint] = RowState::Found;
    }

    /// Computes the coefficients of a row for `direction`.
    pub fn compute(&mut self, constraint: usize, pattern: Pattern, direction: &[DVec3]) {
        self.find(constraint, pattern);
        self.state[constraint] = RowState::Current;
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
        // what fills a row up changes nothing: the row's own constraint, by nothing
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

    /// The attached constraints of a row that is found, with signed weights, for directions that are about to change.
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
        self.start[row] as usize..self.end[row] as usize
    }
}
