//! Asynchronous variational integration (Algorithm 2): an event queue of force buckets, each with
//! its own step. An event drifts its stencil to the event's tick, kicks it, and recurs one step
//! later. Event times are multiples of the steps, so the queue at a window's start is a pure
//! function of the tick, and a layer that exerts nothing leaves no trace in the history.

use crate::acm::detect::history::Histories;
use crate::acm::forces::internal::InternalForces;
use crate::acm::forces::penalty::PenaltyForces;
use crate::acm::forces::rigid::steer_all;
use crate::acm::model::contact::LayerContacts;
use crate::acm::profile::{Phase, Profile};
use crate::acm::speculate::savepoints::Savepoints;
use crate::acm::speculate::watch::{Activation, Look, Watched};
use crate::acm::{ContactSet, Counts, Pair, ShellModel, ShellState, Threads, Tick, seconds};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What an event processes; at one tick in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Bucket {
    /// New velocities for moving obstacles and driven vertices.
    Motion,
    /// Gravity on every dynamic vertex.
    Gravity,
    /// Stretching and bending, fused.
    Internal,
    /// Every contact that has at least this many layers.
    Penalty(u8),
}

/// Step of gravity and of kinematic motions: about 1 ms, a multiple of the internal step so that
/// their kicks fall on ticks at which the vertices are kicked anyway.
pub(crate) fn slow_step(model: &ShellModel) -> Tick {
    model.internal_step * ((1 << 30) / model.internal_step).max(1)
}

impl ShellModel {
    /// Step of a bucket, in ticks.
    pub(crate) fn step_of(&self, bucket: Bucket) -> Tick {
        match bucket {
            Bucket::Motion | Bucket::Gravity => slow_step(self),
            Bucket::Internal => self.internal_step,
            Bucket::Penalty(depth) => self.layers.at(depth).step,
        }
    }

    /// Vertices that motions and rigid bodies drive.
    pub(crate) fn steered(&self) -> impl Iterator<Item = u32> {
        let surfaces = self.rigids.iter().flat_map(|r| &r.surface);
        let driven = self.driven.iter().map(|d| d.vertex);
        driven.chain(surfaces.map(|&(vertex, _)| vertex))
    }

    /// Buckets of a model whose deepest active layer is `deepest`.
    pub(crate) fn buckets(&self, deepest: u8) -> impl Iterator<Item = Bucket> {
        let moves = !self.driven.is_empty() || !self.rigids.is_empty();
        let motion = moves.then_some(Bucket::Motion);
        let is_pulled = self.gravity != glamx::DVec3::ZERO || self.air.is_some();
        let gravity = is_pulled.then_some(Bucket::Gravity);
        let internal = (!self.membranes.is_empty()).then_some(Bucket::Internal);
        motion
            .into_iter()
            .chain(gravity)
            .chain(internal)
            .chain((1..=deepest).map(Bucket::Penalty))
    }
}

/// First multiple of `step` at or after `t`; motions also act at 0, forces from their first step on.
pub(crate) fn first_event(bucket: Bucket, step: Tick, t: Tick) -> Tick {
    let n = (t + step - 1).div_euclid(step);
    step * if bucket == Bucket::Motion {
        n
    } else {
        n.max(1)
    }
}

/// Buffers of the integrator, kept between windows.
#[derive(Debug, Default)]
pub(crate) struct Integrator {
    internal: InternalForces,
    penalty: PenaltyForces,
    buckets: Vec<LayerContacts>,
    queue: BinaryHeap<Reverse<(Tick, Bucket)>>,
    look: Look,
    /// Pairs that have got one more layer, with how many they have now.
    deeper: Vec<(u8, Pair)>,
}

/// What a pass over a window leaves behind besides its end state.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    pub history: Histories,
    pub savepoints: Savepoints,
    /// Layers activated on the way, in the order of time.
    pub activations: Vec<Activation>,
}

impl Trace {
    /// Gives pairs (sorted) one more layer from the state's time on.
    fn activate(&mut self, state: &mut ShellState, pairs: &[Pair]) {
        let since = state.now;
        self.activations.extend(pairs.iter().map(|&pair| {
            let layers = state.contacts.layers_of(pair);
            Activation {
                pair,
                layers,
                since,
            }
        }));
        state.contacts.deepen(pairs);
    }

