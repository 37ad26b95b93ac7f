//! Bodies that bounce on triangle meshes and height fields do what they would do on the half-spaces
//! that the triangles lie in, at the times and with the velocities of the closed forms; on edges and
//! corners they bounce along the line to the nearest point.

use physics::body::Heft;
use physics::collider::POLYTOPE_TOLERANCE;
use physics::{BodyModel, Material, Part, Pose, Quat, Shape, State, Vec3};
use record::{Event, Segment};
use warp::Tick;
use warpline_sim::{Algorithm, History, LookAhead, World, run};

const G: f64 = 9.81;
const GRAVITY: Vec3 = Vec3::new(0.0, -G, 0.0);
const RADIUS: f64 = 0.125;
/// Length of a tick, s: how late a touch may be noticed.
const TICK: f64 = 1.0 / Tick::TICKS_PER_SECOND;

/// When a body touched the ground, and its state after that.
#[derive(Clone, Copy, Debug)]
struct Bounce {
    time: f64,
    position: Vec3,
    velocity: Vec3,
    spin: Vec3,
}

#[derive(Default)]
struct Bounces(Vec<Bounce>);

impl History for Bounces {
    fn segment(&mut self, s: &Segment<'_>) -> warpline_sim::Told {
        if s.event == Event::Collision {
            self.0.push(Bounce {
                time: Tick(s.start).seconds(),
                position: Vec3::from_array(s.position),
                velocity: Vec3::from_array(s.velocity),
                spin: Vec3::from_array(s.spin),
            });
        }
        Ok(())
    }
}

fn material(restitution: f64, friction: f64) -> Material {
    Material {
        restitution,
        friction,
    }
}

/// A body falls on fixed ground; its bounces.
fn fall(
    ground: &[(Part, Pose)],
    parts: &[Part],
    start: State,
    material: Material,
    seconds: f64,
) -> Vec<Bounce> {
    let mut world = World::new("fall", GRAVITY, seconds);
    for (part, pose) in ground {
        let model = BodyModel::fixed(std::slice::from_ref(part), material).expect("ground");
        let model = world.add_model(model);
        world.add_fixed(format!("ground {}", world.bodies.len()), model, *pose);
    }
    let model = BodyModel::dynamic(parts, Heft::Mass(2.0), material, GRAVITY).expect("a solid");
    let model = world.add_model(model);
    world.add_dynamic("body", model, start);
    world.validate().expect("a sound world");
    let mut found = Bounces::default();
    let algorithm = Algorithm::TimeWarp(LookAhead::Adaptive);
    run(&world, algorithm, &mut found).expect("the run ends well");
    found.0
}

fn ball() -> [Part; 1] {
    [Part::centred(Shape::Ball { radius: RADIUS })]
}

fn at(position: Vec3, velocity: Vec3) -> State {
    State {
        velocity,
        ..State::at_rest(Pose::from_translation(position))
    }
}

/// A square of 6 m of the plane through the origin with the given normal, of triangles of many sizes.
fn mesh(normal: Vec3) -> Shape {
    let across = normal.cross(Vec3::Z).normalize();
    let along = across.cross(normal);
    let count = 7u32;
    let uneven = |i: u32, j: u32| {
        let (x, edge) = (f64::from(i) - 3.0, i == 0 || i + 1 == count);
        x + if edge {
            0.0
        } else {
            0.3 * f64::from(i * 7 + j * 13).sin()
        }
    };
    let mut vertices = Vec::new();
    for i in 0..count {
        for j in 0..count {
            vertices.push(across * uneven(i, j) - along * uneven(j, i));
        }
    }
    let mut triangles = Vec::new();
    for i in 0..count - 1 {
        for j in 0..count - 1 {
            let [a, b, c, d] = [
                i * count + j,
                (i + 1) * count + j,
                i * count + j + 1,
                (i + 1) * count + j + 1,
            ];
            if (i + j) % 2 == 0 {
                triangles.extend([[a, b, d], [a, d, c]]);
            } else {
                triangles.extend([[a, b, c], [b, d, c]]);
            }
        }
    }
    Shape::Mesh {
        vertices,
        triangles,
    }
}

/// A height field of 6 m by 6 m with the given heights over x and z.
fn heights(cells: u32, height: impl Fn(f64, f64) -> f64) -> Shape {
    let place = |k: u32| 6.0 * f64::from(k) / f64::from(cells) - 3.0;
    let row = |z: u32| (0..=cells).map(|x| height(place(x), place(z))).collect();
    Shape::HeightField {
        heights: (0..=cells).map(row).collect(),
        scale: Vec3::new(6.0, 1.0, 6.0),
    }
}

