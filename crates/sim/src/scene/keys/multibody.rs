//! Multibodies.

use super::bodies::{COLOR, FOR, LAYERS};
use super::*;

macro_rules! pendulum {
    ($at:literal) => {
        Example {
            scene: r#"
name = "pendulum"
until = 0.2

[[multibody]]
name = "pendulum"
links = [
    { name = "link 1", joint = "hinge", axis = [0, 0, 1], shape = { ball = 0.1, position = [0, -1, 0] } },
    { joint = "hinge", axis = [0, 0, 1], shape = { box = [0.1, 1, 0.1], position = [2, -0.5, 0] }, motor = { force = 1 } },
]
"#,
            at: $at,
        }
    };
}

/// A multibody.
pub const MULTIBODY: Section = Section {
    id: "multibody",
    what: "a multibody",
    written: "`[[multibody]]`",
    about: "A tree of links whose joints are its only freedoms: a pendulum, an arm, a vehicle. Its links are bodies, called by its name, a dot and their own; they collide with other bodies, and a hit on one of them passes through all joints at once.",
    parts: &[
        &[
            left_out(
                "name",
                Kind::Label,
                "`multibody N`",
                "\"arm\"",
                "what its links are called after",
            ),
            needed(
                "links",
                Kind::List(&Kind::Table(&LINK)),
                "[{ joint = \"hinge\", axis = [0, 0, 1], shape = { ball = 0.1, position = [0, -1, 0] } }]",
                "its links, parents first",
            ),
            usual(
                "position",
                Kind::Vector,
                "[0, 0, 0]",
                "where the frame is that links without a parent are placed in",
            )
            .unit("m"),
            left_out(
                "rotation",
                Kind::Either(&[Kind::Table(&ROTATION), Kind::Exactly(4, &NUMBER)]),
                "none",
                "{ axis = [0, 1, 0], degrees = 90 }",
                "how that frame is turned",
            ),
            usual(
                "collide",
                Kind::Flag,
                "false",
                "whether links that are not neighbours collide with each other",
            )
            .like("true"),
        ],
        &FOR,
    ],
    example: pendulum!("multibody.0"),
};

/// A link of a multibody.
pub const LINK: Section = Section {
    id: "link",
    what: "a link",
    written: "one of the `links` of a multibody",
    about: "A rigid part, and the joint that holds it to its parent. Its frame is the joint's; its shapes are placed in it.",
    parts: &[
        &[
            left_out("name", Kind::Label, "`link N`", "\"forearm\"", "must differ from those of the other links"),
            left_out("parent", Kind::Label, "the world", "\"link 1\"", "the link that it hangs on"),
            needed("joint", Kind::Word(&["hinge", "slide", "ball", "free", "fixed"]), "\"hinge\"", "`hinge`: turns about an axis. `slide`: moves along one. `ball`: turns as it likes. `free`: moves as it likes (only without a parent). `fixed`: neither"),
            left_out("axis", Kind::Vector, "needed by `hinge` and `slide`", "[0, 0, 1]", "the direction of a hinge or slide, in the link's frame"),
            usual("position", Kind::Vector, "[0, 0, 0]", "where the joint is, in the parent's frame").unit("m"),
            left_out("rotation", Kind::Either(&[Kind::Table(&ROTATION), Kind::Exactly(4, &NUMBER)]), "none", "{ axis = [0, 1, 0], degrees = 90 }", "how the link's frame is turned in the parent's where the joint stands at zero"),
            left_out("shape", Kind::Table(&SHAPE), "needed, unless there are `shapes`", "{ ball = 0.1, position = [0, -1, 0] }", "its shape"),
            left_out("shapes", Kind::List(&Kind::Table(&SHAPE)), "`shape` alone", "[{ ball = 0.1 }, { ball = 0.1, position = [0.15, 0, 0] }]", "several shapes that move as one").beside(&["-shape"]),
            left_out("mass", POSITIVE, "by `density`", "2.5", "of the link").unit("kg"),
            usual("density", POSITIVE, "1000", "of a link without `mass`").unit("kg/m³"),
            left_out("material", Kind::Text, "none", "\"steel\"", "the name of a material").beside(&["^materials.steel.friction = 0.3"]),
            usual("start", NUMBER, "0", "where a hinge or slide stands at the start").unit("° or m"),
            usual("rate", NUMBER, "0", "how fast it moves at the start").unit("rad/s or m/s"),
            usual("velocity", Kind::Vector, "[0, 0, 0]", "of a free link at the start").unit("m/s").like("[1, 0, 0]").beside(&["joint = \"free\"", "-axis", "-motor"]),
            usual("spin", Kind::Vector, "[0, 0, 0]", "of a free link at the start, along the world's axes; of a ball joint, along the link's").unit("rad/s").like("[1, 0, 0]").beside(&["joint = \"free\"", "-axis", "-motor"]),
            usual("armature", AT_LEAST_ZERO, "0", "inertia of the drive, seen at the joint").unit("kg m² or kg"),
            usual("stiffness", AT_LEAST_ZERO, "0", "of a spring that pulls the joint to zero").unit("N m/rad or N/m"),
            usual("joint_damping", AT_LEAST_ZERO, "0", "of the joint").unit("N m s/rad or N s/m"),
            usual("dry_friction", AT_LEAST_ZERO, "0", "of the joint").unit("N m or N"),
            left_out("limits", Kind::Exactly(2, &NUMBER), "none", "[-45, 45]", "how far a hinge turns, or a slide moves; of a ball 0 and the largest angle").unit("° or m"),
            left_out("motor", Kind::Table(&LINK_MOTOR), "none", "{ force = 2 }", "what drives a hinge or slide"),
        ],
        &SURFACE,
        &LAYERS,
        &COLOR,
    ],
    example: pendulum!("multibody.0.links.1"),
};

