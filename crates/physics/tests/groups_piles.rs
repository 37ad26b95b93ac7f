//! `soft-step` on heaps: rocks on a mountainside, every solid shape on every ground.

use crate::groups_yard;

use groups_yard::{Yard, cuboid, material};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use warpline_physics::groups::{Settings, SoftStep};
use warpline_physics::{Pose, Quat, Shape, Vec3};

const STEP: f64 = 1.0 / 120.0;

fn solver() -> SoftStep {
    SoftStep::new(Settings::default()).expect("the default settings are valid")
}

/// A hull of 20 points on a sphere.
fn rock(rng: &mut Pcg64Mcg, radius: f64) -> Shape {
    let mut points = Vec::new();
    while points.len() < 20 {
        let point = Vec3::from_array([(); 3].map(|()| rng.random_range(-1.0..1.0)));
        let length = point.length();
        if length > 0.1 && length < 1.0 {
            points.push(point * (radius / length));
        }
    }
    Shape::Hull { points }
}

fn any_turn(rng: &mut Pcg64Mcg) -> Quat {
    let [x, y, z, w] = [(); 4].map(|()| rng.random_range(-1.0..1.0));
    Quat::from_xyzw(x, y, z, w).normalize()
}

fn mountain(x: f64) -> f64 {
    if x < 0.0 { -0.577 * x } else { 0.0 }
}

fn mountainside() -> Shape {
    let row: Vec<f64> = (0..81).map(|i| mountain(i as f64 * 0.5 - 20.0)).collect();
    Shape::HeightField {
        heights: vec![row; 41],
        scale: Vec3::new(40.0, 1.0, 20.0),
    }
}

/// Rocks of half a metre roll down a 30 degree slope onto each other: no vertex gets below the
/// ground, and no two rocks overlap, by more than 5 mm.
#[test]
fn rocks_on_a_mountainside_stay_above_it_and_out_of_each_other() {
    let mut rng = Pcg64Mcg::seed_from_u64(7);
    let mut yard = Yard::default();
    yard.fixed(mountainside(), Vec3::ZERO, material(0.5, 0.0));
    for k in 0..60 {
        let (x, z) = (-8.0 + (k % 6) as f64 * 0.8, (k / 6 % 5) as f64 * 0.8 - 2.0);
        let y = mountain(x) + 0.6 + (k / 30) as f64 * 0.75;
        let shape = rock(&mut rng, 0.25);
        let pose = Pose::from_parts(Vec3::new(x, y, z), any_turn(&mut rng));
        yard.add(shape, 50.0, pose, material(0.5, 0.0));
    }
    yard.run(&solver(), STEP, 6.0);
    assert!(yard.deepest < 5e-3, "{} m deep", yard.deepest);
    for (model, state) in yard.models.iter().zip(&yard.states) {
        let (radius, height) = (
            model.bounding_radius(),
            state.position.y - mountain(state.position.x),
        );
        // A hull of points on a ball is flatter than the ball, but its centre stays inside of it.
        assert!(
            height > 0.2 * radius,
            "a rock lies {height} m above the ground"
        );
    }
}

fn flat_mesh() -> Shape {
    let at = |i: u32, j: u32| Vec3::new(f64::from(i) - 5.0, 0.0, f64::from(j) - 5.0);
    let vertices = (0..121).map(|k| at(k / 11, k % 11)).collect();
    let quad = |i: u32, j: u32| {
        let [a, b, c, d] =
            [(i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1)].map(|(i, j)| 11 * i + j);
        [[a, c, b], [b, c, d]]
    };
    let triangles = (0..100).flat_map(|k| quad(k / 10, k % 10)).collect();
    Shape::Mesh {
        vertices,
        triangles,
    }
}

/// Every solid comes to rest on every kind of ground, at the height its shape says.
#[test]
fn every_solid_rests_on_every_ground() {
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    let normal = Vec3::Y;
    let grounds = [
        Shape::HalfSpace { normal },
        cuboid(5.0, 0.5, 5.0),
        Shape::HeightField {
            heights: vec![vec![0.0; 11]; 11],
            scale: Vec3::new(10.0, 1.0, 10.0),
        },
        flat_mesh(),
    ];
    for ground in grounds {
        let solids = [
            (Shape::Ball { radius: 0.2 }, Some(0.2)),
            (cuboid(0.2, 0.3, 0.25), Some(0.3)),
            (
                Shape::Capsule {
                    half_height: 0.3,
                    radius: 0.15,
                },
                None,
            ),
            (
                Shape::Cylinder {
                    half_height: 0.3,
                    radius: 0.2,
                },
                Some(0.3),
            ),
            (rock(&mut rng, 0.25), None),
        ];
        for (solid, height) in solids {
            let mut yard = Yard::default();
            let name = (solid.name(), ground.name());
            let down = if matches!(ground, Shape::Box { .. }) {
                -0.5
            } else {
                0.0
            };
            yard.fixed(
                ground.clone(),
                Vec3::new(0.0, down, 0.0),
                material(0.6, 0.0),
            );
            let pose = Pose::from_translation(Vec3::new(0.3, height.unwrap_or(0.5), 0.2));
            let body = yard.add(solid, 3.0, pose, material(0.6, 0.0));
            yard.run(&solver(), STEP, 4.0);
            let (state, start) = (yard.states[body], 0.3);
            assert!(yard.deepest < 1e-3, "{name:?}: {} m deep", yard.deepest);
            assert!(
                state.velocity.length() < 0.05,
                "{name:?}: {}",
                state.velocity
            );
            if let Some(height) = height {
                // At most the skin above its start, which was exact contact.
                let rise = state.position.y - height;
                assert!((-1e-5..5e-4).contains(&rise), "{name:?}: rose by {rise}");
                assert!((state.position.x - start).abs() < 1e-3, "{name:?}: crept");
            }
        }
    }
}

/// A box that slides over the inner edges of a flat mesh is not tripped by them.
#[test]
fn inner_edges_of_a_flat_mesh_do_not_trip() {
    let slide = |ground: Shape| {
        let mut yard = Yard::default();
        yard.fixed(ground, Vec3::ZERO, material(0.1, 0.0));
        let pose = Pose::from_translation(Vec3::new(-4.0, 0.1, 0.13));
        let block = yard.add(cuboid(0.2, 0.1, 0.2), 2.0, pose, material(0.1, 0.0));
        yard.states[block].velocity.x = 3.0;
        yard.run(&solver(), STEP, 2.0);
        yard.states[block]
    };
    let (plane, mesh) = (
        slide(Shape::HalfSpace { normal: Vec3::Y }),
        slide(flat_mesh()),
    );
    let apart = (plane.position - mesh.position).length();
    // They differ by the height of the skin and what settling into it costs.
    assert!(
        apart < 0.01,
        "{} on the plane, {} on the mesh",
        plane.position,
        mesh.position
    );
}
