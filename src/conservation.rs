//! `check --conservation`: momentum and angular momentum, for every committed event and every step of a
//! contact group.
//!
//! An event changes the momentum of nobody but its participants: over all bodies that it ties together,
//! the changes cancel. Over a step, a group gains what gravity gives and nothing else. Where something
//! outside takes part (a fixed, scripted or sleeping body, a force field, damping, an input, cloth) no sum
//! is known, and the event or step is left out; so is falling asleep, which takes from a calm body the little that it still
//! moves by. Fixed planes without friction only push along their normals: what lies across is checked.
//!
//! A member of a large group that is hit within a step gets its momentum at once and gives way when the next step begins.
//! Over such a step the momentum of all members is checked, and the angular momentum is not: they move otherwise than their
//! momentum says until it ends.

use crate::changes::{Bookkeeper, Change};
use crate::wording::short;
use physics::contact::closest;
use physics::{BodyModel, Shape, State, Vec3};
use record::{Event, NO_GROUP};
use sim::{BodyId, Kind, World};
use std::collections::HashMap;
use warp::Tick;

/// Error tolerated, relative to the momenta that take part: some thousand roundings.
pub const TOLERANCE: f64 = 1e-12;

/// What a step or event did to the sums.
#[derive(Clone, Debug, Default)]
pub struct Worst {
    /// Largest error, relative to the momenta that took part.
    pub relative: f64,
    /// When, s.
    pub at: f64,
    /// Where: what happened, to whom.
    pub place: String,
}

/// The books of momentum.
pub struct Conservation<'w> {
    world: &'w World,
    immovable: Vec<u32>,
    /// By body: whether a joint ties it to something that is not free.
    is_tied: Vec<bool>,
    /// Sleepers, with the state they sleep in.
    asleep: Vec<Option<State>>,
    /// By group, how many members it has that are awake, and what those have done that were hit since its step began.
    sizes: HashMap<u32, usize>,
    hit: HashMap<u32, Part>,
    checked: [u64; 2],
    left_out: [u64; 2],
    /// Linear and angular.
    worst: [Worst; 2],
}

/// What members of a group have done in parts of a step.
#[derive(Default)]
struct Part {
    sum: Sum,
    normals: Vec<Vec3>,
    /// Whether something outside takes part.
    is_open: bool,
}

/// Sums over some bodies.
#[derive(Clone, Copy, Default)]
struct Sum {
    linear: Vec3,
    angular: Vec3,
    linear_scale: f64,
    angular_scale: f64,
    /// What gravity gives in the tick to which a step's end is rounded.
    linear_tick: f64,
    angular_tick: f64,
}

impl Sum {
    fn add(&mut self, model: &BodyModel, state: &State, centre: Vec3, sign: f64) {
        let mass = model.mass;
        let linear = state.velocity * mass.mass;
        let arm = state.position - centre;
        let turning = state.rotation * (mass.inertia * (state.rotation.inverse() * state.spin));
        self.linear += linear * sign;
        self.angular += (arm.cross(linear) + turning) * sign;
        self.linear_scale += linear.length();
        self.angular_scale += arm.length() * linear.length() + turning.length();
    }

    /// Takes off what gravity does from `start` to `end` in `seconds`, on a straight way.
    fn fall(&mut self, model: &BodyModel, ends: [&State; 2], centre: Vec3, seconds: f64) {
        let weight = model.gravity * (model.mass.mass * seconds);
        let middle = 0.5 * (ends[0].position + ends[1].position) - centre;
        self.linear -= weight;
        self.angular -= middle.cross(weight);
        self.linear_scale += weight.length();
        self.angular_scale += middle.length() * weight.length();
        let tick = weight.length() * Tick(1).seconds() / seconds;
        self.linear_tick += tick;
        self.angular_tick += middle.length() * tick;
    }
}

