//! The world: a constant model of all bodies and their initial states. Executors read it and never
//! change it, so rollback is only a matter of state.

use crate::callback::{Callback, CollisionFn};
use crate::contact::ContactRules;
use crate::deformable::{Collides, DeformableBody};
use crate::input::{Input, InputError};
use crate::layers::Layers;
use crate::multibodies::{MultibodyBody, MultibodyError};
use crate::overlap::first_overlap;
use crate::periodic::Periodic;
use crate::room::Tenure;
use crate::script::{Script, Then};
use physics::body::Law;
use physics::joints::{Joint, JointError};
use physics::{BodyModel, ModelId, ShapeError, State, Vec3};
use std::sync::Arc;
use warp::Tick;

/// A length as people write it: 0.0152, and powers of ten only where there would be many zeros.
pub(crate) fn plain(metres: f64) -> String {
    if metres.abs() < 1e-4 || metres.abs() >= 1e6 {
        return format!("{metres:.2e}");
    }
    let digits = (3 - metres.abs().log10().floor() as i32).max(0) as usize;
    let text = format!("{metres:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').into(),
        false => text,
    }
}

/// A body, by its place in the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub u32);

/// In columns of body numbers: no body.
pub(crate) const NOBODY: u32 = u32::MAX;

impl BodyId {
    /// For columns indexed by body.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Who decides how a body moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nobody: it stays.
    Fixed,
    /// Its script.
    Kinematic,
    /// The laws of motion.
    Dynamic,
}

/// One body.
#[derive(Clone, Debug)]
pub struct Body {
    /// For messages and recordings.
    pub name: String,
    /// Its model, as a body on its own.
    pub model: ModelId,
    /// Who decides how it moves.
    pub kind: Kind,
    /// Its state at the start, in its principal frame.
    pub start: State,
    /// The script of a kinematic body.
    pub script: Option<Script>,
    /// Colour for pictures (red, green, blue; 0 to 1).
    pub color: Option<[f32; 3]>,
    /// Not there at the start: an input brings it in.
    pub is_absent: bool,
    /// Whom it meets.
    pub layers: Layers,
    /// It reports whom it touches, and pushes nobody.
    pub is_sensor: bool,
    /// Whether it was declared, or added while the world ran.
    pub tenure: Tenure,
}

/// Why a world cannot be simulated.
#[derive(Clone, Debug, thiserror::Error)]
pub enum WorldError {
    /// A body's geometry is unusable.
    #[error("body `{body}`: {source}")]
    Shape {
        /// The body.
        body: String,
        /// What is wrong.
        source: ShapeError,
    },
    /// A number is not finite.
    #[error("body `{body}`: {what} is not a finite number")]
    NotFinite {
        /// The body.
        body: String,
        /// Which number.
        what: &'static str,
    },
    /// A number is out of range.
    #[error("body `{body}`: {what} is {value}; expected {expected}")]
    OutOfRange {
        /// The body.
        body: String,
        /// Which number.
        what: &'static str,
        /// What was found.
        value: f64,
        /// What would be right.
        expected: &'static str,
    },
    /// Two bodies overlap at the start.
    #[error(
        "bodies `{a}` and `{b}` overlap by {} m at the start; \
         move them apart (bodies may touch, but not overlap by more than {allowed:.0e} m)",
        plain(*.depth)
    )]
    Overlap {
        /// The first body.
        a: String,
        /// The second body.
        b: String,
        /// By how much, metres.
        depth: f64,
        /// How much is tolerated.
        allowed: f64,
    },
    /// A kinematic script is unusable.
    #[error("body `{body}`: {why}")]
    Script {
        /// The body.
        body: String,
        /// What is wrong.
        why: String,
    },
    /// A half-space is placed with a rotation.
    #[error(
        "body `{body}`: a half-space is placed by its normal; turn `half_space` instead of the body"
    )]
    TurnedPlane {
        /// The body.
        body: String,
    },
    /// The run would end before it starts.
    #[error("the run is asked to end at {until} s, which is not after its start at 0 s")]
    Until {
        /// The asked end.
        until: f64,
    },
    /// A joint makes no sense.
    #[error("joint `{joint}`: {why}")]
    Joint {
        /// The joint.
        joint: String,
        /// What is wrong.
        why: JointFault,
    },
    /// A multibody makes no sense, or is used in a way that it does not allow.
    #[error("multibody `{multibody}`: {why}")]
    Multibody {
        /// The multibody.
        multibody: String,
        /// What is wrong.
        why: MultibodyError,
    },
    /// The periodic box does not suit the world.
    #[error("the periodic box: {why}")]
    Periodic {
        /// What is wrong.
        why: String,
    },
    /// An input cannot be taken.
    #[error(transparent)]
    Input(#[from] InputError),
    /// Two bodies have one name.
    #[error("there is already a body called `{name}`; names must differ")]
    SameName {
        /// The name.
        name: String,
    },
    /// A callback names a body that is not there.
    #[error("callback `{callback}` names body {body}, but there are only {count}")]
    Callback {
        /// The callback.
        callback: String,
        /// The body's index.
        body: u32,
        /// How many bodies there are.
        count: usize,
    },
}

