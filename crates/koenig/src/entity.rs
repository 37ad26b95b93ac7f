//! An entity (section 5): a sphere as a soft thread. Its state is the paper's tuple; here are the phases *step*, *resolve* and
//! *rollback* (Algorithms 2 to 4), as a machine that gives its core back wherever the paper blocks.
//!
//! Events at an LVT are applied when the entity leaves it: the state of the next LVT is the one that has felt them. An event
//! is therefore acknowledged when that next state is written, and replayed by a rollback to its own LVT.

use crate::errand::{Errand, Goal};
use crate::law::Turn;
use crate::message::{Event, EventId, Message, Rest};
use crate::protocol::{Machine, Protocol};
use crate::scene::{Fault, Ms, Phy, Scene};
use crate::tally::{Activity, Tally};
use std::collections::VecDeque;

/// What an entity is doing (Figure 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Step,
    Resolve,
    Rollback,
}

/// The paper's tuple, and what a soft thread needs besides.
#[derive(Debug)]
pub(crate) struct Entity {
    pub(crate) me: u32,
    pub(crate) lvt: Ms,
    pub(crate) phy: Phy,
    /// Events not yet applied, by LVT and partner.
    pub(crate) input: Vec<Event>,
    /// Events that were applied, likewise.
    pub(crate) done: Vec<Event>,
    /// What is not yet acknowledged: events in *resolve*, antievents in *rollback*.
    pub(crate) pending: Vec<EventId>,
    /// States from `since` on, one for each sub-step up to LVT.
    pub(crate) phys: VecDeque<Phy>,
    pub(crate) since: Ms,
    pub(crate) phase: Phase,
    /// What needs locks.
    pub(crate) errand: Option<Errand>,
    /// Events that were undone before they were read: each meets its end when it is.
    pub(crate) annihilated: Vec<EventId>,
    /// Up to where the entity is counted.
    pub(crate) counted: Ms,
    /// The turn that led to LVT, while it is not counted there.
    pub(crate) turn: Option<Turn>,
    /// The frames that hold a turn of this entity.
    pub(crate) turned: VecDeque<Ms>,
    /// Acknowledgements held back by a planted fault.
    pub(crate) owed: Vec<(u32, EventId)>,
    /// Of contacts found.
    pub(crate) serial: u64,
    pub(crate) tally: Tally,
    /// The clock when something was last charged to an activity.
    pub(crate) charged: u64,
}

impl Entity {
    pub fn new(me: u32, scene: &Scene) -> Self {
        let phy = scene.spheres[me as usize].start;
        Entity {
            me,
            lvt: 0,
            phy,
            input: Vec::new(),
            done: Vec::new(),
            pending: Vec::new(),
            phys: VecDeque::from([phy]),
            since: 0,
            phase: Phase::Step,
            // The state at 0 is in no bucket yet.
            errand: Some(Errand::first()),
            annihilated: Vec::new(),
            counted: 0,
            turn: None,
            turned: VecDeque::new(),
            owed: Vec::new(),
            serial: 0,
            tally: Tally::default(),
            charged: 0,
        }
    }

    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    pub fn phy(&self) -> Phy {
        self.phy
    }

    /// Runs until there is nothing to do but to wait.
    pub fn run<M: Machine>(&mut self, all: &Protocol, machine: &M) -> Rest {
        self.tally.activations += 1;
        self.charged = machine.clock();
        let rest = loop {
            let waits = match (&self.errand, self.phase) {
                (Some(_), _) => self.run_errand(all, machine),
                (None, Phase::Step) => self.step(all, machine),
                (None, Phase::Resolve) => self.resolve(all, machine),
                (None, Phase::Rollback) => self.rollback(all, machine),
            };
            if let Some(rest) = waits {
                break rest;
            }
        };
        self.charge(Activity::Other, machine);
        rest
    }

    pub(crate) fn charge<M: Machine>(&mut self, activity: Activity, machine: &M) {
        let now = machine.clock();
        self.tally.spend(activity, &mut self.charged, now);
    }

    fn receive(&mut self, all: &Protocol) -> Option<Message> {
        let message = all.mail[self.me as usize].take();
        self.tally.messages += u64::from(message.is_some());
        message
    }

    /// Algorithm 2.
    fn step<M: Machine>(&mut self, all: &Protocol, machine: &M) -> Option<Rest> {
        match self.receive(all) {
            Some(Message::Event(event)) => self.insert(event),
            Some(Message::Antievent { id, lvt, from }) => self.undo(id, lvt, from, all, machine),
            // Of an event that was undone while its acknowledgement was on the way.
            Some(Message::EventAck(_) | Message::AntieventAck(_)) => {}
            None => {
                let straggler = self.input.first().filter(|e| e.lvt < self.lvt);
                if let Some(straggler) = straggler {
                    self.enter_rollback(straggler.lvt, None);
                } else if self.lvt < all.frames.lvt_ub() {
                    self.step_to_lvt_ub(all, machine);
                } else {
                    return Some(Rest::AtBound);
                }
            }
        }
        None
    }

