//! `[view]`: how pictures of a scene look. Nothing of it reaches the simulation.

use super::decode::{Decoded, Scope, Table};
use super::error::suggestion;
use super::keys;
use super::{parameters, tree};
use physics::Vec3;

/// How pictures of a scene look; what it leaves out is up to who draws them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct View {
    /// Where it is seen from.
    pub camera: Option<Camera>,
    /// The direction in which the light is, of length one.
    pub light: Option<Vec3>,
    /// What the bodies stand on.
    pub ground: Option<Ground>,
}

/// A pinhole camera, y up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where it is, m.
    pub from: Vec3,
    /// What it looks at, m.
    pub to: Vec3,
    /// Its field of view from bottom to top, degrees.
    pub degrees: f64,
}

/// The ground that pictures draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// On a light page.
    Light,
    /// On a dark page.
    Dark,
}

const DEGREES: f64 = 35.0;

/// Reads the view, if the scene has one.
pub(super) fn read(root: &Table<'_>) -> Decoded<View> {
    let Some(node) = root.get("view") else {
        return Ok(View::default());
    };
    let t = Table::open(node, &keys::VIEW, root.scope())?;
    let ground = match t.text("ground")?.as_deref() {
        None => None,
        Some("light") => Some(Ground::Light),
        Some("dark") => Some(Ground::Dark),
        Some(other) => {
            let message = format!("unknown ground `{other}`");
            let help = suggestion(other, ["light", "dark"]);
            return Err(t.fault("ground", message).help(help));
        }
    };
    let light = t.vector("light")?;
    let light = light.map(|l| l.try_normalize().ok_or(()));
    let light = light.transpose();
    let light = light.map_err(|()| t.fault("light", "the light has no direction; expected one"))?;
    Ok(View {
        camera: camera(&t)?,
        light,
        ground,
    })
}

/// The view of a scene of which nothing else is asked: its text alone, without the files that it may name.
pub fn view_of(text: &str) -> Option<View> {
    let tree = tree::parse(text).ok()?;
    let nothing = Scope::new();
    let bare = Table::open(&tree, &keys::SCENE, &nothing).ok()?;
    let (scope, _) = parameters::read(&bare).ok()?;
    read(&Table::open(&tree, &keys::SCENE, &scope).ok()?).ok()
}

fn camera(view: &Table<'_>) -> Decoded<Option<Camera>> {
    let Some(node) = view.get("camera") else {
        return Ok(None);
    };
    let t = Table::open(node, &keys::CAMERA, view.scope())?;
    t.require("from", "where the camera is: [x, y, z]")?;
    t.require("to", "what the camera looks at: [x, y, z]")?;
    let from = t.vector("from")?.unwrap_or(Vec3::ZERO);
    let to = t.vector("to")?.unwrap_or(Vec3::ZERO);
    if from.distance(to) < 1e-9 {
        return Err(t.fault("to", "the camera looks at its own place; expected another"));
    }
    let fits = |d: f64| (1.0..=150.0).contains(&d);
    let degrees = t.checked("degrees", fits, "degrees from 1 to 150")?;
    Ok(Some(Camera {
        from,
        to,
        degrees: degrees.unwrap_or(DEGREES),
    }))
}
