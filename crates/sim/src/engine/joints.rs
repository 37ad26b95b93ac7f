//! Joints in the engine. Bodies that joints connect are always in one contact group, or asleep together: whoever
//! takes part in a group's event brings along all that is joined to it, and group checks never part them.
//! A body that finds itself alone (at the start of the run, or where an input has put it) joins the others
//! at once.

use super::groups::{Joining, NO_MEMBER, Workshop};
use super::regroup::Gathering;
use super::{Engine, Pending};
use crate::contact::ContactRules;
use crate::layers::Meets;
use crate::world::{BodyId, Kind as BodyKind, World};
use physics::joints::Link;
use record::Event;
use warp::{EventOrder, NodeId, ProcessId};

/// Who is joined to whom: constant for a world.
#[derive(Debug, Default)]
pub(super) struct Ties {
    /// Per body: its joints by number; empty in a world without joints.
    at: Vec<Vec<u32>>,
    /// Pairs of joined bodies that do not collide, the lower number first, sorted.
    apart: Vec<(u32, u32)>,
    /// Whose layers meet.
    meets: Meets,
}

impl Ties {
    pub fn new(world: &World) -> Self {
        if world.joints.is_empty() {
            return Ties {
                apart: world.apart(),
                meets: Meets::new(&world.bodies),
                ..Ties::default()
            };
        }
        let mut at = vec![Vec::new(); world.bodies.len()];
        for (number, joint) in world.joints.iter().enumerate() {
            for body in joint.bodies {
                at[body as usize].push(number as u32);
            }
        }
        Ties {
            at,
            apart: world.apart(),
            meets: Meets::new(&world.bodies),
        }
    }

    /// Whether somebody does not meet everybody.
    pub fn has_layers(&self) -> bool {
        !self.meets.is_empty()
    }

    pub fn is_empty(&self) -> bool {
        self.at.is_empty()
    }

    /// Whether a body has joints.
    pub fn is_tied(&self, body: u32) -> bool {
        !self.of(body).is_empty()
    }

    /// The joints of a body.
    fn of(&self, body: u32) -> &[u32] {
        self.at.get(body as usize).map_or(&[], Vec::as_slice)
    }

    /// Whether two bodies, the lower number first, never collide: they are joined, or their layers do not
    /// meet.
    #[inline]
    pub fn is_apart(&self, a: u32, b: u32) -> bool {
        (!self.apart.is_empty() && self.apart.binary_search(&(a, b)).is_ok())
            || self.meets.are_apart(a, b)
    }
}

/// A joint of a group: its number, and the places of its bodies among members and neighbours.
pub(super) type Tie = (u32, [u32; 2]);

/// A step that a script's corner shortens is at least this part of a whole one.
const SHORTEST_PART: i64 = 64;

impl Engine {
    /// The bodies that joints connect with a body.
    fn joined(&self, body: u32) -> impl Iterator<Item = u32> {
        let other = move |number: &u32| {
            let [a, b] = self.world.joints[*number as usize].bodies;
            if a == body { b } else { a }
        };
        self.ties.of(body).iter().map(other)
    }

    /// Whether a body is one that groups take in: movable, and there at `order`.
    fn takes_part(&self, body: u32, order: EventOrder) -> Option<NodeId> {
        let node = self.lines.covering(ProcessId(body), order)?;
        let is_there = self.lines.model(node) != self.models.absent();
        (is_there && self.world.model(BodyId(body)).is_movable()).then_some(node)
    }

