//! Outputs for comparing runs: a count, and a hash of the committed history.
//! The hash is a sum over events, so that executors which commit in different orders can be compared;
//! an event's place is unique, so equal sets of events are equal histories.

use super::model::{Committed, Model, Output};

/// Counts commits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CommitCount(pub u64);

impl<M: Model> Output<M> for CommitCount {
    #[inline]
    fn commit(&mut self, _: &M, _: Committed<'_, M>) {
        self.0 += 1;
    }
}

/// Hashes place, payload and state after of every committed event.
#[derive(Clone, Debug, Default)]
pub struct TraceHash {
    sum: u64,
    events: u64,
    bytes: Vec<u8>,
}

impl TraceHash {
    /// The number of events and the hash of their history.
    pub fn finish(&self) -> (u64, u64) {
        (self.events, self.sum)
    }

    /// The history that several workers have committed, each its share.
    pub fn of_all<'a>(shares: impl IntoIterator<Item = &'a TraceHash>) -> TraceHash {
        let mut all = TraceHash::default();
        for share in shares {
            all.sum = all.sum.wrapping_add(share.sum);
            all.events += share.events;
        }
        all
    }
}

impl<M: Model> Output<M> for TraceHash {
    fn commit(&mut self, model: &M, event: Committed<'_, M>) {
        self.bytes.clear();
        model.encode_payload(event.payload, &mut self.bytes);
        model.encode(event.state, &mut self.bytes);
        let mut hash = scramble(event.order.moment.tick.0 as u64);
        hash = scramble(hash ^ u64::from(event.process.0));
        hash = scramble(hash ^ event.order.key);
        for chunk in self.bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            hash = scramble(hash ^ u64::from_le_bytes(word));
        }
        self.sum = self.sum.wrapping_add(hash);
        self.events += 1;
    }
}

/// A bijection of 64 bits in which every input bit reaches every output bit (the finalizer of
/// SplitMix64), offset so that zero is not a fixed point.
#[inline]
fn scramble(x: u64) -> u64 {
    let x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::ProcessId;
    use crate::message::Outbox;
    use crate::time::{EventOrder, Moment, Tick};

    struct Bytes;

    impl Model for Bytes {
        type State = u8;
        type Payload = u8;

        fn processes(&self) -> u32 {
            0
        }

        fn start(&self, _: ProcessId, _: &mut impl Outbox<u8>) -> u8 {
            0
        }

        fn handle(&self, _: ProcessId, _: Tick, _: u8, _: &mut u8, _: &mut impl Outbox<u8>) {}

        fn encode(&self, state: &u8, bytes: &mut Vec<u8>) {
            bytes.push(*state);
        }

        fn encode_payload(&self, payload: &u8, bytes: &mut Vec<u8>) {
            bytes.push(*payload);
        }
    }

    fn hash(events: &[[u8; 5]]) -> (u64, u64) {
        let mut trace = TraceHash::default();
        for &[tick, process, key, payload, state] in events {
            let event = Committed {
                process: ProcessId(process.into()),
                order: EventOrder {
                    moment: Moment::at(Tick(tick.into())),
                    key: key.into(),
                },
                payload: &payload,
                state: &state,
            };
            trace.commit(&Bytes, event);
        }
        trace.finish()
    }

    #[test]
    fn every_part_of_an_event_counts_and_the_order_of_commits_does_not() {
        let (a, b) = ([1, 2, 3, 4, 5], [5, 4, 3, 2, 1]);
        assert_eq!(hash(&[a, b]), hash(&[b, a]));
        for part in 0..5 {
            let mut other = a;
            other[part] += 1;
            assert_ne!(hash(&[a, b]), hash(&[other, b]));
        }
        assert_ne!(hash(&[a]), hash(&[a, a]));
    }
}
