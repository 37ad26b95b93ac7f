//! The retained history as plain data, and an engine made from it again. Only what cannot be computed
//! is saved: segments as they began, inputs, and what groups remember.

use super::calm::Calm;
use super::deformables::{Deformables, SavedForms};
use super::groups::GroupSegment;
use super::inputs::SavedInputs;
use super::multibody_saved::SavedJoints;
use super::worldlines::Stay;
use super::{Engine, LONGEST_PAST, Origin, Pending};
use crate::room::Tenure;
use crate::world::{NOBODY, World};
use physics::groups::Memory;
use physics::groups::gjk::Corners;
use physics::groups::memory::{Held, PointKey};
use physics::groups::seeds::{Seed, SeedKey};
use physics::{Drive, Flight, ModelId, Quat, Turn, Vec3};
use record::Event;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use warp::{EventOrder, Moment, NodeId, ProcessId, Tick};

/// Sweeps that a segment is cut into before the rest of it becomes one.
const SMALL_STRETCHES: u32 = 256;

/// The group of a saved segment that has none.
pub(super) const NO_SAVED_GROUP: u32 = u32::MAX;

/// An event's place in the total order.
pub(super) type SavedOrder = (i64, u32, u64);

pub(super) fn order_out(order: EventOrder) -> SavedOrder {
    (order.moment.tick.0, order.moment.micro, order.key)
}

pub(super) fn order_in((tick, micro, key): SavedOrder) -> EventOrder {
    EventOrder {
        moment: Moment {
            tick: Tick(tick),
            micro,
        },
        key,
    }
}

/// Everything that must be saved.
#[derive(Serialize, Deserialize)]
pub(crate) struct Saved {
    pub(super) gvt: i64,
    pub(super) widest_reach: f64,
    inputs: SavedInputs,
    /// Forms of the deformables.
    forms: Vec<SavedForms>,
    /// Bodies, then callbacks, then deformables, then multibodies, then groups.
    pub(super) worldlines: Vec<Vec<SavedSegment>>,
    /// Members of the groups.
    pub(super) groups: Vec<Vec<u32>>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct SavedSegment {
    pub(super) order: SavedOrder,
    pub(super) body: u32,
    pub(super) model: u32,
    pub(super) position: [f64; 3],
    pub(super) velocity: [f64; 3],
    pub(super) rotation: [f64; 4],
    pub(super) spin: [f64; 3],
    event: u8,
    pub(super) partner: u32,
    pub(super) impulse: f64,
    pub(super) overlap: f64,
    storm: u32,
    pub(super) alarm: i64,
    pub(super) horizon: i64,
    /// Index among the saved groups.
    pub(super) group: u32,
    /// Velocity and spin at both ends of a step, and the bend of the angular momentum.
    pub(super) drive: [[f64; 3]; 5],
    /// Where the step of a member began.
    pub(super) began: SavedOrder,
    /// The friction that holds a sleeper.
    pub(super) grip: f64,
    /// The host of a guest.
    pub(super) host: u32,
    pub(super) slots: Vec<f64>,
    pub(super) of_group: Option<SavedStep>,
    /// What only a segment of a multibody has.
    pub(super) joints: Option<SavedJoints>,
}

impl SavedSegment {
    /// How it began, by an event of this kind.
    fn origin(&self, event: Event) -> Origin {
        Origin {
            partner: self.partner,
            impulse: self.impulse,
            overlap: self.overlap as f32,
            storm: self.storm as u16,
            flurry: (self.storm >> 16) as u8,
            ..Origin::of(event)
        }
    }

