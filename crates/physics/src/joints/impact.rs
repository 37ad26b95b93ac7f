//! Bodies with joints that hit each other: what is joined to them takes its part of the blow at once.

use super::{Link, Moves, System};
use crate::Vec3;

/// Two bodies about to hit each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blow {
    /// Their places.
    pub bodies: [usize; 2],
    /// From their centres of mass to where they touch.
    pub arms: [Vec3; 2],
    /// Towards the first one.
    pub normal: Vec3,
    /// Newton's coefficient.
    pub restitution: f64,
}

impl Blow {
    /// The speed with which they part, m/s; negative while they approach.
    pub fn speed<M: Moves>(&self, movers: &[M]) -> f64 {
        let at = |k: usize| {
            let [velocity, spin] = movers[self.bodies[k]].motion();
            velocity + spin.cross(self.arms[k])
        };
        self.normal.dot(at(0) - at(1))
    }
}

impl System {
    /// Lets two bodies bounce off each other by Newton's law, all joints held. With a restitution of one that
    /// takes no energy away. Returns the impulse, N s.
    pub(crate) fn strike<M: Moves>(
        &mut self,
        links: &[Link],
        movers: &mut [M],
        blow: &Blow,
    ) -> f64 {
        let speed = blow.speed(movers);
        let [a, b] = blow.bodies;
        let ends = [movers[a].motion(), movers[b].motion()];
        self.load(movers);
        let joined: Vec<[Vec3; 2]> = self.bodies.iter().map(|b| [b.velocity, b.spin]).collect();
        let begin_again = |system: &Self, movers: &mut [M]| {
            movers[a].set_motion(ends[0]);
            movers[b].set_motion(ends[1]);
            for (body, motion) in system.bodies.iter().zip(&joined) {
                if !body.is_fixed() {
                    movers[body.place as usize].set_motion(*motion);
                }
            }
        };
        let strike = |system: &mut Self, movers: &mut [M], impulse: f64| {
            movers[a].kick(blow.arms[0], blow.normal * impulse);
            movers[b].kick(blow.arms[1], blow.normal * -impulse);
            system.load(movers);
            system.hold_velocities(links);
            system.store(movers);
            blow.speed(movers) - speed
        };
        // What a blow does is in proportion to it, so a trial tells how strong it must be.
        let change = strike(self, movers, 1.0);
        begin_again(self, movers);
        let impulse = -(1.0 + blow.restitution) * speed / change;
        if !(impulse.is_finite() && impulse > 0.0) {
            return 0.0;
        }
        strike(self, movers, impulse);
        impulse
    }
}

/// The motions of a group's bodies before its first bounces; later ones are not asked for.
pub(crate) fn motions<M: Moves>(joints: &System, movers: &[M], substep: u32) -> Vec<[Vec3; 2]> {
    if joints.is_empty() || substep > 0 {
        return Vec::new();
    }
    movers.iter().map(Moves::motion).collect()
}

/// How a body's motion has changed.
pub(crate) fn change<M: Moves>(mover: &M, before: [Vec3; 2]) -> [Vec3; 2] {
    let [velocity, spin] = mover.motion();
    [velocity - before[0], spin - before[1]]
}
