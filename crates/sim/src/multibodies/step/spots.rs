//! Contact points of a step: fixed to both bodies, or running over a round surface as it rolls.

use physics::Vec3;
use physics::groups::manifold::Manifolds;
use physics::groups::memory::{Held, PointKey};
use physics::groups::rolling::{Rings, rings_of};
use physics::groups::{Member, Memory, Neighbour, contacts};
use physics::{Pose, State};

/// Distance that bare polytopes keep, metres.
const SKIN: f64 = 4e-4;

/// A contact point.
pub(super) struct Spot {
    pub pair: (u32, u32),
    key: PointKey,
    /// From the second body towards the first.
    pub normal: Vec3,
    pub across: [Vec3; 2],
    /// On the cores, in the frames of the bodies.
    points: [Vec3; 2],
    /// Thickness around the cores, metres.
    margins: [f64; 2],
    rings: Rings,
    pub friction: f64,
    /// Distance at which it rests.
    pub rest: f64,
    pub gap: f64,
    /// Along the normal, over the whole step.
    pub impulse: f64,
    /// On the first body, at the step's end.
    pub force: Vec3,
    /// The impulses of a sub-step that the step before would have made, along the normal and across it.
    pub held: [f64; 3],
}

impl Spot {
    /// Where the surfaces of both bodies are here when the bodies stand so.
    pub fn surface(&self, poses: [Pose; 2]) -> [Vec3; 2] {
        let inwards = [self.normal, -self.normal];
        [0, 1].map(|k: usize| {
            let pose = poses[k];
            let rolled = self.rings[k].and_then(|ring| ring.arm(pose.rotation, inwards[k]));
            let core = match rolled {
                Some(arm) => pose.translation + arm,
                None => pose * self.points[k],
            };
            core - inwards[k] * self.margins[k]
        })
    }
}

/// Makes the contact points of manifolds, with what is remembered of them for sub-steps of `h` seconds.
pub(super) fn find(
    members: &[Member],
    neighbours: &[Neighbour],
    manifolds: &Manifolds,
    (memory, h): (&Memory, f64),
    spots: &mut Vec<Spot>,
) {
    spots.clear();
    for manifold in &manifolds.list {
        let (i, j) = (manifold.pair.0 as usize, manifold.pair.1 as usize);
        let bodies = [i, j].map(|k| contacts::body(members, neighbours, k));
        let [a, b] = bodies;
        let normal = manifold.normal;
        let (y, z) = normal.any_orthonormal_pair();
        let (parts, margins) = (manifold.parts, manifold.margins);
        for point in manifolds.points_of(manifold) {
            let key = PointKey {
                bodies: [i, j].map(|k| contacts::body_id(members, neighbours, k)),
                parts,
                piece: manifold.piece,
                feature: point.feature,
            };
            let force = force_of(memory, &key) * h;
            let surface = [point.on_a, point.on_b];
            let on = |body: (_, &State), point: Vec3| body.1.pose().inverse_transform_point(point);
            spots.push(Spot {
                pair: manifold.pair,
                key,
                normal,
                across: [y, z],
                points: [
                    on(a, point.on_a + normal * margins[0]),
                    on(b, point.on_b - normal * margins[1]),
                ],
                margins,
                rings: rings_of(bodies, parts, surface, normal, margins).unwrap_or_default(),
                friction: a.0.meeting(b.0).material.friction,
                rest: if manifold.rests_apart { SKIN } else { 0.0 },
                gap: point.gap,
                impulse: 0.0,
                force: Vec3::ZERO,
                held: [force.dot(normal).max(0.0), force.dot(y), force.dot(z)],
            });
        }
    }
}

/// The force remembered for a point, zero for a new one.
fn force_of(memory: &Memory, key: &PointKey) -> Vec3 {
    let points = memory.points();
    let found = points.binary_search_by(|held| held.key.cmp(key));
    found.map_or(Vec3::ZERO, |at| points[at].force)
}

/// Leaves the forces at the step's end, after `gone` seconds, in the memory.
pub(super) fn remember(
    members: &[Member],
    neighbours: &[Neighbour],
    spots: &[Spot],
    gone: f64,
    memory: &mut Memory,
) {
    let held = spots.iter().filter(|spot| spot.force != Vec3::ZERO);
    let held = held.map(|spot| {
        let at = [spot.pair.0, spot.pair.1].map(|k| match members.get(k as usize) {
            Some(member) => member.state.pose(),
            None => neighbours[k as usize - members.len()].pose_after(gone),
        });
        // Friction holds by velocities here: who goes on with positions begins where both bodies are now.
        let point = spot.surface(at)[0];
        Held {
            key: spot.key,
            force: spot.force,
            hold: at.map(|pose| pose.inverse_transform_point(point)),
        }
    });
    *memory = Memory::from_parts(held.collect(), Vec::new());
}
