//! The constraints of one step: the cloth's own and the contacts that the step may need, with their
//! directions, adjacencies and reminders. The pattern is rebuilt only when the contacts change.

use glamx::DVec3;

use crate::impulse::gathered::Gathered;
use crate::impulse::loops::abreast::{Abreast, PaddedParticles};
use crate::impulse::loops::anticipation::Residuals;
use crate::impulse::loops::reminder::BitTable;
use crate::impulse::model::cloth::Cloth;
use crate::impulse::model::constraint::{Constraint, Kind};
use crate::impulse::model::error::ClothError;
use crate::impulse::model::incidence::{Couplings, Incidence};
use crate::impulse::model::settings::{Skipping, Solver};

/// Everything that has one entry per constraint of the step.
#[derive(Debug, Clone, Default)]
pub(crate) struct ActiveSet {
    pub constraints: Vec<Constraint>,
    pub incidence: Incidence,
    pub couplings: Couplings,
    pub direction: Vec<DVec3>,
    pub residual: Residuals,
    pub gathered: Gathered,
    pub abreast: Abreast,
    pub padded: PaddedParticles,
    pub flags: Vec<u8>,
    pub bits: BitTable,
    /// How many of the constraints are the cloth's own; the rest are contacts with balls.
    structural: usize,
    found: Vec<[u32; 2]>,
    is_indexed: bool,
}

impl ActiveSet {
    pub fn new(cloth: &Cloth) -> Self {
        Self {
            constraints: cloth.constraints.clone(),
            structural: cloth.constraints.len(),
            ..Self::default()
        }
    }

    /// The contacts with balls.
    pub fn contacts(&self) -> &[Constraint] {
        &self.constraints[self.structural..]
    }

    /// Takes the pairs of ball and particle that come within `reach` of touching, in a fixed order, and
    /// rebuilds the pattern if they are not those of the step before.
    pub fn begin(
        &mut self,
        cloth: &Cloth,
        preview: &[DVec3],
        reach: f64,
    ) -> Result<(), ClothError> {
        self.found.clear();
        for &ball in &cloth.balls {
            for other in 0..preview.len() as u32 {
                if is_pair(cloth, ball, other) && gap(cloth, preview, ball, other) < reach {
                    self.found.push([ball, other]);
                }
            }
        }
        let is_same = self.found.len() == self.contacts().len()
            && self
                .contacts()
                .iter()
                .zip(&self.found)
                .all(|(c, f)| [c.a, c.b] == *f);
        if is_same && self.is_indexed {
            return Ok(());
        }
        self.constraints.truncate(self.structural);
        self.constraints
            .extend(self.found.iter().map(|&pair| contact(cloth, pair)));
        self.index(cloth)
    }

    /// Adds the contacts that are violated at the end of an iteration and were not foreseen. Returns
    /// whether there were any.
    pub fn add_missed(&mut self, cloth: &Cloth, preview: &[DVec3]) -> Result<bool, ClothError> {
        let known = self.constraints.len();
        for &ball in &cloth.balls {
            for other in 0..preview.len() as u32 {
                let is_violated = || gap(cloth, preview, ball, other) < -cloth.contact_tolerance;
                let is_new =
                    |set: &Self| !set.contacts().iter().any(|c| (c.a, c.b) == (ball, other));
                if is_pair(cloth, ball, other) && is_violated() && is_new(self) {
                    self.constraints.push(contact(cloth, [ball, other]));
                }
            }
        }
        if self.constraints.len() == known {
            return Ok(false);
        }
        self.index(cloth)?;
        Ok(true)
    }

    /// Which constraints hang on which particles: the cloth's own once, contacts when they change. A particle has no
    /// more contacts than there are balls, but a ball with every particle.
    fn index_particles(&mut self, cloth: &Cloth) {
        let particles = cloth.inverse_mass.len();
        if !self.is_indexed {
            let own = &self.constraints[..self.structural];
            self.incidence
                .rebuild_with_room(particles, own, |particle| {
                    match cloth.balls.contains(&(particle as u32)) {
                        true => particles,
                        false => cloth.balls.len(),
                    }
                });
        }
        self.incidence
            .replace_contacts(self.structural, &self.constraints);
    }

    fn index(&mut self, cloth: &Cloth) -> Result<(), ClothError> {
        let count = self.constraints.len();
        self.direction.resize(count, DVec3::ZERO);
        self.residual.resize(count);
        self.flags.resize(count, 0);
        self.index_particles(cloth);
        self.is_indexed = true;
        // strips correct velocities with all optimisations, anticipation among them
        let (is_anticipated, skipping) = match cloth.settings.solver {
            Solver::Impulses(o) => (o.anticipation, o.skipping),
            Solver::Strips { .. } => (true, Skipping::Flags),
        };
        self.abreast.forget_pattern(self.structural);
        if is_anticipated {
            self.gathered.forget_pattern(self.structural);
            self.couplings.forget_pattern(self.structural);
        }
        if skipping == Skipping::BodyBits {
            self.bits
                .assign(&cloth.inverse_mass, &self.constraints, &self.incidence)?;
        }
        Ok(())
    }
}

/// Two balls make one pair, and two fixed particles none.
fn is_pair(cloth: &Cloth, ball: u32, other: u32) -> bool {
    let is_movable = cloth.inverse_mass[ball as usize] + cloth.inverse_mass[other as usize] > 0.0;
    other != ball && is_movable && (other < ball || !cloth.balls.contains(&other))
}

fn gap(cloth: &Cloth, preview: &[DVec3], ball: u32, other: u32) -> f64 {
    let (i, j) = (ball as usize, other as usize);
    preview[i].distance(preview[j]) - cloth.radius[i] - cloth.radius[j]
}

fn contact(cloth: &Cloth, [ball, other]: [u32; 2]) -> Constraint {
    let (i, j) = (ball as usize, other as usize);
    let w = [cloth.inverse_mass[i], cloth.inverse_mass[j]];
    let length = cloth.radius[i] + cloth.radius[j];
    Constraint::new(
        Kind::Contact,
        [ball, other],
        w,
        length,
        cloth.contact_tolerance,
    )
}
