//! Joints: blows that pass through them, chains left to themselves, and steps too coarse for what moves.

use crate::truths::lab::{
    angular_momentum, body, energy, load_with, momentum, outcome, samples, scene,
};
use physics::joints::JointKind;
use physics::{State, Vec3};

fn initial(world: &warpline_sim::World) -> Vec<State> {
    world.bodies.iter().map(|b| b.start).collect()
}

/// Newton's cradle on rigid rods: the energy stays, the last ball leaves.
#[test]
fn a_cradle_on_rods_keeps_its_energy() {
    for solver in ["soft-step", "impulse"] {
        for gap in ["gap=0", "gap=1e-4"] {
            let world = load_with("cradle-on-rods", solver, &[gap]);
            let ends = [body(&world, "ball 1"), body(&world, "ball 5")];
            let rest = 5.0 * 9.81 * 2.0;
            let start = energy(&world, &initial(&world)) - rest;
            let (mut least, mut most) = (1.0f64, 0.0f64);
            let mut highest = [0.0f64; 2];
            for (seconds, states) in samples(&world, 10.0, 600) {
                let now = (energy(&world, &states) - rest) / start;
                (least, most) = (least.min(now), most.max(now));
                if seconds > 0.5 && seconds < 1.5 {
                    highest = [0, 1].map(|k| highest[k].max(states[ends[k]].position.y - 2.0));
                }
            }
            println!("{solver} {gap}: energy {least} to {most}, highest {highest:?}");
            assert!(least > 0.99, "{solver} {gap}: down to {least}");
            // Pendulums of second order: (h w)^2 / 8 of the swing, with w = 3 rad/s and h = 2 ms, and what the
            // hits are early or late.
            assert!(most < 1.0 + 2e-4, "{solver} {gap}: up to {most}");
            // The last ball leaves as high as the first one came from, 0.134 m; the first one stays.
            assert!(
                highest[1] > 0.13 && highest[0] < 0.01,
                "{solver} {gap}: {highest:?}"
            );
        }
    }
}

/// A ball of 1 kg at 4 m/s hits a rod of 2 m and 3 kg on a hinge at its end: the impulse at `arm` from the hinge is
/// (1 + e) u / (1/m + arm^2 / J) with J = M l^2 / 3, and goes through the hinge at once. What holds the joints yields
/// by 1e-9 of what they carry.
#[test]
fn a_rod_on_a_hinge_answers_with_its_moment_about_the_hinge() {
    for solver in ["soft-step", "impulse"] {
        for (arm, restitution) in [(0.5, 1.0), (4.0 / 3.0, 0.5), (1.9, 1.0), (1.0, 0.0)] {
            let text = format!(
                "name = \"gate\"\nuntil = 0.31\ngravity = [0, 0, 0]\n\
                 [contact]\nsolver = \"{solver}\"\nrest_after = 100\n\
                 [[body]]\nname = \"post\"\nkind = \"fixed\"\nshape = {{ ball = 0.01 }}\n\
                 [[body]]\nname = \"rod\"\nshape = {{ box = [2, 0.02, 0.02] }}\nmass = 3\nfriction = 0\n\
                 position = [1, 0, 0]\nrestitution = {restitution}\n\
                 [[joint]]\nkind = \"hinge\"\nbodies = [\"post\", \"rod\"]\nanchor = [0, 0, 0]\n\
                 axis = [0, 0, 1]\n\
                 [[body]]\nname = \"ball\"\nshape = {{ ball = 0.05 }}\nmass = 1\nfriction = 0\n\
                 restitution = {restitution}\nposition = [{arm}, -1.26, 0]\nvelocity = [0, 4, 0]\n"
            );
            let world = scene(&text, &[]);
            let end = samples(&world, 0.300001, 1).remove(0).1;
            // About its end, with a thickness of 0.02 m.
            let moment = 3.0 * (4.0 + 0.0004) / 12.0 + 3.0;
            let impulse = (1.0 + restitution) * 4.0 / (1.0 + arm * arm / moment);
            let (rod, ball) = (&end[body(&world, "rod")], &end[body(&world, "ball")]);
            let what = format!("{solver}, {arm} m, restitution {restitution}");
            let spin = (rod.spin.z - arm * impulse / moment).abs();
            assert!(spin < 1e-7, "{what}: the rod's spin is {spin:e} off");
            let centre = (rod.velocity.length() - arm * impulse / moment).abs();
            assert!(
                centre < 1e-7,
                "{what}: its centre's speed is {centre:e} off"
            );
            let speed = (ball.velocity.y - (4.0 - impulse)).abs();
            assert!(speed < 1e-7, "{what}: the ball's speed is {speed:e} off");
        }
    }
}

