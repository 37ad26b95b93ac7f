//! Room for bodies that nobody declared. A world that runs has numbered places behind its declared bodies; an input
//! fills one, and the body's number is that of the place. The number is the user's own, like the order of an input:
//! it never depends on when the input arrived, so that a body added late leaves the same bytes as one added in time.

use crate::layers::Layers;
use crate::world::{Body, BodyId, Kind, World, WorldError};
use physics::body::Heft;
use physics::{BodyModel, Material, ModelId, Part, Pose, Shape, State};
use std::sync::Arc;

/// How a body came to be part of a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tenure {
    /// It was part of it from the start, in it or absent.
    Declared,
    /// Nobody: a place that may be filled.
    Vacant,
    /// It was added while the world ran.
    Added {
        /// What a scene's `[[body]]` would say of it; empty if it was made in code.
        text: String,
    },
}

/// A dynamic body that is added to a world that runs.
#[derive(Clone)]
pub struct NewBody {
    /// For messages and recordings; no other body has it.
    pub name: String,
    /// What it is made of.
    pub model: BodyModel,
    /// Colour for pictures.
    pub color: Option<[f32; 3]>,
    /// Whom it meets.
    pub layers: Layers,
    /// Whether it reports whom it touches, and pushes nobody.
    pub is_sensor: bool,
    /// What a scene's `[[body]]` would say of it. Checkpoints keep this; without it none can be saved.
    pub text: String,
}

impl NewBody {
    /// A body made in code.
    pub fn new(name: impl Into<String>, model: BodyModel) -> Self {
        NewBody {
            name: name.into(),
            model,
            color: None,
            layers: Layers::default(),
            is_sensor: false,
            text: String::new(),
        }
    }
}

impl World {
    /// The most places.
    pub const ROOM_MAX: usize = 1 << 16;

    /// How many bodies were declared: numbers from here on are places.
    pub fn declared(&self) -> usize {
        self.bodies.len() - self.room
    }

    /// The body at a place, if there is such a place.
    pub fn at_place(&self, place: u32) -> Option<BodyId> {
        let index = self.declared() + place as usize;
        (index < self.bodies.len()).then_some(BodyId(index as u32))
    }

    /// Makes room until there are so many places.
    pub fn make_room(&mut self, places: usize) {
        if places <= self.room {
            return;
        }
        let speck = Part::centred(Shape::Ball { radius: 1e-3 });
        let model =
            BodyModel::dynamic(&[speck], Heft::Mass(1.0), Material::default(), self.gravity);
        let model = Arc::new(model.expect("a ball is a shape"));
        for place in self.room..places {
            let model = [Arc::clone(&model), Arc::clone(&model)];
            self.models.extend(model);
            self.bodies.push(Body {
                name: format!("place {place}"),
                model: self.newest_model(),
                kind: Kind::Dynamic,
                start: State::at_rest(Pose::IDENTITY),
                script: None,
                color: None,
                is_absent: true,
                layers: Layers::default(),
                is_sensor: false,
                tenure: Tenure::Vacant,
            });
        }
        self.room = places;
    }

    /// Fills a place. The body is absent until an input ([`crate::Action::Enter`]) brings it in.
    pub fn put(&mut self, at: BodyId, new: NewBody) -> Result<(), WorldError> {
        if self.periodic.is_some() {
            let why = "no body can be added to it while it runs: it is measured for those that were declared; declare the \
                       body as absent, and let it enter";
            return Err(WorldError::Periodic { why: why.into() });
        }
        let name = new.name;
        let is_other = |(index, body): (usize, &Body)| index != at.index() && body.name == name;
        if self.bodies.iter().enumerate().any(is_other) {
            return Err(WorldError::SameName { name });
        }
        let own = self.bodies[at.index()].model;
        let body = Body {
            name,
            model: own,
            kind: Kind::Dynamic,
            start: State::at_rest(Pose::IDENTITY),
            script: None,
            color: new.color,
            is_absent: true,
            layers: new.layers,
            is_sensor: new.is_sensor,
            tenure: Tenure::Added { text: new.text },
        };
        let modes = [own, own.carried()].map(ModelId::place);
        let before = modes.map(|place| Arc::clone(&self.models[place]));
        let [free, carried] = Self::both_modes(new.model);
        (self.models[modes[0]], self.models[modes[1]]) = (free, carried);
        if let Err(error) = self.validate_body(&body) {
            let [free, carried] = before;
            (self.models[modes[0]], self.models[modes[1]]) = (free, carried);
            return Err(error);
        }
        self.bodies[at.index()] = body;
        Ok(())
    }
}