    /// Adds to bodies that take part in an event whoever is joined to them, and the groups these are in.
    /// `without` stays out of it.
    pub(super) fn take_along(
        &self,
        order: EventOrder,
        bodies: &mut Vec<u32>,
        old: &mut Vec<ProcessId>,
        without: Option<BodyId>,
    ) {
        loop {
            bodies.sort_unstable();
            bodies.dedup();
            if self.ties.is_empty() && self.multibodies.is_empty() {
                return;
            }
            let mut more = Vec::new();
            let held = |b: &u32| self.joined(*b).chain(self.linked(*b));
            for other in bodies.iter().flat_map(held) {
                if bodies.binary_search(&other).is_ok() || without == Some(BodyId(other)) {
                    continue;
                }
                let Some(node) = self.takes_part(other, order) else {
                    continue;
                };
                more.push(other);
                if let Some(group) = self.lines.group_of(node) {
                    more.extend(self.members_at(group, order));
                    old.push(group);
                }
            }
            if more.is_empty() {
                return;
            }
            bodies.append(&mut more);
        }
    }

    /// The bodies joined to one that is taken away.
    pub(super) fn left_by(&self, body: BodyId, order: EventOrder) -> Vec<u32> {
        let others = self.joined(body.0);
        others
            .filter(|b| self.takes_part(*b, order).is_some())
            .collect()
    }

    /// Schedules that a body on its own joins those it is connected with.
    pub(super) fn arm_joints(&mut self, node: NodeId) {
        let body = self.lines.flight(node).body;
        if self.ties.of(body).is_empty()
            || self.world.bodies[body as usize].kind != BodyKind::Dynamic
            || self.lines.model(node) == self.models.absent()
            || self.lines.group_of(node).is_some()
            || self.lines.is_asleep(node)
        {
            return;
        }
        let start = self.lines.start(node);
        // Before GVT it has been found already that nobody is there to join.
        if start.tick >= self.gvt && start.tick < self.world.until {
            let reference = self.lines.reference(node);
            self.agenda.push(Pending::join(start, body, reference));
        }
    }

    /// A body that was on its own becomes a group with all that it is joined to.
    pub(super) fn gather_joined(&mut self, entry: &Pending) -> Option<Gathering> {
        let body = self.lines.body_of(entry.a.node).0;
        let mut gathering = self.gather(entry.order(), vec![body], Vec::new())?;
        let is_held = |b: u32| !self.world.model(BodyId(b)).is_movable();
        let is_link = self.multibodies.link(body).is_some();
        if gathering.bodies.len() == 1 && !is_link && !self.joined(body).any(is_held) {
            return None;
        }
        gathering.event = Event::Fusion;
        Some(gathering)
    }

    /// Lists the joints of a step's bodies, and makes those that do not yield neighbours.
    pub(super) fn find_ties(&self, bodies: &[Joining], workshop: &mut Workshop) {
        workshop.ties.clear();
        if self.ties.is_empty() {
            return;
        }
        let count = bodies.len() as u32;
        let near = workshop.neighbours.len();
        for joining in bodies {
            let body = joining.body.0;
            for &number in self.ties.of(body) {
                let ends = self.world.joints[number as usize].bodies;
                let other = if ends[0] == body { ends[1] } else { ends[0] };
                let is_member = workshop.places[other as usize] != NO_MEMBER;
                let is_movable = self.world.model(BodyId(other)).is_movable();
                // Of two members the first one tells; a movable body that is no member is not there.
                if (is_member && ends[0] != body) || (!is_member && is_movable) {
                    continue;
                }
                let places = ends.map(|end| match workshop.places[end as usize] {
                    NO_MEMBER => count + neighbour(&mut workshop.neighbours, near, end),
                    place => place,
                });
                workshop.ties.push((number, places));
            }
        }
        workshop.ties.sort_unstable();
    }

