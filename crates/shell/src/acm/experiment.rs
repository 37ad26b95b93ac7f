//! The measurements of Ainsley et al. (Table 1, Figures 1 and 6 to 9), shared by the benchmark and the
//! reproduction. Times are CPU seconds of the calling thread unless they are called wall; the
//! sides of a comparison run over the same samples of a scene and must end in the same bytes.

use crate::acm::{
    Acm, AcmKds, AcmOptions, Certify, Counts, Phase, Profile, Scene, ShellError, ShellState, Tick,
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
    /// Splits measured times by counted work: undone forces are resimulation, evaluations of contact forces
    /// that were zero are unneeded, the rest is useful.
    pub fn of(profile: &Profile, total_s: f64) -> Breakdown {
        let c = &profile.counts;
        let share = |part: u64, whole: u64| {
            if whole == 0 {
                0.0
            } else {
                part as f64 / whole as f64
            }
        };
        let (internal, evaluation, pushes) = (
            profile.seconds(Phase::Internal) + profile.seconds(Phase::Slow),
            profile.seconds(Phase::Penalty),
            profile.seconds(Phase::Pushes),
        );
        let penalty = evaluation + pushes;
        let undone = share(c.contact_forces_undone, c.contact_forces);
        let resimulation =
            internal * share(c.element_forces_undone, c.element_forces) + penalty * undone;
        let idle = c.contact_forces - c.contact_pushes;
        let unneeded = evaluation * (1.0 - undone) * share(idle, c.contact_forces);
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
    fn add(&mut self, o: &Measured) {
        self.cpu_s += o.cpu_s;
        self.parts.add(&o.parts);
    }

    /// What no clock measured is bookkeeping.
    fn keep_books(&mut self) {
        self.parts.bookkeeping = 0.0;
        self.parts.bookkeeping = (self.cpu_s - self.parts.total()).max(0.0);
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
/// need to get going is not counted either. Clocks within a run cost some per cent of it, so each side
/// runs once with them, for the shares, and `repeats` times without; of these the least time of each sample
/// counts, since other programs on the machine only ever add.
pub fn compare(
    scene: &Scene,
    samples: usize,
    readings: &[Certify],
    repeats: usize,
) -> Result<Comparison, ShellError> {
    let mut rows = run_samples(scene, samples, readings, true)?;
    for repeat in 0..repeats.max(1) {
        let again = run_samples(scene, samples, readings, false)?;
        for (row, again) in rows.iter_mut().zip(&again) {
            row.equal &= again.equal;
            for (side, again) in row.sides.iter_mut().zip(&again.sides) {
                let most = if repeat == 0 {
                    f64::INFINITY
                } else {
                    side.cpu_s
                };
                side.cpu_s = again.cpu_s.min(most);
            }
        }
    }
    let mut sum = Comparison {
        sim_s: samples as f64 * SAMPLE_S,
        kinetic: vec![Measured::default(); readings.len()],
        certificates: vec![0; readings.len()],
        equal: rows.iter().all(|row| row.equal),
        ..Comparison::default()
    };
    for row in &mut rows {
        row.sides.iter_mut().for_each(Measured::keep_books);
        sum.speculative.add(&row.sides[0]);
        sum.no_slabs.add(&row.sides[1]);
        let kinetic = sum.kinetic.iter_mut().zip(&row.sides[2..]);
        kinetic.for_each(|(sum, side)| sum.add(side));
        let certificates = sum.certificates.iter_mut().zip(&row.certificates);
        certificates.for_each(|(most, &held)| *most = held.max(*most));
    }
    Ok(sum)
}

/// One sample under all algorithms.
struct SampleRow {
    /// The speculative algorithm, with slabs and without, and the readings of the kinetic one.
    sides: Vec<Measured>,
    /// Certificates that each reading holds at the end.
    certificates: Vec<usize>,
    equal: bool,
}

fn run_samples(
    scene: &Scene,
    samples: usize,
    readings: &[Certify],
    timed: bool,
) -> Result<Vec<SampleRow>, ShellError> {
    let options = AcmOptions {
        timed,
        ..AcmOptions::default()
    };
    let bare = AcmOptions {
        slabs: false,
        ..options
    };
    let mut state = scene.state.clone();
    let mut leader = Acm::new(&scene.model, &scene.state, options);
    let mut without_slabs = Acm::new(&scene.model, &scene.state, bare);
    let mut rows = Vec::new();
    for k in 0..samples {
        let begin = ticks(scene.duration_s * (k as f64 + 0.5) / samples as f64);
        let before = (begin - ticks(WARM_UP_S)).max(state.now());
        leader.run_until(&scene.model, &mut state, before)?;
        let mut other = state.clone();
        leader.run_until(&scene.model, &mut state, begin)?;
        let (start, end) = (state.clone(), begin + ticks(SAMPLE_S));
        let first = run_sample(scene, &mut leader, &mut state, end)?;
        without_slabs.run_until(&scene.model, &mut other, begin)?;
        let second = run_sample(scene, &mut without_slabs, &mut other, end)?;
        let mut row = SampleRow {
            sides: vec![first, second],
            certificates: Vec::new(),
            equal: other.history_bytes() == state.history_bytes(),
        };
        for &certify in readings {
            let (ended, measured, held) = kinetic(scene, &start, end, certify, timed)?;
            row.sides.push(measured);
            row.certificates.push(held);
            row.equal &= ended.history_bytes() == state.history_bytes();
        }
        rows.push(row);
    }
    Ok(rows)
}

/// Runs an executor on to `end`.
fn run_sample(
    scene: &Scene,
    acm: &mut Acm,
    state: &mut ShellState,
    end: Tick,
) -> Result<Measured, ShellError> {
    acm.profile = acm.profile.anew();
    let timer = ThreadTime::now();
    acm.run_until(&scene.model, state, end)?;
    let cpu_s = timer.elapsed().as_secs_f64();
    let parts = Breakdown::of(&acm.profile, 0.0);
    Ok(Measured { cpu_s, parts })
}

/// Runs the kinetic baseline from a state; setting up its certificates is not counted.
fn kinetic(
    scene: &Scene,
    from: &ShellState,
    end: Tick,
    certify: Certify,
    timed: bool,
) -> Result<(ShellState, Measured, usize), ShellError> {
    let mut state = from.clone();
    let mut kds = AcmKds::new(&scene.model, &state, certify, timed);
    // new certificates find their slabs at once, in the first tick
    kds.run_until(&scene.model, &mut state, from.now() + 1)?;
    let before = kds.profile.seconds(Phase::Kinetic);
    let timer = ThreadTime::now();
    kds.run_until(&scene.model, &mut state, end)?;
    let cpu_s = timer.elapsed().as_secs_f64();
    let mut parts = Breakdown::of(&kds.profile, 0.0);
    parts.kinetic -= before;
    let measured = Measured { cpu_s, parts };
    Ok((state, measured, kds.certificate_count()))
}

/// Runs the speculative algorithm from a state, without clocks for the time and with them for the shares.
pub fn speculative(
    scene: &Scene,
    from: &ShellState,
    end: Tick,
    options: AcmOptions,
) -> Result<(Measured, Counts), ShellError> {
    let run = |timed: bool| {
        let mut state = from.clone();
        let options = AcmOptions { timed, ..options };
        let mut acm = Acm::new(&scene.model, &scene.state, options);
        let measured = run_sample(scene, &mut acm, &mut state, end)?;
        Ok((measured, acm.profile.counts))
    };
    let ((bare, counts), (timed, _)) = (run(false)?, run(true)?);
    let mut measured = Measured {
        cpu_s: bare.cpu_s,
        parts: timed.parts,
    };
    measured.keep_books();
    Ok((measured, counts))
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
        let (measured, _) = speculative(scene, &state, begin + ticks(sim_s), options)?;
        Ok(AtWindow { window_s, measured })
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
