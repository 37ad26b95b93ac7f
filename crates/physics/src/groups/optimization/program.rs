//! The quadratic programs over positions: every member as near to its target as separating planes
//! allow, linearised again and again where the last one has put the bodies.
//!
//! Each program is solved in its multipliers, which must not be negative, by sweeps from those of the
//! program before. Planes keep a distance, a part of which is left to the solver: what is returned
//! satisfies non-overlap itself, not only to a tolerance.

use super::Effort;
use super::bodies::Bodies;
use super::planes::{OVERLAP, Row, RowKey, kept, width};
use super::search::Search;
use super::settings::{OptimizationSettings, Weighting};
use super::ways::{MOMENTS, Way, critical_moment};
use crate::groups::candidate::Approach;
use crate::groups::contacts::{body, body_id};
use crate::groups::manifold::Manifolds;
use crate::groups::memory::PointKey;
use crate::groups::{Member, Neighbour, SolverError, Span};
use crate::rotation::{turned, world_tensor};
use crate::{Mat3, Pose, Vec3};

#[cfg(test)]
mod explicit;

/// Share of the skin by which a row may change in the last sweep of a program.
const LEFT: f64 = 5e-3;
/// Share of a plane's distance that may be missing at the end.
const MISSING: f64 = 0.5;
/// Share of a plane's distance that the programs keep: what is as near as that is left where it is.
const KEPT: f64 = 0.75;
/// Share of the change that counts as none below which a row lets its bodies be.
const QUIET: f64 = 0.25;

/// Programs of an attempt that aim at the targets. Features that meet may change from one to the next and
/// back again for ever; the programs after these only move as little as non-overlap asks for.
const TARGETED: u32 = 3;

/// How much harder a step tries after it went back to its start.
const HARDER: u32 = 8;

/// Programs in a row, after a step went back to its start, of which none is better than those before: there is no room.
const STALLED: u32 = 16;
/// A program that leaves less than this share of what the best one left is better.
const BETTER: f64 = 0.95;

/// A body's move from where the rows were linearised, and its inverse weights.
#[derive(Clone, Copy, Debug)]
struct Move {
    shift: Vec3,
    turn: Vec3,
    inverse_weight: f64,
    inverse_turning: Mat3,
}

impl Move {
    /// What stays where it is.
    const FIXED: Move = Move {
        shift: Vec3::ZERO,
        turn: Vec3::ZERO,
        inverse_weight: 0.0,
        inverse_turning: Mat3::ZERO,
    };
}

/// What a scene is made of: members, neighbours, candidate pairs.
type Scene<'m, 'a, 'b> = (&'m mut [Member<'a>], &'b [Neighbour<'b>], &'b [(u32, u32)]);

/// The worst row of a set: what is missing, metres, and its bodies.
#[derive(Clone, Copy, Debug, Default)]
struct Worst {
    missing: f64,
    /// Relative to the distance that its plane keeps.
    share: f64,
    /// Overlap of the bodies themselves, relative to the smaller one's size.
    overlap: f64,
    depth: f64,
    bodies: [u32; 2],
}

/// Two bodies that would overlap on their ways, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Critical {
    pair: (u32, u32),
    moment: u32,
}

/// Rows, moves, and what was learned of multipliers.
#[derive(Default)]
pub(super) struct Program {
    rows: Vec<Row>,
    moves: Vec<Move>,
    /// Multipliers by row, sorted.
    learned: Vec<(RowKey, f64)>,
    /// Critical moments found so far, sorted.
    critical: Vec<Critical>,
    /// Contacts at critical moments.
    passing: Manifolds,
    /// Per candidate pair: whether nothing overlaps on the ways to where the bodies are.
    certified: Vec<bool>,
    search: Search,
    descent: Descent,
}

/// How sweeps are combined, and which rows they visit.
#[derive(Default)]
struct Descent {
    /// Rows visited in this sweep, and their multipliers before it.
    visited: Vec<(u32, f64)>,
    /// Per row: the direction of the search, and the sweep that visited it last.
    along: Vec<(f64, u32)>,
    /// Per body: the last sweep that moved it.
    moved: Vec<u32>,
}

