use physics::body::Heft;
use physics::*;
use rand::{RngExt, SeedableRng};
use record::HistoryHash;
use warpline_sim::*;
fn gas(n: usize, r: f64, l: f64, secs: f64, mol: bool) -> World {
    let mut w = World::new("gas", Vec3::ZERO, secs);
    let mat = Material {
        restitution: 1.0,
        friction: 0.0,
    };
    for (i, nrm) in [
        Vec3::X,
        Vec3::NEG_X,
        Vec3::Y,
        Vec3::NEG_Y,
        Vec3::Z,
        Vec3::NEG_Z,
    ]
    .into_iter()
    .enumerate()
    {
        let m = w.add_model(
            BodyModel::fixed(&[Part::centred(Shape::HalfSpace { normal: nrm })], mat).unwrap(),
        );
        let at = if nrm.min_element() < 0.0 {
            -nrm * l
        } else {
            Vec3::ZERO
        };
        w.add_fixed(format!("wall{i}"), m, Pose::from_translation(at));
    }
    let ball = w.add_model(
        BodyModel::dynamic(
            &[Part::centred(Shape::Ball { radius: r })],
            Heft::Mass(1.0),
            mat,
            Vec3::ZERO,
        )
        .unwrap(),
    );
    let k = (n as f64).cbrt().ceil() as usize;
    let water = w.add_model(
        BodyModel::dynamic(
            &[
                Part::centred(Shape::Ball { radius: r * 0.9 }),
                Part::at(
                    Shape::Ball { radius: r * 0.6 },
                    Vec3::new(r * 0.7, r * 0.5, 0.0),
                ),
                Part::at(
                    Shape::Ball { radius: r * 0.6 },
                    Vec3::new(-r * 0.7, r * 0.5, 0.0),
                ),
            ],
            Heft::Mass(1.0),
            mat,
            Vec3::ZERO,
        )
        .unwrap(),
    );
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(7);
    let mut c = 0;
    for x in 0..k {
        for y in 0..k {
            for z in 0..k {
                if c >= n {
                    continue;
                }
                let s = l / k as f64;
                let p = Vec3::new(
                    (x as f64 + 0.5) * s,
                    (y as f64 + 0.5) * s,
                    (z as f64 + 0.5) * s,
                );
                let mut v = || (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0;
                let vel = Vec3::new(v(), v(), v()) * (3.0 / 3f64.sqrt());
                let spin = if mol && c % 3 == 0 {
                    Vec3::new(v(), v(), v()) * 3.0
                } else {
                    Vec3::ZERO
                };
                w.add_dynamic(
                    format!("b{c}"),
                    if mol && c % 3 == 0 { water } else { ball },
                    State {
                        position: p,
                        velocity: vel,
                        rotation: Quat::IDENTITY,
                        spin,
                    },
                );
                c += 1;
            }
        }
    }
    w
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: usize = a[1].parse().unwrap();
    let secs: f64 = a[2].parse().unwrap();
    let mol = a.len() > 3 && a[3] == "mol";
    let l = if a.len() > 4 {
        a[4].parse().unwrap()
    } else {
        10.0
    };
    let w = gas(n, 0.15, l, secs, mol);
    if std::env::var("NOHASH").is_err() {
        w.validate().unwrap();
    }
    for alg in [
        Algorithm::Ordered,
        Algorithm::TimeWarp(LookAhead::Adaptive),
        Algorithm::TimeWarp(LookAhead::Seconds(0.001)),
        Algorithm::TimeWarp(LookAhead::Seconds(0.01)),
        Algorithm::TimeWarp(LookAhead::Seconds(0.1)),
        Algorithm::Oracle,
    ] {
        let mut h = HistoryHash::new();
        let mut d = Discard;
        let off = std::env::var("NOHASH").is_ok();
        if std::env::var("ONLY").is_ok_and(|o| !format!("{alg:?}").contains(&o)) {
            continue;
        }
        let t = cpu_time::ThreadTime::now();
        let (s, states) = run(
            &w,
            alg,
            if off {
                &mut d as &mut dyn History
            } else {
                &mut h
            },
        )
        .unwrap();
        let dt = t.elapsed().as_secs_f64();
        let hash = h.finish();
        let e0: f64 = w
            .bodies
            .iter()
            .map(|b| b.start.velocity.length_squared())
            .sum();
        let e1: f64 = states.iter().map(|b| b.velocity.length_squared()).sum();
        println!(
            "{alg:?} {:.1} ms/s  {} events ({:.2} us/ev) undone {} checks {} searches {} pen {:.1e} dE {:.1e} hash {}",
            dt * 1e3 / secs,
            s.events_committed,
            dt * 1e6 / s.events_committed as f64,
            s.segments_undone,
            s.checks,
            s.searches,
            s.max_penetration_m,
            (e1 - e0) / e0,
            &hash[..12]
        );
    }
}
