//! Why a run ends early: errors that a speculative event has met, told once it has survived to the
//! commit.

use super::Engine;
use crate::history::HistoryError;
use physics::Vec3;
use physics::motion::HaltReason;
use record::NO_PARTNER;
use warp::{NodeId, Tick};

/// Events of one body that are closer than this (a microsecond) belong to one storm.
const STORM_TICKS: i64 = 1 << 20;
/// So many events of a storm count however far apart they are.
const STORM_BEGINS: u16 = 64;
/// Later ones count if they are within this many ticks of each other (15 ps), or within so many of what a bounce loses.
const SAME_TICKS: f64 = 16.0;

/// A storm that has counted more events than this does not end.
pub(crate) const STORM_LIMIT: u16 = 4096;

/// Ticks between two events of a pair that time can hardly tell apart.
///
/// An impact is found up to a tick late, and a body that falls on gains by that what it has lost once its flights are
/// as short as `1 / (1 - restitution)` ticks: so short the flights of an accumulation become, and no shorter. Elastic
/// bounces lose nothing and accumulate nowhere, unless bodies are pressed together.
pub(crate) fn same_ticks(restitution: f64) -> i64 {
    let lost = 1.0 - restitution;
    if lost > 0.0 {
        (SAME_TICKS / lost).min(STORM_TICKS as f64) as i64
    } else {
        SAME_TICKS as i64
    }
}

/// What a storm that has counted `before` events has counted with one more, `gap` ticks later, of a pair for which
/// `same` ticks are none.
///
/// Many events in a short time may be finite: a light ball between a wall and a heavy one bounces as often as it has
/// to. What does not end comes to where time cannot tell events apart, for the gaps of an accumulation shrink by a
/// factor from event to event. Only events there are counted, after a beginning that tells lasting contact from a
/// bounce.
pub(crate) fn storm_after(before: u16, gap: i64, same: i64) -> u16 {
    if gap >= STORM_TICKS {
        0
    } else if before < STORM_BEGINS || gap <= same {
        before.saturating_add(1)
    } else {
        before
    }
}

/// So many collisions of a flurry fall at least into one step of a group.
const FLURRIES_PER_STEP: i64 = 32;

/// What a flurry that has counted `before` collisions has counted with one more, `gap` ticks later, where groups take steps
/// of `step` ticks.
///
/// A light elastic body between the ground and a heavy group that sinks upon it bounces faster and faster, a hundred
/// thousand times a second and more, and every bounce ends the group's step. What comes to pass that often within a step
/// is finer than the step can tell: it is pressure, and the group's solver is there for that.
pub(crate) fn flurry_after(before: u8, gap: i64, step: i64) -> u8 {
    if gap < step / FLURRIES_PER_STEP {
        before.saturating_add(1)
    } else {
        0
    }
}

/// Why a run ended early.
#[derive(Clone, Debug, thiserror::Error)]
pub enum EngineError {
    /// The history could not take what it was told.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// Events accumulate at one instant.
    #[error(
        "events accumulate at {seconds} s: {count} events of {names} follow each other closer than \
         time can tell apart; add `[contact]` to the scene (without solver \"none\") if they are meant to come to rest on each \
         other, or give them room or more restitution"
    )]
    Accumulation {
        /// The instant.
        seconds: f64,
        /// How many events in a row.
        count: u32,
        /// The bodies' names.
        names: String,
    },
    /// A deformable's step failed.
    #[error("`{name}` cannot be advanced at {seconds} s: {why}")]
    Deformable {
        /// The deformable.
        name: String,
        /// When.
        seconds: f64,
        /// What its law says.
        why: String,
    },
    /// A group's solver gave up.
    #[error("the contact group of `{body}` cannot be advanced at {seconds} s: {why}")]
    Solver {
        /// A member.
        body: String,
        /// When.
        seconds: f64,
        /// What the solver says.
        why: String,
    },
    /// A body's motion has to be integrated with steps that are too short.
    #[error(
        "the motion of `{body}` cannot be followed beyond {seconds} s: it needs steps of {step:.1e} s. Its forces \
         are too stiff for its mass, or it turns too fast: give it more mass, weaker forces or less damping, or \
         less spin"
    )]
    Crawling {
        /// The body.
        body: String,
        /// When.
        seconds: f64,
        /// The mean step, seconds.
        step: f64,
    },
    /// A body's motion takes more memory than it may.
    #[error(
        "the motion of `{body}` takes too much memory at {seconds} s: {pieces} pieces of it have to be kept at \
         once. It turns too fast, or its forces are too stiff, for how far bodies run ahead or how long history is \
         retained: shorten that, or slow it down"
    )]
    Large {
        /// The body.
        body: String,
        /// When.
        seconds: f64,
        /// Pieces of dense output.
        pieces: usize,
    },
    /// A body is lost in space.
    #[error(
        "`{body}` flies away: at {seconds} s it is {metres:.1e} m from the origin, moves at {speed:.1e} m/s and turns \
         at {spin:.1e} rad/s, where positions and times can tell nothing apart any more; look for what has thrown it: \
         bodies that overlap, forces or motors that are too strong, a step that is too long"
    )]
    FliesAway {
        /// The body.
        body: String,
        /// When.
        seconds: f64,
        /// From the origin, metres.
        metres: f64,
        /// Metres per second.
        speed: f64,
        /// Radians per second.
        spin: f64,
    },
    /// A body's state is no longer finite.
    #[error(
        "the motion of `{body}` is no longer finite at {seconds} s; \
         its force field or callback produced a value that is not a number"
    )]
    NotFinite {
        /// The body.
        body: String,
        /// When.
        seconds: f64,
    },
}

