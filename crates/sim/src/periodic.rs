//! A periodic box: what leaves it on one side comes in on the other, and bodies near a side meet those near the opposite
//! one. A body's segments lie in the box; that its centre crosses a side is an event. Two bodies meet if one of them meets
//! an image of the other, shifted by whole sides of the box.

use crate::grid::Bounds;
use crate::world::{Kind, World};
use physics::body::Law;
use physics::contact::closest;
use physics::{Flight, State, Vec3};
use warp::Tick;

/// A side must be at least so many times as long as the largest radius of a body: then no body meets two images of another
/// at once, nor its own.
const SIDE_PER_RADIUS: f64 = 4.0;

/// A periodic box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Periodic {
    min: Vec3,
    max: Vec3,
    axes: [bool; 3],
    /// How far a body's box may stick out of it, metres.
    margin: f64,
}

/// An image of a body: by how many sides it is shifted along each axis, -1 to 1, as one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Image(pub u8);

impl Image {
    /// The body itself.
    pub const ITSELF: Image = Image(13);

    fn new([x, y, z]: [i8; 3]) -> Self {
        Image((9 * (x + 1) + 3 * (y + 1) + z + 1) as u8)
    }

    fn sides(self) -> [f64; 3] {
        [self.0 / 9, self.0 / 3 % 3, self.0 % 3].map(|side| f64::from(side) - 1.0)
    }
}

/// Calls with every combination of one number from each of three ranges.
fn each_of(ranges: [(i8, i8); 3], mut found: impl FnMut([i8; 3])) {
    let [x, y, z] = ranges.map(|(low, high)| low..=high);
    for x in x {
        for y in y.clone() {
            for z in z.clone() {
                found([x, y, z]);
            }
        }
    }
}

impl Periodic {
    /// A box that is periodic along some axes, in which bodies have radii of at most `radius`.
    pub fn new(min: Vec3, max: Vec3, axes: [bool; 3], radius: f64) -> Self {
        let margin = radius * (1.0 + 1e-6) + 1e-9;
        Periodic {
            min,
            max,
            axes,
            margin,
        }
    }

    /// The lower and the upper corner, and along which axes it is periodic.
    pub fn corners(&self) -> (Vec3, Vec3, [bool; 3]) {
        (self.min, self.max, self.axes)
    }

    /// The lengths of its sides; zero along axes that are not periodic.
    fn sides(&self) -> Vec3 {
        let along = self.axes.map(|is| if is { 1.0 } else { 0.0 });
        (self.max - self.min) * Vec3::from_array(along)
    }

    /// What is added to a position for an image.
    pub(crate) fn shift(&self, image: Image) -> Vec3 {
        self.sides() * Vec3::from_array(image.sides())
    }

    /// The place in the box for a position outside of it.
    pub(crate) fn inside(&self, position: Vec3) -> Vec3 {
        let mut inside = position.to_array();
        let (min, sides) = (self.min.to_array(), self.sides().to_array());
        for axis in 0..3 {
            if self.axes[axis] {
                let times = ((inside[axis] - min[axis]) / sides[axis]).floor();
                inside[axis] -= times * sides[axis];
            }
        }
        Vec3::from_array(inside)
    }

    /// The tick at which a body that moves uniformly along the periodic axes has left the box; never, if it does not.
    pub(crate) fn crossing(&self, flight: &Flight) -> Tick {
        let (at, velocity) = (flight.position.to_array(), flight.velocity.to_array());
        let (min, max) = (self.min.to_array(), self.max.to_array());
        let mut soonest = Tick::MAX;
        for axis in (0..3).filter(|axis| self.axes[*axis] && velocity[*axis] != 0.0) {
            let side = if velocity[axis] > 0.0 { max } else { min };
            let seconds = ((side[axis] - at[axis]) / velocity[axis]).max(0.0);
            let ticks = (seconds * Tick::TICKS_PER_SECOND).min(4e18) as i64 + 1;
            soonest = soonest.min(flight.start.saturating_add(ticks));
        }
        soonest
    }

    /// Where a body goes on that has crossed a side, or several: on the opposite side.
    pub(crate) fn crossed(&self, state: State) -> State {
        State {
            position: self.inside(state.position),
            ..state
        }
    }

    /// The image of `b` that is nearest to `a`.
    pub(crate) fn nearest(&self, a: Vec3, b: Vec3) -> Vec3 {
        let (apart, sides) = ((a - b).to_array(), self.sides().to_array());
        let times = |axis: usize| match self.axes[axis] {
            true => (apart[axis] / sides[axis]).round() * sides[axis],
            false => 0.0,
        };
        b + Vec3::new(times(0), times(1), times(2))
    }