/// What is wrong with a joint of a world.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum JointFault {
    /// It names a body that is not there.
    #[error("it names body {body}, but there are only {count}")]
    NoSuchBody {
        /// The body's number.
        body: u32,
        /// How many there are.
        count: usize,
    },
    /// Nothing that it holds can move.
    #[error("neither `{a}` nor `{b}` can move; expected at least one dynamic body")]
    Immovable {
        /// The first body.
        a: String,
        /// The second body.
        b: String,
    },
    /// No solver.
    #[error("joints need contact rules; add `[contact]`, with the solver `soft-step` or `impulse`")]
    NoRules,
    /// A solver that has none.
    #[error("the solver `{solver}` holds no joints; use `soft-step` or `impulse`")]
    Solver {
        /// The solver.
        solver: &'static str,
    },
    /// The joint itself.
    #[error(transparent)]
    Joint(#[from] JointError),
}

/// Overlap tolerated at the start, metres: what touching bodies written down in decimal may show.
pub const START_OVERLAP: f64 = 1e-9;

/// The end of an open-ended simulation: 24 days.
const OPEN_END: Tick = Tick(1 << 61);

/// All bodies and what is constant about them.
#[derive(Clone)]
pub struct World {
    /// The scene's name.
    pub name: String,
    /// The text it was made from (empty when made in code).
    pub source: String,
    /// Models, shared by bodies that are alike, at the places that a [`ModelId`] names: each free and carried.
    pub models: Vec<Arc<BodyModel>>,
    /// The bodies.
    pub bodies: Vec<Body>,
    /// What holds bodies together; needs rules of contact with a solver that holds joints.
    pub joints: Vec<Joint>,
    /// Cloth and shells.
    pub deformables: Vec<DeformableBody>,
    /// Trees of links; each link that has mass is one of the bodies.
    pub multibodies: Vec<MultibodyBody>,
    /// Uniform gravity, m/s^2.
    pub gravity: Vec3,
    /// Where the run ends.
    pub until: Tick,
    /// Scheduled callbacks.
    pub callbacks: Vec<Callback>,
    /// Called at every collision.
    pub on_collision: Option<CollisionFn>,
    /// Slots adjoined to every body's state.
    pub slots: usize,
    /// Frames per second at which every moving body is redrawn; none for no redraw events.
    pub redraw_hertz: Option<f64>,
    /// What is known beforehand of what users will do.
    pub inputs: Vec<Input>,
    /// How bodies in contact are treated; without rules every collision bounces.
    pub contact: Option<ContactRules>,
    /// The box whose sides bodies go through, if there is one.
    pub periodic: Option<Periodic>,
    /// How many of the bodies, the last ones, are places for those that are added while it runs.
    pub room: usize,
    /// The names of the layers, in the order of their bits.
    pub layer_names: Vec<String>,
}

