//! The program as the slides write it (28 to 32), solved by an interior point method: twelve variables for
//! each body (its move and its target deficit), three for each separating plane (two tilts and an offset), one
//! constraint for each vertex of both pieces. Ours has no variables of planes and a row for each corner of
//! the clipped faces; both must move the bodies alike.

use super::super::bodies::Bodies;
use super::super::planes::kept;
use super::super::settings::{OptimizationSettings, Weighting};
use super::{Effort, KEPT, Program};
use crate::body::{Heft, Material};
use crate::groups::contacts::find;
use crate::groups::manifold::Manifolds;
use crate::groups::{Member, Span};
use crate::rotation::{from_rotation_vector, world_tensor};
use crate::{BodyModel, Part, Pose, Shape, State, Vec3};
use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, ZeroConeT};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Rows of a sparse matrix as they are made, with the right-hand side.
#[derive(Default)]
struct Sparse {
    entries: Vec<(usize, usize, f64)>,
    sides: Vec<f64>,
}

impl Sparse {
    fn row(&mut self, entries: impl IntoIterator<Item = (usize, f64)>, side: f64) {
        let row = self.sides.len();
        let placed = entries
            .into_iter()
            .map(|(column, value)| (row, column, value));
        self.entries.extend(placed);
        self.sides.push(side);
    }

    fn matrix(&self, columns: usize) -> CscMatrix<f64> {
        let (rows, (places, values)): (Vec<_>, (Vec<_>, Vec<_>)) =
            self.entries.iter().map(|&(r, c, v)| (r, (c, v))).unzip();
        CscMatrix::new_from_triplets(self.sides.len(), columns, rows, places, values)
    }
}

fn along(first: usize, vector: Vec3) -> [(usize, f64); 3] {
    let [x, y, z] = vector.to_array();
    [(first, x), (first + 1, y), (first + 2, z)]
}

/// The deficits, what a move lacks of the way to the target: an equality for each, and its weight.
fn add_deficits(
    members: &[Member],
    bodies: &Bodies,
    weighting: Weighting,
    [rows, weights]: [&mut Sparse; 2],
) {
    for (k, member) in members.iter().enumerate() {
        let wanted = bodies.deficit(k, &member.state.pose());
        for (half, wanted) in wanted.iter().enumerate() {
            for (axis, wanted) in wanted.to_array().into_iter().enumerate() {
                let (moved, deficit) = (12 * k + 3 * half + axis, 12 * k + 6 + 3 * half + axis);
                rows.row([(moved, 1.0), (deficit, -1.0)], wanted);
            }
        }
        let mass = &member.model.mass;
        let (weight, turning) = match weighting {
            Weighting::Mass => (mass.mass, world_tensor(member.state.rotation, mass.inertia)),
            Weighting::Geometric => {
                let square = mass.inertia.element_sum() / (3.0 * mass.mass);
                (1.0, crate::Mat3::from_diagonal(Vec3::splat(square)))
            }
        };
        for axis in 0..3 {
            let place = 12 * k + 6 + axis;
            weights.entries.push((place, place, weight));
        }
        let turning = turning.to_cols_array_2d();
        for (column, entries) in turning.iter().enumerate() {
            for (row, entry) in entries.iter().enumerate().take(column + 1) {
                let (row, column) = (12 * k + 9 + row, 12 * k + 9 + column);
                weights.entries.push((row, column, *entry));
            }
        }
    }
}

/// Separating planes: every vertex of the first above, every vertex of the second below.
fn add_planes(members: &[Member], manifolds: &Manifolds, skin: f64, rows: &mut Sparse) {
    for (p, manifold) in manifolds.list.iter().enumerate() {
        let (n, plane) = (manifold.normal, 12 * members.len() + 3 * p);
        let (t, u) = n.any_orthonormal_pair();
        let half = 0.5 * KEPT * kept(manifold, skin);
        let places = [manifold.pair.0 as usize, manifold.pair.1 as usize];
        let origin = members[places[0]].state.position;
        for (side, place) in [(-1.0, places[0]), (1.0, places[1])] {
            let state = &members[place].state;
            for corner in &members[place].model.collider.parts[0].corners {
                let q = state.pose() * *corner;
                let arm = q - state.position;
                let from = q - origin;
                let body = along(12 * place, n * side)
                    .into_iter()
                    .chain(along(12 * place + 3, arm.cross(n) * side));
                let tilts = [
                    (plane, side * t.dot(from)),
                    (plane + 1, side * u.dot(from)),
                    (plane + 2, -side),
                ];
                rows.row(body.chain(tilts), -half - side * n.dot(from));
            }
        }
    }
}

