//! A pass that missed a contact is a false future. Whatever happens there, also if it leaves the finite
//! numbers, must not decide what is committed, and must not take for ever.

use glamx::DVec3;
use warpline_shell::acm::{
    Acm, AcmOptions, ContactLaw, Material, Mesh, Motion, ShellBuilder, ShellModel, ShellState,
    WindowLength, intersections, ticks,
};

const PLATE_SIDE_M: f64 = 2.0;

fn builder(law: ContactLaw) -> ShellBuilder {
    let mut builder = ShellBuilder::new(DVec3::ZERO, law);
    let fixed = builder.motion(Motion::fixed());
    let (u, v) = (DVec3::Z * PLATE_SIDE_M, DVec3::X * PLATE_SIDE_M);
    builder.obstacle(Mesh::rectangle(2, 2, (u + v) * -0.5, u, v), fixed);
    builder
}

/// A soft sheet held at one edge is thrown at a plate 5 mm below at 100 m/s. The plate stops it; without the
/// plate it would be stretched to many times its length and its forces would diverge. Another sheet comes
/// down slowly beside it and touches the plate 3 ms later.
fn held_and_thrown() -> (ShellModel, ShellState) {
    let mut builder = builder(ContactLaw {
        restitution: 0.05,
        ..ContactLaw::default()
    });
    let held = builder.motion(Motion::fixed());
    let material = Material {
        young_pa: 1.0e5,
        damping_s: 1.0e-4,
        ..Material::default()
    };
    let sheet = |x0: f64, y: f64| {
        Mesh::sheet(5, 5, |i, j| {
            let (x, z) = (0.01 * i as f64, 0.011 * j as f64);
            DVec3::new(x0 + x, y + 0.02 * x + 0.01 * z, z)
        })
    };
    builder
        .shell(sheet(0.1, 0.005), material, |v| (v < 5).then_some(held))
        .velocity = DVec3::NEG_Y * 100.0;
    builder
        .shell(sheet(-0.1, 0.004), material, |_| None)
        .velocity = DVec3::NEG_Y;
    builder.build().expect("a scene")
}

#[test]
fn a_false_future_that_diverges_decides_nothing() {
    let (model, start) = held_and_thrown();
    let run = |window: WindowLength, threads: usize| {
        let mut state = start.clone();
        let options = AcmOptions {
            window,
            threads,
            ..AcmOptions::default()
        };
        let mut acm = Acm::new(&model, &state, options);
        let end = ticks(0.01);
        while state.now() < end {
            acm.run_single_window(&model, &mut state, end)
                .expect("progress");
            assert_eq!(intersections(&model, &state.positions()), [], "{options:?}");
        }
        state.history_bytes()
    };
    let reference = run(WindowLength::seconds(1e-4), 1);
    for r in [1e-3, 3e-3, 1e-2] {
        assert!(run(WindowLength::seconds(r), 1) == reference, "R = {r} s");
    }
    assert!(run(WindowLength::Adaptive, 1) == reference);
    assert!(run(WindowLength::seconds(3e-3), 3) == reference);
}

/// Windows shorter than the first step of any force: nothing is kicked in them, and pairs are near.
#[test]
fn windows_before_the_first_force_can_have_contacts() {
    let sheet = |y: f64| {
        Mesh::rectangle(
            4,
            4,
            DVec3::new(0.003, y, 0.002),
            DVec3::Z * 0.03,
            DVec3::X * 0.03,
        )
    };
    let mut builder = builder(ContactLaw::default());
    builder
        .shell(sheet(0.001005), Material::default(), |_| None)
        .velocity = DVec3::NEG_Y;
    let (model, start) = builder.build().expect("a scene");
    let run = |r: f64| {
        let mut state = start.clone();
        let options = AcmOptions {
            window: WindowLength::seconds(r),
            ..AcmOptions::default()
        };
        let mut acm = Acm::new(&model, &state, options);
        acm.run_until(&model, &mut state, ticks(0.002))
            .expect("progress");
        assert_eq!(intersections(&model, &state.positions()), []);
        state.history_bytes()
    };
    assert!(run(1e-5) == run(1e-3));
}

/// Two small sheets thrown at each other in the windows that a user gets: the work stays within bounds
/// at any speed, since a window in which too much goes wrong is cut.
#[test]
fn windows_are_cut_where_impacts_are_fast() {
    for speed in [1.0, 10.0, 100.0] {
        let mut builder = ShellBuilder::new(DVec3::ZERO, ContactLaw::default());
        for side in [-1.0, 1.0] {
            let sheet = Mesh::sheet(7, 7, |i, j| {
                let (x, z) = (0.008 * i as f64, 0.0083 * j as f64);
                let wave = 0.002 * (150.0 * x + 90.0 * side * z).sin();
                DVec3::new(x + 0.002 * side, side * 0.004 + wave, z)
            });
            builder.shell(sheet, Material::default(), |_| None).velocity =
                DVec3::new(0.1, -side, 0.2 * side) * speed;
        }
        let (model, mut state) = builder.build().expect("a scene");
        let mut acm = Acm::new(&model, &state, AcmOptions::default());
        let end = ticks(0.002);
        while state.now() < end {
            acm.run_single_window(&model, &mut state, end)
                .expect("progress");
            assert_eq!(intersections(&model, &state.positions()), []);
        }
        let counts = &acm.profile.counts;
        assert!(
            speed < 2.0 || counts.contact_pushes > 0,
            "no touch at {speed} m/s"
        );
        // with windows of 2 ms throughout there are thousands of millions at 100 m/s
        assert!(counts.events < 2_000_000, "{speed} m/s: {counts:?}");
    }
}
