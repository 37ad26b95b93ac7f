//! How the joints of multibodies stand, beside the motion of their links: each coordinate with its rate at the starts
//! of the multibody's segments, and in between where the motion is smooth. They follow from the history and are no
//! part of its hash.

use crate::block;
use crate::codec::Source;
use crate::error::Result;
use crate::foretold::{apart, number};
use crate::model::{JointFreedom, Multibody};
use crate::packed::PACKED;
use crate::reader::Reader;
use crate::seconds_between;
use crate::writer::Writer;
use std::collections::HashMap;

const JOINT_BYTES: usize = 32;
/// The bit of a coordinate's number that says that the way to the next sample is straight.
const STRAIGHT: u32 = 1 << 31;

/// All coordinates of a multibody at a tick.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointSample {
    /// When.
    pub tick: i64,
    /// The multibody, by its place in the header.
    pub multibody: u32,
    /// Whether coordinates go straight from here to the next sample (a step of a contact group); if not, they go as a
    /// cubic that has the rates at both ends.
    pub is_straight: bool,
    /// Each coordinate and its rate: rad, m, or a component of a quaternion w, x, y, z; per second.
    pub coordinates: Vec<[f64; 2]>,
}

impl Writer {
    /// Notes how joints stand, in the order of each multibody's time.
    pub fn append_joints(&mut self, samples: &[JointSample]) -> Result<()> {
        let ticks = samples.iter().map(|sample| sample.tick);
        let (Some(first), Some(last)) = (ticks.clone().min(), ticks.max()) else {
            return Ok(());
        };
        let mut records = Vec::new();
        let mut packing = Packing::default();
        for sample in samples {
            for (number, told) in (0u32..).zip(&sample.coordinates) {
                let straight = if sample.is_straight { STRAIGHT } else { 0 };
                let place = (sample.multibody, number);
                let (ticks, rate, position) =
                    packing.pack(place, sample.tick, *told, straight != 0);
                records.extend_from_slice(&ticks.to_le_bytes());
                records.extend_from_slice(&sample.multibody.to_le_bytes());
                records.extend_from_slice(&(number | straight).to_le_bytes());
                records.extend_from_slice(&position.to_le_bytes());
                records.extend_from_slice(&rate.to_le_bytes());
            }
        }
        let count = records.len() / JOINT_BYTES;
        let kind = (block::JOINTS, PACKED);
        self.write_records(kind, count, &records, JOINT_BYTES, (first, last))
    }
}

/// What can be foretold of coordinates in one block, from those before them.
#[derive(Default)]
struct Packing {
    tick: i64,
    newest: HashMap<(u32, u32), Newest>,
}

/// What was told of a coordinate last.
struct Newest {
    tick: i64,
    told: [f64; 2],
    /// How fast the rate changed up to there.
    gain: f64,
    is_straight: bool,
}

impl Packing {
    /// Ticks since the record before, and the distances of the rate and the position from what is foretold.
    fn pack(
        &mut self,
        place: (u32, u32),
        tick: i64,
        [position, rate]: [f64; 2],
        is_straight: bool,
    ) -> (i64, u64, u64) {
        let ticks = tick.wrapping_sub(self.tick);
        let likely = self.rate(place, tick);
        let told = apart(position, self.position(place, tick, rate));
        self.note(place, tick, [position, rate], is_straight);
        (ticks, apart(rate, likely), told)
    }

    /// The opposite: tick, position and rate.
    fn unpack(
        &mut self,
        place: (u32, u32),
        (ticks, rate, position): (i64, u64, u64),
        is_straight: bool,
    ) -> (i64, [f64; 2]) {
        let tick = self.tick.wrapping_add(ticks);
        let rate = number(rate, self.rate(place, tick));
        let position = number(position, self.position(place, tick, rate));
        self.note(place, tick, [position, rate], is_straight);
        (tick, [position, rate])
    }

