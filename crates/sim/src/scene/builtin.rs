//! The scenes that come with the program: files of `scenes/`, embedded, so that they run by name with
//! no files around.

/// A built-in scene.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// The name it runs by.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
    /// Names and contents of the files that the text names.
    pub files: &'static [(&'static str, &'static [u8])],
}

macro_rules! embedded {
    ($($name:literal $(with $($file:literal),+)?;)*) => {
        &[$(Builtin {
            name: $name,
            text: include_str!(concat!("../../scenes/", $name, ".toml")),
            files: &[$($(($file, include_bytes!(concat!("../../scenes/", $file)))),+)?],
        }),*]
    };
}

/// All built-in scenes.
pub const BUILTIN: &[Builtin] = embedded![
    "atoms";
    "gas";
    "tumblers";
    "bouncing";
    "parallel";
    "cylinders";
    "bouncing-koenig";
    "billiard";
    "orbits";
    "pile";
    "heap";
    "packing";
    "packing-spheres";
    "gears";
    "stack";
    "dominoes";
    "chain";
    "bridge";
    "cloth-swing";
    "cloth-sphere";
    "cloth-catch";
    "cloth-hammock";
    "flag";
    "skirt" with "skirt.obj";
    "net";
    "tablecloth";
    "reef-knot";
    "bowline-knot";
    "trash-compactor";
    "two-cloths";
    "twister";
    "newtons-cradle";
    "cradle";
    "galton";
    "marble-run" with "marble-run.obj";
    "pool-break";
    "hourglass";
    "double-pendulum";
    "gyroscope";
    "dzhanibekov";
    "acrobot";
    "quadruped";
    "cars";
    "robots";
    "avalanche";
];

/// The built-in scene of this name.
pub fn builtin(name: &str) -> Option<&'static Builtin> {
    BUILTIN.iter().find(|scene| scene.name == name)
}

/// The built-in name closest to a misspelt one.
pub fn similar(name: &str) -> Option<&'static str> {
    super::error::closest_word(name, BUILTIN.iter().map(|scene| scene.name))
}
