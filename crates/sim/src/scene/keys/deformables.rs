//! Cloth and shells.

use super::bodies::{COLOR, PLACE};
use super::*;

const CLOTH_SCENE: &str = r#"
name = "cloth"
until = 0.05

[[cloth]]
name = "sheet"
grid = { columns = 4, rows = 4, u = [1, 0, 0], v = [0, 0, 1] }
"#;

const MESH_PLACE: [Key; 4] = [
    left_out(
        "mesh",
        Kind::Text,
        "a `grid`",
        "\"sheet.obj\"",
        "an OBJ file, a path that begins at the scene's file",
    )
    .beside(&["-grid"]),
    left_out(
        "position",
        Kind::Vector,
        "`[0, 0, 0]`",
        "[0, 1, 0]",
        "of a `mesh`",
    )
    .unit("m")
    .beside(&["-grid", "mesh = \"sheet.obj\""]),
    left_out(
        "rotation",
        PLACE[1].kind,
        "none",
        "{ axis = [0, 0, 1], degrees = 90 }",
        "of a `mesh`",
    )
    .beside(&["-grid", "mesh = \"sheet.obj\""]),
    left_out("scale", POSITIVE, "1", "0.5", "of a `mesh`")
        .beside(&["-grid", "mesh = \"sheet.obj\""]),
];

/// Cloth.
pub const CLOTH: Section = Section {
    id: "cloth",
    what: "a cloth",
    written: "`[[cloth]]`",
    about: "Cloth that does not stretch, as a `grid` or from a `mesh`, stepped by impulses.",
    parts: &[
        &[
            left_out(
                "name",
                Kind::Text,
                "`cloth N`",
                "\"sheet\"",
                "must differ from all others",
            ),
            left_out(
                "grid",
                Kind::Table(&CLOTH_GRID),
                "a `mesh`",
                "{ columns = 20, rows = 20, u = [1, 0, 0], v = [0, 0, 1] }",
                "a rectangle of vertices",
            ),
        ],
        &MESH_PLACE,
        &COLOR,
        &[
            left_out(
                "seam",
                POSITIVE,
                "none",
                "0.001",
                "vertices of a `mesh` that are so near become one: pieces are sewn together",
            )
            .unit("m")
            .beside(&["-grid", "mesh = \"sheet.obj\""]),
            usual("mass", POSITIVE, "1.0", "of the whole").unit("kg"),
            usual("velocity", Kind::Vector, "[0, 0, 0]", "at the start").unit("m/s"),
            usual(
                "pins",
                Kind::List(&Kind::Either(&[
                    Kind::Whole(0, u32::MAX as u64),
                    Kind::Word(&["left", "right", "front", "back", "corners"]),
                    Kind::Table(&CLOTH_PIN),
                ])),
                "[]",
                "vertices that are held: sides of a grid, numbers, or what is near a point",
            )
            .like("[\"corners\"]"),
            usual("bending", AT_LEAST_ZERO, "0", "bending stiffness")
                .unit("J")
                .like("0.0001"),
            left_out(
                "air",
                Kind::Table(&CLOTH_AIR),
                "no air",
                "{ velocity = [6, 0, 0] }",
                "that it moves through",
            ),
            usual(
                "extensibility",
                POSITIVE,
                "0.01",
                "part by which a thread may be longer than at the start",
            ),
            usual(
                "constraints",
                Kind::Word(&["distance", "rope"]),
                "\"distance\"",
                "whether threads keep their length, or only do not become longer",
            ),
            usual(
                "step",
                Kind::Number(Range::Between(1e-5, 1.0)),
                "0.01",
                "of its solver",
            )
            .unit("s"),
            left_out(
                "velocity_tolerance",
                POSITIVE,
                "velocities are not corrected",
                "0.01",
                "how well velocities fit the threads after a step",
            )
            .unit("m/s"),
            usual(
                "contact",
                Kind::Word(&["surface", "vertices"]),
                "\"surface\"",
                "what of it meets bodies",
            ),
            usual(
                "contact_tolerance",
                POSITIVE,
                "0.001",
                "how well contact is kept",
            )
            .unit("m"),
            usual("thickness", AT_LEAST_ZERO, "0", "half of it")
                .unit("m")
                .like("0.002"),
            usual(
                "friction",
                AT_LEAST_ZERO,
                "0",
                "with bodies and other cloth",
            )
            .like("0.3"),
            left_out(
                "self_contact",
                Kind::Flag,
                "whether it has a `thickness` and a `surface`",
                "true",
                "whether it meets itself and other such cloth",
            )
            .beside(&["thickness = 0.005"]),
            usual(
                "collides",
                Kind::Word(&["all", "immovable", "nothing"]),
                "\"all\"",
                "which bodies it meets",
            ),
            usual(
                "solver",
                Kind::Word(&["impulses", "strips"]),
                "\"impulses\"",
                "thread by thread, or strip by strip",
            ),
            left_out(
                "optimisations",
                Kind::List(&Kind::Word(&[
                    "reuse-direction",
                    "anticipation",
                    "skipping",
                    "skipping-bits",
                    "frozen-direction",
                    "early-update",
                ])),
                "all of them",
                "[\"anticipation\"]",
                "of `impulses`, those that are used",
            ),
            usual("threads", Kind::Whole(1, 1024), "1", "of `strips`")
                .beside(&["solver = \"strips\""]),
            usual(
                "max_iterations",
                Kind::Whole(1, u32::MAX as u64),
                "1000000",
                "after so many a step ends with an error",
            ),
        ],
    ],
    example: Example {
        scene: CLOTH_SCENE,
        at: "cloth.0",
    },
};

