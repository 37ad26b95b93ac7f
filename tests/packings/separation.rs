//! How far two bodies are apart, for audits that share nothing with what they look at: separating axes for polytopes,
//! closed forms for balls and half-spaces, and the distances of Parry where a cylinder or a capsule takes part. The faces and
//! edges of a polytope are found here anew from its corners.

use parry3d_f64::query;
use warpline::physics::collider::{Core, SolidPart};
use warpline::physics::{BodyModel, Pose, Vec3};

/// Two directions are the same if their cross product is no longer than this.
const PARALLEL: f64 = 1e-9;

/// A body's geometry in its own frame.
pub struct Solid {
    pieces: Vec<Piece>,
    reach: f64,
    /// Its least width, metres.
    pub width: f64,
}

enum Piece {
    Ball {
        centre: Vec3,
        radius: f64,
    },
    HalfSpace {
        normal: Vec3,
        offset: f64,
    },
    Polytope(Polytope),
    /// A cylinder or a capsule.
    Round(Box<SolidPart>),
}

struct Polytope {
    corners: Vec<Vec3>,
    /// Outward normals and distances of the faces' planes.
    planes: Vec<(Vec3, f64)>,
    /// Triangles that cover the surface.
    triangles: Vec<[Vec3; 3]>,
    /// Directions of the edges.
    edges: Vec<Vec3>,
    shape: Box<SolidPart>,
}

impl Solid {
    /// The geometry of a body; none if it has a surface that bounds nothing.
    pub fn of(model: &BodyModel) -> Option<Self> {
        let collider = &model.collider;
        let pieces: Option<Vec<Piece>> = collider.parts.iter().map(Piece::of).collect();
        Some(Solid {
            pieces: pieces?,
            reach: collider.bounding_radius,
            width: collider.least_width(),
        })
    }
}

impl Piece {
    fn of(part: &SolidPart) -> Option<Self> {
        match part.core {
            Core::Surface => None,
            Core::Point => Some(Piece::Ball {
                centre: part.pose.translation,
                radius: part.margin,
            }),
            Core::HalfSpace { normal, offset } => Some(Piece::HalfSpace { normal, offset }),
            Core::Convex if part.corners.len() < 4 || part.margin > 0.0 => {
                Some(Piece::Round(Box::new(part.clone())))
            }
            Core::Convex => Some(Piece::Polytope(Polytope::of(part))),
        }
    }
}

impl Polytope {
    /// Every three corners that have all others on one side lie in a face.
    fn of(part: &SolidPart) -> Self {
        let corners = part.corners.clone();
        let (mut planes, mut triangles) = (Vec::<(Vec3, f64)>::new(), Vec::new());
        let size = corners.iter().map(|c| c.length()).fold(0.0, f64::max);
        for i in 0..corners.len() {
            for j in i + 1..corners.len() {
                for k in j + 1..corners.len() {
                    let [a, b, c] = [i, j, k].map(|corner| corners[corner]);
                    let Some(normal) = (b - a).cross(c - a).try_normalize() else {
                        continue;
                    };
                    let heights = corners.iter().map(|p| normal.dot(*p - a));
                    let (low, high) = heights.fold((0.0f64, 0.0f64), |(low, high), height| {
                        (low.min(height), high.max(height))
                    });
                    let flat = 1e-9 * size;
                    let outward = match (low < -flat, high > flat) {
                        (true, false) => normal,
                        (false, true) => -normal,
                        _ => continue,
                    };
                    triangles.push([a, b, c]);
                    let is_known = |(n, _): &(Vec3, f64)| (*n - outward).length() < PARALLEL;
                    if !planes.iter().any(is_known) {
                        planes.push((outward, outward.dot(a)));
                    }
                }
            }
        }
        let edges = edges(&corners, &planes, size);
        let shape = Box::new(part.clone());
        Polytope {
            corners,
            planes,
            triangles,
            edges,
            shape,
        }
    }

    /// Signed distance of a point in the polytope's frame.
    fn distance(&self, point: Vec3) -> f64 {
        let heights = self.planes.iter().map(|(n, d)| n.dot(point) - d);
        let highest = heights.fold(f64::NEG_INFINITY, f64::max);
        if highest <= 0.0 {
            return highest;
        }
        let distances = self
            .triangles
            .iter()
            .map(|t| (point - nearest(t, point)).length());
        distances.fold(f64::INFINITY, f64::min)
    }
}

