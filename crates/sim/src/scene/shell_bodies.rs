//! What else is in a scene with shells: bodies become obstacles of the shells, as meshes that stand or as the surfaces of
//! rigid bodies; whatever a shell cannot meet is refused, so that nothing passes through one without a word.

use super::builder::Builder;
use super::decode::{Decoded, Table};
use super::error::Fault;
use crate::multibodies::MultibodyBody;
use crate::world::{Body, BodyId, Kind, World};
use physics::triangle::hull_surface;
use physics::{Part, Pose, Shape, Vec3};
use shell::acm::{Mesh, RigidBody};
use std::f64::consts::{PI, TAU};

/// Meridians of round bodies that stand; half as many circles of latitude from pole to pole. Bodies that move have half as
/// many of both, since every push turns all of a surface.
const MERIDIANS: usize = 64;
/// Half of the side of the square that stands for a half-space, m.
const HALF_SPACE: f64 = 50.0;

/// A body of the world as a shell meets it.
pub(super) struct Met {
    /// Its surface at the start, in the world.
    pub meshes: Vec<Mesh>,
    /// If it moves, which body it is and what is constant about it.
    pub moving: Option<(BodyId, RigidBody, Pose)>,
}

/// All bodies, as surfaces: the fixed ones first. What has no surface here, links of multibodies, and cloth, are refused.
pub(super) fn obstacles(t: &Table<'_>, name: &str, builder: &Builder) -> Decoded<Vec<Met>> {
    let world = &builder.world;
    let is_cloth = |d: &&crate::deformable::DeformableBody| !d.model.shows_forms_only();
    if let Some(cloth) = world.deformables.iter().find(is_cloth) {
        return Err(stranger(t, name, &format!("cloth `{}`", cloth.name))
            .help("make the cloth a `[[shell]]`, or give the shell `collides = \"nothing\"`"));
    }
    let mut all = Vec::new();
    for (number, body) in world.bodies.iter().enumerate().filter(|b| !b.1.is_sensor) {
        let id = BodyId(number as u32);
        let model = &world.models[body.model.place()];
        let is_link = || {
            let of = |m: &MultibodyBody| m.links.iter().any(|link| link.body == id);
            world.multibodies.iter().any(of)
        };
        let moving = match body.kind {
            Kind::Fixed => None,
            Kind::Kinematic => Some(RigidBody {
                inverse_mass: 0.0,
                inverse_inertia: Vec3::ZERO,
            }),
            Kind::Dynamic => Some(RigidBody {
                inverse_mass: model.mass.inverse_mass,
                inverse_inertia: model.mass.inverse_inertia,
            }),
        };
        let meridians = if moving.is_some() {
            MERIDIANS / 2
        } else {
            MERIDIANS
        };
        let surfaces = surfaces(world, body, &model.collider.described, meridians);
        let help = "balls, boxes, capsules, cylinders, hulls, meshes and half-spaces can be met; use `[[cloth]]` for \
                    what meets other bodies, or give the shell `collides = \"nothing\"` if they may pass through each \
                    other";
        let refused = || stranger(t, name, &format!("{} `{}`", kind(body), body.name)).help(help);
        all.push(Met {
            meshes: surfaces.filter(|_| !is_link()).ok_or_else(refused)?,
            moving: moving.map(|rigid| (id, rigid, body.start.pose())),
        });
    }
    all.sort_by_key(|met| met.moving.is_some());
    Ok(all)
}

fn stranger(t: &Table<'_>, shell: &str, other: &str) -> Fault {
    let message =
        format!("shell `{shell}` and {other} would pass through each other: they cannot meet yet");
    Fault::new(t.place, message)
}

fn kind(body: &Body) -> &'static str {
    match body.kind {
        Kind::Fixed => "body",
        Kind::Kinematic => "kinematic body",
        Kind::Dynamic => "dynamic body",
    }
}

/// The surfaces of a body where it starts; none if one of its shapes has none here.
fn surfaces(world: &World, body: &Body, parts: &[Part], meridians: usize) -> Option<Vec<Mesh>> {
    let frame = world.models[body.model.place()].user_frame;
    let made = parts.iter().map(|part| {
        let mut mesh = surface(&part.shape, meridians)?;
        let pose: Pose = body.start.pose() * frame * part.pose;
        for vertex in &mut mesh.positions {
            *vertex = pose * *vertex;
        }
        Some(mesh)
    });
    made.collect()
}

