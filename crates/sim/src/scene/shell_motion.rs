//! How obstacles and pins of a shell move: `shift` and `turn`, straight between keys.

use super::decode::{Decoded, Table, list, number, vector};
use super::error::Fault;
use super::keys::TURN;
use super::tree::Node;
use physics::Vec3;
use shell::acm::Motion;

/// The motion that a table asks for; none of its keys is no motion.
pub(super) fn motion(t: &Table<'_>) -> Decoded<Motion> {
    let mut motion = Motion::fixed();
    if let Some(node) = t.get("shift") {
        let place = |value: &Node| vector(value, "shift", t.scope());
        motion.shift = keys(node, "shift", "[x, y, z] in m", t, place)?;
    }
    if let Some(node) = t.get("turn") {
        let turn = Table::open(node, &TURN, t.scope())?;
        turn.require("axis", "the direction to turn about")?;
        let angle = turn.require("angle", "keys such as [[0, 0], [1, 90]]")?;
        motion.axis = turn.vector("axis")?.unwrap_or(Vec3::ZERO);
        if motion.axis.length() == 0.0 {
            return Err(turn.fault("axis", "`axis` is zero; expected a direction"));
        }
        motion.axis = motion.axis.normalize();
        motion.centre = turn.vector("centre")?.unwrap_or(Vec3::ZERO);
        let degrees = |value: &Node| Ok(number(value, "angle", turn.scope())?.to_radians());
        motion.angle = keys(angle, "angle", "degrees", t, degrees)?;
    }
    Ok(motion)
}

/// Keys `[time, value]`, times ascending.
fn keys<V>(
    node: &Node,
    what: &str,
    value: &str,
    t: &Table<'_>,
    read: impl Fn(&Node) -> Decoded<V>,
) -> Decoded<Vec<(f64, V)>> {
    let mut keys: Vec<(f64, V)> = Vec::new();
    for item in list(node, what)? {
        let [time, at] = list(item, what)? else {
            let message = format!("a key of `{what}` is [time in s, {value}]");
            return Err(Fault::new(&item.place, message));
        };
        let time = number(time, what, t.scope())?;
        if let Some(&(before, _)) = keys.last().filter(|k| k.0 >= time) {
            let message =
                format!("the key at {time} s follows one at {before} s; expected later times");
            return Err(Fault::new(&item.place, message));
        }
        keys.push((time, read(at)?));
    }
    Ok(keys)
}
