//! The bodies as triangles, placed at a moment. Half-spaces become the part of their plane that lies in
//! front of all the others, and only if the camera is in front of them: six walls show their inside.

use super::camera::{Bounds, Camera, Vector, dot, sub, sum, unit};
use crate::scene::Axis;
use record::export::{Surface, colour, tessellate};
use record::{Header, Joint, JointKind, Kind, Reader, Result, Shape, State};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Half the side of the square that a half-space's plane begins as, in multiples of the scene's radius.
const PLANE_REACH: f64 = 40.0;
/// Fixed things that lie within this many radii of what moves are in the picture too.
const FIXED_NEAR: f64 = 1.6;
/// Half the side of a plane that nothing bounds, m: it is in no picture as a whole.
const FAR_AWAY: f64 = 1e9;
/// What is farther from the middle than this many times the distance of nine tenths is a stray.
const STRAY: f64 = 3.0;
/// The thickness of a joint, in parts of the scene's radius, and its colour.
const JOINT_THICK: f64 = 0.009;
const JOINT_COLOUR: [f32; 3] = [0.70, 0.30, 0.02];
/// The raster in which it is looked up who hides whom, and how many hidden bodies make a thing transparent.
const LOOK: (usize, usize) = (192, 108);
const HIDES: f64 = 0.3;
/// Moments at which the scene's size is measured.
const MEASURES: i64 = 16;
/// Moments at which it is looked up who hides whom.
const LOOKS: i64 = 8;

/// The owners of what belongs to no body: joints, and half-spaces from here down.
pub(super) const JOINTS: u32 = u32::MAX - 1;
const PLANES: u32 = u32::MAX - 2;

/// A triangle in the world.
pub(crate) struct Triangle {
    pub(crate) corners: [Vector; 3],
    pub(crate) normals: [Vector; 3],
    pub(crate) colour: [f32; 3],
    /// Part of the floor: drawn with a grid, casts no shadow.
    pub(crate) floor: bool,
    /// A half-space that is no floor.
    pub(crate) wall: bool,
    /// Whose it is: where two of these meet, there is an edge.
    pub(crate) owner: u32,
    /// Drawn in every second sample only.
    pub(crate) is_glass: bool,
}

/// The bodies' shapes, ready to be placed.
pub(crate) struct Model {
    bodies: Vec<Drawn>,
    joints: Vec<Joint>,
    /// Joints of multibodies.
    axes: Vec<Axis>,
}

