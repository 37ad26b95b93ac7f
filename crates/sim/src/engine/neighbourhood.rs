//! The neighbourhood: who is near whom. The newest look-ahead of every body is a box in a grid; look-aheads that
//! are over, as long as somebody may ask about them, are kept as sweeps; planes and other bodies without a
//! bounding box stand on a list.

use super::swept_past::{Owner, Packed, SweptPast};
use super::worldlines::Worldlines;
use crate::grid::{Bounds, Grid, Standing, Swept, Unbounded};
use crate::periodic::Periodic;
use physics::Flight;
use warp::{Column, EventOrder, NodeId, NodeRef, Tick};

/// From so many bodies on they ask together, if they have no more than so many cells each.
const MANY: usize = 8;
const CELLS_EACH: usize = 32;
/// Bodies that are close together ask who is near all of them if the grid has no more than so many cells there for each.
const NEAR_EACH: f64 = 16.0;

/// What is asked about: all that was, is or will be there between two ticks, after an event.
#[derive(Clone, Copy, Debug)]
pub(super) struct When {
    /// Only what has not ended before this event.
    pub after: EventOrder,
    /// The last tick.
    pub to: Tick,
    /// Whether look-aheads that are over are asked for at all.
    pub reads_past: bool,
}

impl When {
    /// At one event.
    pub fn at(order: EventOrder) -> Self {
        When {
            after: order,
            to: order.moment.tick,
            reads_past: true,
        }
    }

    /// From an event on.
    pub fn from(order: EventOrder) -> Self {
        When {
            after: order,
            to: Tick::MAX,
            reads_past: true,
        }
    }
}

/// See the module's text.
pub(super) struct Neighbourhood {
    grid: Grid,
    /// By body: the newest segment, and what it sweeps.
    swept: Column<Swept>,
    /// Look-aheads that are over; none where nothing is ever undone.
    past: Option<SweptPast>,
}

impl Neighbourhood {
    /// Nobody is there yet.
    pub fn new(grid: Grid, bodies: usize) -> Self {
        Neighbourhood {
            grid,
            swept: Column::filled(Swept::ABSENT, bodies),
            past: None,
        }
    }

    /// From now on keeps what is over: until GVT passes it, or, if it is retained, by pages of time.
    pub fn keep_past(&mut self, retains: bool) {
        self.past = Some(SweptPast::new(&self.grid, retains));
    }

    /// Nothing that ends before `gvt` will be kept.
    pub fn begin_at(&mut self, gvt: Tick) {
        if let Some(past) = &mut self.past {
            past.begin_at(gvt);
        }
    }

    /// Forgets what ended before `gvt`.
    pub fn forget_before(&mut self, gvt: Tick, lines: &Worldlines) {
        if let Some(past) = &mut self.past {
            past.forget_before(gvt, lines.graph());
        }
    }

    /// Whether what is over is kept at all.
    #[inline]
    pub fn keeps_past(&self) -> bool {
        self.past.is_some()
    }

    /// Whether it is kept even after GVT has passed it.
    pub fn retains_past(&self) -> bool {
        self.past.as_ref().is_some_and(SweptPast::retains)
    }

    /// The grid's measures.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    // A body's own entry.

    /// A body's newest look-ahead.
    #[inline]
    pub fn of(&self, body: u32) -> &Swept {
        &self.swept[body as usize]
    }

    /// The same, if it is a body.
    #[inline]
    pub fn get(&self, body: u32) -> Option<&Swept> {
        self.swept.get(body as usize)
    }

    /// A body's newest segment takes the place of the one before.
    #[inline]
    pub fn enter(&mut self, segment: NodeRef, flight: Flight) {
        let entry = &mut self.swept[flight.body as usize];
        entry.flight = flight;
        entry.segment = segment.node;
        entry.generation = segment.generation;
    }

    /// Registers what a body sweeps up to `horizon`.
    #[inline]
    pub fn register(&mut self, body: u32, bounds: Bounds, horizon: Tick) {
        self.grid.remove(&mut self.swept, body);
        let entry = &mut self.swept[body as usize];
        entry.bounds = bounds;
        entry.horizon = horizon;
        entry.is_extension_due = false;
        self.grid.insert(&mut self.swept, body);
        self.grid.prefetch(&self.swept[body as usize].bounds);
    }

    /// Takes a body's box out of the grid.
    pub fn leave(&mut self, body: u32) {
        self.grid.remove(&mut self.swept, body);
        self.swept[body as usize].horizon = Tick::MAX;
    }

    /// A body was rolled back to `horizon`: until it looks around again its box stands for what is left.
    #[inline]
    pub fn fall_back(&mut self, body: u32, horizon: Tick) {
        self.swept[body as usize].horizon = horizon;
    }