    /// The joints through which a blow on two bodies passes, and the bodies at them that do not yield.
    pub(super) fn ties_from(&self, bodies: &[Joining], struck: [u32; 2]) -> (Vec<Tie>, Vec<u32>) {
        let (mut ties, mut neighbours): (Vec<Tie>, Vec<u32>) = Default::default();
        if self.ties.is_empty() {
            return (ties, neighbours);
        }
        let place = |body: u32| bodies.binary_search_by_key(&body, |j| j.body.0).ok();
        let mut is_reached = vec![false; bodies.len()];
        let mut reached: Vec<usize> = struck.into_iter().filter_map(place).collect();
        reached.iter().for_each(|r| is_reached[*r] = true);
        while let Some(at) = reached.pop() {
            let body = bodies[at].body.0;
            for (&number, other) in self.ties.of(body).iter().zip(self.joined(body)) {
                let ends = self.world.joints[number as usize].bodies;
                match place(other) {
                    Some(next) if !is_reached[next] => {
                        is_reached[next] = true;
                        reached.push(next);
                    }
                    // A movable body that is no member is not there.
                    None if self.world.model(BodyId(other)).is_movable() => continue,
                    _ => {}
                }
                let places = ends.map(|end| match place(end) {
                    Some(place) => place as u32,
                    None => bodies.len() as u32 + neighbour(&mut neighbours, 0, end),
                });
                ties.push((number, places));
            }
        }
        ties.sort_unstable();
        ties.dedup();
        (ties, neighbours)
    }

    /// How long a step from here is: up to the next corner in the script of a kinematic body near it, if that is earlier
    /// than its usual end. (Cut there, it would leave bodies on the chord of an arc.) Where the corner is so near that no
    /// solver could make a step of that length, and with solvers that keep bodies apart (what they move bodies aside by
    /// would be a great speed in it), it is cut there all the same.
    pub(super) fn ticks_to_corner(&self, rules: &ContactRules, order: EventOrder) -> i64 {
        let corner = self.next_corner(order).0;
        let left = corner.saturating_sub(order.moment.tick.0);
        let whole = rules.step_ticks();
        match rules.solver.keeps_apart() || left < whole / SHORTEST_PART {
            true => whole,
            false => whole.min(left),
        }
    }

    /// Joints as a solver wants them.
    pub(super) fn links<'a>(world: &'a World, ties: &[Tie]) -> Vec<Link<'a>> {
        let link = |&(number, places): &Tie| Link {
            joint: &world.joints[number as usize],
            number,
            places,
        };
        ties.iter().map(link).collect()
    }

    /// Outdates the steps after `after` of groups that are joined to a kinematic body: they read its path.
    pub(super) fn outdate_joined_steps(&mut self, node: NodeId, after: EventOrder) {
        let body = self.lines.flight(node).body;
        if self.ties.of(body).is_empty()
            || self.world.bodies[body as usize].kind != BodyKind::Kinematic
        {
            return;
        }
        let joined: Vec<u32> = self.joined(body).collect();
        for other in joined {
            self.outdate_steps_of(ProcessId(other), after);
        }
    }
}

/// Place of a body among the neighbours, of which the first `near` are sorted; it is added if need be.
fn neighbour(neighbours: &mut Vec<u32>, near: usize, body: u32) -> u32 {
    let found = match neighbours[..near].binary_search(&body) {
        Ok(place) => Some(place),
        Err(_) => (near..neighbours.len()).find(|k| neighbours[*k] == body),
    };
    let place = found.unwrap_or_else(|| {
        neighbours.push(body);
        neighbours.len() - 1
    });
    place as u32
}

impl Workshop {
    /// Bodies outside a group of `members` that joints connect it with.
    pub(super) fn tied_neighbours(&self, members: usize) -> impl Iterator<Item = u32> {
        let ends = self.ties.iter().flat_map(|(_, places)| *places);
        let outside = ends.filter_map(move |place| (place as usize).checked_sub(members));
        outside.map(|index| self.neighbours[index])
    }
}

impl Pending {
    /// A body that began to be alone at `start` joins those that it is connected with.
    pub(super) fn join(start: warp::Moment, body: u32, a: warp::NodeRef) -> Self {
        Pending::alarm(super::Kind::GroupStep, start.tick, body, a).after(start)
    }
}
