//! States and events as arrays.

use numpy::{PyArray1, PyArray2, PyArrayMethods, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use warpline::events::Happening;
use warpline::physics::State;
use warpline::record;
use warpline::warp::Tick;

/// Numbers of a state: position, rotation (x, y, z, w), velocity, spin.
pub const ROW: usize = 13;

/// Writes a state into its row; a body that is not there is not a number.
pub fn put(state: Option<&State>, row: &mut [f64]) {
    let Some(state) = state else {
        row.fill(f64::NAN);
        return;
    };
    row[0..3].copy_from_slice(&state.position.to_array());
    row[3..7].copy_from_slice(&state.rotation.to_array());
    row[7..10].copy_from_slice(&state.velocity.to_array());
    row[10..13].copy_from_slice(&state.spin.to_array());
}

/// One state as an array.
pub fn row<'py>(py: Python<'py>, state: &State) -> Bound<'py, PyArray1<f64>> {
    let mut row = [0.0; ROW];
    put(Some(state), &mut row);
    row.to_pyarray(py)
}

/// States as an array of rows.
pub fn rows<'py>(py: Python<'py>, states: &[Option<State>]) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let mut flat = vec![0.0; states.len() * ROW];
    for (state, row) in states.iter().zip(flat.chunks_exact_mut(ROW)) {
        put(state.as_ref(), row);
    }
    PyArray1::from_vec(py, flat).reshape([states.len(), ROW])
}

/// Events as the bytes of `warpline.EVENT` (see `warpline/__init__.py`).
pub fn events<'py>(py: Python<'py>, happenings: &[Happening]) -> Bound<'py, PyByteArray> {
    let mut bytes = Vec::with_capacity(happenings.len() * 88);
    let number = |n: u32, none: u32| if n == none { -1 } else { n as i32 };
    for h in happenings {
        bytes.extend_from_slice(&Tick(h.tick).seconds().to_le_bytes());
        bytes.extend_from_slice(&h.tick.to_le_bytes());
        bytes.extend_from_slice(&h.micro.to_le_bytes());
        bytes.extend_from_slice(&(h.event as u8 as u32).to_le_bytes());
        bytes.extend_from_slice(&(h.body as i32).to_le_bytes());
        bytes.extend_from_slice(&number(h.partner, record::NO_PARTNER).to_le_bytes());
        bytes.extend_from_slice(&number(h.group, record::NO_GROUP).to_le_bytes());
        for x in [h.impulse].iter().chain(&h.position).chain(&h.velocity) {
            bytes.extend_from_slice(&x.to_le_bytes());
        }
    }
    PyByteArray::new(py, &bytes)
}

/// Contact events as the bytes of `warpline.CONTACT`.
pub fn contacts<'py>(py: Python<'py>, contacts: &[record::Contact]) -> Bound<'py, PyByteArray> {
    let mut bytes = Vec::with_capacity(contacts.len() * 36);
    for c in contacts {
        bytes.extend_from_slice(&Tick(c.tick).seconds().to_le_bytes());
        bytes.extend_from_slice(&c.tick.to_le_bytes());
        bytes.extend_from_slice(&(c.touch as u8 as u32).to_le_bytes());
        for body in c.bodies {
            bytes.extend_from_slice(&(body as i32).to_le_bytes());
        }
        bytes.extend_from_slice(&c.impulse.to_le_bytes());
    }
    PyByteArray::new(py, &bytes)
}
