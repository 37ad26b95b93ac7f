//! Redraw events (Mirtich 4.1): every rendered body writes its state to a buffer at fixed frame
//! times. A body that is rolled back takes its frames back and draws them again; what GVT has
//! passed is handed over.

use super::{Engine, Kind, Pending};
use crate::history::Listener;
use crate::world::{BodyId, Kind as BodyKind};
use physics::State;
use warp::{EventOrder, Moment, NodeId, NodeRef, ProcessId, Tick};

/// Frames of one body.
#[derive(Clone, Debug, Default)]
pub(super) struct Frames {
    /// Those that GVT has not passed, oldest first.
    drawn: Vec<(Tick, State)>,
    /// The frame to be drawn next; redraw events for any other are out of date.
    next: Tick,
}

impl Engine {
    /// Schedules the first frame of every body that moves, if the world is redrawn.
    pub(super) fn begin_redraws(&mut self) {
        if self.world.redraw_hertz.is_none() {
            return;
        }
        self.frames = vec![Frames::default(); self.world.bodies.len()];
        for body in 0..self.world.bodies.len() as u32 {
            let is_fixed = self.world.bodies[body as usize].kind == BodyKind::Fixed;
            if !is_fixed && self.tells_of(body) {
                self.schedule_redraw(body, Tick::ZERO);
            }
        }
    }

    /// A redraw event belongs to a body, not to a segment: its number takes the node's place.
    fn schedule_redraw(&mut self, body: u32, at: Tick) {
        if at < self.world.until {
            let body = NodeRef {
                node: NodeId(body),
                generation: 0,
            };
            self.agenda.push(Pending::upkeep(Kind::Redraw, at, body));
        }
    }

    /// Draws a body, and schedules its next frame.
    pub(super) fn redraw(&mut self, entry: &Pending) {
        let Some(hertz) = self.world.redraw_hertz else {
            return;
        };
        let (body, at) = (entry.a.node.0, entry.order().moment.tick);
        if self.frames[body as usize].next != at {
            return;
        }
        let before = EventOrder::before(Moment::at(at));
        let Some(node) = self.lines.covering(ProcessId(body), before) else {
            return;
        };
        self.integrate(node, at);
        let state = self.momentary(node, at);
        let number = (at.seconds() * hertz).round() + 1.0;
        let next = Tick::from_seconds(number / hertz);
        let frames = &mut self.frames[body as usize];
        frames.drawn.push((at, state));
        frames.next = next;
        self.schedule_redraw(body, next);
    }

    /// Takes back the frames of a body that was rolled back, and draws them again from there.
    pub(super) fn take_back_frames(&mut self, process: ProcessId, to: Tick) {
        let Some(frames) = self.frames.get_mut(process.index()) else {
            return;
        };
        let kept = frames.drawn.partition_point(|(at, _)| *at <= to);
        let first_undone = frames.drawn.get(kept).map(|(at, _)| *at);
        frames.drawn.truncate(kept);
        if let Some(at) = first_undone {
            frames.next = at;
            self.schedule_redraw(process.0, at);
        }
    }

    /// A body has come to this region, or has left it: frames are drawn by whoever owns it, from GVT on.
    pub(super) fn hand_frames_over(&mut self, body: u32, is_own: bool) {
        let Some(hertz) = self.world.redraw_hertz else {
            return;
        };
        let frames = &mut self.frames[body as usize];
        frames.drawn.clear();
        frames.next = Tick::MAX;
        if is_own {
            let first = (self.gvt.seconds() * hertz).floor() - 1.0;
            let mut number = first.max(0.0);
            let tick = |number: f64| Tick::from_seconds(number / hertz);
            while tick(number) < self.gvt {
                number += 1.0;
            }
            frames.next = tick(number);
            self.schedule_redraw(body, tick(number));
        }
    }

    /// Hands over the frames that lie before `gvt`.
    pub(super) fn commit_frames(&mut self, gvt: Tick, history: &mut Listener<'_>) {
        for (body, frames) in self.frames.iter_mut().enumerate() {
            let done = frames.drawn.partition_point(|(at, _)| *at < gvt);
            for (at, state) in frames.drawn.drain(..done) {
                history.tell(|history| history.frame(BodyId(body as u32), at, &state));
            }
        }
    }
}
