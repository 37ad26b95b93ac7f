//! Cloth of impulse-based dynamics as a deformable: its particles meet the world's bodies as obstacles.

use super::{Deformable, Form, FormEnergy, Neighbour};
use crate::overlap::corners_at;
use crate::world::BodyId;
use physics::{State, Vec3};
use shell::impulse::{
    Calm, Cloth, ClothError, ClothState, Fastening, Obstacle, SurfacePoint, TrianglePoint,
    Workspace,
};
use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};
use warp::Tick;

/// Into how many parts a step is divided, one try after the other, where it finds no way: heavy bodies on fine cloth.
const DIVISIONS: [u32; 4] = [1, 4, 16, 64];
/// Iterations after which a step is rather divided, until it cannot be divided any more.
const PATIENCE: u32 = 50_000;
/// The same for cloth that meets itself, which is rather calmed, and so many more for each of its particles.
const PATIENCE_FOLDED: [u32; 2] = [3000, 5];

/// A particle that is fastened to a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fastened {
    /// Which particle.
    pub particle: u32,
    /// To which body.
    pub body: BodyId,
    /// Where, in the body's own frame, m.
    pub point: Vec3,
}

/// The state of a cloth at one of its ticks.
#[derive(Clone, Debug, PartialEq)]
pub struct ClothForm(pub ClothState);

impl Form for ClothForm {
    fn positions(&self, into: &mut Vec<[f64; 3]>) {
        into.extend(self.0.position.iter().map(|p| p.to_array()));
    }

    fn numbers(&self) -> Option<Vec<f64>> {
        let ClothState {
            steps,
            position,
            velocity,
            force,
        } = &self.0;
        let vectors = [position, velocity, force].into_iter().flatten();
        let mut numbers = vec![*steps as f64];
        numbers.extend(vectors.flat_map(|v| v.to_array()));
        Some(numbers)
    }
}

/// What is constant about a cloth.
pub struct ClothModel {
    cloth: Cloth,
    /// Iterations that a step may take at most.
    most: u32,
    start: Arc<ClothForm>,
    triangles: Vec<[u32; 3]>,
    /// How close to a body a particle is watched, m.
    margin: f64,
    /// Particles that are fastened to bodies, and those bodies, rising.
    fastened: Vec<Fastened>,
    holders: Vec<BodyId>,
    /// Buffers that no step is using.
    idle: Mutex<Vec<Workspace>>,
}

impl ClothModel {
    /// A cloth that starts in `state` and shows itself by `triangles`. Particles are watched from
    /// `margin` metres off a body on; it should not be below the cloth's contact tolerance.
    pub fn new(cloth: Cloth, state: ClothState, triangles: Vec<[u32; 3]>, margin: f64) -> Self {
        let (step, most) = (cloth.settings().step, cloth.settings().max_iterations);
        let particles = state.position.len() as u32;
        let patience = match cloth.meets_itself() {
            true => PATIENCE_FOLDED[0] + PATIENCE_FOLDED[1] * particles,
            false => PATIENCE,
        };
        let limited = cloth.clone().with_steps(step, most.min(patience));
        ClothModel {
            cloth: limited.unwrap_or(cloth),
            most,
            start: Arc::new(ClothForm(state)),
            triangles,
            margin,
            fastened: Vec::new(),
            holders: Vec::new(),
            idle: Mutex::new(Vec::new()),
        }
    }

    /// The same cloth with particles fastened to bodies: fixed ones are led by a body, others pull at it.
    pub fn with_fastened(mut self, fastened: Vec<Fastened>) -> Self {
        self.holders = fastened.iter().map(|f| f.body).collect();
        self.holders.sort_unstable();
        self.holders.dedup();
        self.fastened = fastened;
        self
    }

    /// What holds particles in a step of so many seconds, with bodies as they are at its start.
    fn fastenings(&self, bodies: &[Neighbour<'_>], seconds: f64) -> Vec<Fastening> {
        let of = |fastened: &Fastened| {
            let place = bodies.iter().position(|b| b.body == fastened.body)?;
            let body = &bodies[place];
            let particle = fastened.particle;
            if self.cloth.inverse_mass()[particle as usize] == 0.0 {
                let end = body.after(seconds);
                let to = end.pose() * fastened.point;
                return Some(Fastening::Led { particle, to });
            }
            Some(Fastening::Held {
                particle,
                obstacle: place as u32,
                point: body.state.pose() * fastened.point,
            })
        };
        self.fastened.iter().filter_map(of).collect()
    }

    /// The constant model of its particles and constraints.
    pub fn cloth(&self) -> &Cloth {
        &self.cloth
    }

    fn workspace(&self) -> Workspace {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.pop().unwrap_or_else(|| Workspace::new(&self.cloth))
    }

    fn give_back(&self, workspace: Workspace) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(workspace);
    }
}

