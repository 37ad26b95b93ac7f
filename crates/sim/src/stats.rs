//! What a run did, in numbers. The keys of the JSON form are stable.

use serde::Serialize;

/// Statistics of one run. Field names are the JSON keys; units are in the names.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Stats {
    /// The scene's name.
    pub scene: String,
    /// The executor.
    pub algorithm: String,
    /// The contact group solver.
    pub solver: String,
    /// Threads used.
    pub threads: u32,
    /// Simulated seconds.
    pub sim_seconds: f64,
    /// Elapsed seconds.
    pub wall_seconds: f64,
    /// Seconds of CPU time, of all threads.
    pub cpu_seconds: f64,
    /// Bodies that move.
    pub bodies_moving: usize,
    /// All bodies.
    pub bodies_total: usize,
    /// Events before GVT.
    pub events_committed: u64,
    /// Of these, collisions.
    pub collisions: u64,
    /// Of these, fusions into contact groups.
    pub fusions: u64,
    /// Of these, fissions of contact groups.
    pub fissions: u64,
    /// Of these, callbacks.
    pub callbacks: u64,
    /// Collision checks: pairs of segments looked at.
    pub checks: u64,
    /// Searches by conservative advancement.
    pub searches: u64,
    /// SweptPast of trajectory computed: look-aheads set and integrator calls.
    pub integrations: u64,
    /// Mean length of such a stretch, ms.
    pub mean_step_ms: f64,
    /// Simulated time per committed event, ms.
    pub mean_time_between_events_ms: f64,
    /// Time integrated per moving body, s.
    pub integration_per_body_s: f64,
    /// Time undone per moving body, s.
    pub rollback_per_body_s: f64,
    /// Rollbacks.
    pub rollbacks: u64,
    /// Segments deleted by rollbacks.
    pub segments_undone: u64,
    /// Segments handed to the history.
    pub segments_committed: u64,
    /// Committed segments per segment ever begun; none where there were no segments.
    pub efficiency: Option<f64>,
    /// Contact groups made.
    pub groups_created: u64,
    /// Steps of contact groups, committed or not.
    pub group_steps: u64,
    /// Of these, steps that the optimiser made.
    pub optimized_steps: u64,
    /// Members that it advanced in them, one for each step.
    pub optimized_bodies: u64,
    /// Steps that it left to `soft-step` because the group has joints.
    pub left_jointed: u64,
    /// The same because the group is not dense.
    pub left_loose: u64,
    /// The same because it could not move the members apart.
    pub left_jammed: u64,
    /// Members that `soft-step` advanced in these steps, one for each step.
    pub left_bodies: u64,
    /// Quadratic programs over positions that it solved.
    pub optimization_programs: u64,
    /// Constraints in them, each a critical vertex and its plane.
    pub optimization_vertices: u64,
    /// Times it went back to a step's start with what it had learned.
    pub optimization_rollbacks: u64,
    /// Sweeps over constraints and contact impulses.
    pub optimization_sweeps: u64,
    /// Programs over contact impulses that it solved.
    pub optimization_impulses: u64,
    /// Of these, how many still changed when their sweeps were used up.
    pub optimization_unsettled: u64,
    /// Steps on whose ways bodies may overlap, because no programs were found that keep them apart.
    pub optimization_unclear: u64,
    /// Members of the largest one.
    pub largest_group: u64,
    /// Steps of cloth and shells, committed or not.
    pub deformable_steps: u64,
    /// Deepest overlap found where bodies collided, m.
    pub max_penetration_m: f64,
    /// Deepest overlap in a committed step of a contact group, as its solver measured it, m.
    pub max_group_overlap_m: f64,
    /// Change of mechanical energy over the run, relative to its start (or to the largest seen); of bodies alone if
    /// the run's history was not followed.
    pub energy_drift_relative: f64,
    /// Where the energy went, if the run's history was followed.
    #[serde(flatten)]
    pub energy: Option<EnergyBooks>,
    /// What each region did, where there was more than one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub regions: Vec<RegionStats>,
    /// CPU seconds of the regions' critical path: of the busiest between any two meetings, added up. It is what a run
    /// would take with a core for each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub critical_path_s: Option<f64>,
    /// Vertices of cloth and shells.
    pub vertices_total: usize,
    /// Most bytes held for history at once.
    pub peak_history_bytes: u64,
    /// SHA-256 of the committed history.
    pub history_sha256: String,

    /// Seconds integrated over all bodies (becomes a mean at the end).
    #[serde(skip)]
    pub integrated_s: f64,
    /// Seconds undone over all bodies.
    #[serde(skip)]
    pub undone_s: f64,
    /// Segments begun, committed or not.
    #[serde(skip)]
    pub segments_begun: u64,
}

