//! Bad input ends in a message with file and line, never in a panic or a hang.

use std::path::PathBuf;
use warpline_robot::{Options, Robot, RobotError, Verdict, load};

const SKYBOX: &[u8] = include_bytes!("models/mjcf/dm_control/common/skybox.xml");
const VISUAL: &[u8] = include_bytes!("models/mjcf/dm_control/common/visual.xml");

struct Files(tempfile::TempDir);

impl Files {
    fn new(files: &[(&str, &[u8])]) -> Files {
        let dir = tempfile::tempdir().expect("a folder");
        for (name, bytes) in files {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, bytes).expect("a file");
        }
        Files(dir)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn load(&self, name: &str) -> Result<Robot, RobotError> {
        load(&self.path(name), &Options::default())
    }
}

/// Reads one text and assembles it; the error it must end in.
fn fault(text: &str) -> RobotError {
    let files = Files::new(&[("model/robot.xml", text.as_bytes())]);
    let read = files
        .load("model/robot.xml")
        .and_then(|r| r.assemble().map(|_| ()));
    read.expect_err("bad input")
}

#[track_caller]
fn refuses(text: &str, line: usize, words: &[&str]) {
    let error = fault(text);
    let message = error.to_string();
    assert_eq!(error.line(), line, "{message}");
    assert!(error.source_name.ends_with("robot.xml"));
    for word in words {
        assert!(message.contains(word), "{message}");
    }
}

#[test]
fn unknown_elements_and_attributes() {
    refuses(
        "<mujoco>\n<worldbody>\n<bodyy/>\n</worldbody></mujoco>",
        3,
        &["`bodyy`", "did you mean `body`"],
    );
    refuses(
        "<mujoco>\n<option gravitty=\"0 0 1\"/></mujoco>",
        2,
        &["`gravitty`", "`gravity`"],
    );
    refuses(
        "<robot name=\"a\">\n<lnk name=\"b\"/></robot>",
        2,
        &["`lnk`", "`link`"],
    );
    refuses("<sdf/>", 1, &["`sdf`", "URDF"]);
}

#[test]
fn circles_and_lost_links() {
    let link = |n: &str| format!("<link name=\"{n}\"/>\n");
    let joint = |n: &str, p: &str, c: &str| {
        format!(
            "<joint name=\"{n}\" type=\"fixed\"><parent link=\"{p}\"/><child link=\"{c}\"/></joint>\n"
        )
    };
    let circle = format!(
        "<robot name=\"r\">\n{}{}{}{}</robot>",
        link("a"),
        link("b"),
        joint("j", "a", "b"),
        joint("k", "b", "a")
    );
    refuses(&circle, 5, &["circle"]);
    let two = format!("<robot name=\"r\">\n{}{}</robot>", link("a"), link("b"));
    refuses(&two, 3, &["`a`", "`b`", "no parent"]);
    let lost = format!(
        "<robot name=\"r\">\n{}{}</robot>",
        link("a"),
        joint("j", "a", "elbow")
    );
    refuses(&lost, 3, &["`elbow`"]);
    let twice = format!("<robot name=\"r\">\n{}{}</robot>", link("a"), link("a"));
    refuses(&twice, 3, &["`a` exists already", "line 2"]);
}

#[test]
fn limits_where_the_format_demands_them() {
    let urdf = "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/>\n<joint name=\"elbow\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>";
    refuses(urdf, 2, &["`elbow`", "limit", "continuous"]);
    let mjcf = "<mujoco><worldbody><body>\n<joint limited=\"true\"/><geom size=\"1\"/></body></worldbody></mujoco>";
    refuses(mjcf, 2, &["`range`"]);
}

#[test]
fn names_used_twice() {
    let text = "<mujoco><worldbody>\n<body name=\"a\"/>\n<body name=\"a\"/></worldbody></mujoco>";
    refuses(text, 3, &["`a` exists already", "line 2"]);
}

#[test]
fn what_is_not_utf8_or_not_xml() {
    let files = Files::new(&[("model/robot.xml", b"<mujoco>\n<!-- \xff -->\n</mujoco>")]);
    let error = files.load("model/robot.xml").expect_err("not UTF-8");
    assert_eq!(error.line(), 2);
    assert!(error.message.contains("UTF-8"));
    refuses("<mujoco>\n<worldbody>\n</mujoco>", 3, &["XML"]);
    refuses("", 1, &["XML"]);
}

#[test]
fn entities_that_expand_for_ever() {
    let text = "<?xml version=\"1.0\"?>\n<!DOCTYPE lolz [<!ENTITY a \"&a;&a;\">]>\n<mujoco model=\"&a;\"/>";
    refuses(text, 2, &["document type"]);
}

#[test]
fn elements_nested_without_end() {
    let text = format!("<mujoco><worldbody>{}", "<body>".repeat(5000));
    let close = format!("{}</worldbody></mujoco>", "</body>".repeat(5000));
    let error = fault(&(text + &close));
    assert!(
        error.message.contains("nested") || error.message.contains("XML"),
        "{error}"
    );
}

