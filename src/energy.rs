//! Where a run's mechanical energy goes: kinetic, rotational and potential in uniform gravity, joules, and
//! the books of what changed it.
//!
//! Every committed change has a cause. In free flight only force fields and damping do work. A collision's
//! loss is known exactly, from the states before and after. In contact groups friction, plastic contact,
//! motors and the solver's own error cannot be told apart from outside: their balance is one entry. What
//! has no cause (a drift in free flight, a gain in a collision, any change in a perfect bounce) is error.

use crate::changes::{Bookkeeper, Change};
use physics::{ModelId, State};
use record::{Event, NO_GROUP};
use sim::{EnergyBooks, Kind, Stats, World};
use warp::Tick;

/// Energy at one moment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Energy {
    /// Of motion and rotation.
    pub kinetic: f64,
    /// In uniform gravity, relative to the origin.
    pub potential: f64,
}

impl Energy {
    /// The energy of all dynamic bodies.
    pub fn of(world: &World, states: &[State]) -> Self {
        let mut energy = Energy::default();
        for (body, state) in states.iter().enumerate() {
            if world.bodies[body].kind == Kind::Dynamic {
                energy += Energy::of_body(world, body as u32, state);
            }
        }
        energy
    }

    /// The energy of one dynamic body.
    pub fn of_body(world: &World, body: u32, state: &State) -> Self {
        let model = world.model(sim::BodyId(body));
        let mass = model.mass;
        let spin = state.rotation.inverse() * state.spin;
        let kinetic = 0.5 * mass.mass * state.velocity.length_squared();
        Energy {
            kinetic: kinetic + 0.5 * spin.dot(mass.inertia * spin),
            potential: -mass.mass * model.gravity.dot(state.position),
        }
    }

    /// The energy at the start of a world.
    pub fn at_start(world: &World) -> Self {
        let states: Vec<State> = world.bodies.iter().map(|b| b.start).collect();
        Energy::of(world, &states)
    }

    /// Kinetic and potential.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }

    /// Change from `self` to `later`, relative to the largest amount that moved about.
    pub fn drift(&self, later: &Energy) -> f64 {
        let exchanged = (later.potential - self.potential).abs();
        let scale = self.kinetic.max(later.kinetic).max(exchanged);
        if scale == 0.0 {
            return 0.0;
        }
        (later.total() - self.total()) / scale
    }
}

impl std::ops::AddAssign for Energy {
    fn add_assign(&mut self, other: Self) {
        self.kinetic += other.kinetic;
        self.potential += other.potential;
    }
}

/// The books of a run's energy.
pub struct Account<'w> {
    world: &'w World,
    /// Energy of each body when its newest segment began.
    newest: Vec<Energy>,
    /// Whether each body is in a contact group, or asleep.
    grouped: Vec<bool>,
    start: Energy,
    /// The sum of `newest`.
    now: Energy,
    /// The largest amount that moved about.
    scale: f64,
    books: EnergyBooks,
}

impl<'w> Account<'w> {
    /// Opens the books of a world.
    pub fn new(world: &'w World) -> Self {
        let start = Energy::at_start(world);
        Account {
            world,
            newest: vec![Energy::default(); world.bodies.len()],
            grouped: vec![false; world.bodies.len()],
            start,
            now: Energy::default(),
            scale: start.kinetic,
            books: EnergyBooks {
                energy_kinetic_start_j: start.kinetic,
                energy_potential_start_j: start.potential,
                ..EnergyBooks::default()
            },
        }
    }

    /// Writes the books into a run's statistics.
    pub fn conclude(mut self, stats: &mut Stats) {
        // Summed anew: the running sum has rounded at every event.
        let mut end = Energy::default();
        self.newest.iter().for_each(|energy| end += *energy);
        self.books.energy_kinetic_end_j = end.kinetic;
        self.books.energy_potential_end_j = end.potential;
        let scale = if self.scale > 0.0 { self.scale } else { 1.0 };
        self.books.energy_change_max_relative /= scale;
        self.books.energy_unexplained_max_relative /= scale;
        stats.energy = Some(self.books);
    }

