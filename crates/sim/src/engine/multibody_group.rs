//! Multibodies in contact groups: a link that comes to lie on something brings its whole multibody into the group,
//! whose steps are then taken in the joints' coordinates. A multibody whose joints have limits or dry friction is
//! always stepped so, alone in its group if it touches nothing.

use super::event::Opened;
use super::groups::Joining;
use super::multibody::{Joints, Moment, Way};
use super::regroup::{Gathering, Sides};
use super::{Engine, Pending};
use crate::contact::ContactRules;
use crate::multibodies::{Tree, step};
use crate::world::BodyId;
use multibody::Workspace;
use physics::body::Material;
use physics::contact::Proximity;
use physics::groups::{Member, Memory, Neighbour, SolverError, Span, Surroundings};
use physics::{State, Vec3};
use std::sync::Arc;
use warp::{NodeId, ProcessId, Tick};

/// A multibody that takes part in a group's event.
#[derive(Clone, Debug)]
pub(super) struct Joined {
    /// Its number in the world.
    pub index: usize,
    /// The multibody at the event.
    pub now: Moment,
    /// Its joints at the end of the step.
    pub ends: Vec<f64>,
    /// When its controller wants to be called; as before, if that is not told.
    pub alarm: Option<Tick>,
}

impl Engine {
    /// The other links of a body's multibody.
    pub(super) fn linked(&self, body: u32) -> impl Iterator<Item = u32> {
        let of = self.multibodies.link(body);
        let made = of.map(|(index, _)| &self.world.multibodies[index]);
        let links = made.into_iter().flat_map(|made| &made.links);
        links.map(|link| link.body.0).filter(move |b| *b != body)
    }

    /// Adds the multibodies of gathered links that are not noted yet, and puts all links where the joints say.
    pub(super) fn gather_trees(&mut self, gathering: &mut Gathering) {
        if self.multibodies.is_empty() {
            return;
        }
        for k in 0..gathering.bodies.len() {
            let Some((index, 0)) = self.multibodies.link(gathering.bodies[k].body.0) else {
                continue;
            };
            if gathering.trees.iter().any(|tree| tree.index == index) {
                continue;
            }
            if let Some(now) = self.joints_at(index, gathering.order) {
                gathering.trees.push(Joined {
                    index,
                    ends: now.joints.clone(),
                    now,
                    alarm: None,
                });
                self.place_links(gathering, gathering.trees.len() - 1);
            }
        }
    }

    /// Puts the links of a gathered multibody where its joints say.
    pub(super) fn place_links(&self, gathering: &mut Gathering, tree: usize) {
        let Joined { index, now, .. } = &gathering.trees[tree];
        let made = &self.world.multibodies[*index];
        let mut ws = Workspace::new(&made.model);
        let bodies = &mut gathering.bodies;
        made.link_states(&now.joints, &mut ws, |place, state| {
            let body = made.links[place].body;
            if let Ok(at) = bodies.binary_search_by_key(&body, |j| j.body) {
                bodies[at].state = state;
            }
        });
    }

    /// Applies a collision that a link takes part in to the gathered bodies. Returns the changes of velocity and
    /// spin of both sides; those of links are in the gathering.
    pub(super) fn strike_links(
        &mut self,
        gathering: &mut Gathering,
        sides: &Sides,
        near: &Proximity,
        material: Material,
    ) -> [[Vec3; 2]; 2] {
        self.gather_trees(gathering);
        let Some(blow) = self.blow(sides, near, material, gathering.order) else {
            return [[Vec3::ZERO; 2]; 2];
        };
        for (index, mut now) in blow.trees {
            let hit = (gathering.order.moment.tick, blow.impulse.length());
            self.tell_collision(index, &mut now, sides, hit);
            let found = gathering.trees.iter().position(|tree| tree.index == index);
            if let Some(place) = found {
                gathering.trees[place].now = now;
                self.place_links(gathering, place);
            }
        }
        let changes = blow.changes.map(|change| change.unwrap_or([Vec3::ZERO; 2]));
        for (side, (body, _, _)) in sides.iter().enumerate() {
            if let Ok(place) = gathering.bodies.binary_search_by_key(body, |j| j.body) {
                gathering.bodies[place].state.velocity += changes[side][0];
                gathering.bodies[place].state.spin += changes[side][1];
            }
        }
        gathering.impulse = blow.impulse.length();
        changes
    }

