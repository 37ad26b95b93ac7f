//! Forward dynamics of published robots against MuJoCo 4.0 and Pinocchio 4.1: accelerations within
//! 1e-11 of the largest, poses within 1e-12. A handful of small models is in the repository; with
//! `WARPLINE_ROBOTS=FOLDER` the whole collection (models and `reference/*.json`) is read.

use multibody::{Pose, Quat, Vec3, Workspace};
use serde_json::Value;
use std::path::{Path, PathBuf};
use warpline_robot::{Format, Options, load};

fn list(v: &Value) -> Vec<f64> {
    let items = v.as_array().expect("a list");
    items
        .iter()
        .map(|x| x.as_f64().expect("a number"))
        .collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models")
}

fn references(folder: &Path) -> Vec<PathBuf> {
    let read = std::fs::read_dir(folder.join("reference")).expect("a folder of references");
    let mut files: Vec<_> = read.map(|e| e.expect("a file").path()).collect();
    files.sort();
    files
}

fn far(a: Pose, b: Pose) -> f64 {
    let turn = a.rotation.dot(b.rotation).abs();
    let apart = (a.rotation - b.rotation * a.rotation.dot(b.rotation).signum()).length();
    (a.translation - b.translation)
        .length()
        .max(apart)
        .max(if turn > 0.5 { 0.0 } else { 1.0 })
}

/// Largest errors of accelerations (over the largest acceleration) and of poses.
fn compare(folder: &Path, reference: &Path) -> Result<(f64, f64), String> {
    let text = std::fs::read_to_string(reference).map_err(|e| e.to_string())?;
    let data: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let model = folder.join(data["model"].as_str().expect("a path"));
    let robot = load(&model, &Options::default()).map_err(|e| e.to_string())?;
    let assembly = robot.assemble().map_err(|e| e.to_string())?;
    let m = &assembly.multibody;
    let mut ws = Workspace::new(m);
    let n = m.velocities();
    let (mut acceleration, mut pose) = (0.0f64, 0.0f64);
    for state in data["states"].as_array().expect("states") {
        let mut a = vec![0.0; n];
        let wanted = if robot.format == Format::Mjcf {
            let [q, v, tau] = ["qpos", "qvel", "qfrc_applied"].map(|k| list(&state[k]));
            if q.len() != m.positions() || v.len() != n {
                return Err(format!("{} positions, not {}", m.positions(), q.len()));
            }
            m.accelerations(&q, &v, &tau, &mut ws, &mut a);
            let (xpos, xquat) = (&state["xpos"], &state["xquat"]);
            for body in 0..robot.bodies.len() {
                let (p, r) = (list(&xpos[body]), list(&xquat[body]));
                let r = Quat::from_xyzw(r[1], r[2], r[3], r[0]);
                let seen = Pose::from_parts(Vec3::from_slice(&p), r);
                pose = pose.max(far(assembly.body_pose(&ws, body), seen));
            }
            list(&state["qacc"])
        } else {
            // their order of joints is not ours
            let names: Vec<&str> = data["joints"]
                .as_array()
                .expect("joints")
                .iter()
                .map(|j| j["name"].as_str().expect("a name"))
                .collect();
            let at = |name: &str| {
                let (_, link) = assembly
                    .joints
                    .iter()
                    .find(|(j, _)| j == name)
                    .expect("a joint");
                m.velocity_index(*link)
            };
            let ours = |key: &str| {
                let mut out = vec![0.0; n];
                for (name, x) in names.iter().zip(list(&state[key])) {
                    out[at(name)] = x;
                }
                out
            };
            if names.len() != n {
                return Err(format!("{n} joints, not {}", names.len()));
            }
            let [q, v, tau] = ["angles", "v", "tau"].map(ours);
            m.forward_dynamics(&q, &v, &tau, &mut ws, &mut a);
            let links = state["links_xyz_qxyzw"].as_object().expect("links");
            for (name, value) in links {
                let body = robot.body(name).ok_or(format!("no link {name}"))?;
                let (p, r) = (list(&value[0]), list(&value[1]));
                let r = Quat::from_slice(&r);
                let seen = Pose::from_parts(Vec3::from_slice(&p), r);
                pose = pose.max(far(assembly.body_pose(&ws, body), seen));
            }
            ours("a")
        };
        let largest = wanted.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let error = a
            .iter()
            .zip(&wanted)
            .fold(0.0f64, |m, (x, y)| m.max((x - y).abs()));
        acceleration = acceleration.max(error / largest);
    }
    Ok((acceleration, pose))
}

fn check(folder: &Path) {
    let mut failed = Vec::new();
    let mut worst = (0.0f64, 0.0f64);
    for reference in references(folder) {
        let name = reference
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .to_string();
        match compare(folder, &reference) {
            Ok((a, p)) if a <= 1e-11 && p <= 1e-12 => worst = (worst.0.max(a), worst.1.max(p)),
            other => failed.push(format!("{name}: {other:?}")),
        }
    }
    println!("worst acceleration {:e}, worst pose {:e}", worst.0, worst.1);
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn the_models_of_the_repository_accelerate_as_published() {
    check(&folder());
}

#[test]
fn all_given_models_accelerate_as_published() {
    match std::env::var_os("WARPLINE_ROBOTS") {
        Some(folder) => check(Path::new(&folder)),
        None => println!("skipped: WARPLINE_ROBOTS names no folder"),
    }
}
