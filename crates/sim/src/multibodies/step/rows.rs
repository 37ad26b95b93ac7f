//! Rows: combinations of velocities that are kept from, or held at, a value. Each leans on one or two blocks of the
//! group's velocities, a block being those of a free body or of a whole tree; entries lie one behind the other, so that a
//! sweep reads memory from its beginning to its end and allocates nothing.

/// A block of velocities that a row leans on.
#[derive(Clone, Copy, Debug, Default)]
struct Side {
    /// Where the velocities are, and how many.
    at: u32,
    len: u32,
    /// Where the row's entries are.
    entries: u32,
}

/// One row.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row {
    sides: [Side; 2],
    /// What a row of a joint is known by from one sub-step to the next; these rise from row to row.
    pub key: u64,
    /// One over what a unit impulse does along the row.
    pub mass: f64,
    pub impulse: f64,
    /// The impulse stays within these.
    pub least: f64,
    pub most: f64,
    /// The row's velocity is sought to be at least (or just) this.
    pub target: f64,
    /// The same once positions have moved.
    pub relaxed: f64,
}

/// All rows of a sub-step.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub list: Vec<Row>,
    /// Entries of the Jacobian.
    along: Vec<f64>,
    /// What a unit impulse does to the velocities.
    moves: Vec<f64>,
    /// Keys of the rows of the sub-step before.
    before: Vec<u64>,
}

impl Rows {
    /// Forgets all rows, keeps the buffers.
    pub fn clear(&mut self) {
        self.list.clear();
        self.along.clear();
        self.moves.clear();
    }

    /// Remembers which rows there are for the next sub-step.
    pub fn note_keys(&mut self) {
        self.before.clear();
        self.before.extend(self.list.iter().map(|row| row.key));
    }

    /// There is no sub-step before.
    pub fn forget_keys(&mut self) {
        self.before.clear();
    }

    /// The place that the row of a joint had in the sub-step before.
    pub fn place_before(&self, k: usize) -> Option<usize> {
        let first = self.before.partition_point(|key| *key < self.list[k].key);
        (self.before.get(first) == Some(&self.list[k].key)).then_some(first)
    }

    /// Begins a row.
    pub fn begin(&mut self) {
        self.list.push(Row::default());
    }

    /// Leans the newest row on a block of `len` velocities from `at` on: adds to the entries what `fill` adds to the
    /// slices of the Jacobian, and after that what `respond` makes of it.
    pub fn lean(
        &mut self,
        (at, len): (usize, usize),
        fill: impl FnOnce(&mut [f64]),
        respond: impl FnOnce(&[f64], &mut [f64]),
    ) {
        let Some(row) = self.list.last_mut() else {
            return;
        };
        // Both sides may be one tree: its block is leaned on twice.
        let same = row
            .sides
            .iter()
            .position(|side| side.len > 0 && side.at as usize == at);
        let place = same.unwrap_or(usize::from(row.sides[0].len > 0));
        if same.is_none() {
            row.sides[place] = Side {
                at: at as u32,
                len: len as u32,
                entries: self.along.len() as u32,
            };
            self.along.resize(self.along.len() + len, 0.0);
            self.moves.resize(self.moves.len() + len, 0.0);
        }
        let from = row.sides[place].entries as usize;
        let along = &mut self.along[from..from + len];
        fill(along);
        respond(along, &mut self.moves[from..from + len]);
    }

    /// Reckons what a unit impulse does along the newest row.
    pub fn finish(&mut self) -> &mut Row {
        let last = self.list.len() - 1;
        let mut sum = 0.0;
        for side in self.list[last].sides {
            let range = side.entries as usize..(side.entries + side.len) as usize;
            sum += dot(&self.along[range.clone()], &self.moves[range]);
        }
        self.list[last].mass = if sum > 1e-14 { 1.0 / sum } else { 0.0 };
        &mut self.list[last]
    }

    /// The velocity along a row.
    #[inline]
    pub fn velocity(&self, row: &Row, velocities: &[f64]) -> f64 {
        let mut sum = 0.0;
        for side in &row.sides {
            let entries = &self.along[side.entries as usize..(side.entries + side.len) as usize];
            let held = &velocities[side.at as usize..(side.at + side.len) as usize];
            sum += dot(entries, held);
        }
        sum
    }

    /// The velocities along two rows that follow each other and lean on the same blocks.
    #[inline]
    pub fn velocities(&self, first: usize, velocities: &[f64]) -> [f64; 2] {
        let mut sums = [0.0; 2];
        let [a, b] = [&self.list[first], &self.list[first + 1]];
        for (a, b) in a.sides.iter().zip(&b.sides) {
            let len = a.len as usize;
            let held = &velocities[a.at as usize..a.at as usize + len];
            sums[0] += dot(
                &self.along[a.entries as usize..a.entries as usize + len],
                held,
            );
            sums[1] += dot(
                &self.along[b.entries as usize..b.entries as usize + len],
                held,
            );
        }
        sums
    }

    /// Applies impulses along two such rows.
    #[inline]
    pub fn apply_both(&self, first: usize, [p, q]: [f64; 2], velocities: &mut [f64]) {
        let [a, b] = [&self.list[first], &self.list[first + 1]];
        for (a, b) in a.sides.iter().zip(&b.sides) {
            let len = a.len as usize;
            let held = &mut velocities[a.at as usize..a.at as usize + len];
            let along = &self.moves[a.entries as usize..a.entries as usize + len];
            let across = &self.moves[b.entries as usize..b.entries as usize + len];
            for ((v, m), n) in held.iter_mut().zip(along).zip(across) {
                *v = (*v + m * p) + n * q;
            }
        }
    }

    /// Applies an impulse along a row.
    #[inline]
    pub fn apply(&self, row: &Row, impulse: f64, velocities: &mut [f64]) {
        for side in row.sides {
            let entries = &self.moves[side.entries as usize..(side.entries + side.len) as usize];
            let held = &mut velocities[side.at as usize..(side.at + side.len) as usize];
            for (v, m) in held.iter_mut().zip(entries) {
                *v += m * impulse;
            }
        }
    }
}

/// Four sums side by side: their order is fixed, and none waits for the one before.
#[inline]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (fours_a, rest_a) = a.as_chunks::<4>();
    let (fours_b, rest_b) = b.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (a, b) in fours_a.iter().zip(fours_b) {
        for k in 0..4 {
            sums[k] += a[k] * b[k];
        }
    }
    let rest: f64 = rest_a.iter().zip(rest_b).map(|(a, b)| a * b).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}
