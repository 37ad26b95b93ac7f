//! Strips: the constraints of a cloth cut into chains of particles (after Bender & Bayer 2008, which the
//! paper names as the way on). A chain is solved at once in linear time. Chains that share no particle
//! form a family; the chains of a family are independent, so they run side by side in SIMD lanes and on
//! threads without changing a bit.

pub(crate) mod solver;

use glamx::DVec3;

use crate::impulse::model::constraint::{Constraint, Kind};
use crate::impulse::model::incidence::Incidence;

/// Chains solved side by side in one block.
pub(crate) const LANES: usize = 4;

/// One value per lane.
pub(crate) type Lanes = [f64; LANES];

/// Chains of one family, padded to the longest. Padding has no mass, no length and no tolerance to exceed.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    /// Particles of each chain, one more than links.
    pub particle: Vec<[u32; LANES]>,
    /// Inverse masses of the particles, 1/kg.
    pub weight: Vec<Lanes>,
    /// Rest length of link k, between particles k and k + 1, m.
    pub length: Vec<Lanes>,
    /// Errors below and above need correction, m.
    pub low: Vec<Lanes>,
    pub high: Vec<Lanes>,
    /// Particles of each chain without padding.
    pub count: [usize; LANES],
}

/// The families of a cloth.
#[derive(Debug, Clone, Default)]
pub(crate) struct Strips {
    pub families: Vec<Vec<Block>>,
}

/// A chain of particles and the constraints between neighbours.
struct Chain {
    particles: Vec<u32>,
    links: Vec<u32>,
}

impl Strips {
    /// Cuts the distance and rope constraints into chains that bend as little as possible at rest.
    pub fn new(constraints: &[Constraint], position: &[DVec3], inverse_mass: &[f64]) -> Self {
        let mut incidence = Incidence::default();
        incidence.rebuild(position.len(), constraints);
        let mut cutter = Cutter {
            constraints,
            position,
            incidence,
            is_used: constraints
                .iter()
                .map(|c| c.kind == Kind::Contact)
                .collect(),
        };
        let mut chains = Vec::new();
        for first in 0..constraints.len() {
            if !cutter.is_used[first] {
                chains.push(cutter.cut(first));
            }
        }
        let families = colour(chains, position.len());
        let blocks = |family: Vec<Chain>| {
            let of = |chains: &[Chain]| Block::new(chains, constraints, inverse_mass);
            family.chunks(LANES).map(of).collect()
        };
        Self {
            families: families.into_iter().map(blocks).collect(),
        }
    }
}

struct Cutter<'a> {
    constraints: &'a [Constraint],
    position: &'a [DVec3],
    incidence: Incidence,
    is_used: Vec<bool>,
}

impl Cutter<'_> {
    /// The chain through an unused constraint, extended at both ends.
    fn cut(&mut self, first: usize) -> Chain {
        let (a, b) = self.constraints[first].pair();
        self.is_used[first] = true;
        let mut particles = std::collections::VecDeque::from([a as u32, b as u32]);
        let mut links = std::collections::VecDeque::from([first as u32]);
        while let Some((link, next)) =
            self.continuation(&particles, particles.len() - 2, particles.len() - 1)
        {
            particles.push_back(next);
            links.push_back(link);
        }
        while let Some((link, next)) = self.continuation(&particles, 1, 0) {
            particles.push_front(next);
            links.push_front(link);
        }
        Chain {
            particles: particles.into(),
            links: links.into(),
        }
    }

    /// The straightest unused constraint at the chain's end, if it bends by less than 45 degrees.
    fn continuation(
        &mut self,
        particles: &std::collections::VecDeque<u32>,
        before: usize,
        end: usize,
    ) -> Option<(u32, u32)> {
        let (before, end) = (particles[before] as usize, particles[end] as usize);
        let heading = (self.position[end] - self.position[before]).normalize_or_zero();
        let mut best = None;
        let mut straightest = std::f64::consts::FRAC_1_SQRT_2;
        for &link in self.incidence.of(end) {
            let (a, b) = self.constraints[link as usize].pair();
            let next = if a == end { b } else { a };
            let onward = (self.position[next] - self.position[end]).normalize_or_zero();
            let straightness = heading.dot(onward);
            if !self.is_used[link as usize]
                && straightness > straightest
                && !particles.contains(&(next as u32))
            {
                straightest = straightness;
                best = Some((link, next as u32));
            }
        }
        if let Some((link, _)) = best {
            self.is_used[link as usize] = true;
        }
        best
    }
}

/// Puts every chain into the first family in which it shares no particle with another.
fn colour(chains: Vec<Chain>, particles: usize) -> Vec<Vec<Chain>> {
    let mut families: Vec<(Vec<bool>, Vec<Chain>)> = Vec::new();
    for chain in chains {
        let is_free = |taken: &[bool]| chain.particles.iter().all(|&p| !taken[p as usize]);
        let index = match families.iter().position(|(taken, _)| is_free(taken)) {
            Some(index) => index,
            None => {
                families.push((vec![false; particles], Vec::new()));
                families.len() - 1
            }
        };
        let (taken, family) = &mut families[index];
        for &p in &chain.particles {
            taken[p as usize] = true;
        }
        family.push(chain);
    }
    // chains of similar length share a block; the sort is stable, so the order is fixed
    let sorted = |(_, mut family): (Vec<bool>, Vec<Chain>)| {
        family.sort_by_key(|chain| std::cmp::Reverse(chain.links.len()));
        family
    };
    families.into_iter().map(sorted).collect()
}

impl Block {
    fn new(chains: &[Chain], constraints: &[Constraint], inverse_mass: &[f64]) -> Self {
        let links = chains.iter().map(|c| c.links.len()).max().unwrap_or(0);
        let mut block = Self {
            particle: vec![[0; LANES]; links + 1],
            weight: vec![[0.0; LANES]; links + 1],
            length: vec![[0.0; LANES]; links],
            low: vec![[f64::NEG_INFINITY; LANES]; links],
            high: vec![[f64::INFINITY; LANES]; links],
            count: [0; LANES],
        };
        for (lane, chain) in chains.iter().enumerate() {
            block.count[lane] = chain.particles.len();
            for k in 0..=links {
                let particle = chain.particles[k.min(chain.particles.len() - 1)];
                block.particle[k][lane] = particle;
                if k < chain.particles.len() {
                    block.weight[k][lane] = inverse_mass[particle as usize];
                }
            }
            for (k, &link) in chain.links.iter().enumerate() {
                let c = &constraints[link as usize];
                block.length[k][lane] = c.length;
                block.low[k][lane] = c.low;
                block.high[k][lane] = c.high;
            }
        }
        block
    }
}
