//! Inputs: what a user does to a running world, stamped with a tick that may lie in the past. An
//! input is an event like any other: the worldline it concerns is rolled back to it if it ran ahead,
//! and the result has the same bytes as if it had come in time (law 1).

use crate::multibodies::MultibodyBody;
use crate::world::{BodyId, Kind, World};
use physics::{State, Vec3};
use warp::Tick;

/// What an input does to its body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// An impulse (N s), through the centre of mass or at a point of the world.
    Impulse {
        /// Newton seconds.
        impulse: Vec3,
        /// Where it acts; at the centre of mass if none.
        point: Option<Vec3>,
    },
    /// A constant force through the centre of mass, over an interval that begins at the input's tick.
    Force {
        /// Newtons.
        force: Vec3,
        /// How long, in ticks.
        ticks: i64,
    },
    /// The body is somewhere else, moving otherwise (state of the user's frame).
    Teleport(State),
    /// A kinematic body moves with this velocity and spin from now on; its script, if it has one,
    /// is over.
    Motor {
        /// Metres a second.
        velocity: Vec3,
        /// Radians a second.
        spin: Vec3,
    },
    /// The control signal of a motor of the multibody that the body is a link of, from now on or until its controller
    /// sets it again.
    Signal {
        /// The motor's number in its multibody.
        motor: u32,
        /// What it is told: a torque, a velocity or a position, as the motor is.
        value: f64,
    },
    /// An absent body enters the world (state of the user's frame).
    Enter(State),
    /// The body leaves the world.
    Leave,
}

impl Action {
    /// An impulse through the centre of mass, N s.
    pub fn impulse(impulse: impl Into<Vec3>) -> Self {
        Action::Impulse {
            impulse: impulse.into(),
            point: None,
        }
    }
}

/// An input: when, to whom, what.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Input {
    /// When it happens.
    pub at: Tick,
    /// The body it concerns.
    pub body: BodyId,
    /// Tells inputs to one body at one tick apart, and orders them: a player's number, for example.
    /// Below [`Input::ORDERS`].
    pub order: u32,
    /// What it does.
    pub action: Action,
}

impl Input {
    /// Orders are below this.
    pub const ORDERS: u32 = 1 << 29;

    /// Refuses what no world of this kind could take.
    pub fn validate(&self, world: &World) -> Result<(), InputError> {
        let Input { body, action, .. } = self;
        let Some(data) = world.bodies.get(body.index()) else {
            return Err(InputError::NoSuchBody {
                body: body.0,
                count: world.bodies.len(),
            });
        };
        let (name, expected, finite) = match action {
            Action::Impulse { impulse, point } => (
                "an impulse",
                Kind::Dynamic,
                impulse.is_finite() && point.is_none_or(|p| p.is_finite()),
            ),
            Action::Force { force, .. } => ("a force", Kind::Dynamic, force.is_finite()),
            Action::Teleport(state) => ("a teleport", Kind::Dynamic, state.is_finite()),
            Action::Motor { velocity, spin } => (
                "a motor",
                Kind::Kinematic,
                velocity.is_finite() && spin.is_finite(),
            ),
            Action::Signal { value, .. } => ("a signal", Kind::Dynamic, value.is_finite()),
            Action::Enter(state) => ("entering", Kind::Dynamic, state.is_finite()),
            Action::Leave => ("leaving", Kind::Dynamic, true),
        };
        let word = |kind| match kind {
            Kind::Fixed => "fixed",
            Kind::Kinematic => "kinematic",
            Kind::Dynamic => "dynamic",
        };
        if data.kind != expected {
            return Err(InputError::WrongKind {
                body: data.name.clone(),
                kind: word(data.kind),
                action: name,
                expected: word(expected),
            });
        }
        self.validate_for_link(world)?;
        let bad = |what| {
            Err(InputError::BadNumber {
                body: data.name.clone(),
                what,
            })
        };
        if !finite {
            return bad("one of its numbers is not finite");
        }
        if matches!(action, Action::Force { ticks, .. } if *ticks <= 0) {
            return bad("a force must act for at least one tick");
        }
        if self.order >= Self::ORDERS {
            return bad("its order must be below 2^29");
        }
        Ok(())
    }
}

