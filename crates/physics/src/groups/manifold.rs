//! Contact manifolds: up to four points where two parts touch or will touch during the step, with
//! one normal. A function of two poses and of where the last search for closest points ended.
//!
//! The normal comes from the closest points of the cores (GJK; EPA when bare cores overlap), the
//! points from clipping the faces that look at each other.

use super::candidate::{Approach, Candidate, Twist, Witness, witness};
use super::clip::{Corner, Polygon, choose, clip};
use super::faces::{Face, Solid};
use super::seeds::Seeds;
use super::surface::Triangles;
use crate::collider::{Core, SolidPart};
use crate::contact::proximity;
use crate::motion::State;
use crate::{BodyModel, Pose, Vec3};

/// Faces that are turned away from the contact normal by more than this cosine are not clipped.
const ALIGNED: f64 = 0.9;
/// A face's normal may separate two cores by this much less than the closest points do, metres.
pub(super) const FACE_TOLERANCE: f64 = 1e-5;
/// Cosine from which on a round body lies on its face: within 5e-5 rad.
const SQUARE: f64 = 1.0 - 1e-9;
/// The feature number of a closest point that no clipped corner stands for.
const CLOSEST: u32 = 0xff_ffff;
/// Set in a feature number when the second body has the reference face.
const SECOND_REFERS: u32 = 1 << 31;

/// One contact point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ManifoldPoint {
    /// On the surface of the first body, in the world.
    pub on_a: Vec3,
    /// On the surface of the second body, in the world.
    pub on_b: Vec3,
    /// Distance along the normal, metres; negative when the bodies overlap.
    pub gap: f64,
    /// The features that meet here.
    pub feature: u32,
}

/// The contact of two parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Manifold {
    /// Indices of the bodies, as the pair gives them.
    pub pair: (u32, u32),
    /// Part of the first body in the upper half, part of the second in the lower half.
    pub parts: u32,
    /// The piece of a surface; zero for solids.
    pub piece: u32,
    /// Unit vector from the second body towards the first, in the world.
    pub normal: Vec3,
    /// Whether both cores are bare, so that the contact should rest at a distance (the skin).
    pub rests_apart: bool,
    /// Whether flat faces or corners of bare cores meet: nothing rolls here.
    pub is_flat: bool,
    /// Thickness around the cores, metres.
    pub margins: [f64; 2],
    /// Where its points begin.
    pub first: u32,
    /// How many there are.
    pub count: u32,
}

/// All manifolds of a step, and the buffers to find them with.
#[derive(Default)]
pub struct Manifolds {
    /// The manifolds, in the order of pairs and parts.
    pub list: Vec<Manifold>,
    /// Their points.
    pub points: Vec<ManifoldPoint>,
    pub(super) triangles: Triangles,
    pub(super) seeds: Seeds,
    faces: [Face; 2],
    pub(super) polygons: [Polygon; 2],
}

impl Manifolds {
    /// Forgets everything, keeps the buffers.
    pub fn clear(&mut self) {
        self.list.clear();
        self.points.clear();
    }

    /// The largest overlap of any point, metres.
    pub fn deepest(&self) -> f64 {
        self.points.iter().map(|p| -p.gap).fold(0.0, f64::max)
    }

    /// The points of a manifold.
    pub fn points_of(&self, manifold: &Manifold) -> &[ManifoldPoint] {
        &self.points[manifold.first as usize..(manifold.first + manifold.count) as usize]
    }

    /// Finds the contacts of two bodies that touch or may touch during the step.
    pub fn find(
        &mut self,
        pair: (u32, u32),
        (model_a, a): (&BodyModel, &State),
        (model_b, b): (&BodyModel, &State),
        approach: &Approach,
    ) {
        let (pose_a, pose_b) = (a.pose(), b.pose());
        for (i, part_a) in model_a.collider.parts.iter().enumerate() {
            for (j, part_b) in model_b.collider.parts.iter().enumerate() {
                let parts = ((i as u32) << 16) | (j as u32 & 0xffff);
                let twist = Twist::new(a, b, &(pose_a * part_a.pose), approach);
                let (first, second) = ((part_a, &pose_a), (part_b, &pose_b));
                self.find_parts(pair, parts, first, second, approach.reach, twist);
            }
        }
    }

    fn find_parts(
        &mut self,
        pair: (u32, u32),
        parts: u32,
        (part_a, pose_a): (&SolidPart, &Pose),
        (part_b, pose_b): (&SolidPart, &Pose),
        reach: f64,
        twist: Twist,
    ) {
        let Some(solid_a) = Solid::of(part_a) else {
            return;
        };
        let poses = [pose_a * part_a.pose, pose_b * part_b.pose];
        let margins = [part_a.margin, part_b.margin];
        let near = Candidate {
            pair,
            parts,
            piece: 0,
            solids: [solid_a, Solid::Point],
            poses,
            margins,
            reach,
            twist,
        };
        let is_ball = |p: &SolidPart| p.core == Core::Point;
        match part_b.core {
            Core::HalfSpace { normal, offset } => {
                let normal = pose_b.rotation * normal;
                let plane = normal.dot(pose_b.translation) + offset;
                self.above_plane(&near, normal, plane);
            }
            Core::Surface => self.on_surface(&near, part_a, part_b),
            _ if is_ball(part_a) || is_ball(part_b) => {
                let found = proximity(part_a, pose_a, part_b, pose_b);
                if found.gap <= reach {
                    self.begin(&near, found.normal);
                    self.push(found.on_a, found.on_b, found.gap, 0);
                }
            }
            _ => {
                let Some(solid_b) = Solid::of(part_b) else {
                    return;
                };
                let solids = [solid_a, solid_b];
                self.between_solids(&Candidate { solids, ..near });
            }
        }
    }

