//! A solver that is watched: after each of its steps all its members are measured against each other and against what was near,
//! where the solver has put them, by [`super::separation`].

use super::separation::{Solid, separation};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use warpline::physics::groups::{
    GroupSolver, Member, Memory, Neighbour, Report, Scratch, SolverError, Span, Surroundings,
};
use warpline::physics::{BodyModel, Pose};
use warpline::sim::World;

/// What was seen.
#[derive(Debug, Default)]
pub struct Seen {
    /// Steps that ended well.
    pub steps: usize,
    /// Pairs that were measured within their bounding balls.
    pub pairs: usize,
    /// By how much a constraint of non-overlap is violated, as a part of the smaller body's least width.
    pub violation: f64,
    /// Between which bodies.
    pub bodies: [u32; 2],
    /// The largest group.
    pub members: usize,
}

/// Delegates, and looks at what it gets back.
pub struct Watched {
    solver: Arc<dyn GroupSolver>,
    solids: BTreeMap<u32, Solid>,
    seen: Mutex<Seen>,
}

impl std::fmt::Debug for Watched {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "watched {:?}", self.solver)
    }
}

impl Watched {
    /// Puts itself between a world's engine and its solver.
    pub fn watch(world: &mut World) -> Arc<Watched> {
        let bodies = 0..world.bodies.len() as u32;
        let model = |body: &u32| world.model(warpline::sim::BodyId(*body));
        let solids = bodies.filter_map(|body| Some((body, Solid::of(model(&body))?)));
        let solids = solids.collect();
        let rules = world.contact.as_mut().expect("a scene with contact");
        let watched = Arc::new(Watched {
            solver: Arc::clone(&rules.solver),
            solids,
            seen: Mutex::default(),
        });
        rules.solver = Arc::clone(&watched) as Arc<dyn GroupSolver>;
        watched
    }

    /// What was seen so far.
    pub fn seen(&self) -> Seen {
        std::mem::take(&mut self.seen.lock().expect("nobody panicked"))
    }

    fn look(&self, members: &[Member], neighbours: &[Neighbour], seconds: f64) {
        let own = members.iter().map(|m| (m.body, m.model, m.state.pose()));
        let others = (neighbours.iter()).map(|n| (n.body, n.model, n.pose_after(seconds)));
        let all: Vec<(u32, &BodyModel, Pose)> = own.chain(others).collect();
        let mut seen = self.seen.lock().expect("nobody panicked");
        seen.steps += 1;
        seen.members = seen.members.max(members.len());
        for i in 0..members.len() {
            for j in i + 1..all.len() {
                let ([a, b], [at, bt]) = ([all[i].0, all[j].0], [&all[i].2, &all[j].2]);
                let reach = all[i].1.bounding_radius() + all[j].1.bounding_radius();
                if at.translation.distance(bt.translation) > reach {
                    continue;
                }
                let [Some(p), Some(q)] = [a, b].map(|body| self.solids.get(&body)) else {
                    continue;
                };
                seen.pairs += 1;
                let violation = -separation((p, at), (q, bt)) / p.width.min(q.width);
                if violation > seen.violation {
                    (seen.violation, seen.bodies) = (violation, [a, b]);
                }
            }
        }
    }
}

impl GroupSolver for Watched {
    fn name(&self) -> &'static str {
        self.solver.name()
    }

    fn step(
        &self,
        span: Span,
        members: &mut [Member],
        around: &Surroundings<'_>,
        memory: &mut Memory,
        scratch: &mut Scratch,
        report: &mut Report,
    ) -> Result<(), SolverError> {
        (self.solver).step(span, members, around, memory, scratch, report)?;
        if report.effort.steps > 0 {
            self.look(members, around.neighbours, span.seconds);
        }
        Ok(())
    }

    fn pass(
        &self,
        span: Span,
        members: &mut [Member],
        around: &Surroundings<'_>,
        passing: &[u32],
        memory: &mut Memory,
        scratch: &mut Scratch,
        report: &mut Report,
    ) -> Option<Result<(), SolverError>> {
        let end = (self.solver).pass(span, members, around, passing, memory, scratch, report)?;
        if end.is_ok() {
            self.look(members, around.neighbours, span.seconds);
        }
        Some(end)
    }

    fn holds_joints(&self) -> bool {
        self.solver.holds_joints()
    }

    fn keeps_apart(&self) -> bool {
        self.solver.keeps_apart()
    }
}
