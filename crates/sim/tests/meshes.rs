//! Bodies made of meshes from files: the same body from every format, as a surface, as a hull and as convex pieces; and
//! `[contact]` where a scene leaves it out.

use std::path::Path;
use warpline_sim::scene::{self, Scene};
use warpline_sim::{Algorithm, Discard, LookAhead, run};

/// An L of two boxes: 2 x 1 x 1 below, 1 x 1 x 1 on its left end. Volume 3.
const CORNERS: [[f32; 3]; 12] = [
    [0., 0., 0.],
    [2., 0., 0.],
    [2., 1., 0.],
    [1., 1., 0.],
    [1., 2., 0.],
    [0., 2., 0.],
    [0., 0., 1.],
    [2., 0., 1.],
    [2., 1., 1.],
    [1., 1., 1.],
    [1., 2., 1.],
    [0., 2., 1.],
];
const TRIANGLES: [[u32; 3]; 20] = [
    // Back (z = 0, seen from -z) and front.
    [0, 2, 1],
    [0, 3, 2],
    [0, 5, 3],
    [3, 5, 4],
    [6, 7, 8],
    [6, 8, 9],
    [6, 9, 11],
    [9, 10, 11],
    // Around.
    [0, 1, 7],
    [0, 7, 6],
    [1, 2, 8],
    [1, 8, 7],
    [2, 3, 9],
    [2, 9, 8],
    [3, 4, 10],
    [3, 10, 9],
    [4, 5, 11],
    [4, 11, 10],
    [5, 0, 6],
    [5, 6, 11],
];

fn obj() -> Vec<u8> {
    let mut text = String::new();
    for [x, y, z] in CORNERS {
        text += &format!("v {x} {y} {z}\n");
    }
    for [a, b, c] in TRIANGLES {
        text += &format!("f {} {} {}\n", a + 1, b + 1, c + 1);
    }
    text.into_bytes()
}

fn stl() -> Vec<u8> {
    let mut bytes = vec![0; 80];
    bytes.extend((TRIANGLES.len() as u32).to_le_bytes());
    for triangle in TRIANGLES {
        bytes.extend([0; 12]);
        for corner in triangle {
            for number in CORNERS[corner as usize] {
                bytes.extend(number.to_le_bytes());
            }
        }
        bytes.extend([0; 2]);
    }
    bytes
}

