//! Joints.

use super::bodies::FOR;
use super::*;

/// A joint.
pub const JOINT: Section = Section {
    id: "joint",
    what: "a joint",
    written: "`[[joint]]`",
    about: "Holds two `bodies`, or every two neighbours of a `chain`. Joints act in contact groups: their scene may say how in `[contact]`, with the solver `soft-step` or `impulse`, and need not. Bodies that a joint holds do not collide with each other.",
    parts: &[
        &[
            left_out("name", Kind::Label, "`joint N`", "\"elbow\"", "for messages"),
            needed("kind", Kind::Word(&["ball", "hinge", "slider", "fixed", "distance", "rope", "spring"]), "\"ball\"", "`ball`: one point is shared. `hinge`: and one axis. `slider`: bodies move along an axis and do not turn. `fixed`: they move as one. `distance`: two points stay so far apart. `rope`: no farther. `spring`: nothing but a `spring` is between the two points"),
            left_out("bodies", Kind::Exactly(2, &Kind::Label), "a `chain`", "[\"hook\", \"bob\"]", "both bodies by name"),
            left_out("chain", Kind::Label, "two `bodies`", "\"link\"", "all bodies that are called so and a number, each held to the next, as they were written").beside(&["-bodies", "^lattice = [{ name = \"link\", count = [3, 1, 1], shape = { ball = 0.1 }, position = [5, 0, 0] }]"]),
            left_out("anchor", Kind::Vector, "the middle between both bodies' origins", "[0, 0.5, 0]", "the point of the world where they are held (not `distance`, `rope` and `spring`)").unit("m"),
            left_out("anchors", Kind::Exactly(2, &Kind::Vector), "see `anchor`; the origins for `distance`, `rope` and `spring`", "[[0, -0.5, 0], [0, 0.5, 0]]", "the point of each body where it is held, in its own frame").unit("m"),
            left_out("axis", Kind::Vector, "needed by `hinge` and `slider`", "[0, 0, 1]", "the direction of a hinge or slider").beside(&["kind = \"hinge\""]),
            left_out("limits", Kind::Exactly(2, &NUMBER), "none", "[-45, 45]", "how far a hinge turns, or a slider slides, from where it starts").unit("° or m").beside(&["kind = \"hinge\"", "axis = [0, 0, 1]"]),
            left_out("motor", Kind::Either(&[Kind::Table(&HINGE_MOTOR), Kind::Table(&SLIDER_MOTOR)]), "none", "{ speed = 2, torque = 50 }", "what drives a hinge or slider").beside(&["kind = \"hinge\"", "axis = [0, 0, 1]"]),
            left_out("spring", Kind::Table(&JOINT_SPRING), "none; needed by `spring`", "{ stiffness = 20, damping = 1 }", "what draws a hinge, a slider or the two points of a `spring` to a place").beside(&["kind = \"hinge\"", "axis = [0, 0, 1]"]),
            left_out("length", POSITIVE, "as far as the anchors are apart", "1.0", "of a `distance` or `rope`").unit("m").beside(&["kind = \"rope\""]),
            usual("collide", Kind::Flag, "false", "whether the two bodies collide with each other").like("true").beside(&["kind = \"rope\""]),
        ],
        &FOR,
    ],
    example: Example {
        scene: r#"
name = "pendulum"
until = 0.2

[contact]

[[body]]
name = "hook"
kind = "fixed"
shape = { box = [0.1, 0.1, 0.1] }
position = [0, 1, 0]

[[body]]
name = "bob"
shape = { ball = 0.1 }
velocity = [1, 0, 0]

[[joint]]
kind = "ball"
bodies = ["hook", "bob"]
"#,
        at: "joint.0",
    },
};

