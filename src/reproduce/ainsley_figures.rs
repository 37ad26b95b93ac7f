//! Ainsley, Vouga, Grinspun & Tamstorf's Figures 6 to 9: the twister frame by frame, threads, and the
//! length R of the rollback windows.

use super::ainsley::{failed, scene};
use super::page::{Comparison, Page};
use crate::chart::{Axis, Chart, Series};
use crate::failure::Failure;
use crate::table::{Table, short};
use shell::acm::SceneName;
use shell::acm::experiment::{AtWindow, Breakdown, scale_threads, sweep_windows, trace};

/// The scenes of Figures 7 to 9.
const SCENES: [SceneName; 3] = [
    SceneName::TrashCompactor,
    SceneName::TwoCloths,
    SceneName::ReefKnot,
];

/// Figure 6: rollbacks and time of each frame of the twister.
pub fn figure_6(quick: bool) -> Result<Page, Failure> {
    let twister = scene(SceneName::Twister, quick)?;
    let frames = trace(&twister, if quick { 25 } else { 100 }).map_err(failed)?;
    let mut table = Table::new(["time s", "rollbacks", "CPU ms", "pairs with layers"]);
    for f in &frames {
        table.row([
            short(f.time_s),
            f.rollbacks.to_string(),
            short(1e3 * f.cpu_s),
            f.contacts.to_string(),
        ]);
    }
    let chart = |title: &str, y: &str, of: &dyn Fn(usize) -> f64| Chart {
        title: title.into(),
        x: Axis::linear("time (s)"),
        y: Axis::linear(y),
        series: vec![Series {
            name: "twister".into(),
            points: frames
                .iter()
                .enumerate()
                .map(|(i, f)| (f.time_s, of(i)))
                .collect(),
        }],
    };
    let rollbacks: u64 = frames.iter().map(|f| f.rollbacks).sum();
    let cpu_s: f64 = frames.iter().map(|f| f.cpu_s).sum();
    Ok(Page {
        stem: "ainsley-figure-6",
        title: "Ainsley's Figure 6: the twister frame by frame",
        text: vec![format!(
            "A cloth of {} vertices whose short edges turn against each other, five turns in all. The \
                 paper winds its cloth around a rod, and both its curves rise as the cloth is wrung and \
                 touches itself in more places. Here the time rises so too; rollbacks stay few, since \
                 pairs that are about to touch get their layer before they do.",
            twister.model.vertex_count()
        )],
        charts: vec![
            (
                "-rollbacks",
                chart("rollbacks of each frame", "rollbacks", &|i| {
                    frames[i].rollbacks as f64
                }),
            ),
            (
                "-time",
                chart("CPU time of each frame", "ms", &|i| 1e3 * frames[i].cpu_s),
            ),
        ],
        comparisons: Vec::new(),
        summary: format!(
            "{} frames, {rollbacks} rollbacks, {} CPU s, {} pairs with layers at the end\n",
            frames.len(),
            short(cpu_s),
            frames.last().map_or(0, |f| f.contacts)
        ),
        csv: table.csv(),
    })
}

/// Figure 7: speedup over the number of threads.
pub fn figure_7(quick: bool) -> Result<Page, Failure> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (mut table, mut series) = (
        Table::new(["scene", "threads", "wall s", "speedup"]),
        Vec::new(),
    );
    for name in SCENES {
        let scene = scene(name, quick)?;
        let (share, repeats) = if quick { (0.1, 2) } else { (0.05, 8) };
        let walls =
            scale_threads(&scene, share * scene.duration_s, threads, repeats).map_err(failed)?;
        let speedup = |i: usize| walls[0] / walls[i];
        for (i, wall) in walls.iter().enumerate() {
            table.row([
                name.as_str().to_string(),
                (i + 1).to_string(),
                short(*wall),
                short(speedup(i)),
            ]);
        }
        series.push(Series {
            name: name.as_str().into(),
            points: (0..walls.len())
                .map(|i| (i as f64 + 1.0, speedup(i)))
                .collect(),
        });
    }
    Ok(Page {
        stem: "ainsley-figure-7",
        title: "Ainsley's Figure 7: scaling over threads",
        text: vec![
            format!(
                "Wall time on this machine's {threads} processors, relative to one thread, the least of several \
                 runs; other programs on the machine show in it. The paper scales to 16 cores on meshes of 10,000 and more \
                 vertices, and poorly on the trash compactor, which is small."
            ),
            "The history is the same to the byte for any number of threads.".into(),
        ],
        charts: vec![(
            "",
            Chart {
                title: "speedup".into(),
                x: Axis::linear("threads"),
                y: Axis::linear("times one thread"),
                series,
            },
        )],
        comparisons: Vec::new(),
        summary: table.render(),
        csv: table.csv(),
    })
}

