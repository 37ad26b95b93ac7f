//! Ainsley, Vouga, Grinspun & Tamstorf's Table 1 and Figure 1: speculative against kinetic asynchronous
//! contact mechanics, and where the time of each goes.

use super::page::{Comparison as Beside, Page};
use crate::chart::{Axis, Chart, Series};
use crate::failure::Failure;
use crate::table::{Table, short};
use shell::acm::experiment::{Breakdown, Comparison, compare};
use shell::acm::{Certify, Scene, SceneName, ShellError};

/// How far a vertex may move before the baseline searches its neighbourhood again, m: the thickness of
/// the first layer, at which the baseline is fastest.
const MARGIN_M: f64 = 1.0e-3;

/// The baseline's readings; the first is the one that ratios are named after.
const READINGS: [(&str, Certify); 2] = [
    (
        "slabs for near triangles",
        Certify::NearTriangles { margin_m: MARGIN_M },
    ),
    (
        "slabs for near primitives",
        Certify::NearPrimitives { margin_m: MARGIN_M },
    ),
];

/// The paper's vertices and ratio on one thread, original over speculative, where it has the scene.
fn papers(name: SceneName) -> (&'static str, &'static str) {
    match name {
        SceneName::ReefKnot => ("10642", "28"),
        SceneName::BowlineKnot => ("3995", "83"),
        SceneName::TrashCompactor => ("714", "62"),
        SceneName::TwoCloths => ("15982", "59"),
        SceneName::Twister => ("-", "-"),
    }
}

/// The size of a scene that this reproduction runs.
fn size(name: SceneName, quick: bool) -> usize {
    match (quick, name) {
        (true, _) => name.small_size(),
        (_, SceneName::ReefKnot) => 8,
        (_, SceneName::BowlineKnot) => 5,
        (_, SceneName::TrashCompactor) => 13,
        (_, SceneName::TwoCloths) => 30,
        (_, SceneName::Twister) => 8,
    }
}

/// A failed shell as a failed run.
pub fn failed(error: ShellError) -> Failure {
    Failure::run(error.to_string(), None)
}

/// The scene at the size of this reproduction.
pub fn scene(name: SceneName, quick: bool) -> Result<Scene, Failure> {
    name.build(size(name, quick)).map_err(failed)
}

/// Samples of each scene, as in the benchmark.
const SAMPLES: usize = 5;

fn row(name: SceneName, quick: bool) -> Result<(Scene, Comparison), Failure> {
    let scene = scene(name, quick)?;
    let repeats = if quick { 1 } else { 3 };
    let row = compare(&scene, SAMPLES, &READINGS.map(|r| r.1), repeats).map_err(failed)?;
    match row.equal {
        true => Ok((scene, row)),
        false => Err(Failure::run(
            format!("{}: the algorithms' histories differ", name.as_str()),
            None,
        )),
    }
}

/// Table 1.
pub fn table_1(quick: bool) -> Result<Page, Failure> {
    let heading = [
        "scene",
        "vertices",
        "simulated s",
        "acm-kds s",
        "acm without slabs s",
        "acm s",
        "ratio",
        "ratio to near primitives",
        "slabs a vertex",
    ];
    let (mut table, mut beside, mut ratios) = (Table::new(heading), Vec::new(), Vec::new());
    for name in SceneName::ALL {
        let (scene, row) = row(name, quick)?;
        let vertices = scene.model.vertex_count();
        let ratio = |i: usize| row.kinetic[i].cpu_s / row.speculative.cpu_s;
        ratios.push(ratio(0));
        table.row([
            name.as_str().to_string(),
            vertices.to_string(),
            short(row.sim_s),
            short(row.kinetic[0].cpu_s),
            short(row.no_slabs.cpu_s),
            short(row.speculative.cpu_s),
            short(ratio(0)),
            short(ratio(1)),
            short(row.certificates[0] as f64 / vertices as f64),
        ]);
        let (papers_vertices, papers_ratio) = papers(name);
        beside.push(vec![
            name.as_str().to_string(),
            papers_vertices.to_string(),
            vertices.to_string(),
            papers_ratio.to_string(),
            short(ratio(0)),
        ]);
    }
    ratios.sort_by(f64::total_cmp);
    let median = short(ratios[ratios.len() / 2]);
    let heading = ["", "vertices, paper", "here", "ratio, paper", "here"];
    Ok(Page {
        stem: "ainsley-table-1",
        title: "Ainsley's Table 1: speculative against kinetic contact mechanics",
        text: table_text(),
        charts: Vec::new(),
        comparisons: vec![Beside {
            caption: "time of the original over that of the speculative algorithm, one thread"
                .into(),
            heading: heading.map(String::from).to_vec(),
            rows: beside,
        }],
        summary: format!("{}median ratio: {median}\n", table.render()),
        csv: table.csv(),
    })
}