impl<'w> Conservation<'w> {
    /// Opens the books of a world.
    pub fn new(world: &'w World) -> Self {
        let bodies = world.bodies.len();
        let is_movable = |b: u32| world.model(BodyId(b)).is_movable();
        let mut is_tied = vec![false; bodies];
        for joint in &world.joints {
            let [a, b] = joint.bodies;
            if !is_movable(a) || !is_movable(b) {
                is_tied[a as usize] = true;
                is_tied[b as usize] = true;
            }
        }
        Conservation {
            world,
            immovable: (0..bodies as u32).filter(|b| !is_movable(*b)).collect(),
            is_tied,
            asleep: vec![None; bodies],
            sizes: HashMap::new(),
            hit: HashMap::new(),
            checked: [0; 2],
            left_out: [0; 2],
            worst: Default::default(),
        }
    }

    /// The largest relative errors, linear and angular.
    pub fn worst(&self) -> &[Worst; 2] {
        &self.worst
    }

    /// Whether nothing could be checked.
    pub fn is_empty(&self) -> bool {
        self.checked == [0; 2]
    }

    /// What was found, for people.
    pub fn report(&self) -> String {
        let [events, steps] = self.checked;
        let [open_events, open_steps] = self.left_out;
        let mut text = format!(
            "\nmomentum checked over {events} events and {steps} steps of groups \
             (left out, for what acts from outside: {open_events} and {open_steps})\n"
        );
        for (name, worst) in ["momentum", "angular momentum"].iter().zip(&self.worst) {
            text += &format!(
                "largest relative error of {name}: {}",
                short(worst.relative)
            );
            if worst.relative > 0.0 {
                text += &format!(", at {} s, {}", short(worst.at), worst.place);
            }
            text += "\n";
        }
        text
    }

