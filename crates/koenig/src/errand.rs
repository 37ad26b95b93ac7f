//! What an entity does under locks: Algorithm 1 (locking), Algorithms 5 and 6 (a step and its writes) and Algorithm 7 (deletes).
//!
//! An entity locks the buckets of all regions that it passes through in the whole step, or in all that it undoes, in the
//! order of their numbers. It waits holding those it has, and whoever holds a bucket waits for a higher one at most:
//! there is no ring of waits among locks.

use crate::bucket::Written;
use crate::entity::{Entity, Phase, insert_sorted, remove};
use crate::law::{Turn, advance};
use crate::message::{Event, EventId, Message, Rest};
use crate::protocol::{Machine, Point, Protocol};
use crate::scene::{Fault, Ms, Phy};
use crate::tally::Activity;

/// A state that is computed and not yet written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planned {
    phy: Phy,
    turn: Option<Turn>,
}

/// What the locks are for.
#[derive(Debug)]
pub(crate) enum Goal {
    /// Write the state at the start.
    Start,
    /// Write these states (Algorithm 6).
    Step(Vec<Planned>),
    /// Delete all states after `to` (Algorithm 7), then acknowledge.
    Rollback { to: Ms, ack: Option<(u32, EventId)> },
    /// Give the locks back.
    Unlock,
}

/// Something that needs locks.
#[derive(Debug)]
pub(crate) struct Errand {
    goal: Goal,
    /// In the order in which they are taken; known once the errand has set out.
    buckets: Option<Vec<u32>>,
    held: usize,
    waits: bool,
}

impl Errand {
    pub fn new(goal: Goal) -> Self {
        Errand {
            goal,
            buckets: None,
            held: 0,
            waits: false,
        }
    }

    pub fn first() -> Self {
        Errand::new(Goal::Start)
    }

    /// The bucket that it waits for.
    pub fn waits_for(&self) -> Option<u32> {
        let buckets = self.buckets.as_ref().filter(|_| self.waits)?;
        buckets.get(self.held).copied()
    }
}

impl Entity {
    /// Algorithm 5: the states of all sub-steps up to LVT_ub.
    pub(crate) fn step_to_lvt_ub<M: Machine>(&mut self, all: &Protocol, machine: &M) {
        self.charge(Activity::Other, machine);
        let (bound, sub_step) = (all.frames.lvt_ub(), all.settings.sub_step);
        self.forget(all.frames.gvt(), sub_step);
        let (mut lvt, mut phy) = (self.lvt, self.phy);
        let mut states = Vec::with_capacity(((bound - lvt) / sub_step) as usize);
        let mut input = self.input.iter().peekable();
        while lvt < bound {
            let events = std::iter::from_fn(|| input.next_if(|e| e.lvt == lvt));
            let impulses = events.map(|e| (e.partner, e.impulse));
            let turn;
            (phy, turn) = advance(&all.scene, self.me, (lvt, &phy), impulses, sub_step);
            states.push(Planned { phy, turn });
            lvt += sub_step;
        }
        self.tally.integrated += states.len() as u64;
        self.errand = Some(Errand::new(Goal::Step(states)));
        self.charge(Activity::Integration, machine);
    }

    /// What GVT has passed is needed no more.
    fn forget(&mut self, gvt: Ms, sub_step: Ms) {
        while self.since < gvt.min(self.lvt) {
            self.phys.pop_front();
            self.since += sub_step;
        }
        let old = self.done.partition_point(|e| e.lvt < gvt);
        self.done.drain(..old);
        while self.turned.front().is_some_and(|lvt| *lvt <= gvt) {
            self.turned.pop_front();
        }
    }

