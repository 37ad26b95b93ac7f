//! The constant model of a cloth: particles, constraint sets, contact pairs, settings. Checked once when
//! it is built; a step only reads it. What changes lies in `ClothState`.

use std::collections::BTreeSet;
use std::sync::Arc;

use glamx::DVec3;

use crate::acm::detect::intersect::crossings;
use crate::acm::{Motion, Topology};
use crate::impulse::contact::nearby::Skin;
use crate::impulse::forces::air::Air;
use crate::impulse::forces::bending::Bending;
use crate::impulse::model::constraint::{Constraint, Kind};
use crate::impulse::model::error::ClothError;
use crate::impulse::model::settings::Settings;
use crate::impulse::model::state::ClothState;
use crate::impulse::strips::Strips;

/// A point mass as it starts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Particle {
    /// Position, m.
    pub position: DVec3,
    /// Velocity, m/s; a fixed particle keeps it.
    pub velocity: DVec3,
    /// Mass, kg; infinite for a fixed particle.
    pub mass: f64,
    /// Radius for contacts, m; 0 for a bare point.
    pub radius: f64,
}

impl Particle {
    /// A free point at rest.
    pub fn new(position: DVec3, mass: f64) -> Self {
        Self {
            position,
            velocity: DVec3::ZERO,
            mass,
            radius: 0.0,
        }
    }
    /// A point that nothing moves.
    pub fn fixed(position: DVec3) -> Self {
        Self::new(position, f64::INFINITY)
    }
}

/// Constraints of one kind and tolerance, under one name: the weft of a cloth, the ropes of a net.
#[derive(Debug, Clone, PartialEq)]
pub struct ConstraintSet {
    /// The name used in errors.
    pub name: String,
    /// What the constraints demand; `Kind::Contact` sets keep pairs of particles apart by their radii.
    pub kind: Kind,
    /// Tolerance: the largest extension relative to the rest length (the paper's maximum
    /// extensibility); 0.01 is 1 %.
    pub extensibility: f64,
    /// Pairs of particles; rest lengths are their distances in the initial state.
    pub pairs: Vec<[u32; 2]>,
}

/// Balls that collide with every other particle, and how closely.
#[derive(Debug, Clone, PartialEq)]
pub struct Contacts {
    /// Particles with a radius that all others keep away from.
    pub balls: Vec<u32>,
    /// The largest penetration that needs no correction, of balls and of obstacles, m.
    pub tolerance: f64,
}

/// A cloth as it is described: the input of [`Cloth::new`].
#[derive(Debug, Clone, PartialEq)]
pub struct ClothDescription {
    /// The particles.
    pub particles: Vec<Particle>,
    /// The constraint sets, solved in this order.
    pub sets: Vec<ConstraintSet>,
    /// Contact with balls and obstacles.
    pub contacts: Contacts,
    /// How it is stepped.
    pub settings: Settings,
}

/// The constant model.
#[derive(Debug, Clone)]
pub struct Cloth {
    pub(crate) inverse_mass: Vec<f64>,
    pub(crate) radius: Vec<f64>,
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) balls: Vec<u32>,
    pub(crate) contact_tolerance: f64,
    pub(crate) settings: Settings,
    pub(crate) strips: Strips,
    /// Triangles that meet obstacles.
    pub(crate) surface: Vec<[u32; 3]>,
    /// What of it meets itself, if anything does.
    pub(crate) skin: Option<Arc<Skin>>,
    /// Air, and the triangles that it pushes.
    pub(crate) airs: Vec<(Air, Vec<[u32; 3]>)>,
    pub(crate) bending: Bending,
    /// Fixed particles that move, how, and where they are without that.
    pub(crate) led: Vec<(u32, Motion, DVec3)>,
}