    /// Says whose a body is.
    pub fn set_standing(&mut self, body: u32, standing: Standing) {
        self.swept[body as usize].standing = standing;
    }

    /// Whether two bodies have an event in common that is done here: one of them is this region's own.
    #[inline]
    pub fn concerns_us(&self, a: u32, b: u32) -> bool {
        let own = |body: u32| self.swept[body as usize].standing == Standing::Own;
        own(a) || own(b)
    }

    /// What a body swept before `since` is in no box any more.
    #[inline]
    pub fn set_since(&mut self, body: u32, since: Tick) {
        self.swept[body as usize].since = since;
    }

    /// The extension of a body's look-ahead has been scheduled.
    #[inline]
    pub fn set_extension_due(&mut self, body: u32) {
        self.swept[body as usize].is_extension_due = true;
    }

    /// Adds a segment that has no bounding box.
    pub fn insert_unbounded(&mut self, unbounded: Unbounded) {
        self.grid.insert_unbounded(unbounded);
    }

    /// Removes such a segment, if it is there.
    #[inline]
    pub fn remove_unbounded(&mut self, node: NodeId) {
        if !self.grid.unbounded().is_empty() {
            self.grid.remove_unbounded(node);
        }
    }

    /// Segments without a bounding box.
    #[inline]
    pub fn unbounded(&self) -> &[Unbounded] {
        self.grid.unbounded()
    }

    /// Keeps a look-ahead of `owner` that began at `since` and is over at `end`.
    pub fn keep(
        &mut self,
        owner: Packed,
        since: Tick,
        bounds: &Bounds,
        end: EventOrder,
        lines: &Worldlines,
    ) {
        let level = self.grid.level_for(bounds.size());
        if let Some(past) = &mut self.past {
            past.keep(owner, since, (bounds, level), end, lines.graph());
        }
    }

    // Questions.

    /// Calls `found` with every body that may be within a box at a time: with some more than once, with some that
    /// are elsewhere by then, and never with too few.
    pub fn near(
        &self,
        bounds: &Bounds,
        when: When,
        lines: &Worldlines,
        mut found: impl FnMut(u32),
    ) {
        self.grid.query(&self.swept, bounds, &mut found);
        if let Some(past) = self
            .past
            .as_ref()
            .filter(|p| when.reads_past && p.reach_past(when.after))
        {
            past.query(
                bounds,
                when.after.moment.tick,
                when.to,
                |owner| match owner {
                    Owner::Steps(body) => found(body),
                    Owner::Segment(node) if lines.is_used_by_body(node) => {
                        found(lines.body_of(node).0)
                    }
                    Owner::Segment(_) => {}
                },
            );
        }
        for unbounded in self.grid.unbounded() {
            if unbounded.is_near(bounds) {
                found(lines.body_of(unbounded.node).0);
            }
        }
    }

    /// Fills `near` with the bodies whose newest look-aheads overlap a body's own, asks for their entries, and
    /// notes whether the body is alone.
    #[inline]
    pub fn neighbours(&mut self, body: u32, periodic: Option<&Periodic>, near: &mut Vec<u32>) {
        let bounds = &self.swept[body as usize].bounds;
        match periodic {
            None => self
                .grid
                .query(&self.swept, bounds, |other| near.push(other)),
            Some(periodic) => {
                periodic.each_shifted(bounds, |image| {
                    self.grid
                        .query(&self.swept, image, |other| near.push(other));
                });
                near.sort_unstable();
                near.dedup();
            }
        }
        for &other in near.iter() {
            self.swept[other as usize].prefetch();
        }
        let is_alone = near.len() <= 1;
        self.swept[body as usize].set_alone(is_alone);
    }

    /// Calls with the owner of every look-ahead that is over and may overlap a box at a time.
    pub fn behind(&self, bounds: &Bounds, from: Tick, to: Tick, found: impl FnMut(Owner)) {
        if let Some(past) = &self.past {
            past.query(bounds, from, to, found);
        }
    }

    /// Whether `many` bodies within a box are so close together that one question for all of them is cheaper than
    /// one for each.
    pub fn is_compact(&self, bounds: &Bounds, many: usize) -> bool {
        self.grid.cells(bounds) <= NEAR_EACH * many as f64
    }

    /// Whether anything that is over reaches past an event.
    #[inline]
    pub fn reaches_past(&self, after: EventOrder) -> bool {
        self.past.as_ref().is_some_and(|p| p.reach_past(after))
    }

