use cpu_time::ThreadTime;
use warpline_shell::impulse::{*, scenes::*};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let get = |k: &str, d: &str| args.iter().position(|a| a == k).map(|i| args[i+1].clone()).unwrap_or(d.into());
    let n: u32 = get("-n", "20").parse().unwrap();
    let tri = get("-w", "s") == "t";
    let kind = if get("-k","d")=="r" {Kind::Rope} else {Kind::Distance};
    let which = get("-s", "012");
    let solvers = get("-v", "baf");
    let exts: Vec<f64> = get("-e", "0.1,0.01,0.00001").split(',').map(|x| x.parse().unwrap()).collect();
    let vels: Vec<bool> = get("-c", "01").chars().map(|c| c=='1').collect();
    for (i,(name, f)) in SCENES.iter().enumerate() {
        if !which.contains(&i.to_string()) {continue}
        for &e in &exts { for &vc in &vels { 
            let mut base = 0.0;
            for s in solvers.chars() {
            let o = |a,s,f| Solver::Impulses(Optimisations{reuse_direction:true,anticipation:a,skipping:s,frozen_direction:f});
            let solver = match s {
                '0' => Solver::Impulses(Optimisations::NONE),
                'b' => o(false, Skipping::Off, false),
                'B' => o(false, Skipping::BodyBits, false),
                'a' => o(true, Skipping::Off, false),
                'A' => o(true, Skipping::Flags, false),
                'c' => o(false, Skipping::Off, true),
                'C' => o(false, Skipping::BodyBits, true),
                'd' => o(true, Skipping::Off, true),
                'f' => o(true, Skipping::Flags, true),
                's' => Solver::Strips{is_parallel:false},
                _ => Solver::Strips{is_parallel:true},
            };
            let sc = ClothScene{resolution:n, extensibility:e, is_velocity_corrected:vc, weave: if tri {Weave::Triangulated} else {Weave::Square}, kind, solver, sphere_mass: get("-m","10").parse().unwrap(), ..ClothScene::default()};
            let (cloth, mut st) = f(&sc).unwrap();
            let mut w = Workspace::new(&cloth);
            let mut rep = StepReport::default();
            let t = ThreadTime::now();
            let mut strain = 0f64; let mut worst=0u32; let e0 = cloth.energy(&st);
            for k in 0..200 { match cloth.step(&mut st, &mut w, &mut []) { Ok(r) => {rep += r; worst=worst.max(r.iterations)}, Err(x) => {println!("{k} {x}"); break} } strain = strain.max(cloth.largest_strain(&st)); }
            let t = t.elapsed().as_secs_f64()*5.0;
            if s=='b' {base=t}
            println!("{name} {e} {vc} {s}: {t:.3} ms/step ({:.2}x) it {} dir {} corr {} vit {} vcorr {} worst {worst} strain {strain:.3e} pen {:.2e} dE {:.3}", base/t, rep.iterations/200, rep.direction_updates/200, rep.corrections/200, rep.velocity_iterations/200, rep.velocity_corrections/200, cloth.largest_penetration(&st), cloth.energy(&st)-e0);
        }}}
    }
}
