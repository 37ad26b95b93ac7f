//! Inputs to multibodies: an impulse on a link goes through the whole tree at once, a force acts through the link's centre
//! of mass for its time, a motor's signal holds until its controller sets it again. Either is an event on the multibody and all its links.

use super::Engine;
use super::multibody::{Joints, Moment};
use crate::input::Action;
use crate::multibodies::Response;
use ::multibody::Workspace;
use physics::Vec3;
use record::Event;
use std::sync::Arc;
use warp::{EventOrder, NodeId, ProcessId};

impl Engine {
    /// An input to a link, by its multibody and its place there, is due.
    pub(super) fn input_to_tree(
        &mut self,
        order: EventOrder,
        node: NodeId,
        (index, place): (usize, usize),
        action: Action,
    ) {
        let Some(mut now) = self.joints_at(index, order) else {
            return;
        };
        match action {
            Action::Impulse { impulse, point } => {
                self.push_link((index, place), &mut now, impulse, point);
            }
            Action::Signal { motor, value } => {
                if let Some(signal) = now.acting.controls.get_mut(motor as usize) {
                    *signal = value;
                }
            }
            // It begins or ends here, and so may others do that act on the link.
            Action::Force { .. } => {
                let made = &self.world.multibodies[index].links[place];
                let force = self.inputs.force_after(made.body.0, order).0;
                let forces = &mut now.acting.forces;
                forces.retain(|(link, _)| *link != made.link);
                if force != Vec3::ZERO {
                    forces.push((made.link, force));
                    forces.sort_unstable_by_key(|(link, _)| *link);
                }
            }
            // Refused when they are given.
            _ => return,
        }
        if let Some(group) = self.lines.group_of(node) {
            return self.input_to_tree_in_group(order, group, index, now);
        }
        let ring: Vec<ProcessId> = self.tree_processes(index).collect();
        let mut event = self.open(order, &ring);
        let alarm = self.alarm_before(index);
        let joints = Joints::flowing(now, alarm.since(order.moment.tick));
        self.tree_goes_on(&mut event, index, (joints, alarm), Event::Input, &[]);
        self.close(event);
    }

    /// The group of a multibody steps again from here.
    fn input_to_tree_in_group(
        &mut self,
        order: EventOrder,
        group: ProcessId,
        index: usize,
        now: Moment,
    ) {
        let members = self.members_at(group, order);
        let Some(mut gathering) = self.gather(order, members, vec![group]) else {
            return;
        };
        self.gather_trees(&mut gathering);
        let found = gathering.trees.iter().position(|tree| tree.index == index);
        if let Some(tree) = found {
            gathering.trees[tree].now = now;
            self.place_links(&mut gathering, tree);
        }
        gathering.event = Event::Input;
        self.regroup(gathering);
    }

    /// What an impulse on a link, at its centre of mass or at a point of the world, does to the joints.
    fn push_link(
        &self,
        (index, place): (usize, usize),
        now: &mut Moment,
        impulse: Vec3,
        point: Option<Vec3>,
    ) {
        let world = Arc::clone(&self.world);
        let made = &world.multibodies[index];
        let mut ws = Workspace::new(&made.model);
        let mut at = point.unwrap_or_default();
        if point.is_none() {
            made.link_states(&now.joints, &mut ws, |nth, state| {
                if nth == place {
                    at = state.position;
                }
            });
        }
        let link = made.links[place].link;
        let (q, v) = now.joints.split_at_mut(made.model.positions());
        Response::new(made, q, at, (link, None), &mut ws).apply(impulse, v);
        if !made.loops.is_empty() {
            let mut loops = made.loops.clone();
            loops.close_velocities(&made.model, q, v, &mut ws);
        }
    }
}
