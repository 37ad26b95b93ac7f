//! `ca`, conservative advancement (Mirtich 2.2): lower bounds on the times of collisions wait in a
//! priority queue; all bodies advance to the bound at its front; that pair is looked at again, and
//! collides if it touches, or gets a later bound.
//!
//! An honest baseline: where a pair has a closed form its bound is the collision's own tick, the
//! tightest there is; other pairs wait for their bounding balls to meet and then creep by the
//! directional bounds of the event-driven search. Bounds of bodies that have collided since are
//! dropped without a stop. Pairs come from boxes swept over an interval that suits the density.
//! What remains is what the method is: every check stops every body.

use super::RunError;
use super::synchronised::{Sweep, Synchronised};
use crate::history::History;
use crate::stats::Stats;
use crate::world::World;
use physics::State;
use physics::advance::{Certificate, certify};
use physics::impact::{Approach, approach};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use warp::Tick;

pub(super) fn run_ca(
    world: &World,
    history: &mut dyn History,
) -> Result<(Stats, Vec<State>), RunError> {
    let mut all = Synchronised::new(world);
    let mut bounds = Bounds::new(&all);
    all.ring(history)?;
    while all.now < world.until {
        bounds.begin_interval(&mut all);
        while let Some(front) = bounds.pop() {
            stop_at(&mut all, front.at);
            bounds.check_again(&mut all, front, history)?;
        }
        stop_at(&mut all, bounds.end);
        all.ring(history)?;
    }
    Ok(all.conclude(history)?)
}

/// Advances all bodies to `tick`.
fn stop_at(all: &mut Synchronised<'_>, tick: Tick) {
    if tick > all.now {
        all.integrate(tick);
        all.advance(tick);
    }
}

/// The pair is free before `at`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Bound {
    at: Tick,
    a: u32,
    b: u32,
    /// The bodies' collisions so far when the bound was made; it is void after another.
    made: (u32, u32),
    /// How often the pair has been looked at in a row.
    round: u32,
}

/// Lower bounds for all pairs whose boxes, swept to the end of the interval, overlap.
struct Bounds {
    queue: BinaryHeap<Reverse<Bound>>,
    collisions: Vec<u32>,
    sweep: Sweep,
    partners: Vec<u32>,
    /// Bodies whose swept boxes need their motion integrated ahead.
    forced: Vec<u32>,
    /// Where the boxes end.
    end: Tick,
    /// Length of the interval, ticks.
    length: i64,
}

/// Shortest and longest interval, ticks (about a microsecond, a second).
const LENGTHS: (i64, i64) = (1 << 20, 1 << 40);

impl Bounds {
    fn new(all: &Synchronised<'_>) -> Self {
        let bodies = 0..all.world.bodies.len() as u32;
        let forced = |b: &u32| all.motion(*b).model.law == physics::body::Law::Integrated;
        Bounds {
            queue: BinaryHeap::new(),
            collisions: vec![0; bodies.len()],
            sweep: Sweep::new(all),
            partners: Vec::new(),
            forced: bodies.filter(forced).collect(),
            end: Tick::ZERO,
            length: 1 << 34,
        }
    }

    /// Sweeps all boxes over the next interval and bounds all pairs anew. The interval aims at
    /// about one pair a body: longer ones mean more pairs, shorter ones more sweeps.
    fn begin_interval(&mut self, all: &mut Synchronised<'_>) {
        self.end = all.now.saturating_add(self.length).min(all.next_stop());
        for &body in &self.forced {
            all.foresee(body, self.end);
        }
        self.sweep.find_pairs(all, self.end);
        self.queue.clear();
        let pairs = std::mem::take(&mut self.sweep.pairs);
        for &(a, b) in &pairs {
            self.bound(all, a, b);
        }
        let (found, bodies) = (pairs.len(), all.stats.bodies_moving);
        self.sweep.pairs = pairs;
        if found > 2 * bodies {
            self.length = (self.length / 2).max(LENGTHS.0);
        } else if 2 * found < bodies {
            self.length = (self.length * 2).min(LENGTHS.1);
        }
    }

