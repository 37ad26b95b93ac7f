//! What regions say to each other as bytes, for regions on several machines. What comes from a network is not trusted:
//! bytes that are no message are nothing, never a panic.

use super::{Carried, Message, Migration, Origin};
use physics::{Flight, ModelId, Quat, Vec3};
use record::Event;
use warp::message::Wire;
use warp::{EventOrder, Moment, Tick};

/// The first byte of a message.
mod kind {
    pub const IMPORT: u8 = 0;
    pub const FACT: u8 = 1;
    pub const RETRACT: u8 = 2;
    pub const DROP: u8 = 3;
}

impl Wire for Message {
    fn put(&self, bytes: &mut Vec<u8>) {
        match self {
            Message::Import(root, facts) => {
                bytes.push(kind::IMPORT);
                root.put(bytes);
                put_all(facts, bytes);
            }
            Message::Fact(fact) => {
                bytes.push(kind::FACT);
                fact.put(bytes);
            }
            Message::Retract(body, order) => {
                bytes.push(kind::RETRACT);
                body.put(bytes);
                put_order(order, bytes);
            }
            Message::Drop(body) => {
                bytes.push(kind::DROP);
                body.put(bytes);
            }
        }
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        Some(match u8::take(bytes)? {
            kind::IMPORT => Message::Import(Carried::take(bytes)?, take_all(bytes)?),
            kind::FACT => Message::Fact(Carried::take(bytes)?),
            kind::RETRACT => Message::Retract(u32::take(bytes)?, take_order(bytes)?),
            kind::DROP => Message::Drop(u32::take(bytes)?),
            _ => return None,
        })
    }
}

impl Wire for Migration {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.body.put(bytes);
        self.from.put(bytes);
        self.to.put(bytes);
        self.known.put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        Some(Migration {
            body: u32::take(bytes)?,
            from: u8::take(bytes)?,
            to: u8::take(bytes)?,
            known: u32::take(bytes)?,
        })
    }
}

impl Wire for Carried {
    fn put(&self, bytes: &mut Vec<u8>) {
        put_order(&self.order, bytes);
        self.flight.start.put(bytes);
        put_numbers(&self.flight.position.to_array(), bytes);
        put_numbers(&self.flight.velocity.to_array(), bytes);
        (self.flight.model.place() as u32).put(bytes);
        self.flight.body.put(bytes);
        put_numbers(&self.rotation.to_array(), bytes);
        put_numbers(&self.spin.to_array(), bytes);
        self.origin.put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        Some(Carried {
            order: take_order(bytes)?,
            flight: Flight {
                start: Tick::take(bytes)?,
                position: Vec3::from_array(take_numbers(bytes)?),
                velocity: Vec3::from_array(take_numbers(bytes)?),
                model: ModelId::at(u32::take(bytes)?),
                body: u32::take(bytes)?,
            },
            rotation: Quat::from_array(take_numbers(bytes)?),
            spin: Vec3::from_array(take_numbers(bytes)?),
            origin: Origin::take(bytes)?,
        })
    }
}

impl Wire for Origin {
    fn put(&self, bytes: &mut Vec<u8>) {
        bytes.push(self.event as u8);
        self.partner.put(bytes);
        self.impulse.put(bytes);
        self.overlap.to_bits().put(bytes);
        u32::from(self.storm).put(bytes);
        self.flurry.put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        Some(Origin {
            event: Event::from_u8(u8::take(bytes)?)?,
            partner: u32::take(bytes)?,
            impulse: f64::take(bytes)?,
            overlap: f32::from_bits(u32::take(bytes)?),
            storm: u16::try_from(u32::take(bytes)?).ok()?,
            flurry: u8::take(bytes)?,
            epoch: 0,
        })
    }
}

fn put_order(order: &EventOrder, bytes: &mut Vec<u8>) {
    order.moment.tick.put(bytes);
    order.moment.micro.put(bytes);
    order.key.put(bytes);
}

fn take_order(bytes: &mut &[u8]) -> Option<EventOrder> {
    Some(EventOrder {
        moment: Moment {
            tick: Tick::take(bytes)?,
            micro: u32::take(bytes)?,
        },
        key: u64::take(bytes)?,
    })
}

/// Appends numbers.
pub(crate) fn put_numbers(numbers: &[f64], bytes: &mut Vec<u8>) {
    for number in numbers {
        number.put(bytes);
    }
}

/// Takes so many numbers off the front.
pub(crate) fn take_numbers<const N: usize>(bytes: &mut &[u8]) -> Option<[f64; N]> {
    let mut numbers = [0.0; N];
    for number in &mut numbers {
        *number = f64::take(bytes)?;
    }
    Some(numbers)
}

/// Appends how many there are, and all of them.
pub(crate) fn put_all<T: Wire>(all: &[T], bytes: &mut Vec<u8>) {
    (all.len() as u32).put(bytes);
    for one in all {
        one.put(bytes);
    }
}

/// Takes what [`put_all`] has put.
pub(crate) fn take_all<T: Wire>(bytes: &mut &[u8]) -> Option<Vec<T>> {
    let count = u32::take(bytes)? as usize;
    // Nothing is shorter than a byte: a count that is wrong asks for no memory.
    let mut all = Vec::with_capacity(count.min(bytes.len()));
    for _ in 0..count {
        all.push(T::take(bytes)?);
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn carried(body: u32) -> Carried {
        Carried {
            order: EventOrder {
                moment: Moment {
                    tick: Tick(-7),
                    micro: 3,
                },
                key: u64::MAX - 5,
            },
            flight: Flight {
                start: Tick(1 << 50),
                position: Vec3::new(1.0, -0.0, f64::MIN_POSITIVE),
                velocity: Vec3::new(-1e300, 2.5, 0.1),
                model: ModelId::at(9),
                body,
            },
            rotation: Quat::from_xyzw(0.5, -0.5, 0.5, 0.5),
            spin: Vec3::new(3.0, 4.0, 5.0),
            origin: Origin {
                event: Event::Collision,
                partner: 12,
                impulse: 0.3,
                overlap: 1e-12,
                storm: 700,
                flurry: 33,
                epoch: 0,
            },
        }
    }

    #[test]
    fn what_is_said_is_heard_to_the_bit_and_damaged_bytes_are_nothing() {
        let messages = [
            Message::Import(carried(1), vec![carried(2), carried(3)]),
            Message::Fact(carried(4)),
            Message::Retract(5, carried(0).order),
            Message::Drop(6),
        ];
        let mut bytes = Vec::new();
        put_all(&messages, &mut bytes);
        let mut rest = &bytes[..];
        let heard: Vec<Message> = take_all(&mut rest).expect("what was put");
        assert!(rest.is_empty());
        assert_eq!(format!("{heard:?}"), format!("{messages:?}"));
        for length in 0..bytes.len() {
            assert!(take_all::<Message>(&mut &bytes[..length]).is_none());
        }
        bytes[4] = 77;
        assert!(take_all::<Message>(&mut &bytes[..]).is_none());
    }
}
