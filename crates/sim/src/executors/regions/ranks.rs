//! A rank's end of what all ranks of a job have in common. Whoever comes last to a meeting of the regions that live here
//! exchanges with the other ranks, once for all of them: what the regions report, what they say to each other, and, for
//! rank 0, what they have committed, which is merged into one history there.

use super::RunError;
use super::lines::{Inlet, Outlet};
use super::parcels::{Delivery, put_rest, put_run, take_rest, take_run};
use super::plan::Tally;
use super::post::Post;
use super::region::Ended;
use super::uplink::{Homes, Uplink};
use crate::engine::{put_all, take_all};
use std::ops::Range;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use warp::message::Wire;

/// What ranks have committed waits in so many packets at most; then all wait for the history.
const WAITING_PACKETS: usize = 32;

/// What a rank has committed.
pub(super) struct Packet {
    rank: usize,
    bytes: Vec<u8>,
}

/// See the module's text.
pub(super) struct Ranks<'u> {
    homes: Homes,
    rank: usize,
    uplink: Mutex<&'u mut dyn Uplink>,
    /// What the regions here have committed and rank 0 has not been sent, as bytes.
    runs: Mutex<Vec<u8>>,
    /// Rank 0: to the thread that reads what others have committed.
    packets: Mutex<Option<SyncSender<Packet>>>,
    /// Why the ranks have nothing in common any more.
    broken: Mutex<Option<String>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'u> Ranks<'u> {
    /// The end of a rank of a job in which so many regions are at work; and, for rank 0, where what others have
    /// committed comes out.
    pub fn new(regions: usize, uplink: &'u mut dyn Uplink) -> (Self, Receiver<Packet>) {
        let (rank, ranks) = (uplink.rank(), uplink.ranks());
        let (packets, unpacking) = sync_channel(WAITING_PACKETS);
        let ranks = Ranks {
            homes: Homes { regions, ranks },
            rank,
            uplink: Mutex::new(uplink),
            runs: Mutex::default(),
            packets: Mutex::new(Some(packets)),
            broken: Mutex::default(),
        };
        (ranks, unpacking)
    }

    /// Whether the history is told by this rank.
    pub fn is_first(&self) -> bool {
        self.rank == 0
    }

    /// The regions that live here.
    pub fn own(&self) -> Range<usize> {
        self.homes.of(self.rank)
    }

    /// All ranks but this one, with the regions that live there.
    fn others(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        self.homes.all().filter(|(rank, _)| *rank != self.rank)
    }

    /// The regions here have met and report `own`: returns what all regions report, and brings what they have said.
    pub fn meet(&self, own: Tally, post: &Post) -> Tally {
        match self.try_meet(own, post) {
            Ok(all) => all,
            Err(why) => {
                lock(&self.broken).get_or_insert(why);
                Tally {
                    failed: true,
                    ..own
                }
            }
        }
    }

    fn try_meet(&self, own: Tally, post: &Post) -> Result<Tally, String> {
        let mut out = vec![Vec::new(); self.homes.ranks];
        for (rank, there) in self.others() {
            own.put(&mut out[rank]);
            put_all(&self.deliveries(there, post), &mut out[rank]);
        }
        if !self.is_first() {
            out[0].append(&mut lock(&self.runs));
        }
        let come = self.exchange(out)?;
        let mut all = own;
        for (rank, there) in self.others() {
            let mut bytes = &come[rank][..];
            let read = Tally::take(&mut bytes).zip(take_all::<Delivery>(&mut bytes));
            let (tally, deliveries) = read.ok_or_else(|| misread(rank))?;
            all = all.with(tally);
            for delivery in deliveries {
                let (from, to) = (usize::from(delivery.from), usize::from(delivery.to));
                if !there.contains(&from) || !self.own().contains(&to) {
                    return Err(misread(rank));
                }
                post.deliver(from, to, delivery.letters);
            }
            self.pass_on(rank, bytes);
        }
        Ok(all)
    }

    fn exchange(&self, out: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, String> {
        let come = lock(&self.uplink).exchange(out)?;
        match come.len() == self.homes.ranks {
            true => Ok(come),
            false => Err("not all ranks have answered".into()),
        }
    }

    /// What the regions here have to say to those of a rank.
    fn deliveries(&self, there: Range<usize>, post: &Post) -> Vec<Delivery> {
        let mut all = Vec::new();
        for to in there {
            for from in self.own() {
                let letters = post.collect(from, to);
                if !letters.is_empty() {
                    all.push(Delivery {
                        from: from as u8,
                        to: to as u8,
                        letters,
                    });
                }
            }
        }
        all
    }

    /// Hands what a rank has committed to who reads it.
    fn pass_on(&self, rank: usize, bytes: &[u8]) {
        if bytes.is_empty() || !self.is_first() {
            return;
        }
        if let Some(packets) = &*lock(&self.packets) {
            let bytes = bytes.to_vec();
            // If nobody reads any more, the run is about to end.
            let _ = packets.send(Packet { rank, bytes });
        }
    }

    /// Not rank 0: keeps what the regions here commit until the next meeting, to the end.
    pub fn forward(&self, inlets: &[Inlet]) {
        loop {
            for (inlet, region) in inlets.iter().zip(self.own()) {
                let Some(run) = inlet.next() else {
                    return;
                };
                let mut runs = lock(&self.runs);
                (region as u32).put(&mut runs);
                put_run(&run, &mut runs);
                drop(runs);
                inlet.give_back(run);
            }
        }
    }

    /// Rank 0: reads what the regions of other ranks have committed, and hands it to the history's lines.
    pub fn unpack(packets: Receiver<Packet>, lines: Vec<(usize, Outlet)>) -> Result<(), String> {
        for Packet { rank, bytes } in packets {
            let mut bytes = &bytes[..];
            while !bytes.is_empty() {
                let region = u32::take(&mut bytes).ok_or_else(|| misread(rank))? as usize;
                let line = lines.iter().find(|(of, _)| *of == region);
                let (_, line) = line.ok_or_else(|| misread(rank))?;
                let run = take_run(&mut bytes, line.room()).ok_or_else(|| misread(rank))?;
                // If the history has ended, the regions will hear of it.
                let _ = line.send(run);
            }
        }
        Ok(())
    }

    /// All regions here have ended, and all they have committed is kept: tells rank 0, which returns what the regions
    /// of all ranks have left, in their order.
    pub fn finish(
        &self,
        own: Vec<Result<Ended, RunError>>,
    ) -> Result<Vec<Result<Ended, RunError>>, RunError> {
        let result = match lock(&self.broken).take() {
            Some(why) => Err(why),
            None => self.try_finish(own),
        };
        // Nobody has anything to read any more.
        lock(&self.packets).take();
        result.map_err(|why| RunError::Network { why })
    }

    fn try_finish(
        &self,
        mut own: Vec<Result<Ended, RunError>>,
    ) -> Result<Vec<Result<Ended, RunError>>, String> {
        let mut out = vec![Vec::new(); self.homes.ranks];
        if !self.is_first() {
            for ended in &own {
                let ended = ended.as_ref().map_err(RunError::to_string);
                put_rest(ended, &mut out[0]);
            }
            out[0].append(&mut lock(&self.runs));
        }
        let come = self.exchange(out)?;
        if self.is_first() {
            for (rank, there) in self.others() {
                let mut bytes = &come[rank][..];
                for _ in there {
                    let rest = take_rest(&mut bytes).ok_or_else(|| misread(rank))?;
                    own.push(rest.map_err(|message| RunError::Rank { rank, message }));
                }
                self.pass_on(rank, bytes);
            }
        }
        Ok(own)
    }
}

fn misread(rank: usize) -> String {
    format!("rank {rank} has sent bytes that are no message of this program")
}