    fn rate(&self, place: (u32, u32), tick: i64) -> f64 {
        let newest = self.newest.get(&place);
        newest.map_or(0.0, |n| n.told[1] + n.gain * seconds_between(n.tick, tick))
    }

    /// The rate goes evenly to what it is now: half of its change counts, and somewhat more in a step of four sub-steps.
    fn position(&self, place: (u32, u32), tick: i64, rate: f64) -> f64 {
        let Some(n) = self.newest.get(&place) else {
            return 0.0;
        };
        let share = if n.is_straight { 0.625 } else { 0.5 };
        let [position, before] = n.told;
        position + (before + (rate - before) * share) * seconds_between(n.tick, tick)
    }

    fn note(&mut self, place: (u32, u32), tick: i64, told: [f64; 2], is_straight: bool) {
        let before = self.newest.get(&place).filter(|n| n.tick < tick);
        let gain = before.map_or(0.0, |n| {
            (told[1] - n.told[1]) / seconds_between(n.tick, tick)
        });
        let newest = Newest {
            tick,
            told,
            gain,
            is_straight,
        };
        self.newest.insert(place, newest);
        self.tick = tick;
    }
}

/// The joints of all multibodies of a recording, over all of its time.
#[derive(Clone, Debug, Default)]
pub struct JointTracks {
    tracks: Vec<Track>,
}

/// The joints of one multibody.
#[derive(Clone, Debug, Default)]
struct Track {
    /// Coordinates of a sample.
    width: usize,
    /// Where quaternions begin among them.
    quaternions: Vec<usize>,
    ticks: Vec<i64>,
    straight: Vec<bool>,
    /// Sample after sample.
    values: Vec<[f64; 2]>,
}

impl JointTracks {
    /// Reads them; a recording without multibodies has none.
    pub fn read(reader: &Reader) -> Result<Self> {
        let made = reader.header().multibodies.iter().map(Track::new);
        let mut tracks: Vec<Track> = made.collect();
        for &number in reader.blocks_of(block::JOINTS) {
            let records = reader.trace(number, JOINT_BYTES)?;
            let mut packing = (reader.extra_of(number) == PACKED).then(Packing::default);
            for record in records.as_chunks::<JOINT_BYTES>().0 {
                if !push(&mut tracks, record, packing.as_mut()) {
                    let text = "it tells of joints that are not there, or not all of a multibody's";
                    return Err(reader.damaged_block(number, text.into()));
                }
            }
        }
        Ok(JointTracks { tracks })
    }

    /// The ticks at which a multibody's joints were noted, rising.
    pub fn ticks(&self, multibody: u32) -> &[i64] {
        self.tracks
            .get(multibody as usize)
            .map_or(&[], |track| &track.ticks)
    }

    /// A coordinate of a multibody and its rate; none before the first sample.
    pub fn coordinate(&self, multibody: u32, coordinate: u32, tick: i64) -> Option<[f64; 2]> {
        let track = self.tracks.get(multibody as usize)?;
        let next = track.ticks.partition_point(|t| *t <= tick);
        let (from, at) = (next.checked_sub(1)?, coordinate as usize);
        if at >= track.width {
            return None;
        }
        let of_quaternion = track
            .quaternions
            .iter()
            .find(|q| (**q..**q + 4).contains(&at));
        let Some(&first) = of_quaternion else {
            return Some(track.between(from, at, tick));
        };
        let parts: [[f64; 2]; 4] = std::array::from_fn(|k| track.between(from, first + k, tick));
        let norm = parts.iter().map(|[q, _]| q * q).sum::<f64>().sqrt();
        let [q, rate] = parts[at - first];
        Some([q / norm.max(f64::MIN_POSITIVE), rate])
    }
}

