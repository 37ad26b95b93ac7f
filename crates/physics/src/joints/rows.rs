//! The equations of a joint, one row each: how fast the joint's error grows with the bodies' velocities, and
//! the error itself at a pose.

use super::{Joint, JointKind, Motor, Spring};
use crate::rotation::rotation_vector;
use crate::{Pose, Vec3};

/// One equation. Its error grows with the velocity `along · (v1 - v0) + about[1] · w1 - about[0] · w0`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row {
    pub along: Vec3,
    pub about: [Vec3; 2],
}

/// What the impulse of a row may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Hold {
    /// Any: the error is to be zero.
    Both,
    /// It pushes only: the error is not to be negative.
    Above,
    /// It pulls only: the error is not to be positive.
    Below,
    /// As strong as the motor is: the speed is to be the motor's.
    Motor(Motor),
    /// As the spring pulls, within its strength.
    Spring(Spring),
}

impl Hold {
    /// Whether it does work: a motor or a spring.
    pub fn is_drive(self) -> bool {
        matches!(self, Hold::Motor(_) | Hold::Spring(_))
    }
}

/// What each row of a joint may do; a joint has as many rows as this says, whatever its pose. The sides of
/// limits are those nearer to the pose.
pub(super) fn holds(joint: &Joint, poses: [Pose; 2], out: &mut Vec<Hold>) {
    let both = match joint.kind {
        JointKind::Ball => 3,
        JointKind::Hinge { .. } | JointKind::Slider { .. } => 5,
        JointKind::Fixed => 6,
        JointKind::Distance { .. } => 1,
        JointKind::Rope { .. } | JointKind::Free => 0,
    };
    out.extend(std::iter::repeat_n(Hold::Both, both));
    match joint.kind {
        JointKind::Rope { .. } => out.push(Hold::Below),
        JointKind::Hinge { limits, motor } | JointKind::Slider { limits, motor } => {
            if let Some([low, high]) = limits {
                let middle = 0.5 * (low + high);
                let at = Sight::new(joint, poses).coordinate();
                out.push(match at {
                    _ if low == high => Hold::Both,
                    at if at < middle => Hold::Above,
                    _ => Hold::Below,
                });
            }
            out.extend(motor.map(Hold::Motor));
        }
        _ => {}
    }
    if joint.has_spring() {
        out.extend(joint.spring.map(Hold::Spring));
    }
}

/// A joint seen at a pose of its bodies.
struct Sight<'a> {
    joint: &'a Joint,
    /// From the bodies' centres to the anchors, in the world.
    arms: [Vec3; 2],
    /// From the first anchor to the second one.
    apart: Vec3,
    /// Axes of the joint's frame on each body.
    axes: [[Vec3; 3]; 2],
    /// How the second frame is turned against the first one, radians about the world's axes.
    turn: Vec3,
}

impl<'a> Sight<'a> {
    fn new(joint: &'a Joint, poses: [Pose; 2]) -> Self {
        let arms = [0, 1].map(|k| poses[k].rotation * joint.frames[k].translation);
        let turns = [0, 1].map(|k| poses[k].rotation * joint.frames[k].rotation);
        Sight {
            joint,
            arms,
            apart: poses[1].translation + arms[1] - poses[0].translation - arms[0],
            axes: turns.map(|q| [q * Vec3::X, q * Vec3::Y, q * Vec3::Z]),
            turn: match joint.kind {
                JointKind::Slider { .. } | JointKind::Fixed => {
                    rotation_vector(turns[1] * turns[0].inverse())
                }
                _ => Vec3::ZERO,
            },
        }
    }

    /// Angle of a hinge, displacement of a slider.
    fn coordinate(&self) -> f64 {
        let [[x, y, z], [_, turned, _]] = self.axes;
        match self.joint.kind {
            JointKind::Hinge { .. } => libm::atan2(turned.dot(z), turned.dot(y)),
            JointKind::Free => self.apart.length(),
            _ => self.apart.dot(x),
        }
    }

    /// The anchors' velocity against each other along a direction of the world. Both bodies are held at the same
    /// point, halfway between the anchors: what turns one turns the other as much.
    fn point(&self, along: Vec3) -> Row {
        let half = 0.5 * self.apart;
        Row {
            along,
            about: [
                (self.arms[0] + half).cross(along),
                (self.arms[1] - half).cross(along),
            ],
        }
    }

