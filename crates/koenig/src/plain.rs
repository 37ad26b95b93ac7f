//! The reference: all entities take every sub-step together, on one thread. The protocol's history must be this one.

use crate::law::{Turn, advance, contact};
use crate::scene::{Ms, Phy, Scene, Settings, Vec3};

/// What a run leaves: every turn in the order of LVT and entity, and the states at the end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectories {
    /// Changes of motion.
    pub turns: Vec<Turn>,
    /// States at the end.
    pub states: Vec<Phy>,
}

/// Runs a scene with a plain loop over sub-steps.
pub fn run(scene: &Scene, settings: &Settings) -> Trajectories {
    let mut states: Vec<Phy> = scene.spheres.iter().map(|s| s.start).collect();
    let mut turns = Vec::new();
    let mut order: Vec<u32> = (0..states.len() as u32).collect();
    let mut impulses: Vec<Vec<(u32, Vec3)>> = vec![Vec::new(); states.len()];
    let mut lvt: Ms = 0;
    while lvt < scene.end {
        find_contacts(scene, settings.sub_step, &states, &mut order, &mut impulses);
        for (entity, state) in states.iter_mut().enumerate() {
            let met = &mut impulses[entity];
            met.sort_unstable_by_key(|(partner, _)| *partner);
            let (next, turn) = advance(
                scene,
                entity as u32,
                (lvt, state),
                met.drain(..),
                settings.sub_step,
            );
            *state = next;
            turns.extend(turn);
        }
        lvt += settings.sub_step;
    }
    Trajectories { turns, states }
}

/// Sweeps along x; `order` stays nearly sorted from one sub-step to the next.
fn find_contacts(
    scene: &Scene,
    sub_step: Ms,
    states: &[Phy],
    order: &mut [u32],
    impulses: &mut [Vec<(u32, Vec3)>],
) {
    let left = |e: u32| states[e as usize].position.x - scene.spheres[e as usize].radius;
    order.sort_by(|a, b| left(*a).total_cmp(&left(*b)));
    for (place, &one) in order.iter().enumerate() {
        let right = states[one as usize].position.x + scene.spheres[one as usize].radius;
        for &other in order[place + 1..].iter().take_while(|o| left(**o) <= right) {
            let (a, b) = (one.min(other), one.max(other));
            let phys = (&states[a as usize], &states[b as usize]);
            if let Some(impulse) = contact(scene, (a, phys.0), (b, phys.1), sub_step) {
                impulses[a as usize].push((b, impulse));
                impulses[b as usize].push((a, -impulse));
            }
        }
    }
}
