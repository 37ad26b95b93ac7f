//! Many futures at once: controls as an array, and what came of them as arrays.

use crate::arrays::{ROW, events, put};
use crate::errors::{argument, raised};
use crate::simulation::places;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use warpline::events::Happening;
use warpline::physics::Vec3;
use warpline::sim::{Action, Input};
use warpline::{Rollout, Simulation};

/// Plans from an array of shape (plans, steps, bodies, 3): forces that act for a step each, or impulses at its start.
pub fn controls(
    py: Python<'_>,
    sim: &mut Simulation,
    array: &Bound<'_, PyAny>,
    horizon: f64,
    bodies: &Bound<'_, PyAny>,
    kind: &str,
) -> PyResult<Vec<Vec<Input>>> {
    let bodies = places(py, sim, bodies)?;
    if kind != "force" && kind != "impulse" {
        let text = format!("kind is {kind:?}; expected \"force\" or \"impulse\"");
        return Err(argument(py, text));
    }
    let count = bodies.len();
    let wrong = format!("inputs: expected an array of numbers of shape (plans, steps, {count}, 3)");
    let array: PyReadonlyArrayDyn<'_, f64> =
        array.extract().map_err(|_| argument(py, wrong.clone()))?;
    let &[plans, steps, wide, 3] = array.shape() else {
        return Err(argument(py, wrong));
    };
    if wide != count || steps == 0 {
        return Err(argument(py, wrong));
    }
    let numbers = array
        .as_slice()
        .map_err(|_| argument(py, "inputs: expected a contiguous array"))?;
    let length = warpline::world::tick(horizon).map_err(|e| raised(py, e))?.0;
    let now = sim.inner().now();
    let at = |step: usize| {
        let ticks = i128::from(length) * step as i128 / steps as i128;
        now.saturating_add(ticks as i64)
    };
    let mut all = Vec::with_capacity(plans);
    for plan in numbers.chunks_exact((steps * count * 3).max(1)) {
        let mut inputs = Vec::with_capacity(steps * count);
        for (step, vectors) in plan.chunks_exact(count * 3).enumerate() {
            for (body, v) in bodies.iter().zip(vectors.chunks_exact(3)) {
                let v = Vec3::new(v[0], v[1], v[2]);
                let action = match kind {
                    "force" => Action::Force {
                        force: v,
                        ticks: at(step + 1).0 - at(step).0,
                    },
                    _ => Action::Impulse {
                        impulse: v,
                        point: None,
                    },
                };
                inputs.push(Input {
                    at: at(step),
                    body: *body,
                    order: 0,
                    action,
                });
            }
        }
        all.push(inputs);
    }
    Ok(all)
}

/// States of shape (plans, samples, bodies, 13), the bytes of all events, and how many each plan has.
pub fn arrays<'py>(
    py: Python<'py>,
    told: &[Rollout],
    bodies: usize,
) -> PyResult<Bound<'py, PyTuple>> {
    let samples = told.first().map_or(0, |r| r.samples.len());
    let mut flat = vec![0.0; told.len() * samples * bodies * ROW];
    let states = told.iter().flat_map(|r| &r.samples).flatten();
    for (state, row) in states.zip(flat.chunks_exact_mut(ROW)) {
        put(state.as_ref(), row);
    }
    let shape = [told.len(), samples, bodies, ROW];
    let states = PyArray1::from_vec(py, flat).reshape(shape)?;
    let counts: Vec<i64> = told.iter().map(|r| r.events.len() as i64).collect();
    let all: Vec<Happening> = told.iter().flat_map(|r| r.events.iter().copied()).collect();
    (states, events(py, &all), PyArray1::from_vec(py, counts)).into_pyobject(py)
}
