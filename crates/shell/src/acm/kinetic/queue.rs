//! A priority queue of certificates whose times change all the time: an indexed binary heap.
//! The key of an entry can be moved in either direction in logarithmic time.

use crate::acm::Tick;

const ABSENT: u32 = u32::MAX;

/// Certificates ordered by expiry, ties by identity.
#[derive(Debug, Clone, Default)]
pub(crate) struct KineticQueue {
    heap: Vec<(Tick, u32)>,
    place: Vec<u32>,
}

impl KineticQueue {
    /// The certificate that expires first.
    pub fn first(&self) -> Option<(Tick, u32)> {
        self.heap.first().copied()
    }

    /// Inserts certificate `id` or moves it to another time.
    pub fn schedule(&mut self, id: u32, t: Tick) {
        if self.place.len() <= id as usize {
            self.place.resize(id as usize + 1, ABSENT);
        }
        match self.place[id as usize] {
            ABSENT => {
                self.place[id as usize] = self.heap.len() as u32;
                self.heap.push((t, id));
                self.sift_up(self.heap.len() - 1);
            }
            at => {
                let at = at as usize;
                let old = self.heap[at].0;
                self.heap[at].0 = t;
                if t < old {
                    self.sift_up(at)
                } else {
                    self.sift_down(at)
                }
            }
        }
    }

    /// Takes certificate `id` out.
    pub fn cancel(&mut self, id: u32) {
        let at = self.place[id as usize] as usize;
        self.place[id as usize] = ABSENT;
        let last = self.heap.len() - 1;
        self.heap.swap(at, last);
        self.heap.pop();
        if at < last {
            self.place[self.heap[at].1 as usize] = at as u32;
            self.sift_up(at);
            self.sift_down(at);
        }
    }

    fn sift_up(&mut self, mut at: usize) {
        let entry = self.heap[at];
        while at > 0 && entry < self.heap[(at - 1) / 2] {
            self.put(at, self.heap[(at - 1) / 2]);
            at = (at - 1) / 2;
        }
        self.put(at, entry);
    }

    fn sift_down(&mut self, mut at: usize) {
        let entry = self.heap[at];
        loop {
            let left = 2 * at + 1;
            let right_first = left + 1 < self.heap.len() && self.heap[left + 1] < self.heap[left];
            let child = if right_first { left + 1 } else { left };
            if child >= self.heap.len() || entry <= self.heap[child] {
                break;
            }
            self.put(at, self.heap[child]);
            at = child;
        }
        self.put(at, entry);
    }

    #[inline]
    fn put(&mut self, at: usize, entry: (Tick, u32)) {
        self.heap[at] = entry;
        self.place[entry.1 as usize] = at as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn always_yields_the_earliest() {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(11);
        let (mut queue, mut model) = (KineticQueue::default(), std::collections::BTreeMap::new());
        for _ in 0..20_000 {
            let id = rng.random_range(0..300u32);
            if model.contains_key(&id) && rng.random_bool(0.3) {
                queue.cancel(id);
                model.remove(&id);
            } else {
                let t = rng.random_range(0..1000i64);
                queue.schedule(id, t);
                model.insert(id, t);
            }
            assert_eq!(queue.first(), model.iter().map(|(&id, &t)| (t, id)).min());
        }
    }
}
