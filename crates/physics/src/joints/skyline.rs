//! A symmetric matrix between its skyline and its diagonal, and its factors L D Lᵀ.
//!
//! Each row is kept from its first entry on; factors stay within the same skyline, so a chain of joints costs
//! as much as it is long. Plain sums in a fixed order: the same bytes on every machine.

/// The matrix, row by row.
#[derive(Clone, Debug, Default)]
pub(super) struct Skyline {
    /// Column of each row's first entry.
    first: Vec<u32>,
    /// Where each row begins.
    start: Vec<u32>,
    values: Vec<f64>,
}

impl Skyline {
    /// A matrix of zeros with these first columns.
    pub fn shape(&mut self, first: &[u32]) {
        self.first.clear();
        self.first.extend_from_slice(first);
        self.start.clear();
        let mut at = 0;
        for (row, &column) in first.iter().enumerate() {
            self.start.push(at);
            at += row as u32 - column + 1;
        }
        self.values.clear();
        self.values.resize(at as usize, 0.0);
    }

    /// Sets all entries to zero.
    pub fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// The entry of a row and a column within the skyline.
    pub fn entry(&mut self, row: usize, column: usize) -> &mut f64 {
        let at = self.start[row] as usize + column - self.first[row] as usize;
        &mut self.values[at]
    }

    /// Takes the entries of a matrix of the same shape; rows and columns that are not `active` become
    /// those of the identity.
    pub fn copy_active(&mut self, from: &Skyline, active: &[bool]) {
        self.values.clone_from(&from.values);
        for row in 0..self.first.len() {
            let first = self.first[row] as usize;
            let entries = &mut self.values[self.start[row] as usize..][..=row - first];
            for (entry, &is_active) in entries.iter_mut().zip(&active[first..]) {
                if !(is_active && active[row]) {
                    *entry = 0.0;
                }
            }
            if !active[row] {
                entries[row - first] = 1.0;
            }
        }
    }

    /// Replaces the matrix by its factors.
    pub fn factor(&mut self) {
        for row in 0..self.first.len() {
            let first = self.first[row] as usize;
            let (above, rest) = self.values.split_at_mut(self.start[row] as usize);
            let own = &mut rest[..=row - first];
            for column in first..row {
                let their_first = self.first[column] as usize;
                let their = &above[self.start[column] as usize..][..=column - their_first];
                let from = first.max(their_first);
                let left = &own[from - first..column - first];
                let right = &their[from - their_first..column - their_first];
                let sum: f64 = left.iter().zip(right).map(|(a, b)| a * b).sum();
                own[column - first] -= sum;
            }
            let mut diagonal = own[row - first];
            for column in first..row {
                let their = self.start[column] as usize + column - self.first[column] as usize;
                let scaled = own[column - first] / above[their];
                diagonal -= scaled * own[column - first];
                own[column - first] = scaled;
            }
            own[row - first] = diagonal;
        }
    }

    /// Solves with the factors, in place.
    pub fn solve(&self, right: &mut [f64]) {
        for row in 0..self.first.len() {
            let first = self.first[row] as usize;
            let own = &self.values[self.start[row] as usize..][..row - first];
            let known = &right[first..row];
            let sum: f64 = own.iter().zip(known).map(|(a, b)| a * b).sum();
            right[row] -= sum;
        }
        for (row, value) in right.iter_mut().enumerate() {
            let first = self.first[row] as usize;
            *value /= self.values[self.start[row] as usize + row - first];
        }
        for row in (0..self.first.len()).rev() {
            let first = self.first[row] as usize;
            let own = &self.values[self.start[row] as usize..][..row - first];
            let known = right[row];
            for (value, entry) in right[first..row].iter_mut().zip(own) {
                *value -= entry * known;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Skyline;

    #[test]
    fn solves_what_a_dense_product_made() {
        // A chain with one link across: the skyline of row 4 reaches back to column 1.
        let first = [0, 0, 1, 2, 1];
        let mut matrix = Skyline::default();
        matrix.shape(&first);
        let mut dense = [[0.0; 5]; 5];
        for row in 0..5 {
            for column in first[row] as usize..=row {
                let value = match row == column {
                    true => 4.0 + row as f64,
                    false => 0.3 * (row + 2 * column) as f64 - 0.7,
                };
                *matrix.entry(row, column) = value;
                dense[row][column] = value;
                dense[column][row] = value;
            }
        }
        let wanted = [1.0, -2.0, 0.5, 3.0, -1.5];
        let product = |row: [f64; 5]| row.iter().zip(wanted).map(|(a, b)| a * b).sum();
        let mut right: [f64; 5] = dense.map(product);
        matrix.factor();
        matrix.solve(&mut right);
        for (found, wanted) in right.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-12, "{found} is not {wanted}");
        }
    }
}
