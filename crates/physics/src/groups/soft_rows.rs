//! The inner loop of `soft-step`: contact points as rows that are relaxed one after the other.
//!
//! Every point has one normal and two tangent directions. A visit computes the relative velocity
//! once, finds the normal impulse, then the friction it permits (a circular cone) at the slip that
//! the normal impulse leaves, and applies both together. Both bodies feel the impulse at the same point
//! in space, wherever they have moved to: momentum and angular momentum stay as they are.

use super::resist::{Borne, Side, resistance};
use super::soft_buffers::Buffers;
use crate::joints::Moves;
use crate::material::Rolling;
use crate::{Mat3, Vec3};

/// A body as the rows see it. Fixed and kinematic bodies have no inverse mass.
#[derive(Clone, Copy, Debug)]
pub struct Mover {
    /// Velocity of the centre of mass, m/s.
    pub velocity: Vec3,
    /// World angular velocity, rad/s.
    pub spin: Vec3,
    /// One over the mass, 1/kg.
    pub inverse_mass: f64,
    /// What constant acceleration adds to the mean velocity over a sub-step, m/s, where nothing presses.
    pub falling: Vec3,
    /// World inverse inertia, 1/(kg m^2).
    pub inverse_inertia: Mat3,
    /// How far the centre of mass has come since the step's start, metres.
    pub moved: Vec3,
    /// How it has turned since the step's start, less the identity.
    pub turned: Mat3,
}

impl Moves for Mover {
    fn motion(&self) -> [Vec3; 2] {
        [self.velocity, self.spin]
    }

    fn set_motion(&mut self, [velocity, spin]: [Vec3; 2]) {
        (self.velocity, self.spin) = (velocity, spin);
    }

    fn falling(&self) -> Vec3 {
        self.falling
    }

    fn kick(&mut self, arm: Vec3, impulse: Vec3) {
        self.apply(arm, impulse);
    }
}

impl Mover {
    #[inline]
    fn apply(&mut self, arm: Vec3, impulse: Vec3) {
        self.velocity += impulse * self.inverse_mass;
        self.spin += self.inverse_inertia * arm.cross(impulse);
    }

    #[inline]
    fn velocity_at(&self, arm: Vec3) -> Vec3 {
        self.velocity + self.spin.cross(arm)
    }

    /// Change of velocity at `arm` per unit of impulse at `arm`.
    fn response(&self, arm: Vec3, impulse: Vec3) -> Vec3 {
        impulse * self.inverse_mass + (self.inverse_inertia * arm.cross(impulse)).cross(arm)
    }
}

/// What the points of one manifold share.
#[derive(Clone, Copy, Debug)]
pub struct Patch {
    /// The first body; the normal points towards it.
    pub a: u32,
    /// The second body.
    pub b: u32,
    /// Normal and tangents.
    pub frame: [Vec3; 3],
    /// From the surface points to the cores (the centre of a ball): a margin does not turn with its
    /// body, so that what rolls does not lift off.
    pub to_cores: [Vec3; 2],
    /// How round each of the two is against the other: their sum is one.
    pub rounder: [f64; 2],
    /// Coulomb's coefficient.
    pub friction: f64,
    /// Newton's coefficient.
    pub restitution: f64,
    /// Resistance to rolling.
    pub rolling: Rolling,
    /// Whether flat faces or corners meet, so that points of contact are points of the bodies: friction
    /// then holds them in their place. What rolls is held by its velocity alone.
    pub is_flat: bool,
    /// Where its rows begin.
    pub first: u32,
    /// One past its last row.
    pub end: u32,
}

/// One contact point.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// From the centres of mass to the point, metres.
    pub arms: [Vec3; 2],
    /// How the relative velocity will differ in the middle of the sub-step because the point rolls, m/s.
    pub ahead: Vec3,
    /// Distance to the rest distance, metres.
    pub separation: f64,
    /// How far the point of the first body has come from where it took hold of the second, along the
    /// tangents, metres.
    pub drift: [f64; 2],
    /// Effective mass along the normal, kg.
    pub normal_mass: f64,
    /// Inverse of the tangents' 2 by 2 response: xx, xy, yy.
    pub tangent_mass: [f64; 3],
    /// The smaller eigenvalue of that inverse, kg.
    pub slip_mass: f64,
    /// Response along the normal per unit of tangential impulse.
    pub coupling: [f64; 2],
    /// Normal impulse of this sub-step, N s.
    pub normal: f64,
    /// Tangential impulse of this sub-step, N s.
    pub tangent: [f64; 2],
    /// Whether the last visit ended with friction at its limit.
    pub slides: bool,
    /// Largest normal impulse of any sub-step, N s.
    pub normal_max: f64,
    /// Normal impulse of the whole step, N s.
    pub normal_total: f64,
    /// Normal velocity at the step's start, m/s; negative when approaching.
    pub approach: f64,
}