impl Cloth {
    /// Checks a description and splits it into the constant model and the initial state. Constraints
    /// between two fixed particles are left out: nothing can correct them.
    pub fn new(description: &ClothDescription) -> Result<(Self, ClothState), ClothError> {
        description.settings.check()?;
        let ClothDescription {
            particles,
            contacts,
            settings,
            ..
        } = description;
        for (index, particle) in particles.iter().enumerate() {
            check_particle(index, particle)?;
        }
        let constraints = gather_constraints(description)?;
        check_contacts(contacts, particles)?;
        let inverse_mass: Vec<f64> = particles.iter().map(|p| 1.0 / p.mass).collect();
        let state = ClothState {
            steps: 0,
            position: particles.iter().map(|p| p.position).collect(),
            velocity: particles.iter().map(|p| p.velocity).collect(),
            force: vec![DVec3::ZERO; particles.len()],
        };
        let cloth = Self {
            strips: Strips::new(&constraints, &state.position, &inverse_mass),
            inverse_mass,
            radius: particles.iter().map(|p| p.radius).collect(),
            constraints,
            balls: contacts.balls.clone(),
            contact_tolerance: contacts.tolerance,
            settings: settings.clone(),
            surface: Vec::new(),
            skin: None,
            airs: Vec::new(),
            bending: Bending::default(),
            led: Vec::new(),
        };
        Ok((cloth, state))
    }

    /// The same cloth with another step, s, and with at most so many iterations in one.
    pub fn with_steps(mut self, seconds: f64, max_iterations: u32) -> Result<Self, ClothError> {
        self.settings.step = seconds;
        self.settings.max_iterations = max_iterations;
        self.settings.check()?;
        Ok(self)
    }

    /// The same cloth, meeting obstacles with these triangles too, not only with its particles.
    pub fn with_surface(mut self, triangles: &[[u32; 3]]) -> Result<Self, ClothError> {
        let count = self.inverse_mass.len();
        for (index, corners) in triangles.iter().enumerate() {
            if let Some(&particle) = corners.iter().find(|&&p| p as usize >= count) {
                return Err(ClothError::NoSuchParticle {
                    set: "surface".into(),
                    index,
                    particle,
                    count,
                });
            }
        }
        self.surface = triangles.to_vec();
        Ok(self)
    }

    /// The same cloth, meeting itself with its surface, which keeps as far from itself as the radii of its vertices
    /// add up to. `state` is its first one: what is nearer at rest may stay so.
    pub fn meeting_itself(mut self, state: &ClothState) -> Result<Self, ClothError> {
        let corners = self.surface.iter().flatten();
        if let Some(&thin) = corners
            .into_iter()
            .find(|&&v| self.radius[v as usize] <= 0.0)
        {
            let what = format!("radius of vertex {thin} (m)");
            let expected = "a positive number for cloth that meets itself";
            return Err(ClothError::bad(what, self.radius[thin as usize], expected));
        }
        let thickest = self.radius.iter().fold(0.0, |most: f64, &r| most.max(r));
        let links = self.constraints.len().max(1) as f64;
        let mean = self.constraints.iter().map(|c| c.length).sum::<f64>() / links;
        if thickest > THICKEST * mean {
            let expected =
                "at most three times the mean length of a link for cloth that meets itself";
            return Err(ClothError::bad("thickness (m)", thickest, expected));
        }
        let skin = Skin::new(
            &self.surface,
            &state.position,
            &self.radius,
            &self.inverse_mass,
        );
        if let Some(crossing) = skin.first_crossing(&state.position) {
            return Err(ClothError::MeetsItself {
                edge: crossing.edge,
                triangle: crossing.triangle,
            });
        }
        self.skin = Some(Arc::new(skin));
        Ok(self)
    }

    /// Whether it meets itself.
    pub fn meets_itself(&self) -> bool {
        self.skin.is_some()
    }

    /// The same cloth with air that pushes these triangles.
    pub fn in_air(mut self, air: Air, triangles: &[[u32; 3]]) -> Result<Self, ClothError> {
        air.check()?;
        self.airs.push((air, triangles.to_vec()));
        Ok(self)
    }

