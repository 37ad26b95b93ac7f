//! Controllers (Mirtich 4.6): user functions that see the joints of a multibody at times of their own choosing and set
//! the control signals of its motors. What they remember lies in slots, which are rolled back with the multibody.

use super::MultibodyBody;
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
    /// How many numbers it remembers; they begin as zero.
    pub slots: usize,
    /// The function.
    pub run: ControlFn,
}

impl fmt::Debug for Controller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Controller { first, slots, .. } = self;
        write!(f, "Controller {{ first: {first}, slots: {slots} }}")
    }
}
