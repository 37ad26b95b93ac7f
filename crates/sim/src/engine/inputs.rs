//! Inputs in the engine. Those that history may still meet lie in one ordered list; each segment of
//! a body is armed with the first input after its start, exactly as it is with its own alarms, so
//! rollback needs nothing special: a restored segment meets its inputs again.

use super::models::SavedModels;
use super::restore::{SavedOrder, order_in, order_out};
use super::{Course, Engine, Kind, Origin, Pending};
use crate::input::{Action, Input, InputError};
use crate::world::BodyId;
use physics::{BodyModel, ModelId, State, Vec3};
use record::{Event, NO_PARTNER};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use warp::{EventOrder, Moment, NodeId, ProcessId, Tick};

/// Set in the order of the event that ends a force.
const FORCE_ENDS: u32 = Input::ORDERS;

/// A force interval.
#[derive(Clone, Copy, Debug)]
struct Push {
    body: u32,
    start: EventOrder,
    end: EventOrder,
    force: Vec3,
}

/// All inputs that GVT has not passed, and the forces they began.
#[derive(Clone, Debug, Default)]
pub(super) struct Inputs {
    scheduled: BTreeMap<(u32, EventOrder), Action>,
    pushes: Vec<Push>,
}

impl Inputs {
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.scheduled.is_empty()
    }

    /// Whether there are inputs to a body.
    pub fn concern(&self, body: u32) -> bool {
        let all = (body, EventOrder::MIN)..=(body, EventOrder::MAX);
        self.scheduled.range(all).next().is_some() || self.pushes.iter().any(|p| p.body == body)
    }

    /// The first input to a body after `order`.
    pub fn next(&self, body: u32, order: EventOrder) -> Option<EventOrder> {
        use std::ops::Bound::{Excluded, Included};
        let range = (Excluded((body, order)), Included((body, EventOrder::MAX)));
        self.scheduled.range(range).next().map(|((_, o), _)| *o)
    }

    /// The sum of the forces on a body right after `order`, and the last tick of any of them.
    pub fn force_after(&self, body: u32, order: EventOrder) -> (Vec3, Tick) {
        let mut active: Vec<&Push> = self
            .pushes
            .iter()
            .filter(|p| p.body == body && p.start <= order && order < p.end)
            .collect();
        active.sort_by_key(|p| p.start);
        let last = active.iter().map(|p| p.end.moment.tick).max();
        let sum = active.iter().fold(Vec3::ZERO, |sum, p| sum + p.force);
        (sum, last.unwrap_or(Tick::MIN))
    }

    /// Forgets what lies before `gvt`.
    pub fn expire(&mut self, gvt: Tick) {
        if self.scheduled.is_empty() {
            return;
        }
        self.scheduled.retain(|(_, o), _| o.moment.tick >= gvt);
        self.pushes.retain(|p| p.end.moment.tick >= gvt);
    }
}

/// All inputs as plain data.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct SavedInputs {
    scheduled: Vec<(u32, SavedOrder, SavedAction)>,
    pushes: Vec<(u32, SavedOrder, SavedOrder, [f64; 3])>,
    pub(super) models: SavedModels,
}

#[derive(Serialize, Deserialize)]
enum SavedAction {
    Impulse([f64; 3], Option<[f64; 3]>),
    Force([f64; 3], i64),
    Teleport([f64; 13]),
    Motor([f64; 3], [f64; 3]),
    Enter([f64; 13]),
    Leave,
    Signal(u32, f64),
}

fn state_out(state: &State) -> [f64; 13] {
    let mut all = [0.0; 13];
    all[..3].copy_from_slice(&state.position.to_array());
    all[3..6].copy_from_slice(&state.velocity.to_array());
    all[6..10].copy_from_slice(&state.rotation.to_array());
    all[10..].copy_from_slice(&state.spin.to_array());
    all
}

fn state_in(all: [f64; 13]) -> State {
    let three = |i: usize| Vec3::new(all[i], all[i + 1], all[i + 2]);
    State {
        position: three(0),
        velocity: three(3),
        rotation: physics::Quat::from_xyzw(all[6], all[7], all[8], all[9]),
        spin: three(10),
    }
}

impl SavedAction {
    fn new(action: &Action) -> Self {
        match action {
            Action::Impulse { impulse, point } => {
                SavedAction::Impulse(impulse.to_array(), point.map(|p| p.to_array()))
            }
            Action::Force { force, ticks } => SavedAction::Force(force.to_array(), *ticks),
            Action::Teleport(state) => SavedAction::Teleport(state_out(state)),
            Action::Motor { velocity, spin } => {
                SavedAction::Motor(velocity.to_array(), spin.to_array())
            }
            Action::Enter(state) => SavedAction::Enter(state_out(state)),
            Action::Leave => SavedAction::Leave,
            Action::Signal { motor, value } => SavedAction::Signal(*motor, *value),
        }
    }

