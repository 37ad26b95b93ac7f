//! Convex cores as the narrow phase of contact groups sees them: a support point for distances and
//! a support face for manifolds, both in the core's own frame.

use crate::Vec3;
use crate::collider::{Core, SolidPart};
use crate::lanes::HullLanes;
use parry3d_f64::shape::{
    ConvexPolyhedron, PolygonalFeature, PolygonalFeatureMap, SupportMap, TypedShape,
};

/// Largest number of vertices of a face that takes part in clipping; larger faces are thinned out.
pub const FACE_VERTICES: usize = 16;

/// A convex polyhedron, and its points and normals in lanes.
#[derive(Clone, Copy)]
pub struct Hull<'a> {
    polyhedron: &'a ConvexPolyhedron,
    lanes: &'a HullLanes,
}

impl<'a> Hull<'a> {
    /// Its vertices.
    pub fn points(&self) -> &'a [Vec3] {
        self.polyhedron.points()
    }
}

/// A convex core in its own frame.
#[derive(Clone, Copy)]
pub enum Solid<'a> {
    /// The centre of a ball.
    Point,
    /// The axis of a capsule.
    Segment([Vec3; 2]),
    /// One triangle of a surface.
    Triangle([Vec3; 3]),
    /// A box with these half extents.
    Cuboid(Vec3),
    /// A convex polyhedron.
    Hull(Hull<'a>),
    /// Anything else that has support faces (a cylinder).
    Round(&'a dyn PolygonalFeatureMap),
}

impl<'a> Solid<'a> {
    /// The core of a part, unless it is a half-space or a surface.
    pub fn of(part: &'a SolidPart) -> Option<Self> {
        match part.core {
            Core::Point => return Some(Solid::Point),
            Core::HalfSpace { .. } | Core::Surface => return None,
            Core::Convex => {}
        }
        match part.shape.as_typed_shape() {
            TypedShape::Segment(s) => Some(Solid::Segment([s.a, s.b])),
            TypedShape::Cuboid(c) => Some(Solid::Cuboid(c.half_extents)),
            TypedShape::ConvexPolyhedron(polyhedron) => Some(Solid::Hull(Hull {
                polyhedron,
                lanes: part.hull.as_ref()?,
            })),
            _ => {
                let (round, _) = part.shape.0.as_polygonal_feature_map()?;
                Some(Solid::Round(round))
            }
        }
    }

    /// The point that lies farthest along `direction`.
    #[inline]
    pub fn support(&self, direction: Vec3) -> Vec3 {
        match self {
            Solid::Point => Vec3::ZERO,
            Solid::Segment(ends) => ends[farthest(ends, direction)],
            Solid::Triangle(corners) => corners[farthest(corners, direction)],
            Solid::Cuboid(half) => Vec3::new(
                half.x.copysign(direction.x),
                half.y.copysign(direction.y),
                half.z.copysign(direction.z),
            ),
            Solid::Hull(hull) => hull.points()[hull.lanes.points.farthest(direction)],
            Solid::Round(round) => round.local_support_point(direction),
        }
    }

    /// Of how many numbered corners the core is the hull; none for round cores.
    pub fn corners(&self) -> u16 {
        match self {
            Solid::Round(_) => 0,
            Solid::Point => 1,
            Solid::Segment(_) => 2,
            Solid::Triangle(_) => 3,
            Solid::Cuboid(_) => 8,
            Solid::Hull(hull) => u16::try_from(hull.points().len()).unwrap_or(0),
        }
    }

    /// A numbered corner.
    #[inline]
    pub fn corner(&self, id: u16) -> Vec3 {
        match self {
            Solid::Point | Solid::Round(_) => Vec3::ZERO,
            Solid::Segment(ends) => ends[usize::from(id)],
            Solid::Triangle(corners) => corners[usize::from(id)],
            Solid::Cuboid(half) => {
                let side = |bit: u16, h: f64| if id & bit == 0 { -h } else { h };
                Vec3::new(side(1, half.x), side(2, half.y), side(4, half.z))
            }
            Solid::Hull(hull) => hull.points()[usize::from(id)],
        }
    }

    /// Number of the corner that lies farthest along `direction`.
    #[inline]
    pub fn farthest(&self, direction: Vec3) -> u16 {
        match self {
            Solid::Point | Solid::Round(_) => 0,
            Solid::Segment(ends) => farthest(ends, direction) as u16,
            Solid::Triangle(corners) => farthest(corners, direction) as u16,
            Solid::Cuboid(_) => {
                let side = |bit: u16, along: f64| if along > 0.0 { bit } else { 0 };
                side(1, direction.x) | side(2, direction.y) | side(4, direction.z)
            }
            Solid::Hull(hull) => hull.lanes.points.farthest(direction) as u16,
        }
    }

    /// The face that looks along `direction`, near the core's point `hint`.
    pub fn face(&self, direction: Vec3, hint: Vec3, out: &mut Face) {
        out.clear();
        match self {
            Solid::Point => out.push(Vec3::ZERO, 0),
            Solid::Segment(ends) => {
                out.push(ends[0], 0);
                out.push(ends[1], 1);
            }
            Solid::Triangle(corners) => triangle_face(corners, direction, out),
            Solid::Cuboid(half) => cuboid_face(*half, direction, out),
            Solid::Hull(hull) => hull_face(hull, direction, out),
            Solid::Round(round) => round_face(*round, direction, hint, out),
        }
    }
}

impl SupportMap for Solid<'_> {
    fn local_support_point(&self, dir: Vec3) -> Vec3 {
        self.support(dir)
    }
}

