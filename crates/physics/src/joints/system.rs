//! All joints of a group at once: impulses on the previewed state, found with one sparse factorisation.
//!
//! A sub-step has two parts. Impulses along the joints' directions at its start make the errors of the
//! previewed poses vanish ([`System::hold_positions`], Newton's method with the matrix of the start); once the
//! bodies have moved there, impulses along the directions of the end take away the velocities that would
//! open the joints ([`System::hold_velocities`]). Limits, ropes and motors have bounded impulses: they are
//! part of the system while their bounds do not hold them back.

use super::Link;
use super::rows::{Hold, Row, holds, rows};
use super::skyline::Skyline;
use super::spring::Soft;
use crate::body::MassProperties;
use crate::groups::Memory;
use crate::groups::memory::{Held, JOINT, PointKey};
use crate::rotation::{angular_momentum, drifted, turned, world_tensor};
use crate::{Mat3, Pose, Vec3};

/// Joints yield by this share of what the bodies do, so that those that say the same thing twice have one
/// solution, and that a small one.
pub(super) const SOFTENING: f64 = 1e-9;

/// A body as a solver keeps it between sub-steps.
pub trait Moves {
    /// Velocity and spin.
    fn motion(&self) -> [Vec3; 2];
    /// Sets them.
    fn set_motion(&mut self, motion: [Vec3; 2]);
    /// What constant acceleration adds to the mean velocity over a sub-step, m/s.
    fn falling(&self) -> Vec3;
    /// An impulse at the end of an arm from the centre of mass.
    fn kick(&mut self, arm: Vec3, impulse: Vec3);
}

/// A body that has joints.
#[derive(Clone, Copy)]
pub(super) struct Body {
    pub(super) place: u32,
    pub(super) pose: Pose,
    pub(super) velocity: Vec3,
    pub(super) spin: Vec3,
    /// Momentum and angular momentum that joints have added in this sub-step; motors not counted.
    pub(super) added: [Vec3; 2],
    pub(super) falling: Vec3,
    /// Without inverse mass, what does not yield.
    pub(super) mass: MassProperties,
    /// What impulses meet: the inverse mass and inertia, less what steadies the body.
    pub(super) yields: f64,
    pub(super) inverse_inertia: Mat3,
    /// World inertia and its inverse, as they are.
    pub(super) inertia: [Mat3; 2],
    /// The first of those it is connected with; what does not yield connects nothing.
    pub(super) chain: u32,
    /// Whether a joint has pushed or pulled it since the step's start.
    pub(super) is_touched: bool,
}

impl Body {
    pub(super) fn is_fixed(&self) -> bool {
        self.mass.inverse_mass == 0.0
    }

    /// Twice its kinetic energy, J; nothing for what does not yield.
    pub(super) fn energy(&self) -> f64 {
        if self.is_fixed() {
            return 0.0;
        }
        self.velocity.length_squared() * self.mass.mass + self.spin.dot(self.inertia[0] * self.spin)
    }

    /// The same without what joints have added in this sub-step.
    pub(super) fn energy_before(&self) -> f64 {
        if self.is_fixed() {
            return 0.0;
        }
        let mut before = *self;
        before.take_back(self.added);
        before.energy()
    }

    /// Takes away momentum and angular momentum.
    pub(super) fn take_back(&mut self, [momentum, angular]: [Vec3; 2]) {
        self.velocity -= momentum * self.mass.inverse_mass;
        self.spin -= self.inertia[1] * angular;
    }

    /// Where it is `h` seconds from now: as it will move, keeping its angular momentum.
    pub(super) fn previewed(&self, h: f64) -> Pose {
        if h == 0.0 {
            return self.pose;
        }
        let rotation = self.pose.rotation;
        Pose::from_parts(
            self.pose.translation + (self.velocity + self.falling) * h,
            if self.is_fixed() {
                turned(rotation, self.spin, h)
            } else {
                let momentum = angular_momentum(rotation, self.mass.inertia, self.spin);
                drifted(rotation, momentum, &self.mass, h)
            },
        )
    }
}

