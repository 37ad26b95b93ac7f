//! What an input does, as Python says it: exactly one of a few keyword arguments.

use crate::errors::argument;
use crate::values::{numbers, state, vector};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use warpline::physics::Vec3;
use warpline::sim::Action;
use warpline::warp::Tick;

/// The keys that say what an input does.
const KINDS: [&str; 7] = [
    "impulse", "force", "teleport", "motor", "signal", "enter", "leave",
];

/// The keys that go with them.
const OTHERS: [&str; 5] = ["at", "order", "body", "point", "seconds"];

/// Reads an action from keyword arguments; `at`, `order` and `body` are somebody else's.
pub fn action(keys: &Bound<'_, PyDict>) -> PyResult<Action> {
    let py = keys.py();
    let (kind, value) = said(keys)?;
    Ok(match kind {
        "impulse" => Action::Impulse {
            impulse: vector(&value, "impulse")?,
            point: match get(keys, "point")? {
                Some(point) => Some(vector(&point, "point")?),
                None => None,
            },
        },
        "force" => {
            let Some(seconds) = get(keys, "seconds")? else {
                return Err(argument(py, "a force acts for some time: give `seconds`"));
            };
            Action::Force {
                force: vector(&value, "force")?,
                ticks: Tick::from_seconds(seconds.extract()?).0,
            }
        }
        "teleport" => Action::Teleport(state(&value, "teleport")?),
        "enter" => Action::Enter(state(&value, "enter")?),
        "motor" => motor(&value)?,
        "signal" => {
            let wrong = |_| {
                let text = "signal: expected a motor's number, from 0, and the value it is told";
                argument(py, text)
            };
            let (motor, value) = value.extract().map_err(wrong)?;
            Action::Signal { motor, value }
        }
        _ => match value.is_truthy()? {
            true => Action::Leave,
            false => return Err(argument(py, "leave: expected True")),
        },
    })
}

/// The value of a key, if it is said and not `None`.
fn get<'py>(keys: &Bound<'py, PyDict>, key: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    Ok(keys.get_item(key)?.filter(|v| !v.is_none()))
}

/// The one thing that an input is said to do, and its value.
fn said<'py>(keys: &Bound<'py, PyDict>) -> PyResult<(&'static str, Bound<'py, PyAny>)> {
    let py = keys.py();
    let kinds = KINDS.join("`, `");
    let mut said = Vec::new();
    for (key, value) in keys.iter() {
        let key: String = key.extract()?;
        match KINDS.iter().find(|k| **k == key) {
            Some(kind) if !value.is_none() => said.push((*kind, value)),
            Some(_) => {}
            None if OTHERS.contains(&key.as_str()) => {}
            None => {
                let text = format!(
                    "an input knows no `{key}`; expected one of `{kinds}`, and at, order, point, seconds"
                );
                return Err(argument(py, text));
            }
        }
    }
    let only = said.pop().filter(|_| said.is_empty());
    let text = || format!("an input does one thing: expected exactly one of `{kinds}`");
    only.ok_or_else(|| argument(py, text()))
}

/// A velocity, or velocity and spin.
fn motor(value: &Bound<'_, PyAny>) -> PyResult<Action> {
    let velocity = match numbers::<6>(value, "motor") {
        Ok([x, y, z, about @ ..]) => {
            return Ok(Action::Motor {
                velocity: Vec3::new(x, y, z),
                spin: Vec3::from_array(about),
            });
        }
        Err(_) => {
            let text = "motor: expected a velocity, or velocity and spin (6 numbers)";
            let wrong = |_| argument(value.py(), text);
            vector(value, "motor").map_err(wrong)?
        }
    };
    Ok(Action::Motor {
        velocity,
        spin: Vec3::ZERO,
    })
}
