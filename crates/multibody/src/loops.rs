//! Closed loops and couplings on a tree, by impulses and forces at the loops: the rows' inertia as
//! the tree shows it (`J M⁻¹ Jᵀ`, the inverse of the operational-space inertia) is factored, and the
//! answer goes through the tree.

use crate::constraint::{Constraint, Row};
use crate::{Multibody, Workspace};

/// Rows whose inverse inertia is this much smaller than the largest do not count: the tree itself
/// keeps them (a planar four-bar's gap out of its plane).
const REDUNDANT: f64 = 1e-8;

/// Constraints on one multibody, with the memory to solve them.
#[derive(Clone, Debug)]
pub struct Loops {
    constraints: Vec<Constraint>,
    rows: Vec<Row>,
    jacobian: Vec<f64>,
    /// `M⁻¹ Jᵀ`, a row for each constraint row.
    answers: Vec<f64>,
    inverse_inertia: Vec<f64>,
    order: Vec<usize>,
    solution: Vec<f64>,
    scale: Vec<f64>,
    zero: Vec<f64>,
    /// How fast errors in the loops are called back between projections, 1/s.
    pub stiffness: f64,
}

impl Loops {
    /// The constraints of one multibody.
    pub fn new(model: &Multibody, constraints: Vec<Constraint>) -> Loops {
        let m: usize = constraints.iter().map(Constraint::rows).sum();
        let n = model.velocities();
        Loops {
            constraints,
            rows: vec![Row::default(); m],
            jacobian: vec![0.0; m * n],
            answers: vec![0.0; m * n],
            inverse_inertia: vec![0.0; m * m],
            order: Vec::with_capacity(m),
            solution: vec![0.0; m],
            scale: vec![0.0; m],
            zero: vec![0.0; n],
            stiffness: 20.0,
        }
    }

    /// Whether nothing is constrained.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The constraints.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// The largest violation of any row, m or rad, as of the last call.
    pub fn largest_gap(&self) -> f64 {
        self.rows.iter().fold(0.0, |most, r| most.max(r.gap.abs()))
    }

    /// Corrects the accelerations `a`, which [`Multibody::accelerations`] has just left, so that
    /// the constraints hold.
    pub fn accelerate(
        &mut self,
        model: &Multibody,
        q: &[f64],
        v: &[f64],
        ws: &mut Workspace,
        a: &mut [f64],
    ) {
        self.fill(model, ws, q, v, a);
        self.factor(model, ws);
        let beta = self.stiffness;
        for (x, row) in self.solution.iter_mut().zip(&self.rows) {
            *x = -(row.acceleration + 2.0 * beta * row.rate + beta * beta * row.gap);
        }
        self.apply(model, a);
    }

    /// The impulses that make the velocities `v` agree with the constraints, at once.
    pub fn close_velocities(
        &mut self,
        model: &Multibody,
        q: &[f64],
        v: &mut [f64],
        ws: &mut Workspace,
    ) {
        model.factorize(q, ws);
        model.kinematics(q, v, ws);
        let zero = std::mem::take(&mut self.zero);
        self.fill(model, ws, q, v, &zero);
        self.zero = zero;
        self.factor(model, ws);
        for (x, row) in self.solution.iter_mut().zip(&self.rows) {
            *x = -row.rate;
        }
        self.apply(model, v);
    }

    /// Moves the positions `q` until no row is violated by more than `tolerance`; says whether
    /// that was reached.
    pub fn close_positions(
        &mut self,
        model: &Multibody,
        q: &mut [f64],
        ws: &mut Workspace,
        tolerance: f64,
    ) -> bool {
        let zero = std::mem::take(&mut self.zero);
        let mut step = zero.clone();
        let mut closed = false;
        for _ in 0..50 {
            model.factorize(q, ws);
            self.fill(model, ws, q, &zero, &zero);
            self.factor(model, ws);
            let kept = &self.order;
            let gap = kept
                .iter()
                .fold(0.0f64, |most, &r| most.max(self.rows[r].gap.abs()));
            closed = gap <= tolerance;
            if closed || !gap.is_finite() {
                break;
            }
            for (x, row) in self.solution.iter_mut().zip(&self.rows) {
                *x = -row.gap;
            }
            step.fill(0.0);
            self.apply(model, &mut step);
            model.displace(q, &step, 1.0);
        }
        self.zero = zero;
        closed
    }