    /// One step, so many ticks long, of a group that multibodies take part in; their joints at its end are left in the gathering.
    pub(super) fn step_trees(
        &mut self,
        rules: &ContactRules,
        gathering: &mut Gathering,
        length: i64,
        memory: &mut Memory,
    ) -> Result<Vec<State>, SolverError> {
        let order = gathering.order;
        let mut workshop = std::mem::take(&mut self.groups.workshop);
        let nearby: Vec<Joining> = workshop
            .neighbours
            .iter()
            .filter_map(|&body| self.joining(BodyId(body), order))
            .collect();
        let world = Arc::clone(&self.world);
        let bodies = &gathering.bodies;
        let place = |body: BodyId| bodies.binary_search_by_key(&body, |j| j.body);
        let mut trees: Vec<Tree<'_>> = Vec::with_capacity(gathering.trees.len());
        for tree in &gathering.trees {
            let made = &world.multibodies[tree.index];
            trees.push(Tree {
                index: tree.index,
                made,
                joints: tree.now.joints.clone(),
                acting: &tree.now.acting,
                places: made
                    .links
                    .iter()
                    .filter_map(|l| place(l.body).ok())
                    .map(|p| p as u32)
                    .collect(),
            });
        }
        let mut members: Vec<Member> = bodies
            .iter()
            .map(|j| Member {
                body: j.body.0,
                model: self.models.get(j.model),
                state: j.state,
            })
            .collect();
        let neighbours: Vec<Neighbour> = nearby
            .iter()
            .map(|j| Neighbour {
                body: j.body.0,
                model: self.models.get(j.model),
                state: j.state,
            })
            .collect();
        let span = Span {
            begin: order.moment.tick.seconds(),
            seconds: Tick(length).seconds(),
        };
        let around = Surroundings {
            neighbours: &neighbours,
            pairs: &workshop.pairs,
            links: &[],
        };
        let outcome = step(
            span,
            rules.margin,
            &mut members,
            &around,
            &mut trees,
            memory,
            &mut workshop.trees,
            &mut workshop.report,
        );
        let outcome = outcome.map(|()| members.iter().map(|m| m.state).collect());
        let ends: Vec<Vec<f64>> = trees.into_iter().map(|tree| tree.joints).collect();
        for (tree, ends) in gathering.trees.iter_mut().zip(ends) {
            tree.ends = ends;
        }
        self.groups.workshop = workshop;
        self.observers.count().group_steps += 1;
        outcome
    }

    /// Says how the gathered multibodies go on: with the group's step, or by themselves where `alone` says so of
    /// their first links. In a group that rests they stand still until something wakes it.
    pub(super) fn trees_go_on(
        &mut self,
        opened: &mut Opened,
        gathering: &Gathering,
        (step_end, rests): (Tick, bool),
        alone: impl Fn(u32) -> bool,
    ) {
        let world = Arc::clone(&self.world);
        for tree in &gathering.trees {
            let process = self.lines.multibody(tree.index);
            let alarm = tree.alarm.unwrap_or_else(|| self.alarm_before(tree.index));
            self.go_on_until(opened, process, alarm, true);
            let made = &world.multibodies[tree.index];
            let first = made.links[0].body.0;
            let now = tree.now.clone();
            let joints = match alone(first) {
                true => Joints::flowing(now, alarm.since(gathering.order.moment.tick)),
                false if rests => Joints::resting(now, made.model.positions()),
                false => Joints {
                    start: now.joints,
                    acting: now.acting,
                    slots: now.slots,
                    way: Way::Step(tree.ends.clone(), step_end),
                },
            };
            self.multibodies.set(self.lines.tip(process), joints);
        }
    }

    /// Pairs of gathered links, by place, that hang together, and the places of links whose multibody cannot be left
    /// to smooth motion.
    pub(super) fn bonds(&self, bodies: &[Joining]) -> (Vec<(u32, u32)>, Vec<u32>) {
        let (mut pairs, mut held) = (Vec::new(), Vec::new());
        if self.multibodies.is_empty() {
            return (pairs, held);
        }
        let place = |body: BodyId| bodies.binary_search_by_key(&body, |j| j.body).ok();
        for (at, joining) in bodies.iter().enumerate() {
            let Some((index, nth)) = self.multibodies.link(joining.body.0) else {
                continue;
            };
            let made = &self.world.multibodies[index];
            if let Some(next) = made.links.get(nth + 1).and_then(|l| place(l.body)) {
                pairs.push((at as u32, next as u32));
            }
            if nth == 0 && !made.is_smooth() {
                held.push(at as u32);
            }
        }
        (pairs, held)
    }

    /// Schedules that a multibody with limits or dry friction becomes a group.
    pub(super) fn arm_tree(&mut self, node: NodeId) {
        let body = self.lines.flight(node).body;
        let Some((index, 0)) = self.multibodies.link(body) else {
            return;
        };
        let start = self.lines.start(node);
        if !self.world.multibodies[index].is_smooth()
            && self.lines.group_of(node).is_none()
            && start.tick >= self.gvt
            && start.tick < self.world.until
        {
            let reference = self.lines.reference(node);
            self.agenda.push(Pending::join(start, body, reference));
        }
    }

    /// The processes of gathered multibodies.
    pub(super) fn tree_rings(&self, gathering: &Gathering) -> Vec<ProcessId> {
        let trees = gathering.trees.iter();
        trees.map(|tree| self.lines.multibody(tree.index)).collect()
    }
}
