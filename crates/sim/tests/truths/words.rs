//! What scenes can say about forces, scripts, materials and layers, against closed forms.

use crate::truths::lab::{body, end_of};
use physics::body::Law;
use physics::{State, Vec3};
use record::HistoryHash;
use warpline_sim::scene;
use warpline_sim::{Algorithm, LookAhead, World, run};

fn read(text: &str) -> World {
    match scene::load("words.toml", text, &[]) {
        Ok(scene) => scene.world,
        Err(error) => panic!("{error}\n{text}"),
    }
}

/// A weightless world with a force `push` and what follows.
fn weightless(force: &str, rest: &str) -> World {
    read(&format!(
        "name = 'x'\nuntil = 2\ngravity = [0, 0, 0]\n[forces.push]\nkind = 'constant'\n{force}\n{rest}"
    ))
}

fn end(world: &World, name: &str) -> State {
    end_of(world)[body(world, name)]
}

fn close(found: Vec3, expected: Vec3, tolerance: f64) {
    let error = (found - expected).length();
    assert!(error <= tolerance, "{found} is not {expected}: {error:e}");
}

/// The committed bytes are the same whoever runs the world.
fn assert_law_1(world: &World) {
    let hash = |algorithm| {
        let mut history = HistoryHash::new();
        run(world, algorithm, &mut history).expect("it runs");
        history.finish()
    };
    let ordered = hash(Algorithm::Ordered);
    for look_ahead in [
        LookAhead::Adaptive,
        LookAhead::Seconds(0.01),
        LookAhead::Seconds(1.0),
    ] {
        assert_eq!(hash(Algorithm::TimeWarp(look_ahead)), ordered);
    }
}

#[test]
fn a_constant_force_is_flown_in_closed_form() {
    let world = weightless(
        "force = [2, -1, 0]",
        "[[body]]\nname = 'a'\nshape = { box = [1, 2, 3] }\nmass = 4\nvelocity = [0, 0, 1]\n\
         spin = [0.1, 0.2, 0.3]\nforces = ['push', 'push']",
    );
    // Named twice it acts twice; a box that tumbles still flies along a parabola.
    assert_eq!(world.models[0].law, Law::Tumbling);
    let after = end(&world, "a");
    close(after.position, Vec3::new(2.0, -1.0, 2.0), 1e-15);
    close(after.velocity, Vec3::new(2.0, -1.0, 1.0), 1e-15);
}

#[test]
fn a_constant_torque_turns_faster_and_faster() {
    // A ball: I = 2/5 m r^2 = 0.4; a box about its principal axis z: I = m (a^2 + b^2) / 12 = 5/12.
    let world = weightless(
        "torque = [0, 0, 0.3]",
        "[[body]]\nname = 'ball'\nshape = { ball = 1 }\nmass = 1\nforces = ['push']\n\
         [[body]]\nname = 'box'\nshape = { box = [1, 2, 3] }\nmass = 1\nposition = [9, 0, 0]\n\
         forces = ['push']",
    );
    for (name, inertia) in [("ball", 0.4), ("box", 5.0 / 12.0)] {
        let after = end(&world, name);
        // The integrator allows 1e-10 a step and takes at most a few hundred.
        close(after.spin, Vec3::Z * (0.3 * 2.0 / inertia), 1e-9);
        let turned = after.rotation * Vec3::X;
        let angle = 0.5 * 0.3 / inertia * 4.0;
        close(turned, Vec3::new(angle.cos(), angle.sin(), 0.0), 1e-8);
    }
}

#[test]
fn a_force_of_the_body_turns_with_it() {
    // A force F that turns at a rate w gives v = F / (m w) (sin wt, 1 - cos wt).
    let world = weightless(
        "force = [3, 0, 0]\nframe = 'body'",
        "[[body]]\nname = 'ball'\nshape = { ball = 1 }\nmass = 2\nspin = [0, 0, 5]\nforces = ['push']",
    );
    let angle: f64 = 10.0;
    let expected = Vec3::new(angle.sin(), 1.0 - angle.cos(), 0.0) * (3.0 / (2.0 * 5.0));
    close(end(&world, "ball").velocity, expected, 1e-8);
}

