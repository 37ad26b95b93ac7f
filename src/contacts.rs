//! Contact events: who hit whom and how hard, who began and ceased to press against whom, who got into a sensor and out
//! of it. They are a function of the committed history and of nothing else, so every executor tells the same ones,
//! each once, and never takes one back.
//!
//! Hits are collisions. Touching that lasts is what solvers of contact groups remember of their steps; its ends are as
//! fine as the steps. A sensor pushes nobody, so nothing in the history speaks of it: trajectories are evaluated again,
//! a sixty-fourth of a second at a time, with steps that no overlap of more than a tenth of a millimetre escapes.

use physics::contact::closest;
use physics::{BodyModel, Flight, ModelId, Motion, Quat, State, Turn, Vec3};
use record::{Contact, Event, Segment, Touch};
use sim::{GroupContacts, History, Kind, Told, World};
use std::collections::BTreeSet;
use std::sync::Arc;
use warp::Tick;

/// Log2 of the ticks of a stretch in which sensors are looked at: they begin at the same moments whoever asks.
const PAGE_LOG2: u32 = 34;
/// An overlap with a sensor that is shallower than this may not be noticed, metres.
const SHALLOW: f64 = 1e-4;

/// A body, as far as contacts are concerned.
#[derive(Clone)]
struct Known {
    kind: Kind,
    is_sensor: bool,
    /// On its own, and as a member of a group.
    models: [Arc<BodyModel>; 2],
}

/// A committed segment that can be evaluated.
#[derive(Clone)]
struct Course {
    flight: Flight,
    turn: Turn,
    model: Arc<BodyModel>,
    is_there: bool,
}

/// Makes contact events of committed history. See the module's text.
#[derive(Clone)]
pub struct Contacts {
    bodies: Vec<Known>,
    sensors: Vec<u32>,
    /// Whom each body presses against.
    touching: Vec<Vec<u32>>,
    /// Sensors, and who is in them.
    inside: BTreeSet<[u32; 2]>,
    /// Of each body, the segments that sensors have not seen the end of; empty where there is no sensor.
    courses: Vec<Vec<Course>>,
    /// The stretch that sensors look at next.
    page: i64,
    /// Where the world ends.
    until: Tick,
    fresh: Vec<Contact>,
    told: Vec<Contact>,
}

impl Contacts {
    /// Contacts of a world from its start.
    pub fn new(world: &World) -> Self {
        let mut contacts = Contacts {
            bodies: Vec::new(),
            sensors: Vec::new(),
            touching: Vec::new(),
            inside: BTreeSet::new(),
            courses: Vec::new(),
            page: 0,
            until: world.until,
            fresh: Vec::new(),
            told: Vec::new(),
        };
        contacts.know(world);
        contacts
    }

    /// Looks at the world again: bodies were added to it.
    pub fn know(&mut self, world: &World) {
        let known = |body: &sim::Body| Known {
            kind: body.kind,
            is_sensor: body.is_sensor,
            models: [body.model, body.model.carried()]
                .map(|id| Arc::clone(&world.models[id.place()])),
        };
        self.bodies = world.bodies.iter().map(known).collect();
        let sensors = (0..).zip(&self.bodies).filter(|(_, body)| body.is_sensor);
        self.sensors = sensors.map(|(number, _)| number).collect();
        self.touching.resize(self.bodies.len(), Vec::new());
        self.courses.resize(self.bodies.len(), Vec::new());
    }

    /// What has happened since this was last asked, in the order of time.
    pub fn take(&mut self) -> Vec<Contact> {
        std::mem::take(&mut self.told)
    }

    /// What a run had told before this one branched off it. Hits follow from the segments, and what sensors saw as well.
    pub fn recall(&mut self, contact: &Contact) {
        let [a, b] = contact.bodies;
        let known = self.touching[a as usize].contains(&b);
        match contact.touch {
            Touch::Begin if !known => {
                self.touching[a as usize].push(b);
                self.touching[b as usize].push(a);
                self.fresh.push(*contact);
            }
            Touch::End if known => self.part(contact.tick, contact.bodies),
            _ => {}
        }
    }

