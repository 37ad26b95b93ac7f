//! Threads as a transport: every worker has a mailbox, into which the others put parcels by the
//! handful. Nobody spins: a worker with nothing to do sleeps until mail comes.

use super::sync::{Arc, AtomicBool, Condvar, Mutex, MutexGuard, Ordering};
use super::transport::{Parcel, Transport, WorkerId};

/// A busy worker sends off what it has to send, and looks for mail, once in this many events.
const EVENTS_BETWEEN_LOOKS: u32 = 16;

/// Why a worker stops when another one has failed: unwound with, so that it can be told from the cause.
pub(super) struct Abandoned;

struct Mail<P> {
    parcels: Vec<Parcel<P>>,
    /// The owner sleeps: whoever brings mail must wake it.
    is_sleeping: bool,
    is_closed: bool,
}

/// One worker's mail.
struct Mailbox<P> {
    /// Whether to look inside; told from outside, since looking takes the lock.
    has_mail: AtomicBool,
    mail: Mutex<Mail<P>>,
    woken: Condvar,
}

impl<P> Mailbox<P> {
    fn new() -> Self {
        Mailbox {
            has_mail: AtomicBool::new(false),
            mail: Mutex::new(Mail {
                parcels: Vec::new(),
                is_sleeping: false,
                is_closed: false,
            }),
            woken: Condvar::new(),
        }
    }

    fn open(&self) -> MutexGuard<'_, Mail<P>> {
        // A worker that panicked while it held the lock has left whole parcels behind.
        self.mail.lock().unwrap_or_else(|error| error.into_inner())
    }

    fn put(&self, parcels: &mut Vec<Parcel<P>>) {
        let mut mail = self.open();
        mail.parcels.append(parcels);
        self.has_mail.store(true, Ordering::Release);
        self.wake(mail);
    }

    fn close(&self) {
        let mut mail = self.open();
        mail.is_closed = true;
        self.has_mail.store(true, Ordering::Release);
        self.wake(mail);
    }

    fn wake(&self, mut mail: MutexGuard<'_, Mail<P>>) {
        if std::mem::take(&mut mail.is_sleeping) {
            drop(mail);
            self.woken.notify_one();
        }
    }

    /// Swaps what has come for `empty`; when `waits`, sleeps until something has.
    fn take(&self, empty: &mut Vec<Parcel<P>>, waits: bool) {
        if !waits && !self.has_mail.load(Ordering::Acquire) {
            return;
        }
        let mut mail = self.open();
        while waits && mail.parcels.is_empty() && !mail.is_closed {
            mail.is_sleeping = true;
            mail = match self.woken.wait(mail) {
                Ok(mail) => mail,
                Err(error) => error.into_inner(),
            };
        }
        if mail.is_closed {
            drop(mail);
            std::panic::resume_unwind(Box::new(Abandoned));
        }
        std::mem::swap(&mut mail.parcels, empty);
        self.has_mail.store(false, Ordering::Release);
    }
}

/// One worker's end of the mailboxes that several share.
pub struct Endpoint<P> {
    worker: WorkerId,
    boxes: Arc<Vec<Mailbox<P>>>,
    waits: bool,
    /// To each worker: what was sent and not sent off.
    outgoing: Vec<Vec<Parcel<P>>>,
    has_outgoing: bool,
    inbox: Vec<Parcel<P>>,
    /// Where in the inbox to go on.
    next: usize,
    events: u32,
}

/// The ends of as many workers' mailboxes, for [`super::run_together`].
pub fn mailboxes<P>(workers: u32) -> Vec<Endpoint<P>> {
    connect(workers, true)
}

/// The same for workers that are stepped by turns in one thread, none of which may sleep.
pub fn mailboxes_in_one_thread<P>(workers: u32) -> Vec<Endpoint<P>> {
    connect(workers, false)
}

fn connect<P>(workers: u32, waits: bool) -> Vec<Endpoint<P>> {
    let boxes: Vec<_> = (0..workers).map(|_| Mailbox::new()).collect();
    let boxes = Arc::new(boxes);
    let endpoint = |worker| Endpoint {
        worker: WorkerId(worker),
        boxes: boxes.clone(),
        waits,
        outgoing: (0..workers).map(|_| Vec::new()).collect(),
        has_outgoing: false,
        inbox: Vec::new(),
        next: 0,
        events: 0,
    };
    (0..workers).map(endpoint).collect()
}

