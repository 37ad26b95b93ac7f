//! Contacts: restitution, friction, progress, and that speculation leaves no trace.

use glamx::DVec3;
use warpline_shell::acm::{
    Acm, AcmKds, AcmOptions, Certify, ContactLaw, Energy, Material, Mesh, Motion, SceneName,
    ShellBuilder, ShellError, ShellModel, ShellState, WindowLength, intersections, seconds, ticks,
};

/// A small sheet above a fixed plate, thrown at it.
fn thrown_sheet(speed: f64, law: ContactLaw) -> (ShellModel, ShellState) {
    thrown_sheet_beside(&[], speed, law)
}

/// The same with small plates at some places besides.
fn thrown_sheet_beside(places: &[DVec3], speed: f64, law: ContactLaw) -> (ShellModel, ShellState) {
    let mut builder = ShellBuilder::new(DVec3::ZERO, law);
    let fixed = builder.motion(Motion::fixed());
    let plate = Mesh::rectangle(
        2,
        2,
        DVec3::new(-1.0, 0.0, -1.0),
        DVec3::Z * 2.0,
        DVec3::X * 2.0,
    );
    builder.obstacle(plate, fixed);
    for &place in places {
        builder.obstacle(Mesh::rectangle(2, 2, place, DVec3::Z, DVec3::X), fixed);
    }
    // tilted a little, so that no two features meet at the same instant by symmetry
    let sheet = Mesh::sheet(6, 6, |i, j| {
        let (x, z) = (i as f64 * 0.01, j as f64 * 0.011);
        DVec3::new(x, 0.003 + 0.05 * x + 0.03 * z, z)
    });
    builder.shell(sheet, Material::default(), |_| None).velocity = DVec3::new(0.0, -speed, 0.0);
    builder.build().expect("a scene")
}

fn run(model: &ShellModel, state: &mut ShellState, window: f64, until: f64) -> Acm {
    let options = AcmOptions {
        window: WindowLength::seconds(window),
        ..AcmOptions::default()
    };
    let mut acm = Acm::new(model, state, options);
    acm.run_until(model, state, ticks(until)).expect("progress");
    assert_eq!(intersections(model, &state.positions()), []);
    acm
}

#[test]
fn head_on_impacts_end_at_any_speed() {
    for speed in [1.0, 10.0, 100.0] {
        let (model, mut state) = thrown_sheet(speed, ContactLaw::default());
        let acm = run(&model, &mut state, 1.0 / 300.0, 0.02 / speed);
        assert!(
            acm.profile.counts.contact_pushes > 0,
            "{speed} m/s must touch"
        );
        let height = |s: &ShellState| {
            s.positions()[..model.dynamic_count()]
                .iter()
                .map(|x| x.y)
                .fold(f64::INFINITY, f64::min)
        };
        assert!(height(&state) > 0.0, "{speed} m/s: {}", height(&state));
    }
}

#[test]
fn elastic_impact_keeps_energy() {
    let (model, mut state) = thrown_sheet(1.0, ContactLaw::default());
    let before = Energy::of(&model, &state).total();
    let acm = run(&model, &mut state, 1.0 / 300.0, 0.03);
    let after = Energy::of(&model, &state).total();
    assert!(acm.profile.counts.contact_pushes > 100);
    // contact steps are 0.1 of the stability limit, internal ones 0.25: the symplectic error of the
    // sampled energy is bounded by (h omega)^2 / 16, 1.6 % for a mode at the internal limit
    assert!((after / before - 1.0).abs() < 0.03, "{before} -> {after}");
}

