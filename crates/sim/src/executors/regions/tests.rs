//! Several regions on one thread: a region is an engine with its own parts, and what it knows of the others is what
//! the post brings. Nothing in it is of a thread, so that they may take turns.

use super::*;
use crate::Algorithm;
use physics::body::Heft;
use physics::{BodyModel, Material, Part, Pose, Shape, Vec3};
use record::HistoryHash;

/// Balls in a closed box, without gravity, that all have somewhere to go.
fn gas(each_side: usize) -> World {
    let mut world = World::new("regions on one thread", Vec3::ZERO, 0.4);
    let elastic = Material {
        restitution: 1.0,
        friction: 0.0,
    };
    let half = 0.5 * each_side as f64;
    for (name, out) in [
        ("x low", Vec3::X),
        ("x high", Vec3::NEG_X),
        ("y low", Vec3::Y),
        ("y high", Vec3::NEG_Y),
        ("z low", Vec3::Z),
        ("z high", Vec3::NEG_Z),
    ] {
        let wall = BodyModel::fixed(&[Part::centred(Shape::HalfSpace { normal: out })], elastic);
        let wall = world.add_model(wall.expect("a half-space"));
        world.add_fixed(name, wall, Pose::from_translation(-out * half));
    }
    let ball = Part::centred(Shape::Ball { radius: 0.2 });
    let ball = BodyModel::dynamic(&[ball], Heft::Mass(1.0), elastic, Vec3::ZERO);
    let ball = world.add_model(ball.expect("a ball"));
    let place = |k: usize| k as f64 + 0.5 - half;
    for x in 0..each_side {
        for y in 0..each_side {
            for z in 0..each_side {
                let pose = Pose::from_translation(Vec3::new(place(x), place(y), place(z)));
                // Any directions will do, as long as they are not all alike.
                let turned = 2.4 * (x + each_side * (y + each_side * z)) as f64;
                let (sin, cos) = (libm::sin(turned), libm::cos(turned));
                let velocity = 4.0 * Vec3::new(cos, sin * cos, sin);
                let state = State {
                    velocity,
                    ..State::at_rest(pose)
                };
                world.add_dynamic(format!("ball {x} {y} {z}"), ball, state);
            }
        }
    }
    world
}

/// The hash of the history that so many regions commit when they take turns on this thread, how many segments that
/// were, and the regions' counters.
fn taking_turns(world: &World, regions: usize) -> (String, usize, Stats) {
    let shared = Arc::new(world.clone());
    let cells = Cells::new(world, regions, crate::engine::typical_box(world));
    assert_eq!(cells.count(), regions);
    let post = Post::new(regions);
    let mut plan = Plan::new(world.until);
    let mut all_regions: Vec<Region> = (0..regions)
        .map(|number| Region::new(Arc::clone(&shared), &cells, number))
        .collect();
    let together = |all: Tally, own: Tally| all.with(own);
    let mut all = all_regions
        .iter_mut()
        .map(|region| region.begin(&post))
        .fold(Tally::NONE, together);
    let (mut history, mut told) = (HistoryHash::new(), 0);
    while let Some(task) = plan.next(&all) {
        assert_ne!(task, Task::Unite, "no ball is near enough to a hull's side");
        let mut window: Vec<Segment<'static>> = Vec::new();
        all = Tally::NONE;
        for region in &mut all_regions {
            let (own, run) = region.perform(task, &post).expect("it runs");
            all = all.with(own);
            window.extend(run.into_iter().flat_map(|(_, run)| run));
        }
        window.sort_by_key(|segment| (segment.start, segment.micro, segment.body));
        told += window.len();
        for segment in &window {
            history.segment(segment).expect("a hash takes everything");
        }
        if task == Task::Finish {
            break;
        }
    }
    history.gvt(Tick::MAX).expect("a hash takes everything");
    let ended = all_regions.into_iter().map(Region::end).collect();
    let (stats, _) = region::conclude(world, ended);
    (history.finish(), told, stats)
}

#[test]
fn regions_that_take_turns_on_one_thread_commit_one_history() {
    let world = gas(4);
    let mut reference = HistoryHash::new();
    crate::run(&world, Algorithm::Ordered, &mut reference).expect("a sound world");
    let reference = reference.finish();
    for regions in [1, 2, 3] {
        let (found, told, stats) = taking_turns(&world, regions);
        assert_eq!(found, reference, "{regions} regions, {told} segments");
        // What crosses from one to another is what this is about.
        let said: u64 = stats.regions.iter().map(|r| r.facts + r.imports).sum();
        assert_eq!(said > 0, regions > 1, "{regions} regions said {said}");
    }
}