/// Lengths of windows that are compared, s.
const LENGTHS: [f64; 8] = [1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 1.0 / 300.0, 5e-3, 1e-2];

fn sweeps(quick: bool) -> Result<Vec<(SceneName, Vec<AtWindow>)>, Failure> {
    let sim_s = if quick { 0.01 } else { 0.03 };
    let sweep = |name: SceneName| {
        let points = sweep_windows(&scene(name, quick)?, sim_s, &LENGTHS).map_err(failed)?;
        Ok((name, points))
    };
    SCENES.into_iter().map(sweep).collect()
}

fn over_windows(
    sweeps: &[(SceneName, Vec<AtWindow>)],
    title: &str,
    of: fn(&AtWindow) -> f64,
) -> Chart {
    let line = |(name, points): &(SceneName, Vec<AtWindow>)| Series {
        name: name.as_str().into(),
        points: points
            .iter()
            .filter_map(|p| Some((p.window_s?, of(p))))
            .collect(),
    };
    Chart {
        title: title.into(),
        x: Axis::log("R (s)"),
        y: Axis::linear("CPU s"),
        series: sweeps.iter().map(line).collect(),
    }
}

fn window_table(sweeps: &[(SceneName, Vec<AtWindow>)]) -> Table {
    let mut table = Table::new([
        "scene",
        "R s",
        "total s",
        "collision detection s",
        "resimulation s",
        "unneeded penalty s",
    ]);
    for (name, points) in sweeps {
        for p in points {
            let Breakdown {
                resimulation,
                unneeded,
                ..
            } = p.measured.parts;
            table.row([
                name.as_str().to_string(),
                p.window_s.map_or("adaptive".into(), short),
                short(p.measured.cpu_s),
                short(p.measured.parts.detection()),
                short(resimulation),
                short(unneeded),
            ]);
        }
    }
    table
}

/// Figure 8: total time over R.
pub fn figure_8(quick: bool) -> Result<Page, Failure> {
    let sweeps = sweeps(quick)?;
    let total: fn(&AtWindow) -> f64 = |p| p.measured.cpu_s;
    let best = |(name, points): &(SceneName, Vec<AtWindow>)| {
        let fixed = points.iter().filter(|p| p.window_s.is_some());
        let best = fixed.min_by(|a, b| total(a).total_cmp(&total(b)));
        let adaptive = points.iter().find(|p| p.window_s.is_none());
        vec![
            name.as_str().to_string(),
            "0.003".into(),
            best.and_then(|p| p.window_s).map_or("-".into(), short),
            best.map_or("-".into(), |p| short(total(p))),
            adaptive.map_or("-".into(), |p| short(total(p))),
        ]
    };
    let heading = [
        "",
        "sweet spot, paper (s)",
        "here (s)",
        "time there (s)",
        "adaptive (s)",
    ];
    let table = window_table(&sweeps);
    Ok(Page {
        stem: "ainsley-figure-8",
        title: "Ainsley's Figure 8: total time over the length of the windows",
        text: vec![
            "A piece of each scene with contacts, run from one state with windows of different lengths; the \
             history is the same to the byte. What must come out: a sweet spot that differs little \
             between scenes, with a flat bottom."
                .into(),
        ],
        charts: vec![("", over_windows(&sweeps, "total CPU time", total))],
        comparisons: vec![Comparison {
            caption: "the length that costs least".into(),
            heading: heading.map(String::from).to_vec(),
            rows: sweeps.iter().map(best).collect(),
        }],
        summary: table.render(),
        csv: table.csv(),
    })
}

/// Figure 9: detection, resimulation and unneeded penalty forces over R.
pub fn figure_9(quick: bool) -> Result<Page, Failure> {
    let sweeps = sweeps(quick)?;
    let table = window_table(&sweeps);
    Ok(Page {
        stem: "ainsley-figure-9",
        title: "Ainsley's Figure 9: waste over the length of the windows",
        text: vec![
            "What must come out: resimulation and unneeded penalty forces rise with R, collision detection \
             grows when R becomes too small."
                .into(),
            "A rollback here goes back to the last checkpoint before the first missed contact, an eighth of a \
             window at least, not to the window's start, and pairs that are about to touch get their \
             layer before they do, so resimulation is small up to several milliseconds."
                .into(),
        ],
        charts: vec![
            (
                "-detection",
                over_windows(&sweeps, "collision detection", |p| {
                    p.measured.parts.detection()
                }),
            ),
            (
                "-resimulation",
                over_windows(&sweeps, "resimulation", |p| p.measured.parts.resimulation),
            ),
            (
                "-unneeded",
                over_windows(&sweeps, "unneeded penalty forces", |p| {
                    p.measured.parts.unneeded
                }),
            ),
        ],
        comparisons: Vec::new(),
        summary: table.render(),
        csv: table.csv(),
    })
}