    /// Algorithm 3.
    fn resolve<M: Machine>(&mut self, all: &Protocol, machine: &M) -> Option<Rest> {
        if self.pending.is_empty() {
            self.phase = Phase::Step;
            self.count(all, machine);
            return None;
        }
        match self.receive(all) {
            Some(Message::EventAck(id)) => self.pending.retain(|p| *p != id),
            Some(Message::Antievent { id, lvt, from }) => {
                // The partner has undone its side of a contact that is still being resolved.
                self.pending.retain(|p| *p != id);
                self.undo(id, lvt, from, all, machine);
            }
            Some(Message::Event(event)) => {
                self.insert(event);
                if event.lvt < self.lvt {
                    self.enter_rollback(event.lvt, None);
                }
            }
            Some(Message::AntieventAck(_)) => {}
            None => return Some(Rest::Waits),
        }
        None
    }

    /// Algorithm 4, after its first two lines.
    fn rollback<M: Machine>(&mut self, all: &Protocol, machine: &M) -> Option<Rest> {
        if self.pending.is_empty() {
            self.phase = Phase::Step;
            for (to, id) in std::mem::take(&mut self.owed) {
                machine.send(&all.mail, to, Message::AntieventAck(id));
            }
            return None;
        }
        match self.receive(all) {
            Some(Message::AntieventAck(id)) => self.pending.retain(|p| *p != id),
            // Of a resolve that was left.
            Some(Message::EventAck(_)) => {}
            Some(Message::Antievent { id, lvt, from }) => self.undo(id, lvt, from, all, machine),
            Some(Message::Event(event)) => {
                self.insert(event);
                if event.lvt < self.lvt {
                    self.enter_rollback(event.lvt, None);
                }
            }
            None => return Some(Rest::Waits),
        }
        None
    }

    /// Puts an event into *Input*, unless it was undone before it came.
    pub(crate) fn insert(&mut self, event: Event) {
        if let Some(place) = self.annihilated.iter().position(|id| *id == event.id) {
            self.annihilated.swap_remove(place);
            return;
        }
        insert_sorted(&mut self.input, event);
    }

    /// An antievent: an event that was not applied is only taken out, one that was is rolled back over.
    fn undo<M: Machine>(&mut self, id: EventId, lvt: Ms, from: u32, all: &Protocol, machine: &M) {
        if remove(&mut self.input, id) || !remove(&mut self.done, id) {
            machine.send(&all.mail, from, Message::AntieventAck(id));
        } else {
            self.enter_rollback(lvt, Some((from, id)));
        }
    }

    /// Sets out to delete all states after `to`. `ack` is owed to whoever has made this necessary.
    ///
    /// The paper acknowledges when all of its own antievents are acknowledged. By argument three entities could then hold
    /// acknowledgements back around a ring, though no seed has shown it (`Fault::LateAcknowledgements`). It is enough to
    /// have undone what is one's own and to have told the others: until they have answered this entity is counted nowhere
    /// after `to`, and GVT stays below.
    fn enter_rollback(&mut self, to: Ms, ack: Option<(u32, EventId)>) {
        if self.phase != Phase::Rollback {
            self.pending.clear();
        }
        self.phase = Phase::Rollback;
        self.turn = None;
        self.tally.rollbacks += 1;
        self.errand = Some(Errand::new(Goal::Rollback { to, ack }));
    }

    /// Sends an acknowledgement, or holds it back if that is the planted fault.
    pub(crate) fn acknowledge<M: Machine>(
        &mut self,
        (to, id): (u32, EventId),
        all: &Protocol,
        machine: &M,
    ) {
        match all.settings.fault {
            Some(Fault::LateAcknowledgements) => self.owed.push((to, id)),
            _ => machine.send(&all.mail, to, Message::AntieventAck(id)),
        }
    }

    /// Counts the entity at its LVT; the last one there raises GVT.
    pub(crate) fn count<M: Machine>(&mut self, all: &Protocol, machine: &M) {
        if self.lvt == 0 {
            return;
        }
        let turn = self.turn.take();
        if turn.is_some() {
            self.turned.push_back(self.lvt);
        }
        self.counted = self.lvt;
        self.tally.counted += 1;
        if all.frames.count(self.lvt, turn) && all.frames.raise() {
            machine.raised();
        }
    }

    /// For whom the entity waits, in words.
    pub fn waits_for(&self, all: &Protocol) -> Option<String> {
        let me = self.me;
        if let Some(number) = self.errand.as_ref().and_then(Errand::waits_for) {
            return Some(match all.tvht.bucket(number).holder() {
                Some(holder) => {
                    format!("entity {me} waits for bucket {number}, which {holder} has locked")
                }
                None => format!("entity {me} waits for bucket {number}, which nobody has locked"),
            });
        }
        let what = match self.phase {
            Phase::Step => return None,
            Phase::Resolve => "event",
            Phase::Rollback => "antievent",
        };
        let lvt = self.lvt;
        let id = self.pending.first()?;
        Some(format!(
            "entity {me} at {lvt} ms waits for the acknowledgement of an {what} that {} has found",
            id.from
        ))
    }
}

/// Inserts by LVT and partner.
pub(crate) fn insert_sorted(events: &mut Vec<Event>, event: Event) {
    let place = events.partition_point(|e| (e.lvt, e.partner) <= (event.lvt, event.partner));
    events.insert(place, event);
}

/// Takes an event out; says whether it was there.
pub(crate) fn remove(events: &mut Vec<Event>, id: EventId) -> bool {
    let place = events.iter().position(|e| e.id == id);
    place.map(|place| events.remove(place)).is_some()
}
