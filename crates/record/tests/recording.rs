//! Recordings survive what happens to files: they read back, seek as they scan, and broken ones give an
//! error or a whole prefix, never a panic.

use proptest::prelude::*;
use std::fs;
use std::path::Path;
use warpline_record::*;

const SECOND: i64 = 1 << 40;

fn header(bodies: usize) -> Header {
    let ball = |i: usize| Body {
        name: format!("ball {i}"),
        kind: Kind::Dynamic,
        shapes: vec![ShapeAt::centred(Shape::Ball {
            radius: 0.1 + i as f64,
        })],
        color: Some([0.1, 0.2, 0.3]),
    };
    Header {
        scene: "test".into(),
        scene_toml: "x = 1\n".into(),
        algorithm: "ordered".into(),
        gravity: [0.0, -9.81, 0.0],
        until: 10 * SECOND,
        bodies: (0..bodies).map(ball).collect(),
        ..Header::default()
    }
}

/// A segment whose numbers all differ, so that a mixed-up field shows.
fn segment(body: u32, start: i64, knots: &[Knot]) -> Segment<'_> {
    let x = f64::from(body) + start as f64 / SECOND as f64;
    Segment {
        body,
        start,
        micro: body + 1,
        event: if body.is_multiple_of(2) {
            Event::Collision
        } else {
            Event::Input
        },
        partner: if body == 0 { NO_PARTNER } else { body - 1 },
        group: if body == 0 {
            body
        } else {
            warpline_record::NO_GROUP
        },
        position: [x, x + 1.0, x + 2.0],
        velocity: [x * 3.0, -x, 0.25],
        acceleration: [0.0, -9.81, 0.125],
        rotation: [0.6, 0.0, 0.8, 0.0],
        spin: [0.1, x, -0.3],
        momentum: None,
        impulse: 2.5 + x,
        knots,
    }
}

fn knots_after(start: i64, count: i64) -> Vec<Knot> {
    let knot = |i: i64| Knot {
        tick: start + i * 1000,
        position: [i as f64, 1.0, 2.0],
        velocity: [0.5, i as f64, 0.0],
        rotation: [0.0, 0.6, 0.0, 0.8],
        spin: [0.0, 0.0, i as f64],
    };
    (1..=count).map(knot).collect()
}

/// Writes segments, flushing after every `batch` of them; gives them back in their order.
fn write(path: &Path, bodies: usize, plan: &[(u32, i64, i64)], batch: usize) -> Vec<OwnedSegment> {
    let mut writer = Writer::create(path, &header(bodies)).expect("a temporary file");
    let (mut start, mut all) = (0, Vec::new());
    for (i, &(body, delay, knots)) in plan.iter().enumerate() {
        start += delay;
        let knots = knots_after(start, knots);
        let segment = segment(body, start, &knots);
        writer.append(&segment).expect("in order");
        all.push(OwnedSegment::from(segment));
        if (i + 1) % batch == 0 {
            writer.gvt(start);
            writer.flush().expect("room on disk");
        }
    }
    writer.gvt(start + 5);
    writer.finish("{\"collisions\": 3}").expect("room on disk");
    all
}

fn expected(all: &[OwnedSegment], body: u32, tick: i64) -> Option<State> {
    let segments = all.iter().map(OwnedSegment::as_segment);
    segments
        .rev()
        .find(|s| s.body == body && s.start <= tick)
        .map(|s| s.state(tick))
}

fn plan(bodies: u32, count: u32) -> Vec<(u32, i64, i64)> {
    let one = |i: u32| {
        (
            (i * 7) % bodies,
            i64::from(i % 3) * 4000,
            i64::from(i % 5 / 3) * 2,
        )
    };
    (0..count).map(one).collect()
}

#[test]
fn what_is_written_reads_back() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("run.warp");
    let all = write(&path, 5, &plan(5, 200), 30);
    let reader = Reader::open(&path).expect("just written");
    assert!(reader.is_complete());
    assert_eq!(reader.warning(), None);
    assert_eq!(*reader.header(), header(5));
    assert_eq!(reader.footer(), Some("{\"collisions\": 3}"));
    let last = all.last().expect("not empty").as_segment().start;
    assert_eq!(reader.span(), (0, last + 5));
    assert_eq!(reader.gvt(), Some(last + 5));
    for body in 0..5 {
        let own: Vec<_> = all
            .iter()
            .filter(|s| s.as_segment().body == body)
            .cloned()
            .collect();
        assert_eq!(reader.segments(body).expect("whole file"), own);
    }
    let marks = reader.events_between(0, last).expect("whole file");
    assert_eq!(
        marks.len(),
        all.iter().filter(|s| s.as_segment().start < last).count()
    );
    assert_eq!(marks[7].impulse, all[7].as_segment().impulse);
    assert!(!folder.path().join("run.warp.partial").exists());
}