/// A ball hits one link of a chain that floats: together they keep their momentum and angular momentum, and with
/// restitution 1 and no friction their energy.
#[test]
fn a_hit_on_a_link_conserves_what_chain_and_ball_have() {
    for solver in ["soft-step", "impulse"] {
        for friction in [0.0, 0.4] {
            let text = format!(
                "name = \"links\"\nuntil = 1\ngravity = [0, 0, 0]\n\
                 [contact]\nsolver = \"{solver}\"\nrest_after = 100\nstep = 0.001\n\
                 [materials.m]\nrestitution = 1\nfriction = {friction}\n\
                 [[stack]]\nname = \"link\"\ncount = 6\nshape = {{ box = [0.1, 0.28, 0.1] }}\nmaterial = \"m\"\n\
                 position = [0, 0, 0]\ngap = 0.02\nmass = 0.5\n\
                 [[joint]]\nkind = \"ball\"\nchain = \"link\"\n\
                 [[body]]\nname = \"ball\"\nshape = {{ ball = 0.05 }}\nmass = 1\nmaterial = \"m\"\n\
                 position = [-1, 0.35, 0.02]\nvelocity = [4, 0.3, 0]\n"
            );
            let world = scene(&text, &[]);
            let start = initial(&world);
            let sums = |states: &[State]| {
                (
                    momentum(&world, states),
                    angular_momentum(&world, states, Vec3::ZERO),
                    energy(&world, states),
                )
            };
            let (p, l, e) = sums(&start);
            let ball = body(&world, "ball");
            for (seconds, states) in samples(&world, 0.4, 80) {
                let (p_now, l_now, e_now) = sums(&states);
                let what = format!("{solver}, friction {friction}, {seconds:.3} s");
                let off = (p_now - p).length() / p.length();
                assert!(off < 1e-12, "{what}: momentum is {off:e} off");
                let off = (l_now - l).length() / l.length();
                // Half a tick of way at 4 m/s lies between where the two are and where they touch.
                assert!(off < 1e-11, "{what}: angular momentum is {off:e} off");
                let gained = e_now / e - 1.0;
                // Within a step the links' momenta go evenly from its start to its end while they turn by 0.03 rad.
                assert!(gained < 1e-4, "{what}: gains {gained:e}");
                if friction == 0.0 {
                    assert!(gained > -1e-4, "{what}: loses {gained:e}");
                }
            }
            let hit = samples(&world, 0.4, 1).remove(0).1[ball].velocity.x;
            assert!(hit < 3.0, "{solver}: the ball was not stopped: {hit} m/s");
        }
    }
}

/// How far a joint is from whole: how far its anchors are apart, along the axis of a slider left out, metres.
fn open_by(joint: &physics::joints::Joint, states: &[State]) -> f64 {
    let poses = joint.bodies.map(|b| states[b as usize].pose());
    let [a, b] = [0, 1].map(|k| poses[k] * joint.frames[k].translation);
    match joint.kind {
        JointKind::Slider { .. } => {
            let axis = poses[0].rotation * joint.frames[0].rotation * Vec3::X;
            let apart = b - a;
            (apart - axis * axis.dot(apart)).length()
        }
        _ => (b - a).length(),
    }
}

/// Motors on a chain of 0.03 to 400 kg at steps of 20 ms. Its slider has no limits, so the lower part slides off
/// along it and falls: that is no tear. The joints hold, all stays bounded, and no energy comes from nowhere: the link
/// of 0.03 kg between 370 kg and 0.7 kg is too light for such a step, which is done over with shorter sub-steps. What
/// motors give at most is their torque times their speed, which is that of the joint as long as they keep it; the chain
/// falls by 3.6 kJ a metre, a thousandth of which is allowed.
#[test]
fn a_chain_with_motors_at_coarse_steps_stays_whole_and_bounded() {
    for solver in ["soft-step", "impulse"] {
        for step in [
            "contact.step=0.02",
            "contact.step=0.01",
            "contact.step=0.005",
        ] {
            let world = load_with("joints_explode", solver, &["until=2", step]);
            let begin = energy(&world, &initial(&world));
            // No hit cuts a step here: these moments are ends of steps.
            for (seconds, states) in samples(&world, 1.9, 95) {
                let what = format!("{solver} {step} at {seconds:.3} s");
                let open = world.joints.iter().map(|j| open_by(j, &states));
                let open = open.fold(0.0, f64::max);
                assert!(open < 1e-6, "{what}: a joint is open by {open} m");
                let work = (100.0 * 3.0 + 40.0 * 4.0) * seconds;
                let gained = energy(&world, &states) - begin;
                assert!(
                    gained < work + 3.6,
                    "{what}: {gained} J more, the motors have given {work} J"
                );
                for (body, state) in world.bodies.iter().zip(&states) {
                    let (fast, spin) = (state.velocity.length(), state.spin.length());
                    assert!(
                        fast < 30.0,
                        "{what}: {} at {fast} m/s and {spin} rad/s",
                        body.name
                    );
                }
            }
            assert!(outcome(&world).is_ok());
        }
    }
}

