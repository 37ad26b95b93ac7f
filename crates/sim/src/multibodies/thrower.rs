//! `pick_and_throw`: the controller of an arm with six hinges and two fingers that looks for a box within reach, picks it
//! up by friction alone, swings it up and throws it over its head, again and again (Mirtich 5, *robots*).
//!
//! Where the joints should be comes from inverse kinematics, how they get there from polynomials in time, and the
//! torques from inverse dynamics with feedback. Everything that it remembers lies in slots.

use super::control::{Control, ControlFn, Controller};
use crate::world::{BodyId, World};
use multibody::{Multibody, Pose, Vec3, Workspace};
use physics::State;
use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::{Arc, Mutex};

/// The arm's joints, in this order, are called so.
pub(crate) const JOINTS: [&str; 8] = [
    "turret",
    "upper arm",
    "forearm",
    "twist",
    "wrist",
    "hand",
    "left finger",
    "right finger",
];
/// Joints of the arm without the fingers.
const ARM: usize = 6;

/// Feedback: the arm's error decays like a critically damped spring, 1/s² and 1/s.
const STIFFNESS: f64 = 225.0;
const DAMPING: f64 = 30.0;
/// The fingers' springs, N/m, and where they pull to: half the distance between the pads, m.
const FINGER_STIFFNESS: f64 = 1500.0;
const FINGER_FORCE: f64 = 60.0;
const OPEN: f64 = 0.1;
const CLOSED: f64 = 0.025;
/// How far from the turret's axis boxes are picked up, m.
const NEAREST: f64 = 0.3;
const FARTHEST: f64 = 0.76;
/// A box that moves faster than this has not come to rest yet, m/s and rad/s.
const QUIET: f64 = 0.05;
/// A box lies flat if the cosine of its tilt is more than this.
const FLAT: f64 = 0.995;
/// Seconds between two looks while there is nothing to pick up.
const PATIENCE: f64 = 0.2;

/// What the arm does, and for how long, seconds.
const PHASES: [f64; 7] = [0.0, 0.8, 0.45, 0.25, 0.9, 0.32, 0.7];
const LOOK: usize = 0;
const OVER: usize = 1;
const DOWN: usize = 2;
const CLOSE: usize = 3;
const WIND_UP: usize = 4;
const SWING: usize = 5;
const AFTER: usize = 6;

/// Slots: whether the next call looks, the phase, when it began, when it looks again, the box, how often it has thrown, the
/// box's distance and height; then where the arm's joints came from and where they go, positions and velocities.
const EYES: usize = 0;
const PHASE: usize = 1;
const SINCE: usize = 2;
const AGAIN: usize = 3;
const BOX: usize = 4;
const THROWN: usize = 5;
const GRASP: usize = 6;
const FROM: usize = 8;
const TO: usize = FROM + 2 * ARM;
const SLOTS: usize = TO + 2 * ARM;

/// A box as the arm knows it.
#[derive(Clone, Copy, Debug)]
struct Cube {
    mass: f64,
    half: f64,
}

/// The arm's lengths, m, and where it stands.
#[derive(Clone, Debug)]
struct Arm {
    model: Multibody,
    /// From the world to the frame that the turret turns in.
    inverse_base: Pose,
    /// Places of the joints among positions and velocities.
    dofs: [usize; 8],
    motors: [usize; 8],
    dampings: [f64; 8],
    hand: usize,
    shoulder: f64,
    upper: f64,
    lower: f64,
    /// From the wrist to the middle of what the fingers hold.
    reach: f64,
    boxes: Vec<Cube>,
    period: f64,
}