impl Input {
    /// Links take impulses, forces and signals, and nothing else takes signals.
    fn validate_for_link(&self, world: &World) -> Result<(), InputError> {
        let holds = |made: &&MultibodyBody| made.links.iter().any(|link| link.body == self.body);
        let made = world.multibodies.iter().find(holds);
        let why = match (made, self.action) {
            (None, Action::Signal { .. }) => {
                "it is no link of a multibody and has no motors".into()
            }
            (Some(made), Action::Signal { motor, .. }) if motor as usize >= made.motors.len() => {
                format!(
                    "its multibody has {} motors, and none of number {motor}",
                    made.motors.len()
                )
            }
            (None, _)
            | (
                Some(_),
                Action::Signal { .. } | Action::Impulse { .. } | Action::Force { .. },
            ) => return Ok(()),
            (Some(_), _) => "a link of a multibody takes impulses, forces and signals to its motors; where it is \
                             follows from its joints, and it cannot come or go without the others"
                .into(),
        };
        Err(InputError::NotOfLink {
            body: world.bodies[self.body.index()].name.clone(),
            why,
        })
    }
}

/// Why an input was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InputError {
    /// A link takes no such input, or only a link does.
    #[error("`{body}`: {why}")]
    NotOfLink {
        /// The body.
        body: String,
        /// What is wrong.
        why: String,
    },
    /// History before GVT cannot change.
    #[error(
        "the input for {at} s comes too late: history is final before {gvt} s; \
         retain more history, or stamp the input later"
    )]
    TooLate {
        /// Asked time, seconds.
        at: f64,
        /// Where final history ends, seconds.
        gvt: f64,
    },
    /// No such body.
    #[error("the input names body {body}, but there are only {count}")]
    NoSuchBody {
        /// The body's number.
        body: u32,
        /// How many there are.
        count: usize,
    },
    /// The action does not suit the body.
    #[error("`{body}` is {kind}; {action} needs a {expected} body")]
    WrongKind {
        /// The body's name.
        body: String,
        /// What it is.
        kind: &'static str,
        /// The action.
        action: &'static str,
        /// What would suit.
        expected: &'static str,
    },
    /// A number is not finite, or an interval is empty.
    #[error("the input for `{body}`: {what}")]
    BadNumber {
        /// The body's name.
        body: String,
        /// What is wrong.
        what: &'static str,
    },
    /// Two inputs cannot have the same place.
    #[error(
        "there is already an input for `{body}` at {at} s with order {order}; \
         give each input of one body and tick an order of its own"
    )]
    Taken {
        /// The body's name.
        body: String,
        /// The tick, seconds.
        at: f64,
        /// The order.
        order: u32,
    },
    /// Somebody has the place.
    #[error(
        "place {place} belongs to `{body}` until its leaving is final; give another number, or none"
    )]
    PlaceTaken {
        /// The place.
        place: u32,
        /// Who has it.
        body: String,
    },
    /// No place is left.
    #[error("there is room for {places} added bodies, and no more can be made: {why}")]
    NoRoom {
        /// How many places there are.
        places: usize,
        /// Why there cannot be more.
        why: &'static str,
    },
    /// No such input to take back.
    #[error("there is no input for body {body} at {at} s with order {order}")]
    NotThere {
        /// The body's number.
        body: u32,
        /// The tick, seconds.
        at: f64,
        /// The order.
        order: u32,
    },
}

/// What an input changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Change {
    /// Bodies whose past or present is no longer what it was, with the first tick of the difference.
    pub changed: Vec<(BodyId, Tick)>,
    /// Bodies that were rolled back and, simulated again, came out as before.
    pub repeated: Vec<BodyId>,
    /// Segments undone.
    pub undone: usize,
    /// Segments begun instead, and still there.
    pub begun: usize,
}
