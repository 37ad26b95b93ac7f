//! `optimization` on packings: bodies poured into a box come to rest without overlapping, friction
//! holds, free bodies fall as they should, and what has no room is named.

use crate::groups_yard;

use groups_yard::{Yard, at, cuboid, material};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use warpline_physics::groups::{Optimization, OptimizationSettings, SolverError};
use warpline_physics::material::Rolling;
use warpline_physics::rotation::{rotation_vector, turned};
use warpline_physics::{Pose, Quat, Shape, State, Vec3, contact};

const STEP: f64 = 1.0 / 60.0;

fn solver() -> Optimization {
    Optimization::new(OptimizationSettings::default()).expect("the default settings are valid")
}

fn any_turn(rng: &mut Pcg64Mcg) -> Quat {
    let [x, y, z, w] = [(); 4].map(|()| rng.random_range(-1.0..1.0));
    Quat::from_xyzw(x, y, z, w).normalize()
}

/// Five half-spaces: a floor and four walls around a square of this half width.
fn container(half: f64, friction: f64) -> Yard {
    let mut yard = Yard::with_floor(0.0, friction);
    for normal in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        let wall = Shape::HalfSpace { normal };
        yard.fixed(wall, normal * -half, material(friction, 0.0));
    }
    yard
}

/// The deepest overlap of any two bodies or of a body with the ground, by exact distances and not by
/// the solver.
fn overlap(yard: &Yard) -> f64 {
    let mut deepest = 0f64;
    for i in 0..yard.states.len() {
        let one = (&yard.models[i], &yard.states[i]);
        for j in i + 1..yard.states.len() {
            let reach = yard.models[i].bounding_radius() + yard.models[j].bounding_radius();
            if yard.states[i].position.distance(yard.states[j].position) < reach {
                let found = contact::closest(one.0, one.1, &yard.models[j], &yard.states[j]);
                deepest = deepest.max(-found.gap);
            }
        }
        for (model, state) in &yard.grounds {
            let found = contact::closest(one.0, one.1, model, state);
            deepest = deepest.max(-found.gap);
        }
    }
    deepest
}

/// Bodies of about `size` above each other in a container.
fn poured(
    rng: &mut Pcg64Mcg,
    count: usize,
    size: f64,
    shape: impl Fn(&mut Pcg64Mcg) -> Shape,
) -> Yard {
    let mut yard = container(2.6 * size, 0.4);
    for k in 0..count {
        let (column, layer) = (k % 4, k / 4);
        let x = (column % 2) as f64 * 2.4 - 1.2;
        let z = (column / 2) as f64 * 2.4 - 1.2;
        let place = Vec3::new(x, 1.3 + 2.3 * layer as f64, z) * size;
        let pose = Pose::from_parts(place, any_turn(rng));
        let solid = shape(rng);
        yard.add(solid, 1.0, pose, material(0.4, 0.0));
    }
    yard
}

#[test]
fn boxes_poured_into_a_container_rest_without_overlap() {
    let mut rng = Pcg64Mcg::seed_from_u64(11);
    let size = 0.1;
    let mut yard = poured(&mut rng, 60, size, |rng| {
        let mut half = || size * rng.random_range(0.35..0.57);
        cuboid(half(), half(), half())
    });
    let mut worst = 0f64;
    for _ in 0..240 {
        yard.step(&solver(), STEP).expect("there is room");
        worst = worst.max(overlap(&yard));
    }
    // Planes keep a distance, so that what is returned satisfies non-overlap itself.
    assert!(worst <= 1e-9 * size, "overlap {worst} m");
    assert!(
        yard.fastest() < 0.05,
        "still moving at {} m/s",
        yard.fastest()
    );
}

/// Where bodies are when a share of the step between two configurations has passed: uniform ways, as the
/// engine moves them.
fn between(before: &[State], after: &[State], share: f64) -> Vec<State> {
    let part = |a: &State, b: &State| {
        let turn = rotation_vector(b.rotation * a.rotation.inverse());
        let position = a.position + (b.position - a.position) * share;
        State::at_rest(Pose::from_parts(position, turned(a.rotation, turn, share)))
    };
    before.iter().zip(after).map(|(a, b)| part(a, b)).collect()
}

/// Nothing overlaps on the ways between two steps either: a step may be cut anywhere.
#[test]
fn ways_between_steps_do_not_overlap() {
    let size = 0.1;
    for step in [STEP, 1.0 / 30.0] {
        let mut rng = Pcg64Mcg::seed_from_u64(8);
        let mut yard = poured(&mut rng, 40, size, |rng| match rng.random_range(0..2) {
            0 => Shape::Ball { radius: 0.8 * size },
            _ => cuboid(0.55 * size, 0.35 * size, 0.45 * size),
        });
        let mut worst = 0f64;
        for _ in 0..(1.2 / step) as usize {
            let before = yard.states.clone();
            yard.step(&solver(), step).expect("there is room");
            let after = yard.states.clone();
            for moment in 1..8 {
                yard.states = between(&before, &after, f64::from(moment) / 8.0);
                worst = worst.max(overlap(&yard));
            }
            yard.states = after;
        }
        assert!(
            worst <= 1e-4 * size,
            "overlap {worst} m on the way, steps of {step} s"
        );
    }
}

/// The weight of all bodies is carried by the floor: the sum of the forces remembered.
#[test]
fn the_floor_carries_the_weight() {
    let mut rng = Pcg64Mcg::seed_from_u64(5);
    let mut yard = poured(&mut rng, 40, 0.1, |_| Shape::Ball { radius: 0.08 });
    yard.run(&solver(), STEP, 4.0);
    let grounds = yard.memory.points().iter();
    let forces = grounds
        .filter(|h| h.key.bodies[1] >= 1_000_000)
        .map(|h| h.force);
    let total = forces.fold(Vec3::ZERO, |sum, f| sum + f);
    let weight = 40.0 * 9.81;
    assert!((total.y - weight).abs() < 0.01 * weight, "{total} N");
    assert!(overlap(&yard) < 1e-5);
}