/// Sheets thrown about in a box, crumpling, without friction or damping. The energy of one run wanders,
/// and its wandering has a memory, so a slope's error cannot be had from its own scatter: it comes from
/// independent throws. The mean slope over more than a million force evaluations each must be zero
/// within three standard errors (over 1,024 throws it is 0.05 +- 0.02 % per s; sixteen are too few, the
/// first sixteen alone stand out by four), and so must be what the energy has gained in the end since
/// the throw has spread over the modes. Before that it changes once, by the square of the step: a symplectic
/// integrator keeps a neighbour of the energy, which a sheet that vibrates is farther from than one that
/// flies (-0.12 +- 0.02 % over 128 throws, -0.035 +- 0.005 % with steps half as long).
///
/// Each run is bounded, too. The internal forces are smooth; what moves the energy is the kink where a
/// layer begins. A pair that enters with speed v and is first sampled at depth p loses k p (v h - p) / 2
/// of the energy that the integrator keeps, and gains the like when it leaves: with p anywhere in
/// [0, v h] the sum of both has mean zero and a standard deviation of 0.105 (2 f)^2 of the pair's
/// energy, f being the fraction of the stable step. After n bounces the energy has walked sqrt(n) such
/// steps. A pair has about one vertex's share of the energy, and one stroke of a layer has pi / 2 f
/// pushes. Four standard deviations are allowed, in any sample of any run.
///
/// A step half as long at the same stiffness makes each step of that walk a quarter as long.
#[test]
fn elastic_crumpling_keeps_its_energy() {
    let runs: Vec<Crumpled> = (0..256).map(|throw| crumpling(throw, 1.0)).collect();
    let slopes: Vec<f64> = runs.iter().map(|r| r.slope).collect();
    let (slope, slope_error) = mean_and_error(&slopes);
    assert!(
        slope.abs() < 3.0 * slope_error,
        "slope {slope:e} +- {slope_error:e} of the energy per s: {slopes:?}"
    );
    let later: Vec<f64> = runs.iter().map(|r| r.later).collect();
    let (gain, gain_error) = mean_and_error(&later);
    assert!(gain.abs() < 3.0 * gain_error, "{gain:e} +- {gain_error:e}");
    let ends: Vec<f64> = runs.iter().map(|r| r.end).collect();
    let gains = (ends.iter().map(|e| e * e).sum::<f64>() / ends.len() as f64).sqrt();
    assert!(gains < 0.005, "{gains}: {ends:?}");
    let finer: Vec<Crumpled> = (0..8).map(|throw| crumpling(throw, 0.5)).collect();
    for run in runs.iter().chain(&finer) {
        assert!(run.worst < 4.0 * run.walk(), "{run:?}, walk {}", run.walk());
    }
    let scatter = |runs: &[Crumpled]| {
        let squares: f64 = runs.iter().map(|r| r.worst * r.worst).sum();
        (squares / runs.len() as f64).sqrt()
    };
    let (coarse, fine) = (scatter(&runs), scatter(&finer));
    assert!(fine < 0.5 * coarse, "{coarse} -> {fine}");
}

/// Mean and its standard error.
fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

/// What became of the energy of one throw, as shares of it.
#[derive(Debug)]
struct Crumpled {
    /// Per s, after a time in which the throw spreads over the modes.
    slope: f64,
    /// Gained in the end.
    end: f64,
    /// Gained in the end since the throw has spread over the modes.
    later: f64,
    /// Largest deviation in any sample.
    worst: f64,
    /// Fraction of the stable step of the contacts.
    fraction: f64,
    /// Pushes of the layers.
    pushes: f64,
}

/// Vertices of the sheet.
const VERTICES: f64 = 36.0;

impl Crumpled {
    /// Standard deviation of the energy after all bounces.
    fn walk(&self) -> f64 {
        let angle = 2.0 * self.fraction;
        let bounces = self.pushes * angle / std::f64::consts::PI;
        bounces.sqrt() * 0.105 * angle * angle / VERTICES
    }
}

fn crumpling(throw: u32, refinement: f64) -> Crumpled {
    let (model, mut state) = sheet_in_a_box(throw, refinement);
    let mut acm = Acm::new(&model, &state, AcmOptions::default());
    let start = Energy::of(&model, &state).total();
    let mut samples = Vec::new();
    let (mut before, mut worst) = (0, 0.0f64);
    while state.now() < ticks(0.5) {
        let until = state.now() + 37 * model.internal_step();
        acm.run_until(&model, &mut state, until).expect("progress");
        let counts = &acm.profile.counts;
        let energy = Energy::of(&model, &state).total() / start;
        worst = worst.max((energy - 1.0).abs());
        if state.now() > ticks(0.15) {
            samples.push((seconds(state.now()), energy));
        } else {
            before = counts.element_forces + counts.contact_pushes;
        }
    }
    let counts = &acm.profile.counts;
    assert!(counts.element_forces + counts.contact_pushes - before > 1_000_000);
    assert!(
        counts.contact_pushes > 1_000,
        "throw {throw}: it must keep bouncing"
    );
    let mean = |some: &[(f64, f64)]| some.iter().map(|s| s.1).sum::<f64>() / some.len() as f64;
    let (spread, last) = (mean(&samples[..50]), mean(&samples[samples.len() - 50..]));
    Crumpled {
        slope: fitted_slope(&samples),
        end: last - 1.0,
        later: last - spread,
        worst,
        fraction: refinement * ContactLaw::default().step_fraction,
        pushes: counts.contact_pushes as f64,
    }
}

