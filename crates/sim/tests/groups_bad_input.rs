//! Bad input to contact groups: a clear error or a stable result, never a number that is none.

use crate::groups_yard;

use groups_yard::{TIMEWARP, add, cube, empty, material, plane, still};
use physics::body::Heft;
use physics::groups::{PenaltySettings, Settings};
use physics::{BodyModel, Part, Shape, Vec3};
use warpline_sim::{ContactRules, Discard, run};

/// Deep overlap at the start is refused by name; who runs such a world all the same gets bodies that come
/// apart without a bang: no faster than the push-out (3 m/s), and at rest beside each other in the end.
#[test]
fn deep_overlap_at_the_start_is_refused_or_comes_apart_gently() {
    let mut world = empty(3.0);
    plane(&mut world, Vec3::Y, material(0.5, 0.0));
    for x in [0.0, 0.2] {
        let at = Vec3::new(x, 0.5, 0.0);
        add(&mut world, cube(0.25), 1.0, material(0.5, 0.0), still(at));
    }
    let text = world.validate().expect_err("they overlap").to_string();
    for expected in ["body 1", "body 2", "overlap", "apart"] {
        assert!(
            text.contains(expected),
            "`{expected}` is missing in: {text}"
        );
    }
    let (_, states) = run(&world, TIMEWARP, &mut Discard).expect("it goes on");
    let [a, b] = [states[1].position, states[2].position];
    assert!(
        (a - b).length() > 0.498,
        "still {} m apart",
        (a - b).length()
    );
    assert!(a.length() < 1.0 && b.length() < 1.0, "{a} and {b}");
}

#[test]
fn hulls_without_thickness_are_refused() {
    let flat = |x: f64, z: f64| Vec3::new(x, 0.0, z);
    let points = vec![
        flat(0.0, 0.0),
        flat(1.0, 0.0),
        flat(1.0, 1.0),
        flat(0.0, 1.0),
    ];
    let parts = [Part::centred(Shape::Hull { points })];
    let error = BodyModel::dynamic(&parts, Heft::Mass(1.0), material(0.5, 0.0), Vec3::ZERO)
        .err()
        .expect("a hull needs a volume");
    assert!(error.to_string().contains("hull"), "{error}");
}

/// A tonne on a hundred grams on a tonne (a gram is crushed: docs/contact-groups.md): nothing is crushed by more than the margin, nothing flies off.
#[test]
fn a_mass_ratio_of_ten_thousand_stands() {
    let mut world = empty(5.0);
    plane(&mut world, Vec3::Y, material(0.6, 0.0));
    for (k, mass) in [1000.0, 0.1, 1000.0].into_iter().enumerate() {
        let at = Vec3::new(0.0, 0.2505 + 0.5005 * k as f64, 0.0);
        add(&mut world, cube(0.25), mass, material(0.6, 0.0), still(at));
    }
    let (_, states) = run(&world, TIMEWARP, &mut Discard).expect("it stands");
    for (k, state) in states.iter().enumerate().skip(1) {
        let height = 0.25 + 0.5 * (k - 1) as f64;
        assert!(state.is_finite());
        let off = (state.position - Vec3::new(0.0, height, 0.0)).length();
        assert!(off < 5e-3, "body {k} is {off} m from its place");
    }
}

/// A contact frequency that no step can resolve ends in an error that says what to do, or in rest;
/// either way soon and in finite numbers.
#[test]
fn stiffness_that_cannot_be_integrated_ends_with_advice() {
    let mut world = empty(0.5);
    let settings = PenaltySettings {
        hertz: 1e12,
        ..PenaltySettings::default()
    };
    match ContactRules::penalty(settings, Settings::default().step) {
        Err(error) => assert!(error.to_string().contains("hertz"), "{error}"),
        Ok(rules) => {
            world.contact = Some(rules);
            plane(&mut world, Vec3::Y, material(0.5, 0.0));
            let at = Vec3::new(0.0, 0.251, 0.0);
            add(&mut world, cube(0.25), 1.0, material(0.5, 0.0), still(at));
            match run(&world, TIMEWARP, &mut Discard) {
                Err(error) => assert!(error.to_string().contains("soft-step"), "{error}"),
                Ok((_, states)) => assert!(states.iter().all(|s| s.is_finite())),
            }
        }
    }
}
