//! Cloth that meets the world's bodies with its triangles: what is smaller than a cell is held, corners and edges do
//! not pierce, and it is all part of the one history.

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
    fn segment(&mut self, _: &record::Segment<'_>) -> warpline_sim::Told {
        Ok(())
    }

    fn vertices(&mut self, _: u32, _: Tick, positions: &[[f64; 3]]) -> warpline_sim::Told {
        self.0 = positions.iter().map(|p| Vec3::from_array(*p)).collect();
        Ok(())
    }
}

fn end(world: &World) -> (Vec<Vec3>, Vec<State>) {
    let mut last = Last::default();
    let (_, states) = run(world, Algorithm::Ordered, &mut last).unwrap();
    (last.0, states)
}

/// How deep a triangle is in a box, m, by the separating axes of both (not by the routine that finds contacts): the
/// shortest way along one of them that takes them apart, negative if they are apart.
fn depth(triangle: [Vec3; 3], corners: &[Vec3; 8], axes: [Vec3; 3]) -> f64 {
    let [a, b, c] = triangle;
    let edges = [b - a, c - b, a - c];
    let mut candidates = axes.to_vec();
    candidates.push(edges[0].cross(edges[1]));
    for edge in edges {
        candidates.extend(axes.map(|axis| axis.cross(edge)));
    }
    let range = |points: &[Vec3], axis: Vec3| {
        let along = points.iter().map(|p| p.dot(axis));
        let low = along.clone().fold(f64::INFINITY, f64::min);
        (low, along.fold(f64::NEG_INFINITY, f64::max))
    };
    let mut shortest = f64::INFINITY;
    // parallel edges have no common normal
    for axis in candidates
        .into_iter()
        .filter_map(|axis| axis.try_normalize())
    {
        let ((low, high), (from, to)) = (range(&triangle, axis), range(corners, axis));
        shortest = shortest.min((high - from).min(to - low));
    }
    shortest
}

/// How deep the cloth's triangles are in body 0, a cube of 0.2 m.
fn deepest(world: &World, vertices: &[Vec3], states: &[State]) -> f64 {
    let model = &world.models[world.bodies[0].model.place()];
    let frame = states[0].pose() * model.user_frame;
    let axes = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| frame.rotation * axis);
    let corners = std::array::from_fn(|i| {
        let sign = |axis: usize| if i >> axis & 1 == 1 { HALF } else { -HALF };
        frame.translation + axes[0] * sign(0) + axes[1] * sign(1) + axes[2] * sign(2)
    });
    let triangles = world.deformables[0].model.triangles().iter();
    let depths = triangles.map(|t| depth(t.map(|c| vertices[c as usize]), &corners, axes));
    depths.fold(f64::NEG_INFINITY, f64::max)
}

/// Half the side of the cube, m.
const HALF: f64 = 0.1;

#[test]
fn a_marble_smaller_than_a_cell_lies_in_a_hanging_cloth() {
    let (_, states) = end(&world(MARBLE, "", 2.0));
    assert!(states[0].position.y > -0.5, "{}", states[0].position);
    let (_, states) = end(&world(MARBLE, "contact = \"vertices\"", 2.0));
    assert!(states[0].position.y < -5.0, "vertices alone held it");
}

#[test]
fn the_corner_of_a_cube_does_not_pierce() {
    let (step, tolerance) = (0.01, 1e-3);
    let mut worst: f64 = 0.0;
    for count in 10..160 {
        let world = world(CUBE, "", step * f64::from(count));
        let (vertices, states) = end(&world);
        assert!(states[0].position.y > -0.6, "{}", states[0].position);
        // a step takes every point of the cube along a straight way; a corner turns away from it by half the square
        // of the angle times its distance from the centre
        let turned = states[0].spin.length() * step;
        let bound = tolerance + 0.5 * turned * turned * HALF * 3.0_f64.sqrt() + 1e-9;
        let depth = deepest(&world, &vertices, &states);
        assert!(
            depth <= bound,
            "step {count}: {depth} m, expected {bound} m"
        );
        worst = worst.max(depth);
    }
    assert!(worst > 0.5 * tolerance, "they hardly touched: {worst} m");
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

/// A spike of triangles that stands in the middle of a cell: no vertex meets its tip.
#[test]
fn a_spike_does_not_pierce() {
    let text = r##"
        name = "spike"
        until = 0.6
        gravity = [0, -9.81, 0]
        [[body]]
        name = "spike"
        kind = "fixed"
        shape = { mesh = { vertices = [[0.0105, 0.0, 0.0095], [0.0405, -0.2, 0.0095], [0.0105, -0.2, 0.0395],
            [-0.0195, -0.2, 0.0095], [0.0105, -0.2, -0.0205]],
            triangles = [[0, 2, 1], [0, 3, 2], [0, 4, 3], [0, 1, 4], [1, 2, 3], [1, 3, 4]] } }
        [[cloth]]
        grid = { columns = 17, rows = 17, corner = [-0.16, 0.05, -0.16], u = [0.32, 0, 0], v = [0, 0, 0.32] }
        mass = 0.02
        friction = 0.3
        thickness = 0.002
    "##;
    let world = load("spike", text, &[]).unwrap().world;
    let (vertices, _) = end(&world);
    let tip = Vec3::new(0.0105, 0.0, 0.0095);
    let foot = [
        [0.0405, 0.0095],
        [0.0105, 0.0395],
        [-0.0195, 0.0095],
        [0.0105, -0.0205],
    ];
    let volume = |a: Vec3, b: Vec3, c: Vec3, d: Vec3| (b - a).cross(c - a).dot(d - a);
    for corners in world.deformables[0].model.triangles() {
        let [a, b, c] = corners.map(|v| vertices[v as usize]);
        for [x, z] in foot {
            let end = Vec3::new(x, -0.2, z);
            let sides = [
                volume(tip, end, a, b),
                volume(tip, end, b, c),
                volume(tip, end, c, a),
            ];
            let is_through = sides.iter().all(|s| *s > 0.0) || sides.iter().all(|s| *s < 0.0);
            let is_across = volume(a, b, c, tip) * volume(a, b, c, end) < 0.0;
            assert!(
                !(is_through && is_across),
                "an edge of the spike crosses {corners:?}"
            );
        }
    }
}