    /// The run ends here: looks at what is left of the last stretch.
    pub fn finish(&mut self, end: Tick) {
        self.look(end);
        self.settle();
    }

    fn note(&mut self, tick: i64, touch: Touch, bodies: [u32; 2], impulse: f64) {
        self.fresh.push(Contact {
            tick,
            touch,
            bodies,
            impulse,
        });
    }

    /// Two bodies no longer press against each other.
    fn part(&mut self, tick: i64, bodies: [u32; 2]) {
        let [a, b] = bodies;
        self.touching[a as usize].retain(|other| *other != b);
        self.touching[b as usize].retain(|other| *other != a);
        self.note(tick, Touch::End, [a.min(b), a.max(b)], 0.0);
    }

    /// A collision is told once, by the lower number of those that can move.
    fn note_hit(&mut self, segment: &Segment<'_>) {
        let is_hit = matches!(segment.event, Event::Collision | Event::Fusion);
        let (body, partner) = (segment.body, segment.partner);
        let Some(other) = self.bodies.get(partner as usize) else {
            return;
        };
        if is_hit && segment.impulse > 0.0 && (other.kind != Kind::Dynamic || body < partner) {
            let bodies = [body.min(partner), body.max(partner)];
            self.note(segment.start, Touch::Hit, bodies, segment.impulse);
        }
    }

    /// Hands over what is known, in order.
    fn settle(&mut self) {
        self.arrange();
        self.told.append(&mut self.fresh);
    }

    /// Sorts what is new by time and bodies; what one pair does at one tick stays in the order in which it was told.
    /// Who lets go and takes hold again at one tick, in a bounce, has not let go.
    fn arrange(&mut self) {
        self.fresh.sort_by_key(|c| (c.tick, c.bodies));
        let mut place = 0;
        while place + 1 < self.fresh.len() {
            let [first, second] = [self.fresh[place], self.fresh[place + 1]];
            let is_same = (first.tick, first.bodies) == (second.tick, second.bodies);
            if is_same && (first.touch, second.touch) == (Touch::End, Touch::Begin) {
                self.fresh.drain(place..place + 2);
                place = place.saturating_sub(1);
            } else {
                place += 1;
            }
        }
    }

    /// Looks at all sensors up to a tick.
    fn look(&mut self, to: Tick) {
        let from = Tick(self.page << PAGE_LOG2);
        if self.sensors.is_empty() || to <= from {
            return;
        }
        for sensor in self.sensors.clone() {
            for body in 0..self.bodies.len() as u32 {
                let about = &self.bodies[body as usize];
                if body != sensor && !about.is_sensor && about.kind != Kind::Fixed {
                    self.watch(sensor, body, from, to);
                }
            }
        }
        for courses in &mut self.courses {
            let last = courses.iter().rposition(|c| c.flight.start <= to);
            courses.drain(..last.unwrap_or(0));
        }
    }

    /// Follows a body and a sensor from one tick to the other.
    fn watch(&mut self, sensor: u32, body: u32, from: Tick, to: Tick) {
        let mut was_inside = self.inside.contains(&[sensor, body]);
        let mut pair = [sensor, body].map(|b| std::mem::take(&mut self.courses[b as usize]));
        let mut at = from;
        let mut found = Vec::new();
        while at < to {
            let [Some(a), Some(b)] = [0, 1].map(|k| place(&pair[k], at)) else {
                break;
            };
            let ends = [(0, a), (1, b)].map(|(k, place)| {
                let next: Option<&Course> = pair[k].get(place + 1);
                next.map_or(to, |course| course.flight.start.min(to))
            });
            let end = ends[0].min(ends[1]);
            let [ours, theirs] = &mut pair;
            follow(
                (&mut ours[a], &mut theirs[b]),
                (at, end),
                &mut was_inside,
                &mut found,
            );
            at = end;
        }
        let [ours, theirs] = pair;
        self.courses[sensor as usize] = ours;
        self.courses[body as usize] = theirs;
        for (tick, is_inside) in found {
            let touch = if is_inside { Touch::Enter } else { Touch::Exit };
            self.note(tick.0, touch, [sensor, body], 0.0);
        }
        match was_inside {
            true => self.inside.insert([sensor, body]),
            false => self.inside.remove(&[sensor, body]),
        };
    }
}