/// By what a row follows its bodies during the step.
#[derive(Clone, Copy, Debug)]
pub struct Foot {
    /// From the centres of mass to the points on the cores, as the bodies were turned at the step's start.
    pub cores: [Vec3; 2],
    /// From the second body's surface point to the first one's at the step's start, metres.
    pub offset: Vec3,
    /// How far the first body's point had come by then from where it took hold, metres.
    pub drift: Vec3,
    /// The distance that is kept at rest, metres.
    pub rest: f64,
    /// Distance to the rest distance when the row was made, metres.
    pub separation_start: f64,
    /// One more than the place of the circles that it rolls on; zero if it does not roll.
    pub rolls: u32,
}

/// The softness of contacts in one sub-step (a damped spring, integrated implicitly).
#[derive(Clone, Copy, Debug)]
pub struct Softness {
    bias_rate: f64,
    mass_scale: f64,
    impulse_scale: f64,
}

impl Softness {
    /// A spring of this frequency and damping ratio under sub-steps of `h` seconds.
    pub fn new(hertz: f64, damping_ratio: f64, h: f64) -> Self {
        let omega = 2.0 * std::f64::consts::PI * hertz;
        let a1 = 2.0 * damping_ratio + h * omega;
        let a2 = h * omega * a1;
        let a3 = 1.0 / (1.0 + a2);
        Softness {
            bias_rate: omega / a1,
            mass_scale: a2 * a3,
            impulse_scale: a3,
        }
    }

    /// The same push-out by contacts that do not yield: for impulses that are found exactly.
    pub fn rigid(self) -> Self {
        Softness {
            mass_scale: 1.0,
            impulse_scale: 0.0,
            ..self
        }
    }
}

/// The numbers of one pass over the rows.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// One over the sub-step, 1/s.
    pub inverse_h: f64,
    /// The push-out; `None` while relaxing.
    pub soft: Option<Softness>,
    /// Overlap that is left alone, metres.
    pub slop: f64,
    /// Largest push-out speed, m/s.
    pub push_out_speed: f64,
    /// Distance above the rest distance within which a contact that presses stays as it is, metres.
    pub band: f64,
    /// Part of a drift that friction takes back in a second, 1/s; zero while relaxing.
    pub hold_rate: f64,
    /// Change of a contact's velocity after which the other contacts of its bodies are visited again, m/s.
    pub much: f64,
}

/// Rounds in which contacts are visited again, at most.
const SETTLING: u32 = 16;

/// Share of an arm by which it may move before the masses of its point are found again.
const SWING: f64 = 0.25;

/// Which bodies the last visits have changed much.
#[derive(Default)]
pub struct Heat {
    round: u32,
    /// Per member, the last round that did.
    last: Vec<u32>,
    /// The bodies of each patch and its place, those among members first: what is looked through for hot ones.
    ends: Vec<[u32; 3]>,
}

impl Heat {
    fn begin(&mut self, members: usize) {
        self.round = 1;
        self.last.clear();
        self.last.resize(members, 0);
    }

    /// Whether one of two bodies has been changed much since the round before this one began.
    fn is_hot(&self, [a, b]: [u32; 2]) -> bool {
        let is_hot =
            |body: u32| (self.last.get(body as usize)).is_some_and(|r| r + 1 >= self.round);
        is_hot(a) || is_hot(b)
    }

    /// Lists the ends of patches, in the order in which they are visited.
    fn list(&mut self, patches: &[Patch], members: usize) {
        self.ends.clear();
        for grounded in [false, true] {
            let all = patches.iter().zip(0..);
            let wanted = all.filter(|(patch, _)| (patch.b as usize >= members) == grounded);
            self.ends
                .extend(wanted.map(|(patch, at)| [patch.a, patch.b, at]));
        }
    }

    fn note(&mut self, patch: &Patch) {
        for body in [patch.a, patch.b] {
            if let Some(last) = self.last.get_mut(body as usize) {
                *last = self.round;
            }
        }
    }
}

/// Two different entries of a slice.
#[inline]
pub(super) fn two(movers: &mut [Mover], a: u32, b: u32) -> [&mut Mover; 2] {
    let (a, b) = (a as usize, b as usize);
    if a < b {
        let (low, high) = movers.split_at_mut(b);
        [&mut low[a], &mut high[0]]
    } else {
        let (low, high) = movers.split_at_mut(a);
        [&mut high[0], &mut low[b]]
    }
}