/// Both steps are `refinement` times the default, which leaves the layers as stiff as they are.
fn sheet_in_a_box(throw: u32, refinement: f64) -> (ShellModel, ShellState) {
    let (mut law, mut material) = (ContactLaw::default(), Material::default());
    law.step_fraction *= refinement;
    material.step_fraction *= refinement;
    let mut builder = ShellBuilder::new(DVec3::ZERO, law);
    let fixed = builder.motion(Motion::fixed());
    let half = 0.03;
    for normal in [DVec3::X, DVec3::Y, DVec3::Z].map(|n| [n, -n]).concat() {
        let DVec3 { x, y, z } = normal.abs() * (4.0 * half);
        let (u, v) = (DVec3::new(y, z, x), DVec3::new(z, x, y));
        let corner = normal * half - (u + v) * 0.5;
        builder.obstacle(Mesh::rectangle(2, 2, corner, u, v), fixed);
    }
    let sheet = Mesh::sheet(6, 6, |i, j| {
        let (i, j) = (i as f64, j as f64);
        DVec3::new(
            0.009 * i - 0.022,
            0.0005 * i * j - 0.005,
            0.0095 * j - 0.023,
        )
    });
    let k = f64::from(throw);
    let way = DVec3::new((1.3 * k).sin(), (2.1 * k).cos(), (0.7 * k + 1.0).sin());
    builder.shell(sheet, material, |_| None).velocity = way.normalize() * 4.0;
    builder.build().expect("a scene")
}

/// Least-squares slope of y over x.
fn fitted_slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let xm = points.iter().map(|p| p.0).sum::<f64>() / n;
    let ym = points.iter().map(|p| p.1).sum::<f64>() / n;
    let covariance: f64 = points.iter().map(|p| (p.0 - xm) * (p.1 - ym)).sum();
    covariance / points.iter().map(|p| (p.0 - xm).powi(2)).sum::<f64>()
}

/// A small flat sheet that meets a plate in one layer leaves at sqrt(restitution) of its speed.
#[test]
fn restitution_is_the_root_of_the_factor() {
    let rebound = |restitution: f64| {
        let law = ContactLaw {
            restitution,
            ..ContactLaw::default()
        };
        let mut builder = ShellBuilder::new(DVec3::ZERO, law);
        let fixed = builder.motion(Motion::fixed());
        let (u, v) = (DVec3::Z * 2.0, DVec3::X * 2.0);
        builder.obstacle(Mesh::rectangle(2, 2, (u + v) * -0.5, u, v), fixed);
        let corner = DVec3::new(0.1, 0.0012, 0.1);
        let sheet = Mesh::rectangle(2, 2, corner, DVec3::Z * 0.01, DVec3::X * 0.01);
        builder.shell(sheet, Material::default(), |_| None).velocity = DVec3::NEG_Y * 0.2;
        let (model, mut state) = builder.build().expect("a scene");
        let acm = run(&model, &mut state, 1.0 / 300.0, 0.02);
        // what does not push any more is dropped
        assert!(acm.profile.counts.contact_pushes > 0 && state.contacts().entries().is_empty());
        state.momentum(&model).y / model.masses().iter().sum::<f64>() / 0.2
    };
    // each stroke is sampled at h sqrt(k / m) = 0.4 / sqrt 2 of a radian or more, so that the
    // turning point is met to a few per cent
    for (factor, expected) in [(1.0, 1.0), (0.25, 0.5)] {
        let speed = rebound(factor);
        assert!((speed - expected).abs() < 0.08, "{factor}: {speed}");
    }
}