/// Binary glTF: the node is scaled by a half and moved, and the corners are stored so that it comes out right.
fn glb() -> Vec<u8> {
    let mut data: Vec<u8> = Vec::new();
    for [x, y, z] in CORNERS {
        for number in [2.0 * (x - 1.0), 2.0 * y, 2.0 * z] {
            data.extend(number.to_le_bytes());
        }
    }
    let corners = data.len();
    for index in TRIANGLES.iter().flatten() {
        data.extend((*index as u16).to_le_bytes());
    }
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
        "nodes":[{{"translation":[1,0,0],"children":[1]}},{{"mesh":0,"scale":[0.5,0.5,0.5]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":12,"type":"VEC3"}},
                     {{"bufferView":1,"componentType":5123,"count":60,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":{corners}}},
                       {{"buffer":0,"byteOffset":{corners},"byteLength":120}}],
        "buffers":[{{"byteLength":{}}}]}}"#,
        data.len()
    );
    let mut json = json.into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend(((12 + 8 + json.len() + 8 + data.len()) as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", json), (b"BIN\0", data)] {
        bytes.extend((chunk.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(chunk);
    }
    bytes
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in [("l.obj", obj()), ("l.stl", stl()), ("l.glb", glb())] {
        std::fs::write(folder.path().join(name), content).expect("a file");
    }
    folder
}

fn read(folder: &Path, text: &str) -> Result<Scene, String> {
    let file = folder.join("scene.toml");
    scene::load(&file.to_string_lossy(), text, &[]).map_err(|e| e.to_string())
}

fn body(kind: &str, mesh: &str) -> String {
    let density = match kind {
        "dynamic" => "density = 1",
        _ => "",
    };
    format!(
        "name = 't'\nuntil = 1\n[[body]]\nname = 'l'\nkind = '{kind}'\n{density}\nshape = {{ mesh = {mesh} }}\n"
    )
}

#[test]
fn the_same_body_comes_from_every_format() {
    let folder = folder();
    for name in ["l.obj", "l.stl", "l.glb"] {
        let mesh = format!("{{ file = '{name}', as = 'pieces' }}");
        let scene = read(folder.path(), &body("dynamic", &mesh)).expect("a scene");
        let model = &scene.world.models[0];
        // Pieces are cut along voxels of 2/64 m, and their hulls may reach over into the corner of the L by about one.
        let mass = model.mass.mass;
        assert!((2.9..3.2).contains(&mass), "{name}: {mass} kg");
        let hull = format!("{{ file = '{name}', as = 'hull', scale = 2 }}");
        let scene = read(folder.path(), &body("dynamic", &hull)).expect("a scene");
        // The hull fills the corner with a prism of 1/2: 3.5, and twice the size weighs eight times as much.
        let mass = scene.world.models[0].mass.mass;
        assert!((mass - 28.0).abs() < 1e-9, "{name}: {mass} kg");
    }
}

#[test]
fn a_ball_falls_into_the_corner_of_a_mesh_and_not_on_its_hull() {
    let folder = folder();
    for (mesh, until, height) in [
        ("'l.stl'", 0.5, 1.1),
        ("{ file = 'l.obj', as = 'pieces' }", 0.5, 1.1),
        // The hull's face from (1, 2) to (2, 1) stops the ball at x = 1.5 by 0.1 √2 above it, 0.109 s after the
        // start; then it rolls down.
        (
            "{ file = 'l.glb', as = 'hull' }",
            0.115,
            1.5 + 0.1 * 2f64.sqrt(),
        ),
    ] {
        let text = format!(
            "name = 't'\nuntil = {until}\n[[body]]\nname = 'l'\nkind = 'fixed'\nshape = {{ mesh = {mesh} }}\nfriction = 4\nrestitution = 0\n\
             [[body]]\nname = 'ball'\nshape = {{ ball = 0.1 }}\nposition = [1.5, 1.7, 0.5]\nrestitution = 0\nfriction = 4\n"
        );
        let scene = read(folder.path(), &text).expect("a scene");
        let algorithm = Algorithm::TimeWarp(LookAhead::Adaptive);
        let (_, states) = run(&scene.world, algorithm, &mut Discard).expect("a run");
        let lowest = states[1].position.y;
        // Voxels of 1/32 m are as well as pieces know where their faces are.
        let allowed = if mesh.contains("pieces") { 0.05 } else { 5e-3 };
        assert!(
            (lowest - height).abs() < allowed,
            "{mesh}: {lowest} m, not {height}"
        );
    }
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let folder = folder();
    let write = |name: &str, content: &[u8]| {
        std::fs::write(folder.path().join(name), content).expect("a file");
    };
    write("empty.stl", b"");
    write("words.obj", b"these are words\n");
    write("cut.glb", &glb()[..200]);
    write("mesh.zip", b"PK");
    let mut far = glb();
    let at = far
        .windows(11)
        .position(|w| w == b"\"count\":12,")
        .expect("a count");
    far[at + 8..at + 10].copy_from_slice(b"99");
    write("far.glb", &far);
    for (kind, mesh, message) in [
        ("fixed", "'nowhere.stl'", "cannot read"),
        ("fixed", "'.'", "not a file"),
        ("fixed", "'empty.stl'", "empty.stl"),
        ("fixed", "'words.obj'", "words.obj has no triangles"),
        ("fixed", "'cut.glb'", "cut.glb ends in the middle"),
        ("fixed", "'far.glb'", "far.glb"),
        ("fixed", "'mesh.zip'", "ending that is not known"),
        ("dynamic", "'l.stl'", "as = \"hull\""),
        ("dynamic", "{ file = 'l.stl' }", "as = \"pieces\""),
        (
            "fixed",
            "{ file = 'l.stl', as = 'pices' }",
            "did you mean `pieces`",
        ),
        ("fixed", "{ file = 'l.stl', pieces = 4 }", "as = \"pieces\""),
        (
            "fixed",
            "{ file = 'l.stl', vertices = [] }",
            "one or the other",
        ),
        ("fixed", "{ scale = 2 }", "a mesh is a `file`"),
    ] {
        let error = read(folder.path(), &body(kind, mesh)).err();
        let error = error.unwrap_or_else(|| panic!("{mesh} was read"));
        assert!(error.contains(message), "{mesh}: {error}");
    }
}

#[test]
fn contact_is_there_where_it_is_asked_for() {
    let scene = |head: &str, material: &str| {
        let text = format!(
            "name = 't'\nuntil = 1\n{head}\n[[body]]\nname = 'floor'\nkind = 'fixed'\nshape = {{ half_space = [0, 1, 0] }}\n{material}\n\
             [[body]]\nname = 'ball'\nshape = {{ ball = 0.1 }}\nposition = [0, 1, 0]\nrestitution = 0.5\n"
        );
        read(Path::new(""), &text)
            .expect("a scene")
            .world
            .contact
            .is_some()
    };
    assert!(scene("", ""));
    assert!(!scene("gravity = [0, 0, 0]", ""));
    // The larger restitution counts, and the ball has no other ball to meet.
    assert!(!scene("", "restitution = 1"));
    assert!(!scene("[contact]\nsolver = 'none'", ""));
    assert!(scene("gravity = [0, 0, 0]\n[contact]", ""));
}
