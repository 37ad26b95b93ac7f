//! What changes in committed history, tick by tick: every body's state before and after each event, for
//! whoever keeps the books of energy and momentum.

use crate::replay::{Replay, Trees};
use physics::State;
use record::{Event, NO_GROUP, Segment};
use sim::{Deformable, Form, FormEnergy, History, Kind, World};
use warp::Tick;

/// A body's segment ends, and the next begins.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// The body.
    pub body: u32,
    /// What happened; nothing at the end of the run.
    pub event: Option<Event>,
    /// The other body of the event, or [`record::NO_PARTNER`].
    pub partner: u32,
    /// When the segment before began.
    pub since: Tick,
    /// The group before and after, by its first member, or [`NO_GROUP`].
    pub groups: [u32; 2],
    /// The state when the segment before began; none where the body was not in the world.
    pub start: Option<State>,
    /// The state just before the event; likewise.
    pub before: Option<State>,
    /// The state just after it; none if the body leaves the world.
    pub after: Option<State>,
}

impl Change {
    /// Whether the body was in a contact group, or asleep, before or after.
    pub fn is_grouped(&self) -> bool {
        self.groups != [NO_GROUP; 2]
    }
}

/// Whoever wants to know.
pub trait Bookkeeper {
    /// All that changes at one tick, in canonical order. Ticks rise.
    fn moment(&mut self, tick: Tick, changes: &[Change]);

    /// A deformable, counted from the first one, has this energy at one of its steps.
    fn form(&mut self, deformable: usize, tick: Tick, energy: FormEnergy) {
        let _ = (deformable, tick, energy);
    }

    /// Whether it is told of forms.
    fn wants_forms(&self) -> bool {
        false
    }
}

/// Turns segments into changes.
pub struct Changes<'w, B> {
    world: &'w World,
    newest: Vec<Option<Newest<'w>>>,
    trees: Trees<'w>,
    tick: Tick,
    batch: Vec<Change>,
    /// Who is told.
    pub bookkeeper: B,
}

/// A body's newest segment.
struct Newest<'w> {
    replay: Replay<'w>,
    start: State,
    group: u32,
    is_present: bool,
}

impl<'w, B: Bookkeeper> Changes<'w, B> {
    /// Follows the history of a world.
    pub fn new(world: &'w World, bookkeeper: B) -> Self {
        Changes {
            world,
            newest: world.bodies.iter().map(|_| None).collect(),
            trees: Trees::new(world),
            tick: Tick::MIN,
            batch: Vec::new(),
            bookkeeper,
        }
    }

    /// Closes the books at the end of the run.
    pub fn conclude(mut self) -> B {
        self.tell();
        self.tick = self.world.until;
        for (body, newest) in std::mem::take(&mut self.newest).into_iter().enumerate() {
            let Some(mut newest) = newest.filter(|n| n.is_present) else {
                continue;
            };
            let state = newest.replay.state(self.tick);
            self.batch.push(Change {
                body: body as u32,
                event: None,
                partner: record::NO_PARTNER,
                since: newest.replay.start(),
                groups: [newest.group; 2],
                start: Some(newest.start),
                before: Some(state),
                after: Some(state),
            });
        }
        self.tell();
        self.bookkeeper
    }

    fn tell(&mut self) {
        if !self.batch.is_empty() {
            self.bookkeeper.moment(self.tick, &self.batch);
            self.batch.clear();
        }
    }
}

impl<B: Bookkeeper> History for Changes<'_, B> {
    fn joints(&mut self, joints: &sim::JointSegment<'_>) -> sim::Told {
        self.trees.tell(joints);
        Ok(())
    }

    fn form(
        &mut self,
        deformable: u32,
        tick: Tick,
        model: &dyn Deformable,
        form: &dyn Form,
    ) -> sim::Told {
        if self.bookkeeper.wants_forms()
            && let Some(energy) = model.energy(form)
        {
            let deformable = deformable as usize - self.world.bodies.len();
            self.bookkeeper.form(deformable, tick, energy);
        }
        Ok(())
    }

    fn segment(&mut self, segment: &Segment<'_>) -> sim::Told {
        let body = &self.world.bodies[segment.body as usize];
        if segment.event == Event::Continue || body.kind != Kind::Dynamic {
            return Ok(());
        }
        let tick = Tick(segment.start);
        if tick != self.tick {
            self.tell();
            self.tick = tick;
        }
        let mut replay = Replay::new(self.world, segment, self.trees.of(segment.body));
        let after = replay.state(tick);
        let is_present = segment.event != Event::Leave;
        let place = &mut self.newest[segment.body as usize];
        let mut change = Change {
            body: segment.body,
            event: Some(segment.event),
            partner: segment.partner,
            since: tick,
            groups: [NO_GROUP, segment.group],
            start: None,
            before: None,
            after: is_present.then_some(after),
        };
        if let Some(previous) = place.as_mut().filter(|n| n.is_present) {
            change.since = previous.replay.start();
            change.groups[0] = previous.group;
            change.start = Some(previous.start);
            change.before = Some(previous.replay.state(tick));
        }
        *place = Some(Newest {
            replay,
            start: after,
            group: segment.group,
            is_present,
        });
        self.batch.push(change);
        Ok(())
    }
}