    fn into_action(self) -> Action {
        let vector = Vec3::from_array;
        match self {
            SavedAction::Impulse(impulse, point) => Action::Impulse {
                impulse: vector(impulse),
                point: point.map(vector),
            },
            SavedAction::Force(force, ticks) => Action::Force {
                force: vector(force),
                ticks,
            },
            SavedAction::Teleport(state) => Action::Teleport(state_in(state)),
            SavedAction::Motor(velocity, spin) => Action::Motor {
                velocity: vector(velocity),
                spin: vector(spin),
            },
            SavedAction::Enter(state) => Action::Enter(state_in(state)),
            SavedAction::Leave => Action::Leave,
            SavedAction::Signal(motor, value) => Action::Signal { motor, value },
        }
    }
}

impl Inputs {
    /// As plain data.
    pub fn save(&self, models: SavedModels) -> SavedInputs {
        let push = |p: &Push| {
            let (start, end) = (order_out(p.start), order_out(p.end));
            (p.body, start, end, p.force.to_array())
        };
        SavedInputs {
            scheduled: self
                .scheduled
                .iter()
                .map(|((body, order), action)| (*body, order_out(*order), SavedAction::new(action)))
                .collect(),
            pushes: self.pushes.iter().map(push).collect(),
            models,
        }
    }
}

/// The place of an input in the total order.
fn order_of(at: Tick, body: u32, order: u32) -> EventOrder {
    let key = Pending::input_key(body, order);
    let moment = Moment::at(at);
    EventOrder { moment, key }
}

impl Engine {
    /// Reads what an input to a body will be about, all at once, so that the latencies of memory overlap.
    fn prefetch_input(&self, body: BodyId) {
        let (Some(entry), Some(about)) =
            (self.around.get(body.0), self.world.bodies.get(body.index()))
        else {
            return;
        };
        let node = self.lines.tip(ProcessId(body.0));
        std::hint::black_box(entry.flight.body ^ entry.segment.0 ^ about.model.index() ^ node.0);
        let begun = self.lines.start(node).tick.0 as u32;
        let origin = self.lines.origin(node).partner;
        let spins = u32::from(self.lines.turn(node).spin.x > 0.0);
        std::hint::black_box(self.lines.flight(node).body ^ origin ^ spins ^ begun);
    }

    /// Takes an input and schedules it, wherever it lies after GVT.
    pub fn add_input(&mut self, input: &Input) -> Result<(), InputError> {
        self.prefetch_input(input.body);
        input.validate(&self.world)?;
        if input.at < self.gvt {
            return Err(InputError::TooLate {
                at: input.at.seconds(),
                gvt: self.gvt.seconds(),
            });
        }
        let Input {
            at, body, order, ..
        } = *input;
        let place = order_of(at, body.0, order);
        let action = self.in_principal_frame(body, input.action);
        let ends = match action {
            Action::Force { ticks, .. } => Some(order_of(
                at.saturating_add(ticks),
                body.0,
                order | FORCE_ENDS,
            )),
            _ => None,
        };
        // Forces that end together share the event that ends them: it only says that fewer act from here on.
        if self.inputs.scheduled.contains_key(&(body.0, place)) {
            return Err(InputError::Taken {
                body: self.world.bodies[body.index()].name.clone(),
                at: at.seconds(),
                order,
            });
        }
        self.inputs.scheduled.insert((body.0, place), action);
        if let (Some(end), Action::Force { force, .. }) = (ends, action) {
            self.inputs.scheduled.insert((body.0, end), action);
            self.inputs.pushes.push(Push {
                body: body.0,
                start: place,
                end,
                force,
            });
            self.meet_input(body, end);
        }
        self.meet_input(body, place);
        Ok(())
    }

