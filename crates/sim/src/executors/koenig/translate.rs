//! A world as the protocol's scene, or the first thing in it that the protocol does not know.

use crate::layers::Layers;
use crate::world::{Body, Kind, World};
use ::koenig::{Fixed, Form, Frame, Ms, Phy, Scene, Sphere};
use physics::body::Law;
use physics::{BodyModel, ModelId, Pose, Shape, Vec3};

/// Something in a world that the protocol does not know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "koenig knows balls that bounce, without friction, off each other and off half-spaces, boxes, cylinders and balls that \
     stay where they are, and nothing else: {0}; use timewarp or ordered"
)]
pub struct Unknown(String);

/// A scene, and which bodies its entities and its fixed shapes are.
pub(super) struct Translated {
    pub scene: Scene,
    pub entities: Vec<u32>,
    pub fixed: Vec<u32>,
}

/// The protocol's scene of a world with a sub-step of so many milliseconds.
pub fn koenig_scene(world: &World, sub_step: u32) -> Result<Scene, Unknown> {
    translate(world, Ms::from(sub_step)).map(|translated| translated.scene)
}

pub(super) fn translate(world: &World, sub_step: Ms) -> Result<Translated, Unknown> {
    refuse_world(world)?;
    // A sub-step that is not positive is the protocol's to refuse.
    let step = sub_step.max(1);
    let steps = (world.until.seconds() * 1e3 / step as f64).ceil() as Ms;
    let (models, surfaces) = surfaces(world);
    let mut translated = Translated {
        scene: Scene {
            restitution: restitutions(world, &models)?,
            gravity: world.gravity,
            end: steps * step,
            ..Scene::default()
        },
        entities: Vec::new(),
        fixed: Vec::new(),
    };
    for (number, body) in (0..).zip(&world.bodies) {
        let model = &world.models[body.model.place()];
        let surface = surfaces[number as usize];
        match body.kind {
            Kind::Dynamic => {
                let sphere = sphere(world, body, model, surface).map_err(Unknown)?;
                translated.scene.spheres.push(sphere);
                translated.entities.push(number);
            }
            Kind::Fixed => {
                for form in forms(body, model).map_err(Unknown)? {
                    translated.scene.fixed.push(Fixed { form, surface });
                    translated.fixed.push(number);
                }
            }
            Kind::Kinematic => return Err(Unknown(format!("`{}` is kinematic", body.name))),
        }
    }
    Ok(translated)
}

/// What no body is to blame for.
fn refuse_world(world: &World) -> Result<(), Unknown> {
    let unknown = |what: String| Err(Unknown(what));
    if let Some(first) = world.deformables.first() {
        return unknown(format!("`{}` is cloth or a shell", first.name));
    }
    if let Some(first) = world.multibodies.first() {
        return unknown(format!("`{}` is a multibody", first.name));
    }
    if let Some(first) = world.joints.first() {
        return unknown(format!("`{}` is a joint", first.name));
    }
    if world.periodic.is_some() {
        return unknown("the world has a periodic box".into());
    }
    if world.contact.is_some() {
        return unknown("the world has rules of `[contact]`".into());
    }
    if !world.inputs.is_empty() {
        return unknown("the world has inputs, or forces that begin or end".into());
    }
    if let Some(first) = world.callbacks.first() {
        return unknown(format!("`{}` is a callback", first.name));
    }
    if world.on_collision.is_some() {
        return unknown("the world has a callback for collisions".into());
    }
    if world.redraw_hertz.is_some() {
        return unknown("the world has `redraw_hertz`".into());
    }
    match world.bodies.iter().find(|b| b.layers != Layers::default()) {
        Some(body) => unknown(format!("`{}` has layers", body.name)),
        None => Ok(()),
    }
}

/// The models that bodies have, each with the first body that has it, and every body's place among them.
fn surfaces(world: &World) -> (Vec<ModelId>, Vec<usize>) {
    let mut models: Vec<ModelId> = world.bodies.iter().map(|b| b.model).collect();
    models.sort_unstable();
    models.dedup();
    let place = |body: &Body| models.partition_point(|m| *m < body.model);
    let surfaces = world.bodies.iter().map(place).collect();
    (models, surfaces)
}

/// Restitution of every two models; those of which one moves must meet without friction.
fn restitutions(world: &World, models: &[ModelId]) -> Result<Vec<Vec<f64>>, Unknown> {
    let model = |id: &ModelId| &*world.models[id.place()];
    let name = |id: &ModelId| {
        let body = world.bodies.iter().find(|b| b.model == *id);
        body.map_or("", |b| b.name.as_str())
    };
    let mut rows = Vec::with_capacity(models.len());
    for a in models {
        let mut row = Vec::with_capacity(models.len());
        for b in models {
            let meeting = model(a).meeting(model(b));
            let meets = model(a).is_movable() || model(b).is_movable();
            if meets && meeting.material.friction > 0.0 {
                let (a, b) = (name(a), name(b));
                return Err(Unknown(match a == b {
                    true => format!("bodies like `{a}` have friction"),
                    false => format!("`{a}` and `{b}` have friction"),
                }));
            }
            row.push(meeting.material.restitution);
        }
        rows.push(row);
    }
    Ok(rows)
}

fn sphere(world: &World, body: &Body, model: &BodyModel, surface: usize) -> Result<Sphere, String> {
    let name = &body.name;
    let physics::Form::Ball { radius } = model.collider.form else {
        return Err(format!("`{name}` moves and is not a ball"));
    };
    if body.is_absent {
        return Err(format!("`{name}` is not there at the start"));
    }
    if model.law != Law::Ballistic {
        return Err(format!("`{name}` has damping or a force field"));
    }
    if model.gravity != world.gravity {
        return Err(format!("`{name}` has a gravity of its own"));
    }
    if body.start.spin != Vec3::ZERO {
        return Err(format!("`{name}` spins"));
    }
    Ok(Sphere {
        radius,
        mass: model.mass.mass,
        surface,
        start: Phy {
            position: body.start.position,
            velocity: body.start.velocity,
        },
    })
}

/// The shapes of a fixed body, in the world.
fn forms(body: &Body, model: &BodyModel) -> Result<Vec<Form>, String> {
    let form = |part: &physics::Part| {
        let pose = body.start.pose() * part.pose;
        Ok(match &part.shape {
            Shape::Ball { radius } => Form::Ball {
                centre: pose.translation,
                radius: *radius,
            },
            Shape::Box { half_extents } => Form::Box {
                frame: frame(&pose),
                half_extents: *half_extents,
            },
            Shape::Cylinder {
                half_height,
                radius,
            } => Form::Cylinder {
                frame: frame(&pose),
                half_height: *half_height,
                radius: *radius,
            },
            Shape::HalfSpace { normal } => {
                let normal = (pose.rotation * *normal).normalize();
                Form::HalfSpace {
                    normal,
                    offset: normal.dot(pose.translation),
                }
            }
            other => return Err(format!("`{}` is {}", body.name, other.name())),
        })
    };
    model.collider.described.iter().map(form).collect()
}

fn frame(pose: &Pose) -> Frame {
    let axis = |unit: Vec3| pose.rotation * unit;
    Frame {
        origin: pose.translation,
        axes: [axis(Vec3::X), axis(Vec3::Y), axis(Vec3::Z)],
    }
}
