//! Where a cloth may meet itself within a step: pairs of primitives whose swept 26-DOPs come near, by the hierarchy that
//! shells use, and conservative continuous detection of those that would meet on the straight way from the start of the
//! step to its end. What is certified stays apart at every moment between.

use glamx::DVec3;
use std::sync::Arc;

use crate::acm::detect::coarse::{Coarse, Grid};
use crate::acm::detect::hierarchy::{Hierarchy, Kin};
use crate::acm::detect::intersect::{Intersection, crossings};
use crate::acm::detect::kin_pairs;
use crate::acm::model::topology::Topology;
use crate::acm::{Kind, Pair, may_come_within};
use crate::impulse::contact::fold::{Fold, FoldRule, Meeting, meeting};
use crate::impulse::model::obstacle::Preview;

/// A part of the distance at rest that two primitives of one cloth may always come to: what is near at rest must not be
/// held further apart than it is.
const AT_REST: f64 = 0.3;
/// What two primitives may come to within a step: a part of the distance they keep, and of the one they begin with.
const FLOOR: [f64; 2] = [0.1, 0.5];
/// How far previews may move, as a part of the largest distance, before what is near is sought anew.
const MARGIN: f64 = 0.15;
/// How much less than what it must be a distance that was not foreseen may be, as a part of it.
const MISSED: f64 = 0.02;

/// What of a cloth meets itself: constant.
#[derive(Debug)]
pub(crate) struct Skin {
    topology: Topology,
    /// Distance that two layers keep, for each vertex its half, m.
    half: Vec<f64>,
    /// The largest such distance.
    widest: f64,
    rest: Vec<DVec3>,
    is_movable: Vec<bool>,
    hierarchy: Hierarchy,
    kin: Kin,
    kin_pairs: [Vec<Pair>; 2],
}

impl Skin {
    /// The skin of triangles with their vertices at `rest`, each layer of half the thickness `half`.
    pub fn new(triangles: &[[u32; 3]], rest: &[DVec3], half: &[f64], inverse_mass: &[f64]) -> Self {
        let topology = Topology::of_any(rest.len(), triangles);
        let is_movable: Vec<bool> = inverse_mass.iter().map(|&w| w > 0.0).collect();
        let corners = |t: &[u32; 3]| t.map(|v| v as usize);
        let centroid = |t: &[u32; 3]| corners(t).map(|v| rest[v]).iter().sum::<DVec3>() / 3.0;
        let centroids: Vec<DVec3> = triangles.iter().map(centroid).collect();
        let moves = |t: &[u32; 3]| corners(t).iter().any(|&v| is_movable[v]);
        let moving: Vec<bool> = triangles.iter().map(moves).collect();
        let hierarchy = Hierarchy::new(&centroids, &moving);
        let widest = half.iter().fold(0.0, |most: f64, &h| most.max(2.0 * h));
        Skin {
            kin: hierarchy.kin(triangles),
            kin_pairs: kin_pairs(&topology, rest.len(), |v| is_movable[v as usize]),
            topology,
            half: half.to_vec(),
            widest,
            rest: rest.to_vec(),
            is_movable,
            hierarchy,
        }
    }

    /// The first edge that crosses a triangle, decided exactly; none if the cloth is apart from itself.
    pub fn first_crossing(&self, at: &[DVec3]) -> Option<Intersection> {
        let moves = |v: u32| self.is_movable[v as usize];
        crossings(&self.topology, moves, at).first().copied()
    }

    /// A pair as it is at the start of a step, if it may come near on the way to `previews` or not much beside it.
    fn near(&self, pair: Pair, start: &[DVec3], previews: &[DVec3]) -> Option<Near> {
        let stencil = pair.stencil(&self.topology);
        let kind = pair.kind();
        let distance = |at: &[DVec3]| {
            let at = stencil.map(|v| at[v as usize]);
            meeting(kind, &at).map_or(0.0, |(_, distance)| distance)
        };
        let full = self.half[stencil[0] as usize] + self.half[stencil[3] as usize];
        let mut near = Near {
            pair,
            stencil,
            distance: distance(start),
            apart: full,
            floor: 0.0,
        };
        let travel = near.travel(start, |v| previews[v]) + 2.0 * MARGIN * self.widest;
        if near.distance - travel >= full {
            return None;
        }
        near.apart = full.min(AT_REST * distance(&self.rest));
        near.floor = (FLOOR[0] * near.apart).min(FLOOR[1] * near.distance);
        (near.distance - travel < near.apart).then_some(near)
    }
}

