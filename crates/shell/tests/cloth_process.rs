//! Cloth as a process of the world: its next state is a pure function of model, state and obstacles, so it
//! can be cut, rolled back and replayed; obstacles feel what they do to it; input is checked.

use glamx::DVec3;
use warpline_shell::impulse::TriangleMesh;
use warpline_shell::impulse::scenes::{self, ClothScene, Weave};
use warpline_shell::impulse::*;

fn bits(state: &ClothState) -> Vec<u64> {
    let vectors = state.position.iter().chain(&state.velocity);
    vectors
        .flat_map(|v| v.to_array())
        .map(f64::to_bits)
        .collect()
}

const SOLVERS: [Solver; 2] = [
    Solver::Impulses(Optimisations::ALL),
    Solver::Strips { is_parallel: false },
];

#[test]
fn a_restored_state_replays_to_the_same_bytes() {
    for solver in SOLVERS {
        for (name, build) in scenes::SCENES {
            let scene = ClothScene {
                resolution: 8,
                is_velocity_corrected: true,
                solver,
                ..ClothScene::default()
            };
            let (cloth, mut state) = build(&scene).unwrap();
            let mut work = Workspace::new(&cloth);
            let advance = |state: &mut ClothState, work: &mut Workspace, steps: u32| {
                for _ in 0..steps {
                    cloth.step(state, work, &mut []).unwrap();
                }
            };
            advance(&mut state, &mut work, 20);
            let kept = state.clone();
            advance(&mut state, &mut work, 30);
            let mut replayed = kept.clone();
            advance(&mut replayed, &mut work, 30);
            assert_eq!(
                bits(&replayed),
                bits(&state),
                "{name} {solver:?}, used workspace"
            );
            let mut fresh = kept;
            advance(&mut fresh, &mut Workspace::new(&cloth), 30);
            assert_eq!(
                bits(&fresh),
                bits(&state),
                "{name} {solver:?}, fresh workspace"
            );
        }
    }
}

#[test]
fn strips_give_the_same_bytes_on_any_number_of_threads() {
    let run = |is_parallel: bool| {
        let solver = Solver::Strips { is_parallel };
        let scene = ClothScene {
            resolution: 17,
            weave: Weave::Triangulated,
            solver,
            ..ClothScene::default()
        };
        let (cloth, mut state) = scenes::cloth_sphere(&scene).unwrap();
        let mut work = Workspace::new(&cloth);
        for _ in 0..60 {
            cloth.step(&mut state, &mut work, &mut []).unwrap();
        }
        bits(&state)
    };
    let expected = run(false);
    for threads in [1, 2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        assert_eq!(pool.install(|| run(true)), expected, "{threads} threads");
    }
}

/// A level triangulated cloth of 0.1 kg, 11 x 11, from (0, 0, 0) to (1, 0, 1), with nothing fixed.
fn loose_cloth(solver: Solver, gravity: DVec3) -> (Cloth, ClothState) {
    loose_cloth_with(solver, gravity, Some(0.01))
}

fn loose_cloth_with(
    solver: Solver,
    gravity: DVec3,
    velocity_tolerance: Option<f64>,
) -> (Cloth, ClothState) {
    let mesh = TriangleMesh::grid(11, 11, DVec3::ZERO, DVec3::X, DVec3::Z).unwrap();
    let description = ClothDescription {
        particles: mesh
            .vertices
            .iter()
            .map(|&p| Particle::new(p, 0.1 / 121.0))
            .collect(),
        sets: vec![ConstraintSet {
            name: "edges".into(),
            kind: Kind::Rope,
            extensibility: 0.02,
            pairs: mesh.edges(),
        }],
        contacts: Contacts {
            balls: Vec::new(),
            tolerance: 1e-3,
        },
        settings: Settings {
            solver,
            gravity,
            velocity_tolerance,
            ..Settings::default()
        },
    };
    Cloth::new(&description).unwrap()
}