    /// Its momentum over a group's step.
    fn drive(&self) -> Drive {
        let [v0, v1, w0, w1, bend] = self.drive.map(Vec3::from_array);
        Drive {
            velocity: [v0, v1],
            spin: [w0, w1],
            bend,
        }
    }
}

/// What only a segment of a group has.
#[derive(Serialize, Deserialize)]
pub(super) struct SavedStep {
    pub(super) points: Vec<([u32; 5], [[f64; 3]; 3])>,
    seeds: Vec<([u32; 4], u16, [[u16; 2]; 3])>,
    /// For each member: since when it is calm, and the means of its velocity and spin.
    pub(super) calm: Vec<(i64, [f64; 3], [f64; 3])>,
    pub(super) began: i64,
    /// Bodies that have come to a member since the step began.
    pub(super) guests: Vec<u32>,
    steps: u32,
    is_resting: bool,
    pub(super) is_ended: bool,
    pub(super) leans_on: Vec<u32>,
    pub(super) leaning: Vec<u32>,
}

impl SavedStep {
    fn new(segment: &GroupSegment) -> Self {
        let point = |held: &Held| {
            let PointKey {
                bodies: [a, b],
                parts,
                piece,
                feature,
            } = held.key;
            let [first, second] = held.hold;
            let vectors = [held.force, first, second].map(|v| v.to_array());
            ([a, b, parts, piece, feature], vectors)
        };
        let seed = |seed: &Seed| {
            let ([a, b], Corners { ids, count }) = (seed.key.bodies, seed.corners);
            ([a, b, seed.key.parts, seed.key.piece], count, ids)
        };
        let calm = |calm: &Calm| {
            let Calm {
                since,
                velocity,
                spin,
            } = *calm;
            (since.0, velocity.to_array(), spin.to_array())
        };
        SavedStep {
            points: segment.memory.points().iter().map(point).collect(),
            seeds: segment.memory.seeds().iter().map(seed).collect(),
            calm: segment.calm.iter().map(calm).collect(),
            began: segment.began.0,
            guests: segment.guests.clone(),
            steps: segment.steps,
            is_resting: segment.is_resting,
            is_ended: segment.is_ended,
            leans_on: segment.leans_on.clone(),
            leaning: segment.leaning.clone(),
        }
    }

    fn into_segment(self) -> GroupSegment {
        let held =
            |([a, b, parts, piece, feature], [force, first, second]): ([u32; 5], [[f64; 3]; 3])| {
                Held {
                    key: PointKey {
                        bodies: [a, b],
                        parts,
                        piece,
                        feature,
                    },
                    force: Vec3::from_array(force),
                    hold: [Vec3::from_array(first), Vec3::from_array(second)],
                }
            };
        let seed = |([a, b, parts, piece], count, ids): ([u32; 4], u16, [[u16; 2]; 3])| Seed {
            key: SeedKey {
                bodies: [a, b],
                parts,
                piece,
            },
            corners: Corners { ids, count },
        };
        let calm = |(since, velocity, spin): (i64, [f64; 3], [f64; 3])| Calm {
            since: Tick(since),
            velocity: Vec3::from_array(velocity),
            spin: Vec3::from_array(spin),
        };
        GroupSegment {
            memory: Arc::new(Memory::from_parts(
                self.points.into_iter().map(held).collect(),
                self.seeds.into_iter().map(seed).collect(),
            )),
            calm: Arc::new(self.calm.into_iter().map(calm).collect()),
            began: Tick(self.began),
            guests: self.guests,
            steps: self.steps,
            is_resting: self.is_resting,
            is_ended: self.is_ended,
            leans_on: self.leans_on,
            leaning: self.leaning,
            deepest: 0.0,
        }
    }
}

impl Saved {
    /// The same history with more places behind the bodies of a world that has no deformables.
    pub(super) fn make_room(&mut self, world: &World, more: usize) {
        let (own, shift) = (world.models.len() as u32, 2 * more as u32);
        let shifted = |model: &mut u32| *model += if *model >= own { shift } else { 0 };
        let segments = self.worldlines.iter_mut().flatten();
        for segment in segments.filter(|s| s.body != NOBODY) {
            shifted(&mut segment.model);
        }
        let (all, variants) = &mut self.inputs.models;
        *all += shift;
        for (base, _, model, _) in variants {
            shifted(base);
            shifted(model);
        }
        let bodies = world.bodies.len();
        let places = (bodies..bodies + more).map(|body| {
            let nobody = SavedSegment::absent(body as u32, own + shift, world.slots);
            vec![nobody]
        });
        self.worldlines.splice(bodies..bodies, places);
    }
}

impl SavedSegment {
    /// A body that has not been there yet.
    fn absent(body: u32, model: u32, slots: usize) -> Self {
        SavedSegment {
            order: order_out(EventOrder::before(Moment::at(Tick::ZERO))),
            body,
            model,
            position: [0.0; 3],
            velocity: [0.0; 3],
            rotation: Quat::IDENTITY.to_array(),
            spin: [0.0; 3],
            event: Event::Leave as u8,
            partner: record::NO_PARTNER,
            impulse: 0.0,
            overlap: 0.0,
            storm: 0,
            alarm: Tick::MAX.0,
            horizon: Tick::MAX.0,
            group: NO_SAVED_GROUP,
            drive: [[0.0; 3]; 5],
            began: order_out(EventOrder::before(Moment::at(Tick::ZERO))),
            grip: 0.0,
            host: NOBODY,
            slots: vec![0.0; slots],
            of_group: None,
            joints: None,
        }
    }
}

impl Engine {
    /// The retained history as plain data; or why it cannot be had.
    pub(crate) fn save(&self, now: Tick) -> Result<Saved, &'static str> {
        let forms = self
            .deformables
            .save()
            .ok_or("it has a deformable whose forms have no file format")?;
        if self.account.has_failed(&self.lines) {
            return Err("a contact group's solver has failed in it");
        }
        if self.account.is_suspended(&self.lines) {
            return Err("events accumulate in it, or a body flies away");
        }
        if now.0.saturating_sub(self.gvt.0) > LONGEST_PAST {
            return Err("it retains more than four hours of history; let some of it go");
        }
        let ordinary = self.lines.lasting();
        let alive: Vec<ProcessId> = self.lines.groups_alive().collect();
        let processes = (0..ordinary as u32).map(ProcessId).chain(alive.clone());
        Ok(Saved {
            gvt: self.gvt.0,
            widest_reach: self.readers.widest_reach(),
            inputs: self.inputs.save(self.models.save()),
            forms,
            worldlines: processes.map(|p| self.save_worldline(p, &alive)).collect(),
            groups: alive
                .iter()
                .map(|p| self.groups.members(*p).to_vec())
                .collect(),
        })
    }

