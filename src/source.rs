//! `SCENE` on the command line: a built-in name or a TOML file, with its overrides.

use crate::failure::Failure;
use sim::scene::{self, Override, Scene};

/// Which scene, and what to change in it.
#[derive(clap::Args, Clone)]
pub struct SceneArguments {
    /// A built-in scene (see `warpline scenes`) or a TOML file
    pub scene: String,
    /// Set a parameter or any value of the scene, as in `bodies=1000` or `body.ground.friction=0.2`
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = Override::parse)]
    pub set: Vec<Override>,
    /// End of the run in simulated seconds, instead of the scene's
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true)]
    pub until: Option<String>,
    /// The solver of contact groups: soft-step, penalty, impulse, optimization, auto, or none to let every collision bounce
    #[arg(long, value_name = "SOLVER")]
    pub solver: Option<String>,
}

impl SceneArguments {
    /// Reads the scene.
    pub fn load(&self) -> Result<Scene, Failure> {
        self.load_with(&[])
    }

    /// Reads the scene with further overrides.
    pub fn load_with(&self, more: &[Override]) -> Result<Scene, Failure> {
        let mut overrides = self.set.clone();
        if let Some(until) = &self.until {
            overrides.push(Override::option("--until", "until", until));
        }
        if let Some(solver) = &self.solver {
            overrides.push(Override::option("--solver", "contact.solver", solver));
        }
        overrides.extend_from_slice(more);
        if let Some(builtin) = scene::builtin(&self.scene) {
            return Ok(scene::load(builtin.name, builtin.text, &overrides)?);
        }
        let text = read(&self.scene)?;
        Ok(scene::load(&self.scene, &text, &overrides)?)
    }
}

fn read(name: &str) -> Result<String, Failure> {
    warpline::scene_text::read(name).map_err(|error| match error {
        warpline::Error::Source { message, help } => Failure::input(message, help),
        other => Failure::input(other.to_string(), None),
    })
}
