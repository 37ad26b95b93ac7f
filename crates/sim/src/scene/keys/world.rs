//! The scene's top level, and what is said of the world as a whole.

use super::bodies::{COLOR, LAYERS};
use super::forces::ANY_FORCE;
use super::*;

/// A scene with nothing but what must be there, and one body.
pub(super) const DROP: &str = r#"
name = "drop"
until = 1.0

[[body]]
name = "ball"
shape = { ball = 0.1 }
position = [0, 2, 0]
"#;

/// A scene's top level.
pub const SCENE: Section = Section {
    id: "scene",
    what: "the scene",
    written: "the file itself",
    about: "Keys that stand before the first `[table]`, and all the tables. Lengths are metres, times seconds, masses kilograms; y is up.",
    parts: &[&[
        needed("name", Kind::Text, "\"drop\"", "the scene's name"),
        usual("description", Kind::Text, "\"\"", "one line for listings").like("\"a ball falls\""),
        needed("until", POSITIVE, "3.0", "how long to simulate").unit("s"),
        usual("gravity", Kind::Vector, "[0, -9.81, 0]", "uniform acceleration of all dynamic bodies. A scene that says nothing has the Earth's, along -y; a table seen from above, or space, says `[0, 0, 0]`").unit("m/s²"),
        left_out("parameters", Kind::Named(&Kind::Either(&[NUMBER, Kind::Text, Kind::Table(&PARAMETER)])), "none", "{ balls = 10 }", "values that the rest refers to as `$name`, and that `--set name=value` changes"),
        left_out("materials", Kind::Named(&Kind::Table(&MATERIAL)), "none", "{ steel = { restitution = 0.9 } }", "surfaces by name"),
        left_out("material_pair", Kind::List(&Kind::Table(&MATERIAL_PAIR)), "none", "[]", "what two materials do to each other"),
        left_out("forces", Kind::Named(&ANY_FORCE), "none", "{ air = { kind = \"drag\", linear = 0.1 } }", "forces by name, for bodies that name them"),
        left_out("contact", Kind::Table(&CONTACT), "as an empty table where there are joints, or gravity and surfaces with a restitution below one; else every collision bounces", "{ solver = \"soft-step\" }", "how bodies rest on each other"),
        left_out("box", Kind::Table(&BOX), "none", "{ min = [-5, 0, -5], max = [5, 10, 5] }", "walls around everything"),
        left_out("view", Kind::Table(&VIEW), "what moves is framed", "{ ground = \"dark\" }", "how pictures of the scene look"),
        left_out("body", Kind::List(&Kind::Table(&BODY)), "none", "[]", "bodies"),
        left_out("lattice", Kind::List(&Kind::Table(&LATTICE)), "none", "[]", "bodies in rows, columns and layers"),
        left_out("stack", Kind::List(&Kind::Table(&STACK)), "none", "[]", "bodies above each other"),
        left_out("ring", Kind::List(&Kind::Table(&RING)), "none", "[]", "bodies on a circle"),
        left_out("scatter", Kind::List(&Kind::Table(&SCATTER)), "none", "[]", "bodies at random places"),
        left_out("joint", Kind::List(&Kind::Table(&JOINT)), "none", "[]", "what holds bodies together"),
        left_out("multibody", Kind::List(&Kind::Table(&MULTIBODY)), "none", "[]", "trees of links"),
        left_out("robot", Kind::List(&Kind::Table(&ROBOT)), "none", "[]", "robots that files describe"),
        left_out("controller", Kind::List(&Kind::Table(&CONTROLLER)), "none", "[]", "what sets the motors of multibodies and robots"),
        left_out("cloth", Kind::List(&Kind::Table(&CLOTH)), "none", "[]", "cloth"),
        left_out("shell", Kind::List(&Kind::Table(&SHELL)), "none", "[]", "thin shells"),
    ]],
    example: Example {
        scene: DROP,
        at: "",
    },
};

/// A parameter that explains itself.
pub const PARAMETER: Section = Section {
    id: "parameter",
    what: "a parameter",
    written: "an entry of `[parameters]`",
    about: "A parameter is a number, a text, an expression of others, or a table that also explains it. `\"$balls\"` refers to it, `\"2 * $balls / 3\"` reckons with it.",
    parts: &[&[
        needed(
            "value",
            Kind::Either(&[NUMBER, Kind::Text]),
            "10",
            "its value",
        ),
        usual(
            "about",
            Kind::Text,
            "\"\"",
            "what it means, for `warpline scenes NAME`",
        )
        .like("\"how many\""),
        left_out(
            "one_of",
            Kind::List(&Kind::Text),
            "anything",
            "[\"still\", \"moving\"]",
            "the texts that it may be",
        )
        .beside(&["value = \"still\""]),
        left_out("min", NUMBER, "none", "1", "the least that it may be"),
        left_out("max", NUMBER, "none", "100", "the most that it may be"),
    ]],
    example: Example {
        scene: r#"
name = "rain"
until = 1.0

[parameters]
balls = { value = 10 }

[[body]]
name = "ball"
shape = { ball = 0.1 }
"#,
        at: "parameters.balls",
    },
};