/// The cloth's own state in a form that this model has made.
fn state_of(form: &dyn Form) -> Result<&ClothState, String> {
    let any: &dyn Any = form;
    match any.downcast_ref::<ClothForm>() {
        Some(ClothForm(state)) => Ok(state),
        None => Err("it was given the form of something else".into()),
    }
}

impl Deformable for ClothModel {
    fn step_seconds(&self) -> f64 {
        self.cloth.settings().step
    }

    fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    fn start(&self) -> Arc<dyn Form> {
        self.start.clone()
    }

    fn restore(&self, numbers: &[f64]) -> Option<Arc<dyn Form>> {
        let (steps, rest) = numbers.split_first()?;
        let count = self.start.0.position.len();
        let is_count = (0.0..9e15).contains(steps);
        if rest.len() != 9 * count || !is_count || !rest.iter().all(|n| n.is_finite()) {
            return None;
        }
        let vectors = |part: &[f64]| part.chunks_exact(3).map(Vec3::from_slice).collect();
        Some(Arc::new(ClothForm(ClothState {
            steps: *steps as u64,
            position: vectors(&rest[..3 * count]),
            velocity: vectors(&rest[3 * count..6 * count]),
            force: vectors(&rest[6 * count..]),
        })))
    }

    fn holders(&self) -> &[BodyId] {
        &self.holders
    }

    fn energy(&self, form: &dyn Form) -> Option<FormEnergy> {
        let state = state_of(form).ok()?;
        let kinetic = self.cloth.kinetic_energy(state);
        Some(FormEnergy {
            kinetic,
            potential: self.cloth.energy(state) - kinetic,
        })
    }

    fn reach(&self, form: &dyn Form) -> [Vec3; 2] {
        let mut corners = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        let Ok(state) = state_of(form) else {
            return corners;
        };
        let h = self.step_seconds();
        let fall = self.cloth.settings().gravity * (0.5 * h * h);
        for (position, velocity) in state.position.iter().zip(&state.velocity) {
            for at in [*position, *position + *velocity * h + fall] {
                corners = [corners[0].min(at), corners[1].max(at)];
            }
        }
        // Constraints pull previews back to where particles were: within the box, but for as much as
        // the cloth may stretch.
        let slack = Vec3::splat(self.margin);
        [corners[0] - slack, corners[1] + slack]
    }

