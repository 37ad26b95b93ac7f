//! Laws of motion of shells without contact: momentum, energy, equality over threads.

use glamx::DVec3;
use warpline_shell::acm::{
    Acm, AcmOptions, ContactLaw, Energy, Material, Mesh, ShellBuilder, ShellModel, ShellState,
    WindowLength, ticks,
};
use warpline_shell::impulse::Air;

/// A free square sheet of 8 x 8 vertices, bent and spinning, no gravity.
fn free_sheet(gravity: DVec3, stretch: f64, bend: f64) -> (ShellModel, ShellState) {
    let mut builder = ShellBuilder::new(
        gravity,
        ContactLaw {
            thickness_m: 1e-4,
            ..ContactLaw::default()
        },
    );
    let flat = |i: usize, j: usize| DVec3::new(i as f64, 0.0, j as f64) * 0.01;
    let rest = Mesh::sheet(8, 8, flat).positions;
    let bent = Mesh::sheet(8, 8, |i, j| {
        flat(i, j) * stretch + DVec3::Y * (bend * (i as f64 * 0.9).sin() * (j as f64 * 0.5).cos())
    });
    let material = Material {
        step_fraction: 0.5,
        ..Material::default()
    };
    builder
        .shell(bent, material, |_| None)
        .with_rest(rest)
        .velocity = DVec3::new(0.3, -0.2, 0.1);
    builder.build().expect("a sheet")
}

#[test]
fn momentum_is_conserved_to_rounding() {
    let (model, mut state) = free_sheet(DVec3::ZERO, 1.02, 2e-3);
    let (p0, l0) = (state.momentum(&model), state.angular_momentum(&model));
    let mut acm = Acm::new(&model, &state, AcmOptions::default());
    acm.run_until(&model, &mut state, ticks(0.2))
        .expect("a free flight");
    let forces = acm.profile.counts.element_forces as f64;
    assert!(forces > 1e5, "{forces}");
    // every force kick rounds at 1e-16 of the momentum it moves, about 1e-6 kg m/s for a vertex;
    // the errors add like a random walk, bounded here by their plain sum
    let scale = f64::EPSILON * forces * 1e-5;
    assert!(
        (state.momentum(&model) - p0).length() < scale,
        "{}",
        (state.momentum(&model) - p0).length()
    );
    assert!((state.angular_momentum(&model) - l0).length() < scale);
}

/// Energy at the half kick over five million force evaluations: the slope of a line fitted to block
/// means must be zero within three standard errors of its own scatter, and the scatter small. The
/// amplitude is small, so that modes keep their energies: the sampled energy differs from the one
/// the integrator conserves by an amount that depends on how the energy is spread over them.
#[test]
fn energy_does_not_drift() {
    let (model, mut state) = free_sheet(DVec3::ZERO, 1.001, 1e-4);
    let mut acm = Acm::new(&model, &state, AcmOptions::default());
    let every = model.internal_step() * 37;
    let mut samples = Vec::new();
    while acm.profile.counts.element_forces < 5_000_000 {
        let until = state.now() + every;
        acm.run_until(&model, &mut state, until)
            .expect("a free flight");
        samples.push(Energy::of(&model, &state).total());
    }
    assert_eq!(
        acm.profile.counts.contact_forces, 0,
        "the sheet must not crumple onto itself"
    );
    let blocks: Vec<f64> = samples
        .chunks_exact(samples.len() / 32)
        .map(|b| b.iter().sum::<f64>() / b.len() as f64)
        .collect();
    let (slope, error) = fitted_slope(&blocks);
    let mean = blocks.iter().sum::<f64>() / blocks.len() as f64;
    assert!(
        slope.abs() < 3.0 * error,
        "slope {slope:e} +- {error:e} J per block, mean {mean:e} J"
    );
    // at half the stability limit the sampled energy of a mode swings by up to (h omega)^2 / 16,
    // 6 % for the stiffest ones
    let mass: f64 = model.masses().iter().sum();
    let vibration = mean - 0.5 * state.momentum(&model).length_squared() / mass;
    let spread = samples.iter().fold(0.0f64, |s, e| s.max((e - mean).abs()));
    assert!(spread < 0.06 * vibration, "{spread:e} of {vibration:e} J");
}

