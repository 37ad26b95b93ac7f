//! Shapes.

use super::bodies::PLACE;
use super::world::DROP;
use super::*;

/// The keys of which a shape has exactly one.
pub const SHAPE_KINDS: [&str; 9] = [
    "ball",
    "box",
    "capsule",
    "cylinder",
    "hull",
    "random_hull",
    "half_space",
    "mesh",
    "height_field",
];

const POINTS: Kind = Kind::List(&Kind::Vector);

/// A shape.
pub const SHAPE: Section = Section {
    id: "shape",
    what: "a shape",
    written: "`shape = { … }`, an item of `shapes`",
    about: "Exactly one of the keys that name a kind, and where it is in the body's own frame. Sizes are full extents.",
    parts: &[
        &[
            left_out("ball", POSITIVE, "", "0.1", "a ball: its radius").unit("m"),
            left_out("box", Kind::Vector, "", "[0.4, 0.2, 0.3]", "a box: its three edges").unit("m").beside(&["-ball"]),
            left_out("capsule", Kind::Table(&CAPSULE), "", "{ length = 0.3, radius = 0.05 }", "a capsule along y").beside(&["-ball"]),
            left_out("cylinder", Kind::Table(&CYLINDER), "", "{ height = 0.3, radius = 0.1 }", "a cylinder along y").beside(&["-ball"]),
            left_out("hull", POINTS, "", "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]", "the convex hull of points").unit("m").beside(&["-ball"]),
            left_out("random_hull", Kind::Table(&RANDOM_HULL), "", "{ vertices = 20, size = 0.3 }", "a rock").beside(&["-ball"]),
            left_out("half_space", Kind::Vector, "", "[0, 1, 0]", "all that lies below a plane, given by its normal. For fixed bodies, and kinematic ones that do not turn").beside(&["-ball", "^body.0.kind = \"fixed\""]),
            left_out("mesh", Kind::Either(&[Kind::Text, Kind::Table(&MESH)]), "", "{ vertices = [[0, 0, 0], [1, 0, 0], [0, 0, 1]], triangles = [[0, 2, 1]] }", "triangles, from a file (`mesh = \"run.stl\"`) or written out").beside(&["-ball", "^body.0.kind = \"fixed\""]),
            left_out("height_field", Kind::Table(&HEIGHT_FIELD), "", "{ size = [10, 1, 10], heights = [[0, 0], [0, 1]] }", "a landscape, for fixed bodies").beside(&["-ball", "^body.0.kind = \"fixed\""]),
        ],
        &[PLACE[0], PLACE[1]],
    ],
    example: Example {
        scene: DROP,
        at: "body.0.shape",
    },
};

/// A capsule.
pub const CAPSULE: Section = Section {
    id: "capsule",
    what: "a capsule",
    written: "`capsule = { … }`",
    about: "A straight line thickened to a radius.",
    parts: &[&[
        needed("length", POSITIVE, "0.3", "of the straight part, along y").unit("m"),
        needed("radius", POSITIVE, "0.05", "its radius").unit("m"),
    ]],
    example: Example {
        scene: r#"
name = "capsule"
until = 0.1

[[body]]
name = "capsule"
shape = { capsule = { length = 0.3, radius = 0.05 } }
"#,
        at: "body.0.shape.capsule",
    },
};

/// A cylinder.
pub const CYLINDER: Section = Section {
    id: "cylinder",
    what: "a cylinder",
    written: "`cylinder = { … }`",
    about: "A cylinder with flat ends.",
    parts: &[&[
        needed("height", POSITIVE, "0.3", "along y").unit("m"),
        needed("radius", POSITIVE, "0.1", "its radius").unit("m"),
    ]],
    example: Example {
        scene: r#"
name = "cylinder"
until = 0.1

[[body]]
name = "cylinder"
shape = { cylinder = { height = 0.3, radius = 0.1 } }
"#,
        at: "body.0.shape.cylinder",
    },
};

/// A rock.
pub const RANDOM_HULL: Section = Section {
    id: "random_hull",
    what: "a random hull",
    written: "`random_hull = { … }`",
    about: "The hull of points near a stretched sphere: a rock. The same seed makes the same rock.",
    parts: &[&[
        usual("vertices", Kind::Whole(4, 10_000), "20", "how many points"),
        usual("size", POSITIVE, "1.0", "about its longest extent").unit("m"),
        usual("seed", SEED, "0", "another one makes another rock"),
    ]],
    example: Example {
        scene: r#"
name = "rock"
until = 0.1

[[body]]
name = "rock"
shape = { random_hull = {} }
spin = [1, 2, 0]
"#,
        at: "body.0.shape.random_hull",
    },
};