    /// The earliest bound before the interval's end that is not void.
    fn pop(&mut self) -> Option<Bound> {
        while let Some(Reverse(front)) = self.queue.pop() {
            if front.made == self.made(front.a, front.b) {
                return Some(front);
            }
        }
        None
    }

    fn made(&self, a: u32, b: u32) -> (u32, u32) {
        (self.collisions[a as usize], self.collisions[b as usize])
    }

    /// The first bound of a pair, from flights alone.
    fn bound(&mut self, all: &mut Synchronised<'_>, a: u32, b: u32) {
        all.stats.checks += 1;
        let (ma, mb) = (all.motion(a), all.motion(b));
        let at = match approach(ma.model, ma.flight, mb.model, mb.flight) {
            Approach::Never => return,
            Approach::Impact(tick) => tick,
            Approach::Possible(enter, exit) if enter < exit => enter,
            Approach::Possible(..) => return,
        };
        self.push(at.max(all.now), a, b, 0);
    }

    fn push(&mut self, at: Tick, a: u32, b: u32, round: u32) {
        if at < self.end {
            let made = self.made(a, b);
            self.queue.push(Reverse(Bound {
                at,
                a,
                b,
                made,
                round,
            }));
        }
    }

    /// All bodies stand at the pair's bound: it touches, or is free for longer.
    fn check_again(
        &mut self,
        all: &mut Synchronised<'_>,
        front: Bound,
        history: &mut dyn History,
    ) -> Result<(), RunError> {
        let Bound { a, b, round, .. } = front;
        all.stats.checks += 1;
        let (ma, mb) = (all.motion(a), all.motion(b));
        match approach(ma.model, ma.flight, mb.model, mb.flight) {
            Approach::Never => {}
            Approach::Impact(tick) if tick <= all.now => return self.collide(all, a, b, history),
            Approach::Impact(tick) => self.push(tick, a, b, 0),
            Approach::Possible(enter, _) if enter > all.now => self.push(enter, a, b, 0),
            Approach::Possible(_, exit) => {
                all.stats.searches += 1;
                for body in [a, b] {
                    // Bounds on motion under forces come from its dense output.
                    if self.forced.binary_search(&body).is_ok() {
                        all.foresee(body, all.now);
                    }
                }
                // All bodies stand here: what slack lets pass cannot be gone back to, so it comes late.
                let patience = round / 64;
                match certify(&all.motion(a), &all.motion(b), all.now, patience) {
                    Certificate::Touch => return self.collide(all, a, b, history),
                    Certificate::FreeUntil(tick) => {
                        let next = tick.max(all.now.saturating_add(1));
                        if next < exit {
                            self.push(next, a, b, round + 1);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The pair collides: the bounds of both bodies are void, and made anew.
    fn collide(
        &mut self,
        all: &mut Synchronised<'_>,
        a: u32,
        b: u32,
        history: &mut dyn History,
    ) -> Result<(), RunError> {
        all.collide((a, b), history)?;
        let movable = |body: u32| all.motion(body).model.is_movable();
        let begun = [(a, movable(a)), (b, movable(b))];
        for (body, _) in begun.into_iter().filter(|(_, movable)| *movable) {
            self.collisions[body as usize] += 1;
        }
        let mut partners = std::mem::take(&mut self.partners);
        for (place, (body, movable)) in begun.into_iter().enumerate() {
            if !movable {
                continue;
            }
            partners.clear();
            if self.forced.binary_search(&body).is_ok() {
                all.foresee(body, self.end);
            }
            self.sweep
                .find_partners(all, body, self.end, |other| partners.push(other));
            for &other in &partners {
                // The pair itself is bounded once, from its first movable body.
                if !(place == 1 && other == a && begun[0].1) {
                    self.bound(all, body.min(other), body.max(other));
                }
            }
        }
        self.partners = partners;
        Ok(())
    }
}
