//! Tables that make many bodies.

use super::bodies::{COLOR, FOR, LAYERS, PLACE};
use super::*;

const LATTICE_KEYS: [Key; 2] = [
    needed(
        "count",
        Kind::Exactly(3, &Kind::Whole(0, 2_000_000)),
        "[3, 2, 1]",
        "how many along x, y and z",
    ),
    left_out(
        "spacing",
        Kind::Vector,
        "1.1 times the body's size",
        "[0.3, 0.3, 0.3]",
        "between the origins of neighbours",
    )
    .unit("m"),
];

/// Rows, columns and layers.
pub const LATTICE: Section = Section {
    id: "lattice",
    what: "a lattice",
    written: "`[[lattice]]`",
    about: "Bodies called `NAME x y z`, from `position` on. It takes the keys of a body but `script`, and no kinematic bodies.",
    parts: &[
        &LATTICE_KEYS,
        TEMPLATE[0],
        TEMPLATE[1],
        TEMPLATE[2],
        &LAYERS,
        &COLOR,
        &PLACE,
        &FOR,
    ],
    example: Example {
        scene: r#"
name = "lattice"
until = 0.1

[[lattice]]
name = "ball"
count = [2, 2, 1]
shape = { ball = 0.1 }
"#,
        at: "lattice.0",
    },
};

/// One above the other.
pub const STACK: Section = Section {
    id: "stack",
    what: "a stack",
    written: "`[[stack]]`",
    about: "Bodies called `NAME 1`, `NAME 2` and so on; `position` is the ground under the lowest. It takes the keys of a body but `script`, and no kinematic bodies.",
    parts: &[
        &[
            needed("count", Kind::Whole(0, 2_000_000), "5", "how many"),
            usual(
                "gap",
                AT_LEAST_ZERO,
                "0",
                "between bodies, and under the lowest",
            )
            .unit("m")
            .like("0.001"),
        ],
        TEMPLATE[0],
        TEMPLATE[1],
        TEMPLATE[2],
        &LAYERS,
        &COLOR,
        &PLACE,
        &FOR,
    ],
    example: Example {
        scene: r#"
name = "stack"
until = 0.1

[[stack]]
name = "brick"
count = 3
shape = { box = [0.4, 0.2, 0.3] }
"#,
        at: "stack.0",
    },
};

/// Around an axis.
pub const RING: Section = Section {
    id: "ring",
    what: "a ring",
    written: "`[[ring]]`",
    about: "Bodies called `NAME 1`, `NAME 2` and so on, on a circle about `position`. It takes the keys of a body but `script`, and no kinematic bodies.",
    parts: &[
        &[
            needed("count", Kind::Whole(0, 2_000_000), "8", "how many"),
            needed("radius", POSITIVE, "2.0", "of the circle").unit("m"),
            usual(
                "axis",
                Kind::Vector,
                "[0, 1, 0]",
                "what the circle is about",
            ),
            usual("speed", NUMBER, "0", "along the circle")
                .unit("m/s")
                .like("1.5"),
            usual("phase", NUMBER, "0", "where the first one is, in turns").like("0.25"),
        ],
        TEMPLATE[0],
        TEMPLATE[1],
        TEMPLATE[2],
        &LAYERS,
        &COLOR,
        &PLACE,
        &FOR,
    ],
    example: Example {
        scene: r#"
name = "ring"
until = 0.1

[[ring]]
name = "bead"
count = 4
radius = 1
shape = { ball = 0.1 }
"#,
        at: "ring.0",
    },
};