/// Two primitives that may come near each other in a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Near {
    pub pair: Pair,
    pub stencil: [u32; 4],
    /// Their distance at the start of the step, m.
    pub distance: f64,
    /// The distance that they keep, m.
    pub apart: f64,
    /// What they may come to on the way, m.
    pub floor: f64,
}

impl Near {
    fn kind(&self) -> Kind {
        self.pair.kind()
    }

    /// A bound on the change of their distance on the way from `start` to where they are previewed, m.
    fn travel(&self, start: &[DVec3], preview: impl Fn(usize) -> DVec3) -> f64 {
        let moved = self
            .stencil
            .map(|v| preview(v as usize) - start[v as usize]);
        let (one, other) = moved.split_at(self.kind().first_len());
        let mut most: f64 = 0.0;
        for a in one {
            for b in other {
                most = most.max((*a - *b).length_squared());
            }
        }
        most.sqrt()
    }
}

/// What a search for contacts of a cloth with itself has brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// All is well.
    Nothing,
    /// Contacts that must be enforced, too.
    More,
    /// Contacts that are enforced do not keep the cloth from itself.
    Stuck,
}

/// The pairs that are near in a step, and buffers.
#[derive(Debug, Clone)]
pub(crate) struct Nearby {
    skin: Arc<Skin>,
    hierarchy: Hierarchy,
    vertex_bounds: Vec<Coarse>,
    edge_bounds: Vec<Coarse>,
    triangle_bounds: Vec<Coarse>,
    /// Previews that were swept to.
    swept_to: Vec<DVec3>,
    pairs: Vec<Near>,
    faces: Vec<Pair>,
    edges: Vec<Pair>,
    pub folds: Vec<Fold>,
}

impl Nearby {
    /// Buffers for a skin.
    pub fn new(skin: &Arc<Skin>) -> Self {
        Nearby {
            skin: skin.clone(),
            hierarchy: skin.hierarchy.clone(),
            vertex_bounds: Vec::new(),
            edge_bounds: Vec::new(),
            triangle_bounds: Vec::new(),
            swept_to: Vec::new(),
            pairs: Vec::new(),
            faces: Vec::new(),
            edges: Vec::new(),
            folds: Vec::new(),
        }
    }

    /// The contacts that a step to these previews may need.
    pub fn begin(&mut self, rule: &FoldRule, bodies: &impl Preview) {
        let count = rule.start.len();
        let previews: Vec<DVec3> = (0..count).map(|i| bodies.preview(i)).collect();
        self.sweep(rule.start, &previews);
        self.folds.clear();
        for near in &self.pairs {
            if near.distance - near.travel(rule.start, |v| bodies.preview(v)) < near.apart {
                let at = near.stencil.map(|v| rule.start[v as usize]);
                if let Some((meeting, _)) = meeting(near.kind(), &at) {
                    let fold = rule.fold(*near, meeting);
                    // what lies on another presses in every step, and bounds its friction
                    if rule.missing(&fold, bodies) > 0.0 {
                        self.folds.push(fold);
                    }
                }
            }
        }
    }

    /// Adds contacts that were not foreseen: what would meet on the way, and what ends nearer than it may.
    pub fn add_missed(&mut self, rule: &FoldRule, bodies: &impl Preview) -> Found {
        let moved = |(i, to): (usize, &DVec3)| bodies.preview(i).distance(*to);
        let moved = self.swept_to.iter().enumerate().map(moved);
        if moved.fold(0.0, f64::max) > MARGIN * self.skin.widest {
            let previews: Vec<DVec3> = (0..rule.start.len()).map(|i| bodies.preview(i)).collect();
            self.sweep(rule.start, &previews);
        }
        let (known, mut found) = (self.folds.len(), Found::Nothing);
        for near in &self.pairs {
            let travel = near.travel(rule.start, |v| bodies.preview(v));
            if near.distance - travel >= near.apart {
                continue;
            }
            let start = near.stencil.map(|v| rule.start[v as usize]);
            let end = near.stencil.map(|v| bodies.preview(v as usize));
            let place = self.folds[..known].binary_search_by_key(&near.pair, |f| f.near.pair);
            let meets = near.distance - travel < near.floor
                && may_come_within(near.kind(), &start, &end, near.floor);
            if meets {
                let meeting = before_meeting(near, &start, &end, travel);
                match place {
                    Ok(place) => {
                        rule.strike(&mut self.folds[place], meeting);
                        let holds = !rule.is_violated(&self.folds[place], bodies);
                        found = if holds { Found::Stuck } else { found };
                    }
                    Err(_) => {
                        let mut fold = rule.fold(*near, meeting);
                        rule.strike(&mut fold, meeting);
                        self.folds.push(fold);
                    }
                }
                found = if found == Found::Nothing {
                    Found::More
                } else {
                    found
                };
            } else if place.is_err()
                && let Some((now, distance)) = meeting(near.kind(), &end)
            {
                let fold = rule.fold(*near, now);
                if distance < (1.0 - MISSED) * near.apart && rule.is_violated(&fold, bodies) {
                    self.folds.push(fold);
                    found = if found == Found::Nothing {
                        Found::More
                    } else {
                        found
                    };
                }
            }
        }
        self.folds.sort_unstable_by_key(|f| f.near.pair);
        found
    }

