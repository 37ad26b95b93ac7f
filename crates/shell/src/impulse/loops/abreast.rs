//! Constraints four abreast for the loops that work on velocities themselves (section 3.2): cut as in the gathered
//! form into constraints that follow each other and share no moving particle, so that the methods compared
//! differ in the paper's optimisations and not in how they use the processor. Every lane does what one constraint
//! would do alone, in the same order: the bytes are those of one after another.

use glamx::DVec3;

use crate::impulse::lanes::{LANES, Lanes, minus, times, zip};
use crate::impulse::loops::anticipation::Residuals;
use crate::impulse::loops::reminder::Reminder;
use crate::impulse::model::constraint::Constraint;

/// Up to four constraints that share no moving particle. Lanes without one repeat the first and demand nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Four {
    pub first: u32,
    pub count: u32,
    pub a: [u32; LANES],
    pub b: [u32; LANES],
    pub length: Lanes,
    /// The band of errors that needs no correction.
    pub low: Lanes,
    pub high: Lanes,
    /// Effective masses, kg, and inverse masses of both particles, 1/kg.
    pub mass: Lanes,
    pub w_a: Lanes,
    pub w_b: Lanes,
}

impl Four {
    fn new(index: usize, c: &Constraint) -> Self {
        Four {
            first: index as u32,
            count: 0,
            a: [c.a; LANES],
            b: [c.b; LANES],
            length: [c.length; LANES],
            low: [f64::NEG_INFINITY; LANES],
            high: [f64::INFINITY; LANES],
            mass: [0.0; LANES],
            w_a: [0.0; LANES],
            w_b: [0.0; LANES],
        }
    }

    /// Whether a constraint would be one of at most four that share no moving particle.
    fn has_room(&self, c: &Constraint, inverse_mass: &[f64]) -> bool {
        let is_taken =
            |p: u32| inverse_mass[p as usize] > 0.0 && (self.a.contains(&p) || self.b.contains(&p));
        (self.count as usize) < LANES && !is_taken(c.a) && !is_taken(c.b)
    }

    fn add(&mut self, c: &Constraint, inverse_mass: &[f64]) {
        let lane = self.count as usize;
        (self.a[lane], self.b[lane]) = (c.a, c.b);
        (self.low[lane], self.high[lane]) = (c.low, c.high);
        (self.length[lane], self.mass[lane]) = (c.length, c.effective_mass);
        self.w_a[lane] = inverse_mass[c.a as usize];
        self.w_b[lane] = inverse_mass[c.b as usize];
        self.count += 1;
    }

    /// What leads from the first particles to the second, with `of` a particle's place or velocity.
    #[inline(always)]
    pub fn differences(&self, of: impl Fn(usize) -> Padded) -> [Padded; LANES] {
        let mut d = [Padded::default(); LANES];
        for lane in 0..LANES {
            d[lane] = of(self.b[lane] as usize).minus(of(self.a[lane] as usize));
        }
        d
    }

    /// Changes the velocities of the particles of `violated` constraints by impulses along `n`, N s.
    #[inline(always)]
    pub fn apply(
        &self,
        violated: [bool; LANES],
        n: &[Padded; LANES],
        impulse: Lanes,
        velocity: &mut [Padded],
    ) {
        for lane in 0..LANES {
            if violated[lane] {
                let (a, b) = (self.a[lane] as usize, self.b[lane] as usize);
                let change = n[lane].scaled(impulse[lane]);
                velocity[a] = velocity[a].plus(change.scaled(self.w_a[lane]));
                velocity[b] = velocity[b].minus(change.scaled(self.w_b[lane]));
            }
        }
    }

    /// Tells a reminder what was found. Only along directions that stay does a look acquit a constraint.
    #[inline(always)]
    pub fn remind<R: Reminder>(
        &self,
        violated: [bool; LANES],
        is_settled: [bool; LANES],
        is_frozen: bool,
        reminder: &mut R,
    ) {
        for lane in 0..LANES.min(self.count as usize) {
            let c = self.first as usize + lane;
            if violated[lane] {
                reminder.corrected(c, is_settled[lane]);
            } else if is_frozen {
                reminder.satisfied(c);
            }
        }
    }

    /// Which lanes have an error that needs correction.
    #[inline(always)]
    pub fn violated(&self, error: Lanes) -> [bool; LANES] {
        outside(error, &self.low, &self.high)
    }
}

/// Which errors are outside their band; one that is not a number is.
#[inline(always)]
pub(crate) fn outside(error: Lanes, low: &Lanes, high: &Lanes) -> [bool; LANES] {
    let mut is_outside = [false; LANES];
    for lane in 0..LANES {
        is_outside[lane] = !((error[lane] >= low[lane]) & (error[lane] <= high[lane]));
    }
    is_outside
}

/// All constraints of a pattern, in their order, and their directions.
#[derive(Debug, Clone, Default)]
pub(crate) struct Abreast {
    pub fours: Vec<Four>,
    pub direction: Vec<[Padded; LANES]>,
    /// Bands of relative velocities, m/s, for the velocity loop.
    pub band: Vec<[Lanes; 2]>,
    /// The four that a constraint is in.
    pub four_of: Vec<u32>,
    /// How many of the first constraints are the same in every pattern, and the fours they are in, once known.
    lasting: usize,
    lasting_fours: Option<usize>,
    is_built: bool,
}

