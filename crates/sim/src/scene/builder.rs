//! The world under construction: what has been added, where it was written, and whether there is room
//! for one more. Generators ask here before they place a body.

use super::decode::Decoded;
use super::error::{Fault, Place};
use super::layers::LayerNames;
use crate::grid::Bounds;
use crate::input::{Action, Input};
use crate::layers::Layers;
use crate::overlap::bounds_at;
use crate::world::{BodyId, Kind, World};
use physics::contact::closest;
use physics::{BodyModel, ModelId, Pose, State, Vec3};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::HashSet;
use warp::Tick;

/// The most bodies of a world. Each takes up to two kilobytes while it runs, so that these fit into four gigabytes.
pub(super) const BODIES_MAX: u64 = 2_000_000;

/// What is noted of a body besides what it is made of and how it starts.
#[derive(Clone, Default)]
pub(super) struct Notes {
    pub color: Option<[f32; 3]>,
    pub layers: Layers,
    pub is_sensor: bool,
    pub pushes: Vec<Push>,
}

/// A constant force that acts for a while.
#[derive(Clone, Copy, Debug)]
pub(super) struct Push {
    pub force: Vec3,
    pub from: Tick,
    pub until: Tick,
}

/// A model that the bodies of one `for` share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Shared {
    /// Every body has its own.
    No,
    /// The first one makes it.
    Wanted,
    /// The others take it.
    Model(ModelId),
}

/// A world that grows.
pub(super) struct Builder {
    pub world: World,
    /// Where each body was written.
    places: Vec<Place>,
    names: HashSet<String>,
    /// Where each joint was written.
    pub joint_places: Vec<Place>,
    /// The layers that have been named.
    pub layers: LayerNames,
    /// Whether bodies that come next are alike.
    pub shared: Shared,
    /// What is odd about files that the scene names.
    pub warnings: Vec<String>,
}

impl Builder {
    pub fn new(world: World) -> Self {
        Builder {
            world,
            places: Vec::new(),
            names: HashSet::new(),
            joint_places: Vec::new(),
            layers: LayerNames::default(),
            shared: Shared::No,
            warnings: Vec::new(),
        }
    }

    /// Notes name, place, colour and layers of the body just added, and what pushes it.
    pub fn added(&mut self, body: BodyId, notes: &Notes, place: &Place) -> Decoded<()> {
        let entry = &mut self.world.bodies[body.index()];
        entry.color = notes.color;
        entry.layers = notes.layers;
        entry.is_sensor = notes.is_sensor;
        let name = entry.name.clone();
        self.take_name(&name, place)?;
        self.places.push(place.clone());
        for (number, push) in notes.pushes.iter().enumerate() {
            self.world.inputs.push(Input {
                at: push.from,
                body,
                // From the last number down: users count from zero.
                order: Input::ORDERS - 1 - number as u32,
                action: Action::Force {
                    force: push.force,
                    ticks: push.until.0 - push.from.0,
                },
            });
        }
        Ok(())
    }

    /// Notes name and place of the body of a link that was just added.
    pub fn mark_linked(&mut self, body: usize, place: &Place) -> Decoded<()> {
        let name = self.world.bodies[body].name.clone();
        self.take_name(&name, place)?;
        self.places.push(place.clone());
        Ok(())
    }

    /// Where the multibody of this name was written.
    pub fn multibody_place(&self, name: &str) -> Option<&Place> {
        let made = self.world.multibodies.iter().find(|m| m.name == name)?;
        self.places.get(made.links.first()?.body.index())
    }

    /// Adds a model, or takes the one that bodies which are alike share.
    pub fn model(&mut self, make: impl FnOnce() -> Decoded<BodyModel>) -> Decoded<ModelId> {
        if let Shared::Model(model) = self.shared {
            return Ok(model);
        }
        let model = self.world.add_model(make()?);
        if self.shared == Shared::Wanted {
            self.shared = Shared::Model(model);
        }
        Ok(model)
    }

    /// Makes sure that nothing else has this name.
    pub fn take_name(&mut self, name: &str, place: &Place) -> Decoded<()> {
        if self.names.insert(name.into()) {
            return Ok(());
        }
        let message = format!("two bodies have the name `{name}`; names must differ");
        Err(Fault::new(place, message))
    }

    /// Adds a body at a pose of its user's frame, fixed or dynamic.
    pub fn add(
        &mut self,
        name: String,
        (kind, model): (Kind, ModelId),
        user: State,
        notes: &Notes,
        place: &Place,
    ) -> Decoded<()> {
        if self.world.bodies.len() as u64 >= BODIES_MAX {
            let message = format!(
                "the scene has more than {BODIES_MAX} bodies, the most that a world may have"
            );
            return Err(Fault::new(place, message));
        }
        let body = match kind {
            Kind::Fixed => self.world.add_fixed(name, model, user.pose()),
            _ => self.world.add_dynamic(name, model, user),
        };
        self.added(body, notes, place)
    }

