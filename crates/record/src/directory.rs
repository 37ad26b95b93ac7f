//! Which block holds what: built from the blocks' heads alone, searched by time.

use crate::block::{self, Entry};
use crate::keyframe;
use std::collections::BTreeMap;

/// The blocks of a file, sorted by what they hold.
#[derive(Default)]
pub(crate) struct Directory {
    pub(crate) entries: Vec<Entry>,
    /// Numbers of the segment blocks that hold segments, in time order.
    pub(crate) segments: Vec<usize>,
    /// Whole keyframes in time order.
    keyframes: Vec<Keyframe>,
    /// The parts of a keyframe that is not whole yet.
    pending: Vec<usize>,
    /// For each deformable, the ticks and blocks of its frames.
    pub(crate) vertices: BTreeMap<u32, Vec<(i64, usize)>>,
    /// Blocks of the trace by kind, in the order they were written.
    pub(crate) trace: BTreeMap<u32, Vec<usize>>,
    pub(crate) gvt: Option<i64>,
    pub(crate) footer: Option<usize>,
}

/// The newest segment of every body at one place in the file.
#[derive(Clone)]
pub(crate) struct Keyframe {
    pub(crate) tick: i64,
    /// The block of its first part; the others follow.
    pub(crate) block: usize,
    /// How many of [`Directory::segments`] came before it.
    pub(crate) segments_before: usize,
}

impl Directory {
    /// Adds the next block of the file.
    pub(crate) fn push(&mut self, entry: Entry, bodies: usize) -> Result<(), String> {
        let (head, number) = (entry.head, self.entries.len());
        self.entries.push(entry);
        if head.gvt != block::NO_GVT {
            self.gvt = self.gvt.max(Some(head.gvt));
        }
        if head.kind != block::KEYFRAME {
            self.pending.clear();
        }
        match head.kind {
            block::SEGMENTS if head.count > 0 => {
                if head.first > head.last || Some(head.first) < self.last_start() {
                    return Err("its segments are earlier than those before it".into());
                }
                self.segments.push(number);
            }
            block::SEGMENTS if head.raw > 0 => {
                return Err("it holds bytes but claims no segments".into());
            }
            block::KEYFRAME => self.push_part(number, entry, bodies)?,
            block::VERTICES => {
                let frames = self.vertices.entry(head.extra).or_default();
                if frames.last().is_some_and(|(tick, _)| *tick > head.first) {
                    return Err("its vertices are earlier than those before it".into());
                }
                frames.push((head.first, number));
            }
            block::UNDONE
            | block::CLOCKS
            | block::SAMPLE
            | block::CONTACTS
            | block::FORCES
            | block::JOINTS => {
                self.trace.entry(head.kind).or_default().push(number);
            }
            block::FOOTER => self.footer = Some(number),
            _ => {}
        }
        Ok(())
    }

    fn push_part(&mut self, number: usize, entry: Entry, bodies: usize) -> Result<(), String> {
        if entry.head.extra as usize != self.pending.len()
            || Some(entry.head.first) != self.last_start()
        {
            return Err("it is not the keyframe part that belongs here".into());
        }
        self.pending.push(number);
        if self.pending.len() == keyframe::parts(bodies) {
            self.keyframes.push(Keyframe {
                tick: entry.head.first,
                block: self.pending[0],
                segments_before: self.segments.len(),
            });
            self.pending.clear();
        }
        Ok(())
    }

    /// The start of the newest segment.
    pub(crate) fn last_start(&self) -> Option<i64> {
        self.segments
            .last()
            .map(|&number| self.entries[number].head.last)
    }

    /// The start of the oldest segment.
    pub(crate) fn first_start(&self) -> Option<i64> {
        self.segments
            .first()
            .map(|&number| self.entries[number].head.first)
    }

    /// The last keyframe at or before `tick`.
    pub(crate) fn keyframe(&self, tick: i64) -> Option<&Keyframe> {
        let after = self.keyframes.partition_point(|key| key.tick <= tick);
        self.keyframes[..after].last()
    }

    /// The numbers of the segment blocks between that keyframe and `tick`.
    pub(crate) fn since_keyframe(&self, tick: i64) -> &[usize] {
        let from = self.keyframe(tick).map_or(0, |key| key.segments_before);
        let to = self
            .segments
            .partition_point(|&n| self.entries[n].head.first <= tick);
        &self.segments[from.min(to)..to]
    }

    /// The numbers of the segment blocks that may hold starts in `from..=to`.
    pub(crate) fn between(&self, from: i64, to: i64) -> &[usize] {
        let begin = self
            .segments
            .partition_point(|&n| self.entries[n].head.last < from);
        let end = self
            .segments
            .partition_point(|&n| self.entries[n].head.first <= to);
        &self.segments[begin.min(end)..end]
    }
}
