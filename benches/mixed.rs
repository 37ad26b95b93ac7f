//! A mixed scene: 900 balls in elastic flight and 100 boxes in lasting contact (ten towers of ten, kept
//! awake on both sides). Warpline under timewarp beside Rapier f64 at 240 Hz in one process.
//!
//! `cargo bench --bench mixed [-- --quick] [--csv FILE]`

mod measure;
#[path = "measure/rapier.rs"]
mod rapier;

use measure::{Options, Table, cpu, scene_of};
use sim::{Algorithm, LookAhead, World};

const TIMEWARP: Algorithm = Algorithm::TimeWarp(LookAhead::Adaptive);
const DENSITY: f64 = 1000.0;

fn world(seconds: f64) -> World {
    let towers: String = (0..10)
        .map(|k| {
            format!(
                r#"
                [[lattice]]
                name = "tower {k}"
                count = [1, 10, 1]
                shape = {{ box = [0.5, 0.5, 0.5] }}
                material = "wood"
                position = [{}, 0.251, -8]
                spacing = [0, 0.501, 0]
                "#,
                f64::from(k) * 1.5 - 7.0
            )
        })
        .collect();
    let text = format!(
        r#"
        name = "mixed"
        until = {seconds:?}
        gravity = [0, -9.81, 0]
        [materials.wood]
        restitution = 0
        friction = 0.6
        [materials.rubber]
        restitution = 1
        friction = 0
        [contact]
        rest_speed = 0
        [box]
        min = [-8, 0, -10]
        max = [8, 16, 10]
        material = "wood"
        [[body]]
        name = "partition"
        kind = "fixed"
        shape = {{ box = [16, 16, 0.5] }}
        position = [0, 8, -6]
        material = "wood"
        [[scatter]]
        name = "ball"
        count = 900
        shape = {{ ball = 0.15 }}
        material = "rubber"
        region = {{ min = [-8, 0, -5.7], max = [8, 16, 10] }}
        speed = {{ rms = 3 }}
        gap = 0.01
        seed = 1
        {towers}
        "#
    );
    scene_of("mixed", &text)
}

fn main() {
    let options = Options::parse();
    let (seconds, repetitions) = if options.quick { (0.5, 1) } else { (3.0, 3) };
    let world = world(seconds);
    let mut best = [f64::INFINITY; 3];
    for _ in 0..repetitions {
        best[0] = best[0].min(measure::run(&world, TIMEWARP).0);
        for (place, hertz) in [(1, 60), (2, 240)] {
            best[place] = best[place].min(run_rapier(&world, seconds, hertz));
        }
    }
    let mut table = Table::new(&["engine", "CPU ms per simulated s", "times Warpline's CPU"]);
    let names = ["Warpline, timewarp", "Rapier 60 Hz", "Rapier 240 Hz"];
    for (name, cpu_seconds) in names.into_iter().zip(best) {
        table.row(vec![
            name.into(),
            format!("{:.1}", 1e3 * cpu_seconds / seconds),
            format!("{:.1}", cpu_seconds / best[0]),
        ]);
    }
    table.finish(&options);
}

/// CPU seconds of Rapier's steps, with no body allowed to sleep.
fn run_rapier(world: &World, seconds: f64, hertz: u32) -> f64 {
    let mut copy = rapier::Copy::of(world, DENSITY, hertz);
    for (_, handle) in &copy.handles {
        copy.physics.bodies[*handle]
            .activation_mut()
            .normalized_linear_threshold = -1.0;
    }
    let steps = (seconds * f64::from(hertz)).round() as u32;
    (0..steps).map(|_| cpu(|| copy.physics.step()).0).sum()
}
