//! Shapes as scenes write them: one key names the kind and holds its size, `position` and `rotation`
//! place it in the body. Sizes are full extents in metres; capsules and cylinders stand along y.

use super::decode::{Decoded, Table, list, number, vector, vectors};
use super::error::Fault;
use super::files::Files;
use super::keys::{self, SHAPE_KINDS, Section};
use super::meshes;
use super::random::Random;
use super::tree::Node;
use physics::{Part, Shape, Vec3};

/// Points of a random hull, and cells of a height field: more is surely a mistake.
const POINTS_MAX: u64 = 10_000;

/// What shapes are read with.
pub(super) struct Source<'a> {
    /// Where meshes lie.
    pub files: &'a Files,
    /// Added to the seed of a random hull.
    pub variant: u64,
    /// Whether the body moves, so that a surface alone will not do.
    pub moves: bool,
}

/// Reads one shape, which may be several convex pieces.
pub(super) fn parts(node: &Node, table: &Table<'_>, source: &Source<'_>) -> Decoded<Vec<Part>> {
    let t = Table::open(node, &keys::SHAPE, table.scope())?;
    let mut kinds = SHAPE_KINDS.iter().filter_map(|k| Some((*k, t.get(k)?)));
    let (Some((kind, size)), None) = (kinds.next(), kinds.next()) else {
        return Err(Fault::new(
            &node.place,
            format!("a shape has exactly one of: {}", SHAPE_KINDS.join(", ")),
        ));
    };
    let shapes = match kind {
        "mesh" => meshes::read(size, &t, source)?,
        _ => vec![read(kind, size, &t, source.variant)?],
    };
    let pose = t.pose()?;
    let placed = shapes.into_iter().map(|shape| {
        let checked = shape.validate();
        checked.map_err(|e| Fault::new(&size.place, e.to_string()))?;
        Ok(Part { shape, pose })
    });
    placed.collect()
}

fn read(kind: &str, size: &Node, t: &Table<'_>, variant: u64) -> Decoded<Shape> {
    let scope = t.scope();
    Ok(match kind {
        "ball" => Shape::Ball {
            radius: number(size, "ball", scope)?,
        },
        "box" => Shape::Box {
            half_extents: vector(size, "box", scope)? * 0.5,
        },
        "capsule" => {
            let (length, radius) = round(size, t, &keys::CAPSULE, "length")?;
            Shape::Capsule {
                half_height: 0.5 * length,
                radius,
            }
        }
        "cylinder" => {
            let (height, radius) = round(size, t, &keys::CYLINDER, "height")?;
            Shape::Cylinder {
                half_height: 0.5 * height,
                radius,
            }
        }
        "hull" => Shape::Hull {
            points: vectors(size, "hull", scope)?,
        },
        "random_hull" => random_hull(size, t, variant)?,
        "half_space" => Shape::HalfSpace {
            normal: vector(size, "half_space", scope)?,
        },
        _ => height_field(size, t)?,
    })
}

/// Length (or height) and radius.
fn round(size: &Node, t: &Table<'_>, section: &Section, long: &str) -> Decoded<(f64, f64)> {
    let t = Table::open(size, section, t.scope())?;
    let need = |key: &str| {
        t.require(key, "a positive number of metres")?;
        Ok(t.positive(key)?.unwrap_or(0.0))
    };
    Ok((need(long)?, need("radius")?))
}

/// The hull of points near a stretched sphere: a rock.
fn random_hull(size: &Node, t: &Table<'_>, variant: u64) -> Decoded<Shape> {
    let t = Table::open(size, &keys::RANDOM_HULL, t.scope())?;
    let vertices = t.whole("vertices", 4, POINTS_MAX)?.unwrap_or(20);
    let size = t.positive("size")?.unwrap_or(1.0);
    let seed = t.whole("seed", 0, 1 << 53)?.unwrap_or(0);
    let mut random = Random::new(seed + variant);
    let stretch = Vec3::new(1.0, random.between(0.6, 1.0), random.between(0.6, 1.0));
    let mut point = || random.direction() * (0.5 * size * random.between(0.8, 1.0)) * stretch;
    Ok(Shape::Hull {
        points: (0..vertices).map(|_| point()).collect(),
    })
}

/// Heights given as rows, or hills made from a seed.
fn height_field(size: &Node, t: &Table<'_>) -> Decoded<Shape> {
    let t = Table::open(size, &keys::HEIGHT_FIELD, t.scope())?;
    let extent = t.require(
        "size",
        "[extent along x, factor on heights, extent along z]",
    )?;
    let scale = vector(extent, "size", t.scope())?;
    let heights = match (t.get("heights"), t.get("hills")) {
        (Some(rows), None) => list(rows, "heights")?
            .iter()
            .map(|row| {
                let row = list(row, "heights")?.iter();
                row.map(|h| number(h, "heights", t.scope())).collect()
            })
            .collect::<Decoded<Vec<Vec<f64>>>>()?,
        (None, Some(hills)) => rolling_hills(hills, &t)?,
        _ => return Err(t.fault("heights", "a height field needs `heights` or `hills`")),
    };
    Ok(Shape::HeightField { heights, scale })
}

/// A grid of heights from -1 to 1: a few plane waves of random direction and phase.
fn rolling_hills(node: &Node, t: &Table<'_>) -> Decoded<Vec<Vec<f64>>> {
    let t = Table::open(node, &keys::HILLS, t.scope())?;
    let cells = t.whole("cells", 1, 2048)?.unwrap_or(16);
    let waves = t.positive("waves")?.unwrap_or(2.0);
    let mut random = Random::new(t.whole("seed", 0, 1 << 53)?.unwrap_or(0));
    let tau = std::f64::consts::TAU;
    let trains: Vec<[f64; 3]> = (0..5)
        .map(|_| {
            let (sin, cos) = libm::sincos(random.between(0.0, tau));
            let wavenumber = tau * waves * random.between(0.4, 1.0);
            [wavenumber * cos, wavenumber * sin, random.between(0.0, tau)]
        })
        .collect();
    let height = |u: f64, v: f64| {
        let sum: f64 = trains
            .iter()
            .map(|[kx, kz, phase]| libm::sin(kx * u + kz * v + phase))
            .sum();
        sum / trains.len() as f64
    };
    let at = |i: u64| i as f64 / cells as f64;
    Ok((0..=cells)
        .map(|row| {
            (0..=cells)
                .map(|column| height(at(column), at(row)))
                .collect()
        })
        .collect())
}
