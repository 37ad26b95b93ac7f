//! Tests with files that are wrong on purpose: every checksum is right, the content is not. The reader
//! must answer each with an error (or with what is still whole), never panic, never allocate absurdly.

use crate::block::{self, HEAD_BYTES, Head};
use crate::codec::{self, RECORD_BYTES};
use crate::decoded::Decoded;
use crate::*;
use proptest::prelude::*;
use std::path::Path;

/// The blocks of a small recording: heads and uncompressed payloads, without footer and index.
fn blocks(folder: &Path) -> Vec<(Head, Vec<u8>)> {
    let path = folder.join("good.wline");
    let body = |i: usize| Body {
        name: format!("{i}"),
        kind: Kind::Dynamic,
        shapes: vec![ShapeAt::centred(Shape::Ball { radius: 1.0 })],
        color: None,
    };
    let header = Header {
        bodies: (0..3).map(body).collect(),
        ..Header::default()
    };
    let mut writer = Writer::create(&path, &header).expect("temporary file");
    for i in 0..72u32 {
        let start = i64::from(i) * 100;
        let knot = Knot {
            tick: start + 50,
            position: [1.0; 3],
            velocity: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            spin: [0.0; 3],
        };
        let segment = Segment {
            body: i % 3,
            start,
            micro: 0,
            event: Event::Collision,
            partner: (i + 1) % 3,
            group: NO_GROUP,
            position: [f64::from(i), 0.0, 0.0],
            velocity: [1.0, 2.0, 3.0],
            acceleration: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            spin: [0.0, 1.0, 0.0],
            momentum: None,
            impulse: 1.0,
            knots: if i.is_multiple_of(4) { &[knot] } else { &[] },
        };
        writer.append(&segment).expect("in order");
        if i % 6 == 5 {
            writer.gvt(start);
            writer
                .append_vertices(0, start, &[[0.0; 3]; 5])
                .expect("in order");
            let undone = Undone {
                body: 1,
                cause: 2,
                event: Event::Collision,
                partner: 0,
                from: start,
                to: start + 9,
                gvt: start,
            };
            writer.append_undone(&undone).expect("writes");
            writer
                .append_clocks(&[Clock::default(); 3])
                .expect("writes");
            writer.append_sample(&Sample::default()).expect("writes");
            writer.flush().expect("writes");
        }
    }
    writer.finish("{}").expect("room on disk");
    let bytes = std::fs::read(&path).expect("just written");
    let mut out = Vec::new();
    let mut at = block::PREAMBLE_BYTES;
    loop {
        let (head_bytes, rest) = bytes[at..].split_first_chunk().expect("a head");
        let head = Head::from_bytes(head_bytes);
        if head.kind == block::FOOTER {
            return out;
        }
        let stored = &rest[8..8 + head.stored as usize];
        out.push((
            head,
            block::uncompress(stored, head.raw as usize).expect("good"),
        ));
        at += HEAD_BYTES + head.stored as usize;
    }
}

/// Writes blocks with right lengths and checksums.
fn write(path: &Path, blocks: &[(Head, Vec<u8>)]) {
    write_version(path, blocks, block::VERSION);
}

fn write_version(path: &Path, blocks: &[(Head, Vec<u8>)], version: u32) {
    let mut bytes = block::MAGIC.to_vec();
    bytes.extend_from_slice(&version.to_le_bytes());
    bytes.extend_from_slice(&[0; 4]);
    for (head, payload) in blocks {
        let stored = zstd::bulk::compress(payload, 1).expect("in memory");
        let head = Head {
            stored: stored.len() as u32,
            ..*head
        };
        bytes.extend_from_slice(&head.to_bytes());
        bytes.extend_from_slice(&block::checksum(&head.to_bytes(), &stored).to_le_bytes());
        bytes.extend_from_slice(&stored);
    }
    std::fs::write(path, bytes).expect("temporary file");
}

/// Asks everything that can be asked; gives the first error.
fn ask_everything(path: &Path) -> Result<()> {
    let mut reader = Reader::open(path)?;
    reader.refresh()?;
    let (first, last) = reader.span();
    let mut states = Vec::new();
    for tick in [i64::MIN, first, first / 2 + last / 2, last, i64::MAX] {
        reader.states_at(tick, &mut states)?;
        for body in 0..reader.header().bodies.len().min(5) as u32 {
            reader.pose(body, tick)?;
            reader.vertices_at(body, tick)?;
        }
        reader.clocks_at(tick)?;
    }
    for tick in reader.vertex_ticks(0) {
        reader.vertices_at(0, tick)?;
    }
    reader.events_between(i64::MIN, i64::MAX)?;
    reader.undone_between(i64::MIN, i64::MAX)?;
    reader.samples(0)?;
    reader.density(64);
    Ok(())
}

/// A changed copy of the good blocks, asked everything.
fn outcome(change: impl FnOnce(&mut Vec<(Head, Vec<u8>)>)) -> Result<()> {
    let folder = tempfile::tempdir().expect("temporary folder");
    let mut all = blocks(folder.path());
    change(&mut all);
    let path = folder.path().join("hostile.wline");
    write(&path, &all);
    ask_everything(&path)
}

