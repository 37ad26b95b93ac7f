//! Discontinuities of a synchronised run: collisions, pieces of scripts, callbacks. The physics is
//! the event-driven engine's own; what differs is only that all bodies stand at one time.

use super::Synchronised;
use super::journal::Beginning;
use crate::callback::View;
use crate::engine::{EngineError, STORM_LIMIT, same_ticks, storm_after};
use crate::executors::RunError;
use crate::history::{History, Told};
use crate::world::{BodyId, Kind};
use physics::collision::resolve;
use physics::contact::closest;
use physics::{BodyModel, State};
use record::{Event, NO_PARTNER};
use warp::{Moment, Tick};

impl<'w> Synchronised<'w> {
    /// The place among the events of one tick of a collision of two bodies there.
    pub(in crate::executors) fn micro(&self, a: u32, b: u32, tick: Tick) -> u32 {
        let chained = |body: u32| match self.last[body as usize].0 {
            last if last.tick == tick => last.micro + 1,
            _ => 0,
        };
        chained(a).max(chained(b))
    }

    /// Two bodies touch and approach at the common time: both begin anew.
    pub(in crate::executors) fn collide(
        &mut self,
        (a, b): (u32, u32),
        history: &mut dyn History,
    ) -> Result<(), RunError> {
        self.hand_over(history)?;
        let (model_a, model_b) = (self.model(a), self.model(b));
        let mut states = [a, b].map(|body| self.state(body));
        let near = closest(model_a, &states[0], model_b, &states[1]);
        let outcome = resolve((model_a, &states[0]), (model_b, &states[1]), &near);
        let impulse = outcome.impulse.length();
        (states[0].velocity, states[0].spin) = (outcome.velocity_a, outcome.spin_a);
        (states[1].velocity, states[1].spin) = (outcome.velocity_b, outcome.spin_b);
        self.call_collision_hook([a, b], &states, impulse);
        self.stats.collisions += 1;
        self.stats.events_committed += 1;
        self.stats.max_penetration_m = self.stats.max_penetration_m.max(-near.gap);
        let micro = self.micro(a, b, self.now);
        for (state, (body, partner)) in states.iter().zip([(a, b), (b, a)]) {
            if self.model(body).is_movable() {
                let begun = Beginning {
                    event: Event::Collision,
                    partner,
                    impulse,
                    micro,
                };
                self.begin(body, state, begun);
                self.refuse_storm(body, partner, state)?;
            }
        }
        Ok(())
    }

    /// Events of earlier ticks can go to the history.
    fn hand_over(&mut self, history: &mut dyn History) -> Told {
        if self.journal.is_before(self.now) {
            self.journal.flush(history)?;
            history.gvt(self.now)?;
        }
        Ok(())
    }

    fn model(&self, body: u32) -> &'w BodyModel {
        self.world.model(BodyId(body))
    }

    /// Begins a new segment of a body at the common time.
    fn begin(&mut self, body: u32, state: &State, begun: Beginning) {
        let index = body as usize;
        self.put(body, self.now, state);
        let (before, storm) = self.last[index];
        let gap = self.now.0.saturating_sub(before.tick.0);
        let restitution = match begun.partner {
            NO_PARTNER => 1.0,
            other => {
                self.model(body)
                    .meeting(self.model(other))
                    .material
                    .restitution
            }
        };
        let moment = Moment {
            tick: self.now,
            micro: begun.micro,
        };
        self.last[index] = (moment, storm_after(storm, gap, same_ticks(restitution)));
        self.stats.segments_begun += 1;
        let (flight, turn) = (&self.flights[index], &self.turns[index]);
        let model = &self.world.models[flight.model.place()];
        self.journal.begin(flight, turn, model, begun);
    }

    /// An accumulation of events, or a state that is not finite, ends the run.
    fn refuse_storm(&self, body: u32, partner: u32, state: &State) -> Result<(), RunError> {
        let name = |body: u32| &self.world.bodies[body as usize].name;
        let (_, count) = self.last[body as usize];
        let seconds = self.now.seconds();
        if count > STORM_LIMIT {
            let names = match partner {
                NO_PARTNER => format!("`{}`", name(body)),
                _ => format!("`{}` and `{}`", name(body), name(partner)),
            };
            return Err(RunError::Engine(EngineError::Accumulation {
                seconds,
                count: u32::from(count),
                names,
            }));
        }
        if !state.is_finite() {
            let body = name(body).clone();
            return Err(RunError::Engine(EngineError::NotFinite { body, seconds }));
        }
        Ok(())
    }

    fn call_collision_hook(&mut self, bodies: [u32; 2], states: &[State; 2], impulse: f64) {
        let Some(hook) = self.world.on_collision.clone() else {
            return;
        };
        let mut order = [0usize, 1];
        if bodies[1] < bodies[0] {
            order.swap(0, 1);
        }
        let mut views = order.map(|i| self.view(bodies[i], states[i]));
        hook(self.now.seconds(), &mut views, impulse);
        for view in &views {
            if self.model(view.body.0).is_movable() {
                self.write_slots(view);
            }
        }
    }

    fn view(&self, body: u32, state: State) -> View {
        let width = self.world.slots;
        View {
            body: BodyId(body),
            state,
            inverse_mass: self.model(body).mass.inverse_mass,
            slots: self.slots[body as usize * width..][..width].to_vec(),
        }
    }

    fn write_slots(&mut self, view: &View) {
        let width = self.world.slots;
        self.slots[view.body.index() * width..][..width].copy_from_slice(&view.slots);
    }

    /// Does what is due at the common time: pieces of scripts first, then callbacks.
    pub(in crate::executors) fn ring(&mut self, history: &mut dyn History) -> Result<(), RunError> {
        if self.next_alarm > self.now || self.now >= self.world.until {
            return Ok(());
        }
        self.hand_over(history)?;
        for index in 0..self.alarms.len() {
            if self.alarms[index] > self.now {
                continue;
            }
            self.stats.events_committed += 1;
            if index < self.world.bodies.len() {
                self.next_piece(index as u32);
            } else {
                self.stats.callbacks += 1;
                self.call_back(index)?;
            }
        }
        self.next_alarm = self.alarms.iter().copied().min().unwrap_or(Tick::MAX);
        Ok(())
    }

    fn next_piece(&mut self, body: u32) {
        let script = self.world.bodies[body as usize].script.as_ref();
        let Some((state, next)) = script.and_then(|s| s.piece(self.now)) else {
            return;
        };
        self.alarms[body as usize] = next.unwrap_or(Tick::MAX);
        self.begin(body, &state, Beginning::alone(Event::Piece));
    }

    fn call_back(&mut self, alarm: usize) -> Result<(), RunError> {
        let callback = &self.world.callbacks[alarm - self.world.bodies.len()];
        let now = self.now;
        let view = |b: &BodyId| self.view(b.0, self.state(b.0));
        let mut views: Vec<View> = callback.bodies.iter().map(view).collect();
        let again = (callback.run)(now.seconds(), &mut views);
        self.alarms[alarm] = again
            .filter(|seconds| *seconds > 0.0)
            .map_or(Tick::MAX, |s| {
                now.saturating_add(Tick::from_seconds(s).0.max(1))
            });
        for view in &views {
            if self.world.bodies[view.body.index()].kind == Kind::Dynamic {
                self.begin(view.body.0, &view.state, Beginning::alone(Event::Callback));
                self.refuse_storm(view.body.0, NO_PARTNER, &view.state)?;
                self.write_slots(view);
            }
        }
        Ok(())
    }
}