    /// Calls with a box and all of its images that may overlap the box of a body in here.
    pub(crate) fn each_shifted(&self, bounds: &Bounds, mut found: impl FnMut(&Bounds)) {
        let (min, max) = (self.min.to_array(), self.max.to_array());
        let range = |axis: usize| {
            let reaches_up = f64::from(bounds.hi[axis]) + self.margin >= max[axis];
            let reaches_down = f64::from(bounds.lo[axis]) - self.margin <= min[axis];
            match self.axes[axis] {
                true => (-i8::from(reaches_up), i8::from(reaches_down)),
                false => (0, 0),
            }
        };
        let corner = |corner: &[f32; 4]| Vec3::from_array([0, 1, 2].map(|i| f64::from(corner[i])));
        each_of([range(0), range(1), range(2)], |sides| {
            let shift = self.shift(Image::new(sides));
            let (lo, hi) = (corner(&bounds.lo) + shift, corner(&bounds.hi) + shift);
            found(&Bounds::around(lo, hi));
        });
    }

    /// Calls with the images of `b` that may come within `distance` of `a` up to a tick, both centres moving uniformly along
    /// the periodic axes.
    pub(crate) fn each_image(
        &self,
        a: &Flight,
        b: &Flight,
        distance: f64,
        until: Tick,
        mut found: impl FnMut(Image),
    ) {
        let start = a.start.max(b.start);
        let place = |flight: &Flight| flight.position + flight.velocity * start.since(flight.start);
        let (apart, speed) = (
            (place(b) - place(a)).to_array(),
            (b.velocity - a.velocity).to_array(),
        );
        let seconds = until.max(start).since(start);
        // A little more than what rounding may have taken off.
        let reach = distance * (1.0 + 1e-6) + 1e-9;
        let sides = self.sides().to_array();
        let range = |axis: usize| {
            if !self.axes[axis] {
                return (0, 0);
            }
            let way = if speed[axis] == 0.0 {
                0.0
            } else {
                speed[axis] * seconds
            };
            let (low, high) = (apart[axis] + way.min(0.0), apart[axis] + way.max(0.0));
            let is_reached = |side: i8| {
                let shift = f64::from(side) * sides[axis];
                low + shift <= reach && high + shift >= -reach
            };
            let least = (-1..=1).find(|side| is_reached(*side));
            let most = (-1..=1).rev().find(|side| is_reached(*side));
            least.zip(most).unwrap_or((1, 0))
        };
        each_of([range(0), range(1), range(2)], |sides| {
            found(Image::new(sides))
        });
    }

    /// Why a world cannot be simulated in this box, if it cannot.
    pub(crate) fn fault(&self, world: &World) -> Option<String> {
        let sides = self.sides().to_array();
        let radii = world.bodies.iter().map(|b| &world.models[b.model.place()]);
        let radii = radii.filter(|m| !m.collider.is_unbounded());
        let radius = radii.map(|m| m.bounding_radius()).fold(0.0, f64::max);
        let narrow = |axis: &usize| self.axes[*axis] && sides[*axis] < SIDE_PER_RADIUS * radius;
        if let Some(axis) = (0..3).find(narrow) {
            return Some(format!(
                "it is {} m long along {}, and the largest body has a radius of {radius} m; expected at least four of \
                 its radii, so that no body meets two images of another",
                sides[axis],
                ["x", "y", "z"][axis]
            ));
        }
        let gravity = world.gravity.to_array();
        if let Some(axis) = (0..3).find(|axis| self.axes[*axis] && gravity[*axis] != 0.0) {
            return Some(format!(
                "gravity pulls along {}, where bodies would fall for ever; set `gravity` to nothing along periodic axes",
                ["x", "y", "z"][axis]
            ));
        }
        if world.contact.is_some() || !world.joints.is_empty() || !world.deformables.is_empty() {
            return Some(
                "bodies only bounce in it: contact groups, joints, cloth and shells know no images yet; leave out \
                 `contact`, `joint`, `cloth` and `shell`"
                    .into(),
            );
        }
        world
            .bodies
            .iter()
            .find_map(|body| self.fault_of(world, body))
    }

    fn fault_of(&self, world: &World, body: &crate::world::Body) -> Option<String> {
        let model = &world.models[body.model.place()];
        let name = &body.name;
        if body.kind == Kind::Kinematic || model.law == Law::Integrated {
            return Some(format!(
                "`{name}` follows a script or a force; bodies in it are fixed, or move freely without `damping` and `forces`"
            ));
        }
        if model.collider.is_unbounded() {
            let normals = model
                .collider
                .parts
                .iter()
                .filter_map(|part| match part.core {
                    physics::collider::Core::HalfSpace { normal, .. } => Some(normal.to_array()),
                    _ => None,
                });
            let leans = |normal: [f64; 3]| (0..3).any(|i| self.axes[i] && normal[i] != 0.0);
            return normals.into_iter().any(leans).then(|| {
                format!(
                    "`{name}` is a wall across a periodic axis; it must stand along all of them"
                )
            });
        }
        let is_inside = body.is_absent || self.inside(body.start.position) == body.start.position;
        (!is_inside).then(|| {
            format!("`{name}` is outside at the start; expected its centre of mass within it")
        })
    }