impl World {
    /// An empty world that ends after `until` seconds.
    pub fn new(name: &str, gravity: Vec3, until: f64) -> Self {
        World {
            name: name.into(),
            source: String::new(),
            models: Vec::new(),
            bodies: Vec::new(),
            joints: Vec::new(),
            deformables: Vec::new(),
            multibodies: Vec::new(),
            gravity,
            until: Tick::from_seconds(until),
            callbacks: Vec::new(),
            on_collision: None,
            slots: 0,
            contact: None,
            periodic: None,
            redraw_hertz: None,
            inputs: Vec::new(),
            room: 0,
            layer_names: Vec::new(),
        }
    }

    /// Adds a model. Beside it lies the same model as that of a member of a contact group, whose solver has already
    /// accounted for all forces: it moves uniformly within a step.
    pub fn add_model(&mut self, model: BodyModel) -> ModelId {
        self.models.extend(Self::both_modes(model));
        self.newest_model()
    }

    /// The model that was added last.
    pub(crate) fn newest_model(&self) -> ModelId {
        ModelId::at(self.models.len() as u32 - 2)
    }

    /// A model, and the same for a member of a group.
    pub(crate) fn both_modes(model: BodyModel) -> [Arc<BodyModel>; 2] {
        let mut member = model.clone();
        if member.is_movable() {
            member.law = Law::Scripted;
            member.gravity = Vec3::ZERO;
        }
        [Arc::new(model), Arc::new(member)]
    }

    /// Adds a dynamic body whose user frame has the given state.
    pub fn add_dynamic(&mut self, name: impl Into<String>, model: ModelId, user: State) -> BodyId {
        let start = self.models[model.place()].principal_state(&user);
        self.add(name.into(), model, Kind::Dynamic, start, None)
    }

    /// Declares a dynamic body that is not there at the start; an input
    /// ([`crate::input::Action::Enter`]) brings it in.
    pub fn add_absent(&mut self, name: impl Into<String>, model: ModelId) -> BodyId {
        let nowhere = State::at_rest(physics::Pose::IDENTITY);
        let id = self.add(name.into(), model, Kind::Dynamic, nowhere, None);
        self.bodies[id.index()].is_absent = true;
        id
    }

    /// Adds a body that never moves.
    pub fn add_fixed(
        &mut self,
        name: impl Into<String>,
        model: ModelId,
        at: physics::Pose,
    ) -> BodyId {
        self.add(name.into(), model, Kind::Fixed, State::at_rest(at), None)
    }

    /// Adds a body that follows a script.
    pub fn add_kinematic(
        &mut self,
        name: impl Into<String>,
        model: ModelId,
        script: Script,
    ) -> BodyId {
        let start = script
            .piece(Tick::ZERO)
            .map_or(State::at_rest(physics::Pose::IDENTITY), |(s, _)| s);
        self.add(name.into(), model, Kind::Kinematic, start, Some(script))
    }

    fn add(
        &mut self,
        name: String,
        model: ModelId,
        kind: Kind,
        start: State,
        script: Option<Script>,
    ) -> BodyId {
        self.bodies.push(Body {
            name,
            model,
            kind,
            start,
            script,
            color: None,
            is_absent: false,
            layers: Layers::default(),
            is_sensor: false,
            tenure: Tenure::Declared,
        });
        BodyId(self.bodies.len() as u32 - 1)
    }

    /// Makes the world one that does not end and is not filmed: its user decides when to look.
    pub(crate) fn prepare_open_ended(&mut self) {
        self.until = OPEN_END;
        self.redraw_hertz = None;
    }

    /// The model of a body.
    pub fn model(&self, body: BodyId) -> &BodyModel {
        &self.models[self.bodies[body.index()].model.place()]
    }

