//! Which bodies of a robot meet each other: those whose shapes' masks say so, and whose pair its file does not exclude.
//! What overlaps at the start is told and does not meet.

use super::builder::Builder;
use crate::overlap::bounds_at;
use crate::world::{BodyId, START_OVERLAP, World};
use physics::contact::closest;
use robot::{Assembly, Geom, Robot};

/// A fixed body of a robot.
pub(super) struct Standing {
    pub body: BodyId,
    /// `contype` and `conaffinity` of its shape.
    pub masks: (u32, u32),
    /// The body of the robot's file that it is a shape of; none for shapes of the world.
    pub of: Option<usize>,
}

/// Whether a shape can touch anything.
pub(super) fn is_touched(robot: &Robot, geom: &Geom) -> bool {
    robot.touches && !geom.visual && geom.contact != (0, 0)
}

/// Whether two shapes may touch: the type of one is among those that the other has an affinity to.
fn may_touch(a: (u32, u32), b: (u32, u32)) -> bool {
    a.0 & b.1 != 0 || b.0 & a.1 != 0
}

/// One body of a robot, as far as it may touch others.
struct Toucher {
    body: u32,
    masks: Vec<(u32, u32)>,
    /// Bodies of the robot's file that it consists of.
    of: Vec<usize>,
    is_link: bool,
    /// Whether it is part of the robot, not of the world.
    is_own: bool,
}

/// Notes which pairs of bodies of the robot added last do not meet: what its masks and excluded pairs keep apart; all
/// pairs within the robot itself, unless it collides with itself; and what overlaps at the start, with a warning.
pub(super) fn keep_apart(
    robot: &Robot,
    assembly: &Assembly,
    standing: &[Standing],
    collides: bool,
    builder: &mut Builder,
) {
    let Some(made) = builder.world.multibodies.last() else {
        return;
    };
    let links = made.links.iter().map(|link| {
        let on = |k: &usize| assembly.bodies[*k].link == Some(link.link as usize);
        let of: Vec<usize> = (0..robot.bodies.len()).filter(on).collect();
        let geoms = of.iter().flat_map(|k| &robot.bodies[*k].geoms);
        let touched = geoms.filter(|g| is_touched(robot, g));
        Toucher {
            body: link.body.0,
            masks: touched.map(|g| g.contact).collect(),
            of,
            is_link: true,
            is_own: true,
        }
    });
    let fixed = standing.iter().map(|s| Toucher {
        body: s.body.0,
        masks: vec![s.masks],
        of: s.of.into_iter().collect(),
        is_link: false,
        is_own: s.of.is_some(),
    });
    let touchers: Vec<Toucher> = fixed.chain(links).collect();
    let known = made.apart.clone();
    let mut apart = Vec::new();
    for (k, b) in touchers.iter().enumerate().filter(|(_, b)| b.is_link) {
        for a in &touchers[..k] {
            let pair = (a.body.min(b.body), a.body.max(b.body));
            if known.binary_search(&pair).is_ok() {
                continue;
            }
            let within = a.is_own && b.is_own && !collides;
            if within || !a.may_touch(b) || a.is_excluded(b, robot) {
                apart.push(pair);
            } else if let Some(depth) = overlap(&builder.world, pair) {
                let [first, second] =
                    [pair.0, pair.1].map(|k| &builder.world.bodies[k as usize].name);
                builder.warnings.push(format!(
                    "`{first}` and `{second}` overlap by {} m at the start: they pass through each other",
                    crate::world::plain(depth)
                ));
                apart.push(pair);
            }
        }
    }
    if let Some(made) = builder.world.multibodies.last_mut() {
        made.apart.extend(apart);
        made.apart.sort_unstable();
    }
}

impl Toucher {
    fn may_touch(&self, other: &Toucher) -> bool {
        let any = |a: &(u32, u32)| other.masks.iter().any(|b| may_touch(*a, *b));
        self.masks.iter().any(any)
    }

    fn is_excluded(&self, other: &Toucher, robot: &Robot) -> bool {
        let has = |one: &Toucher, body: &usize| one.of.contains(body);
        let mut excludes = robot.excludes.iter();
        excludes.any(|(a, b)| has(self, a) && has(other, b) || has(self, b) && has(other, a))
    }
}

/// By how much two bodies overlap at the start, if by more than a world allows.
fn overlap(world: &World, (a, b): (u32, u32)) -> Option<f64> {
    let [a, b] = [a, b].map(|k| {
        let body = &world.bodies[k as usize];
        (body, &world.models[body.model.place()])
    });
    if !a.0.layers.meet(b.0.layers) {
        return None;
    }
    let boxes = [a, b].map(|(body, model)| bounds_at(model, &body.start));
    if let [Some(a), Some(b)] = boxes
        && !a.overlaps(&b)
    {
        return None;
    }
    let near = closest(a.1, &a.0.start, b.1, &b.0.start);
    (near.gap < -START_OVERLAP).then_some(-near.gap)
}
