//! How the bodies go on that take part in a group's event.

use super::event::Opened;
use super::groups::Joining;
use super::parting::Part;
use super::regroup::{Gathering, Stepped};
use super::{Course, Engine, Origin};
use crate::world::BodyId;
use physics::rotation::{rotation_vector, world_tensor};
use physics::{Drive, Mat3, State, Vec3};
use record::{Event, NO_PARTNER};
use warp::{NodeId, ProcessId, Tick};

impl Engine {
    /// A member of a group whose step goes on begins a new segment on the same way.
    pub(super) fn course_on(&self, body: BodyId, node: NodeId, tick: Tick) -> Course {
        let (was, end) = (self.lines.drive(node), self.lines.step_end(node));
        let motion = self.motion(node);
        let [velocity, spin] = was.at(&motion, end, tick);
        let left = if tick < end && tick > motion.flight.start {
            end.since(tick) / end.since(motion.flight.start)
        } else {
            1.0
        };
        Course {
            body,
            state: motion.state(tick),
            previous: node,
            model: self.lines.model(node),
            group: self.lines.group_of(node),
            drive: Drive {
                velocity: [velocity, was.velocity[1]],
                spin: [spin, was.spin[1]],
                bend: was.bend * (left * left),
            },
            horizon: end,
            began: Some(self.lines.step_begins(node)),
            host: self.lines.host(node),
            is_asleep: false,
            grip: 0.0,
        }
    }

    /// Says how the bodies go on that take part.
    pub(super) fn bodies_go_on(
        &mut self,
        opened: &mut Opened,
        gathering: &Gathering,
        parts: &[Part],
        stepped: &Stepped,
        event: Event,
    ) {
        let tick = gathering.order.moment.tick;
        let grips = if parts.iter().any(|p| p.is_asleep) {
            self.grips(gathering)
        } else {
            Vec::new()
        };
        let alone = |body: u32| {
            let of = parts.iter().find(|part| part.contains(gathering, body));
            of.is_none_or(|part| part.group.is_none())
        };
        self.trees_go_on(opened, gathering, stepped.end, alone);
        for part in parts {
            let lag = self.lag(gathering, part, &stepped.ends);
            for &member in &part.members {
                let joining = gathering.bodies[member];
                let course = match part.group {
                    None if part.is_asleep => Course::asleep(joining, grips[member]),
                    None => Course::alone(joining.body, joining.state, joining.node, joining.model),
                    Some(group) if stepped.leans_on.is_some() => Course::resting(joining, group),
                    Some(group) => self.moved(
                        joining,
                        group,
                        (&stepped.ends[member], stepped.end),
                        lag,
                        tick,
                    ),
                };
                let mut origin = self.origin_of(gathering, event, joining.body.0, joining.node);
                if part.is_asleep {
                    origin.event = Event::Rest;
                }
                self.go_on(opened, &course, origin);
            }
        }
        for (course, own) in &gathering.outsiders {
            let origin = Origin {
                event: *own,
                flurry: self.flurry_after(course.previous, tick),
                ..self.origin_of(gathering, event, course.body.0, course.previous)
            };
            self.go_on(opened, course, origin);
        }
        if let Some(hook) = self.world.on_collision.clone()
            && gathering.impulse > 0.0
        {
            self.count_in_slots(opened, &gathering.pair, gathering.impulse, tick, &hook);
        }
    }

    /// A member's course over a step that ends at a tick in a state; `lag` is what the group lacks in spin.
    fn moved(
        &self,
        joining: Joining,
        group: ProcessId,
        (end, at): (&State, Tick),
        lag: Vec3,
        tick: Tick,
    ) -> Course {
        let mut course = moving(joining, end, at.since(tick));
        if lag != Vec3::ZERO {
            let inertia = self.models.get(joining.model).mass.inertia;
            course.drive.bend = world_tensor(joining.state.rotation, inertia) * lag;
        }
        Course {
            group: Some(group),
            horizon: at,
            ..course
        }
    }

    /// How the segment of a body begins that takes part in a group's event; `previous` is the one before.
    fn origin_of(
        &self,
        gathering: &Gathering,
        event: Event,
        body: u32,
        previous: NodeId,
    ) -> Origin {
        let [a, b] = gathering.pair;
        let is_struck = body == a || body == b;
        let tick = gathering.order.moment.tick;
        Origin {
            event,
            partner: match is_struck {
                false => NO_PARTNER,
                true if body == a => b,
                true => a,
            },
            impulse: if is_struck { gathering.impulse } else { 0.0 },
            overlap: if is_struck {
                gathering.overlap as f32
            } else {
                0.0
            },
            storm: match event {
                Event::Step | Event::Touch => 0,
                _ => self.storm_after(previous, tick),
            },
            flurry: 0,
            epoch: 0,
        }
    }

    /// What the members of a group that floats freely lack in spin, in the middle of a step four times as
    /// little as this: their ways are straight while their velocities turn, so that the angular momentum of
    /// the whole would not be the same at every tick. It is made up for by a spin that all have in common.
    fn lag(&self, gathering: &Gathering, part: &Part, ends: &[State]) -> Vec3 {
        let is_outside = |body: u32| !part.contains(gathering, body);
        let touches = &self.groups.workshop.report.touches;
        let leans = touches
            .iter()
            .any(|t| t.normal_impulse > 0.0 && (is_outside(t.a) || is_outside(t.b)));
        let mut tied = self.groups.workshop.tied_neighbours(gathering.bodies.len());
        if !gathering.trees.is_empty() {
            return Vec3::ZERO;
        }
        if part.group.is_none() || part.members.len() < 2 || leans || tied.next().is_some() {
            return Vec3::ZERO;
        }
        let mass = |m: usize| self.models.get(gathering.bodies[m].model).mass;
        let moved = |m: usize| ends[m].position - gathering.bodies[m].state.position;
        let (mut all, mut way) = (0.0, Vec3::ZERO);
        for &m in &part.members {
            all += mass(m).mass;
            way += moved(m) * mass(m).mass;
        }
        let mean = way / all;
        let (mut missing, mut inertia) = (Vec3::ZERO, Mat3::ZERO);
        for &m in &part.members {
            let start = &gathering.bodies[m].state;
            let kick = (ends[m].velocity - start.velocity) * mass(m).mass;
            missing += (moved(m) - mean).cross(kick);
            inertia += world_tensor(start.rotation, mass(m).inertia);
        }
        let lag = inertia.inverse() * missing;
        if lag.is_finite() { lag } else { Vec3::ZERO }
    }
}

/// A member's course over a step: from where it is to where the solver has put it.
pub(super) fn moving(joining: Joining, end: &State, step: f64) -> Course {
    let start = joining.state;
    let turn = end.rotation * start.rotation.inverse();
    Course {
        body: joining.body,
        state: State {
            position: start.position,
            velocity: (end.position - start.position) / step,
            rotation: start.rotation,
            spin: rotation_vector(turn) / step,
        },
        previous: joining.node,
        model: joining.model,
        group: None,
        drive: Drive {
            velocity: [start.velocity, end.velocity],
            spin: [start.spin, end.spin],
            bend: Vec3::ZERO,
        },
        horizon: Tick::MAX,
        began: None,
        host: None,
        is_asleep: false,
        grip: 0.0,
    }
}