    fn step(
        &self,
        form: &dyn Form,
        _: [Tick; 2],
        bodies: &mut [Neighbour<'_>],
    ) -> Result<Arc<dyn Form>, String> {
        let start = state_of(form)?;
        let met: Vec<_> = bodies.iter().map(|b| (b.state, b.change)).collect();
        let mut why = String::new();
        for parts in DIVISIONS {
            let outcome = match parts {
                1 => self.whole(start, bodies, &met),
                _ => self.divided(start, bodies, parts, &met),
            };
            match outcome {
                Ok(state) => return Ok(Arc::new(ClothForm(state))),
                Err(error) => why = error.to_string(),
            }
            put_back(bodies, &met);
        }
        Err(why)
    }
}

impl ClothModel {
    /// A step at once; where cloth that meets itself finds no way, calmer.
    fn whole(
        &self,
        start: &ClothState,
        bodies: &mut [Neighbour<'_>],
        met: &[(State, [Vec3; 2])],
    ) -> Result<ClothState, ClothError> {
        let mut state = start.clone();
        let mut workspace = self.workspace();
        let mut outcome = self.meet(&self.cloth, &mut state, &mut workspace, bodies, Calm::Free);
        for level in Calm::ALL.into_iter().skip(1) {
            if outcome.is_err() && self.cloth.meets_itself() {
                put_back(bodies, met);
                outcome = self.meet(&self.cloth, &mut state, &mut workspace, bodies, level);
            }
        }
        self.give_back(workspace);
        outcome.map(|()| state)
    }

    /// One step of a cloth among bodies.
    fn meet(
        &self,
        cloth: &Cloth,
        state: &mut ClothState,
        workspace: &mut Workspace,
        bodies: &mut [Neighbour<'_>],
        level: Calm,
    ) -> Result<(), ClothError> {
        let h = cloth.settings().step;
        let fastenings = self.fastenings(bodies, h);
        let mut obstacles: Vec<Met> = bodies.iter_mut().map(|body| Met::new(body, h)).collect();
        let mut list: Vec<&mut dyn Obstacle> = Vec::with_capacity(obstacles.len());
        list.extend(obstacles.iter_mut().map(|o| o as &mut dyn Obstacle));
        cloth
            .step_fastened(state, workspace, &mut list, &fastenings, level)
            .map(|_| ())
    }

    /// A step in parts, one after the other. Bodies move on with what they are pushed by the parts before; what they have got of
    /// all is theirs from the step's start on, which keeps them off the cloth rather than driving them in.
    fn divided(
        &self,
        start: &ClothState,
        bodies: &mut [Neighbour<'_>],
        parts: u32,
        met: &[(State, [Vec3; 2])],
    ) -> Result<ClothState, ClothError> {
        let h = self.step_seconds() / f64::from(parts);
        let is_last = Some(&parts) == DIVISIONS.last();
        let most = if is_last {
            self.most
        } else {
            self.most.min(PATIENCE)
        };
        let cloth = self.cloth.clone().with_steps(h, most)?;
        let mut state = start.clone();
        // steps count what time it is for all that moves by itself
        state.steps = start.steps * u64::from(parts);
        let mut workspace = Workspace::new(&cloth);
        for _ in 0..parts {
            self.meet(&cloth, &mut state, &mut workspace, bodies, Calm::Free)?;
            bodies.iter_mut().for_each(|body| body.fly(h));
        }
        state.steps = start.steps + 1;
        for (body, (start, before)) in bodies.iter_mut().zip(met) {
            let pushed = [0, 1].map(|k| body.change[k] - before[k]);
            (body.state, body.change) = (*start, *before);
            body.accelerate(pushed);
        }
        Ok(state)
    }
}

/// Bodies as they were before a step was tried.
fn put_back(bodies: &mut [Neighbour<'_>], met: &[(State, [Vec3; 2])]) {
    for (body, met) in bodies.iter_mut().zip(met) {
        (body.state, body.change) = *met;
    }
}

/// A body as an obstacle of cloth.
struct Met<'n, 'm> {
    body: &'n mut Neighbour<'m>,
    /// What uniform acceleration adds to the mean velocity over the step, m/s.
    falling: Vec3,
    /// Its box at the step's start, if it has one, m.
    corners: Option<[Vec3; 2]>,
    step: f64,
}

impl<'n, 'm> Met<'n, 'm> {
    fn new(body: &'n mut Neighbour<'m>, step: f64) -> Self {
        let corners = corners_at(body.model, &body.state.pose()).map(|(lo, hi)| [lo, hi]);
        Met {
            falling: body.acceleration * (0.5 * step),
            corners,
            step,
            body,
        }
    }
}

impl Obstacle for Met<'_, '_> {
    fn closest(&self, query: Vec3) -> SurfacePoint {
        let near = self.body.nearest(query);
        SurfacePoint {
            point: near.on_b,
            normal: near.normal,
        }
    }

    fn closest_to_triangle(&self, corners: [Vec3; 3]) -> Option<TrianglePoint> {
        let near = self.body.nearest_to_triangle(corners)?;
        Some(TrianglePoint {
            weights: near.weights,
            surface: SurfacePoint {
                point: near.proximity.on_b,
                normal: near.proximity.normal,
            },
            gap: near.proximity.gap,
        })
    }

    fn may_touch_box(&self, low: Vec3, high: Vec3, reach: f64) -> bool {
        let Some([lo, hi]) = self.corners else {
            return true;
        };
        let state = &self.body.state;
        let turning = state.spin.length() * self.body.model.bounding_radius();
        let moved = (state.velocity + self.falling).length() + turning;
        let reach = Vec3::splat(reach + moved * self.step);
        high.cmpge(lo - reach).all() && low.cmple(hi + reach).all()
    }

    fn velocity(&self, point: Vec3) -> Vec3 {
        self.body.state.velocity_at(point) + self.falling
    }

    fn inverse_mass(&self, point: Vec3, normal: Vec3) -> f64 {
        self.body.inverse_mass(point, normal)
    }

    fn apply_impulse(&mut self, point: Vec3, impulse: Vec3) {
        self.body.push(point, impulse);
    }
}