    /// Returns to the last savepoint and gives pairs (sorted) one more layer from there on.
    fn go_back(&mut self, state: &mut ShellState, pairs: &[Pair], counts: &mut Counts) {
        let (clean, done) = self.savepoints.last_mut();
        counts.undo_since(done);
        *done = *counts;
        state.copy_from(clean);
        self.history.truncate(state.now);
        self.activations.retain(|a| a.since <= state.now);
        self.activate(state, pairs);
        self.savepoints
            .last_mut()
            .0
            .contacts
            .clone_from(&state.contacts);
    }
}

/// What a pass is to do.
pub(crate) struct Plan<'a> {
    pub end: Tick,
    pub watched: &'a Watched,
    pub threads: &'a Threads,
}

/// A pass that goes back more often than this is too long for what happens in it,
const RETURNS_MAX: u32 = 12;
/// and so is one with more events than this for each step of the internal forces: deep layers are dropped
/// sooner in a shorter one.
const EVENTS_MAX: Tick = 64;

/// Windows are cut down to this, in ticks (about 8 us).
pub(crate) const SHORTEST: Tick = 1 << 23;

impl Integrator {
    /// Processes every event from a state on before the plan's end, in another state. Returns false if `keep_going` said to stop
    /// early, or if too much went wrong, which leaves the state somewhere inside the window.
    pub fn advance(
        &mut self,
        model: &ShellModel,
        (from, state): (&ShellState, &mut ShellState),
        plan: &Plan,
        (trace, profile): (&mut Trace, &mut Profile),
        keep_going: impl Fn() -> bool,
    ) -> bool {
        state.copy_from(from);
        trace.history.begin(state, model.dynamic, plan.end);
        trace.activations.clear();
        trace.savepoints.begin(state, &profile.counts, plan.end);
        self.look.begin(model, state, plan.watched);
        self.fill_queue(model, state);
        let mut next_savepoint = trace.savepoints.next_after(state.now);
        let steps = (plan.end - state.now) / model.internal_step + 16;
        let events_max = profile.counts.events + (EVENTS_MAX * steps) as u64;
        let (may_give_up, mut returns) = (plan.end - state.now > SHORTEST, 0);
        while let Some(&Reverse((t, bucket))) = self.queue.peek().filter(|e| e.0.0 < plan.end) {
            let too_much = returns > RETURNS_MAX || profile.counts.events > events_max;
            if !keep_going() || (too_much && may_give_up) {
                return false;
            }
            if next_savepoint <= t {
                state.now = next_savepoint;
                self.pause(model, state, plan, trace, profile);
                returns += u32::from(state.now < next_savepoint);
                next_savepoint = trace.savepoints.next_after(state.now);
                continue;
            }
            self.process(model, state, t, bucket, plan.threads, profile);
            self.record(model, state, t, bucket, &mut trace.history);
            self.queue.pop();
            self.queue
                .push(Reverse((t + model.step_of(bucket), bucket)));
        }
        state.now = plan.end;
        trace.history.finish(state, plan.end);
        true
    }

    /// At a savepoint: saves the state, activates imminent layers, or goes back by one savepoint
    /// if a watched pair has entered a layer it does not have.
    fn pause(
        &mut self,
        model: &ShellModel,
        state: &mut ShellState,
        plan: &Plan,
        trace: &mut Trace,
        profile: &mut Profile,
    ) {
        let timer = profile.start();
        self.look.again(model, state, plan.watched);
        if self.look.entered.is_empty() {
            trace.activate(state, &self.look.imminent);
            trace.savepoints.save(state, &profile.counts);
            trace.history.mark(state);
            self.add_layers(model, state);
        } else {
            trace.go_back(state, &self.look.entered, &mut profile.counts);
            self.fill_queue(model, state);
            self.look.begin_again(model, state, plan.watched);
        }
        profile.stop(Phase::Narrow, timer);
    }

    /// Puts the pairs that were imminent at the last look and have got one more layer into its bucket.
    fn add_layers(&mut self, model: &ShellModel, state: &ShellState) {
        let Integrator {
            look,
            buckets,
            queue,
            deeper,
            ..
        } = self;
        let depth = |&pair: &Pair| (state.contacts.layers_of(pair), pair);
        deeper.clear();
        deeper.extend(look.imminent.iter().map(depth));
        deeper.sort_unstable();
        for some in deeper.chunk_by(|a, b| a.0 == b.0) {
            let depth = some[0].0;
            while buckets.len() < depth as usize {
                buckets.push(LayerContacts::default());
                let bucket = Bucket::Penalty(buckets.len() as u8);
                let first = first_event(bucket, model.step_of(bucket), state.now);
                queue.push(Reverse((first, bucket)));
            }
            look.imminent.clear();
            look.imminent.extend(some.iter().map(|d| d.1));
            buckets[depth as usize - 1].insert(model, &look.imminent);
        }
    }

