//! Parcels as bytes, for transports between machines: little-endian, one after the other, no padding.
//! What comes from a network is not trusted: bytes that are no parcel are an error, never a panic.

use super::gvt::Control;
use super::model::Envelope;
use super::transport::{Parcel, Stamp};
use crate::graph::ProcessId;
use crate::time::Tick;

/// Something that can be written as bytes and read again.
pub trait Wire: Sized {
    /// Appends the bytes.
    fn put(&self, bytes: &mut Vec<u8>);

    /// Takes the bytes off the front; nothing, if they are not what [`Wire::put`] writes.
    fn take(bytes: &mut &[u8]) -> Option<Self>;
}

macro_rules! wire_of_numbers {
    ($($number:ty),*) => {$(
        impl Wire for $number {
            #[inline]
            fn put(&self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn take(bytes: &mut &[u8]) -> Option<Self> {
                let (front, rest) = bytes.split_first_chunk()?;
                *bytes = rest;
                Some(Self::from_le_bytes(*front))
            }
        }
    )*};
}

wire_of_numbers!(u8, u32, u64, i64, f64);

impl Wire for () {
    #[inline]
    fn put(&self, _: &mut Vec<u8>) {}

    #[inline]
    fn take(_: &mut &[u8]) -> Option<Self> {
        Some(())
    }
}

impl Wire for bool {
    #[inline]
    fn put(&self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(*self));
    }

    #[inline]
    fn take(bytes: &mut &[u8]) -> Option<Self> {
        match u8::take(bytes)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Wire for Tick {
    #[inline]
    fn put(&self, bytes: &mut Vec<u8>) {
        self.0.put(bytes);
    }

    #[inline]
    fn take(bytes: &mut &[u8]) -> Option<Self> {
        i64::take(bytes).map(Tick)
    }
}

impl Wire for ProcessId {
    #[inline]
    fn put(&self, bytes: &mut Vec<u8>) {
        self.0.put(bytes);
    }

    #[inline]
    fn take(bytes: &mut &[u8]) -> Option<Self> {
        u32::take(bytes).map(ProcessId)
    }
}

/// The first byte of a parcel: what it is, and its colour where it has one.
mod kind {
    pub(super) const MESSAGE: u8 = 0;
    pub(super) const ANTIMESSAGE: u8 = 2;
    pub(super) const CUT: u8 = 4;
    pub(super) const REPORT: u8 = 6;
    pub(super) const REQUEST: u8 = 7;
    pub(super) const GVT: u8 = 8;
}

impl<P: Wire> Wire for Parcel<P> {
    #[inline]
    fn put(&self, bytes: &mut Vec<u8>) {
        match self {
            Parcel::Message { envelope, stamp } => {
                bytes.push(kind::MESSAGE | u8::from(stamp.colour));
                stamp.serial.put(bytes);
                envelope.tick.put(bytes);
                envelope.receiver.put(bytes);
                envelope.sender.put(bytes);
                envelope.sequence.put(bytes);
                envelope.message.put(bytes);
            }
            Parcel::Antimessage { tick, stamp } => {
                bytes.push(kind::ANTIMESSAGE | u8::from(stamp.colour));
                stamp.serial.put(bytes);
                tick.put(bytes);
            }
            Parcel::Control(control) => put_control(control, bytes),
        }
    }

    #[inline]
    fn take(bytes: &mut &[u8]) -> Option<Self> {
        let first = u8::take(bytes)?;
        let colour = first & 1 == 1;
        let control = match first {
            0 | 1 => {
                let stamp = Stamp {
                    serial: u64::take(bytes)?,
                    colour,
                };
                let envelope = Envelope {
                    tick: Tick::take(bytes)?,
                    receiver: ProcessId::take(bytes)?,
                    sender: ProcessId::take(bytes)?,
                    sequence: u32::take(bytes)?,
                    message: P::take(bytes)?,
                };
                return Some(Parcel::Message { envelope, stamp });
            }
            2 | 3 => {
                let stamp = Stamp {
                    serial: u64::take(bytes)?,
                    colour,
                };
                let tick = Tick::take(bytes)?;
                return Some(Parcel::Antimessage { tick, stamp });
            }
            4 | 5 => Control::Cut { colour },
            kind::REPORT => Control::Report {
                balance: i64::take(bytes)?,
                floor: Tick::take(bytes)?,
            },
            kind::REQUEST => Control::Request,
            kind::GVT => Control::Gvt(Tick::take(bytes)?),
            _ => return None,
        };
        Some(Parcel::Control(control))
    }
}

fn put_control(control: &Control, bytes: &mut Vec<u8>) {
    match *control {
        Control::Cut { colour } => bytes.push(kind::CUT | u8::from(colour)),
        Control::Report { balance, floor } => {
            bytes.push(kind::REPORT);
            balance.put(bytes);
            floor.put(bytes);
        }
        Control::Request => bytes.push(kind::REQUEST),
        Control::Gvt(tick) => {
            bytes.push(kind::GVT);
            tick.put(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parcels() -> impl Strategy<Value = Parcel<u64>> {
        let numbers = (any::<u64>(), any::<bool>(), any::<i64>(), any::<u32>());
        (numbers, any::<u64>(), 0..6).prop_map(
            |((serial, colour, tick, process), message, kind)| {
                let (stamp, tick) = (Stamp { serial, colour }, Tick(tick));
                let envelope = Envelope {
                    tick,
                    receiver: ProcessId(process),
                    sender: ProcessId(!process),
                    sequence: process ^ 5,
                    message,
                };
                match kind {
                    0 => Parcel::Message { envelope, stamp },
                    1 => Parcel::Antimessage { tick, stamp },
                    2 => Parcel::Control(Control::Cut { colour }),
                    3 => Parcel::Control(Control::Report {
                        balance: serial as i64,
                        floor: tick,
                    }),
                    4 => Parcel::Control(Control::Request),
                    _ => Parcel::Control(Control::Gvt(tick)),
                }
            },
        )
    }

    proptest! {
        #[test]
        fn parcels_come_out_as_they_went_in(sent in prop::collection::vec(parcels(), 0..20)) {
            let mut bytes = Vec::new();
            for parcel in &sent {
                parcel.put(&mut bytes);
            }
            let mut rest = bytes.as_slice();
            for parcel in &sent {
                let received = Parcel::<u64>::take(&mut rest).unwrap();
                prop_assert_eq!(format!("{parcel:?}"), format!("{received:?}"));
            }
            prop_assert!(rest.is_empty());
        }

        #[test]
        fn bytes_that_are_no_parcel_are_refused_or_read(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let mut rest = bytes.as_slice();
            while let Some(parcel) = Parcel::<u64>::take(&mut rest) {
                let mut again = Vec::new();
                parcel.put(&mut again);
                let read = bytes.len() - rest.len();
                prop_assert_eq!(&bytes[read - again.len()..read], again.as_slice());
            }
        }

        #[test]
        fn a_parcel_that_was_cut_off_is_refused(parcel in parcels(), lost in 1usize..8) {
            let mut bytes = Vec::new();
            parcel.put(&mut bytes);
            bytes.truncate(bytes.len().saturating_sub(lost));
            prop_assert!(Parcel::<u64>::take(&mut bytes.as_slice()).is_none());
        }
    }
}
