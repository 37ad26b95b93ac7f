//! The position loop over strips: each chain's linearised constraints form a tridiagonal system that is
//! eliminated at once, four chains in SIMD lanes. Families are visited one after another until, in one
//! round, every constraint and contact is found satisfied on the same unchanged preview.

use glamx::DVec3;
use rayon::prelude::*;

use crate::impulse::contact::active::ActiveSet;
use crate::impulse::loops::anticipation::PreviewedMotion;
use crate::impulse::loops::direct::{Limits, Touching};
use crate::impulse::model::cloth::Cloth;
use crate::impulse::model::constraint::Constraint;
use crate::impulse::model::obstacle::Preview;
use crate::impulse::model::state::StepReport;
use crate::impulse::strips::{Block, LANES, Lanes, Strips};

/// Relative softening of the diagonal. A straight chain between two fixed particles is singular; this keeps
/// its elimination bounded, and the rounds still converge to the unsoftened solution.
const SOFTENING: f64 = 1e-5;

/// Scratch of one block.
#[derive(Debug, Clone, Default)]
pub(crate) struct BlockBuffer {
    x: [Vec<Lanes>; 3],
    n: [Vec<Lanes>; 3],
    error: Vec<Lanes>,
    ratio: Vec<Lanes>,
    /// Violated links found; 0 means the positions in `x` are unchanged.
    violations: u64,
}

/// Scratch of all families, and the previews before any correction.
#[derive(Debug, Clone, Default)]
pub(crate) struct StripBuffers {
    families: Vec<Vec<BlockBuffer>>,
    start: Vec<DVec3>,
}

impl StripBuffers {
    pub fn new(strips: &Strips) -> Self {
        let of = |block: &Block| {
            let nodes = || vec![[0.0; LANES]; block.particle.len()];
            let links = || vec![[0.0; LANES]; block.length.len()];
            BlockBuffer {
                x: [nodes(), nodes(), nodes()],
                n: [links(), links(), links()],
                error: links(),
                ratio: links(),
                violations: 0,
            }
        };
        Self {
            families: strips
                .families
                .iter()
                .map(|f| f.iter().map(of).collect())
                .collect(),
            start: Vec::new(),
        }
    }
}

/// Iterates over families and contacts. Returns false if the limit of iterations came first.
#[expect(
    clippy::too_many_arguments,
    reason = "the parts of one workspace, borrowed apart"
)]
pub(crate) fn solve(
    cloth: &Cloth,
    is_parallel: bool,
    limits: Limits,
    active: &ActiveSet,
    buffers: &mut StripBuffers,
    motion: PreviewedMotion,
    touching: &mut Touching,
    report: &mut StepReport,
) -> bool {
    let StripBuffers { families, start } = buffers;
    start.clear();
    start.extend_from_slice(motion.preview);
    let mut bodies = Offsets(motion.preview);
    let mut is_converged = false;
    for _ in 0..limits.max_iterations {
        let mut corrections = 0;
        for (family, scratch) in cloth.strips.families.iter().zip(families.iter_mut()) {
            corrections += solve_family(family, scratch, bodies.0, is_parallel);
        }
        corrections += sweep_contacts(active.contacts(), &mut bodies, &cloth.inverse_mass);
        corrections += touching.sweep(&mut bodies, |_| ());
        report.iterations += 1;
        report.direction_updates += 1;
        report.corrections += corrections;
        is_converged = corrections == 0 && touching.hold(&bodies);
        if is_converged {
            break;
        }
    }
    for (i, velocity) in motion.velocity.iter_mut().enumerate() {
        *velocity += (bodies.0[i] - start[i]) / motion.step;
    }
    is_converged
}

/// Previews whose velocities are settled at the end of the loop, from the whole offset at once.
struct Offsets<'a>(&'a mut [DVec3]);

impl Preview for Offsets<'_> {
    fn preview(&self, i: usize) -> DVec3 {
        self.0[i]
    }
    fn push(&mut self, i: usize, offset: DVec3) {
        self.0[i] += offset;
    }
}

/// One visit of a family; returns how many links were violated.
fn solve_family(
    family: &[Block],
    scratch: &mut [BlockBuffer],
    preview: &mut [DVec3],
    is_parallel: bool,
) -> u64 {
    let shared = &*preview;
    if is_parallel {
        let pairs = family.par_iter().zip(scratch.par_iter_mut());
        pairs.for_each(|(block, buffer)| buffer.solve(block, shared));
    } else {
        for (block, buffer) in family.iter().zip(scratch.iter_mut()) {
            buffer.solve(block, shared);
        }
    }
    let mut violations = 0;
    for (block, buffer) in family.iter().zip(scratch.iter()) {
        if buffer.violations > 0 {
            violations += buffer.violations;
            buffer.scatter(block, preview);
        }
    }
    violations
}

