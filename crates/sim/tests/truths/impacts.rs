//! Single impacts and sequences of them with closed forms: throw of billiard balls, a rod hit off its
//! centre, Galperin's billiard, and SimBenchmark's lattice of elastic balls.

use crate::truths::lab::{body, end_of, energy, momentum, outcome, samples, scene};
use physics::Vec3;

/// Rounding of a collision of numbers near one; impact times are whole ticks of 1e-12 s, in which
/// nothing here moves by more than a few 1e-12 m.
const ROUNDING: f64 = 1e-10;

fn near(found: Vec3, expected: Vec3, allowed: f64, what: &str) {
    let error = (found - expected).length();
    assert!(
        error <= allowed,
        "{what}: {found} instead of {expected}, {error:e} off"
    );
}

/// Two equal balls of 1 kg and 0.1 m, the first at 2 m/s along x; the line of centres at the impact is
/// turned by `degrees` from x.
fn cut_shot(degrees: f64, friction: f64, restitution: f64) -> ([Vec3; 2], [Vec3; 2]) {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let text = format!(
        "name = \"throw\"\nuntil = 1\ngravity = [0, 0, 0]\n\
         [materials.m]\nrestitution = {restitution}\nfriction = {friction}\n\
         [[body]]\nname = \"cue\"\nshape = {{ ball = 0.1 }}\nmass = 1\nmaterial = \"m\"\n\
         position = [{}, {}, 0]\nvelocity = [2, 0, 0]\n\
         [[body]]\nname = \"object\"\nshape = {{ ball = 0.1 }}\nmass = 1\nmaterial = \"m\"\n",
        -0.2 * cos - 1.0,
        -0.2 * sin
    );
    let end = end_of(&scene(&text, &[]));
    (
        [end[0].velocity, end[1].velocity],
        [end[0].spin, end[1].spin],
    )
}

/// Slip at the contact is stopped by the impulse m u / 7 (equal balls: the contact's inverse mass across
/// the line of centres is 2/m + 5/m), or friction times the normal impulse acts all along.
#[test]
fn billiard_balls_are_thrown_as_coulomb_says() {
    for degrees in [10.0f64, 30.0, 50.0, 75.0] {
        for (friction, restitution) in [(0.0, 1.0), (0.06, 0.94), (0.2, 0.8), (1.0, 0.5)] {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let (normal, across) = (Vec3::new(cos, sin, 0.0), Vec3::new(sin, -cos, 0.0));
            let pressed = 0.5 * (1.0 + restitution) * 2.0 * cos;
            let dragged = (2.0 * sin / 7.0).min(friction * pressed);
            let given = normal * pressed + across * dragged;
            // Both balls feel the drag at their rims: I = 2/5 m r^2.
            let spin = normal.cross(across) * (dragged * 0.1 / (0.4 * 0.01));
            let (velocity, spins) = cut_shot(degrees, friction, restitution);
            let what = format!("{degrees} degrees, friction {friction}");
            near(velocity[1], given, ROUNDING, &what);
            near(velocity[0], Vec3::X * 2.0 - given, ROUNDING, &what);
            // The object ball is dragged at -normal, the cue ball dragged back at +normal: both turn alike.
            near(spins[1], -spin, 100.0 * ROUNDING, &what);
            near(spins[0], -spin, 100.0 * ROUNDING, &what);
        }
    }
}