/// What drives a joint of a multibody.
pub const LINK_MOTOR: Section = Section {
    id: "link_motor",
    what: "a motor",
    written: "`motor = { … }` of a link",
    about: "A force or torque along the joint: `force` as it is, or what seeks a `velocity` or a `position`.",
    parts: &[&[
        left_out(
            "force",
            NUMBER,
            "a `velocity` or a `position`",
            "1.0",
            "constant force",
        )
        .unit("N m or N"),
        left_out(
            "velocity",
            NUMBER,
            "a `force` or a `position`",
            "2.0",
            "the rate that is sought",
        )
        .unit("rad/s or m/s")
        .beside(&["-force", "damping = 5"]),
        left_out(
            "position",
            NUMBER,
            "a `force` or a `velocity`",
            "0.5",
            "the position that is sought",
        )
        .unit("rad or m")
        .beside(&["-force", "stiffness = 50"]),
        left_out(
            "stiffness",
            AT_LEAST_ZERO,
            "needed by `position`",
            "50.0",
            "force per distance from the position that is sought",
        )
        .unit("N m/rad or N/m")
        .beside(&["-force", "position = 0.5"]),
        left_out(
            "damping",
            AT_LEAST_ZERO,
            "needed by `velocity`, else 0",
            "5.0",
            "force per difference from the rate that is sought",
        )
        .unit("N m s/rad or N s/m")
        .beside(&["-force", "velocity = 2"]),
    ]],
    example: pendulum!("multibody.0.links.1.motor"),
};

/// A robot from a file.
pub const ROBOT: Section = Section {
    id: "robot",
    what: "a robot",
    written: "`[[robot]]`",
    about: "A multibody that a URDF or MJCF file describes. Its links are called by its name, a dot and their bodies' names. Robots' files have z up: turn them by -90° about x to stand in a scene whose up is y. `warpline inspect FILE` lists what of a file is used.",
    parts: &[
        &[
            needed("file", Kind::Text, "\"arm.xml\"", "the file, from the folder of the scene's file"),
            left_out("name", Kind::Label, "as the file says", "\"arm\"", "what its links are called after"),
            usual("position", Kind::Vector, "[0, 0, 0]", "where the file's frame is").unit("m"),
            left_out("rotation", Kind::Either(&[Kind::Table(&ROTATION), Kind::Exactly(4, &NUMBER)]), "none", "{ axis = [1, 0, 0], degrees = -90 }", "how the file's frame is turned"),
            usual("floating", Kind::Flag, "false", "whether the root of a URDF moves freely instead of being fixed to the world").like("true"),
            left_out("keyframe", Kind::Text, "the reference", "\"home\"", "the keyframe of an MJCF file that it starts from"),
            usual("collide", Kind::Flag, "false", "whether its links that are not neighbours collide with each other, and with its base").like("true"),
        ],
        &FOR,
    ],
    example: Example {
        scene: r#"
name = "arm"
until = 0.1

[[robot]]
file = "arm.xml"
"#,
        at: "robot.0",
    },
};