#[test]
fn a_force_of_the_body_is_given_in_the_users_frame() {
    // A slab that lies askew in its own frame: the force is along the user's x axis all the same, and
    // at a point off the centre of mass it turns the slab from rest about z with r x F / I.
    let world = weightless(
        "force = [1, 0, 0]\nframe = 'body'\npoint = [0, -0.5, 0]",
        "[[body]]\nname = 'slab'\nmass = 1\nforces = ['push']\n\
         shapes = [{ box = [1, 2, 3], rotation = { axis = [0, 0, 1], degrees = 30 } }]\n\
         [[body]]\nname = 'bent'\nmass = 1\nforces = ['push']\nposition = [9, 0, 0]\n\
         shapes = [{ ball = 0.5, position = [2, 0, 0] }]",
    );
    let short = World {
        until: warp::Tick::from_seconds(1e-3),
        ..world
    };
    // After t the directions are off by w t / 2 at most, a few 1e-7 of what is asked.
    let after = end(&short, "slab");
    close(after.velocity, Vec3::X * 1e-3, 1e-9);
    close(after.spin, Vec3::Z * (0.5 * 1e-3 / (5.0 / 12.0)), 1e-9);
    // The ball's centre of mass is at (2, 0, 0) of its frame: the arm is (-2, -0.5, 0).
    let after = end(&short, "bent");
    close(after.spin, Vec3::Z * (0.5 * 1e-3 / 0.1), 1e-8);
}

#[test]
fn a_force_begins_and_ends_on_the_tick() {
    let scene = "[[body]]\nname = 'a'\nshape = { ball = 0.5 }\nmass = 2\nforces = ['push']\n\
                 [[body]]\nname = 'b'\nshape = { ball = 0.5 }\nmass = 2\nposition = [0, 3, 0]\nspin = [1, 0, 0]\n\
                 velocity = [0, 0, -1]\nforces = ['push', 'late']\n\
                 [forces.late]\nkind = 'constant'\nforce = [0, 0, 4]\nfrom = 1.5";
    let world = weightless("force = [4, 0, 0]\nfrom = 0.25\nuntil = 0.75", scene);
    // a = 2 m/s^2 over half a second: v = 1 m/s, and 0.25 m until the push ends.
    let after = end(&world, "a");
    close(after.velocity, Vec3::X, 1e-15);
    close(after.position, Vec3::X * (0.25 + 1.25), 1e-15);
    let after = end(&world, "b");
    close(after.velocity, Vec3::X, 1e-15);
    close(after.position, Vec3::new(1.5, 3.0, -2.0 + 0.25), 1e-15);
    assert_law_1(&world);
    let refused = run(
        &world,
        Algorithm::RetroactiveDetection(0.01),
        &mut warpline_sim::Discard,
    );
    assert!(refused.is_err(), "rd would leave the force out");
}

#[test]
fn a_crate_is_pushed_over_a_floor() {
    // F = 10 N on 1 kg with friction 0.5: a = 10 - 0.5 g while it is pushed for 0.4 s, then -0.5 g.
    let crate_on_floor = |solver: &str| {
        read(&format!(
            "name = 'x'\nuntil = 0.6\n[contact]\nsolver = '{solver}'\n\
             [forces.push]\nkind = 'constant'\nforce = [10, 0, 0]\nfrom = 0.1\nuntil = 0.5\n\
             [[body]]\nname = 'floor'\nkind = 'fixed'\nshape = {{ half_space = [0, 1, 0] }}\n\
             friction = 0.5\nrestitution = 0\n\
             [[body]]\nname = 'crate'\nshape = {{ box = [0.6, 0.2, 0.6] }}\nmass = 1\nfriction = 0.5\n\
             restitution = 0\nposition = [0, 0.1, 0]\nforces = ['push']"
        ))
    };
    for solver in ["soft-step", "impulse"] {
        let world = crate_on_floor(solver);
        let grip = 0.5 * 9.81;
        let expected = (10.0 - grip) * 0.4 - grip * 0.1;
        let after = end(&world, "crate");
        // A group's step is 1/60 s; the force's ends are events of their own and cut it there.
        assert!(
            (after.velocity.x / expected - 1.0).abs() < 1e-3,
            "{solver}: {} is not {expected}",
            after.velocity.x
        );
        assert_law_1(&world);
    }
}

#[test]
fn a_kinematic_body_turns_for_ever() {
    let world = read(
        "name = 'x'\nuntil = 1000\ngravity = [0, 0, 0]\n\
         [[body]]\nname = 'vane'\nkind = 'kinematic'\nshape = { box = [2, 0.2, 0.2] }\nspin = [0, 0, 0.7]\n\
         velocity = [0, 0, 0.5]\nposition = [0, 1, 0]",
    );
    let after = end(&world, "vane");
    close(after.position, Vec3::new(0.0, 1.0, 500.0), 1e-12);
    // The angle of 700 rad is known to its rounding, 1e-13.
    let turned = after.rotation * Vec3::X;
    close(turned, Vec3::new(700f64.cos(), 700f64.sin(), 0.0), 1e-12);
}