    /// Whether what `many` bodies ask about within a box may concern look-aheads that are over and in no box of the
    /// grid. One question for all of them, if they are close together.
    pub fn concerns_past(
        &self,
        many: usize,
        bounds: &Bounds,
        when: When,
        lines: &Worldlines,
    ) -> bool {
        let Some(past) = self.past.as_ref().filter(|p| p.reach_past(when.after)) else {
            return false;
        };
        if many < MANY || past.cells(bounds) > (CELLS_EACH * many) as f64 {
            return true;
        }
        let tick = when.after.moment.tick;
        let mut is_concerned = false;
        past.query(bounds, tick, when.to, |owner| {
            let body = match owner {
                Owner::Steps(body) => body,
                Owner::Segment(node) => lines.body_of(node).0,
            };
            let holds = |entry: &Swept| entry.is_in() && entry.since <= tick;
            is_concerned |= self.get(body).is_some_and(|e| !holds(e));
        });
        is_concerned
    }

    /// The same for the look-aheads of bodies that begin together.
    #[inline]
    pub fn concern_past(
        &self,
        bodies: impl ExactSizeIterator<Item = u32>,
        from: EventOrder,
        lines: &Worldlines,
    ) -> bool {
        let many = bodies.len();
        if many < MANY {
            return true;
        }
        let entries = bodies
            .filter_map(|body| self.get(body))
            .filter(|entry| entry.is_in())
            .map(|entry| (entry.bounds, entry.horizon));
        let all = entries.reduce(|(all, to), (one, until)| (all.union(&one), to.max(until)));
        all.is_some_and(|(bounds, to)| {
            let when = When {
                to,
                ..When::at(from)
            };
            self.concerns_past(many, &bounds, when, lines)
        })
    }

    // Memory.

    /// Asks for the cell that a body's box is in, and does not wait for it.
    #[inline]
    pub fn prefetch_cell(&self, body: u32) {
        if let Some(entry) = self.get(body) {
            self.grid.prefetch_cell(entry);
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let past = self.past.as_ref().map_or(0, SweptPast::bytes);
        self.grid.bytes() + self.swept.bytes() + past
    }

    /// The same neighbourhood for a branch.
    pub fn branch(&mut self) -> Self {
        Neighbourhood {
            grid: self.grid.branch(),
            swept: self.swept.branch(),
            past: self.past.as_mut().map(SweptPast::branch),
        }
    }

    /// Takes back what no branch shares any more.
    pub fn reclaim(&mut self) {
        self.grid.reclaim();
        self.swept.reclaim();
        if let Some(past) = &mut self.past {
            past.reclaim();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::look_ahead;
    use crate::engine::parts_yard::{at, two_balls};
    use physics::Vec3;
    use warp::ProcessId;

    fn cube(x: f64) -> Bounds {
        let centre = Vec3::new(x, 0.0, 0.0);
        Bounds::around(centre - Vec3::splat(0.5), centre + Vec3::splat(0.5))
    }

    /// Two balls in the grid, and what is near a place.
    fn yard() -> (Neighbourhood, Worldlines) {
        let (world, lines, _) = two_balls();
        let grid = look_ahead::grid_for(&world);
        let mut around = Neighbourhood::new(grid, world.bodies.len());
        for body in 0..2u32 {
            let tip = lines.tip(ProcessId(body));
            around.enter(lines.reference(tip), *lines.flight(tip));
            around.register(body, cube(4.0 * f64::from(body)), Tick(100));
        }
        (around, lines)
    }

    fn near(around: &Neighbourhood, lines: &Worldlines, x: f64, when: When) -> Vec<u32> {
        let mut found = Vec::new();
        around.near(&cube(x), when, lines, |body| found.push(body));
        found.sort_unstable();
        found.dedup();
        found
    }

    #[test]
    fn who_is_near_is_found_and_who_has_left_is_not() {
        let (mut around, lines) = yard();
        assert_eq!(near(&around, &lines, 0.5, When::at(at(1))), [0]);
        assert_eq!(near(&around, &lines, 3.5, When::at(at(1))), [1]);
        around.leave(1);
        assert!(near(&around, &lines, 3.5, When::at(at(1))).is_empty());
    }

    #[test]
    fn what_is_over_is_found_by_who_asks_about_then() {
        let (mut around, lines) = yard();
        around.keep_past(true);
        let owner = Packed::segment(lines.reference(lines.tip(ProcessId(0))));
        around.keep(owner, Tick(0), &cube(9.0), at(50), &lines);
        assert_eq!(near(&around, &lines, 9.0, When::at(at(20))), [0]);
        assert!(near(&around, &lines, 9.0, When::at(at(60))).is_empty());
        let without = When {
            reads_past: false,
            ..When::at(at(20))
        };
        assert!(near(&around, &lines, 9.0, without).is_empty());
    }

    #[test]
    fn a_branch_goes_its_own_way() {
        let (mut around, lines) = yard();
        let mut branch = around.branch();
        branch.leave(0);
        assert!(near(&branch, &lines, 0.0, When::at(at(1))).is_empty());
        assert_eq!(near(&around, &lines, 0.0, When::at(at(1))), [0]);
    }
}