    /// The same along a direction that turns with the first body.
    fn carried(&self, along: Vec3) -> Row {
        Row {
            along,
            about: [
                (self.arms[0] + self.apart).cross(along),
                self.arms[1].cross(along),
            ],
        }
    }

    fn spin(&self, about: Vec3) -> Row {
        Row {
            along: Vec3::ZERO,
            about: [about; 2],
        }
    }
}

impl Joint {
    /// Whether a spring acts along what it leaves free.
    fn has_spring(&self) -> bool {
        use JointKind::{Free, Hinge, Slider};
        self.spring.is_some() && matches!(self.kind, Hinge { .. } | Slider { .. } | Free)
    }

    /// Rows along what it leaves free.
    fn driven(&self, has_limits: bool, has_motor: bool) -> usize {
        usize::from(has_limits) + usize::from(has_motor) + usize::from(self.has_spring())
    }
}

const WORLD: [Vec3; 3] = [Vec3::X, Vec3::Y, Vec3::Z];

/// The rows of a joint at a pose.
pub(super) fn rows(joint: &Joint, poses: [Pose; 2], out: &mut Vec<Row>) {
    let sight = Sight::new(joint, poses);
    let [x, y, z] = sight.axes[0];
    match joint.kind {
        JointKind::Ball => out.extend(WORLD.map(|e| sight.point(e))),
        JointKind::Fixed => {
            out.extend(WORLD.map(|e| sight.point(e)));
            out.extend(WORLD.map(|e| sight.spin(e)));
        }
        JointKind::Hinge { limits, motor } => {
            out.extend(WORLD.map(|e| sight.point(e)));
            out.extend([y, z].map(|e| sight.spin(e)));
            let driven = joint.driven(limits.is_some(), motor.is_some());
            out.extend(std::iter::repeat_n(sight.spin(x), driven));
        }
        JointKind::Slider { limits, motor } => {
            out.extend([y, z].map(|e| sight.carried(e)));
            out.extend(WORLD.map(|e| sight.spin(e)));
            let driven = joint.driven(limits.is_some(), motor.is_some());
            out.extend(std::iter::repeat_n(sight.carried(x), driven));
        }
        JointKind::Distance { .. } | JointKind::Rope { .. } => {
            out.push(sight.point(sight.apart.normalize_or(x)));
        }
        JointKind::Free => {
            let driven = joint.driven(false, false);
            let pull = sight.point(sight.apart.normalize_or(x));
            out.extend(std::iter::repeat_n(pull, driven));
        }
    }
}

/// The errors of a joint at a pose, metres and radians. The error of a motor is a matter of speed: zero.
pub(super) fn errors(joint: &Joint, poses: [Pose; 2], holds: &[Hold], out: &mut Vec<f64>) {
    let sight = Sight::new(joint, poses);
    let [[x, y, z], [turned, _, _]] = sight.axes;
    let first = out.len();
    match joint.kind {
        JointKind::Ball => out.extend(sight.apart.to_array()),
        JointKind::Fixed => {
            out.extend(sight.apart.to_array());
            out.extend(sight.turn.to_array());
        }
        JointKind::Hinge { .. } => {
            out.extend(sight.apart.to_array());
            out.extend([y, z].map(|e| x.cross(turned).dot(e)));
        }
        JointKind::Slider { .. } => {
            out.extend([y, z].map(|e| sight.apart.dot(e)));
            out.extend(sight.turn.to_array());
        }
        JointKind::Distance { length } | JointKind::Rope { length } => {
            out.push(sight.apart.length() - length);
        }
        JointKind::Free => {}
    }
    let limits = match joint.kind {
        JointKind::Hinge { limits, .. } | JointKind::Slider { limits, .. } => limits,
        JointKind::Free => None,
        _ => return,
    };
    for hold in &holds[out.len() - first..] {
        let [low, high] = limits.unwrap_or_default();
        out.push(match hold {
            Hold::Motor(_) => 0.0,
            Hold::Spring(spring) => sight.coordinate() - spring.rest,
            Hold::Below => sight.coordinate() - high,
            Hold::Above | Hold::Both => sight.coordinate() - low,
        });
    }
}
