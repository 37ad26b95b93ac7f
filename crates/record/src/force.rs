//! Contact forces within contact groups: where a body is pressed and how hard, about thirty times a second. They are what
//! the solver found for a step, follow from the history, and are no part of its hash.

use crate::block;
use crate::codec::Source;
use crate::error::Result;
use crate::reader::Reader;
use crate::segment::Event;
use crate::writer::Writer;
use std::collections::BTreeMap;

const FORCE_BYTES: usize = 40;
/// How long what was noted of two bodies is taken to hold, ticks: a sixteenth of a second.
const HOLDS: i64 = 1 << 36;

/// The force at one contact point over a step of a contact group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Force {
    /// The start of the step, a tick.
    pub tick: i64,
    /// Who presses on whom.
    pub bodies: [u32; 2],
    /// The point, from the first body's origin in that body's own frame, m.
    pub at: [f32; 3],
    /// The force on the first body in world axes, N; the second one feels the opposite.
    pub force: [f32; 3],
}

impl Writer {
    /// Notes contact forces, in the order of time.
    pub fn append_forces(&mut self, forces: &[Force]) -> Result<()> {
        let (Some(first), Some(last)) = (forces.first(), forces.last()) else {
            return Ok(());
        };
        let mut records = Vec::with_capacity(forces.len() * FORCE_BYTES);
        for force in forces {
            records.extend_from_slice(&force.tick.to_le_bytes());
            for body in force.bodies {
                records.extend_from_slice(&body.to_le_bytes());
            }
            for number in force.at.iter().chain(&force.force) {
                records.extend_from_slice(&number.to_le_bytes());
            }
        }
        let range = (first.tick, last.tick);
        self.write_trace(block::FORCES, forces.len(), &records, FORCE_BYTES, range)
    }
}

impl Reader {
    /// The contact forces that were noted in `from..to`, in the order of time; none if the recording keeps none.
    pub fn forces_between(&self, from: i64, to: i64) -> Result<Vec<Force>> {
        let mut out = Vec::new();
        let bodies = self.header().bodies.len() as u32;
        for &number in self.blocks_of(block::FORCES) {
            let (first, last) = self.range_of(number);
            if last < from || to <= first {
                continue;
            }
            let records = self.trace(number, FORCE_BYTES)?;
            for record in records.as_chunks::<FORCE_BYTES>().0 {
                let force = get_force(record);
                if force.bodies.iter().any(|body| *body >= bodies) {
                    let text = "a contact force is on a body that is not there";
                    return Err(self.damaged_block(number, text.into()));
                }
                out.push(force);
            }
        }
        out.retain(|force: &Force| from <= force.tick && force.tick < to);
        Ok(out)
    }

    /// The contact forces at a tick: of each two bodies those noted last. What lies at rest is no longer stepped, and
    /// bears what it bore when it came to rest.
    pub fn forces_at(&self, tick: i64) -> Result<Vec<Force>> {
        let mut rested = vec![None; self.header().bodies.len()];
        self.for_each_current(tick, |segment| {
            if segment.event == Event::Rest {
                rested[segment.body as usize] = Some(segment.start);
            }
        })?;
        let mut moments: Vec<i64> = rested.iter().flatten().copied().collect();
        moments.sort_unstable();
        moments.dedup();
        let mut newest: BTreeMap<[u32; 2], Vec<Force>> = BTreeMap::new();
        for moment in moments {
            let lies = |body: &u32| rested[*body as usize] == Some(moment);
            for force in self.noted_last(moment)? {
                if force.bodies.iter().any(lies) {
                    note(&mut newest, force);
                }
            }
        }
        for force in self.noted_last(tick)? {
            // who rests by now is told of above
            if !force.bodies.iter().any(|b| rested[*b as usize].is_some()) {
                note(&mut newest, force);
            }
        }
        Ok(newest.into_values().flatten().collect())
    }

    fn noted_last(&self, tick: i64) -> Result<Vec<Force>> {
        self.forces_between(tick.saturating_sub(HOLDS), tick.saturating_add(1))
    }
}

/// Keeps the points of the newest step of two bodies.
fn note(newest: &mut BTreeMap<[u32; 2], Vec<Force>>, force: Force) {
    let points = newest.entry(force.bodies).or_default();
    points.retain(|other| other.tick >= force.tick);
    if points.iter().all(|other| other.tick <= force.tick) {
        points.push(force);
    }
}

fn get_force(bytes: &[u8; FORCE_BYTES]) -> Force {
    let mut from = Source { bytes, at: 0 };
    let tick = i64::from_le_bytes(from.take());
    let bodies = std::array::from_fn(|_| u32::from_le_bytes(from.take()));
    let mut three = || std::array::from_fn(|_| f32::from_le_bytes(from.take()));
    let at = three();
    Force {
        tick,
        bodies,
        at,
        force: three(),
    }
}