fn table_text() -> Vec<String> {
    vec![
        "Both algorithms share the forces and end in the same bytes; only the search for contacts differs. \
         CPU seconds of one thread over the same samples of each scene, one after the other in one \
         process. Scenes and materials are stand-ins, since the published tables could not be had. Samples \
         are 1/60 s long, five of each scene, and of three runs of each sample the shortest counts, on \
         either side. With `--quick` scenes are small and each sample is timed once."
            .into(),
        "The paper words the original as holding a slab for each pair of primitives in the simulation, and \
         reports 424 MB for 10,642 vertices. A slab for each pair would take hundreds of gigabytes, so a \
         broad phase must have culled. Our reading: a hierarchy over triangles culls, and every pair of \
         primitives of two near triangles holds a slab, neighbours in the mesh included. The baseline \
         then spends nine tenths of its time on certificates, as the original did. The column of near \
         primitives culls further, which the original as described does not."
            .into(),
        "The paper timed its own code, rewritten for speed, against the code published with the original. \
         Here the forces are shared and fast, so the baseline spends more of its time on certificates \
         than the original did; the certificates themselves are computed one by one and moved in a \
         heap, as the original is described. What bounds the ratio is the number of certificates that \
         each change of a velocity makes stale."
            .into(),
    ]
}

/// Figure 1: the shares of useful work and overhead on the reef knot.
pub fn figure_1(quick: bool) -> Result<Page, Failure> {
    let (scene, row) = row(SceneName::ReefKnot, quick)?;
    let sides = [
        ("acm-kds", row.kinetic[0].parts),
        ("acm", row.speculative.parts),
    ];
    let mut table = Table::new(["part", "acm-kds s", "acm-kds %", "acm s", "acm %"]);
    let share = |b: &Breakdown, s: f64| 100.0 * s / b.total();
    let parts = sides.map(|(_, b)| b.parts());
    for i in 0..parts[0].len() {
        let mut cells = vec![parts[0][i].0.to_string()];
        for (side, parts) in sides.iter().zip(&parts) {
            cells.extend([short(parts[i].1), short(share(&side.1, parts[i].1))]);
        }
        table.row(cells);
    }
    let series = |(name, b): &(&str, Breakdown)| Series {
        name: (*name).into(),
        points: (1..)
            .map(f64::from)
            .zip(b.parts().map(|p| share(b, p.1)))
            .collect(),
    };
    let useful = |b: &Breakdown| format!("{} %", short(share(b, b.useful)));
    let vertices = scene.model.vertex_count();
    let parts = [
        "useful",
        "resimulation",
        "unneeded",
        "broad",
        "narrow",
        "kinetic",
        "rest",
    ];
    let parts = parts.map(String::from).to_vec();
    Ok(Page {
        stem: "ainsley-figure-1",
        title: "Ainsley's Figure 1: useful work and overhead",
        text: vec![
            format!(
                "The reef knot with {vertices} vertices, CPU seconds of one thread by purpose. The paper \
                 shows two pies, green for useful work: a sliver for the original, more than half for \
                 the speculative algorithm."
            ),
            "Forces are split by counted work: those that were rolled back are resimulation, penalty forces \
             that were zero are unneeded, the rest is useful."
                .into(),
        ],
        charts: vec![(
            "",
            Chart {
                title: "share of the time".into(),
                x: Axis::categories("part of the work", parts),
                y: Axis::linear("%"),
                series: sides.iter().map(series).collect(),
            },
        )],
        comparisons: vec![Beside {
            caption: "useful work".into(),
            heading: ["", "paper", "here"].map(String::from).to_vec(),
            rows: vec![
                vec!["acm-kds".into(), "below 10 %".into(), useful(&sides[0].1)],
                vec!["acm".into(), "above 50 %".into(), useful(&sides[1].1)],
            ],
        }],
        summary: table.render(),
        csv: table.csv(),
    })
}