/// Takes over a record, if it is the one that belongs there.
fn push(tracks: &mut [Track], record: &[u8; JOINT_BYTES], packing: Option<&mut Packing>) -> bool {
    let mut from = Source {
        bytes: record,
        at: 0,
    };
    let tick = i64::from_le_bytes(from.take());
    let multibody = u32::from_le_bytes(from.take());
    let word = u32::from_le_bytes(from.take());
    let [position, rate] = [0; 2].map(|_| u64::from_le_bytes(from.take()));
    let (tick, value) = match packing {
        None => (tick, [position, rate].map(f64::from_bits)),
        Some(packing) => {
            let place = (multibody, word & !STRAIGHT);
            packing.unpack(place, (tick, rate, position), word & STRAIGHT != 0)
        }
    };
    let Some(track) = tracks.get_mut(multibody as usize) else {
        return false;
    };
    let place = (word & !STRAIGHT) as usize;
    let rises = track.ticks.last().is_none_or(|last| *last <= tick);
    let belongs = match place {
        0 => track.is_whole() && rises,
        _ => !track.is_whole() && place == track.values.len() % track.width.max(1),
    };
    if !belongs || place >= track.width || !value.iter().all(|x| x.is_finite()) {
        return false;
    }
    if place == 0 {
        track.ticks.push(tick);
        track.straight.push(word & STRAIGHT != 0);
    }
    track.values.push(value);
    true
}

impl Track {
    fn new(of: &Multibody) -> Self {
        let joints = of.links.iter().flat_map(|link| &link.joints);
        let ends = joints
            .clone()
            .map(|j| j.first as usize + j.kind.coordinates());
        let quaternions = joints.filter_map(|j| match j.kind {
            JointFreedom::Ball => Some(j.first as usize),
            JointFreedom::Free => Some(j.first as usize + 3),
            _ => None,
        });
        Track {
            width: ends.max().unwrap_or(0),
            quaternions: quaternions.collect(),
            ..Track::default()
        }
    }

    fn is_whole(&self) -> bool {
        self.values.len() == self.ticks.len() * self.width
    }

    /// A coordinate and its rate after the sample `from`.
    fn between(&self, from: usize, at: usize, tick: i64) -> [f64; 2] {
        let value = |sample: usize| self.values[sample * self.width + at];
        let [p0, d0] = value(from);
        if from + 1 >= self.ticks.len() {
            return [p0, d0];
        }
        let [p1, d1] = value(from + 1);
        let span = seconds_between(self.ticks[from], self.ticks[from + 1]);
        let s = seconds_between(self.ticks[from], tick) / span;
        if self.straight[from] {
            return [p0 + (p1 - p0) * s, d0 + (d1 - d0) * s];
        }
        let (r, s2) = (1.0 - s, s * s);
        let position = r * r * (1.0 + 2.0 * s) * p0
            + s2 * (3.0 - 2.0 * s) * p1
            + span * s * r * (r * d0 - s * d1);
        let rate =
            6.0 * s * r * (p1 - p0) / span + r * (1.0 - 3.0 * s) * d0 + s * (3.0 * s - 2.0) * d1;
        [position, rate]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cubic_keeps_its_values_and_rates_and_a_step_goes_straight() {
        let tick = |s: f64| (s * crate::TICKS_PER_SECOND) as i64;
        // x = t³ - t, whose rate is 3 t² - 1.
        let sample = |t: f64| [t * t * t - t, 3.0 * t * t - 1.0];
        let mut track = Track {
            width: 1,
            ticks: vec![tick(0.0), tick(2.0)],
            straight: vec![false, false],
            values: vec![sample(0.0), sample(2.0)],
            ..Track::default()
        };
        for t in [0.25, 0.5, 1.0, 1.75] {
            let [x, v] = track.between(0, 0, tick(t));
            let [x0, v0] = sample(t);
            assert!((x - x0).abs() < 1e-14 && (v - v0).abs() < 1e-14, "{t}");
        }
        track.straight[0] = true;
        assert_eq!(track.between(0, 0, tick(1.0)), [3.0, 5.0]);
    }
}
