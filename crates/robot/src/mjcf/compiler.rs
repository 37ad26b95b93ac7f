//! Settings of the compiler: how numbers are meant, and what is done to masses.

use crate::error::{RobotError, Sources};
use crate::values::{exactly, number};
use crate::xml::Node;

/// When inertia comes from shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FromGeom {
    Never,
    Always,
    WhenMissing,
}

pub(super) struct Compiler {
    pub degrees: bool,
    pub euler: String,
    pub automatic_limits: bool,
    pub from_geom: FromGeom,
    pub groups: (f64, f64),
    pub bound_mass: f64,
    pub bound_inertia: f64,
    pub balance: bool,
    pub total_mass: f64,
    pub discard_visual: bool,
    pub exact_meshes: bool,
    mesh_folder: String,
    strip: bool,
}

impl Compiler {
    pub fn read(root: &Node, sources: &Sources) -> Result<Compiler, RobotError> {
        let mut c = Compiler {
            degrees: true,
            euler: "xyz".into(),
            automatic_limits: true,
            from_geom: FromGeom::WhenMissing,
            groups: (0.0, 5.0),
            bound_mass: 0.0,
            bound_inertia: 0.0,
            balance: false,
            total_mass: -1.0,
            discard_visual: false,
            exact_meshes: false,
            mesh_folder: String::new(),
            strip: false,
        };
        // the mesh folder of any section stands above the folder of all assets
        for node in root.all("compiler") {
            if let Some(folder) = node.get("assetdir") {
                c.mesh_folder = folder.to_string();
            }
        }
        for node in root.all("compiler") {
            for a in &node.attributes {
                let flag = || match a.value.as_str() {
                    "true" => Ok(true),
                    "false" => Ok(false),
                    other => {
                        let message =
                            format!("`{}` is `{other}`; true or false is expected", a.name);
                        Err(sources.error(&a.place, message))
                    }
                };
                let word = |known: &[&str]| {
                    if known.contains(&a.value.as_str()) {
                        return Ok(a.value.as_str());
                    }
                    let message = format!("`{}` is `{}`", a.name, a.value);
                    let help = format!("expected: {}", known.join(", "));
                    Err(sources.error(&a.place, message).help(help))
                };
                match a.name.as_str() {
                    "angle" => c.degrees = word(&["degree", "radian"])? == "degree",
                    "coordinate" => {
                        let global = word(&["local", "global"])? == "global";
                        if global {
                            let message = "global coordinates are not read";
                            let help =
                                "save the model with a MuJoCo before 2.3.4 to make them local";
                            return Err(sources.error(&a.place, message).help(help));
                        }
                    }
                    "eulerseq" => {
                        let good =
                            a.value.len() == 3 && a.value.chars().all(|c| "xyzXYZ".contains(c));
                        if !good {
                            let message = "`eulerseq` has three letters out of x, y, z, X, Y, Z";
                            return Err(sources.error(&a.place, message));
                        }
                        c.euler = a.value.clone();
                    }
                    "autolimits" => c.automatic_limits = flag()?,
                    "balanceinertia" => c.balance = flag()?,
                    "discardvisual" => c.discard_visual = flag()?,
                    "exactmeshinertia" => c.exact_meshes = flag()?,
                    "strippath" => c.strip = flag()?,
                    "boundmass" => c.bound_mass = number(a, sources)?,
                    "boundinertia" => c.bound_inertia = number(a, sources)?,
                    "settotalmass" => c.total_mass = number(a, sources)?,
                    "inertiagrouprange" => {
                        let [low, high] = exactly::<2>(a, sources)?;
                        c.groups = (low, high);
                    }
                    "inertiafromgeom" => {
                        c.from_geom = match word(&["true", "false", "auto"])? {
                            "true" => FromGeom::Always,
                            "false" => FromGeom::Never,
                            _ => FromGeom::WhenMissing,
                        }
                    }
                    "meshdir" => c.mesh_folder = a.value.clone(),
                    _ => {}
                }
            }
        }
        Ok(c)
    }

    /// An angle of the file in radians.
    pub fn angle(&self, x: f64) -> f64 {
        if self.degrees {
            x * std::f64::consts::PI / 180.0
        } else {
            x
        }
    }

    /// The path of an asset, from the robot's folder.
    pub fn asset(&self, file: &str, mesh: bool) -> String {
        let normal = file.replace('\\', "/");
        let name = match normal.rsplit_once('/') {
            Some((_, last)) if self.strip => last,
            _ => normal.as_str(),
        };
        if !mesh || self.mesh_folder.is_empty() || name.starts_with('/') {
            return name.to_string();
        }
        format!("{}/{name}", self.mesh_folder.trim_end_matches('/'))
    }
}
