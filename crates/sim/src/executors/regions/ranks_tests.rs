//! Regions on several ranks that are threads of one program, over a network that takes its time.

use super::tests::{gas, ordered};
use super::uplink::Uplink;
use super::{run_on_ranks, run_share};
use crate::executors::RunError;
use crate::history::{Discard, History, HistoryError, Told};
use crate::world::World;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use record::{HistoryHash, Segment};
use std::sync::mpsc::{Receiver, Sender, channel};

/// One rank's end of a network in which what is sent comes in pieces and in any order of ranks.
struct Wires {
    rank: usize,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Receiver<Vec<u8>>>,
    random: Pcg64Mcg,
    /// After so many exchanges the rank is dead.
    left: u32,
}

/// A network of so many ranks.
fn wires(ranks: usize, seed: u64) -> Vec<Wires> {
    let mut ends: Vec<Wires> = (0..ranks)
        .map(|rank| Wires {
            rank,
            to: Vec::new(),
            from: Vec::new(),
            random: Pcg64Mcg::seed_from_u64(seed ^ rank as u64),
            left: u32::MAX,
        })
        .collect();
    for from in 0..ranks {
        for to in 0..ranks {
            let (send, receive) = channel();
            ends[from].to.push(send);
            ends[to].from.push(receive);
        }
    }
    ends
}

impl Uplink for Wires {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.to.len()
    }

    fn exchange(&mut self, mut out: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, String> {
        self.left = self.left.checked_sub(1).ok_or("this rank is dead")?;
        let lost = |rank: usize| format!("rank {rank} does not answer");
        let mut order: Vec<usize> = (0..out.len()).filter(|rank| *rank != self.rank).collect();
        while let Some(last) = order.len().checked_sub(1) {
            let rank = order.swap_remove(self.random.random_range(0..=last));
            if self.random.random_range(0..4) == 0 {
                std::thread::yield_now();
            }
            // In two pieces, the first of which says how long the whole is.
            let cut = self.random.random_range(0..=out[rank].len());
            let rest = out[rank].split_off(cut);
            let whole = (out[rank].len() + rest.len()) as u64;
            let first = [&whole.to_le_bytes()[..], &out[rank]].concat();
            for piece in [first, rest] {
                self.to[rank].send(piece).map_err(|_| lost(rank))?;
            }
        }
        let mut come = vec![Vec::new(); out.len()];
        for (rank, bytes) in come.iter_mut().enumerate() {
            if rank != self.rank {
                let first = self.from[rank].recv().map_err(|_| lost(rank))?;
                *bytes = first[8..].to_vec();
                bytes.extend(self.from[rank].recv().map_err(|_| lost(rank))?);
            }
        }
        Ok(come)
    }
}

type Outcome = Result<bool, RunError>;

/// Runs a world on ranks with so many threads each; returns what each has said, whether it told the history.
fn on_ranks(
    world: &World,
    ends: Vec<Wires>,
    threads: usize,
    history: &mut (dyn History + Send),
) -> Vec<Outcome> {
    let mut history = Some(history);
    std::thread::scope(|scope| {
        let ranks: Vec<_> = ends
            .into_iter()
            .map(|mut end| {
                let own = history.take();
                scope.spawn(move || -> Outcome {
                    let ran = match own {
                        Some(history) => run_on_ranks(world, threads, &mut end, history),
                        None => run_on_ranks(world, threads, &mut end, &mut Discard),
                    };
                    ran.map(|told| told.is_some())
                })
            })
            .collect();
        let ended = ranks.into_iter().map(|rank| rank.join());
        ended.map(|outcome| outcome.expect("no panic")).collect()
    })
}

