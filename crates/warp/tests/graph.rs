//! The state graph against a naive model (a vector of vectors, recursive rollback) under random
//! begin, rollback, collection, and processes that come and go.

use proptest::prelude::*;
use warpline_warp::{EventOrder, Moment, NodeId, NodeRef, ProcessId, StateGraph, Tick, Undone};

fn order(tick: u32) -> EventOrder {
    EventOrder {
        moment: Moment {
            tick: Tick(i64::from(tick / 4)),
            micro: tick / 2 % 2,
        },
        key: u64::from(tick % 2),
    }
}

#[derive(Clone, Debug)]
struct Segment {
    order: EventOrder,
    event: u32,
    node: NodeRef,
}

/// The reference: worldlines as plain vectors, an event's members found by search.
#[derive(Default)]
struct Naive {
    worldlines: Vec<Option<Vec<Segment>>>,
    collected: Vec<bool>,
}

impl Naive {
    fn roll_back(&mut self, process: usize, to: EventOrder, undone: &mut Vec<Undone>) {
        while let Some(segment) = self.pop_from(process, to) {
            undone.push(Undone {
                process: ProcessId(process as u32),
                node: segment.node.node,
                order: segment.order,
            });
            for other in self.members(segment.event) {
                self.roll_back(other, segment.order, undone);
            }
        }
    }

    fn pop_from(&mut self, process: usize, to: EventOrder) -> Option<Segment> {
        let worldline = self.worldlines[process].as_mut()?;
        worldline.pop_if(|segment| segment.order >= to)
    }

    fn members(&self, event: u32) -> Vec<usize> {
        let has = |line: &Vec<Segment>| line.iter().any(|segment| segment.event == event);
        let processes = self.worldlines.iter().enumerate();
        processes
            .filter(|(_, line)| line.as_ref().is_some_and(has))
            .map(|(process, _)| process)
            .collect()
    }

    fn existing(&self, pick: u32) -> Option<usize> {
        let existing: Vec<usize> = (0..self.worldlines.len())
            .filter(|&process| self.worldlines[process].is_some())
            .collect();
        (!existing.is_empty()).then(|| existing[pick as usize % existing.len()])
    }
}

#[derive(Clone, Debug)]
enum Step {
    Begin { members: Vec<u32>, ahead: u32 },
    RollBack { process: u32, behind: u32 },
    Collect { process: u32, keep: u32 },
    AddGroup,
    Remove { process: u32 },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let members = proptest::collection::vec(any::<u32>(), 1..5);
    let step = prop_oneof![
        12 => (members, 1..6_u32).prop_map(|(members, ahead)| Step::Begin { members, ahead }),
        3 => (any::<u32>(), 0..30_u32).prop_map(|(process, behind)| Step::RollBack { process, behind }),
        2 => (any::<u32>(), 0..4_u32).prop_map(|(process, keep)| Step::Collect { process, keep }),
        1 => Just(Step::AddGroup),
        1 => any::<u32>().prop_map(|process| Step::Remove { process }),
    ];
    proptest::collection::vec(step, 1..200)
}

struct Pair {
    graph: StateGraph,
    naive: Naive,
    /// What users would keep per node: which event wrote it.
    column: Vec<u32>,
    now: u32,
    events: u32,
    stale: Vec<NodeRef>,
}

impl Pair {
    fn new(processes: usize) -> Pair {
        let mut pair = Pair {
            graph: StateGraph::new(),
            naive: Naive::default(),
            column: Vec::new(),
            now: 0,
            events: 0,
            stale: Vec::new(),
        };
        for _ in 0..processes {
            let (process, node) = pair.graph.add_process(order(0));
            assert_eq!(process.index(), pair.naive.worldlines.len());
            pair.naive.worldlines.push(Some(Vec::new()));
            pair.naive.collected.push(false);
            pair.record(process, node, order(0));
            pair.events += 1;
        }
        pair
    }

    fn record(&mut self, process: ProcessId, node: NodeId, order: EventOrder) {
        let segment = Segment {
            order,
            event: self.events,
            node: self.graph.reference(node),
        };
        self.column.resize(self.graph.capacity(), 0);
        self.column[node.index()] = self.events;
        let line = self.naive.worldlines[process.index()].as_mut();
        line.expect("it exists").push(segment);
    }

    fn apply(&mut self, step: Step) {
        match step {
            Step::Begin { members, ahead } => self.begin(&members, ahead),
            Step::RollBack { process, behind } => self.roll_back(process, behind),
            Step::Collect { process, keep } => self.collect(process, keep),
            Step::AddGroup => self.add_group(),
            Step::Remove { process } => self.remove(process),
        }
    }

