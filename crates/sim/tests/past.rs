//! The past can be asked: states, rays and overlaps at retained ticks, and nothing beyond them.

use physics::body::Heft;
use physics::{BodyModel, Material, Part, Pose, Shape, State, Vec3};
use warp::Tick;
use warpline_sim::{Action, BodyId, Input, Session, SessionError, Simulation, World};

/// A ball that flies along x at 2 m/s past a fixed box, over a floor.
fn range() -> (World, BodyId, BodyId) {
    let mut world = World::new("range", Vec3::ZERO, 1.0);
    let material = Material::default();
    let floor = Part::centred(Shape::HalfSpace { normal: Vec3::Y });
    let floor = world.add_model(BodyModel::fixed(&[floor], material).expect("a half-space"));
    world.add_fixed("floor", floor, Pose::IDENTITY);
    let block = Part::centred(Shape::Box {
        half_extents: Vec3::splat(0.5),
    });
    let block = world.add_model(BodyModel::fixed(&[block], material).expect("a box"));
    let at = Pose::from_translation(Vec3::new(0.0, 1.0, 5.0));
    let block = world.add_fixed("block", block, at);
    let ball = [Part::centred(Shape::Ball { radius: 0.25 })];
    let ball = BodyModel::dynamic(&ball, Heft::Mass(1.0), material, Vec3::ZERO).expect("a ball");
    let ball = world.add_model(ball);
    let start = State {
        velocity: Vec3::new(2.0, 0.0, 0.0),
        ..State::at_rest(Pose::from_translation(Vec3::new(-3.0, 1.0, 0.0)))
    };
    let ball = world.add_dynamic("ball", ball, start);
    (world, block, ball)
}

#[test]
fn a_shot_is_judged_by_what_was_seen() {
    let (world, block, ball) = range();
    let mut sim = Simulation::new(world, 1.0).expect("a sound world");
    for number in 1..=240 {
        sim.advance(Tick::from_seconds(f64::from(number) / 60.0))
            .expect("it runs");
    }
    // At 3.0 s the ball was at x = 3; now, at 4 s, it is at x = 5.
    let then = Tick::from_seconds(3.0);
    let (eye, ahead) = (Vec3::new(3.0, 1.0, -4.0), Vec3::Z);
    let hit = sim.cast_ray(then, eye, ahead, 20.0).expect("a hit");
    assert_eq!(hit.body, ball);
    assert!((hit.distance - 3.75).abs() < 1e-12, "{hit:?}");
    assert!((hit.normal - Vec3::NEG_Z).length() < 1e-9, "{hit:?}");
    assert_eq!(sim.cast_ray(sim.now(), eye, ahead, 20.0), None);
    // Long rays look at everything, short ones do not reach.
    let far = sim.cast_ray(then, Vec3::new(3.0, 1.0, -400.0), ahead, 1e4);
    assert_eq!(far.map(|h| h.body), Some(ball));
    assert_eq!(sim.cast_ray(then, eye, ahead, 3.0), None);
    let wall = sim.cast_ray(then, Vec3::new(0.0, 1.0, 0.0), ahead, 20.0);
    assert_eq!(wall.map(|h| (h.body, h.distance)), Some((block, 4.5)));
    let down = sim.cast_ray(then, Vec3::new(9.0, 2.0, 9.0), Vec3::NEG_Y, 20.0);
    assert_eq!(down.map(|h| (h.body, h.distance)), Some((BodyId(0), 2.0)));
    let probe = [Part::centred(Shape::Ball { radius: 0.3 })];
    let near = Pose::from_translation(Vec3::new(3.4, 1.0, 0.0));
    assert_eq!(
        sim.overlapping(then, &probe, near).expect("a shape"),
        [ball]
    );
    let none = sim.overlapping(sim.now(), &probe, near).expect("a shape");
    assert!(none.is_empty());
    // What is not retained, and what is not yet, cannot be asked.
    assert!(sim.state(ball, Tick::from_seconds(2.0)).is_none());
    assert!(sim.state(ball, Tick::from_seconds(4.5)).is_none());
    assert_eq!(
        sim.cast_ray(Tick::from_seconds(2.0), eye, ahead, 20.0),
        None
    );
}

#[test]
fn frames_are_confirmed_in_order_and_then_final() {
    let (world, _, ball) = range();
    let mut session = Session::new(world, 60, 30).expect("a sound world");
    session.advance_to(25).expect("it runs");
    let push = Action::Impulse {
        impulse: Vec3::Y,
        point: None,
    };
    let change = session.input(10, 1, ball, push).expect("in time");
    assert_eq!(change.changed, [(ball, session.tick(10))]);
    // The ball was at y = 1 until frame 10 and rises at 1 m/s from there.
    let height = |session: &mut Session, frame| session.state(ball, frame).map(|s| s.position.y);
    assert_eq!(height(&mut session, 10), Some(1.0));
    let risen = height(&mut session, 25).expect("retained");
    assert!((risen - 1.25).abs() < 1e-12, "{risen}");
    assert!(matches!(
        session.advance_to(31),
        Err(SessionError::TooFarAhead { asked: 31, .. })
    ));
    session.confirm(20).expect("it was simulated");
    session.advance_to(31).expect("it runs");
    assert!(matches!(
        session.input(19, 1, ball, push),
        Err(SessionError::Confirmed {
            frame: 19,
            confirmed: 20
        })
    ));
    session.input(20, 1, ball, push).expect("not confirmed yet");
    session.withdraw(20, 1, ball).expect("it is there");
    let risen = height(&mut session, 31).expect("retained");
    assert!((risen - 1.35).abs() < 1e-12, "{risen}");
}

#[test]
fn inputs_that_make_no_sense_are_refused_and_change_nothing() {
    let (world, block, ball) = range();
    let mut sim = Simulation::new(world, 0.5).expect("a sound world");
    sim.advance(Tick::from_seconds(2.0)).expect("it runs");
    let before = sim.hash_at(sim.now());
    let input = |body, at: f64, action| Input {
        at: Tick::from_seconds(at),
        body,
        order: 0,
        action,
    };
    let push = |impulse| Action::Impulse {
        impulse,
        point: None,
    };
    let refused = [
        input(ball, 1.0, push(Vec3::Y)),
        input(block, 1.9, push(Vec3::Y)),
        input(BodyId(77), 1.9, push(Vec3::Y)),
        input(ball, 1.9, push(Vec3::splat(f64::NAN))),
        input(
            ball,
            1.9,
            Action::Force {
                force: Vec3::Y,
                ticks: 0,
            },
        ),
        input(
            ball,
            1.9,
            Action::Motor {
                velocity: Vec3::Y,
                spin: Vec3::ZERO,
            },
        ),
    ];
    for input in refused {
        let error = sim.input(input).expect_err("it makes no sense");
        assert!(error.to_string().len() > 20, "{error}");
    }
    let twice = input(ball, 1.9, push(Vec3::Y));
    let change = sim.inputs(&[twice, twice]);
    assert!(change.expect_err("taken").to_string().contains("already"));
    assert_eq!(sim.hash_at(sim.now()), before);
}