fn hash_on_ranks(world: &World, ranks: usize, threads: usize, seed: u64) -> String {
    let mut hash = HistoryHash::new();
    let outcomes = on_ranks(world, wires(ranks, seed), threads, &mut hash);
    for (rank, outcome) in outcomes.into_iter().enumerate() {
        assert_eq!(outcome.expect("the run ends"), rank == 0);
    }
    hash.finish()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn a_gas_has_one_history_on_any_number_of_ranks_and_threads(
        bodies in 20usize..160,
        packing in 0.005f64..0.15,
        speed in 0.1f64..20.0,
        seed in 0u32..10_000,
        ranks in 1usize..5,
        threads in 1usize..4,
    ) {
        let world = gas(bodies, packing, speed, seed);
        let found = hash_on_ranks(&world, ranks, threads, u64::from(seed));
        prop_assert_eq!(found, ordered(&world));
    }
}

#[test]
fn what_all_ranks_did_is_told_by_the_first() {
    let world = gas(400, 0.05, 3.0, 2);
    let mut ends = wires(2, 1);
    let other = ends.pop().expect("two ranks");
    let mut own = ends.pop().expect("two ranks");
    let (told, untold) = std::thread::scope(|scope| {
        // Short windows: nobody gets as far as to leave its region within one.
        let shape = (2, 64);
        let world = &world;
        let other = scope.spawn(move || {
            let mut other = other;
            run_share(world, shape, Some(&mut other), &mut Discard).map(|told| told.is_none())
        });
        let told = run_share(world, shape, Some(&mut own), &mut Discard);
        (told, other.join().expect("no panic"))
    });
    let (stats, states) = told.expect("it ends").expect("rank 0 tells");
    assert!(untold.expect("it ends"));
    assert_eq!(stats.regions.len(), 2);
    let segments: u64 = stats.regions.iter().map(|region| region.segments).sum();
    assert_eq!(segments, stats.segments_committed);
    let (_, alone) =
        crate::executors::run(&world, crate::Algorithm::Ordered, &mut Discard).expect("it ends");
    assert_eq!(format!("{states:?}"), format!("{alone:?}"));
}

/// Fails after so many segments.
struct FullDisk(u32);

impl History for FullDisk {
    fn segment(&mut self, _: &Segment<'_>) -> Told {
        self.0 = self.0.saturating_sub(1);
        match self.0 {
            0 => Err(HistoryError::new("the disk is full")),
            _ => Ok(()),
        }
    }
}

#[test]
fn a_history_that_fails_ends_all_ranks() {
    let world = gas(200, 0.05, 10.0, 1);
    let outcomes = on_ranks(&world, wires(3, 2), 1, &mut FullDisk(500));
    let why = outcomes[0].as_ref().expect_err("rank 0 cannot go on");
    assert!(why.to_string().contains("the disk is full"), "{why}");
    assert!(outcomes[1..].iter().all(|o| matches!(o, Ok(false))));
}

#[test]
fn a_rank_that_is_gone_ends_the_others_with_its_number() {
    let world = gas(200, 0.05, 10.0, 1);
    let mut ends = wires(3, 2);
    ends[2].left = 7;
    let outcomes = on_ranks(&world, ends, 2, &mut Discard);
    let first = outcomes[0].as_ref().expect_err("it cannot go on");
    assert!(matches!(first, RunError::Network { .. }), "{first}");
    assert!(outcomes.iter().all(Result::is_err));
}

#[test]
fn what_cannot_be_distributed_is_said() {
    let refuse = |world: &World, ranks: usize| {
        let outcomes = on_ranks(world, wires(ranks, 3), 1, &mut Discard);
        outcomes.into_iter().next().map(|first| match first {
            Ok(_) => String::new(),
            Err(why) => why.to_string(),
        })
    };
    let few = refuse(&gas(2, 0.05, 1.0, 1), 3).expect("an outcome");
    assert!(few.contains("3 ranks are too many"), "{few}");
    let pile = super::tests::built_in("pile", &[]);
    let groups = refuse(&pile, 2).expect("an outcome");
    assert!(groups.contains("contact groups"), "{groups}");
}
