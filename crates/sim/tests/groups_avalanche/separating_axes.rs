//! How deep two convex polytopes overlap, by separating axes: the least overlap along the normals of their
//! faces and the crosses of their edges. It shares nothing with the distance searches that are tested.

use physics::collider::SolidPart;
use physics::{Pose, Vec3};

/// A polytope in the world.
pub struct Polytope {
    pub points: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub edges: Vec<Vec3>,
    pub centre: Vec3,
    pub radius: f64,
}

impl Polytope {
    /// A hull or a box whose body is at `pose`; nothing for other shapes.
    pub fn of(part: &SolidPart, pose: &Pose) -> Option<Self> {
        let core = pose * part.pose;
        let points: Vec<Vec3> = part.corners.iter().map(|c| pose * *c).collect();
        let turned = |d: Vec3| core.rotation * d;
        let (normals, edges) = match part.shape.as_convex_polyhedron() {
            Some(hull) => (
                hull.faces().iter().map(|f| turned(f.normal)).collect(),
                hull.edges().iter().map(|e| turned(e.dir)).collect(),
            ),
            None => {
                part.shape.as_cuboid()?;
                let axes = [Vec3::X, Vec3::Y, Vec3::Z].map(turned);
                (axes.to_vec(), axes.to_vec())
            }
        };
        let centre = core.translation;
        let far = |r: f64, p: &Vec3| r.max((*p - centre).length());
        let radius = points.iter().fold(0.0, far);
        Some(Polytope {
            points,
            normals,
            edges,
            centre,
            radius,
        })
    }

    /// The stretch that it covers along an axis.
    fn shadow(&self, axis: Vec3) -> [f64; 2] {
        let heights = self.points.iter().map(|p| axis.dot(*p));
        heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[lo, hi], h| {
            [lo.min(h), hi.max(h)]
        })
    }

    /// Depth of the overlap with another one, metres; zero if they are apart.
    pub fn overlap(&self, other: &Polytope) -> f64 {
        if (self.centre - other.centre).length() > self.radius + other.radius {
            return 0.0;
        }
        let faces = self.normals.iter().chain(&other.normals).copied();
        let crosses = self.edges.iter();
        let crosses = crosses.flat_map(|e| other.edges.iter().map(move |f| e.cross(*f)));
        let mut least = f64::INFINITY;
        for axis in faces.chain(crosses) {
            // Parallel edges have no cross.
            let Some(axis) = axis.try_normalize().filter(|a| a.is_finite()) else {
                continue;
            };
            let ([lo, hi], [other_lo, other_hi]) = (self.shadow(axis), other.shadow(axis));
            least = least.min((hi - other_lo).min(other_hi - lo));
            if least <= 0.0 {
                return 0.0;
            }
        }
        least
    }

    /// Whether a box covers the point that is straight below or above `point`, and lies higher up.
    pub fn is_above(&self, point: Vec3) -> bool {
        let mut enters = 0.0f64;
        let mut leaves = f64::INFINITY;
        for normal in &self.normals {
            let [lo, hi] = self.shadow(*normal);
            let (at, rate) = (normal.dot(point), normal.y);
            if rate.abs() < 1e-12 {
                if at < lo || at > hi {
                    return false;
                }
                continue;
            }
            let (first, second) = ((lo - at) / rate, (hi - at) / rate);
            enters = enters.max(first.min(second));
            leaves = leaves.min(first.max(second));
        }
        enters <= leaves
    }
}

#[test]
fn boxes_overlap_by_what_is_known() {
    use physics::collider::Collider;
    use physics::{Part, Quat, Shape};
    let half_extents = Vec3::new(1.0, 0.5, 0.25);
    let cube = [Part::centred(Shape::Box { half_extents })];
    let cube = Collider::new(&cube, Pose::IDENTITY).expect("a box");
    let at = |x: f64, y: f64, turn: f64| {
        let pose = Pose {
            rotation: Quat::from_rotation_z(turn),
            translation: Vec3::new(x, y, 0.0),
        };
        Polytope::of(&cube.parts[0], &pose).expect("a box")
    };
    let fixed = at(0.0, 0.0, 0.0);
    assert_eq!(fixed.overlap(&at(2.1, 0.0, 0.0)), 0.0);
    assert!((fixed.overlap(&at(1.9, 0.0, 0.0)) - 0.1).abs() < 1e-12);
    // A corner from above: half a diagonal reaches down to 0.6.
    let turn = std::f64::consts::FRAC_PI_4;
    let reach = (1.0 + 0.5) * turn.sin();
    assert!((fixed.overlap(&at(0.0, 0.5 + reach - 0.02, turn)) - 0.02).abs() < 1e-12);
    assert!(fixed.is_above(Vec3::new(0.9, -3.0, 0.0)));
    assert!(!fixed.is_above(Vec3::new(0.9, 3.0, 0.0)));
    assert!(!fixed.is_above(Vec3::new(1.1, -3.0, 0.0)));
}
