//! The scenes that come with the program: files of `scenes/`, embedded, so that they run by name with
//! no files around.

/// A built-in scene.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// The name it runs by.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! embedded {
    ($($name:literal),* $(,)?) => {
        &[$(Builtin {
            name: $name,
            text: include_str!(concat!("../../../../scenes/", $name, ".toml")),
        }),*]
    };
}

/// All built-in scenes.
pub const BUILTIN: &[Builtin] = embedded![
    "atoms",
    "gas",
    "tumblers",
    "bouncing",
    "billiard",
    "orbits",
    "pile",
    "packing",
    "packing-spheres",
    "gears",
    "stack",
    "dominoes",
    "chain",
    "bridge",
    "cloth-swing",
    "cloth-sphere",
    "cloth-catch",
    "cloth-hammock",
    "reef-knot",
    "bowline-knot",
    "trash-compactor",
    "two-cloths",
    "twister",
    "newtons-cradle",
    "pool-break",
    "hourglass",
    "avalanche",
];

/// The built-in scene of this name.
pub fn builtin(name: &str) -> Option<&'static Builtin> {
    BUILTIN.iter().find(|scene| scene.name == name)
}

/// The built-in name closest to a misspelt one.
pub fn similar(name: &str) -> Option<&'static str> {
    super::error::closest_word(name, BUILTIN.iter().map(|scene| scene.name))
}