    fn begin(&mut self, members: &[u32], ahead: u32) {
        let mut processes: Vec<ProcessId> = members
            .iter()
            .filter_map(|&pick| self.naive.existing(pick))
            .map(|process| ProcessId(process as u32))
            .collect();
        processes.sort_unstable();
        processes.dedup();
        self.now += ahead;
        let begun = self.begin_on(&processes);
        assert_eq!(begun.len(), processes.len());
        for (&process, &node) in processes.iter().zip(&begun) {
            assert_eq!(self.graph.process(node), process);
            self.record(process, node, order(self.now));
        }
        self.events += 1;
    }

    /// Events of one process also go the short way.
    fn begin_on(&mut self, processes: &[ProcessId]) -> Vec<NodeId> {
        let order = order(self.now);
        if let &[process] = processes
            && !self.graph.is_idle(process)
        {
            let tip = self.graph.tip(process);
            let straggler = self.graph.order(tip);
            assert_eq!(self.graph.begin_solo(straggler, process), None);
            let begun = self.graph.begin_solo(order, process).expect("it is later");
            assert_eq!(begun.previous, tip);
            return vec![begun.segment.node];
        }
        let mut begun = Vec::new();
        self.graph.begin(order, processes, &mut begun);
        begun
    }

    fn roll_back(&mut self, process: u32, behind: u32) {
        let Some(process) = self.naive.existing(process) else {
            return;
        };
        let to = order(self.now.saturating_sub(behind).max(1)).max(self.gvt());
        let mut expected = Vec::new();
        self.naive.roll_back(process, to, &mut expected);
        let mut undone = Vec::new();
        self.graph
            .roll_back(ProcessId(process as u32), to, &mut undone);
        for undone in &undone {
            // Ids are not reused yet, so the column still tells which event began the segment.
            let generation = self.graph.reference(undone.node).generation.wrapping_sub(1);
            self.stale.push(NodeRef {
                node: undone.node,
                generation,
            });
        }
        let key = |undone: &Undone| (undone.process, undone.order, undone.node);
        undone.sort_unstable_by_key(key);
        expected.sort_unstable_by_key(key);
        assert_eq!(undone, expected);
    }

    /// Nothing may be undone that lies before a collected worldline's oldest segment.
    fn gvt(&self) -> EventOrder {
        let lines = self.naive.worldlines.iter().zip(&self.naive.collected);
        let oldest = lines
            .filter(|(_, collected)| **collected)
            .filter_map(|(line, _)| line.as_ref()?.first().map(|segment| segment.order));
        let gvt = oldest.max().unwrap_or(EventOrder::MIN);
        EventOrder {
            key: gvt.key + 1,
            ..gvt
        }
    }

    fn collect(&mut self, process: u32, keep: u32) {
        let Some(process) = self.naive.existing(process) else {
            return;
        };
        let line = self.naive.worldlines[process].as_mut().expect("it exists");
        if line.is_empty() {
            return;
        }
        let at = line.len().saturating_sub(1 + keep as usize);
        let mut freed = Vec::new();
        self.graph
            .collect_before(line[at].node.node, |node| freed.push(node));
        let dropped: Vec<Segment> = line.drain(..at).collect();
        self.naive.collected[process] |= at > 0;
        let expected: Vec<NodeId> = dropped
            .iter()
            .rev()
            .map(|segment| segment.node.node)
            .collect();
        assert_eq!(freed, expected);
        self.stale
            .extend(dropped.iter().map(|segment| segment.node));
    }

    fn add_group(&mut self) {
        let process = self.graph.add_idle_process();
        if process.index() == self.naive.worldlines.len() {
            self.naive.worldlines.push(None);
            self.naive.collected.push(false);
        }
        let slot = &mut self.naive.worldlines[process.index()];
        assert!(slot.replace(Vec::new()).is_none());
        self.naive.collected[process.index()] = false;
    }

    fn remove(&mut self, process: u32) {
        let Some(process) = self.naive.existing(process) else {
            return;
        };
        let line = self.naive.worldlines[process].take().expect("it exists");
        let mut freed = Vec::new();
        self.graph
            .remove_process(ProcessId(process as u32), |node| freed.push(node));
        assert_eq!(freed.len(), line.len());
        self.stale.extend(line.iter().map(|segment| segment.node));
    }

    fn compare(&self) {
        assert_eq!(self.graph.processes(), self.naive.worldlines.len());
        let mut live = 0;
        for (index, line) in self.naive.worldlines.iter().enumerate() {
            let process = ProcessId(index as u32);
            assert_eq!(self.graph.contains(process), line.is_some());
            if let Some(line) = line {
                live += line.len();
                self.compare_worldline(process, line);
            }
        }
        assert_eq!(self.graph.live(), live);
        assert!(self.stale.iter().all(|&stale| !self.graph.is_live(stale)));
    }

