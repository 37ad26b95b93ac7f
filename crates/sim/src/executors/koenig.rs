//! `koenig`: the object-centric protocol of Koenig, Karamouzas and Guy, which the crate of that name runs on threads, on a
//! world of this simulator. Its history is its own: states lie a sub-step apart, and what would happen in between is not
//! seen. Every turn of an entity becomes a segment that a collision begins.

mod translate;

use super::RunError;
use crate::history::{History, HistoryError};
use crate::panicked::Panicked;
use crate::stats::Stats;
use crate::world::World;
use ::koenig::{Ms, Partner, Phy, Settings, Tally, Turn, Workers};
use physics::State;
use record::{Event, NO_GROUP, NO_PARTNER, Segment};
use std::ops::ControlFlow;
use translate::Translated;
use warp::Tick;

pub use translate::{Unknown, koenig_scene};

/// How far entities may run ahead of GVT, as in the paper's Figure 10 where more does not help.
const AHEAD: Ms = 256;

pub(super) fn run_koenig(
    world: &World,
    (sub_step, threads): (u32, usize),
    history: &mut dyn History,
) -> Result<(Stats, Vec<State>), RunError> {
    let sub_step = Ms::from(sub_step);
    let translated = translate::translate(world, sub_step)?;
    let settings = Settings {
        sub_step,
        ahead: AHEAD.max(2 * sub_step),
        ..Settings::default()
    };
    let workers = Workers {
        threads,
        timed: false,
    };
    let mut journal = Journal::new(world, &translated, history);
    journal.begin();
    let mut taker = |turns: &[Turn], gvt: Ms| journal.take(turns, gvt);
    let ran = ::koenig::threads::run(&translated.scene, &settings, workers, &mut taker);
    if let Some(error) = journal.failure.take() {
        return Err(error.into());
    }
    let ran = ran.map_err(|error| match error {
        ::koenig::Error::Panicked(message) => RunError::Panicked(Panicked {
            message,
            place: "in a worker of koenig".into(),
        }),
        error => RunError::Koenig(error),
    })?;
    journal.history.gvt(world.until)?;
    let mut stats = statistics(world, &ran.tally, &journal);
    stats.threads = threads as u32;
    stats.cpu_seconds = ran.cpu_s.iter().sum();
    stats.integrated_s = ran.tally.integrated as f64 * sub_step as f64 * 1e-3;
    stats.undone_s = ran.tally.deleted as f64 * sub_step as f64 * 1e-3;
    stats.conclude();
    Ok((stats, journal.states()))
}

fn statistics(world: &World, tally: &Tally, journal: &Journal<'_>) -> Stats {
    Stats {
        scene: world.name.clone(),
        sim_seconds: world.until.seconds(),
        bodies_moving: world.moving(),
        bodies_total: world.bodies.len(),
        events_committed: journal.turns,
        collisions: journal.turns,
        checks: tally.checks,
        integrations: tally.integrated,
        rollbacks: tally.rollbacks,
        // A state is what this protocol writes and deletes.
        segments_undone: tally.deleted,
        segments_begun: tally.written,
        segments_committed: journal.begun.len() as u64 + journal.turns,
        max_penetration_m: journal.deepest,
        ..Stats::default()
    }
}

/// The tick of an LVT.
fn tick(lvt: Ms) -> Tick {
    Tick::from_seconds(lvt as f64 / 1e3)
}

/// Turns become segments.
struct Journal<'a> {
    world: &'a World,
    translated: &'a Translated,
    history: &'a mut dyn History,
    /// Every body's current segment.
    begun: Vec<Segment<'static>>,
    turns: u64,
    /// Deepest overlap of two that met, m.
    deepest: f64,
    failure: Option<HistoryError>,
}

impl<'a> Journal<'a> {
    fn new(world: &'a World, translated: &'a Translated, history: &'a mut dyn History) -> Self {
        let start = |body: u32| {
            let state = &world.bodies[body as usize].start;
            let model = world.model(crate::world::BodyId(body));
            Segment {
                body,
                start: 0,
                micro: 0,
                event: Event::Start,
                partner: NO_PARTNER,
                group: NO_GROUP,
                position: state.position.to_array(),
                velocity: state.velocity.to_array(),
                acceleration: model.gravity.to_array(),
                rotation: state.rotation.to_array(),
                spin: state.spin.to_array(),
                momentum: None,
                impulse: 0.0,
                knots: &[],
            }
        };
        Journal {
            world,
            translated,
            history,
            begun: (0..world.bodies.len() as u32).map(start).collect(),
            turns: 0,
            deepest: 0.0,
            failure: None,
        }
    }

    /// The first segments of all bodies.
    fn begin(&mut self) {
        let told = self.begun.iter().try_for_each(|s| self.history.segment(s));
        self.failure = told.err();
    }

    fn take(&mut self, turns: &[Turn], gvt: Ms) -> ControlFlow<()> {
        if self.failure.is_some() {
            return ControlFlow::Break(());
        }
        // Those of one LVT change motion together: overlaps are those of the motion before.
        for at_once in turns.chunk_by(|a, b| a.lvt == b.lvt) {
            for turn in at_once {
                self.deepest = self.deepest.max(self.depth(turn));
            }
            for turn in at_once {
                self.turn(turn);
            }
        }
        let gvt = tick(gvt).min(self.world.until);
        if self.failure.is_none() {
            self.failure = self.history.gvt(gvt).err();
        }
        match self.failure {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }

    fn turn(&mut self, turn: &Turn) {
        let start = tick(turn.lvt);
        // The last sub-step may end beyond the world's end.
        if start >= self.world.until || self.failure.is_some() {
            return;
        }
        let body = self.translated.entities[turn.entity as usize];
        let partner = match turn.partner {
            Partner::Entity(e) => self.translated.entities[e as usize],
            Partner::Fixed(f) => self.translated.fixed[f as usize],
        };
        let begun = &mut self.begun[body as usize];
        *begun = Segment {
            start: start.0,
            // At the very start the body's first segment comes before.
            micro: u32::from(turn.lvt == 0),
            event: Event::Collision,
            partner,
            position: turn.phy.position.to_array(),
            velocity: turn.phy.velocity.to_array(),
            impulse: turn.impulse,
            ..*begun
        };
        self.turns += 1;
        self.failure = self.history.segment(begun).err();
    }

    /// How far an entity and the first that it met overlap.
    fn depth(&self, turn: &Turn) -> f64 {
        let scene = &self.translated.scene;
        let own = &scene.spheres[turn.entity as usize];
        match turn.partner {
            Partner::Fixed(f) => {
                let (gap, _) = scene.fixed[f as usize].form.towards(turn.phy.position);
                own.radius - gap
            }
            Partner::Entity(e) => {
                let other = &scene.spheres[e as usize];
                let at = self.phy(self.translated.entities[e as usize], tick(turn.lvt));
                own.radius + other.radius - at.position.distance(turn.phy.position)
            }
        }
    }

    /// Where a body is at a tick of its current segment.
    fn phy(&self, body: u32, at: Tick) -> Phy {
        let state = self.begun[body as usize].state(at.0);
        Phy {
            position: state.position.into(),
            velocity: state.velocity.into(),
        }
    }

    /// The states at the end.
    fn states(&self) -> Vec<State> {
        let bodies = self.world.bodies.iter().zip(0..);
        let state = |(body, number): (&crate::world::Body, u32)| {
            let Phy { position, velocity } = self.phy(number, self.world.until);
            State {
                position,
                velocity,
                ..body.start
            }
        };
        bodies.map(state).collect()
    }
}
