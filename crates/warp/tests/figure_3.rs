//! Mirtich's Figure 3, step by step: five bodies, a collision of A and B that is found late, and the
//! rollback that it sets off across the links of the state graph (section 4.2).
//!
//! ```text
//! time   0    1    2    3    4    5    6    7
//!    A   o--------------x----*---------o          x: the A-B collision, found last
//!    B   o----o---------x                         *: a state linked to others of its time
//!    C   o---------o---------*----*
//!    D   o----*-------------------*---------*
//!    E   o----*------------------------o----*
//! ```

use warpline_warp::{EventOrder, Moment, NodeId, NodeRef, ProcessId, StateGraph, Tick, Undone};

const A: ProcessId = ProcessId(0);
const B: ProcessId = ProcessId(1);
const C: ProcessId = ProcessId(2);
const D: ProcessId = ProcessId(3);
const E: ProcessId = ProcessId(4);
const ALL: [ProcessId; 5] = [A, B, C, D, E];

fn at(time: i64) -> EventOrder {
    EventOrder::before(Moment::at(Tick(time)))
}

/// Five worldlines that grow by events.
struct Story {
    graph: StateGraph,
}

impl Story {
    fn begin() -> Self {
        let mut graph = StateGraph::new();
        for body in ALL {
            assert_eq!(graph.add_process(at(0)).0, body);
        }
        Story { graph }
    }

    /// An event of some bodies: each goes on with a new state, and these are linked.
    fn event(&mut self, time: i64, bodies: &[ProcessId]) -> Vec<NodeRef> {
        let mut begun = Vec::new();
        self.graph.begin(at(time), bodies, &mut begun);
        begun.iter().map(|&n| self.graph.reference(n)).collect()
    }

    /// The times of a body's states, newest first.
    fn states(&self, body: ProcessId) -> Vec<i64> {
        let mut node = Some(self.graph.tip(body));
        let mut times = Vec::new();
        while let Some(n) = node {
            times.push(self.graph.start(n).tick.0);
            node = self.graph.previous(n);
        }
        times
    }

    /// The bodies whose states are linked to a state.
    fn linked(&self, node: NodeId) -> Vec<ProcessId> {
        let processes = self.graph.linked(node).map(|n| self.graph.process(n));
        let mut bodies: Vec<ProcessId> = processes.collect();
        bodies.sort_unstable();
        bodies
    }

    /// Local virtual times, whose minimum is GVT while no event is pending before it.
    fn gvt(&self) -> i64 {
        let local = |body: &ProcessId| self.graph.start(self.graph.tip(*body)).tick.0;
        ALL.iter().map(local).min().expect("five bodies")
    }
}

#[test]
fn a_late_collision_deletes_what_it_may_have_affected_and_nothing_else() {
    // Top of the figure: everybody has run ahead but B.
    let mut story = Story::begin();
    let early = story.event(1, &[D, E]);
    story.event(1, &[B]);
    story.event(2, &[C]);
    let suspect = [
        story.event(4, &[A, C]),
        story.event(5, &[C, D]),
        story.event(6, &[A]),
    ];
    let callback = story.event(6, &[E]);
    let last = story.event(7, &[D, E]);
    assert_eq!(story.gvt(), 1, "B is the furthest behind");
    assert_eq!(story.linked(last[0].node), [E]);

    // A check of A and B finds that they collide at 3. A has states after that, B has none.
    let mut undone: Vec<Undone> = Vec::new();
    story.graph.roll_back(A, at(3), &mut undone);
    story.graph.roll_back(B, at(3), &mut undone);

    // A's own states go, newest first: the one at 6, then the collision with C at 4. The link takes
    // the rollback to C, there forward to 5, over the next link to D, and so to 7 and to E.
    let mut gone: Vec<(ProcessId, i64)> = undone
        .iter()
        .map(|u| (u.process, u.order.moment.tick.0))
        .collect();
    gone.sort_unstable();
    let expected = [(A, 4), (A, 6), (C, 4), (C, 5), (D, 5), (D, 7), (E, 7)];
    assert_eq!(gone, expected, "each once");
    let newest_first = |body: ProcessId| {
        let of = undone.iter().filter(|u| u.process == body);
        of.clone().zip(of.skip(1)).all(|(a, b)| a.order > b.order)
    };
    assert!(ALL.into_iter().all(newest_first));
    for reference in suspect.iter().chain([&last]).flatten() {
        assert!(!story.graph.is_live(*reference), "what it began is stale");
    }

    // What lies before, and what no link leads to, is as it was: C's state at 2, the early collision
    // of D and E with its link, and E's state at 6, which came before the collision that was undone.
    assert_eq!(story.states(A), [0]);
    assert_eq!(story.states(B), [1, 0]);
    assert_eq!(story.states(C), [2, 0]);
    assert_eq!(story.states(D), [1, 0]);
    assert_eq!(story.states(E), [6, 1, 0]);
    assert!(story.graph.is_live(callback[0]));
    assert_eq!(story.linked(early[0].node), [E]);

    // Bottom of the figure: the collision takes its place, both states linked.
    let collision = story.event(3, &[A, B]);
    assert_eq!(story.linked(collision[0].node), [B]);
    assert_eq!(story.states(A), [3, 0]);
    assert_eq!(story.states(B), [3, 1, 0]);

    // Work was lost, but GVT has not fallen, and rises as soon as C and D have looked around again.
    assert_eq!(story.gvt(), 1);
    story.event(3, &[C]);
    story.event(3, &[D]);
    assert_eq!(story.gvt(), 3, "forward progress");
}

/// A rollback to a time after all states of a body undoes nothing, and one that reaches a linked state
/// from the other side undoes the same states.
#[test]
fn the_same_states_go_whichever_end_of_a_link_is_rolled_back() {
    let told = |from: ProcessId| {
        let mut story = Story::begin();
        story.event(4, &[A, C]);
        story.event(5, &[C, D]);
        let mut undone = Vec::new();
        story.graph.roll_back(from, at(9), &mut undone);
        assert!(undone.is_empty());
        story.graph.roll_back(from, at(4), &mut undone);
        let mut gone: Vec<_> = undone.iter().map(|u| (u.process, u.order)).collect();
        gone.sort_unstable();
        gone
    };
    assert_eq!(told(A), told(C));
    assert_eq!(told(A).len(), 4);
}
