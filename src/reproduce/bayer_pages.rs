//! Bayer, Diziol & Bender's Table 1 and Figures 2, 3 and 4 as pages.

use super::bayer::{
    BASELINE, EXTENSIBILITIES, Size, VARIANTS, Variant, csv, eighteen, measure, named,
    percent_chart, percent_table, preface, summarise, terminal,
};
use super::page::{Comparison, Page};
use crate::chart::{Axis, Chart, Series};
use crate::failure::Failure;
use crate::table::Table;
use shell::impulse::scenes::{ClothScene, cloth_swing};

/// The paper's Table 1: best, worst, average.
const TABLE_1: [(&str, [f64; 3]); 6] = [
    ("4.3", [1.31, 0.96, 1.01]),
    ("4.2", [1.83, 1.31, 1.46]),
    ("4.2 & 4.3", [2.30, 1.40, 1.60]),
    ("4.3 & 4.4", [4.40, 1.01, 1.66]),
    ("4.2 & 4.4", [3.75, 1.68, 2.51]),
    ("4.2 & 4.3 & 4.4", [11.35, 2.16, 3.44]),
];

/// Times faster than the baseline.
pub fn table_1(quick: bool) -> Result<Page, Failure> {
    let size = Size::new(quick);
    let cases = eighteen(&VARIANTS, size)?;
    let mut rows = Vec::new();
    for (index, variant) in VARIANTS.iter().enumerate() {
        let ours = summarise(&cases, index, |_| true);
        let paper = TABLE_1.iter().find(|(name, _)| *name == variant.name);
        let stated = |place: usize| paper.map_or("-".into(), |(_, p)| format!("{:.2}", p[place]));
        let times = |relative: f64| format!("{:.2}", 1.0 / relative);
        rows.push(vec![
            variant.name.to_string(),
            stated(0),
            times(ours.best),
            stated(1),
            times(ours.worst),
            stated(2),
            times(ours.average),
            ours.count.to_string(),
        ]);
    }
    let heading = [
        "optimisation",
        "paper, best",
        "here",
        "paper, worst",
        "here",
        "paper, average",
        "here",
        "cases",
    ];
    let comparison = Comparison {
        caption: "times faster than the baseline".into(),
        heading: heading.map(String::from).to_vec(),
        rows,
    };
    let mut text = preface(size);
    text.push(
        "The average is taken the paper's way: one over the mean of the relative run times (its 3.44 is \
         one over 29 %, the mean of the 28 % and 30 % of its text). Where fewer than eighteen cases are \
         counted, a ball touches more particles than 64 bits can remember."
            .into(),
    );
    Ok(Page {
        stem: "bayer-table-1",
        title: "Bayer, Diziol & Bender's Table 1: what the optimisations gain",
        text,
        charts: vec![
            ("", percent_chart(&cases, &VARIANTS, false, 3)),
            ("-velocity", percent_chart(&cases, &VARIANTS, true, 3)),
        ],
        summary: terminal(&comparison),
        comparisons: vec![comparison],
        csv: csv(&cases, &VARIANTS),
    })
}

fn figure(
    quick: bool,
    number: u32,
    (stem, title): (&'static str, &'static str),
    variants: &[Variant],
    paper: &[[Option<f64>; 4]],
) -> Result<Page, Failure> {
    let size = Size::new(quick);
    let cases = eighteen(variants, size)?;
    let comparison = percent_table(&cases, variants, paper);
    Ok(Page {
        stem,
        title,
        text: preface(size),
        charts: vec![
            ("", percent_chart(&cases, variants, false, number)),
            ("-velocity", percent_chart(&cases, variants, true, number)),
        ],
        summary: terminal(&comparison),
        comparisons: vec![comparison],
        csv: csv(&cases, variants),
    })
}

/// Anticipation and skipping with directions that change in every iteration.
pub fn figure_2(quick: bool) -> Result<Page, Failure> {
    let some = |a, b, c, d| [Some(a), Some(b), c, d];
    let paper = [
        some(103.0, 95.0, None, None),
        some(72.0, 66.0, Some(55.0), Some(76.0)),
        some(66.0, 59.0, Some(43.0), Some(72.0)),
    ];
    let name = (
        "bayer-figure-2",
        "Bayer, Diziol & Bender's Figure 2: anticipation and skipping, directions changing",
    );
    figure(quick, 2, name, &VARIANTS[..3], &paper)
}