/// Without gravity and ground, a jointed chain keeps its momentum and its angular momentum to rounding.
#[test]
fn a_chain_left_to_itself_keeps_its_momentum() {
    for solver in ["soft-step", "impulse"] {
        let world = load_with("free-chain", solver, &[]);
        let begin = samples(&world, 0.1, 1).remove(0).1;
        let (p, l) = (
            momentum(&world, &begin),
            angular_momentum(&world, &begin, Vec3::ZERO),
        );
        for (seconds, states) in samples(&world, 5.0, 50) {
            let dp = (momentum(&world, &states) - p).length() / p.length();
            let dl = (angular_momentum(&world, &states, Vec3::ZERO) - l).length() / l.length();
            assert!(dp < 1e-12, "{solver}: momentum {dp} at {seconds} s");
            assert!(dl < 1e-12, "{solver}: angular momentum {dl} at {seconds} s");
        }
    }
}

/// A ball of 257 t on twelve links of 870 kg swings into 560 cubes of 1 t each and through them: joints hold, energy
/// comes from nowhere, nothing gets into the ground.
#[test]
#[ignore = "open: at 0.5 s the swing has 4.1e-5 of its energy more than a tenth of a second before, 2e-5 is allowed"]
fn a_wrecking_ball_knocks_through_a_wall() {
    let world = load_with("wrecking-ball", "soft-step", &["until=4"]);
    let ball = body(&world, "ball");
    let starts = initial(&world);
    let mut had = energy(&world, &starts);
    // The lowest of the ball's way, and how far it gets.
    let (mut fastest, mut farthest, mut last) = (0.0f64, f64::NEG_INFINITY, starts.clone());
    for (seconds, states) in samples(&world, 3.9, 39) {
        let open = world.joints.iter().map(|j| open_by(j, &states));
        let open = open.fold(0.0, f64::max);
        // Links go straight through a step of 8 ms while they swing: at 5 rad/s the chord of a link's arm of 0.45 m
        // is 0.1 mm from its arc; what is joined to what is thrown about turns three times as fast.
        assert!(open < 1e-3, "a joint is open by {open} m at {seconds} s");
        let has = energy(&world, &states);
        // A swing of second order sways by (h w)^2 / 8 of what it exchanges, 9 MJ of 44, with w = 2 rad/s and h = 8 ms;
        // moments within a step lie off the arc as the joints do.
        assert!(
            has <= had * (1.0 + 2e-5),
            "{has} J at {seconds} s, {had} J before"
        );
        had = has;
        for (body, state) in world.bodies.iter().zip(&states) {
            // A cube's corners are 0.87 m from its centre, its faces 0.5 m; the ground is at -1 m.
            let is_cube = body.name.starts_with("cube");
            assert!(
                !is_cube || state.position.y > -0.52,
                "{} is in the ground at {seconds} s: {}",
                body.name,
                state.position.y
            );
        }
        fastest = fastest.max(states[ball].velocity.length());
        farthest = farthest.max(states[ball].position.x);
        last = states;
    }
    let thrown = (0..world.bodies.len()).filter(|&b| {
        let is_cube = world.bodies[b].name.starts_with("cube");
        is_cube && (last[b].position - starts[b].position).length() > 1.0
    });
    let thrown = thrown.count();
    println!("{fastest} m/s, to x = {farthest} m, {thrown} cubes thrown");
    // It hangs 10.9 m below its hook when it is lowest, having fallen from 60 degrees: half of that.
    assert!(fastest > 5.0, "only {fastest} m/s");
    assert!(farthest > 12.0, "it gets to {farthest} m only");
    assert!(thrown > 100, "{thrown} cubes thrown");
}

/// A ball of 1 t slides into a row of touching cubes of 1 kg on a frictionless floor; nothing else pushes along it.
/// All go on at the speed that they have together, or the cubes are faster and the ball no slower than after an
/// elastic hit.
#[test]
fn a_heavy_ball_keeps_what_it_does_not_give_to_light_cubes() {
    for solver in crate::truths::lab::SOLVERS {
        for (cubes, rate) in [(2, 120), (10, 120), (10, 60), (10, 480)] {
            let step = format!("contact.step={}", 1.0 / f64::from(rate));
            let sets = [format!("cubes={cubes}"), step];
            let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
            let world = load_with("braced-momentum", solver, &sets);
            let what = format!("{solver}, {cubes} cubes, {rate} Hz");
            let slowest = 5000.0 / f64::from(1000 + cubes);
            for (seconds, states) in samples(&world, 2.6, 26) {
                let off = momentum(&world, &states).x / 5000.0 - 1.0;
                assert!(off.abs() < 1e-12, "{what}: {off:e} off at {seconds} s");
            }
            let (_, states) = outcome(&world).expect("it runs");
            let elastic = 5.0 - 2.0 * (5.0 - slowest);
            for (body, state) in world.bodies.iter().zip(&states).skip(1) {
                let speed = state.velocity.x;
                let least = if body.name == "ball" {
                    elastic
                } else {
                    slowest
                };
                // Cubes that touch to 1e-4 m swing against each other by some mm/s.
                let least = least * (1.0 - 1e-3);
                assert!(speed > least, "{what}: {} at {speed} m/s", body.name);
            }
        }
    }
}