    /// Goes on with the errand; says how the entity rests if it has to.
    pub(crate) fn run_errand<M: Machine>(&mut self, all: &Protocol, machine: &M) -> Option<Rest> {
        let mut errand = self.errand.take()?;
        if errand.buckets.is_none() {
            errand.buckets = Some(self.bounds(&errand.goal, all));
        }
        let buckets = errand.buckets.take().unwrap_or_default();
        if !matches!(errand.goal, Goal::Unlock) {
            if let Some(rest) = self.tvht_lock(&buckets, &mut errand, all, machine) {
                errand.buckets = Some(buckets);
                self.errand = Some(errand);
                return Some(rest);
            }
            match std::mem::replace(&mut errand.goal, Goal::Unlock) {
                // The state at 0 has contacts like any other.
                Goal::Start => self.write(all, machine),
                Goal::Step(states) => self.step_state(&states, all, machine),
                Goal::Rollback { to, ack } => self.rollback_state(to, ack, all, machine),
                Goal::Unlock => {}
            }
            if machine.pauses(Point::Unlocks) {
                errand.buckets = Some(buckets);
                self.errand = Some(errand);
                return Some(Rest::Paused);
            }
        }
        for number in buckets {
            let next = all.tvht.bucket(number).unlock();
            if let Some(next) = next.filter(|e| all.mail[*e as usize].call()) {
                machine.granted(next);
            }
        }
        self.charge(Activity::Tvht, machine);
        None
    }

    /// The buckets of all regions that the goal touches, as Algorithm 1 sorts them.
    fn bounds(&self, goal: &Goal, all: &Protocol) -> Vec<u32> {
        let radius = all.scene.spheres[self.me as usize].radius;
        let mut buckets = Vec::new();
        let mut put = |phy: &Phy| {
            for region in all.tvht.regions(phy, radius) {
                let number = all.tvht.bucket_of(region);
                if buckets.last() != Some(&number) {
                    buckets.push(number);
                }
            }
        };
        match goal {
            Goal::Start => put(&self.phy),
            Goal::Step(states) => states.iter().for_each(|s| put(&s.phy)),
            Goal::Rollback { to, .. } => {
                let kept = ((to - self.since) / all.settings.sub_step) as usize + 1;
                self.phys.iter().skip(kept).for_each(put);
            }
            Goal::Unlock => {}
        }
        if all.settings.fault == Some(Fault::UnsortedLocks) {
            let mut seen = vec![false; all.tvht.count()];
            buckets.retain(|b| !std::mem::replace(&mut seen[*b as usize], true));
            return buckets;
        }
        buckets.sort_unstable();
        buckets.dedup();
        buckets
    }

    /// Algorithm 1.
    fn tvht_lock<M: Machine>(
        &mut self,
        buckets: &[u32],
        errand: &mut Errand,
        all: &Protocol,
        machine: &M,
    ) -> Option<Rest> {
        while let Some(&number) = buckets.get(errand.held) {
            if !all.tvht.bucket(number).lock(self.me) {
                self.tally.lock_waits += u64::from(!errand.waits);
                errand.waits = true;
                self.charge(Activity::Tvht, machine);
                return Some(Rest::Waits);
            }
            errand.waits = false;
            errand.held += 1;
            self.tally.locks += 1;
            if machine.pauses(Point::Locked) {
                return Some(Rest::Paused);
            }
        }
        None
    }

    /// Algorithm 6: writes the states until one has contacts.
    fn step_state<M: Machine>(&mut self, states: &[Planned], all: &Protocol, machine: &M) {
        let sub_step = all.settings.sub_step;
        if all.settings.fault == Some(Fault::Panic(self.me)) {
            panic!("entity {} was told to panic", self.me);
        }
        for planned in states {
            self.leave(self.lvt, all, machine);
            self.lvt += sub_step;
            self.phy = planned.phy;
            self.turn = planned.turn;
            self.phys.push_back(planned.phy);
            self.write(all, machine);
            if self.phase == Phase::Resolve {
                break;
            }
        }
    }

