//! The optimisations of section 4 must not change what is simulated: skipping not a bit, reused directions
//! and anticipation nothing but rounding, frozen directions nothing beyond the tolerance.

use glamx::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use warpline_shell::impulse::scenes::{self, ClothScene, SceneFunction};
use warpline_shell::impulse::*;

fn run(build: SceneFunction, scene: &ClothScene, steps: u32) -> (ClothState, StepReport) {
    let (cloth, mut state) = build(scene).unwrap();
    let mut work = Workspace::new(&cloth);
    let mut total = StepReport::default();
    for _ in 0..steps {
        total += cloth.step(&mut state, &mut work, &mut []).unwrap();
    }
    (state, total)
}

fn scene(optimisations: Optimisations) -> ClothScene {
    ClothScene {
        resolution: 8,
        is_velocity_corrected: true,
        solver: Solver::Impulses(optimisations),
        ..ClothScene::default()
    }
}

fn bits(state: &ClothState) -> Vec<u64> {
    let vectors = state.position.iter().chain(&state.velocity);
    vectors
        .flat_map(|v| v.to_array())
        .map(f64::to_bits)
        .collect()
}

fn largest_difference(a: &ClothState, b: &ClothState) -> f64 {
    let pairs = a.position.iter().zip(&b.position);
    pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

/// How far apart two solutions can be that keep within the same bands: in each step a band of a link of 1/7 m
/// is open to both positions, so a velocity differs by that over the step size, and positions by its sum.
fn drift(steps: u32, extensibility: f64) -> f64 {
    0.5 * f64::from(steps * steps) * extensibility / 7.0
}

fn combinations() -> impl Iterator<Item = Optimisations> {
    (0..8).map(|i| Optimisations {
        reuse_direction: i & 1 != 0,
        anticipation: i & 2 != 0,
        frozen_direction: i & 4 != 0,
        early_update: false,
        skipping: Skipping::Off,
    })
}

/// One step as section 3.2 has it, one constraint after another: what the unoptimised method does four abreast.
fn plain_step(cloth: &Cloth, state: &mut ClothState) {
    let (w, h) = (cloth.inverse_mass(), cloth.settings().step);
    let gravity = |i: usize| cloth.settings().gravity * f64::from(w[i] > 0.0);
    let base: Vec<DVec3> = (0..w.len())
        .map(|i| state.position[i] + gravity(i) * (0.5 * h * h))
        .collect();
    let velocity = &mut state.velocity;
    let preview = |velocity: &[DVec3], i: usize| base[i] + velocity[i] * h;
    let apply = |velocity: &mut [DVec3], c: &Constraint, change: DVec3| {
        let (a, b) = c.pair();
        velocity[a] += change * w[a];
        velocity[b] -= change * w[b];
    };
    loop {
        let direction = |c: &Constraint| {
            let (a, b) = c.pair();
            Constraint::direction(preview(velocity, a), preview(velocity, b))
        };
        let directions: Vec<DVec3> = cloth.constraints().iter().map(direction).collect();
        let mut is_converged = true;
        for (c, n) in cloth.constraints().iter().zip(directions) {
            let (a, b) = c.pair();
            let error = c.error_along(n, preview(velocity, a), preview(velocity, b));
            if c.is_violated(error) {
                apply(velocity, c, n * (error * c.effective_mass * (1.0 / h)));
                is_converged = false;
            }
        }
        if is_converged {
            break;
        }
    }
    for i in 0..w.len() {
        state.position[i] = preview(velocity, i);
        velocity[i] += gravity(i) * h;
    }
    let Some(tolerance) = cloth.settings().velocity_tolerance else {
        return;
    };
    let mut is_converged = false;
    while !is_converged {
        is_converged = true;
        for c in cloth.constraints() {
            let (a, b) = c.pair();
            let (x, y) = (state.position[a], state.position[b]);
            let n = Constraint::direction(x, y);
            let (low, high) = c.velocity_band(c.error_along(n, x, y), tolerance);
            let error = n.dot(velocity[b] - velocity[a]);
            if !(error >= low && error <= high) {
                apply(velocity, c, n * (error * c.effective_mass));
                is_converged = false;
            }
        }
    }
}

#[test]
fn four_abreast_are_one_after_another_to_the_bit() {
    for resolution in [5, 8, 11] {
        let cloth_scene = ClothScene {
            resolution,
            extensibility: 1e-3,
            ..scene(Optimisations::PAPER_BASELINE)
        };
        let (expected, report) = run(scenes::cloth_swing, &cloth_scene, 40);
        let (cloth, mut state) = scenes::cloth_swing(&cloth_scene).unwrap();
        for _ in 0..40 {
            plain_step(&cloth, &mut state);
        }
        assert!(report.corrections > 1000 && report.velocity_corrections > 100);
        assert_eq!(bits(&state), bits(&expected), "{resolution}");
    }
}

#[test]
fn skipping_changes_no_bit_in_either_form() {
    for (name, build) in scenes::SCENES {
        for off in combinations() {
            let (expected, visits) = run(build, &scene(off), 60);
            for skipping in [Skipping::Flags, Skipping::BodyBits] {
                let with = Optimisations { skipping, ..off };
                let (state, report) = run(build, &scene(with), 60);
                assert_eq!(bits(&state), bits(&expected), "{name} {with:?}");
                assert_eq!(report, visits, "{name} {with:?}");
            }
        }
    }
}

#[test]
fn anticipation_changes_only_rounding() {
    for frozen_direction in [false, true] {
        let without = Optimisations {
            frozen_direction,
            ..Optimisations::PAPER_BASELINE
        };
        let with = Optimisations {
            anticipation: true,
            ..without
        };
        let (expected, expected_report) = run(scenes::cloth_swing, &scene(without), 100);
        let (state, report) = run(scenes::cloth_swing, &scene(with), 100);
        // the same corrections in the same order; each is rounded differently by 1e-16 of a metre, and a
        // swing of 1 s amplifies a disturbance by less than a factor of 1e4 (measured: 1e-14 m)
        assert_eq!(report, expected_report);
        assert!(largest_difference(&state, &expected) < 1e-10);
    }
}

#[test]
fn anticipation_changes_only_rounding_where_runs_are_long() {
    // the paper's size and tolerances: runs of hundreds of iterations, which take every form the iteration has
    for extensibility in [0.01, 1e-5] {
        let direct = ClothScene {
            resolution: 20,
            extensibility,
            ..scene(Optimisations {
                frozen_direction: true,
                ..Optimisations::PAPER_BASELINE
            })
        };
        let anticipated = ClothScene {
            solver: Solver::Impulses(Optimisations::PAPER),
            ..direct.clone()
        };
        let (expected, expected_report) = run(scenes::cloth_swing, &direct, 60);
        let (state, report) = run(scenes::cloth_swing, &anticipated, 60);
        // measured: 1e-15 m
        assert_eq!(report, expected_report);
        assert!(largest_difference(&state, &expected) < 1e-10);
    }
}

/// A net without order: particles at random places, some fixed, one tied to many others, ropes between random pairs,
/// and a ball that falls on it, or velocities that are corrected. Not both: whether a corrected contact or rope is closed
/// when velocities are looked at is a matter of the last bit. Nothing in it lies side by side as in a weave.
fn net(seed: u64, kind: Kind, has_ball: bool, solver: Solver) -> (Cloth, ClothState) {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut unit = || random.random::<f64>() - 0.5;
    let mut particles: Vec<Particle> = (0..60)
        .map(|i| {
            let place = DVec3::new(unit(), 0.1 * unit(), unit());
            let mut particle = match i % 10 {
                1 => Particle::fixed(place),
                _ => Particle::new(place, 0.01 + 0.01 * (unit() + 0.5)),
            };
            particle.velocity = match i % 10 {
                1 => DVec3::ZERO,
                _ => DVec3::new(unit(), unit(), unit()),
            };
            particle
        })
        .collect();
    let mut ball = Particle::new(DVec3::new(0.0, 0.4, 0.0), 1.0);
    (ball.radius, ball.velocity) = (0.3, DVec3::new(0.0, -5.0, 0.0));
    particles.push(ball);
    // a tree, so that distances can be kept whatever happens, and with ropes some loops
    let mut pairs: Vec<[u32; 2]> = (1..60_u32)
        .map(|i| [if i < 15 { 0 } else { i / 4 }, i])
        .collect();
    if kind == Kind::Rope {
        pairs.extend((15..50_u32).map(|i| [i, i + 9]));
    }
    let description = ClothDescription {
        particles,
        sets: vec![ConstraintSet {
            name: "net".into(),
            kind,
            extensibility: 1e-3,
            pairs,
        }],
        contacts: Contacts {
            balls: if has_ball { vec![60] } else { Vec::new() },
            tolerance: 1e-3,
        },
        settings: Settings {
            solver,
            velocity_tolerance: (!has_ball).then_some(0.01),
            ..Settings::default()
        },
    };
    Cloth::new(&description).unwrap()
}

#[test]
fn gathering_changes_only_rounding_in_nets_without_order_and_with_contacts() {
    let direct = Optimisations {
        frozen_direction: true,
        ..Optimisations::PAPER_BASELINE
    };
    let mut contacts = 0;
    for seed in 0..8 {
        for (kind, has_ball) in [
            (Kind::Rope, true),
            (Kind::Distance, true),
            (Kind::Distance, false),
        ] {
            let after = |optimisations: Optimisations| {
                let solver = Solver::Impulses(optimisations);
                let (cloth, mut state) = net(seed, kind, has_ball, solver);
                let mut work = Workspace::new(&cloth);
                let (mut total, mut touches) = (StepReport::default(), 0);
                for _ in 0..12 {
                    total += cloth.step(&mut state, &mut work, &mut []).unwrap();
                    touches += u32::from(cloth.largest_penetration(&state) > -1e-9);
                }
                (state, total, touches)
            };
            let (expected, expected_report, touches) = after(direct);
            let (state, report, _) = after(Optimisations::PAPER);
            contacts += touches;
            // the same corrections in the same order, each rounded differently by 1e-16 of a metre
            assert_eq!(report, expected_report, "seed {seed} {kind:?}");
            let difference = largest_difference(&state, &expected);
            assert!(difference < 1e-10, "seed {seed} {kind:?}: {difference}");
        }
    }
    assert!(
        contacts > 50,
        "the ball must have been held ({contacts} steps)"
    );
}

#[test]
fn gathering_changes_only_rounding_on_a_sphere() {
    let direct = ClothScene {
        resolution: 20,
        is_velocity_corrected: false,
        ..scene(Optimisations {
            frozen_direction: true,
            ..Optimisations::PAPER_BASELINE
        })
    };
    let anticipated = ClothScene {
        solver: Solver::Impulses(Optimisations::PAPER),
        ..direct.clone()
    };
    let (expected, expected_report) = run(scenes::cloth_sphere, &direct, 80);
    let (state, report) = run(scenes::cloth_sphere, &anticipated, 80);
    assert_eq!(report, expected_report);
    // in the folds over the sphere a disturbance grows faster than in a swing
    assert!(largest_difference(&state, &expected) < 1e-9);
}

#[test]
fn reused_directions_give_the_same_simulation() {
    for (name, build) in scenes::SCENES.into_iter().take(2) {
        let with = ClothScene {
            extensibility: 1e-5,
            ..scene(Optimisations::PAPER_BASELINE)
        };
        let without = ClothScene {
            extensibility: 1e-5,
            ..scene(Optimisations::NONE)
        };
        let (a, _) = run(build, &with, 40);
        let (b, _) = run(build, &without, 40);
        // errors along the direction and along the true length differ to second order in one iteration's
        // motion, so the runs may end anywhere in the same bands
        let limit = drift(40, 1e-5);
        assert!(
            largest_difference(&a, &b) < limit,
            "{name}: {}",
            largest_difference(&a, &b)
        );
    }
}

#[test]
fn frozen_directions_update_rarely_and_end_in_the_same_place() {
    let frozen = ClothScene {
        extensibility: 1e-4,
        ..scene(Optimisations::ALL)
    };
    let changing = ClothScene {
        extensibility: 1e-4,
        ..scene(Optimisations::PAPER_BASELINE)
    };
    let (a, report) = run(scenes::cloth_swing, &frozen, 60);
    let (b, _) = run(scenes::cloth_swing, &changing, 60);
    assert!(
        report.direction_updates * 5 < report.iterations,
        "{report:?}"
    );
    assert!(
        largest_difference(&a, &b) < drift(60, 1e-4),
        "{}",
        largest_difference(&a, &b)
    );
}

#[test]
fn velocity_directions_need_no_update() {
    // positions rest while velocities are corrected, so 4.4 must not change a bit of a step whose position
    // loop has nothing to do
    let velocities = |frozen_direction: bool| {
        let mut cloth_scene = scene(Optimisations {
            frozen_direction,
            ..Optimisations::PAPER_BASELINE
        });
        cloth_scene.extensibility = 0.9;
        run(scenes::cloth_swing, &cloth_scene, 20)
    };
    let ((a, report), (b, _)) = (velocities(false), velocities(true));
    assert_eq!(report.corrections, 0);
    assert!(report.velocity_corrections > 100);
    assert_eq!(bits(&a), bits(&b));
}

/// A particle in the middle of `spokes` others.
fn star(spokes: u32, hub: Particle, skipping: Skipping) -> Result<StepReport, ClothError> {
    let rim = |i: u32| {
        let angle = f64::from(i) * 0.1;
        Particle::new(DVec3::new(angle.cos(), 0.0, angle.sin()), 1.0)
    };
    let description = ClothDescription {
        particles: std::iter::once(hub).chain((0..spokes).map(rim)).collect(),
        sets: vec![ConstraintSet {
            name: "spokes".into(),
            kind: Kind::Distance,
            extensibility: 0.01,
            pairs: (1..=spokes).map(|i| [0, i]).collect(),
        }],
        contacts: Contacts {
            balls: Vec::new(),
            tolerance: 1e-3,
        },
        settings: Settings {
            solver: Solver::Impulses(Optimisations {
                skipping,
                ..Optimisations::ALL
            }),
            ..Settings::default()
        },
    };
    let (cloth, mut state) = Cloth::new(&description)?;
    let mut work = Workspace::new(&cloth);
    cloth.step(&mut state, &mut work, &mut [])
}

#[test]
fn body_bits_have_room_for_64_constraints() {
    let free = Particle::new(DVec3::ZERO, 1.0);
    assert!(star(64, free, Skipping::BodyBits).is_ok());
    assert!(star(65, free, Skipping::Flags).is_ok());
    assert!(star(65, Particle::fixed(DVec3::ZERO), Skipping::BodyBits).is_ok());
    let error = star(65, free, Skipping::BodyBits).unwrap_err();
    assert_eq!(
        error,
        ClothError::TooManyConstraints {
            particle: 0,
            count: 65
        }
    );
    assert!(error.to_string().contains("Skipping::Flags"));
}

#[test]
fn limited_impulses_take_more_corrections_to_the_same_tolerance() {
    for optimisations in [Optimisations::PAPER_BASELINE, Optimisations::ALL] {
        let corrections = |impulse_limit: Option<f64>| {
            let mut particles = vec![Particle::fixed(DVec3::ZERO)];
            particles.extend((1..6).map(|i| Particle::new(DVec3::X * f64::from(i), 1.0)));
            let description = ClothDescription {
                particles,
                sets: vec![ConstraintSet {
                    name: "chain".into(),
                    kind: Kind::Distance,
                    extensibility: 1e-6,
                    pairs: (0..5).map(|i| [i, i + 1]).collect(),
                }],
                contacts: Contacts {
                    balls: Vec::new(),
                    tolerance: 1e-3,
                },
                settings: Settings {
                    solver: Solver::Impulses(optimisations),
                    impulse_limit,
                    ..Settings::default()
                },
            };
            let (cloth, mut state) = Cloth::new(&description).unwrap();
            let mut work = Workspace::new(&cloth);
            let mut total = StepReport::default();
            for _ in 0..40 {
                total += cloth.step(&mut state, &mut work, &mut []).unwrap();
                assert!(cloth.largest_strain(&state) <= 1e-6);
            }
            total.corrections
        };
        // the chain weighs 50 N, so its top takes 0.5 N s a step: 1 mN s at a time is hundreds of corrections
        assert!(
            corrections(Some(1e-3)) > 2 * corrections(None),
            "{optimisations:?}"
        );
    }
}

/// What a workspace keeps from step to step, the indices of the cloth's own constraints among it, is known from the
/// pattern alone: with a new one for every step the bytes are the same, while contacts come and go.
#[test]
fn what_a_workspace_remembers_changes_no_bit() {
    for (name, build) in scenes::SCENES {
        for optimisations in [Optimisations::NONE, Optimisations::ALL] {
            for is_velocity_corrected in [false, true] {
                let case = ClothScene {
                    is_velocity_corrected,
                    resolution: 16,
                    extensibility: 0.03,
                    ..scene(optimisations)
                };
                let (kept, _) = run(build, &case, 60);
                let (cloth, mut state) = build(&case).unwrap();
                for _ in 0..60 {
                    let mut work = Workspace::new(&cloth);
                    cloth.step(&mut state, &mut work, &mut []).unwrap();
                }
                assert_eq!(bits(&kept), bits(&state), "{name} {optimisations:?}");
            }
        }
    }
}
