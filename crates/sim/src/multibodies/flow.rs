//! The smooth motion of a multibody over one segment: steps of order 8 with dense output, and the paths of its links
//! as pieces of polynomials that follow the joints' motion to within a tenth of a nanometre. The pieces are what
//! collisions are looked for on and what is seen; the joints' positions and velocities are what events go on from.

use super::MultibodyBody;
use multibody::Workspace;
use multibody::dop853::Tolerance;
use multibody::flow::{FlowError, Law, Trajectory};
use physics::dense::Quintic;
use physics::motion::{Halt, HaltReason, Piece};
use physics::{State, Turn, Vec3};

/// Error of the joints' positions and velocities per step, relative to one.
const TOLERANCE: f64 = 1e-10;
/// How far a link's path may be from where the joints put it, metres and radians.
const PATH_ERROR: f64 = 1e-10;
/// A step is cut into so many pieces at most.
const MOST_CUTS: usize = 64;
/// The first step that is tried where nothing is known, seconds.
const FIRST_STEP: f64 = 0.1;
/// How far beyond the call that ends it a controlled motion is followed, seconds: a few ticks.
const BEYOND_CALL: f64 = 1e-9;
/// For how long a motion stands still that a call has ended, seconds: longer than the windows in which collisions are
/// looked for, whose ends somebody must be able to ask about.
const AFTER_CALL: f64 = 0.125;
/// How long a motion that could not be followed stands still, seconds: longer than any run.
const STANDING_S: f64 = 1e7;

/// What acts on a multibody over a segment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Acting {
    /// Control signals of the motors.
    pub controls: Vec<f64>,
    /// Forces through the centres of mass of links, by their numbers in the tree, N.
    pub forces: Vec<(u32, Vec3)>,
    /// The integrator's first step that is tried, seconds: what the motion before has been followed with. Zero if there
    /// was none.
    pub step: f64,
}

/// The motion of a multibody from one state on. See the module's text.
#[derive(Clone, Debug)]
pub struct Flow {
    trajectory: Trajectory,
    acting: Acting,
    /// Steps whose pieces are made.
    done: usize,
    /// By piece, then by link.
    pieces: Vec<Piece>,
    halt: Option<Halt>,
    /// Seconds that take about eight pieces.
    pace: f64,
    /// Seconds to the call of a controller that ends the segment: beyond it links stand still, and nobody sees it.
    stands_from: f64,
    /// Seconds to that call.
    ends: f64,
}

/// Memory for the motion of one multibody.
#[derive(Debug)]
pub struct FlowScratch {
    ws: Workspace,
    y: Vec<f64>,
    samples: Vec<State>,
}

impl Flow {
    /// From a state of the joints (positions, then velocities) on, under constant control signals and forces.
    pub fn new(start: &[f64], acting: &Acting) -> Self {
        let tolerance = Tolerance {
            relative: TOLERANCE,
            absolute: TOLERANCE,
        };
        Flow {
            trajectory: Trajectory::new(start, tolerance),
            acting: acting.clone(),
            done: 0,
            pieces: Vec::new(),
            halt: None,
            pace: 0.0,
            stands_from: f64::INFINITY,
            ends: f64::INFINITY,
        }
    }

    /// The motion of a multibody of a world for `seconds`, after which its controller is called. Its first step decides how
    /// long the windows are in which collisions are looked for; none is longer than to the call.
    pub fn of(start: &[f64], acting: &Acting, seconds: f64) -> Self {
        let mut flow = Flow::new(start, acting);
        let step = if acting.step > 0.0 {
            acting.step
        } else {
            FIRST_STEP
        };
        flow.trajectory.begin_with(step);
        flow.stands_from = seconds + BEYOND_CALL;
        flow.ends = seconds;
        flow
    }

    /// Seconds to the call of a controller that ends the motion; beyond it nothing is told.
    pub fn ends(&self) -> f64 {
        self.ends
    }

    /// How far the links' paths are known, seconds.
    pub fn known(&self) -> f64 {
        self.pieces.last().map_or(0.0, |piece| piece.path.end)
    }

    /// The joints' positions and velocities at `seconds`, which must be known.
    pub fn state(&self, seconds: f64, joints: &mut [f64]) {
        let seconds = self.halt.map_or(seconds, |halt| seconds.min(halt.seconds));
        self.trajectory.state(seconds, joints);
    }

    /// The longest step up to the one that holds `seconds`, which must be known.
    pub fn longest_step(&self, seconds: f64) -> f64 {
        self.trajectory.longest_step(seconds)
    }

    /// Integrates until the links' paths reach beyond `seconds`; returns the steps taken.
    pub fn reach(&mut self, body: &MultibodyBody, seconds: f64) -> u32 {
        if self.known() > seconds {
            return 0;
        }
        let mut law = Law::new(&body.model, body.loops.clone(), &body.motors);
        law.controls.copy_from_slice(&self.acting.controls);
        law.hold_forces(&self.acting.forces);
        let mut scratch = FlowScratch {
            ws: Workspace::new(&body.model),
            y: vec![0.0; body.start.len()],
            samples: Vec::new(),
        };
        let mut taken = 0;
        while self.known() <= seconds {
            let known = self.known();
            if known >= self.stands_from - 0.5 * BEYOND_CALL {
                self.stand(body, &mut scratch, (known, seconds - known + AFTER_CALL));
                continue;
            }
            self.trajectory.no_farther_than(self.stands_from);
            match self.trajectory.advance(&mut law) {
                Ok(()) => self.cut(body, &mut scratch),
                Err(FlowError::TooStiff { time, step }) => {
                    self.give_up(body, &mut scratch, time, step);
                }
            }
            taken += 1;
        }
        taken
    }