/// All that lies in one inclined plane through the origin.
fn inclines(normal: Vec3) -> Vec<(&'static str, Part, Pose)> {
    let slope = move |x: f64, z: f64| -(normal.x * x + normal.z * z) / normal.y;
    let tilt = Quat::from_rotation_arc(Vec3::Y, normal);
    let aside = Pose::from_parts(normal.cross(Vec3::Z) * 0.2, tilt);
    let here = Pose::IDENTITY;
    vec![
        (
            "half-space",
            Part::centred(Shape::HalfSpace { normal }),
            here,
        ),
        ("mesh", Part::centred(mesh(normal)), here),
        ("turned mesh", Part::centred(mesh(Vec3::Y)), aside),
        ("height field", Part::centred(heights(9, slope)), here),
        ("turned field", Part::centred(heights(5, |_, _| 0.0)), aside),
    ]
}

/// The bounces of a ball without friction on the plane through the origin.
fn on_plane(normal: Vec3, start: State, e: f64, seconds: f64) -> Vec<Bounce> {
    let pull = -GRAVITY.dot(normal);
    let (mut x, mut v, mut time) = (start.position, start.velocity, 0.0);
    let mut height = normal.dot(x) - RADIUS;
    let mut found = Vec::new();
    loop {
        let rise = normal.dot(v);
        let flight = (rise + (rise * rise + 2.0 * pull * height).sqrt()) / pull;
        time += flight;
        if time > seconds {
            return found;
        }
        x += v * flight + GRAVITY * (0.5 * flight * flight);
        v += GRAVITY * flight;
        v -= normal * ((1.0 + e) * normal.dot(v));
        height = 0.0;
        assert!(found.len() < 20, "bounces that accumulate");
        found.push(Bounce {
            time,
            position: x,
            velocity: v,
            spin: Vec3::ZERO,
        });
    }
}

/// Two lists of bounces agree. A touch is found up to a tick late or a rounding of the distance early, and a
/// bounce that is late makes all that follow late.
fn assert_same(found: &[Bounce], expected: &[Bounce], what: &str) {
    assert_same_on(0.0, found, expected, what);
}

/// The same where the ground touches along a curve of the given curvature, 1/m: there a tick's way turns
/// the normal, too.
fn assert_same_on(curvature: f64, found: &[Bounce], expected: &[Bounce], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let mut bound = 0.0;
    for (number, (f, e)) in found.iter().zip(expected).enumerate() {
        bound += 6.0 * TICK;
        let late = (f.time - e.time).abs();
        assert!(late < bound, "{what}, bounce {number}: {late:e} s");
        let (speed, moved) = (1.0 + e.velocity.length(), f.position - e.position);
        let off = moved.length();
        assert!(off < bound * speed, "{what}, bounce {number}: {off:e} m");
        let off = (f.velocity - e.velocity).length();
        let turned = 2.0 * curvature * speed * speed;
        assert!(
            off < bound * (G + turned),
            "{what}, bounce {number}: {off:e} m/s"
        );
        let off = (f.spin - e.spin).length() * RADIUS;
        assert!(off < bound * 4.0 * G, "{what}, bounce {number}: {off:e}");
    }
}

/// Down a slope over many triangles, whose edges and corners must not be felt.
#[test]
fn a_ball_bounces_down_an_inclined_plane_as_on_a_half_space() {
    let normal = Vec3::new(0.2, 1.0, 0.1).normalize();
    let start = at(Vec3::new(-2.0, 1.5, -1.5), Vec3::new(0.7, 0.5, 0.9));
    for e in [0.75, 0.9] {
        let expected = on_plane(normal, start, e, 1.9);
        assert!(expected.len() >= 2, "{}", expected.len());
        for (what, part, pose) in inclines(normal) {
            let found = fall(&[(part, pose)], &ball(), start, material(e, 0.0), 1.9);
            assert_same(&found, &expected, &format!("{what}, e = {e}"));
        }
    }
}

