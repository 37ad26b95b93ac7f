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
    /// What the controller remembers; nothing else may be remembered, for what it has seen may be undone.
    pub slots: &'a mut [f64],
}

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
    /// The slot that says whether a call looks at them: it does where the slot was left at anything but zero. Every
    /// call looks, if there is none.
    pub eyes: Option<usize>,
    /// The function.
    pub run: ControlFn,
}

impl Controller {
    /// A controller that is called first at `first` seconds, with so many slots that begin as zero, and sees its
    /// multibody alone.
    pub fn new(first: f64, slots: usize, run: ControlFn) -> Self {
        Controller {
            first,
            slots: vec![0.0; slots],
            sees: Vec::new(),
            eyes: None,
            run,
        }
    }

    /// The bodies that a call sees which finds these slots.
    pub(crate) fn looks_at(&self, slots: &[f64]) -> &[BodyId] {
        let looks = self.eyes.is_none_or(|eyes| slots[eyes] != 0.0);
        if looks { &self.sees } else { &[] }
    }
}

impl fmt::Debug for Controller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Controller {
            first,
            slots,
            sees,
            eyes,
            ..
        } = self;
        write!(
            f,
            "Controller {{ first: {first}, slots: {slots:?}, sees: {sees:?}, eyes: {eyes:?} }}"
        )
    }
}