/// The moves (metres and rotation vectors) of the explicit program.
fn explicit(
    members: &[Member],
    bodies: &Bodies,
    manifolds: &Manifolds,
    settings: &OptimizationSettings,
) -> Vec<[Vec3; 2]> {
    let count = members.len();
    let columns = 12 * count + 3 * manifolds.list.len();
    let mut weights = Sparse::default();
    let mut rows = Sparse::default();
    add_deficits(
        members,
        bodies,
        settings.weighting,
        [&mut rows, &mut weights],
    );
    weights.sides = vec![0.0; columns];
    let equalities = rows.sides.len();
    add_planes(members, manifolds, settings.skin, &mut rows);
    let cones = [
        ZeroConeT(equalities),
        NonnegativeConeT(rows.sides.len() - equalities),
    ];
    let tight = DefaultSettings {
        verbose: false,
        tol_gap_abs: 1e-14,
        tol_gap_rel: 1e-14,
        tol_feas: 1e-13,
        ..DefaultSettings::default()
    };
    let (weights, free) = (weights.matrix(columns), vec![0.0; columns]);
    let solver = DefaultSolver::new(
        &weights,
        &free,
        &rows.matrix(columns),
        &rows.sides,
        &cones,
        tight,
    );
    let mut solver = solver.expect("a well-formed program");
    solver.solve();
    let found = &solver.solution.x;
    let vector = |k: usize| Vec3::new(found[k], found[k + 1], found[k + 2]);
    (0..count)
        .map(|k| [vector(12 * k), vector(12 * k + 3)])
        .collect()
}

/// The moves of the program without the planes' variables.
fn eliminated(
    members: &[Member],
    bodies: &Bodies,
    manifolds: &Manifolds,
    settings: &OptimizationSettings,
) -> Vec<[Vec3; 2]> {
    let mut program = Program::default();
    program.linearise((members, &[]), manifolds, settings);
    program.aim(members, bodies);
    program.minimise((100_000, 1e-15), &mut Effort::default());
    let moves = program.moves.iter();
    moves.map(|at| [at.shift, at.turn]).collect()
}

/// Compares both on boxes at these poses, each of which is to go to its target.
fn compare(poses: &[Pose], aims: &[[Vec3; 2]], weighting: Weighting) {
    let half_extents = Vec3::new(0.1, 0.06, 0.08);
    let material = Material {
        restitution: 0.0,
        friction: 0.0,
    };
    let part = Part::centred(Shape::Box { half_extents });
    let heavy = |k: usize| Heft::Mass(1.0 + k as f64);
    let models: Vec<BodyModel> = (0..poses.len())
        .map(|k| BodyModel::dynamic(std::slice::from_ref(&part), heavy(k), material, Vec3::ZERO))
        .collect::<Result<_, _>>()
        .expect("a box");
    let members: Vec<Member> = (models.iter().zip(poses).enumerate())
        .map(|(body, (model, pose))| Member {
            body: body as u32,
            model,
            state: State::at_rest(*pose * model.user_frame.inverse()),
        })
        .collect();
    let settings = OptimizationSettings {
        weighting,
        ..OptimizationSettings::default()
    };
    let mut bodies = Bodies::default();
    let span = Span {
        begin: 0.0,
        seconds: 1.0 / 60.0,
    };
    bodies.begin(&members, &[], span);
    bodies.aim(&members, &vec![true; members.len()]);
    for (target, [shift, turn]) in bodies.targets.iter_mut().zip(aims) {
        target.translation += *shift;
        target.rotation = from_rotation_vector(*turn) * target.rotation;
    }
    let count = members.len() as u32;
    let pairs: Vec<(u32, u32)> = (0..count)
        .flat_map(|i| (i + 1..count).map(move |j| (i, j)))
        .collect();
    let mut manifolds = Manifolds::default();
    find(&members, &[], &pairs, 0.02, 0.0, &mut manifolds).expect("pairs of members");
    assert!(!manifolds.list.is_empty());
    let reference = explicit(&members, &bodies, &manifolds, &settings);
    let ours = eliminated(&members, &bodies, &manifolds, &settings);
    for (k, (a, b)) in reference.iter().zip(&ours).enumerate() {
        let apart = (a[0] - b[0]).length() + 0.1 * (a[1] - b[1]).length();
        // Moves are millimetres; the interior point method ends within about 1e-10 of them.
        assert!(apart < 1e-8, "body {k}: {a:?} {b:?}");
        // What is compared must have been held back by planes.
        assert!(
            (a[0] - aims[k][0]).length() > 1e-5,
            "body {k} went to its target"
        );
    }
}