    /// Two bodies that overlap at the start across a side, and by how much, if there are any.
    pub(crate) fn first_overlap(&self, world: &World, allowed: f64) -> Option<(usize, usize, f64)> {
        let model = |body: usize| &world.models[world.bodies[body].model.place()];
        let (min, max) = (self.min.to_array(), self.max.to_array());
        let is_near_side = |body: &usize| {
            let (at, radius) = (
                world.bodies[*body].start.position.to_array(),
                model(*body).bounding_radius(),
            );
            let radius = radius + self.margin;
            let is_near = |i: usize| at[i] - radius < min[i] || at[i] + radius > max[i];
            (0..3).any(|i| self.axes[i] && is_near(i))
        };
        let is_meant =
            |body: &usize| !world.bodies[*body].is_absent && !model(*body).collider.is_unbounded();
        let near: Vec<usize> = (0..world.bodies.len())
            .filter(is_meant)
            .filter(is_near_side)
            .collect();
        let meets = crate::layers::Meets::new(&world.bodies);
        for (place, &a) in near.iter().enumerate() {
            for &b in &near[place + 1..] {
                let (one, other) = (&world.bodies[a].start, world.bodies[b].start);
                let position = self.nearest(one.position, other.position);
                let reach = model(a).bounding_radius() + model(b).bounding_radius();
                if position == other.position
                    || (position - one.position).length() > reach
                    || meets.are_apart(a as u32, b as u32)
                    || !(model(a).is_movable() || model(b).is_movable())
                {
                    continue;
                }
                let image = State { position, ..other };
                let gap = closest(model(a), one, model(b), &image).gap;
                if gap < -allowed {
                    return Some((a, b, -gap));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube() -> Periodic {
        Periodic::new(Vec3::ZERO, Vec3::splat(2.0), [true, true, false], 0.1)
    }

    fn flight(position: [f64; 3], velocity: [f64; 3]) -> Flight {
        Flight {
            start: Tick::ZERO,
            position: Vec3::from_array(position),
            velocity: Vec3::from_array(velocity),
            model: physics::ModelId::at(0),
            body: 0,
        }
    }

    #[test]
    fn what_leaves_comes_in_on_the_other_side() {
        let cube = cube();
        let out = flight([1.5, 1.0, 1.0], [0.5, -0.25, 9.0]);
        let at = cube.crossing(&out);
        assert_eq!(at, Tick(Tick::from_seconds(1.0).0 + 1));
        let gone = out.position + out.velocity * at.seconds();
        let inside = cube.inside(gone);
        assert!(inside.x >= 0.0 && inside.x < 1e-11 && inside.y == gone.y);
        assert_eq!(inside.z, gone.z);
        assert_eq!(cube.crossing(&flight([1.0; 3], [0.0, 0.0, 3.0])), Tick::MAX);
    }

    #[test]
    fn images_are_found_where_they_are_and_nowhere_else() {
        let cube = cube();
        let (a, b) = (
            flight([0.05, 1.0, 1.0], [0.0; 3]),
            flight([1.95, 1.0, 1.0], [0.0; 3]),
        );
        let images = |a: &Flight, b: &Flight, until: f64| {
            let mut found = Vec::new();
            cube.each_image(a, b, 0.2, Tick::from_seconds(until), |i| {
                found.push(cube.shift(i))
            });
            found
        };
        assert_eq!(images(&a, &b, 1.0), [Vec3::new(-2.0, 0.0, 0.0)]);
        assert_eq!(images(&b, &a, 1.0), [Vec3::new(2.0, 0.0, 0.0)]);
        let far = flight([1.0, 1.0, 1.0], [0.0; 3]);
        assert!(images(&a, &far, 1.0).is_empty());
        let fast = flight([1.0, 1.0, 1.0], [-1.0, 0.0, 0.0]);
        assert_eq!(images(&a, &fast, 1.0), [Vec3::ZERO]);
        assert!(images(&a, &fast, 0.5).is_empty());
        assert_eq!(cube.nearest(a.position, b.position).x, b.position.x - 2.0);
        assert_eq!(cube.shift(Image::ITSELF), Vec3::ZERO);
    }
}