/// A grid of cloth.
pub const CLOTH_GRID: Section = Section {
    id: "cloth_grid",
    what: "a grid",
    written: "`grid = { … }` of cloth",
    about: "A rectangle of vertices from `corner` along `u` and `v`.",
    parts: &[&[
        needed("columns", Kind::Whole(2, 2000), "20", "vertices along `u`"),
        needed("rows", Kind::Whole(2, 2000), "20", "vertices along `v`"),
        needed(
            "u",
            Kind::Vector,
            "[1, 0, 0]",
            "the side along which the columns follow each other",
        )
        .unit("m"),
        needed(
            "v",
            Kind::Vector,
            "[0, 0, 1]",
            "the side along which the rows follow each other",
        )
        .unit("m"),
        usual("corner", Kind::Vector, "[0, 0, 0]", "where it begins").unit("m"),
        usual(
            "weave",
            Kind::Word(&["square", "triangles"]),
            "\"square\"",
            "threads along the sides, or diagonals too",
        ),
        left_out(
            "arc",
            Kind::Number(Range::Between(0.0, 89.9)),
            "flat",
            "30",
            "bends the rows down between their ends; the slope at the ends",
        )
        .unit("°"),
    ]],
    example: Example {
        scene: CLOTH_SCENE,
        at: "cloth.0.grid",
    },
};

/// Air around cloth.
pub const CLOTH_AIR: Section = Section {
    id: "cloth_air",
    what: "air",
    written: "`air = { … }` of cloth and shells",
    about: "Air that pushes triangles along their normals by the square of the wind against them, and drags them along.",
    parts: &[&[
        usual("velocity", Kind::Vector, "[0, 0, 0]", "of the wind")
            .unit("m/s")
            .like("[6, 0, 0]"),
        usual("density", AT_LEAST_ZERO, "1.2", "of the air").unit("kg/m³"),
        usual(
            "drag",
            AT_LEAST_ZERO,
            "1.3",
            "coefficient of a surface across the wind",
        ),
        usual(
            "along",
            AT_LEAST_ZERO,
            "0.02",
            "coefficient of a surface along it",
        ),
        usual(
            "gust",
            AT_LEAST_ZERO,
            "0",
            "part by which the wind swells and falls",
        )
        .like("0.3"),
        usual("period", POSITIVE, "1.0", "from one gust to the next").unit("s"),
    ]],
    example: Example {
        scene: r#"
name = "cloth"
until = 0.05

[[cloth]]
name = "sheet"
grid = { columns = 4, rows = 4, u = [1, 0, 0], v = [0, 0, 1] }
air = {}
"#,
        at: "cloth.0.air",
    },
};

/// A pin of cloth.
pub const CLOTH_PIN: Section = Section {
    id: "cloth_pin",
    what: "a pin",
    written: "an item of `pins` of cloth",
    about: "Holds all vertices near a point or on a side, where they are, on a way of their own or at a body.",
    parts: &[
        &[
            left_out("near", Kind::Vector, "a `side`", "[0, 0, 0]", "the point").unit("m"),
            usual("radius", POSITIVE, "0.000001", "how near").unit("m"),
            left_out(
                "side",
                Kind::Word(&["left", "right", "front", "back", "corners"]),
                "`near`",
                "\"left\"",
                "a side of a grid",
            )
            .beside(&["-near"]),
            left_out(
                "body",
                Kind::Text,
                "none",
                "\"pole\"",
                "a body that they are fastened to; a dynamic one is pulled at",
            ),
        ],
        &MOVES,
    ],
    example: Example {
        scene: r#"
name = "cloth"
until = 0.05

[[cloth]]
name = "sheet"
grid = { columns = 4, rows = 4, u = [1, 0, 0], v = [0, 0, 1] }
pins = [{ near = [0, 0, 0] }]

[[body]]
name = "pole"
kind = "fixed"
shape = { ball = 0.1 }
position = [0, 1, 0]
"#,
        at: "cloth.0.pins.0",
    },
};

