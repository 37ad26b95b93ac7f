//! What holds vertices of a cloth: pins that stand, pins that move by keys, and bodies.

use super::builder::Builder;
use super::decode::{Decoded, Table, text, vector, whole};
use super::deformables::Layout;
use super::error::{Fault, suggestion};
use super::keys;
use super::shell_motion::motion;
use super::tree::{Node, Value};
use crate::world::{BodyId, Kind};
use shell::acm::Motion;

const SIDES: [&str; 5] = ["left", "right", "front", "back", "corners"];

/// What holds a vertex.
#[derive(Clone, Debug)]
pub(super) enum Pin {
    /// Nothing: it stands.
    Stands,
    /// Keys of time.
    Moves(Motion),
    /// A body that nothing pushes leads it.
    Led(BodyId),
    /// A dynamic body: each pulls at the other.
    Pulls(BodyId),
}

impl Pin {
    /// Whether the vertex has its own mass.
    pub fn is_free(&self) -> bool {
        matches!(self, Pin::Pulls(_))
    }
}

/// Which vertices are held, and by what: sides of a grid by name, vertices by number, or whatever is near a point.
pub(super) fn pins(t: &Table<'_>, layout: &Layout, builder: &Builder) -> Decoded<Vec<Option<Pin>>> {
    let vertices = &layout.mesh.vertices;
    let mut pinned: Vec<Option<Pin>> = vec![None; vertices.len()];
    for item in t.list("pins")? {
        match &item.value {
            Value::Number(_) => {
                let last = vertices.len() as u64 - 1;
                let number = whole(item, "pins", (0, last), t.scope())? as usize;
                pinned[number] = Some(Pin::Stands);
            }
            Value::Text(_) => {
                let side = text(item, "pins", t.scope())?;
                let held = on_side(&side, item, layout.sides)?;
                hold(&held, &Pin::Stands, &mut pinned);
            }
            _ => {
                let p = Table::open(item, &keys::CLOTH_PIN, t.scope())?;
                let held = meant(&p, item, layout)?;
                hold(&held, &kind(&p, builder)?, &mut pinned);
            }
        }
    }
    Ok(pinned)
}

fn hold(held: &[bool], pin: &Pin, pinned: &mut [Option<Pin>]) {
    for (to, _) in pinned.iter_mut().zip(held).filter(|(_, held)| **held) {
        *to = Some(pin.clone());
    }
}

/// The vertices that a table means.
fn meant(p: &Table<'_>, item: &Node, layout: &Layout) -> Decoded<Vec<bool>> {
    match (p.get("near"), p.get("side")) {
        (Some(near), None) => {
            let near = vector(near, "near", p.scope())?;
            let radius = p.positive("radius")?.unwrap_or(1e-6);
            let vertices = layout.mesh.vertices.iter();
            let held: Vec<bool> = vertices.map(|v| v.distance(near) <= radius).collect();
            if !held.contains(&true) {
                let message = format!("the pin holds no vertex within {radius} m of {near}");
                return Err(Fault::new(&item.place, message));
            }
            Ok(held)
        }
        (None, Some(side)) => on_side(&text(side, "side", p.scope())?, side, layout.sides),
        _ => Err(Fault::new(
            &item.place,
            "a pin holds what is `near` a point [x, y, z], or a `side` of a grid; expected one of them",
        )),
    }
}

/// What holds them.
fn kind(p: &Table<'_>, builder: &Builder) -> Decoded<Pin> {
    let Some(name) = p.text("body")? else {
        let moves = motion(p)?;
        return Ok(match moves.is_fixed() {
            true => Pin::Stands,
            false => Pin::Moves(moves),
        });
    };
    if let Some(key) = ["shift", "turn"].iter().find(|key| p.get(key).is_some()) {
        let message = format!("the pin goes with `{name}`, so it has no `{key}` of its own");
        return Err(p.fault(key, message));
    }
    let Some(body) = builder.named(&name) else {
        return Err(p.fault("body", format!("there is no body `{name}`")));
    };
    Ok(match builder.world.bodies[body.0 as usize].kind {
        Kind::Dynamic => Pin::Pulls(body),
        Kind::Fixed | Kind::Kinematic => Pin::Led(body),
    })
}

/// The vertices of a side of a grid.
fn on_side(side: &str, item: &Node, sides: Option<[u32; 2]>) -> Decoded<Vec<bool>> {
    let Some([columns, rows]) = sides else {
        let message = format!("`{side}` is a side of a grid, and this cloth is a mesh");
        return Err(Fault::new(&item.place, message)
            .help("pin vertices by number, or with { near = [x, y, z], radius = r }"));
    };
    let holds: fn(u32, u32, u32, u32) -> bool = match side {
        "left" => |column, _, _, _| column == 0,
        "right" => |column, _, last, _| column == last,
        "front" => |_, row, _, _| row == 0,
        "back" => |_, row, _, last| row == last,
        "corners" => |column, row, last_column, last_row| {
            (column == 0 || column == last_column) && (row == 0 || row == last_row)
        },
        _ => {
            let message = format!("`{side}` is not a side of a grid");
            return Err(Fault::new(&item.place, message).help(suggestion(side, SIDES)));
        }
    };
    let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    Ok(all
        .map(|(column, row)| holds(column, row, columns - 1, rows - 1))
        .collect())
}
