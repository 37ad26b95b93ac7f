//! Robots from files: which of their shapes meet.

use physics::Vec3;
use warpline_sim::scene::{Scene, load};
use warpline_sim::{Algorithm, Discard, run};

/// The scene of a robot whose MJCF text is given; `more` is written into its table.
fn robot(mjcf: &str, more: &str) -> Scene {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("robot.xml"), mjcf).expect("a file");
    let scene = folder.path().join("scene.toml");
    let text = format!(
        "name = \"robot\"\nuntil = 0.5\ngravity = [0, 0, -9.81]\n[contact]\n[[robot]]\nfile = \"robot.xml\"\n{more}\n"
    );
    load(&scene.to_string_lossy(), &text, &[]).expect("the robot is sound")
}

fn end_of(scene: &Scene, body: &str) -> Vec3 {
    let names = scene.world.bodies.iter();
    let names: Vec<&str> = names.map(|b| b.name.as_str()).collect();
    let number = names.iter().position(|n| *n == body);
    let number = number.unwrap_or_else(|| panic!("no `{body}` among {names:?}"));
    let (_, ends) = run(&scene.world, Algorithm::Ordered, &mut Discard).expect("the run ends");
    ends[number].position
}

/// The first of two shapes of the base overlaps the link.
#[test]
fn a_link_passes_through_every_shape_of_its_base() {
    let scene = robot(
        r#"<mujoco model="arm"><worldbody><body name="base">
            <geom type="box" size="0.1 0.1 0.1"/>
            <geom type="box" size="0.1 0.1 0.1" pos="0 0 -1"/>
            <body name="link"><joint axis="0 0 1"/><geom type="box" size="0.05 0.05 0.2"/></body>
        </body></worldbody></mujoco>"#,
        "",
    );
    assert!(scene.warnings.is_empty(), "{:?}", scene.warnings);
    assert!(end_of(&scene, "arm.link").is_finite());
}

#[test]
fn bodies_without_names_are_called_by_their_order() {
    let scene = robot(
        r#"<mujoco model="two"><worldbody>
            <body><freejoint/><geom size="0.1"/>
                <body pos="0 0 1"><joint/><geom size="0.1"/></body></body>
            <body name="body 1" pos="3 0 0"><freejoint/><geom size="0.1"/></body>
        </worldbody></mujoco>"#,
        "",
    );
    let names: Vec<&str> = scene.world.bodies.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["two.body 2", "two.body 3", "two.body 1"]);
}

/// A ball on a vertical rail above a floor; both have the masks given.
fn falling(ball: &str, floor: &str, option: &str) -> Scene {
    let mjcf = format!(
        r#"<mujoco model="lift"><option>{option}</option><worldbody>
            <geom name="floor" type="plane" size="1 1 1" {floor}/>
            <body name="ball" pos="0 0 0.2"><joint type="slide" axis="0 0 1"/><geom size="0.1" {ball}/></body>
        </worldbody></mujoco>"#
    );
    robot(&mjcf, "")
}