#[test]
fn paths_that_leave_the_folder() {
    let mesh = |file: &str| {
        format!(
            "<mujoco><asset>\n<mesh name=\"m\" file=\"{file}\"/></asset><worldbody><body>\n<geom type=\"mesh\" mesh=\"m\"/></body></worldbody></mujoco>"
        )
    };
    refuses(
        &mesh("../../../../../../../../etc/passwd"),
        2,
        &["leaves the robot's folder"],
    );
    refuses(&mesh("/etc/passwd"), 2, &["leaves the robot's folder"]);
    refuses(&mesh("gone.stl"), 2, &["no file", "gone.stl"]);
    refuses(
        "<mujoco>\n<include file=\"../../../../../../etc/passwd\"/></mujoco>",
        2,
        &["leaves"],
    );
    refuses(
        "<mujoco>\n<include file=\"robot.xml\"/></mujoco>",
        2,
        &["includes itself"],
    );
}

#[test]
fn a_massless_moving_leaf() {
    let text = "<mujoco><worldbody><body><geom size=\"1\"/>\n<joint/>\n<body name=\"tip\">\n<joint name=\"wrist\"/></body></body></worldbody></mujoco>";
    refuses(text, 4, &["`tip`", "inertia"]);
}

#[test]
fn an_inertia_that_cannot_be_warns_and_runs() {
    let text = "<robot name=\"r\"><link name=\"a\"/><link name=\"arm\">\n<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"3\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\n<joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"arm\"/></joint></robot>";
    let files = Files::new(&[("model/robot.xml", text.as_bytes())]);
    let robot = files.load("model/robot.xml").expect("a robot");
    robot.assemble().expect("it runs");
    let warning = &robot.warnings[0];
    assert_eq!(warning.line, 2);
    assert!(warning.message.contains("`arm`"), "{warning}");
}

#[test]
fn a_missing_mesh_that_is_only_seen_warns() {
    let geometry = |tag: &str| {
        format!(
            "<robot name=\"r\"><link name=\"a\">\n<{tag}><geometry><mesh filename=\"package://none/gone.stl\"/></geometry></{tag}></link></robot>"
        )
    };
    let files = Files::new(&[("model/robot.xml", geometry("visual").as_bytes())]);
    let robot = files.load("model/robot.xml").expect("a robot");
    assert_eq!(robot.warnings[0].line, 2);
    refuses(&geometry("collision"), 2, &["gone.stl"]);
}

#[test]
fn packages_are_found_by_walking_up() {
    let urdf = "<robot name=\"r\"><link name=\"a\"><collision><geometry><mesh filename=\"package://arm/meshes/a.stl\"/></geometry></collision></link></robot>";
    let files = Files::new(&[
        ("arm/urdf/a.urdf", urdf.as_bytes()),
        ("arm/meshes/a.stl", b"solid a"),
    ]);
    let robot = files.load("arm/urdf/a.urdf").expect("a robot");
    assert!(
        robot.meshes[0]
            .path
            .as_ref()
            .is_some_and(|p| p.ends_with("arm/meshes/a.stl"))
    );
}

#[test]
fn numbers_that_are_none() {
    refuses(
        "<mujoco>\n<option gravity=\"0 0 nan\"/></mujoco>",
        2,
        &["`nan`"],
    );
    refuses(
        "<mujoco>\n<option gravity=\"0 0\"/></mujoco>",
        2,
        &["2 numbers", "3 are expected"],
    );
}

#[test]
fn every_element_has_a_verdict_and_a_line() {
    let text = "<mujoco model=\"m\">\n<worldbody>\n<light pos=\"0 0 1\"/>\n<body pos=\"1 0 0\"><geom size=\"1\"/></body></worldbody></mujoco>";
    let files = Files::new(&[("model/robot.xml", text.as_bytes())]);
    let coverage = files.load("model/robot.xml").expect("a robot").coverage;
    // mujoco, model, worldbody, light, pos, body, pos, geom, size
    assert_eq!(coverage.entries.len(), 9);
    let light = &coverage.entries[3];
    assert_eq!((light.line, light.verdict), (3, Verdict::Ignored));
    assert!(
        light
            .to_string()
            .contains("body/light: ignored (appearance"),
        "{light}"
    );
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(200))]

    /// A model with some bytes changed is read or refused; it never panics.
    #[test]
    fn changed_bytes_never_panic(changes in proptest::collection::vec((0usize..12_000, 0u8..128), 1..6)) {
        let mut bytes = include_bytes!("models/mjcf/dm_control/manipulator.xml").to_vec();
        for (at, byte) in changes {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        let common = include_bytes!("models/mjcf/dm_control/common/materials.xml");
        let files = Files::new(&[("robot.xml", &bytes), ("common/materials.xml", common), ("common/skybox.xml", SKYBOX), ("common/visual.xml", VISUAL)]);
        if let Ok(robot) = files.load("robot.xml") {
            let _ = robot.assemble();
        }
    }
}
