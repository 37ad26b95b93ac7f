//! The rock pile's world, and how deep its rocks lie in each other and in the ground.

use physics::collider::SolidPart;
use physics::{State, Vec3};
use sim::World;
use sim::world::Kind;

/// Cells of the height field along x and z, and its extents in metres.
const CELLS: [usize; 2] = [48, 24];
const EXTENT: [f64; 2] = [24.0, 8.0];
/// Where the slope ends and the run-out begins, metres along x.
const FOOT: f64 = 2.0;

/// Height of the ground's vertices: a slope of 30 degrees with bumps, then a run-out.
fn height(x: f64, z: f64) -> f64 {
    let slope = libm::tan(std::f64::consts::PI / 6.0);
    let bumps = 0.06 * (libm::sin(2.1 * x + 0.7 * z) + libm::sin(1.3 * z - 0.6 * x));
    (FOOT - x).max(0.0) * slope + bumps
}

/// `rocks` rocks of half a metre above the slope's upper end.
pub fn pile(rocks: usize, seconds: f64, (hertz, substeps): (u32, u32), density: f64) -> World {
    let at = |k: usize, along: usize| (k as f64 / CELLS[along] as f64 - 0.5) * EXTENT[along];
    let rows: Vec<String> = (0..=CELLS[1])
        .map(|row| {
            let heights: Vec<String> = (0..=CELLS[0])
                .map(|column| format!("{:.6}", height(at(column, 0), at(row, 1))))
                .collect();
            format!("[{}]", heights.join(","))
        })
        .collect();
    let (rows, [wide, deep]) = (rows.join(","), EXTENT);
    let text = format!(
        r#"
        name = "rocks"
        until = {seconds:?}
        gravity = [0, -9.81, 0]
        [materials.stone]
        restitution = 0
        friction = 0.5
        [contact]
        step = "1 / {hertz}"
        substeps = {substeps}
        [[body]]
        name = "ground"
        kind = "fixed"
        shape = {{ height_field = {{ size = [{wide}, 1, {deep}], heights = [{rows}] }} }}
        material = "stone"
        [[body]]
        name = "left"
        kind = "fixed"
        shape = {{ half_space = [0, 0, 1] }}
        position = [0, 0, -3.9]
        material = "stone"
        [[body]]
        name = "right"
        kind = "fixed"
        shape = {{ half_space = [0, 0, -1] }}
        position = [0, 0, 3.9]
        material = "stone"
        [[body]]
        name = "head"
        kind = "fixed"
        shape = {{ half_space = [1, 0, 0] }}
        position = [-11.9, 0, 0]
        material = "stone"
        [[body]]
        name = "end"
        kind = "fixed"
        shape = {{ half_space = [-1, 0, 0] }}
        position = [11.9, 0, 0]
        material = "stone"
        [[scatter]]
        name = "rock"
        count = {rocks}
        shape = {{ random_hull = {{ vertices = 20, size = 0.5, seed = 1 }} }}
        variants = 40
        density = {density:?}
        material = "stone"
        region = {{ min = [-11.5, 8.2, -3.5], max = [-5.5, 13, 3.5] }}
        gap = 0.02
        seed = 1
        "#
    );
    crate::measure::scene_of("rocks", &text)
}

/// The deepest overlaps seen, metres, and how many rocks have been below the ground at once.
#[derive(Default)]
pub struct Depths {
    pub rocks: f64,
    pub ground: f64,
    pub lost: usize,
}

/// Distance of the points of the ground that are tried against rocks, metres.
const GROUND_POINTS: f64 = 0.1;

impl Depths {
    /// Looks at the world's bodies at the given states.
    pub fn look(&mut self, world: &World, states: &[State]) {
        let ground = Ground::of(world);
        let mut lost = 0;
        for (body, state) in world.bodies.iter().zip(states) {
            if body.kind != Kind::Dynamic {
                continue;
            }
            if ground.depth(state.position) > 0.0 {
                lost += 1;
            } else {
                let rock = &world.models[body.model.place()].collider.parts[0];
                self.ground = self.ground.max(ground.overlap(rock, state));
            }
        }
        self.lost = self.lost.max(lost);
        let is_rock = |b: sim::world::BodyId| world.bodies[b.index()].kind == Kind::Dynamic;
        sim::overlap::overlaps(world, states, 0.0, |a, b, depth| {
            if is_rock(a) && is_rock(b) {
                self.rocks = self.rocks.max(depth);
            }
        });
    }
}

/// The height field of a pile.
struct Ground<'a>(&'a SolidPart);

impl<'a> Ground<'a> {
    fn of(world: &'a World) -> Self {
        Ground(&world.models[world.bodies[0].model.place()].collider.parts[0])
    }

    /// The triangle over or under a point: a corner and the upward normal.
    fn triangle(&self, point: Vec3) -> Option<(Vec3, Vec3)> {
        let field = self.0.shape.as_heightfield()?;
        let (i, j) = field.cell_at_point(point)?;
        let (left, right) = field.triangles_at(i, j);
        let cut = |[a, b, c]: [Vec3; 3]| {
            let normal = (b - a).cross(c - a).normalize();
            let up = if normal.y < 0.0 { -normal } else { normal };
            let side = |p: Vec3, q: Vec3| (q - p).cross(point - p).y;
            let sides = [side(a, b), side(b, c), side(c, a)];
            let holds = sides.iter().all(|s| *s >= 0.0) || sides.iter().all(|s| *s <= 0.0);
            holds.then_some((a, up))
        };
        [left, right]
            .into_iter()
            .flatten()
            .find_map(|t| cut([t.a, t.b, t.c]))
    }

    /// How far a point lies below the ground, metres; negative above it.
    fn depth(&self, point: Vec3) -> f64 {
        self.triangle(point)
            .map_or(f64::NEG_INFINITY, |(corner, up)| up.dot(corner - point))
    }

    /// How deep a rock's vertices lie in the ground, or points of the ground in the rock.
    fn overlap(&self, rock: &SolidPart, state: &State) -> f64 {
        let (pose, at) = (state.pose(), state.position);
        let mut deepest: f64 = 0.0;
        for &corner in &rock.corners {
            deepest = deepest.max(self.depth(pose * corner));
        }
        let Some(hull) = rock.shape.as_convex_polyhedron() else {
            return deepest;
        };
        let core = pose * rock.pose;
        let steps = (rock.reach / GROUND_POINTS).ceil() as i32;
        for (i, j) in (-steps..=steps).flat_map(|i| (-steps..=steps).map(move |j| (i, j))) {
            let shift = Vec3::new(f64::from(i), 0.0, f64::from(j)) * GROUND_POINTS;
            let Some((corner, up)) = self.triangle(at + shift) else {
                continue;
            };
            let mut point = at + shift;
            point.y = corner.y - (up.x * (point.x - corner.x) + up.z * (point.z - corner.z)) / up.y;
            let local = core.inverse_transform_point(point);
            let inside = hull.faces().iter().map(|face| {
                let first = hull.vertices_adj_to_face()[face.first_vertex_or_edge as usize];
                face.normal.dot(hull.points()[first as usize] - local)
            });
            deepest = deepest.max(inside.fold(f64::INFINITY, f64::min));
        }
        deepest
    }
}