    /// The queue at the state's time: every bucket's first event from then on.
    fn fill_queue(&mut self, model: &ShellModel, state: &ShellState) {
        self.sort_contacts(model, &state.contacts);
        self.queue.clear();
        for bucket in model.buckets(state.contacts.deepest()) {
            let first = first_event(bucket, model.step_of(bucket), state.now);
            self.queue.push(Reverse((first, bucket)));
        }
    }

    /// Processes one event; [`Integrator::kicked`] then tells whose velocity changed.
    pub fn process(
        &mut self,
        model: &ShellModel,
        state: &mut ShellState,
        t: Tick,
        bucket: Bucket,
        threads: &Threads,
        profile: &mut Profile,
    ) {
        match bucket {
            Bucket::Motion | Bucket::Gravity => {
                let timer = profile.start_short(Phase::Slow);
                if bucket == Bucket::Motion {
                    steer(model, state, t);
                    steer_all(model, state, t);
                } else {
                    fall(model, state, t);
                }
                profile.stop_short(Phase::Slow, timer);
            }
            Bucket::Internal => {
                let timer = profile.start_short(Phase::Internal);
                self.internal.kick(model, state, t, threads);
                profile.stop_short(Phase::Internal, timer);
                profile.counts.element_forces +=
                    (model.membranes.len() + model.hinges.len()) as u64;
            }
            Bucket::Penalty(depth) => {
                let layer = &self.buckets[depth as usize - 1];
                let timer = profile.start_short(Phase::Penalty);
                self.penalty
                    .evaluate(model, state, t, depth, layer, threads);
                profile.stop_short(Phase::Penalty, timer);
                let timer = profile.start_short(Phase::Pushes);
                let pushes = self.penalty.kick(model, state, t, layer);
                profile.stop_short(Phase::Pushes, timer);
                profile.counts.contact_forces += layer.contacts.len() as u64;
                profile.counts.contact_pushes += pushes as u64;
            }
        }
        profile.counts.events += 1;
    }

    /// Vertices that the last penalty event kicked.
    pub fn kicked(&self) -> &[u32] {
        self.penalty.kicked()
    }

    /// Looks up which contacts belong to which layer.
    pub fn sort_contacts(&mut self, model: &ShellModel, contacts: &ContactSet) {
        contacts.buckets(model, &mut self.buckets);
    }

    fn record(
        &self,
        model: &ShellModel,
        state: &ShellState,
        t: Tick,
        bucket: Bucket,
        history: &mut Histories,
    ) {
        match bucket {
            Bucket::Motion => history.record(state, model.steered(), t),
            Bucket::Gravity | Bucket::Internal => history.record_all(state, t),
            Bucket::Penalty(_) => history.record(state, self.kicked().iter().copied(), t),
        }
    }
}

/// Moves one vertex straight to `t`.
#[inline]
pub(crate) fn drift(state: &mut ShellState, i: usize, t: Tick) {
    let dt = t - state.clock[i];
    if dt != 0 {
        state.x[i] += state.v[i] * seconds(dt);
        state.clock[i] = t;
    }
}

/// Gives every driven vertex the velocity that takes it to its place one step later.
fn steer(model: &ShellModel, state: &mut ShellState, t: Tick) {
    let step = slow_step(model);
    for driven in &model.driven {
        let i = driven.vertex as usize;
        let target = model.motions[driven.motion as usize].place(driven.rest, t + step);
        drift(state, i, t);
        state.v[i] = (target - state.x[i]) / seconds(step);
    }
}

/// Kicks every dynamic vertex by gravity, and by the air.
fn fall(model: &ShellModel, state: &mut ShellState, t: Tick) {
    let kick = model.gravity * seconds(slow_step(model));
    for i in 0..model.dynamic {
        drift(state, i, t);
        state.v[i] += kick;
    }
    let Some((air, triangles)) = &model.air else {
        return;
    };
    let step = seconds(slow_step(model));
    let wind = (air.wind(seconds(t)), step);
    for corners in triangles.iter().map(|t| t.map(|v| v as usize)) {
        // what is driven is not moved here
        let at = corners.map(|i| state.x[i] + state.v[i] * seconds(t - state.clock[i]));
        let weights = corners.map(|i| model.inverse_mass[i]);
        let impulse = air.impulse(wind, at, corners.map(|i| state.v[i]), weights);
        for (i, w) in corners.into_iter().zip(weights) {
            if i < model.dynamic {
                state.v[i] += impulse * (w / 3.0);
            }
        }
    }
}