/// A rod of 2 m and 3 kg is hit at `arm` from its middle by a ball of 1 kg at 4 m/s: the impulse is
/// (1 + e) u / (1/m + 1/M + arm^2 / I).
#[test]
fn a_rod_hit_off_its_centre_turns_about_its_centre_of_percussion() {
    for arm in [0.0, 0.25, 1.0 / 3.0f64.sqrt(), 0.9] {
        for restitution in [0.2, 0.5, 1.0] {
            let text = format!(
                "name = \"rod\"\nuntil = 0.30001\ngravity = [0, 0, 0]\n\
                 [[body]]\nname = \"rod\"\nshape = {{ box = [2, 0.02, 0.02] }}\nmass = 3\nfriction = 0\n\
                 restitution = {restitution}\n\
                 [[body]]\nname = \"ball\"\nshape = {{ ball = 0.05 }}\nmass = 1\nfriction = 0\n\
                 restitution = {restitution}\nposition = [{arm}, -1.26, 0]\nvelocity = [0, 4, 0]\n"
            );
            let end = end_of(&scene(&text, &[]));
            let inertia = 3.0 * (4.0 + 0.0004) / 12.0;
            let impulse = (1.0 + restitution) * 4.0 / (1.0 + 1.0 / 3.0 + arm * arm / inertia);
            let what = format!("arm {arm}, restitution {restitution}");
            near(end[0].velocity, Vec3::Y * (impulse / 3.0), ROUNDING, &what);
            near(
                end[0].spin,
                Vec3::Z * (arm * impulse / inertia),
                ROUNDING,
                &what,
            );
            near(end[1].velocity, Vec3::Y * (4.0 - impulse), ROUNDING, &what);
        }
    }
}

/// Boxes that meet face to face have no reason to turn: equal ones swap velocities.
#[test]
fn boxes_that_meet_face_to_face_swap_velocities_and_do_not_turn() {
    for friction in [0.0, 0.5] {
        let text = format!(
            "name = \"faces\"\nuntil = 1\ngravity = [0, 0, 0]\n\
             [materials.m]\nrestitution = 1\nfriction = {friction}\n\
             [[body]]\nname = \"a\"\nshape = {{ box = [0.4, 0.4, 0.4] }}\nmaterial = \"m\"\n\
             velocity = [2, 0, 0]\n\
             [[body]]\nname = \"b\"\nshape = {{ box = [0.4, 0.4, 0.4] }}\nmaterial = \"m\"\n\
             position = [1, 0, 0]\n"
        );
        let end = end_of(&scene(&text, &[]));
        near(end[0].velocity, Vec3::ZERO, ROUNDING, "the first stops");
        near(
            end[1].velocity,
            Vec3::X * 2.0,
            ROUNDING,
            "the second goes on",
        );
        near(end[0].spin, Vec3::ZERO, ROUNDING, "the first does not turn");
        near(
            end[1].spin,
            Vec3::ZERO,
            ROUNDING,
            "the second does not turn",
        );
    }
}

/// Galperin's billiard: a wall, a ball of 1 kg, and one of 100^k kg that rolls in; they collide as often
/// as the first k + 1 digits of pi say.
#[test]
fn galperins_billiard_counts_the_digits_of_pi() {
    for (heavy, digits) in [(1.0, 3), (1e2, 31), (1e4, 314), (1e6, 3141)] {
        let text = format!(
            "name = \"galperin\"\nuntil = 20\ngravity = [0, 0, 0]\n\
             [materials.m]\nrestitution = 1\nfriction = 0\n\
             [[body]]\nname = \"wall\"\nkind = \"fixed\"\nshape = {{ half_space = [1, 0, 0] }}\n\
             material = \"m\"\n\
             [[body]]\nname = \"light\"\nshape = {{ ball = 0.1 }}\nmass = 1\nmaterial = \"m\"\n\
             position = [1, 0, 0]\n\
             [[body]]\nname = \"heavy\"\nshape = {{ ball = 0.1 }}\nmass = {heavy}\nmaterial = \"m\"\n\
             position = [2, 0, 0]\nvelocity = [-1, 0, 0]\n"
        );
        let world = scene(&text, &[]);
        let (stats, end) = outcome(&world).expect("it ends");
        assert_eq!(stats.collisions, digits, "{heavy} kg");
        let before = 0.5 * heavy;
        let error = (energy(&world, &end) / before - 1.0).abs();
        // Each collision rounds velocities a few times: at most 4e-16 of the energy each.
        assert!(
            error < 4e-16 * f64::from(digits as u32) + 1e-15,
            "{heavy} kg: {error:e}"
        );
    }
}

