//! The script of a kinematic body: key poses, with constant velocity and spin in between. Each
//! piece is a segment of the body's worldline; nothing that happens changes it. After the last key the body
//! rests, goes on for ever at a constant velocity and spin, or begins anew.

use physics::rotation::rotation_vector;
use physics::{Pose, State, Vec3};
use warp::Tick;

/// A pose that a kinematic body takes at a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// When.
    pub at: Tick,
    /// Where.
    pub pose: Pose,
}

/// What a kinematic body does after its last key.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Then {
    /// It rests.
    #[default]
    Rest,
    /// It moves and turns for ever.
    GoOn {
        /// Metres a second.
        velocity: Vec3,
        /// Radians a second.
        spin: Vec3,
    },
    /// It begins anew with its first key, whose pose is that of the last.
    Repeat,
}

/// Key poses in rising order of time; before the first the body rests.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    /// The keys.
    pub keys: Vec<Key>,
    /// What follows the last of them.
    pub then: Then,
}

impl Script {
    /// Key poses, and rest after the last.
    pub fn new(keys: Vec<Key>) -> Self {
        Script {
            keys,
            then: Then::Rest,
        }
    }

    /// From a pose at the start on at constant velocity (m/s) and spin (rad/s) for ever.
    pub fn endless(pose: Pose, velocity: Vec3, spin: Vec3) -> Self {
        Script {
            keys: vec![Key {
                at: Tick::ZERO,
                pose,
            }],
            then: Then::GoOn { velocity, spin },
        }
    }

    /// Whether the body never moves.
    pub fn is_still(&self) -> bool {
        let goes_on = match self.then {
            Then::GoOn { velocity, spin } => velocity != Vec3::ZERO || spin != Vec3::ZERO,
            Then::Rest | Then::Repeat => false,
        };
        !goes_on && self.keys.windows(2).all(|k| k[0].pose == k[1].pose)
    }

    /// What is wrong with it, if anything is.
    pub fn validate(&self) -> Result<(), String> {
        let [first, .., last] = self.keys.as_slice() else {
            return match (self.keys.first(), self.then) {
                (None, _) => Err("its script has no key".into()),
                (_, Then::Repeat) => Err("a script that repeats needs two keys at least".into()),
                _ => Ok(()),
            };
        };
        for pair in self.keys.windows(2) {
            if pair[1].at <= pair[0].at {
                return Err(format!(
                    "its script's keys must rise in time, but {} s follows {} s",
                    pair[1].at.seconds(),
                    pair[0].at.seconds()
                ));
            }
        }
        if self.then == Then::Repeat && !is_same(&first.pose, &last.pose) {
            return Err("a script that repeats must end in the pose it begins with".into());
        }
        Ok(())
    }

    /// The state at the beginning of the piece that starts at or before `tick`, and the tick at
    /// which the next piece begins.
    pub fn piece(&self, tick: Tick) -> Option<(State, Option<Tick>)> {
        let (first, last) = (self.keys.first()?, self.keys.last()?);
        if tick < first.at {
            return Some((State::at_rest(first.pose), Some(first.at)));
        }
        let period = last.at.0 - first.at.0;
        // Whole rounds that lie behind; within a round nothing depends on how many there were.
        let rounds = match self.then {
            Then::Repeat if period > 0 => (tick.0 - first.at.0) / period * period,
            _ => 0,
        };
        let tick = Tick(tick.0 - rounds);
        let index = self.keys.partition_point(|k| k.at <= tick) - 1;
        let here = &self.keys[index];
        let Some(there) = self.keys.get(index + 1) else {
            return Some((self.after(here.pose), None));
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
            Some(Tick(there.at.0 + rounds)),
        ))
    }

    /// The state at the last key.
    fn after(&self, pose: Pose) -> State {
        match self.then {
            Then::GoOn { velocity, spin } => State {
                velocity,
                spin,
                ..State::at_rest(pose)
            },
            Then::Rest | Then::Repeat => State::at_rest(pose),
        }
    }
}

/// Whether two poses are one up to rounding.
fn is_same(a: &Pose, b: &Pose) -> bool {
    let scale = 1.0 + a.translation.length();
    let turn = rotation_vector(b.rotation * a.rotation.inverse());
    a.translation.distance(b.translation) <= 1e-9 * scale && turn.length() <= 1e-9
}