/// A vane in a box of balls.
fn mill(motion: &str) -> World {
    read(&format!(
        "name = 'mill'\nuntil = 3\ngravity = [0, 0, 0]\n\
         [box]\nmin = [-2, -2, -2]\nmax = [2, 2, 2]\nrestitution = 1\nfriction = 0\n\
         [[body]]\nname = 'vane'\nkind = 'kinematic'\nshape = {{ box = [2, 0.2, 1] }}\nrestitution = 1\n\
         friction = 0\n{motion}\n\
         [[scatter]]\nname = 'ball'\ncount = 30\nshape = {{ ball = 0.15 }}\nrestitution = 1\nfriction = 0\n\
         speed = {{ exactly = 1 }}\nseed = 5"
    ))
}

#[test]
fn a_turning_vane_strikes_as_its_script_would() {
    let endless = mill("spin = [0, 0, 1.5]");
    assert_law_1(&endless);
    // The same turn as keys a sixth of a turn apart.
    let sixth = std::f64::consts::TAU / 6.0 / 1.5;
    let keys: Vec<String> = (0..7)
        .map(|k| {
            let at = sixth * f64::from(k);
            let degrees = 60 * k;
            format!("{{ at = {at}, rotation = {{ axis = [0, 0, 1], degrees = {degrees} }} }}")
        })
        .collect();
    let scripted = mill(&format!("script = [{}]", keys.join(", ")));
    let (a, b) = (end_of(&endless), end_of(&scripted));
    let still = end_of(&mill("spin = [0, 0, 0]"));
    let apart = |x: &[State], y: &[State]| {
        let pairs = x.iter().zip(y);
        pairs
            .map(|(x, y)| x.position.distance(y.position))
            .fold(0.0, f64::max)
    };
    // Keys are rounded to ticks of 1e-12 s; a handful of collisions enlarge that.
    assert!(apart(&a, &b) < 1e-8, "{:e}", apart(&a, &b));
    assert!(
        apart(&a, &still) > 1e-2,
        "the vane must have struck somebody"
    );
}

#[test]
fn a_script_repeats_without_drift() {
    let round = "{ at = 0.1, position = [0, 0, 0] }, { at = 0.35, position = [0.3, 0, 0] }, \
                 { at = 0.6, position = [0, 0, 0] }";
    let repeated = mill(&format!("repeat = true\nscript = [{round}]"));
    let keys: Vec<String> = (0..7)
        .flat_map(|k| {
            let at = |s: f64| s + 0.5 * f64::from(k);
            let middle = format!("{{ at = {}, position = [0.3, 0, 0] }}", at(0.35));
            let last = format!("{{ at = {}, position = [0, 0, 0] }}", at(0.6));
            [middle, last]
        })
        .collect();
    let first = "{ at = 0.1, position = [0, 0, 0] }";
    let written = mill(&format!("script = [{first}, {}]", keys.join(", ")));
    assert_law_1(&repeated);
    for (a, b) in end_of(&repeated).iter().zip(&end_of(&written)) {
        // Times written as decimals are rounded to ticks, and collisions enlarge that.
        close(a.position, b.position, 1e-6);
    }
}

#[test]
fn a_rule_for_two_materials_replaces_their_mixture() {
    // Dropped from 1 m a ball comes back to e^2 metres: at the top of its flight it is there for a moment.
    let top = |ball: usize, e: f64| {
        let fall = (2.0f64 / 9.81).sqrt();
        let text = format!(
            "name = 'x'\nuntil = {}\n\
             [materials.steel]\nrestitution = 0.9\nfriction = 0.2\n\
             [materials.clay]\nrestitution = 0.1\n\
             [materials.cork]\nrestitution = 0.4\n\
             [[material_pair]]\nmaterials = ['clay', 'steel']\nrestitution = 0.3\n\
             [[material_pair]]\nmaterials = ['steel', 'steel']\nrestitution = 0.8\n\
             [[body]]\nname = 'clay floor'\nkind = 'fixed'\nmaterial = 'clay'\n\
             shape = {{ box = [1, 1, 1] }}\nposition = [0, -0.5, 0]\n\
             [[body]]\nname = 'steel floor'\nkind = 'fixed'\nmaterial = 'steel'\n\
             shape = {{ box = [1, 1, 1] }}\nposition = [2, -0.5, 0]\n\
             [[body]]\nname = 'cork floor'\nkind = 'fixed'\nmaterial = 'cork'\n\
             shape = {{ box = [1, 1, 1] }}\nposition = [4, -0.5, 0]\n\
             [[body]]\nfor = 'i = {ball} to {ball}'\nname = 'ball $i'\nmaterial = 'steel'\n\
             shape = {{ ball = 0.1 }}\nposition = ['2 * $i', 1.1, 0]",
            fall * (1.0 + e)
        );
        let world = read(&text);
        assert_law_1(&world);
        let states = end_of(&world);
        states[body(&world, &format!("ball {ball}"))].position.y - 0.1
    };
    // Cork and steel have no rule: the larger restitution counts.
    for (ball, e) in [(0, 0.3), (1, 0.8), (2, 0.9)] {
        let height = top(ball, e);
        assert!((height - e * e).abs() < 1e-9, "ball {ball}: {height}");
    }
}