/// What a surface is like.
pub const SURFACE: [Key; 4] = [
    usual("restitution", Kind::Number(Range::Between(0.0, 1.0)), "0.5", "part of the normal speed that a collision gives back. Of two surfaces the larger counts"),
    usual("friction", AT_LEAST_ZERO, "0.5", "Coulomb's coefficient. Of two surfaces the geometric mean counts"),
    usual("rolling_friction", AT_LEAST_ZERO, "0", "resistance to rolling in lasting contact: the torque is at most this length times the normal force. The larger counts").unit("m").like("0.001"),
    usual("spinning_friction", AT_LEAST_ZERO, "0", "resistance to turning about the contact's normal, likewise").unit("m").like("0.001"),
];

/// A material.
pub const MATERIAL: Section = Section {
    id: "material",
    what: "a material",
    written: "`[materials.NAME]`",
    about: "A surface that bodies name with `material = \"NAME\"`.",
    parts: &[&SURFACE],
    example: Example {
        scene: r#"
name = "bounce"
until = 1.0

[materials.rubber]

[[body]]
name = "ground"
kind = "fixed"
shape = { half_space = [0, 1, 0] }
material = "rubber"

[[body]]
name = "ball"
shape = { ball = 0.1 }
position = [0, 1, 0]
velocity = [1, 0, 0]
material = "rubber"
"#,
        at: "materials.rubber",
    },
};

/// A rule for two materials.
pub const MATERIAL_PAIR: Section = Section {
    id: "material_pair",
    what: "a pair of materials",
    written: "`[[material_pair]]`",
    about: "What two materials do where that is not the mixture of both; what is left out is mixed. A rule may name one material twice.",
    parts: &[&[
        needed(
            "materials",
            Kind::Exactly(2, &Kind::Text),
            "[\"ice\", \"rubber\"]",
            "both materials",
        ),
        left_out(
            "restitution",
            Kind::Number(Range::Between(0.0, 1.0)),
            "the larger of both",
            "0.2",
            "of this pair",
        ),
        left_out(
            "friction",
            AT_LEAST_ZERO,
            "the geometric mean",
            "0.05",
            "of this pair",
        ),
        left_out(
            "rolling_friction",
            AT_LEAST_ZERO,
            "the larger of both",
            "0.001",
            "of this pair",
        )
        .unit("m"),
        left_out(
            "spinning_friction",
            AT_LEAST_ZERO,
            "the larger of both",
            "0.001",
            "of this pair",
        )
        .unit("m"),
    ]],
    example: Example {
        scene: r#"
name = "ice and rubber"
until = 0.5

[materials.ice]
friction = 0.1

[materials.rubber]
friction = 0.9

[[material_pair]]
materials = ["ice", "rubber"]
friction = 0.3

[[body]]
name = "ground"
kind = "fixed"
shape = { half_space = [0, 1, 0] }
material = "ice"

[[body]]
name = "puck"
shape = { box = [0.2, 0.1, 0.2] }
position = [0, 0.06, 0]
velocity = [1, 0, 0]
material = "rubber"
"#,
        at: "material_pair.0",
    },
};

/// Rules of lasting contact.
pub const CONTACT: Section = Section {
    id: "contact",
    what: "the contact rules",
    written: "`[contact]`",
    about: "A soft collision fuses bodies into a contact group that a solver advances as a unit. A scene without the table gets it with its defaults where it has joints, or gravity and two surfaces that can meet with a restitution below one: there bounces would follow each other faster and faster and never end. `solver = \"none\"` switches contact groups off.",
    parts: &[&[
        usual(
            "solver",
            Kind::Word(&[
                "soft-step",
                "impulse",
                "penalty",
                "optimization",
                "auto",
                "none",
            ]),
            "\"soft-step\"",
            "who advances a group",
        ),
        left_out(
            "step",
            POSITIVE,
            "1/120; 1/60 for `optimization`",
            "0.005",
            "length of a group's step",
        )
        .unit("s"),
        usual(
            "substeps",
            Kind::Whole(1, 1000),
            "4",
            "sub-steps in a step (not `penalty`)",
        ),
        usual("hertz", POSITIVE, "60", "stiffness of `penalty`")
            .unit("Hz")
            .beside(&["solver = \"penalty\""]),
        usual(
            "weights",
            Kind::Word(&["geometric", "mass"]),
            "\"geometric\"",
            "of `optimization` and `auto`: what the distance to the targets is weighed with",
        )
        .beside(&["solver = \"auto\""]),
        usual(
            "v_min",
            POSITIVE,
            "0.5",
            "of `optimization` and `auto`: faster collisions are resolved before targets are set",
        )
        .unit("m/s")
        .beside(&["solver = \"optimization\""]),
        usual(
            "c_max",
            Kind::Whole(0, 1000),
            "3",
            "at most so many of them for each pair and step",
        )
        .beside(&["solver = \"optimization\""]),
        usual(
            "margin",
            POSITIVE,
            "0.002",
            "bodies closer than this are in contact",
        )
        .unit("m"),
        usual(
            "fuse_speed",
            AT_LEAST_ZERO,
            "0.03",
            "bodies that part more slowly than this after a collision fuse",
        )
        .unit("m/s"),
        usual(
            "rest_speed",
            AT_LEAST_ZERO,
            "0.02",
            "a group in which nothing is faster may come to rest",
        )
        .unit("m/s, rad/s"),
        usual("rest_after", POSITIVE, "0.5", "after so long").unit("s"),
    ]],
    example: Example {
        scene: r#"
name = "settle"
until = 0.8

[contact]

[[body]]
name = "ground"
kind = "fixed"
shape = { half_space = [0, 1, 0] }

[[body]]
name = "crate"
shape = { box = [0.4, 0.4, 0.4] }
position = [0, 0.21, 0]
restitution = 0.1
"#,
        at: "contact",
    },
};

