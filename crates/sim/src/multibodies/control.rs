//! Controllers (Mirtich 4.6): user functions that see the joints of a multibody at times of their own choosing and set
//! the control signals of its motors. What they remember lies in slots, which are rolled back with the multibody.

use super::MultibodyBody;
use crate::world::BodyId;
use physics::State;
use std::fmt;
use std::sync::Arc;

/// What a controller sees and sets.
pub struct Control<'a> {
    /// When, seconds.
    pub seconds: f64,
    /// The multibody; its model answers for Jacobians, inverse dynamics and the like.
    pub multibody: &'a MultibodyBody,
    /// Positions of the joints.
    pub positions: &'a [f64],
    /// Velocities of the joints.
    pub velocities: &'a [f64],
    /// States of the bodies that it sees, in the order in which the controller names them; none in a call that does
    /// not look.
    pub seen: &'a [State],
    /// Control signals of the motors, which hold until they are changed.
    pub controls: &'a mut [f64],
    /// The other multibodies that it sees and drives, in the order in which the controller names them; none in a call
    /// that does not look.
    pub others: Vec<Other<'a>>,
    /// What the controller remembers; nothing else may be remembered, for what it has seen may be undone.
    pub slots: &'a mut [f64],
}

/// Another multibody that a controller sees and drives.
pub struct Other<'a> {
    /// The multibody.
    pub multibody: &'a MultibodyBody,
    /// Positions of its joints.
    pub positions: &'a [f64],
    /// Velocities of its joints.
    pub velocities: &'a [f64],
    /// Control signals of its motors.
    pub controls: &'a mut [f64],
}

impl Control<'_> {
    /// What the motors do to the joints with their signals as they are now: a force or torque for each velocity.
    pub fn torques(&self) -> Vec<f64> {
        let torques = |controls: &[f64]| {
            self.multibody
                .motor_forces(self.positions, self.velocities, controls)
        };
        torques(self.controls)
    }
}

impl Other<'_> {
    /// What its motors do to its joints with their signals as they are now.
    pub fn torques(&self) -> Vec<f64> {
        self.multibody
            .motor_forces(self.positions, self.velocities, self.controls)
    }
}

/// A collision of a link of a multibody that has a controller.
pub struct Collided<'a> {
    /// When, seconds.
    pub seconds: f64,
    /// The multibody.
    pub multibody: &'a MultibodyBody,
    /// The link's body.
    pub link: BodyId,
    /// Whom it has hit.
    pub partner: BodyId,
    /// The impulse between both, N s.
    pub impulse: f64,
    /// Control signals of the motors, which may be changed.
    pub controls: &'a mut [f64],
    /// What the controller remembers, which may be changed as well.
    pub slots: &'a mut [f64],
}

/// Called at every collision of a link, after it: bounces, and the first touch of contact that lasts. It must be a pure
/// function of what it is given.
pub type CollidedFn = Arc<dyn Fn(&mut Collided<'_>) + Send + Sync>;

/// A controller: it returns after how many seconds it wants to be called again, if at all.
pub type ControlFn = Arc<dyn Fn(&mut Control<'_>) -> Option<f64> + Send + Sync>;

/// A controller of a multibody.
#[derive(Clone)]
pub struct Controller {
    /// When it is called first, seconds.
    pub first: f64,
    /// What it remembers at the start.
    pub slots: Vec<f64>,
    /// Bodies that it sees. A body that is seen begins a new segment, for what was seen of it may have to be undone;
    /// it goes on as it was.
    pub sees: Vec<BodyId>,
    /// Other multibodies, by their numbers in the world, whose joints it sees and whose motors it sets. They begin new
    /// segments with it.
    pub others: Vec<usize>,
    /// The slot that says whether a call looks at bodies and other multibodies: it does where the slot was left at anything but zero. Every
    /// call looks, if there is none.
    pub eyes: Option<usize>,
    /// The function.
    pub run: ControlFn,
    /// What is called when a link collides.
    pub collided: Option<CollidedFn>,
}

impl Controller {
    /// A controller that is called first at `first` seconds, with so many slots that begin as zero, and sees its
    /// multibody alone.
    pub fn new(first: f64, slots: usize, run: ControlFn) -> Self {
        Controller {
            first,
            slots: vec![0.0; slots],
            sees: Vec::new(),
            others: Vec::new(),
            eyes: None,
            run,
            collided: None,
        }
    }

    /// The bodies that a call sees which finds these slots.
    pub(crate) fn looks_at(&self, slots: &[f64]) -> &[BodyId] {
        if self.looks(slots) { &self.sees } else { &[] }
    }

    /// The other multibodies that such a call sees and drives.
    pub(crate) fn drives(&self, slots: &[f64]) -> &[usize] {
        if self.looks(slots) { &self.others } else { &[] }
    }

    fn looks(&self, slots: &[f64]) -> bool {
        self.eyes.is_none_or(|eyes| slots[eyes] != 0.0)
    }
}

impl fmt::Debug for Controller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Controller {
            first,
            slots,
            sees,
            others,
            eyes,
            ..
        } = self;
        write!(
            f,
            "Controller {{ first: {first}, slots: {slots:?}, sees: {sees:?}, others: {others:?}, eyes: {eyes:?} }}"
        )
    }
}
