//! What changes as a cloth is stepped, and nothing else: clone it to keep it, put it back to roll back.
//! The next state is a pure function of model, state and obstacles.

use glamx::DVec3;

use crate::impulse::contact::active::ActiveSet;
use crate::impulse::contact::hold::Hold;
use crate::impulse::contact::nearby::Nearby;
use crate::impulse::contact::touch::Touch;
use crate::impulse::model::cloth::Cloth;
use crate::impulse::strips::solver::StripBuffers;

/// The mutable state of a cloth.
#[derive(Debug, Clone, PartialEq)]
pub struct ClothState {
    /// Steps done; time is `steps * settings.step`.
    pub steps: u64,
    /// Positions, m.
    pub position: Vec<DVec3>,
    /// Velocities, m/s.
    pub velocity: Vec<DVec3>,
    /// External forces, N, constant over a step and kept until changed.
    pub force: Vec<DVec3>,
}

/// What a step cost and did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StepReport {
    /// Iterations over the position constraints.
    pub iterations: u32,
    /// How often the constraint directions were computed.
    pub direction_updates: u32,
    /// Corrections of position constraints.
    pub corrections: u64,
    /// Iterations over the velocity constraints.
    pub velocity_iterations: u32,
    /// Corrections of velocity constraints.
    pub velocity_corrections: u64,
}

impl std::ops::AddAssign for StepReport {
    fn add_assign(&mut self, other: Self) {
        self.iterations += other.iterations;
        self.direction_updates += other.direction_updates;
        self.corrections += other.corrections;
        self.velocity_iterations += other.velocity_iterations;
        self.velocity_corrections += other.velocity_corrections;
    }
}

/// Buffers that a step of one cloth needs. They carry nothing from one step to the next: any workspace of
/// the same cloth, used or fresh, gives the same bytes.
#[derive(Debug, Clone)]
pub struct Workspace {
    pub(crate) active: ActiveSet,
    pub(crate) acceleration: Vec<DVec3>,
    pub(crate) velocity: Vec<DVec3>,
    pub(crate) base: Vec<DVec3>,
    pub(crate) preview: Vec<DVec3>,
    pub(crate) touches: Vec<Touch>,
    /// Contacts of the cloth with itself, if it meets itself.
    pub(crate) nearby: Option<Nearby>,
    /// Particles that are fastened to obstacles in this step.
    pub(crate) holds: Vec<Hold>,
    /// Sweeps over contacts in this step.
    pub(crate) sweeps: u32,
    pub(crate) strips: StripBuffers,
}

impl Workspace {
    /// A workspace for the steps of `cloth`, and of no other.
    pub fn new(cloth: &Cloth) -> Self {
        let zeros = vec![DVec3::ZERO; cloth.inverse_mass.len()];
        Self {
            active: ActiveSet::new(cloth),
            acceleration: zeros.clone(),
            velocity: zeros.clone(),
            base: zeros.clone(),
            preview: zeros,
            touches: Vec::new(),
            nearby: cloth.skin.as_ref().map(Nearby::new),
            holds: Vec::new(),
            sweeps: 0,
            strips: StripBuffers::new(&cloth.strips),
        }
    }
}