#[test]
fn a_running_recording_is_followed_and_has_another_name() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("run.warp");
    let mut writer = Writer::create(&path, &header(2)).expect("temporary file");
    assert!(
        !path.exists(),
        "nothing unfinished stands under the final name"
    );
    let mut reader = Reader::open(writer.partial_path()).expect("header is on disk");
    assert!(!reader.is_complete());
    assert_eq!(reader.pose(0, 0).expect("no segments"), None);
    writer.append(&segment(0, 10, &[])).expect("in order");
    assert!(!reader.refresh().expect("readable"), "not flushed yet");
    writer.gvt(50);
    writer.flush().expect("room on disk");
    assert!(reader.refresh().expect("readable"));
    assert_eq!(reader.span(), (10, 50));
    assert_eq!(
        reader.pose(0, 20).expect("flushed"),
        Some(segment(0, 10, &[]).state(20))
    );
    writer.gvt(70);
    writer.flush().expect("room on disk");
    assert!(reader.refresh().expect("readable"), "GVT alone is news");
    assert_eq!(reader.span(), (10, 70));
    assert!(reader.warning().expect("unfinished").contains("unfinished"));
    writer.finish("{}").expect("room on disk");
    assert!(reader.refresh().expect("readable"));
    assert!(reader.is_complete());
    assert_eq!(reader.footer(), Some("{}"));
    assert!(
        !reader.refresh().expect("readable"),
        "a finished file has no news"
    );
}

#[test]
fn a_file_cut_anywhere_gives_an_error_or_a_prefix() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("whole.warp");
    let all = write(&path, 3, &plan(3, 40), 8);
    let bytes = fs::read(&path).expect("just written");
    let cut = folder.path().join("cut.warp");
    let mut readable = 0;
    for length in 0..bytes.len() {
        fs::write(&cut, &bytes[..length]).expect("temporary file");
        let Ok(reader) = Reader::open(&cut) else {
            continue;
        };
        readable += 1;
        assert!(
            !reader.is_complete(),
            "cut to {length} of {} bytes",
            bytes.len()
        );
        let marks = reader
            .events_between(i64::MIN, i64::MAX)
            .expect("prefixes are whole blocks");
        assert!(marks.len().is_multiple_of(8) && marks.len() <= all.len());
        for (mark, segment) in marks.iter().zip(&all) {
            assert_eq!(
                (mark.tick, mark.body),
                (segment.as_segment().start, segment.as_segment().body)
            );
        }
        let tick = reader
            .span()
            .1
            .min(marks.last().map_or(0, |mark| mark.tick));
        for body in 0..3 {
            let seen = expected(&all[..marks.len()], body, tick);
            assert_eq!(reader.pose(body, tick).expect("whole prefix"), seen);
        }
    }
    assert!(
        readable > bytes.len() / 2,
        "most cuts leave something to read"
    );
}

#[test]
fn a_flipped_byte_is_never_taken_for_data() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("whole.warp");
    let all = write(&path, 3, &plan(3, 40), 8);
    let truth: Vec<_> = all.iter().map(|s| s.as_segment().start).collect();
    let bytes = fs::read(&path).expect("just written");
    let flipped = folder.path().join("flipped.warp");
    for place in 0..bytes.len() {
        let bit = place % 8;
        let mut broken = bytes.clone();
        broken[place] ^= 1 << bit;
        fs::write(&flipped, &broken).expect("temporary file");
        let Ok(reader) = Reader::open(&flipped) else {
            continue;
        };
        let Ok(marks) = reader.events_between(i64::MIN, i64::MAX) else {
            continue;
        };
        let seen: Vec<_> = marks.iter().map(|mark| mark.tick).collect();
        assert_eq!(seen, truth[..seen.len()], "byte {place} bit {bit}");
        let mut states = Vec::new();
        if reader.states_at(truth[20], &mut states).is_ok() && seen.len() > 24 {
            let before = expected(&all, 0, truth[20]);
            assert_eq!(states[0], before, "byte {place} bit {bit}");
        }
    }
}

#[test]
fn vertex_frames_read_back() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("cloth.warp");
    let mut writer = Writer::create(&path, &header(2)).expect("temporary file");
    let frame = |k: i64| -> Vec<[f64; 3]> { (0..50).map(|i| [i as f64, k as f64, 0.5]).collect() };
    for k in 0..4 {
        writer
            .append_vertices(1, k * 100, &frame(k))
            .expect("in order");
        writer.append(&segment(0, k * 100, &[])).expect("in order");
    }
    writer.finish("{}").expect("room on disk");
    let reader = Reader::open(&path).expect("just written");
    assert_eq!(reader.vertex_ticks(1), vec![0, 100, 200, 300]);
    assert_eq!(reader.vertex_ticks(0), Vec::<i64>::new());
    assert_eq!(reader.vertices_at(1, -1).expect("readable"), None);
    let seen = reader
        .vertices_at(1, 250)
        .expect("readable")
        .expect("a frame");
    assert_eq!(
        seen,
        VertexFrame {
            tick: 200,
            positions: frame(2)
        }
    );
}

#[test]
fn a_full_disk_names_the_file_and_what_was_written() {
    let full = Path::new("/dev/full");
    if !full.exists() {
        return;
    }
    let error = Writer::create(full, &header(1)).err().expect("no room");
    let message = error.to_string();
    assert!(message.contains("/dev/full"), "{message}");
    assert!(message.contains("first 0 bytes"), "{message}");
    assert!(message.contains("space"), "{message}");
}