macro_rules! driven {
    ($kind:literal, $strength:literal) => {
        Example {
            scene: concat!(
                r#"
name = "driven"
until = 0.1

[contact]

[[body]]
name = "frame"
kind = "fixed"
shape = { box = [0.1, 0.1, 0.1] }
position = [0, 1, 0]

[[body]]
name = "arm"
shape = { box = [0.1, 1, 0.1] }

[[joint]]
kind = ""#,
                $kind,
                r#""
axis = [0, 0, 1]
bodies = ["frame", "arm"]
motor = { speed = 2, "#,
                $strength,
                " = 50 }\n"
            ),
            at: "joint.0.motor",
        }
    };
}

/// What drives a hinge.
pub const HINGE_MOTOR: Section = Section {
    id: "hinge_motor",
    what: "a motor",
    written: "`motor = { … }` of a hinge",
    about: "Keeps a speed, or aims at a position, as long as its torque allows.",
    parts: &[&[
        usual("speed", NUMBER, "0.0", "the speed that it keeps")
            .like("2.0")
            .unit("rad/s"),
        needed("torque", AT_LEAST_ZERO, "50.0", "how strong it is").unit("N m"),
        left_out(
            "position",
            NUMBER,
            "none: it keeps a `speed`",
            "30.0",
            "the angle that it aims at, from where the hinge starts",
        )
        .unit("°")
        .beside(&["-speed"]),
        left_out(
            "stiffness",
            POSITIVE,
            "ten times `torque`: all of it at 0.1 rad",
            "200.0",
            "torque for each radian that is missing",
        )
        .unit("N m/rad")
        .beside(&["-speed", "position = 30"]),
        left_out(
            "damping",
            AT_LEAST_ZERO,
            "`stiffness` times 0.1 s",
            "20.0",
            "torque for each rad/s",
        )
        .unit("N m s/rad")
        .beside(&["-speed", "position = 30"]),
    ]],
    example: driven!("hinge", "torque"),
};

/// What drives a slider.
pub const SLIDER_MOTOR: Section = Section {
    id: "slider_motor",
    what: "a motor",
    written: "`motor = { … }` of a slider",
    about: "Keeps a speed, or aims at a position, as long as its force allows.",
    parts: &[&[
        usual("speed", NUMBER, "0.0", "the speed that it keeps")
            .like("2.0")
            .unit("m/s"),
        needed("force", AT_LEAST_ZERO, "50.0", "how strong it is").unit("N"),
        left_out(
            "position",
            NUMBER,
            "none: it keeps a `speed`",
            "0.5",
            "where it aims at, from where the slider starts",
        )
        .unit("m")
        .beside(&["-speed"]),
        left_out(
            "stiffness",
            POSITIVE,
            "ten times `force`: all of it at 0.1 m",
            "200.0",
            "force for each metre that is missing",
        )
        .unit("N/m")
        .beside(&["-speed", "position = 0.5"]),
        left_out(
            "damping",
            AT_LEAST_ZERO,
            "`stiffness` times 0.1 s",
            "20.0",
            "force for each m/s",
        )
        .unit("N s/m")
        .beside(&["-speed", "position = 0.5"]),
    ]],
    example: driven!("slider", "force"),
};

/// What draws a joint to a place.
pub const JOINT_SPRING: Section = Section {
    id: "joint_spring",
    what: "a joint's spring",
    written: "`spring = { … }` of a joint",
    about: "Pulls towards where it rests. One that swings by more than half a radian in a sub-step of the solver is kept stable, and swings less than it should.",
    parts: &[&[
        needed("stiffness", AT_LEAST_ZERO, "100.0", "force for each metre, of a hinge torque for each radian").unit("N/m or N m/rad"),
        usual("damping", AT_LEAST_ZERO, "0.0", "force for each m/s, of a hinge torque for each rad/s").like("2.0").unit("N s/m or N m s/rad"),
        left_out("rest", NUMBER, "where the joint starts", "0.5", "where it does not pull: the distance of the two points of a `spring`; of a hinge or slider from where it starts").unit("m or °"),
    ]],
    example: Example {
        scene: r#"
name = "sprung"
until = 0.1

[contact]

[[body]]
name = "hook"
kind = "fixed"
shape = { box = [0.1, 0.1, 0.1] }
position = [0, 1, 0]

[[body]]
name = "bob"
shape = { ball = 0.1 }

[[joint]]
kind = "spring"
bodies = ["hook", "bob"]
spring = { stiffness = 100 }
"#,
        at: "joint.0.spring",
    },
};