/// One joint in the order of elimination.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) link: u32,
    pub(super) bodies: [u32; 2],
    pub(super) first: u32,
    pub(super) end: u32,
}

impl Entry {
    pub(super) fn rows(&self) -> std::ops::Range<usize> {
        self.first as usize..self.end as usize
    }
}

/// Two joints that meet in a body; the second one is not after the first.
#[derive(Clone, Copy)]
struct Coupling {
    joints: [u32; 2],
    sides: [usize; 2],
    body: u32,
}

/// The joints of a group, and buffers. See the module's text.
#[derive(Default)]
pub struct System {
    pub(super) bodies: Vec<Body>,
    pub(super) entries: Vec<Entry>,
    couplings: Vec<Coupling>,
    pub(super) rows: Vec<Row>,
    /// What a unit impulse of a row does to the spins of its bodies.
    pub(super) turns: Vec<[Vec3; 2]>,
    pub(super) holds: Vec<Hold>,
    /// Impulses of this sub-step, N s and N m s.
    pub(super) impulses: Vec<f64>,
    /// Sizes of the impulses that the last sub-step ended with.
    pub(super) tensions: Vec<f64>,
    /// Mass and inertia that the bodies are steadied to.
    pub(super) needed: Vec<[f64; 2]>,
    pub(super) matrix: Skyline,
    pub(super) factors: Skyline,
    /// Rows whose bounds do not hold them back, and those of the factors.
    pub(super) active: Vec<bool>,
    pub(super) factored: Vec<bool>,
    /// Of springs, what they do to a sub-step; see [`super::spring`].
    pub(super) soft: Vec<Soft>,
    pub(super) residuals: Vec<f64>,
    pub(super) kept: Vec<f64>,
    pub(super) change: Vec<f64>,
    /// Whether the last search for impulses left a joint open.
    pub(super) is_lost: bool,
    /// Whether a body has answered as if it were heavier than it is since the step's start.
    pub(super) is_steadied: bool,
}

impl System {
    /// Whether there are no joints.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether the joints could not be held at the poses previewed last: the sub-step is too long for them.
    pub(crate) fn is_lost(&self) -> bool {
        self.is_lost
    }

    /// Whether a body under tension was too light for the sub-step and was held as if it were heavier.
    pub(crate) fn is_steadied(&self) -> bool {
        self.is_steadied
    }

    /// Takes over the joints of a group. `heft` tells how heavy the body at a place is
    /// ([`MassProperties::IMMOVABLE`] for what does not yield), `pose` where it is.
    pub fn begin(
        &mut self,
        links: &[Link],
        heft: impl Fn(u32) -> MassProperties,
        pose: impl Fn(u32) -> Pose,
    ) {
        self.bodies.clear();
        self.is_lost = false;
        self.is_steadied = false;
        let mut places: Vec<u32> = links.iter().flat_map(|l| l.places).collect();
        places.sort_unstable();
        places.dedup();
        for &place in &places {
            let mass = heft(place);
            self.bodies.push(Body {
                place,
                pose: pose(place),
                velocity: Vec3::ZERO,
                spin: Vec3::ZERO,
                added: [Vec3::ZERO; 2],
                falling: Vec3::ZERO,
                mass,
                yields: mass.inverse_mass,
                inverse_inertia: Mat3::ZERO,
                inertia: [Mat3::ZERO; 2],
                chain: 0,
                is_touched: false,
            });
        }
        let at = |place: u32| places.partition_point(|p| *p < place) as u32;
        self.arrange(links.iter().map(|l| l.places.map(at)).collect());
        self.holds.clear();
        for entry in &mut self.entries {
            let poses = entry.bodies.map(|b| self.bodies[b as usize].pose);
            entry.first = self.holds.len() as u32;
            holds(links[entry.link as usize].joint, poses, &mut self.holds);
            entry.end = self.holds.len() as u32;
        }
        self.find_chains();
        let mut first: Vec<u32> = Vec::with_capacity(self.holds.len());
        for (joint, entry) in self.entries.iter().enumerate() {
            let meets = |c: &&Coupling| c.joints[0] as usize == joint;
            let reach = self.couplings.iter().filter(meets);
            let reach = reach
                .map(|c| self.entries[c.joints[1] as usize].first)
                .min();
            let column = reach.unwrap_or(entry.first).min(entry.first);
            first.extend(std::iter::repeat_n(column, entry.rows().len()));
        }
        self.matrix.shape(&first);
        self.factors.shape(&first);
        self.impulses.clear();
        self.impulses.resize(self.holds.len(), 0.0);
        self.tensions.clear();
        self.tensions.resize(self.holds.len(), 0.0);
    }