#[test]
fn what_cannot_be_recorded_is_refused_with_its_facts() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("run.warp");
    let mut writer = Writer::create(&path, &header(2)).expect("temporary file");
    writer.append(&segment(0, 100, &[])).expect("in order");
    let early = writer
        .append(&segment(1, 99, &[]))
        .expect_err("falls back")
        .to_string();
    assert!(
        early.contains("body 1") && early.contains("99") && early.contains("100"),
        "{early}"
    );
    let stranger = writer
        .append(&segment(2, 100, &[]))
        .expect_err("no such body")
        .to_string();
    assert!(
        stranger.contains("body 2") && stranger.contains("2 bodies"),
        "{stranger}"
    );
    let nan = Segment {
        impulse: f64::NAN,
        ..segment(0, 100, &[])
    };
    assert!(matches!(
        writer.append(&nan),
        Err(Error::NotFinite { body: 0, .. })
    ));
    let mut back = knots_after(100, 2);
    back.reverse();
    let knots = writer.append(&segment(0, 100, &back));
    assert!(matches!(
        knots,
        Err(Error::KnotOrder {
            body: 0,
            start: 100
        })
    ));
    let mut unfit = header(1);
    unfit.gravity[0] = f64::NAN;
    assert!(matches!(
        Writer::create(&path, &unfit),
        Err(Error::Header { .. })
    ));
    assert!(matches!(
        Writer::create(folder.path(), &header(1)),
        Err(Error::Io { .. })
    ));
}

#[test]
fn other_files_are_recognised_as_such() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("x");
    assert!(matches!(Reader::open(&path), Err(Error::Io { .. })));
    fs::write(&path, "short").expect("temporary file");
    assert!(matches!(
        Reader::open(&path),
        Err(Error::NotARecording { .. })
    ));
    fs::write(&path, b"WARPLINE\xff\0\0\0\0\0\0\0").expect("temporary file");
    assert!(matches!(
        Reader::open(&path),
        Err(Error::Version { found: 255, .. })
    ));
    assert!(Reader::open(folder.path()).is_err());
}

#[test]
fn worlds_larger_than_a_keyframe_part_seek_as_well() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("large.warp");
    let bodies = 5000;
    let all = write(&path, bodies, &plan(bodies as u32, 60_000), 7000);
    let reader = Reader::open(&path).expect("just written");
    let last = reader.span().1;
    let mut states = Vec::new();
    for tick in [0, last / 3, last * 9 / 10, last] {
        reader.states_at(tick, &mut states).expect("whole file");
        let mut truth = vec![None; bodies];
        for segment in all
            .iter()
            .map(OwnedSegment::as_segment)
            .filter(|s| s.start <= tick)
        {
            truth[segment.body as usize] = Some(segment.state(tick));
        }
        assert!(states == truth, "at tick {tick}");
        for body in [0, 4095, 4096, 4999] {
            assert_eq!(
                reader.pose(body, tick).expect("whole file"),
                truth[body as usize]
            );
        }
    }
}

#[test]
fn streaming_a_motion_in_pieces_does_not_change_the_history() {
    let knots = knots_after(0, 6);
    let (mut whole, mut pieces) = (HistoryHash::new(), HistoryHash::new());
    whole.push(&segment(0, 0, &knots));
    pieces.push(&segment(0, 0, &knots[..3]));
    pieces.push(&Segment {
        event: Event::Continue,
        ..segment(0, 3000, &knots[3..])
    });
    assert_eq!(whole.finish(), pieces.finish());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn random_access_equals_a_linear_scan(
        plan in prop::collection::vec((0..6u32, 0..5000i64, 0..4i64), 1..400),
        batch in 1..60usize,
        asks in prop::collection::vec((0..6u32, 0.0..1.2f64), 1..40),
    ) {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("run.warp");
        let all = write(&path, 6, &plan, batch);
        let reader = Reader::open(&path).expect("just written");
        let mut states = Vec::new();
        for (body, part) in asks {
            let tick = (reader.span().1 as f64 * part) as i64 - 100;
            let truth = expected(&all, body, tick);
            prop_assert_eq!(reader.pose(body, tick).expect("whole"), truth);
            reader.states_at(tick, &mut states).expect("whole");
            prop_assert_eq!(states[body as usize], truth);
        }
    }

    #[test]
    fn the_hash_does_not_depend_on_batches(count in 1..1500u32, batch in 1..200usize) {
        let segments: Vec<_> = (0..count).map(|i| segment(i, i64::from(i), &[])).collect();
        let (mut one, mut many) = (HistoryHash::new(), HistoryHash::new());
        segments.iter().for_each(|s| one.push(s));
        segments.chunks(batch).for_each(|chunk| many.extend(chunk.iter().copied()));
        let (one, many) = (one.finish(), many.finish());
        prop_assert_eq!(&one, &many);
        let mut other = HistoryHash::new();
        other.extend(segments.iter().skip(1).copied());
        prop_assert_ne!(one, other.finish());
    }
}