/// A sphere of 0.2 kg that rises towards a loose cloth.
fn rising_sphere() -> SphereObstacle {
    SphereObstacle {
        centre: DVec3::new(0.5, -0.25, 0.5),
        radius: 0.2,
        velocity: DVec3::new(0.0, 2.0, 0.0),
        inverse_mass: 1.0 / 0.2,
    }
}

#[test]
fn an_obstacle_is_not_penetrated_in_any_step() {
    // the impulses of the velocity loop move the obstacle on after the positions are settled; that must not show
    for velocity_tolerance in [None, Some(0.01), Some(1e-4)] {
        for solver in SOLVERS
            .into_iter()
            .chain([Solver::Impulses(Optimisations::PAPER_BASELINE)])
        {
            let (cloth, mut state) = loose_cloth_with(solver, DVec3::ZERO, velocity_tolerance);
            let mut work = Workspace::new(&cloth);
            let mut sphere = rising_sphere();
            let mut deepest: f64 = 0.0;
            for _ in 0..50 {
                cloth
                    .step(&mut state, &mut work, &mut [&mut sphere])
                    .unwrap();
                sphere.centre += sphere.velocity * cloth.settings().step;
                for &p in &state.position {
                    deepest = deepest.max(0.2 - p.distance(sphere.centre));
                }
                assert!(cloth.largest_strain(&state) <= 0.02, "{solver:?}");
            }
            // the tolerance and rounding; and they did touch
            assert!(
                deepest <= 1e-3 + 1e-12 && deepest > 0.0,
                "{solver:?} {velocity_tolerance:?}: {deepest} m"
            );
        }
    }
}

#[test]
fn an_obstacle_takes_the_opposite_impulse() {
    for solver in SOLVERS {
        let (cloth, mut state) = loose_cloth(solver, DVec3::ZERO);
        let mut work = Workspace::new(&cloth);
        let mut sphere = rising_sphere();
        for _ in 0..50 {
            cloth
                .step(&mut state, &mut work, &mut [&mut sphere])
                .unwrap();
            sphere.centre += sphere.velocity * cloth.settings().step;
        }
        let total = cloth.momentum(&state) + sphere.velocity * 0.2;
        // opposite impulses, rounded
        assert!(
            total.distance(DVec3::new(0.0, 0.4, 0.0)) < 1e-12,
            "{solver:?}: {total}"
        );
        assert!(
            sphere.velocity.y < 1.9,
            "{solver:?}: the sphere must have been slowed, {}",
            sphere.velocity.y
        );
    }
}

#[test]
fn cloth_comes_to_lie_on_the_ground() {
    for solver in SOLVERS {
        let (cloth, mut state) = loose_cloth(solver, DVec3::new(0.0, -10.0, 0.0));
        let mut work = Workspace::new(&cloth);
        let mut ground = GroundObstacle {
            point: DVec3::new(0.0, -0.1, 0.0),
            normal: DVec3::Y,
        };
        for _ in 0..50 {
            cloth
                .step(&mut state, &mut work, &mut [&mut ground])
                .unwrap();
            assert!(state.position.iter().all(|p| p.y >= -0.101), "{solver:?}");
            assert!(cloth.largest_strain(&state) <= 0.02, "{solver:?}");
        }
        // it fell 0.1 m in 0.14 s and has nothing to bounce off: flat within the contact tolerance
        assert!(state.position.iter().all(|p| p.y <= -0.098), "{solver:?}");
    }
}

#[test]
fn meshes_come_from_obj() {
    let text = "# two quads\nv 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 0 1\nv 1 0 1\nv 2 0 1\nvt 0 0\nf 1/1 2/1 5/1 4/1\nf -5 -4 -1 -2\n";
    let mesh = TriangleMesh::from_obj(text).unwrap();
    assert_eq!(mesh.vertices.len(), 6);
    assert_eq!(mesh.triangles, [[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]]);
    let grid = TriangleMesh::grid(3, 2, DVec3::ZERO, DVec3::X * 2.0, DVec3::Z).unwrap();
    assert_eq!(mesh.edges(), grid.edges());
}

