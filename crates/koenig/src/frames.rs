//! GVT (section 3): for every LVT there is a buffer into which entities put what they have computed, and a counter. An LVT
//! whose counter has reached the number of entities is complete; GVT is the last one before the first that is not.
//!
//! What is put into the buffer of an LVT is the change of motion that led there, so that a quiet sub-step costs no more than
//! its counter.

use crate::law::Turn;
use crate::scene::{Ms, Settings};
use crate::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use crate::sync::{Mutex, lock};

#[derive(Debug)]
struct Frame {
    count: AtomicUsize,
    turns: Mutex<Vec<Turn>>,
}

/// The buffers of all LVTs that are in use.
#[derive(Debug)]
pub(crate) struct Frames {
    entities: usize,
    settings: Settings,
    end: Ms,
    /// Longer than any entity may run ahead of GVT.
    ring: Vec<Frame>,
    gvt: AtomicI64,
    /// What is complete and was not taken yet.
    complete: Mutex<Vec<Turn>>,
}

impl Frames {
    /// All entities stand at 0.
    pub fn new(entities: usize, settings: &Settings, end: Ms) -> Self {
        let frame = || Frame {
            count: AtomicUsize::new(0),
            turns: Mutex::new(Vec::new()),
        };
        let length = (settings.ahead / settings.sub_step) as usize + 2;
        Frames {
            entities,
            settings: *settings,
            end,
            ring: std::iter::repeat_with(frame).take(length).collect(),
            gvt: AtomicI64::new(if entities == 0 { end } else { 0 }),
            complete: Mutex::new(Vec::new()),
        }
    }

    fn frame(&self, lvt: Ms) -> &Frame {
        let place = (lvt / self.settings.sub_step) as usize % self.ring.len();
        &self.ring[place]
    }

    /// The time before which nothing can change.
    pub fn gvt(&self) -> Ms {
        self.gvt.load(Ordering::Acquire)
    }

    /// The largest LVT that is allowed now.
    pub fn lvt_ub(&self) -> Ms {
        self.settings.lvt_ub(self.gvt(), self.end)
    }

    /// Whether all has been done.
    pub fn is_finished(&self) -> bool {
        self.gvt() >= self.end
    }

    /// An entity has reached an LVT, and every event it generated there is acknowledged. Says whether it was the last.
    #[must_use]
    pub fn count(&self, lvt: Ms, turn: Option<Turn>) -> bool {
        let frame = self.frame(lvt);
        if let Some(turn) = turn {
            lock(&frame.turns).push(turn);
        }
        frame.count.fetch_add(1, Ordering::AcqRel) + 1 == self.entities
    }

    /// An entity rolls back over an LVT that it was counted at.
    pub fn discount(&self, lvt: Ms, entity: u32, has_turned: bool) {
        let frame = self.frame(lvt);
        frame.count.fetch_sub(1, Ordering::AcqRel);
        if has_turned {
            lock(&frame.turns).retain(|turn| turn.entity != entity);
        }
    }

    /// Raises GVT over all that is complete; says whether LVT_ub has risen with it.
    #[must_use]
    pub fn raise(&self) -> bool {
        let mut complete = lock(&self.complete);
        let before = self.gvt();
        let mut gvt = before;
        while gvt < self.end {
            let next = gvt + self.settings.sub_step;
            let frame = self.frame(next);
            if frame.count.load(Ordering::Acquire) < self.entities {
                break;
            }
            let mut turns = std::mem::take(&mut *lock(&frame.turns));
            turns.sort_unstable_by_key(|turn| turn.entity);
            complete.append(&mut turns);
            // Nobody is here any more, and nobody gets to the next LVT of this place before GVT has risen.
            frame.count.store(0, Ordering::Release);
            gvt = next;
            self.gvt.store(gvt, Ordering::Release);
        }
        let bound = |gvt| self.settings.lvt_ub(gvt, self.end);
        bound(gvt) > bound(before) || (gvt == self.end && before < self.end)
    }

    /// Takes what is complete, in the order of LVT and entity, and GVT.
    pub fn take(&self, turns: &mut Vec<Turn>) -> Ms {
        let mut complete = lock(&self.complete);
        turns.append(&mut complete);
        self.gvt()
    }
}
