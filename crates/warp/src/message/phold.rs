//! PHOLD (Fujimoto 1990), the standard load for Time Warp kernels: every event makes one new event,
//! for the same process or a random other one, after a random delay. The number of events is constant,
//! and the kernel's own costs are all there is to see.

use super::model::{Model, Outbox};
use crate::graph::ProcessId;
use crate::pcg::Pcg32;
use crate::time::Tick;

/// How long a message travels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Delay {
    /// 0.1 s plus an exponential delay of mean 0.9 s.
    Exponential,
    /// Exactly 1 s, so that every event ties with all others.
    Tied,
}

/// The model's parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Phold {
    /// Number of processes.
    pub processes: u32,
    /// Events that each process has at the start.
    pub events_each: u32,
    /// Probability that a message goes to a random process instead of its sender.
    pub remote: f64,
    /// How long a message travels.
    pub delay: Delay,
    /// Seed of all random sequences.
    pub seed: u64,
}

/// A process is its random sequence: it tells how many events the process has seen, and which it sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PholdState {
    random: Pcg32,
}

impl Phold {
    fn delay(&self, random: &mut Pcg32) -> f64 {
        match self.delay {
            Delay::Exponential => 0.1 - 0.9 * libm::log(random.unit()),
            Delay::Tied => 1.0,
        }
    }
}

impl Model for Phold {
    type State = PholdState;
    type Payload = ();

    fn processes(&self) -> u32 {
        self.processes
    }

    fn start(&self, process: ProcessId, outbox: &mut impl Outbox<()>) -> PholdState {
        let mut random = Pcg32::new(self.seed, u64::from(process.0));
        for _ in 0..self.events_each {
            let at = Tick::from_seconds(self.delay(&mut random));
            outbox.send(process, at, ());
        }
        PholdState { random }
    }

    #[inline]
    fn handle(
        &self,
        process: ProcessId,
        now: Tick,
        (): (),
        state: &mut PholdState,
        outbox: &mut impl Outbox<()>,
    ) {
        let random = &mut state.random;
        let receiver = if random.unit() <= self.remote {
            ProcessId(random.below(self.processes))
        } else {
            process
        };
        let delay = Tick::from_seconds(self.delay(random));
        outbox.send(receiver, now.saturating_add(delay.0), ());
    }

    fn encode(&self, state: &PholdState, bytes: &mut Vec<u8>) {
        bytes.extend(state.random.to_bytes());
    }

    fn encode_payload(&self, (): &(), _: &mut Vec<u8>) {}
}