    fn save_worldline(&self, process: ProcessId, groups: &[ProcessId]) -> Vec<SavedSegment> {
        let mut segments = Vec::new();
        let mut at = Some(self.lines.tip(process));
        while let Some(node) = at {
            segments.push(self.save_segment(node, groups));
            at = self.lines.previous(node);
        }
        segments.reverse();
        segments
    }

    fn save_segment(&self, node: NodeId, groups: &[ProcessId]) -> SavedSegment {
        let flight = self.lines.flight(node);
        // Callbacks and groups do not turn.
        let nothing = Turn::default();
        let turn = self.lines.turn_if_any(node).unwrap_or(&nothing);
        let origin = self.lines.origin(node);
        let group = self
            .lines
            .group_of(node)
            .and_then(|g| groups.binary_search(&g).ok());
        let is_group = groups.binary_search(&self.lines.process(node)).is_ok();
        let stay = self.lines.stay(node);
        let Drive {
            velocity: [v0, v1],
            spin: [w0, w1],
            bend,
        } = self.lines.drive_if_any(node);
        SavedSegment {
            order: order_out(self.lines.order(node)),
            body: flight.body,
            model: flight.model.place() as u32,
            position: flight.position.to_array(),
            velocity: flight.velocity.to_array(),
            rotation: turn.rotation.to_array(),
            spin: turn.spin.to_array(),
            event: origin.event as u8,
            partner: origin.partner,
            impulse: origin.impulse,
            overlap: f64::from(origin.overlap),
            storm: u32::from(origin.flurry) << 16 | u32::from(origin.storm),
            alarm: self.lines.alarm(node).0,
            horizon: self.lines.step_end(node).0,
            group: group.map_or(NO_SAVED_GROUP, |index| index as u32),
            drive: [v0, v1, w0, w1, bend].map(|v| v.to_array()),
            began: order_out(stay.began),
            grip: stay.grip,
            host: stay.host,
            slots: self.lines.slots(node),
            of_group: is_group.then(|| SavedStep::new(self.groups.step(node))),
            joints: self.saved_joints(node),
        }
    }