/// A small light sheet pressed on a plate by gravity and sliding: Coulomb deceleration mu g.
#[test]
fn sliding_decelerates_by_mu_g() {
    let slide = |friction: f64| {
        let law = ContactLaw {
            friction,
            restitution: 0.05,
            stiffness_n_m: Some(5.0),
            ..ContactLaw::default()
        };
        let mut builder = ShellBuilder::new(DVec3::NEG_Y * 10.0, law);
        let fixed = builder.motion(Motion::fixed());
        builder.obstacle(
            Mesh::rectangle(
                2,
                2,
                DVec3::new(-5.0, 0.0, -5.0),
                DVec3::Z * 10.0,
                DVec3::X * 10.0,
            ),
            fixed,
        );
        let sheet = Mesh::rectangle(
            3,
            3,
            DVec3::new(0.1, 0.001, 0.1),
            DVec3::Z * 0.02,
            DVec3::X * 0.02,
        );
        builder
            .shell(
                sheet,
                Material {
                    damping_s: 1e-4,
                    ..Material::default()
                },
                |_| None,
            )
            .velocity = DVec3::X;
        let (model, mut state) = builder.build().expect("a scene");
        let speed = |s: &ShellState| s.momentum(&model).x / model.masses().iter().sum::<f64>();
        run(&model, &mut state, 1.0 / 300.0, 0.1);
        let early = speed(&state);
        run(&model, &mut state, 1.0 / 300.0, 0.2);
        early - speed(&state)
    };
    // over 0.1 s the mean normal force is the weight up to what the remaining bounce stores,
    // a few per cent of m g t
    let lost = slide(0.3);
    assert!((lost - 0.3 * 10.0 * 0.1).abs() < 0.03, "{lost} m/s");
    assert!(slide(0.0).abs() < 1e-9);
}

/// A sheet between two plates that close to `gap` metres.
fn pinch(gap: f64) -> Result<f64, ShellError> {
    let mut builder = ShellBuilder::new(DVec3::ZERO, ContactLaw::default());
    let (half, close_s) = (0.003, 0.05);
    for side in [-1.0, 1.0] {
        let way = DVec3::Y * (-side * (half - 0.5 * gap));
        let motion = builder.motion(Motion::shifted(vec![(0.0, DVec3::ZERO), (close_s, way)]));
        let (u, v) = (DVec3::Z * 0.2, DVec3::X * 0.2);
        let corner = DVec3::Y * (side * half) - (u + v) * 0.5;
        builder.obstacle(Mesh::rectangle(2, 2, corner, u, v), motion);
    }
    let sheet = Mesh::sheet(3, 3, |i, j| {
        DVec3::new(0.01 * i as f64, 1e-4 * (i + 2 * j) as f64, 0.01 * j as f64)
    });
    let material = Material {
        damping_s: 1e-5,
        ..Material::default()
    };
    builder.shell(sheet, material, |_| None);
    let (model, mut state) = builder.build()?;
    let mut acm = Acm::new(&model, &state, AcmOptions::default());
    for frame in 1..=20 {
        acm.run_until(&model, &mut state, ticks(0.06 * f64::from(frame) / 20.0))?;
        assert_eq!(intersections(&model, &state.positions()), []);
    }
    let heights = state.positions();
    let height = heights[..model.dynamic_count()].iter().map(|x| x.y.abs());
    Ok(height.fold(0.0, f64::max))
}

#[test]
fn a_pinched_sheet_stays_between_the_plates() {
    let gap = 0.8e-3;
    assert!(pinch(gap).expect("progress") < 0.5 * gap);
}

#[test]
fn plates_that_leave_no_room_end_in_a_clear_error() {
    let error = pinch(-1.0e-3).expect_err("plates that pass through the sheet");
    assert!(matches!(error, ShellError::OutOfLayers { .. }), "{error}");
    assert!(error.to_string().contains("leaves no room"), "{error}");
}

