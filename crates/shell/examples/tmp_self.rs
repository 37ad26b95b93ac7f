use glamx::DVec3;
use std::time::Instant;
use warpline_shell::impulse::*;
use warpline_shell::impulse::scenes::{Weave, weave};
fn main() {
    let a: Vec<f64> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    let n = a[0] as u32; let meets = a[1] > 0.0; let mu = a[2]; let steps = a[3] as u64; let strips = a[4] > 0.0;
    let mesh = TriangleMesh::grid(n, n, DVec3::new(-0.5, 0.05, 0.0), DVec3::X, DVec3::new(0.0, 1.0, 0.02)).unwrap();
    let particles = mesh.vertices.iter().map(|&p| { let mut q = Particle::new(p, 0.3 / (n*n) as f64); q.radius = 0.005; q }).collect();
    let d = ClothDescription { particles, sets: weave(n, n, Weave::Square, Kind::Distance, 0.01),
        contacts: Contacts { balls: vec![], tolerance: 1e-3 },
        settings: Settings { friction: mu, gravity: DVec3::new(0.0, -9.81, 0.0), max_iterations: a.get(5).map_or(50000, |&m| m as u32),
          solver: if strips { Solver::Strips { is_parallel: false } } else { Solver::Impulses(Optimisations::ALL) }, ..Settings::default() } };
    let (mut cloth, mut state) = Cloth::new(&d).unwrap();
    cloth = cloth.with_surface(&mesh.triangles).unwrap();
    if meets { cloth = cloth.meeting_itself(&state).unwrap(); }
    let mut work = Workspace::new(&cloth);
    let mut ground = GroundObstacle { point: DVec3::ZERO, normal: DVec3::Y };
    let (mut total, mut bad, mut worst) = (0.0, 0, 0.0f64);
    for k in 0..steps {
        let t = Instant::now();
        let mut r = cloth.step(&mut state, &mut work, &mut [&mut ground]);
        let mut lv = 0;
        for level in &Calm::ALL[1..] { if r.is_err() && meets { lv += 1; r = cloth.step_fastened(&mut state, &mut work, &mut [&mut ground], &[], *level); } }
        if lv > 0 { println!("calmed {lv}"); }
        let dt = t.elapsed().as_secs_f64(); total += dt; worst = worst.max(dt);
        let c = cloth.crossings(&state).len();
        if c > 0 { bad += 1; }
        match r { Ok(r) => if k % 10 == 0 || dt > 0.4 { println!("{k} {:.1} ms it {} upd {} corr {} {} crossings {c} strain {:.4} E {:.4}", dt*1e3, r.iterations, r.direction_updates, r.corrections, work.info(), cloth.largest_strain(&state), cloth.energy(&state)); },
          Err(e) => { println!("{k} {:.1} ms {e} {}", dt*1e3, work.info()); break; } }
    }
    println!("total {total:.3} s worst {worst:.3} bad frames {bad}");
}