    /// Adds a dynamic body whose centre of mass has the given state.
    pub fn add_centred(
        &mut self,
        name: String,
        model: ModelId,
        state: &State,
        notes: &Notes,
        place: &Place,
    ) -> Decoded<()> {
        let user = user_state(&self.world.models[model.place()], state);
        self.add(name, (Kind::Dynamic, model), user, notes, place)
    }

    /// The body of this name.
    pub fn named(&self, name: &str) -> Option<BodyId> {
        let index = self.world.bodies.iter().position(|b| b.name == name)?;
        Some(BodyId(index as u32))
    }

    /// Where the joint of this name was written.
    pub fn joint_place(&self, name: &str) -> Option<&Place> {
        let index = self.world.joints.iter().position(|j| j.name == name)?;
        self.joint_places.get(index)
    }

    /// Where the body of this name was written.
    pub fn place_of(&self, name: &str) -> Option<&Place> {
        let index = self.world.bodies.iter().position(|b| b.name == name)?;
        self.places.get(index)
    }
}

/// The state of a body's user frame, given the state of its principal frame.
fn user_state(model: &BodyModel, principal: &State) -> State {
    let pose = principal.pose() * model.user_frame;
    let arm = pose.translation - principal.position;
    State {
        position: pose.translation,
        velocity: principal.velocity + principal.spin.cross(arm),
        rotation: pose.rotation,
        spin: principal.spin,
    }
}

/// Which room is taken: balls around dynamic bodies in a hash of cells, everything else exactly.
pub(super) struct Occupancy<'a> {
    world: &'a World,
    cell: f64,
    cells: FxHashMap<[i64; 3], SmallVec<[u32; 4]>>,
    balls: Vec<(Vec3, f64)>,
    obstacles: Vec<(BodyId, Option<Bounds>)>,
}

impl<'a> Occupancy<'a> {
    /// The room that `world` leaves to bodies of about `diameter`.
    pub fn new(world: &'a World, diameter: f64) -> Self {
        let mut room = Occupancy {
            world,
            cell: diameter,
            cells: FxHashMap::default(),
            balls: Vec::new(),
            obstacles: Vec::new(),
        };
        let dynamic = || world.bodies.iter().filter(|b| b.kind == Kind::Dynamic);
        let radius = |model: ModelId| world.models[model.place()].bounding_radius();
        let largest = dynamic().map(|b| radius(b.model)).fold(0.0, f64::max);
        room.cell = room.cell.max(0.25 * largest);
        for body in dynamic() {
            room.take(body.start.position, radius(body.model));
        }
        for (index, body) in world.bodies.iter().enumerate() {
            if body.kind != Kind::Dynamic {
                let bounds = bounds_at(&world.models[body.model.place()], &body.start);
                room.obstacles.push((BodyId(index as u32), bounds));
            }
        }
        room
    }

    /// Marks a ball as taken.
    pub fn take(&mut self, centre: Vec3, radius: f64) {
        let index = self.balls.len() as u32;
        self.balls.push((centre, radius));
        for cell in cells(centre, radius, self.cell) {
            self.cells.entry(cell).or_default().push(index);
        }
    }

    /// Whether a body at a pose keeps `gap` metres from everything.
    pub fn is_free(&self, model: &BodyModel, pose: Pose, gap: f64) -> bool {
        let (centre, radius) = (pose.translation, model.bounding_radius());
        let apart = |index: &u32| {
            let (other, other_radius) = self.balls[*index as usize];
            centre.distance(other) >= radius + other_radius + gap
        };
        let free_of_balls = cells(centre, radius + gap, self.cell)
            .filter_map(|cell| self.cells.get(&cell))
            .all(|indices| indices.iter().all(apart));
        free_of_balls && self.is_free_of_obstacles(model, pose, gap)
    }

    fn is_free_of_obstacles(&self, model: &BodyModel, pose: Pose, gap: f64) -> bool {
        let state = State::at_rest(pose);
        let reach = Vec3::splat(model.bounding_radius() + gap);
        let own = Bounds::around(pose.translation - reach, pose.translation + reach);
        self.obstacles.iter().all(|(body, bounds)| {
            if bounds.is_some_and(|b| !b.overlaps(&own)) {
                return true;
            }
            let other = &self.world.bodies[body.index()];
            closest(model, &state, self.world.model(*body), &other.start).gap >= gap
        })
    }
}

/// The cells that a ball's box touches.
fn cells(centre: Vec3, radius: f64, cell: f64) -> impl Iterator<Item = [i64; 3]> {
    let lo = ((centre - Vec3::splat(radius)) / cell).floor();
    let hi = ((centre + Vec3::splat(radius)) / cell).floor();
    let range = |a: f64, b: f64| (a as i64)..=(b as i64);
    range(lo.x, hi.x).flat_map(move |x| {
        range(lo.y, hi.y).flat_map(move |y| range(lo.z, hi.z).map(move |z| [x, y, z]))
    })
}
