//! Forces.

use super::*;

/// A force of any kind.
pub const ANY_FORCE: Kind = Kind::Either(&[
    Kind::Table(&CONSTANT),
    Kind::Table(&DRAG),
    Kind::Table(&ATTRACTOR),
    Kind::Table(&WIND),
    Kind::Table(&SPRING),
]);

macro_rules! scene {
    ($force:literal) => {
        Example {
            scene: concat!(
                r#"
name = "pushed"
until = 0.2
gravity = [0, 0, 0]

[forces.push]
"#,
                $force,
                r#"

[[body]]
name = "ball"
shape = { ball = 0.1 }
position = [1, 0, 0]
velocity = [0, 1, 0]
forces = ["push"]
"#
            ),
            at: "forces.push",
        }
    };
}

const fn kind(word: &'static [&'static str], example: &'static str) -> Key {
    needed("kind", Kind::Word(word), example, "which force it is")
}

/// A constant force.
pub const CONSTANT: Section = Section {
    id: "constant",
    what: "a constant force",
    written: "`[forces.NAME]` with `kind = \"constant\"`",
    about: "The same always, or from one time to another. It has a `force`, a `torque` or both. Only a force in the world's frame through the centre of mass may begin and end.",
    parts: &[&[
        kind(&["constant"], "\"constant\""),
        usual("force", Kind::Vector, "[0, 0, 0]", "the force")
            .unit("N")
            .like("[0, 5, 0]")
            .beside(&["torque = [0, 1, 0]"]),
        usual(
            "torque",
            Kind::Vector,
            "[0, 0, 0]",
            "the torque about the centre of mass",
        )
        .unit("N m")
        .like("[0, 1, 0]"),
        usual(
            "frame",
            Kind::Word(&["world", "body"]),
            "\"world\"",
            "whether both stay as they are or turn with the body",
        ),
        left_out(
            "point",
            Kind::Vector,
            "the centre of mass",
            "[0.1, 0, 0]",
            "where the force acts, in the body's frame",
        )
        .unit("m"),
        left_out("from", AT_LEAST_ZERO, "the start", "0.05", "when it begins").unit("s"),
        left_out("until", AT_LEAST_ZERO, "for ever", "0.5", "when it ends").unit("s"),
    ]],
    example: scene!("kind = \"constant\"\nforce = [1, 0, 0]"),
};

/// Drag.
pub const DRAG: Section = Section {
    id: "drag",
    what: "a drag",
    written: "`[forces.NAME]` with `kind = \"drag\"`",
    about: "The force -(linear + quadratic |v|) v.",
    parts: &[&[
        kind(&["drag"], "\"drag\""),
        usual("linear", AT_LEAST_ZERO, "0", "of slow bodies")
            .unit("N s/m")
            .like("0.2"),
        usual("quadratic", AT_LEAST_ZERO, "0", "of fast bodies")
            .unit("N s²/m²")
            .like("0.1"),
    ]],
    example: scene!("kind = \"drag\""),
};

/// Attraction.
pub const ATTRACTOR: Section = Section {
    id: "attractor",
    what: "an attractor",
    written: "`[forces.NAME]` with `kind = \"attractor\"`",
    about: "Newton's attraction to a point: m strength d / (|d|² + softening²)^(3/2).",
    parts: &[&[
        kind(&["attractor"], "\"attractor\""),
        usual("centre", Kind::Vector, "[0, 0, 0]", "the point").unit("m"),
        needed(
            "strength",
            NUMBER,
            "4.0",
            "the gravitational constant times the mass there",
        )
        .unit("m³/s²"),
        usual(
            "softening",
            POSITIVE,
            "0.001",
            "keeps the force finite at the point",
        )
        .unit("m"),
    ]],
    example: scene!("kind = \"attractor\"\nstrength = 4"),
};

/// Wind.
pub const WIND: Section = Section {
    id: "wind",
    what: "a wind",
    written: "`[forces.NAME]` with `kind = \"wind\"`",
    about: "Drag towards a medium that moves, and whose speed swells.",
    parts: &[&[
        kind(&["wind"], "\"wind\""),
        needed("velocity", Kind::Vector, "[3, 0, 0]", "of the medium").unit("m/s"),
        needed(
            "drag",
            AT_LEAST_ZERO,
            "0.5",
            "force for each m/s between body and medium",
        )
        .unit("N s/m"),
        usual(
            "gust",
            NUMBER,
            "0",
            "part by which the speed swells and ebbs",
        )
        .like("0.3"),
        usual("period", POSITIVE, "1.0", "of the gusts").unit("s"),
    ]],
    example: scene!("kind = \"wind\"\nvelocity = [3, 0, 0]\ndrag = 0.5"),
};

/// A spring to a point.
pub const SPRING: Section = Section {
    id: "spring",
    what: "a spring",
    written: "`[forces.NAME]` with `kind = \"spring\"`",
    about: "The force -stiffness (x - anchor).",
    parts: &[&[
        kind(&["spring"], "\"spring\""),
        usual("anchor", Kind::Vector, "[0, 0, 0]", "where it is at ease").unit("m"),
        needed("stiffness", AT_LEAST_ZERO, "4.0", "force for each metre").unit("N/m"),
    ]],
    example: scene!("kind = \"spring\"\nstiffness = 4"),
};