    fn fill(&mut self, model: &Multibody, ws: &Workspace, q: &[f64], v: &[f64], a: &[f64]) {
        let n = model.velocities();
        let mut at = 0;
        for constraint in &self.constraints {
            let end = at + constraint.rows();
            let jacobian = &mut self.jacobian[at * n..end * n];
            constraint.fill(model, ws, (q, v, a), &mut self.rows[at..end], jacobian);
            at = end;
        }
    }

    /// `J M⁻¹ Jᵀ` and its Cholesky factors, rows in the order of their pivots; those that say
    /// nothing new are left out of `order`.
    fn factor(&mut self, model: &Multibody, ws: &mut Workspace) {
        let (m, n) = (self.rows.len(), model.velocities());
        for r in 0..m {
            let row = &self.jacobian[r * n..(r + 1) * n];
            model.solve_mass(ws, row, &mut self.answers[r * n..(r + 1) * n]);
        }
        for r in 0..m {
            for c in 0..m {
                let (row, column) = (
                    &self.jacobian[r * n..(r + 1) * n],
                    &self.answers[c * n..(c + 1) * n],
                );
                let dot: f64 = row.iter().zip(column).map(|(a, b)| a * b).sum();
                self.inverse_inertia[r * m + c] = dot;
            }
        }
        self.scale_rows(m);
        let g = &mut self.inverse_inertia;
        self.order.clear();
        // pivoted Cholesky: the factor's columns stand in the columns of the pivots
        loop {
            let left = (0..m).filter(|r| !self.order.contains(r));
            let Some(pivot) =
                left.max_by(|&a, &b| g[a * m + a].total_cmp(&g[b * m + b]).then(b.cmp(&a)))
            else {
                break;
            };
            if g[pivot * m + pivot].is_nan() || g[pivot * m + pivot] <= REDUNDANT {
                break;
            }
            let root = g[pivot * m + pivot].sqrt();
            self.order.push(pivot);
            for r in (0..m).filter(|r| *r != pivot && !self.order.contains(r)) {
                g[r * m + pivot] /= root;
            }
            g[pivot * m + pivot] = root;
            for r in (0..m).filter(|r| !self.order.contains(r)) {
                for c in (0..m).filter(|c| !self.order.contains(c)) {
                    g[r * m + c] -= g[r * m + pivot] * g[c * m + pivot];
                }
            }
        }
    }

    /// Rows of unlike units are brought to unit diagonal, block by block.
    fn scale_rows(&mut self, m: usize) {
        let g = &mut self.inverse_inertia;
        let mut at = 0;
        for constraint in &self.constraints {
            let end = at + constraint.rows();
            let middle = if end - at == 6 { at + 3 } else { end };
            for block in [at..middle, middle..end] {
                let largest = block.clone().fold(0.0f64, |most, r| most.max(g[r * m + r]));
                for r in block {
                    let own = g[r * m + r];
                    let counts = own > REDUNDANT * largest && own > 0.0;
                    self.scale[r] = if counts { 1.0 / own.sqrt() } else { 0.0 };
                }
            }
            at = end;
        }
        for r in 0..m {
            for c in 0..m {
                g[r * m + c] *= self.scale[r] * self.scale[c];
            }
        }
    }

    /// Solves for the rows' impulses and adds what they do to `v`.
    fn apply(&mut self, model: &Multibody, v: &mut [f64]) {
        let (m, n) = (self.rows.len(), model.velocities());
        let (g, x) = (&self.inverse_inertia, &mut self.solution);
        for r in 0..m {
            x[r] *= self.scale[r];
        }
        for (k, &r) in self.order.iter().enumerate() {
            for &c in &self.order[..k] {
                x[r] -= g[r * m + c] * x[c];
            }
            x[r] /= g[r * m + r];
        }
        for (k, &r) in self.order.iter().enumerate().rev() {
            for &c in &self.order[k + 1..] {
                x[r] -= g[c * m + r] * x[c];
            }
            x[r] /= g[r * m + r];
        }
        for &r in &self.order {
            let impulse = x[r] * self.scale[r];
            for d in 0..n {
                v[d] += impulse * self.answers[r * n + d];
            }
        }
    }
}
