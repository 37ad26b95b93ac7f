//! A world that has been read and checked, and what a run of it leaves.

use super::{Body, World, run_recorded};
use crate::algorithm::Named;
use crate::audit::{Audit, Findings};
use crate::error::Error;
use crate::running;
use physics::{BodyModel, State};
use record::HistoryHash;
use sim::{
    Algorithm, BodyId, Callback, CollisionFn, Discard, History, Input, LookAhead, ScheduledFn,
    Stats, View,
};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use warp::Tick;

/// The constant model of a world, and which of its bodies are whose.
#[derive(Clone)]
pub struct Model {
    /// What executors read.
    pub world: Arc<sim::World>,
    pub(crate) tag: u32,
    pub(crate) ids: Arc<Vec<BodyId>>,
}

impl World {
    /// Adds what no scene file can say, and checks everything.
    pub(super) fn complete(&self, mut world: sim::World) -> Result<Model, Error> {
        let mut places: HashMap<&str, u32> = HashMap::with_capacity(world.bodies.len());
        for (index, body) in world.bodies.iter().enumerate() {
            places.insert(&body.name, index as u32);
        }
        let find = |name: &String| match places.get(name.as_str()) {
            Some(index) => Ok(BodyId(*index)),
            None => Err(Error::NoBody(name.clone())),
        };
        let ids: Vec<BodyId> = self.names.iter().map(find).collect::<Result<_, _>>()?;
        drop(places);
        let models = world.bodies.iter();
        let models: Vec<_> = models
            .map(|b| Arc::clone(&world.models[b.model.place()]))
            .collect();
        let models = Arc::new(models);
        for scheduled in &self.callbacks {
            let bodies = scheduled.bodies.iter().map(|b| ids[b.place as usize]);
            world.callbacks.push(Callback {
                name: scheduled.name.clone(),
                bodies: bodies.collect(),
                first: scheduled.first,
                run: in_users_frames(&scheduled.run, &models),
            });
        }
        let hook = self.on_collision.as_ref();
        world.on_collision = hook.map(|hook| collisions_in_users_frames(hook, &models));
        world.slots = self.slots;
        self.give_controllers(&mut world)?;
        for (body, at, order, action) in &self.inputs {
            world.inputs.push(Input {
                at: Tick::from_seconds(*at),
                body: ids[body.place as usize],
                order: *order,
                action: *action,
            });
        }
        if !self.inputs.is_empty() || !self.callbacks.is_empty() {
            world.validate()?;
        }
        Ok(Model {
            world: Arc::new(world),
            tag: self.tag,
            ids: Arc::new(ids),
        })
    }
}

/// The models of all bodies.
type Models = Arc<Vec<Arc<BodyModel>>>;

/// A callback that sees the frames in which bodies were given. What it leaves alone keeps its bits.
fn in_users_frames(run: &ScheduledFn, models: &Models) -> ScheduledFn {
    let (run, models) = (Arc::clone(run), Arc::clone(models));
    Arc::new(move |seconds, views| {
        let principal: Vec<State> = views.iter().map(|view| view.state).collect();
        let user = |view: &View| models[view.body.index()].user_state(&view.state);
        let shown: Vec<State> = views.iter().map(user).collect();
        for (view, state) in views.iter_mut().zip(&shown) {
            view.state = *state;
        }
        let again = run(seconds, views);
        for (view, (shown, principal)) in views.iter_mut().zip(shown.iter().zip(&principal)) {
            view.state = match view.state == *shown {
                true => *principal,
                false => models[view.body.index()].principal_state(&view.state),
            };
        }
        again
    })
}

/// The same of a function that is called at collisions; it may change slots alone.
fn collisions_in_users_frames(run: &CollisionFn, models: &Models) -> CollisionFn {
    let (run, models) = (Arc::clone(run), Arc::clone(models));
    Arc::new(move |seconds, views, impulse| {
        for view in views.iter_mut() {
            // Of a body that was added since, the frame in which it was given is not known here.
            if let Some(model) = models.get(view.body.index()) {
                view.state = model.user_state(&view.state);
            }
        }
        run(seconds, views, impulse);
    })
}