    /// Puts joints next to those they meet (Cuthill and McKee's order), and lists who meets whom.
    fn arrange(&mut self, ends: Vec<[u32; 2]>) {
        let mut at_body: Vec<Vec<u32>> = vec![Vec::new(); self.bodies.len()];
        for (link, bodies) in ends.iter().enumerate() {
            for &body in bodies {
                if !self.bodies[body as usize].is_fixed() {
                    at_body[body as usize].push(link as u32);
                }
            }
        }
        let met = |link: u32| {
            let bodies = ends[link as usize];
            bodies
                .into_iter()
                .flat_map(|b| at_body[b as usize].iter().copied())
        };
        let mut order: Vec<u32> = Vec::with_capacity(ends.len());
        let mut is_placed = vec![false; ends.len()];
        let mut starts: Vec<u32> = (0..ends.len() as u32).collect();
        starts.sort_by_key(|link| (met(*link).count(), *link));
        for start in starts {
            let mut next = order.len();
            if !std::mem::replace(&mut is_placed[start as usize], true) {
                order.push(start);
            }
            while next < order.len() {
                for link in met(order[next]) {
                    if !std::mem::replace(&mut is_placed[link as usize], true) {
                        order.push(link);
                    }
                }
                next += 1;
            }
        }
        self.entries.clear();
        self.couplings.clear();
        for &link in &order {
            self.entries.push(Entry {
                link,
                bodies: ends[link as usize],
                first: 0,
                end: 0,
            });
        }
        let mut met_at: Vec<Vec<(u32, usize)>> = vec![Vec::new(); self.bodies.len()];
        for (joint, entry) in self.entries.iter().enumerate() {
            for (side, &body) in entry.bodies.iter().enumerate() {
                if self.bodies[body as usize].is_fixed() {
                    continue;
                }
                let list = &mut met_at[body as usize];
                list.push((joint as u32, side));
                for &(other, other_side) in list.iter() {
                    self.couplings.push(Coupling {
                        joints: [joint as u32, other],
                        sides: [side, other_side],
                        body,
                    });
                }
            }
        }
    }

    /// Tells every body who is connected with it.
    fn find_chains(&mut self) {
        fn root(bodies: &mut [Body], mut at: u32) -> u32 {
            while bodies[at as usize].chain != at {
                let above = bodies[at as usize].chain;
                bodies[at as usize].chain = bodies[above as usize].chain;
                at = above;
            }
            at
        }
        for (place, body) in self.bodies.iter_mut().enumerate() {
            body.chain = place as u32;
        }
        for entry in &self.entries {
            if entry
                .bodies
                .iter()
                .any(|b| self.bodies[*b as usize].is_fixed())
            {
                continue;
            }
            let [a, b] = entry.bodies.map(|b| root(&mut self.bodies, b));
            self.bodies[a.max(b) as usize].chain = a.min(b);
        }
        for place in 0..self.bodies.len() as u32 {
            let first = root(&mut self.bodies, place);
            self.bodies[place as usize].chain = first;
        }
    }

    /// Marks the places that a joint has touched since the step's start.
    pub(crate) fn touch(&self, touched: &mut [bool]) {
        for body in self.bodies.iter().filter(|b| b.is_touched) {
            if let Some(touched) = touched.get_mut(body.place as usize) {
                *touched = true;
            }
        }
    }

    /// The impulses that the step before ended with, for sub-steps of `h` seconds.
    pub fn recall(&mut self, links: &[Link], memory: &Memory, h: f64) {
        for entry in &self.entries {
            let link = &links[entry.link as usize];
            for (place, row) in entry.rows().enumerate() {
                let force = memory.force(&key(link, place / 3));
                self.impulses[row] = force[place % 3] * h;
                self.tensions[row] = self.impulses[row];
            }
        }
    }