/// At random places.
pub const SCATTER: Section = Section {
    id: "scatter",
    what: "a scatter",
    written: "`[[scatter]]`",
    about: "Dynamic bodies called `NAME 1`, `NAME 2` and so on at random places, none overlapping; the same places for the same seed.",
    parts: &[
        &[
            needed("count", Kind::Whole(0, 2_000_000), "50", "how many"),
            left_out(
                "region",
                Kind::Table(&REGION),
                "the scene's `[box]`",
                "{ min = [-1, 0, -1], max = [1, 2, 1] }",
                "where",
            ),
            usual(
                "gap",
                AT_LEAST_ZERO,
                "0",
                "that bodies keep from each other",
            )
            .unit("m")
            .like("0.01"),
            usual("seed", SEED, "0", "another one makes other places"),
            usual(
                "attitude",
                Kind::Word(&["random", "upright"]),
                "\"random\"",
                "how they are turned",
            ),
            left_out(
                "speed",
                Kind::Table(&DISTRIBUTION),
                "at rest",
                "{ rms = 2 }",
                "random velocities",
            )
            .unit("m/s"),
            usual(
                "velocity",
                Kind::Vector,
                "[0, 0, 0]",
                "that all share, besides",
            )
            .unit("m/s"),
            left_out(
                "spin",
                Kind::Table(&DISTRIBUTION),
                "none",
                "{ rms = 3 }",
                "random spins",
            )
            .unit("rad/s"),
            usual(
                "variants",
                Kind::Whole(1, 10_000),
                "1",
                "different random shapes (`random_hull`)",
            )
            .like("3"),
        ],
        TEMPLATE[0],
        &NOT_KIND,
        TEMPLATE[2],
        &LAYERS,
        &COLOR,
        &FOR,
    ],
    example: Example {
        scene: r#"
name = "scatter"
until = 0.1

[box]
min = [-1, 0, -1]
max = [1, 2, 1]

[[scatter]]
name = "ball"
count = 5
shape = { ball = 0.1 }
"#,
        at: "scatter.0",
    },
};

/// What scattered bodies are made of: they are dynamic.
const NOT_KIND: [Key; 7] = [
    TEMPLATE[1][1],
    TEMPLATE[1][2],
    TEMPLATE[1][3],
    TEMPLATE[1][4],
    TEMPLATE[1][5],
    TEMPLATE[1][6],
    TEMPLATE[1][7],
];

/// A region.
pub const REGION: Section = Section {
    id: "region",
    what: "a region",
    written: "`region = { … }` of a scatter",
    about: "A box along the axes.",
    parts: &[&[
        needed("min", Kind::Vector, "[-1, 0, -1]", "the lower corner").unit("m"),
        needed("max", Kind::Vector, "[1, 2, 1]", "the upper corner").unit("m"),
    ]],
    example: Example {
        scene: r#"
name = "scatter"
until = 0.1

[[scatter]]
name = "ball"
count = 5
shape = { ball = 0.1 }
region = { min = [-1, 0, -1], max = [1, 2, 1] }
"#,
        at: "scatter.0.region",
    },
};

/// Random speeds or spins.
pub const DISTRIBUTION: Section = Section {
    id: "distribution",
    what: "a distribution",
    written: "`speed = { … }` and `spin = { … }` of a scatter",
    about: "Exactly one of the keys.",
    parts: &[&[
        left_out(
            "rms",
            AT_LEAST_ZERO,
            "",
            "2",
            "normal components with this root mean square of the whole",
        )
        .unit("m/s, rad/s"),
        left_out(
            "exactly",
            AT_LEAST_ZERO,
            "",
            "2",
            "random directions, all of this size",
        )
        .unit("m/s, rad/s")
        .beside(&["-rms"]),
        left_out(
            "temperature",
            AT_LEAST_ZERO,
            "",
            "0.5",
            "kT of a gas in equilibrium",
        )
        .unit("J")
        .beside(&["-rms"]),
    ]],
    example: Example {
        scene: r#"
name = "scatter"
until = 0.1

[[scatter]]
name = "ball"
count = 5
shape = { ball = 0.1 }
region = { min = [-1, 0, -1], max = [1, 2, 1] }
speed = { rms = 1 }
"#,
        at: "scatter.0.speed",
    },
};
