use warpline_shell::acm::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let name = SceneName::parse(&args[1]).unwrap();
    let size: usize = args[2].parse().unwrap();
    let frac: f64 = args[3].parse().unwrap();
    let r: f64 = args[4].parse().unwrap();
    let mut scene = name.build(size).unwrap();
    let n = intersections(&scene.model, &scene.state.positions()).len();
    println!("{} {} vertices, {} tri, h_int {:e}, dur {}, initial intersections {}", name.as_str(), scene.model.vertex_count(), scene.model.triangles().len(), seconds(scene.model.internal_step()), scene.duration_s, n);
    let mut acm = Acm::new(&scene.model, &scene.state, AcmOptions { timed: true, window: if r > 0.0 { WindowLength::seconds(r) } else { WindowLength::Adaptive }, ..Default::default() });
    let frames = 20;
    for f in 1..=frames {
        let start = std::time::Instant::now();
        let res = acm.run_until(&scene.model, &mut scene.state, ticks(frac * scene.duration_s * f as f64 / frames as f64));
        let wall = start.elapsed().as_secs_f64();
        let c = acm.profile.counts;
        let n = intersections(&scene.model, &scene.state.positions()).len();
        let e = Energy::of(&scene.model, &scene.state);
        println!("f{f:2} t={:.4} wall {wall:.2}s isect {n} win {} roll {} ev {} contacts {} deepest {} cf {} push {} slabpairs {} steps {} fs {} KE {:.2e} mem {:.2e}", seconds(scene.state.now()), c.windows, c.rollbacks, c.events, scene.state.contacts().entries().len(), scene.state.contacts().deepest(), c.contact_forces, c.contact_pushes, c.slab_pairs, c.slab_steps, c.failsafe_calls, e.kinetic, e.membrane);
        if let Err(e) = res { println!("{e}"); break; }
    }
    let p = &acm.profile;
    println!("int {:.2} pen {:.2} broad {:.2} narrow {:.2}", p.seconds(Phase::Internal), p.seconds(Phase::Penalty), p.seconds(Phase::Broad), p.seconds(Phase::Narrow));
}