    fn compare_worldline(&self, process: ProcessId, line: &[Segment]) {
        let graph = &self.graph;
        assert_eq!(graph.is_idle(process), line.is_empty());
        let (Some(first), Some(last)) = (line.first(), line.last()) else {
            return;
        };
        assert_eq!(graph.oldest(process), first.node.node);
        assert_eq!(graph.tip(process), last.node.node);
        for (at, segment) in line.iter().enumerate() {
            let node = segment.node.node;
            let next = line.get(at + 1);
            assert!(graph.is_live(segment.node));
            assert_eq!(self.column[node.index()], segment.event);
            assert_eq!(graph.order(node), segment.order);
            assert_eq!(graph.start(node), segment.order.moment);
            assert_eq!(
                graph.previous(node),
                at.checked_sub(1).map(|at| line[at].node.node)
            );
            assert_eq!(graph.next(node), next.map(|next| next.node.node));
            assert_eq!(
                graph.end(node),
                next.map_or(EventOrder::MAX, |next| next.order)
            );
            assert_eq!(graph.covering(process, segment.order), Some(node));
            self.compare_links(process, segment);
        }
        let before = EventOrder {
            key: 0,
            moment: Moment::MIN,
        };
        assert_eq!(graph.covering(process, before), None);
        assert_eq!(
            graph.covering(process, EventOrder::MAX),
            Some(last.node.node)
        );
    }

    fn compare_links(&self, process: ProcessId, segment: &Segment) {
        let mut linked: Vec<usize> = self
            .graph
            .linked(segment.node.node)
            .map(|node| self.graph.process(node).index())
            .collect();
        linked.push(process.index());
        linked.sort_unstable();
        assert_eq!(linked, self.naive.members(segment.event));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn agrees_with_the_naive_model(processes in 1..8_usize, steps in steps()) {
        let mut pair = Pair::new(processes);
        for step in steps {
            pair.apply(step);
            pair.compare();
        }
    }
}

/// Mirtich's Figure 3: the A-B collision undoes what A's later collisions reached, and no more.
#[test]
fn rollback_crosses_links_forward_only() {
    let mut graph = StateGraph::new();
    let p: Vec<ProcessId> = (0..5)
        .map(|_| graph.add_process(EventOrder::MIN).0)
        .collect();
    let mut begun = Vec::new();
    for (tick, members) in [
        (4, [p[2], p[3]]),
        (8, [p[0], p[2]]),
        (12, [p[3], p[4]]),
        (16, [p[2], p[3]]),
    ] {
        graph.begin(order(tick), &members, &mut begun);
    }
    let mut undone = Vec::new();
    graph.roll_back(p[0], order(6), &mut undone);
    let gone: Vec<NodeId> = undone.iter().map(|undone| undone.node).collect();
    assert_eq!(gone.len(), 4);
    assert!([2, 3, 6, 7].iter().all(|&at| gone.contains(&begun[at])));
    // C-D before and D-E aside survive.
    assert_eq!(graph.tip(p[3]), begun[4]);
    assert_eq!(graph.tip(p[2]), begun[0]);
}

/// Fusion and fission: one event begins the group and pauses the bodies, and undoing it annihilates.
#[test]
fn a_group_lives_and_dies_by_the_event_that_began_it() {
    let mut graph = StateGraph::new();
    let (a, _) = graph.add_process(EventOrder::MIN);
    let (b, _) = graph.add_process(EventOrder::MIN);
    let group = graph.add_idle_process();
    let (mut begun, mut undone) = (Vec::new(), Vec::new());
    graph.begin(order(4), &[a, b, group], &mut begun);
    graph.begin(order(8), &[group], &mut begun);
    graph.begin(order(12), &[a, b, group], &mut begun);
    graph.roll_back(b, order(12), &mut undone);
    assert_eq!(undone.len(), 3);
    assert_eq!(graph.tip(group), begun[3]);
    graph.roll_back(a, order(4), &mut undone);
    assert_eq!(undone.len(), 7);
    assert!(graph.is_idle(group) && !graph.is_idle(b));
    graph.remove_process(group, |_| ());
    assert_eq!(graph.add_idle_process(), group);
}

#[test]
#[should_panic(expected = "below GVT")]
fn rollback_below_gvt_is_refused() {
    let mut graph = StateGraph::new();
    let (process, _) = graph.add_process(EventOrder::MIN);
    let mut begun = Vec::new();
    graph.begin(order(4), &[process], &mut begun);
    graph.collect_before(begun[0], |_| ());
    graph.roll_back(process, order(4), &mut Vec::new());
}

#[test]
#[should_panic(expected = "roll it back first")]
fn an_event_in_the_past_is_refused() {
    let mut graph = StateGraph::new();
    let (process, _) = graph.add_process(order(8));
    graph.begin(order(4), &[process], &mut Vec::new());
}