/// Straight down on every place where triangles meet, and on many in between.
#[test]
fn a_ball_dropped_on_corners_and_edges_of_flat_ground_rises_straight_up() {
    let expected = |start| on_plane(Vec3::Y, start, 1.0, 1.2);
    for i in 0..12u32 {
        for j in 0..3u32 {
            // Corners of the height field's cells, midpoints of their edges, and middles.
            let place = Vec3::new(f64::from(i) * 0.25 - 1.5, 0.5, f64::from(j) * 0.25);
            let start = at(place, Vec3::ZERO);
            for (what, part) in [("mesh", mesh(Vec3::Y)), ("field", heights(12, |_, _| 0.0))] {
                let ground = [(Part::centred(part), Pose::IDENTITY)];
                let found = fall(&ground, &ball(), start, material(1.0, 0.4), 1.2);
                assert_same(&found, &expected(start), &format!("{what} at {place}"));
            }
        }
    }
}

/// With friction the half-space itself is the reference; what it does is tested elsewhere.
#[test]
fn friction_on_triangles_is_friction_on_the_plane() {
    let normal = Vec3::new(-0.3, 1.0, 0.2).normalize();
    let start = State {
        spin: Vec3::new(5.0, -2.0, 8.0),
        ..at(Vec3::new(0.5, 1.0, -0.5), Vec3::new(1.0, 0.0, 1.2))
    };
    for friction in [0.1, 0.4, 3.0] {
        let mut expected: Option<Vec<Bounce>> = None;
        for (what, part, pose) in inclines(normal) {
            let found = fall(
                &[(part, pose)],
                &ball(),
                start,
                material(0.7, friction),
                1.3,
            );
            let expected = expected.get_or_insert_with(|| found.clone());
            assert!(expected.len() >= 2 && expected[0].spin != start.spin);
            assert_same(&found, expected, &format!("{what}, friction {friction}"));
        }
    }
}

/// A pyramid of 4 m by 4 m and 1.5 m height, open below.
fn pyramid() -> Part {
    let corner = |x: f64, z: f64| Vec3::new(x, 0.0, z);
    Part::centred(Shape::Mesh {
        vertices: vec![
            corner(-2.0, -2.0),
            corner(2.0, -2.0),
            corner(2.0, 2.0),
            corner(-2.0, 2.0),
            Vec3::Y * 1.5,
        ],
        triangles: vec![[1, 0, 4], [2, 1, 4], [3, 2, 4], [0, 3, 4]],
    })
}

/// The first bounce, without friction, of a ball that falls from rest to where it touches at `touch`
/// (its centre) with the given normal.
fn thrown_off(start: Vec3, touch: Vec3, normal: Vec3, e: f64) -> Bounce {
    let time = (2.0 * (start.y - touch.y) / G).sqrt();
    let velocity = GRAVITY * time;
    Bounce {
        time,
        position: touch,
        velocity: velocity - normal * ((1.0 + e) * normal.dot(velocity)),
        spin: Vec3::ZERO,
    }
}

fn first(ground: Part, start: Vec3, e: f64) -> Vec<Bounce> {
    let ground = [(ground, Pose::IDENTITY)];
    let start = at(start, Vec3::ZERO);
    let mut found = fall(&ground, &ball(), start, material(e, 0.0), 0.9);
    found.truncate(1);
    found
}

#[test]
fn each_face_of_a_pyramid_is_its_half_space() {
    for turn in 0..4u32 {
        let about = Quat::from_rotation_y(f64::from(turn) * std::f64::consts::FRAC_PI_2);
        let normal = about * Vec3::new(1.5, 2.0, 0.0) / 2.5;
        for (out, aside) in [(0.7, 0.1), (1.2, -0.5), (0.4, 0.2)] {
            let place = about * Vec3::new(out, 0.0, aside);
            // Over the face, the centre is at its height and a slanted radius more.
            let height = 1.5 * (1.0 - out / 2.0) + RADIUS / normal.y;
            let (start, touch) = (place + Vec3::Y * 3.0, place + Vec3::Y * height);
            let expected = thrown_off(start, touch, normal, 0.8);
            let what = format!("face {turn}, {out} out");
            assert_same(&first(pyramid(), start, 0.8), &[expected], &what);
        }
    }
}