    /// The same cloth, resisting bending of these triangles with so many joules a vertex, as shells do. It is relaxed flat, or
    /// as `state` has it.
    pub fn resisting_bending(
        mut self,
        stiffness: f64,
        triangles: &[[u32; 3]],
        state: &ClothState,
        is_flat: bool,
    ) -> Result<Self, ClothError> {
        if !(stiffness >= 0.0 && stiffness.is_finite()) {
            let expected = "a number of at least 0";
            return Err(ClothError::bad("bending (J)", stiffness, expected));
        }
        let part = Bending::new(triangles, &state.position, stiffness, is_flat);
        self.bending.extend(part);
        Ok(self)
    }

    /// The same cloth, with a fixed particle that moves.
    pub fn leading(mut self, particle: u32, motion: Motion, rest: DVec3) -> Self {
        self.led.push((particle, motion, rest));
        self
    }

    /// Edges that cross triangles, decided exactly, by their vertices: none of a cloth that meets itself ever do.
    pub fn crossings(&self, state: &ClothState) -> Vec<([u32; 2], [u32; 3])> {
        let topology = Topology::of_any(self.inverse_mass.len(), &self.surface);
        let moves = |v: u32| self.inverse_mass[v as usize] > 0.0;
        let found = crossings(&topology, moves, &state.position);
        found.iter().map(|c| (c.edge, c.triangle)).collect()
    }

    /// The constraints of all sets, in the order in which they are solved.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Inverse masses, 1/kg; 0 for fixed particles.
    pub fn inverse_mass(&self) -> &[f64] {
        &self.inverse_mass
    }

    /// The largest strain by which a constraint of the cloth is violated: relative to the rest length,
    /// on the side that the constraint forbids.
    pub fn largest_strain(&self, state: &ClothState) -> f64 {
        let strain = |c: &Constraint| {
            let (a, b) = c.pair();
            let strain = c.error(state.position[a], state.position[b]) / c.length;
            match c.kind {
                Kind::Distance => strain.abs(),
                Kind::Rope => strain.max(0.0),
                Kind::Contact => (-strain).max(0.0),
            }
        };
        self.constraints.iter().map(strain).fold(0.0, f64::max)
    }

    /// The deepest penetration of a particle into a ball, m.
    pub fn largest_penetration(&self, state: &ClothState) -> f64 {
        let mut deepest: f64 = 0.0;
        for &ball in &self.balls {
            let ball = ball as usize;
            for other in (0..state.position.len()).filter(|&i| i != ball) {
                let distance = state.position[ball].distance(state.position[other]);
                deepest = deepest.max(self.radius[ball] + self.radius[other] - distance);
            }
        }
        deepest
    }

    /// Kinetic and gravitational energy of the moving particles, with heights from the origin, and that of bending, J.
    pub fn energy(&self, state: &ClothState) -> f64 {
        let of = |i: usize| -self.settings.gravity.dot(state.position[i]) / self.inverse_mass[i];
        let moving = (0..state.position.len()).filter(|&i| self.inverse_mass[i] > 0.0);
        let bent = self.bending.energy(&state.position);
        self.kinetic_energy(state) + moving.map(of).sum::<f64>() + bent
    }

    /// Kinetic energy of the moving particles, J.
    pub fn kinetic_energy(&self, state: &ClothState) -> f64 {
        let of = |i: usize| 0.5 * state.velocity[i].length_squared() / self.inverse_mass[i];
        let moving = (0..state.position.len()).filter(|&i| self.inverse_mass[i] > 0.0);
        moving.map(of).sum()
    }

    /// Momentum of the moving particles, N s.
    pub fn momentum(&self, state: &ClothState) -> DVec3 {
        let moving = (0..state.position.len()).filter(|&i| self.inverse_mass[i] > 0.0);
        moving
            .map(|i| state.velocity[i] / self.inverse_mass[i])
            .sum()
    }
}