/// Walls.
pub const BOX: Section = Section {
    id: "box",
    what: "the box",
    written: "`[box]`",
    about: "Half-spaces on all six sides of a region, but the open ones. They are called `wall -x`, `wall +x` and so on.",
    parts: &[
        &[
            needed("min", Kind::Vector, "[-2, 0, -2]", "the lower corner").unit("m"),
            needed("max", Kind::Vector, "[2, 5, 2]", "the upper corner").unit("m"),
            usual(
                "open",
                Kind::List(&Kind::Word(&["-x", "+x", "-y", "+y", "-z", "+z"])),
                "[]",
                "sides without a wall",
            )
            .like("[\"+y\"]"),
            usual(
                "periodic",
                Kind::List(&Kind::Word(&["x", "y", "z"])),
                "[]",
                "axes along which what leaves on one side comes in on the other, and bodies meet across the sides; \
                 such sides have no walls, and bodies only bounce",
            )
            .like("[\"x\", \"z\"]"),
            left_out(
                "material",
                Kind::Text,
                "none",
                "\"steel\"",
                "the name of a material; what follows is on top of it",
            ),
        ],
        &SURFACE,
        &LAYERS,
        &COLOR,
    ],
    example: Example {
        scene: r#"
name = "boxed"
until = 0.5

[materials.steel]

[box]
min = [-2, 0, -2]
max = [2, 5, 2]

[[body]]
name = "ball"
shape = { ball = 0.1 }
position = [0, 0.3, 0]
velocity = [1, 0, 0]
layer = "toys"
"#,
        at: "box",
    },
};

/// How pictures look.
pub const VIEW: Section = Section {
    id: "view",
    what: "the view",
    written: "`[view]`",
    about: "How `warpline render` and the viewer show the scene, unless their options say otherwise. It changes nothing of the simulation.",
    parts: &[&[
        left_out(
            "camera",
            Kind::Table(&CAMERA),
            "far enough to see what moves",
            "{ from = [4, 3, 6], to = [0, 1, 0] }",
            "where the scene is seen from",
        ),
        left_out(
            "light",
            Kind::Vector,
            "from above, over the viewer's left shoulder",
            "[1, 3, 2]",
            "the direction in which the light is",
        ),
        left_out(
            "ground",
            Kind::Word(&["light", "dark"]),
            "as the command's options say",
            "\"dark\"",
            "the ground that pictures draw under the bodies",
        ),
    ]],
    example: Example {
        scene: r#"
name = "seen"
until = 1.0

[view]

[[body]]
name = "ball"
shape = { ball = 0.1 }
"#,
        at: "view",
    },
};

/// Where a picture is taken from.
pub const CAMERA: Section = Section {
    id: "camera",
    what: "a camera",
    written: "`camera = { … }` of `[view]`",
    about: "A pinhole camera with y up.",
    parts: &[&[
        needed("from", Kind::Vector, "[4, 3, 6]", "where it is").unit("m"),
        needed("to", Kind::Vector, "[0, 1, 0]", "what it looks at").unit("m"),
        usual(
            "degrees",
            Kind::Number(Range::Between(1.0, 150.0)),
            "35",
            "its field of view, from bottom to top",
        )
        .unit("°"),
    ]],
    example: Example {
        scene: r#"
name = "seen"
until = 1.0

[view]
camera = { from = [4, 3, 6], to = [0, 1, 0] }

[[body]]
name = "ball"
shape = { ball = 0.1 }
"#,
        at: "view.camera",
    },
};
