//! Koenig, Karamouzas & Guy's Figures 9 and 10: how dense the balls are, and how far entities run ahead of GVT. Both are for
//! 16 cores, which are simulated.

use super::koenig::{Effort, SCENARIOS, how, load, on_cores, scenario};
use super::page::{Comparison, Page};
use crate::chart::{Axis, Chart, Series};
use crate::failure::Failure;
use crate::table::{Table, short};

/// Figure 9: the density of the bouncing balls.
pub fn figure_9(quick: bool) -> Result<Page, Failure> {
    let effort = Effort::new(quick);
    let mut table = Table::new([
        "volume m^3",
        "16 cores s",
        "1 core s",
        "times one core",
        "simulated s a second",
    ]);
    let (mut rates, mut ratios) = (Vec::new(), Vec::new());
    for volume in [100, 150, 200, 250, 300, 350, 400] {
        let set = [
            format!("volume={volume}"),
            format!("duration={}", effort.seconds),
        ];
        let (_, scene) = load("bouncing-koenig", &set)?;
        let one = on_cores(&scene, 1, (256, false), effort.repeats)?.elapsed_s;
        let many = on_cores(&scene, 16, (256, false), effort.repeats)?.elapsed_s;
        let (rate, ratio) = (effort.seconds / many, one / many);
        rates.push((f64::from(volume), rate));
        ratios.push((f64::from(volume), ratio));
        table.row([
            volume.to_string(),
            short(many),
            short(one),
            short(ratio),
            short(rate),
        ]);
    }
    let chart = |title: &str, y: &str, series: Vec<Series>| Chart {
        title: title.into(),
        x: Axis::linear("volume (m^3)"),
        y: Axis::linear(y),
        series,
    };
    let named = |name: &str, points: Vec<(f64, f64)>| Series {
        name: name.into(),
        points,
    };
    let said = what_the_paper_says(&rates, &ratios);
    Ok(Page {
        stem: "koenig-figure-9",
        title: "Koenig's Figure 9: the density of 200 bouncing balls",
        text: how(effort),
        charts: vec![
            (
                "-rate",
                chart(
                    "16 cores, simulated",
                    "simulated seconds a second",
                    vec![named("bouncing, 200", rates.clone())],
                ),
            ),
            (
                "-speedup",
                chart(
                    "16 cores, simulated",
                    "times one core",
                    vec![
                        named("bouncing, 200", ratios),
                        named("the paper, at least", vec![(100.0, 9.0), (400.0, 9.0)]),
                    ],
                ),
            ),
        ],
        comparisons: vec![said],
        summary: table.render(),
        csv: table.csv(),
    })
}

/// What the paper says of its Figure 9, and what came out here.
fn what_the_paper_says(rates: &[(f64, f64)], ratios: &[(f64, f64)]) -> Comparison {
    let rises = rates
        .windows(2)
        .filter(|pair| pair[1].1 > pair[0].1)
        .count();
    let least = ratios.iter().map(|p| p.1).fold(f64::INFINITY, f64::min);
    let always = match rates.iter().all(|rate| rate.1 > 1.0) {
        true => "always",
        false => "not always",
    };
    let rows = [
        ["faster than real time", "always", always],
        [
            "steps in which less density is faster",
            "all",
            &format!("{rises} of {}", rates.len().saturating_sub(1)),
        ],
        ["least speedup on 16 cores", "9", &short(least)],
    ];
    Comparison {
        caption: "what the paper says of its figure".into(),
        heading: ["", "paper", "here"].map(String::from).to_vec(),
        rows: rows.map(|row| row.map(String::from).to_vec()).to_vec(),
    }
}

/// Figure 10: how far entities may run ahead.
pub fn figure_10(quick: bool) -> Result<Page, Failure> {
    let effort = Effort::new(quick);
    let mut table = Table::new(["scene", "ahead ms", "16 cores s", "times 8 ms"]);
    let mut series = Vec::new();
    let mut rows = Vec::new();
    for of in [SCENARIOS[0], SCENARIOS[2], SCENARIOS[4]] {
        let (_, scene) = scenario(of, effort)?;
        let mut points: Vec<(f64, f64)> = Vec::new();
        let mut least = f64::NAN;
        for ahead in [8, 16, 32, 64, 128, 256, 512] {
            let took = on_cores(&scene, 16, (ahead, false), effort.repeats)?.elapsed_s;
            if least.is_nan() {
                least = took;
            }
            points.push((ahead as f64, least / took));
            table.row([
                of.name(),
                ahead.to_string(),
                short(took),
                short(least / took),
            ]);
        }
        let best = points.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
        let at = |ahead: f64| {
            points
                .iter()
                .find(|p| p.0 == ahead)
                .map_or(f64::NAN, |p| p.1)
        };
        rows.push(vec![
            of.name(),
            "256".into(),
            best.map_or("-".into(), |best| short(best.0)),
            short(at(256.0)),
            short(at(512.0)),
        ]);
        series.push(Series {
            name: of.name(),
            points,
        });
    }
    Ok(Page {
        stem: "koenig-figure-10",
        title: "Koenig's Figure 10: how far entities run ahead",
        text: how(effort),
        charts: vec![(
            "",
            Chart {
                title: "16 cores, simulated".into(),
                x: Axis::log("LVT_ub - GVT (ms)"),
                y: Axis::linear("times as fast as with 8 ms"),
                series,
            },
        )],
        comparisons: vec![Comparison {
            caption: "where more does not help, ms; the paper says that it helps the bouncing balls least".into(),
            heading: ["", "paper", "best here", "gain at 256", "gain at 512"]
                .map(String::from)
                .to_vec(),
            rows,
        }],
        summary: table.render(),
        csv: table.csv(),
    })
}
