//! Where a run's mechanical energy goes: kinetic, rotational and potential in uniform gravity, joules, and
//! the books of what changed it.
//!
//! Every committed change has a cause. In free flight only force fields and damping do work. A collision's
//! loss is known exactly, from the states before and after. In contact groups friction, plastic contact,
//! motors and the solver's own error cannot be told apart from outside: their balance is one entry. What
//! has no cause (a drift in free flight, a gain in a collision, any change in a perfect bounce) is error.
//!
//! Cloth and shells are in the books with their own energy; what it loses inside and in contact, and what pins bring in, is
//! one entry with the pushes between it and bodies. Links of multibodies are bodies; what joints' springs, motors and the
//! armature of drives give to them or take is the entry of fields.

use crate::changes::{Bookkeeper, Change};
use physics::{ModelId, State};
use record::{Event, NO_GROUP};
use sim::{DeformableBody, EnergyBooks, FormEnergy, Kind, Stats, World};
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

    /// The energy of the bodies at the start of a world.
    pub fn at_start(world: &World) -> Self {
        let states: Vec<State> = world.bodies.iter().map(|b| b.start).collect();
        Energy::of(world, &states)
    }

    /// The energy of each deformable at the start of a world.
    fn of_forms(world: &World) -> Vec<Energy> {
        let of = |deformable: &DeformableBody| {
            let model = &deformable.model;
            model.energy(&*model.start()).unwrap_or_default().into()
        };
        world.deformables.iter().map(of).collect()
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

impl From<FormEnergy> for Energy {
    fn from(FormEnergy { kinetic, potential }: FormEnergy) -> Self {
        Energy { kinetic, potential }
    }
}

impl std::ops::AddAssign for Energy {
    fn add_assign(&mut self, other: Self) {
        self.kinetic += other.kinetic;
        self.potential += other.potential;
    }
}

/// What a body is to a multibody.
#[derive(Clone, Copy, PartialEq)]
enum Link {
    /// Nothing.
    Not,
    /// A link.
    Plain,
    /// A link of one in which drives have armature, which takes its part of a hit.
    Armoured,
}

fn links_of(world: &World) -> Vec<Link> {
    let mut links = vec![Link::Not; world.bodies.len()];
    for made in &world.multibodies {
        let joints = (0..made.model.len()).map(|k| &made.model.link(k).joint);
        let is_armoured = joints.into_iter().any(|joint| joint.armature > 0.0);
        for link in &made.links {
            links[link.body.index()] = match is_armoured {
                true => Link::Armoured,
                false => Link::Plain,
            };
        }
    }
    links
}

/// The bounces of a tick: one that gave energy would show, unless another took more at the very same tick.
#[derive(Default)]
struct Bounces {
    joules: f64,
    /// Whether a link is hit: the impulse goes through all of its multibody, whose links have no partner.
    hits_links: bool,
    hits_armour: bool,
    is_scripted: bool,
}

/// The books of a run's energy.
pub struct Account<'w> {
    world: &'w World,
    /// Energy of each body when its newest segment began.
    newest: Vec<Energy>,
    /// Whether each body is in a contact group, or asleep.
    grouped: Vec<bool>,
    /// Energy of each deformable at its newest step.
    forms: Vec<Energy>,
    /// By body: whether it is a link, and whether of a multibody with armature in its drives.
    links: Vec<Link>,
    /// By body: whether it is a link of a multibody with motors, springs, dampers or drives of its own.
    driven: Vec<bool>,
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
        let forms = Energy::of_forms(world);
        // Bodies are entered with their first segments.
        let mut now = Energy::default();
        forms.iter().for_each(|energy| now += *energy);
        let mut start = Energy::at_start(world);
        start += now;
        Account {
            world,
            newest: vec![Energy::default(); world.bodies.len()],
            grouped: vec![false; world.bodies.len()],
            forms,
            links: links_of(world),
            driven: world.driven_links(),
            start,
            now,
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
        let all = self.newest.iter().chain(&self.forms);
        all.for_each(|energy| end += *energy);
        stats.energy_drift_relative = self.start.drift(&end);
        self.books.energy_kinetic_end_j = end.kinetic;
        self.books.energy_potential_end_j = end.potential;
        // The end is one of the times at which the change may be largest, also if only summing it anew shows any.
        let change = end.total() - self.start.total();
        if change.abs() > self.books.energy_change_max_relative.abs() {
            self.books.energy_change_max_relative = change;
            self.books.energy_change_max_at_s = stats.sim_seconds;
        }
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
        let is_driven =
            model.field.is_some() || model.damping != [0.0; 2] || self.driven[change.body as usize];
        let entry = match () {
            () if change.groups[0] != NO_GROUP => &mut self.books.energy_groups_j,
            () if is_driven => &mut self.books.energy_fields_j,
            () => &mut self.books.energy_unexplained_j,
        };
        *entry += joules;
    }

    /// Enters what an event did; a collision of two bodies is entered as a whole, later.
    fn jump(&mut self, change: &Change, joules: f64, bounces: &mut Bounces) {
        let books = &mut self.books;
        match change.event {
            None => {}
            // What is in the world from the beginning is not brought in by anybody.
            Some(Event::Start) if change.start.is_none() && change.since <= Tick::ZERO => {}
            Some(Event::Collision) if is_bounce(change) => {
                let partner = self.world.bodies.get(change.partner as usize);
                match partner {
                    // What the member gives or takes is entered there, too.
                    Some(_) if self.grouped[change.partner as usize] => {
                        books.energy_groups_j += joules;
                    }
                    _ if bounces.hits_links => {
                        bounces.joules += joules;
                        bounces.is_scripted |= partner.is_some_and(|p| p.kind == Kind::Kinematic);
                    }
                    Some(p) if p.kind == Kind::Kinematic => books.energy_scripts_j += joules,
                    Some(p) if is_perfect(self.world, change.body, p.model) => {
                        books.energy_unexplained_j += joules;
                    }
                    _ => bounces.joules += joules,
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

/// Whether it is a bounce of bodies on their own.
fn is_bounce(change: &Change) -> bool {
    change.event == Some(Event::Collision) && !change.is_grouped()
}

/// Whether a bounce of two bodies keeps all energy.
fn is_perfect(world: &World, body: u32, other: ModelId) -> bool {
    let own = world.model(sim::BodyId(body));
    let pair = own.meeting(&world.models[other.place()]).material;
    pair.restitution == 1.0 && pair.friction == 0.0
}

impl Bookkeeper for Account<'_> {
    fn moment(&mut self, tick: Tick, changes: &[Change]) {
        let mut bounces = Bounces::default();
        for change in changes.iter().filter(|c| is_bounce(c)) {
            let link = self.links[change.body as usize];
            bounces.hits_links |= link != Link::Not;
            bounces.hits_armour |= link == Link::Armoured;
        }
        for change in changes {
            self.grouped[change.body as usize] |= change.is_grouped();
        }
        for change in changes {
            let body = change.body as usize;
            let before = self.energy(change.body, change.before);
            let after = self.energy(change.body, change.after);
            self.flow(change, before.total() - self.newest[body].total());
            self.jump(change, after.total() - before.total(), &mut bounces);
            self.now.kinetic += after.kinetic - self.newest[body].kinetic;
            self.now.potential += after.potential - self.newest[body].potential;
            self.newest[body] = after;
        }
        for change in changes {
            self.grouped[change.body as usize] = change.groups[1] != NO_GROUP;
        }
        *match () {
            () if bounces.is_scripted => &mut self.books.energy_scripts_j,
            () if bounces.joules > 0.0 && !bounces.hits_armour => {
                &mut self.books.energy_unexplained_j
            }
            () => &mut self.books.energy_collisions_j,
        } += bounces.joules;
        self.look(tick);
    }

    fn wants_forms(&self) -> bool {
        true
    }

    fn form(&mut self, deformable: usize, tick: Tick, energy: FormEnergy) {
        let (old, new) = (self.forms[deformable], Energy::from(energy));
        self.forms[deformable] = new;
        self.books.energy_deformables_j += new.total() - old.total();
        self.now.kinetic += new.kinetic - old.kinetic;
        self.now.potential += new.potential - old.potential;
        self.look(tick);
    }
}

impl Account<'_> {
    /// Looks how far the energy is from what it was.
    fn look(&mut self, tick: Tick) {
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
