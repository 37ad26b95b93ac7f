//! Unions of balls against the general search.

use super::*;
use crate::advance::first_touch_of_parts;
use crate::body::{Heft, Law, Material};
use crate::motion::{Flight, State, Turn};
use crate::shape::{Part, Shape};
use crate::{BodyModel, Pose, Quat};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn dynamic(parts: &[Part]) -> BodyModel {
    BodyModel::dynamic(parts, Heft::Mass(1.0), Material::default(), Vec3::ZERO)
        .expect("a sound body")
}

fn ball_at(radius: f64, x: f64, y: f64) -> Part {
    Part {
        pose: Pose::from_translation(Vec3::new(x, y, 0.0)),
        ..Part::centred(Shape::Ball { radius })
    }
}

fn vector(rng: &mut Pcg64Mcg, size: f64) -> Vec3 {
    Vec3::from_array(std::array::from_fn(|_| {
        size * (2.0 * rng.random::<f64>() - 1.0)
    }))
}

/// A segment that starts at tick zero and covers `until`.
fn segment(model: &BodyModel, state: State, until: Tick) -> (Flight, Turn) {
    let flight = Flight {
        start: Tick::ZERO,
        position: state.position,
        velocity: state.velocity,
        model: crate::ModelId::default(),
        body: 0,
    };
    let mut turn = Turn::default();
    turn.begin(state.rotation, state.spin, model);
    turn.extend(&flight, model, until);
    (flight, turn)
}

/// Balls read off their centres give the contacts that the general search gives: to the ticks in
/// which the gap falls by rounding.
#[test]
fn unions_of_balls_touch_when_the_general_search_says() {
    let water = dynamic(&[
        ball_at(0.1, 0.0, 0.0),
        ball_at(0.06, 0.12, 0.07),
        ball_at(0.06, -0.12, 0.07),
    ]);
    assert_eq!(water.law, Law::Tumbling);
    let sphere = dynamic(&[Part::centred(Shape::Ball { radius: 0.15 })]);
    let floor = Part::centred(Shape::HalfSpace { normal: Vec3::Y });
    let floor = BodyModel::fixed(&[floor], Material::default()).expect("a floor");
    let block = Part::centred(Shape::Box {
        half_extents: Vec3::new(0.3, 0.2, 0.25),
    });
    let block = BodyModel::fixed(&[block], Material::default()).expect("a block");
    let (mut rng, until) = (Pcg64Mcg::seed_from_u64(11), Tick::from_seconds(0.2));
    let (mut touched, mut missed) = (0, 0);
    for trial in 0..600 {
        let from = Vec3::new(0.0, 0.6, 0.0) + vector(&mut rng, 0.2);
        let own = State {
            position: from,
            velocity: -4.0 * from + vector(&mut rng, 2.0),
            rotation: Quat::from_scaled_axis(vector(&mut rng, 1.0)),
            spin: vector(&mut rng, 20.0),
        };
        let still = State::at_rest(Pose::IDENTITY);
        let (model, state) = match trial % 4 {
            0 => (
                &water,
                State {
                    spin: vector(&mut rng, 20.0),
                    ..still
                },
            ),
            1 => (&sphere, still),
            2 => (
                &block,
                State {
                    rotation: Quat::from_scaled_axis(vector(&mut rng, 1.0)),
                    ..still
                },
            ),
            _ => (&floor, still),
        };
        let (fa, ta) = segment(&water, own, until);
        let (fb, tb) = segment(model, state, until);
        let a = Motion {
            model: &water,
            flight: &fa,
            turn: &ta,
        };
        let b = Motion {
            model,
            flight: &fb,
            turn: &tb,
        };
        let pair = Pair::new(&a, &b).expect("balls and planes");
        let known = first_touch_of_parts(&a, &b, (Tick::ZERO, until), u32::MAX).tick();
        let found = pair.first_touch_within(Tick::ZERO, until, u32::MAX).tick();
        let swapped = Pair::new(&b, &a)
            .expect("likewise")
            .first_touch_within(Tick::ZERO, until, u32::MAX)
            .tick();
        match (known, found, swapped) {
            (Some(known), Some(found), Some(swapped)) => {
                touched += 1;
                assert!(known.since(found).abs() < 1e-11, "{known:?} {found:?}");
                assert!(known.since(swapped).abs() < 1e-11, "{known:?} {swapped:?}");
            }
            (None, None, None) => missed += 1,
            _ => panic!("{known:?}, {found:?} and {swapped:?} in trial {trial}"),
        }
    }
    assert!(
        touched > 150 && missed > 50,
        "{touched} touched, {missed} missed"
    );
}
