//! The original algorithm as baseline (Harmon et al. 2009; Ainsley, section 1.1): kinetic data
//! structures as events. Every near pair holds a separating slab that certifies it until its first
//! vertex, as it moves now, would cross; whenever a vertex changes velocity its certificates are
//! rescheduled. An expired certificate finds a new slab or activates the next layer.
//!
//! Which pairs hold slabs is [`Certify`]'s to say. The broad phase is kinetic too: every vertex may
//! move inside a sphere before the fat 26-DOPs of its triangles, and the pairs they make, are looked
//! at again. Forces are the same code as in the speculative algorithm, so both give the same history
//! to the byte.

use crate::acm::detect::coarse::{Coarse, Grid};
use crate::acm::detect::distance::closest;
use crate::acm::detect::dop::Dop;
use crate::acm::detect::hierarchy::Hierarchy;
use crate::acm::forces::integrate::{Bucket, Integrator, first_event};
use crate::acm::kinetic::certificate::{Certificate, after};
use crate::acm::kinetic::certify::Certify;
use crate::acm::kinetic::queue::KineticQueue;
use crate::acm::model::contact::Pair;
use crate::acm::profile::{Phase, Profile};
use crate::acm::{ShellError, ShellModel, ShellState, Threads, Tick, seconds, ticks};
use glamx::DVec3;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// The kinetic executor and its structures.
#[derive(Debug)]
pub struct AcmKds {
    integrator: Integrator,
    threads: Threads,
    forces: BinaryHeap<Reverse<(Tick, Bucket)>>,
    queue: KineticQueue,
    /// Identity of a pair's certificate is its index here plus the number of vertices.
    certificates: Vec<Option<Certificate>>,
    free: Vec<u32>,
    known: HashMap<Pair, u32>,
    of_vertex: Vec<Vec<u32>>,
    /// Centre of each vertex's sphere.
    centre: Vec<DVec3>,
    /// Radius of the spheres, in m.
    margin: f64,
    certify: Certify,
    bounds: Vec<Dop>,
    grid: Grid,
    hierarchy: Hierarchy,
    triangles_of: Vec<Vec<u32>>,
    touched: Vec<u32>,
    /// What was done so far.
    pub profile: Profile,
}

impl AcmKds {
    /// Sets up all certificates for `state`.
    pub fn new(model: &ShellModel, state: &ShellState, certify: Certify, timed: bool) -> AcmKds {
        let margin_m = certify.margin_m();
        let mut triangles_of = vec![Vec::new(); model.vertex_count()];
        for (t, corners) in model.topology.triangles.iter().enumerate() {
            corners
                .iter()
                .for_each(|&v| triangles_of[v as usize].push(t as u32));
        }
        let (centre, triangles) = (state.positions(), &model.topology.triangles);
        let mut hierarchy = Hierarchy::over(model, &centre);
        let fat = |t: &[u32; 3]| {
            t.iter().fold(Dop::EMPTY, |d, &v| {
                d.union(&Dop::tube(centre[v as usize], centre[v as usize], margin_m))
            })
        };
        let bounds: Vec<Dop> = triangles.iter().map(fat).collect();
        let grid = Grid::around(centre.iter().copied());
        let bound = |t: &[u32; 3]| coarse(&grid, &centre, t, margin_m);
        let coarse: Vec<Coarse> = triangles.iter().map(bound).collect();
        hierarchy.refit(&coarse);
        let mut kds = AcmKds {
            integrator: Integrator::default(),
            threads: Threads::new(1),
            forces: BinaryHeap::new(),
            queue: KineticQueue::default(),
            certificates: Vec::new(),
            free: Vec::new(),
            known: HashMap::new(),
            of_vertex: vec![Vec::new(); model.vertex_count()],
            centre,
            margin: margin_m,
            certify,
            bounds,
            grid,
            hierarchy,
            triangles_of,
            touched: Vec::new(),
            profile: if timed {
                Profile::timed()
            } else {
                Profile::default()
            },
        };
        kds.begin(model, state);
        kds
    }

