//! What else is in a scene with shells: fixed bodies become obstacles of the shells, as meshes; whatever a shell cannot
//! meet is refused, so that nothing passes through one without a word.

use super::builder::Builder;
use super::decode::{Decoded, Table};
use super::error::Fault;
use crate::world::{Body, Kind, World};
use physics::{Part, Pose, Shape, Vec3};
use shell::acm::Mesh;
use std::f64::consts::{PI, TAU};

/// Meridians of round bodies, and circles of latitude from pole to pole.
const MERIDIANS: usize = 64;
const LATITUDES: usize = 32;
/// Half of the side of the square that stands for a half-space, m.
const HALF_SPACE: f64 = 50.0;

/// The surfaces of all fixed bodies. Other bodies, and cloth, are refused.
pub(super) fn obstacles(t: &Table<'_>, name: &str, builder: &Builder) -> Decoded<Vec<Mesh>> {
    let world = &builder.world;
    let is_cloth = |d: &&crate::deformable::DeformableBody| !d.model.shows_forms_only();
    if let Some(cloth) = world.deformables.iter().find(is_cloth) {
        return Err(stranger(t, name, &format!("cloth `{}`", cloth.name))
            .help("make the cloth a `[[shell]]`, or give the shell `collides = \"nothing\"`"));
    }
    let mut meshes = Vec::new();
    for body in &world.bodies {
        let parts = &world.models[body.model.place()].collider.described;
        let surfaces = match body.kind {
            Kind::Fixed => surfaces(world, body, parts),
            Kind::Kinematic | Kind::Dynamic => None,
        };
        let help = "fixed balls, boxes, capsules, cylinders, meshes and half-spaces can be met, and meshes that move by \
                    a script as `obstacles` of the shell; use `[[cloth]]` for what meets other bodies, or give the \
                    shell `collides = \"nothing\"` if they may pass through each other";
        let refused = || stranger(t, name, &format!("{} `{}`", kind(body), body.name)).help(help);
        meshes.extend(surfaces.ok_or_else(refused)?);
    }
    Ok(meshes)
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

/// The surfaces of a fixed body where it stands; none if one of its shapes has none here.
fn surfaces(world: &World, body: &Body, parts: &[Part]) -> Option<Vec<Mesh>> {
    let frame = world.models[body.model.place()].user_frame;
    let made = parts.iter().map(|part| {
        let mut mesh = surface(&part.shape)?;
        let pose: Pose = body.start.pose() * frame * part.pose;
        for vertex in &mut mesh.positions {
            *vertex = pose * *vertex;
        }
        Some(mesh)
    });
    made.collect()
}

fn surface(shape: &Shape) -> Option<Mesh> {
    match shape {
        Shape::Ball { radius } => Some(capsule(*radius, 0.0)),
        Shape::Capsule {
            half_height,
            radius,
        } => Some(capsule(*radius, *half_height)),
        Shape::Cylinder {
            half_height,
            radius,
        } => Some(turned(
            &[[*radius, *half_height], [*radius, -*half_height]],
            *half_height,
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
        Shape::Hull { .. } | Shape::HeightField { .. } => None,
    }
}

fn capsule(radius: f64, half_height: f64) -> Mesh {
    let mut profile = Vec::with_capacity(LATITUDES + 1);
    for ring in 1..LATITUDES {
        let (sin, cos) = libm::sincos(PI * ring as f64 / LATITUDES as f64);
        let is_above = 2 * ring <= LATITUDES;
        let end = if is_above { half_height } else { -half_height };
        profile.push([radius * sin, radius * cos + end]);
        // the straight part between the two halves
        if 2 * ring == LATITUDES && half_height > 0.0 {
            profile.push([radius, -half_height]);
        }
    }
    turned(&profile, half_height + radius)
}

/// The surface that a profile (radius, height) leaves when it is turned about y, closed by points at both ends.
fn turned(profile: &[[f64; 2]], end: f64) -> Mesh {
    let mut mesh = Mesh::default();
    mesh.positions.push(Vec3::Y * end);
    for [radius, height] in profile {
        for a in 0..MERIDIANS {
            let (sin, cos) = libm::sincos(TAU * a as f64 / MERIDIANS as f64);
            mesh.positions
                .push(Vec3::new(radius * cos, *height, radius * sin));
        }
    }
    mesh.positions.push(Vec3::Y * -end);
    let at = |ring: usize, a: usize| (1 + ring * MERIDIANS + a % MERIDIANS) as u32;
    let last = mesh.positions.len() as u32 - 1;
    for a in 0..MERIDIANS {
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
            let mesh = surface(&shape).unwrap();
            mesh.validate().unwrap();
            let found = volume(&mesh);
            // 64 meridians and 32 latitudes inside the round surface lose less than one per cent
            assert!((found / expected - 1.0).abs() < 0.01, "{shape:?}: {found}");
        }
    }
}