/// Shapes touch if the type of one is among the affinities of the other, either way round.
#[test]
fn masks_say_which_shapes_touch() {
    let rests = |ball: &str, floor: &str| {
        let height = end_of(&falling(ball, floor, ""), "lift.ball").z;
        assert!(height < 0.19, "it does not fall: {height}");
        height > 0.09
    };
    assert!(rests("", ""));
    assert!(rests(r#"contype="0""#, r#"conaffinity="0""#));
    assert!(rests(
        r#"contype="4" conaffinity="0""#,
        r#"contype="0" conaffinity="6""#
    ));
    assert!(!rests(r#"contype="0""#, r#"contype="0""#));
    assert!(!rests(r#"contype="2" conaffinity="2""#, ""));
}

#[test]
fn a_file_can_switch_contacts_off() {
    for flag in ["contact", "constraint"] {
        let scene = falling("", "", &format!(r#"<flag {flag}="disable"/>"#));
        assert!(end_of(&scene, "lift.ball").z < 0.0, "{flag}");
    }
    let scene = falling("", "", r#"<flag contact="enable"/>"#);
    assert!(end_of(&scene, "lift.ball").z > 0.09);
}

/// The limit would hold the ball where it is.
#[test]
fn a_file_can_switch_limits_off() {
    let limited = |option: &str| {
        let mjcf = format!(
            r#"<mujoco model="lift"><option>{option}</option><worldbody><body name="ball">
                <joint type="slide" axis="0 0 1" range="-0.01 1"/><geom size="0.1"/></body></worldbody></mujoco>"#
        );
        end_of(&robot(&mjcf, ""), "lift.ball").z
    };
    assert!(limited("") > -0.011);
    assert!(limited(r#"<flag limit="disable"/>"#) < -1.0);
}

/// What overlaps at the start is told by name and passes through.
#[test]
fn what_overlaps_at_the_start_does_not_meet() {
    let mjcf = r#"<mujoco model="cart"><worldbody>
            <geom type="capsule" size="0.05 1" quat="0.7071 0 0.7071 0"/>
            <geom type="box" size="0.1 0.1 0.1" pos="0 0 -0.6"/>
            <body name="box"><joint type="slide" axis="0 0 1"/><geom type="box" size="0.1 0.1 0.1"/></body>
        </worldbody></mujoco>"#;
    let scene = robot(mjcf, "");
    let warnings = &scene.warnings;
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let told = ["`cart.world`", "`cart.box`", "overlap by 0.15 m"];
    assert!(
        told.iter().all(|part| warnings[0].contains(part)),
        "{warnings:?}"
    );
    let height = end_of(&scene, "cart.box").z;
    assert!((-0.42..-0.39).contains(&height), "{height}");
}

/// Links that collide with each other leave out pairs that the file excludes, the base among them.
#[test]
fn excluded_pairs_pass_through_each_other() {
    let falls = |exclude: &str| {
        let mjcf = format!(
            r#"<mujoco model="two"><worldbody>
                <body name="base" pos="0 0 -1"><geom type="box" size="0.1 0.1 0.1"/></body>
                <body name="a" pos="0 0 -0.5"><joint type="slide" axis="0 0 1" range="0 0.001" limited="true"/>
                    <geom type="box" size="0.1 0.1 0.1"/></body>
                <body name="b"><joint type="slide" axis="0 0 1"/><geom type="box" size="0.1 0.1 0.1"/></body>
            </worldbody><contact>{exclude}</contact></mujoco>"#
        );
        end_of(&robot(&mjcf, "collide = true"), "two.b").z
    };
    let (a, base) = (
        r#"<exclude body1="a" body2="b"/>"#,
        r#"<exclude body1="b" body2="base"/>"#,
    );
    assert!((falls("") + 0.3).abs() < 0.01, "{}", falls(""));
    assert!((falls(a) + 0.8).abs() < 0.01, "{}", falls(a));
    assert!(falls(&format!("{a}{base}")) < -1.0);
}

/// All given models, under gravity, with zero torques, in a scene of their own.
fn models(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut models: Vec<std::path::PathBuf> = std::fs::read_dir(folder.join("reference"))
        .expect("a folder of references")
        .map(|entry| {
            let text = std::fs::read_to_string(entry.expect("a file").path()).expect("a text");
            let data: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            folder.join(data["model"].as_str().expect("a path"))
        })
        .collect();
    models.sort();
    models.dedup();
    models
}

/// No published robot explodes: for ten seconds its energy never grows beyond what it may have fallen, and everything
/// stays finite. `WARPLINE_ROBOTS` names the folder of models; `WARPLINE_ROBOT` may name a part of one model's path, to
/// run that one alone.
#[test]
fn every_given_robot_runs_ten_seconds_without_torques() {
    let Some(folder) = std::env::var_os("WARPLINE_ROBOTS") else {
        println!("skipped: WARPLINE_ROBOTS names no folder");
        return;
    };
    let only = std::env::var("WARPLINE_ROBOT").unwrap_or_default();
    let mut bad = Vec::new();
    let mut count = 0;
    for model in models(std::path::Path::new(&folder)) {
        let path = model.to_string_lossy().into_owned();
        if !path.contains(&only) {
            continue;
        }
        count += 1;
        let text = format!(
            "name = \"robot\"\nuntil = 10\ngravity = [0, 0, -9.81]\n[contact]\n[[robot]]\nfile = \"{path}\"\n"
        );
        let scene = match load("robot.toml", &text, &[]) {
            Ok(scene) => scene,
            Err(error) => {
                bad.push(format!("{path}: refused: {}", error.message));
                continue;
            }
        };
        let began = std::time::Instant::now();
        match run(&scene.world, Algorithm::Ordered, &mut Discard) {
            Err(error) => bad.push(format!("{path}: {error}")),
            Ok((_, ends)) => {
                // Ten seconds of free fall reach 98 m/s and 490 m; links that swing are not much faster.
                let fast = ends.iter().map(|s| s.velocity.length()).fold(0.0, f64::max);
                let far = ends.iter().map(|s| s.position.length()).fold(0.0, f64::max);
                if !(fast < 150.0 && far < 600.0) {
                    bad.push(format!("{path}: {fast} m/s, {far} m away"));
                }
            }
        }
        println!("{path}: {:.1} s", began.elapsed().as_secs_f64());
    }
    assert!(count > 0, "no model");
    assert!(
        bad.is_empty(),
        "{} of {count}:\n{}",
        bad.len(),
        bad.join("\n")
    );
}

/// A linkage of four bars whose loop a `connect` closes, hit by an elastic ball: what keeps the loop closed does no work, so
/// that the hit keeps the kinetic energy, and the loop stays closed.
#[test]
fn an_elastic_hit_on_a_closed_loop_keeps_the_energy() {
    let mjcf = r#"<mujoco><option gravity="0 0 0"/><worldbody>
        <body name="left"><joint name="l" axis="0 0 1"/><geom type="box" size=".05 .5 .05" pos="0 .5 0" mass="1"/>
          <body name="top" pos="0 1 0"><joint name="t" axis="0 0 1"/><geom type="box" size=".5 .05 .05" pos=".5 0 0" mass="1"/></body>
        </body>
        <body name="right" pos="1 0 0"><joint name="r" axis="0 0 1"/><geom type="box" size=".05 .5 .05" pos="0 .5 0" mass="1"/></body>
        </worldbody><equality><connect body1="top" body2="right" anchor="1 0 0"/></equality></mujoco>"#;
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("robot.xml"), mjcf).expect("a file");
    let text = "name = \"loop\"\nuntil = 0.6\ngravity = [0, 0, 0]\n[[robot]]\nfile = \"robot.xml\"\n\
                [[body]]\nname = \"ball\"\nshape = { ball = 0.1 }\nmass = 0.5\nposition = [-1, 0.9, 0]\n\
                velocity = [2, 0.3, 0]\n";
    let path = folder.path().join("scene.toml");
    let mut scene = load(&path.to_string_lossy(), text, &[]).expect("the robot is sound");
    for model in &mut scene.world.models {
        let material = &mut std::sync::Arc::make_mut(model).material;
        (material.restitution, material.friction) = (1.0, 0.0);
    }
    let world = &scene.world;
    let (stats, ends) = run(world, Algorithm::Ordered, &mut Discard).expect("the run ends");
    assert_eq!(stats.collisions, 1, "the ball hits once");
    let energy: f64 = ends
        .iter()
        .zip(&world.bodies)
        .map(|(state, body)| {
            let mass = world.models[body.model.place()].mass;
            let spin = state.rotation.inverse() * state.spin;
            0.5 * mass.mass * state.velocity.length_squared() + 0.5 * spin.dot(mass.inertia * spin)
        })
        .filter(|e| e.is_finite())
        .sum();
    let before = 0.5 * 0.5 * (4.0 + 0.09);
    assert!(
        (energy - before).abs() < 1e-6 * before,
        "{energy} of {before} J"
    );
    let ball = end_of(&scene, "ball");
    assert!(ball.x < 0.0, "it bounces back");
}

/// Two weights hang on slides; a fixed tendon of the sum of both lets them fall no farther than half a metre together.
#[test]
fn a_fixed_tendon_keeps_to_its_limits() {
    let mjcf = r#"<mujoco model="pair"><worldbody>
        <body name="a"><joint name="a" type="slide" axis="0 0 -1" damping="1"/><geom size="0.1" mass="1"/></body>
        <body name="b" pos="1 0 0"><joint name="b" type="slide" axis="0 0 -1" damping="2"/><geom size="0.1" mass="1"/></body>
        </worldbody><tendon><fixed name="sum" limited="true" range="0 0.5">
        <joint joint="a" coef="1"/><joint joint="b" coef="1"/></fixed></tendon></mujoco>"#;
    let scene = robot(mjcf, "");
    let fallen = -end_of(&scene, "pair.a").z - end_of(&scene, "pair.b").z;
    assert!((fallen - 0.5).abs() < 2e-4, "{fallen} m");
}