    /// Takes an input back, as if it had never been.
    pub fn withdraw_input(&mut self, at: Tick, body: BodyId, order: u32) -> Result<(), InputError> {
        let place = order_of(at, body.0, order);
        let seconds = at.seconds();
        if at < self.gvt {
            return Err(InputError::TooLate {
                at: seconds,
                gvt: self.gvt.seconds(),
            });
        }
        let Some(action) = self.inputs.scheduled.remove(&(body.0, place)) else {
            return Err(InputError::NotThere {
                body: body.0,
                at: seconds,
                order,
            });
        };
        if let Action::Force { ticks, .. } = action {
            let end = order_of(at.saturating_add(ticks), body.0, order | FORCE_ENDS);
            let pushes = &mut self.inputs.pushes;
            pushes.retain(|p| (p.body, p.start) != (body.0, place));
            if !pushes.iter().any(|p| (p.body, p.end) == (body.0, end)) {
                self.inputs.scheduled.remove(&(body.0, end));
            }
        }
        let process = ProcessId(body.0);
        if self.lines.order(self.lines.tip(process)) >= place {
            self.roll_back(process, place);
        }
        let tip = self.lines.tip(process);
        if self.moves_groups(tip) {
            self.outdate_steps_along(tip, place);
        }
        for node in self.readers.resting_on(body.0, place, &self.lines) {
            let group = self.lines.process(node);
            if self.lines.order(self.lines.tip(group)) >= place {
                self.roll_back(group, place);
            }
        }
        self.resume(&[]);
        Ok(())
    }

    /// Drops what is kept of segments that are gone, once there is as much of it as of the rest: inputs
    /// that come and go while time stands still leave it behind.
    pub fn sweep(&mut self) {
        self.account.cross_out(&self.lines);
        if self.agenda.is_crowded() {
            self.sweep_agenda();
        }
    }

    /// Drops what is pending of segments that are gone, what a shorter or longer look-ahead has replaced,
    /// and what segments that looked around again have found again.
    #[cold]
    fn sweep_agenda(&mut self) {
        let mut called_off = Vec::new();
        let mut seen = HashSet::new();
        let (lines, around) = (&self.lines, &self.around);
        self.agenda.sweep(|entry| {
            let is_live = |side| lines.is_live(side);
            let is_due = match entry.kind {
                Kind::Extend => {
                    is_live(entry.a) && {
                        let swept = around.get(lines.body_of(entry.a.node).0);
                        swept.is_some_and(|swept| {
                            swept.segment == entry.a.node
                                && swept.horizon == entry.order().moment.tick
                        })
                    }
                }
                Kind::Input => is_live(entry.a),
                Kind::CollisionCheck => is_live(entry.a) && is_live(entry.b),
                Kind::Collision if !(is_live(entry.a) && is_live(entry.b)) => {
                    called_off.push(*entry);
                    false
                }
                _ => true,
            };
            is_due && seen.insert((entry.order(), entry.kind as u8, entry.a, entry.b))
        });
        for entry in &called_off {
            self.call_off(entry, entry.order());
        }
    }

    /// Schedules an input on the segment that covers it, and wakes the groups that lean on its body.
    fn meet_input(&mut self, body: BodyId, order: EventOrder) {
        if let Some(node) = self.lines.covering(ProcessId(body.0), order) {
            self.push_input(node, order);
        }
        for node in self.readers.resting_on(body.0, order, &self.lines) {
            self.arm(node);
        }
    }

    fn push_input(&mut self, node: NodeId, order: EventOrder) {
        let body = self.lines.flight(node).body;
        if order.moment.tick < self.world.until && !self.is_elsewhere(body) {
            let reference = self.lines.reference(node);
            self.agenda.push(Pending::input(order, reference));
        }
    }

    /// Schedules the first input that a body's segment meets.
    pub(super) fn arm_input(&mut self, node: NodeId) {
        let body = self.lines.flight(node).body;
        if let Some(order) = self.inputs.next(body, self.lines.order(node)) {
            self.push_input(node, order);
        }
    }

    /// States that users give are those of their own frame.
    fn in_principal_frame(&self, body: BodyId, action: Action) -> Action {
        let model = self.world.model(body);
        match action {
            Action::Teleport(user) => Action::Teleport(model.principal_state(&user)),
            Action::Enter(user) => Action::Enter(model.principal_state(&user)),
            other => other,
        }
    }

    /// An input is due.
    pub(super) fn take_input(&mut self, entry: &Pending) {
        let order = entry.order();
        if !self.is_current(entry, order) {
            return;
        }
        let node = entry.a.node;
        let body = self.lines.body_of(node);
        if self.is_elsewhere(body.0) {
            return;
        }
        let Some(&action) = self.inputs.scheduled.get(&(body.0, order)) else {
            return;
        };
        if let Some(link) = self.multibodies.link(body.0) {
            return self.input_to_tree(order, node, link, action);
        }
        let tick = order.moment.tick;
        self.integrate(node, tick);
        let state = self.motion(node).state(tick);
        if self.lines.group_of(node).is_some() || self.lines.is_asleep(node) {
            self.input_to_member(order, node, action);
            return;
        }
        let (course, event) = self.course_of(order, node, state, action);
        let mut opened = self.open(order, &[ProcessId(body.0)]);
        self.go_on(&mut opened, &course, Origin::of(event));
        self.close(opened);
    }