    /// Whether a deformable meets bodies whose motion is not known beforehand: dynamic ones, and
    /// kinematic ones, which inputs may drive.
    pub fn is_coupled(&self, deformable: &DeformableBody) -> bool {
        let meets = |kind: Kind| match deformable.collides {
            Collides::All => kind != Kind::Fixed,
            Collides::Immovable => kind == Kind::Kinematic,
            Collides::Nothing => false,
        };
        let holders = deformable.model.holders().iter();
        self.bodies.iter().any(|b| meets(b.kind))
            || holders
                .map(|b| self.bodies[b.0 as usize].kind)
                .any(|kind| kind != Kind::Fixed)
    }

    /// Pairs of bodies that joints connect and that do not collide, the lower number first, sorted.
    pub fn apart(&self) -> Vec<(u32, u32)> {
        let pair = |joint: &Joint| {
            let [a, b] = joint.bodies;
            (a.min(b), a.max(b))
        };
        let collide: Vec<_> = self.joints.iter().filter(|j| j.collide).map(pair).collect();
        let mut apart: Vec<_> = self.joints.iter().map(pair).collect();
        apart.retain(|pair| !collide.contains(pair));
        apart.extend(
            self.multibodies
                .iter()
                .flat_map(|m| m.apart.iter().copied()),
        );
        apart.sort_unstable();
        apart.dedup();
        apart
    }

    /// How many bodies move: dynamic and kinematic ones.
    pub fn moving(&self) -> usize {
        let declared = self.bodies[..self.declared()].iter();
        declared.filter(|b| b.kind != Kind::Fixed).count()
    }

    /// Checks everything that would make a run meaningless.
    pub fn validate(&self) -> Result<(), WorldError> {
        if self.until <= Tick::ZERO {
            return Err(WorldError::Until {
                until: self.until.seconds(),
            });
        }
        for body in &self.bodies {
            self.validate_body(body)?;
        }
        self.validate_multibodies()?;
        for callback in &self.callbacks {
            if let Some(bad) = callback
                .bodies
                .iter()
                .find(|b| b.index() >= self.bodies.len())
            {
                return Err(WorldError::Callback {
                    callback: callback.name.clone(),
                    body: bad.0,
                    count: self.bodies.len(),
                });
            }
        }
        self.validate_inputs()?;
        for joint in &self.joints {
            self.validate_joint(joint)
                .map_err(|why| WorldError::Joint {
                    joint: joint.name.clone(),
                    why,
                })?;
        }
        if let Some(why) = self.periodic.as_ref().and_then(|p| p.fault(self)) {
            return Err(WorldError::Periodic { why });
        }
        let across = |periodic: &Periodic| periodic.first_overlap(self, START_OVERLAP);
        let across = self.periodic.as_ref().and_then(across);
        let across = across.map(|(a, b, depth)| (BodyId(a as u32), BodyId(b as u32), depth));
        match first_overlap(self, START_OVERLAP).or(across) {
            Some((a, b, depth)) => Err(WorldError::Overlap {
                a: self.bodies[a.index()].name.clone(),
                b: self.bodies[b.index()].name.clone(),
                depth,
                allowed: START_OVERLAP,
            }),
            None => Ok(()),
        }
    }

    /// An input that the engine would refuse is an error here: none is ever dropped.
    fn validate_inputs(&self) -> Result<(), WorldError> {
        let mut places: Vec<_> = Vec::with_capacity(self.inputs.len());
        for input in &self.inputs {
            input.validate(self)?;
            if input.at < Tick::ZERO {
                return Err(WorldError::Input(InputError::TooLate {
                    at: input.at.seconds(),
                    gvt: 0.0,
                }));
            }
            places.push((input.body, input.at, input.order));
        }
        places.sort_unstable();
        match places.windows(2).find(|pair| pair[0] == pair[1]) {
            None => Ok(()),
            Some(&[(body, at, order), _]) => Err(WorldError::Input(InputError::Taken {
                body: self.bodies[body.index()].name.clone(),
                at: at.seconds(),
                order,
            })),
            Some(_) => Ok(()),
        }
    }