    /// An engine with the saved history, everything before `now` done; or what is wrong with it.
    pub(crate) fn restore(
        world: Arc<World>,
        mut saved: Saved,
        now: Tick,
    ) -> Result<Engine, String> {
        let mut engine = Engine::bare(world, true);
        engine.retain();
        engine.gvt = Tick(saved.gvt);
        engine.restore_inputs(std::mem::take(&mut saved.inputs))?;
        saved.check(&engine, now)?;
        engine.account.begin_at(engine.gvt);
        engine.around.begin_at(engine.gvt);
        engine.readers.widen(saved.widest_reach);
        engine.deformables = Deformables::restore(&engine.world, saved.forms)?;
        let ordinary = engine.lines.lasting();
        for _ in &saved.worldlines {
            engine.lines.add_idle_process();
        }
        for (index, members) in saved.groups.into_iter().enumerate() {
            let group = ProcessId((ordinary + index) as u32);
            engine.groups.found(group, members.into_iter());
        }
        engine.restore_graph(saved.worldlines, ordinary)?;
        engine.restore_broad_phase(now);
        engine.restore_queue(now);
        Ok(engine)
    }

    /// Begins all segments again, event by event.
    fn restore_graph(
        &mut self,
        worldlines: Vec<Vec<SavedSegment>>,
        ordinary: usize,
    ) -> Result<(), String> {
        let count = worldlines.len();
        let mut events: Vec<(EventOrder, usize, SavedSegment)> = Vec::new();
        for (process, segments) in worldlines.into_iter().enumerate() {
            let orders = segments
                .into_iter()
                .map(|s| (order_in(s.order), process, s));
            events.extend(orders);
        }
        events.sort_by_key(|(order, process, _)| (*order, *process));
        let mut begun = Vec::new();
        let mut segments = events.into_iter().peekable();
        while let Some((order, process, segment)) = segments.next() {
            let mut ring = vec![(process, segment)];
            // Starts of the run have no event in common; all else with one order has.
            while order.key != 0
                && let Some((_, process, segment)) = segments.next_if(|(o, _, _)| *o == order)
            {
                ring.push((process, segment));
            }
            let processes: Vec<ProcessId> =
                ring.iter().map(|(p, _)| ProcessId(*p as u32)).collect();
            begun.clear();
            self.lines.begin(order, &processes, &mut begun);
            for (place, (_, segment)) in ring.into_iter().enumerate() {
                self.restore_segment(begun[place], segment, ordinary, count)?;
            }
        }
        for process in 0..count {
            let process = ProcessId(process as u32);
            let oldest = self.lines.oldest(process);
            if self.lines.start(oldest).tick < self.gvt || process.index() < ordinary {
                self.lines.settle_oldest(process);
            }
        }
        Ok(())
    }

    fn restore_segment(
        &mut self,
        node: NodeId,
        mut saved: SavedSegment,
        ordinary: usize,
        count: usize,
    ) -> Result<(), String> {
        let is_body = self.lines.is_bodys(node);
        let event = Event::from_u8(saved.event).ok_or("an event is of no known kind")?;
        let group = self.fitting_group(node, &saved, (ordinary, count))?;
        let deformable = self.lines.deformable_of(self.lines.process(node));
        if is_body {
            let flight = Flight {
                start: self.lines.start(node).tick,
                position: Vec3::from_array(saved.position),
                velocity: Vec3::from_array(saved.velocity),
                model: ModelId::at(saved.model),
                body: saved.body,
            };
            let (rotation, spin) = (
                Quat::from_array(saved.rotation),
                Vec3::from_array(saved.spin),
            );
            let attitude = (rotation, spin);
            self.lines.place_saved(node, flight, attitude, &self.models);
        } else {
            self.lines.place_other(node, Tick::MAX);
        }
        self.lines.set_origin(node, saved.origin(event));
        if let Some(joints) = saved.joints.take() {
            let seconds = Tick(saved.alarm).since(self.lines.start(node).tick);
            self.multibodies.set(node, joints.into_joints(seconds));
        }
        self.remember_bounce(node);
        self.lines.set_alarm(node, Tick(saved.alarm));
        let drive = saved.drive();
        let step_end = Tick(saved.horizon);
        let stay = Stay {
            began: order_in(saved.began),
            grip: saved.grip,
            host: saved.host,
        };
        self.lines.join(node, group, drive, step_end, stay);
        self.lines.write_slots(node, &saved.slots);
        if let Some(step) = saved.of_group
            && self.world.contact.is_some()
        {
            let step = step.into_segment();
            for &body in &step.leans_on {
                self.readers.add_resting(body, node, &self.lines);
            }
            self.groups.set_step(node, step);
        }
        self.restore_account(node, saved.body, deformable);
        Ok(())
    }

