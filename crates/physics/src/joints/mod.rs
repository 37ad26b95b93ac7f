//! Joints: what holds two bodies together at a point, an axis or a distance.
//!
//! A joint is constant data. Solvers of contact groups hold joints with [`System`], which finds the impulses of
//! all joints of a group at once, on the previewed state (Bender & Schmitt 2006, as Bayer, Diziol & Bender
//! 2009 cite it).

mod blow;
mod calm;
mod hold;
mod impact;
mod rows;
mod skyline;
mod spring;
mod steady;
mod step;
mod system;

pub use blow::{Linkage, Party, Struck, strike};
pub(crate) use impact::{Blow, change, motions};
pub use system::{Moves, System};

use crate::{Pose, Quat, Vec3};

/// Distance of the anchors that a joint may show at the start, metres: what is written down in decimal.
pub const START_ERROR: f64 = 1e-6;

/// Drives a joint along its axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor {
    /// Speed of the second body against the first one, rad/s of a hinge, m/s of a slider.
    pub speed: f64,
    /// Largest torque of a hinge's motor, N m, or force of a slider's, N.
    pub strength: f64,
}

/// Draws a joint to a place along what it leaves free: a spring, or a motor that aims at a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// Where it does not pull: radians of a hinge, metres of a slider (both zero at the start) or between the anchors.
    pub rest: f64,
    /// N m/rad of a hinge, N/m of the others.
    pub stiffness: f64,
    /// N m s/rad of a hinge, N s/m of the others.
    pub damping: f64,
    /// The largest torque or force, N m or N.
    pub strength: f64,
}

/// What a joint leaves free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// The anchors stay together; the bodies turn as they like.
    Ball,
    /// The bodies turn about one axis.
    Hinge {
        /// Smallest and largest angle of the second body against the first one, radians; zero at the start.
        limits: Option<[f64; 2]>,
        /// What turns it.
        motor: Option<Motor>,
    },
    /// The second body slides along an axis of the first one and does not turn against it.
    Slider {
        /// Smallest and largest displacement, metres; zero at the start.
        limits: Option<[f64; 2]>,
        /// What moves it.
        motor: Option<Motor>,
    },
    /// Nothing.
    Fixed,
    /// The anchors keep a distance.
    Distance {
        /// Metres.
        length: f64,
    },
    /// Nothing but the joint's spring is between the anchors.
    Free,
    /// The anchors are no farther from each other than this.
    Rope {
        /// Metres.
        length: f64,
    },
}

/// Two bodies held together.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// For messages.
    pub name: String,
    /// The bodies' numbers in the world.
    pub bodies: [u32; 2],
    /// The joint's frame in each body's principal frame: the anchor, and the axis along x.
    pub frames: [Pose; 2],
    /// What it leaves free.
    pub kind: JointKind,
    /// What draws it to a place; of a hinge, a slider or one that is free otherwise.
    pub spring: Option<Spring>,
    /// Whether the two bodies collide with each other.
    pub collide: bool,
}

/// Why a joint makes no sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum JointError {
    /// A number that is not finite, or out of its range.
    #[error("its {what} is {value}; expected {expected}")]
    Number {
        /// Which number.
        what: &'static str,
        /// What was found.
        value: f64,
        /// What would be right.
        expected: &'static str,
    },
    /// Both ends on one body.
    #[error("it joins a body to itself")]
    SameBody,
    /// The anchors do not meet.
    #[error(
        "its anchors are {apart:.3e} m apart at the start; expected one point, or bodies moved together"
    )]
    Apart {
        /// Metres.
        apart: f64,
    },
    /// The rope is too short.
    #[error(
        "its anchors are {apart} m apart at the start, and its length is {length} m; {expected}"
    )]
    Length {
        /// Metres.
        apart: f64,
        /// Metres.
        length: f64,
        /// What would be right.
        expected: &'static str,
    },
}

impl Joint {
    /// A joint between two bodies that are at `poses` (of their principal frames): both are held at `anchors`
    /// of the world, about or along `axis` (any direction with a length).
    pub fn between(
        name: impl Into<String>,
        bodies: [u32; 2],
        poses: [Pose; 2],
        anchors: [Vec3; 2],
        axis: Vec3,
        kind: JointKind,
    ) -> Self {
        let turn = frame_along(axis);
        let frame = |k: usize| poses[k].inverse() * Pose::from_parts(anchors[k], turn);
        Joint {
            name: name.into(),
            bodies,
            frames: [frame(0), frame(1)],
            kind,
            spring: None,
            collide: false,
        }
    }

    /// Its kind and all numbers of it, to tell joints apart.
    pub fn numbers(&self) -> [f64; 9] {
        let spring = self
            .spring
            .map_or([-1.0; 4], |s| [s.rest, s.stiffness, s.damping, s.strength]);
        let along = |kind: f64, limits: Option<[f64; 2]>, motor: Option<Motor>| {
            let [low, high] = limits.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
            let (speed, strength) = motor.map_or((0.0, -1.0), |m| (m.speed, m.strength));
            [kind, low, high, speed, strength]
        };
        let plain = |kind: f64, length: f64| [kind, length, 0.0, 0.0, 0.0];
        let own = match self.kind {
            JointKind::Ball => plain(0.0, 0.0),
            JointKind::Hinge { limits, motor } => along(1.0, limits, motor),
            JointKind::Slider { limits, motor } => along(2.0, limits, motor),
            JointKind::Fixed => plain(3.0, 0.0),
            JointKind::Distance { length } => plain(4.0, length),
            JointKind::Rope { length } => plain(5.0, length),
            JointKind::Free => plain(6.0, 0.0),
        };
        let mut all = [0.0; 9];
        all[..5].copy_from_slice(&own);
        all[5..].copy_from_slice(&spring);
        all
    }