#[test]
fn towers_move_as_in_the_explicit_program() {
    // Boxes above each other, face to face, pushed together, sideways and turned.
    for weighting in [Weighting::Geometric, Weighting::Mass] {
        let mut rng = Pcg64Mcg::seed_from_u64(4);
        for _ in 0..5 {
            let mut any = |size: f64| {
                let [x, y, z] = [(); 3].map(|()| rng.random_range(-size..size));
                Vec3::new(x, y, z)
            };
            let poses: Vec<Pose> = (0..4)
                .map(|k| {
                    let lean = Vec3::new(0.02, 0.0, 0.01) * f64::from(k % 2);
                    Pose::from_translation(Vec3::Y * (0.1206 * f64::from(k)) + lean)
                })
                .collect();
            let aims: Vec<[Vec3; 2]> = (0..4)
                .map(|k| {
                    let together = Vec3::Y * (0.004 * (1.5 - f64::from(k)));
                    [together + any(3e-4), any(0.002)]
                })
                .collect();
            compare(&poses, &aims, weighting);
        }
    }
}

#[test]
fn edges_and_corners_move_as_in_the_explicit_program() {
    // A box that stands on a corner, and two whose edges cross.
    let along = |axis: Vec3, angle: f64| from_rotation_vector(axis.normalize() * angle);
    let lying = Pose::from_translation(Vec3::ZERO);
    let edge = Pose::from_parts(Vec3::new(0.0, 0.1, 0.0), along(Vec3::X, 0.8));
    let corner = Pose::from_parts(Vec3::ZERO, along(Vec3::new(1.0, 0.3, 0.6), 0.9));
    let lowest = |pose: &Pose| {
        let sides = [-1.0, 1.0];
        let corners =
            sides.map(|x| sides.map(|y| sides.map(|z| Vec3::new(0.1 * x, 0.06 * y, 0.08 * z))));
        let all = corners.into_iter().flatten().flatten();
        all.map(|c| (*pose * c).y).fold(f64::INFINITY, f64::min)
    };
    for mut upper in [corner, Pose::from_parts(Vec3::ZERO, edge.rotation)] {
        upper.translation.y += 0.0605 - lowest(&upper);
        let aims = [
            [Vec3::new(1e-4, 0.002, 0.0), Vec3::new(0.001, 0.0, 0.002)],
            [Vec3::new(0.0, -0.003, 2e-4), Vec3::new(0.002, 0.001, 0.0)],
        ];
        compare(&[lying, upper], &aims, Weighting::Mass);
    }
    let crossing = Pose::from_parts(
        Vec3::new(0.01, 2.0 * libm::hypot(0.06, 0.08) - 0.0008, 0.0),
        along(Vec3::Y, 0.7) * along(Vec3::X, libm::atan2(0.08, 0.06)),
    );
    let below = Pose::from_parts(Vec3::ZERO, along(Vec3::X, libm::atan2(0.08, 0.06)));
    let aims = [
        [Vec3::new(0.0, 0.003, 0.0), Vec3::new(0.001, 0.0, 0.0)],
        [Vec3::new(0.0, -0.003, 0.0), Vec3::new(0.0, 0.0, 0.002)],
    ];
    compare(&[below, crossing], &aims, Weighting::Geometric);
}
