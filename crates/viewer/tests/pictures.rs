//! Pictures are of the scene: bodies stand where they are, light falls from above, nothing is left
//! half-written.

use record::{
    Body, Event, Header, Joint, JointKind, Kind, NO_PARTNER, Reader, Segment, Shape, ShapeAt,
    Writer,
};
use std::path::Path;
use warpline_viewer::{Animation, Error, Picture, animate, render};

const SECOND: i64 = 1 << 40;

/// A red ball that falls from 3 m onto a floor in one second of constant speed.
fn falling(folder: &Path) -> Reader {
    let path = folder.join("fall.wline");
    let body = |name: &str, kind, shape, color| Body {
        name: name.into(),
        kind,
        shapes: vec![ShapeAt::centred(shape)],
        color,
    };
    let floor = body(
        "floor",
        Kind::Fixed,
        Shape::HalfSpace {
            normal: [0.0, 1.0, 0.0],
        },
        None,
    );
    let ball = body(
        "ball",
        Kind::Dynamic,
        Shape::Ball { radius: 0.5 },
        Some([0.8, 0.02, 0.02]),
    );
    let header = Header {
        gravity: [0.0, -9.8, 0.0],
        bodies: vec![floor, ball],
        ..Header::default()
    };
    let mut writer = Writer::create(&path, &header).expect("temporary file");
    for (body, height, speed) in [(0, 0.0, 0.0), (1, 3.0, -2.5)] {
        let segment = Segment {
            body,
            start: 0,
            micro: 0,
            event: Event::Start,
            partner: NO_PARTNER,
            group: record::NO_GROUP,
            position: [0.0, height, 0.0],
            velocity: [0.0, speed, 0.0],
            acceleration: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            spin: [0.0; 3],
            momentum: None,
            impulse: 0.0,
            knots: &[],
        };
        writer.append(&segment).expect("in order");
    }
    writer.gvt(SECOND);
    writer.finish("{}").expect("room on disk");
    Reader::open(&path).expect("just written")
}

/// Width, height and RGB bytes of every frame.
fn decoded(path: &Path) -> (u32, u32, Vec<Vec<u8>>) {
    let file = std::io::BufReader::new(std::fs::File::open(path).expect("written"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
    let (width, height) = (reader.info().width, reader.info().height);
    let count = reader
        .info()
        .animation_control
        .map_or(1, |control| control.num_frames);
    let frames = (0..count).map(|_| {
        let mut pixels = vec![0; (width * height * 3) as usize];
        reader.next_frame(&mut pixels).expect("a frame");
        pixels
    });
    let frames = frames.collect();
    (width, height, frames)
}

/// The mean row and the number of the red pixels.
fn red(width: u32, pixels: &[u8]) -> (f64, usize) {
    let (mut rows, mut count) = (0.0, 0);
    for (i, pixel) in pixels.as_chunks::<3>().0.iter().enumerate() {
        if u16::from(pixel[0]) > 60 + 2 * u16::from(pixel[1]) {
            rows += (i as u32 / width) as f64;
            count += 1;
        }
    }
    (rows / f64::from(count.max(1) as u32), count)
}

#[test]
fn a_falling_ball_is_seen_to_fall_and_casts_a_shadow() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let reader = falling(folder.path());
    for dark in [false, true] {
        let picture = Picture {
            width: 240,
            height: 180,
            dark,
            ..Picture::default()
        };
        let out = folder.path().join("fall.png");
        let moment = |time| {
            render(&reader, time, &picture, &out).expect("draws");
            let (width, _, frames) = decoded(&out);
            (red(width, &frames[0]), frames[0].clone())
        };
        let ((high, large), early) = moment(0.0);
        let ((low, _), late) = moment(1.0);
        assert!(
            low > high + 60.0,
            "the ball sinks in the picture: row {high} to {low}"
        );
        assert!(large > 300, "{large} red pixels");
        // only the ball and its shadow changed
        let changed = early
            .iter()
            .zip(&late)
            .filter(|(a, b)| a.abs_diff(**b) > 8)
            .count();
        assert!(
            changed > 3 * large / 2 && changed < early.len() / 3,
            "{changed}"
        );
    }
}

#[test]
fn the_same_moment_gives_the_same_bytes() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let reader = falling(folder.path());
    let picture = Picture {
        width: 160,
        height: 120,
        dark: false,
        ..Picture::default()
    };
    let draw = |name: &str| {
        let out = folder.path().join(name);
        render(&reader, 0.5, &picture, &out).expect("draws");
        std::fs::read(out).expect("written")
    };
    assert!(draw("a.png") == draw("b.png"));
    assert!(!folder.path().join("a.png.partial").exists());
}

