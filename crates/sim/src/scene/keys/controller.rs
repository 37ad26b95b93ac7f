//! Controllers.

use super::bodies::FOR;
use super::*;

/// What sets the motors of a multibody.
pub const CONTROLLER: Section = Section {
    id: "controller",
    what: "a controller",
    written: "`[[controller]]`",
    about: "A program that is run at a fixed rate and sets the motors of a multibody or robot. Its lines are assignments, run from the first to the last: `signal(\"joint\") = …` sets what the motor of a joint is told (a force, velocity or position, whatever it is), a slot remembers until the next run, and any other name holds until the program's end. Expressions are those of scenes, and see `time` (s), `position(\"joint\")` and `velocity(\"joint\")` of a hinge or slide (rad, m), `signal(\"joint\")`, and of a link `place(\"link\", \"x\")` (m), `speed(\"link\", \"x\")` (m/s), `spin(\"link\", \"x\")` (rad/s) and `axis(\"link\", \"x\", \"z\")`, the z component of its own x axis. What belongs to another multibody that it `drives` is called after that: `signal(\"other.joint\")`; bodies that it `sees` are named like links. `table(time, 0, 0, 2, 1.5, 5, 0)` is straight between points. What would not be a finite number is not set.",
    parts: &[
        &[
            needed(
                "multibody",
                Kind::Label,
                "\"pendulum\"",
                "the name of the multibody or robot",
            ),
            usual("rate", POSITIVE, "100", "how often it runs").unit("1/s"),
            usual("first", AT_LEAST_ZERO, "0", "when it runs first").unit("s"),
            left_out(
                "slots",
                Kind::Named(&NUMBER),
                "none",
                "{ phase = 0 }",
                "what it remembers, and what that is at the start. Slots are rolled back with the multibody",
            ),
            left_out(
                "drives",
                Kind::List(&Kind::Label),
                "none",
                "[\"pendulum\"]",
                "other multibodies or robots whose joints and links the program sees and whose motors it sets, as `position(\"pendulum.link 2\")`. They begin new segments with it",
            )
            .beside(&["multibody = \"arm\"", "run = [\"signal('pendulum.link 2') = 0\"]"]),
            left_out(
                "sees",
                Kind::List(&Kind::Label),
                "none",
                "[\"box\"]",
                "dynamic bodies that it looks at, by `place`, `speed`, `spin` and `axis`",
            ),
            left_out(
                "run",
                Kind::List(&Kind::Text),
                "needed, unless there is `pick_and_throw`",
                "[\"signal('link 2') = -3 * velocity('link 2')\"]",
                "its lines",
            ),
            left_out(
                "pick_and_throw",
                Kind::Table(&PICK_AND_THROW),
                "none",
                "{ boxes = [\"box\"] }",
                "a controller that comes with the simulator, in place of lines and slots",
            )
            .beside(&["-run", "multibody = \"arm\""]),
        ],
        &FOR,
    ],
    example: Example {
        scene: SCENE_WITH_BOTH,
        at: "controller.0",
    },
};

/// A controller that comes with the simulator.
pub const PICK_AND_THROW: Section = Section {
    id: "pick_and_throw",
    what: "a controller that picks boxes up",
    written: "`pick_and_throw = { … }` of a controller",
    about: "An arm looks for a box that lies flat within reach, picks it up by friction alone, swings it up and throws it over its head, again and again. The arm's eight links are called `turret`, `upper arm`, `forearm`, `twist`, `wrist`, `hand`, `left finger` and `right finger`, each with a motor `{ force = 0 }`; they are placed as in the scene `robots`. Rates from 50 on are enough.",
    parts: &[&[
        needed(
            "boxes",
            Kind::List(&Kind::Label),
            "[\"box\"]",
            "names of the boxes that it may pick up: cubes",
        ),
        usual(
            "grip",
            POSITIVE,
            "0.075",
            "from the joints of the fingers to the middle of what they hold",
        )
        .unit("m"),
    ]],
    example: Example {
        scene: SCENE_WITH_ARM,
        at: "controller.0.pick_and_throw",
    },
};

macro_rules! arm {
    ($more:literal) => {
        concat!(
            r#"
name = "controlled"
until = 0.2

[[body]]
name = "box"
shape = { box = [0.1, 0.1, 0.1] }
position = [9, 0, 0]

[[multibody]]
name = "arm"
links = [
    { name = "turret", joint = "hinge", axis = [0, 1, 0], shape = { ball = 0.1 }, motor = { force = 0 } },
    { name = "upper arm", parent = "turret", joint = "hinge", axis = [0, 0, -1], position = [0, 0.2, 0], shape = { ball = 0.1 }, motor = { force = 0 } },
    { name = "forearm", parent = "upper arm", joint = "hinge", axis = [0, 0, -1], position = [0, 0.4, 0], shape = { ball = 0.1 }, motor = { force = 0 } },
    { name = "twist", parent = "forearm", joint = "hinge", axis = [0, 1, 0], position = [0, 0.2, 0], shape = { ball = 0.1 }, motor = { force = 0 } },
    { name = "wrist", parent = "twist", joint = "hinge", axis = [0, 0, -1], position = [0, 0.2, 0], shape = { ball = 0.1 }, motor = { force = 0 } },
    { name = "hand", parent = "wrist", joint = "hinge", axis = [0, 1, 0], position = [0, 0.1, 0], shape = { ball = 0.1 }, motor = { force = 0 } },
    { name = "left finger", parent = "hand", joint = "slide", axis = [0, 0, -1], position = [0, 0.1, 0], shape = { ball = 0.1 }, motor = { force = 0 } },
    { name = "right finger", parent = "hand", joint = "slide", axis = [0, 0, 1], position = [0, 0.1, 0], shape = { ball = 0.1 }, motor = { force = 0 } },
]
"#,
            $more
        )
    };
}

const SCENE_WITH_ARM: &str = arm!(
    r#"
[[controller]]
multibody = "arm"
pick_and_throw = { boxes = ["box"] }
"#
);

const SCENE_WITH_BOTH: &str = arm!(
    r#"
[[multibody]]
name = "pendulum"
position = [4, 0, 0]
links = [
    { name = "link 1", joint = "hinge", axis = [0, 0, 1], shape = { ball = 0.1, position = [0, -1, 0] } },
    { joint = "hinge", axis = [0, 0, 1], shape = { box = [0.1, 1, 0.1], position = [2, -0.5, 0] }, motor = { force = 1 } },
]

[[controller]]
multibody = "pendulum"
run = ["signal('link 2') = -3 * velocity('link 2')"]
"#
);
