//! Who touches whom: what the solvers of contact groups remember of a step, told beside the segments. It is a function
//! of the history (a group's memory is), so whoever makes events of it gets the same from every executor.

use super::worldlines::Process;
use super::{Engine, EngineError};
use crate::history::{GroupContacts, History, Listener, Pressed};
use physics::Vec3;
use physics::groups::memory::Held;
use warp::{NodeId, Tick};

impl Engine {
    /// Tells the contacts of a group's step.
    pub(super) fn tell_contacts(&self, node: NodeId, history: &mut Listener<'_>) {
        let group = self.lines.process(node);
        if !history.wants_contacts() || self.lines.kind(group) != Process::Group {
            return;
        }
        let step = self.groups.step(node);
        if step.is_ended {
            return;
        }
        let seconds = self.world.contact.as_ref().map_or(0.0, |rules| rules.step);
        let mut pairs: Vec<Pressed> = Vec::new();
        let points = step.memory.points();
        for points in points.chunk_by(|a, b| a.key.bodies == b.key.bodies) {
            let pushes = |held: &&Held| !held.is_of_joint() && held.force != Vec3::ZERO;
            let loaded = points.iter().filter(pushes).map(|held| held.force);
            let Some(force) = loaded.reduce(|sum, force| sum + force) else {
                continue;
            };
            let [a, b] = points[0].key.bodies;
            pairs.push(Pressed {
                bodies: [a.min(b), a.max(b)],
                impulse: force.length() * seconds,
            });
        }
        pairs.sort_unstable_by_key(|pair| pair.bodies);
        let contacts = GroupContacts {
            tick: self.lines.start(node).tick,
            members: self.groups.members(group),
            pairs: &pairs,
            points,
        };
        history.tell(|history| history.contacts(&contacts));
    }

    /// Tells what has begun before `to` and is not committed, as a commit would, and keeps it.
    pub(crate) fn foretell(&self, to: Tick, history: &mut dyn History) -> Result<(), EngineError> {
        let mut batch = Vec::new();
        self.account.foresee(to, &self.lines, &mut batch);
        let mut history = Listener::new(history);
        for (_, _, node) in batch {
            if self.lines.is_bodys(node) {
                let segment = self.as_told(node);
                history.tell(|history| history.segment(&segment));
            } else {
                self.tell_contacts(node, &mut history);
            }
        }
        history.tell(|history| history.gvt(to));
        Ok(history.conclude()?)
    }
}
