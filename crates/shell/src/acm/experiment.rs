//! The measurements of Ainsley et al. (Table 1, Figures 1 and 6 to 9), shared by the benchmark and the
//! reproduction. Times are CPU seconds of the calling thread unless they are called wall; the
//! sides of a comparison run over the same samples of a scene and must end in the same bytes.

use super::{
    Acm, AcmKds, AcmOptions, Certify, Phase, Profile, Scene, ShellError, ShellState, Tick,
    WindowLength, ticks,
};
use cpu_time::ThreadTime;
use std::time::Instant;

/// Length of a sample in s: five windows of the paper's R.
pub const SAMPLE_S: f64 = 5.0 / 300.0;

/// CPU seconds by purpose (the parts of Figure 1).
#[derive(Debug, Default, Clone, Copy)]
pub struct Breakdown {
    /// Forces that stayed in the history.
    pub useful: f64,
    /// Forces that were rolled back.
    pub resimulation: f64,
    /// Penalty forces that were zero.
    pub unneeded: f64,
    /// Swept volumes, hierarchy, traversal.
    pub broad: f64,
    /// Slabs and fail-safe.
    pub narrow: f64,
    /// Rescheduling and processing of kinetic certificates.
    pub kinetic: f64,
    /// Everything else.
    pub bookkeeping: f64,
}

impl Breakdown {
    /// Splits measured times by counted work: undone forces are resimulation, contact forces that
    /// were zero are unneeded, the rest is useful.
    pub fn of(profile: &Profile, total_s: f64) -> Breakdown {
        let c = &profile.counts;
        let share = |part: u64, whole: u64| {
            if whole == 0 {
                0.0
            } else {
                part as f64 / whole as f64
            }
        };
        let (internal, penalty) = (
            profile.seconds(Phase::Internal) + profile.seconds(Phase::Slow),
            profile.seconds(Phase::Penalty),
        );
        let undone = share(c.contact_forces_undone, c.contact_forces);
        let resimulation =
            internal * share(c.element_forces_undone, c.element_forces) + penalty * undone;
        let idle = c.contact_forces - c.contact_pushes;
        let unneeded = penalty * (1.0 - undone) * share(idle, c.contact_forces);
        let (broad, narrow, kinetic) = (
            profile.seconds(Phase::Broad),
            profile.seconds(Phase::Narrow),
            profile.seconds(Phase::Kinetic),
        );
        Breakdown {
            useful: internal + penalty - resimulation - unneeded,
            resimulation,
            unneeded,
            broad,
            narrow,
            kinetic,
            bookkeeping: (total_s - internal - penalty - broad - narrow - kinetic).max(0.0),
        }
    }

