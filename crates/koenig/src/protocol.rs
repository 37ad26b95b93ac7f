//! All entities, the hash table and the frames, and the seam beneath them: a [`Machine`] says where tasks are put and when an
//! entity is interrupted. The protocol is the same on real threads and under a seed.

use crate::entity::Entity;
use crate::frames::Frames;
use crate::message::{Mailbox, Message, Rest};
use crate::plain::Trajectories;
use crate::scene::{Scene, Settings, Unusable};
use crate::sync::{Mutex, lock};
use crate::tally::{Activity, Tally};
use crate::tvht::Tvht;

/// Something for a core to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// An entity goes on.
    Entity(u32),
    /// LVT_ub has risen: wake the entities of this part.
    Gvt(u32),
}

/// Where an entity may be interrupted by a machine that wants to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Point {
    /// It has got another lock.
    Locked,
    /// It is about to give its locks back.
    Unlocks,
}

/// What soft threads run on.
pub(crate) trait Machine {
    /// Puts a task into a queue.
    fn ready(&self, task: Task);

    /// An entity has got the lock it waited for.
    fn granted(&self, entity: u32) {
        self.ready(Task::Entity(entity));
    }

    /// Into how many parts entities are divided: one for each queue.
    fn parts(&self) -> u32;

    /// Whether an entity is interrupted here.
    fn pauses(&self, at: Point) -> bool {
        let _ = at;
        false
    }

    /// Nanoseconds, if the run is timed.
    fn clock(&self) -> u64 {
        0
    }

    /// Delivers a message.
    fn send(&self, mail: &[Mailbox], to: u32, message: Message) {
        if mail[to as usize].put(message) {
            self.ready(Task::Entity(to));
        }
    }

    /// GVT has risen so far that LVT_ub has, too.
    fn raised(&self) {
        for part in 0..self.parts() {
            self.ready(Task::Gvt(part));
        }
    }
}

/// What became of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is over.
    Done,
    /// It was interrupted and must be run again, before anything else of this entity.
    Paused,
}

/// Why a run ended early.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// It cannot begin.
    #[error(transparent)]
    Unusable(#[from] Unusable),
    /// Every entity waits for another.
    #[error(
        "every entity waits for another, and GVT stays at {gvt} ms: {whom}; this is a fault of the simulator"
    )]
    Stuck {
        /// Where.
        gvt: i64,
        /// The first who waits, and for what.
        whom: String,
    },
    /// A worker panicked.
    #[error("a worker has panicked: {0}")]
    Panicked(String),
    /// Whoever takes the history wants no more of it.
    #[error("the run was interrupted")]
    Interrupted,
}

/// The shared part of a run.
pub(crate) struct Protocol {
    pub scene: Scene,
    pub settings: Settings,
    pub tvht: Tvht,
    pub frames: Frames,
    pub mail: Vec<Mailbox>,
    entities: Vec<Mutex<Entity>>,
    /// Of tasks that belong to no entity.
    common: Mutex<Tally>,
}

impl Protocol {
    pub fn new(scene: &Scene, settings: &Settings) -> Result<Self, Unusable> {
        settings.check(scene)?;
        let count = scene.spheres.len();
        let entity = |me: usize| Mutex::new(Entity::new(me as u32, scene));
        Ok(Protocol {
            tvht: Tvht::new(scene, settings),
            frames: Frames::new(count, settings, scene.end),
            mail: std::iter::repeat_with(Mailbox::queued)
                .take(count)
                .collect(),
            entities: (0..count).map(entity).collect(),
            common: Mutex::new(Tally::default()),
            scene: scene.clone(),
            settings: *settings,
        })
    }

    /// The entities of a part.
    pub fn part(&self, part: u32, parts: u32) -> std::ops::Range<u32> {
        let (count, parts) = (self.entities.len() as u64, u64::from(parts));
        let from = |part: u64| (part * count).div_ceil(parts) as u32;
        from(u64::from(part))..from(u64::from(part) + 1)
    }

    /// The part that a task belongs to.
    pub fn part_of(&self, task: Task, parts: u32) -> u32 {
        match task {
            Task::Gvt(part) => part,
            Task::Entity(e) => {
                let count = self.entities.len().max(1) as u64;
                (u64::from(e) * u64::from(parts) / count) as u32
            }
        }
    }

    /// Runs a task up to its end, or up to where the machine interrupts it.
    pub fn run<M: Machine>(&self, task: Task, machine: &M) -> Outcome {
        match task {
            Task::Entity(e) => {
                self.mail[e as usize].begin();
                self.resume(e, machine)
            }
            Task::Gvt(part) => {
                let mut since = machine.clock();
                let part = self.part(part, machine.parts());
                let mut tally = Tally {
                    activations: 1,
                    counted: u64::from(part.end - part.start),
                    ..Tally::default()
                };
                for e in part {
                    if self.mail[e as usize].call_from_bound() {
                        machine.ready(Task::Entity(e));
                    }
                }
                tally.spend(Activity::Gvt, &mut since, machine.clock());
                lock(&self.common).add(&tally);
                Outcome::Done
            }
        }
    }

    /// Goes on with an entity that was interrupted.
    pub fn resume<M: Machine>(&self, e: u32, machine: &M) -> Outcome {
        let rest = lock(&self.entities[e as usize]).run(self, machine);
        if rest == Rest::Paused {
            return Outcome::Paused;
        }
        if self.mail[e as usize].end(rest) {
            machine.ready(Task::Entity(e));
        }
        Outcome::Done
    }

    /// Everything that was counted.
    pub fn tally(&self) -> Tally {
        let mut all = *lock(&self.common);
        for entity in &self.entities {
            all.add(lock(entity).tally());
        }
        all
    }

    /// What a run without a taker leaves.
    pub fn trajectories(&self) -> Trajectories {
        let mut turns = Vec::new();
        self.frames.take(&mut turns);
        Trajectories {
            turns,
            states: self.states(),
        }
    }

    /// States at the end of a finished run.
    pub fn states(&self) -> Vec<crate::scene::Phy> {
        self.entities.iter().map(|e| lock(e).phy()).collect()
    }

    /// Why nothing goes on.
    pub fn stuck(&self) -> Error {
        let whom = self.entities.iter().find_map(|e| lock(e).waits_for(self));
        Error::Stuck {
            gvt: self.frames.gvt(),
            whom: whom.unwrap_or_else(|| "no entity says for whom".into()),
        }
    }
}