impl Program {
    /// Moves the members as near to their targets as non-overlap allows; leaves the manifolds of where
    /// they are then.
    pub fn solve(
        &mut self,
        (members, neighbours, pairs): Scene<'_, '_, '_>,
        bodies: &Bodies,
        manifolds: &mut Manifolds,
        settings: &OptimizationSettings,
        span: Span,
        effort: &mut Effort,
    ) -> Result<(), SolverError> {
        self.begin(members, pairs, settings.skin);
        let still = LEFT * settings.skin;
        // Planes of the step's start, and what the velocities make of them.
        self.linearise((members, neighbours), manifolds, settings);
        self.advance(members, bodies, neighbours, span.seconds);
        self.minimise((settings.sweeps_max, still), effort);
        self.place(members);
        let arrived: Vec<Neighbour> = neighbours.iter().map(|n| arrive(n, span.seconds)).collect();
        let mut ways = ways(members, bodies, neighbours, span.seconds);
        let mut worst = Worst::default();
        for attempt in 0..2 {
            let rounds = settings.programs_max * if attempt == 0 { 2 } else { HARDER };
            let mut best = (f64::INFINITY, 0);
            for round in 0..rounds {
                let margin = settings.margin;
                (self.search).find(members, &arrived, pairs, margin, manifolds);
                worst = self.linearise((members, &arrived), manifolds, settings);
                self.follow(&mut ways, members, bodies, pairs);
                let arrives = worst.share <= MISSING;
                if arrives {
                    self.find_critical(&ways, pairs, manifolds, margin);
                }
                let passes = self.linearise_critical((members, neighbours), &ways, settings);
                if arrives && passes {
                    return Ok(());
                }
                if worst.missing < BETTER * best.0 || arrives {
                    best = (worst.missing.min(best.0), round);
                }
                if attempt == 1 && round - best.1 >= STALLED {
                    break;
                }
                if round < TARGETED {
                    self.aim(members, bodies);
                } else {
                    self.stay();
                }
                // What few sweeps did not settle gets more of them.
                let harder = match attempt == 0 && round < settings.programs_max {
                    true => 1,
                    false => HARDER,
                };
                self.minimise((settings.sweeps_max * harder, still), effort);
                self.place(members);
            }
            if worst.overlap <= OVERLAP && attempt == 1 {
                effort.unclear += 1;
                return Ok(());
            }
            if attempt == 0 {
                // Reckless: back to the start, with the planes and multipliers learned on the way.
                effort.rollbacks += 1;
                for (member, start) in members.iter_mut().zip(&bodies.starts) {
                    member.state = *start;
                }
                self.search.forget();
            }
        }
        Err(SolverError::Jammed {
            bodies: worst.bodies,
            overlap: worst.depth,
            members: members.len(),
            seconds_now: span.begin,
            step: span.seconds,
        })
    }

    fn begin(&mut self, members: &[Member], pairs: &[(u32, u32)], skin: f64) {
        self.learned.clear();
        self.critical.clear();
        self.passing.seeds.clear();
        self.certified.clear();
        self.certified.resize(pairs.len(), false);
        self.search.begin(members, skin);
    }

