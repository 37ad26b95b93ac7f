//! Random worlds, and a run on threads whose history is kept.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::ops::ControlFlow;
use warpline_koenig::{
    Error, Fixed, Form, Frame, Ms, Phy, Scene, Settings, Sphere, Tally, Trajectories, Vec3,
    Workers, threads,
};

/// Spheres of different sizes in a closed box with a cylinder in it, dense enough that several touch at once; they may
/// also overlap at the start.
pub fn crowd(seed: u64, count: usize, end: Ms) -> Scene {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let edge = 0.55 * (count as f64).cbrt();
    let mut vector = |low: f64, high: f64| {
        let mut one = || random.random_range(low..high);
        Vec3::new(one(), one(), one())
    };
    let spheres = (0..count).map(|i| Sphere {
        radius: 0.1 + 0.02 * (i % 3) as f64,
        mass: 1.0 + (i % 2) as f64,
        surface: 0,
        start: Phy {
            position: vector(0.1, edge - 0.1),
            velocity: vector(-3.0, 3.0),
        },
    });
    let spheres: Vec<Sphere> = spheres.collect();
    let plane = |normal: Vec3, offset| Fixed {
        form: Form::HalfSpace { normal, offset },
        surface: 1,
    };
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    let mut fixed: Vec<Fixed> = axes
        .into_iter()
        .flat_map(|n| [plane(n, 0.0), plane(-n, -edge)])
        .collect();
    fixed.push(Fixed {
        form: Form::Cylinder {
            frame: Frame {
                origin: Vec3::splat(0.5 * edge),
                axes,
            },
            half_height: 0.2 * edge,
            radius: 0.1 * edge,
        },
        surface: 1,
    });
    Scene {
        spheres,
        fixed,
        restitution: vec![vec![0.9, 0.8], vec![0.8, 0.5]],
        gravity: Vec3::new(0.0, -9.81, 0.0),
        end,
    }
}

/// A run on threads.
pub fn threaded(
    scene: &Scene,
    settings: &Settings,
    threads: usize,
) -> Result<(Trajectories, Tally), Error> {
    let mut turns = Vec::new();
    let mut last = 0;
    let workers = Workers {
        threads,
        timed: false,
    };
    let ran = threads::run(scene, settings, workers, &mut |new, gvt| {
        turns.extend_from_slice(new);
        assert!(gvt >= last, "GVT falls from {last} to {gvt}");
        last = gvt;
        ControlFlow::Continue(())
    })?;
    assert_eq!(last, scene.end);
    let states = ran.states;
    Ok((Trajectories { turns, states }, ran.tally))
}