/// Triangles.
pub const MESH: Section = Section {
    id: "mesh",
    what: "a mesh",
    written: "`mesh = { … }`; `mesh = \"FILE\"` is short for `{ file = \"FILE\" }`",
    about: "Triangles from a file, or `vertices` and `triangles` written out. What they become is said by `as`: the surface itself (fixed bodies), its convex hull, or convex pieces that together fill the solid that it encloses (bodies of any kind).",
    parts: &[&[
        left_out(
            "file",
            Kind::Label,
            "`vertices` and `triangles`",
            "\"tetrahedron.obj\"",
            "OBJ, STL or glTF (`.gltf`, `.glb`); a path that begins at the scene's file",
        )
        .beside(&["-vertices", "-triangles"]),
        usual(
            "scale",
            POSITIVE,
            "1.0",
            "what the file's numbers are multiplied with: 0.001 where they are millimetres",
        ),
        usual(
            "as",
            Kind::Word(&["surface", "hull", "pieces"]),
            "\"surface\"",
            "what the triangles become",
        ),
        usual(
            "pieces",
            Kind::Whole(1, 1024),
            "16",
            "how many convex pieces at most",
        )
        .beside(&["as = \"pieces\""]),
        usual(
            "resolution",
            Kind::Whole(8, 400),
            "64",
            "how finely the solid is looked at to find its pieces: voxels along its longest side",
        )
        .beside(&["as = \"pieces\""]),
        left_out(
            "vertices",
            POINTS,
            "from the `file`",
            "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]",
            "corners",
        )
        .unit("m"),
        left_out(
            "triangles",
            Kind::List(&Kind::Exactly(3, &Kind::Whole(0, u32::MAX as u64))),
            "from the `file`",
            "[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]",
            "three corners each, numbered from 0, against the clock seen from outside",
        ),
    ]],
    example: Example {
        scene: r#"
name = "mesh"
until = 0.1

[[body]]
name = "wedge"
kind = "fixed"
shape = { mesh = { vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] } }
"#,
        at: "body.0.shape.mesh",
    },
};

/// A landscape.
pub const HEIGHT_FIELD: Section = Section {
    id: "height_field",
    what: "a height field",
    written: "`height_field = { … }`",
    about: "Heights on a regular grid about the origin, given as rows or made as `hills`.",
    parts: &[&[
        needed(
            "size",
            Kind::Vector,
            "[10, 1, 10]",
            "extent along x, factor on heights, extent along z",
        )
        .unit("m"),
        left_out(
            "heights",
            Kind::List(&Kind::List(&NUMBER)),
            "`hills`",
            "[[0, 0], [0, 1]]",
            "rows along z of heights along x",
        ),
        left_out(
            "hills",
            Kind::Table(&HILLS),
            "`heights`",
            "{ cells = 16 }",
            "hills made from a seed",
        )
        .beside(&["-heights"]),
    ]],
    example: Example {
        scene: r#"
name = "field"
until = 0.1

[[body]]
name = "field"
kind = "fixed"
shape = { height_field = { size = [10, 1, 10], heights = [[0, 0], [0, 1]] } }
"#,
        at: "body.0.shape.height_field",
    },
};

/// Hills.
pub const HILLS: Section = Section {
    id: "hills",
    what: "hills",
    written: "`hills = { … }` of a height field",
    about: "Heights from -1 to 1: a few plane waves of random direction and phase.",
    parts: &[&[
        usual("cells", Kind::Whole(1, 2048), "16", "cells along each side"),
        usual(
            "waves",
            POSITIVE,
            "2.0",
            "about how many hills along each side",
        ),
        usual("seed", SEED, "0", "another one makes other hills"),
    ]],
    example: Example {
        scene: r#"
name = "hills"
until = 0.2

[[body]]
name = "hills"
kind = "fixed"
shape = { height_field = { size = [10, 1, 10], hills = {} } }

[[body]]
name = "ball"
shape = { ball = 0.1 }
position = [0, 1.1, 0]
velocity = [0, -9, 0]
"#,
        at: "body.0.shape.height_field.hills",
    },
};