/// Over the tip and the edges a ball touches a point or a line, and leaves along the way to it.
#[test]
fn the_tip_and_the_edges_of_a_pyramid_throw_a_ball_off_along_the_nearest_line() {
    let tip = Vec3::Y * 1.5;
    // Less than the radius times the sine of the faces' slope beside the tip.
    for (x, z) in [(0.0, 0.0), (0.05, 0.0), (-0.03, 0.02), (0.001, -0.04)] {
        let start = Vec3::new(x, 3.0, z);
        let rise = (RADIUS * RADIUS - x * x - z * z).sqrt();
        let touch = Vec3::new(x, 1.5 + rise, z);
        let normal = (touch - tip) / RADIUS;
        let expected = thrown_off(start, touch, normal, 0.9);
        let found = first(pyramid(), start, 0.9);
        assert_same_on(1.0 / RADIUS, &found, &[expected], &format!("tip, {x} {z}"));
    }
    // Straight over the middle of an edge, the normal is the edge's steepest one.
    let edge = Vec3::new(2.0, -1.5, 2.0).normalize();
    let normal = (Vec3::Y - edge * edge.y).normalize();
    let foot = Vec3::new(1.0, 0.75, 1.0);
    let touch = foot + normal * RADIUS;
    let start = Vec3::new(touch.x, 3.0, touch.z);
    let expected = thrown_off(start, touch, normal, 0.9);
    let found = first(pyramid(), start, 0.9);
    assert_same_on(1.0 / RADIUS, &found, &[expected], "edge");
}

/// A roof as a height field: two planes, and a ridge between them.
#[test]
fn a_roof_of_a_height_field_is_two_half_spaces_and_a_ridge() {
    let roof = || Part::centred(heights(6, |x, _| 1.2 - 0.75 * x.abs()));
    for side in [-1.0, 1.0] {
        let normal = Vec3::new(0.6 * side, 0.8, 0.0);
        for out in [0.3, 0.95, 1.7] {
            let place = Vec3::new(side * out, 3.0, 0.35);
            let touch = Vec3::new(place.x, 1.2 - 0.75 * out + RADIUS / 0.8, place.z);
            let expected = thrown_off(place, touch, normal, 0.7);
            let found = first(roof(), place, 0.7);
            assert_same(&found, &[expected], &format!("side {side}, {out} out"));
        }
        let x: f64 = 0.05 * side;
        let normal = Vec3::new(x, (RADIUS * RADIUS - x * x).sqrt(), 0.0) / RADIUS;
        let touch = Vec3::new(0.0, 1.2, -0.4) + normal * RADIUS;
        let start = Vec3::new(touch.x, 3.0, touch.z);
        let expected = thrown_off(start, touch, normal, 0.7);
        let found = first(roof(), start, 0.7);
        assert_same_on(1.0 / RADIUS, &found, &[expected], "ridge");
    }
}

/// A ball between two slopes, of half-spaces, triangles or heights. Each bounce on the other slope multiplies
/// a difference by a few, so only the first ones are compared; the energy is kept through all.
#[test]
fn a_ball_in_a_valley_bounces_between_its_sides_and_keeps_its_energy() {
    let half = |side: f64| {
        let normal = Vec3::new(-0.6 * side, 0.8, 0.0);
        (Part::centred(Shape::HalfSpace { normal }), Pose::IDENTITY)
    };
    let corner = |x: f64, z: f64| Vec3::new(x, 0.75 * x.abs(), z);
    let vertices = [-3.0, 0.0, 3.0].map(|x| [corner(x, -3.0), corner(x, 3.0)]);
    let triangles = vec![[0, 1, 2], [2, 1, 3], [2, 3, 4], [4, 3, 5]];
    let mesh = Shape::Mesh {
        vertices: vertices.concat(),
        triangles,
    };
    let field = heights(4, |x, _| 0.75 * x.abs());
    let start = at(Vec3::new(0.4, 1.4, 0.1), Vec3::new(0.0, 0.0, 0.2));
    let elastic = material(1.0, 0.0);
    let reference = fall(&[half(-1.0), half(1.0)], &ball(), start, elastic, 4.0);
    assert!(reference.len() > 6, "{}", reference.len());
    for (what, shape) in [("mesh", mesh), ("field", field)] {
        let ground = [(Part::centred(shape), Pose::IDENTITY)];
        let found = fall(&ground, &ball(), start, elastic, 4.0);
        assert_same(&found[..3], &reference[..3], what);
        let energy = |b: &Bounce| 0.5 * b.velocity.length_squared() + G * b.position.y;
        let before = 0.5 * start.velocity.length_squared() + G * start.position.y;
        for b in &found {
            let drift = (energy(b) - before).abs() / before;
            assert!(drift < 1e-13 * found.len() as f64, "{what}: {drift:e}");
        }
    }
}

