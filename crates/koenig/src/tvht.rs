//! The temporal volumetric hash table (section 4): physical states by LVT and region of space, spread over buckets.
//! Algorithm 1, locking, is in `crate::errand`.

use crate::bucket::{BadContact, Bucket, Contact, Region, Written};
use crate::message::EventId;
use crate::scene::{Ms, Phy, Scene, Settings};
use crate::sync::{Mutex, MutexGuard, lock};

/// Edge of a region over the largest diameter. Smaller ones put a sphere into more regions, larger ones put more spheres into
/// one.
const EDGE: f64 = 2.0;

/// The hash table.
#[derive(Debug)]
pub(crate) struct Tvht {
    buckets: Vec<Mutex<Bucket>>,
    edge: f64,
    sub_step: Ms,
}

impl Tvht {
    /// An empty table for a scene.
    pub fn new(scene: &Scene, settings: &Settings) -> Self {
        let entities = scene.spheres.len();
        let fitting = || (8 * entities).next_power_of_two().clamp(64, 1 << 14);
        let count = settings.buckets.unwrap_or_else(fitting).max(1);
        let radius = scene.spheres.iter().map(|s| s.radius).fold(0.0, f64::max);
        let ring = (settings.ahead / settings.sub_step) as usize + 2;
        let bucket = || Mutex::new(Bucket::new(ring));
        Tvht {
            buckets: std::iter::repeat_with(bucket).take(count).collect(),
            edge: if radius > 0.0 {
                EDGE * 2.0 * radius
            } else {
                1.0
            },
            sub_step: settings.sub_step,
        }
    }

    /// The buckets.
    pub fn count(&self) -> usize {
        self.buckets.len()
    }

    /// A bucket, by its number.
    pub fn bucket(&self, number: u32) -> MutexGuard<'_, Bucket> {
        lock(&self.buckets[number as usize])
    }

    /// The bucket that moderates a region: volumetric hashing.
    pub fn bucket_of(&self, region: Region) -> u32 {
        let mut hash: u64 = 0x9e37_79b9_7f4a_7c15;
        for axis in region {
            hash = (hash ^ axis as u64).wrapping_mul(0xff51_afd7_ed55_8ccd);
            hash ^= hash >> 32;
        }
        (hash % self.buckets.len() as u64) as u32
    }

    /// The regions that a sphere's box touches.
    pub fn regions(&self, phy: &Phy, radius: f64) -> impl Iterator<Item = Region> + use<> {
        let cell = |x: f64| (x / self.edge).floor() as i64;
        let (low, high) = (phy.position - radius, phy.position + radius);
        let (low, high) = (low.to_array().map(cell), high.to_array().map(cell));
        (low[0]..=high[0]).flat_map(move |x| {
            (low[1]..=high[1]).flat_map(move |y| (low[2]..=high[2]).map(move |z| [x, y, z]))
        })
    }

    /// Writes a state and gathers the contacts that its buckets report. Gives how many regions it touched and how many
    /// others were looked at.
    pub fn write(
        &self,
        written: &Written<'_>,
        serial: &mut u64,
        contacts: &mut Vec<Contact>,
    ) -> (u64, u64) {
        let radius = written.scene.spheres[written.entity as usize].radius;
        let (mut regions, mut looked_at) = (0, 0);
        for region in self.regions(written.phy, radius) {
            let mut bucket = self.bucket(self.bucket_of(region));
            regions += 1;
            looked_at += bucket.write(written, region, |partner, impulse| {
                if let Some(known) = contacts.iter().find(|c| c.partner == partner) {
                    return known.id;
                }
                *serial += 1;
                let id = EventId {
                    from: written.entity,
                    serial: *serial,
                };
                contacts.push(Contact {
                    id,
                    partner,
                    impulse,
                });
                id
            });
        }
        (regions, looked_at)
    }

    /// Deletes a state and gathers the contacts that are void without it, each once. Gives how many regions it touched.
    pub fn delete(
        &self,
        (entity, radius): (u32, f64),
        (lvt, phy): (Ms, &Phy),
        bad: &mut Vec<(Ms, BadContact)>,
    ) -> u64 {
        let mut regions = 0;
        for region in self.regions(phy, radius) {
            let mut bucket = self.bucket(self.bucket_of(region));
            regions += 1;
            bucket.delete(entity, (lvt, self.sub_step), |contact| {
                if !bad.iter().any(|(_, known)| known.id == contact.id) {
                    bad.push((lvt, contact));
                }
            });
        }
        regions
    }
}
