//! The bodies as triangles, placed at a moment. Half-spaces become the part of their plane that lies in
//! front of all the others, and only if the camera is in front of them: six walls show their inside.

use super::camera::{Bounds, Camera, Vector, dot, sub, sum, unit};
use record::export::{Surface, colour, tessellate};
use record::{Header, Kind, Reader, Result, Shape, State};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Half the side of the square that a half-space's plane begins as, in multiples of the scene's radius.
const PLANE_REACH: f64 = 40.0;
/// Moments at which the scene's size is measured.
const MEASURES: i64 = 8;

/// A triangle in the world.
pub(crate) struct Triangle {
    pub(crate) corners: [Vector; 3],
    pub(crate) normals: [Vector; 3],
    pub(crate) colour: [f32; 3],
    /// Part of the floor: drawn with a grid, casts no shadow.
    pub(crate) floor: bool,
}

/// The bodies' shapes, ready to be placed.
pub(crate) struct Model {
    bodies: Vec<Drawn>,
}

struct Drawn {
    parts: Vec<(Arc<Surface>, Vector, [f64; 4])>,
    planes: Vec<(Vector, Vector)>,
    triangles: Option<Vec<[u32; 3]>>,
    colour: [f32; 3],
    moves: bool,
}

impl Model {
    pub(crate) fn new(header: &Header) -> Self {
        let mut surfaces: BTreeMap<String, Arc<Surface>> = BTreeMap::new();
        let bodies = header.bodies.iter().enumerate().map(|(index, body)| {
            let mut drawn = Drawn {
                parts: Vec::new(),
                planes: Vec::new(),
                triangles: None,
                colour: colour(index, body),
                moves: body.kind != Kind::Fixed,
            };
            for at in &body.shapes {
                if let Shape::HalfSpace { normal } = at.shape {
                    drawn.planes.push((at.position, turn(at.rotation, normal)));
                    continue;
                }
                if let Shape::Mesh { triangles, .. } = &at.shape {
                    drawn.triangles.get_or_insert_with(|| triangles.clone());
                }
                let surface = surfaces
                    .entry(format!("{:?}", at.shape))
                    .or_insert_with(|| Arc::new(tessellate(&at.shape)));
                drawn
                    .parts
                    .push((surface.clone(), at.position, at.rotation));
            }
            drawn
        });
        Self {
            bodies: bodies.collect(),
        }
    }

    /// Where everything that moves is from one tick to another; where all is if nothing moves.
    pub(crate) fn bounds(&self, reader: &Reader, (first, last): (i64, i64)) -> Result<Bounds> {
        let mut corners = Vec::new();
        for only_moving in [true, false] {
            let mut states = Vec::new();
            for step in 0..=MEASURES {
                let part = (i128::from(last) - i128::from(first)) * i128::from(step);
                let tick = first + (part / i128::from(MEASURES)) as i64;
                reader.states_at(tick, &mut states)?;
                for (index, (body, state)) in self.bodies.iter().zip(&states).enumerate() {
                    if only_moving && !body.moves {
                        continue;
                    }
                    match reader.vertices_at(index as u32, tick)? {
                        Some(frame) => corners.extend(frame.positions),
                        None => corners.extend(state.iter().flat_map(|state| body.corners(state))),
                    }
                }
            }
            if !corners.is_empty() {
                break;
            }
        }
        Ok(Bounds::new(corners))
    }

    /// Every triangle at a tick.
    pub(crate) fn at(&self, reader: &Reader, tick: i64, camera: &Camera) -> Result<Vec<Triangle>> {
        let mut states = Vec::new();
        reader.states_at(tick, &mut states)?;
        let mut out = Vec::new();
        for (index, (body, state)) in self.bodies.iter().zip(&states).enumerate() {
            let points = reader.vertices_blended(index as u32, tick)?;
            if let (Some(vertices), Some(triangles)) = (points, &body.triangles) {
                let mesh = Shape::Mesh {
                    vertices,
                    triangles: triangles.clone(),
                };
                place(&tessellate(&mesh), &IN_PLACE, body.colour, &mut out);
                continue;
            }
            let Some(state) = state else { continue };
            for (surface, position, rotation) in &body.parts {
                let place_at = Place {
                    position: sum(&[
                        (1.0, state.position),
                        (1.0, turn(state.rotation, *position)),
                    ]),
                    first: *rotation,
                    then: state.rotation,
                };
                place(surface, &place_at, body.colour, &mut out);
            }
        }
        self.planes(&states, camera, &mut out);
        Ok(out)
    }

