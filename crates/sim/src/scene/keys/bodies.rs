//! Bodies.

use super::world::DROP;
use super::*;

/// What bodies of every table are made of.
pub const TEMPLATE: [&[Key]; 5] = [&NAMED, &MADE_OF, &SURFACE, &LAYERS, &COLOR];

const NAMED: [Key; 1] = [left_out(
    "name",
    Kind::Label,
    "`body N`; `body` where the table makes many",
    "\"link $(1 + 1)\"",
    "must differ from all others; `$i` and `$($i + 1)` stand for values. Bodies of a table that makes many are called by it and a number",
)];

/// Shape, weight, forces.
const MADE_OF: [Key; 8] = [
    usual(
        "kind",
        Kind::Word(&["dynamic", "fixed", "kinematic"]),
        "\"dynamic\"",
        "moved by forces and collisions, by nothing, or by its `script`, `velocity` and `spin` alone",
    ),
    left_out(
        "shape",
        Kind::Table(&SHAPE),
        "needed, unless there are `shapes`",
        "{ ball = 0.1 }",
        "its shape",
    ),
    left_out(
        "shapes",
        Kind::List(&Kind::Table(&SHAPE)),
        "`shape` alone",
        "[{ ball = 0.1 }, { ball = 0.1, position = [0.15, 0, 0] }]",
        "several shapes that move as one",
    )
    .beside(&["-shape"]),
    left_out("mass", POSITIVE, "by `density`", "2.5", "of a dynamic body").unit("kg"),
    usual(
        "density",
        POSITIVE,
        "1000",
        "of a dynamic body without `mass`",
    )
    .unit("kg/m³"),
    left_out(
        "material",
        Kind::Text,
        "none",
        "\"steel\"",
        "the name of a material; what a body says of its surface is on top of it",
    )
    .beside(&["^materials.steel.friction = 0.3"]),
    usual(
        "damping",
        Kind::Either(&[AT_LEAST_ZERO, Kind::Table(&DAMPING)]),
        "0",
        "rate at which velocity and angular momentum fade",
    )
    .unit("1/s")
    .like("0.1"),
    usual(
        "forces",
        Kind::List(&Kind::Text),
        "[]",
        "names of forces that act on it",
    )
    .like("[\"air\"]")
    .beside(&["^forces.air.kind = \"drag\"", "^forces.air.linear = 0.1"]),
];

/// Who meets whom.
pub const LAYERS: [Key; 3] = [
    left_out(
        "layer",
        Kind::Either(&[Kind::Label, Kind::List(&Kind::Label)]),
        "`\"default\"`",
        "\"ghosts\"",
        "the layer, or layers, that it is in (32 at most in a scene)",
    ),
    left_out(
        "collides",
        Kind::Either(&[Kind::Label, Kind::List(&Kind::Label)]),
        "all layers",
        "[\"default\"]",
        "the layers that it meets. Two bodies collide if each meets the other",
    ),
    left_out(
        "ignores",
        Kind::Either(&[Kind::Label, Kind::List(&Kind::Label)]),
        "no layer",
        "[\"default\"]",
        "the layers that it does not meet",
    ),
];

/// How it looks.
pub const COLOR: [Key; 1] = [left_out(
    "color",
    Kind::Either(&[
        Kind::Text,
        Kind::Exactly(3, &Kind::Number(Range::Between(0.0, 1.0))),
    ]),
    "by kind",
    "\"#b5493a\"",
    "`\"#rrggbb\"`, or red, green and blue from 0 to 1",
)];

/// Where a body begins.
pub const PLACE: [Key; 4] = [
    usual(
        "position",
        Kind::Vector,
        "[0, 0, 0]",
        "where its own frame is at the start",
    )
    .unit("m"),
    left_out(
        "rotation",
        Kind::Either(&[Kind::Table(&ROTATION), Kind::Exactly(4, &NUMBER)]),
        "none",
        "{ axis = [0, 0, 1], degrees = 90 }",
        "its attitude at the start; also a quaternion `[x, y, z, w]`",
    ),
    usual(
        "velocity",
        Kind::Vector,
        "[0, 0, 0]",
        "of its frame's origin. A kinematic body keeps it for ever",
    )
    .unit("m/s"),
    usual(
        "spin",
        Kind::Vector,
        "[0, 0, 0]",
        "about the world's axes. A kinematic body keeps it for ever",
    )
    .unit("rad/s"),
];