/// A tower stands, a box on a slope within its friction cone stays, one beyond it slides as Coulomb says.
#[test]
fn friction_decides() {
    for (slope, friction, slides) in [(0.2, 0.5, false), (0.5, 0.3, true)] {
        let mut yard = Yard::with_floor(slope, friction);
        let (sin, cos) = libm::sincos(-slope * 0.5);
        let up = Vec3::new(libm::sin(slope), libm::cos(slope), 0.0);
        let pose = Pose::from_parts(up * 0.1001, Quat::from_xyzw(0.0, 0.0, sin, cos));
        yard.add(cuboid(0.2, 0.1, 0.2), 5.0, pose, material(friction, 0.0));
        yard.run(&solver(), STEP, 1.0);
        let moved = yard.states[0].position - up * 0.1001;
        let along = moved.dot(Vec3::new(libm::cos(slope), -libm::sin(slope), 0.0));
        let pull = 9.81 * (libm::sin(slope) - friction * libm::cos(slope));
        if slides {
            // Velocities are exact, positions run half a step ahead.
            let expected = 0.5 * pull * 1.0 * (1.0 + STEP);
            assert!(
                (along - expected).abs() < 0.01 * expected,
                "{along} {expected}"
            );
        } else {
            assert!(along.abs() < 1e-5, "crept {along} m");
        }
    }
}

/// A ball that rolls comes to rest after the way that the resisting couple allows: it slows down by 5/7 g b / r.
#[test]
fn resistance_to_rolling_stops_a_ball() {
    let (radius, length) = (0.1, 0.01);
    let mut yard = Yard::with_floor(0.0, 0.5);
    let pose = at(0.0, radius + 2e-5, 0.0);
    let ball = yard.add(Shape::Ball { radius }, 1.0, pose, material(0.5, 0.0));
    let rolling = Rolling {
        rolling: length,
        spinning: 0.0,
    };
    yard.models[ball] = yard.models[ball].clone().with_rolling(rolling);
    yard.states[ball].velocity = Vec3::X;
    yard.states[ball].spin = Vec3::NEG_Z / radius;
    yard.run(&solver(), STEP, 2.0);
    let slows = 5.0 / 7.0 * 9.81 * length / radius;
    let (gone, expected) = (yard.states[ball].position.x, 0.5 / slows);
    // A step is one of 86 until it rests, and the couple acts as a whole at its start.
    assert!((gone / expected - 1.0).abs() < 0.03, "{gone} {expected}");
    assert!(yard.fastest() < 1e-6, "{} m/s", yard.fastest());
}

/// What is not a number ends in an error, not in a loop.
#[test]
fn what_is_not_finite_is_named() {
    let mut yard = Yard::with_floor(0.0, 0.5);
    for k in 0..3 {
        let pose = at(0.3 * f64::from(k), 0.1, 0.0);
        yard.add(cuboid(0.1, 0.1, 0.1), 1.0, pose, material(0.5, 0.0));
    }
    yard.states[1].velocity.y = f64::NAN;
    let end = yard.step(&solver(), STEP);
    assert!(
        matches!(end, Err(SolverError::NotFinite { body: 1, .. })),
        "{end:?}"
    );
}

#[test]
fn what_nothing_touches_falls_freely() {
    let mut yard = Yard::with_floor(0.0, 0.5);
    yard.add(
        cuboid(0.1, 0.1, 0.1),
        1.0,
        at(0.0, 100.0, 0.0),
        material(0.5, 0.0),
    );
    yard.run(&solver(), STEP, 2.0);
    let fallen = 100.0 - yard.states[0].position.y;
    assert!((fallen - 0.5 * 9.81 * 4.0).abs() < 1e-9, "{fallen}");
}

/// Ten boxes of 0.2 m in a shaft of 0.15 m.
#[test]
fn what_has_no_room_is_named() {
    let mut yard = container(0.075, 0.4);
    for k in 0..10 {
        let pose = at(0.0, 0.11 + 0.21 * f64::from(k), 0.0);
        yard.add(cuboid(0.1, 0.1, 0.1), 1.0, pose, material(0.4, 0.0));
    }
    let end = yard.step(&solver(), STEP);
    assert!(matches!(end, Err(SolverError::Jammed { .. })), "{end:?}");
}

/// Bodies that overlap at the start are moved apart where there is room.
#[test]
fn what_was_jammed_is_resolved() {
    let mut yard = Yard::with_floor(0.0, 0.5);
    for k in 0..4 {
        let pose = at(0.15 * f64::from(k), 0.1, 0.0);
        yard.add(cuboid(0.1, 0.1, 0.1), 1.0, pose, material(0.5, 0.0));
    }
    yard.run(&solver(), STEP, 1.0);
    assert!(overlap(&yard) == 0.0);
    assert!(yard.fastest() < 1e-3);
}

/// The same bytes whatever was solved before with the same buffers.
#[test]
fn a_step_is_a_function_of_the_group() {
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    let mut first = poured(&mut rng, 24, 0.1, |_| Shape::Ball { radius: 0.09 });
    first.run(&solver(), STEP, 0.5);
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    let mut second = poured(&mut rng, 24, 0.1, |_| Shape::Ball { radius: 0.09 });
    for _ in 0..30 {
        second.scratch = Default::default();
        second.step(&solver(), STEP).expect("a step");
    }
    assert_eq!(first.states, second.states);
}
