//! Exports are read back with other people's readers and compared with the recording.

#[allow(dead_code)]
#[path = "../examples/bounce.rs"]
mod bounce;

#[allow(dead_code)]
#[path = "../examples/shapes.rs"]
mod shapes;

use std::path::{Path, PathBuf};
use warpline_record::export::{ExportError, Options, export};
use warpline_record::*;

fn recorded(folder: &Path) -> Reader {
    let path = folder.join("bounce.wline");
    bounce::record(&path, 12, 4.0, None).expect("temporary file");
    Reader::open(&path).expect("just written")
}

fn exported(reader: &Reader, folder: &Path, name: &str, options: Options) -> PathBuf {
    let path = folder.join(name);
    export(reader, &path, &options).expect("exports");
    path
}

/// The keys of a node's channel: times, and its values as vectors.
type Channel = (Vec<f32>, Vec<Vec<f64>>);

fn channels(path: &Path, name: &str) -> (Channel, Channel) {
    use gltf::animation::util::ReadOutputs;
    let gltf::Gltf { document, blob } = gltf::Gltf::open(path).expect("a valid file");
    let animation = document.animations().next().expect("moves");
    let (mut places, mut turns) = (None, None);
    for channel in animation
        .channels()
        .filter(|c| c.target().node().name() == Some(name))
    {
        let read = channel.reader(|_| blob.as_deref());
        let times: Vec<f32> = read.read_inputs().expect("times").collect();
        match read.read_outputs().expect("values") {
            ReadOutputs::Translations(all) => {
                let wide = |v: [f32; 3]| v.map(f64::from).to_vec();
                places = Some((times, all.map(wide).collect()));
            }
            ReadOutputs::Rotations(all) => {
                let wide = |v: [f32; 4]| v.map(f64::from).to_vec();
                turns = Some((times, all.into_f32().map(wide).collect()));
            }
            _ => panic!("only places and turns are animated"),
        }
    }
    (places.expect("translated"), turns.expect("rotated"))
}

fn linear((times, values): &Channel, time: f32) -> Vec<f64> {
    let next = times
        .partition_point(|t| *t <= time)
        .clamp(1, times.len() - 1);
    let s = f64::from((time - times[next - 1]) / (times[next] - times[next - 1]));
    values[next - 1]
        .iter()
        .zip(&values[next])
        .map(|(a, b)| a + s * (b - a))
        .collect()
}

#[test]
fn glb_follows_the_recorded_motion_between_its_keys() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let reader = recorded(folder.path());
    let path = exported(&reader, folder.path(), "bounce.glb", Options::default());
    for body in [2u32, 5, 13] {
        let (places, turns) = channels(&path, &format!("ball {}", body - 2));
        assert!(places.0.is_sorted_by(|a, b| a < b), "times rise strictly");
        let collisions = reader.segments(body).expect("readable").len();
        assert!(places.0.len() >= collisions, "a key at every event");
        for step in 0..=1000 {
            let time = step as f32 * 0.004;
            let tick = (f64::from(time) * TICKS_PER_SECOND) as i64;
            let truth = reader.pose(body, tick).expect("readable").expect("started");
            let seen = linear(&places, time);
            // 1e-4 of a radius below 0.6 m by the keys; single precision moves a key in time by up to
            // 2.4e-7 s and in place by 4e-7 m, at less than 15 m/s
            let bound = 0.6e-4 + 15.0 * 2.4e-7 + 4e-7;
            for (seen, truth) in seen.iter().zip(truth.position) {
                assert!((seen - truth).abs() < bound, "body {body} at {time} s");
            }
            let turn = linear(&turns, time);
            let dot: f64 = turn.iter().zip(truth.rotation).map(|(a, b)| a * b).sum();
            let norm = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
            // a chord instead of the arc is off by at most 4 % of a quarter turn's half angle squared
            assert!(
                (dot / norm).abs() > 0.999,
                "body {body} turned wrongly at {time} s"
            );
        }
    }
}

