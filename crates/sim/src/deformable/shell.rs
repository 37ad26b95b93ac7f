//! Thin shells of asynchronous contact mechanics as a deformable: inside one step of the world the shell
//! runs its own asynchronous clock, windows and rollbacks, and leaves no trace of them in its form.

use super::{Deformable, Form, Neighbour};
use physics::Vec3;
use shell::acm::{Acm, AcmOptions, ShellModel, ShellState, intersections};
use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};
use warp::Tick;

/// The state of a shell, and of the obstacles it brings, at one of its ticks.
#[derive(Clone, Debug, PartialEq)]
pub struct ShellForm {
    /// All vertices, in the model's order.
    pub state: ShellState,
    /// Where each vertex of the model stands in the order the meshes were given.
    place: Arc<[u32]>,
}

impl Form for ShellForm {
    fn positions(&self, into: &mut Vec<[f64; 3]>) {
        let first = into.len();
        into.resize(first + self.place.len(), [0.0; 3]);
        for (x, &place) in self.state.positions().iter().zip(self.place.iter()) {
            into[first + place as usize] = x.to_array();
        }
    }

    fn numbers(&self) -> Option<Vec<f64>> {
        Some(self.state.to_numbers())
    }
}

/// What is constant about a shell.
pub struct ShellBody {
    model: ShellModel,
    start: Arc<ShellForm>,
    triangles: Vec<[u32; 3]>,
    step: f64,
    options: AcmOptions,
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
            start: Arc::new(ShellForm { state, place }),
            model,
            step,
            options,
            idle: Mutex::new(Vec::new()),
        }
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
        let state = self.model.state_from_numbers(numbers)?;
        let place = self.start.place.clone();
        Some(Arc::new(ShellForm { state, place }))
    }

    /// A shell meets only the obstacles it brings, so where it is now is as good as any box.
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
        _: &mut [Neighbour<'_>],
    ) -> Result<Arc<dyn Form>, String> {
        let mut form = form_of(form)?.clone();
        let mut executor = self.executor();
        let ran = executor.run_until(&self.model, &mut form.state, span[1].0);
        ran.map_err(|error| error.to_string())?;
        self.give_back(executor);
        Ok(Arc::new(form))
    }
}