/// What one region of a parallel run did.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RegionStats {
    /// Segments that it committed.
    pub segments: u64,
    /// Windows, between which it committed.
    pub windows: u64,
    /// Rounds of work and messages in them.
    pub rounds: u64,
    /// Windows that ended where a body could not be kept inside of its region.
    pub cuts: u64,
    /// How often the cuts between regions were moved, because their loads had drifted apart.
    pub recuts: u64,
    /// Bodies that came into sight of other regions.
    pub imports: u64,
    /// Segments that it told other regions.
    pub facts: u64,
    /// Segments that it took back.
    pub retractions: u64,
    /// Bodies that it gave to other regions.
    pub migrations: u64,
    /// Rollbacks.
    pub rollbacks: u64,
    /// Elapsed seconds at work, with those in which another program had the core.
    pub busy_s: f64,
    /// Elapsed seconds of waiting for other regions, or for the history.
    pub waiting_s: f64,
    /// CPU seconds at work.
    pub cpu_s: f64,
    /// This region's CPU seconds by those of all regions in the mean: one is a fair share.
    pub load: f64,
}

/// Mechanical energy of dynamic bodies, cloth and shells over a run, by what changed it. Positive is gained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct EnergyBooks {
    /// Of motion and rotation at the start, J.
    pub energy_kinetic_start_j: f64,
    /// In uniform gravity at the start, relative to the origin, and in shells that are bent or stretched, J.
    pub energy_potential_start_j: f64,
    /// Of motion and rotation at the end, J.
    pub energy_kinetic_end_j: f64,
    /// The same at the end, J.
    pub energy_potential_end_j: f64,
    /// In collisions, by restitution and friction, J: known exactly.
    pub energy_collisions_j: f64,
    /// In contact groups, J: friction, plastic contact, motors, and the solver's own error together.
    pub energy_groups_j: f64,
    /// By force fields and damping, and to links of multibodies by what is in their joints, J.
    pub energy_fields_j: f64,
    /// By scripted bodies in collisions, J.
    pub energy_scripts_j: f64,
    /// By inputs and callbacks, and by bodies that enter or leave, J.
    pub energy_inputs_j: f64,
    /// In cloth and shells, inside, in contact and at their pins, J; bodies that they push included.
    pub energy_deformables_j: f64,
    /// What nothing explains, J: the error.
    pub energy_unexplained_j: f64,
    /// The largest unexplained amount at any time, relative to the largest amount that moved about.
    pub energy_unexplained_max_relative: f64,
    /// The largest change at any time, explained or not, likewise.
    pub energy_change_max_relative: f64,
    /// When it was that large, s.
    pub energy_change_max_at_s: f64,
}

impl Stats {
    /// Adds what the optimiser did in a group's step. Steps on whose ways bodies may overlap are counted where they
    /// are kept.
    pub(crate) fn count_effort(&mut self, effort: &physics::groups::optimization::Effort) {
        self.optimized_steps += effort.steps;
        self.optimized_bodies += effort.bodies;
        self.left_jointed += effort.left.jointed;
        self.left_loose += effort.left.loose;
        self.left_jammed += effort.left.jammed;
        self.left_bodies += effort.left.bodies;
        self.optimization_programs += effort.programs;
        self.optimization_vertices += effort.vertices;
        self.optimization_rollbacks += effort.rollbacks;
        self.optimization_sweeps += effort.sweeps;
        self.optimization_impulses += effort.impulses;
        self.optimization_unsettled += effort.unsettled;
    }

    /// Adds what another region has counted.
    pub(crate) fn add(&mut self, other: &Stats) {
        self.events_committed += other.events_committed;
        self.collisions += other.collisions;
        self.fusions += other.fusions;
        self.fissions += other.fissions;
        self.callbacks += other.callbacks;
        self.checks += other.checks;
        self.searches += other.searches;
        self.integrations += other.integrations;
        self.rollbacks += other.rollbacks;
        self.segments_undone += other.segments_undone;
        self.segments_committed += other.segments_committed;
        self.segments_begun += other.segments_begun;
        self.integrated_s += other.integrated_s;
        self.undone_s += other.undone_s;
        self.peak_history_bytes += other.peak_history_bytes;
        self.max_penetration_m = self.max_penetration_m.max(other.max_penetration_m);
    }

    /// Fills in what follows from the counts.
    pub fn conclude(&mut self) {
        let bodies = self.bodies_moving.max(1) as f64;
        self.mean_step_ms = 1e3 * self.integrated_s / self.integrations.max(1) as f64;
        self.mean_time_between_events_ms =
            1e3 * self.sim_seconds / self.events_committed.max(1) as f64;
        self.integration_per_body_s = self.integrated_s / bodies;
        self.rollback_per_body_s = self.undone_s / bodies;
        self.efficiency = match self.segments_begun {
            0 => None,
            begun => Some(1.0 - self.segments_undone as f64 / begun as f64),
        };
    }
}