    /// How far the anchors are apart with the bodies at `poses`, metres.
    pub fn apart(&self, poses: [Pose; 2]) -> f64 {
        let [a, b] = [0, 1].map(|k| poses[k] * self.frames[k].translation);
        a.distance(b)
    }

    /// Checks every number, and that the joint is whole with the bodies at `poses`.
    pub fn validate(&self, poses: Option<[Pose; 2]>) -> Result<(), JointError> {
        if self.bodies[0] == self.bodies[1] {
            return Err(JointError::SameBody);
        }
        let finite = |pose: &Pose| pose.translation.is_finite() && pose.rotation.is_finite();
        if !self.frames.iter().all(finite) {
            let (what, value) = ("anchor or axis", f64::NAN);
            return Err(number(what, value, "finite numbers"));
        }
        match self.kind {
            JointKind::Hinge { limits, motor } => {
                check_limits(limits, std::f64::consts::PI)?;
                check_motor(motor)?;
            }
            JointKind::Slider { limits, motor } => {
                check_limits(limits, f64::INFINITY)?;
                check_motor(motor)?;
            }
            JointKind::Distance { length } | JointKind::Rope { length } => {
                if !(length.is_finite() && length > 0.0) {
                    return Err(number("length", length, "a positive number of metres"));
                }
            }
            JointKind::Ball | JointKind::Fixed | JointKind::Free => {}
        }
        self.check_spring()?;
        poses.map_or(Ok(()), |poses| self.validate_start(poses))
    }

    fn check_spring(&self) -> Result<(), JointError> {
        let Some(spring) = self.spring else {
            return Ok(());
        };
        if !spring.rest.is_finite() {
            return Err(number("spring's rest", spring.rest, "a finite number"));
        }
        let least = "a finite number of at least 0";
        for (what, value) in [
            ("spring's stiffness", spring.stiffness),
            ("spring's damping", spring.damping),
        ] {
            if !(value.is_finite() && value >= 0.0) {
                return Err(number(what, value, least));
            }
        }
        if spring.strength.is_nan() || spring.strength < 0.0 {
            let expected = "a number of at least 0";
            return Err(number("motor's strength", spring.strength, expected));
        }
        Ok(())
    }

    fn validate_start(&self, poses: [Pose; 2]) -> Result<(), JointError> {
        let apart = self.apart(poses);
        let wrong = |length, expected| {
            Err(JointError::Length {
                apart,
                length,
                expected,
            })
        };
        match self.kind {
            JointKind::Rope { length } if apart > length + START_ERROR => {
                wrong(length, "expected a rope that reaches")
            }
            JointKind::Distance { length } if (apart - length).abs() > START_ERROR => {
                wrong(length, "expected both to be the same")
            }
            JointKind::Rope { .. } | JointKind::Distance { .. } | JointKind::Free => Ok(()),
            _ if apart > START_ERROR => Err(JointError::Apart { apart }),
            _ => Ok(()),
        }
    }
}

fn number(what: &'static str, value: f64, expected: &'static str) -> JointError {
    JointError::Number {
        what,
        value,
        expected,
    }
}

fn check_limits(limits: Option<[f64; 2]>, most: f64) -> Result<(), JointError> {
    let Some([low, high]) = limits else {
        return Ok(());
    };
    if !(-most < low && low <= 0.0) {
        let expected = "a limit from below half a turn to zero, where the joint starts";
        return Err(number("lower limit", low, expected));
    }
    if !(0.0 <= high && high < most) {
        let expected = "a limit from zero, where the joint starts, to below half a turn";
        return Err(number("upper limit", high, expected));
    }
    Ok(())
}

fn check_motor(motor: Option<Motor>) -> Result<(), JointError> {
    let Some(motor) = motor else { return Ok(()) };
    if !motor.speed.is_finite() {
        return Err(number("motor's speed", motor.speed, "a finite number"));
    }
    if !(motor.strength.is_finite() && motor.strength >= 0.0) {
        let expected = "a finite number of at least 0";
        return Err(number("motor's strength", motor.strength, expected));
    }
    Ok(())
}

/// A rotation that takes x to `axis`.
fn frame_along(axis: Vec3) -> Quat {
    let x = axis.normalize_or(Vec3::X);
    let (y, z) = x.any_orthonormal_pair();
    Quat::from_mat3(&crate::Mat3::from_cols(x, y, z)).normalize()
}

/// A joint as a group's solver meets it.
#[derive(Clone, Copy, Debug)]
pub struct Link<'a> {
    /// The joint.
    pub joint: &'a Joint,
    /// Its number in the world; impulses are remembered under it.
    pub number: u32,
    /// Places of its bodies: an index of a member, or the number of members and an index of a neighbour.
    pub places: [u32; 2],
}