/// Windows, slabs, adaptivity and threads change the work, not one byte of the history.
#[test]
fn speculation_is_invisible() {
    let law = ContactLaw {
        friction: 0.2,
        restitution: 0.5,
        ..ContactLaw::default()
    };
    let history = |options: AcmOptions| {
        let (model, mut state) = thrown_sheet(3.0, law);
        let mut acm = Acm::new(&model, &state, options);
        acm.run_until(&model, &mut state, ticks(0.01))
            .expect("progress");
        (state.history_bytes(), acm.profile.counts)
    };
    let (reference, counts) = history(AcmOptions::default());
    assert!(counts.rollbacks > 0 && counts.contact_pushes > 0);
    let window = |r: f64| AcmOptions {
        window: WindowLength::seconds(r),
        ..AcmOptions::default()
    };
    let variants = [
        window(1e-4),
        window(7.7e-4),
        window(1e-2),
        AcmOptions {
            window: WindowLength::Adaptive,
            ..AcmOptions::default()
        },
        AcmOptions {
            slabs: false,
            ..window(1e-3)
        },
        AcmOptions {
            threads: 2,
            ..window(1e-3)
        },
        AcmOptions {
            threads: 3,
            ..window(3e-4)
        },
    ];
    for options in variants {
        assert!(history(options).0 == reference, "{options:?}");
    }
}

/// What is so far away that single precision is too coarse for the distances within a window, or for nearly
/// all of them, changes in which precision they are measured and not one byte of the history. Nor does it
/// make for more rollbacks: the distances are as good.
#[test]
fn precision_is_invisible() {
    let law = ContactLaw::default();
    let history = |places: &[DVec3]| {
        let (model, mut state) = thrown_sheet_beside(places, 3.0, law);
        let mut acm = Acm::new(&model, &state, AcmOptions::default());
        acm.run_until(&model, &mut state, ticks(0.01))
            .expect("progress");
        let sheet = (&state.positions()[..36], &state.velocities()[..36]);
        (format!("{sheet:?}"), acm.profile.counts)
    };
    let (near, counts) = history(&[]);
    assert!(counts.contact_pushes > 0);
    for away in [1.0e2, 1.0e3, 1.0e5] {
        let (far, others) = history(&[DVec3::new(0.0, -away, 0.0)]);
        assert!(far == near, "{away}");
        assert_eq!(
            (others.rollbacks, others.rollbacks_inside),
            (counts.rollbacks, counts.rollbacks_inside),
        );
    }
}

/// A mesh that is large enough for threads to share the forces, the histories and the detection of one
/// window has the same history on any number of them.
#[test]
fn large_meshes_have_one_history_on_any_number_of_threads() {
    let scene = SceneName::TwoCloths.build(36).expect("a scene");
    assert!(scene.model.dynamic_count() > 2048);
    let history = |threads: usize| {
        let options = AcmOptions {
            threads,
            window: WindowLength::seconds(1e-3),
            ..AcmOptions::default()
        };
        let mut state = scene.state.clone();
        let mut acm = Acm::new(&scene.model, &state, options);
        acm.run_until(&scene.model, &mut state, ticks(0.004))
            .expect("progress");
        state.history_bytes()
    };
    let reference = history(1);
    for threads in 2..=4 {
        assert!(history(threads) == reference, "{threads} threads");
    }
}

/// The kinetic baseline and the speculative algorithm find the same contacts: the histories are
/// equal to the byte, whichever pairs hold slabs.
#[test]
fn kinetic_and_speculative_histories_are_equal() {
    let law = ContactLaw {
        friction: 0.2,
        restitution: 0.5,
        ..ContactLaw::default()
    };
    let (model, start) = thrown_sheet(3.0, law);
    let mut speculative = start.clone();
    let acm = run(&model, &mut speculative, 1.0 / 300.0, 0.01);
    for certify in [
        Certify::NearPrimitives { margin_m: 1.0e-3 },
        Certify::NearPrimitives { margin_m: 5.0e-3 },
        Certify::NearTriangles { margin_m: 1.0e-3 },
        Certify::EveryPair,
    ] {
        let mut kinetic = start.clone();
        let mut kds = AcmKds::new(&model, &kinetic, certify, false);
        kds.run_until(&model, &mut kinetic, ticks(0.01))
            .expect("progress");
        assert_eq!(
            kds.profile.counts.contact_pushes > 0,
            acm.profile.counts.contact_pushes > 0
        );
        assert!(
            kinetic.history_bytes() == speculative.history_bytes(),
            "{certify:?}"
        );
    }
}