#[test]
fn bad_obj_lines_are_named() {
    for (text, line, word) in [
        ("v 0 0", 1, "no z"),
        ("v 0 0 0\nv 0 x 0", 2, "\"x\""),
        ("v 0 0 nan", 1, "finite"),
        ("v 0 0 0\nf 1 1", 2, "2 corners"),
        ("v 0 0 0\nf 1 2 3", 2, "corner 2"),
        ("v 0 0 0\nf 0 1 1", 2, "corner 0"),
    ] {
        let message = TriangleMesh::from_obj(text).unwrap_err().to_string();
        assert!(
            message.contains(&format!("line {line}")) && message.contains(word),
            "{message}"
        );
    }
}

/// Makes one thing wrong with a description.
type Spoil = fn(&mut ClothDescription);

#[test]
fn bad_descriptions_are_refused_with_the_reason() {
    let good = ClothDescription {
        particles: vec![Particle::fixed(DVec3::ZERO), Particle::new(DVec3::X, 1.0)],
        sets: vec![ConstraintSet {
            name: "weft".into(),
            kind: Kind::Distance,
            extensibility: 0.01,
            pairs: vec![[0, 1]],
        }],
        contacts: Contacts {
            balls: Vec::new(),
            tolerance: 1e-3,
        },
        settings: Settings::default(),
    };
    assert!(Cloth::new(&good).is_ok());
    let cases: [(Spoil, &str); 7] = [
        (|d| d.sets[0].pairs.push([1, 0]), "second time"),
        (|d| d.sets[0].pairs.push([1, 7]), "particle 7"),
        (
            |d| d.sets[0].extensibility = 0.0,
            "extensibility of set \"weft\"",
        ),
        (|d| d.particles[1].mass = -1.0, "mass of particle 1"),
        (
            |d| d.particles[1].position = DVec3::ZERO,
            "length of the constraint",
        ),
        (|d| d.settings.step = f64::NAN, "settings.step"),
        (|d| d.contacts.balls.push(1), "radius of ball 1"),
    ];
    for (spoil, word) in cases {
        let mut bad = good.clone();
        spoil(&mut bad);
        let message = Cloth::new(&bad).unwrap_err().to_string();
        assert!(message.contains(word), "{message}");
    }
}