#[inline]
fn farthest(points: &[Vec3], direction: Vec3) -> usize {
    let mut best = 0;
    let mut most = points[0].dot(direction);
    for (place, point) in points.iter().enumerate().skip(1) {
        let along = point.dot(direction);
        if along > most {
            most = along;
            best = place;
        }
    }
    best
}

/// A face: one vertex, an edge, or a convex polygon counter-clockwise about its outward normal.
#[derive(Clone, Copy)]
pub struct Face {
    /// The vertices; the first `count` are valid.
    pub vertices: [Vec3; FACE_VERTICES],
    /// Numbers of the vertices that do not change while the body turns.
    pub ids: [u32; FACE_VERTICES],
    /// How many vertices there are.
    pub count: usize,
    /// Outward unit normal; zero for a vertex or an edge.
    pub normal: Vec3,
}

impl Default for Face {
    fn default() -> Self {
        Face {
            vertices: [Vec3::ZERO; FACE_VERTICES],
            ids: [0; FACE_VERTICES],
            count: 0,
            normal: Vec3::ZERO,
        }
    }
}

impl Face {
    fn clear(&mut self) {
        self.count = 0;
        self.normal = Vec3::ZERO;
    }

    fn push(&mut self, vertex: Vec3, id: u32) {
        self.vertices[self.count] = vertex;
        self.ids[self.count] = id;
        self.count += 1;
    }

    /// Whether `point` is over the polygon, along its normal.
    pub fn is_below(&self, point: Vec3) -> bool {
        (0..self.count).all(|k| {
            let (here, next) = (self.vertices[k], self.vertices[(k + 1) % self.count]);
            self.normal.cross(next - here).dot(point - here) >= 0.0
        })
    }

    /// Moves the face into another frame.
    pub fn transform(&mut self, pose: &crate::Pose) {
        for vertex in &mut self.vertices[..self.count] {
            *vertex = pose * *vertex;
        }
        self.normal = pose.rotation * self.normal;
    }
}

fn triangle_face(corners: &[Vec3; 3], direction: Vec3, out: &mut Face) {
    let across = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    let normal = across.normalize_or_zero();
    let order = if normal.dot(direction) >= 0.0 {
        [0, 1, 2]
    } else {
        [0, 2, 1]
    };
    for corner in order {
        out.push(corners[corner], corner as u32);
    }
    out.normal = if order[1] == 1 { normal } else { -normal };
}

fn cuboid_face(half: Vec3, direction: Vec3, out: &mut Face) {
    let size = direction.abs();
    let axis = if size.x >= size.y && size.x >= size.z {
        0
    } else if size.y >= size.z {
        1
    } else {
        2
    };
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let sign = 1f64.copysign(direction[axis]);
    let quarter_turns = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
    for turn in 0..4 {
        let (su, sv) = quarter_turns[if sign > 0.0 { turn } else { 3 - turn }];
        let mut corner = Vec3::ZERO;
        corner[axis] = sign * half[axis];
        corner[u] = su * half[u];
        corner[v] = sv * half[v];
        let bit = |i: usize| u32::from(corner[i] > 0.0) << i;
        out.push(corner, bit(0) | bit(1) | bit(2));
    }
    out.normal[axis] = sign;
}

fn hull_face(hull: &Hull, direction: Vec3, out: &mut Face) {
    let face = &hull.polyhedron.faces()[hull.lanes.normals.farthest(direction)];
    let (first, count) = (
        face.first_vertex_or_edge as usize,
        face.num_vertices_or_edges as usize,
    );
    let kept = count.min(FACE_VERTICES);
    for k in 0..kept {
        let vertex = hull.polyhedron.vertices_adj_to_face()[first + k * count / kept];
        out.push(hull.points()[vertex as usize], vertex);
    }
    out.normal = face.normal;
}

fn round_face(round: &dyn PolygonalFeatureMap, direction: Vec3, hint: Vec3, out: &mut Face) {
    let mut feature = PolygonalFeature::default();
    round.local_support_feature_toward(direction, hint, &mut feature);
    for k in 0..feature.num_vertices {
        out.push(feature.vertices[k], k as u32);
    }
    if out.count < 3 {
        return;
    }
    let [a, b, c] = [out.vertices[0], out.vertices[1], out.vertices[2]];
    out.normal = (b - a).cross(c - a).normalize_or_zero();
    if out.normal.dot(direction) < 0.0 {
        out.normal = -out.normal;
        let count = out.count;
        out.vertices[..count].reverse();
        out.ids[..count].reverse();
    }
}