#[test]
fn glb_holds_every_body_with_its_shapes() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let reader = recorded(folder.path());
    let path = exported(
        &reader,
        folder.path(),
        "bounce.glb",
        Options {
            fps: Some(30.0),
            ..Options::default()
        },
    );
    let document = gltf::Gltf::open(&path).expect("a valid file");
    let root = document
        .default_scene()
        .expect("a scene")
        .nodes()
        .next()
        .expect("a root");
    assert_eq!(root.children().count(), reader.header().bodies.len());
    assert!(
        root.children()
            .all(|body| body.children().all(|shape| shape.mesh().is_some()))
    );
    let (places, _) = channels(&path, "ball 3");
    assert_eq!(places.0.len(), 121, "4 s at 30 frames a second");
}

#[test]
fn deformables_move_in_glb_and_usda() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("cloth.wline");
    let rest = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]];
    let mesh = Shape::Mesh {
        vertices: rest.clone(),
        triangles: vec![[0, 1, 2]],
    };
    let cloth = Body {
        name: "cloth \"one\"".into(),
        kind: Kind::Dynamic,
        shapes: vec![ShapeAt::centred(mesh)],
        color: None,
    };
    let header = Header {
        bodies: vec![cloth],
        ..Header::default()
    };
    let mut writer = Writer::create(&path, &header).expect("temporary file");
    for k in 0..5i64 {
        let frame: Vec<[f64; 3]> = rest.iter().map(|p| [p[0], p[1] + k as f64, p[2]]).collect();
        writer
            .append_vertices(0, k << 38, &frame)
            .expect("in order");
    }
    writer.gvt(4 << 38);
    writer.finish("{}").expect("room on disk");
    let reader = Reader::open(&path).expect("just written");
    let glb = exported(&reader, folder.path(), "cloth.glb", Options::default());
    let gltf::Gltf { document, blob } = gltf::Gltf::open(&glb).expect("a valid file");
    let mesh = document.meshes().next().expect("the cloth");
    let primitive = mesh.primitives().next().expect("triangles");
    let last = primitive
        .reader(|_| blob.as_deref())
        .read_morph_targets()
        .last();
    let moved: Vec<[f32; 3]> = last.and_then(|t| t.0).expect("positions").collect();
    assert_eq!(moved, vec![[0.0, 4.0, 0.0]; 3]);
    let usda = exported(&reader, folder.path(), "cloth.usda", Options::default());
    let text = std::fs::read_to_string(usda).expect("just written");
    assert!(
        text.contains("60: [(0, 4, 0), (1, 4, 0), (0, 4, -1)]"),
        "{text}"
    );
}

#[test]
fn csv_gives_every_event_exactly() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let reader = recorded(folder.path());
    let path = exported(&reader, folder.path(), "bounce.csv", Options::default());
    let text = std::fs::read_to_string(path).expect("just written");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .skip(1)
        .map(|line| line.split(',').collect())
        .collect();
    let marks = reader.events_between(i64::MIN, i64::MAX).expect("readable");
    assert_eq!(rows.len(), marks.len());
    let mut sorted = marks.clone();
    sorted.sort_by_key(|mark| (mark.tick, mark.body));
    for (row, mark) in rows.iter().zip(&sorted) {
        assert_eq!(row.len(), 21);
        assert_eq!(row[1], mark.tick.to_string());
        // shortest decimal that reads back as the same bits
        assert_eq!(row[8].parse::<f64>().expect("a number"), mark.position[0]);
    }
}