/// One table for many.
pub const FOR: [Key; 1] = [left_out(
    "for",
    Kind::Either(&[Kind::Text, Kind::List(&Kind::Text)]),
    "once",
    "\"k = 1 to 1\"",
    "reads the table many times, with an index as one more parameter: `\"i = 1 to 10\"`, both ends included. A list nests, and inner ranges may refer to outer indices: `[\"row = 0 to 4\", \"pin = 0 to $row\"]`",
)];

/// A body.
pub const BODY: Section = Section {
    id: "body",
    what: "a body",
    written: "`[[body]]`",
    about: "Bodies that overlap at the start by more than 1e-9 m are refused, with their names, unless they never meet (joined, or in layers that do not).",
    parts: &[
        &NAMED,
        &MADE_OF,
        &SURFACE,
        &LAYERS,
        &COLOR,
        &PLACE,
        &[
            usual("sensor", Kind::Flag, "false", "whether it reports which bodies overlap it, and pushes none of them and no cloth").like("true"),
            usual("absent", Kind::Flag, "false", "whether a dynamic body is not there at the start; an input brings it in").like("true"),
            left_out("script", Kind::List(&Kind::Table(&SCRIPT_KEY)), "none", "[{ at = 0 }, { at = 1, position = [0, 3, 0] }]", "key poses of a kinematic body. Between keys velocity and spin are constant; before the first key and after the last it rests, or goes on at `velocity` and `spin`").beside(&["kind = \"kinematic\""]),
            usual("repeat", Kind::Flag, "false", "whether the script begins anew after its last key, whose pose must be that of the first").like("true").beside(&["kind = \"kinematic\"", "script = [{ at = 0 }, { at = 1, position = [0, 3, 0] }, { at = 2, position = [0, 2, 0] }]"]),
        ],
        &FOR,
    ],
    example: Example {
        scene: DROP,
        at: "body.0",
    },
};

/// A rotation.
pub const ROTATION: Section = Section {
    id: "rotation",
    what: "a rotation",
    written: "`rotation = { … }`",
    about: "A turn about an axis, by `degrees` or by `radians`.",
    parts: &[&[
        needed(
            "axis",
            Kind::Vector,
            "[0, 0, 1]",
            "the direction to turn about, by the right hand's rule",
        ),
        left_out("degrees", NUMBER, "by `radians`", "90", "by how much").unit("°"),
        left_out("radians", NUMBER, "by `degrees`", "1.5", "by how much")
            .unit("rad")
            .beside(&["-degrees"]),
    ]],
    example: Example {
        scene: r#"
name = "turned"
until = 0.1

[[body]]
name = "plank"
shape = { box = [1, 0.1, 0.3] }
rotation = { axis = [0, 0, 1], degrees = 30 }
"#,
        at: "body.0.rotation",
    },
};

/// Damping of two kinds.
pub const DAMPING: Section = Section {
    id: "damping",
    what: "damping",
    written: "`damping = { … }`",
    about: "Rates for velocity and for angular momentum.",
    parts: &[&[
        usual("linear", AT_LEAST_ZERO, "0", "rate at which velocity fades")
            .unit("1/s")
            .like("0.1"),
        usual(
            "angular",
            AT_LEAST_ZERO,
            "0",
            "rate at which angular momentum fades",
        )
        .unit("1/s")
        .like("0.1"),
    ]],
    example: Example {
        scene: r#"
name = "braked"
until = 0.1

[[body]]
name = "top"
shape = { cylinder = { height = 0.1, radius = 0.1 } }
velocity = [1, 0, 0]
spin = [0, 5, 0]
damping = {}
"#,
        at: "body.0.damping",
    },
};

/// A key pose.
pub const SCRIPT_KEY: Section = Section {
    id: "script_key",
    what: "a script's key",
    written: "an item of `script`",
    about: "What a key leaves out stays as it was. A turn between two keys goes the short way round: a full turn needs three keys or more.",
    parts: &[&[
        needed("at", AT_LEAST_ZERO, "1.5", "when; keys rise in time").unit("s"),
        left_out(
            "position",
            Kind::Vector,
            "as before",
            "[0, 1, 0]",
            "where the body's frame is then",
        )
        .unit("m"),
        left_out(
            "rotation",
            Kind::Either(&[Kind::Table(&ROTATION), Kind::Exactly(4, &NUMBER)]),
            "as before",
            "{ axis = [0, 1, 0], degrees = 90 }",
            "its attitude then",
        ),
    ]],
    example: Example {
        scene: r#"
name = "lift"
until = 2.0

[[body]]
name = "lift"
kind = "kinematic"
shape = { box = [1, 0.1, 1] }
script = [{ at = 0 }, { at = 1, position = [0, 1, 0] }]
"#,
        at: "body.0.script.1",
    },
};
