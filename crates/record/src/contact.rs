//! Contact events beside the history: who hit, touched or left whom, and who was seen by a sensor. They follow from the
//! history, so they are no part of its hash; a recording keeps them because forces in contact groups are not in it.

use crate::block;
use crate::codec::Source;
use crate::error::Result;
use crate::reader::Reader;
use crate::writer::Writer;

const CONTACT_BYTES: usize = 32;

/// What two bodies did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Touch {
    /// They collided: an impulse at one moment.
    Hit = 1,
    /// They began to press against each other.
    Begin = 2,
    /// They no longer do.
    End = 3,
    /// A body has got into a sensor.
    Enter = 4,
    /// It has left the sensor.
    Exit = 5,
}

impl Touch {
    /// The one of a number, if there is one.
    pub fn from_u8(number: u8) -> Option<Self> {
        use Touch::*;
        let all = [Hit, Begin, End, Enter, Exit];
        all.into_iter().find(|touch| *touch as u8 == number)
    }

    /// In tables.
    pub fn name(self) -> &'static str {
        match self {
            Touch::Hit => "hit",
            Touch::Begin => "begin",
            Touch::End => "end",
            Touch::Enter => "enter",
            Touch::Exit => "exit",
        }
    }
}

/// A contact event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// When, in ticks.
    pub tick: i64,
    /// What.
    pub touch: Touch,
    /// Who, the lower number first; of [`Touch::Enter`] and [`Touch::Exit`] the sensor first.
    pub bodies: [u32; 2],
    /// Of [`Touch::Hit`] the impulse between them, of [`Touch::Begin`] that of the first step, newton seconds.
    pub impulse: f64,
}

impl Contact {
    /// The order in which contacts are told.
    pub fn order(&self) -> (i64, [u32; 2], Touch) {
        (self.tick, self.bodies, self.touch)
    }
}

impl Writer {
    /// Notes contact events, in the order of time.
    pub fn append_contacts(&mut self, contacts: &[Contact]) -> Result<()> {
        let (Some(first), Some(last)) = (contacts.first(), contacts.last()) else {
            return Ok(());
        };
        let mut records = Vec::with_capacity(contacts.len() * CONTACT_BYTES);
        for contact in contacts {
            records.extend_from_slice(&contact.tick.to_le_bytes());
            records.extend_from_slice(&contact.impulse.to_le_bytes());
            for body in contact.bodies {
                records.extend_from_slice(&body.to_le_bytes());
            }
            records.extend_from_slice(&u64::from(contact.touch as u8).to_le_bytes());
        }
        let range = (first.tick, last.tick);
        self.write_trace(
            block::CONTACTS,
            contacts.len(),
            &records,
            CONTACT_BYTES,
            range,
        )
    }
}

impl Reader {
    /// The contact events in `from..to`, in the order of time; none if the recording keeps none.
    pub fn contacts_between(&self, from: i64, to: i64) -> Result<Vec<Contact>> {
        let mut out = Vec::new();
        for &number in self.blocks_of(block::CONTACTS) {
            let (first, last) = self.range_of(number);
            if last < from || to <= first {
                continue;
            }
            let records = self.trace(number, CONTACT_BYTES)?;
            for record in records.as_chunks::<CONTACT_BYTES>().0 {
                let contact = get_contact(record);
                let bodies = self.header().bodies.len() as u32;
                let known = contact.filter(|c| c.bodies.iter().all(|b| *b < bodies));
                out.push(known.ok_or_else(|| {
                    self.damaged_block(number, "a contact is of no known kind or body".into())
                })?);
            }
        }
        out.retain(|contact: &Contact| from <= contact.tick && contact.tick < to);
        Ok(out)
    }
}

fn get_contact(bytes: &[u8; CONTACT_BYTES]) -> Option<Contact> {
    let mut from = Source { bytes, at: 0 };
    let tick = i64::from_le_bytes(from.take());
    let impulse = f64::from_le_bytes(from.take());
    let bodies = [
        u32::from_le_bytes(from.take()),
        u32::from_le_bytes(from.take()),
    ];
    let touch = u8::try_from(u64::from_le_bytes(from.take())).ok()?;
    Some(Contact {
        tick,
        touch: Touch::from_u8(touch)?,
        bodies,
        impulse,
    })
}
