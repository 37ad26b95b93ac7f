//! Reading: any body's state at any tick, from one keyframe and the blocks after it.
//! Every byte that is used was checked first; a broken file gives an error or its whole prefix.

use crate::block::{self, Entry, Head};
use crate::cache::Cache;
use crate::decoded::Decoded;
use crate::directory::Directory;
use crate::error::{Error, Result};
use crate::keyframe::{self, PART_BODIES};
use crate::model::Header;
use crate::seconds_between;
use crate::segment::{Event, OwnedSegment, Segment, State};
use crate::store::Store;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// An open recording. Cheap to share: all questions take `&self`.
pub struct Reader {
    path: PathBuf,
    header: Header,
    footer: Option<String>,
    directory: Directory,
    /// Why the file is not whole, if it is not.
    incomplete: Option<String>,
    store: Mutex<(Store, Cache)>,
}

/// Something that happened to a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// When.
    pub tick: i64,
    /// Order among events of one tick.
    pub micro: u32,
    /// To which body.
    pub body: u32,
    /// With which other body, or [`crate::NO_PARTNER`].
    pub partner: u32,
    /// What.
    pub event: Event,
    /// Where the body was, m.
    pub position: [f64; 3],
    /// The impulse's magnitude, N s.
    pub impulse: f64,
}

/// The vertices of a deformable at a tick.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexFrame {
    /// When.
    pub tick: i64,
    /// World positions, m, in the order of the body's mesh.
    pub positions: Vec<[f64; 3]>,
}