/// The segment that covers a tick.
fn place(courses: &[Course], at: Tick) -> Option<usize> {
    courses.iter().rposition(|c| c.flight.start <= at)
}

/// Notes the ticks in `from..to` at which two bodies begin or cease to overlap.
fn follow(
    (a, b): (&mut Course, &mut Course),
    (from, to): (Tick, Tick),
    was_inside: &mut bool,
    found: &mut Vec<(Tick, bool)>,
) {
    if !(a.is_there && b.is_there) {
        if *was_inside {
            *was_inside = false;
            found.push((from, false));
        }
        return;
    }
    let mut at = from;
    let mut before = from;
    while at < to {
        let gap = gap_at(a, b, at);
        if (gap < 0.0) != *was_inside {
            *was_inside = gap < 0.0;
            found.push((crossing(a, b, before, at, *was_inside), *was_inside));
        }
        before = at;
        let fastest = a.rate(at, to) + b.rate(at, to);
        let seconds = gap.abs().max(SHALLOW) / fastest.max(1e-12);
        at = at.saturating_add(Tick::from_seconds(seconds.min(1.0)).0.max(1));
    }
}

/// The first tick at which it is so, between one at which it is not and one at which it is.
fn crossing(a: &mut Course, b: &mut Course, before: Tick, after: Tick, is_inside: bool) -> Tick {
    let (mut low, mut high) = (before, after);
    while high.0 - low.0 > 1 {
        let middle = Tick(low.0 + (high.0 - low.0) / 2);
        match (gap_at(a, b, middle) < 0.0) == is_inside {
            true => high = middle,
            false => low = middle,
        }
    }
    high
}

/// How far apart two bodies are, metres; negative where they overlap.
fn gap_at(a: &mut Course, b: &mut Course, at: Tick) -> f64 {
    let states = [a.state(at), b.state(at)];
    let radii = a.model.bounding_radius() + b.model.bounding_radius();
    let far = states[0].position.distance(states[1].position) - radii;
    // Balls around them tell most pairs apart; one that has no end is not in a ball.
    if far.is_finite() && far > radii {
        return far;
    }
    closest(&a.model, &states[0], &b.model, &states[1]).gap
}

impl Course {
    fn state(&mut self, at: Tick) -> State {
        self.turn.extend(&self.flight, &self.model, at);
        self.motion().state(at)
    }

    fn motion(&self) -> Motion<'_> {
        Motion {
            model: &self.model,
            flight: &self.flight,
            turn: &self.turn,
        }
    }

    /// The fastest that a point of the body moves from `at` to `to`, m/s.
    fn rate(&mut self, at: Tick, to: Tick) -> f64 {
        let velocity = self.state(at).velocity.length();
        let bounds = self.motion().bounds(at);
        let seconds = to.since(at);
        let pull = bounds.acceleration.length() + bounds.acceleration_slack;
        let radius = self.model.bounding_radius();
        let turning = match radius.is_finite() {
            true => (bounds.spin + bounds.spin_rate * seconds) * radius,
            false => 0.0,
        };
        velocity + pull * seconds + turning
    }
}

/// What is new about contacts in a [`crate::Simulation`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactNews {
    /// They are final: each is told once, in the order of time, and stays true.
    pub committed: Vec<Contact>,
    /// As far as is known now they will be final: not told before, or told and retracted since.
    pub foreseen: Vec<Contact>,
    /// They were foreseen, and a late input has made them untrue.
    pub retracted: Vec<Contact>,
}

/// Follows the contacts of a simulation, in its final history and in what a late input may still change.
#[derive(Clone)]
pub(crate) struct Follower {
    pub contacts: Contacts,
    foreseen: Vec<Contact>,
}

