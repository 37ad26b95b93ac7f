//! A sparse Cholesky factorisation of symmetric positive definite matrices made of 6 by 6 blocks, one row
//! of blocks for each body.
//!
//! Bodies are eliminated in an order of least degree, so that a chain of bodies costs as much as it is long.
//! Plain multiplications and additions in a fixed order: the same bytes on every machine.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Rows of a block: velocity and spin of one body.
pub const SIDE: usize = 6;
/// One block, row by row.
pub type Block = [[f64; SIDE]; SIDE];

const ZERO: Block = [[0.0; SIDE]; SIDE];

/// The factorisation and its buffers. Columns stand in the order of elimination.
#[derive(Default)]
pub struct BlockCholesky {
    /// The column of each body.
    place: Vec<u32>,
    /// Where the entries of each column begin, and one past the last.
    start: Vec<u32>,
    /// The row of each entry below the diagonal, ascending within a column.
    rows: Vec<u32>,
    /// Per pair of entries of a column, in the order in which they are met: which entry it changes.
    targets: Vec<u32>,
    diagonal: Vec<Block>,
    below: Vec<Block>,
    vector: Vec<[f64; SIDE]>,
}

impl BlockCholesky {
    /// Prepares for matrices that couple these pairs of bodies. Gives up, and says so, when one factorisation
    /// would take more than `budget` products of blocks.
    pub fn shape(&mut self, bodies: usize, couplings: &[(u32, u32)], budget: usize) -> bool {
        let Some(columns) = self.eliminate(bodies, couplings, budget) else {
            return false;
        };
        self.start.clear();
        self.rows.clear();
        self.start.push(0);
        for column in columns {
            let begin = self.rows.len();
            self.rows
                .extend(column.iter().map(|&b| self.place[b as usize]));
            self.rows[begin..].sort_unstable();
            self.start.push(self.rows.len() as u32);
        }
        self.targets.clear();
        for column in 0..bodies {
            let range = self.range(column);
            for i in range.clone() {
                for j in range.start..i {
                    let target = self.entry(self.rows[i], self.rows[j]);
                    self.targets.push(target as u32);
                }
            }
        }
        self.clear();
        true
    }

    /// Bodies in an order of least degree, as columns: for each, those that are coupled with it then.
    fn eliminate(
        &mut self,
        bodies: usize,
        couplings: &[(u32, u32)],
        budget: usize,
    ) -> Option<Vec<Vec<u32>>> {
        let mut near: Vec<Vec<u32>> = vec![Vec::new(); bodies];
        for &(a, b) in couplings {
            insert(&mut near[a as usize], b);
            insert(&mut near[b as usize], a);
        }
        let entry = |near: &[Vec<u32>], b: u32| Reverse((near[b as usize].len(), b));
        let mut heap: BinaryHeap<_> = (0..bodies as u32).map(|b| entry(&near, b)).collect();
        self.place.clear();
        self.place.resize(bodies, u32::MAX);
        let mut columns = Vec::with_capacity(bodies);
        let mut cost = 0;
        while let Some(Reverse((degree, body))) = heap.pop() {
            if self.place[body as usize] != u32::MAX || near[body as usize].len() != degree {
                continue;
            }
            self.place[body as usize] = columns.len() as u32;
            let partners = std::mem::take(&mut near[body as usize]);
            cost += degree * (degree + 3) / 2;
            if cost > budget {
                return None;
            }
            for &p in &partners {
                near[p as usize].retain(|&b| b != body);
                for &q in partners.iter().filter(|q| **q != p) {
                    insert(&mut near[p as usize], q);
                }
                heap.push(entry(&near, p));
            }
            columns.push(partners);
        }
        Some(columns)
    }

    fn range(&self, column: usize) -> std::ops::Range<usize> {
        self.start[column] as usize..self.start[column + 1] as usize
    }

    /// The entry below the diagonal of a row and an earlier column that are coupled.
    fn entry(&self, row: u32, column: u32) -> usize {
        let range = self.range(column as usize);
        let at = self.rows[range.clone()].partition_point(|&r| r < row);
        range.start + at
    }

    /// Sets all blocks to zero.
    pub fn clear(&mut self) {
        self.diagonal.clear();
        self.diagonal.resize(self.start.len() - 1, ZERO);
        self.below.clear();
        self.below.resize(self.rows.len(), ZERO);
    }

    /// The block of a body with itself; its lower half counts.
    pub fn own(&mut self, body: u32) -> &mut Block {
        &mut self.diagonal[self.place[body as usize] as usize]
    }

    /// Adds a block to that of two coupled bodies: rows of `a`, columns of `b`.
    pub fn add(&mut self, (a, b): (u32, u32), block: &Block) {
        let (row, column) = (self.place[a as usize], self.place[b as usize]);
        let at = self.entry(row.max(column), row.min(column));
        let into = &mut self.below[at];
        for i in 0..SIDE {
            for j in 0..SIDE {
                into[i][j] += if row > column {
                    block[i][j]
                } else {
                    block[j][i]
                };
            }
        }
    }

    /// Replaces the matrix by its factor; says whether it was positive definite.
    pub fn factor(&mut self) -> bool {
        let mut target = 0;
        for column in 0..self.diagonal.len() {
            if !cholesky(&mut self.diagonal[column]) {
                return false;
            }
            let range = self.range(column);
            for i in range.clone() {
                divide(&mut self.below[i], &self.diagonal[column]);
                for j in range.start..i {
                    let product = times_transpose(&self.below[i], &self.below[j]);
                    subtract(&mut self.below[self.targets[target] as usize], &product);
                    target += 1;
                }
                let product = times_transpose(&self.below[i], &self.below[i]);
                subtract(&mut self.diagonal[self.rows[i] as usize], &product);
            }
        }
        true
    }

