//! Cloth that is fastened to bodies, pushed by air, bent and led: one history from all executors, momentum exchanged with the
//! bodies that hold it, and cloths of a scene that meet each other.

use physics::{State, Vec3};
use shell::impulse::ClothState;
use std::any::Any;
use warp::Tick;
use warpline_sim::deformable::ClothForm;
use warpline_sim::scene::{Override, builtin, load};
use warpline_sim::{Algorithm, Deformable, Form, History, LookAhead, World, run};

fn world(text: &str) -> World {
    load("cloth", text, &[]).unwrap().world
}

fn scene(name: &str, set: &[&str]) -> World {
    let builtin = builtin(name).unwrap();
    let set: Vec<Override> = set.iter().map(|s| Override::parse(s).unwrap()).collect();
    load(builtin.name, builtin.text, &set).unwrap().world
}

fn assert_one_history(world: &World) {
    let hash = |algorithm| {
        let mut hash = record::HistoryHash::new();
        run(world, algorithm, &mut hash).unwrap();
        hash.finish()
    };
    let reference = hash(Algorithm::Ordered);
    for ahead in [1e-3, 7e-3, 0.05, 1.0].map(LookAhead::Seconds) {
        let found = hash(Algorithm::TimeWarp(ahead));
        assert_eq!(found, reference, "{ahead:?} in {}", world.name);
    }
}

/// All states of the first cloth.
#[derive(Default)]
struct States(Vec<(Tick, ClothState)>);

impl History for States {
    fn segment(&mut self, _: &record::Segment<'_>) -> warpline_sim::Told {
        Ok(())
    }

    fn form(
        &mut self,
        _: u32,
        tick: Tick,
        _: &dyn Deformable,
        form: &dyn Form,
    ) -> warpline_sim::Told {
        let any: &dyn Any = form;
        if let Some(ClothForm(state)) = any.downcast_ref() {
            self.0.push((tick, state.clone()));
        }
        Ok(())
    }
}

fn states(world: &World) -> (Vec<(Tick, ClothState)>, Vec<State>) {
    let mut states = States::default();
    let (_, bodies) = run(world, Algorithm::Ordered, &mut states).unwrap();
    (states.0, bodies)
}

/// How many edges cross triangles of the first cloth, decided exactly.
fn crossings(world: &World, state: &ClothState) -> usize {
    let triangles = world.deformables[0].model.triangles();
    let at = |v: u32| state.position[v as usize];
    let mut edges: Vec<[u32; 2]> = triangles
        .iter()
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)]))
        .collect();
    edges.sort_unstable();
    edges.dedup();
    let bounds = |corners: &[Vec3]| {
        let first = [corners[0]; 2];
        let grow = |[lo, hi]: [Vec3; 2], &x: &Vec3| [lo.min(x), hi.max(x)];
        corners.iter().fold(first, grow)
    };
    let surfaces: Vec<_> = triangles
        .iter()
        .map(|t| (t, t.map(at), bounds(&t.map(at))))
        .collect();
    let mut found = 0;
    for edge in &edges {
        let ends = edge.map(at);
        let [lo, hi] = bounds(&ends);
        for (triangle, corners, [low, high]) in &surfaces {
            let is_near = lo.cmple(*high).all() && low.cmple(hi).all();
            if is_near && !edge.iter().any(|v| triangle.contains(v)) {
                found += usize::from(shell::acm::edge_meets_triangle(ends, *corners));
            }
        }
    }
    found
}

#[test]
fn scenes_of_cloth_have_one_history_and_never_cross_themselves() {
    for (name, set) in [
        ("flag", &["side=10", "duration=0.5"][..]),
        ("skirt", &["duration=0.2"]),
        ("net", &["side=9", "duration=0.8"]),
        ("tablecloth", &["side=11", "duration=0.6"]),
    ] {
        let world = scene(name, set);
        assert_one_history(&world);
        let (states, _) = states(&world);
        assert!(states.len() > 10, "{name}");
        for (tick, state) in &states {
            assert_eq!(crossings(&world, state), 0, "{name} at {tick:?}");
        }
    }
}