    fn planes(&self, states: &[Option<State>], camera: &Camera, out: &mut Vec<Triangle>) {
        let mut all = Vec::new();
        for (body, state) in self.bodies.iter().zip(states) {
            let Some(state) = state else { continue };
            for (position, normal) in &body.planes {
                let at = sum(&[
                    (1.0, state.position),
                    (1.0, turn(state.rotation, *position)),
                ]);
                all.push((at, unit(turn(state.rotation, *normal)), body.colour));
            }
        }
        for (i, &(at, normal, colour)) in all.iter().enumerate() {
            if dot(normal, sub(camera.eye, at)) <= 0.0 {
                continue;
            }
            let mut polygon = square(at, normal, PLANE_REACH * camera.light.reach);
            for (j, &(other, other_normal, _)) in all.iter().enumerate() {
                if i != j {
                    polygon = clip(&polygon, other, other_normal);
                }
            }
            let floor = dot(normal, camera.up) > 0.7;
            for k in 2..polygon.len() {
                let corners = [polygon[0], polygon[k - 1], polygon[k]];
                out.push(Triangle {
                    corners,
                    normals: [normal; 3],
                    colour,
                    floor,
                });
            }
        }
    }
}

impl Drawn {
    /// The corners of the boxes around the parts.
    fn corners(&self, state: &State) -> Vec<Vector> {
        let of_part = |(surface, position, rotation): &(Arc<Surface>, Vector, [f64; 4])| {
            let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
            for point in &surface.positions {
                low = std::array::from_fn(|i| low[i].min(point[i]));
                high = std::array::from_fn(|i| high[i].max(point[i]));
            }
            let corner = |k: usize| {
                let local = std::array::from_fn(|i| if k >> i & 1 == 1 { high[i] } else { low[i] });
                let in_body = sum(&[(1.0, turn(*rotation, local)), (1.0, *position)]);
                sum(&[(1.0, turn(state.rotation, in_body)), (1.0, state.position)])
            };
            let count = if surface.positions.is_empty() { 0 } else { 8 };
            (0..count).map(corner).collect::<Vec<_>>()
        };
        self.parts.iter().flat_map(of_part).collect()
    }
}

/// A turn, another turn, then a shift.
struct Place {
    position: Vector,
    first: [f64; 4],
    then: [f64; 4],
}

const IN_PLACE: Place = Place {
    position: [0.0; 3],
    first: [0.0, 0.0, 0.0, 1.0],
    then: [0.0, 0.0, 0.0, 1.0],
};

fn place(surface: &Surface, at: &Place, colour: [f32; 3], out: &mut Vec<Triangle>) {
    let turned = |v: &Vector| turn(at.then, turn(at.first, *v));
    let points: Vec<Vector> = surface
        .positions
        .iter()
        .map(|p| sum(&[(1.0, turned(p)), (1.0, at.position)]))
        .collect();
    let normals: Vec<Vector> = surface.normals.iter().map(turned).collect();
    for corner in surface.indices.as_chunks::<3>().0 {
        let pick = |from: &[Vector]| corner.map(|i| from[i as usize]);
        out.push(Triangle {
            corners: pick(&points),
            normals: pick(&normals),
            colour,
            floor: false,
        });
    }
}

fn square(at: Vector, normal: Vector, reach: f64) -> Vec<Vector> {
    use super::camera::cross;
    let side = if normal[0].abs() < 0.7 {
        [1.0, 0.0, 0.0]
    } else {
        [0.0, 1.0, 0.0]
    };
    let u = unit(cross(side, normal));
    let v = cross(normal, u);
    [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
        .map(|[a, b]| sum(&[(1.0, at), (a * reach, u), (b * reach, v)]))
        .to_vec()
}

/// What of a convex polygon lies in front of a plane.
fn clip(polygon: &[Vector], at: Vector, normal: Vector) -> Vec<Vector> {
    let height = |p: Vector| dot(normal, sub(p, at));
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (i, &a) in polygon.iter().enumerate() {
        let b = polygon[(i + 1) % polygon.len()];
        let (ha, hb) = (height(a), height(b));
        if ha >= -1e-9 {
            kept.push(a);
        }
        if ha * hb < 0.0 {
            let s = ha / (ha - hb);
            kept.push(sum(&[(1.0 - s, a), (s, b)]));
        }
    }
    kept
}

/// A vector turned by a unit quaternion.
fn turn(q: [f64; 4], v: Vector) -> Vector {
    use super::camera::cross;
    let axis = [q[0], q[1], q[2]];
    let t = cross(axis, v).map(|x| 2.0 * x);
    sum(&[(1.0, v), (q[3], t), (1.0, cross(axis, t))])
}