impl Abreast {
    /// The pattern of constraints changed, but for the first `lasting` ones.
    pub fn forget_pattern(&mut self, lasting: usize) {
        self.is_built = false;
        if self.lasting != lasting {
            (self.lasting, self.lasting_fours) = (lasting, None);
        }
    }

    /// Puts every constraint into the last four if it fits there, otherwise into a new one; the lasting ones stay
    /// where they are.
    pub fn rebuild(&mut self, constraints: &[Constraint], inverse_mass: &[f64]) {
        if self.is_built {
            return;
        }
        self.is_built = true;
        let known = self.lasting_fours.map_or(0, |_| self.lasting);
        let fours = self.lasting_fours.unwrap_or(0);
        self.fours.truncate(fours);
        self.four_of.truncate(known);
        for (index, c) in constraints.iter().enumerate().skip(known) {
            if index == self.lasting {
                self.lasting_fours = Some(self.fours.len());
            }
            let is_first = index == self.lasting;
            match self.fours.last_mut() {
                Some(four) if !is_first && four.has_room(c, inverse_mass) => {
                    four.add(c, inverse_mass)
                }
                _ => {
                    let mut four = Four::new(index, c);
                    four.add(c, inverse_mass);
                    self.fours.push(four);
                }
            }
            self.four_of.push(self.fours.len() as u32 - 1);
        }
        self.direction.clear();
        self.direction
            .resize(self.fours.len(), [Padded::default(); LANES]);
    }
}

impl Abreast {
    /// Takes the directions and the bands that the velocity loop has found.
    pub fn take_over(&mut self, direction: &[DVec3], residual: &Residuals) {
        self.band.clear();
        for (four, n) in self.fours.iter().zip(&mut self.direction) {
            let mut band = [[f64::NEG_INFINITY; LANES], [f64::INFINITY; LANES]];
            for lane in 0..four.count as usize {
                let c = four.first as usize + lane;
                n[lane] = direction[c].into();
                (band[0][lane], band[1][lane]) = (residual.gauge[c].low, residual.gauge[c].high);
            }
            self.band.push(band);
        }
    }
}

/// Particles as the direct loops want them.
#[derive(Debug, Clone, Default)]
pub(crate) struct PaddedParticles {
    pub base: Vec<Padded>,
    pub preview: Vec<Padded>,
    pub velocity: Vec<Padded>,
}

/// A vector in the first three of four lanes: what one particle has, in one register.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(32))]
pub(crate) struct Padded(pub Lanes);

impl Padded {
    #[inline(always)]
    pub fn plus(self, other: Self) -> Self {
        Padded(zip(self.0, other.0, |a, b| a + b))
    }

    #[inline(always)]
    pub fn minus(self, other: Self) -> Self {
        Padded(minus(self.0, other.0))
    }

    #[inline(always)]
    pub fn scaled(self, by: f64) -> Self {
        Padded(times(self.0, [by; LANES]))
    }
}

impl From<DVec3> for Padded {
    #[inline(always)]
    fn from(v: DVec3) -> Self {
        Padded([v.x, v.y, v.z, 0.0])
    }
}

impl From<Padded> for DVec3 {
    #[inline(always)]
    fn from(Padded([x, y, z, _]): Padded) -> Self {
        DVec3::new(x, y, z)
    }
}

/// Copies vectors of particles, keeping the buffer.
pub(crate) fn pad(vectors: &[DVec3], into: &mut Vec<Padded>) {
    into.clear();
    into.extend(vectors.iter().map(|v| Padded::from(*v)));
}

/// Scalar products of four pairs.
#[inline(always)]
pub(crate) fn dots(a: &[Padded; LANES], b: &[Padded; LANES]) -> Lanes {
    let mut products = [[0.0; LANES]; LANES];
    for lane in 0..LANES {
        products[lane] = times(a[lane].0, b[lane].0);
    }
    let mut sums = [0.0; LANES];
    for lane in 0..LANES {
        sums[lane] = products[lane][0] + products[lane][1] + products[lane][2];
    }
    sums
}

/// Four constraint directions from what leads from the first particles to the second, and their distances. Where
/// particles coincide a fixed axis is taken.
#[inline(always)]
pub(crate) fn directions(d: &[Padded; LANES], n: &mut [Padded; LANES]) -> Lanes {
    let squared = dots(d, d);
    let (mut length, mut inverse, mut are_apart) = (squared, squared, true);
    for lane in 0..LANES {
        length[lane] = squared[lane].sqrt();
        inverse[lane] = 1.0 / length[lane];
        are_apart &= length[lane] > 0.0;
    }
    for lane in 0..LANES {
        n[lane] = d[lane].scaled(inverse[lane]);
    }
    if !are_apart {
        for lane in (0..LANES).filter(|&lane| length[lane] <= 0.0) {
            n[lane] = DVec3::Z.into();
        }
    }
    length
}