impl Row {
    /// Fills in masses and the approach speed; impulses must be set already.
    pub fn prepare(&mut self, a: &Mover, b: &Mover, frame: &[Vec3; 3]) {
        self.weigh(a, b, frame);
        let [ra, rb] = self.arms;
        self.approach = frame[0].dot(a.velocity_at(ra) - b.velocity_at(rb));
    }

    /// Fills in masses for the arms of now.
    pub fn weigh(&mut self, a: &Mover, b: &Mover, frame: &[Vec3; 3]) {
        let [n, t, u] = *frame;
        let [ra, rb] = self.arms;
        let respond = |j: Vec3| a.response(ra, j) + b.response(rb, j);
        let (kn, kt, ku) = (respond(n), respond(t), respond(u));
        let invert = |k: f64| if k > 0.0 { 1.0 / k } else { 0.0 };
        self.normal_mass = invert(n.dot(kn));
        let (xx, xy, yy) = (t.dot(kt), t.dot(ku), u.dot(ku));
        let inverse = invert(xx * yy - xy * xy);
        self.tangent_mass = [yy * inverse, -xy * inverse, xx * inverse];
        let spread = (0.25 * (xx - yy) * (xx - yy) + xy * xy).sqrt();
        self.slip_mass = invert(0.5 * (xx + yy) + spread);
        self.coupling = [n.dot(kt), n.dot(ku)];
    }

    /// Goes along with the bodies: where they touch now, how far apart, and how far they have slipped.
    #[inline]
    pub fn follow(&mut self, foot: &Foot, (a, b): (&Mover, &Mover), patch: &Patch) {
        let [core_a, core_b] = foot.cores;
        let (turn_a, turn_b) = (a.turned * core_a, b.turned * core_b);
        let shift = a.moved - b.moved + turn_a - turn_b;
        let apart = foot.offset + shift;
        let [n, t, u] = patch.frame;
        self.separation = n.dot(apart) - foot.rest;
        self.arms = [
            core_a + turn_a - patch.to_cores[0],
            core_b + turn_b - patch.to_cores[1],
        ];
        if b.inverse_mass > 0.0 {
            // One point for both, so that the impulse turns one as it turns the other: halfway between the
            // surfaces, and across from there where the rounder one touches, which does not go along with its
            // turning.
            let across = apart - n * n.dot(apart);
            let [own, other] = patch.rounder;
            self.arms[0] -= apart * 0.5 + across * (other - 0.5);
            self.arms[1] += apart * 0.5 + across * (own - 0.5);
        }
        if patch.is_flat {
            // Where it took hold goes round with the second body.
            let drift = foot.drift + shift + b.turned * foot.drift;
            self.drift = [t.dot(drift), u.dot(drift)];
        }
    }

    /// Whether its arms are no longer those that its masses were found for: in a long step bodies turn far, and a mass
    /// that is twice too large makes every visit worse than the one before.
    fn has_swung(&self, foot: &Foot, patch: &Patch) -> bool {
        (0..2).any(|side| {
            let arm = foot.cores[side] - patch.to_cores[side];
            let swing = self.arms[side] - arm;
            swing.length_squared() > SWING * SWING * arm.length_squared()
        })
    }

    #[inline]
    fn friction(&mut self, slip: [f64; 2], limit: f64) -> [f64; 2] {
        let [xx, xy, yy] = self.tangent_mass;
        let mut x = self.tangent[0] - (xx * slip[0] + xy * slip[1]);
        let mut y = self.tangent[1] - (xy * slip[0] + yy * slip[1]);
        self.slides = x * x + y * y > limit * limit;
        if self.slides {
            // A sliding point: only an isotropic step ends with the friction against the slip.
            x = self.tangent[0] - self.slip_mass * slip[0];
            y = self.tangent[1] - self.slip_mass * slip[1];
            let length_squared = x * x + y * y;
            if length_squared > limit * limit {
                let scale = limit / length_squared.sqrt();
                x *= scale;
                y *= scale;
            }
        }
        let change = [x - self.tangent[0], y - self.tangent[1]];
        self.tangent = [x, y];
        change
    }

    /// How much of the contact's softness is left, one to zero. What carries a pile is soft, so that sweeps keep up with it;
    /// what is pressed in by three times the overlap that is left alone yields no further, however hard it is pressed.
    fn yields(&self, pass: &Pass) -> f64 {
        if pass.slop == 0.0 {
            return 1.0;
        }
        let depth = -self.separation / pass.slop;
        (3.0 - depth).clamp(0.0, 1.0)
    }