    /// Brings the ways of members that have moved to where these are now; what was certified of them counts no more.
    fn follow<'a>(
        &mut self,
        ways: &mut [Way<'a>],
        members: &[Member<'a>],
        bodies: &Bodies,
        pairs: &[(u32, u32)],
    ) {
        for (place, (member, start)) in members.iter().zip(&bodies.starts).enumerate() {
            if self.search.is_fresh(place) {
                ways[place] = Way::of_member(member, start);
            }
        }
        for (certified, &(i, j)) in self.certified.iter_mut().zip(pairs) {
            *certified &= !self.search.is_fresh(i as usize) && !self.search.is_fresh(j as usize);
        }
    }

    /// Makes rows of all manifolds, with the multipliers learned; says what is worst.
    fn linearise(
        &mut self,
        (members, neighbours): (&[Member], &[Neighbour]),
        manifolds: &Manifolds,
        settings: &OptimizationSettings,
    ) -> Worst {
        self.weigh(members, neighbours, settings.weighting);
        self.rows.clear();
        let mut worst = Worst::default();
        for manifold in &manifolds.list {
            let (i, j) = (manifold.pair.0 as usize, manifold.pair.1 as usize);
            let (a, b) = (&members[i], body(members, neighbours, j));
            let bodies = [a.body, body_id(members, neighbours, j)];
            let size = width([a.model, b.0]);
            let keep = kept(manifold, settings.skin);
            for point in manifolds.points_of(manifold) {
                let missing = keep - point.gap;
                if missing > worst.missing {
                    worst = Worst {
                        missing,
                        share: (missing / keep).max(worst.share),
                        overlap: (-point.gap / size).max(worst.overlap),
                        depth: -point.gap,
                        bodies,
                    };
                } else {
                    worst.share = worst.share.max(missing / keep);
                    worst.overlap = worst.overlap.max(-point.gap / size);
                }
                let key = PointKey {
                    bodies,
                    parts: manifold.parts,
                    piece: manifold.piece,
                    feature: point.feature,
                };
                let arms = [point.on_a - a.state.position, point.on_b - b.1.position];
                let gap = point.gap - KEPT * keep;
                let (point, moment) = (key, MOMENTS);
                let key = RowKey { point, moment };
                self.push_row(key, manifold.pair, manifold.normal, arms, (gap, keep));
            }
        }
        worst
    }

    /// Looks for pairs that would overlap on their ways to where they are now.
    fn find_critical(
        &mut self,
        ways: &[Way<'_>],
        pairs: &[(u32, u32)],
        manifolds: &Manifolds,
        margin: f64,
    ) {
        let known = self.critical.len();
        let mut normals: Vec<Vec3> = Vec::new();
        let mut touching = manifolds.list.iter().peekable();
        for (&pair, certified) in pairs.iter().zip(&mut self.certified) {
            normals.clear();
            // What no manifold was found of is farther apart than the margin.
            let mut gap = margin;
            while let Some(manifold) = touching.next_if(|m| m.pair == pair) {
                normals.push(manifold.normal);
                let gaps = manifolds.points_of(manifold).iter().map(|p| p.gap);
                gap = gaps.fold(gap, f64::min);
            }
            if *certified {
                continue;
            }
            let [a, b] = [pair.0, pair.1].map(|k| &ways[k as usize]);
            match critical_moment([a, b], gap, &normals) {
                Some(moment) => self.critical.push(Critical { pair, moment }),
                None => *certified = true,
            }
        }
        if self.critical.len() > known {
            self.critical.sort_unstable();
            self.critical.dedup();
        }
    }

    /// Adds rows for all critical moments; says whether nothing overlaps at any of them.
    fn linearise_critical(
        &mut self,
        (members, neighbours): (&[Member], &[Neighbour]),
        ways: &[Way<'_>],
        settings: &OptimizationSettings,
    ) -> bool {
        let mut is_clear = true;
        for k in 0..self.critical.len() {
            let Critical { pair, moment } = self.critical[k];
            let share = f64::from(moment) / f64::from(MOMENTS);
            let places = [pair.0, pair.1].map(|k| k as usize);
            let [a, b] = places.map(|k| &ways[k]);
            let states = [a.state(share), b.state(share)];
            let bodies = places.map(|k| body_id(members, neighbours, k));
            let size = width([a.model, b.model]);
            let approach = Approach {
                reach: settings.margin,
                margin: settings.margin,
                seconds: 0.0,
            };
            self.passing.clear();
            let sides = [(a.model, &states[0]), (b.model, &states[1])];
            self.passing.find(pair, sides[0], sides[1], &approach);
            for m in 0..self.passing.list.len() {
                let manifold = self.passing.list[m];
                // As much of the distance as a way between touching and the end would have by then.
                let keep = MISSING * share * kept(&manifold, settings.skin);
                for p in manifold.first..manifold.first + manifold.count {
                    let point = self.passing.points[p as usize];
                    is_clear &= point.gap >= -OVERLAP * size;
                    let key = RowKey {
                        point: PointKey {
                            bodies,
                            parts: manifold.parts,
                            piece: manifold.piece,
                            feature: point.feature,
                        },
                        moment,
                    };
                    let arms = [
                        point.on_a - states[0].position,
                        point.on_b - states[1].position,
                    ];
                    self.push_row(key, pair, manifold.normal, arms, (point.gap - keep, keep));
                }
            }
            self.passing.seeds.settle();
        }
        is_clear
    }

    fn push_row(
        &mut self,
        key: RowKey,
        pair: (u32, u32),
        normal: Vec3,
        arms: [Vec3; 2],
        (gap, keep): (f64, f64),
    ) {
        let normal = normal * (f64::from(key.moment) / f64::from(MOMENTS));
        let bodies = [pair.0, pair.1];
        let moves = bodies.map(|k| &self.moves[k as usize]);
        let turns = [arms[0].cross(normal), arms[1].cross(normal)];
        let responses = [
            moves[0].inverse_turning * turns[0],
            moves[1].inverse_turning * turns[1],
        ];
        let response = normal.length_squared()
            * (moves[0].inverse_weight + moves[1].inverse_weight)
            + turns[0].dot(responses[0])
            + turns[1].dot(responses[1]);
        let known = self.learned.binary_search_by(|(k, _)| k.cmp(&key));
        self.rows.push(Row {
            key,
            bodies,
            normal,
            turns,
            responses,
            gap,
            keep,
            weight: if response > 0.0 { 1.0 / response } else { 0.0 },
            push: known.map_or(0.0, |found| self.learned[found].1),
        });
    }

    /// The weights of all bodies; what cannot be moved weighs without end.
    fn weigh(&mut self, members: &[Member], neighbours: &[Neighbour], weighting: Weighting) {
        self.moves.clear();
        self.moves.extend(members.iter().map(|member| {
            let mass = &member.model.mass;
            let (inverse_weight, inverse_turning) = match weighting {
                Weighting::Mass => (
                    mass.inverse_mass,
                    world_tensor(member.state.rotation, mass.inverse_inertia),
                ),
                Weighting::Geometric => {
                    let square = mass.inertia.element_sum() / (3.0 * mass.mass);
                    (1.0, Mat3::from_diagonal(Vec3::splat(1.0 / square)))
                }
            };
            Move {
                inverse_weight,
                inverse_turning,
                ..Move::FIXED
            }
        }));
        let count = members.len() + neighbours.len();
        self.moves.resize(count, Move::FIXED);
    }

    /// Begins with the moves that the velocities make in the whole step.
    fn advance(
        &mut self,
        members: &[Member],
        bodies: &Bodies,
        neighbours: &[Neighbour],
        seconds: f64,
    ) {
        let (own, others) = self.moves.split_at_mut(members.len());
        for (place, (at, member)) in own.iter_mut().zip(members).enumerate() {
            [at.shift, at.turn] = bodies.deficit(place, &member.state.pose());
        }
        for (at, neighbour) in others.iter_mut().zip(neighbours) {
            at.shift = neighbour.state.velocity * seconds;
            at.turn = neighbour.state.spin * seconds;
        }
    }

    /// Begins with the moves to the targets, less what the multipliers learned hold back.
    fn aim(&mut self, members: &[Member], bodies: &Bodies) {
        for (place, (at, member)) in self.moves.iter_mut().zip(members).enumerate() {
            [at.shift, at.turn] = bodies.deficit(place, &member.state.pose());
        }
        for row in &self.rows {
            if row.push != 0.0 {
                apply(&mut self.moves, row, row.push);
            }
        }
    }

    /// Begins with no move at all.
    fn stay(&mut self) {
        for row in &mut self.rows {
            row.push = 0.0;
        }
    }

    /// Sweeps over the rows until none changes any more.
    ///
    /// A sweep is a step of a fixed-point iteration, and successive ones are combined as in the method
    /// of conjugate gradients; where that does not pay the search begins anew.
    fn minimise(&mut self, (most, still): (u32, f64), effort: &mut Effort) {
        effort.programs += 1;
        effort.vertices += self.rows.len() as u64;
        let (rows, moves, descent) = (&mut self.rows, &mut self.moves, &mut self.descent);
        descent.begin(rows.len(), moves.len());
        let mut last = f64::INFINITY;
        for sweep in 1..=most {
            effort.sweeps += 1;
            let change = descent.sweep(rows, moves, sweep, QUIET * still);
            if change <= still {
                break;
            }
            let steps = descent.visited.iter();
            let steps = steps.map(|(k, before)| rows[*k as usize].push - before);
            let square: f64 = steps.map(|step| step * step).sum();
            let share = square / last;
            last = square;
            descent.go_on(rows, moves, sweep, share);
        }
        self.learned.clear();
        let pushing = self.rows.iter().filter(|r| r.push > 0.0);
        self.learned.extend(pushing.map(|r| (r.key, r.push)));
        self.learned.sort_unstable_by_key(|(key, _)| *key);
    }

    /// Puts the members where the program wants them.
    fn place(&mut self, members: &mut [Member]) {
        for (place, (member, at)) in members.iter_mut().zip(&self.moves).enumerate() {
            self.search.note(place, member, at.shift, at.turn);
            member.state.position += at.shift;
            if at.turn != Vec3::ZERO {
                member.state.rotation = turned(member.state.rotation, at.turn, 1.0);
            }
        }
    }

    /// Bodies near each other where they were put, and their gap.
    pub fn touches(&self, push: &mut impl FnMut([u32; 2], f64, f64)) {
        for row in &self.rows {
            push(row.key.point.bodies, row.gap + row.keep, 0.0);
        }
    }
}

impl Descent {
    fn begin(&mut self, rows: usize, bodies: usize) {
        self.along.clear();
        self.along.resize(rows, (0.0, 0));
        self.moved.clear();
        self.moved.resize(bodies, 0);
    }

    /// Visits the rows of bodies that moved in this sweep or in the one before: all others would stay as they are.
    /// Returns the largest change of a gap, metres.
    fn sweep(&mut self, rows: &mut [Row], moves: &mut [Move], sweep: u32, quiet: f64) -> f64 {
        let (visited, moved) = (&mut self.visited, &mut self.moved);
        visited.clear();
        let each = |largest: f64, (k, row): (usize, &mut Row)| {
            let [a, b] = row.bodies.map(|k| k as usize);
            if moved[a].max(moved[b]) + 1 < sweep {
                return largest;
            }
            visited.push((k as u32, row.push));
            let change = visit(row, moves);
            if change > quiet {
                for k in [a, b] {
                    if moves[k].inverse_weight > 0.0 {
                        moved[k] = sweep;
                    }
                }
            }
            largest.max(change)
        };
        let all = rows.iter_mut().enumerate();
        match sweep % 2 == 1 {
            true => all.fold(0.0, each),
            false => all.rev().fold(0.0, each),
        }
    }

    /// Goes on along the search by a share, as far as multipliers may go.
    fn go_on(&mut self, rows: &mut [Row], moves: &mut [Move], sweep: u32, share: f64) {
        for (k, before) in &self.visited {
            let row = &mut rows[*k as usize];
            let (along, swept) = &mut self.along[*k as usize];
            if share >= 1.0 || *swept + 1 < sweep {
                *along = 0.0;
            }
            *swept = sweep;
            if share >= 1.0 {
                continue;
            }
            let step = row.push - before;
            let push = (row.push + share * *along).max(0.0);
            *along = share * *along + step;
            let change = push - row.push;
            if change != 0.0 {
                row.push = push;
                apply(moves, row, change);
            }
        }
    }
}

fn apply(moves: &mut [Move], row: &Row, push: f64) {
    let [a, b] = row.bodies;
    let first = &mut moves[a as usize];
    first.shift += row.normal * (push * first.inverse_weight);
    first.turn += row.responses[0] * push;
    let second = &mut moves[b as usize];
    second.shift -= row.normal * (push * second.inverse_weight);
    second.turn -= row.responses[1] * push;
}

/// One visit of a row; says by how much it changed the gap, metres.
fn visit(row: &mut Row, moves: &mut [Move]) -> f64 {
    let [a, b] = row.bodies.map(|k| &moves[k as usize]);
    let gap = row.gap + row.normal.dot(a.shift - b.shift) + row.turns[0].dot(a.turn)
        - row.turns[1].dot(b.turn);
    let push = (row.push - gap * row.weight).max(0.0);
    let change = push - row.push;
    if change == 0.0 {
        return 0.0;
    }
    row.push = push;
    apply(moves, row, change);
    change.abs() / row.weight
}

/// The ways of all bodies to where they are now, members first.
fn ways<'a>(
    members: &[Member<'a>],
    bodies: &Bodies,
    neighbours: &[Neighbour<'a>],
    seconds: f64,
) -> Vec<Way<'a>> {
    let own = members.iter().zip(&bodies.starts);
    let others = neighbours.iter();
    own.map(|(member, start)| Way::of_member(member, start))
        .chain(others.map(|neighbour| Way::of_neighbour(neighbour, seconds)))
        .collect()
}

/// A neighbour at the step's end.
fn arrive<'a>(neighbour: &Neighbour<'a>, seconds: f64) -> Neighbour<'a> {
    let mut arrived = *neighbour;
    if !neighbour.is_still() {
        let pose: Pose = neighbour.pose_after(seconds);
        arrived.state.position = pose.translation;
        arrived.state.rotation = pose.rotation;
    }
    arrived
}