    fn model(&self, body: u32) -> &'w BodyModel {
        self.world.model(BodyId(body))
    }

    /// Whether a force other than gravity acts on a body by itself, or a joint ties it to the world.
    fn is_driven(&self, body: u32) -> bool {
        let model = self.model(body);
        model.field.is_some() || model.damping != [0.0; 2] || self.is_tied[body as usize]
    }

    /// What outside may have touched a body between two states: nothing, planes without friction (their
    /// normals are added), or something that may do anything (`None`).
    fn outside(&self, change: &Change, seconds: f64, normals: &mut Vec<Vec3>) -> Option<()> {
        let margin = self.world.contact.as_ref().map_or(0.0, |c| c.margin);
        let model = self.model(change.body);
        let ends = [change.start, change.before, change.after];
        let fastest = ends
            .iter()
            .flatten()
            .map(|s| s.velocity.length() + s.spin.length() * model.bounding_radius());
        let reach = 2.0 * margin + fastest.fold(0.0, f64::max) * seconds;
        let is_near = |other: u32, state: &State| {
            let near = |s: &State| closest(model, s, self.model(other), state).gap <= reach;
            ends.iter().flatten().any(near)
        };
        for &other in &self.immovable {
            let body = &self.world.bodies[other as usize];
            if body.kind == Kind::Kinematic {
                return None;
            }
            if is_near(other, &body.start) {
                normals.push(self.smooth_plane(change.body, other)?);
            }
        }
        let sleeping = |(b, state): (usize, &Option<State>)| {
            b != change.body as usize && state.is_some_and(|s| is_near(b as u32, &s))
        };
        let touches = self.asleep.iter().enumerate().any(sleeping);
        (!touches).then_some(())
    }

    /// The normal of a fixed plane that pushes a body along it and in no other direction.
    fn smooth_plane(&self, body: u32, plane: u32) -> Option<Vec3> {
        let (own, other) = (self.model(body), self.model(plane));
        if own.meeting(other).material.friction != 0.0 {
            return None;
        }
        match &other.collider.described[..] {
            [part] => match part.shape {
                Shape::HalfSpace { normal } => normal.try_normalize(),
                _ => None,
            },
            _ => None,
        }
    }

    /// Notes the error that is left when smooth planes have pushed along `normals`: they give no momentum
    /// across, and no angular momentum about a normal, if there is but one.
    fn note(&mut self, sum: &Sum, normals: &[Vec3], tick: Tick, place: impl Fn() -> String) {
        let axes = independent(normals);
        let across = |v: Vec3| axes.iter().fold(v, |v, n| v - *n * v.dot(*n));
        let angular = match &axes[..] {
            [] => sum.angular.length(),
            [normal] => sum.angular.dot(*normal).abs(),
            _ => 0.0,
        };
        let errors = [
            (across(sum.linear).length() - sum.linear_tick).max(0.0) / sum.linear_scale,
            (angular - sum.angular_tick).max(0.0) / sum.angular_scale,
        ];
        for (worst, error) in self.worst.iter_mut().zip(errors) {
            if error > worst.relative {
                *worst = Worst {
                    relative: error,
                    at: tick.seconds(),
                    place: place(),
                };
            }
        }
    }

    fn names(&self, bodies: impl Iterator<Item = u32>) -> String {
        let mut bodies: Vec<u32> = bodies.collect();
        bodies.sort_unstable();
        bodies.dedup();
        let shown = bodies.iter().take(3);
        let shown: Vec<&str> = shown
            .map(|b| self.world.bodies[*b as usize].name.as_str())
            .collect();
        let more = match bodies.len() {
            n if n > 3 => format!(" and {} more", n - 3),
            _ => String::new(),
        };
        format!("`{}`{more}", shown.join("`, `"))
    }

    /// What members do from where their segments begin until now.
    fn part(&self, tick: Tick, members: &[&Change], part: &mut Part) {
        let centre = self.centre(members);
        for change in members {
            let seconds = tick.since(change.since);
            if seconds <= 0.0 || part.is_open {
                continue;
            }
            let is_touched = self.outside(change, seconds, &mut part.normals).is_none();
            part.is_open |= self.is_driven(change.body) || is_touched;
            let model = self.model(change.body);
            if let (Some(start), Some(end)) = (change.start, change.before) {
                part.sum.add(model, &end, centre, 1.0);
                part.sum.add(model, &start, centre, -1.0);
                part.sum.fall(model, [&start, &end], centre, seconds);
            }
        }
    }

    /// A group over the step, or the part of one, that ends now for these of its members. What is hit within a step ends
    /// its part of it alone.
    fn step(&mut self, tick: Tick, members: &[&Change]) {
        let group = members[0].groups[0];
        let before = self.hit.remove(&group);
        let was_hit = before.is_some();
        let mut part = before.unwrap_or_default();
        self.part(tick, members, &mut part);
        if members.len() < self.sizes.get(&group).copied().unwrap_or(0) {
            self.hit.insert(group, part);
            return;
        }
        if part.is_open {
            self.left_out[1] += 1;
            return;
        }
        if part.sum.linear_scale == 0.0 {
            return;
        }
        if was_hit {
            part.sum.angular = Vec3::ZERO;
        }
        self.checked[1] += 1;
        let world = self.world;
        self.note(&part.sum, &part.normals, tick, || {
            format!("a step of {}", group_name(world, members))
        });
    }

    /// Keeps count of the groups' members that are awake, and of who sleeps.
    fn count(&mut self, change: &Change) {
        let asleep = &mut self.asleep[change.body as usize];
        if change.groups[0] != NO_GROUP
            && asleep.is_none()
            && let Some(size) = self.sizes.get_mut(&change.groups[0])
        {
            *size = size.saturating_sub(1);
        }
        let sleeps = change.event == Some(Event::Rest);
        *asleep = change.after.filter(|_| sleeps);
        if change.groups[1] != NO_GROUP && asleep.is_none() && change.after.is_some() {
            *self.sizes.entry(change.groups[1]).or_default() += 1;
        }
    }

    /// Bodies that an event ties together.
    fn event(&mut self, tick: Tick, parts: &[&Change]) {
        let mut normals = Vec::new();
        let is_outside = |c: &&Change| {
            let by_event = matches!(
                c.event,
                None | Some(
                    Event::Start
                        | Event::Leave
                        | Event::Input
                        | Event::Callback
                        | Event::Touch
                        | Event::Rest
                )
            );
            let partner = self.world.bodies.get(c.partner as usize);
            let by_partner = partner.is_some_and(|p| match p.kind {
                Kind::Dynamic => false,
                Kind::Kinematic => true,
                Kind::Fixed => match self.smooth_plane(c.body, c.partner) {
                    Some(normal) => {
                        normals.push(normal);
                        false
                    }
                    None => true,
                },
            });
            let by_group = c.is_grouped()
                && (self.is_driven(c.body) || self.outside(c, 0.0, &mut normals).is_none());
            by_event || by_partner || by_group
        };
        if parts.iter().any(is_outside) {
            self.left_out[0] += 1;
            return;
        }
        let centre = self.centre(parts);
        let mut sum = Sum::default();
        for change in parts {
            let model = self.model(change.body);
            if let (Some(before), Some(after)) = (change.before, change.after) {
                sum.add(model, &after, centre, 1.0);
                sum.add(model, &before, centre, -1.0);
            }
        }
        self.checked[0] += 1;
        let what = parts.iter().find_map(|c| c.event);
        let what = what.map_or(String::new(), |event| format!("{event:?} of "));
        let names = self.names(parts.iter().map(|c| c.body));
        let place = || format!("{}{names}", what.to_lowercase());
        self.note(&sum, &normals, tick, place);
    }

    /// The centre of mass of some bodies.
    fn centre(&self, changes: &[&Change]) -> Vec3 {
        let (mut mass, mut moment) = (0.0, Vec3::ZERO);
        for change in changes {
            let own = self.model(change.body).mass.mass;
            if let Some(state) = change.before {
                mass += own;
                moment += state.position * own;
            }
        }
        if mass > 0.0 {
            moment / mass
        } else {
            Vec3::ZERO
        }
    }
}