/// Least-squares slope of equally spaced values and its standard error.
fn fitted_slope(y: &[f64]) -> (f64, f64) {
    let n = y.len() as f64;
    let (xm, ym) = ((n - 1.0) / 2.0, y.iter().sum::<f64>() / n);
    let sxx: f64 = (0..y.len()).map(|i| (i as f64 - xm).powi(2)).sum();
    let slope = y
        .iter()
        .enumerate()
        .map(|(i, v)| (i as f64 - xm) * (v - ym))
        .sum::<f64>()
        / sxx;
    let residual: f64 = y
        .iter()
        .enumerate()
        .map(|(i, v)| (v - ym - slope * (i as f64 - xm)).powi(2))
        .sum();
    (slope, (residual / (n - 2.0) / sxx).sqrt())
}

#[test]
fn a_falling_sheet_follows_the_parabola() {
    let g = DVec3::new(0.0, -9.81, 0.0);
    let (model, mut state) = free_sheet(g, 1.02, 2e-3);
    let centre = |s: &ShellState| {
        let weighted: DVec3 = s
            .positions()
            .iter()
            .zip(model.masses())
            .map(|(x, m)| *x * *m)
            .sum();
        weighted / model.masses().iter().sum::<f64>()
    };
    let start = centre(&state);
    let v0 = DVec3::new(0.3, -0.2, 0.1);
    let t = 0.25;
    Acm::new(&model, &state, AcmOptions::default())
        .run_until(&model, &mut state, ticks(t))
        .expect("a fall");
    // kicks of h_g g every h_g ~ 1 ms from t = h_g on: symplectic Euler lags by g t h_g / 2
    let fall = centre(&state) - start - v0 * t - g * (0.5 * t * t);
    assert!(fall.length() < 9.81 * t * 1.0e-3, "{fall}");
    assert!(fall.y > 0.0);
}

#[test]
fn threads_leave_no_trace() {
    let run = |threads: usize| {
        let (model, mut state) = free_sheet(DVec3::NEG_Y * 9.81, 1.02, 2e-3);
        let mut acm = Acm::new(
            &model,
            &state,
            AcmOptions {
                threads,
                ..AcmOptions::default()
            },
        );
        acm.run_until(&model, &mut state, ticks(0.05))
            .expect("a fall");
        state.history_bytes()
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(3));
}

/// Air takes a sheet along, by what the drag of a plate across the wind does to its mass, and the length of the windows leaves
/// no trace in that.
#[test]
fn air_takes_a_sheet_along() {
    let air = Air {
        velocity: DVec3::Y * 3.0,
        gust: 0.2,
        period: 0.1,
        ..Air::default()
    };
    let ends = [WindowLength::Adaptive, WindowLength::seconds(1e-3)].map(|window| {
        let mut builder = ShellBuilder::new(DVec3::ZERO, ContactLaw::default());
        let sheet = Mesh::sheet(8, 8, |i, j| DVec3::new(i as f64, 0.0, j as f64) * 0.01);
        builder.shell(sheet, Material::default(), |_| None);
        builder.air = Some(air.clone());
        let (model, mut state) = builder.build().expect("a sheet");
        let options = AcmOptions {
            window,
            ..AcmOptions::default()
        };
        let mut acm = Acm::new(&model, &state, options);
        acm.run_until(&model, &mut state, ticks(0.1))
            .expect("it flies");
        (state.momentum(&model), state.to_numbers())
    });
    assert_eq!(ends[0].1, ends[1].1, "windows leave a trace");
    // m dv/dt = k (u - v)^2 from rest, over a whole swell
    let area = 0.07f64 * 0.07;
    let material = Material::default();
    let mass = area * material.thickness_m * material.density_kg_m3;
    let rate = 0.5 * 1.2 * 1.3 * area / mass;
    let (mut v, h) = (0.0, 1e-5);
    for k in 0..10_000 {
        let wind = 3.0 * (1.0 + 0.2 * (std::f64::consts::TAU * f64::from(k) * h / 0.1).sin());
        v += rate * (wind - v) * (wind - v) * h;
    }
    let found = ends[0].0.y / mass;
    // kicks of a millisecond, found backwards, and a sheet that stays nearly flat
    assert!((found / v - 1.0).abs() < 0.02, "{found} m/s instead of {v}");
}
