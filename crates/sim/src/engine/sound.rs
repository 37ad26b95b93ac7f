//! What a checkpoint must be like before an engine is made from it. A file whose digest is right may still be
//! wrong, made so or made by a program that has a bug: every number in it that something is found by, ordered by
//! or added to is looked at first.

use super::Engine;
use super::restore::{NO_SAVED_GROUP, Saved, SavedSegment, order_in};
use super::worldlines::Process;
use crate::world::{Kind as BodyKind, NOBODY};
use physics::body::Law;
use physics::{ModelId, Vec3};
use warp::{EventOrder, Moment, ProcessId, Tick};

/// The longest past that a file may hold, ticks: four and a half hours.
pub(crate) const LONGEST_PAST: i64 = 1 << 54;
/// What a body may have turned by since its segment began, radians: all of it is integrated again.
const FARTHEST_TURN: f64 = 1e7;
/// A quaternion is of unit length to this.
const UNIT: f64 = 1e-6;

impl Saved {
    /// Says what is wrong with it, if anything. The engine knows the world and has the inputs already.
    pub(super) fn check(&self, engine: &Engine, now: Tick) -> Result<(), String> {
        let gvt = Tick(self.gvt);
        if gvt < Tick::ZERO || now < gvt || now.0 - gvt.0 > LONGEST_PAST {
            return Err("its past is not a stretch of time".into());
        }
        if !(0.0..=super::FARTHEST).contains(&self.widest_reach) {
            return Err("the reach of its groups is no length".into());
        }
        if self.worldlines.len() != engine.lines.lasting() + self.groups.len() {
            return Err("its worldlines are not those of the world".into());
        }
        if engine.world.contact.is_none() && !self.groups.is_empty() {
            return Err("it has contact groups, and the world has none".into());
        }
        for members in &self.groups {
            self.check_members(engine, members)?;
        }
        let check = Check {
            saved: self,
            engine,
            now,
        };
        let numbered = self.worldlines.iter().enumerate();
        for (process, segments) in numbered {
            check.worldline(process, segments)?;
        }
        Ok(())
    }

    fn check_members(&self, engine: &Engine, members: &[u32]) -> Result<(), String> {
        let is_dynamic = |m: &u32| {
            let body = engine.world.bodies.get(*m as usize);
            body.is_some_and(|b| b.kind == BodyKind::Dynamic)
        };
        if members.is_empty()
            || !members.iter().all(is_dynamic)
            || !members.windows(2).all(|w| w[0] < w[1])
        {
            return Err("a contact group has members that are not there".into());
        }
        Ok(())
    }
}

/// A file with the world that it should be of.
struct Check<'a> {
    saved: &'a Saved,
    engine: &'a Engine,
    now: Tick,
}

