//! Built-in scenes with some of their parameters set, and scenes of a benchmark's own; each benchmark
//! uses one of the two.
#![allow(dead_code)]

use sim::World;
use sim::scene::{Override, builtin, load};

/// The world of the built-in scene `name`, with `settings` written as on the command line
/// (`KEY=VALUE`).
pub fn scene(name: &str, settings: &[String]) -> World {
    let scene = builtin(name).unwrap_or_else(|| panic!("there is no scene `{name}`"));
    let overrides: Result<Vec<Override>, _> = settings.iter().map(|s| Override::parse(s)).collect();
    let overrides = overrides.unwrap_or_else(|error| panic!("`{name}`: {error}"));
    match load(name, scene.text, &overrides) {
        Ok(scene) => scene.world,
        Err(error) => panic!("`{name}`: {}", error.message),
    }
}

/// The world of a scene's text.
pub fn scene_of(name: &str, text: &str) -> World {
    match load(name, text, &[]) {
        Ok(scene) => scene.world,
        Err(error) => panic!("`{name}`: {}", error.message),
    }
}
