//! ARCHITECTURE.md is a map: every path it names exists, and every crate is on it.

use std::path::Path;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What stands between backticks and looks like a path of the repository.
fn paths(text: &str) -> Vec<&str> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted
        .filter(|word| !word.contains(char::is_whitespace) && !word.contains("::"))
        .filter(|word| word.contains('/') || word.ends_with(".rs") || word.ends_with(".toml"))
        .filter(|word| !word.contains('<') && !word.starts_with("http"))
        .collect()
}

#[test]
fn every_path_on_the_map_exists() {
    let map = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let paths = paths(&map);
    assert!(paths.len() > 20, "the map names only {} paths", paths.len());
    let missing: Vec<_> = paths.iter().filter(|p| !root().join(p).exists()).collect();
    assert!(missing.is_empty(), "not there: {missing:?}");
}

#[test]
fn every_crate_and_module_folder_is_on_the_map() {
    let map = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(
            map.contains(&format!("`crates/{name}")),
            "crates/{name} is not on the map"
        );
    }
}

#[test]
fn the_scene_in_the_readme_is_valid() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let scene = readme.split("```toml\n").nth(1).unwrap();
    let scene = scene.split("```").next().unwrap();
    let scene = warpline::sim::scene::load("README.md", scene, &[]);
    let world = scene.unwrap_or_else(|e| panic!("{e}")).world;
    assert_eq!(world.moving(), 10);
}