#[test]
fn a_step_that_cannot_converge_leaves_the_state_alone() {
    let description = ClothDescription {
        particles: vec![
            Particle::fixed(DVec3::ZERO),
            Particle::new(DVec3::X, 1.0),
            {
                let mut driven = Particle::fixed(DVec3::X * 2.0);
                driven.velocity = DVec3::X;
                driven
            },
        ],
        sets: vec![ConstraintSet {
            name: "torn".into(),
            kind: Kind::Rope,
            extensibility: 1e-3,
            pairs: vec![[0, 1], [1, 2]],
        }],
        contacts: Contacts {
            balls: Vec::new(),
            tolerance: 1e-3,
        },
        settings: Settings {
            max_iterations: 500,
            ..Settings::default()
        },
    };
    let (cloth, start) = Cloth::new(&description).unwrap();
    let mut state = start.clone();
    let error = cloth
        .step(&mut state, &mut Workspace::new(&cloth), &mut [])
        .unwrap_err();
    assert!(
        matches!(
            error,
            ClothError::NotConverged {
                step: 0,
                loop_name: "position",
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(state, start);
}

/// A small loose cloth on an inclined plane: it stays where friction is larger than the slope, and slides with
/// g (sin - mu cos) where it is smaller.
#[test]
fn friction_holds_cloth_on_a_slope_as_coulomb_says() {
    let (sin, cos) = (0.28, 0.96);
    let (along, normal) = (DVec3::new(cos, -sin, 0.0), DVec3::new(sin, cos, 0.0));
    for solver in SOLVERS {
        for friction in [0.0, 0.15, 0.4] {
            let mesh = TriangleMesh::grid(5, 5, DVec3::ZERO, along * 0.4, DVec3::Z * 0.4).unwrap();
            let description = ClothDescription {
                particles: mesh
                    .vertices
                    .iter()
                    .map(|&p| Particle::new(p, 0.01))
                    .collect(),
                sets: vec![ConstraintSet {
                    name: "edges".into(),
                    kind: Kind::Distance,
                    extensibility: 0.02,
                    pairs: mesh.edges(),
                }],
                contacts: Contacts {
                    balls: Vec::new(),
                    tolerance: 1e-4,
                },
                settings: Settings {
                    solver,
                    friction,
                    ..Settings::default()
                },
            };
            let (cloth, mut state) = Cloth::new(&description).unwrap();
            let mut work = Workspace::new(&cloth);
            let mut plane = GroundObstacle {
                point: DVec3::ZERO,
                normal,
            };
            let start = cloth_middle(&state);
            for _ in 0..100 {
                cloth
                    .step(&mut state, &mut work, &mut [&mut plane])
                    .unwrap();
            }
            let way = (cloth_middle(&state) - start).dot(along);
            let expected = 0.5 * 10.0 * f64::max(0.0, sin - friction * cos);
            // Every particle is pressed and rubbed alike, so that no link works: only rounding is left.
            assert!(
                (way - expected).abs() < 1e-9,
                "{solver:?}, {friction}: {way} m instead of {expected} m"
            );
        }
    }
}

fn cloth_middle(state: &ClothState) -> DVec3 {
    state.position.iter().sum::<DVec3>() / state.position.len() as f64
}

/// A sheet on a slope of 10 degrees with a friction of 0.25 sticks at any step, with and without the velocity loop: all
/// impulses that hold it bound its friction, also those of a sheet that lies still.
#[test]
fn a_sheet_that_must_stick_does_not_creep() {
    let (sin, cos) = 10f64.to_radians().sin_cos();
    let down = DVec3::new(cos, -sin, 0.0);
    let normal = DVec3::new(sin, cos, 0.0);
    let cases = [
        (0.01, None),
        (0.002, None),
        (0.0005, None),
        (0.01, Some(1e-3)),
        (0.002, Some(1e-3)),
    ];
    for solver in [
        Solver::Impulses(Optimisations::ALL),
        Solver::Impulses(Optimisations::NONE),
        Solver::Strips { is_parallel: false },
    ] {
        for (step, velocity_tolerance) in cases {
            let corner = normal * 0.0055 - down * 0.5 - DVec3::Z * 0.5;
            let mesh = TriangleMesh::grid(13, 13, corner, down, DVec3::Z).unwrap();
            let thick = |&position: &DVec3| Particle {
                radius: 0.005,
                ..Particle::new(position, 0.2 / 169.0)
            };
            let description = ClothDescription {
                particles: mesh.vertices.iter().map(thick).collect(),
                sets: scenes::weave(13, 13, scenes::Weave::Square, Kind::Distance, 0.01),
                contacts: Contacts {
                    balls: Vec::new(),
                    tolerance: 1e-3,
                },
                settings: Settings {
                    step,
                    gravity: DVec3::Y * -9.81,
                    velocity_tolerance,
                    friction: 0.25,
                    solver,
                    ..Settings::default()
                },
            };
            let (cloth, mut state) = Cloth::new(&description).unwrap();
            let cloth = cloth.with_surface(&mesh.triangles).unwrap();
            let mut work = Workspace::new(&cloth);
            let mut slope = GroundObstacle {
                point: DVec3::ZERO,
                normal,
            };
            let mut run = |state: &mut ClothState, seconds: f64| {
                for _ in 0..(seconds / step) as u32 {
                    cloth.step(state, &mut work, &mut [&mut slope]).unwrap();
                }
            };
            // it has fallen the half millimetre by then
            run(&mut state, 0.1);
            let before = cloth_middle(&state);
            run(&mut state, 0.4);
            let creep = cloth_middle(&state).distance(before) / 0.4;
            assert!(
                creep < 1e-5,
                "{solver:?}, {step} s, {velocity_tolerance:?}: {creep} m/s"
            );
        }
    }
}