#[test]
fn layers_that_do_not_meet_pass_through_each_other() {
    let text = "name = 'x'\nuntil = 1\ngravity = [0, 0, 0]\n\
        [box]\nmin = [-3, -3, -3]\nmax = [3, 3, 3]\nrestitution = 1\nfriction = 0\nlayer = 'walls'\n\
        [[body]]\nname = 'solid'\nshape = { ball = 0.5 }\nposition = [-1, 0, 0]\nvelocity = [4, 0, 0]\n\
        restitution = 1\nfriction = 0\n\
        [[body]]\nname = 'ghost'\nshape = { ball = 0.5 }\nposition = [1, 0, 0]\nvelocity = [-4, 0, 0]\n\
        restitution = 1\nfriction = 0\nlayer = 'ghosts'\ncollides = ['walls']\n\
        [[body]]\nname = 'other ghost'\nshape = { ball = 0.5 }\nposition = [1, 0.2, 0]\nvelocity = [-4, 0, 0]\n\
        restitution = 1\nfriction = 0\nlayer = 'ghosts'\nignores = ['default', 'ghosts']";
    let world = read(text);
    assert_law_1(&world);
    // Each flies 4 m in all; at 2.5 m from the centre it turns round.
    let expected = [("solid", 2.0), ("ghost", -2.0), ("other ghost", -2.0)];
    for algorithm in [
        Algorithm::Ordered,
        Algorithm::RetroactiveDetection(0.01),
        Algorithm::ConservativeAdvancement,
    ] {
        let (_, states) = run(&world, algorithm, &mut warpline_sim::Discard).expect("it runs");
        for (name, x) in expected {
            let found = states[body(&world, name)].position.x;
            assert!((found - x).abs() < 1e-9, "{algorithm:?}: {name} at {found}");
        }
    }
    let solid = read(&text.replace("ignores = ['default', 'ghosts']", "ignores = ['ghosts']"));
    let found = end(&solid, "solid").position.x;
    assert!(
        found < 0.0,
        "the other ghost must have met the solid: {found}"
    );
}

#[test]
fn layers_hold_in_contact_groups() {
    // Three crates on one floor; two that ignore each other stand in one another.
    let world = read(
        "name = 'x'\nuntil = 1\n[contact]\n\
         [[body]]\nname = 'floor'\nkind = 'fixed'\nshape = { half_space = [0, 1, 0] }\n\
         [[body]]\nname = 'a'\nshape = { box = [1, 1, 1] }\nposition = [0, 0.5, 0]\nlayer = 'a'\nignores = 'b'\n\
         [[body]]\nname = 'b'\nshape = { box = [1, 1, 1] }\nposition = [0.3, 0.5, 0]\nlayer = 'b'\n\
         [[body]]\nname = 'c'\nshape = { box = [1, 1, 1] }\nposition = [1.301, 0.5, 0]\nlayer = 'b'",
    );
    assert_law_1(&world);
    for (name, x) in [("a", 0.0), ("b", 0.3), ("c", 1.301)] {
        let after = end(&world, name);
        // What soft contact gives way is below a tenth of a millimetre.
        close(after.position, Vec3::new(x, 0.5, 0.0), 1e-4);
    }
}

