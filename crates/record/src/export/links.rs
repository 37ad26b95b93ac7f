//! Links as children of the links that they hang on: where they are and how they are turned there. Formats with a
//! hierarchy show a multibody as the tree that it is.

use super::keys::Key;
use crate::model::Header;
use crate::segment::{State, product};

/// Who hangs on whom.
pub(super) struct Hierarchy {
    /// By body: its parent.
    pub(super) parent: Vec<Option<usize>>,
    /// By body: its children.
    pub(super) children: Vec<Vec<usize>>,
}

impl Hierarchy {
    pub(super) fn of(header: &Header) -> Self {
        let count = header.bodies.len();
        let mut parent = vec![None; count];
        let mut children = vec![Vec::new(); count];
        for link in header.multibodies.iter().flat_map(|made| &made.links) {
            let (body, Some(above)) = (link.body as usize, link.parent) else {
                continue;
            };
            // Parents come first: a file that says otherwise would hang its links in a circle.
            if (above as usize) < body && body < count && parent[body].is_none() {
                parent[body] = Some(above as usize);
                children[above as usize].push(body);
            }
        }
        Hierarchy { parent, children }
    }

    /// Whether a body is a link with neighbours.
    pub(super) fn holds(&self, body: usize) -> bool {
        self.parent.get(body).is_some_and(Option::is_some)
            || self.children.get(body).is_some_and(|all| !all.is_empty())
    }

    /// The keys of all bodies, those of children in their parents' frames. Either's keys become keys of a child.
    pub(super) fn local(&self, keys: &[Vec<Key>]) -> Vec<Vec<Key>> {
        let local = |(body, own): (usize, &Vec<Key>)| match self.parent[body] {
            Some(above) if !keys[above].is_empty() => against(own, &keys[above]),
            _ => own.clone(),
        };
        keys.iter().enumerate().map(local).collect()
    }
}

/// A child's keys in its parent's frame.
fn against(own: &[Key], above: &[Key]) -> Vec<Key> {
    let (Some(first), Some(last)) = (own.first(), own.last()) else {
        return Vec::new();
    };
    let others = above.iter().map(|key| key.tick);
    let others = others.filter(|tick| first.tick < *tick && *tick < last.tick);
    let mut ticks: Vec<i64> = own.iter().map(|key| key.tick).chain(others).collect();
    ticks.sort_unstable();
    ticks.dedup();
    let (mut i, mut j) = (0, 0);
    let key = |tick: i64| Key {
        tick,
        state: relative(&at(own, &mut i, tick), &at(above, &mut j, tick)),
    };
    ticks.into_iter().map(key).collect()
}

/// The state at a tick, between two keys as whoever shows them would have it; `next` only grows.
fn at(keys: &[Key], next: &mut usize, tick: i64) -> State {
    while *next + 1 < keys.len() && keys[*next + 1].tick <= tick {
        *next += 1;
    }
    let from = &keys[*next];
    let Some(to) = keys.get(*next + 1).filter(|_| tick > from.tick) else {
        return from.state;
    };
    let s = (tick - from.tick) as f64 / (to.tick - from.tick) as f64;
    let (a, b) = (&from.state, &to.state);
    let dot: f64 = (0..4).map(|i| a.rotation[i] * b.rotation[i]).sum();
    let angle = libm::acos(dot.abs().min(1.0));
    let [wa, wb] = match angle < 1e-6 {
        true => [1.0 - s, s],
        false => [1.0 - s, s].map(|part| libm::sin(part * angle) / libm::sin(angle)),
    };
    let wb = wb.copysign(dot);
    State {
        position: std::array::from_fn(|i| a.position[i] + s * (b.position[i] - a.position[i])),
        rotation: std::array::from_fn(|i| wa * a.rotation[i] + wb * b.rotation[i]),
        ..*a
    }
}

/// A state in another one's frame; how fast it moves there is not told.
fn relative(child: &State, parent: &State) -> State {
    let [x, y, z, w] = parent.rotation;
    let back = [-x, -y, -z, w];
    let away: [f64; 3] = std::array::from_fn(|i| child.position[i] - parent.position[i]);
    let turned = product(
        product(back, [away[0], away[1], away[2], 0.0]),
        parent.rotation,
    );
    State {
        position: [turned[0], turned[1], turned[2]],
        rotation: product(back, child.rotation),
        velocity: [0.0; 3],
        spin: [0.0; 3],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_is_where_its_parents_frame_puts_it() {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let state = |position, rotation| State {
            position,
            rotation,
            velocity: [0.0; 3],
            spin: [0.0; 3],
        };
        // The parent is turned a quarter about z: what is above it lies along its own x.
        let parent = state([1.0, 2.0, 3.0], [0.0, 0.0, half, half]);
        let child = state([1.0, 4.0, 3.0], [0.0, 0.0, 1.0, 0.0]);
        let seen = relative(&child, &parent);
        for (a, b) in seen.position.iter().zip([2.0, 0.0, 0.0]) {
            assert!((a - b).abs() < 1e-15);
        }
        for (a, b) in seen.rotation.iter().zip([0.0, 0.0, half, half]) {
            assert!((a - b).abs() < 1e-15);
        }
    }
}
