//! A world of two balls for the tests of the engine's parts.

use super::models::Models;
use super::worldlines::Worldlines;
use super::{Course, look_ahead};
use crate::contact::ContactRules;
use crate::world::{BodyId, World};
use physics::body::Heft;
use physics::groups::Settings;
use physics::{BodyModel, Material, Part, Pose, Shape, State, Vec3};
use warp::{EventOrder, Moment, Tick};

/// A place in the order.
pub fn at(tick: i64) -> EventOrder {
    EventOrder {
        moment: Moment::at(Tick(tick)),
        key: 1,
    }
}

/// Two balls of half a metre at rest, four metres apart, with two slots each, and their first segments.
pub fn two_balls() -> (World, Worldlines, Models) {
    let mut world = World::new("two balls", Vec3::ZERO, 1.0);
    world.slots = 2;
    world.contact = Some(ContactRules::soft_step(Settings::default()).expect("sound settings"));
    let part = Part::centred(Shape::Ball { radius: 0.5 });
    let ball = BodyModel::dynamic(&[part], Heft::Mass(1.0), Material::default(), Vec3::ZERO);
    let model = world.add_model(ball.expect("a ball"));
    for x in [0.0, 4.0] {
        let pose = Pose::from_translation(Vec3::new(x, 0.0, 0.0));
        world.add_dynamic(format!("ball at {x}"), model, State::at_rest(pose));
    }
    let models = Models::new(&world, &look_ahead::grid_for(&world));
    let mut lines = Worldlines::new(&world);
    for (number, body) in world.bodies.iter().enumerate() {
        let node = lines.add_process(EventOrder::before(Moment::at(Tick::ZERO)));
        let model = body.model;
        let course = Course::alone(BodyId(number as u32), body.start, node, model);
        lines.place(node, &course, &models);
    }
    (world, lines, models)
}