/// Directions of the lines in which two faces meet at two corners.
fn edges(corners: &[Vec3], planes: &[(Vec3, f64)], size: f64) -> Vec<Vec3> {
    let lies_in = |(n, d): &(Vec3, f64), p: Vec3| (n.dot(p) - d).abs() < 1e-9 * size;
    let mut edges: Vec<Vec3> = Vec::new();
    for (i, a) in corners.iter().enumerate() {
        for b in &corners[i + 1..] {
            let shared = planes.iter().filter(|p| lies_in(p, *a) && lies_in(p, *b));
            let along = (*b - *a).normalize();
            let is_known = |e: &Vec3| e.cross(along).length() < PARALLEL;
            if shared.count() >= 2 && !edges.iter().any(is_known) {
                edges.push(along);
            }
        }
    }
    edges
}

/// The point of a triangle that is nearest to another point: inside, on an edge, or a corner.
fn nearest([a, b, c]: &[Vec3; 3], point: Vec3) -> Vec3 {
    let normal = (*b - *a).cross(*c - *a);
    let inside = |from: Vec3, to: Vec3| (to - from).cross(point - from).dot(normal) >= 0.0;
    if inside(*a, *b) && inside(*b, *c) && inside(*c, *a) {
        return point - normal * (normal.dot(point - *a) / normal.length_squared());
    }
    let on_edge = |from: Vec3, to: Vec3| {
        let along = to - from;
        let share = along.dot(point - from) / along.length_squared();
        from + along * share.clamp(0.0, 1.0)
    };
    let found = [on_edge(*a, *b), on_edge(*b, *c), on_edge(*c, *a)];
    let far = |p: &Vec3| p.distance_squared(point);
    let nearer = |x: Vec3, y: Vec3| if far(&x) <= far(&y) { x } else { y };
    nearer(nearer(found[0], found[1]), found[2])
}

/// The least distance of two bodies: no more than the true one where they are apart, and less the depth of their overlap
/// where they overlap.
pub fn separation(a: (&Solid, &Pose), b: (&Solid, &Pose)) -> f64 {
    let centres = (a.1.translation - b.1.translation).length();
    let apart = centres - a.0.reach - b.0.reach;
    if apart > 0.0 {
        return apart;
    }
    let mut least = f64::INFINITY;
    for piece in &a.0.pieces {
        for other in &b.0.pieces {
            least = least.min(of_pieces((piece, a.1), (other, b.1)));
        }
    }
    least
}

fn of_pieces((a, at): (&Piece, &Pose), (b, bt): (&Piece, &Pose)) -> f64 {
    match (a, b) {
        (Piece::Ball { centre, radius }, _) => to_ball(*at * *centre, *radius, (b, bt)),
        (_, Piece::Ball { centre, radius }) => to_ball(*bt * *centre, *radius, (a, at)),
        (Piece::HalfSpace { normal, offset }, _) => above((*normal, *offset), at, (b, bt)),
        (_, Piece::HalfSpace { normal, offset }) => above((*normal, *offset), bt, (a, at)),
        (Piece::Polytope(p), Piece::Polytope(q)) => by_axes((p, at), (q, bt)),
        (Piece::Polytope(p), Piece::Round(q)) => by_parry((&p.shape, at), (q, bt)),
        (Piece::Round(p), Piece::Polytope(q)) => by_parry((p, at), (&q.shape, bt)),
        (Piece::Round(p), Piece::Round(q)) => by_parry((p, at), (q, bt)),
    }
}

fn to_ball(centre: Vec3, radius: f64, (piece, pose): (&Piece, &Pose)) -> f64 {
    let local = pose.inverse() * centre;
    let distance = match piece {
        Piece::Ball { centre, radius } => (local - *centre).length() - radius,
        Piece::HalfSpace { normal, offset } => normal.dot(local) - offset,
        Piece::Polytope(polytope) => polytope.distance(local),
        Piece::Round(part) => {
            let core = pose * part.pose;
            let found = part.shape.project_point(&core, centre, false);
            let sign = if found.is_inside { -1.0 } else { 1.0 };
            sign * (found.point - centre).length() - part.margin
        }
    };
    distance - radius
}

fn above((normal, offset): (Vec3, f64), at: &Pose, (piece, pose): (&Piece, &Pose)) -> f64 {
    let up = at.rotation * normal;
    let height = |point: Vec3| up.dot(point - at.translation) - offset;
    match piece {
        Piece::Polytope(polytope) => {
            let heights = polytope.corners.iter().map(|c| height(*pose * *c));
            heights.fold(f64::INFINITY, f64::min)
        }
        Piece::Round(part) => {
            let core = pose * part.pose;
            let down = core.rotation.inverse() * -up;
            let shape = part.shape.as_support_map().expect("convex");
            height(core * shape.local_support_point(down)) - part.margin
        }
        Piece::Ball { .. } | Piece::HalfSpace { .. } => f64::INFINITY,
    }
}

