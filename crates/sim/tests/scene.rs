//! Scenes: every built-in one is a valid world, generators keep their promises, and what is wrong with a
//! scene is said with the line it stands on.

use warpline_sim::overlap::overlaps;
use warpline_sim::scene::{BUILTIN, Override, Scene, SceneError, builtin, load};
use warpline_sim::{Kind, World};

fn read(text: &str, overrides: &[&str]) -> Result<Scene, Box<SceneError>> {
    let overrides: Vec<Override> = overrides
        .iter()
        .map(|o| Override::parse(o).unwrap())
        .collect();
    load("test.toml", text, &overrides)
}

fn world(name: &str, overrides: &[&str]) -> World {
    match read(builtin(name).unwrap().text, overrides) {
        Ok(scene) => scene.world,
        Err(error) => panic!("{error}"),
    }
}

fn fault(text: &str, overrides: &[&str]) -> Box<SceneError> {
    match read(text, overrides) {
        Ok(_) => panic!("the scene was accepted: {text}"),
        Err(error) => error,
    }
}

fn starts(world: &World) -> Vec<physics::State> {
    world.bodies.iter().map(|b| b.start).collect()
}

#[test]
fn every_built_in_scene_is_valid_and_described() {
    for scene in BUILTIN {
        let read = load(scene.name, scene.text, &[]);
        let read = read.unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(read.world.name, scene.name);
        assert!(!read.description.is_empty());
        assert!(read.world.moving() > 0 || !read.world.deformables.is_empty());
    }
}

#[test]
fn atoms_has_the_papers_numbers_of_bodies() {
    let atoms = world("atoms", &[]);
    assert_eq!((atoms.moving(), atoms.bodies.len()), (302, 308));
    assert_eq!(atoms.until.seconds(), 120.0);
    let named = |w: &World, what: &str| {
        let bodies = w.bodies.iter();
        bodies.filter(|b| b.name.starts_with(what)).count()
    };
    assert_eq!(
        (named(&atoms, "sphere"), named(&atoms, "molecule")),
        (200, 100)
    );
    let small = world("atoms", &["bodies=25", "divider=still", "until=2"]);
    assert_eq!(
        (named(&small, "sphere"), named(&small, "molecule")),
        (17, 8)
    );
    for panel in small.bodies.iter().filter(|b| b.kind == Kind::Kinematic) {
        let script = panel.script.as_ref().unwrap();
        assert!(script.keys.windows(2).all(|k| k[0].pose == k[1].pose));
    }
}

#[test]
fn a_scene_means_the_same_world_each_time_and_another_for_another_seed() {
    let (a, b) = (world("tumblers", &[]), world("tumblers", &[]));
    assert_eq!(starts(&a), starts(&b));
    assert_ne!(starts(&a), starts(&world("tumblers", &["seed=2"])));
}