/// Why an arm cannot be controlled so.
pub(crate) fn make(
    world: &World,
    index: usize,
    boxes: &[BodyId],
    (first, rate): (f64, f64),
    grip: f64,
) -> Result<Controller, String> {
    let made = &world.multibodies[index];
    let model = &*made.model;
    let mut links = [0; 8];
    for (name, link) in JOINTS.iter().zip(&mut links) {
        let found = (0..model.len()).find(|k| model.link(*k).name == *name);
        *link = found.ok_or_else(|| {
            format!(
                "`pick_and_throw` needs an arm with the links {}; there is no `{name}`",
                JOINTS.map(|j| format!("`{j}`")).join(", ")
            )
        })?;
    }
    let mut motors = [0; 8];
    for (name, motor) in JOINTS.iter().zip(&mut motors) {
        let found = made.motor_names.iter().position(|m| m == name);
        *motor = found.ok_or_else(|| {
            format!("`pick_and_throw` needs a motor on `{name}`: `motor = {{ force = 0 }}`")
        })?;
    }
    if model.velocities() != 8 || model.len() != 8 {
        return Err("`pick_and_throw` needs an arm of eight links on hinges and slides".into());
    }
    let above = |link: usize| model.link(links[link]).placement.translation.y;
    let arm = Arm {
        model: model.clone(),
        inverse_base: model.link(links[0]).placement.inverse(),
        dofs: links.map(|link| model.velocity_index(link)),
        motors,
        dampings: links.map(|link| model.link(link).joint.damping),
        hand: links[5],
        shoulder: above(1),
        upper: above(2),
        lower: above(3) + above(4),
        reach: above(5) + above(6) + grip,
        boxes: boxes
            .iter()
            .map(|body| {
                let model = world.model(*body);
                Cube {
                    mass: model.mass.mass,
                    half: model.bounding_radius() / 3f64.sqrt(),
                }
            })
            .collect(),
        period: 1.0 / rate,
    };
    let mut slots = vec![0.0; SLOTS];
    for (joint, dof) in arm.dofs.iter().enumerate().take(ARM) {
        slots[FROM + joint] = made.start[*dof];
        slots[TO + joint] = made.start[*dof];
    }
    Ok(Controller {
        slots,
        sees: boxes.to_vec(),
        eyes: Some(EYES),
        ..Controller::new(first, 0, arm.controller())
    })
}

