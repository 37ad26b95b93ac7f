//! How a group's solver hands its bodies to the joints' system: at a step's start, and as they move on.

use super::{Link, System};
use crate::groups::{Member, Memory, Neighbour};
use crate::{MassProperties, Pose};

/// The bodies of a step: members as they are now, neighbours as they were at the step's start.
type Bodies<'s, 'm, 'n> = (&'s [Member<'m>], &'s [Neighbour<'n>]);

fn pose_of((members, neighbours): Bodies, place: u32, elapsed: f64) -> Pose {
    match members.get(place as usize) {
        Some(member) => member.state.pose(),
        None => neighbours[place as usize - members.len()].pose_after(elapsed),
    }
}

impl System {
    /// Takes over the joints of a group at the start of a step with sub-steps of `h` seconds.
    pub(crate) fn begin_step(&mut self, links: &[Link], bodies: Bodies, memory: &Memory, h: f64) {
        let heft = |place: u32| match bodies.0.get(place as usize) {
            Some(member) => member.model.mass,
            None => MassProperties::IMMOVABLE,
        };
        self.begin(links, heft, |place| pose_of(bodies, place, 0.0));
        if !self.is_empty() {
            self.recall(links, memory, h);
            self.follow(links, bodies, (0.0, h));
        }
    }

    /// The bodies have moved, `elapsed` seconds since the step's start.
    pub(crate) fn follow(&mut self, links: &[Link], bodies: Bodies, (elapsed, h): (f64, f64)) {
        self.place(links, |place| pose_of(bodies, place, elapsed), h);
    }
}