impl<P: Copy> Endpoint<P> {
    #[inline]
    fn next_of_inbox(&mut self) -> Option<Parcel<P>> {
        let parcel = *self.inbox.get(self.next)?;
        self.next += 1;
        Some(parcel)
    }

    fn look(&mut self, idle: bool) -> Option<Parcel<P>> {
        self.flush();
        self.inbox.clear();
        self.next = 0;
        let waits = idle && self.waits;
        self.boxes[self.worker.index()].take(&mut self.inbox, waits);
        self.next_of_inbox()
    }
}

impl<P: Copy> Transport<P> for Endpoint<P> {
    #[inline]
    fn worker(&self) -> WorkerId {
        self.worker
    }

    #[inline]
    fn workers(&self) -> u32 {
        self.boxes.len() as u32
    }

    #[inline]
    fn send(&mut self, to: WorkerId, parcel: Parcel<P>) {
        self.outgoing[to.index()].push(parcel);
        self.has_outgoing = true;
    }

    fn flush(&mut self) {
        if !std::mem::take(&mut self.has_outgoing) {
            return;
        }
        for (parcels, to) in self.outgoing.iter_mut().zip(self.boxes.iter()) {
            if !parcels.is_empty() {
                to.put(parcels);
            }
        }
    }

    #[inline]
    fn receive(&mut self, idle: bool) -> Option<Parcel<P>> {
        if let Some(parcel) = self.next_of_inbox() {
            return Some(parcel);
        }
        self.events += 1;
        if !idle && self.events < EVENTS_BETWEEN_LOOKS {
            return None;
        }
        self.events = 0;
        self.look(idle)
    }

    fn abandon(&mut self) {
        self.boxes.iter().for_each(Mailbox::close);
    }
}

#[cfg(all(test, loom))]
mod loom_tests {
    use super::*;
    use crate::message::Control;
    use crate::time::Tick;

    fn gvt(parcel: Option<Parcel<()>>) -> Option<i64> {
        match parcel? {
            Parcel::Control(Control::Gvt(tick)) => Some(tick.0),
            other => panic!("nobody sent {other:?}"),
        }
    }

    fn announce(endpoint: &mut Endpoint<()>, tick: i64) {
        let parcel = Parcel::Control(Control::Gvt(Tick(tick)));
        endpoint.send(WorkerId(0), parcel);
        endpoint.flush();
    }

    /// Two bring mail, the third sleeps until it has all of it: no wake-up is lost, nothing comes twice.
    #[test]
    fn loom_a_sleeper_gets_all_mail() {
        loom::model(|| {
            let mut endpoints = mailboxes(3);
            let mut sleeper = endpoints.remove(0);
            let senders: Vec<_> = (1..)
                .zip(endpoints)
                .map(|(tick, mut endpoint)| {
                    loom::thread::spawn(move || announce(&mut endpoint, tick))
                })
                .collect();
            let first = gvt(sleeper.receive(true));
            let second = gvt(sleeper.receive(true));
            assert_eq!(first.max(second), Some(2));
            assert_eq!(first.min(second), Some(1));
            for sender in senders {
                sender.join().unwrap();
            }
            assert!(sleeper.look(false).is_none());
        });
    }

    /// The end of a round: a worker waits for GVT, which another announces after it has taken a parcel
    /// that the first put off until it paused.
    #[test]
    fn loom_the_end_of_a_round_reaches_who_waits_for_it() {
        loom::model(|| {
            let mut endpoints = mailboxes::<()>(2);
            let mut root = endpoints.pop().unwrap();
            let mut worker = endpoints.pop().unwrap();
            let root = loom::thread::spawn(move || {
                let request = root.receive(true);
                assert!(matches!(request, Some(Parcel::Control(Control::Request))));
                announce(&mut root, 9);
            });
            worker.send(WorkerId(1), Parcel::Control(Control::Request));
            assert_eq!(gvt(worker.receive(true)), Some(9));
            root.join().unwrap();
        });
    }

    /// A worker that looks for mail between events sees it soon after it was put.
    #[test]
    fn loom_a_busy_worker_misses_no_mail() {
        loom::model(|| {
            let mut endpoints = mailboxes(2);
            let mut sender = endpoints.pop().unwrap();
            let mut busy = endpoints.pop().unwrap();
            let sender = loom::thread::spawn(move || announce(&mut sender, 3));
            let early = gvt(busy.look(false));
            sender.join().unwrap();
            let late = gvt(busy.look(false));
            assert_eq!(early.or(late), Some(3));
            assert!(early.is_none() || late.is_none());
        });
    }
}
