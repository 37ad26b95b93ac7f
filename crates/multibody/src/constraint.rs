//! What must hold besides the joints of the tree: closed loops and couplings of joints. A constraint
//! knows its violation, its rate, its acceleration, and its rows of the Jacobian.

use crate::coordinates::rotation_vector;
use crate::kinematics::attitude;
use crate::spatial::Motion;
use crate::{Multibody, Pose, Quat, Vec3, Workspace};

/// Where the one position and the one velocity of a hinge or slide are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coordinate {
    /// Index into positions.
    pub position: usize,
    /// Index into velocities.
    pub velocity: usize,
}

/// A sum of joint positions with coefficients: a joint, or the length of a fixed tendon.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Combination {
    /// The joints and their coefficients.
    pub terms: Vec<(Coordinate, f64)>,
    /// Added to the sum.
    pub offset: f64,
}

impl Combination {
    /// Its value in the positions `q`.
    pub fn value(&self, q: &[f64]) -> f64 {
        let sum: f64 = self.terms.iter().map(|(c, k)| k * q[c.position]).sum();
        sum + self.offset
    }

    /// How fast it changes under the velocities `v`.
    pub fn rate(&self, v: &[f64]) -> f64 {
        self.terms.iter().map(|(c, k)| k * v[c.velocity]).sum()
    }
}

/// A frame on a link, or in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// The link, or the world.
    pub link: Option<usize>,
    /// In the link's frame.
    pub pose: Pose,
}

/// Something that must hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Constraint {
    /// The origins of two frames stay together (MJCF `connect`).
    Connect(Frame, Frame),
    /// Two frames stay together (MJCF `weld`).
    Weld(Frame, Frame),
    /// `first` is a polynomial of `second` (joint and tendon equalities, URDF `mimic`); without a
    /// second it is the polynomial's constant.
    Couple {
        /// What is prescribed.
        first: Combination,
        /// What it follows.
        second: Option<Combination>,
        /// Coefficients, constant first.
        polynomial: [f64; 5],
    },
}

/// Where a frame is and how it moves, in the world's axes.
pub(crate) struct Moving {
    point: Vec3,
    turn: Quat,
    velocity: Motion,
    acceleration: Motion,
}

impl Frame {
    fn moving(&self, model: &Multibody, ws: &Workspace) -> Moving {
        let Some(link) = self.link else {
            return Moving {
                point: self.pose.translation,
                turn: self.pose.rotation,
                velocity: Motion::ZERO,
                acceleration: Motion::ZERO,
            };
        };
        let rot = ws.rotation(link);
        let r = rot * self.pose.translation;
        let velocity = ws.velocity(link);
        let a = ws.acceleration(link, model.gravity());
        let w = velocity.ang;
        Moving {
            point: ws.origin(link) + r,
            turn: Quat::from_mat3(&rot) * self.pose.rotation,
            velocity: velocity.at(r),
            acceleration: Motion::new(a.ang, a.lin + a.ang.cross(r) + w.cross(w.cross(r))),
        }
    }
}

/// One row: violation, its rate, and its acceleration under the accelerations of the workspace.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Row {
    pub gap: f64,
    pub rate: f64,
    pub acceleration: f64,
}

impl Constraint {
    /// How many rows it has.
    pub fn rows(&self) -> usize {
        match self {
            Constraint::Connect(..) => 3,
            Constraint::Weld(..) => 6,
            Constraint::Couple { .. } => 1,
        }
    }

    /// Fills its rows and their Jacobians (`rows()` times `velocities()` entries).
    pub(crate) fn fill(
        &self,
        model: &Multibody,
        ws: &Workspace,
        state: (&[f64], &[f64], &[f64]),
        rows: &mut [Row],
        jacobian: &mut [f64],
    ) {
        jacobian.fill(0.0);
        match self {
            Constraint::Connect(first, second) => {
                apart(model, ws, first, second, rows, jacobian, false);
            }
            Constraint::Weld(first, second) => {
                apart(model, ws, first, second, rows, jacobian, true);
            }
            Constraint::Couple {
                first,
                second,
                polynomial,
            } => couple(
                first,
                second.as_ref(),
                polynomial,
                state,
                &mut rows[0],
                jacobian,
            ),
        }
    }
}

fn apart(
    model: &Multibody,
    ws: &Workspace,
    first: &Frame,
    second: &Frame,
    rows: &mut [Row],
    jacobian: &mut [f64],
    turns: bool,
) {
    let n = model.velocities();
    let (a, b) = (first.moving(model, ws), second.moving(model, ws));
    let gap = b.point - a.point;
    let twist = if turns {
        a.turn * rotation_vector((a.turn.inverse() * b.turn).normalize())
    } else {
        Vec3::ZERO
    };
    for k in 0..3 {
        rows[k] = Row {
            gap: gap[k],
            rate: b.velocity.lin[k] - a.velocity.lin[k],
            acceleration: b.acceleration.lin[k] - a.acceleration.lin[k],
        };
        if turns {
            rows[k + 3] = Row {
                gap: twist[k],
                rate: b.velocity.ang[k] - a.velocity.ang[k],
                acceleration: b.acceleration.ang[k] - a.acceleration.ang[k],
            };
        }
    }
    for (frame, at, sign) in [(first, a.point, -1.0), (second, b.point, 1.0)] {
        let Some(link) = frame.link else { continue };
        model.jacobian_columns(ws, link, at, |dof, m| {
            for k in 0..3 {
                jacobian[k * n + dof] += sign * m.lin[k];
                if turns {
                    jacobian[(k + 3) * n + dof] += sign * m.ang[k];
                }
            }
        });
    }
}

fn couple(
    first: &Combination,
    second: Option<&Combination>,
    p: &[f64; 5],
    (q, v, acc): (&[f64], &[f64], &[f64]),
    row: &mut Row,
    jacobian: &mut [f64],
) {
    let (x, dx, ddx) = second.map_or((0.0, 0.0, 0.0), |s| (s.value(q), s.rate(v), s.rate(acc)));
    let value = p[0] + x * (p[1] + x * (p[2] + x * (p[3] + x * p[4])));
    let slope = p[1] + x * (2.0 * p[2] + x * (3.0 * p[3] + x * 4.0 * p[4]));
    let bend = 2.0 * p[2] + x * (6.0 * p[3] + x * 12.0 * p[4]);
    *row = Row {
        gap: first.value(q) - value,
        rate: first.rate(v) - slope * dx,
        acceleration: first.rate(acc) - slope * ddx - bend * dx * dx,
    };
    for (c, k) in &first.terms {
        jacobian[c.velocity] += k;
    }
    for (c, k) in second.map_or(&[][..], |s| &s.terms) {
        jacobian[c.velocity] -= slope * k;
    }
}

/// How far a ball joint is from its reference attitude, rad.
pub fn ball_angle(q: &[f64]) -> f64 {
    rotation_vector(attitude(q)).length()
}