    /// Adds the forces of the joints to what a group remembers.
    pub fn remember(&self, links: &[Link], memory: &mut Memory, h: f64) {
        for entry in &self.entries {
            let link = &links[entry.link as usize];
            for (place, three) in self.impulses[entry.rows()].chunks(3).enumerate() {
                let mut force = Vec3::ZERO;
                for (axis, impulse) in three.iter().enumerate() {
                    force[axis] = impulse / h;
                }
                memory.held.push(Held {
                    key: key(link, place),
                    force,
                    hold: [Vec3::ZERO; 2],
                });
            }
        }
        memory.sort();
    }

    /// Where the bodies are now, between sub-steps of `h` seconds: the joints' directions follow.
    pub fn place(&mut self, links: &[Link], pose: impl Fn(u32) -> Pose, h: f64) {
        for body in &mut self.bodies {
            body.pose = pose(body.place);
            let (rotation, mass) = (body.pose.rotation, &body.mass);
            if !body.is_fixed() {
                body.inertia =
                    [mass.inertia, mass.inverse_inertia].map(|i| world_tensor(rotation, i));
            }
        }
        self.steady(links, h);
        self.holds.clear();
        for entry in &self.entries {
            let poses = entry.bodies.map(|b| self.bodies[b as usize].pose);
            holds(links[entry.link as usize].joint, poses, &mut self.holds);
        }
        self.soft.clear();
        self.linearise(links, 0.0);
    }

    /// Rows and matrix at the poses `ahead` seconds from now.
    pub(super) fn linearise(&mut self, links: &[Link], ahead: f64) {
        self.rows.clear();
        for entry in &self.entries {
            let poses = entry
                .bodies
                .map(|b| self.bodies[b as usize].previewed(ahead));
            rows(links[entry.link as usize].joint, poses, &mut self.rows);
        }
        self.turns.clear();
        for entry in &self.entries {
            let inertia = entry
                .bodies
                .map(|b| self.bodies[b as usize].inverse_inertia);
            for row in &self.rows[entry.rows()] {
                self.turns.push([0, 1].map(|k| inertia[k] * row.about[k]));
            }
        }
        self.assemble();
    }

    /// The matrix of responses: row by row, how an impulse of one changes the velocity of the other.
    fn assemble(&mut self) {
        self.matrix.clear();
        for coupling in &self.couplings {
            let [later, earlier] = coupling.joints.map(|j| self.entries[j as usize]);
            let [side, other_side] = coupling.sides;
            let sign = if side == other_side { 1.0 } else { -1.0 };
            let mass = self.bodies[coupling.body as usize].yields;
            for r in later.rows() {
                let (along, turn) = (self.rows[r].along * mass, self.turns[r][side]);
                for c in earlier.rows().take_while(|c| *c <= r) {
                    let other = &self.rows[c];
                    let response = along.dot(other.along) + turn.dot(other.about[other_side]);
                    *self.matrix.entry(r, c) += sign * response;
                }
            }
        }
        for r in 0..self.rows.len() {
            let diagonal = self.matrix.entry(r, r);
            *diagonal += SOFTENING * *diagonal;
        }
        self.soften();
        self.factored.clear();
    }

    /// Takes velocities and spins from a solver's bodies.
    pub fn load<M: Moves>(&mut self, movers: &[M]) {
        for body in &mut self.bodies {
            let mover = &movers[body.place as usize];
            [body.velocity, body.spin] = mover.motion();
            body.falling = mover.falling();
        }
    }

    /// Gives them back.
    pub fn store<M: Moves>(&self, movers: &mut [M]) {
        for body in self.bodies.iter().filter(|b| !b.is_fixed()) {
            movers[body.place as usize].set_motion([body.velocity, body.spin]);
        }
    }
}

fn key(link: &Link, feature: usize) -> PointKey {
    PointKey {
        bodies: link.joint.bodies,
        parts: JOINT,
        piece: link.number,
        feature: feature as u32,
    }
}
