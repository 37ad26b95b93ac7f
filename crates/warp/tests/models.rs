//! Models that several tests run, and the history that all executors must commit.

use proptest::prelude::*;
use warpline_warp::message::{Delay, Model, Outbox, Phold, TraceHash, run_sequential};
use warpline_warp::{Pcg32, ProcessId, Tick};

/// Number and hash of the events that the plain loop commits.
pub fn sequential<M: Model>(model: &M, until: Tick) -> (u64, u64) {
    let mut trace = TraceHash::default();
    let events = run_sequential(model, until, &mut trace);
    assert_eq!(events, trace.finish().0);
    trace.finish()
}

pub fn phold(processes: u32, events_each: u32, delay: Delay) -> Phold {
    Phold {
        processes,
        events_each,
        remote: 0.1,
        delay,
        seed: 7,
    }
}

/// A model drawn at random: few processes, short delays of whole ticks (many ties), zero to three
/// messages an event, and a state that remembers the order of everything it has seen.
#[derive(Clone, Copy, Debug)]
pub struct RandomModel {
    pub processes: u32,
    pub longest_delay: u32,
    /// Sixteenths of a message that an event sends on average.
    pub sixteenths_sent: u32,
    pub seed: u64,
}

impl RandomModel {
    fn send(&self, random: &mut Pcg32, now: Tick, outbox: &mut impl Outbox<u32>) {
        let at = now.saturating_add(i64::from(1 + random.below(self.longest_delay)));
        let receiver = ProcessId(random.below(self.processes));
        outbox.send(receiver, at, random.next_u32());
    }
}

impl Model for RandomModel {
    type State = u64;
    type Payload = u32;

    fn processes(&self) -> u32 {
        self.processes
    }

    fn start(&self, process: ProcessId, outbox: &mut impl Outbox<u32>) -> u64 {
        let mut random = Pcg32::new(self.seed, u64::from(process.0));
        for _ in 0..1 + random.below(3) {
            self.send(&mut random, Tick::ZERO, outbox);
        }
        u64::from(random.next_u32())
    }

    fn handle(
        &self,
        process: ProcessId,
        now: Tick,
        payload: u32,
        state: &mut u64,
        outbox: &mut impl Outbox<u32>,
    ) {
        *state = state
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .wrapping_add(u64::from(payload))
            .rotate_left(23);
        let mut random = Pcg32::new(*state, u64::from(process.0) ^ self.seed);
        // Up to three chances, 1.5 on average: 1.5 / 24 is a sixteenth.
        for _ in 0..random.below(4) {
            if random.below(24) < self.sixteenths_sent {
                self.send(&mut random, now, outbox);
            }
        }
    }

    fn encode(&self, state: &u64, bytes: &mut Vec<u8>) {
        bytes.extend(state.to_le_bytes());
    }

    fn encode_payload(&self, payload: &u32, bytes: &mut Vec<u8>) {
        bytes.extend(payload.to_le_bytes());
    }
}

pub fn random_model() -> impl Strategy<Value = RandomModel> {
    (1..12_u32, 1..20_u32, 12..17_u32, any::<u64>()).prop_map(
        |(processes, longest_delay, sixteenths_sent, seed)| RandomModel {
            processes,
            longest_delay,
            sixteenths_sent,
            seed,
        },
    )
}