/// Ground of one body with several parts whose tops make up one plane: a ball hops from part to part.
#[test]
fn ground_of_several_parts_is_one_floor() {
    let slab = |x: f64| {
        let half_extents = Vec3::new(0.5, 0.2, 2.0);
        Part::at(Shape::Box { half_extents }, Vec3::new(x, -0.2, 0.0))
    };
    let corner = |x: f64, z: f64| Vec3::new(x, 0.0, z);
    let patch = Part::centred(Shape::Mesh {
        vertices: vec![
            corner(0.0, -2.0),
            corner(3.0, -2.0),
            corner(0.0, 2.0),
            corner(3.0, 2.0),
        ],
        triangles: vec![[0, 2, 1], [1, 2, 3]],
    });
    let parts = [slab(-1.5), patch, slab(-0.5)];
    let start = at(Vec3::new(-1.8, 0.6, 0.1), Vec3::new(1.3, 0.0, 0.2));
    let (e, seconds) = (0.9, 2.4);
    let expected = on_plane(Vec3::Y, start, e, seconds);
    let over = |from: f64, to: f64| {
        let on = |b: &&Bounce| (from..to).contains(&b.position.x);
        expected.iter().filter(on).count()
    };
    assert!(over(-2.0, -1.0) > 0 && over(-1.0, 0.0) > 0 && over(0.0, 3.0) > 0);
    let mut world = World::new("floor", GRAVITY, seconds);
    let ground = BodyModel::fixed(&parts, material(e, 0.0)).expect("ground");
    let ground = world.add_model(ground);
    world.add_fixed("ground", ground, Pose::IDENTITY);
    let model = BodyModel::dynamic(&ball(), Heft::Mass(2.0), material(e, 0.0), GRAVITY);
    let model = world.add_model(model.expect("a ball"));
    world.add_dynamic("ball", model, start);
    let mut found = Bounces::default();
    let algorithm = Algorithm::TimeWarp(LookAhead::Adaptive);
    run(&world, algorithm, &mut found).expect("the run ends well");
    assert_same(&found.0, &expected, "parts");
}

/// A slanted dumbbell that does not turn comes down on one ball, off its centre of mass by `lever`: the
/// impulse is `m (1 + e) v / (1 + m lever^2 / I)`.
#[test]
fn a_dumbbell_comes_down_on_one_ball_and_starts_to_turn() {
    let parts = [-0.3, 0.3].map(|x| Part::at(Shape::Ball { radius: RADIUS }, Vec3::X * x));
    let slant: f64 = 0.4;
    let start = State {
        rotation: Quat::from_rotation_z(slant),
        ..at(Vec3::new(0.2, 1.6, 0.1), Vec3::ZERO)
    };
    let (mass, e) = (2.0, 0.6);
    // Two balls of 1 kg each, 0.3 m from the middle.
    let inertia = 2.0 * (0.4 * RADIUS * RADIUS + 0.3 * 0.3);
    let touch = RADIUS + 0.3 * slant.sin();
    let time = (2.0 * (1.6 - touch) / G).sqrt();
    let (speed, lever) = (G * time, -0.3 * slant.cos());
    let impulse = mass * (1.0 + e) * speed / (1.0 + mass * lever * lever / inertia);
    let expected = Bounce {
        time,
        position: Vec3::new(0.2, touch, 0.1),
        velocity: Vec3::Y * (impulse / mass - speed),
        spin: Vec3::Z * (lever * impulse / inertia),
    };
    for (what, part, pose) in inclines(Vec3::Y) {
        let found = fall(&[(part, pose)], &parts, start, material(e, 0.0), 1.0);
        assert_same(&found[..1], &[expected], what);
    }
}

