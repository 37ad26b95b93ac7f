//! The script of a kinematic body: key poses, with constant velocity and spin in between. Each
//! piece is a segment of the body's worldline; nothing that happens changes it.

use physics::rotation::rotation_vector;
use physics::{Pose, State};
use warp::Tick;

/// A pose that a kinematic body takes at a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// When.
    pub at: Tick,
    /// Where.
    pub pose: Pose,
}

/// Key poses in rising order of time; before the first and after the last the body rests.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    /// The keys.
    pub keys: Vec<Key>,
}

impl Script {
    /// The state at the beginning of the piece that starts at or before `tick`, and the tick at
    /// which the next piece begins.
    pub fn piece(&self, tick: Tick) -> Option<(State, Option<Tick>)> {
        let first = self.keys.first()?;
        if tick < first.at {
            return Some((State::at_rest(first.pose), Some(first.at)));
        }
        let index = self.keys.partition_point(|k| k.at <= tick) - 1;
        let here = &self.keys[index];
        let Some(there) = self.keys.get(index + 1) else {
            return Some((State::at_rest(here.pose), None));
        };
        let seconds = there.at.since(here.at);
        let turn = there.pose.rotation * here.pose.rotation.inverse();
        Some((
            State {
                position: here.pose.translation,
                velocity: (there.pose.translation - here.pose.translation) / seconds,
                rotation: here.pose.rotation,
                spin: rotation_vector(turn) / seconds,
            },
            Some(there.at),
        ))
    }
}
