//! Contact of a cloth's triangles with what is smaller than its cells: nothing slips between the vertices, momentum is
//! conserved, and the vertices alone would not have noticed.

use glamx::DVec3;
use warpline_shell::impulse::TriangleMesh;
use warpline_shell::impulse::scenes::{Weave, weave};
use warpline_shell::impulse::*;

const STEP: f64 = 0.01;

/// A square cloth of side 1 m and 0.1 kg, level at height 0, of 5 x 5 vertices: cells of a quarter of a metre.
fn cloth(is_surface: bool, is_pinned: bool, solver: Solver, gravity: f64) -> (Cloth, ClothState) {
    let mesh = TriangleMesh::grid(5, 5, DVec3::ZERO, DVec3::X, DVec3::Z).unwrap();
    let particle = |(index, &position): (usize, &DVec3)| match is_pinned && index % 5 % 4 == 0 {
        true => Particle::fixed(position),
        false => Particle::new(position, 0.1 / 25.0),
    };
    let description = ClothDescription {
        particles: mesh.vertices.iter().enumerate().map(particle).collect(),
        sets: weave(5, 5, Weave::Triangulated, Kind::Rope, 0.05),
        contacts: Contacts {
            balls: Vec::new(),
            tolerance: 1e-3,
        },
        settings: Settings {
            step: STEP,
            gravity: DVec3::Y * -gravity,
            solver,
            ..Settings::default()
        },
    };
    let (cloth, state) = Cloth::new(&description).unwrap();
    match is_surface {
        true => (cloth.with_surface(&mesh.triangles).unwrap(), state),
        false => (cloth, state),
    }
}

/// A marble of 3 cm radius and 50 g above the middle of a cell.
fn marble(speed: f64) -> SphereObstacle {
    SphereObstacle {
        centre: DVec3::new(0.4, 0.05, 0.35),
        radius: 0.03,
        velocity: DVec3::Y * -speed,
        inverse_mass: 1.0 / 0.05,
    }
}

const SOLVERS: [Solver; 3] = [
    Solver::Impulses(Optimisations::ALL),
    Solver::Impulses(Optimisations::NONE),
    Solver::Strips { is_parallel: false },
];

/// Steps cloth and marble; the marble falls freely but for the cloth.
fn run(cloth: &Cloth, state: &mut ClothState, marble: &mut SphereObstacle, steps: u32) {
    let mut work = Workspace::new(cloth);
    let fall = cloth.settings().gravity * STEP;
    for _ in 0..steps {
        // the mean velocity over the step is what the cloth meets
        marble.velocity += fall * 0.5;
        cloth.step(state, &mut work, &mut [&mut *marble]).unwrap();
        marble.centre += marble.velocity * STEP;
        marble.velocity += fall * 0.5;
    }
}

#[test]
fn a_marble_smaller_than_a_cell_lies_in_the_cloth() {
    for solver in SOLVERS {
        for (is_surface, is_held) in [(true, true), (false, false)] {
            let (cloth, mut state) = cloth(is_surface, true, solver, 10.0);
            let mut marble = marble(0.0);
            run(&cloth, &mut state, &mut marble, 150);
            let is_above = marble.centre.y > -0.4;
            assert_eq!(is_above, is_held, "{solver:?}: {}", marble.centre);
        }
    }
}

#[test]
fn a_marble_that_would_cross_within_one_step_is_seen() {
    for solver in SOLVERS {
        // 20 cm a step, more than three times its diameter
        let (cloth, mut state) = cloth(true, true, solver, 0.0);
        let mut marble = marble(20.0);
        run(&cloth, &mut state, &mut marble, 2);
        let lowest = state.position.iter().map(|p| p.y).fold(0.0, f64::min);
        assert!(marble.velocity.y > -19.0, "{solver:?}: {}", marble.velocity);
        assert!(marble.centre.y > lowest - 0.03, "{solver:?}");
    }
}

#[test]
fn momentum_passes_from_marble_to_cloth_and_none_is_lost() {
    for solver in SOLVERS {
        let (cloth, mut state) = cloth(true, false, solver, 0.0);
        let mut marble = marble(3.0);
        let before = marble.velocity * 0.05;
        run(&cloth, &mut state, &mut marble, 40);
        let after = cloth.momentum(&state) + marble.velocity * 0.05;
        // rounding of a few hundred impulses of up to 0.1 N s
        assert!(after.distance(before) < 1e-13, "{solver:?}: {after}");
        assert!(marble.velocity.y > -2.9, "the cloth took nothing");
    }
}

#[test]
fn triangles_must_have_corners_that_exist() {
    let (cloth, _) = cloth(false, false, SOLVERS[0], 0.0);
    let error = cloth.with_surface(&[[0, 1, 25]]).unwrap_err();
    assert!(error.to_string().contains("25"), "{error}");
}