    fn energy(&self, body: u32, state: Option<State>) -> Energy {
        state.map_or(Energy::default(), |s| Energy::of_body(self.world, body, &s))
    }

    /// Enters what a segment did until it ended.
    fn flow(&mut self, change: &Change, joules: f64) {
        let model = self.world.model(sim::BodyId(change.body));
        let is_driven = model.field.is_some()
            || model.damping != [0.0; 2]
            || self.world.is_driven_link(sim::BodyId(change.body));
        let entry = match () {
            () if change.groups[0] != NO_GROUP => &mut self.books.energy_groups_j,
            () if is_driven => &mut self.books.energy_fields_j,
            () => &mut self.books.energy_unexplained_j,
        };
        *entry += joules;
    }

    /// Enters what an event did; a collision of two bodies is entered as a whole, later.
    fn jump(&mut self, change: &Change, joules: f64, collisions: &mut f64) {
        let books = &mut self.books;
        match change.event {
            None => {}
            // What is in the world from the beginning is not brought in by anybody.
            Some(Event::Start) if change.start.is_none() && change.since <= Tick::ZERO => {}
            Some(Event::Collision) if !change.is_grouped() => {
                let partner = self.world.bodies.get(change.partner as usize);
                match partner {
                    // What the member gives or takes is entered there, too.
                    Some(_) if self.grouped[change.partner as usize] => {
                        books.energy_groups_j += joules;
                    }
                    Some(p) if p.kind == Kind::Kinematic => books.energy_scripts_j += joules,
                    Some(p) if is_perfect(self.world, change.body, p.model) => {
                        books.energy_unexplained_j += joules;
                    }
                    _ => *collisions += joules,
                }
            }
            Some(Event::Touch) => books.energy_deformables_j += joules,
            Some(Event::Start | Event::Leave | Event::Input | Event::Callback) => {
                books.energy_inputs_j += joules;
            }
            _ => books.energy_groups_j += joules,
        }
    }
}

/// Whether a bounce of two bodies keeps all energy.
fn is_perfect(world: &World, body: u32, other: ModelId) -> bool {
    let own = world.model(sim::BodyId(body));
    let pair = own.meeting(&world.models[other.place()]).material;
    pair.restitution == 1.0 && pair.friction == 0.0
}

impl Bookkeeper for Account<'_> {
    fn moment(&mut self, tick: Tick, changes: &[Change]) {
        let mut collisions = 0.0;
        for change in changes {
            self.grouped[change.body as usize] |= change.is_grouped();
        }
        for change in changes {
            let body = change.body as usize;
            let before = self.energy(change.body, change.before);
            let after = self.energy(change.body, change.after);
            self.flow(change, before.total() - self.newest[body].total());
            self.jump(change, after.total() - before.total(), &mut collisions);
            self.now.kinetic += after.kinetic - self.newest[body].kinetic;
            self.now.potential += after.potential - self.newest[body].potential;
            self.newest[body] = after;
        }
        for change in changes {
            self.grouped[change.body as usize] = change.groups[1] != NO_GROUP;
        }
        // All bounces of a tick together: one that gave energy would show, unless another took more at
        // the very same tick.
        match collisions > 0.0 {
            true => self.books.energy_unexplained_j += collisions,
            false => self.books.energy_collisions_j += collisions,
        }
        if tick <= Tick::ZERO {
            return;
        }
        let exchanged = (self.now.potential - self.start.potential).abs();
        self.scale = self.scale.max(self.now.kinetic).max(exchanged);
        let change = self.now.total() - self.start.total();
        if change.abs() > self.books.energy_change_max_relative.abs() {
            self.books.energy_change_max_relative = change;
            self.books.energy_change_max_at_s = tick.seconds();
        }
        let unexplained = self.books.energy_unexplained_j;
        if unexplained.abs() > self.books.energy_unexplained_max_relative.abs() {
            self.books.energy_unexplained_max_relative = unexplained;
        }
    }
}
