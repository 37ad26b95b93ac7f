use super::{Bounds, Grid, Swept};
use physics::Vec3;
use warp::{Column, Pcg32};

/// A box of a random size, mostly small, somewhere in the extent or a little outside.
fn random_box(rng: &mut Pcg32, extent: [f64; 3], largest: f64) -> Bounds {
    let mut one = || 2.0 * rng.unit() - 1.0;
    let centre = Vec3::new(
        0.6 * extent[0] * one(),
        0.6 * extent[1] * one(),
        0.6 * extent[2] * one(),
    );
    let size = largest * one().abs().powi(6);
    let half = Vec3::new(one().abs(), one().abs(), one().abs()) * 0.5 * size;
    Bounds::around(centre - half, centre + half)
}

/// What is found is what overlaps, and little more.
fn compare(grid: &Grid, swept: &Column<Swept>, asked: &Bounds) {
    let mut found = Vec::new();
    grid.query(swept, asked, |body| found.push(body));
    found.sort_unstable();
    let count = found.len();
    found.dedup();
    assert_eq!(found.len(), count, "a body was found twice");
    assert!(found.iter().all(|b| swept[*b as usize].is_in()));
    let overlaps = |b: &u32| {
        let entry = &swept[*b as usize];
        entry.is_in() && entry.bounds.overlaps(asked)
    };
    let all: Vec<u32> = (0..swept.len() as u32).filter(overlaps).collect();
    assert!(
        all.iter().all(|b| found.binary_search(b).is_ok()),
        "a body that overlaps was not found"
    );
    assert!(found.len() <= 2 * all.len() + 20, "far too many were found");
}

#[test]
fn whoever_overlaps_is_found() {
    let shapes = [[8.0, 8.0, 8.0], [40.0, 0.5, 40.0], [300.0, 1.0, 1.0]];
    for (seed, extent) in shapes.into_iter().enumerate() {
        let mut rng = Pcg32::new(seed as u64, 1);
        let bodies = 600;
        let mut grid = Grid::new(0.4, bodies, extent.map(|e| e / 0.4));
        let mut swept = Column::filled(Swept::ABSENT, bodies);
        for round in 0..4 {
            for body in 0..bodies as u32 {
                grid.remove(&mut swept, body);
                if rng.below(10) > 0 {
                    swept[body as usize].bounds = random_box(&mut rng, extent, 10.0);
                    grid.insert(&mut swept, body);
                }
            }
            for _ in 0..300 {
                let largest = if round == 3 { 500.0 } else { 8.0 };
                let asked = random_box(&mut rng, extent, largest);
                compare(&grid, &swept, &asked);
            }
        }
    }
}

#[test]
fn a_crowd_in_one_cell_is_found() {
    let extent = [4.0, 4.0, 4.0];
    let bodies = 3000;
    let mut rng = Pcg32::new(9, 1);
    let mut grid = Grid::new(1.0, 8, extent);
    let mut swept = Column::filled(Swept::ABSENT, bodies);
    for body in 0..bodies as u32 {
        swept[body as usize].bounds = random_box(&mut rng, extent, 0.9);
        grid.insert(&mut swept, body);
    }
    for body in (0..bodies as u32).step_by(3) {
        grid.remove(&mut swept, body);
    }
    for _ in 0..200 {
        let asked = random_box(&mut rng, extent, 2.0);
        compare(&grid, &swept, &asked);
    }
}
