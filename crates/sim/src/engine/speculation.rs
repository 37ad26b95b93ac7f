//! The speculation's own story, for a history that asks for it: what rollbacks took back, and how far
//! every body has run ahead. It is told beside the committed history and never reaches it; when nobody
//! listens it costs one branch a rollback and one a commit.

use super::Engine;
use super::EngineError;
use crate::history::{History, Listener};
use record::{Clock, Event, NO_PARTNER, Undone};
use warp::{EventOrder, NodeId, ProcessId, Tick};

/// What has not been told yet.
#[derive(Default)]
pub(super) struct Speculation {
    is_wanted: bool,
    undone: Vec<Undone>,
    /// Where the last stretch noted on a worldline began, while a rollback is noted.
    ends: Vec<Tick>,
    /// SweptPast that were there before the event that is being begun.
    named: usize,
    clocks: Vec<Clock>,
}

impl Speculation {
    pub(super) fn is_wanted(&self) -> bool {
        self.is_wanted
    }
}

impl Engine {
    /// Notes what the rollback of a worldline took back: everything in `self.undone` from an index on,
    /// newest first along each worldline.
    pub(super) fn record_undone(&mut self, straggler: ProcessId, to: EventOrder, from: usize) {
        let (bodies, until) = (self.world.bodies.len(), self.world.until);
        let mut trace = std::mem::take(self.observers.speculation_mut());
        trace.ends.resize(bodies, Tick::MAX);
        let stretch = |body: u32, event: Event, partner: u32, from: Tick, to: Tick| Undone {
            body,
            cause: NO_PARTNER,
            event,
            partner,
            from: from.0,
            to: to.0,
            gvt: self.gvt.0,
        };
        for undone in &self.undone[from..] {
            let index = undone.process.index();
            if index >= bodies {
                continue;
            }
            let start = undone.order.moment.tick;
            let end = match trace.ends[index] {
                Tick::MAX => self.horizon(undone.node).min(until),
                end => end,
            };
            let origin = self.lines.origin(undone.node);
            let (event, partner) = (origin.event, origin.partner);
            let body = undone.process.0;
            trace.ends[index] = start;
            let mut note = stretch(body, event, partner, start, end.max(start));
            if undone.process != straggler && straggler.index() < bodies {
                note.cause = straggler.0;
            }
            trace.undone.push(note);
        }
        // the segment that the straggler cuts goes on to where the first undone one began
        let cut = trace.ends.get(straggler.index()).copied();
        if let Some(end) = cut.filter(|end| *end != Tick::MAX && *end > to.moment.tick) {
            let (event, start) = (Event::Continue, to.moment.tick);
            trace
                .undone
                .push(stretch(straggler.0, event, NO_PARTNER, start, end));
        }
        for undone in &self.undone[from..] {
            if let Some(end) = trace.ends.get_mut(undone.process.index()) {
                *end = Tick::MAX;
            }
        }
        *self.observers.speculation_mut() = trace;
    }

    /// Names the event's other body as the cause of what its own bodies have just lost.
    pub(super) fn name_causes(&mut self, processes: &[ProcessId]) {
        let bodies = self.world.bodies.len();
        let speculation = self.observers.speculation_mut();
        for note in &mut speculation.undone[speculation.named..] {
            let other = |p: &&ProcessId| p.index() < bodies && p.0 != note.body;
            if note.cause == NO_PARTNER {
                note.cause = processes.iter().find(other).map_or(NO_PARTNER, |p| p.0);
            }
        }
        speculation.named = speculation.undone.len();
    }

    /// Before anything is committed: asks whether what is undone is to be told.
    pub fn listen(&mut self, history: &mut dyn History) -> Result<(), EngineError> {
        let mut history = Listener::new(history);
        self.tell_speculation(&mut history);
        Ok(history.conclude()?)
    }

    /// At a commit: tells what was noted, and where every body stands if that is wanted now.
    pub(super) fn tell_speculation(&mut self, history: &mut Listener<'_>) {
        self.observers.speculation_mut().is_wanted = history.wants_trace();
        if !self.observers.speculation().is_wanted {
            return;
        }
        for undone in self.observers.speculation_mut().undone.drain(..) {
            history.tell(|history| history.undone(&undone));
        }
        self.observers.speculation_mut().named = 0;
        if !history.wants_clocks(self.gvt) {
            return;
        }
        let mut clocks = std::mem::take(&mut self.observers.speculation_mut().clocks);
        clocks.clear();
        clocks.extend((0..self.world.bodies.len() as u32).map(|body| self.clock(body)));
        history.tell(|history| history.clocks(&clocks, self.observers.stats()));
        self.observers.speculation_mut().clocks = clocks;
    }

    /// A body's own time: how far its motion has been computed and looked along.
    fn clock(&self, body: u32) -> Clock {
        let node: NodeId = self.lines.tip(ProcessId(body));
        let until = self.world.until;
        let gvt = self.gvt.min(until);
        let group = match self.world.contact.is_some() {
            true => self.lines.group_of(node).map_or(body, |process| process.0),
            false => body,
        };
        Clock {
            lvt: self.horizon(node).clamp(gvt, until).0,
            group,
            thread: 0,
        }
    }
}