    fn validate_joint(&self, joint: &Joint) -> Result<(), JointFault> {
        let count = self.bodies.len();
        if let Some(&body) = joint.bodies.iter().find(|b| **b as usize >= count) {
            return Err(JointFault::NoSuchBody { body, count });
        }
        let ends = joint.bodies.map(|b| &self.bodies[b as usize]);
        let is_here = ends.iter().all(|b| !b.is_absent);
        joint.validate(is_here.then(|| ends.map(|b| b.start.pose())))?;
        if ends.iter().all(|b| b.kind != Kind::Dynamic) {
            let [a, b] = ends.map(|b| b.name.clone());
            return Err(JointFault::Immovable { a, b });
        }
        match &self.contact {
            None => Err(JointFault::NoRules),
            Some(rules) if !rules.solver.holds_joints() => Err(JointFault::Solver {
                solver: rules.solver.name(),
            }),
            Some(_) => Ok(()),
        }
    }

    pub(crate) fn validate_body(&self, body: &Body) -> Result<(), WorldError> {
        let name = || body.name.clone();
        let model = &self.models[body.model.place()];
        let out_of_range = |what, value, expected| {
            Err(WorldError::OutOfRange {
                body: name(),
                what,
                value,
                expected,
            })
        };
        if !body.start.is_finite() {
            return Err(WorldError::NotFinite {
                body: name(),
                what: "a coordinate of its start state",
            });
        }
        let farthest = body.start.position.abs().max_element();
        if farthest > 1e6 {
            return out_of_range("its distance from the origin", farthest, "at most 1e6 m");
        }
        if body.kind == Kind::Dynamic && !(model.mass.mass > 0.0 && model.mass.mass.is_finite()) {
            return out_of_range(
                "its mass",
                model.mass.mass,
                "a positive, finite number of kilograms",
            );
        }
        let material = model.material;
        if !(0.0..=1.0).contains(&material.restitution) {
            return out_of_range(
                "its restitution",
                material.restitution,
                "a number from 0 to 1",
            );
        }
        if !(material.friction >= 0.0 && material.friction.is_finite()) {
            return out_of_range("its friction", material.friction, "a number of at least 0");
        }
        let lengths = [model.rolling.rolling, model.rolling.spinning];
        if let Some(bad) = lengths.iter().find(|l| !(**l >= 0.0 && l.is_finite())) {
            return out_of_range("its rolling friction", *bad, "a length of at least 0 m");
        }
        if let Some(bad) = model
            .damping
            .iter()
            .find(|d| !(**d >= 0.0 && d.is_finite()))
        {
            return out_of_range("its damping", *bad, "a rate of at least 0 per second");
        }
        let is_turned = body.start.rotation.to_scaled_axis().length() > 1e-12;
        if model.collider.is_unbounded() && is_turned {
            return Err(WorldError::TurnedPlane { body: name() });
        }
        self.validate_script(body)
    }

    fn validate_script(&self, body: &Body) -> Result<(), WorldError> {
        let fail = |why: String| {
            Err(WorldError::Script {
                body: body.name.clone(),
                why,
            })
        };
        let model = &self.models[body.model.place()];
        let Some(script) = &body.script else {
            return if model.law == Law::Scripted {
                fail("a kinematic body needs a script with at least one key".into())
            } else {
                Ok(())
            };
        };
        if let Err(why) = script.validate() {
            return fail(why);
        }
        if let Then::GoOn { velocity, spin } = script.then
            && !(velocity.is_finite() && spin.is_finite())
        {
            return fail("the velocity and spin it goes on with must be finite".into());
        }
        if model.collider.is_unbounded() {
            let turns = script
                .keys
                .iter()
                .any(|key| key.pose.rotation != body.start.rotation);
            let goes_on = matches!(script.then, Then::GoOn { spin, .. } if spin != Vec3::ZERO);
            if turns || goes_on {
                return fail("a half-space may move but not turn; use a box".into());
            }
        }
        Ok(())
    }
}