/// Unit vectors along and across each other that reach all that `normals` reach.
fn independent(normals: &[Vec3]) -> Vec<Vec3> {
    let mut axes: Vec<Vec3> = Vec::new();
    for normal in normals {
        let rest = axes.iter().fold(*normal, |v, n| v - *n * v.dot(*n));
        if rest.length() > 1e-6 {
            axes.push(rest.normalize());
        }
    }
    axes
}

fn group_name(world: &World, members: &[&Change]) -> String {
    let first = members.first().map(|c| c.body as usize);
    let name = first.map_or("", |b| world.bodies[b].name.as_str());
    format!("the group of `{name}` ({} members)", members.len())
}

impl Bookkeeper for Conservation<'_> {
    fn moment(&mut self, tick: Tick, changes: &[Change]) {
        // What moves as a group until now, by the group's name.
        let mut grouped: Vec<&Change> = changes
            .iter()
            .filter(|c| c.groups[0] != NO_GROUP && self.asleep[c.body as usize].is_none())
            .collect();
        grouped.sort_by_key(|c| (c.groups[0], c.since, c.body));
        for members in grouped.chunk_by(|a, b| a.groups[0] == b.groups[0]) {
            self.step(tick, members);
        }
        for parts in components(self.world, changes) {
            self.event(tick, &parts);
        }
        for change in changes {
            self.count(change);
        }
    }
}

/// The changes of one tick by who is tied to whom: partners, and members of one group before or after.
fn components<'c>(world: &World, changes: &'c [Change]) -> Vec<Vec<&'c Change>> {
    let mut parent: Vec<usize> = (0..changes.len()).collect();
    fn root(parent: &[usize], mut at: usize) -> usize {
        while parent[at] != at {
            at = parent[at];
        }
        at
    }
    // A body, its partner and its groups are keys that tie the changes that have them.
    let mut keys: Vec<((u8, u32), usize)> = Vec::new();
    for (index, change) in changes.iter().enumerate() {
        keys.push(((0, change.body), index));
        let partner = world.bodies.get(change.partner as usize);
        if partner.is_some_and(|p| p.kind == Kind::Dynamic) {
            keys.push(((0, change.partner), index));
        }
        for group in change.groups {
            if group != NO_GROUP {
                keys.push(((1, group), index));
            }
        }
    }
    keys.sort_unstable();
    for pair in keys.windows(2) {
        if pair[0].0 == pair[1].0 {
            let (a, b) = (root(&parent, pair[0].1), root(&parent, pair[1].1));
            parent[a.max(b)] = a.min(b);
        }
    }
    let mut parts: Vec<Vec<&Change>> = changes.iter().map(|_| Vec::new()).collect();
    for (index, change) in changes.iter().enumerate() {
        parts[root(&parent, index)].push(change);
    }
    parts.retain(|part| !part.is_empty());
    parts
}
