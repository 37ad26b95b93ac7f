//! Closed loops of published hands: they close, and stay closed while the hand moves.

use multibody::Workspace;
use multibody::dop853::Tolerance;
use multibody::flow::{Law, Trajectory};
use multibody::loops::Loops;
use std::path::Path;
use warpline_robot::{Options, load};

fn largest_gap(path: &Path) -> f64 {
    let robot = load(path, &Options::default()).expect("a robot");
    let assembly = robot.assemble().expect("a multibody");
    let model = &assembly.multibody;
    let mut loops = Loops::new(model, assembly.constraints.clone());
    assert!(!loops.is_empty());
    let mut ws = Workspace::new(model);
    let mut q = model.reference();
    assert!(
        loops.close_positions(model, &mut q, &mut ws, 1e-10),
        "{}",
        path.display()
    );
    let mut y = q.clone();
    y.resize(q.len() + model.velocities(), 0.0);
    let mut law = Law::new(model, loops.clone(), &[]);
    let tolerance = Tolerance {
        relative: 1e-6,
        absolute: 1e-6,
    };
    let mut path = Trajectory::new(&y, tolerance);
    path.extend(&mut law, 0.2).expect("a smooth motion");
    let mut gap = 0.0f64;
    for k in 0..=20 {
        path.state(0.01 * k as f64, &mut y);
        let (q, v) = y.split_at_mut(model.positions());
        loops.close_velocities(model, q, v, &mut ws);
        gap = gap.max(loops.largest_gap());
    }
    gap
}

#[test]
fn hands_keep_their_loops_closed() {
    let Some(folder) = std::env::var_os("WARPLINE_ROBOTS") else {
        println!("skipped: WARPLINE_ROBOTS names no folder");
        return;
    };
    for model in ["robotiq_2f85/2f85.xml", "ufactory_xarm7/hand.xml"] {
        let gap = largest_gap(&Path::new(&folder).join("mjcf/menagerie").join(model));
        println!("{model}: {gap:e}");
        // limits do not act here, so a hand may fall further open than it can; its loops stay closed
        assert!(gap < 1e-5, "{model}: {gap:e}");
    }
}
