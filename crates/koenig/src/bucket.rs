//! A bucket (section 4): a soft thread that moderates many regions of space. It keeps physical states by LVT and region,
//! finds contacts when one is written, remembers which it has reported, and has a lock.
//!
//! A bucket has nothing to do unless somebody asks it, so whoever asks runs it, on its own core; its mailbox
//! is the row of those that wait for its lock. *Write* and *delete* are for whoever holds the lock.

use crate::law::contact;
use crate::message::EventId;
use crate::scene::{Ms, Phy, Scene, Vec3};
use std::collections::VecDeque;

/// A region of space, B in the paper.
pub(crate) type Region = [i64; 3];

/// An entity in a region at an LVT.
#[derive(Clone, Copy, Debug)]
struct Entry {
    region: Region,
    entity: u32,
    phy: Phy,
}

/// A contact that was reported: to `id.from`, who found it by writing second.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Reported {
    id: EventId,
    other: u32,
}

/// A contact as a write reports it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contact {
    /// The event that tells of it.
    pub id: EventId,
    /// The entity that had written before.
    pub partner: u32,
    /// On the writer.
    pub impulse: Vec3,
}

/// A reported contact that a delete has made void.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BadContact {
    /// The event that told of it.
    pub id: EventId,
    /// The other entity.
    pub partner: u32,
}

/// What happens at one LVT.
#[derive(Debug)]
struct Slot {
    lvt: Ms,
    entries: Vec<Entry>,
    reported: Vec<Reported>,
}

/// A bucket.
#[derive(Debug)]
pub(crate) struct Bucket {
    holder: Option<u32>,
    waiting: VecDeque<u32>,
    /// LVTs follow each other around a ring that is longer than entities may be apart; what GVT has passed is
    /// overwritten.
    slots: Vec<Slot>,
}

/// A write into one region: who, what and when.
pub(crate) struct Written<'a> {
    pub scene: &'a Scene,
    pub entity: u32,
    pub lvt: Ms,
    pub sub_step: Ms,
    pub phy: &'a Phy,
}

impl Bucket {
    /// A bucket that holds as many LVTs at a time.
    pub fn new(ring: usize) -> Self {
        let slot = || Slot {
            lvt: -1,
            entries: Vec::new(),
            reported: Vec::new(),
        };
        Bucket {
            holder: None,
            waiting: VecDeque::new(),
            slots: std::iter::repeat_with(slot).take(ring).collect(),
        }
    }

    /// Who has the lock.
    pub fn holder(&self) -> Option<u32> {
        self.holder
    }

    /// Gives the lock to an entity, or has it wait; says whether it has the lock.
    pub fn lock(&mut self, entity: u32) -> bool {
        match self.holder {
            None => {
                self.holder = Some(entity);
                true
            }
            Some(holder) if holder == entity => true,
            Some(_) => {
                if !self.waiting.contains(&entity) {
                    self.waiting.push_back(entity);
                }
                false
            }
        }
    }

    /// Takes the lock back; it goes to whoever has waited longest.
    #[must_use]
    pub fn unlock(&mut self) -> Option<u32> {
        self.holder = self.waiting.pop_front();
        self.holder
    }

    fn slot(&mut self, lvt: Ms, sub_step: Ms) -> &mut Slot {
        let ring = self.slots.len() as i64;
        let slot = &mut self.slots[(lvt / sub_step % ring) as usize];
        if slot.lvt != lvt {
            slot.lvt = lvt;
            slot.entries.clear();
            slot.reported.clear();
        }
        slot
    }

    /// Writes a state and reports contacts with those that were there at the same LVT in the same region. A contact
    /// gets its number from `number`, which gives the same one if another bucket has found it already. Gives how many
    /// others were looked at.
    pub fn write(
        &mut self,
        written: &Written<'_>,
        region: Region,
        mut number: impl FnMut(u32, Vec3) -> EventId,
    ) -> u64 {
        let slot = self.slot(written.lvt, written.sub_step);
        let mut looked_at = 0;
        for entry in slot.entries.iter().filter(|e| e.region == region) {
            looked_at += 1;
            let (me, other) = ((written.entity, written.phy), (entry.entity, &entry.phy));
            let impulse = match me.0 < other.0 {
                true => contact(written.scene, me, other, written.sub_step),
                false => contact(written.scene, other, me, written.sub_step).map(|i| -i),
            };
            if let Some(impulse) = impulse {
                let id = number(entry.entity, impulse);
                let reported = Reported {
                    id,
                    other: entry.entity,
                };
                if !slot.reported.contains(&reported) {
                    slot.reported.push(reported);
                }
            }
        }
        slot.entries.push(Entry {
            region,
            entity: written.entity,
            phy: *written.phy,
        });
        looked_at
    }

    /// Deletes an entity's states at an LVT, from all regions, and gives the contacts that this makes void.
    pub fn delete(
        &mut self,
        entity: u32,
        (lvt, sub_step): (Ms, Ms),
        mut void: impl FnMut(BadContact),
    ) {
        let slot = self.slot(lvt, sub_step);
        slot.entries.retain(|e| e.entity != entity);
        slot.reported.retain(|r| {
            let partner = match entity {
                _ if r.id.from == entity => r.other,
                _ if r.other == entity => r.id.from,
                _ => return true,
            };
            void(BadContact { id: r.id, partner });
            false
        });
    }
}