fn first_of(all: &mut [(Head, Vec<u8>)], kind: u32) -> &mut (Head, Vec<u8>) {
    all.iter_mut()
        .find(|(head, _)| head.kind == kind)
        .expect("the file has one")
}

/// The place in a segment block's payload of byte `byte` of record 0: records are transposed.
fn place(head: &Head, byte: usize) -> usize {
    byte * head.count as usize
}

#[test]
fn the_unchanged_blocks_answer_everything() {
    outcome(|_| {}).expect("a good file");
}

/// The blocks of a segment block as version 4 wrote them.
fn unpacked(head: &mut Head, payload: &mut Vec<u8>, bodies: usize) {
    let decoded = Decoded::new(head, payload, bodies).expect("good");
    let (mut records, mut momenta, mut knots) = (Vec::new(), Vec::new(), Vec::new());
    for segment in decoded.iter() {
        codec::put_record(&mut records, &segment, segment.knots.len() as u32);
        let momentum = segment.momentum.iter();
        momentum.for_each(|m| codec::put_momentum(&mut momenta, m));
        let of = segment.knots.iter();
        of.for_each(|knot| codec::put_knot(&mut knots, knot));
    }
    payload.clear();
    block::transpose(&records, RECORD_BYTES, payload);
    block::transpose(&momenta, codec::MOMENTUM_BYTES, payload);
    payload.extend_from_slice(&knots);
    (head.extra, head.raw) = (0, payload.len() as u32);
}

#[test]
fn files_of_version_4_say_the_same() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let mut all = blocks(folder.path());
    let [new, old] = ["new.wline", "old.wline"].map(|name| folder.path().join(name));
    write(&new, &all);
    for (head, payload) in &mut all {
        if head.kind == block::SEGMENTS {
            unpacked(head, payload, 3);
        }
    }
    write_version(&old, &all, 4);
    ask_everything(&old).expect("a good file");
    let told = |path: &Path| {
        let reader = Reader::open(path).expect("readable");
        let mut told = Vec::new();
        let each = |segment: Segment<'_>| told.push(OwnedSegment::from(segment));
        reader
            .for_each_segment(i64::MIN, i64::MAX, each)
            .expect("readable");
        told
    };
    assert_eq!(told(&old).len(), 72);
    assert_eq!(told(&old), told(&new));
}

#[test]
fn lies_about_counts_and_lengths_are_found() {
    for kind in [block::SEGMENTS, block::KEYFRAME, block::VERTICES] {
        for count in [0, 1, 1000, u32::MAX] {
            let error = outcome(|all| first_of(all, kind).0.count = count);
            assert!(error.is_err(), "kind {kind} with count {count}");
        }
    }
    for raw in [0, 1, 300 << 20, u32::MAX] {
        let error = outcome(|all| first_of(all, block::SEGMENTS).0.raw = raw);
        assert!(
            matches!(error, Err(Error::Damaged { .. })),
            "raw {raw}: {error:?}"
        );
    }
}

#[test]
fn impossible_segments_are_found() {
    // body, event, and the top bytes of the first position and of the number of knots
    for (byte, value) in [
        (3, 0x7f),
        (16, 0xff),
        (25 + 7, 0xff),
        (RECORD_BYTES - 1, 0x7f),
    ] {
        let error = outcome(|all| {
            let (head, payload) = first_of(all, block::SEGMENTS);
            let at = place(head, byte);
            payload[at] = value;
            if byte == 32 {
                // so far from zero that the exponent is all ones: infinity or NaN
                payload[place(head, 31)] = 0xe0;
            }
        });
        assert!(
            matches!(error, Err(Error::Damaged { .. })),
            "byte {byte}: {error:?}"
        );
    }
}

#[test]
fn blocks_out_of_order_are_found() {
    let error = outcome(|all| {
        let segments: Vec<usize> = (0..all.len())
            .filter(|&i| all[i].0.kind == block::SEGMENTS)
            .collect();
        all.swap(segments[0], segments[2]);
    });
    assert!(matches!(error, Err(Error::Damaged { .. })), "{error:?}");
    let headless = outcome(|all| drop(all.remove(0)));
    assert!(
        matches!(headless, Err(Error::Damaged { .. })),
        "{headless:?}"
    );
    outcome(|all| all.truncate(1)).expect("a header alone is an empty recording");
}

#[test]
fn unknown_kinds_of_block_are_passed_over() {
    outcome(|all| first_of(all, block::SAMPLE).0.kind = 77).expect("from a later version");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_change_with_right_checksums_is_survived(
        which in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        value in any::<u8>(),
        word in 0..8usize,
        in_head in any::<bool>(),
    ) {
        // an error or an answer are both fine; a panic or a hang is not
        let _ = outcome(|all| {
            let index = which.index(all.len());
            let (head, payload) = &mut all[index];
            if in_head {
                let tick = i64::from(value).wrapping_sub(128).wrapping_shl(56);
                match word {
                    0 => head.kind = u32::from(value % 10),
                    1 => head.count = u32::from(value),
                    2 => head.raw ^= 1 << (value % 32),
                    3 => head.extra = u32::from(value) << (value % 25),
                    4 => head.first = tick,
                    5 => head.last = tick,
                    _ => head.gvt = tick,
                }
            } else if !payload.is_empty() {
                let at = at.index(payload.len());
                payload[at] = value;
            }
        });
    }
}
