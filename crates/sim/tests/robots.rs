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