impl Arm {
    fn controller(self) -> ControlFn {
        // Memory only: every call fills it before it reads it.
        let spare = Mutex::new(vec![Workspace::new(&self.model)]);
        Arc::new(move |control: &mut Control<'_>| {
            let kept = spare.lock().ok().and_then(|mut kept| kept.pop());
            let mut ws = kept.unwrap_or_else(|| Workspace::new(&self.model));
            self.decide(control);
            self.pull(control, &mut ws);
            if let Ok(mut kept) = spare.lock() {
                kept.push(ws);
            }
            Some(self.period)
        })
    }

    /// Goes on to the next phase if this one is over.
    fn decide(&self, control: &mut Control<'_>) {
        let phase = control.slots[PHASE] as usize;
        let gone = control.seconds - control.slots[SINCE];
        // Half a period early or late is the same call.
        if gone < PHASES[phase] - 0.5 * self.period {
            return;
        }
        let still = [0.0; ARM];
        let turret = control.slots[TO];
        let here: [f64; ARM] = std::array::from_fn(|k| control.slots[TO + k]);
        match phase {
            LOOK => self.look(control),
            OVER => {
                let at = (control.slots[GRASP], control.slots[GRASP + 1]);
                let pose = self.inverse(turret, at, PI);
                self.go(control, DOWN, pose.map(|p| turned(p, here[5])), still);
            }
            DOWN => self.go(control, CLOSE, Some(here), still),
            CLOSE => {
                // It turns aside, so that boxes come to lie all around it.
                let is_even = (control.slots[THROWN] as u64).is_multiple_of(2);
                let aside = turret + if is_even { 1.1 } else { -0.7 };
                let pose = self.inverse(aside, (0.42, self.shoulder + 0.1), FRAC_PI_2);
                self.go(control, WIND_UP, pose, still);
            }
            WIND_UP => {
                // Up and a little backwards: over the head.
                let pose = self.inverse(turret, (0.16, self.shoulder + 0.62), -0.2);
                let rates = pose.map(|pose| self.rates(&pose, (-0.9, 2.3), -2.0));
                self.go(control, SWING, pose, rates.unwrap_or(still));
            }
            SWING => {
                control.slots[THROWN] += 1.0;
                let pose = self.inverse(turret, (0.3, self.shoulder + 0.35), FRAC_PI_2);
                self.go(control, AFTER, pose, still);
            }
            _ => {
                self.go(control, LOOK, Some(here), still);
                control.slots[EYES] = 1.0;
            }
        }
    }

    /// Looks for a box, if it is time to, and sets out for it.
    fn look(&self, control: &mut Control<'_>) {
        if control.seen.is_empty() {
            let is_due = control.seconds >= control.slots[AGAIN];
            control.slots[EYES] = f64::from(u8::from(is_due));
            return;
        }
        control.slots[EYES] = 0.0;
        control.slots[AGAIN] = control.seconds + PATIENCE;
        let Some((number, at, yaw)) = self.choice(control.seen) else {
            return;
        };
        // The turret turns the short way; the hand turns the fingers to the nearest pair of the box's sides.
        let nearest =
            |angle: f64, to: f64, every: f64| angle + every * ((to - angle) / every).round();
        let turret = nearest(libm::atan2(-at.z, at.x), control.slots[TO], 2.0 * PI);
        let hand = nearest(turret - yaw, 0.0, FRAC_PI_2);
        let radius = libm::hypot(at.x, at.z);
        let above = at.y + 2.0 * self.boxes[number].half + 0.06;
        let pose = self.inverse(turret, (radius, above), PI);
        control.slots[BOX] = number as f64;
        control.slots[GRASP] = radius;
        control.slots[GRASP + 1] = at.y;
        if pose.is_some() {
            self.go(control, OVER, pose.map(|p| turned(p, hand)), [0.0; ARM]);
        }
    }

    /// The box that has most room around it of those that lie flat, quiet and within reach: its number, where it is as
    /// seen from the turret, and how its sides are turned about the vertical.
    fn choice(&self, seen: &[State]) -> Option<(usize, Vec3, f64)> {
        let mut best: Option<(f64, usize, Vec3, f64)> = None;
        for (number, state) in seen.iter().enumerate() {
            let is_quiet = state.velocity.length() < QUIET && state.spin.length() < QUIET;
            let at = self.inverse_base * state.position;
            let radius = libm::hypot(at.x, at.z);
            if !is_quiet || !(NEAREST..=FARTHEST).contains(&radius) {
                continue;
            }
            let axes = Vec3::AXES
                .map(|axis| (self.inverse_base.rotation * (state.rotation * axis)).to_array());
            let Some(upright) = axes.iter().position(|axis| axis[1].abs() > FLAT) else {
                continue;
            };
            let [x, _, z] = axes[(upright + 1) % 3];
            let others = seen.iter().enumerate().filter(|(k, _)| *k != number);
            let room = others
                .map(|(_, other)| (other.position - state.position).length())
                .fold(1.0, f64::min);
            if best.is_none_or(|(most, ..)| room > most) {
                best = Some((room, number, at, libm::atan2(x, z)));
            }
        }
        best.map(|(_, number, at, yaw)| (number, at, yaw))
    }

    /// Sets out for a pose, from the one that was sought last. What cannot be reached leaves the arm where it is, and
    /// looking.
    fn go(
        &self,
        control: &mut Control<'_>,
        phase: usize,
        pose: Option<[f64; ARM]>,
        rates: [f64; ARM],
    ) {
        let slots = &mut control.slots;
        slots.copy_within(TO..TO + 2 * ARM, FROM);
        slots[SINCE] = control.seconds;
        slots[PHASE] = if pose.is_some() {
            phase as f64
        } else {
            LOOK as f64
        };
        if let Some(pose) = pose {
            slots[TO..TO + ARM].copy_from_slice(&pose);
            slots[TO + ARM..TO + 2 * ARM].copy_from_slice(&rates);
        } else {
            slots[TO + ARM..TO + 2 * ARM].fill(0.0);
        }
    }

    /// Inverse kinematics: joints that bring what the fingers hold to a distance from the turret's axis and a height over
    /// its joint, with the hand tilted from the vertical; the elbow is up.
    fn inverse(&self, turret: f64, (radius, height): (f64, f64), tilt: f64) -> Option<[f64; ARM]> {
        let (sin, cos) = libm::sincos(tilt);
        let (x, y) = (
            radius - self.reach * sin,
            height - self.reach * cos - self.shoulder,
        );
        let (a, b) = (self.upper, self.lower);
        let bend = (x * x + y * y - a * a - b * b) / (2.0 * a * b);
        if bend.abs() > 1.0 {
            return None;
        }
        let elbow = libm::acos(bend);
        let upper = libm::atan2(x, y) - libm::atan2(b * libm::sin(elbow), a + b * bend);
        Some([turret, upper, elbow, 0.0, tilt - upper - elbow, 0.0])
    }

    /// Rates of the joints that move what the fingers hold so fast outwards and upwards while the hand tilts so fast.
    fn rates(
        &self,
        pose: &[f64; ARM],
        (outwards, upwards): (f64, f64),
        tilting: f64,
    ) -> [f64; ARM] {
        let (first, second) = (pose[1], pose[1] + pose[2]);
        let (sin, cos) = libm::sincos(second + pose[4]);
        let (x, y) = (
            outwards - self.reach * cos * tilting,
            upwards + self.reach * sin * tilting,
        );
        // Of the angles against the vertical, by Cramer's rule.
        let (s1, c1) = libm::sincos(first);
        let (s2, c2) = libm::sincos(second);
        let (a, b) = (self.upper, self.lower);
        let det = a * b * (s1 * c2 - c1 * s2);
        let upper = (-b * s2 * x - b * c2 * y) / det;
        let lower = (a * c1 * y + a * s1 * x) / det;
        [0.0, upper, lower - upper, 0.0, tilting - lower, 0.0]
    }

    /// Torques and forces that bring the joints where they should be.
    fn pull(&self, control: &mut Control<'_>, ws: &mut Workspace) {
        let phase = control.slots[PHASE] as usize;
        let gone = control.seconds - control.slots[SINCE];
        let mut wanted = [0.0; 8];
        for joint in 0..ARM {
            let of = |at: usize| [control.slots[at + joint], control.slots[at + ARM + joint]];
            // What acts now holds for a period: it aims at the middle of it.
            let aim = gone + 0.5 * self.period;
            let [_, _, push] = between(of(FROM), of(TO), PHASES[phase], aim);
            let [place, rate, _] = between(of(FROM), of(TO), PHASES[phase], gone);
            let dof = self.dofs[joint];
            wanted[dof] = push
                + STIFFNESS * (place - control.positions[dof])
                + DAMPING * (rate - control.velocities[dof]);
        }
        ws.clear_forces();
        self.model
            .kinematics(control.positions, control.velocities, ws);
        if (WIND_UP..=SWING).contains(&phase) {
            // What it holds weighs as well.
            let Cube { mass, .. } = self.boxes[control.slots[BOX] as usize];
            let middle =
                ws.origin(self.hand) + ws.rotation(self.hand) * Vec3::new(0.0, self.reach, 0.0);
            ws.push(self.hand, self.model.gravity() * mass, middle);
        }
        let mut torques = [0.0; 8];
        let (q, v) = (control.positions, control.velocities);
        self.model.inverse_dynamics(q, v, &wanted, ws, &mut torques);
        ws.clear_forces();
        let grips = (CLOSE..=SWING).contains(&phase);
        for (joint, dof) in self.dofs.into_iter().enumerate() {
            let damping = self.dampings[joint];
            control.controls[self.motors[joint]] = match joint < ARM {
                true => torques[dof] + damping * control.velocities[dof],
                false => {
                    let target = if grips { CLOSED } else { OPEN };
                    let pull = FINGER_STIFFNESS * (target - control.positions[dof]);
                    pull.clamp(-FINGER_FORCE, FINGER_FORCE)
                }
            };
        }
    }
}