impl Follower {
    pub fn new(world: &World) -> Self {
        Follower {
            contacts: Contacts::new(world),
            foreseen: Vec::new(),
        }
    }

    /// What is new; `foreseen` is all that has been simulated and is not final.
    pub fn news(&mut self, foreseen: Vec<Contact>) -> ContactNews {
        let key = |c: &Contact| (c.order(), c.impulse.to_bits());
        let keys = |list: &[Contact]| list.iter().map(key).collect::<BTreeSet<_>>();
        let committed = self.contacts.take();
        let (before, now) = (keys(&self.foreseen), keys(&foreseen));
        let done = keys(&committed);
        let is_gone = |c: &&Contact| !now.contains(&key(c)) && !done.contains(&key(c));
        let is_new = |c: &&Contact| !before.contains(&key(c));
        let news = ContactNews {
            foreseen: foreseen.iter().filter(is_new).copied().collect(),
            retracted: self.foreseen.iter().filter(is_gone).copied().collect(),
            committed,
        };
        self.foreseen = foreseen;
        news
    }
}

impl History for Contacts {
    fn segment(&mut self, segment: &Segment<'_>) -> Told {
        if segment.event == Event::Continue || segment.body as usize >= self.bodies.len() {
            return Ok(());
        }
        self.note_hit(segment);
        if segment.group == record::NO_GROUP || segment.event == Event::Leave {
            for other in self.touching[segment.body as usize].clone() {
                self.part(segment.start, [segment.body, other]);
            }
        }
        if self.sensors.is_empty() {
            return Ok(());
        }
        let known = &self.bodies[segment.body as usize];
        let is_member = segment.group != record::NO_GROUP;
        let mut model = Arc::clone(&known.models[usize::from(is_member)]);
        let pull = Vec3::from_array(segment.acceleration);
        if model.gravity != pull {
            // An input's force acts on it.
            let mut pulled = (*model).clone();
            pulled.gravity = pull;
            model = Arc::new(pulled);
        }
        let flight = Flight {
            start: Tick(segment.start),
            position: Vec3::from_array(segment.position),
            velocity: Vec3::from_array(segment.velocity),
            model: ModelId::default(),
            body: segment.body,
        };
        let mut turn = Turn::default();
        let rotation = Quat::from_array(segment.rotation);
        turn.begin(rotation, Vec3::from_array(segment.spin), &model);
        self.courses[segment.body as usize].push(Course {
            flight,
            turn,
            model,
            is_there: segment.event != Event::Leave,
        });
        Ok(())
    }

    fn wants_contacts(&self) -> bool {
        true
    }

    fn contacts(&mut self, group: &GroupContacts<'_>) -> Told {
        let presses = |pair: [u32; 2]| {
            group
                .pairs
                .binary_search_by_key(&pair, |p| p.bodies)
                .is_ok()
        };
        for &member in group.members {
            for other in self.touching[member as usize].clone() {
                if !presses([member.min(other), member.max(other)]) {
                    self.part(group.tick.0, [member, other]);
                }
            }
        }
        for pair in group.pairs {
            let [a, b] = pair.bodies;
            if !self.touching[a as usize].contains(&b) {
                self.touching[a as usize].push(b);
                self.touching[b as usize].push(a);
                self.note(group.tick.0, Touch::Begin, pair.bodies, pair.impulse);
            }
        }
        Ok(())
    }

    fn gvt(&mut self, tick: Tick) -> Told {
        let page = tick.min(self.until).0 >> PAGE_LOG2;
        while self.page < page {
            self.look(Tick((self.page + 1) << PAGE_LOG2));
            self.page += 1;
        }
        // What sensors may still tell of this stretch comes before what lies beyond it.
        let end = self.page << PAGE_LOG2;
        if self.sensors.is_empty() {
            self.settle();
            return Ok(());
        }
        self.arrange();
        let due = self.fresh.partition_point(|contact| contact.tick < end);
        self.told.extend(self.fresh.drain(..due));
        Ok(())
    }
}