/// A sheet that is fastened to a ball in free space: what the ball loses the sheet gains, and the corner stays at its point.
#[test]
fn cloth_pulls_at_what_it_is_fastened_to() {
    let world = world(
        r#"
        name = "towed"
        until = 0.6
        gravity = [0, 0, 0]
        [[body]]
        name = "ball"
        shape = { ball = 0.05 }
        mass = 0.5
        position = [-0.06, 0, 0]
        velocity = [-2, 0.5, 0]
        spin = [0, 0, 3]
        [[cloth]]
        name = "sheet"
        grid = { columns = 9, rows = 9, u = [0.4, 0, 0], v = [0, 0, 0.4] }
        mass = 0.2
        thickness = 0.004
        constraints = "rope"
        pins = [{ near = [0, 0, 0], body = "ball" }]
    "#,
    );
    assert_one_history(&world);
    let (states, bodies) = states(&world);
    let (_, last) = states.last().expect("it was stepped");
    let sheet = last.velocity.iter().sum::<Vec3>() * (0.2 / 81.0);
    let momentum = sheet + bodies[0].velocity * 0.5;
    let before = Vec3::new(-1.0, 0.25, 0.0);
    let off = (momentum - before).length();
    assert!(off < 1e-12, "momentum is off by {off:e} N s");
    assert!(bodies[0].velocity.x > -1.9, "the sheet holds the ball back");
    let point = bodies[0].pose() * (world.bodies[0].start.pose().inverse() * Vec3::ZERO);
    let away = last.position[0].distance(point);
    // the contact tolerance, and what turning on a straight way within a step of 10 ms leaves
    assert!(
        away < 2e-3,
        "the corner is {away} m from where it is fastened"
    );
}

#[test]
fn cloths_of_a_scene_meet_each_other() {
    let two = |step: &str| {
        format!(
            r#"
        name = "two"
        until = 0.5
        gravity = [0, -9.81, 0]
        [[cloth]]
        name = "lower"
        grid = {{ columns = 11, rows = 11, corner = [-0.25, 0, -0.25], u = [0.5, 0, 0], v = [0, 0, 0.5] }}
        pins = ["corners"]
        thickness = 0.004
        friction = 0.3
        mass = 0.2
        [[cloth]]
        name = "upper"
        grid = {{ columns = 9, rows = 9, corner = [-0.14, 0.1, -0.13], u = [0.3, 0, 0.02], v = [0, 0, 0.3] }}
        thickness = 0.004
        friction = 0.3
        mass = 0.1
        {step}
    "#
        )
    };
    let together = world(&two(""));
    assert_eq!(together.deformables.len(), 1);
    assert_eq!(together.deformables[0].name, "lower + upper");
    let (states, _) = states(&together);
    for (tick, state) in &states {
        assert_eq!(crossings(&together, state), 0, "at {tick:?}");
    }
    let (_, last) = states.last().expect("it was stepped");
    let lowest = |all: &[Vec3]| all.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
    assert!(
        lowest(&last.position[121..]) > -0.4,
        "the lower one carries the upper one"
    );
    let apart = world(&two("self_contact = false"));
    assert_eq!(apart.deformables.len(), 2);
    let error = load("two", &two("step = 0.005"), &[])
        .err()
        .expect("two clocks");
    assert!(
        error.to_string().contains("`lower` and `upper` may meet"),
        "{error}"
    );
}

/// Air holds a sheet back, and a pole that turns takes along what is fastened to it.
#[test]
fn a_driven_body_takes_cloth_along() {
    let world = world(
        r#"
        name = "turned"
        until = 0.5
        gravity = [0, 0, 0]
        [[body]]
        name = "pole"
        kind = "kinematic"
        shape = { box = [0.1, 0.1, 0.1] }
        position = [-0.05, 0, 0]
        spin = [0, 0, 4]
        [[cloth]]
        name = "sheet"
        grid = { columns = 6, rows = 6, corner = [0.006, 0, -0.05], u = [0.1, 0, 0], v = [0, 0, 0.1] }
        pins = [{ side = "left", body = "pole" }]
        thickness = 0.002
        air = { velocity = [0, 0, 1] }
        bending = 1e-5
    "#,
    );
    assert_one_history(&world);
    let (states, bodies) = states(&world);
    let start = world.bodies[0].start.pose();
    let (tick, last) = states.last().expect("it was stepped");
    assert_eq!(*tick, world.until);
    for row in 0..6 {
        let rest = Vec3::new(0.006, 0.0, -0.05 + 0.02 * f64::from(row));
        let expected = bodies[0].pose() * (start.inverse() * rest);
        let off = last.position[row as usize * 6].distance(expected);
        assert!(off < 1e-9, "row {row} is off by {off:e} m");
    }
}
