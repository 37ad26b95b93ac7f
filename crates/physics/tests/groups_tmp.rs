mod groups_yard;
use groups_yard::{Yard, material};
use rand::{RngExt, SeedableRng};
use warpline_physics::groups::{Settings, SoftStep};
use warpline_physics::{Pose, Quat, Shape, Vec3};
pub fn rock(rng: &mut rand_pcg::Pcg64Mcg, size: f64) -> Shape {
    let mut points = Vec::new();
    while points.len() < 20 {
        let mut c = || rng.random_range(-1.0..1.0);
        let p = Vec3::new(c(), c(), c());
        let l = p.length();
        if l > 0.1 && l < 1.0 {
            points.push(p / l * size);
        }
    }
    Shape::Hull { points }
}
#[test]
fn pile() {
    let n: usize = std::env::var("N").map_or(300, |s| s.parse().unwrap());
    let secs: f64 = std::env::var("SECS").map_or(3.0, |s| s.parse().unwrap());
    let rate: f64 = std::env::var("RATE").map_or(120.0, |s| s.parse().unwrap());
    let s = SoftStep::new(Settings {
        step: 1.0 / rate,
        substeps: std::env::var("SUB").map_or(4, |s| s.parse().unwrap()),
        ..Settings::default()
    })
    .unwrap();
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(7);
    let mut yard = Yard::default();
    let slope = f64::to_radians(30.0);
    let heights: Vec<Vec<f64>> = (0..41)
        .map(|_| {
            (0..81)
                .map(|i| {
                    let x = i as f64 * 0.5 - 20.0;
                    if x < 0.0 { -x * libm::tan(slope) } else { 0.0 }
                })
                .collect()
        })
        .collect();
    yard.fixed(
        Shape::HeightField {
            heights,
            scale: Vec3::new(40.0, 1.0, 20.0),
        },
        Vec3::ZERO,
        material(0.5, 0.0),
    );
    for k in 0..n {
        let (i, j, l) = (k % 6, k / 6 % 5, k / 30);
        let x = -12.0 + i as f64 * 0.8;
        let z = -2.0 + j as f64 * 0.8;
        let y = -x * libm::tan(slope) + 0.6 + l as f64 * 0.75;
        let mut c = || rng.random_range(-1.0..1.0);
        let q = Quat::from_xyzw(c(), c(), c(), c()).normalize();
        let shape = rock(&mut rng, 0.3);
        yard.add(
            shape,
            50.0,
            Pose::from_parts(Vec3::new(x, y, z), q),
            material(0.5, 0.0),
        );
    }
    let steps = (secs * rate) as usize;
    let start = cpu();
    let mut pts = 0;
    for i in 0..steps {
        let before = yard.states.clone();
        let old = yard.report.clone();
        yard.step(&s, 1.0 / rate).unwrap();
        if yard.report.deepest > 0.8 {
            for (i, m) in yard.models.iter().enumerate() {
                for j in i + 1..yard.models.len() {
                    if (before[i].position - before[j].position).length() < 0.65 {
                        let c = warpline_physics::contact::closest(
                            m,
                            &before[i],
                            &yard.models[j],
                            &before[j],
                        );
                        if c.gap < -0.007 {
                            let t = old
                                .touches
                                .iter()
                                .find(|t| t.a == i as u32 && t.b == j as u32);
                            println!(
                                "rock {i} {j} gap {:.4} relv {:.2} spins {:.1} {:.1} old {:?}",
                                c.gap,
                                (before[i].velocity - before[j].velocity).length(),
                                before[i].spin.length(),
                                before[j].spin.length(),
                                t
                            );
                        }
                    }
                }
                let c = warpline_physics::contact::closest(
                    m,
                    &before[i],
                    &yard.grounds[0].0,
                    &yard.grounds[0].1,
                );
                if c.gap < -0.007 {
                    let t = old
                        .touches
                        .iter()
                        .find(|t| t.a == i as u32 && t.b == 1000000);
                    println!(
                        "ground {i} gap {:.4} v {:.2} x {} old {:?}",
                        c.gap,
                        before[i].velocity.length(),
                        before[i].position.x,
                        t
                    );
                }
            }
        }
        pts += yard.memory.points().len();
        if (i + 1) % (rate as usize / 2) == 0 {
            println!(
                "t {:.1} pts {} pairs {} touches {} deepest {:.5} fastest {:.3} cpu {:.3}",
                yard.seconds,
                yard.memory.points().len(),
                yard.pairs.len(),
                yard.report.touches.len(),
                yard.deepest,
                yard.fastest(),
                cpu() - start
            );
            yard.deepest = 0.0;
        }
    }
    println!(
        "cpu per simulated second {:.1} ms, points {}",
        (cpu() - start) / secs * 1e3,
        pts / steps
    );
}
fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    s.split(' ').next().unwrap().parse::<f64>().unwrap() * 1e-9
}