/// How many mean links half a thickness may be: beyond that everything is near everything.
const THICKEST: f64 = 3.0;

fn check_particle(index: usize, particle: &Particle) -> Result<(), ClothError> {
    if particle.mass <= 0.0 || particle.mass.is_nan() {
        let what = format!("mass of particle {index} (kg)");
        return Err(ClothError::bad(
            what,
            particle.mass,
            "a positive number, or infinity if it is fixed",
        ));
    }
    if particle.radius < 0.0 || !particle.radius.is_finite() {
        let what = format!("radius of particle {index} (m)");
        return Err(ClothError::bad(
            what,
            particle.radius,
            "a number not below 0",
        ));
    }
    if !(particle.position.is_finite() && particle.velocity.is_finite()) {
        let what = format!("position or velocity of particle {index}");
        return Err(ClothError::bad(what, f64::NAN, "finite vectors"));
    }
    Ok(())
}

fn check_contacts(contacts: &Contacts, particles: &[Particle]) -> Result<(), ClothError> {
    if contacts.tolerance <= 0.0 || !contacts.tolerance.is_finite() {
        return Err(ClothError::bad(
            "contacts.tolerance (m)",
            contacts.tolerance,
            "a positive number",
        ));
    }
    for (index, &ball) in contacts.balls.iter().enumerate() {
        let Some(particle) = particles.get(ball as usize) else {
            return Err(ClothError::NoSuchParticle {
                set: "contacts.balls".into(),
                index,
                particle: ball,
                count: particles.len(),
            });
        };
        if particle.radius == 0.0 {
            let what = format!("radius of ball {ball} (m)");
            return Err(ClothError::bad(what, 0.0, "a positive number for a ball"));
        }
    }
    Ok(())
}

fn gather_constraints(description: &ClothDescription) -> Result<Vec<Constraint>, ClothError> {
    let particles = &description.particles;
    let mut seen = BTreeSet::new();
    let mut constraints = Vec::new();
    for set in &description.sets {
        if set.extensibility <= 0.0 || !set.extensibility.is_finite() {
            let what = format!("extensibility of set \"{}\"", set.name);
            return Err(ClothError::bad(
                what,
                set.extensibility,
                "a positive fraction such as 0.01",
            ));
        }
        for (index, &[a, b]) in set.pairs.iter().enumerate() {
            if let Some(&particle) = [a, b].iter().find(|&&i| i as usize >= particles.len()) {
                return Err(ClothError::NoSuchParticle {
                    set: set.name.clone(),
                    index,
                    particle,
                    count: particles.len(),
                });
            }
            if a == b || !seen.insert([a.min(b), a.max(b)]) {
                return Err(ClothError::DuplicatePair {
                    set: set.name.clone(),
                    a,
                    b,
                });
            }
            constraints.extend(make_constraint(set, particles, [a, b])?);
        }
    }
    Ok(constraints)
}

fn make_constraint(
    set: &ConstraintSet,
    particles: &[Particle],
    pair: [u32; 2],
) -> Result<Option<Constraint>, ClothError> {
    let [a, b] = pair.map(|i| &particles[i as usize]);
    let w = [1.0 / a.mass, 1.0 / b.mass];
    let length = match set.kind {
        Kind::Contact => a.radius + b.radius,
        Kind::Distance | Kind::Rope => a.position.distance(b.position),
    };
    if length <= 0.0 {
        let what = format!(
            "length of the constraint of particles {} and {} (m)",
            pair[0], pair[1]
        );
        return Err(ClothError::bad(
            what,
            length,
            "two different places, or radii for a contact",
        ));
    }
    let is_movable = w[0] + w[1] > 0.0;
    Ok(is_movable.then(|| Constraint::new(set.kind, pair, w, length, set.extensibility * length)))
}
