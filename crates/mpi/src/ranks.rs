//! The ranks of a job as a transport of the kernel: parcels for one rank are gathered and sent as one
//! message. A rank that sends also receives while it waits, so that two that send to each other never
//! wait for one another.

use crate::job::Job;
use mpi::point_to_point::{Destination, MatchedReceiveVec, Source};
use mpi::request::multiple_scope;
use mpi::topology::Communicator;
use std::time::Duration;
use warp::message::{Parcel, Transport, Wire, WorkerId};

/// A busy rank sends off what it has to send, and looks for mail, once in this many events.
const EVENTS_BETWEEN_LOOKS: u32 = 32;

/// A rank with nothing to do looks this often before it sleeps between two looks: ranks may be more
/// than cores.
const EAGER_LOOKS: u32 = 2_000;

/// How long it sleeps then.
const NAP: Duration = Duration::from_micros(20);

/// The tag of parcels.
const PARCELS: i32 = 1;

/// See the module's text.
pub struct Ranks<'j, P> {
    job: &'j Job,
    /// By rank: what is to be sent.
    outgoing: Vec<Vec<u8>>,
    has_outgoing: bool,
    /// What has arrived, the next one last.
    inbox: Vec<Parcel<P>>,
    events: u32,
}

impl<'j, P: Wire> Ranks<'j, P> {
    /// This rank's end.
    pub fn new(job: &'j Job) -> Self {
        Ranks {
            job,
            outgoing: (0..job.ranks()).map(|_| Vec::new()).collect(),
            has_outgoing: false,
            inbox: Vec::new(),
            events: 0,
        }
    }

    /// Takes all messages that are here.
    fn fetch(&mut self) {
        fetch(self.job, &mut self.inbox);
    }

    /// Sleeps until there is mail.
    fn wait(&mut self) {
        let mut looks = 0;
        self.fetch();
        while self.inbox.is_empty() {
            looks += 1;
            match looks < EAGER_LOOKS {
                true => std::hint::spin_loop(),
                false => std::thread::sleep(NAP),
            }
            self.fetch();
        }
    }
}

fn fetch<P: Wire>(job: &Job, inbox: &mut Vec<Parcel<P>>) {
    let any = job.world().any_process();
    while let Some(found) = any.immediate_matched_probe_with_tag(PARCELS) {
        let (bytes, status) = found.matched_receive_vec::<u8>();
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            match Parcel::take(&mut rest) {
                Some(parcel) => inbox.push(parcel),
                None => panic!(
                    "rank {} sent {} bytes that are no parcels",
                    status.source_rank(),
                    bytes.len()
                ),
            }
        }
    }
}

impl<P: Wire + Copy> Transport<P> for Ranks<'_, P> {
    fn worker(&self) -> WorkerId {
        WorkerId(self.job.rank() as u32)
    }

    #[inline]
    fn workers(&self) -> u32 {
        self.outgoing.len() as u32
    }

    #[inline]
    fn send(&mut self, to: WorkerId, parcel: Parcel<P>) {
        parcel.put(&mut self.outgoing[to.index()]);
        self.has_outgoing = true;
    }

    fn flush(&mut self) {
        if !std::mem::take(&mut self.has_outgoing) {
            return;
        }
        let (job, outgoing, inbox) = (self.job, &self.outgoing, &mut self.inbox);
        multiple_scope(outgoing.len(), |scope, sending| {
            for (rank, bytes) in outgoing.iter().enumerate() {
                if !bytes.is_empty() {
                    let to = job.world().process_at_rank(rank as i32);
                    sending.add(to.immediate_send_with_tag(scope, &bytes[..], PARCELS));
                }
            }
            while sending.incomplete() > 0 {
                if sending.test_any().is_none() {
                    fetch(job, inbox);
                }
            }
        });
        self.outgoing.iter_mut().for_each(Vec::clear);
    }

    #[inline]
    fn receive(&mut self, idle: bool) -> Option<Parcel<P>> {
        // In any order: the kernel does not mind, and the last is the cheapest to take.
        if let Some(parcel) = self.inbox.pop() {
            return Some(parcel);
        }
        self.events += 1;
        if !idle && self.events < EVENTS_BETWEEN_LOOKS {
            return None;
        }
        self.events = 0;
        self.flush();
        match idle {
            true => self.wait(),
            false => self.fetch(),
        }
        self.inbox.pop()
    }
}