#[test]
fn an_animation_has_a_frame_for_every_moment() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let reader = falling(folder.path());
    let out = folder.path().join("fall.png");
    let picture = Picture {
        width: 120,
        height: 90,
        dark: true,
        ..Picture::default()
    };
    animate(
        &reader,
        &Animation {
            from: 0.0,
            to: 1.0,
            fps: 5.0,
        },
        &picture,
        &out,
    )
    .expect("draws");
    let (width, height, frames) = decoded(&out);
    assert_eq!((width, height, frames.len()), (120, 90, 6));
    let rows: Vec<f64> = frames.iter().map(|frame| red(width, frame).0).collect();
    assert!(
        rows.is_sorted_by(|a, b| a < b),
        "the ball sinks from frame to frame: {rows:?}"
    );
}

#[test]
fn what_cannot_be_drawn_says_why() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let reader = falling(folder.path());
    let (out, picture) = (folder.path().join("x.png"), Picture::default());
    let late = render(&reader, 2.0, &picture, &out)
        .expect_err("too late")
        .to_string();
    assert!(late.contains("0 to 1 s"), "{late}");
    assert!(render(&reader, f64::NAN, &picture, &out).is_err());
    let flat = Picture {
        height: 0,
        ..picture
    };
    assert!(matches!(
        render(&reader, 0.0, &flat, &out),
        Err(Error::Size { .. })
    ));
    let still = Animation {
        from: 0.0,
        to: 1.0,
        fps: 0.0,
    };
    assert!(matches!(
        animate(&reader, &still, &picture, &out),
        Err(Error::Moment { .. })
    ));
    let nowhere = folder.path().join("missing").join("x.png");
    let small = Picture {
        width: 8,
        height: 8,
        dark: false,
        ..Picture::default()
    };
    let error = render(&reader, 0.0, &small, &nowhere)
        .expect_err("no such folder")
        .to_string();
    assert!(error.contains("missing"), "{error}");
    assert!(!out.exists());
}

#[test]
fn a_close_picture_shows_the_body_larger() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let reader = falling(folder.path());
    let [wide, close] = [false, true].map(|close| {
        let out = folder.path().join(format!("{close}.png"));
        let picture = Picture {
            width: 160,
            height: 120,
            close,
            ..Picture::default()
        };
        render(&reader, 0.5, &picture, &out).expect("draws");
        let (width, _, frames) = decoded(&out);
        red(width, &frames[0]).1
    });
    // the whole fall is several times as high as the ball
    assert!(close > 3 * wide, "{close} red pixels close, {wide} wide");
}

/// A recording of bodies that stand still for a second.
fn still(folder: &Path, name: &str, bodies: Vec<(Body, [f64; 3])>, joints: Vec<Joint>) -> Reader {
    let path = folder.join(name);
    let header = Header {
        gravity: [0.0, -9.8, 0.0],
        bodies: bodies.iter().map(|(body, _)| body.clone()).collect(),
        joints,
        ..Header::default()
    };
    let mut writer = Writer::create(&path, &header).expect("temporary file");
    for (body, (_, position)) in bodies.iter().enumerate() {
        let segment = Segment {
            body: body as u32,
            start: 0,
            micro: 0,
            event: Event::Start,
            partner: NO_PARTNER,
            group: record::NO_GROUP,
            position: *position,
            velocity: [0.0; 3],
            acceleration: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            spin: [0.0; 3],
            momentum: None,
            impulse: 0.0,
            knots: &[],
        };
        writer.append(&segment).expect("in order");
    }
    writer.gvt(SECOND);
    writer.finish("{}").expect("room on disk");
    Reader::open(&path).expect("just written")
}

fn body(kind: Kind, shape: Shape, color: [f32; 3]) -> Body {
    Body {
        name: "body".into(),
        kind,
        shapes: vec![ShapeAt::centred(shape)],
        color: Some(color),
    }
}

fn drawn(reader: &Reader, folder: &Path, picture: &Picture) -> Vec<u8> {
    let out = folder.join("drawn.png");
    render(reader, 0.5, picture, &out).expect("draws");
    decoded(&out).2.remove(0)
}

