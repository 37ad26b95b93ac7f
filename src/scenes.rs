//! `warpline scenes`: the built-in scenes, and what can be set in one of them.

use crate::failure::Failure;
use crate::output::print;
use crate::source::SceneArguments;
use crate::table::Table;
use sim::scene;

/// Arguments of `scenes`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Show the parameters of this scene (a built-in name or a TOML file)
    scene: Option<String>,
    /// Print the scene's text instead
    #[arg(long, requires = "scene")]
    text: bool,
}

/// Runs the command.
pub fn scenes(arguments: &Arguments) -> Result<(), Failure> {
    let Some(name) = &arguments.scene else {
        return list();
    };
    let source = SceneArguments {
        scene: name.clone(),
        set: Vec::new(),
        until: None,
        solver: None,
    };
    let scene = source.load()?;
    if arguments.text {
        return print(&scene.world.source);
    }
    let mut table = Table::new(["parameter", "value", "may be", "meaning"]).prose();
    for parameter in &scene.parameters {
        table.row([
            parameter.name.clone(),
            parameter.value.to_string(),
            parameter.range(),
            parameter.about.clone(),
        ]);
    }
    print(&format!(
        "{name}: {}\n{} bodies, {} of them moving, {} s\n\n{}",
        scene.description,
        scene.world.bodies.len(),
        scene.world.moving(),
        scene.world.until.seconds(),
        table.render()
    ))
}

fn list() -> Result<(), Failure> {
    let mut text = String::new();
    let width = scene::BUILTIN
        .iter()
        .map(|s| s.name.len())
        .max()
        .unwrap_or(0);
    for builtin in scene::BUILTIN {
        let scene = scene::load(builtin.name, builtin.text, &[])?;
        text += &format!("{:<width$}  {}\n", builtin.name, scene.description);
    }
    print(&text)
}