const SHELL_SCENE: &str = r#"
name = "shell"
until = 0.004

[[shell]]
name = "sheet"
grid = { columns = 4, rows = 4, u = [0.3, 0, 0], v = [0, 0, 0.3] }
velocity = [0, -1, 0]
"#;

/// Keys of a shell that is not one of the paper's scenes.
pub const OWN_SHELL: [Key; 19] = [
    left_out(
        "grid",
        Kind::Table(&SHELL_GRID),
        "a `mesh` or a `scene`",
        "{ columns = 4, rows = 4, u = [0.3, 0, 0], v = [0, 0, 0.3] }",
        "a rectangle of vertices",
    ),
    MESH_PLACE[0],
    MESH_PLACE[1],
    MESH_PLACE[2],
    MESH_PLACE[3],
    usual("velocity", Kind::Vector, "[0, 0, 0]", "at the start").unit("m/s"),
    usual(
        "pins",
        Kind::List(&Kind::Either(&[
            Kind::Whole(0, u32::MAX as u64),
            Kind::Table(&SHELL_PIN),
        ])),
        "[]",
        "vertices that are held, and may move: numbers, or what is near a point",
    )
    .like("[0, 3]"),
    usual(
        "obstacles",
        Kind::List(&Kind::Either(&[Kind::Text, Kind::Table(&OBSTACLE)])),
        "[]",
        "OBJ files that stand, or tables that say how they move",
    )
    .like("[\"floor.obj\"]"),
    left_out(
        "air",
        Kind::Table(&CLOTH_AIR),
        "no air",
        "{ velocity = [6, 0, 0] }",
        "that it moves through",
    ),
    usual("young", POSITIVE, "1000000", "Young's modulus").unit("Pa"),
    usual("poisson", AT_LEAST_ZERO, "0.2", "Poisson's ratio"),
    usual("density", POSITIVE, "500", "of the material").unit("kg/m³"),
    usual("thickness", POSITIVE, "0.0004", "of the material").unit("m"),
    usual("bending", AT_LEAST_ZERO, "0.000001", "bending stiffness").unit("J"),
    usual("damping", AT_LEAST_ZERO, "0", "of stretching")
        .unit("s")
        .like("0.00001"),
    usual(
        "contact_thickness",
        POSITIVE,
        "0.001",
        "distance at which the first layer of contact pushes",
    )
    .unit("m"),
    usual(
        "restitution",
        POSITIVE,
        "1.0",
        "part of the force with which surfaces are pushed apart when they part",
    ),
    usual("friction", AT_LEAST_ZERO, "0", "Coulomb's coefficient").like("0.2"),
    usual(
        "step_fraction",
        Kind::Number(Range::Between(0.001, 0.5)),
        "0.1",
        "of the longest stable step of a contact: less keeps energy better and costs more",
    ),
];

/// A shell.
pub const SHELL: Section = Section {
    id: "shell",
    what: "a shell",
    written: "`[[shell]]`",
    about: "Thin shells that never pass through each other: one of the paper's scenes by name, or a sheet as a `grid` or from a `mesh`.",
    parts: &[
        &[
            left_out("name", Kind::Text, "`shell N`", "\"sheet\"", "must differ from all others"),
            left_out("scene", Kind::Word(&["reef-knot", "bowline-knot", "trash-compactor", "two-cloths", "twister"]), "a sheet of one's own", "\"two-cloths\"", "one of the paper's scenes").beside(&["-grid", "-velocity", "size = 4"]),
            left_out("size", Kind::Whole(3, 1000), "the scene's small size", "8", "of a `scene`: about the vertices along a side").beside(&["-grid", "-velocity", "scene = \"two-cloths\""]),
            left_out("step", Kind::Number(Range::Between(1e-5, 1.0)), "1/250", "0.002", "how often its form is committed").unit("s"),
            usual("window", AT_LEAST_ZERO, "0", "how long it runs ahead before it looks for contacts that it missed; 0 has it found").unit("s").like("0.001"),
            usual("threads", Kind::Whole(1, 64), "1", "that look for contacts"),
            usual("collides", Kind::Word(&["all", "nothing"]), "\"all\"", "with other shells and bodies, or with nothing but itself and its obstacles"),
        ],
        &COLOR,
        &OWN_SHELL,
    ],
    example: Example {
        scene: SHELL_SCENE,
        at: "shell.0",
    },
};

