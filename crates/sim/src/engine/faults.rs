//! Why a run ends early: errors that a speculative event has met, told once it has survived to the
//! commit.

use super::{Engine, STORM_LIMIT};
use record::NO_PARTNER;
use warp::Tick;

/// Why a run ended early.
#[derive(Clone, Debug, thiserror::Error)]
pub enum EngineError {
    /// Events accumulate at one instant.
    #[error(
        "events accumulate at {seconds} s: {count} events of {names} fall within a microsecond of \
         each other; add `[contact]` to the scene if they are meant to come to rest on each other, \
         or give them room or more restitution"
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

impl Engine {
    /// The error of a group's solver that has survived to the commit.
    pub(super) fn surviving_failure(&self, gvt: Tick) -> Option<EngineError> {
        let survives = |r| self.graph.is_live(r) && self.graph.start(r.node).tick < gvt;
        let (reference, why) = self.failures.iter().find(|(r, _)| survives(*r))?;
        let process = self.graph.process(reference.node);
        if let Some(index) = self.deformable_of(process) {
            return Some(EngineError::Deformable {
                name: self.world.deformables[index].name.clone(),
                seconds: self.graph.start(reference.node).tick.seconds(),
                why: why.clone(),
            });
        }
        let body = self.body_of(reference.node);
        Some(EngineError::Solver {
            body: self.world.bodies[body.index()].name.clone(),
            seconds: self.graph.start(reference.node).tick.seconds(),
            why: why.clone(),
        })
    }

    /// The error that a suspended segment stands for, if it has survived to the commit.
    pub(super) fn surviving_suspension(&self, gvt: Tick) -> Option<EngineError> {
        let node = self
            .suspended
            .iter()
            .filter(|r| self.graph.is_live(**r))
            .map(|r| r.node)
            .filter(|n| self.graph.start(*n).tick < gvt)
            .min_by_key(|n| self.graph.order(*n))?;
        let origin = self.origins[node.index()];
        let name = |body: u32| format!("`{}`", self.world.bodies[body as usize].name);
        let seconds = self.graph.start(node).tick.seconds();
        let body = self.body_of(node);
        if origin.storm <= STORM_LIMIT {
            return Some(EngineError::NotFinite {
                body: self.world.bodies[body.index()].name.clone(),
                seconds,
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
