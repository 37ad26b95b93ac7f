//! Regions on threads commit the same history as `ordered`, whatever their number (law 1).

use crate::groups_yard::{add, hash, load, material, plane, still as still_at};
use physics::{Shape, State, Vec3};
use proptest::prelude::*;
use record::Segment;
use warp::Tick;
use warpline_sim::{Action, Algorithm, BodyId, History, Input, Told, World, run};

/// Numbers of regions that are tried, with more of them than cores.
const REGIONS: [usize; 5] = [1, 2, 3, 4, 16];

fn built_in(name: &str, seconds: f64) -> World {
    let mut world = load(name, &[]);
    world.until = Tick::from_seconds(seconds);
    world
}

fn same_on_all_regions(world: &World) {
    let (expected, ordered) = hash(world, Algorithm::Ordered);
    for regions in REGIONS {
        let (found, stats) = hash(world, Algorithm::Parallel(regions));
        assert_eq!(
            stats.events_committed, ordered.events_committed,
            "{} on {regions} regions: {:?}",
            world.name, stats.regions
        );
        assert_eq!(found, expected, "{} on {regions} regions", world.name);
        let moving = world.moving();
        // One region is the plain loop.
        let divided = if regions == 1 { 0 } else { regions.min(moving) };
        assert_eq!(stats.regions.len(), divided, "{}", world.name);
    }
}

#[test]
fn a_gas_has_one_history_on_any_number_of_regions() {
    same_on_all_regions(&built_in("gas", 1.0));
}

#[test]
fn atoms_and_a_billiard_have_one_history_on_any_number_of_regions() {
    for (name, seconds) in [("atoms", 2.0), ("billiard", 2.0)] {
        same_on_all_regions(&built_in(name, seconds));
    }
}

#[test]
fn bodies_that_tumble_have_one_history_on_any_number_of_regions() {
    same_on_all_regions(&built_in("tumblers", 2.0));
}

/// Bodies are pushed wherever they are by then, each by the region that has it.
#[test]
fn pushes_have_one_history_on_any_number_of_regions() {
    let mut world = load("gas", &["bodies=300", "size=4", "duration=1"]);
    for number in 0..400u32 {
        world.inputs.push(Input {
            at: Tick::from_seconds(0.0023 * f64::from(number)),
            body: BodyId(world.declared() as u32 - 1 - number * 7 % 300),
            order: 0,
            action: Action::impulse(Vec3::new(f64::from(number % 5) - 2.0, 1.5, -0.5)),
        });
    }
    assert!(world.validate().is_ok());
    same_on_all_regions(&world);
    let unpushed = load("gas", &["bodies=300", "size=4", "duration=1"]);
    let hashes = [&world, &unpushed].map(|world| hash(world, Algorithm::Parallel(3)).0);
    assert_ne!(hashes[0], hashes[1]);
}

/// Frames as they are told.
#[derive(Default)]
struct Film(Vec<(u32, i64, [f64; 3], [f64; 4])>);

impl History for Film {
    fn segment(&mut self, _: &Segment<'_>) -> Told {
        Ok(())
    }

    fn frame(&mut self, body: BodyId, tick: Tick, state: &State) -> Told {
        let (position, rotation) = (state.position.to_array(), state.rotation.to_array());
        self.0.push((body.0, tick.0, position, rotation));
        Ok(())
    }
}

/// Every frame of every body is drawn once, in the order of each body's time, whichever region has it by then.
#[test]
fn frames_are_the_same_on_any_number_of_regions() {
    let mut world = load("gas", &["bodies=200", "size=4", "duration=0.8"]);
    world.redraw_hertz = Some(60.0);
    let film = |algorithm| {
        let mut film = Film::default();
        run(&world, algorithm, &mut film).expect("the run ends");
        // Stable: what is told of one body stays in its order.
        film.0.sort_by_key(|(body, ..)| *body);
        film.0
    };
    let reference = film(Algorithm::Ordered);
    assert_eq!(reference.len(), 200 * 48);
    for regions in REGIONS {
        assert!(film(Algorithm::Parallel(regions)) == reference, "{regions}");
    }
    same_on_all_regions(&world);
}