struct Drawn {
    parts: Vec<(Arc<Surface>, Vector, [f64; 4])>,
    planes: Vec<(Vector, Vector)>,
    triangles: Option<Vec<[u32; 3]>>,
    colour: [f32; 3],
    moves: bool,
    /// Hides what moves, so it is drawn as if it were of glass.
    is_glass: bool,
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
                is_glass: false,
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
        let bodies: Vec<Drawn> = bodies.collect();
        let there = |joint: &&Joint| joint.bodies.iter().all(|b| (*b as usize) < bodies.len());
        Self {
            joints: header.joints.iter().filter(there).copied().collect(),
            axes: Axis::all(header).collect(),
            bodies,
        }
    }

    /// Where everything that moves is from one tick to another, with the fixed things among it; where all is
    /// if nothing moves. What flies far off is left out.
    pub(crate) fn bounds(&self, reader: &Reader, (first, last): (i64, i64)) -> Result<Bounds> {
        let (mut moving, mut fixed) = (Vec::new(), Vec::new());
        let mut states = Vec::new();
        for step in 0..=MEASURES {
            let part = (i128::from(last) - i128::from(first)) * i128::from(step);
            let tick = first + (part / i128::from(MEASURES)) as i64;
            reader.states_at(tick, &mut states)?;
            for (index, (body, state)) in self.bodies.iter().zip(&states).enumerate() {
                match reader.vertices_at(index as u32, tick)? {
                    Some(frame) => moving.extend(frame.positions),
                    None if body.moves => {
                        moving.extend(state.iter().flat_map(|state| body.corners(state)));
                    }
                    None if step == 0 => fixed.extend(state.iter().map(|s| body.corners(s))),
                    None => {}
                }
            }
        }
        if moving.is_empty() {
            return Ok(Bounds::new(fixed.concat()));
        }
        let mut moving = without_strays(moving);
        // what something hangs from belongs to it
        for joint in &self.joints {
            for (body, anchor) in joint.bodies.iter().zip(joint.anchors) {
                if let Some(Some(state)) = states.get(*body as usize) {
                    moving.push(sum(&[
                        (1.0, state.position),
                        (1.0, turn(state.rotation, anchor)),
                    ]));
                }
            }
        }
        let bounds = Bounds::new(moving);
        // a peg, a rail or a table belongs to the picture; a landscape does not
        let near = |corner: &Vector| {
            let d = sub(*corner, bounds.centre);
            dot(d, d).sqrt() < FIXED_NEAR * bounds.radius
        };
        fixed.retain(|corners| corners.iter().all(near));
        let rooms = self.floors(&states).into_iter();
        fixed.extend(rooms.filter(|floor| floor.iter().all(near)));
        let mut corners = bounds.corners;
        corners.extend(fixed.concat());
        Ok(Bounds::new(corners))
    }

    /// The corners of every half-space's plane where all the others leave something of it: of the floor of a room, its own.
    fn floors(&self, states: &[Option<State>]) -> Vec<Vec<Vector>> {
        let all: Vec<_> = self.half_spaces(states).collect();
        let floor = |(i, &(at, normal, _)): (usize, &(Vector, Vector, [f32; 3]))| {
            let others = all.iter().enumerate().filter(|(j, _)| *j != i);
            others.fold(square(at, normal, FAR_AWAY), |polygon, (_, other)| {
                clip(&polygon, other.0, other.1)
            })
        };
        all.iter().enumerate().map(floor).collect()
    }

    /// A point of every half-space's plane, its normal and its colour.
    fn half_spaces(
        &self,
        states: &[Option<State>],
    ) -> impl Iterator<Item = (Vector, Vector, [f32; 3])> {
        let there = self.bodies.iter().zip(states);
        let there = there.filter_map(|(body, state)| Some((body, state.as_ref()?)));
        there.flat_map(|(body, state)| {
            body.planes.iter().map(|(position, normal)| {
                let at = turn(state.rotation, *position);
                let at = sum(&[(1.0, state.position), (1.0, at)]);
                (at, unit(turn(state.rotation, *normal)), body.colour)
            })
        })
    }

    /// Finds the fixed things that stand before what moves, and makes them transparent.
    pub(crate) fn see_through(
        &mut self,
        reader: &Reader,
        (first, last): (i64, i64),
        camera: &Camera,
    ) -> Result<()> {
        let mut hidden = vec![0u32; self.bodies.len()];
        let (mut asked, mut states) = (0u32, Vec::new());
        for step in 0..=LOOKS {
            let part = (i128::from(last) - i128::from(first)) * i128::from(step);
            let tick = first + (part / i128::from(LOOKS)) as i64;
            let triangles = self.at(reader, tick, camera)?;
            let raster = super::shade::outline(&triangles, camera, LOOK);
            reader.states_at(tick, &mut states)?;
            for (body, state) in self.bodies.iter().zip(&states) {
                let (Some(state), true) = (state, body.moves) else {
                    continue;
                };
                let Some(place) = super::shade::pixel(state.position, camera, LOOK) else {
                    continue;
                };
                asked += 1;
                let seen = triangles.get(raster.id[place] as usize);
                if let Some(count) = seen.and_then(|t| hidden.get_mut(t.owner as usize)) {
                    *count += 1;
                }
            }
        }
        for (body, hidden) in self.bodies.iter_mut().zip(hidden) {
            body.is_glass = !body.moves && f64::from(hidden) > HIDES * f64::from(asked);
        }
        Ok(())
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
                let look = (body.colour, index as u32, false);
                place(&tessellate(&mesh), &IN_PLACE, look, &mut out);
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
                place(
                    surface,
                    &place_at,
                    (body.colour, index as u32, body.is_glass),
                    &mut out,
                );
            }
        }
        self.links(&states, camera, &mut out);
        self.axes(&states, camera, &mut out);
        self.planes(&states, camera, &mut out);
        Ok(out)
    }

    /// Joints: from anchor to anchor, and from there to the middle of what they hold.
    fn links(&self, states: &[Option<State>], camera: &Camera, out: &mut Vec<Triangle>) {
        let thick = JOINT_THICK * camera.light.reach;
        for joint in &self.joints {
            let [a, b] = joint.bodies.map(|body| body as usize);
            let (Some(sa), Some(sb)) = (&states[a], &states[b]) else {
                continue;
            };
            let anchor =
                |state: &State, at| sum(&[(1.0, state.position), (1.0, turn(state.rotation, at))]);
            let (pa, pb) = (anchor(sa, joint.anchors[0]), anchor(sb, joint.anchors[1]));
            bar(pa, pb, thick, JOINTS, out);
            for (body, state, anchor) in [(a, sa, pa), (b, sb, pb)] {
                if self.bodies[body].moves && joint.kind == JointKind::Pin {
                    bar(state.position, anchor, thick, JOINTS, out);
                }
            }
        }
    }

    /// Joints of multibodies: hinges and slides along their axes, balls as crosses.
    fn axes(&self, states: &[Option<State>], camera: &Camera, out: &mut Vec<Triangle>) {
        let most = JOINT_THICK * camera.light.reach;
        for axis in &self.axes {
            let Some(Some(state)) = states.get(axis.body as usize) else {
                continue;
            };
            let thick = most.min(0.12 * axis.half);
            let middle = sum(&[(1.0, state.position), (1.0, turn(state.rotation, axis.at))]);
            let along = |direction: Vector, part: f64| {
                let way = turn(state.rotation, direction);
                sum(&[(1.0, middle), (part * axis.half, way)])
            };
            let ways = match axis.along == [0.0; 3] {
                true => vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
                false => vec![axis.along],
            };
            for way in ways {
                bar(along(way, -1.0), along(way, 1.0), thick, JOINTS, out);
            }
        }
    }

    fn planes(&self, states: &[Option<State>], camera: &Camera, out: &mut Vec<Triangle>) {
        let all: Vec<_> = self.half_spaces(states).collect();
        for (i, &(at, normal, colour)) in all.iter().enumerate() {
            if dot(normal, sub(camera.eye, at)) <= 0.0 {
                continue;
            }
            let floor = dot(normal, camera.up) > 0.7;
            let mut polygon = square(at, normal, PLANE_REACH * camera.light.reach);
            if !floor {
                polygon = camera.frame.cut(polygon);
            }
            for (j, &(other, other_normal, _)) in all.iter().enumerate() {
                if i != j {
                    polygon = clip(&polygon, other, other_normal);
                }
            }
            for k in 2..polygon.len() {
                let corners = [polygon[0], polygon[k - 1], polygon[k]];
                out.push(Triangle {
                    corners,
                    normals: [normal; 3],
                    colour,
                    floor,
                    wall: !floor,
                    owner: PLANES - i as u32,
                    is_glass: false,
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

fn place(
    surface: &Surface,
    at: &Place,
    (colour, owner, is_glass): ([f32; 3], u32, bool),
    out: &mut Vec<Triangle>,
) {
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
            wall: false,
            owner,
            is_glass,
        });
    }
}

/// The corners without those of what has flown off.
fn without_strays(mut corners: Vec<Vector>) -> Vec<Vector> {
    let middle: Vector = std::array::from_fn(|i| {
        let mut along: Vec<f64> = corners.iter().map(|c| c[i]).collect();
        let half = along.len() / 2;
        *along.select_nth_unstable_by(half, f64::total_cmp).1
    });
    let distance = |c: &Vector| dot(sub(*c, middle), sub(*c, middle)).sqrt();
    let mut far: Vec<f64> = corners.iter().map(distance).collect();
    let most = far.len() * 9 / 10;
    let limit = STRAY * *far.select_nth_unstable_by(most, f64::total_cmp).1;
    corners.retain(|c| distance(c) <= limit);
    corners
}

/// A thin bar with three sides from one point to another.
fn bar(from: Vector, to: Vector, thick: f64, owner: u32, out: &mut Vec<Triangle>) {
    use super::camera::cross;
    let along = sub(to, from);
    if dot(along, along) < thick * thick {
        return;
    }
    let across = if along[1].abs() < 0.9 * dot(along, along).sqrt() {
        [0.0, 1.0, 0.0]
    } else {
        [1.0, 0.0, 0.0]
    };
    let u = unit(cross(across, along));
    let v = unit(cross(along, u));
    let turn = |k: usize| {
        let angle = k as f64 * std::f64::consts::TAU / 3.0;
        sum(&[(libm::cos(angle), u), (libm::sin(angle), v)])
    };
    for k in 0..3 {
        let (a, b) = (turn(k), turn((k + 1) % 3));
        let at = |end: Vector, side: Vector| sum(&[(1.0, end), (thick, side)]);
        for corners in [
            [(from, a), (to, a), (to, b)],
            [(from, a), (to, b), (from, b)],
        ] {
            out.push(Triangle {
                corners: corners.map(|(end, side)| at(end, side)),
                normals: corners.map(|(_, side)| side),
                colour: JOINT_COLOUR,
                floor: false,
                wall: false,
                owner,
                is_glass: false,
            });
        }
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
pub(super) fn clip(polygon: &[Vector], at: Vector, normal: Vector) -> Vec<Vector> {
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