/// A grid of a shell.
pub const SHELL_GRID: Section = Section {
    id: "shell_grid",
    what: "a grid",
    written: "`grid = { … }` of a shell",
    about: "A rectangle of vertices from `corner` along `u` and `v`.",
    parts: &[&[
        usual("columns", Kind::Whole(2, 1000), "10", "vertices along `u`"),
        usual("rows", Kind::Whole(2, 1000), "10", "vertices along `v`"),
        needed(
            "u",
            Kind::Vector,
            "[0.3, 0, 0]",
            "the side along which the columns follow each other",
        )
        .unit("m"),
        needed(
            "v",
            Kind::Vector,
            "[0, 0, 0.3]",
            "the side along which the rows follow each other",
        )
        .unit("m"),
        usual("corner", Kind::Vector, "[0, 0, 0]", "where it begins").unit("m"),
    ]],
    example: Example {
        scene: r#"
name = "shell"
until = 0.004

[[shell]]
name = "sheet"
grid = { u = [0.3, 0, 0], v = [0, 0, 0.3] }
"#,
        at: "shell.0.grid",
    },
};

/// How pins and obstacles move.
const MOVES: [Key; 2] = [
    left_out(
        "shift",
        Kind::List(&Kind::Exactly(2, &Kind::Either(&[NUMBER, Kind::Vector]))),
        "none",
        "[[0, [0, 0, 0]], [1, [0, 0.1, 0]]]",
        "keys of time and displacement, straight between them",
    )
    .unit("s, m"),
    left_out(
        "turn",
        Kind::Table(&TURN),
        "none",
        "{ axis = [0, 1, 0], angle = [[0, 0], [1, 90]] }",
        "a turn about an axis",
    ),
];

/// A pin of a shell.
pub const SHELL_PIN: Section = Section {
    id: "shell_pin",
    what: "a pin",
    written: "an item of `pins` of a shell",
    about: "Holds all vertices near a point, and moves them.",
    parts: &[
        &[
            needed("near", Kind::Vector, "[0, 0, 0]", "the point").unit("m"),
            usual("radius", POSITIVE, "0.000001", "how near").unit("m"),
        ],
        &MOVES,
    ],
    example: Example {
        scene: r#"
name = "shell"
until = 0.004

[[shell]]
name = "sheet"
grid = { columns = 4, rows = 4, u = [0.3, 0, 0], v = [0, 0, 0.3] }
pins = [{ near = [0, 0, 0] }]
"#,
        at: "shell.0.pins.0",
    },
};

/// What a shell meets.
pub const OBSTACLE: Section = Section {
    id: "obstacle",
    what: "an obstacle",
    written: "an item of `obstacles` of a shell",
    about: "A surface that the shell does not push.",
    parts: &[
        &[needed(
            "mesh",
            Kind::Text,
            "\"floor.obj\"",
            "an OBJ file, a path that begins at the scene's file",
        )],
        &MOVES,
    ],
    example: Example {
        scene: r#"
name = "shell"
until = 0.004

[[shell]]
name = "sheet"
grid = { columns = 4, rows = 4, u = [0.3, 0, 0], v = [0, 0, 0.3] }
obstacles = [{ mesh = "floor.obj" }]
"#,
        at: "shell.0.obstacles.0",
    },
};

/// A turn of pins or obstacles.
pub const TURN: Section = Section {
    id: "turn",
    what: "a turn",
    written: "`turn = { … }` of a pin or a shell's obstacle",
    about: "Turns about an axis, straight between keys.",
    parts: &[&[
        needed(
            "axis",
            Kind::Vector,
            "[0, 1, 0]",
            "the direction to turn about",
        ),
        usual("centre", Kind::Vector, "[0, 0, 0]", "a point of the axis").unit("m"),
        needed(
            "angle",
            Kind::List(&Kind::Exactly(2, &NUMBER)),
            "[[0, 0], [1, 90]]",
            "keys of time and angle",
        )
        .unit("s, °"),
    ]],
    example: Example {
        scene: r#"
name = "shell"
until = 0.004

[[shell]]
name = "sheet"
grid = { columns = 4, rows = 4, u = [0.3, 0, 0], v = [0, 0, 0.3] }
pins = [{ near = [0, 0, 0], turn = { axis = [0, 1, 0], angle = [[0, 0], [1, 90]] } }]
"#,
        at: "shell.0.pins.0.turn",
    },
};