/// Metres from the origin, and metres per second, beyond which nothing is simulated: positions are good to a
/// decimetre there.
pub(super) const FARTHEST: f64 = 1e15;
/// The same for radians per second: a revolution is a few thousand ticks.
pub(super) const FASTEST_TURN: f64 = 1e9;

impl Engine {
    /// Whether a segment accumulates events, is not finite or is lost in space, so that nothing follows from it.
    pub(super) fn is_suspended(&self, node: NodeId) -> bool {
        let flight = self.lines.flight(node);
        let is_within = |v: Vec3, limit: f64| v.abs().cmple(Vec3::splat(limit)).all();
        self.lines.origin(node).storm > STORM_LIMIT
            || !is_within(flight.position, FARTHEST)
            || !is_within(flight.velocity, FARTHEST)
            || !is_within(self.lines.turn(node).spin, FASTEST_TURN)
    }

    /// The error of a speculative event that has survived to the commit, if there is one.
    pub(super) fn surviving_error(&self, gvt: Tick) -> Option<EngineError> {
        // Who took part in a step that failed is suspended with it.
        self.surviving_failure(gvt)
            .or_else(|| self.surviving_suspension(gvt))
            .or_else(|| self.surviving_halt(gvt))
    }

    /// The error of a motion that could not be followed and has survived to the commit.
    pub(super) fn surviving_halt(&self, gvt: Tick) -> Option<EngineError> {
        let gvt = gvt.min(self.world.until);
        let (node, at, why) = self.account.surviving_halt(gvt, &self.lines)?;
        let body = self.lines.body_of(node);
        let body = self.world.bodies[body.index()].name.clone();
        let seconds = at.seconds();
        Some(match why {
            HaltReason::NotFinite => EngineError::NotFinite { body, seconds },
            HaltReason::Crawling(step) => EngineError::Crawling {
                body,
                seconds,
                step,
            },
            HaltReason::Large(pieces) => EngineError::Large {
                body,
                seconds,
                pieces,
            },
        })
    }

    /// The error of a group's solver that has survived to the commit.
    pub(super) fn surviving_failure(&self, gvt: Tick) -> Option<EngineError> {
        let (node, why) = self.account.surviving_failure(gvt, &self.lines)?;
        let process = self.lines.process(node);
        if let Some(index) = self.lines.deformable_of(process) {
            return Some(EngineError::Deformable {
                name: self.world.deformables[index].name.clone(),
                seconds: self.lines.start(node).tick.seconds(),
                why: why.into(),
            });
        }
        let body = self.lines.body_of(node);
        Some(EngineError::Solver {
            body: self.world.bodies[body.index()].name.clone(),
            seconds: self.lines.start(node).tick.seconds(),
            why: why.into(),
        })
    }

    /// The error that a suspended segment stands for, if it has survived to the commit.
    pub(super) fn surviving_suspension(&self, gvt: Tick) -> Option<EngineError> {
        let node = self.account.surviving_suspension(gvt, &self.lines)?;
        let origin = *self.lines.origin(node);
        let name = |body: u32| match self.world.bodies.get(body as usize) {
            Some(body) => format!("`{}`", body.name),
            None => "a deformable".into(),
        };
        let seconds = self.lines.start(node).tick.seconds();
        let body = self.lines.body_of(node);
        if origin.storm <= STORM_LIMIT {
            let body = self.world.bodies[body.index()].name.clone();
            let (flight, spin) = (self.lines.flight(node), self.lines.turn(node).spin);
            let [metres, speed, spin] =
                [flight.position, flight.velocity, spin].map(|v| v.length());
            return Some(if (metres + speed + spin).is_finite() {
                EngineError::FliesAway {
                    body,
                    seconds,
                    metres,
                    speed,
                    spin,
                }
            } else {
                EngineError::NotFinite { body, seconds }
            });
        }
        let names = if origin.partner == NO_PARTNER {
            name(body.0)
        } else {
            format!("{} and {}", name(body.0), name(origin.partner))
        };
        Some(EngineError::Accumulation {
            seconds,
            count: u32::from(origin.storm),
            names,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flurry_is_many_collisions_within_a_step_and_ends_with_a_pause() {
        let step = 1 << 32;
        let often = (0..40).fold(0, |count, _| flurry_after(count, step / 64, step));
        assert_eq!(often, 40);
        assert_eq!(flurry_after(often, step / 16, step), 0);
        let for_ever = (0..1000).fold(0, |count, _| flurry_after(count, 1, step));
        assert_eq!(for_ever, u8::MAX);
    }
}