    /// Begins a manifold; points follow.
    pub(super) fn begin(&mut self, near: &Candidate, normal: Vec3) {
        self.list.push(Manifold {
            pair: near.pair,
            parts: near.parts,
            piece: near.piece,
            normal,
            rests_apart: near.margins[0] + near.margins[1] == 0.0,
            is_flat: near.margins[0] + near.margins[1] == 0.0,
            margins: near.margins,
            first: self.points.len() as u32,
            count: 0,
        });
    }

    /// Adds a point to the last manifold.
    pub(super) fn push(&mut self, on_a: Vec3, on_b: Vec3, gap: f64, feature: u32) {
        self.points.push(ManifoldPoint {
            on_a,
            on_b,
            gap,
            feature,
        });
        if let Some(last) = self.list.last_mut() {
            last.count += 1;
        }
    }

    fn between_solids(&mut self, near: &Candidate) {
        let limit = near.reach + near.margins[0] + near.margins[1];
        if let Some(witness) = self.witness(near, limit) {
            self.clip_faces(near, &witness, true);
        }
    }

    /// The closest points of two cores, if they are within `limit` metres.
    pub(super) fn witness(&mut self, near: &Candidate, limit: f64) -> Option<Witness> {
        let place = (near.pair, near.parts, near.piece);
        let mut corners = self.seeds.get(place);
        let found = witness(near, limit, &mut corners);
        self.seeds.set(place, corners);
        found
    }

    /// The manifold of two cores whose closest points are known. `keep_closest` adds the closest
    /// points themselves where clipping misses them.
    pub(super) fn clip_faces(&mut self, near: &Candidate, found: &Witness, keep_closest: bool) {
        let [pose_a, pose_b] = near.poses;
        let second_in_first = pose_a.inverse() * pose_b;
        let out = found.outward;
        let [face_a, face_b] = &mut self.faces;
        near.solids[0].face(out, found.points[0], face_a);
        let (back, hint) = (
            second_in_first.rotation.inverse() * -out,
            second_in_first.inverse_transform_point(found.points[1]),
        );
        near.solids[1].face(back, hint, face_b);
        face_b.transform(&second_in_first);
        let found = &prefer_faces(near, &second_in_first, found, [face_a, face_b]);
        let out = found.outward;
        let (align_a, align_b) = (alignment(face_a, out), alignment(face_b, -out));
        let second_refers = align_b > align_a + 1e-3;
        let [polygon, spare] = &mut self.polygons;
        let (reference, incident, up) = if second_refers {
            (&*face_b, &*face_a, -out)
        } else {
            (&*face_a, &*face_b, out)
        };
        polygon.clear();
        if align_a.max(align_b) >= ALIGNED {
            clip(reference, incident, up, polygon, spare);
        }
        let thick = near.margins[0] + near.margins[1];
        let closest = polygon.corners().iter().map(|c| c.height);
        let closest = closest.fold(f64::INFINITY, f64::min);
        if keep_closest && closest > found.distance + 1e-5 {
            polygon.push(Corner {
                point: found.points[usize::from(!second_refers)],
                height: found.distance,
                feature: CLOSEST,
                ..Corner::default()
            });
        }
        if second_refers {
            let solid = (&near.solids[0], &Pose::IDENTITY);
            add_vertices(solid, reference, up, near.highest(), polygon);
        } else {
            let solid = (&near.solids[1], &second_in_first);
            add_vertices(solid, reference, up, near.highest(), polygon);
        }
        near.keep_arriving(polygon, out, |point| point);
        let mut chosen = [Corner::default(); 4];
        let count = choose(polygon.corners(), up, &mut chosen);
        if count == 0 {
            return;
        }
        let round = [
            is_round(&near.solids[0], face_a, out),
            is_round(&near.solids[1], face_b, -out),
        ];
        self.begin(near, pose_a.rotation * -out);
        if let Some(last) = self.list.last_mut() {
            last.is_flat &= round == [false; 2];
        }
        for corner in &chosen[..count] {
            let foot = corner.point - up * corner.height;
            let (on_a, on_b, flag) = if second_refers {
                (corner.point, foot, SECOND_REFERS)
            } else {
                (foot, corner.point, 0)
            };
            let (on_a, on_b) = (on_a + out * near.margins[0], on_b - out * near.margins[1]);
            let gap = corner.height - thick;
            self.push(pose_a * on_a, pose_a * on_b, gap, corner.feature | flag);
        }
    }