/// Ticks at which a check audits committed states.
const SAMPLES: usize = 100;

impl Model {
    /// The place of a body in the world.
    pub fn id(&self, body: Body) -> Result<BodyId, Error> {
        let id = self.ids.get(body.place as usize);
        match id.filter(|_| body.world == self.tag) {
            Some(id) => Ok(*id),
            None => Err(Error::OtherWorld),
        }
    }

    /// Runs it.
    pub fn run(
        &self,
        recording: Option<&Path>,
        algorithm: &Named,
        history: &mut dyn History,
    ) -> Result<Run, Error> {
        let ran = run_recorded(&self.world, recording, algorithm, history)?;
        let user = |(index, state): (usize, &State)| {
            self.world.model(BodyId(index as u32)).user_state(state)
        };
        Ok(Run {
            states: ran.states.iter().enumerate().map(user).collect(),
            stats: ran.stats,
            model: self.clone(),
        })
    }

    /// Law 1 and overlaps: whether every event-driven executor commits the same history, and how deep bodies
    /// overlap in it.
    pub fn check(&self) -> Result<Check, Error> {
        self.check_with(&mut Discard)
    }

    /// The same; every run is also told to a history, which may stop it.
    pub fn check_with(&self, history: &mut dyn History) -> Result<Check, Error> {
        let ahead = |s: f64| Algorithm::TimeWarp(LookAhead::Seconds(s));
        let mut audit = Audit::new(&self.world, SAMPLES);
        let mut hash = HistoryHash::new();
        sim::run(
            &self.world,
            Algorithm::Ordered,
            &mut ((&mut hash, &mut audit), &mut *history),
        )?;
        let history_sha256 = hash.finish();
        let mut differing = Vec::new();
        for (name, algorithm) in [
            (
                "timewarp, look-ahead one event",
                Algorithm::TimeWarp(LookAhead::OneEvent),
            ),
            ("timewarp, look-ahead 100 us", ahead(1e-4)),
            ("timewarp, look-ahead 10 ms", ahead(1e-2)),
            ("timewarp, look-ahead 1 s", ahead(1.0)),
            (
                "timewarp, look-ahead adaptive",
                Algorithm::TimeWarp(LookAhead::Adaptive),
            ),
        ] {
            let mut hash = HistoryHash::new();
            sim::run(&self.world, algorithm, &mut (&mut hash, &mut *history))?;
            if hash.finish() != history_sha256 {
                differing.push(name);
            }
        }
        Ok(Check {
            history_sha256,
            differing,
            overlaps: audit.conclude(),
        })
    }

    /// Runs it without keeping the books of energy, for whoever wants the hash alone.
    pub fn hash(&self, algorithm: &Named) -> Result<String, Error> {
        let ran = running::hashed(&self.world, algorithm, &mut Discard)?;
        Ok(ran.stats.history_sha256)
    }
}

/// What a check found.
#[derive(Clone, Debug)]
pub struct Check {
    /// The history that `ordered` commits.
    pub history_sha256: String,
    /// Executors that committed another one; there should be none.
    pub differing: Vec<&'static str>,
    /// Overlaps at audited times.
    pub overlaps: Findings,
}

/// A run that has ended.
#[derive(Clone)]
pub struct Run {
    /// Counters, clocks, energy, and the history's hash.
    pub stats: Stats,
    /// The last states, in the frames in which the bodies were given, by the bodies' places in the world.
    pub states: Vec<State>,
    /// What was run.
    pub model: Model,
}

impl Run {
    /// The last state of a body, in the frame in which it was given.
    pub fn state(&self, body: Body) -> Result<State, Error> {
        Ok(self.states[self.model.id(body)?.index()])
    }
}