/// A ball of 0.1 m on a floor that is inclined by `slope` towards x, under a solver.
fn on_a_slope(solver: &str, slope: f64, until: f64, lines: &str) -> World {
    let g = 9.81;
    let down = slope.atan();
    let (along, across) = (g * down.sin(), -g * down.cos());
    read(&format!(
        "name = 'x'\nuntil = {until}\ngravity = [{along}, {across}, 0]\n\
         [contact]\nsolver = '{solver}'\nrest_speed = 0\n\
         [materials.felt]\nfriction = 0.6\nrestitution = 0\n\
         [[body]]\nname = 'floor'\nkind = 'fixed'\nmaterial = 'felt'\nshape = {{ half_space = [0, 1, 0] }}\n\
         [[body]]\nname = 'ball'\nmaterial = 'felt'\nshape = {{ ball = 0.1 }}\nmass = 0.5\n\
         position = [0, 0.1, 0]\n{lines}"
    ))
}

#[test]
fn rolling_friction_brakes_a_ball_and_stops_it() {
    // The torque c m g about the point of contact against 7/5 m r^2: a = 5/7 g c / r.
    let rolling = "velocity = [1, 0, 0]\nspin = [0, 0, -10]\nrolling_friction = 0.002";
    let braking = 5.0 / 7.0 * 9.81 * 0.002 / 0.1;
    for solver in ["soft-step", "impulse"] {
        let world = on_a_slope(solver, 0.0, 3.0, rolling);
        let after = end(&world, "ball");
        let (speed, way) = (1.0 - 3.0 * braking, 3.0 - 4.5 * braking);
        // The couple of a sub-step counts from its middle on, to first order in 1/240 s: 1e-3.
        assert!(
            (after.velocity.x - speed).abs() < 1e-3,
            "{solver}: {after:?}"
        );
        assert!((after.position.x - way).abs() < 3e-3, "{solver}: {after:?}");
        assert!(
            (after.spin.z + 10.0 * speed).abs() < 1e-2,
            "{solver}: {after:?}"
        );
        // It stops after 7.1 s and 3.57 m, and then it lies.
        let world = on_a_slope(solver, 0.0, 9.0, rolling);
        let after = end(&world, "ball");
        let way = 0.5 / braking;
        assert!(
            (after.position.x / way - 1.0).abs() < 2e-3,
            "{solver}: {after:?}"
        );
        assert!(after.velocity.length() < 1e-6, "{solver}: {after:?}");
        assert_law_1(&on_a_slope(solver, 0.0, 0.5, rolling));
    }
}

#[test]
fn a_ball_rolls_down_where_the_slope_is_steeper_than_its_rolling_friction() {
    // It starts to roll where tan(slope) exceeds c / r = 0.02; then a = 5/7 g (sin - c / r cos).
    for solver in ["soft-step", "impulse"] {
        let held = end(
            &on_a_slope(solver, 0.01, 2.0, "rolling_friction = 0.002"),
            "ball",
        );
        assert!(held.position.x.abs() < 1e-4, "{solver}: {held:?}");
        let free = end(
            &on_a_slope(solver, 0.05, 2.0, "rolling_friction = 0.002"),
            "ball",
        );
        let down = 0.05f64.atan();
        let speed = 2.0 * 5.0 / 7.0 * 9.81 * (down.sin() - 0.02 * down.cos());
        assert!(
            (free.velocity.x / speed - 1.0).abs() < 5e-3,
            "{solver}: {free:?}"
        );
    }
}

#[test]
fn spinning_friction_brakes_a_top() {
    // The torque c m g about the normal against 2/5 m r^2.
    let lines = "spin = [0, 10, 0]\nspinning_friction = 0.001";
    let braking = 0.001 * 9.81 / (0.4 * 0.01);
    for solver in ["soft-step", "impulse"] {
        let after = end(&on_a_slope(solver, 0.0, 2.0, lines), "ball");
        let spin = 10.0 - 2.0 * braking;
        assert!(
            (after.spin.y / spin - 1.0).abs() < 2e-3,
            "{solver}: {after:?}"
        );
        let after = end(&on_a_slope(solver, 0.0, 5.0, lines), "ball");
        assert!(after.spin.length() < 1e-6, "{solver}: {after:?}");
    }
}

#[test]
fn rolling_friction_is_refused_where_no_solver_knows_it() {
    let text = "name = 'x'\nuntil = 1\n[contact]\nsolver = 'penalty'\n\
                [[body]]\nshape = { ball = 1 }\nrolling_friction = 0.1\n";
    let error = match scene::load("words.toml", text, &[]) {
        Ok(_) => panic!("penalty has no rolling friction"),
        Err(error) => error,
    };
    assert!(error.message.contains("no rolling friction"), "{error}");
}
