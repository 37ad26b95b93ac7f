//! Cloth that meets the world's bodies with its triangles: what is smaller than a cell is held, corners and edges do
//! not pierce, and it is all part of the one history.

use physics::triangle::nearest_to_triangle;
use physics::{State, Vec3};
use warp::Tick;
use warpline_sim::scene::load;
use warpline_sim::{Algorithm, History, LookAhead, World, run};

/// Bodies that fall into a hanging cloth with cells of 12.5 cm.
fn world(bodies: &str, cloth: &str, until: f64) -> World {
    let text = format!(
        r##"
        name = "small things"
        until = {until}
        gravity = [0, -10, 0]
        {bodies}
        [[cloth]]
        grid = {{ columns = 9, rows = 9, u = [1, 0, 0], v = [0, 0, 1], weave = "triangles", arc = 30 }}
        constraints = "rope"
        pins = ["left", "right"]
        mass = 0.3
        extensibility = 0.03
        {cloth}
    "##
    );
    load("small things", &text, &[]).unwrap().world
}

const MARBLE: &str = r##"
    [[body]]
    name = "marble"
    shape = { ball = 0.02 }
    mass = 0.05
    position = [0.47, 0.05, 0.57]
"##;

/// A cube that falls on one of its corners.
const CUBE: &str = r##"
    [[body]]
    name = "cube"
    shape = { box = [0.2, 0.2, 0.2] }
    mass = 0.2
    position = [0.55, 0.15, 0.55]
    rotation = { axis = [1, 0, -1], degrees = 54.7 }
"##;

/// The last positions of the cloth's vertices.
#[derive(Default)]
struct Last(Vec<Vec3>);

impl History for Last {
    fn segment(&mut self, _: &record::Segment<'_>) {}

    fn vertices(&mut self, _: u32, _: Tick, positions: &[[f64; 3]]) {
        self.0 = positions.iter().map(|p| Vec3::from_array(*p)).collect();
    }
}

fn end(world: &World) -> (Vec<Vec3>, Vec<State>) {
    let mut last = Last::default();
    let (_, states) = run(world, Algorithm::Ordered, &mut last).unwrap();
    (last.0, states)
}

/// The smallest distance of the cloth's triangles from body 0, m.
fn smallest_gap(world: &World, vertices: &[Vec3], states: &[State]) -> f64 {
    let model = &world.models[world.bodies[0].model as usize];
    let triangles = world.deformables[0].model.triangles();
    let gap = |corners: &[u32; 3]| {
        let corners = corners.map(|c| vertices[c as usize]);
        let near = nearest_to_triangle(model, &states[0].pose(), corners);
        near.map_or(f64::INFINITY, |near| near.proximity.gap)
    };
    triangles.iter().map(gap).fold(f64::INFINITY, f64::min)
}

#[test]
fn a_marble_smaller_than_a_cell_lies_in_a_hanging_cloth() {
    let (_, states) = end(&world(MARBLE, "", 2.0));
    assert!(states[0].position.y > -0.5, "{}", states[0].position);
    let (_, states) = end(&world(MARBLE, "contact = \"vertices\"", 2.0));
    assert!(states[0].position.y < -5.0, "vertices alone held it");
}

#[test]
fn the_corner_of_a_cube_does_not_pierce() {
    for until in [0.15, 0.25, 0.4, 0.8, 1.6] {
        let world = world(CUBE, "", until);
        let (vertices, states) = end(&world);
        assert!(states[0].position.y > -0.6, "{}", states[0].position);
        // the tolerance, and what a cube that turns and is pushed by others of its contacts adds within a step
        let gap = smallest_gap(&world, &vertices, &states);
        assert!(gap > -4e-3, "{until} s: {gap}");
    }
}

#[test]
fn contacts_of_triangles_are_part_of_the_one_history() {
    let bodies = format!("{MARBLE}{CUBE}");
    let bodies = bodies.replace("[0.55, 0.15, 0.55]", "[0.7, 0.2, 0.25]");
    let world = world(&bodies, "friction = 0.3", 0.7);
    let hash = |algorithm: Algorithm| {
        let mut hash = record::HistoryHash::new();
        run(&world, algorithm, &mut hash).unwrap();
        hash.finish()
    };
    let expected = hash(Algorithm::Ordered);
    for ahead in [
        LookAhead::OneEvent,
        LookAhead::Seconds(1e-3),
        LookAhead::Seconds(0.03),
        LookAhead::Seconds(1.0),
        LookAhead::Adaptive,
    ] {
        assert_eq!(hash(Algorithm::TimeWarp(ahead)), expected, "{ahead:?}");
    }
}