#[test]
fn the_scene_as_run_can_be_read_again() {
    let changed = world(
        "atoms",
        &["bodies=30", "divider=still", "box.friction=0.25"],
    );
    let again = read(&changed.source, &[]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(starts(&changed), starts(&again.world));
    assert_eq!(again.world.models[0].material.friction, 0.25);
}

#[test]
fn scatter_fills_thirty_percent_of_a_box_without_overlap() {
    // 30 % of 1000 m^3 with balls of 0.15 m
    let gas = world("gas", &["bodies=21220"]);
    overlaps(&gas, &starts(&gas), 0.0, |a, b, depth| {
        panic!("{a:?} and {b:?} overlap by {depth}")
    });
}

#[test]
fn scattered_speeds_are_maxwells() {
    let gas = world("gas", &["bodies=20000", "size=40"]);
    let dynamic = || gas.bodies.iter().filter(|b| b.kind == Kind::Dynamic);
    let moment = |power: i32| {
        let sum: f64 = dynamic()
            .map(|b| b.start.velocity.length().powi(power))
            .sum();
        sum / 20000.0
    };
    // <v^2> = 9 with relative error sqrt(2/3N) = 0.6 %; four of them
    assert!((moment(2) / 9.0 - 1.0).abs() < 0.024);
    // <v^4>/<v^2>^2 = 5/3 with a standard error of about 0.011 at this N; four of them
    assert!((moment(4) / moment(2).powi(2) - 5.0 / 3.0).abs() < 0.045);
}

#[test]
fn too_many_bodies_for_a_region_are_refused_with_a_count() {
    let text = builtin("gas").unwrap().text;
    let error = fault(text, &["bodies=2000", "size=2"]);
    assert!(error.message.contains("do not fit"), "{error}");
    assert!(error.message.contains("room for about"), "{error}");
}

const HEAD: &str = "name = 'x'\nuntil = 1\n";

/// A scene of one body with the given lines after its `[[body]]` (line 3).
fn body(lines: &str) -> String {
    format!("{HEAD}[[body]]\n{lines}\n")
}

#[test]
fn faults_carry_their_line_and_the_offending_text() {
    let ball = |lines: &str| body(&format!("shape = {{ ball = 1 }}\n{lines}"));
    for (text, line, excerpt, message) in [
        (ball("mas = 2"), 5, "mas", "unknown key `mas`"),
        (ball("mass = -2"), 5, "-2", "expected a positive number"),
        (ball("position = [0, nan, 0]"), 5, "nan", "finite number"),
        (ball("position = [0, 0]"), 5, "[0, 0]", "expected three"),
        (ball("kind = 'dinamic'"), 5, "'dinamic'", "unknown kind"),
        (ball("material = 'ice'"), 5, "'ice'", "no material `ice`"),
        (ball("kind = 'fixed'\nmass = 1"), 6, "1", "has no `mass`"),
        (
            ball("rotation = [0, 0, 0, 0]"),
            5,
            "[0",
            "quaternion is zero",
        ),
        (ball("color = 'red'"), 5, "'red'", "#rrggbb"),
        (body("shape = { ball = -1 }"), 4, "-1", "positive, finite"),
        (body("shape = { ball = nan }"), 4, "nan", "finite number"),
        (body("shape = { ball = inf }"), 4, "inf", "finite number"),
        (
            body("shape = { ball = '$r' }"),
            4,
            "'$r'",
            "not a parameter",
        ),
        (
            body("shape = { hull = [[0,0,0],[1,0,0],[0,1,0],[1,1,0]] }"),
            4,
            "{ hull",
            "no volume",
        ),
        (
            body("shape = { half_space = [0,1,0] }"),
            4,
            "{ half",
            "fixed body",
        ),
        (
            body("shape = { ball = 1, box = [1,1,1] }"),
            4,
            "{ ball",
            "exactly one of",
        ),
        (
            format!("{HEAD}gravity = 9.81\n"),
            3,
            "9.81",
            "must be a list",
        ),
        (
            "name = 'x'\nuntil = -1\n".into(),
            2,
            "-1",
            "not after its start",
        ),
        ("name = 'x'\nuntil = 1 1\n".into(), 2, "", "not valid TOML"),
        (
            format!("{HEAD}[parameters]\na = '$b'\nb = '$a'\n"),
            4,
            "'$b'",
            "circle",
        ),
    ] {
        let error = fault(&text, &[]);
        assert!(error.message.contains(message), "{text}\n{error}");
        assert_eq!(error.line(), line, "{text}\n{error}");
        assert!(error.excerpt().starts_with(excerpt), "{text}\n{error}");
    }
}

#[test]
fn overlapping_bodies_are_named_with_both_lines() {
    let text = format!(
        "{HEAD}[[body]]\nname = 'left'\nshape = {{ ball = 1 }}\n\
         [[body]]\nname = 'right'\nshape = {{ ball = 1 }}\nposition = [1.5, 0, 0]\n"
    );
    let error = fault(&text, &[]);
    let expected = "`left` and `right` overlap by 0.5 m";
    assert!(error.message.contains(expected), "{error}");
    assert_eq!(error.line(), 6);
    assert!(error.help.as_ref().unwrap().contains("line 3"), "{error}");
}

#[test]
fn misspelt_words_get_suggestions() {
    let hint = |e: &SceneError| e.help.clone().unwrap_or_default();
    let error = fault(&body("shape = { ball = 1 }\nvelosity = [1, 0, 0]"), &[]);
    assert!(hint(&error).contains("did you mean `velocity`"), "{error}");
    let atoms = builtin("atoms").unwrap().text;
    let error = fault(atoms, &["bodys=3"]);
    assert!(hint(&error).contains("did you mean `bodies`"), "{error}");
    assert_eq!(error.source_name, "command line");
    let error = fault(atoms, &["divider=stil"]);
    assert!(hint(&error).contains("did you mean `still`"), "{error}");
    assert_eq!(error.excerpt(), "stil");
}

#[test]
fn overrides_reach_any_value() {
    let text = "name = 'x'\nuntil = 1\n[[body]]\nname = 'a'\nshape = { ball = 1 }\n\
                [[body]]\nname = 'b'\nshape = { ball = 1 }\nposition = [5, 0, 0]\n";
    let changes = [
        "body.a.mass=3",
        "body.1.position=[7,0,0]",
        "gravity=[0,0,-1]",
    ];
    let world = read(text, &changes).unwrap_or_else(|e| panic!("{e}")).world;
    assert_eq!(world.models[0].mass.mass, 3.0);
    assert_eq!(world.bodies[1].start.position.x, 7.0);
    assert_eq!(world.gravity.z, -1.0);
    for bad in ["body.c.mass=3", "body.0.name.x=1", "nothing=1"] {
        let error = fault(text, &[bad]);
        assert_eq!(error.source_name, "command line", "{bad}: {error}");
    }
}

#[test]
fn a_parameter_keeps_to_its_bounds() {
    let text = "name = 'x'\nuntil = 1\n[parameters]\nradius = 1\n\
                apart = { value = 3, min = '2 * $radius', max = 10, about = 'from ball to ball' }\n\
                [[body]]\nname = 'a'\nshape = { ball = '$radius' }\nposition = ['$apart', 0, 0]\n";
    for sets in [
        &[][..],
        &["apart=2"],
        &["apart=10"],
        &["radius=0.1", "apart=0.2"],
    ] {
        let scene = read(text, sets).unwrap_or_else(|e| panic!("{e}"));
        let again = read(&scene.world.source, &[]).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(again.parameters, scene.parameters);
    }
    let bounds = |name: &str| {
        let scene = read(text, &[]).unwrap_or_else(|e| panic!("{e}"));
        let found = scene.parameters.iter().find(|p| p.name == name);
        found.expect("a parameter").bounds
    };
    assert_eq!(bounds("apart"), [2.0, 10.0]);
    assert_eq!(bounds("radius"), [f64::NEG_INFINITY, f64::INFINITY]);
    for set in ["apart=1.9", "apart=11", "apart=4 * $apart"] {
        let error = fault(text, &[set]);
        assert!(error.message.contains("from 2 to 10"), "{set}: {error}");
        assert_eq!(error.source_name, "command line", "{set}: {error}");
        assert!(
            error
                .help
                .as_ref()
                .is_some_and(|help| help.contains("from ball to ball"))
        );
    }
    let error = fault(text, &["radius=1.6"]);
    assert_eq!((error.source_name.as_str(), error.line()), ("test.toml", 5));
    for (bound, message) in [
        ("'$apart'", "circle"),
        ("'two'", "must be a number"),
        ("[1]", "found a list"),
    ] {
        let error = fault(&text.replace("'2 * $radius'", bound), &[]);
        assert!(error.message.contains(message), "{bound}: {error}");
    }
}

#[test]
fn an_override_may_be_an_expression() {
    let text = "name = 'x'\nuntil = '$n'\n[parameters]\nn = 3\nm = { value = '2 * $n', about = 'twice' }\n\
                [[body]]\nname = 'a'\nshape = { ball = 1 }\nmass = '$m'\n";
    let mass = |sets: &[&str]| {
        let scene = read(text, sets).unwrap_or_else(|e| panic!("{e}"));
        let again = read(&scene.world.source, &[]).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(
            again.world.models[0].mass.mass,
            scene.world.models[0].mass.mass
        );
        scene.world.models[0].mass.mass
    };
    for (sets, expected) in [
        (&["n=2 * 5"][..], 20.0),
        (&["m=$n ^ 2"], 9.0),
        (&["m=\"$n + 1\""], 4.0),
        // A parameter in its own expression stands for what the scene says.
        (&["n=2 * $n"], 12.0),
        (&["m=$m / 4"], 1.5),
        (&["n=$n + 1", "n=$n + 1"], 10.0),
        (&["body.a.mass=10 * $n"], 30.0),
        (&["body.a.mass=min(7, 8)"], 7.0),
    ] {
        assert_eq!(mass(sets), expected, "{sets:?}");
    }
    for (set, message) in [
        ("n=2 *", "expected a number or an expression"),
        ("n=large", "expected a number or an expression"),
        ("n=2 * $k", "`$k` is not a parameter"),
        ("n=1 / 0", "finite number"),
    ] {
        let error = fault(text, &[set]);
        assert!(error.message.contains(message), "{set}: {error}");
        assert_eq!(error.source_name, "command line", "{set}: {error}");
    }
    let error = fault(text, &["n=$m"]);
    assert!(error.message.contains("circle"), "{error}");
}

#[test]
fn a_chain_is_written_once() {
    let text = "name = 'chain'\nuntil = 1\n[contact]\n[parameters]\nlinks = 40\n\
        [[body]]\nname = 'hook'\nkind = 'fixed'\nshape = { box = [0.1, 0.1, 0.1] }\nposition = [-0.5, 5, 0]\n\
        [[body]]\nfor = 'i = 1 to $links'\nname = 'link $i'\nshape = { capsule = { length = 0.2, radius = 0.02 } }\n\
        rotation = { axis = [0, 0, 1], degrees = 90 }\nposition = ['0.3 * $i', 5, 0]\n\
        [[joint]]\nname = 'hold'\nkind = 'ball'\nbodies = ['hook', 'link 1']\nanchor = [0.15, 5, 0]\n\
        [[joint]]\nfor = 'i = 1 to $links - 1'\nname = 'joint-$i'\nkind = 'ball'\n\
        bodies = ['link $i', 'link $($i + 1)']\nanchor = ['0.3 * $i + 0.15', 5, 0]\n";
    let world = read(text, &[]).unwrap_or_else(|e| panic!("{e}")).world;
    assert_eq!((world.bodies.len(), world.joints.len()), (41, 40));
    assert_eq!(world.joints[39].name, "joint-39");
    assert_eq!(world.joints[39].bodies, [39, 40]);
    assert!((world.bodies[40].start.position.x - 12.0).abs() < 1e-12);
    // Links are alike, so they share a model: one of the hook, one of all links.
    assert_eq!(world.models.len(), 4);
    let short = read(text, &["links=1"]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(short.world.joints.len(), 1, "from 1 to 0 there is nothing");
}

#[test]
fn loops_nest_and_decide_what_bodies_are_made_of() {
    let text = "name = 'pins'\nuntil = 1\n\
        [[body]]\nfor = ['row = 0 to 3', 'pin = 0 to $row']\nname = 'pin $row-$pin'\nkind = 'fixed'\n\
        shape = { ball = '0.1 + 0.01 * $row' }\nposition = ['$pin - $row / 2', '-$row', 0]\n";
    let world = read(text, &[]).unwrap_or_else(|e| panic!("{e}")).world;
    let names: Vec<&str> = world.bodies.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names[..3], ["pin 0-0", "pin 1-0", "pin 1-1"]);
    assert_eq!(names.len(), 10);
    let last = &world.bodies[9];
    assert_eq!(last.start.position, physics::Vec3::new(1.5, -3.0, 0.0));
    let radius = world.models[last.model.place()].bounding_radius();
    assert!((radius - 0.13).abs() < 1e-12);
}

#[test]
fn new_words_are_refused_with_their_line() {
    let ball = |lines: &str| body(&format!("shape = {{ ball = 1 }}\n{lines}"));
    let moving = |lines: &str| ball(&format!("kind = 'kinematic'\n{lines}"));
    let force = |lines: &str| format!("{HEAD}[forces.push]\nkind = 'constant'\n{lines}\n");
    let pair = |lines: &str| {
        format!("{HEAD}[materials.ice]\n[materials.steel]\n[[material_pair]]\n{lines}\n")
    };
    for (text, line, message) in [
        (ball("for = 'i'"), 5, "has no `=`"),
        (ball("for = 'i = 3'"), 5, "has no `to`"),
        (ball("for = 3"), 5, "must be a text"),
        (ball("for = 'i j = 1 to 2'"), 5, "not a name"),
        (ball("for = 'i = 1 to 2.5'"), 5, "expected a whole number"),
        (ball("for = 'i = 1 to $n'"), 5, "not a parameter"),
        (
            ball("for = 'i = 1 to 1e9'\nname = '$i'\nposition = ['3 * $i', 0, 0]\nmass = -1"),
            8,
            "positive",
        ),
        (ball("for = ['i = 1 to 2', 'i = 1 to 2']"), 5, "already"),
        (
            ball("for = 'i = 1 to 2'\nname = 'a'\nposition = ['3 * $i', 0, 0]"),
            3,
            "names must differ",
        ),
        (ball("name = 'link $i'"), 5, "not a parameter"),
        (ball("rolling_friction = -0.1"), 5, "at least 0"),
        (ball("spinning_friction = nan"), 5, "finite"),
        (
            ball("collides = ['walls']"),
            5,
            "no body is in the layer `walls`",
        ),
        (ball("layer = []"), 5, "names none"),
        (
            ball("layer = 'a'\ncollides = 'a'\nignores = 'a'"),
            7,
            "not both",
        ),
        (ball("repeat = true"), 5, "follows no `script`"),
        (moving(""), 3, "`script` is missing"),
        (
            moving("repeat = true\nspin = [0, 1, 0]"),
            3,
            "`script` is missing",
        ),
        (
            moving("repeat = true\nscript = [{ at = 1 }]"),
            7,
            "two keys",
        ),
        (
            moving("repeat = true\nscript = [{ at = 1 }, { at = 2, position = [1, 0, 0] }]"),
            7,
            "the pose it begins with",
        ),
        (
            moving("repeat = true\nspin = [0, 1, 0]\nscript = [{ at = 1 }, { at = 2 }]"),
            6,
            "does not go on",
        ),
        (moving("spin = [0, inf, 0]"), 6, "finite"),
        (
            body("kind = 'kinematic'\nshape = { half_space = [0, 1, 0] }\nspin = [0, 1, 0]"),
            3,
            "not turn",
        ),
        (force(""), 3, "has a `force`"),
        (force("force = [1, 0, nan]"), 5, "finite"),
        (
            force("force = [1, 0, 0]\nframe = 'moon'"),
            6,
            "`world` or `body`",
        ),
        (force("torque = [1, 0, 0]\nfrom = 1"), 6, "acts always"),
        (
            force("force = [1, 0, 0]\nfrom = 2\nuntil = 1"),
            7,
            "ends before",
        ),
        (
            force("torque = [1, 0, 0]\npoint = [1, 0, 0]"),
            6,
            "where a `force` acts",
        ),
        (
            pair("materials = ['ice', 'stel']\nfriction = 1"),
            6,
            "no material `stel`",
        ),
        (pair("materials = ['ice']\nfriction = 1"), 6, "two names"),
        (pair("materials = ['ice', 'steel']"), 5, "says nothing"),
        (
            pair("materials = ['ice', 'steel']\nrestitution = 2"),
            7,
            "from 0 to 1",
        ),
        (
            pair(
                "materials = ['ice', 'steel']\nfriction = 1\n\
                 [[material_pair]]\nmaterials = ['steel', 'ice']\nfriction = 1",
            ),
            8,
            "already",
        ),
    ] {
        let error = fault(&text, &[]);
        assert!(error.message.contains(message), "{text}\n{error}");
        assert_eq!(error.line(), line, "{text}\n{error}");
    }
}

#[test]
fn the_scenes_of_the_documentation_can_be_read() {
    for name in ["scenes.md", "joints.md"] {
        let path = format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"));
        let page = std::fs::read_to_string(path).expect("a page of the book");
        let blocks: Vec<&str> = page
            .split("```toml\n")
            .skip(1)
            .filter_map(|rest| rest.split("```").next())
            .collect();
        assert!(!blocks.is_empty(), "{name} shows no scene");
        for block in blocks {
            if let Err(error) = read(block, &[]) {
                panic!("{name}: {error}\n{block}");
            }
        }
    }
}
