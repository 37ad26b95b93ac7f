//! Closed loops stay closed, couplings hold, motors do what they say.

use crate::trees::chain;
use warpline_multibody::constraint::{Combination, Constraint, Coordinate, Frame};
use warpline_multibody::dop853::{System, Tolerance};
use warpline_multibody::flow::{Law, Trajectory};
use warpline_multibody::loops::Loops;
use warpline_multibody::motor::Motor;
use warpline_multibody::{Pose, Vec3, Workspace};

fn joint(k: usize) -> Combination {
    let at = Coordinate {
        position: k,
        velocity: k,
    };
    Combination {
        terms: vec![(at, 1.0)],
        offset: 0.0,
    }
}

const FINE: Tolerance = Tolerance {
    relative: 1e-9,
    absolute: 1e-9,
};

/// Three rods of 1 m in a row, whose end is pinned to the world 1.2 m beside the first pin.
#[test]
fn a_four_bar_keeps_its_gap_and_its_energy() {
    let model = chain(3, 1.0);
    let end = Frame {
        link: Some(2),
        pose: Pose::from_translation(Vec3::new(0.0, 0.0, -1.0)),
    };
    let pin = Frame {
        link: None,
        pose: Pose::from_translation(Vec3::new(1.2, 0.0, 0.0)),
    };
    let mut loops = Loops::new(&model, vec![Constraint::Connect(end, pin)]);
    let mut ws = Workspace::new(&model);
    let mut q = vec![0.6, -1.6, -1.2];
    assert!(loops.close_positions(&model, &mut q, &mut ws, 1e-12));
    let mut y = q.clone();
    y.extend([0.0; 3]);
    let start = model.energy(&q, &[0.0; 3], &mut ws).total();
    let mut law = Law::new(&model, loops, &[]);
    let mut path = Trajectory::new(&y, FINE);
    path.extend(&mut law, 10.0).expect("a smooth motion");
    let mut moved = 0.0f64;
    for k in 0..=1000 {
        path.state(0.01 * k as f64, &mut y);
        let (now, v) = y.split_at(3);
        let energy = model.energy(now, v, &mut ws).total();
        let tip = ws.origin(2) + ws.rotation(2) * Vec3::new(0.0, 0.0, -1.0);
        let gap = (tip - Vec3::new(1.2, 0.0, 0.0)).length();
        // the issue asks for 1e-5 m; dense output of order 7 leaves far less
        assert!(gap < 1e-8, "{gap:e} m at {k}");
        assert!((energy - start).abs() < 1e-6 * 30.0, "{energy} {start}");
        moved = moved.max((now[0] - q[0]).abs());
    }
    assert!(moved > 0.1, "the linkage swings");
}

#[test]
fn a_coupled_joint_follows() {
    let model = chain(2, 0.5);
    let follow = Constraint::Couple {
        first: joint(1),
        second: Some(joint(0)),
        polynomial: [0.1, -2.0, 0.3, 0.0, 0.0],
    };
    let mut loops = Loops::new(&model, vec![follow]);
    let mut ws = Workspace::new(&model);
    let mut q = vec![0.8, 0.0];
    assert!(loops.close_positions(&model, &mut q, &mut ws, 1e-13));
    let mut y = vec![q[0], q[1], 0.0, 0.0];
    let mut law = Law::new(&model, loops, &[]);
    let mut path = Trajectory::new(&y, FINE);
    path.extend(&mut law, 3.0).expect("a smooth motion");
    for k in 0..=300 {
        path.state(0.01 * k as f64, &mut y);
        let wanted = 0.1 - 2.0 * y[0] + 0.3 * y[0] * y[0];
        assert!((y[1] - wanted).abs() < 1e-8);
    }
}

#[test]
fn an_impulse_on_a_loop_leaves_it_closed() {
    let model = chain(3, 1.0);
    let frame = |link, x, z| Frame {
        link,
        pose: Pose::from_translation(Vec3::new(x, 0.0, z)),
    };
    let weld = Constraint::Connect(frame(Some(2), 0.0, -1.0), frame(None, 1.2, 0.0));
    let mut loops = Loops::new(&model, vec![weld]);
    let mut ws = Workspace::new(&model);
    let mut q = vec![0.6, -1.6, -1.2];
    loops.close_positions(&model, &mut q, &mut ws, 1e-13);
    let mut v = vec![0.0; 3];
    model.factorize(&q, &mut ws);
    let point = ws.origin(1);
    model.impulse_response(&mut ws, 1, point, Vec3::new(2.0, 0.0, 0.0), &mut v);
    loops.close_velocities(&model, &q, &mut v, &mut ws);
    model.kinematics(&q, &v, &mut ws);
    let tip = ws.point_velocity(2, Vec3::new(1.2, 0.0, 0.0));
    assert!(tip.length() < 1e-12, "{tip}");
    assert!(v[0].abs() > 0.1);
}

#[test]
fn a_position_motor_holds_its_target() {
    let model = chain(1, 1.0);
    let motors = [Motor::position(joint(0), 200.0, 20.0)];
    let mut law = Law::new(&model, Loops::new(&model, Vec::new()), &motors);
    law.controls[0] = 0.5;
    let mut y = vec![0.0, 0.0];
    let mut path = Trajectory::new(&y, FINE);
    path.extend(&mut law, 10.0).expect("a smooth motion");
    path.state(10.0, &mut y);
    // 200 (0.5 - q) = m g L/2 sin q
    let rest = 200.0 * (0.5 - y[0]) - 9.81 * 0.5 * libm::sin(y[0]);
    assert!(rest.abs() < 1e-6 && y[1].abs() < 1e-7, "{rest:e} {y:?}");
    assert_eq!(law.dimension(), 2);
}