#[test]
fn what_cannot_be_divided_yet_runs_undivided() {
    let world = built_in("stack", 0.2);
    let (expected, _) = hash(&world, Algorithm::Ordered);
    let (found, stats) = hash(&world, Algorithm::Parallel(4));
    assert_eq!(found, expected);
    assert!(stats.regions.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Dense and dilute, slow and fast, falling and weightless, in a cube: any number of regions.
    #[test]
    fn a_random_gas_has_one_history_on_any_number_of_regions(
        bodies in 2usize..140,
        packing in 0.005f64..0.2,
        speed in 0.1f64..30.0,
        falls in any::<bool>(),
        seed in 0u32..10_000,
        regions in 2usize..17,
    ) {
        let volume = bodies as f64 * 4.0 / 3.0 * std::f64::consts::PI * 0.15f64.powi(3) / packing;
        let settings = [
            format!("bodies={bodies}"),
            format!("size={}", libm::cbrt(volume).max(0.7)),
            format!("speed={speed}"),
            format!("seed={seed}"),
            format!("duration={}", (6.0 / speed).min(2.0)),
        ];
        let mut world = load("gas", &settings.each_ref().map(String::as_str));
        if falls {
            let down = Vec3::new(0.0, -9.81, 0.0);
            world.gravity = down;
            for model in &mut world.models {
                let mut falling = physics::BodyModel::clone(model);
                if falling.is_movable() {
                    falling.gravity = down;
                }
                *model = std::sync::Arc::new(falling);
            }
        }
        let (expected, ordered) = hash(&world, Algorithm::Ordered);
        let (found, stats) = hash(&world, Algorithm::Parallel(regions));
        prop_assert_eq!(found, expected);
        prop_assert_eq!(stats.events_committed, ordered.events_committed);
    }
}

/// Few bodies, none that moves, all in a row, far away: any number of regions, or one.
#[test]
fn odd_worlds_have_one_history_on_any_number_of_regions() {
    let lone = load("gas", &["bodies=1", "size=2", "duration=2"]);
    let pair = load("gas", &["bodies=2", "size=0.8", "duration=1"]);
    let mut still = load("gas", &["bodies=30", "speed=0", "duration=1"]);
    still.name = "still".into();
    let mut row = World::new("row", Vec3::ZERO, 2.0);
    let mut far = World::new("far", Vec3::ZERO, 2.0);
    for number in 0..40 {
        let x = 0.4 * f64::from(number);
        let pace = Vec3::new(if number % 2 == 0 { 1.0 } else { -1.5 }, 0.0, 0.0);
        for (world, origin) in [(&mut row, 0.0), (&mut far, 1e6)] {
            let state = State {
                velocity: pace,
                ..still_at(Vec3::new(origin + x, 0.0, origin))
            };
            add(
                world,
                Shape::Ball { radius: 0.1 },
                1.0,
                material(0.0, 1.0),
                state,
            );
        }
    }
    for world in [lone, pair, still, row, far] {
        same_on_all_regions(&world);
    }
}

/// A world in which nothing moves, and one with nobody in it, end on any number of threads.
#[test]
fn worlds_without_motion_end_on_any_number_of_regions() {
    let mut world = World::new("nobody", Vec3::ZERO, 1.0);
    for _ in 0..2 {
        let (expected, _) = hash(&world, Algorithm::Ordered);
        for regions in [0, 1, 2, 16, 1000] {
            assert_eq!(hash(&world, Algorithm::Parallel(regions)).0, expected);
        }
        plane(&mut world, Vec3::Y, material(0.5, 0.5));
    }
}
