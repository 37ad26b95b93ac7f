//! The speculation's own story in a file, beside the history it led to: what was undone, how far each body ran
//! ahead, and the run's counters over wall time. Optional, never part of the hash; the viewer shows it.

use crate::block;
use crate::codec::Source;
use crate::error::Result;
use crate::reader::Reader;
use crate::segment::Event;
use crate::speculation::{Clock, Undone};
use crate::writer::Writer;
use serde::{Deserialize, Serialize};

const UNDONE_BYTES: usize = 40;
const CLOCK_BYTES: usize = 16;
/// Noted rollbacks that are written without waiting for the next block.
const UNDONE_BATCH_BYTES: usize = 256 * 1024;

/// The run's counters at one moment of wall time; all but `wall_s` and `gvt` only grow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sample {
    /// Wall time since the run began, s.
    pub wall_s: f64,
    /// GVT at that moment.
    pub gvt: i64,
    /// Events committed so far.
    pub events: u64,
    /// Rollbacks so far.
    pub rollbacks: u64,
    /// Simulated time undone so far, over all bodies, s.
    pub undone_s: f64,
    /// Segments undone so far.
    pub segments_undone: u64,
    /// Segments committed so far.
    pub segments_committed: u64,
    /// Contact groups at this moment.
    pub groups: u32,
    /// Bodies in the largest of them.
    pub largest_group: u32,
}

impl Writer {
    /// Notes what a rollback took back; written with the next block.
    pub fn append_undone(&mut self, undone: &Undone) -> Result<()> {
        let out = self.undone_buffer();
        out.extend_from_slice(&undone.body.to_le_bytes());
        out.extend_from_slice(&undone.cause.to_le_bytes());
        out.extend_from_slice(&u32::from(undone.event as u8).to_le_bytes());
        out.extend_from_slice(&undone.partner.to_le_bytes());
        for tick in [undone.from, undone.to, undone.gvt] {
            out.extend_from_slice(&tick.to_le_bytes());
        }
        let full = out.len() >= UNDONE_BATCH_BYTES;
        if full { self.write_undone() } else { Ok(()) }
    }

    /// Notes where every body stands, in the header's order, at the GVT given last.
    pub fn append_clocks(&mut self, clocks: &[Clock]) -> Result<()> {
        let mut records = Vec::with_capacity(clocks.len() * CLOCK_BYTES);
        for clock in clocks {
            records.extend_from_slice(&clock.lvt.to_le_bytes());
            records.extend_from_slice(&clock.group.to_le_bytes());
            records.extend_from_slice(&clock.thread.to_le_bytes());
        }
        self.write_trace(
            block::CLOCKS,
            clocks.len(),
            &records,
            CLOCK_BYTES,
            self.gvt_range(),
        )
    }

    /// Notes the run's counters.
    pub fn append_sample(&mut self, sample: &Sample) -> Result<()> {
        let finite = |x: f64| if x.is_finite() { x } else { 0.0 };
        let sample = Sample {
            wall_s: finite(sample.wall_s),
            undone_s: finite(sample.undone_s),
            ..*sample
        };
        let json = serde_json::to_vec(&sample).unwrap_or_default();
        self.write_trace(block::SAMPLE, 1, &json, json.len(), self.gvt_range())
    }

    /// Writes the noted rollbacks.
    pub(crate) fn write_undone(&mut self) -> Result<()> {
        let records = std::mem::take(self.undone_buffer());
        let count = records.len() / UNDONE_BYTES;
        let outcome = match count {
            0 => Ok(()),
            _ => {
                let gvts = records
                    .as_chunks()
                    .0
                    .iter()
                    .map(|record| get_undone(record).gvt);
                let range = (gvts.clone().min().unwrap_or(0), gvts.max().unwrap_or(0));
                self.write_trace(block::UNDONE, count, &records, UNDONE_BYTES, range)
            }
        };
        *self.undone_buffer() = records;
        self.undone_buffer().clear();
        outcome
    }
}

impl Reader {
    /// Everything that rollbacks took back while GVT was in `from..to`.
    pub fn undone_between(&self, from: i64, to: i64) -> Result<Vec<Undone>> {
        let mut out = Vec::new();
        for &number in self.blocks_of(block::UNDONE) {
            let (first, last) = self.range_of(number);
            if last < from || to <= first {
                continue;
            }
            let records = self.trace(number, UNDONE_BYTES)?;
            out.extend(records.as_chunks().0.iter().map(get_undone));
        }
        out.retain(|undone| from <= undone.gvt && undone.gvt < to);
        Ok(out)
    }

    /// Where every body stood when GVT had reached `tick`, and the GVT at which that was noted; `None`
    /// if it was not noted by then.
    pub fn clocks_at(&self, tick: i64) -> Result<Option<(i64, Vec<Clock>)>> {
        let blocks = self.blocks_of(block::CLOCKS);
        let after = blocks.partition_point(|&number| self.gvt_of(number) <= tick);
        let Some(&number) = blocks[..after].last() else {
            return Ok(None);
        };
        let records = self.trace(number, CLOCK_BYTES)?;
        let mut clocks: Vec<Clock> = records.as_chunks().0.iter().map(get_clock).collect();
        clocks.resize(self.header().bodies.len(), Clock::default());
        Ok(Some((self.gvt_of(number), clocks)))
    }

    /// The run's counters, oldest first, from the `skip`-th on.
    pub fn samples(&self, skip: usize) -> Result<Vec<Sample>> {
        let blocks = self.blocks_of(block::SAMPLE);
        let mut out = Vec::new();
        for &number in blocks.iter().skip(skip) {
            let json = self.payload_of(number)?;
            let sample = serde_json::from_slice(&json);
            out.push(sample.map_err(|error| {
                self.damaged_block(number, format!("its sample does not read: {error}"))
            })?);
        }
        Ok(out)
    }

    pub(crate) fn trace(&self, number: usize, width: usize) -> Result<Vec<u8>> {
        let payload = self.payload_of(number)?;
        if !payload.len().is_multiple_of(width) {
            return Err(self.damaged_block(number, "its length does not fit its records".into()));
        }
        Ok(block::untranspose(&payload, width))
    }
}

fn get_undone(bytes: &[u8; UNDONE_BYTES]) -> Undone {
    let mut from = Source { bytes, at: 0 };
    Undone {
        body: u32::from_le_bytes(from.take()),
        cause: u32::from_le_bytes(from.take()),
        event: event_of(u32::from_le_bytes(from.take())),
        partner: u32::from_le_bytes(from.take()),
        from: i64::from_le_bytes(from.take()),
        to: i64::from_le_bytes(from.take()),
        gvt: i64::from_le_bytes(from.take()),
    }
}

/// The event of a number; one that is not known continues.
fn event_of(number: u32) -> Event {
    u8::try_from(number)
        .ok()
        .and_then(Event::from_u8)
        .unwrap_or(Event::Continue)
}

fn get_clock(bytes: &[u8; CLOCK_BYTES]) -> Clock {
    let mut from = Source { bytes, at: 0 };
    Clock {
        lvt: i64::from_le_bytes(from.take()),
        group: u32::from_le_bytes(from.take()),
        thread: u32::from_le_bytes(from.take()),
    }
}
