//! `SCENE` on the command line: a built-in name or a TOML file, with its overrides.

use crate::failure::Failure;
use sim::scene::{self, Override, Scene};

/// Which scene, and what to change in it.
#[derive(clap::Args, Clone)]
pub struct SceneArguments {
    /// A built-in scene (see `warpline scenes`), a TOML file, or a robot: a URDF or MJCF file
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
    /// The arguments as they are written on a command line.
    pub fn written(&self) -> String {
        let mut words = vec![quoted(&self.scene)];
        for change in &self.set {
            let label = change.label();
            let assignment = label.strip_prefix("--set ").unwrap_or(label);
            words.push(format!("--set {}", quoted(assignment)));
        }
        let options = [("--until", &self.until), ("--solver", &self.solver)];
        for (option, value) in options {
            if let Some(value) = value {
                words.push(format!("{option} {}", quoted(value)));
            }
        }
        words.join(" ")
    }

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
        let scene = scene::load(&self.scene, &text, &overrides)?;
        for warning in &scene.warnings {
            eprintln!("warning: {warning}");
        }
        Ok(scene)
    }
}

/// A word as shells read it back.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:+,@%".contains(c);
    match word.chars().all(is_plain) && !word.is_empty() {
        true => word.into(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

fn read(name: &str) -> Result<String, Failure> {
    warpline::scene_text::read(name).map_err(|error| match error {
        warpline::Error::Source { message, help } => Failure::input(message, help),
        other => Failure::input(other.to_string(), None),
    })
}