    fn begin(&mut self, model: &ShellModel, state: &ShellState) {
        self.integrator.sort_contacts(model, &state.contacts);
        for bucket in model.buckets(state.contacts.deepest()) {
            self.forces.push(Reverse((
                first_event(bucket, model.step_of(bucket), state.now),
                bucket,
            )));
        }
        for v in 0..model.vertex_count() as u32 {
            self.reschedule_sphere(state, v, state.now);
        }
        let mut pairs = Vec::new();
        let reach = model.layers.next_thickness(0);
        let near = |s: u32, t: u32| self.triangles_near(s, t, reach);
        let steps = self.grid.steps(reach);
        self.hierarchy.traverse((0, 0), steps, |s, t| {
            if near(s, t) {
                primitive_pairs(model, s, t, &mut pairs);
            }
        });
        for pair in pairs {
            self.certify(model, state, pair, state.now);
        }
    }

    /// Advances `state` to `until`, processing every event in the order of time.
    pub fn run_until(
        &mut self,
        model: &ShellModel,
        state: &mut ShellState,
        until: Tick,
    ) -> Result<(), ShellError> {
        let tidy_every = ticks(1.0 / 300.0);
        while state.now < until {
            let stop = (state.now + tidy_every).min(until);
            self.run_events(model, state, stop)?;
            state.now = stop;
            self.drop_idle(model, state);
        }
        Ok(())
    }

    fn run_events(
        &mut self,
        model: &ShellModel,
        state: &mut ShellState,
        stop: Tick,
    ) -> Result<(), ShellError> {
        loop {
            let (force_at, bucket) = self
                .forces
                .peek()
                .map_or((Tick::MAX, Bucket::Motion), |e| e.0);
            let (expiry, id) = self.queue.first().unwrap_or((Tick::MAX, 0));
            if force_at.min(expiry) >= stop {
                return Ok(());
            }
            if expiry <= force_at {
                let timer = self.profile.start_short(Phase::Kinetic);
                self.expire(model, state, id, expiry)?;
                self.profile.stop_short(Phase::Kinetic, timer);
            } else {
                self.integrator.process(
                    model,
                    state,
                    force_at,
                    bucket,
                    &self.threads,
                    &mut self.profile,
                );
                self.forces.pop();
                self.forces
                    .push(Reverse((force_at + model.step_of(bucket), bucket)));
                let timer = self.profile.start_short(Phase::Kinetic);
                self.reschedule_after(model, state, bucket, force_at);
                self.profile.stop_short(Phase::Kinetic, timer);
            }
        }
    }

    /// Reschedules every certificate of every vertex whose velocity an event changed.
    fn reschedule_after(
        &mut self,
        model: &ShellModel,
        state: &ShellState,
        bucket: Bucket,
        now: Tick,
    ) {
        let mut touched = std::mem::take(&mut self.touched);
        touched.clear();
        match bucket {
            Bucket::Motion => touched.extend(model.steered()),
            Bucket::Gravity | Bucket::Internal => touched.extend(0..model.dynamic as u32),
            Bucket::Penalty(_) => touched.extend(self.integrator.kicked()),
        }
        if touched.len() < model.dynamic {
            touched.sort_unstable();
            touched.dedup();
            let mut ids: Vec<u32> = touched
                .iter()
                .flat_map(|&v| self.of_vertex[v as usize].iter().copied())
                .collect();
            ids.sort_unstable();
            ids.dedup();
            ids.iter()
                .for_each(|&id| self.reschedule_pair(state, id, now));
        } else {
            (0..self.certificates.len() as u32).for_each(|id| self.reschedule_pair(state, id, now));
        }
        touched
            .iter()
            .for_each(|&v| self.reschedule_sphere(state, v, now));
        self.touched = touched;
    }

    fn reschedule_pair(&mut self, state: &ShellState, id: u32, now: Tick) {
        if let Some(certificate) = &self.certificates[id as usize] {
            let at = certificate.expiry(state, now);
            self.queue.schedule(self.centre.len() as u32 + id, at);
            self.profile.counts.reschedules += 1;
        }
    }