    /// The events of an LVT are part of the next state: they are done, and whoever found them is told.
    fn leave<M: Machine>(&mut self, lvt: Ms, all: &Protocol, machine: &M) {
        let count = self.input.partition_point(|e| e.lvt <= lvt);
        for event in self.input.drain(..count) {
            if event.id.from != self.me {
                machine.send(&all.mail, event.partner, Message::EventAck(event.id));
            }
            insert_sorted(&mut self.done, event);
        }
    }

    /// Writes the state at LVT. Contacts become events, and the entity goes on when these are acknowledged; without contacts
    /// it is counted.
    fn write<M: Machine>(&mut self, all: &Protocol, machine: &M) {
        let written = Written {
            scene: &all.scene,
            entity: self.me,
            lvt: self.lvt,
            sub_step: all.settings.sub_step,
            phy: &self.phy,
        };
        let mut contacts = Vec::new();
        let (regions, looked_at) = all.tvht.write(&written, &mut self.serial, &mut contacts);
        self.tally.written += 1;
        self.tally.regions_written += regions;
        self.tally.checks += looked_at;
        // Nobody leaves the end, so nobody would acknowledge.
        if contacts.is_empty() || self.lvt == all.scene.end {
            self.charge(Activity::Tvht, machine);
            self.count(all, machine);
            self.charge(Activity::Gvt, machine);
            return;
        }
        for contact in contacts {
            let event = |partner, impulse| Event {
                id: contact.id,
                lvt: self.lvt,
                partner,
                impulse,
            };
            let (own, other) = (
                event(contact.partner, contact.impulse),
                event(self.me, -contact.impulse),
            );
            self.pending.push(contact.id);
            insert_sorted(&mut self.input, own);
            machine.send(&all.mail, contact.partner, Message::Event(other));
            self.tally.events += 1;
        }
        self.phase = Phase::Resolve;
        self.charge(Activity::Tvht, machine);
    }

    /// Algorithm 7: deletes all states after `to`, sends antievents for the contacts that are void without them, and has what
    /// was applied after `to` applied again.
    fn rollback_state<M: Machine>(
        &mut self,
        to: Ms,
        ack: Option<(u32, EventId)>,
        all: &Protocol,
        machine: &M,
    ) {
        self.charge(Activity::Tvht, machine);
        self.discount(to, all);
        let sub_step = all.settings.sub_step;
        let radius = all.scene.spheres[self.me as usize].radius;
        let kept = ((to - self.since) / sub_step) as usize + 1;
        let mut bad = Vec::new();
        for (phy, number) in self.phys.iter().zip(0i64..).skip(kept) {
            let lvt = self.since + number * sub_step;
            let regions = all.tvht.delete((self.me, radius), (lvt, phy), &mut bad);
            self.tally.deleted += 1;
            self.tally.regions_deleted += regions;
        }
        for (lvt, contact) in bad {
            let id = contact.id;
            let was_read = remove(&mut self.input, id) || remove(&mut self.done, id);
            // It was sent under the lock that is held now: it is in the mailbox.
            if !was_read && id.from != self.me {
                self.annihilated.push(id);
            }
            self.pending.push(id);
            let from = self.me;
            machine.send(
                &all.mail,
                contact.partner,
                Message::Antievent { id, lvt, from },
            );
            self.tally.antievents += 1;
        }
        self.phys.truncate(kept);
        self.lvt = to;
        self.phy = self.phys[kept - 1];
        let replayed = self.done.partition_point(|e| e.lvt < to);
        for event in self.done.drain(replayed..) {
            insert_sorted(&mut self.input, event);
        }
        if let Some(ack) = ack {
            self.acknowledge(ack, all, machine);
        }
        self.charge(Activity::Rollback, machine);
    }

    /// Takes the entity back from all frames after `to`.
    fn discount(&mut self, to: Ms, all: &Protocol) {
        while self.counted > to {
            let has_turned = self.turned.back() == Some(&self.counted);
            if has_turned {
                self.turned.pop_back();
            }
            all.frames.discount(self.counted, self.me, has_turned);
            self.tally.counted += 1;
            self.counted -= all.settings.sub_step;
        }
    }
}