    fn above_plane(&mut self, near: &Candidate, normal: Vec3, plane: f64) {
        let pose = near.poses[0];
        let down = pose.rotation.inverse() * -normal;
        let height = |p: Vec3| normal.dot(pose * p) - plane;
        let lowest = near.solids[0].support(down);
        let limit = near.reach + near.margins[0];
        if height(lowest) > limit {
            return;
        }
        let polygon = &mut self.polygons[0];
        polygon.clear();
        let mut is_flat = near.margins[0] == 0.0;
        let corner = |point: Vec3, id: u32| Corner {
            point,
            height: height(point),
            feature: id,
            ..Corner::default()
        };
        match near.solids[0] {
            Solid::Hull(hull) if hull.points().len() <= Polygon::CAPACITY => {
                for (id, &point) in hull.points().iter().enumerate() {
                    polygon.push(corner(point, id as u32));
                }
            }
            solid => {
                let face = &mut self.faces[0];
                solid.face(down, lowest, face);
                is_flat &= !is_round(&solid, face, down);
                for k in 0..face.count {
                    polygon.push(corner(face.vertices[k], face.ids[k]));
                }
                if !face.vertices[..face.count].contains(&lowest) {
                    polygon.push(corner(lowest, CLOSEST));
                }
            }
        }
        near.keep_arriving(polygon, down, |point| point);
        let mut chosen = [Corner::default(); 4];
        let count = choose(polygon.corners(), down, &mut chosen);
        if count == 0 {
            return;
        }
        self.begin(near, normal);
        if let Some(last) = self.list.last_mut() {
            last.rests_apart = false;
            last.is_flat = is_flat;
        }
        for c in &chosen[..count] {
            let at = pose * c.point;
            let on_a = at - normal * near.margins[0];
            let gap = c.height - near.margins[0];
            self.push(on_a, at - normal * c.height, gap, c.feature);
        }
    }
}

/// Takes a face's normal instead of the closest points' one where it separates the cores (nearly) as
/// well: it does not waver when the distance is tiny.
fn prefer_faces(
    near: &Candidate,
    second_in_first: &Pose,
    found: &Witness,
    [face_a, face_b]: [&Face; 2],
) -> Witness {
    let mut best = *found;
    best.distance -= FACE_TOLERANCE;
    if face_a.count > 2 && face_a.normal.dot(found.outward) > ALIGNED {
        let towards = second_in_first.rotation.inverse() * -face_a.normal;
        let lowest = second_in_first * near.solids[1].support(towards);
        let distance = face_a.normal.dot(lowest - face_a.vertices[0]);
        if distance > best.distance {
            best.outward = face_a.normal;
            best.distance = distance;
        }
    }
    if face_b.count > 2 && -face_b.normal.dot(found.outward) > ALIGNED {
        let lowest = near.solids[0].support(-face_b.normal);
        let distance = face_b.normal.dot(lowest - face_b.vertices[0]);
        if distance > best.distance {
            best.outward = -face_b.normal;
            best.distance = distance;
        }
    }
    if best.outward == found.outward {
        best.distance = found.distance;
    }
    best
}

/// Adds the vertices of a hull that lie over the reference face, but not in the clipped face nor above
/// `highest`: a body that tumbles will touch with them next.
fn add_vertices(
    (solid, pose): (&Solid, &Pose),
    reference: &Face,
    up: Vec3,
    highest: f64,
    polygon: &mut Polygon,
) {
    let Solid::Hull(hull) = solid else {
        return;
    };
    if reference.count < 3 || hull.points().len() > Polygon::CAPACITY {
        return;
    }
    let slope = 1.0 / reference.normal.dot(up);
    for (id, &point) in hull.points().iter().enumerate() {
        let point = pose * point;
        let height = reference.normal.dot(point - reference.vertices[0]) * slope;
        if height > highest {
            continue;
        }
        let feature = (id as u32) << 8;
        let known = polygon.corners().iter().any(|c| c.feature == feature);
        if !known && reference.is_below(point) {
            polygon.push(Corner {
                point,
                height,
                feature,
                ..Corner::default()
            });
        }
    }
}

/// Whether a core may roll on what lies along `direction`: it is round, and does not lie flat on its face.
fn is_round(solid: &Solid, face: &Face, direction: Vec3) -> bool {
    match solid {
        Solid::Round(_) => face.count < 3 || face.normal.dot(direction) < SQUARE,
        _ => false,
    }
}

/// How squarely a face looks along `direction`.
fn alignment(face: &Face, direction: Vec3) -> f64 {
    match face.count {
        0 | 1 => 0.0,
        2 => {
            let along = (face.vertices[1] - face.vertices[0]).normalize_or_zero();
            let slant = along.dot(direction);
            // An edge refers only where there is no face to do it.
            (1.0 - slant * slant).max(0.0).sqrt() - 0.01
        }
        _ => face.normal.dot(direction),
    }
}