    /// The velocity that is wanted against the normal, and how softly.
    #[inline]
    fn push_out(&self, pass: &Pass) -> (f64, f64, f64) {
        let s = self.separation;
        match &pass.soft {
            _ if s > pass.band || (s > 0.0 && self.normal == 0.0) => (s * pass.inverse_h, 1.0, 0.0),
            Some(soft) if s < -pass.slop => {
                let yields = self.yields(pass);
                (
                    (soft.bias_rate * (s + pass.slop)).max(-pass.push_out_speed),
                    1.0 - (1.0 - soft.mass_scale) * yields,
                    soft.impulse_scale * yields,
                )
            }
            _ => (0.0, 1.0, 0.0),
        }
    }

    /// What is left to do of normal and tangential velocity, m/s.
    pub fn residual(&self, a: &Mover, b: &Mover, patch: &Patch, pass: &Pass) -> Vec3 {
        let [n, t, u] = patch.frame;
        let relative = a.velocity_at(self.arms[0]) - b.velocity_at(self.arms[1]) + self.ahead;
        let (bias, _, _) = self.push_out(pass);
        Vec3::new(
            n.dot(relative) + bias,
            t.dot(relative) + pass.hold_rate * self.drift[0],
            u.dot(relative) + pass.hold_rate * self.drift[1],
        )
    }

    /// Changes the impulses, of this row and on the bodies.
    pub fn change(&mut self, a: &mut Mover, b: &mut Mover, patch: &Patch, [n, t, u]: [f64; 3]) {
        self.normal += n;
        self.tangent[0] += t;
        self.tangent[1] += u;
        let impulse = patch.frame[0] * n + patch.frame[1] * t + patch.frame[2] * u;
        a.apply(self.arms[0], impulse);
        b.apply(self.arms[1], -impulse);
    }

    /// One visit. Says whether it changed much.
    #[inline]
    fn visit(&mut self, a: &mut Mover, b: &mut Mover, patch: &Patch, pass: &Pass) -> bool {
        let [n, t, u] = patch.frame;
        let [ra, rb] = self.arms;
        let relative = a.velocity_at(ra) - b.velocity_at(rb) + self.ahead;
        let speed = n.dot(relative);
        let (bias, mass_scale, impulse_scale) = self.push_out(pass);
        let wanted = self.normal
            - self.normal_mass * mass_scale * (speed + bias)
            - impulse_scale * self.normal;
        let normal = wanted.max(0.0);
        let dn = normal - self.normal;
        self.normal = normal;
        self.normal_max = self.normal_max.max(normal);
        let slip = [
            t.dot(relative) + pass.hold_rate * self.drift[0] + self.coupling[0] * dn,
            u.dot(relative) + pass.hold_rate * self.drift[1] + self.coupling[1] * dn,
        ];
        let [dt, du] = self.friction(slip, patch.friction * normal);
        let impulse = n * dn + t * dt + u * du;
        a.apply(ra, impulse);
        b.apply(rb, -impulse);
        let much = pass.much * self.normal_mass;
        dn * dn + dt * dt + du * du > much * much
    }
}

/// Applies the impulses that the last sub-step ended with.
pub fn warm_start(patches: &[Patch], rows: &[Row], movers: &mut [Mover]) {
    for patch in patches {
        let [a, b] = two(movers, patch.a, patch.b);
        let [n, t, u] = patch.frame;
        for row in &rows[patch.first as usize..patch.end as usize] {
            let impulse = n * row.normal + t * row.tangent[0] + u * row.tangent[1];
            a.apply(row.arms[0], impulse);
            b.apply(row.arms[1], -impulse);
        }
    }
}

impl Buffers {
    /// Visits all rows so many times, those among members first, those that lean on neighbours (from number `members`
    /// on) next, so that the ground has the last word. Then rows are visited again whose bodies the last visits have
    /// changed much: after a blow, one sweep is not enough, and where there was none this costs nothing.
    pub fn sweep(&mut self, (pass, times): (Pass, u32), members: usize) {
        let Buffers {
            patches,
            rows,
            movers,
            heat,
            ..
        } = self;
        for _ in 0..times {
            heat.begin(members);
            for grounded in [false, true] {
                for patch in &*patches {
                    if (patch.b as usize >= members) == grounded {
                        visit(patch, rows, movers, &pass, heat);
                    }
                }
            }
        }
        for round in 0..SETTLING {
            if !heat.last.contains(&heat.round) {
                return;
            }
            if round == 0 {
                heat.list(patches, members);
            }
            heat.round += 1;
            for k in 0..heat.ends.len() {
                let [a, b, at] = heat.ends[k];
                if heat.is_hot([a, b]) {
                    visit(&patches[at as usize], rows, movers, &pass, heat);
                }
            }
        }
    }
}

