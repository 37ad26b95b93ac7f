//! Sleepers cost nothing: ten balls bounce over boxes that rest on the ground, one or thousands of them.
//! What is timed are a hundred simulated seconds of one simulation, after everything has come to rest.
//!
//! `cargo bench --bench sleepers [-- --quick] [--csv FILE]`

mod measure;

use measure::{Options, Table, cpu, scene_of};
use sim::{Simulation, World};
use warp::Tick;

/// When all sleep, and how long is measured after that, seconds.
const ASLEEP: f64 = 2.0;
const MEASURED: f64 = 100.0;

fn world(across: usize) -> World {
    let text = format!(
        r#"
        name = "sleepers"
        until = 1
        gravity = [0, -9.81, 0]
        [contact]
        [[body]]
        name = "ground"
        kind = "fixed"
        shape = {{ half_space = [0, 1, 0] }}
        restitution = 0
        friction = 0.5
        [[lattice]]
        name = "box"
        count = [{across}, 1, {across}]
        shape = {{ box = [0.5, 0.5, 0.5] }}
        position = [3, 0.2501, 0]
        spacing = [0.7, 0, 0.7]
        restitution = 0
        friction = 0.5
        [[lattice]]
        name = "ball"
        count = [1, 1, 10]
        shape = {{ ball = 0.2 }}
        position = [0, 2, 0]
        spacing = [0, 0, 1]
        velocity = [0, 0.5, 0]
        restitution = 1
        friction = 0
        "#
    );
    scene_of("sleepers", &text)
}

fn main() {
    let options = Options::parse();
    let (sizes, repetitions): (&[usize], u32) = if options.quick {
        (&[1, 10, 32], 2)
    } else {
        (&[1, 10, 32, 100], 3)
    };
    let mut table = Table::new(&[
        "sleeping",
        "moving",
        "CPU ms for 100 s",
        "times with one sleeper",
    ]);
    let mut alone = f64::INFINITY;
    for &across in sizes {
        let mut best = f64::INFINITY;
        for _ in 0..repetitions {
            let mut sim = Simulation::new(world(across), 0.0).expect("a sound world");
            sim.advance(Tick::from_seconds(ASLEEP)).expect("it runs");
            let steps = sim.stats().group_steps;
            let end = Tick::from_seconds(ASLEEP + MEASURED);
            let (seconds, outcome) = cpu(|| sim.advance(end));
            outcome.expect("it runs");
            assert_eq!(sim.stats().group_steps, steps, "nobody wakes");
            best = best.min(seconds);
        }
        if across == sizes[0] {
            alone = best;
        }
        table.row(vec![
            (across * across).to_string(),
            "10".into(),
            format!("{:.2}", 1e3 * best),
            format!("{:.2}", best / alone),
        ]);
    }
    table.finish(&options);
}
