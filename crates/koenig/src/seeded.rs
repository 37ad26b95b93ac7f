//! One thread, and a seed that says which task is run next and where it is interrupted: every order of activations can be
//! had, and had again.

use crate::plain::Trajectories;
use crate::protocol::{Error, Machine, Outcome, Point, Protocol, Task};
use crate::scene::{Scene, Settings};
use crate::tally::Tally;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::cell::RefCell;

/// Runs a scene in an order that the seed decides.
pub fn run(scene: &Scene, settings: &Settings, seed: u64) -> Result<(Trajectories, Tally), Error> {
    let protocol = Protocol::new(scene, settings)?;
    let count = scene.spheres.len() as u32;
    let dice = Dice {
        ready: RefCell::new((0..count).map(Next::Begin).collect()),
        random: RefCell::new(Pcg64Mcg::seed_from_u64(seed)),
    };
    while let Some(next) = dice.pick() {
        let (entity, outcome) = match next {
            Next::Begin(e) => (e, protocol.run(Task::Entity(e), &dice)),
            Next::Resume(e) => (e, protocol.resume(e, &dice)),
            Next::Gvt => (0, protocol.run(Task::Gvt(0), &dice)),
        };
        if outcome == Outcome::Paused {
            dice.ready.borrow_mut().push(Next::Resume(entity));
        }
    }
    match protocol.frames.is_finished() {
        true => Ok((protocol.trajectories(), protocol.tally())),
        false => Err(protocol.stuck()),
    }
}

#[derive(Clone, Copy)]
enum Next {
    Begin(u32),
    Resume(u32),
    Gvt,
}

struct Dice {
    ready: RefCell<Vec<Next>>,
    random: RefCell<Pcg64Mcg>,
}

impl Dice {
    fn pick(&self) -> Option<Next> {
        let mut ready = self.ready.borrow_mut();
        if ready.is_empty() {
            return None;
        }
        let place = self.random.borrow_mut().random_range(0..ready.len());
        Some(ready.swap_remove(place))
    }
}

impl Machine for Dice {
    fn ready(&self, task: Task) {
        let next = match task {
            Task::Entity(e) => Next::Begin(e),
            Task::Gvt(_) => Next::Gvt,
        };
        self.ready.borrow_mut().push(next);
    }

    fn parts(&self) -> u32 {
        1
    }

    fn pauses(&self, _: Point) -> bool {
        self.random.borrow_mut().random_bool(0.5)
    }
}
