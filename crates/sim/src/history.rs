//! Where committed history goes: a recorder, a hash, a test's list, or nowhere.

use crate::deformable::{Deformable, Form};
use crate::multibodies::{Acting, Flow};
use crate::span::Span;
use crate::stats::Stats;
use crate::world::BodyId;
use physics::State;
use physics::groups::memory::Held;
#[cfg(feature = "hash")]
use record::HistoryHash;
use record::{Clock, Segment, Undone};
use std::error::Error;
use std::sync::Arc;
use warp::Tick;

/// Why a history could not take what it was told: a full disk, a reader that has gone.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct HistoryError(Arc<dyn Error + Send + Sync>);

impl HistoryError {
    /// An error of the history's own, which a caller finds again with [`HistoryError::cause`].
    pub fn new(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        HistoryError(Arc::from(cause.into()))
    }

    /// The history's own error, if it is of this type.
    pub fn cause<E: Error + 'static>(&self) -> Option<&E> {
        self.0.downcast_ref()
    }
}

/// What a history answers to what it is told.
pub type Told = Result<(), HistoryError>;

/// Two bodies that a contact group's solver presses against each other over a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pressed {
    /// The bodies, the lower number first.
    pub bodies: [u32; 2],
    /// The contact force at the step's end times the step's usual length, newton seconds.
    pub impulse: f64,
}

/// Who touches whom in a contact group over the step that begins at a tick.
#[derive(Clone, Copy, Debug)]
pub struct GroupContacts<'a> {
    /// When the step begins.
    pub tick: Tick,
    /// The group's members, by rising number.
    pub members: &'a [u32],
    /// Pairs that touch, sorted; at least one of each is a member.
    pub pairs: &'a [Pressed],
    /// What the solver remembers of contact points and joints, sorted by bodies.
    pub points: &'a [Held],
}

/// One segment of a multibody.
#[derive(Clone, Copy, Debug)]
pub struct JointSegment<'a> {
    /// The multibody, by its number in the world.
    pub multibody: u32,
    /// When it begins.
    pub start: Tick,
    /// Positions and velocities of the joints there.
    pub joints: &'a [f64],
    /// Control signals of the motors, and forces on links, which hold over the segment.
    pub acting: &'a Acting,
    /// The motion by the laws alone, as far as it is known, where it is by them.
    pub flow: Option<&'a Flow>,
    /// For a step of a contact group: the joints at its end, and when that is. Positions go there straight, velocities
    /// in proportion, for as long as the segment lasts. Otherwise the motion is that of the laws alone.
    pub step: Option<(&'a [f64], Tick)>,
}

/// Receives committed segments in the canonical order (start, micro, body), and GVT as it rises.
///
/// A history may fail. It is then told nothing more, and its error ends the run (or comes out of the call that
/// advanced a [`crate::Simulation`], which is itself unharmed: what was committed is committed).
pub trait History {
    /// A segment that nothing can change any more. It has no knots: whoever wants to know where a body is along it evaluates
    /// it by the laws of its world.
    fn segment(&mut self, segment: &Segment<'_>) -> Told;

    /// All that lies before `tick` has been handed over.
    fn gvt(&mut self, tick: Tick) -> Told {
        let _ = tick;
        Ok(())
    }

    /// A frame of a body in a world that is redrawn, in the order of each body's time.
    fn frame(&mut self, body: BodyId, tick: Tick, state: &State) -> Told {
        let _ = (body, tick, state);
        Ok(())
    }

    /// Vertex positions of a deformable (bodies are counted first, then deformables) at one of its
    /// steps, in the canonical order among the segments.
    fn vertices(&mut self, deformable: u32, tick: Tick, positions: &[[f64; 3]]) -> Told {
        let _ = (deformable, tick, positions);
        Ok(())
    }

    /// A deformable at one of its steps: its law, and its form. Told with [`History::vertices`].
    fn form(
        &mut self,
        deformable: u32,
        tick: Tick,
        model: &dyn Deformable,
        form: &dyn Form,
    ) -> Told {
        let _ = (deformable, tick, model, form);
        Ok(())
    }

    /// Whether [`History::contacts`] is wanted.
    fn wants_contacts(&self) -> bool {
        false
    }

    /// Who touches whom over a step of a contact group, in the canonical order among the segments, after the
    /// segments of its members.
    fn contacts(&mut self, contacts: &GroupContacts<'_>) -> Told {
        let _ = contacts;
        Ok(())
    }

    /// A segment of a multibody: told right before the segments of its links that begin there.
    fn joints(&mut self, joints: &JointSegment<'_>) -> Told {
        let _ = joints;
        Ok(())
    }

    /// Whether the speculation's own story is wanted: what was undone, and the bodies' clocks. It is
    /// asked at every commit, and has no influence on what is committed.
    fn wants_trace(&self) -> bool {
        false
    }

    /// A stretch of a worldline that a rollback took back since the last commit.
    fn undone(&mut self, undone: &Undone) -> Told {
        let _ = undone;
        Ok(())
    }

    /// Whether [`History::clocks`] is wanted at this GVT: it costs a look at every body.
    fn wants_clocks(&self, gvt: Tick) -> bool {
        let _ = gvt;
        false
    }

    /// Where every body stands at the GVT told last, and the run's counters so far.
    fn clocks(&mut self, clocks: &[Clock], stats: &Stats) -> Told {
        let _ = (clocks, stats);
        Ok(())
    }

    /// Whether [`History::span`] is wanted. It is asked once, at the beginning of a run on several threads.
    fn wants_spans(&self) -> bool {
        false
    }

    /// What a thread was at, told with the commit that follows it.
    fn span(&mut self, span: &Span) -> Told {
        let _ = span;
        Ok(())
    }
}

/// Forgets everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Discard;

impl History for Discard {
    fn segment(&mut self, _: &Segment<'_>) -> Told {
        Ok(())
    }
}

#[cfg(feature = "hash")]
impl History for HistoryHash {
    fn segment(&mut self, segment: &Segment<'_>) -> Told {
        self.push(segment);
        Ok(())
    }

