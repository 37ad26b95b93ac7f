//! Cholesky factors of a tree's mass matrix with its implicit springs and dampers.

/// The factors, by rows; the upper triangle is left as it was.
#[derive(Clone, Debug, Default)]
pub(super) struct Factors {
    pub n: usize,
    l: Vec<f64>,
    /// One over the diagonal; zero for entries that are lost to rounding, which do not move.
    over: Vec<f64>,
}

impl Factors {
    /// Factorizes the symmetric positive matrix that `fill` writes.
    pub fn remake(&mut self, n: usize, fill: impl FnOnce(&mut [f64])) {
        self.n = n;
        self.l.resize(n * n, 0.0);
        self.over.resize(n, 0.0);
        fill(&mut self.l);
        for i in 0..n {
            for j in 0..=i {
                let (above, row) = self.l.split_at_mut(i * n);
                let other = if j < i { &above[j * n..j * n + j] } else { &[] };
                if j < i {
                    let done: f64 = other.iter().zip(&row[..j]).map(|(a, b)| a * b).sum();
                    row[j] = (row[j] - done) * self.over[j];
                } else {
                    let done: f64 = row[..i].iter().map(|a| a * a).sum();
                    let pivot = row[i] - done;
                    self.over[i] = if pivot > 0.0 { 1.0 / pivot.sqrt() } else { 0.0 };
                }
            }
        }
    }

    /// Solves in place.
    pub fn solve(&self, b: &mut [f64]) {
        let n = self.n;
        for i in 0..n {
            let row = &self.l[i * n..i * n + i];
            let done: f64 = row.iter().zip(&b[..i]).map(|(l, b)| l * b).sum();
            b[i] = (b[i] - done) * self.over[i];
        }
        for i in (0..n).rev() {
            b[i] *= self.over[i];
            let known = b[i];
            let row = &self.l[i * n..i * n + i];
            for (b, l) in b[..i].iter_mut().zip(row) {
                *b -= l * known;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_solved_and_what_is_lost_does_not_move() {
        let m = [4.0, 2.0, 0.0, 2.0, 5.0, 0.0, 0.0, 0.0, 0.0];
        let mut factors = Factors::default();
        factors.remake(3, |l| l.copy_from_slice(&m));
        let mut b = [8.0, 12.0, 7.0];
        factors.solve(&mut b);
        // 4 x + 2 y = 8 and 2 x + 5 y = 12.
        assert!((b[0] - 1.0).abs() < 1e-14 && (b[1] - 2.0).abs() < 1e-14);
        assert_eq!(b[2], 0.0);
    }
}
