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

/// Reads an action from keyword arguments; `at`, `order` and `body` are somebody else's.
pub fn action(keys: &Bound<'_, PyDict>) -> PyResult<Action> {
    let py = keys.py();
    let get = |key: &str| -> PyResult<Option<Bound<'_, PyAny>>> {
        Ok(keys.get_item(key)?.filter(|v| !v.is_none()))
    };
    let mut said = Vec::new();
    for (key, value) in keys.iter() {
        let key: String = key.extract()?;
        let known = ["at", "order", "body", "point", "seconds"];
        match KINDS.iter().find(|k| **k == key) {
            Some(kind) if !value.is_none() => said.push(*kind),
            Some(_) => {}
            None if known.contains(&key.as_str()) => {}
            None => {
                let kinds = KINDS.join("`, `");
                return Err(argument(
                    py,
                    format!(
                        "an input knows no `{key}`; expected one of `{kinds}`, and at, order, point, seconds"
                    ),
                ));
            }
        }
    }
    let [kind] = said.as_slice() else {
        let kinds = KINDS.join("`, `");
        return Err(argument(
            py,
            format!("an input does one thing: expected exactly one of `{kinds}`"),
        ));
    };
    let Some(value) = get(kind)? else {
        return Err(argument(py, "an input without a value"));
    };
    Ok(match *kind {
        "impulse" => Action::Impulse {
            impulse: vector(&value, "impulse")?,
            point: match get("point")? {
                Some(point) => Some(vector(&point, "point")?),
                None => None,
            },
        },
        "force" => {
            let Some(seconds) = get("seconds")? else {
                return Err(argument(py, "a force acts for some time: give `seconds`"));
            };
            Action::Force {
                force: vector(&value, "force")?,
                ticks: Tick::from_seconds(seconds.extract()?).0,
            }
        }
        "teleport" => Action::Teleport(state(&value, "teleport")?),
        "enter" => Action::Enter(state(&value, "enter")?),
        "motor" => {
            let both = numbers::<6>(&value, "motor");
            let n = match both {
                Ok(n) => n,
                Err(_) => {
                    let v = vector(&value, "motor").map_err(|_| {
                        argument(
                            py,
                            "motor: expected a velocity, or velocity and spin (6 numbers)",
                        )
                    })?;
                    [v.x, v.y, v.z, 0.0, 0.0, 0.0]
                }
            };
            Action::Motor {
                velocity: Vec3::new(n[0], n[1], n[2]),
                spin: Vec3::new(n[3], n[4], n[5]),
            }
        }
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