/// The same for a box on its corner. Bare polytopes touch within a tolerance, so that the bounce may
/// come early by the time that the box falls through it.
#[test]
fn a_box_comes_down_on_its_corner_and_starts_to_turn() {
    let half = Vec3::new(0.2, 0.1, 0.15);
    let rotation = Quat::from_rotation_z(0.5) * Quat::from_rotation_x(0.3);
    let corners = (0..8).map(|i| {
        let sign = |bit: u32| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
        rotation * (half * Vec3::new(sign(0), sign(1), sign(2)))
    });
    let arm = corners
        .reduce(|a, b| if b.y < a.y { b } else { a })
        .unwrap();
    let start = State {
        rotation,
        ..at(Vec3::new(0.2, 1.5, 0.1), Vec3::ZERO)
    };
    let (mass, e) = (2.0, 0.5);
    let squares = half * half;
    let inertia = mass / 3.0
        * Vec3::new(
            squares.y + squares.z,
            squares.x + squares.z,
            squares.x + squares.y,
        );
    let turned = |torque: Vec3| rotation * (rotation.inverse() * torque / inertia);
    let yielding = 1.0 / mass + turned(arm.cross(Vec3::Y)).cross(arm).y;
    let time = (2.0 * (1.5 + arm.y) / G).sqrt();
    let speed = G * time;
    let impulse = (1.0 + e) * speed / yielding;
    let velocity = Vec3::Y * (impulse / mass - speed);
    let spin = turned(arm.cross(Vec3::Y * impulse));
    let parts = [Part::centred(Shape::Box { half_extents: half })];
    for (what, part, pose) in inclines(Vec3::Y) {
        let tolerance = match what {
            "half-space" => 0.0,
            _ => POLYTOPE_TOLERANCE,
        };
        let found = fall(&[(part, pose)], &parts, start, material(e, 0.0), 1.0)[0];
        let early = time - found.time;
        let longest = tolerance / speed * 1.01 + 2.0 * TICK;
        assert!(early > -2.0 * TICK && early < longest, "{what}: {early:e}");
        // A little slower, by what gravity does in that time; the normal is the plane's to rounding over
        // the distance of the tolerance.
        let slower = 4.0 * (G * longest + 1e-9 * speed);
        let off = (found.velocity - velocity).length();
        assert!(off < slower, "{what}: {off:e} of {slower:e} m/s");
        let off = (found.spin - spin).length() * arm.length();
        assert!(off < slower * 4.0, "{what}: {off:e}");
    }
}

/// Nothing tunnels: a bullet meets a thin triangle from either side, touches its edge within a
/// radius of it, and passes beyond.
#[test]
fn a_bullet_meets_a_single_triangle_from_both_sides_and_passes_beside_it() {
    let triangle = || {
        let corners = [[-1.0, -1.0], [1.0, -1.0], [0.0, 1.0]];
        let vertices = corners.map(|[x, z]| Vec3::new(x, 0.0, z)).to_vec();
        Part::centred(Shape::Mesh {
            vertices,
            triangles: vec![[0, 1, 2]],
        })
    };
    let shot = |from: Vec3, velocity: Vec3| {
        let ground = [(triangle(), Pose::IDENTITY)];
        fall(
            &ground,
            &ball(),
            at(from, velocity),
            material(1.0, 0.0),
            0.2,
        )
    };
    for side in [-1.0, 1.0] {
        let speed = 2000.0;
        let found = shot(
            Vec3::new(0.1, 100.0 * side, -0.2),
            Vec3::Y * (-speed * side),
        );
        assert_eq!(found.len(), 1, "side {side}");
        // 100 m less a radius, with or against gravity: (v t + g t^2 / 2).
        let way = 100.0 - RADIUS;
        let time = 2.0 * way / (speed + (speed * speed + side * 2.0 * G * way).sqrt());
        assert!((found[0].time - time).abs() < 2.0 * TICK, "side {side}");
        let back = (speed + side * G * time) * side;
        assert!(
            (found[0].velocity.y - back).abs() < 1e-12 * speed,
            "side {side}"
        );
    }
    // Beyond the edge z = -1: within a radius it is touched, beyond it is not.
    for (beyond, hits) in [
        (0.5, true),
        (0.999999, true),
        (1.000001, false),
        (1.5, false),
    ] {
        let from = Vec3::new(0.0, 50.0, -1.0 - beyond * RADIUS);
        let found = shot(from, Vec3::Y * -1000.0);
        assert_eq!(found.len(), usize::from(hits), "{beyond}");
        if let Some(b) = found.first() {
            let sin: f64 = beyond;
            let normal = Vec3::new(0.0, (1.0 - sin * sin).sqrt(), -sin);
            let fallen = 50.0 - RADIUS * normal.y;
            let before = -(1e6 + 2.0 * G * fallen).sqrt() * Vec3::Y;
            let expected = before - normal * (2.0 * normal.dot(before));
            // A tick's way turns the normal by that over the radius and the cosine.
            let turned = 4.0 * TICK * 1000.0 / RADIUS / normal.y;
            let off = (b.velocity - expected).length();
            assert!(off < 4000.0 * turned, "{beyond}: {off:e} m/s");
        }
    }
}
