//! Readers of robot descriptions. URDF and MJCF become one [`Robot`]; [`Robot::assemble`] makes a
//! multibody of it. Nothing of a file is lost silently: [`Coverage`] lists every element and
//! attribute as used, approximated or ignored, with its line.

mod assemble;
mod coverage;
mod description;
mod error;
mod files;
mod geometry;
pub mod mesh;
mod mjcf;
mod msh;
mod physical;
mod urdf;
mod urdf_words;
mod values;
mod walk;
mod xml;

pub use assemble::{Assembly, BodyFrame};
pub use coverage::{Coverage, Entry, Verdict};
pub use description::*;
pub use error::{Place, RobotError, Sources, Warning};

use std::path::{Path, PathBuf};

/// How a robot is read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// No file outside this folder is opened. Without it: the package that the robot's file belongs
    /// to, or the folder above its own.
    pub root: Option<PathBuf>,
    /// Whether the root link of a URDF moves freely instead of being fixed to the world.
    pub floating: bool,
}

/// Reads a robot from a URDF or MJCF file; which of them it is, its root element says.
pub fn load(path: &Path, options: &Options) -> Result<Robot, RobotError> {
    let folder = files::Folder::new(path, options.root.as_deref());
    let mut sources = Sources::default();
    let root = xml::read(path, &folder, &mut sources)?;
    match root.tag.as_str() {
        "robot" => urdf::read(&root, &folder, sources, options),
        "mujoco" => mjcf::read(&root, &folder, sources),
        other => {
            let message = format!("`{other}` is not the root of a robot's description");
            let error = sources.error(&root.place, message);
            Err(error.help("URDF begins with `robot`, MJCF with `mujoco`"))
        }
    }
}

impl Robot {
    pub(crate) fn empty(format: Format, sources: Sources) -> Robot {
        Robot {
            name: String::new(),
            format,
            gravity: multibody::Vec3::ZERO,
            fluid: (0.0, 0.0, multibody::Vec3::ZERO),
            bodies: Vec::new(),
            world_geoms: Vec::new(),
            world_sites: Vec::new(),
            tendons: Vec::new(),
            equalities: Vec::new(),
            actuators: Vec::new(),
            excludes: Vec::new(),
            touches: true,
            keyframes: Vec::new(),
            meshes: Vec::new(),
            warnings: Vec::new(),
            coverage: Coverage::default(),
            sources,
        }
    }

    pub(crate) fn warn(&mut self, place: &Place, message: impl Into<String>) {
        let (file, line) = self.sources.line(place);
        self.warnings.push(Warning {
            file,
            line,
            message: message.into(),
        });
    }

    /// An error about something that the robot's files describe at a place.
    pub fn error_at(&self, place: &Place, message: impl Into<String>) -> RobotError {
        self.sources.error(place, message)
    }

    /// The number of a body.
    pub fn body(&self, name: &str) -> Option<usize> {
        self.bodies.iter().position(|b| b.name == name)
    }
}