    /// The group of a saved segment; an error if the segment does not fit the process whose it is said to be. Of all
    /// processes, the first `ordinary` ones are no groups.
    fn fitting_group(
        &self,
        node: NodeId,
        saved: &SavedSegment,
        (ordinary, count): (usize, usize),
    ) -> Result<Option<ProcessId>, String> {
        let group = match saved.group {
            NO_SAVED_GROUP => None,
            group if (group as usize) < count - ordinary => {
                Some(ProcessId(group + ordinary as u32))
            }
            _ => return Err("a body is in a group that is not there".into()),
        };
        let deformable = self.lines.deformable_of(self.lines.process(node));
        let is_body = self.lines.is_bodys(node);
        let fits = if let Some(index) = deformable {
            saved.body as usize == self.world.bodies.len() + index
        } else if is_body {
            saved.body == self.lines.process(node).0
                && self.models.contains(ModelId::at(saved.model))
        } else {
            saved.body == NOBODY
        };
        if !fits || saved.slots.len() != self.world.slots {
            return Err("a segment does not fit its body".into());
        }
        Ok(group)
    }

    /// Notes a restored segment that history has not been told of.
    fn restore_account(&mut self, node: NodeId, body: u32, deformable: Option<usize>) {
        // Of a deformable only the steps themselves are told; a group that they push has its own.
        let order = self.lines.order(node);
        let is_told = deformable.is_none_or(|index| {
            let reference = self.lines.reference(node);
            order == Pending::deform(order.moment.tick, index as u32, reference).order()
        });
        let is_unheard = order.key == 0
            && (self.world.bodies.get(body as usize))
                .is_some_and(|about| about.tenure != Tenure::Declared);
        if is_told && !is_unheard && order.moment.tick >= self.gvt {
            self.account.note(node, &self.lines);
        }
    }

    /// Every segment of a body sweeps again what it swept.
    fn restore_broad_phase(&mut self, now: Tick) {
        for body in self.lines.bodies() {
            let mut at = Some(self.lines.oldest(body));
            while let Some(node) = at {
                let end = self.lines.end(node);
                self.sweep_again(node, end.moment.tick.min(now));
                at = self.lines.next(node);
            }
        }
        // Nothing of this is new to anybody.
        while self.readers.take_outdated().is_some() {}
    }

    fn sweep_again(&mut self, node: NodeId, until: Tick) {
        let flight = *self.lines.flight(node);
        self.enter(node, flight);
        if self.is_suspended(node) {
            self.account.add_suspended(self.lines.reference(node));
            return;
        }
        self.register_sweep(node, flight.start);
        // SweptPast as small as they were, unless there would be very many of them.
        let mut count = 0;
        while self.horizon(node) < until && !self.is_moving_member(node) {
            count += 1;
            let from = match count < SMALL_STRETCHES {
                true => self.horizon(node),
                false => until,
            };
            self.integrate(node, from);
            self.look_ahead(node, from);
        }
    }

    /// Every worldline's end waits for its alarms and looks around from now on.
    fn restore_queue(&mut self, now: Tick) {
        for process in 0..self.lines.processes() {
            let process = ProcessId(process as u32);
            let tip = self.lines.tip(process);
            self.arm(tip);
            if self.lines.is_body(process) {
                self.check_node(tip, now);
            }
        }
    }
}
