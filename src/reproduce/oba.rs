//! The comparison of slide 38 of Geigenfeind's seminar on optimization-based animation (Milenkovic and
//! Schmidl 2001) as numbers and pictures: solvers of contact groups on a dense packing, and how densely
//! spheres and hulls are packed in the end.

use super::page::{Comparison, Page, Shown};
use crate::failure::Failure;
use crate::filled::filled;
use crate::recorder::Recorder;
use crate::solvers::{COLUMNS, Entrant, Outcome, cells, measure, table};
use crate::source::SceneArguments;
use crate::table::{Table, short};
use crate::view::open;
use sim::scene::Override;
use sim::{Discard, Kind, World};
use std::path::Path;
use viewer::Picture;

/// Solvers at their usual steps. The third is as much as `soft-step` can do about overlap.
const USUAL: [&str; 6] = [
    "optimization",
    "soft-step",
    "soft-step:1/240:8",
    "impulse",
    "penalty",
    "auto",
];
/// The two of the picture pair, at long steps.
const LONG: [&str; 2] = ["optimization:1/30", "soft-step:1/30:1"];

/// What makes `packing` one of hulls alone.
/// They fill less of a layer than boxes do: more layers leave a region away from floor and surface.
const HULLS: [(&str, &str); 5] = [
    ("layers", "24"),
    ("scatter.box.count", "0"),
    ("scatter.ball.count", "0"),
    ("scatter.rock.count", "$bodies"),
    ("scatter.rock.variants", "60"),
];

/// Runs the comparison and draws the pictures into `out`.
pub fn reproduce(quick: bool, out: &Path) -> Result<(Page, Vec<Shown>), Failure> {
    let packing = scene("packing", if quick { &[("bodies", "45")] } else { &[] });
    let mut outcomes = Vec::new();
    for name in USUAL {
        let entrant = entrant(name)?;
        outcomes.push(measure(name, &entrant.world(&packing)?, &mut Discard));
    }
    let mut long = Vec::new();
    let mut shown = Vec::new();
    for (name, file) in LONG.iter().zip(["optimization", "soft-step"]) {
        let world = entrant(name)?.world(&packing)?;
        let picture = format!("oba-comparison-{file}.png");
        let outcome = pictured(name, &world, out, &picture)?;
        let overlap = outcome.ran.as_ref().ok().and_then(|m| m.overlap.as_ref());
        let overlap = short(1e3 * overlap.map_or(0.0, |o| o.depth));
        shown.push(Shown {
            file: picture,
            caption: format!("{name}: largest overlap {overlap} mm"),
        });
        long.push(outcome);
    }
    let fractions = fractions(quick)?;
    let all = outcomes.iter().chain(&long);
    let mut filled = Table::new(["packing", "bodies", "fraction filled", "experiment"]);
    for row in &fractions {
        filled.row(row.clone());
    }
    let page = Page {
        stem: "oba-comparison",
        title: "Optimization-based animation beside other solvers",
        text: text(),
        charts: Vec::new(),
        comparisons: vec![
            comparison("Convex bodies poured into a bin and tapped", &outcomes),
            comparison("The same with steps of 1/30 s", &long),
            Comparison {
                caption:
                    "How much of the space is filled, two diameters away from walls and surface"
                        .into(),
                heading: ["packing", "bodies", "fraction filled", "experiment"]
                    .map(String::from)
                    .to_vec(),
                rows: fractions.iter().map(|row| row.to_vec()).collect(),
            },
        ],
        csv: table(all.clone()).csv(),
        summary: format!("{}\n{}", table(all).render(), filled.render()),
    };
    Ok((page, shown))
}

fn scene(name: &str, changes: &[(&str, &str)]) -> SceneArguments {
    let set = changes
        .iter()
        .map(|(key, value)| Override::option("--quick", key, value));
    SceneArguments {
        scene: name.into(),
        set: set.collect(),
        until: None,
        solver: None,
    }
}

fn entrant(name: &str) -> Result<Entrant, Failure> {
    name.parse()
        .map_err(|why: String| Failure::input(why, None))
}

/// Measures a run and draws its end.
fn pictured(name: &str, world: &World, out: &Path, picture: &str) -> Result<Outcome, Failure> {
    let recording = out.join("oba-comparison.warp");
    let mut recorder = Recorder::create(&recording, world, "timewarp")?;
    let outcome = measure(name, world, &mut recorder);
    recorder.finish("{}")?;
    let size = Picture {
        width: 960,
        height: 720,
        dark: false,
        close: true,
        ..Picture::default()
    };
    let reader = open(&recording)?;
    // The moment before the end, also of a run that ended early: at the end itself nothing is committed any more.
    let (_, last) = reader.span();
    let at = world.until.seconds().min(warp::Tick(last).seconds()) * (1.0 - 1e-6);
    let drawn = viewer::render(&reader, at, &size, &out.join(picture));
    drawn.map_err(|error| Failure::run(error.to_string(), None))?;
    drop(reader);
    std::fs::remove_file(&recording).map_err(|why| {
        Failure::run(
            format!("cannot remove {}: {why}", recording.display()),
            None,
        )
    })?;
    Ok(outcome)
}

fn comparison(caption: &str, outcomes: &[Outcome]) -> Comparison {
    Comparison {
        caption: caption.into(),
        heading: COLUMNS.map(String::from).to_vec(),
        rows: outcomes.iter().map(|o| cells(o).to_vec()).collect(),
    }
}

/// Packings, how many bodies, the fraction filled, and what experiments know.
fn fractions(quick: bool) -> Result<Vec<[String; 4]>, Failure> {
    let few: &[(&str, &str)] = if quick { &[("bodies", "120")] } else { &[] };
    let many: &[(&str, &str)] = if quick {
        &[("bodies", "300")]
    } else {
        &[("bodies", "500")]
    };
    // Hulls are small: so many fill a bin higher than the two diameters at its floor and its surface.
    let hulls: &[(&str, &str)] = if quick {
        &[("bodies", "600")]
    } else {
        &[("bodies", "1000")]
    };
    let mut rows = Vec::new();
    for (name, scene, known) in [
        (
            "equal spheres",
            scene("packing-spheres", few),
            "0.60 to 0.64",
        ),
        ("boxes, balls and hulls", scene("packing", many), ""),
        (
            "random hulls of 60 kinds",
            scene("packing", &[hulls, &HULLS[..]].concat()),
            "",
        ),
    ] {
        let world = scene.load()?.world;
        let (_, states) = sim::run(
            &world,
            sim::Algorithm::TimeWarp(sim::LookAhead::Adaptive),
            &mut Discard,
        )?;
        let moving = world.bodies.iter().filter(|b| b.kind == Kind::Dynamic);
        let fraction = filled(&world, &states);
        let fraction = fraction.map_or("too few bodies".into(), |f| format!("{f:.3}"));
        rows.push([
            name.into(),
            moving.count().to_string(),
            fraction,
            known.into(),
        ]);
    }
    Ok(rows)
}

fn text() -> Vec<String> {
    vec![
        "Slide 38: Time Warp is at home where bodies are loosely coupled, optimization-based animation where they are \
         densely packed and a plausible motion is enough. Here both are in one world: bodies fly and collide under \
         Time Warp, and contact groups are advanced by the solver of the row."
            .into(),
        "Overlaps are found at 400 ticks of each run, most of them within steps, by exact distances that share nothing \
         with the solvers. CPU times are of one run each and include the audit's samples."
            .into(),
        "The slides give no numbers to set beside ours: their results (35 to 37) are pictures.".into(),
    ]
}