    /// The pairs that come near each other on the way from `start` to `previews`, give or take the margin.
    fn sweep(&mut self, start: &[DVec3], previews: &[DVec3]) {
        let skin = self.skin.clone();
        let radius = (0.5 + MARGIN) * skin.widest;
        self.swept_to.clear();
        self.swept_to.extend_from_slice(previews);
        let all = start.iter().chain(previews).copied();
        let grid = Grid::around(all);
        let bound = |(a, b): (&DVec3, &DVec3)| Coarse::tube(&grid, *a, *b, radius);
        self.vertex_bounds.clear();
        self.vertex_bounds
            .extend(start.iter().zip(previews).map(bound));
        let vertex = |v: u32| &self.vertex_bounds[v as usize];
        let edge = |&[a, b]: &[u32; 2]| vertex(a).union(vertex(b));
        self.edge_bounds.clear();
        self.edge_bounds
            .extend(skin.topology.edges.iter().map(edge));
        let triangle = |&[a, b, c]: &[u32; 3]| vertex(a).union(vertex(b)).union(vertex(c));
        self.triangle_bounds.clear();
        self.triangle_bounds
            .extend(skin.topology.triangles.iter().map(triangle));
        self.hierarchy.refit(&self.triangle_bounds);
        self.pairs.clear();
        let (mut faces, mut edges) = (
            std::mem::take(&mut self.faces),
            std::mem::take(&mut self.edges),
        );
        faces.clear();
        edges.clear();
        let both = [&mut faces, &mut edges];
        let [f, e] = both;
        for task in self.hierarchy.tasks(1) {
            self.hierarchy
                .traverse_strangers(task, 0, Some(&skin.kin), |s, t| {
                    skin.topology.pairs_of_strangers(s, t, [f, e]);
                });
        }
        let [kin_faces, kin_edges] = &skin.kin_pairs;
        for pair in faces.iter().chain(kin_faces) {
            let (a, b) = pair.parts();
            let bounds = [
                &self.vertex_bounds[a as usize],
                &self.triangle_bounds[b as usize],
            ];
            self.take_if_near(*pair, bounds.map(|b| *b), [start, previews]);
        }
        for pair in edges.iter().chain(kin_edges) {
            let (a, b) = pair.parts();
            let bounds = [&self.edge_bounds[a as usize], &self.edge_bounds[b as usize]];
            self.take_if_near(*pair, bounds.map(|b| *b), [start, previews]);
        }
        (self.faces, self.edges) = (faces, edges);
        self.pairs.sort_unstable_by_key(|near| near.pair);
    }

    fn take_if_near(
        &mut self,
        pair: Pair,
        [one, other]: [Coarse; 2],
        [start, previews]: [&[DVec3]; 2],
    ) {
        if !one.near(&other, 0) {
            return;
        }
        let stencil = pair.stencil(&self.skin.topology);
        if stencil.iter().any(|&v| self.skin.is_movable[v as usize]) {
            self.pairs.extend(self.skin.near(pair, start, previews));
        }
    }
}

/// How two primitives lie to each other shortly before they come nearer than they may.
fn before_meeting(near: &Near, start: &[DVec3; 4], end: &[DVec3; 4], travel: f64) -> Meeting {
    let mut t: f64 = 0.0;
    let mut last = Meeting {
        weights: [0.0; 4],
        normal: DVec3::ZERO,
    };
    for _ in 0..ADVANCES {
        let at = [0, 1, 2, 3].map(|i| start[i] + (end[i] - start[i]) * t);
        let Some((now, distance)) = meeting(near.kind(), &at) else {
            break;
        };
        last = now;
        let room = distance - near.floor;
        if room < CLOSE * near.floor {
            break;
        }
        t += room / travel;
        if t >= 1.0 {
            break;
        }
    }
    last
}

/// Steps of conservative advancement at most.
const ADVANCES: u32 = 100;
/// How near to what it may come to a pair is when it is about to meet, as a part of that.
const CLOSE: f64 = 0.1;
