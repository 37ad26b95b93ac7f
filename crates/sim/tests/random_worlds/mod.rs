//! Random worlds: of all shapes, with a kinematic paddle, callbacks and slots; heaps; and worlds of all
//! features (`draw`), as plans that can be cut down (`plan`) and are judged under every executor
//! (`verdict`).

// Every test includes this module and uses a part of it.
#![allow(dead_code)]

pub mod draw;
pub mod plan;
pub mod verdict;

use physics::body::Heft;
use physics::groups::Settings;
use physics::{BodyModel, Material, Part, Pose, Quat, Shape, State, Vec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::sync::Arc;
use warp::Tick;
use warpline_sim::{BodyId, Callback, ContactRules, Key, Script, World};

const EDGE: f64 = 3.0;

fn vector(rng: &mut Pcg64Mcg, size: f64) -> Vec3 {
    let mut one = || (rng.random::<f64>() * 2.0 - 1.0) * size;
    Vec3::new(one(), one(), one())
}

fn shape(rng: &mut Pcg64Mcg, kind: u32) -> Vec<Part> {
    let size = 0.1 + 0.1 * rng.random::<f64>();
    let ball =
        |radius: f64, x: f64| Part::at(Shape::Ball { radius }, Vec3::new(x, 0.3 * x.abs(), 0.0));
    match kind % 7 {
        0 => vec![Part::centred(Shape::Ball { radius: size })],
        1 => vec![
            ball(size, 0.0),
            ball(0.6 * size, size),
            ball(0.6 * size, -size),
        ],
        2 => vec![Part::centred(Shape::Box {
            half_extents: Vec3::new(size, 0.6 * size, 0.8 * size),
        })],
        3 => vec![Part::centred(Shape::Capsule {
            half_height: size,
            radius: 0.5 * size,
        })],
        4 => vec![Part::centred(Shape::Cylinder {
            half_height: 0.7 * size,
            radius: size,
        })],
        5 => {
            let points = (0..12)
                .map(|_| vector(rng, 1.0).normalize() * size)
                .collect();
            vec![Part::centred(Shape::Hull { points })]
        }
        _ => vec![
            Part::at(
                Shape::Box {
                    half_extents: Vec3::splat(0.5 * size),
                },
                Vec3::X * size,
            ),
            ball(0.7 * size, -0.5 * size),
        ],
    }
}

/// A box of half-spaces with bodies on a lattice, a moving paddle and a callback.
pub fn random_world(seed: u64, bodies: usize, gravity: f64, friction: f64) -> World {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let g = Vec3::new(0.0, -gravity, 0.0);
    let mut world = World::new("random", g, 0.6);
    let material = Material {
        restitution: 1.0,
        friction,
    };
    for (index, normal) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
        for (side, normal) in [normal, -normal].into_iter().enumerate() {
            let part = Part::centred(Shape::HalfSpace { normal });
            let model = BodyModel::fixed(&[part], material).expect("a half-space");
            let model = world.add_model(model);
            let at = if side == 0 {
                Vec3::ZERO
            } else {
                -normal * EDGE
            };
            world.add_fixed(
                format!("wall {index}{side}"),
                model,
                Pose::from_translation(at),
            );
        }
    }
    let paddle = BodyModel::kinematic(
        &[Part::centred(Shape::Box {
            half_extents: Vec3::new(0.05, 0.6, 0.6),
        })],
        material,
    );
    let paddle = world.add_model(paddle.expect("a box"));
    let key = |seconds: f64, x: f64, angle: f64| Key {
        at: Tick::from_seconds(seconds),
        pose: Pose::from_parts(Vec3::new(x, 1.5, 1.5), Quat::from_rotation_y(angle)),
    };
    let keys = vec![
        key(0.0, 1.5, 0.0),
        key(0.2, 1.7, 0.0),
        key(0.35, 1.6, 0.4),
        key(0.5, 1.5, 0.0),
    ];
    world.add_kinematic("paddle", paddle, Script::new(keys));
    let per_edge = 4;
    let mut placed = Vec::new();
    for cell in 0..per_edge * per_edge * per_edge {
        if placed.len() >= bodies {
            break;
        }
        let spacing = EDGE / per_edge as f64;
        let index = [
            cell % per_edge,
            cell / per_edge % per_edge,
            cell / per_edge / per_edge,
        ];
        let position = Vec3::from_array(index.map(|i| (i as f64 + 0.5) * spacing));
        if (position.x - 1.5).abs() < 0.45 {
            continue;
        }
        let kind = rng.random::<u32>();
        let parts = shape(&mut rng, kind);
        let model = BodyModel::dynamic(&parts, Heft::Density(800.0), material, g).expect("a solid");
        let damped = rng.random::<f64>() < 0.2;
        let model = if damped {
            model.with_forces([0.3, 0.2], None)
        } else {
            model
        };
        let model = world.add_model(model);
        let state = State {
            position,
            velocity: vector(&mut rng, 3.0),
            rotation: physics::rotation::from_rotation_vector(vector(&mut rng, 2.0)),
            spin: vector(&mut rng, 6.0),
        };
        placed.push(world.add_dynamic(format!("body {cell}"), model, state));
    }
    add_callbacks(&mut world, &placed);
    world
}

