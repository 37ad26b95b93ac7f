//! Segments of multibodies as plain data. Only what cannot be computed is saved: the joints where a segment begins, what
//! the motors are told, what the controller remembers, and where a contact group's step has put the joints.

use super::Engine;
use super::multibody::{Joints, Moment, Way};
use super::worldlines::Process;
use crate::multibodies::{Acting, MultibodyBody};
use physics::Vec3;
use serde::{Deserialize, Serialize};
use warp::{NodeId, Tick};

/// What a segment of a multibody needs to begin again.
#[derive(Serialize, Deserialize)]
pub(super) struct SavedJoints {
    start: Vec<f64>,
    controls: Vec<f64>,
    slots: Vec<f64>,
    /// Forces on links.
    forces: Vec<(u32, [f64; 3])>,
    /// The integrator's first step.
    step: f64,
    /// The joints at the end of a group's step, and when that is.
    end: Option<(Vec<f64>, i64)>,
}

impl Engine {
    /// What is saved of a multibody's segment; nothing of others, which may have the numbers of freed ones.
    pub(super) fn saved_joints(&self, node: NodeId) -> Option<SavedJoints> {
        match self.lines.kind(self.lines.process(node)) {
            Process::Multibody(_) => self.multibodies.segment(node).map(SavedJoints::new),
            _ => None,
        }
    }
}

impl SavedJoints {
    pub fn new(joints: &Joints) -> Self {
        let forces = joints.acting.forces.iter();
        SavedJoints {
            start: joints.start.clone(),
            controls: joints.acting.controls.clone(),
            slots: joints.slots.clone(),
            forces: forces.map(|(link, f)| (*link, f.to_array())).collect(),
            step: joints.acting.step,
            end: match &joints.way {
                Way::Flow(_) => None,
                Way::Step(end, until) => Some((end.clone(), until.0)),
            },
        }
    }

    /// The segment, whose controller is called after `seconds`.
    pub fn into_joints(self, seconds: f64) -> Joints {
        let now = Moment {
            joints: self.start,
            acting: Acting {
                controls: self.controls,
                forces: self
                    .forces
                    .iter()
                    .map(|(k, f)| (*k, Vec3::from_array(*f)))
                    .collect(),
                step: self.step,
            },
            slots: self.slots,
        };
        match self.end {
            None => Joints::flowing(now, seconds),
            Some((end, until)) => Joints {
                start: now.joints,
                acting: now.acting,
                slots: now.slots,
                way: Way::Step(end, Tick(until)),
            },
        }
    }

    /// What is wrong with it as a segment of a multibody that begins at a tick, if anything is.
    pub fn wrong(&self, made: &MultibodyBody, start: Tick) -> Option<&'static str> {
        let remembers = made.controller.as_ref().map_or(0, |c| c.slots.len());
        let is_state = |joints: &[f64]| {
            joints.len() == made.start.len()
                && joints.iter().all(|x| x.abs() <= super::FARTHEST)
                && made
                    .model
                    .is_turned_by_unit(&joints[..made.model.positions()])
        };
        if !is_state(&self.start) {
            return Some("has joints that are nowhere");
        }
        if self.controls.len() != made.motors.len() || !self.controls.iter().all(|x| x.is_finite())
        {
            return Some("has motors that are told what is no number");
        }
        let is_link = |link: u32| made.links.iter().any(|l| l.link == link);
        if !self
            .forces
            .iter()
            .all(|(link, f)| is_link(*link) && f.iter().all(|x| x.is_finite()))
        {
            return Some("has forces on links that are not there, or that are no numbers");
        }
        if !(self.step >= 0.0 && self.step < 1e3) {
            return Some("has been followed with a step that is no length of time");
        }
        // What a controller remembers is its own, whatever it is.
        if self.slots.len() != remembers {
            return Some("has a controller that remembers something else");
        }
        match &self.end {
            Some((end, until)) if !is_state(end) || Tick(*until) <= start => {
                Some("makes a step that leads nowhere")
            }
            _ => None,
        }
    }
}
