//! A run on more ranks than there are here, by replaying what a real run has committed: who did what, when, where and after
//! whom. Space is cut as `parallel` cuts it; what a segment and a message cost is measured; what lies between ranks is a
//! network with a latency and a bandwidth. What comes of it is simulated, and whoever shows it says so.

use record::{Event, NO_PARTNER, Segment};
use sim::{History, Told};

/// Segments that the busiest of so many ranks begins in a window, as in `parallel`: one for every three of its bodies,
/// within bounds.
fn per_window(bodies: usize, ranks: u32) -> u64 {
    (bodies as u64 / u64::from(ranks) / 3).clamp(256, 2048)
}

/// A segment that was committed.
#[derive(Clone, Copy)]
struct Step {
    body: u32,
    /// The moving body that it met, if any.
    partner: Option<u32>,
    place: [f64; 3],
}

/// Keeps the segments of a run, in their order: the dependency graph is in it, since an event depends on what its bodies
/// have done before.
#[derive(Default)]
pub(super) struct Log {
    steps: Vec<Step>,
    starts: Vec<[f64; 3]>,
}

impl History for Log {
    fn segment(&mut self, segment: &Segment<'_>) -> Told {
        if segment.event == Event::Start {
            self.starts.push(segment.position);
            return Ok(());
        }
        let partner = (segment.partner != NO_PARTNER).then_some(segment.partner);
        self.steps.push(Step {
            body: segment.body,
            partner,
            place: segment.position,
        });
        Ok(())
    }
}

/// What lies between ranks.
#[derive(Clone, Copy)]
pub(super) struct Network {
    pub name: &'static str,
    /// From one rank to another, seconds.
    pub latency_s: f64,
    /// Out of a rank, bytes a second.
    pub bandwidth: f64,
}

/// What things cost, as measured, in seconds and bytes.
#[derive(Clone, Copy)]
pub(super) struct Costs {
    /// A segment.
    pub segment_s: f64,
    /// A segment of another rank's body that a rank is told of, with what follows from it.
    pub fact_s: f64,
    /// The same on the wire.
    pub fact_bytes: f64,
    /// A segment that is merged and hashed on rank 0.
    pub history_s: f64,
}

/// What a replay comes to.
#[derive(Clone, Copy, Default)]
pub(super) struct Replayed {
    /// The slowest rank of every window and the network, added up, seconds.
    pub elapsed_s: f64,
    /// The part of it that is network.
    pub network_s: f64,
    pub windows: u64,
    pub rounds: u64,
    pub facts: u64,
}

/// Space, cut by recursive bisection.
enum Part {
    Rank(u32),
    Cut(usize, f64, Box<[Part; 2]>),
}

impl Part {
    fn new(points: &mut [[f64; 3]], first: u32, ranks: u32) -> Part {
        if ranks <= 1 || points.len() < 2 {
            return Part::Rank(first);
        }
        let extent = |axis: usize| {
            let along = points.iter().map(|p| p[axis]);
            let (lo, hi) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| {
                (lo.min(x), hi.max(x))
            });
            hi - lo
        };
        let extents = [0, 1, 2].map(extent);
        let axis = (0..3)
            .max_by(|a, b| extents[*a].total_cmp(&extents[*b]))
            .unwrap_or(0);
        points.sort_by(|a, b| a[axis].total_cmp(&b[axis]));
        let below = ranks / 2;
        let place = points.len() * below as usize / ranks as usize;
        let at = 0.5 * (points[place.max(1) - 1][axis] + points[place][axis]);
        let (low, high) = points.split_at_mut(place);
        let sides = [
            Part::new(low, first, below),
            Part::new(high, first + below, ranks - below),
        ];
        Part::Cut(axis, at, Box::new(sides))
    }

    fn rank_at(&self, place: &[f64; 3]) -> u32 {
        match self {
            Part::Rank(rank) => *rank,
            Part::Cut(axis, at, sides) => sides[usize::from(place[*axis] >= *at)].rank_at(place),
        }
    }

    /// The ranks whose cells are within a margin of a place.
    fn each_near(&self, place: &[f64; 3], margin: f64, found: &mut impl FnMut(u32)) {
        match self {
            Part::Rank(rank) => found(*rank),
            Part::Cut(axis, at, sides) => {
                if place[*axis] - margin < *at {
                    sides[0].each_near(place, margin, found);
                }
                if place[*axis] + margin >= *at {
                    sides[1].each_near(place, margin, found);
                }
            }
        }
    }
}

/// What a window has come to so far.
struct Window {
    segments: Vec<u64>,
    heard: Vec<u64>,
    said: Vec<u64>,
    /// By body: in which window it did something last, in which round of it, and on which rank.
    last: Vec<(u64, u32, u32)>,
    /// Body, partner and round of the step before: the other half of a collision of two bodies follows right after, and
    /// is computed by its own rank without a message.
    half: (u32, Option<u32>, u32),
    busiest: u64,
    rounds: u32,
}

