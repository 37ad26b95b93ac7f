//! `warpline export --what energy`: energy, momentum, angular momentum and the deepest overlap over time.
//! Of the dynamic bodies alone: what cloth and shells hold is not in a recording.

use crate::energy::Energy;
use crate::replay::Replayed;
use physics::{Quat, State, Vec3};
use record::export::{Evaluator, Options};
use record::{Reader, TICKS_PER_SECOND, seconds_between};
use sim::{BodyId, Kind, World};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Rows a second, unless others are asked for.
const FPS: f64 = 60.0;
/// States held at once, about 100 MB.
const STATES_MAX: usize = 1_000_000;

const COLUMNS: &str = "time_s,kinetic_J,potential_J,energy_J,px_Ns,py_Ns,pz_Ns,lx_Nms,ly_Nms,lz_Nms,\
                       overlap_m,overlap_a,overlap_b\n";

/// Why there is no such table.
#[derive(Debug, thiserror::Error)]
pub enum MeasuresError {
    /// The name's ending is not that of a table.
    #[error("{} is no table: end the name in .csv", .0.display())]
    NoTable(PathBuf),
    /// Rows a second that make no sense.
    #[error("fps is {0}, it must be a positive number")]
    Fps(f64),
    /// The recording could not be read.
    #[error(transparent)]
    Recording(#[from] record::Error),
}

/// The table, which is to become the file `path`.
pub fn table(
    reader: &Reader,
    world: &World,
    path: &Path,
    options: &Options,
) -> Result<String, MeasuresError> {
    if path
        .extension()
        .is_none_or(|e| !e.eq_ignore_ascii_case("csv"))
    {
        return Err(MeasuresError::NoTable(path.to_path_buf()));
    }
    let fps = options.fps.unwrap_or(FPS);
    if !(fps > 0.0 && fps.is_finite()) {
        return Err(MeasuresError::Fps(fps));
    }
    let (first, last) = options.span(reader);
    // A span that is a whole number of rows long, up to a tick, must not lose its last one.
    let count = (seconds_between(first, last.saturating_add(1)) * fps).floor() as usize;
    let tick =
        |row: usize| (first + (row as f64 / fps * TICKS_PER_SECOND).round() as i64).min(last);
    let ticks: Vec<i64> = (0..=count).map(tick).collect();
    let mut text = COLUMNS.to_string();
    let at_once = (STATES_MAX / world.bodies.len().max(1)).max(1);
    for ticks in ticks.chunks(at_once) {
        let states = states(reader, world, ticks)?;
        for (tick, states) in ticks.iter().zip(&states) {
            row(&mut text, world, *tick, states);
        }
    }
    Ok(text)
}

/// The states of all bodies at some rising ticks; none for a body that is not there.
fn states(
    reader: &Reader,
    world: &World,
    ticks: &[i64],
) -> Result<Vec<Vec<Option<State>>>, MeasuresError> {
    let bodies = world.bodies.len();
    let mut states = vec![vec![None; bodies]; ticks.len()];
    let mut next = vec![0; bodies];
    let mut replayed = Replayed::new(world);
    let read = reader.for_each_stretch(|stretch| {
        let body = stretch.segment.body as usize;
        if body >= bodies {
            return;
        }
        replayed.begin(&stretch.segment);
        while let Some(&tick) = ticks.get(next[body]) {
            if tick >= stretch.segment.start && !stretch.holds(tick) {
                return;
            }
            if stretch.holds(tick) && stretch.is_present() {
                let state = replayed.state(&stretch.segment, tick);
                states[next[body]][body] = Some(State {
                    position: Vec3::from_array(state.position),
                    velocity: Vec3::from_array(state.velocity),
                    rotation: Quat::from_array(state.rotation),
                    spin: Vec3::from_array(state.spin),
                });
            }
            next[body] += 1;
        }
    });
    read?;
    Ok(states)
}

fn row(text: &mut String, world: &World, tick: i64, states: &[Option<State>]) {
    let mut energy = Energy::default();
    let (mut linear, mut angular) = (Vec3::ZERO, Vec3::ZERO);
    for (body, state) in states.iter().enumerate() {
        let Some(state) = state.filter(|_| world.bodies[body].kind == Kind::Dynamic) else {
            continue;
        };
        energy += Energy::of_body(world, body as u32, &state);
        let mass = world.model(BodyId(body as u32)).mass;
        let momentum = state.velocity * mass.mass;
        let turning = state.rotation * (mass.inertia * (state.rotation.inverse() * state.spin));
        linear += momentum;
        angular += state.position.cross(momentum) + turning;
    }
    let [px, py, pz] = linear.to_array();
    let [lx, ly, lz] = angular.to_array();
    let (kinetic, potential) = (energy.kinetic, energy.potential);
    let (depth, a, b) = deepest(world, states);
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{},{kinetic},{potential},{},{px},{py},{pz},{lx},{ly},{lz},{depth},{a},{b}",
        seconds_between(0, tick),
        energy.total(),
    );
}

/// The deepest overlap of bodies that are there, m, and the two bodies' numbers.
fn deepest(world: &World, states: &[Option<State>]) -> (f64, String, String) {
    let started = world.bodies.iter().map(|b| b.start);
    let all: Vec<State> = states
        .iter()
        .zip(started)
        .map(|(state, start)| state.unwrap_or(start))
        .collect();
    let mut deepest = (0.0, String::new(), String::new());
    sim::overlap::overlaps(world, &all, 0.0, |a, b, depth| {
        let are_there = states[a.index()].is_some() && states[b.index()].is_some();
        if are_there && depth > deepest.0 {
            deepest = (depth, a.0.to_string(), b.0.to_string());
        }
    });
    deepest
}