/// SimBenchmark's 666: a lattice of 6 x 6 x 6 elastic balls falls on the ground; energy stays.
#[test]
fn a_lattice_of_elastic_balls_keeps_its_energy() {
    let text = "name = \"666\"\nuntil = 2\n\
         [materials.m]\nrestitution = 1\nfriction = 0\n\
         [[body]]\nname = \"ground\"\nkind = \"fixed\"\nshape = { half_space = [0, 1, 0] }\n\
         material = \"m\"\n\
         [[lattice]]\nname = \"ball\"\ncount = [6, 6, 6]\nshape = { ball = 0.2 }\nmaterial = \"m\"\n\
         position = [0, 1, 0]\nspacing = [0.5003, 0.501, 0.4997]\nvelocity = [0, 0, 0]\n";
    let world = scene(text, &[]);
    let starts: Vec<physics::State> = world.bodies.iter().map(|b| b.start).collect();
    let (before, across) = (energy(&world, &starts), momentum(&world, &starts));
    let (stats, end) = outcome(&world).expect("it ends");
    assert!(stats.collisions > 500, "only {}", stats.collisions);
    // Rounding of each collision is random; the heights are of order one.
    let error = (energy(&world, &end) / before - 1.0).abs();
    assert!(error < 1e-13, "energy is {error:e} off");
    let pushed = momentum(&world, &end) - across;
    let weight: f64 = 216.0 * world.models[world.bodies[1].model.place()].mass.mass;
    let sideways = Vec3::new(pushed.x, 0.0, pushed.z).length() / weight;
    assert!(
        sideways < 1e-13,
        "momentum along the ground is {sideways:e} off"
    );
}

/// Sums over bounces: a ball with restitution e comes to rest after (1 + e)/(1 - e) sqrt(2 h / g) and has
/// flown h (1 + e^2)/(1 - e^2) up and down, under every solver and at every rate: bounces are no steps.
#[test]
fn a_bouncing_ball_ends_when_the_geometric_series_does() {
    use crate::truths::lab::{SOLVERS, scene_with};
    let text = "name = \"bounce\"\nuntil = 4\n[contact]\nfuse_speed = 0.001\n\
         [[body]]\nname = \"ground\"\nkind = \"fixed\"\nshape = { half_space = [0, 1, 0] }\n\
         restitution = 0.5\n\
         [[body]]\nname = \"ball\"\nshape = { ball = 0.1 }\nrestitution = 0.5\nposition = [0, 1.1, 0]\n";
    let fall = (2.0 / 9.81f64).sqrt();
    let over = 3.0 * fall;
    for solver in SOLVERS {
        for hertz in [60, 240] {
            let world = scene_with(text, solver, hertz);
            let at = body(&world, "ball");
            let all = samples(&world, 1.5, 1500);
            for (seconds, states) in &all {
                // The bounce in which this moment lies, by the series.
                let (mut start, mut up) = (fall, 0.5 * 9.81 * fall);
                while start + 2.0 * up / 9.81 < *seconds && up > 1e-6 {
                    start += 2.0 * up / 9.81;
                    up *= 0.5;
                }
                let t = seconds - start;
                let height = match *seconds {
                    s if s < fall => 1.1 - 0.5 * 9.81 * s * s,
                    s if s < over => 0.1 + up * t - 0.5 * 9.81 * t * t,
                    _ => 0.1,
                };
                // Below 1 mm/s it rests in a group, which may sink by its margin's slack.
                let allowed = if *seconds < over - 0.01 { 1e-9 } else { 1e-4 };
                let error = (states[at].position.y - height).abs();
                let allowed = if solver == "penalty" && *seconds > over - 0.01 {
                    2e-3
                } else {
                    allowed
                };
                assert!(
                    error < allowed,
                    "{solver} {hertz} Hz: {error:e} m off at {seconds} s"
                );
            }
        }
    }
}
