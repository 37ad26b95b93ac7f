//! One of every shape, turning above a hilly field, and a cloth that waves: what exports, pictures and
//! the viewer must be able to show.
//!
//! `cargo run -p warpline-record --example shapes -- shapes.wline [seconds]`

use std::f64::consts::PI;
use std::path::Path;
use warpline_record::*;

const ROWS: usize = 24;
const FRAMES_PER_SECOND: i64 = 20;

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let path = args.next().unwrap_or("shapes.wline".into());
    let seconds = args.next().map_or(Ok(4.0), |text| text.parse())?;
    record(Path::new(&path), seconds)?;
    println!("{path}");
    Ok(())
}

/// Records the shapes for `seconds`.
pub fn record(path: &Path, seconds: f64) -> Result<()> {
    let until = (seconds * TICKS_PER_SECOND) as i64;
    let bodies = bodies();
    let header = Header {
        scene: "shapes".into(),
        algorithm: "none".into(),
        gravity: [0.0, -9.81, 0.0],
        until,
        bodies,
        ..Header::default()
    };
    let mut writer = Writer::create(path, &header)?;
    for (body, about) in header.bodies.iter().enumerate() {
        if body != CLOTH {
            writer.append(&turning(body, about.kind))?;
        }
    }
    let frames = (seconds * FRAMES_PER_SECOND as f64) as i64;
    for frame in 0..=frames {
        let time = frame as f64 / FRAMES_PER_SECOND as f64;
        let tick = (time * TICKS_PER_SECOND) as i64;
        writer.append_vertices(CLOTH as u32, tick, &cloth(time))?;
    }
    writer.gvt(until);
    writer.finish("{}")
}

const CLOTH: usize = 1;

fn bodies() -> Vec<Body> {
    let body = |name: &str, kind, shapes: Vec<ShapeAt>| Body {
        name: name.into(),
        kind,
        shapes,
        color: None,
    };
    let one = ShapeAt::centred;
    let hill = |i: usize, j: usize| 0.5 * (i as f64 / 3.0).sin() * (j as f64 / 4.0).cos() - 0.5;
    let heights = (0..30)
        .map(|i| (0..30).map(|j| hill(i, j)).collect())
        .collect();
    let field = Shape::HeightField {
        heights,
        scale: [14.0, 1.0, 14.0],
    };
    let mesh = Shape::Mesh {
        vertices: cloth(0.0),
        triangles: cloth_triangles(),
    };
    let points = (0..24).map(|i| {
        let (y, turn) = (1.0 - (f64::from(i) + 0.5) / 12.0, 2.4 * f64::from(i));
        let r = (1.0 - y * y).sqrt();
        [0.6 * r * turn.cos(), 0.7 * y, 0.6 * r * turn.sin()]
    });
    let tetrahedron = Shape::Mesh {
        vertices: vec![
            [0.0, 0.7, 0.0],
            [0.6, -0.4, 0.4],
            [-0.6, -0.4, 0.4],
            [0.0, -0.4, -0.7],
        ],
        triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    };
    let water = [
        ([0.0; 3], 0.4),
        ([0.35, 0.3, 0.0], 0.25),
        ([-0.35, 0.3, 0.0], 0.25),
    ];
    let ball = |(position, radius)| ShapeAt {
        position,
        ..one(Shape::Ball { radius })
    };
    vec![
        body("field", Kind::Fixed, vec![one(field)]),
        body("cloth", Kind::Dynamic, vec![one(mesh)]),
        body(
            "ball",
            Kind::Dynamic,
            vec![one(Shape::Ball { radius: 0.6 })],
        ),
        body(
            "box",
            Kind::Dynamic,
            vec![one(Shape::Box {
                half_extents: [0.6, 0.3, 0.45],
            })],
        ),
        body(
            "capsule",
            Kind::Dynamic,
            vec![one(Shape::Capsule {
                half_height: 0.4,
                radius: 0.3,
            })],
        ),
        body(
            "cylinder",
            Kind::Dynamic,
            vec![one(Shape::Cylinder {
                half_height: 0.5,
                radius: 0.4,
            })],
        ),
        body(
            "hull",
            Kind::Dynamic,
            vec![one(Shape::Hull {
                points: points.collect(),
            })],
        ),
        body("mesh", Kind::Dynamic, vec![one(tetrahedron)]),
        body(
            "water",
            Kind::Kinematic,
            water.into_iter().map(ball).collect(),
        ),
    ]
}

/// Bodies stand in a ring and turn about themselves.
fn turning(body: usize, kind: Kind) -> Segment<'static> {
    let turn = 2.0 * PI * body as f64 / 7.0;
    let moves = kind != Kind::Fixed;
    Segment {
        body: body as u32,
        start: 0,
        micro: 0,
        event: Event::Start,
        partner: NO_PARTNER,
        group: NO_GROUP,
        position: if moves {
            [3.0 * turn.cos(), 1.2, 3.0 * turn.sin()]
        } else {
            [0.0; 3]
        },
        velocity: [0.0; 3],
        acceleration: [0.0; 3],
        rotation: [0.0, 0.0, 0.0, 1.0],
        spin: if moves { [0.5, 1.0, 0.3] } else { [0.0; 3] },
        momentum: None,
        impulse: 0.0,
        knots: &[],
    }
}

/// A square cloth that hangs in the middle and waves.
fn cloth(time: f64) -> Vec<[f64; 3]> {
    let place = |k: usize| k as f64 / (ROWS - 1) as f64 - 0.5;
    let vertex = |i: usize| {
        let (x, z) = (place(i % ROWS), place(i / ROWS));
        [
            2.6 * x,
            2.2 + 0.35 * (6.0 * x + 3.0 * time).sin() * (4.0 * z + time).cos(),
            2.6 * z,
        ]
    };
    (0..ROWS * ROWS).map(vertex).collect()
}

fn cloth_triangles() -> Vec<[u32; 3]> {
    let rows = ROWS as u32;
    let cell = |k: u32| {
        let a = k / (rows - 1) * rows + k % (rows - 1);
        [[a, a + rows, a + rows + 1], [a, a + rows + 1, a + 1]]
    };
    (0..(rows - 1) * (rows - 1)).flat_map(cell).collect()
}