    /// When vertex `v`, as it moves now, leaves its sphere.
    fn reschedule_sphere(&mut self, state: &ShellState, v: u32, now: Tick) {
        let (r, velocity) = (
            state.position_at(v as usize, now) - self.centre[v as usize],
            state.v[v as usize],
        );
        let (a, b, c) = (
            velocity.length_squared(),
            r.dot(velocity),
            r.length_squared() - self.margin * self.margin,
        );
        let leaves = if a > 0.0 {
            (-b + (b * b - a * c).max(0.0).sqrt()) / a
        } else {
            f64::INFINITY
        };
        self.queue.schedule(v, now + after(leaves));
        self.profile.counts.reschedules += 1;
    }

    fn expire(
        &mut self,
        model: &ShellModel,
        state: &mut ShellState,
        id: u32,
        now: Tick,
    ) -> Result<(), ShellError> {
        self.profile.counts.expiries += 1;
        let vertices = self.centre.len() as u32;
        if id < vertices {
            self.move_sphere(model, state, id, now);
            return Ok(());
        }
        let Some(certificate) = self.certificates[(id - vertices) as usize] else {
            return Ok(());
        };
        if self.is_near(model, certificate.pair) {
            self.renew(model, state, id - vertices, now)
        } else {
            self.forget(id - vertices);
            Ok(())
        }
    }

    /// Finds a new slab for a pair, or activates layers until one exists.
    fn renew(
        &mut self,
        model: &ShellModel,
        state: &mut ShellState,
        id: u32,
        now: Tick,
    ) -> Result<(), ShellError> {
        let Some(mut certificate) = self.certificates[id as usize] else {
            return Ok(());
        };
        let mut activated = false;
        while !certificate.separate(model, state, now) {
            if certificate.layers == model.layers.count() {
                let pair = model.name_pair(certificate.pair);
                return Err(ShellError::OutOfLayers {
                    pair,
                    layers: certificate.layers,
                    time_s: seconds(now),
                });
            }
            certificate.layers += 1;
            let depth = Bucket::Penalty(certificate.layers);
            if state.contacts.deepest() < certificate.layers {
                self.forces.push(Reverse((
                    first_event(depth, model.step_of(depth), now),
                    depth,
                )));
            }
            state.contacts.deepen(&[certificate.pair]);
            self.profile.counts.layers_added += 1;
            activated = true;
        }
        if activated {
            self.integrator.sort_contacts(model, &state.contacts);
        }
        self.certificates[id as usize] = Some(certificate);
        self.queue.schedule(
            self.centre.len() as u32 + id,
            certificate.expiry(state, now),
        );
        Ok(())
    }

    /// Centres a vertex's sphere where the vertex is and looks for new near pairs.
    fn move_sphere(&mut self, model: &ShellModel, state: &ShellState, v: u32, now: Tick) {
        self.centre[v as usize] = state.position_at(v as usize, now);
        self.reschedule_sphere(state, v, now);
        let around = |v: u32| {
            Dop::tube(
                self.centre[v as usize],
                self.centre[v as usize],
                self.margin,
            )
        };
        for &t in &self.triangles_of[v as usize] {
            let corners = model.topology.triangles[t as usize];
            self.bounds[t as usize] = corners.iter().fold(Dop::EMPTY, |d, &v| d.union(&around(v)));
            let coarse = coarse(&self.grid, &self.centre, &corners, self.margin);
            self.hierarchy.refit_above(t, &coarse);
        }
        let (mut pairs, reach) = (Vec::new(), model.layers.next_thickness(0));
        let steps = self.grid.steps(reach);
        for &t in &self.triangles_of[v as usize] {
            let corners = model.topology.triangles[t as usize];
            let coarse = coarse(&self.grid, &self.centre, &corners, self.margin);
            self.hierarchy.query(t, &coarse, steps, |s| {
                if self.triangles_near(s, t, reach) {
                    primitive_pairs(model, s, t, &mut pairs);
                }
            });
        }
        for pair in pairs {
            self.certify(model, state, pair, now);
        }
    }

    /// Gives a pair a certificate unless it has one or is not near.
    fn certify(&mut self, model: &ShellModel, state: &ShellState, pair: Pair, now: Tick) {
        if self.known.contains_key(&pair) || !self.is_near(model, pair) {
            return;
        }
        let stencil = pair.stencil(&model.topology);
        let layers = state.contacts.layers_of(pair);
        let blank = Certificate {
            pair,
            stencil,
            n: DVec3::ZERO,
            offset: 0.0,
            speed: 0.0,
            since: now,
            half: 0.0,
            layers,
        };
        let id = self.free.pop().unwrap_or(self.certificates.len() as u32);
        if id as usize == self.certificates.len() {
            self.certificates.push(None);
        }
        self.certificates[id as usize] = Some(blank);
        self.known.insert(pair, id);
        stencil
            .iter()
            .for_each(|&v| self.of_vertex[v as usize].push(id));
        // it expires at once and then finds its slab
        self.queue.schedule(self.centre.len() as u32 + id, now);
    }

