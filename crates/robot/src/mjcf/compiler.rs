//! Settings of the compiler: how numbers are meant, and what is done to masses.

use crate::error::{RobotError, Sources};
use crate::values::{exactly, number};
use crate::xml::{Attribute, Node};

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
        for a in root.all("compiler").flat_map(|node| &node.attributes) {
            c.set(a, sources)?;
        }
        Ok(c)
    }

    /// Takes one setting.
    fn set(&mut self, a: &Attribute, sources: &Sources) -> Result<(), RobotError> {
        let flag = || Ok(word(a, &["true", "false"], sources)? == "true");
        match a.name.as_str() {
            "angle" => self.degrees = word(a, &["degree", "radian"], sources)? == "degree",
            "coordinate" if word(a, &["local", "global"], sources)? == "global" => {
                let message = "global coordinates are not read";
                let help = "save the model with a MuJoCo before 2.3.4 to make them local";
                return Err(sources.error(&a.place, message).help(help));
            }
            "coordinate" => {}
            "eulerseq" => {
                if a.value.len() != 3 || !a.value.chars().all(|c| "xyzXYZ".contains(c)) {
                    let message = "`eulerseq` has three letters out of x, y, z, X, Y, Z";
                    return Err(sources.error(&a.place, message));
                }
                self.euler = a.value.clone();
            }
            "autolimits" => self.automatic_limits = flag()?,
            "balanceinertia" => self.balance = flag()?,
            "discardvisual" => self.discard_visual = flag()?,
            "exactmeshinertia" => self.exact_meshes = flag()?,
            "strippath" => self.strip = flag()?,
            "boundmass" => self.bound_mass = number(a, sources)?,
            "boundinertia" => self.bound_inertia = number(a, sources)?,
            "settotalmass" => self.total_mass = number(a, sources)?,
            "inertiagrouprange" => {
                let [low, high] = exactly::<2>(a, sources)?;
                self.groups = (low, high);
            }
            "inertiafromgeom" => {
                self.from_geom = match word(a, &["true", "false", "auto"], sources)? {
                    "true" => FromGeom::Always,
                    "false" => FromGeom::Never,
                    _ => FromGeom::WhenMissing,
                }
            }
            "meshdir" => self.mesh_folder = a.value.clone(),
            _ => {}
        }
        Ok(())
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

/// The value of an attribute that is one of some words.
fn word<'a>(a: &'a Attribute, known: &[&str], sources: &Sources) -> Result<&'a str, RobotError> {
    if known.contains(&a.value.as_str()) {
        return Ok(a.value.as_str());
    }
    let message = format!("`{}` is `{}`", a.name, a.value);
    let help = format!("expected: {}", known.join(", "));
    Err(sources.error(&a.place, message).help(help))
}