#[test]
fn two_boxes_that_touch_do_not_look_like_one() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let green = [0.1, 0.5, 0.1];
    let cube = |half: [f64; 3]| body(Kind::Dynamic, Shape::Box { half_extents: half }, green);
    let two = vec![
        (cube([0.5; 3]), [0.0, 0.5, 0.0]),
        (cube([0.5; 3]), [0.0, 1.5, 0.0]),
    ];
    let one = vec![(cube([0.5, 1.0, 0.5]), [0.0, 1.0, 0.0])];
    let picture = Picture {
        width: 160,
        height: 120,
        ..Picture::default()
    };
    let two = drawn(
        &still(folder.path(), "two", two, Vec::new()),
        folder.path(),
        &picture,
    );
    let one = drawn(
        &still(folder.path(), "one", one, Vec::new()),
        folder.path(),
        &picture,
    );
    let darker = one
        .as_chunks::<3>()
        .0
        .iter()
        .zip(two.as_chunks::<3>().0)
        .filter(|(a, b)| i32::from(a[1]) > i32::from(b[1]) + 8)
        .count();
    // the seam is a line across two faces, a pixel or two wide, and nothing else
    assert!((15..400).contains(&darker), "{darker} darker pixels");
}

#[test]
fn the_camera_looks_from_where_it_is_told() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let reader = falling(folder.path());
    let sinks = |camera: Option<[f64; 3]>| {
        let picture = Picture {
            width: 160,
            height: 120,
            camera,
            ..Picture::default()
        };
        let out = folder.path().join("from.png");
        let [early, late] = [0.0, 1.0].map(|time| {
            render(&reader, time, &picture, &out).expect("draws");
            let (width, _, frames) = decoded(&out);
            red(width, &frames[0]).0
        });
        late - early
    };
    assert!(sinks(Some([1.0, 0.0, 0.0])) > 40.0);
    assert!(
        sinks(Some([0.0, 1.0, 0.0])).abs() < 6.0,
        "it comes no lower seen from above"
    );
    let nowhere = Picture {
        camera: Some([0.0; 3]),
        ..Picture::default()
    };
    let out = folder.path().join("nowhere.png");
    assert!(matches!(
        render(&reader, 0.0, &nowhere, &out),
        Err(Error::Camera)
    ));
    let far = Picture {
        zoom: f64::NAN,
        ..Picture::default()
    };
    assert!(render(&reader, 0.0, &far, &out).is_err() && !out.exists());
}

#[test]
fn a_rope_is_drawn_from_anchor_to_anchor() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let grey = [0.3; 3];
    let bodies = || {
        vec![
            (
                body(Kind::Fixed, Shape::Ball { radius: 0.1 }, grey),
                [0.0, 2.0, 0.0],
            ),
            (
                body(Kind::Dynamic, Shape::Ball { radius: 0.2 }, grey),
                [0.0; 3],
            ),
        ]
    };
    let rope = Joint {
        bodies: [0, 1],
        anchors: [[0.0; 3]; 2],
        kind: JointKind::Rope,
    };
    let picture = Picture {
        width: 160,
        height: 120,
        ..Picture::default()
    };
    let orange = |joints| {
        let pixels = drawn(
            &still(folder.path(), "rope", bodies(), joints),
            folder.path(),
            &picture,
        );
        let is_orange = |p: &&[u8; 3]| u16::from(p[0]) > 40 + u16::from(p[2]);
        pixels.as_chunks::<3>().0.iter().filter(is_orange).count()
    };
    assert_eq!(orange(Vec::new()), 0);
    assert!(orange(vec![rope]) > 20);
    // a recording that names a body that is not there is drawn without that joint
    let astray = Joint {
        bodies: [0, 7],
        ..rope
    };
    assert_eq!(orange(vec![astray]), 0);
}

#[test]
fn what_stands_before_that_which_moves_is_seen_through() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let ball = body(
        Kind::Dynamic,
        Shape::Ball { radius: 0.5 },
        [0.8, 0.02, 0.02],
    );
    let pane = Shape::Box {
        half_extents: [0.7, 0.7, 0.02],
    };
    let pane = body(Kind::Fixed, pane, [0.3; 3]);
    let picture = Picture {
        width: 160,
        height: 120,
        camera: Some([0.0, 0.0, 1.0]),
        ..Picture::default()
    };
    let scene = vec![(ball, [0.0; 3]), (pane, [0.0, 0.0, 0.7])];
    let reader = still(folder.path(), "pane", scene, Vec::new());
    let pixels = drawn(&reader, folder.path(), &picture);
    let reddish = |p: &&[u8; 3]| u16::from(p[0]) > 25 + u16::from(p[2]);
    let count = pixels.as_chunks::<3>().0.iter().filter(reddish).count();
    assert!(count > 200, "{count} pixels of the ball behind the pane");
}
