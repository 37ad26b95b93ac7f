//! Continuous detection against exact truth: no false negative, false positives reported.

use glamx::DVec3;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};
use rand::{Rng, RngExt, SeedableRng};
use std::path::Path;
use warpline_shell::acm::{Kind, may_come_within};

struct Query {
    kind: Kind,
    start: [DVec3; 4],
    end: [DVec3; 4],
    hit: bool,
}

/// Reads queries of 8 rows of three numerator/denominator pairs and a truth bit.
fn read_queries(kind: Kind, text: &str) -> Vec<Query> {
    let number = |n: &str, d: &str| {
        let parse = |s: &str| s.trim().parse::<BigInt>().expect("an integer");
        BigRational::new(parse(n), parse(d))
            .to_f64()
            .expect("a double")
    };
    let rows: Vec<(DVec3, bool)> = text
        .lines()
        .filter(|l| !l.trim().is_empty())
        .map(|line| {
            let f: Vec<&str> = line.split(',').collect();
            (
                DVec3::new(number(f[0], f[1]), number(f[2], f[3]), number(f[4], f[5])),
                f[6].trim() == "1",
            )
        })
        .collect();
    rows.chunks_exact(8)
        .map(|r| Query {
            kind,
            start: [r[0].0, r[1].0, r[2].0, r[3].0],
            end: [r[4].0, r[5].0, r[6].0, r[7].0],
            hit: r[0].1,
        })
        .collect()
}

#[derive(Default)]
struct Tally {
    queries: usize,
    false_positives: usize,
}

fn judge(queries: &[Query], tally: &mut Tally) {
    for q in queries {
        let found = may_come_within(q.kind, &q.start, &q.end, 0.0);
        assert!(
            found || !q.hit,
            "missed {:?} from {:?} to {:?}",
            q.kind,
            q.start,
            q.end
        );
        tally.queries += 1;
        tally.false_positives += usize::from(found && !q.hit);
    }
}

/// The public ground truth, if `WARPLINE_CCD_QUERIES` names the folder that holds it.
#[test]
fn public_queries_have_no_false_negative() {
    let Ok(folder) = std::env::var("WARPLINE_CCD_QUERIES") else {
        return;
    };
    for (kind, name) in [
        (Kind::VertexFace, "vertex-face"),
        (Kind::EdgeEdge, "edge-edge"),
    ] {
        let mut tally = Tally::default();
        for group in std::fs::read_dir(&folder)
            .expect("a readable folder")
            .flatten()
        {
            for file in std::fs::read_dir(group.path().join(name))
                .into_iter()
                .flatten()
                .flatten()
            {
                let text = std::fs::read_to_string(file.path()).expect("a readable file");
                judge(&read_queries(kind, &text), &mut tally);
            }
        }
        assert!(tally.queries > 0, "no queries below {folder}");
        println!(
            "{name}: {} queries, {} false positives, 0 false negatives",
            tally.queries, tally.false_positives
        );
    }
}

/// The project's own exact queries: contacts built from dyadic rationals, so that doubles hold them
/// exactly, half of them moved apart by one part in 2^30.
#[test]
fn committed_queries_are_decided_exactly() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    for (kind, name) in [
        (Kind::VertexFace, "vertex_face.csv"),
        (Kind::EdgeEdge, "edge_edge.csv"),
    ] {
        let queries = read_queries(
            kind,
            &std::fs::read_to_string(data.join(name)).expect("the committed queries"),
        );
        assert!(
            queries.len() >= 64 && queries.iter().any(|q| q.hit) && queries.iter().any(|q| !q.hit)
        );
        let mut tally = Tally::default();
        judge(&queries, &mut tally);
        // the misses keep 2^-30 m, a million times the rounding the certificate allows for
        assert_eq!(tally.false_positives, 0, "{name}");
    }
}

/// Random contacts at exactly zero distance, proven in rational arithmetic, never missed.
#[test]
fn exact_contacts_are_never_missed() {
    let mut rng = rand_pcg::Pcg64::seed_from_u64(20_12);
    for kind in [Kind::VertexFace, Kind::EdgeEdge] {
        for _ in 0..3000 {
            let (start, end) = touching(kind, &mut rng);
            assert!(
                may_come_within(kind, &start, &end, 0.0),
                "missed {kind:?} from {start:?} to {end:?}"
            );
        }
    }
}

/// A motion whose pair has a common point at some dyadic time, checked exactly.
fn touching(kind: Kind, rng: &mut impl Rng) -> ([DVec3; 4], [DVec3; 4]) {
    let dyadic = |rng: &mut dyn FnMut() -> i64, bits: i32| rng() as f64 * 2f64.powi(-bits);
    let mut point = |range: i64, bits: i32| {
        let mut draw = || rng.random_range(-range..=range);
        DVec3::new(
            dyadic(&mut draw, bits),
            dyadic(&mut draw, bits),
            dyadic(&mut draw, bits),
        )
    };
    let mut at: [DVec3; 4] = [0; 4].map(|_| point(1 << 12, 10));
    let velocity: [DVec3; 4] = [0; 4].map(|_| point(1 << 8, 8));
    let mut share = || rng.random_range(0..=16) as f64 / 16.0;
    let (u, v, when) = (share(), share(), share());
    let weights = match kind {
        Kind::VertexFace => {
            let (u, v) = if u + v > 1.0 {
                (1.0 - u, 1.0 - v)
            } else {
                (u, v)
            };
            at[0] = at[1] * (1.0 - u - v) + at[2] * u + at[3] * v;
            [1.0, u + v - 1.0, -u, -v]
        }
        Kind::EdgeEdge => {
            let shift = at[0] * (1.0 - u) + at[1] * u - (at[2] * (1.0 - v) + at[3] * v);
            at[2] += shift;
            at[3] += shift;
            [1.0 - u, u, v - 1.0, -v]
        }
    };
    let start = [0, 1, 2, 3].map(|i| at[i] - velocity[i] * when);
    let end = [0, 1, 2, 3].map(|i| at[i] + velocity[i] * (1.0 - when));
    assert_touch_exactly(&start, &end, when, &weights);
    (start, end)
}

fn assert_touch_exactly(start: &[DVec3; 4], end: &[DVec3; 4], when: f64, weights: &[f64; 4]) {
    let exact = |x: f64| BigRational::from_float(x).expect("finite");
    let when = exact(when);
    for axis in 0..3 {
        let mut separation = BigRational::zero();
        for i in 0..4 {
            let (a, b) = (exact(start[i][axis]), exact(end[i][axis]));
            separation += exact(weights[i]) * (&a + (b - &a) * &when);
        }
        assert!(
            separation.is_zero() && !separation.is_negative(),
            "the construction must be exact"
        );
    }
}