    /// Solves with the factor; `right` is in the order of bodies and becomes the solution.
    pub fn solve(&mut self, right: &mut [[f64; SIDE]]) {
        let mut x = std::mem::take(&mut self.vector);
        x.clear();
        x.resize(right.len(), [0.0; SIDE]);
        for (place, own) in self.place.iter().zip(right.iter()) {
            x[*place as usize] = *own;
        }
        for column in 0..x.len() {
            let own = forward(&self.diagonal[column], x[column]);
            x[column] = own;
            for k in self.range(column) {
                let into = &mut x[self.rows[k] as usize];
                for (value, row) in into.iter_mut().zip(&self.below[k]) {
                    *value -= dot(row, &own);
                }
            }
        }
        for column in (0..x.len()).rev() {
            let mut own = x[column];
            for k in self.range(column) {
                let other = &x[self.rows[k] as usize];
                for (value, row) in other.iter().zip(&self.below[k]) {
                    for (o, r) in own.iter_mut().zip(row) {
                        *o -= r * value;
                    }
                }
            }
            x[column] = backward(&self.diagonal[column], own);
        }
        for (place, own) in self.place.iter().zip(right.iter_mut()) {
            *own = x[*place as usize];
        }
        self.vector = x;
    }
}

fn insert(list: &mut Vec<u32>, body: u32) {
    if let Err(at) = list.binary_search(&body) {
        list.insert(at, body);
    }
}

fn dot(a: &[f64; SIDE], b: &[f64; SIDE]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// The lower factor of a block, in place.
fn cholesky(block: &mut Block) -> bool {
    for i in 0..SIDE {
        for j in 0..=i {
            let mut sum = block[i][j];
            for k in 0..j {
                sum -= block[i][k] * block[j][k];
            }
            if i > j {
                block[i][j] = sum / block[j][j];
            } else if sum > 0.0 && sum.is_finite() {
                block[i][i] = sum.sqrt();
            } else {
                return false;
            }
        }
    }
    true
}

/// `block` times the inverse of the transposed lower factor.
fn divide(block: &mut Block, lower: &Block) {
    for row in block {
        *row = forward(lower, *row);
    }
}

fn forward(lower: &Block, mut right: [f64; SIDE]) -> [f64; SIDE] {
    for i in 0..SIDE {
        let mut sum = right[i];
        for k in 0..i {
            sum -= lower[i][k] * right[k];
        }
        right[i] = sum / lower[i][i];
    }
    right
}

fn backward(lower: &Block, mut right: [f64; SIDE]) -> [f64; SIDE] {
    for i in (0..SIDE).rev() {
        right[i] /= lower[i][i];
        for k in 0..i {
            right[k] -= lower[i][k] * right[i];
        }
    }
    right
}

fn times_transpose(a: &Block, b: &Block) -> Block {
    let mut product = ZERO;
    for i in 0..SIDE {
        for j in 0..SIDE {
            product[i][j] = dot(&a[i], &b[j]);
        }
    }
    product
}

fn subtract(from: &mut Block, what: &Block) {
    for (row, other) in from.iter_mut().zip(what) {
        for (value, less) in row.iter_mut().zip(other) {
            *value -= less;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BlockCholesky, SIDE};

    #[test]
    fn solves_what_a_dense_product_made() {
        // A ring of five bodies with one chord: fill appears.
        let couplings = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4), (1, 3)];
        let size = 5 * SIDE;
        let mut dense = vec![vec![0.0; size]; size];
        let mut sparse = BlockCholesky::default();
        assert!(sparse.shape(5, &couplings, 1000));
        for &(a, b) in &couplings {
            let mut block = [[0.0; SIDE]; SIDE];
            for i in 0..SIDE {
                for j in 0..SIDE {
                    let value =
                        0.1 * (1 + i) as f64 - 0.07 * j as f64 + 0.05 * f64::from(a + 2 * b);
                    block[i][j] = value;
                    dense[a as usize * SIDE + i][b as usize * SIDE + j] = value;
                    dense[b as usize * SIDE + j][a as usize * SIDE + i] = value;
                }
            }
            sparse.add((a, b), &block);
        }
        for body in 0..5 {
            for i in 0..SIDE {
                sparse.own(body)[i][i] = 20.0 + f64::from(body);
                dense[body as usize * SIDE + i][body as usize * SIDE + i] = 20.0 + f64::from(body);
            }
        }
        let wanted: Vec<f64> = (0..size).map(|k| 0.3 * k as f64 - 4.0).collect();
        let product = |row: &Vec<f64>| -> f64 { row.iter().zip(&wanted).map(|(a, b)| a * b).sum() };
        let mut right = vec![[0.0; SIDE]; 5];
        for (k, row) in dense.iter().enumerate() {
            right[k / SIDE][k % SIDE] = product(row);
        }
        assert!(sparse.factor());
        sparse.solve(&mut right);
        for (k, wanted) in wanted.iter().enumerate() {
            let found = right[k / SIDE][k % SIDE];
            assert!((found - wanted).abs() < 1e-11, "{found} is not {wanted}");
        }
        assert!(!sparse.shape(5, &couplings, 5), "the budget is kept");
    }
}