#[test]
fn parquet_holds_the_rows_of_the_csv_to_the_last_bit() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    let folder = tempfile::tempdir().expect("temporary folder");
    let reader = recorded(folder.path());
    let csv = exported(&reader, folder.path(), "bounce.csv", Options::default());
    let text = std::fs::read_to_string(csv).expect("just written");
    let path = exported(&reader, folder.path(), "bounce.parquet", Options::default());
    let file = std::fs::File::open(path).expect("just written");
    let file = SerializedFileReader::new(file).expect("a valid file");
    let rows: Vec<_> = file
        .get_row_iter(None)
        .expect("rows")
        .map(|row| row.expect("readable"))
        .collect();
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), lines.len() - 1);
    for (row, line) in rows.iter().zip(&lines[1..]) {
        for (column, ((name, field), text)) in row.get_column_iter().zip(line).enumerate() {
            assert_eq!(name, lines[0][column]);
            match field {
                Field::Double(x) => assert_eq!(x.to_bits(), number(text).to_bits(), "{name}"),
                Field::Long(x) => assert_eq!(x.to_string(), *text),
                Field::UInt(x) => assert_eq!(x.to_string(), *text),
                Field::Str(x) => assert_eq!(x, text),
                Field::Null => assert_eq!(*text, ""),
                other => panic!("{name} is {other:?}"),
            }
        }
    }
}

fn number(text: &str) -> f64 {
    text.parse().expect("a number")
}

#[test]
fn mcap_holds_transforms_events_and_the_scene() {
    use serde_json::Value;
    let folder = tempfile::tempdir().expect("temporary folder");
    let reader = recorded(folder.path());
    let path = exported(&reader, folder.path(), "bounce.mcap", Options::default());
    let bytes = std::fs::read(path).expect("just written");
    let (mut poses, mut events, mut entities, mut last) = (0, 0, 0, 0);
    for message in mcap::MessageStream::new(&bytes).expect("a valid file") {
        let message = message.expect("a whole message");
        assert!(message.log_time >= last, "in order of time");
        last = message.log_time;
        let schema = message.channel.schema.as_ref().expect("a schema");
        assert_eq!(schema.encoding, "jsonschema");
        serde_json::from_slice::<Value>(&schema.data).expect("the schema is JSON");
        let value: Value = serde_json::from_slice(&message.data).expect("JSON");
        match message.channel.topic.as_str() {
            "/tf" => {
                let name = value["child_frame_id"].as_str().expect("a frame");
                let bodies = &reader.header().bodies;
                let body = bodies.iter().position(|b| b.name == name).expect("a body") as u32;
                let seconds = message.log_time as f64 * 1e-9;
                let tick = (seconds * TICKS_PER_SECOND) as i64;
                let truth = reader.pose(body, tick).expect("readable").expect("started");
                // the log's clock counts nanoseconds: at less than 15 m/s they are 1.5e-8 m each
                let x = value["translation"]["y"].as_f64().expect("a number");
                assert!((x - truth.position[1]).abs() < 4e-8, "{name} at {seconds}");
                poses += 1;
            }
            "/events" => events += 1,
            "/scene" => entities += value["entities"].as_array().expect("entities").len(),
            other => panic!("unknown topic {other}"),
        }
    }
    let marks = reader.events_between(i64::MIN, i64::MAX).expect("readable");
    let told = |mark: &&Mark| !matches!(mark.event, Event::Start | Event::Step);
    assert_eq!(events, marks.iter().filter(told).count());
    assert!(
        poses > marks.len(),
        "a transform at every event and between"
    );
    assert_eq!(entities, reader.header().bodies.len());
}

#[test]
fn obj_is_a_sequence_of_whole_frames() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let reader = recorded(folder.path());
    let options = Options {
        fps: Some(2.0),
        ..Options::default()
    };
    export(&reader, &folder.path().join("run.obj"), &options).expect("exports");
    for frame in 0..=8 {
        let path = folder.path().join(format!("run.{frame:04}.obj"));
        let text = std::fs::read_to_string(path).expect("4 s at 2 frames a second");
        let lines = |start: &'static str| text.lines().filter(move |line| line.starts_with(start));
        assert_eq!(lines("o ").count(), reader.header().bodies.len());
        let vertices = lines("v ").count();
        let most = lines("f ")
            .flat_map(|line| {
                line[2..]
                    .split(' ')
                    .map(|c| number(c.split('/').next().expect("a")))
            })
            .fold(0.0, f64::max);
        assert_eq!(
            most as usize, vertices,
            "every vertex exists, the last is used"
        );
    }
    assert!(!folder.path().join("run.0009.obj").exists());
}

