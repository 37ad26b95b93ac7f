//! Skipping satisfied constraints (section 4.3): who remembers which constraints may be violated.
//! A reminder may err only towards visiting: a constraint it hides would have been found satisfied, so
//! the corrections, and with them the bytes of the result, are those of a full visit.

use crate::impulse::model::constraint::Constraint;
use crate::impulse::model::error::ClothError;
use crate::impulse::model::incidence::Incidence;

/// Remembers which constraints have to be looked at.
pub(crate) trait Reminder {
    /// Whether it hides anything at all; code that only serves skipping is left out otherwise.
    const SKIPS: bool = true;
    /// Every constraint may be violated.
    fn mark_all(&mut self);
    /// The first constraint at or after `from` that may be violated.
    fn next(&self, from: usize) -> Option<usize>;
    /// `constraint` was looked at and is satisfied.
    fn satisfied(&mut self, constraint: usize);
    /// `constraint` was corrected, so whatever is attached to its bodies may be violated; itself too,
    /// unless it `is_settled`.
    fn corrected(&mut self, constraint: usize, is_settled: bool);
    /// The error of `constraint` was anticipated, and it is violated now or not.
    fn anticipated(&mut self, constraint: usize, is_violated: bool);
    /// Something other than a constraint moved this particle.
    fn moved(&mut self, particle: usize);
}

/// No optimisation: all constraints are always visited.
pub(crate) struct VisitAll(pub usize);

impl Reminder for VisitAll {
    const SKIPS: bool = false;
    fn mark_all(&mut self) {}
    #[inline]
    fn next(&self, from: usize) -> Option<usize> {
        (from < self.0).then_some(from)
    }
    fn satisfied(&mut self, _: usize) {}
    fn corrected(&mut self, _: usize, _: bool) {}
    fn anticipated(&mut self, _: usize, _: bool) {}
    fn moved(&mut self, _: usize) {}
}

/// The first flag at or after `from` that is set. A flag is a byte, not a bit: neighbouring flags are written
/// one after another, and bits would chain every write to the one before. Eight satisfied constraints are
/// passed in one test.
#[inline]
fn next_flag(flags: &[u8], from: usize) -> Option<usize> {
    let mut index = from;
    loop {
        if *flags.get(index)? != 0 {
            return Some(index);
        }
        index += 1;
        while let Some(eight) = flags.get(index..index + 8) {
            if eight.iter().fold(0, |any, flag| any | flag) != 0 {
                break;
            }
            index += 8;
        }
    }
}

/// Flags that follow anticipation: attached constraints are marked while their errors are updated.
pub(crate) struct ErrorFlags<'a>(pub &'a mut [u8]);

impl Reminder for ErrorFlags<'_> {
    fn mark_all(&mut self) {
        self.0.fill(1);
    }
    #[inline]
    fn next(&self, from: usize) -> Option<usize> {
        next_flag(self.0, from)
    }
    #[inline]
    fn satisfied(&mut self, constraint: usize) {
        self.0[constraint] = 0;
    }
    #[inline]
    fn corrected(&mut self, constraint: usize, is_settled: bool) {
        self.0[constraint] = u8::from(!is_settled);
    }
    #[inline]
    fn anticipated(&mut self, constraint: usize, is_violated: bool) {
        self.0[constraint] = u8::from(is_violated);
    }
    fn moved(&mut self, _: usize) {
        self.mark_all();
    }
}

/// Flags without anticipation: a correction marks every attached constraint.
pub(crate) struct AttachedFlags<'a> {
    pub flags: &'a mut [u8],
    pub constraints: &'a [Constraint],
    pub incidence: &'a Incidence,
}

impl Reminder for AttachedFlags<'_> {
    fn mark_all(&mut self) {
        self.flags.fill(1);
    }
    #[inline]
    fn next(&self, from: usize) -> Option<usize> {
        next_flag(self.flags, from)
    }
    #[inline]
    fn satisfied(&mut self, constraint: usize) {
        self.flags[constraint] = 0;
    }
    #[inline]
    fn corrected(&mut self, constraint: usize, is_settled: bool) {
        let (a, b) = self.constraints[constraint].pair();
        self.moved(a);
        self.moved(b);
        self.flags[constraint] = u8::from(!is_settled);
    }
    fn anticipated(&mut self, _: usize, _: bool) {}
    #[inline]
    fn moved(&mut self, particle: usize) {
        for &other in self.incidence.of(particle) {
            self.flags[other as usize] = 1;
        }
    }
}

/// One word per particle, one bit in it per attached constraint: marking all of them is one store.
#[derive(Debug, Clone, Default)]
pub(crate) struct BitTable {
    word: Vec<u64>,
    mask: Vec<[u64; 2]>,
}

impl BitTable {
    /// Gives every constraint its bit in each of its moving bodies. A fixed body needs none: nothing
    /// that happens to it can violate a constraint.
    pub fn assign(
        &mut self,
        inverse_mass: &[f64],
        constraints: &[Constraint],
        incidence: &Incidence,
    ) -> Result<(), ClothError> {
        self.word.clear();
        self.word.resize(inverse_mass.len(), 0);
        self.mask.clear();
        self.mask.resize(constraints.len(), [0; 2]);
        for particle in (0..inverse_mass.len()).filter(|&i| inverse_mass[i] > 0.0) {
            let attached = incidence.of(particle);
            if attached.len() > 64 {
                return Err(ClothError::TooManyConstraints {
                    particle: particle as u32,
                    count: attached.len(),
                });
            }
            for (bit, &c) in attached.iter().enumerate() {
                let end = usize::from(constraints[c as usize].a as usize != particle);
                self.mask[c as usize][end] = 1 << bit;
            }
        }
        Ok(())
    }
}

/// Skipping by body bits.
pub(crate) struct BodyBits<'a> {
    pub table: &'a mut BitTable,
    pub constraints: &'a [Constraint],
}

impl Reminder for BodyBits<'_> {
    fn mark_all(&mut self) {
        self.table.word.fill(!0);
    }
    #[inline]
    fn next(&self, from: usize) -> Option<usize> {
        let BitTable { word, mask } = &*self.table;
        (from..mask.len()).find(|&c| {
            let (a, b) = self.constraints[c].pair();
            (word[a] & mask[c][0]) | (word[b] & mask[c][1]) != 0
        })
    }
    #[inline]
    fn satisfied(&mut self, constraint: usize) {
        let (a, b) = self.constraints[constraint].pair();
        let [mask_a, mask_b] = self.table.mask[constraint];
        self.table.word[a] &= !mask_a;
        self.table.word[b] &= !mask_b;
    }
    #[inline]
    fn corrected(&mut self, constraint: usize, is_settled: bool) {
        let (a, b) = self.constraints[constraint].pair();
        self.moved(a);
        self.moved(b);
        if is_settled {
            self.satisfied(constraint);
        }
    }
    fn anticipated(&mut self, _: usize, _: bool) {}
    #[inline]
    fn moved(&mut self, particle: usize) {
        self.table.word[particle] = !0;
    }
}