    /// How a body on its own goes on after an input.
    fn course_of(
        &mut self,
        order: EventOrder,
        node: NodeId,
        state: State,
        action: Action,
    ) -> (Course, Event) {
        let body = self.lines.body_of(node);
        let own = self.world.bodies[body.index()].model;
        let mut course = self.alone(body, state, node);
        let is_absent = course.model == self.models.absent();
        match action {
            Action::Impulse { impulse, point } if !is_absent => {
                let change = impulse_change(self.models.get(own), &state, impulse, point);
                course.state.velocity += change[0];
                course.state.spin += change[1];
            }
            Action::Force { .. } if !is_absent => course.model = self.model_after(body.0, order),
            Action::Motor { velocity, spin } => {
                course.state.velocity = velocity;
                course.state.spin = spin;
            }
            Action::Enter(to) => {
                course.state = to;
                course.model = self.model_after(body.0, order);
                if is_absent {
                    return (course, Event::Start);
                }
            }
            Action::Teleport(to) if !is_absent => course.state = to,
            Action::Leave => {
                course.state = State::at_rest(state.pose());
                course.model = self.models.absent();
                return (course, Event::Leave);
            }
            _ => {}
        }
        (course, Event::Input)
    }

    /// An input to a member of a group: the group steps again from here, with or without the body.
    fn input_to_member(&mut self, order: EventOrder, node: NodeId, action: Action) {
        let body = self.lines.body_of(node);
        let tick = order.moment.tick;
        match action {
            Action::Impulse { impulse, point } => {
                let own = self.world.bodies[body.index()].model;
                let state = self.motion(node).state(tick);
                let change = impulse_change(self.models.get(own), &state, impulse, point);
                self.push_member(order, body, change, None);
            }
            Action::Force { .. } => {
                let model = self.model_after(body.0, order);
                self.push_member(order, body, [Vec3::ZERO; 2], Some(model));
            }
            Action::Motor { .. } | Action::Signal { .. } => {}
            Action::Teleport(_) | Action::Enter(_) | Action::Leave => {
                let state = self.motion(node).state(tick);
                let (course, event) = self.course_of(order, node, state, action);
                self.take_from_group(order, course, event);
            }
        }
    }

    /// Inputs from plain data; or what is wrong with them.
    pub(super) fn restore_inputs(&mut self, saved: SavedInputs) -> Result<(), String> {
        let bodies = self.world.bodies.len() as u32;
        self.models.restore(saved.models, self.around.grid())?;
        for (body, start, end, force) in saved.pushes {
            if body >= bodies || start > end || !Vec3::from_array(force).is_finite() {
                return Err("a force on a body makes no sense".into());
            }
            self.inputs.pushes.push(Push {
                body,
                start: order_in(start),
                end: order_in(end),
                force: Vec3::from_array(force),
            });
        }
        for (body, order, action) in saved.scheduled {
            if body >= bodies {
                return Err("an input is for a body that is not there".into());
            }
            let (place, action) = ((body, order_in(order)), action.into_action());
            let input = Input {
                at: place.1.moment.tick,
                body: BodyId(body),
                order: 0,
                action,
            };
            if input.at < self.gvt || input.validate(&self.world).is_err() {
                return Err("an input makes no sense".into());
            }
            self.inputs.scheduled.insert(place, action);
        }
        Ok(())
    }

    /// The model that a body on its own follows right after `order`: its own, or one with the
    /// acceleration of the forces that act on it.
    fn model_after(&mut self, body: u32, order: EventOrder) -> ModelId {
        let base = self.world.bodies[body as usize].model;
        let force = self.inputs.force_after(body, order);
        let grid = self.around.grid();
        self.models.under(base, force, self.gvt, grid)
    }
}

/// Changes of velocity and spin by an impulse.
fn impulse_change(
    model: &BodyModel,
    state: &State,
    impulse: Vec3,
    point: Option<Vec3>,
) -> [Vec3; 2] {
    let arm = point.map_or(Vec3::ZERO, |p| p - state.position);
    let turn = state.rotation.inverse() * arm.cross(impulse);
    [
        impulse * model.mass.inverse_mass,
        state.rotation * (model.mass.inverse_inertia * turn),
    ]
}

impl Origin {
    /// An event of one body that is not a collision.
    pub(super) fn of(event: Event) -> Self {
        Origin {
            event,
            partner: NO_PARTNER,
            impulse: 0.0,
            overlap: 0.0,
            storm: 0,
            flurry: 0,
            epoch: 0,
        }
    }
}
