//! Lines from the regions to the thread of the history: what each has committed goes one way, window by window, and
//! its memory comes back the other. A region waits only if the history is several windows behind.

use crate::history::{History, HistoryError};
use crate::span::{Doing, Span};
use crate::world::BodyId;
use physics::State;
use record::Segment;
use std::sync::mpsc::{Receiver, SendError, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};
use warp::Tick;

/// Windows that may wait for the history, for each region.
const WAITING_RUNS: usize = 16;

/// A body as it is drawn at a tick.
pub(super) type Frame = (BodyId, Tick, State);

/// What a region has committed in a window.
pub(super) struct Run {
    /// Nothing before this tick can change any more.
    pub gvt: Tick,
    /// In the canonical order.
    pub segments: Vec<Segment<'static>>,
    /// By body, oldest first, where the world is redrawn.
    pub frames: Vec<Frame>,
    /// What its thread was at, if somebody wants to know.
    pub spans: Vec<Span>,
}

/// A region's end of its line.
pub(super) struct Outlet {
    runs: SyncSender<Run>,
    spent: Receiver<Vec<Segment<'static>>>,
}

/// The history's end of a region's line.
pub(super) struct Inlet {
    runs: Receiver<Run>,
    spent: Sender<Vec<Segment<'static>>>,
}

/// A line for each of so many regions.
pub(super) fn lines(count: usize) -> (Vec<Outlet>, Vec<Inlet>) {
    let line = |_| {
        let (runs, taken) = sync_channel(WAITING_RUNS);
        let (back, spent) = channel();
        let inlet = Inlet {
            runs: taken,
            spent: back,
        };
        (Outlet { runs, spent }, inlet)
    };
    (0..count).map(line).unzip()
}

impl Inlet {
    /// The next run; nothing, if there are no more.
    pub fn next(&self) -> Option<Run> {
        self.runs.recv().ok()
    }

    /// Gives the memory of a run back.
    pub fn give_back(&self, run: Run) {
        let mut segments = run.segments;
        segments.clear();
        // Who has ended wants no memory back.
        let _ = self.spent.send(segments);
    }
}

impl Outlet {
    /// Hands over what was committed; fails if nobody listens any more.
    pub fn send(&self, run: Run) -> Result<(), SendError<Run>> {
        self.runs.send(run)
    }

    /// Memory for the next run, used before if possible.
    pub fn room(&self) -> Vec<Segment<'static>> {
        self.spent.try_recv().unwrap_or_default()
    }
}

/// Tells the history what the regions commit, until they have nothing more.
pub(super) fn merge(
    lines: &[Inlet],
    began: Instant,
    history: &mut dyn History,
) -> Result<(), HistoryError> {
    let wants_spans = history.wants_spans();
    let mut runs: Vec<Run> = Vec::with_capacity(lines.len());
    loop {
        runs.clear();
        for line in lines {
            let Some(run) = line.next() else {
                return Ok(());
            };
            runs.push(run);
        }
        let begin = began.elapsed();
        tell(&runs, history)?;
        for (body, tick, state) in runs.iter().flat_map(|run| &run.frames) {
            history.frame(*body, *tick, state)?;
        }
        let gvt = runs.iter().map(|run| run.gvt).min().unwrap_or(Tick::MAX);
        if gvt < Tick::MAX {
            history.gvt(gvt)?;
        }
        if wants_spans {
            tell_spans(&runs, (begin, began.elapsed()), history)?;
        }
        for (line, run) in lines.iter().zip(runs.drain(..)) {
            line.give_back(run);
        }
    }
}

/// Tells the history the segments of all runs, each of which is in order. Two segments of one body at one moment come
/// from one run.
fn tell(runs: &[Run], history: &mut dyn History) -> Result<(), HistoryError> {
    type Place = (i64, u32, u32);
    let place = |segment: &Segment| (segment.start, segment.micro, segment.body);
    let mut rests: Vec<&[Segment<'static>]> = runs.iter().map(|run| &run.segments[..]).collect();
    loop {
        let first_of = |rest: &&[Segment<'static>]| rest.first().map(place);
        let Some(first) = (0..rests.len())
            .filter(|run| !rests[*run].is_empty())
            .min_by_key(|run| first_of(&rests[*run]))
        else {
            return Ok(());
        };
        // One run goes on for a while before it is another's turn.
        let others = rests.iter().enumerate().filter(|(run, _)| *run != first);
        let next: Option<Place> = others.filter_map(|(_, rest)| first_of(rest)).min();
        while let Some((segment, rest)) = rests[first].split_first()
            && next.is_none_or(|next| place(segment) <= next)
        {
            history.segment(segment)?;
            rests[first] = rest;
        }
    }
}

/// Tells what all threads were at.
fn tell_spans(
    runs: &[Run],
    (begin, end): (Duration, Duration),
    history: &mut dyn History,
) -> Result<(), HistoryError> {
    for span in runs.iter().flat_map(|run| &run.spans) {
        history.span(span)?;
    }
    history.span(&Span {
        thread: runs.len() as u32,
        what: Doing::Merge,
        begin,
        end,
        tick: runs.first().map_or(Tick::ZERO, |run| run.gvt),
        count: runs.iter().map(|run| run.segments.len() as u64).sum(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::Told;
    use record::{Event, NO_GROUP, NO_PARTNER};

    fn segment(start: i64, body: u32) -> Segment<'static> {
        Segment {
            body,
            start,
            micro: 0,
            event: Event::Collision,
            partner: NO_PARTNER,
            group: NO_GROUP,
            position: [0.0; 3],
            velocity: [0.0; 3],
            acceleration: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            spin: [0.0; 3],
            momentum: None,
            impulse: 0.0,
            knots: &[],
        }
    }

    #[derive(Default)]
    struct Heard(Vec<(i64, u32)>, Vec<Tick>);

    impl History for Heard {
        fn segment(&mut self, segment: &Segment<'_>) -> Told {
            self.0.push((segment.start, segment.body));
            Ok(())
        }

        fn gvt(&mut self, tick: Tick) -> Told {
            self.1.push(tick);
            Ok(())
        }
    }

    #[test]
    fn runs_are_merged_in_the_canonical_order_and_their_memory_comes_back() {
        let (outlets, inlets) = lines(3);
        let windows = [
            [vec![(1, 0), (1, 4), (7, 0)], vec![(1, 3), (6, 3)], vec![]],
            [vec![(8, 1)], vec![], vec![(8, 0), (8, 2), (9, 2)]],
        ];
        for (window, gvt) in windows.iter().zip([8, 10]) {
            for (outlet, run) in outlets.iter().zip(window) {
                let segments = run.iter().map(|(at, body)| segment(*at, *body)).collect();
                let run = Run {
                    gvt: Tick(gvt),
                    segments,
                    frames: Vec::new(),
                    spans: Vec::new(),
                };
                assert!(outlet.send(run).is_ok());
            }
        }
        let spent: Vec<_> = outlets.into_iter().map(|outlet| outlet.spent).collect();
        let mut heard = Heard::default();
        assert!(merge(&inlets, Instant::now(), &mut heard).is_ok());
        let all = [
            (1, 0),
            (1, 3),
            (1, 4),
            (6, 3),
            (7, 0),
            (8, 0),
            (8, 1),
            (8, 2),
            (9, 2),
        ];
        assert_eq!(heard.0, all);
        assert_eq!(heard.1, [Tick(8), Tick(10)]);
        assert!(spent[0].try_recv().is_ok_and(|room| room.capacity() >= 3));
    }
}
