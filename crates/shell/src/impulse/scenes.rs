//! The paper's three scenes (section 5) as functions of their parameters: a square cloth of side 1 m, held
//! level and let go; it swings, it swings into a sphere, or it is spanned and catches one.

use glamx::DVec3;

use crate::impulse::model::cloth::{Cloth, ClothDescription, ConstraintSet, Contacts, Particle};
use crate::impulse::model::constraint::Kind;
use crate::impulse::model::error::ClothError;
use crate::impulse::model::mesh::TriangleMesh;
use crate::impulse::model::settings::{Optimisations, Settings, Solver};
use crate::impulse::model::state::ClothState;

/// Which neighbours of the grid are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weave {
    /// Along the two sides only, so that the cloth shears freely.
    Square,
    /// Also along one diagonal of each cell: the edges of the triangle mesh.
    Triangulated,
}

/// Parameters of the scenes; the defaults are the paper's.
#[derive(Debug, Clone, PartialEq)]
pub struct ClothScene {
    /// Particles a side.
    pub resolution: u32,
    /// Maximum extensibility as a fraction.
    pub extensibility: f64,
    /// Whether the velocity loop runs.
    pub is_velocity_corrected: bool,
    /// Which particles are joined.
    pub weave: Weave,
    /// Distance constraints, or ropes.
    pub kind: Kind,
    /// The solver.
    pub solver: Solver,
    /// Mass of the whole cloth, kg (the paper does not say).
    pub cloth_mass: f64,
    /// Mass of the sphere that is caught, kg: by default as heavy as the whole cloth, 400 particles.
    pub sphere_mass: f64,
    /// Largest penetration of the sphere that is not corrected, m. The paper's 0.1 has no unit.
    pub contact_tolerance: f64,
}

impl Default for ClothScene {
    fn default() -> Self {
        Self {
            resolution: 20,
            extensibility: 0.01,
            is_velocity_corrected: false,
            weave: Weave::Square,
            kind: Kind::Distance,
            solver: Solver::Impulses(Optimisations::ALL),
            cloth_mass: 1.0,
            sphere_mass: 1.0,
            contact_tolerance: 1e-3,
        }
    }
}

/// The paper's names for the three simulations.
pub const SCENES: [(&str, SceneFunction); 3] = [
    ("cloth-swing", cloth_swing),
    ("cloth-sphere", cloth_sphere),
    ("cloth-catch", cloth_catch),
];

/// Builds a scene.
pub type SceneFunction = fn(&ClothScene) -> Result<(Cloth, ClothState), ClothError>;

/// First simulation: the row of particles on the left is fixed, the cloth swings around it.
pub fn cloth_swing(scene: &ClothScene) -> Result<(Cloth, ClothState), ClothError> {
    build(scene, &[0], None)
}

/// Second simulation: the swinging cloth meets a fixed sphere.
pub fn cloth_sphere(scene: &ClothScene) -> Result<(Cloth, ClothState), ClothError> {
    let mut sphere = Particle::fixed(DVec3::new(0.35, -0.5, 0.5));
    sphere.radius = 0.2;
    build(scene, &[0], Some(sphere))
}

/// Third simulation: two opposite sides are fixed and a heavy sphere falls on the cloth. The sides are a
/// little closer than the cloth is long: a flat inextensible cloth could only stop the sphere at once.
pub fn cloth_catch(scene: &ClothScene) -> Result<(Cloth, ClothState), ClothError> {
    let mut sphere = Particle::new(DVec3::new(0.5 * SIDE, 0.2, 0.5 * SIDE), scene.sphere_mass);
    sphere.radius = 0.15;
    build(scene, &[0, scene.resolution - 1], Some(sphere))
}

/// Side of the cloth, m.
const SIDE: f64 = 1.0;

fn build(
    scene: &ClothScene,
    fixed_columns: &[u32],
    sphere: Option<Particle>,
) -> Result<(Cloth, ClothState), ClothError> {
    let n = scene.resolution;
    let mut mesh = TriangleMesh::grid(n, n, DVec3::ZERO, DVec3::X * SIDE, DVec3::Z * SIDE)?;
    if fixed_columns.len() > 1 {
        hang(&mut mesh, n);
    }
    let mass = scene.cloth_mass / f64::from(n * n);
    let particle = |(index, &position): (usize, &DVec3)| {
        let is_fixed = fixed_columns.contains(&(index as u32 % n));
        if is_fixed {
            Particle::fixed(position)
        } else {
            Particle::new(position, mass)
        }
    };
    let mut particles: Vec<Particle> = mesh.vertices.iter().enumerate().map(particle).collect();
    let ball = sphere.map(|sphere| {
        particles.push(sphere);
        n * n
    });
    let description = ClothDescription {
        particles,
        sets: weave(n, n, scene.weave, scene.kind, scene.extensibility),
        contacts: Contacts {
            balls: ball.into_iter().collect(),
            tolerance: scene.contact_tolerance,
        },
        settings: Settings {
            velocity_tolerance: scene.is_velocity_corrected.then_some(0.01),
            solver: scene.solver,
            ..Settings::default()
        },
    };
    Cloth::new(&description)
}

/// Half the angle by which a cloth fixed at two sides bends from one to the other, rad: it then spans 95 %
/// of its length.
const HANG: f64 = 0.55;

/// Bends the rows of a level grid into an arc without changing the length of any edge of its cells' sides.
fn hang(mesh: &mut TriangleMesh, n: u32) {
    let link = SIDE / f64::from(n - 1);
    let slope = |k: u32| HANG * (1.0 - f64::from(2 * k + 1) / f64::from(n - 1));
    let span: f64 = (0..n - 1).map(|k| link * libm::cos(slope(k))).sum();
    let (mut x, mut y) = (0.5 * (SIDE - span), 0.0);
    for column in 0..n {
        for row in 0..n {
            let vertex = &mut mesh.vertices[(row * n + column) as usize];
            (vertex.x, vertex.y) = (x, y);
        }
        x += link * libm::cos(slope(column));
        y -= link * libm::sin(slope(column));
    }
}

/// The constraints of a grid of vertices ([`TriangleMesh::grid`]): weft along its rows, warp across them,
/// and the diagonals if the weave has them.
pub fn weave(
    columns: u32,
    rows: u32,
    weave: Weave,
    kind: Kind,
    extensibility: f64,
) -> Vec<ConstraintSet> {
    let cells = |width: u32| {
        (0..rows - 1).flat_map(move |row| (0..width).map(move |column| row * columns + column))
    };
    let set = |name: &str, pairs: Vec<[u32; 2]>| ConstraintSet {
        name: name.into(),
        kind,
        extensibility,
        pairs,
    };
    // outwards from the first column, all rows abreast: neighbours in this order share no particle, so a
    // processor can overlap them; each row sees the same order as if it stood alone
    let along = |column: u32| {
        (0..rows).map(move |row| [row * columns + column, row * columns + column + 1])
    };
    let mut sets = vec![
        set("weft", (0..columns - 1).flat_map(along).collect()),
        set("warp", cells(columns).map(|i| [i, i + columns]).collect()),
    ];
    if weave == Weave::Triangulated {
        let diagonals = cells(columns - 1).map(|i| [i, i + columns + 1]);
        sets.push(set("diagonal", diagonals.collect()));
    }
    sets
}