/// The best of all axes that can separate two polytopes: normals of faces, and normals of pairs of edges.
fn by_axes((a, at): (&Polytope, &Pose), (b, bt): (&Polytope, &Pose)) -> f64 {
    let corners = [(a, at), (b, bt)]
        .map(|(p, pose)| -> Vec<Vec3> { p.corners.iter().map(|c| *pose * *c).collect() });
    let along = |axis: Vec3| {
        let reach = |side: usize| {
            let heights = corners[side].iter().map(|c| axis.dot(*c));
            heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), height| {
                (low.min(height), high.max(height))
            })
        };
        let (one, other) = (reach(0), reach(1));
        (one.0 - other.1).max(other.0 - one.1)
    };
    let mut best = f64::NEG_INFINITY;
    for (polytope, pose) in [(a, at), (b, bt)] {
        for (normal, _) in &polytope.planes {
            best = best.max(along(pose.rotation * *normal));
        }
    }
    for edge in &a.edges {
        let edge = at.rotation * *edge;
        for other in &b.edges {
            if best > 0.0 {
                return best;
            }
            let axis = edge.cross(bt.rotation * *other);
            if axis.length() > PARALLEL {
                best = best.max(along(axis.normalize()));
            }
        }
    }
    best
}

fn by_parry((a, at): (&SolidPart, &Pose), (b, bt): (&SolidPart, &Pose)) -> f64 {
    let cores = [at * a.pose, bt * b.pose];
    let margins = a.margin + b.margin;
    let apart = query::distance(&cores[0], &*a.shape, &cores[1], &*b.shape);
    let apart = apart.expect("convex").distance;
    if apart > 0.0 {
        return apart - margins;
    }
    let found = query::contact(&cores[0], &*a.shape, &cores[1], &*b.shape, 0.0);
    found.expect("convex").map_or(0.0, |contact| contact.dist) - margins
}

/// The measure itself, against what is known.
#[test]
fn separations_are_what_geometry_says() {
    use warpline::physics::body::{Heft, Material};
    use warpline::physics::rotation::from_rotation_vector;
    use warpline::physics::{Part, Shape};
    let solid = |shape: Shape| {
        let material = Material {
            restitution: 0.0,
            friction: 0.0,
        };
        let part = Part::centred(shape);
        let model = BodyModel::dynamic(&[part], Heft::Mass(1.0), material, Vec3::ZERO);
        Solid::of(&model.expect("a body")).expect("bounded")
    };
    let cube = solid(Shape::Box {
        half_extents: Vec3::ONE,
    });
    let ball = solid(Shape::Ball { radius: 0.5 });
    let at = |x: f64, y: f64, z: f64| Pose::from_translation(Vec3::new(x, y, z));
    let here = at(0.0, 0.0, 0.0);
    let near = |found: f64, expected: f64| (found - expected).abs() < 1e-12;
    assert!(near(
        separation((&cube, &here), (&cube, &at(2.25, 0.1, -0.2))),
        0.25
    ));
    assert!(near(
        separation((&cube, &here), (&cube, &at(1.75, 0.1, -0.2))),
        -0.25
    ));
    // Two edges that cross: each cube is turned by 45 degrees about an axis of its own.
    let turn = |axis: Vec3| from_rotation_vector(axis * std::f64::consts::FRAC_PI_4);
    let height = 2.0 * 2.0f64.sqrt();
    for gap in [1e-3, -1e-3] {
        let lower = Pose::from_parts(Vec3::ZERO, turn(Vec3::X));
        let upper = Pose::from_parts(Vec3::Y * (height + gap), turn(Vec3::Z));
        let found = separation((&cube, &lower), (&cube, &upper));
        assert!(near(found, gap), "{found} {gap}");
    }
    // Over a face, over an edge, over a corner, and inside.
    assert!(near(
        separation((&ball, &at(1.75, 0.3, 0.0)), (&cube, &here)),
        0.25
    ));
    let found = separation((&cube, &here), (&ball, &at(1.5, 1.5, 0.3)));
    assert!(near(found, 0.5f64.sqrt() - 0.5), "{found}");
    let found = separation((&cube, &here), (&ball, &at(1.2, 1.2, 1.2)));
    assert!(near(found, 0.2 * 3.0f64.sqrt() - 0.5), "{found}");
    assert!(near(
        separation((&ball, &at(0.9, 0.0, 0.0)), (&cube, &here)),
        -0.6
    ));
}