    fn vertices(&mut self, deformable: u32, tick: Tick, positions: &[[f64; 3]]) -> Told {
        self.push_vertices(deformable, tick.0, positions);
        Ok(())
    }
}

impl<A: History, B: History> History for (A, B) {
    fn segment(&mut self, segment: &Segment<'_>) -> Told {
        self.0.segment(segment)?;
        self.1.segment(segment)
    }

    fn gvt(&mut self, tick: Tick) -> Told {
        self.0.gvt(tick)?;
        self.1.gvt(tick)
    }

    fn frame(&mut self, body: BodyId, tick: Tick, state: &State) -> Told {
        self.0.frame(body, tick, state)?;
        self.1.frame(body, tick, state)
    }

    fn vertices(&mut self, deformable: u32, tick: Tick, positions: &[[f64; 3]]) -> Told {
        self.0.vertices(deformable, tick, positions)?;
        self.1.vertices(deformable, tick, positions)
    }

    fn form(
        &mut self,
        deformable: u32,
        tick: Tick,
        model: &dyn Deformable,
        form: &dyn Form,
    ) -> Told {
        self.0.form(deformable, tick, model, form)?;
        self.1.form(deformable, tick, model, form)
    }

    fn wants_contacts(&self) -> bool {
        self.0.wants_contacts() || self.1.wants_contacts()
    }

    fn contacts(&mut self, contacts: &GroupContacts<'_>) -> Told {
        self.0.contacts(contacts)?;
        self.1.contacts(contacts)
    }

    fn joints(&mut self, joints: &JointSegment<'_>) -> Told {
        self.0.joints(joints)?;
        self.1.joints(joints)
    }

    fn wants_trace(&self) -> bool {
        self.0.wants_trace() || self.1.wants_trace()
    }

    fn undone(&mut self, undone: &Undone) -> Told {
        self.0.undone(undone)?;
        self.1.undone(undone)
    }

    fn wants_clocks(&self, gvt: Tick) -> bool {
        self.0.wants_clocks(gvt) || self.1.wants_clocks(gvt)
    }

    fn clocks(&mut self, clocks: &[Clock], stats: &Stats) -> Told {
        self.0.clocks(clocks, stats)?;
        self.1.clocks(clocks, stats)
    }

    fn wants_spans(&self) -> bool {
        self.0.wants_spans() || self.1.wants_spans()
    }

    fn span(&mut self, span: &Span) -> Told {
        self.0.span(span)?;
        self.1.span(span)
    }
}

impl<H: History + ?Sized> History for &mut H {
    fn segment(&mut self, segment: &Segment<'_>) -> Told {
        (**self).segment(segment)
    }

    fn gvt(&mut self, tick: Tick) -> Told {
        (**self).gvt(tick)
    }

    fn frame(&mut self, body: BodyId, tick: Tick, state: &State) -> Told {
        (**self).frame(body, tick, state)
    }

    fn vertices(&mut self, deformable: u32, tick: Tick, positions: &[[f64; 3]]) -> Told {
        (**self).vertices(deformable, tick, positions)
    }

    fn form(
        &mut self,
        deformable: u32,
        tick: Tick,
        model: &dyn Deformable,
        form: &dyn Form,
    ) -> Told {
        (**self).form(deformable, tick, model, form)
    }

    fn wants_contacts(&self) -> bool {
        (**self).wants_contacts()
    }

    fn contacts(&mut self, contacts: &GroupContacts<'_>) -> Told {
        (**self).contacts(contacts)
    }

    fn joints(&mut self, joints: &JointSegment<'_>) -> Told {
        (**self).joints(joints)
    }

    fn wants_trace(&self) -> bool {
        (**self).wants_trace()
    }

    fn undone(&mut self, undone: &Undone) -> Told {
        (**self).undone(undone)
    }

    fn wants_clocks(&self, gvt: Tick) -> bool {
        (**self).wants_clocks(gvt)
    }

    fn clocks(&mut self, clocks: &[Clock], stats: &Stats) -> Told {
        (**self).clocks(clocks, stats)
    }

    fn wants_spans(&self) -> bool {
        (**self).wants_spans()
    }

    fn span(&mut self, span: &Span) -> Told {
        (**self).span(span)
    }
}

/// A history for as long as it takes what it is told: the engine finishes a commit that the history could not follow,
/// and hands its error up afterwards.
pub(crate) struct Listener<'h> {
    history: &'h mut dyn History,
    failure: Option<HistoryError>,
}

impl<'h> Listener<'h> {
    pub(crate) fn new(history: &'h mut dyn History) -> Self {
        Listener {
            history,
            failure: None,
        }
    }

    /// Tells the history something, unless it has failed before.
    pub(crate) fn tell(&mut self, something: impl FnOnce(&mut dyn History) -> Told) {
        if self.failure.is_none() {
            self.failure = something(self.history).err();
        }
    }

    pub(crate) fn wants_contacts(&self) -> bool {
        self.failure.is_none() && self.history.wants_contacts()
    }

    pub(crate) fn wants_trace(&self) -> bool {
        self.failure.is_none() && self.history.wants_trace()
    }

    pub(crate) fn wants_clocks(&self, gvt: Tick) -> bool {
        self.failure.is_none() && self.history.wants_clocks(gvt)
    }

    /// Whether it took everything.
    pub(crate) fn conclude(self) -> Told {
        self.failure.map_or(Ok(()), Err)
    }
}