fn surface(shape: &Shape, meridians: usize) -> Option<Mesh> {
    match shape {
        Shape::Ball { radius } => Some(capsule(*radius, 0.0, meridians)),
        Shape::Capsule {
            half_height,
            radius,
        } => Some(capsule(*radius, *half_height, meridians)),
        Shape::Cylinder {
            half_height,
            radius,
        } => Some(turned(
            &[[*radius, *half_height], [*radius, -*half_height]],
            *half_height,
            meridians,
        )),
        Shape::Box { half_extents } => Some(cuboid(*half_extents)),
        Shape::HalfSpace { normal } => {
            let u = normal.any_orthonormal_vector() * (2.0 * HALF_SPACE);
            let v = normal.cross(u);
            Some(Mesh::rectangle(2, 2, (u + v) * -0.5, u, v))
        }
        Shape::Mesh {
            vertices,
            triangles,
        } => Some(Mesh {
            positions: vertices.clone(),
            triangles: triangles.clone(),
        }),
        Shape::Hull { points } => {
            let (positions, triangles) = hull_surface(points)?;
            Some(Mesh {
                positions,
                triangles,
            })
        }
        Shape::HeightField { .. } => None,
    }
}

fn capsule(radius: f64, half_height: f64, meridians: usize) -> Mesh {
    let latitudes = meridians / 2;
    let mut profile = Vec::with_capacity(latitudes + 1);
    for ring in 1..latitudes {
        let (sin, cos) = libm::sincos(PI * ring as f64 / latitudes as f64);
        let is_above = 2 * ring <= latitudes;
        let end = if is_above { half_height } else { -half_height };
        profile.push([radius * sin, radius * cos + end]);
        // the straight part between the two halves
        if 2 * ring == latitudes && half_height > 0.0 {
            profile.push([radius, -half_height]);
        }
    }
    turned(&profile, half_height + radius, meridians)
}

/// The surface that a profile (radius, height) leaves when it is turned about y, closed by points at both ends.
fn turned(profile: &[[f64; 2]], end: f64, meridians: usize) -> Mesh {
    let mut mesh = Mesh::default();
    mesh.positions.push(Vec3::Y * end);
    for [radius, height] in profile {
        for a in 0..meridians {
            let (sin, cos) = libm::sincos(TAU * a as f64 / meridians as f64);
            mesh.positions
                .push(Vec3::new(radius * cos, *height, radius * sin));
        }
    }
    mesh.positions.push(Vec3::Y * -end);
    let at = |ring: usize, a: usize| (1 + ring * meridians + a % meridians) as u32;
    let last = mesh.positions.len() as u32 - 1;
    for a in 0..meridians {
        mesh.triangles.push([0, at(0, a + 1), at(0, a)]);
        for ring in 1..profile.len() {
            let [p, q] = [at(ring - 1, a), at(ring - 1, a + 1)];
            let [s, r] = [at(ring, a), at(ring, a + 1)];
            mesh.triangles.extend([[p, q, r], [p, r, s]]);
        }
        let ring = profile.len() - 1;
        mesh.triangles.push([last, at(ring, a), at(ring, a + 1)]);
    }
    mesh
}

fn cuboid(half: Vec3) -> Mesh {
    let corner = |i: u32| {
        let sign = |bit: u32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        half * Vec3::new(sign(0), sign(1), sign(2))
    };
    let faces: [[u32; 4]; 6] = [
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
    ];
    Mesh {
        positions: (0..8).map(corner).collect(),
        triangles: faces
            .iter()
            .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]])
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Signed volume by the divergence theorem: closed, and wound outwards.
    fn volume(mesh: &Mesh) -> f64 {
        let of = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| mesh.positions[v as usize]);
            a.dot(b.cross(c)) / 6.0
        };
        mesh.triangles.iter().map(of).sum()
    }

    #[test]
    fn surfaces_hold_the_volume_of_their_shapes() {
        let half_extents = Vec3::new(1.0, 2.0, 3.0);
        let cases = [
            (Shape::Box { half_extents }, 48.0),
            (Shape::Ball { radius: 1.0 }, 4.0 / 3.0 * PI),
            (
                Shape::Capsule {
                    half_height: 2.0,
                    radius: 1.0,
                },
                4.0 / 3.0 * PI + 4.0 * PI,
            ),
            (
                Shape::Cylinder {
                    half_height: 2.0,
                    radius: 1.0,
                },
                4.0 * PI,
            ),
        ];
        for (shape, expected) in cases {
            let mesh = surface(&shape, MERIDIANS).unwrap();
            mesh.validate().unwrap();
            let found = volume(&mesh);
            // 64 meridians and 32 latitudes inside the round surface lose less than one per cent
            assert!((found / expected - 1.0).abs() < 0.01, "{shape:?}: {found}");
        }
    }
}