/// A pose with the hand turned.
fn turned(mut pose: [f64; ARM], hand: f64) -> [f64; ARM] {
    pose[5] = hand;
    pose
}

/// Position, velocity and acceleration after `gone` seconds of a way of `seconds` that begins and ends with given
/// positions and velocities, and without acceleration.
fn between(from: [f64; 2], to: [f64; 2], seconds: f64, gone: f64) -> [f64; 3] {
    if gone >= seconds {
        return [to[0], 0.0, 0.0];
    }
    let (s, t) = (gone / seconds, seconds);
    // What is left of the way beyond going on at the first velocity, in units of the whole.
    let (way, change) = (to[0] - from[0] - from[1] * t, (to[1] - from[1]) * t);
    let c = [
        10.0 * way - 4.0 * change,
        -15.0 * way + 7.0 * change,
        6.0 * way - 3.0 * change,
    ];
    let place = s * s * s * (c[0] + s * (c[1] + s * c[2]));
    let rate = s * s * (3.0 * c[0] + s * (4.0 * c[1] + s * 5.0 * c[2]));
    let push = s * (6.0 * c[0] + s * (12.0 * c[1] + s * 20.0 * c[2]));
    [
        from[0] + from[1] * gone + place,
        from[1] + rate / t,
        push / (t * t),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_begins_and_ends_as_it_should() {
        let (from, to) = ([0.3, -1.0], [1.2, 2.0]);
        let start = between(from, to, 0.5, 0.0);
        let end = between(from, to, 0.5, 0.5 - 1e-12);
        for k in 0..2 {
            assert!((start[k] - from[k]).abs() < 1e-12);
            assert!((end[k] - to[k]).abs() < 1e-9, "{end:?}");
        }
        assert!(start[2].abs() < 1e-9 && end[2].abs() < 1e-6, "{end:?}");
        // The derivatives belong to each other.
        let h = 1e-6;
        let [before, here, after] = [0.2 - h, 0.2, 0.2 + h].map(|t| between(from, to, 0.5, t));
        assert!(((after[0] - before[0]) / (2.0 * h) - here[1]).abs() < 1e-7);
        assert!(((after[1] - before[1]) / (2.0 * h) - here[2]).abs() < 1e-6);
    }
}