fn add_callbacks(world: &mut World, placed: &[BodyId]) {
    world.slots = 1;
    world.on_collision = Some(Arc::new(|_, views, _| {
        for view in views.iter_mut() {
            view.slots[0] += 1.0;
        }
    }));
    world.callbacks.push(Callback {
        name: "kick".into(),
        bodies: placed.iter().copied().take(3).collect(),
        first: 0.05,
        run: Arc::new(|seconds, views| {
            for view in views.iter_mut() {
                let push = view.inverse_mass.recip() * (1.0 + 0.1 * view.slots[0]);
                view.push(Vec3::new(0.0, 0.3 * push, 0.1 * push));
            }
            (seconds < 0.5).then_some(0.07)
        }),
    });
}

/// Boxes and balls that fall on a floor, on each other and on a kinematic table, and come to rest.
pub fn heap(seed: u64) -> World {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let gravity = Vec3::new(0.0, -9.81, 0.0);
    let mut world = World::new("heap", gravity, 0.75);
    world.contact = Some(ContactRules {
        rest_after: 0.1,
        ..ContactRules::soft_step(Settings::default()).expect("sound settings")
    });
    let material = Material {
        restitution: 0.2,
        friction: 0.5,
    };
    let floor = Part::centred(Shape::HalfSpace { normal: Vec3::Y });
    let floor = world.add_model(BodyModel::fixed(&[floor], material).expect("a half-space"));
    world.add_fixed("floor", floor, Pose::IDENTITY);
    let slab = Part::centred(Shape::Box {
        half_extents: Vec3::new(0.5, 0.05, 0.5),
    });
    let slab = world.add_model(BodyModel::kinematic(&[slab], material).expect("a box"));
    let at = Pose::from_translation(Vec3::new(3.0, 0.5, 1.5));
    let key = Key {
        at: Tick::ZERO,
        pose: at,
    };
    world.add_kinematic("table", slab, Script::new(vec![key]));
    for index in 0..12u32 {
        let size = 0.1 + 0.05 * rng.random::<f64>();
        let shape = match index % 3 {
            0 => Shape::Ball { radius: size },
            _ => Shape::Box {
                half_extents: Vec3::new(size, 0.7 * size, size),
            },
        };
        let parts = [Part::centred(shape)];
        let model = BodyModel::dynamic(&parts, Heft::Density(500.0), material, gravity);
        let model = world.add_model(model.expect("a solid"));
        let (column, level) = (index % 4, index / 4);
        let x = if column == 3 {
            3.0
        } else {
            0.8 + 0.31 * f64::from(column)
        };
        let base = if column == 3 { 0.56 } else { 0.01 };
        let position = Vec3::new(x, base + 0.16 + 0.33 * f64::from(level), 1.5);
        let state = State::at_rest(Pose::from_translation(position));
        world.add_dynamic(format!("body {index}"), model, state);
    }
    world
}