/// Contacts with balls, one after another.
fn sweep_contacts(contacts: &[Constraint], bodies: &mut Offsets, inverse_mass: &[f64]) -> u64 {
    let mut corrections = 0;
    for c in contacts {
        let (a, b) = c.pair();
        let error = c.error(bodies.0[a], bodies.0[b]);
        if c.is_violated(error) {
            let change =
                Constraint::direction(bodies.0[a], bodies.0[b]) * (error * c.effective_mass);
            bodies.push(a, change * inverse_mass[a]);
            bodies.push(b, -change * inverse_mass[b]);
            corrections += 1;
        }
    }
    corrections
}

impl BlockBuffer {
    fn solve(&mut self, block: &Block, preview: &[DVec3]) {
        self.gather(block, preview);
        self.violations = self.measure(block);
        if self.violations > 0 {
            self.eliminate(block);
            self.substitute(block);
        }
    }

    fn gather(&mut self, block: &Block, preview: &[DVec3]) {
        let [x, y, z] = &mut self.x;
        for (k, particles) in block.particle.iter().enumerate() {
            for lane in 0..LANES {
                let p = preview[particles[lane] as usize];
                x[k][lane] = p.x;
                y[k][lane] = p.y;
                z[k][lane] = p.z;
            }
        }
    }

    /// Directions and errors of all links; returns how many are violated.
    fn measure(&mut self, block: &Block) -> u64 {
        let [x, y, z] = &self.x;
        let [nx, ny, nz] = &mut self.n;
        let mut violated = [0.0; LANES];
        for k in 0..block.length.len() {
            for lane in 0..LANES {
                let dx = x[k + 1][lane] - x[k][lane];
                let dy = y[k + 1][lane] - y[k][lane];
                let dz = z[k + 1][lane] - z[k][lane];
                let length = (dx * dx + dy * dy + dz * dz).sqrt();
                let inverse = 1.0 / length.max(f64::MIN_POSITIVE);
                nx[k][lane] = dx * inverse;
                ny[k][lane] = dy * inverse;
                nz[k][lane] = dz * inverse;
                let error = length - block.length[k][lane];
                self.error[k][lane] = error;
                let is_in = (error >= block.low[k][lane]) & (error <= block.high[k][lane]);
                violated[lane] += f64::from(u8::from(!is_in));
            }
        }
        violated.iter().sum::<f64>() as u64
    }

    /// Forward elimination of `(w_k + w_k+1) l_k - w_k (n_k . n_k-1) l_k-1 - w_k+1 (n_k . n_k+1) l_k+1 = e_k`.
    /// A slack rope takes no part: its row and its couplings are zero.
    fn eliminate(&mut self, block: &Block) {
        let [nx, ny, nz] = &self.n;
        let mut coupling = [0.0; LANES];
        for k in 0..block.length.len() {
            for lane in 0..LANES {
                let (before, after) = (block.weight[k][lane], block.weight[k + 1][lane]);
                let (low, error) = (block.low[k][lane], self.error[k][lane]);
                let part = f64::from(u8::from((low > f64::NEG_INFINITY) | (error > 0.0)));
                let (previous_ratio, previous_value) = match k {
                    0 => (0.0, 0.0),
                    _ => (self.ratio[k - 1][lane], self.error[k - 1][lane]),
                };
                let left = coupling[lane] * part;
                let diagonal = (before + after) * (1.0 + SOFTENING) + left * previous_ratio;
                let inverse = part / diagonal.max(f64::MIN_POSITIVE);
                let next = (k + 1).min(block.length.len() - 1);
                let cosine = nx[k][lane] * nx[next][lane]
                    + ny[k][lane] * ny[next][lane]
                    + nz[k][lane] * nz[next][lane];
                let right = -after * cosine;
                self.ratio[k][lane] = -right * inverse;
                self.error[k][lane] = (error - left * previous_value) * inverse;
                coupling[lane] = right;
            }
        }
    }

    /// Back substitution, and the particles moved by the impulses.
    fn substitute(&mut self, block: &Block) {
        let [x, y, z] = &mut self.x;
        let [nx, ny, nz] = &self.n;
        let mut later = [0.0; LANES];
        for k in (0..block.length.len()).rev() {
            for lane in 0..LANES {
                let value = self.error[k][lane] + self.ratio[k][lane] * later[lane];
                let is_rope = block.low[k][lane] == f64::NEG_INFINITY;
                let impulse = if is_rope { value.max(0.0) } else { value };
                later[lane] = impulse;
                let (before, after) = (
                    block.weight[k][lane] * impulse,
                    block.weight[k + 1][lane] * impulse,
                );
                x[k][lane] += nx[k][lane] * before;
                y[k][lane] += ny[k][lane] * before;
                z[k][lane] += nz[k][lane] * before;
                x[k + 1][lane] -= nx[k][lane] * after;
                y[k + 1][lane] -= ny[k][lane] * after;
                z[k + 1][lane] -= nz[k][lane] * after;
            }
        }
    }

    fn scatter(&self, block: &Block, preview: &mut [DVec3]) {
        let [x, y, z] = &self.x;
        for lane in 0..LANES {
            for k in 0..block.count[lane] {
                preview[block.particle[k][lane] as usize] =
                    DVec3::new(x[k][lane], y[k][lane], z[k][lane]);
            }
        }
    }
}
