//! What recording costs: CPU time per segment of hashing and of writing, bytes per segment on disk, and
//! of a seek against a full scan. Ratios in one run.
//!
//! `cargo run --release -p warpline-record --example pace -- [bodies] [segments]`

use cpu_time::ThreadTime;
use warpline_record::*;

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let bodies: u32 = args.next().map_or(Ok(5000), |text| text.parse())?;
    let count: u32 = args.next().map_or(Ok(1_000_000), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("pace.wline");
    let segments: Vec<Segment<'static>> = (0..count).map(|i| gas(i, bodies)).collect();

    let begun = ThreadTime::now();
    let mut copy = Vec::new();
    for batch in segments.chunks(1000) {
        copy.clear();
        copy.extend_from_slice(batch);
        std::hint::black_box(&copy);
    }
    report("copying in memory", begun, count);

    let begun = ThreadTime::now();
    let mut hash = HistoryHash::new();
    hash.extend(segments.iter().copied());
    std::hint::black_box(hash.finish());
    report("hashing", begun, count);

    let begun = ThreadTime::now();
    let body = |i| Body {
        name: format!("{i}"),
        kind: Kind::Dynamic,
        shapes: vec![],
        color: None,
    };
    let header = Header {
        bodies: (0..bodies).map(body).collect(),
        ..Header::default()
    };
    let mut writer = Writer::create(&path, &header)?;
    for segment in &segments {
        writer.append(segment)?;
    }
    writer.finish("{}")?;
    report("writing", begun, count);
    let bytes = std::fs::metadata(&path)?.len();
    println!(
        "{:>24}: {:.1} bytes per segment",
        "on disk",
        bytes as f64 / f64::from(count)
    );

    let reader = Reader::open(&path)?;
    let begun = ThreadTime::now();
    let mut seen = 0u32;
    reader.for_each_segment(i64::MIN, i64::MAX, |_| seen += 1)?;
    report("reading all", begun, seen);
    let reader = Reader::open(&path)?;
    let begun = ThreadTime::now();
    let mut states = Vec::new();
    reader.states_at(reader.span().1 * 3 / 4, &mut states)?;
    println!(
        "{:>24}: {:.2} ms for {bodies} bodies",
        "one seek, cold",
        1e3 * begun.elapsed().as_secs_f64()
    );
    Ok(())
}

fn report(what: &str, begun: ThreadTime, count: u32) {
    let nanoseconds = 1e9 * begun.elapsed().as_secs_f64() / f64::from(count);
    println!("{what:>24}: {nanoseconds:.0} ns per segment");
}

/// Numbers as random as a gas has them: nothing but the constants compresses.
fn gas(i: u32, bodies: u32) -> Segment<'static> {
    let mut seed = u64::from(i).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut random = || {
        seed = (seed ^ (seed >> 31))
            .wrapping_mul(0xbf58_476d_1ce4_e5b9)
            .wrapping_add(0x1234_5677);
        (seed >> 11) as f64 / (1u64 << 53) as f64 * 20.0 - 10.0
    };
    Segment {
        body: (random().abs() * 1e6) as u32 % bodies,
        start: i64::from(i) * 7_919_000 + (random() * 1e5) as i64 + 20_000_000,
        micro: 0,
        event: Event::Collision,
        partner: (random().abs() * 1e6) as u32 % bodies,
        group: NO_GROUP,
        position: [random(), random(), random()],
        velocity: [random(), random(), random()],
        acceleration: [0.0, 0.0, 0.0],
        rotation: [0.0, 0.0, 0.0, 1.0],
        spin: [0.0; 3],
        momentum: None,
        impulse: random().abs(),
        knots: &[],
    }
}
