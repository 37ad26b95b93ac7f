//! Cloth that meets itself: it never crosses itself, keeps its links and its momentum, sticks where friction holds it, and is a
//! pure function of its state like all other cloth. Crossings are decided exactly, by a check that shares nothing with the contacts.

use glamx::DVec3;
use warpline_shell::acm::Motion;
use warpline_shell::impulse::scenes::{Weave, weave};
use warpline_shell::impulse::*;

const SOLVERS: [Solver; 2] = [
    Solver::Impulses(Optimisations::ALL),
    Solver::Strips { is_parallel: false },
];

/// Square sheets of so many vertices a side, each from a corner along two sides and with a velocity; radius 5 mm.
fn sheets(
    side: u32,
    places: &[[DVec3; 4]],
    settings: Settings,
    is_fixed: impl Fn(usize) -> bool,
) -> (Cloth, ClothState, Vec<[u32; 3]>) {
    let (mut particles, mut sets, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for (number, [corner, u, v, velocity]) in places.iter().enumerate() {
        let mesh = TriangleMesh::grid(side, side, *corner, *u, *v).unwrap();
        let begin = particles.len() as u32;
        particles.extend(mesh.vertices.iter().map(|&at| {
            let mut particle = match is_fixed(number) {
                true => Particle::fixed(at),
                false => Particle::new(at, 0.2 / f64::from(side * side)),
            };
            if !is_fixed(number) {
                particle.velocity = *velocity;
            }
            particle.radius = 0.005;
            particle
        }));
        for mut set in weave(side, side, Weave::Square, Kind::Distance, 0.01) {
            set.pairs.iter_mut().flatten().for_each(|v| *v += begin);
            sets.push(set);
        }
        triangles.extend(mesh.triangles.iter().map(|t| t.map(|v| v + begin)));
    }
    let description = ClothDescription {
        particles,
        sets,
        contacts: Contacts {
            balls: Vec::new(),
            tolerance: 1e-3,
        },
        settings,
    };
    let (cloth, state) = Cloth::new(&description).unwrap();
    let cloth = cloth.with_surface(&triangles).unwrap();
    (cloth, state, triangles)
}

/// One step, calmer where it finds no way.
fn step(
    cloth: &Cloth,
    state: &mut ClothState,
    work: &mut Workspace,
    obstacles: &mut [&mut dyn Obstacle],
) {
    for level in Calm::ALL {
        if cloth
            .step_fastened(state, work, obstacles, &[], level)
            .is_ok()
        {
            return;
        }
    }
    panic!("none of the attempts finds a way");
}

fn bits(state: &ClothState) -> Vec<u64> {
    let vectors = state.position.iter().chain(&state.velocity);
    vectors
        .flat_map(|v| v.to_array())
        .map(f64::to_bits)
        .collect()
}

/// A sheet that stands on the ground and crumples there.
#[test]
fn a_crumpling_sheet_never_crosses_itself() {
    for solver in SOLVERS {
        let settings = Settings {
            friction: 0.5,
            solver,
            max_iterations: 4000,
            ..Settings::default()
        };
        let place = [
            DVec3::new(-0.25, 0.02, 0.0),
            DVec3::X * 0.5,
            DVec3::new(0.0, 0.5, 0.02),
            DVec3::ZERO,
        ];
        let (through, state, _) = sheets(14, &[place], settings, |_| false);
        let cloth = through.clone().meeting_itself(&state).unwrap();
        let mut ground = GroundObstacle {
            point: DVec3::ZERO,
            normal: DVec3::Y,
        };
        let mut crossed = 0;
        for (cloth, is_whole) in [(&through, false), (&cloth, true)] {
            let (mut state, mut work) = (state.clone(), Workspace::new(cloth));
            for k in 0..120 {
                match is_whole {
                    true => step(cloth, &mut state, &mut work, &mut [&mut ground]),
                    false => {
                        let outcome = cloth.step(&mut state, &mut work, &mut [&mut ground]);
                        outcome.map(|_| ()).unwrap();
                    }
                }
                assert!(cloth.largest_strain(&state) <= 0.01 * (1.0 + 1e-9));
                let crossings = cloth.crossings(&state);
                if is_whole {
                    assert!(crossings.is_empty(), "{solver:?}, step {k}: {crossings:?}");
                } else {
                    crossed += crossings.len();
                }
            }
        }
        assert!(
            crossed > 100,
            "without contact it crosses itself: {crossed}"
        );
    }
}

/// Two sheets that are thrown at each other bounce or stick, but their momentum stays.
#[test]
fn sheets_that_meet_keep_their_momentum() {
    let settings = Settings {
        gravity: DVec3::ZERO,
        friction: 0.3,
        ..Settings::default()
    };
    let upper = [
        DVec3::new(-0.13, 0.05, -0.12),
        DVec3::X * 0.25,
        DVec3::new(0.0, 0.03, 0.25),
        DVec3::new(0.3, -2.0, 0.1),
    ];
    let lower = [
        DVec3::new(-0.2, 0.0, -0.2),
        DVec3::X * 0.4,
        DVec3::Z * 0.4,
        DVec3::new(0.0, 1.0, 0.0),
    ];
    let (cloth, mut state, _) = sheets(9, &[upper, lower], settings, |_| false);
    let cloth = cloth.meeting_itself(&state).unwrap();
    let mut work = Workspace::new(&cloth);
    let (before, energy) = (cloth.momentum(&state), cloth.kinetic_energy(&state));
    let relative = |state: &ClothState| {
        let (a, b) = state.velocity.split_at(81);
        (a.iter().sum::<DVec3>() - b.iter().sum::<DVec3>()).y / 81.0
    };
    assert!(relative(&state) < -2.9);
    for _ in 0..60 {
        step(&cloth, &mut state, &mut work, &mut []);
        assert!(cloth.crossings(&state).is_empty());
        let off = (cloth.momentum(&state) - before).length() / before.length();
        assert!(off < 1e-12, "momentum is off by {off:e}");
    }
    assert!(
        relative(&state) > -0.1,
        "they have met: {}",
        relative(&state)
    );
    assert!(cloth.kinetic_energy(&state) < energy);
}

/// A sheet on a fixed sheet that slopes by 10 degrees sticks with a coefficient of 0.25, and slides with one of 0.1. How far it slides is
/// not what Coulomb says (`docs/cloth.md`, limits): corners and edges of the two sheets catch at each other.
#[test]
fn friction_holds_a_sheet_on_a_sheet() {
    let (sin, cos) = 10f64.to_radians().sin_cos();
    let (down, normal) = (DVec3::new(cos, -sin, 0.0), DVec3::new(sin, cos, 0.0));
    for (friction, sticks) in [(0.25, true), (0.1, false)] {
        let settings = Settings {
            friction,
            ..Settings::default()
        };
        let lower = [down * -0.5 - DVec3::Z * 0.5, down, DVec3::Z, DVec3::ZERO];
        let upper = [
            down * -0.2 - DVec3::Z * 0.217 + normal * 0.01,
            down * 0.3,
            DVec3::Z * 0.3,
            DVec3::ZERO,
        ];
        let (cloth, mut state, _) = sheets(9, &[lower, upper], settings, |number| number == 0);
        let cloth = cloth.meeting_itself(&state).unwrap();
        let mut work = Workspace::new(&cloth);
        let centre = |state: &ClothState| state.position[81..].iter().sum::<DVec3>() / 81.0;
        let start = centre(&state);
        for _ in 0..100 {
            step(&cloth, &mut state, &mut work, &mut []);
            assert!(cloth.crossings(&state).is_empty());
        }
        let slid = (centre(&state) - start).dot(down);
        if sticks {
            // it creeps by 1.4 mm
            assert!(slid.abs() < 2e-3, "{slid} m in a second");
        } else {
            assert!(slid > 0.01, "{slid} m in a second");
        }
    }
}

#[test]
fn a_step_is_a_pure_function_of_the_state() {
    let place = [
        DVec3::new(-0.2, 0.02, 0.0),
        DVec3::X * 0.4,
        DVec3::new(0.0, 0.4, 0.02),
        DVec3::ZERO,
    ];
    let (cloth, mut state, _) = sheets(9, &[place], Settings::default(), |_| false);
    let cloth = cloth.meeting_itself(&state).unwrap();
    let mut used = Workspace::new(&cloth);
    let mut ground = GroundObstacle {
        point: DVec3::ZERO,
        normal: DVec3::Y,
    };
    for _ in 0..60 {
        let mut other = state.clone();
        let mut fresh = Workspace::new(&cloth);
        let one = cloth.step(&mut state, &mut used, &mut [&mut ground]);
        let two = cloth.step(&mut other, &mut fresh, &mut [&mut ground]);
        assert_eq!((one.is_ok(), bits(&state)), (two.is_ok(), bits(&other)));
    }
}

#[test]
fn sheets_that_cross_at_the_start_are_refused_with_their_vertices() {
    let level = [DVec3::ZERO, DVec3::X, DVec3::Z, DVec3::ZERO];
    let upright = [
        DVec3::new(0.1, -0.5, 0.55),
        DVec3::X * 0.7,
        DVec3::Y,
        DVec3::ZERO,
    ];
    let (cloth, state, _) = sheets(4, &[level, upright], Settings::default(), |_| false);
    let error = cloth.meeting_itself(&state).expect_err("they cross");
    let ClothError::MeetsItself { edge, triangle } = error else {
        panic!("{error}");
    };
    let is_upper = |v: u32| v >= 16;
    assert_ne!(is_upper(edge[0]), is_upper(triangle[0]));
    assert!(error.to_string().contains(&edge[0].to_string()));
}

/// A side that is led through keys is where they say at every step, whatever hangs on it.
#[test]
fn led_particles_follow_their_keys() {
    let level = [DVec3::ZERO, DVec3::X * 0.4, DVec3::Z * 0.4, DVec3::ZERO];
    let (mut cloth, mut state, _) = sheets(6, &[level], Settings::default(), |_| true);
    let keys = vec![(0.1, DVec3::ZERO), (0.3, DVec3::new(0.0, 0.2, 0.1))];
    let rest = state.position.clone();
    for (particle, &at) in (0u32..).zip(&rest) {
        cloth = cloth.leading(particle, Motion::shifted(keys.clone()), at);
    }
    let mut work = Workspace::new(&cloth);
    for k in 1..=40 {
        cloth.step(&mut state, &mut work, &mut []).unwrap();
        let part = ((f64::from(k) * 0.01 - 0.1) / 0.2).clamp(0.0, 1.0);
        for (now, rest) in state.position.iter().zip(&rest) {
            let expected = *rest + DVec3::new(0.0, 0.2, 0.1) * part;
            assert!(now.distance(expected) < 1e-11, "step {k}");
        }
    }
}
