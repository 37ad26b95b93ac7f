//! Python's values as those of a scene, and as vectors.

use crate::errors::argument;
use crate::world::Body;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};
use warpline::physics::{Quat, State, Vec3};
use warpline::world::{Table, Value};

/// Deeper nesting than this is no scene.
const DEEPEST: usize = 16;

/// A value of a scene.
pub fn value(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    nested(object, 0)
}

fn nested(object: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    let py = object.py();
    if depth > DEEPEST {
        return Err(argument(py, "a value is nested too deeply"));
    }
    if object.is_instance_of::<PyBool>() {
        return Ok(Value::Flag(object.extract()?));
    }
    if object.is_instance_of::<PyInt>() {
        return Ok(Value::Whole(object.extract()?));
    }
    if object.is_instance_of::<PyFloat>() {
        return Ok(Value::Number(object.extract()?));
    }
    if object.is_instance_of::<PyString>() {
        return Ok(Value::Text(object.extract()?));
    }
    if let Ok(body) = object.cast::<Body>() {
        return Ok(Value::Text(body.get().name.clone()));
    }
    if let Ok(dict) = object.cast::<PyDict>() {
        return Ok(Value::Table(table_at(dict, depth + 1)?));
    }
    // NumPy's arrays and numbers.
    if object.hasattr("tolist")? {
        return nested(&object.call_method0("tolist")?, depth + 1);
    }
    if let Ok(items) = object.try_iter() {
        let items = items.map(|item| nested(&item?, depth + 1));
        return Ok(Value::List(items.collect::<PyResult<_>>()?));
    }
    let kind = object.get_type().name()?.to_string();
    Err(argument(
        py,
        format!(
            "a {kind} cannot be part of a scene; expected a number, a text, a list, an array or a dict"
        ),
    ))
}

/// A table of a scene; keys whose value is None are left out.
pub fn table(dict: &Bound<'_, PyDict>) -> PyResult<Table> {
    table_at(dict, 0)
}

fn table_at(dict: &Bound<'_, PyDict>, depth: usize) -> PyResult<Table> {
    let mut table = Table::with_capacity(dict.len());
    for (key, item) in dict {
        if !item.is_none() {
            table.push((key.extract()?, nested(&item, depth)?));
        }
    }
    Ok(table)
}

/// So many numbers.
pub fn numbers<const N: usize>(object: &Bound<'_, PyAny>, what: &str) -> PyResult<[f64; N]> {
    let py = object.py();
    let wrong = || argument(py, format!("{what}: expected {N} numbers"));
    // A text is a sequence, too.
    if object.is_instance_of::<PyString>() {
        return Err(wrong());
    }
    let list: Vec<f64> = match object.hasattr("tolist")? {
        true => object.call_method0("tolist")?.extract(),
        false => object.extract(),
    }
    .map_err(|_| wrong())?;
    list.try_into().map_err(|_| wrong())
}

/// A vector.
pub fn vector(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec3> {
    Ok(Vec3::from_array(numbers::<3>(object, what)?))
}

/// A state: a position, or the 13 numbers of a row of `states()`.
pub fn state(object: &Bound<'_, PyAny>, what: &str) -> PyResult<State> {
    let py = object.py();
    if let Ok(position) = vector(object, what) {
        return Ok(State {
            position,
            velocity: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            spin: Vec3::ZERO,
        });
    }
    let row = numbers::<13>(object, what).map_err(|_| {
        argument(
            py,
            format!("{what}: expected a position of 3 numbers, or 13 as in a row of states()"),
        )
    })?;
    let rotation = Quat::from_xyzw(row[3], row[4], row[5], row[6]);
    let off = (rotation.length() - 1.0).abs();
    if off.is_nan() || off > 1e-6 {
        return Err(argument(
            py,
            format!("{what}: numbers 3 to 6 are no unit quaternion x, y, z, w"),
        ));
    }
    Ok(State {
        position: Vec3::new(row[0], row[1], row[2]),
        rotation: rotation.normalize(),
        velocity: Vec3::new(row[7], row[8], row[9]),
        spin: Vec3::new(row[10], row[11], row[12]),
    })
}