impl Check<'_> {
    fn worldline(&self, process: usize, segments: &[SavedSegment]) -> Result<(), String> {
        let misplaced = || format!("worldline {process} is not in order");
        let (Some(first), Some(last)) = (segments.first(), segments.last()) else {
            return Err(misplaced());
        };
        let rises = segments.windows(2).all(|w| w[0].order < w[1].order);
        let is_within = |s: &SavedSegment| (0..=self.now.0).contains(&s.order.0);
        if !rises || !segments.iter().all(is_within) {
            return Err(misplaced());
        }
        let gvt = Tick(self.saved.gvt);
        let is_ordinary = process < self.engine.lines.lasting();
        // What was there from the start begins with the world or before GVT; nothing else is settled.
        let begins = order_in(first.order);
        let at_start = EventOrder::before(Moment::at(Tick::ZERO));
        if is_ordinary && begins != at_start && begins.moment.tick >= gvt {
            return Err(format!("the beginning of worldline {process} is missing"));
        }
        // An alarm that history has passed would ring in the past.
        if Tick(last.alarm) < gvt {
            return Err(format!("worldline {process} has missed its own alarm"));
        }
        for segment in segments {
            self.segment(process, segment)?;
        }
        Ok(())
    }

    fn segment(&self, process: usize, s: &SavedSegment) -> Result<(), String> {
        let world = &self.engine.world;
        let start = Tick(s.order.0);
        let order = order_in(s.order);
        let is_first = order == EventOrder::before(Moment::at(start));
        let rings = Tick(s.alarm);
        if rings < start || (rings == start && !is_first) {
            return Err("an alarm rings before its segment begins".into());
        }
        let partners = world.bodies.len() + world.deformables.len();
        if s.partner != record::NO_PARTNER && s.partner as usize >= partners {
            return Err("a body has met one that is not there".into());
        }
        if !(s.impulse.is_finite() && s.overlap.is_finite()) {
            return Err("an impulse is not a number".into());
        }
        if s.slots.len() != world.slots {
            return Err("a segment does not fit its body".into());
        }
        let group = process.checked_sub(self.engine.lines.lasting());
        if s.of_group.is_some() != group.is_some() {
            return Err("a group's step is not where it should be".into());
        }
        self.joints(process, s)?;
        if process < world.bodies.len() {
            return self.body(process, s);
        }
        if s.group != NO_SAVED_GROUP {
            return Err("a group is in a group".into());
        }
        match group {
            Some(group) => self.step(group, s),
            None => Ok(()),
        }
    }

    /// The joints of a multibody, which every segment of one has and no other.
    fn joints(&self, process: usize, s: &SavedSegment) -> Result<(), String> {
        let of = self.engine.lines.kind(ProcessId(process as u32));
        let world = &self.engine.world;
        match (of, &s.joints) {
            (Process::Multibody(index), Some(joints)) => {
                let made = &world.multibodies[index];
                let why = joints.wrong(made, Tick(s.order.0));
                why.map_or(Ok(()), |why| Err(format!("`{}` {why}", made.name)))
            }
            (Process::Multibody(_), None) => Err("a multibody has lost its joints".into()),
            (_, Some(_)) => Err("joints are not where they should be".into()),
            (_, None) => Ok(()),
        }
    }

    /// A segment of a body.
    fn body(&self, body: usize, s: &SavedSegment) -> Result<(), String> {
        let engine = self.engine;
        let about = &engine.world.bodies[body];
        let misfit = |what: &str| Err(format!("`{}` {what}", about.name));
        if s.body as usize != body || !engine.models.may_follow(about.model, ModelId::at(s.model)) {
            return misfit("has a segment that does not fit it");
        }
        let three = |v: [f64; 3], most: f64| v.iter().all(|x| x.abs() <= most);
        let square: f64 = s.rotation.iter().map(|x| x * x).sum();
        if !three(s.position, super::FARTHEST)
            || !three(s.velocity, super::FARTHEST)
            || !three(s.spin, super::FASTEST_TURN)
            || !(s.drive.iter()).all(|v| three(*v, super::FARTHEST))
            || !(0.0..=super::FARTHEST).contains(&s.grip)
            || (square - 1.0).abs().is_nan()
            || (square - 1.0).abs() > UNIT
        {
            return misfit("is nowhere, or moves in a way that nothing does");
        }
        let start = Tick(s.order.0);
        let model = engine.models.get(ModelId::at(s.model));
        let seconds = self.now.since(start);
        let is_integrated = matches!(model.law, Law::Tumbling | Law::Integrated | Law::Linked);
        if is_integrated && Vec3::from_array(s.spin).length() * seconds > FARTHEST_TURN {
            return misfit("has turned so often that it cannot be followed again");
        }
        let Some(group) = (s.group != NO_SAVED_GROUP).then_some(s.group as usize) else {
            return Ok(());
        };
        let members = self.saved.groups.get(group);
        let lines = self.saved.worldlines.get(engine.lines.lasting() + group);
        let lines = lines.map_or(&[][..], Vec::as_slice);
        let is_guest = |step: &SavedSegment| {
            let guests = step.of_group.as_ref().map(|step| &step.guests);
            guests.is_some_and(|guests| guests.contains(&s.body))
        };
        let is_known = members.is_some_and(|m| match s.host {
            NOBODY => m.binary_search(&s.body).is_ok(),
            host => (host as usize) < engine.world.bodies.len() && lines.iter().any(is_guest),
        });
        if !is_known {
            return misfit("is in a contact group that does not know it");
        }
        // What is left of the group may begin with a guest, in the middle of a step.
        let begins = |first: &SavedSegment| {
            let began = first.of_group.as_ref().map(|step| Tick(step.began));
            first.order <= s.order || began.is_some_and(|began| began <= start)
        };
        let step = engine
            .world
            .contact
            .as_ref()
            .map_or(0, |rules| rules.step_ticks());
        let is_moving = s.velocity != [0.0; 3] || s.spin != [0.0; 3];
        let ends = Tick(s.horizon);
        let is_step = start < ends && ends <= start.saturating_add(2 * step);
        if !lines.first().is_some_and(begins) || (is_moving && !is_step) {
            return misfit("makes a step that its contact group does not make");
        }
        Ok(())
    }

    /// A segment of a contact group.
    fn step(&self, group: usize, s: &SavedSegment) -> Result<(), String> {
        let world = &self.engine.world;
        let (Some(step), Some(members)) = (&s.of_group, self.saved.groups.get(group)) else {
            return Err("a group's step is not where it should be".into());
        };
        let is_body = |b: &u32| (*b as usize) < world.bodies.len();
        let is_finite =
            |(_, of): &([u32; 5], [[f64; 3]; 3])| of.iter().flatten().all(|x| x.is_finite());
        let is_whole = step.is_ended || step.calm.len() == members.len();
        let is_calm = |(since, v, w): &(i64, [f64; 3], [f64; 3])| {
            (0..=s.order.0).contains(since) && v.iter().chain(w).all(|x| x.is_finite())
        };
        if s.body != NOBODY
            || !is_whole
            || !step.calm.iter().all(is_calm)
            || !step.leans_on.iter().all(is_body)
            || !step.leaning.iter().all(is_body)
            || !step.guests.iter().all(is_body)
            || !(0..=s.order.0).contains(&step.began)
            || !step.points.iter().all(is_finite)
        {
            return Err("a step of a contact group does not fit it".into());
        }
        Ok(())
    }
}
