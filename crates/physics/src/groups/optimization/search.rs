//! Contacts where the programs have put the bodies. They are found again only for bodies that have moved since
//! the last search: most programs move few.

use crate::Vec3;
use crate::groups::candidate::Approach;
use crate::groups::contacts::body;
use crate::groups::manifold::{Manifold, ManifoldPoint, Manifolds};
use crate::groups::{Member, Neighbour};

/// Share of a body's radius by which it may move before its contacts are found again.
const STEADY: f64 = 1e-5;

/// The same as a share of the skin.
const STEADY_SKIN: f64 = 2e-3;

/// Share of what two bodies moved in a program within which others of their points may touch in the next one.
const AHEAD: f64 = 0.25;

/// How far bodies have moved since their contacts were found.
#[derive(Default)]
pub(super) struct Search {
    /// Per member: how far its surface has moved since the last search, metres.
    drift: Vec<f64>,
    /// Per member: how far the last program moved it, metres.
    moved: Vec<f64>,
    /// Per member: how far it may move.
    steady: Vec<f64>,
    /// Members that the last search looked at again.
    fresh: Vec<bool>,
    /// The manifolds of the search before.
    list: Vec<Manifold>,
    points: Vec<ManifoldPoint>,
}

impl Search {
    /// Nothing is known.
    pub fn begin(&mut self, members: &[Member], skin: f64) {
        self.steady.clear();
        let steady = |m: &Member| (STEADY * m.model.bounding_radius()).min(STEADY_SKIN * skin);
        self.steady.extend(members.iter().map(steady));
        self.moved.clear();
        self.moved.resize(members.len(), 0.0);
        self.fresh.clear();
        self.fresh.resize(members.len(), false);
        self.forget();
    }

    /// All bodies are somewhere else.
    pub fn forget(&mut self) {
        self.drift.clear();
        self.drift.resize(self.moved.len(), f64::INFINITY);
    }

    /// A program has moved a member.
    pub fn note(&mut self, place: usize, member: &Member, shift: Vec3, turn: Vec3) {
        let mut moved = shift.length();
        if turn != Vec3::ZERO {
            moved += turn.length() * member.model.bounding_radius();
        }
        self.moved[place] = moved;
        self.drift[place] += moved;
    }

    /// Whether a member was looked at again in the last search; what is no member never is.
    pub fn is_fresh(&self, place: usize) -> bool {
        self.fresh.get(place).is_some_and(|fresh| *fresh)
    }

    /// Finds the contacts of all members that have moved; those of others stay as they were found.
    pub fn find(
        &mut self,
        members: &[Member],
        neighbours: &[Neighbour],
        pairs: &[(u32, u32)],
        margin: f64,
        manifolds: &mut Manifolds,
    ) {
        for ((fresh, drift), steady) in (self.fresh.iter_mut())
            .zip(&mut self.drift)
            .zip(&self.steady)
        {
            *fresh = *drift > *steady;
            if *fresh {
                *drift = 0.0;
            }
        }
        std::mem::swap(&mut manifolds.list, &mut self.list);
        std::mem::swap(&mut manifolds.points, &mut self.points);
        manifolds.clear();
        let mut known = 0;
        for &pair in pairs {
            let from = known;
            while self.list.get(known).is_some_and(|m| m.pair == pair) {
                known += 1;
            }
            let (i, j) = (pair.0 as usize, pair.1 as usize);
            if self.is_fresh(i) || self.is_fresh(j) {
                let (a, b) = (body(members, neighbours, i), body(members, neighbours, j));
                let moved = |k: usize| self.moved.get(k).copied().unwrap_or(0.0);
                let reach = margin.max(AHEAD * (moved(i) + moved(j)));
                let approach = Approach {
                    reach,
                    margin: reach,
                    seconds: 0.0,
                };
                let apart = a.1.position.distance(b.1.position);
                if apart <= a.0.bounding_radius() + b.0.bounding_radius() + reach {
                    manifolds.find(pair, a, b, &approach);
                }
            } else {
                keep(manifolds, &self.list[from..known], &self.points);
            }
        }
        manifolds.seeds.settle();
    }
}

/// Takes over manifolds of the search before.
fn keep(manifolds: &mut Manifolds, list: &[Manifold], points: &[ManifoldPoint]) {
    for manifold in list {
        let (from, count) = (manifold.first as usize, manifold.count as usize);
        let first = manifolds.points.len() as u32;
        manifolds.list.push(Manifold { first, ..*manifold });
        manifolds
            .points
            .extend_from_slice(&points[from..from + count]);
    }
}