    /// The parts by name.
    pub fn parts(&self) -> [(&'static str, f64); 7] {
        [
            ("useful forces", self.useful),
            ("resimulation", self.resimulation),
            ("unneeded penalty forces", self.unneeded),
            ("broad phase", self.broad),
            ("narrow phase", self.narrow),
            ("kinetic data structures", self.kinetic),
            ("bookkeeping", self.bookkeeping),
        ]
    }

    /// All parts together, in s.
    pub fn total(&self) -> f64 {
        self.parts().iter().map(|p| p.1).sum()
    }

    /// Detection in either phase, in s.
    pub fn detection(&self) -> f64 {
        self.broad + self.narrow
    }

    fn add(&mut self, o: &Breakdown) {
        self.useful += o.useful;
        self.resimulation += o.resimulation;
        self.unneeded += o.unneeded;
        self.broad += o.broad;
        self.narrow += o.narrow;
        self.kinetic += o.kinetic;
        self.bookkeeping += o.bookkeeping;
    }
}

/// One run of an algorithm over several samples.
#[derive(Debug, Default, Clone, Copy)]
pub struct Measured {
    /// CPU seconds.
    pub cpu_s: f64,
    /// Where they went.
    pub parts: Breakdown,
}

impl Measured {
    fn add(&mut self, cpu_s: f64, parts: &Breakdown) {
        self.cpu_s += cpu_s;
        self.parts.add(parts);
    }
}

/// A row of Table 1: the algorithms side by side.
#[derive(Debug, Default, Clone)]
pub struct Comparison {
    /// Simulated seconds.
    pub sim_s: f64,
    /// The kinetic baseline for each of the asked readings.
    pub kinetic: Vec<Measured>,
    /// Most certificates that each reading held at the end of a sample.
    pub certificates: Vec<usize>,
    /// The speculative algorithm without slabs.
    pub no_slabs: Measured,
    /// The speculative algorithm.
    pub speculative: Measured,
    /// Whether all ended in the same bytes.
    pub equal: bool,
}

/// Time before a sample in which an executor that did not run through the scene gets going, in s.
const WARM_UP_S: f64 = 0.01;

/// Compares the algorithms on `samples` equally spaced samples of a scene. The speculative one is timed
/// on its way through the whole scene, with the windows and near pairs it has come to; what the others
/// need to get going is not counted either.
pub fn compare(
    scene: &Scene,
    samples: usize,
    readings: &[Certify],
) -> Result<Comparison, ShellError> {
    let mut sum = Comparison {
        sim_s: samples as f64 * SAMPLE_S,
        kinetic: vec![Measured::default(); readings.len()],
        certificates: vec![0; readings.len()],
        equal: true,
        ..Comparison::default()
    };
    let timed = AcmOptions {
        timed: true,
        ..AcmOptions::default()
    };
    let bare = AcmOptions {
        slabs: false,
        ..timed
    };
    let mut state = scene.state.clone();
    let mut leader = Acm::new(&scene.model, &scene.state, timed);
    let mut without_slabs = Acm::new(&scene.model, &scene.state, bare);
    for k in 0..samples {
        let begin = ticks(scene.duration_s * (k as f64 + 0.5) / samples as f64);
        let before = (begin - ticks(WARM_UP_S)).max(state.now());
        leader.run_until(&scene.model, &mut state, before)?;
        let mut other = state.clone();
        leader.run_until(&scene.model, &mut state, begin)?;
        let (start, end) = (state.clone(), begin + ticks(SAMPLE_S));
        let (cpu_s, parts) = timed_run(scene, &mut leader, &mut state, end)?;
        sum.speculative.add(cpu_s, &parts);
        without_slabs.run_until(&scene.model, &mut other, begin)?;
        let (cpu_s, parts) = timed_run(scene, &mut without_slabs, &mut other, end)?;
        sum.no_slabs.add(cpu_s, &parts);
        sum.equal &= other.history_bytes() == state.history_bytes();
        for (i, &certify) in readings.iter().enumerate() {
            let (ended, cpu_s, parts, held) = kinetic(scene, &start, end, certify)?;
            sum.kinetic[i].add(cpu_s, &parts);
            sum.certificates[i] = sum.certificates[i].max(held);
            sum.equal &= ended.history_bytes() == state.history_bytes();
        }
    }
    Ok(sum)
}

/// Runs a timed executor on to `end`.
fn timed_run(
    scene: &Scene,
    acm: &mut Acm,
    state: &mut ShellState,
    end: Tick,
) -> Result<(f64, Breakdown), ShellError> {
    acm.profile = Profile::timed();
    let timer = ThreadTime::now();
    acm.run_until(&scene.model, state, end)?;
    let cpu_s = timer.elapsed().as_secs_f64();
    Ok((cpu_s, Breakdown::of(&acm.profile, cpu_s)))
}

/// Runs the kinetic baseline from a state; setting up its certificates is not counted.
fn kinetic(
    scene: &Scene,
    from: &ShellState,
    end: Tick,
    certify: Certify,
) -> Result<(ShellState, f64, Breakdown, usize), ShellError> {
    let mut state = from.clone();
    let mut kds = AcmKds::new(&scene.model, &state, certify, true);
    // new certificates find their slabs at once, in the first tick
    kds.run_until(&scene.model, &mut state, from.now() + 1)?;
    let before = kds.profile.clone();
    let timer = ThreadTime::now();
    kds.run_until(&scene.model, &mut state, end)?;
    let cpu_s = timer.elapsed().as_secs_f64();
    let mut parts = Breakdown::of(&kds.profile, f64::INFINITY);
    parts.kinetic -= before.seconds(Phase::Kinetic);
    parts.bookkeeping = 0.0;
    parts.bookkeeping = (cpu_s - parts.total()).max(0.0);
    Ok((state, cpu_s, parts, kds.certificate_count()))
}

/// Runs the speculative algorithm from a state.
pub fn speculative(
    scene: &Scene,
    from: &ShellState,
    end: Tick,
    options: AcmOptions,
) -> Result<(ShellState, f64, Breakdown), ShellError> {
    let mut state = from.clone();
    let timed = AcmOptions {
        timed: true,
        ..options
    };
    let mut acm = Acm::new(&scene.model, &scene.state, timed);
    let timer = ThreadTime::now();
    acm.run_until(&scene.model, &mut state, end)?;
    let cpu_s = timer.elapsed().as_secs_f64();
    Ok((state, cpu_s, Breakdown::of(&acm.profile, cpu_s)))
}

/// A point of Figures 8 and 9.
#[derive(Debug, Clone, Copy)]
pub struct AtWindow {
    /// Length of the window in s; `None` for the adaptive rule.
    pub window_s: Option<f64>,
    /// What it cost.
    pub measured: Measured,
}

/// Cost of `sim_s` seconds in the middle of a scene over the length of the windows.
pub fn sweep_windows(
    scene: &Scene,
    sim_s: f64,
    lengths_s: &[f64],
) -> Result<Vec<AtWindow>, ShellError> {
    let begin = ticks(0.6 * scene.duration_s);
    let mut state = scene.state.clone();
    Acm::new(&scene.model, &scene.state, AcmOptions::default()).run_until(
        &scene.model,
        &mut state,
        begin,
    )?;
    let fixed = lengths_s
        .iter()
        .map(|&r| (Some(r), WindowLength::seconds(r)));
    let all = fixed.chain([(None, WindowLength::Adaptive)]);
    all.map(|(window_s, window)| {
        let options = AcmOptions {
            window,
            ..AcmOptions::default()
        };
        let (_, cpu_s, parts) = speculative(scene, &state, begin + ticks(sim_s), options)?;
        Ok(AtWindow {
            window_s,
            measured: Measured { cpu_s, parts },
        })
    })
    .collect()
}

/// Wall seconds of the first part of a scene for 1 to `threads_max` threads (Figure 7): the least of
/// `repeats` runs each, taken in turn, since other programs on the machine only ever add.
pub fn scale_threads(
    scene: &Scene,
    sim_s: f64,
    threads_max: usize,
    repeats: usize,
) -> Result<Vec<f64>, ShellError> {
    let run = |threads: usize| {
        let mut state = scene.state.clone();
        let options = AcmOptions {
            threads,
            ..AcmOptions::default()
        };
        let mut acm = Acm::new(&scene.model, &scene.state, options);
        let timer = Instant::now();
        acm.run_until(&scene.model, &mut state, ticks(sim_s))?;
        Ok(timer.elapsed().as_secs_f64())
    };
    let mut least = vec![f64::INFINITY; threads_max];
    for _ in 0..repeats {
        for (threads, least) in (1..).zip(&mut least) {
            let wall: f64 = run(threads)?;
            *least = least.min(wall);
        }
    }
    Ok(least)
}

/// A frame of Figure 6.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    /// End of the frame in s.
    pub time_s: f64,
    /// Windows rolled back in it.
    pub rollbacks: u64,
    /// CPU seconds it took.
    pub cpu_s: f64,
    /// Pairs with penalty layers at its end.
    pub contacts: usize,
}

/// Rollbacks and time for each of `frames` frames of a whole scene (Figure 6).
pub fn trace(scene: &Scene, frames: u32) -> Result<Vec<Frame>, ShellError> {
    let mut state = scene.state.clone();
    let mut acm = Acm::new(&scene.model, &scene.state, AcmOptions::default());
    (1..=frames)
        .map(|frame| {
            let time_s = scene.duration_s * f64::from(frame) / f64::from(frames);
            let (timer, before) = (ThreadTime::now(), acm.profile.counts.rollbacks);
            acm.run_until(&scene.model, &mut state, ticks(time_s))?;
            Ok(Frame {
                time_s,
                rollbacks: acm.profile.counts.rollbacks - before,
                cpu_s: timer.elapsed().as_secs_f64(),
                contacts: state.contacts().entries().len(),
            })
        })
        .collect()
}