    fn forget(&mut self, id: u32) {
        if let Some(certificate) = self.certificates[id as usize].take() {
            self.queue.cancel(self.centre.len() as u32 + id);
            self.known.remove(&certificate.pair);
            for v in certificate.stencil {
                self.of_vertex[v as usize].retain(|&c| c != id);
            }
            self.free.push(id);
        }
    }

    /// Number of slabs held now.
    pub fn certificate_count(&self) -> usize {
        self.known.len()
    }

    /// Whether a pair must hold a slab.
    fn is_near(&self, model: &ShellModel, pair: Pair) -> bool {
        let reach = model.layers.next_thickness(0);
        match self.certify {
            Certify::EveryPair => true,
            Certify::NearTriangles { .. } => {
                let (s, t) = model.topology.owners(pair);
                self.triangles_near(s, t, reach)
            }
            Certify::NearPrimitives { .. } => self.primitives_near(model, pair, reach),
        }
    }

    fn triangles_near(&self, s: u32, t: u32, reach: f64) -> bool {
        self.bounds[s as usize].within(&self.bounds[t as usize], reach)
    }

    fn primitives_near(&self, model: &ShellModel, pair: Pair, reach: f64) -> bool {
        let stencil = pair.stencil(&model.topology);
        let split = pair.kind().first_len();
        let bound = |part: &[u32]| {
            part.iter().fold(Dop::EMPTY, |d, &v| {
                d.union(&Dop::tube(
                    self.centre[v as usize],
                    self.centre[v as usize],
                    self.margin,
                ))
            })
        };
        bound(&stencil[..split]).within(&bound(&stencil[split..]), reach)
    }

    /// Drops layers that exert no force, at the pace of the speculative algorithm's windows.
    fn drop_idle(&mut self, model: &ShellModel, state: &mut ShellState) {
        let mut contacts = std::mem::take(&mut state.contacts);
        contacts.retain_layers(|pair, layers| {
            let x = pair
                .stencil(&model.topology)
                .map(|v| state.position_at(v as usize, state.now));
            let distance = closest(pair.kind(), &x).separation.length();
            (1..=layers)
                .take_while(|&depth| distance < model.layers.at(depth).thickness_m)
                .count() as u8
        });
        state.contacts = contacts;
        self.integrator.sort_contacts(model, &state.contacts);
        let deepest = state.contacts.deepest();
        self.forces
            .retain(|e| !matches!(e.0.1, Bucket::Penalty(depth) if depth > deepest));
        let timer = self.profile.start();
        for id in 0..self.certificates.len() as u32 {
            if let Some(certificate) = &mut self.certificates[id as usize]
                && certificate.layers != state.contacts.layers_of(certificate.pair)
            {
                certificate.layers = state.contacts.layers_of(certificate.pair);
                self.queue
                    .schedule(self.centre.len() as u32 + id, state.now);
            }
        }
        self.profile.stop(Phase::Kinetic, timer);
    }
}

/// The bound of a triangle whose corners stay within `margin` of their centres (m).
fn coarse(grid: &Grid, centre: &[DVec3], corners: &[u32; 3], margin: f64) -> Coarse {
    let [a, b, c] = corners.map(|v| centre[v as usize]);
    Coarse::tube(grid, a, b, margin).union(&Coarse::tube(grid, c, c, margin))
}

/// Pairs of primitives owned by two triangles that share no vertex and can be moved.
fn primitive_pairs(model: &ShellModel, s: u32, t: u32, out: &mut Vec<Pair>) {
    let topology = &model.topology;
    topology.for_each_pair(s, t, |pair| {
        if pair
            .stencil(topology)
            .iter()
            .any(|&v| (v as usize) < model.dynamic)
        {
            out.push(pair);
        }
    });
}
