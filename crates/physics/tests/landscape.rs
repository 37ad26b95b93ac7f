//! Contacts with landscapes: what a manifold says of an overlap is what there is.

use crate::groups_yard;

use groups_yard::{Yard, cuboid, material};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use warpline_physics::groups::manifold::Manifolds;
use warpline_physics::groups::{Member, Neighbour, contacts};
use warpline_physics::{Pose, Quat, Shape, Vec3, contact};

fn hills() -> Shape {
    let height = |i: usize, j: usize| {
        let (x, z) = (i as f64 * 0.9, j as f64 * 0.7);
        0.08 * (x.sin() + (z + 0.5 * x).cos())
    };
    let heights = (0..9).map(|j| (0..9).map(|i| height(i, j)).collect());
    Shape::HeightField {
        heights: heights.collect(),
        scale: Vec3::new(2.0, 1.0, 2.0),
    }
}

/// The hull of fourteen points on an ellipsoid.
fn rock(rng: &mut Pcg64Mcg) -> Shape {
    let mut point = || {
        let [x, y, z] = [(); 3].map(|()| rng.random_range(-1.0..1.0));
        Vec3::new(x, y, z).normalize() * Vec3::new(0.1, 0.07, 0.08)
    };
    Shape::Hull {
        points: (0..14).map(|_| point()).collect(),
    }
}

/// Bodies in any attitude and motion are brought to where they hover over hills, touch them, or overlap with them by two
/// micrometres. A contact that is deeper than that by more than it takes to lie beside a facet would throw the body out of
/// the ground.
#[test]
fn contacts_with_hills_are_no_deeper_than_the_overlap() {
    let mut rng = Pcg64Mcg::seed_from_u64(5);
    let mut worst: Vec<(f64, String)> = Vec::new();
    for k in 0..2400 {
        let shape = match k % 5 {
            0 => cuboid(0.12, 0.035, 0.035),
            1 => Shape::Cylinder {
                half_height: 0.08,
                radius: 0.07,
            },
            2 => Shape::Capsule {
                half_height: 0.1,
                radius: 0.06,
            },
            3 => cuboid(0.1, 0.07, 0.08),
            _ => rock(&mut rng),
        };
        let name = format!("{k}: {shape:?}");
        let mut yard = Yard::default();
        yard.fixed(hills(), Vec3::ZERO, material(0.5, 0.0));
        let [x, y, z, w] = [(); 4].map(|()| rng.random_range(-1.0..1.0));
        let turn = Quat::from_xyzw(x, y, z, w).normalize();
        let at = Vec3::new(
            rng.random_range(-0.6..0.6),
            0.6,
            rng.random_range(-0.6..0.6),
        );
        yard.add(shape, 1.0, Pose::from_parts(at, turn), material(0.5, 0.0));
        let (model, ground) = (&yard.models[0], &yard.grounds[0]);
        let mut state = yard.states[0];
        let wanted = [1e-5, 1e-7, -2e-6, 3e-4, 1.5e-3, 0.02][k % 6];
        let mut gap = f64::INFINITY;
        for _ in 0..200 {
            gap = contact::closest(model, &state, &ground.0, &ground.1).gap;
            if (gap - wanted).abs() < 1e-8 {
                break;
            }
            state.position.y -= gap - wanted;
        }
        if (gap - wanted).abs() > 1e-7 {
            continue;
        }
        let [x, y, z] = [(); 3].map(|()| rng.random_range(-2.0..2.0));
        state.velocity = Vec3::new(x, y, z);
        state.spin = Vec3::new(z, x, y) * 3.0;
        let members = [Member {
            body: 1,
            model,
            state,
        }];
        let neighbours = [Neighbour {
            body: 0,
            model: &ground.0,
            state: ground.1,
        }];
        let mut found = Manifolds::default();
        contacts::find(
            &members,
            &neighbours,
            &[(0, 1)],
            2e-3,
            1.0 / 60.0,
            &mut found,
        )
        .expect("a pair");
        let deepest = found
            .points
            .iter()
            .map(|p| p.gap)
            .fold(f64::INFINITY, f64::min);
        worst.push((deepest - gap.min(0.0), name));
    }
    assert!(worst.len() > 1800, "{}", worst.len());
    worst.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert!(worst[0].0 > -1e-4, "{:#?}", &worst[..12]);
}
