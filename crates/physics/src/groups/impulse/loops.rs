//! Loops over the contacts of a sub-step, with all joints in turn; blows that pass through joints.

use super::super::soft_bounce::{BLOWS, SLOWEST, SOON};
use super::contact::{Contact, Mover};
use crate::joints::{Blow, Link, System};

/// Iterations of a loop at most. A loop ends earlier when nothing is violated any more.
const ITERATIONS: u32 = 60;

/// Repeats a sweep over all contacts until none of them was violated by more than `tolerance`.
pub(super) fn iterate(
    contacts: &mut [Contact],
    tolerance: f64,
    mut correct: impl FnMut(&mut Contact) -> f64,
) {
    for _ in 0..ITERATIONS {
        let worst = contacts.iter_mut().map(&mut correct).fold(0.0, f64::max);
        if worst <= tolerance {
            return;
        }
    }
}

/// The same for contacts and joints in turn: a sweep over the contacts, then all joints at once.
pub(super) fn iterate_with(
    joints: &mut System,
    (contacts, movers): (&mut [Contact], &mut [Mover]),
    tolerance: f64,
    correct: impl Fn(&mut Contact, &mut [Mover]) -> f64,
    hold: impl Fn(&mut System) -> f64,
) {
    if joints.is_empty() {
        return iterate(contacts, tolerance, |c| correct(c, movers));
    }
    for _ in 0..ITERATIONS {
        let sweep = contacts.iter_mut().map(|c| correct(c, movers));
        let worst = sweep.fold(0.0, f64::max);
        joints.load(movers);
        let opened = hold(joints);
        joints.store(movers);
        if contacts.is_empty() || (worst <= tolerance && opened <= tolerance) {
            return;
        }
    }
}

/// Lets contacts of a group with joints that will close within the sub-step of `h` seconds bounce, one after the
/// other until all part: with all joints held, so that the blow loses nothing in them. Says whether any did.
pub(super) fn bounce(
    joints: &mut System,
    links: &[Link],
    (list, movers): (&mut [Contact], &mut [Mover]),
    (h, threshold): (f64, f64),
) -> bool {
    let mut has_bounced = false;
    if joints.is_empty() {
        return has_bounced;
    }
    for _ in 0..BLOWS {
        let mut is_struck = false;
        for contact in list.iter_mut().filter(|c| c.restitution > 0.0) {
            let blow = Blow {
                bodies: contact.bodies,
                arms: contact.arms,
                normal: contact.frame[0],
                restitution: contact.restitution,
            };
            let speed = blow.speed(movers);
            let slowest = if contact.restitution < 1.0 {
                threshold
            } else {
                SLOWEST
            };
            if speed >= -slowest || contact.gap - contact.rest + SOON * speed * h > 0.0 {
                continue;
            }
            contact.total += joints.strike(links, movers, &blow);
            contact.approach = 0.0;
            contact.is_felt = true;
            is_struck = true;
        }
        if !is_struck {
            break;
        }
        has_bounced = true;
    }
    has_bounced
}