#[test]
fn vertices_between_frames_are_blended() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("shapes.wline");
    shapes::record(&path, 1.0).expect("temporary file");
    let reader = Reader::open(&path).expect("just written");
    let at = |tick: i64| reader.vertices_blended(1, tick).expect("readable");
    let ticks = reader.vertex_ticks(1);
    let (a, b) = (ticks[3], ticks[4]);
    let [first, middle, last] = [a, a + (b - a) / 4, b].map(|t| at(t).expect("frames"));
    assert_eq!(
        first,
        reader
            .vertices_at(1, a)
            .expect("readable")
            .expect("a frame")
            .positions
    );
    for ((p, q), r) in first.iter().zip(&middle).zip(&last) {
        for i in 0..3 {
            // a quarter of the way, up to half a tick and rounding of numbers below 4
            assert!((q[i] - (0.75 * p[i] + 0.25 * r[i])).abs() < 1e-10);
        }
    }
    assert_eq!(at(ticks[0] - 1), None);
}

/// A shell that is folded over itself must not be shown between two forms: the nearer one is.
#[test]
fn forms_that_must_not_be_blended_are_not() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("shell.wline");
    let rest = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]];
    let mesh = Shape::Mesh {
        vertices: rest.clone(),
        triangles: vec![[0, 1, 2]],
    };
    let shell = Body {
        name: "shell".into(),
        kind: Kind::Dynamic,
        shapes: vec![ShapeAt::centred(mesh)],
        color: None,
    };
    let header = Header {
        bodies: vec![shell],
        forms_only: vec![0],
        ..Header::default()
    };
    let mut writer = Writer::create(&path, &header).expect("temporary file");
    let form = |k: i64| -> Vec<[f64; 3]> { rest.iter().map(|p| [p[0], k as f64, p[2]]).collect() };
    for k in 0..3i64 {
        writer
            .append_vertices(0, k << 10, &form(k))
            .expect("in order");
    }
    writer.gvt(2 << 10);
    writer.finish("{}").expect("room on disk");
    let reader = Reader::open(&path).expect("just written");
    for tick in 0..2 << 10 {
        let shown = reader.vertices_blended(0, tick).expect("readable");
        let nearer = (tick + 512) >> 10;
        assert_eq!(shown, Some(form(nearer)), "at {tick}");
    }
}

#[test]
fn what_cannot_be_exported_says_why() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let reader = recorded(folder.path());
    let unknown = export(&reader, Path::new("x.fbx"), &Options::default());
    assert!(
        matches!(&unknown, Err(ExportError::Format { .. })),
        "{unknown:?}"
    );
    let fps = Options {
        fps: Some(0.0),
        ..Options::default()
    };
    let zero = export(&reader, &folder.path().join("x.csv"), &fps);
    assert!(
        matches!(&zero, Err(ExportError::Option { option: "fps", .. })),
        "{zero:?}"
    );
    let nowhere = folder.path().join("missing").join("x.csv");
    let error = export(&reader, &nowhere, &Options::default()).expect_err("no such folder");
    assert!(error.to_string().contains("missing"), "{error}");
}

#[test]
fn the_trace_of_speculation_reads_back() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let reader = recorded(folder.path());
    let (first, last) = reader.span();
    let undone = reader.undone_between(first, last).expect("readable");
    assert!(!undone.is_empty());
    assert!(undone.iter().all(|u| u.from < u.to && u.cause != u.body));
    assert_eq!(reader.clocks_at(first - 1).expect("readable"), None);
    let (gvt, clocks) = reader.clocks_at(last).expect("readable").expect("noted");
    assert!(first <= gvt && gvt <= last);
    assert_eq!(clocks.len(), reader.header().bodies.len());
    assert!(clocks.iter().all(|clock| clock.lvt > first));
    let samples = reader.samples(0).expect("readable");
    assert!(samples.is_sorted_by(|a, b| a.gvt < b.gvt && a.events <= b.events));
    assert_eq!(
        reader.samples(samples.len() - 1).expect("readable"),
        samples[samples.len() - 1..]
    );
}