/// The same along directions that are updated between converged runs.
pub fn figure_3(quick: bool) -> Result<Page, Failure> {
    let some = |a, b, c, d| [Some(a), Some(b), c, d];
    let paper = [
        [None; 4],
        some(59.0, 62.0, Some(22.0), Some(99.0)),
        some(40.0, 40.0, Some(27.0), Some(60.0)),
        some(28.0, 30.0, Some(9.0), None),
    ];
    let name = (
        "bayer-figure-3",
        "Bayer, Diziol & Bender's Figure 3: directions updated between converged runs",
    );
    figure(quick, 3, name, &VARIANTS[3..], &paper)
}

/// Milliseconds a step that are real time.
const REAL_TIME: f64 = 10.0;

/// The first simulation at several resolutions, timed.
struct Timed {
    data: Table,
    series: Vec<Series>,
    /// For each variant: the particles of the largest cloth in real time, and milliseconds a step of the largest of all.
    largest: Vec<(String, f64, f64)>,
}

fn time_sizes(resolutions: &[u32], size: Size) -> Result<Timed, Failure> {
    let mut data = Table::new(["variant", "extensibility", "resolution", "ms_per_step"]);
    let mut series: Vec<Series> = Vec::new();
    let mut largest: Vec<(String, f64, f64)> = Vec::new();
    for variant in [vec![BASELINE], named("these and ours")].concat() {
        for extensibility in EXTENSIBILITIES {
            let name = match variant.name {
                "4.1" => format!("original, {} %", 100.0 * extensibility),
                _ => format!("optimised, {} %", 100.0 * extensibility),
            };
            let mut points = Vec::new();
            for &resolution in resolutions {
                let scene = ClothScene {
                    resolution,
                    extensibility,
                    solver: variant.solver,
                    ..ClothScene::default()
                };
                let ms = measure(cloth_swing, &scene, size.steps)?;
                points.push((f64::from(resolution * resolution), ms));
                data.row([
                    name.clone(),
                    extensibility.to_string(),
                    resolution.to_string(),
                    format!("{ms:.6}"),
                ]);
            }
            let real_time = points.iter().filter(|(_, ms)| *ms <= REAL_TIME);
            let particles = real_time.map(|(n, _)| *n).fold(0.0, f64::max);
            let last = points.last().map_or(f64::NAN, |(_, ms)| *ms);
            largest.push((name.clone(), particles, last));
            series.push(Series { name, points });
        }
    }
    Ok(Timed {
        data,
        series,
        largest,
    })
}

/// The paper's largest cloths in real time beside ours.
fn compare_sizes(largest: &[(String, f64, f64)]) -> Comparison {
    // The paper's text: optimised, 1,600 particles at 10 % and 900 at 1 % run in real time.
    let stated = |name: &str| match name {
        "optimised, 10 %" => "1600",
        "optimised, 1 %" => "900",
        _ => "-",
    };
    let rows = largest
        .iter()
        .map(|(name, particles, last)| {
            vec![
                name.clone(),
                stated(name).into(),
                format!("{particles:.0}"),
                format!("{last:.2}"),
            ]
        })
        .collect();
    let heading = [
        "simulation",
        "paper: largest cloth in real time",
        "here",
        "ms a step of the largest measured",
    ];
    Comparison {
        caption: "particles of the largest measured cloth that needs at most 10 ms a step".into(),
        heading: heading.map(String::from).to_vec(),
        rows,
    }
}

/// Absolute run times of the first simulation at several resolutions.
pub fn figure_4(quick: bool) -> Result<Page, Failure> {
    let size = Size::new(quick);
    let resolutions: &[u32] = match quick {
        true => &[5, 10, 15],
        false => &[5, 10, 20, 30, 40],
    };
    let Timed {
        data,
        series,
        largest,
    } = time_sizes(resolutions, size)?;
    let comparison = compare_sizes(&largest);
    let mut text = vec![
        "The first simulation, 5 x 5 to 40 x 40 particles, without velocity correction: CPU milliseconds \
         a step of 10 ms, of the original method (4.1 alone) and of all optimisations."
            .to_string(),
    ];
    text.extend(preface(size).into_iter().skip(1));
    Ok(Page {
        stem: "bayer-figure-4",
        title: "Bayer, Diziol & Bender's Figure 4: run time over the size of the cloth",
        text,
        charts: vec![(
            "",
            Chart {
                title: "Bayer's Figure 4".into(),
                x: Axis::log("particles"),
                y: Axis::log("CPU ms a step (real time: 10)"),
                series,
            },
        )],
        summary: terminal(&comparison),
        comparisons: vec![comparison],
        csv: data.csv(),
    })
}
