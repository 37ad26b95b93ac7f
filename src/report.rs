//! A run's statistics: for people as a table, for programs as JSON.

use crate::failure::Failure;
use crate::table::{Table, short};
use sim::{EnergyBooks, Stats, World};

/// The statistics as JSON.
pub fn json(stats: &Stats) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(stats);
    let text = text.map_err(|e| Failure::run(format!("cannot write the statistics: {e}"), None))?;
    Ok(text + "\n")
}

/// The statistics for people.
pub fn table(stats: &Stats, world: &World) -> String {
    let heading = format!("{} under {}", stats.scene, stats.algorithm);
    let mut t = Table::new([heading.as_str(), ""]).prose();
    put(
        &mut t,
        "simulated",
        format!("{} s", short(stats.sim_seconds)),
    );
    put(
        &mut t,
        "CPU time",
        format!("{} s", short(stats.cpu_seconds)),
    );
    put(
        &mut t,
        "elapsed",
        format!("{} s", short(stats.wall_seconds)),
    );
    if !world.deformables.is_empty() {
        let vertices = stats.vertices_total;
        let count = format!("{} of {vertices} vertices", world.deformables.len());
        put(&mut t, "cloth and shells", count);
        put(&mut t, "their steps", stats.deformable_steps.to_string());
    }
    if !world.bodies.is_empty() {
        bodies(&mut t, stats);
        overlaps(&mut t, stats);
        energy(&mut t, stats);
    }
    let megabytes = stats.peak_history_bytes as f64 / 1e6;
    put(
        &mut t,
        "peak memory of history",
        format!("{} MB", short(megabytes)),
    );
    put(&mut t, "history", stats.history_sha256.clone());
    t.render()
}

fn put(t: &mut Table, name: &str, value: String) {
    t.row([name.to_string(), value]);
}

fn bodies(t: &mut Table, stats: &Stats) {
    let (moving, all) = (stats.bodies_moving, stats.bodies_total);
    put(t, "bodies, moving / all", format!("{moving} / {all}"));
    put(t, "events", stats.events_committed.to_string());
    put(t, "  collisions", stats.collisions.to_string());
    if stats.groups_created > 0 {
        let changes = format!("{} / {}", stats.fusions, stats.fissions);
        put(t, "  fusions / fissions", changes);
        let (groups, largest) = (stats.groups_created, stats.largest_group);
        put(
            t,
            "contact groups",
            format!("{groups}, the largest of {largest}"),
        );
    }
    optimizer(t, stats);
    if stats.callbacks > 0 {
        put(t, "  callbacks", stats.callbacks.to_string());
    }
    if stats.segments_committed == 0 {
        return;
    }
    let between = stats.mean_time_between_events_ms;
    put(
        t,
        "mean time between events",
        format!("{} ms", short(between)),
    );
    put(t, "collision checks", stats.checks.to_string());
    put(t, "integrations", stats.integrations.to_string());
    put(t, "mean step", format!("{} ms", short(stats.mean_step_ms)));
    let per_body = stats.integration_per_body_s;
    put(t, "integration per body", format!("{} s", short(per_body)));
    let undone = stats.rollback_per_body_s;
    put(t, "rollback per body", format!("{} s", short(undone)));
    put(t, "rollbacks", stats.rollbacks.to_string());
    let segments = format!("{} / {}", stats.segments_committed, stats.segments_undone);
    put(t, "segments, committed / undone", segments);
    if let Some(efficiency) = stats.efficiency {
        put(t, "efficiency", format!("{:.2} %", 100.0 * efficiency));
    }
}

/// What the optimiser did, and which steps of groups it left to `soft-step`, and why.
fn optimizer(t: &mut Table, stats: &Stats) {
    let why = [
        (stats.left_loose, "not dense"),
        (stats.left_jointed, "with joints"),
        (stats.left_jammed, "jammed"),
    ];
    let left: u64 = why.iter().map(|(steps, _)| steps).sum();
    if stats.optimized_steps + left == 0 {
        return;
    }
    let members = |bodies: u64, steps: u64| {
        let mean = bodies as f64 / steps.max(1) as f64;
        format!("of groups of {mean:.1} members in the mean")
    };
    if stats.optimized_steps > 0 {
        let (programs, undone) = (stats.optimization_programs, stats.optimization_rollbacks);
        let mean = members(stats.optimized_bodies, stats.optimized_steps);
        let steps = format!(
            "{} {mean}: {programs} programs, {undone} roll-backs",
            stats.optimized_steps
        );
        put(t, "  steps of the optimiser", steps);
        let (impulses, unsettled) = (stats.optimization_impulses, stats.optimization_unsettled);
        let settled = format!("{impulses}, of which {unsettled} did not settle");
        put(t, "  programs over impulses", settled);
    }
    if left > 0 {
        let why = why.iter().filter(|(steps, _)| *steps > 0);
        let why: Vec<String> = why.map(|(steps, why)| format!("{steps} {why}")).collect();
        let mean = members(stats.left_bodies, left);
        put(
            t,
            "  steps of soft-step",
            format!("{left} {mean}: {}", why.join(", ")),
        );
    }
    if stats.optimization_unclear > 0 {
        let unclear = stats.optimization_unclear.to_string();
        put(t, "  on whose ways bodies may overlap", unclear);
    }
}

fn overlaps(t: &mut Table, stats: &Stats) {
    let metres = |m: f64| format!("{} m", short(m));
    put(
        t,
        "largest overlap, at collisions",
        metres(stats.max_penetration_m),
    );
    if stats.group_steps > 0 {
        let depth = stats.max_group_overlap_m;
        put(t, "largest overlap, in contact groups", metres(depth));
    }
}

/// The books of energy, or the change from start to end where none were kept.
fn energy(t: &mut Table, stats: &Stats) {
    let Some(books) = &stats.energy else {
        let drift = short(stats.energy_drift_relative);
        let note = "end against start alone: no books were kept";
        return put(t, "change of energy", format!("{drift} ({note})"));
    };
    let joules = |kinetic: f64, potential: f64| {
        format!(
            "{} J kinetic, {} J potential",
            short(kinetic),
            short(potential)
        )
    };
    let EnergyBooks {
        energy_kinetic_start_j: k0,
        energy_potential_start_j: p0,
        energy_kinetic_end_j: k1,
        energy_potential_end_j: p1,
        ..
    } = *books;
    put(t, "energy at the start", joules(k0, p0));
    put(t, "energy at the end", joules(k1, p1));
    let entries = [
        ("  in collisions", books.energy_collisions_j),
        ("  in contact groups", books.energy_groups_j),
        ("  by fields and damping", books.energy_fields_j),
        ("  by scripted bodies", books.energy_scripts_j),
        ("  by inputs", books.energy_inputs_j),
        ("  in cloth and shells", books.energy_deformables_j),
    ];
    for (name, value) in entries.into_iter().filter(|(_, value)| *value != 0.0) {
        put(t, name, format!("{} J", short(value)));
    }
    let relative = short(books.energy_unexplained_max_relative);
    let unexplained = short(books.energy_unexplained_j);
    put(
        t,
        "  unexplained",
        format!("{unexplained} J (at most {relative} of what moved about)"),
    );
    let (end, most) = (k1 + p1 - k0 - p0, short(books.energy_change_max_relative));
    let at = short(books.energy_change_max_at_s);
    let change = format!(
        "{} J at the end, at most {most} of what moved about, at {at} s",
        short(end)
    );
    put(t, "change of energy", change);
}