    /// Hands a link's turn the pieces that it lacks.
    pub fn fill(&self, links: usize, place: usize, turn: &mut Turn, settled: f64) {
        let covered = turn.covered();
        let count = self.pieces.len() / links;
        let start = |k: usize| self.pieces[k * links].path.start;
        let mut first = count;
        while first > 0 && start(first - 1) >= covered {
            first -= 1;
        }
        for k in first..count {
            turn.append(&self.pieces[k * links + place], self.pace, settled);
        }
        if let Some(halt) = self.halt {
            turn.halt_at(halt);
        }
        turn.stand_from(self.stands_from);
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.pieces.capacity() * size_of::<Piece>()
            + self.trajectory.steps() * 8 * self.trajectory.dimension() * size_of::<f64>()
    }

    /// Cuts the last step into pieces that follow the links closely enough.
    fn cut(&mut self, body: &MultibodyBody, scratch: &mut FlowScratch) {
        let Some((step, start, length)) = self.trajectory.step_at(f64::INFINITY) else {
            return;
        };
        let mut cuts = 1;
        loop {
            self.sample(body, scratch, step, 4 * cuts);
            let is_close = (0..cuts).all(|k| {
                let [a, b] = [k, k + 1].map(|k| start + length * k as f64 / cuts as f64);
                self.is_close(body, scratch, 4 * k, a, b)
            });
            if is_close || cuts == MOST_CUTS {
                break;
            }
            cuts *= 2;
        }
        let links = body.links.len();
        for k in 0..cuts {
            let [a, b] = [k, k + 1].map(|k| start + length * k as f64 / cuts as f64);
            for place in 0..links {
                let piece = piece(&scratch.samples, links, place, 4 * k, a, b);
                self.pieces.push(piece);
            }
        }
        self.done = step + 1;
        if self.pace == 0.0 {
            self.pace = 8.0 * length / cuts as f64;
        }
    }

    /// States of all links at evenly spaced times of a step, both ends among them.
    fn sample(&self, body: &MultibodyBody, scratch: &mut FlowScratch, step: usize, parts: usize) {
        let FlowScratch { ws, y, samples } = scratch;
        samples.clear();
        for k in 0..=parts {
            let dense = self.trajectory.dense(step);
            multibody::dop853::evaluate(dense, k as f64 / parts as f64, y);
            body.link_states(y, ws, |_, state| samples.push(state));
        }
        // Quaternions of opposite signs are the same attitude: they must not jump between samples.
        let links = body.links.len();
        for at in links..samples.len() {
            if samples[at].rotation.dot(samples[at - links].rotation) < 0.0 {
                samples[at].rotation = -samples[at].rotation;
            }
        }
    }

    /// Whether the pieces between two samples pass close to the samples at its quarters.
    fn is_close(
        &self,
        body: &MultibodyBody,
        scratch: &FlowScratch,
        first: usize,
        a: f64,
        b: f64,
    ) -> bool {
        let links = body.links.len();
        (0..links).all(|place| {
            let made = piece(&scratch.samples, links, place, first, a, b);
            [1usize, 3].into_iter().all(|quarter| {
                let truth = &scratch.samples[(first + quarter) * links + place];
                let t = a + (b - a) * quarter as f64 / 4.0;
                let path = Vec3::from_array(made.path.value(t));
                let attitude = physics::Quat::from_array(made.attitude.value(t));
                let scale = 1.0 + truth.position.abs().max_element();
                (path - truth.position).abs().max_element() <= PATH_ERROR * scale
                    && (attitude - truth.rotation).length() <= PATH_ERROR
            })
        })
    }

    /// The motion cannot be followed beyond `time`: it stands still from there on, and says why.
    fn give_up(&mut self, body: &MultibodyBody, scratch: &mut FlowScratch, time: f64, step: f64) {
        self.trajectory.state(time, &mut scratch.y);
        let why = match scratch.y.iter().all(|y| y.is_finite()) {
            true => HaltReason::Crawling(step),
            false => HaltReason::NotFinite,
        };
        self.halt = Some(Halt { seconds: time, why });
        self.stand(body, scratch, (time, STANDING_S));
        if self.pace == 0.0 {
            self.pace = 1.0;
        }
    }

    /// All links stand still from a time on, for so long.
    fn stand(&mut self, body: &MultibodyBody, scratch: &mut FlowScratch, (time, long): (f64, f64)) {
        let FlowScratch { ws, y, samples } = scratch;
        self.trajectory.state(time, y);
        y[body.model.positions()..].fill(0.0);
        samples.clear();
        body.link_states(y, ws, |_, state| samples.push(state));
        for state in samples.iter() {
            let (path, attitude) = (state.position.to_array(), state.rotation.to_array());
            let end = time + long;
            self.pieces.push(Piece {
                path: Quintic::through(time, end, [path; 3], [[0.0; 3]; 3]),
                attitude: Quintic::through(time, end, [attitude; 3], [[0.0; 4]; 3]),
            });
        }
    }
}

/// The piece of a link's path through the first, third and fifth of five samples.
fn piece(samples: &[State], links: usize, place: usize, first: usize, a: f64, b: f64) -> Piece {
    let at = [0, 2, 4].map(|k| &samples[(first + k) * links + place]);
    let turning = |s: &State| {
        let spin = physics::Quat::from_xyzw(s.spin.x, s.spin.y, s.spin.z, 0.0);
        ((spin * s.rotation) * 0.5).to_array()
    };
    Piece {
        path: Quintic::through(
            a,
            b,
            at.map(|s| s.position.to_array()),
            at.map(|s| s.velocity.to_array()),
        ),
        attitude: Quintic::through(a, b, at.map(|s| s.rotation.to_array()), at.map(turning)),
    }
}
