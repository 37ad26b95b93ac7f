//! Thin shells of asynchronous contact mechanics as a deformable: inside one step of the world the shell
//! runs its own asynchronous clock, windows and rollbacks, and leaves no trace of them in its form.

use super::carried::{Ahead, Carried};
use super::{Deformable, Form, FormEnergy, Neighbour};
use crate::world::BodyId;
use physics::Vec3;
use shell::acm::{self, Acm, AcmOptions, ShellModel, ShellState, intersections};
use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};
use warp::Tick;

/// The state of a shell, and of the obstacles it brings, at one of its ticks.
#[derive(Clone, Debug, PartialEq)]
pub struct ShellForm {
    /// All vertices, in the model's order.
    pub state: ShellState,
    /// What the bodies among it differ by from what the world knows of them.
    ahead: Vec<Ahead>,
    /// Where each vertex of the model stands in the order the meshes were given.
    place: Arc<[u32]>,
    /// How many of those are shown: the surfaces of bodies come last, and bodies show themselves.
    shown: usize,
}

impl Form for ShellForm {
    fn positions(&self, into: &mut Vec<[f64; 3]>) {
        let first = into.len();
        into.resize(first + self.shown, [0.0; 3]);
        for (x, &place) in self.state.positions().iter().zip(self.place.iter()) {
            if let Some(to) = into[first..].get_mut(place as usize) {
                *to = x.to_array();
            }
        }
    }

    fn numbers(&self) -> Option<Vec<f64>> {
        let ahead = self.ahead.iter().flatten();
        let mut numbers: Vec<f64> = ahead.flat_map(|v| v.to_array()).collect();
        numbers.extend(self.state.to_numbers());
        Some(numbers)
    }
}

/// What is constant about a shell.
pub struct ShellBody {
    model: ShellModel,
    start: Arc<ShellForm>,
    triangles: Vec<[u32; 3]>,
    step: f64,
    options: AcmOptions,
    /// Bodies of the world among its obstacles.
    carried: Carried,
    /// Executors that no step is using.
    idle: Mutex<Vec<Acm>>,
}

impl ShellBody {
    /// A shell that starts in `state` and shows itself to the world every `step` seconds.
    pub fn new(model: ShellModel, state: ShellState, step: f64, options: AcmOptions) -> Self {
        let place: Arc<[u32]> = model.input_of().into();
        let placed = |corners: &[u32; 3]| corners.map(|v| place[v as usize]);
        ShellBody {
            triangles: model.triangles().iter().map(placed).collect(),
            start: Arc::new(ShellForm {
                state,
                ahead: Vec::new(),
                shown: place.len(),
                place,
            }),
            carried: Carried::default(),
            model,
            step,
            options,
            idle: Mutex::new(Vec::new()),
        }
    }

    /// The same shell with these bodies of the world among its obstacles, whose vertices follow the first `shown` ones in
    /// the order the meshes were given.
    pub fn with_bodies(mut self, carried: Carried, shown: usize) -> Self {
        self.triangles
            .retain(|corners| corners.iter().all(|&v| (v as usize) < shown));
        let start = &self.start;
        self.start = Arc::new(ShellForm {
            state: start.state.clone(),
            ahead: vec![[Vec3::ZERO; 2]; carried.bodies().len()],
            place: start.place.clone(),
            shown,
        });
        self.carried = carried;
        self
    }

    /// The constant model of its vertices, forces and layers.
    pub fn model(&self) -> &ShellModel {
        &self.model
    }

    /// How many edges cross triangles in a form, decided exactly; zero if all is well.
    pub fn intersection_count(&self, form: &ShellForm) -> usize {
        intersections(&self.model, &form.state.positions()).len()
    }

    fn executor(&self) -> Acm {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = || Acm::new(&self.model, &self.start.state, self.options);
        idle.pop().unwrap_or_else(fresh)
    }

    fn give_back(&self, executor: Acm) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(executor);
    }
}

/// The shell's own form.
fn form_of(form: &dyn Form) -> Result<&ShellForm, String> {
    let any: &dyn Any = form;
    any.downcast_ref::<ShellForm>()
        .ok_or_else(|| "it was given the form of something else".into())
}

impl Deformable for ShellBody {
    fn step_seconds(&self) -> f64 {
        self.step
    }

    fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    fn start(&self) -> Arc<dyn Form> {
        self.start.clone()
    }

    fn shows_forms_only(&self) -> bool {
        true
    }

    fn restore(&self, numbers: &[f64]) -> Option<Arc<dyn Form>> {
        let (ahead, numbers) = numbers.split_at_checked(6 * self.carried.bodies().len())?;
        if !ahead.iter().all(|n| n.is_finite()) {
            return None;
        }
        let vectors = |of: &[f64]| [Vec3::from_slice(&of[..3]), Vec3::from_slice(&of[3..])];
        Some(Arc::new(ShellForm {
            state: self.model.state_from_numbers(numbers)?,
            ahead: ahead.chunks_exact(6).map(vectors).collect(),
            place: self.start.place.clone(),
            shown: self.start.shown,
        }))
    }

    fn carries(&self) -> Option<&[BodyId]> {
        (!self.carried.is_empty()).then(|| self.carried.bodies())
    }

    fn energy(&self, form: &dyn Form) -> Option<FormEnergy> {
        let form = form_of(form).ok()?;
        let energy = acm::Energy::of(&self.model, &form.state);
        Some(FormEnergy {
            kinetic: energy.kinetic,
            potential: energy.total() - energy.kinetic,
        })
    }

    /// A shell meets only what its model holds, so where it is now is as good as any box.
    fn reach(&self, form: &dyn Form) -> [Vec3; 2] {
        let nowhere = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        form_of(form).map_or(nowhere, |form| {
            let positions = form.state.positions();
            positions
                .iter()
                .fold(nowhere, |[lo, hi], &x| [lo.min(x), hi.max(x)])
        })
    }

    fn step(
        &self,
        form: &dyn Form,
        span: [Tick; 2],
        bodies: &mut [Neighbour<'_>],
    ) -> Result<Arc<dyn Form>, String> {
        let mut form = form_of(form)?.clone();
        let seconds = span[1].since(span[0]);
        let mut executor = self.executor();
        let ShellForm { state, ahead, .. } = &mut form;
        self.carried
            .send((&self.model, state), bodies, ahead, seconds);
        let mut is_begun = false;
        while state.now() < span[1].0 {
            let ran = executor.run_window(&self.model, state, span[1].0, is_begun);
            is_begun = ran.map_err(|error| error.to_string())?;
        }
        self.give_back(executor);
        self.carried.take_back(state, bodies, ahead, seconds);
        Ok(Arc::new(form))
    }
}
