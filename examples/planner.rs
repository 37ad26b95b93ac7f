//! A planner: a pile of boxes and a ball; which of 256 pushes moves the red box farthest? Every push
//! is tried in a branch of its own, which shares its past with the others, and the best one is played.
//!
//! `cargo run --release --example planner`

use std::time::Instant;
use warpline::physics::body::Heft;
use warpline::physics::groups::Settings;
use warpline::physics::{BodyModel, Material, Part, Pose, Shape, State, Vec3};
use warpline::sim::{Action, BodyId, ContactRules, Input, Simulation, SimulationError, World};
use warpline::warp::Tick;

/// Pushes tried.
const PUSHES: u32 = 256;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (world, ball, prize) = pile()?;
    let mut sim = Simulation::new(world, 0.1)?;
    sim.advance(Tick::from_seconds(2.0))?;
    let begun = Instant::now();
    let mut best: Option<(f64, Vec3)> = None;
    let mut branching = 0.0;
    for index in 0..PUSHES {
        let impulse = push(index);
        let started = Instant::now();
        let mut branch = sim.branch();
        branching += started.elapsed().as_secs_f64();
        let moved = outcome(&mut branch, ball, prize, impulse)?;
        if best.is_none_or(|(most, _)| moved > most) {
            best = Some((moved, impulse));
        }
    }
    let (promised, impulse) = best.ok_or("no push was tried")?;
    println!(
        "{PUSHES} futures of 1.5 s in {:.2} s; a branch took {:.1} us",
        begun.elapsed().as_secs_f64(),
        1e6 * branching / f64::from(PUSHES)
    );
    println!("best push: {impulse:.2} N s; it moves the prize by {promised:.4} m");
    let moved = outcome(&mut sim, ball, prize, impulse)?;
    println!("played for real: {moved:.4} m");
    if moved != promised {
        return Err("the future did not come out as foreseen".into());
    }
    Ok(())
}

/// How far a push on the ball moves the prize within a second and a half.
fn outcome(
    sim: &mut Simulation,
    ball: BodyId,
    prize: BodyId,
    impulse: Vec3,
) -> Result<f64, SimulationError> {
    let now = sim.now();
    let before = sim.state(prize, now).map_or(Vec3::ZERO, |s| s.position);
    sim.input(Input {
        at: now,
        body: ball,
        order: 0,
        action: Action::Impulse {
            impulse,
            point: None,
        },
    })?;
    let end = now.saturating_add(Tick::from_seconds(1.5).0);
    sim.advance(end)?;
    let after = sim.state(prize, end).map_or(Vec3::ZERO, |s| s.position);
    Ok(before.distance(after))
}

/// Directions on a fan towards the pile, at four strengths.
fn push(index: u32) -> Vec3 {
    let [yaw, pitch, strength] = [index % 8, index / 8 % 8, index / 64].map(f64::from);
    let (yaw, pitch) = (0.08 * (yaw - 3.5), 0.05 * pitch);
    let direction = Vec3::new(
        yaw.cos() * pitch.cos(),
        pitch.sin(),
        yaw.sin() * pitch.cos(),
    );
    direction * (10.0 + 10.0 * strength)
}

/// A pyramid of boxes with the prize on top, and a ball in front of it.
fn pile() -> Result<(World, BodyId, BodyId), Box<dyn std::error::Error>> {
    let gravity = Vec3::new(0.0, -9.81, 0.0);
    let mut world = World::new("planner", gravity, 10.0);
    world.contact = Some(ContactRules::soft_step(Settings::default())?);
    let material = Material {
        restitution: 0.2,
        friction: 0.5,
    };
    let floor = BodyModel::fixed(
        &[Part::centred(Shape::HalfSpace { normal: Vec3::Y })],
        material,
    )?;
    let floor = world.add_model(floor);
    world.add_fixed("floor", floor, Pose::IDENTITY);
    let half = 0.15;
    let cube = Shape::Box {
        half_extents: Vec3::splat(half),
    };
    let cube = BodyModel::dynamic(&[Part::centred(cube)], Heft::Mass(2.0), material, gravity)?;
    let cube = world.add_model(cube);
    let mut prize = BodyId(0);
    for row in 0..5u32 {
        for place in 0..5 - row {
            let z = 2.1 * half * (f64::from(place) - 0.5 * f64::from(4 - row));
            let at = Vec3::new(0.0, half * (1.0 + 2.0 * f64::from(row)), z);
            let state = State::at_rest(Pose::from_translation(at));
            prize = world.add_dynamic(format!("box {row} {place}"), cube, state);
        }
    }
    let ball = Part::centred(Shape::Ball { radius: 0.2 });
    let ball = BodyModel::dynamic(&[ball], Heft::Mass(4.0), material, gravity)?;
    let ball = world.add_model(ball);
    let at = State::at_rest(Pose::from_translation(Vec3::new(-1.5, 0.2, 0.0)));
    let ball = world.add_dynamic("ball", ball, at);
    Ok((world, ball, prize))
}