impl Log {
    /// How many segments were committed, without those that begin the world.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// The run on so many ranks; bodies are seen by ranks within `margin`.
    pub fn replay(&self, ranks: u32, margin: f64, costs: Costs, network: Network) -> Replayed {
        let part = Part::new(&mut self.starts.clone(), 0, ranks);
        let mut window = Window {
            segments: vec![0; ranks as usize],
            heard: vec![0; ranks as usize],
            said: vec![0; ranks as usize],
            last: vec![(0, 0, 0); self.starts.len()],
            half: (u32::MAX, None, 0),
            busiest: 0,
            rounds: 1,
        };
        let per_window = per_window(self.starts.len(), ranks);
        let mut all = Replayed::default();
        for step in &self.steps {
            let number = all.windows + 1;
            let rank = part.rank_at(&step.place);
            window.segments[rank as usize] += 1;
            window.busiest = window.busiest.max(window.segments[rank as usize]);
            part.each_near(&step.place, margin, &mut |other| {
                if other != rank {
                    window.heard[other as usize] += 1;
                    window.said[rank as usize] += 1;
                    all.facts += 1;
                }
            });
            let round = window.round_of(step, number, rank);
            window.half = (step.body, step.partner, round);
            if let Some(last) = window.last.get_mut(step.body as usize) {
                *last = (number, round, rank);
            }
            window.rounds = window.rounds.max(round);
            if window.busiest >= per_window {
                window.close(&mut all, costs, network);
            }
        }
        window.close(&mut all, costs, network);
        all
    }
}

impl Window {
    /// In which round of the window of this number a step is done on a rank: what another rank has done before is heard a
    /// round later.
    fn round_of(&self, step: &Step, number: u64, rank: u32) -> u32 {
        let (body, partner, round) = self.half;
        if step.partner == Some(body) && partner == Some(step.body) {
            return round;
        }
        let involved = [Some(step.body), step.partner].into_iter().flatten();
        let before = involved.filter_map(|body| self.last.get(body as usize));
        before
            .filter(|(seen, ..)| *seen == number)
            .map(|(_, round, on)| round + u32::from(*on != rank))
            .max()
            .unwrap_or(1)
    }

    /// Adds up what the window has taken: everybody waits for the slowest, in every round there is one exchange over a tree,
    /// and one more tells that nobody has anything to say any more.
    fn close(&mut self, all: &mut Replayed, costs: Costs, network: Network) {
        let ranks = self.segments.len();
        let work = (0..ranks)
            .map(|rank| {
                self.segments[rank] as f64 * costs.segment_s
                    + self.heard[rank] as f64 * costs.fact_s
            })
            .fold(0.0, f64::max);
        let rounds = match ranks {
            1 => 0,
            _ => u64::from(self.rounds) + 1,
        };
        let depth = (ranks as f64).log2().ceil();
        let most_said = self.said.iter().max().copied().unwrap_or(0);
        let carried = most_said as f64 * costs.fact_bytes / network.bandwidth;
        let network_s = rounds as f64 * 2.0 * depth * network.latency_s + carried;
        all.elapsed_s += work + network_s;
        all.network_s += network_s;
        all.windows += 1;
        all.rounds += rounds;
        for counts in [&mut self.segments, &mut self.heard, &mut self.said] {
            counts.fill(0);
        }
        (self.busiest, self.rounds) = (0, 1);
        self.half = (u32::MAX, None, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: Network = Network {
        name: "none",
        latency_s: 0.0,
        bandwidth: f64::INFINITY,
    };
    const COSTS: Costs = Costs {
        segment_s: 1.0,
        fact_s: 0.0,
        fact_bytes: 100.0,
        history_s: 0.0,
    };

    /// A row of bodies, a metre apart, each of which does something in turn.
    fn row(bodies: u32, turns: u32) -> Log {
        let place = |body: u32| [f64::from(body), 0.0, 0.0];
        let step = |turn: u32| Step {
            body: turn % bodies,
            partner: None,
            place: place(turn % bodies),
        };
        Log {
            steps: (0..turns).map(step).collect(),
            starts: (0..bodies).map(place).collect(),
        }
    }

    #[test]
    fn work_is_divided_and_nothing_of_it_is_lost() {
        let log = row(64, 6400);
        let one = log.replay(1, 0.1, COSTS, FREE);
        assert_eq!((one.elapsed_s, one.facts), (6400.0, 0));
        let four = log.replay(4, 0.1, COSTS, FREE);
        // A window is over when the slowest of the four is done, and is no whole number of turns of all.
        assert!(
            (1600.0..1760.0).contains(&four.elapsed_s),
            "{}",
            four.elapsed_s
        );
        // Those beside a cut are seen across it.
        assert!(log.replay(4, 0.6, COSTS, FREE).facts > 500);
    }

    #[test]
    fn a_slow_network_costs_its_latency_in_every_round() {
        let log = row(64, 6400);
        let slow = Network {
            latency_s: 2.0,
            ..FREE
        };
        let replayed = log.replay(4, 0.1, COSTS, slow);
        assert_eq!(replayed.network_s, replayed.rounds as f64 * 2.0 * 2.0 * 2.0);
        assert_eq!(replayed.rounds, 2 * replayed.windows);
    }

    #[test]
    fn what_follows_from_another_ranks_event_comes_a_round_later() {
        let mut log = row(2, 0);
        let step = |body: u32, partner, x: f64| Step {
            body,
            partner,
            place: [x, 0.0, 0.0],
        };
        log.steps = vec![
            step(0, None, 0.0),
            step(1, Some(0), 1.0),
            step(0, Some(1), 0.0),
        ];
        // The first, then the collision, which both compute: two rounds, and one to end with.
        assert_eq!(log.replay(2, 0.1, COSTS, FREE).rounds, 3);
    }
}
