//! The forces at contact points, about thirty times a second: what a recording keeps of them for whoever looks at it.

use physics::contact::closest;
use physics::groups::memory::Held;
use physics::{Quat, State, Vec3};
use record::{Force, Segment};
use sim::{BodyId, GroupContacts, World};
use warp::Tick;

/// Log2 of the ticks of a page of time (a thirty-second of a second): of a group's steps that begin in one page the first
/// is told.
const PAGE_LOG2: u32 = 35;

/// Gathers the forces of a world's contact groups. See the module's text.
pub struct Forces<'w> {
    world: &'w World,
    /// Each body at the start of its newest segment.
    states: Vec<State>,
    /// The page of time in which the group that has this body for its first member was told last.
    told: Vec<i64>,
    noted: Vec<Force>,
}

impl<'w> Forces<'w> {
    /// Of a world, from its start.
    pub fn new(world: &'w World) -> Self {
        let nowhere = State {
            position: Vec3::ZERO,
            velocity: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            spin: Vec3::ZERO,
        };
        Forces {
            world,
            states: vec![nowhere; world.bodies.len()],
            told: vec![i64::MIN; world.bodies.len()],
            noted: Vec::new(),
        }
    }

    /// A body goes on from here.
    pub fn segment(&mut self, segment: &Segment<'_>) {
        if let Some(state) = self.states.get_mut(segment.body as usize) {
            state.position = Vec3::from_array(segment.position);
            state.rotation = Quat::from_array(segment.rotation);
        }
    }

    /// A step of a group.
    pub fn contacts(&mut self, group: &GroupContacts<'_>) {
        let first = group.members.first().map(|member| *member as usize);
        let page = group.tick.0 >> PAGE_LOG2;
        match first.and_then(|first| self.told.get_mut(first)) {
            Some(told) if *told != page => *told = page,
            _ => return,
        }
        for points in group.points.chunk_by(|a, b| a.key.bodies == b.key.bodies) {
            let mut apart = None;
            for held in points.iter().filter(|held| !held.is_of_joint()) {
                self.note(group.tick, held, &mut apart);
            }
        }
    }

    /// Notes a point. Where the solver has not said where it is, the bodies' closest points are meant.
    fn note(&mut self, tick: Tick, held: &Held, apart: &mut Option<Vec3>) {
        let [a, b] = held.key.bodies.map(|body| body as usize);
        let (Some(of_a), Some(of_b)) = (self.states.get(a), self.states.get(b)) else {
            return;
        };
        if held.force == Vec3::ZERO {
            return;
        }
        let at = match held.hold {
            [Vec3::ZERO, Vec3::ZERO] => *apart.get_or_insert_with(|| {
                let [model_a, model_b] = [a, b].map(|body| self.world.model(BodyId(body as u32)));
                let point = closest(model_a, of_a, model_b, of_b).point();
                of_a.rotation.inverse() * (point - of_a.position)
            }),
            [on_a, _] => on_a,
        };
        let force = Force {
            tick: tick.0,
            bodies: held.key.bodies,
            at: at.to_array().map(|x| x as f32),
            force: held.force.to_array().map(|x| x as f32),
        };
        if force.at.iter().chain(&force.force).all(|x| x.is_finite()) {
            self.noted.push(force);
        }
    }

    /// What has been noted since this was last asked, in the order of time.
    pub fn take(&mut self) -> Vec<Force> {
        // groups are told in the order of their steps' starts
        std::mem::take(&mut self.noted)
    }
}