/// Visits the rows of a patch.
#[inline]
fn visit(patch: &Patch, rows: &mut [Row], movers: &mut [Mover], pass: &Pass, heat: &mut Heat) {
    let [a, b] = two(movers, patch.a, patch.b);
    let mut is_much = false;
    for row in &mut rows[patch.first as usize..patch.end as usize] {
        is_much |= row.visit(a, b, patch, pass);
    }
    if is_much {
        heat.note(patch);
    }
}

/// Brakes what rolls or turns on the spot, as far as the normal impulses of the sub-step go.
pub fn resist(patches: &[Patch], rows: &mut [Row], movers: &mut [Mover]) {
    for patch in patches.iter().filter(|p| p.rolling != Rolling::default()) {
        let [a, b] = two(movers, patch.a, patch.b);
        for row in &mut rows[patch.first as usize..patch.end as usize] {
            if row.normal <= 0.0 {
                continue;
            }
            let side = |mover: &Mover, arm: Vec3| Side {
                arm,
                spin: mover.spin,
                inverse_mass: mover.inverse_mass,
                inverse_inertia: mover.inverse_inertia,
            };
            let sides = [side(a, row.arms[0]), side(b, row.arms[1])];
            let borne = Borne {
                normal: row.normal,
                tangent: row.tangent,
                friction: patch.friction,
            };
            let (couple, rub) = resistance(&patch.frame, sides, borne, patch.rolling);
            a.spin += a.inverse_inertia * couple;
            b.spin -= b.inverse_inertia * couple;
            row.change(a, b, patch, [0.0, rub[0], rub[1]]);
        }
    }
}

/// Brings the rows to where the bodies have moved.
pub fn follow(patches: &[Patch], rows: &mut [Row], feet: &[Foot], movers: &[Mover]) {
    for patch in patches {
        let bodies = (&movers[patch.a as usize], &movers[patch.b as usize]);
        let range = patch.first as usize..patch.end as usize;
        for (row, foot) in rows[range.clone()].iter_mut().zip(&feet[range]) {
            row.follow(foot, bodies, patch);
            if row.has_swung(foot, patch) {
                row.weigh(bodies.0, bodies.1, &patch.frame);
            }
        }
    }
}

/// Ends a sub-step: sums up, and lets what slides take hold where it is now.
pub fn take_stock(patches: &[Patch], rows: &mut [Row], feet: &mut [Foot]) {
    for patch in patches {
        let [_, t, u] = patch.frame;
        let range = patch.first as usize..patch.end as usize;
        // A single point may come to its limit where others hold: the bodies slide when none does.
        let holds = |row: &Row| row.normal > 0.0 && !row.slides;
        let slides = patch.is_flat && !rows[range.clone()].iter().any(holds);
        for (row, foot) in rows[range.clone()].iter_mut().zip(&mut feet[range]) {
            row.normal_total += row.normal;
            if patch.is_flat && (slides || row.normal == 0.0) {
                foot.drift -= t * row.drift[0] + u * row.drift[1];
                row.drift = [0.0; 2];
            }
        }
    }
}

/// Visits of the contacts that bounce, at most: what one gives, the others of a face take in part.
const BOUNCES: u32 = 16;

/// Lets contacts that came in faster than `threshold` bounce, by Newton's law.
pub fn restitution(patches: &[Patch], rows: &mut [Row], movers: &mut [Mover], threshold: f64) {
    for _ in 0..BOUNCES {
        let mut most = 0f64;
        for patch in patches.iter().filter(|p| p.restitution > 0.0) {
            let [a, b] = two(movers, patch.a, patch.b);
            let n = patch.frame[0];
            for row in &mut rows[patch.first as usize..patch.end as usize] {
                if row.approach > -threshold || row.normal_max == 0.0 {
                    continue;
                }
                let [ra, rb] = row.arms;
                let speed = n.dot(a.velocity_at(ra) - b.velocity_at(rb));
                let wanted = speed + patch.restitution * row.approach;
                let normal = (row.normal - row.normal_mass * wanted).max(0.0);
                let change = normal - row.normal;
                most = most.max(change.abs() / row.normal_mass);
                row.normal_total += change;
                row.normal = normal;
                a.apply(ra, n * change);
                b.apply(rb, -(n * change));
            }
        }
        if most <= 1e-3 * threshold {
            return;
        }
    }
}