impl Reader {
    /// Opens a recording: finished, unfinished, or still being written.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref().to_path_buf();
        let mut store = Store::open(&path)?;
        let damaged = |offset, what| Error::Damaged {
            path: path.clone(),
            offset,
            what,
        };
        let (entries, incomplete) = match store.index() {
            Ok(entries) => (entries, None),
            Err(no_index) => {
                let (entries, stop) = store.scan(block::PREAMBLE_BYTES as u64);
                (entries, stop.map(|stop| format!("{no_index}; {stop}")))
            }
        };
        let start = block::PREAMBLE_BYTES as u64;
        let first = entries
            .first()
            .filter(|entry| entry.head.kind == block::HEADER);
        let first = first.ok_or_else(|| {
            damaged(
                start,
                incomplete
                    .clone()
                    .unwrap_or("its first block is no header".into()),
            )
        })?;
        let json = store.payload(first).map_err(|what| damaged(start, what))?;
        let header: Header = serde_json::from_slice(&json)
            .map_err(|error| damaged(start, format!("its header does not read: {error}")))?;
        let mut reader = Self {
            path: path.clone(),
            header,
            footer: None,
            directory: Directory::default(),
            incomplete,
            store: Mutex::new((store, Cache::default())),
        };
        reader.add(entries)?;
        Ok(reader)
    }

    /// Takes in what was written since; says whether anything was. For following a run.
    pub fn refresh(&mut self) -> Result<bool> {
        if self.incomplete.is_none() {
            return Ok(false);
        }
        let end = self
            .directory
            .entries
            .last()
            .map_or(block::PREAMBLE_BYTES as u64, Entry::end);
        let (entries, stop) = self.store().0.scan(end);
        let news = !entries.is_empty() || stop.is_none();
        self.incomplete = stop;
        self.add(entries)?;
        Ok(news)
    }

    /// The scene and its bodies.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The run's summary (JSON), once the run has finished.
    pub fn footer(&self) -> Option<&str> {
        self.footer.as_deref()
    }

    /// Whether the writer finished the file and nothing is missing.
    pub fn is_complete(&self) -> bool {
        self.incomplete.is_none()
    }

    /// Why the file is not whole and where it stops; `None` for a complete one.
    pub fn warning(&self) -> Option<String> {
        let why = self.incomplete.as_ref()?;
        Some(format!(
            "recording {} is unfinished: {why}",
            self.path.display()
        ))
    }

    /// First and last tick that the recording covers.
    pub fn span(&self) -> (i64, i64) {
        let first = self.directory.first_start().unwrap_or(0);
        let last = self
            .directory
            .gvt
            .max(self.directory.last_start())
            .unwrap_or(first);
        (first, last.max(first))
    }

    /// The line before which all is known, if the writer gave one.
    pub fn gvt(&self) -> Option<i64> {
        self.directory.gvt
    }

    /// The state of `body` at `tick`; `None` before its first segment.
    pub fn pose(&self, body: u32, tick: i64) -> Result<Option<State>> {
        self.check_body(body)?;
        for &number in self.directory.since_keyframe(tick).iter().rev() {
            if let Some(segment) = self.block(number)?.last_of(body, tick) {
                return Ok(present(&segment, tick));
            }
        }
        let Some(key) = self.directory.keyframe(tick) else {
            return Ok(None);
        };
        let part = self.block(key.block + body as usize / PART_BODIES)?;
        let segment = part.of_body(body);
        Ok(segment.and_then(|segment| present(&segment, tick)))
    }

    /// The state of every body at `tick`, in the header's order; `None` before a body's first segment and
    /// while it has left the world.
    pub fn states_at(&self, tick: i64, states: &mut Vec<Option<State>>) -> Result<()> {
        states.clear();
        states.resize(self.header.bodies.len(), None);
        self.for_each_current(tick, |segment| {
            states[segment.body as usize] = present(&segment, tick);
        })
    }

    /// Visits the segment that each body is in at `tick`, in no particular order. Knots that ended before
    /// `tick` may be left out.
    pub fn for_each_current(&self, tick: i64, mut visit: impl FnMut(Segment<'_>)) -> Result<()> {
        let mut seen = vec![false; self.header.bodies.len()];
        let mut missing = seen.len();
        let mut first_time = |segment: Segment<'_>| {
            if !std::mem::replace(&mut seen[segment.body as usize], true) {
                missing -= 1;
                visit(segment);
            }
            missing == 0
        };
        // newest first: what a body's last segment has decided, earlier ones do not change
        for &number in self.directory.since_keyframe(tick).iter().rev() {
            let block = self.block(number)?;
            if block.before(tick).rev().any(&mut first_time) {
                return Ok(());
            }
        }
        let Some(key) = self.directory.keyframe(tick) else {
            return Ok(());
        };
        for part in 0..keyframe::parts(self.header.bodies.len()) {
            if self.block(key.block + part)?.iter().any(&mut first_time) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// All segments of one body, oldest first.
    pub fn segments(&self, body: u32) -> Result<Vec<OwnedSegment>> {
        self.check_body(body)?;
        let mut out = Vec::new();
        self.for_each_segment(i64::MIN, i64::MAX, |segment| {
            if segment.body == body {
                out.push(OwnedSegment::from(segment));
            }
        })?;
        Ok(out)
    }

    /// What happened at ticks `from..to`, in commit order.
    pub fn events_between(&self, from: i64, to: i64) -> Result<Vec<Mark>> {
        let mut out = Vec::new();
        self.for_each_segment(from, to, |s| {
            if s.event != Event::Continue {
                out.push(Mark {
                    tick: s.start,
                    micro: s.micro,
                    body: s.body,
                    partner: s.partner,
                    event: s.event,
                    position: s.position,
                    impulse: s.impulse,
                });
            }
        })?;
        Ok(out)
    }

    /// Visits the segments that start at ticks `from..to`, in commit order.
    pub fn for_each_segment(
        &self,
        from: i64,
        to: i64,
        mut visit: impl FnMut(Segment<'_>),
    ) -> Result<()> {
        self.visit_segments(from, to, |segment| {
            visit(segment);
            ControlFlow::Continue(())
        })
    }

    /// Visits the segments that start at ticks `from..to`, in commit order, until the visitor breaks.
    pub fn visit_segments(
        &self,
        from: i64,
        to: i64,
        mut visit: impl FnMut(Segment<'_>) -> ControlFlow<()>,
    ) -> Result<()> {
        for &number in self.directory.between(from, to) {
            let block = self.block(number)?;
            let mut inside = block.iter().filter(|s| from <= s.start && s.start < to);
            if inside.try_for_each(&mut visit).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// How many segments start in each of `bins` equal parts of the span, estimated from the blocks'
    /// heads alone: cheap on any file.
    pub fn density(&self, bins: usize) -> Vec<f64> {
        let (first, last) = self.span();
        let scale = bins as f64 / seconds_between(first, last).max(f64::MIN_POSITIVE);
        let bin = |tick| ((seconds_between(first, tick) * scale) as usize).min(bins - 1);
        let mut density = vec![0.0; bins];
        for &number in self.directory.segments.iter().filter(|_| bins > 0) {
            let head = self.directory.entries[number].head;
            let bars = &mut density[bin(head.first)..=bin(head.last)];
            let share = f64::from(head.count) / bars.len() as f64;
            bars.iter_mut().for_each(|count| *count += share);
        }
        density
    }

    /// The last vertex frame of a deformable at or before `tick`.
    pub fn vertices_at(&self, process: u32, tick: i64) -> Result<Option<VertexFrame>> {
        let frames = self
            .directory
            .vertices
            .get(&process)
            .map_or(&[][..], Vec::as_slice);
        let after = frames.partition_point(|(at, _)| *at <= tick);
        let Some(&(tick, number)) = frames[..after].last() else {
            return Ok(None);
        };
        let entry = self.directory.entries[number];
        let payload = self.payload_of(number)?;
        if payload.len() != entry.head.count as usize * 24 {
            return Err(self.damaged(&entry, "its length does not fit its vertices".into()));
        }
        let numbers = block::untranspose(&payload, 24);
        let number = |bytes: &[u8; 8]| f64::from_le_bytes(*bytes);
        let vertex = |bytes: &[u8; 24]| std::array::from_fn(|i| number(&bytes.as_chunks().0[i]));
        let positions = numbers.as_chunks().0.iter().map(vertex).collect();
        Ok(Some(VertexFrame { tick, positions }))
    }

    /// The vertices of a deformable at `tick`, blended between the frames around it; `None` before the
    /// first. A deformable of which only recorded forms are shown is as in the nearer one.
    pub fn vertices_blended(&self, process: u32, tick: i64) -> Result<Option<Vec<[f64; 3]>>> {
        let Some(before) = self.vertices_at(process, tick)? else {
            return Ok(None);
        };
        let mut points = before.positions;
        let frames = self.directory.vertices.get(&process);
        let next = frames.and_then(|frames| {
            let after = frames.partition_point(|(at, _)| *at <= tick);
            frames.get(after).map(|(at, _)| *at)
        });
        if let Some(at) = next.filter(|_| tick > before.tick)
            && let Some(after) = self.vertices_at(process, at)?
            && after.positions.len() == points.len()
        {
            let part = seconds_between(before.tick, tick) / seconds_between(before.tick, at);
            if self.header().forms_only.contains(&process) {
                return Ok(Some(if part < 0.5 { points } else { after.positions }));
            }
            for (point, goal) in points.iter_mut().zip(&after.positions) {
                (0..3).for_each(|i| point[i] += part * (goal[i] - point[i]));
            }
        }
        Ok(Some(points))
    }

    /// The ticks of a deformable's vertex frames.
    pub fn vertex_ticks(&self, process: u32) -> Vec<i64> {
        let frames = self.directory.vertices.get(&process);
        frames.map_or(Vec::new(), |frames| {
            frames.iter().map(|(tick, _)| *tick).collect()
        })
    }

    /// The trace's blocks of a kind, oldest first.
    pub(crate) fn blocks_of(&self, kind: u32) -> &[usize] {
        self.directory.trace.get(&kind).map_or(&[], Vec::as_slice)
    }

    /// GVT when a block was written.
    pub(crate) fn gvt_of(&self, number: usize) -> i64 {
        self.directory.entries[number].head.gvt
    }

    /// What a block's head says besides.
    pub(crate) fn extra_of(&self, number: usize) -> u32 {
        self.directory.entries[number].head.extra
    }

    /// The ticks that a block's head claims.
    pub(crate) fn range_of(&self, number: usize) -> (i64, i64) {
        let head = self.directory.entries[number].head;
        (head.first, head.last)
    }

    /// A block's uncompressed payload, past the cache.
    pub(crate) fn payload_of(&self, number: usize) -> Result<Vec<u8>> {
        let entry = self.directory.entries[number];
        self.store()
            .0
            .payload(&entry)
            .map_err(|what| self.damaged(&entry, what))
    }

    pub(crate) fn damaged_block(&self, number: usize, what: String) -> Error {
        self.damaged(&self.directory.entries[number], what)
    }

    fn add(&mut self, entries: Vec<Entry>) -> Result<()> {
        let bodies = self.header.bodies.len();
        for entry in entries {
            let outcome = self.directory.push(entry, bodies);
            outcome.map_err(|what| self.damaged(&entry, what))?;
        }
        if let Some(entry) = self
            .directory
            .footer
            .map(|number| self.directory.entries[number])
        {
            let payload = self.store().0.payload(&entry);
            let text = payload.and_then(|bytes| {
                String::from_utf8(bytes).map_err(|_| "its footer is not UTF-8".to_string())
            });
            self.footer = Some(text.map_err(|what| self.damaged(&entry, what))?);
        }
        Ok(())
    }

    fn block(&self, number: usize) -> Result<Arc<Decoded>> {
        let mut guard = self.store();
        let (store, cache) = &mut *guard;
        if let Some(block) = cache.get(number) {
            return Ok(block);
        }
        let entry = self.directory.entries[number];
        let head: Head = entry.head;
        let payload = store.payload(&entry);
        let decoded = payload
            .and_then(|payload| Decoded::new(&head, &payload, self.header.bodies.len()))
            .map_err(|what| self.damaged(&entry, what))?;
        let block = Arc::new(decoded);
        cache.put(number, block.clone());
        Ok(block)
    }

    fn store(&self) -> std::sync::MutexGuard<'_, (Store, Cache)> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn check_body(&self, body: u32) -> Result<()> {
        let count = self.header.bodies.len();
        if (body as usize) < count {
            Ok(())
        } else {
            Err(Error::NoSuchBody { body, count })
        }
    }

    fn damaged(&self, entry: &Entry, what: String) -> Error {
        Error::Damaged {
            path: self.path.clone(),
            offset: entry.offset,
            what,
        }
    }
}

/// A segment's state, unless its body has left the world.
fn present(segment: &Segment<'_>, tick: i64) -> Option<State> {
    (segment.event != Event::Leave).then(|| segment.state(tick))
}
