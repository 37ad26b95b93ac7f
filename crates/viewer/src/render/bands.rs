//! Work on a picture that is done in bands, by all processors at once; what comes out does not depend on how many.

use std::ops::Range;
use std::thread;

/// Values between 0 and this are looked up.
const MOST: f32 = 2.0;
/// Steps of the table: less than half a level of brightness each, even where it is dark.
const STEPS: usize = 16_384;

/// What a function makes of every row, in order: one band of rows for each processor.
pub(super) fn in_bands<T: Send>(
    rows: usize,
    work: impl Fn(Range<usize>) -> Vec<T> + Sync,
) -> Vec<T> {
    let count = thread::available_parallelism().map_or(1, |n| n.get().min(rows.max(1)));
    let band = rows.div_ceil(count).max(1);
    let starts = (0..rows).step_by(band);
    thread::scope(|scope| {
        let work = &work;
        let begun: Vec<_> = starts
            .map(|from| scope.spawn(move || work(from..(from + band).min(rows))))
            .collect();
        let mut all = Vec::new();
        for one in begun {
            match one.join() {
                Ok(mut part) => all.append(&mut part),
                Err(why) => std::panic::resume_unwind(why),
            }
        }
        all
    })
}

/// Brightness to bytes, from a table.
pub(crate) struct Tones {
    table: Vec<u8>,
    exact: fn(f32) -> u8,
}

impl Tones {
    pub(super) fn new(exact: fn(f32) -> u8) -> Self {
        let middle = |i: usize| (i as f32 + 0.5) * MOST / STEPS as f32;
        Self {
            table: (0..STEPS).map(|i| exact(middle(i))).collect(),
            exact,
        }
    }

    pub(super) fn byte(&self, x: f32) -> u8 {
        let place = (x.max(0.0) * (STEPS as f32 / MOST)) as usize;
        self.table
            .get(place)
            .copied()
            .unwrap_or_else(|| (self.exact)(x))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_come_in_order_whatever_the_number_of_rows() {
        for rows in [0, 1, 2, 3, 7, 100] {
            let all = in_bands(rows, |band| band.collect());
            assert_eq!(all, (0..rows).collect::<Vec<usize>>());
        }
    }

    #[test]
    fn a_looked_up_tone_is_the_computed_one() {
        // as steep as sRGB where it is dark, and not steeper
        let root = |x: f32| (255.0 * (0.9 * x + 0.002).min(1.0).sqrt() + 0.5) as u8;
        let tones = Tones::new(root);
        for x in [0.01, 0.3, 0.77, 1.0, 1.9, 5.0, -1.0] {
            assert!(tones.byte(x).abs_diff(root(x.max(0.0))) <= 1, "{x}");
        }
    }
}
