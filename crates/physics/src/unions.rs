//! Conservative advancement for bodies made of a few balls, against each other and against planes:
//! gaps and their rates are read off the centres, so a look costs little more than evaluating the
//! two motions. The general search of [`crate::advance`] finds the same contacts.

use crate::Vec3;
use crate::advance::{Certificate, least_step, seconds_from, time_to_close};
use crate::body::Law;
use crate::collider::{Core, Form, SolidPart};
use crate::motion::Motion;
use warp::Tick;

/// How many balls a body may have.
const FEW: usize = 4;

/// A body of balls, or a plane as a ball that is everywhere flat.
struct Union<'a> {
    motion: &'a Motion<'a>,
    parts: &'a [SolidPart],
    /// The plane's normal.
    plane: Option<Vec3>,
    /// Bound on how far each centre's acceleration differs from the centre of mass's, m/s^2.
    bend: [f64; FEW],
}

/// Centres (a plane's point) and their velocities at one tick.
struct Centres {
    position: [Vec3; FEW],
    velocity: [Vec3; FEW],
}

/// Two parts at one tick: their gap, its rate, and a bound on how fast the rate falls.
struct Gap {
    gap: f64,
    rate: f64,
    bend: f64,
}

impl<'a> Union<'a> {
    /// The body as a union of balls or as a plane, if it is one.
    fn new(motion: &'a Motion<'a>) -> Option<Self> {
        let collider = &motion.model.collider;
        let parts = collider.parts.as_slice();
        let plane = match (collider.form, parts) {
            (Form::Ball { .. }, _) => None,
            (Form::Balls, _) if parts.len() <= FEW => None,
            (Form::HalfSpace, [part]) => match part.core {
                Core::HalfSpace { normal, .. } => Some(normal),
                _ => return None,
            },
            _ => return None,
        };
        if motion.model.law == Law::Integrated {
            return None;
        }
        let mut bend = [0.0; FEW];
        if collider.form == Form::Balls {
            let turn = motion.turn;
            let (spin, rate) = (turn.spin_max(), turn.spin_rate_max());
            for (bend, part) in bend.iter_mut().zip(parts) {
                *bend = (spin * spin + rate) * part.reach;
            }
        }
        Some(Union {
            motion,
            parts,
            plane,
            bend,
        })
    }

    fn at(&self, tick: Tick) -> Centres {
        let motion = self.motion;
        if motion.model.collider.form != Form::Balls {
            let mut position = motion.position(tick);
            if let (Some(normal), Core::HalfSpace { offset, .. }) = (self.plane, self.parts[0].core)
            {
                position += normal * offset;
            }
            return Centres {
                position: [position; FEW],
                velocity: [motion.velocity(tick); FEW],
            };
        }
        let (frame, spin) = motion.turned_at(tick);
        let mut centres = Centres {
            position: [motion.position(tick); FEW],
            velocity: [motion.velocity(tick); FEW],
        };
        for (place, part) in self.parts.iter().enumerate().take(FEW) {
            let arm = frame * part.pose.translation;
            centres.position[place] += arm;
            centres.velocity[place] += spin.cross(arm);
        }
        centres
    }
}

/// Two bodies that this search is for.
pub(crate) struct Pair<'a> {
    a: Union<'a>,
    b: Union<'a>,
    /// Acceleration of the first body's centre of mass against the second's.
    acceleration: Vec3,
}

impl<'a> Pair<'a> {
    /// The pair, if each is a union of few balls or a plane, and not both planes.
    pub fn new(a: &'a Motion<'a>, b: &'a Motion<'a>) -> Option<Self> {
        let (a, b) = (Union::new(a)?, Union::new(b)?);
        if a.plane.is_some() && b.plane.is_some() {
            return None;
        }
        Some(Pair {
            acceleration: a.motion.model.gravity - b.motion.model.gravity,
            a,
            b,
        })
    }

    fn gap(&self, (a, i): (&Centres, usize), (b, j): (&Centres, usize)) -> Gap {
        let apart = a.position[i] - b.position[j];
        let (distance, normal) = match (self.a.plane, self.b.plane) {
            (None, None) => {
                let distance = apart.length();
                let normal = if distance > 0.0 {
                    apart / distance
                } else {
                    Vec3::Y
                };
                (distance, normal)
            }
            (_, Some(normal)) => (normal.dot(apart), normal),
            (Some(normal), None) => (-normal.dot(apart), -normal),
        };
        let bend = self.a.bend[i] + self.b.bend[j] - normal.dot(self.acceleration);
        Gap {
            gap: distance - self.a.parts[i].margin - self.b.parts[j].margin,
            rate: normal.dot(a.velocity[i] - b.velocity[j]),
            bend: bend.max(0.0),
        }
    }

    /// The first tick in `[lo, hi)` at which the bodies touch and approach.
    pub fn first_touch(&self, lo: Tick, hi: Tick) -> Option<Tick> {
        let mut free_until = [lo; FEW * FEW];
        let mut at = lo;
        for round in 0u32.. {
            let (a, b) = (self.a.at(at), self.b.at(at));
            let longest = hi.since(at);
            let mut next = hi;
            for i in 0..self.a.parts.len().min(FEW) {
                for j in 0..self.b.parts.len().min(FEW) {
                    let free = &mut free_until[FEW * i + j];
                    if *free <= at {
                        let gap = self.gap((&a, i), (&b, j));
                        if gap.is_touch() {
                            return Some(at);
                        }
                        *free = if gap.is_open_for(longest) {
                            hi
                        } else {
                            seconds_from(at, gap.free_seconds())
                        };
                    }
                    next = next.min(*free);
                }
            }
            at = next.max(at.saturating_add(least_step(round)));
            if at >= hi {
                return None;
            }
        }
        None
    }

    /// What one look at `at` certifies.
    pub fn certify(&self, at: Tick) -> Certificate {
        let (a, b) = (self.a.at(at), self.b.at(at));
        let mut free = f64::INFINITY;
        for i in 0..self.a.parts.len().min(FEW) {
            for j in 0..self.b.parts.len().min(FEW) {
                let gap = self.gap((&a, i), (&b, j));
                if gap.is_touch() {
                    return Certificate::Touch;
                }
                free = free.min(gap.free_seconds());
            }
        }
        Certificate::FreeUntil(seconds_from(at, free))
    }
}

impl Gap {
    #[inline]
    fn is_touch(&self) -> bool {
        self.gap <= 0.0 && self.rate < 0.0
    }

    /// Whether the gap stays open for so many seconds: its bound is concave, so the ends suffice.
    #[inline]
    fn is_open_for(&self, seconds: f64) -> bool {
        self.gap > 0.0 && self.gap + (self.rate - 0.5 * self.bend * seconds) * seconds > 0.0
    }

    /// Seconds for which the gap is certain not to close; a pair that overlaps and separates counts
    /// as touching.
    #[inline]
    fn free_seconds(&self) -> f64 {
        time_to_close(self.gap.max(0.0), self.rate, self.bend)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advance::first_touch_of_parts;
    use crate::body::{Heft, Material};
    use crate::motion::{Flight, State, Turn};
    use crate::shape::{Part, Shape};
    use crate::{BodyModel, Pose, Quat};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    fn dynamic(parts: &[Part]) -> BodyModel {
        BodyModel::dynamic(parts, Heft::Mass(1.0), Material::default(), Vec3::ZERO)
            .expect("a sound body")
    }

    fn ball_at(radius: f64, x: f64, y: f64) -> Part {
        Part {
            pose: Pose::from_translation(Vec3::new(x, y, 0.0)),
            ..Part::centred(Shape::Ball { radius })
        }
    }

    fn vector(rng: &mut Pcg64Mcg, size: f64) -> Vec3 {
        Vec3::from_array(std::array::from_fn(|_| {
            size * (2.0 * rng.random::<f64>() - 1.0)
        }))
    }

    /// A segment that starts at tick zero and covers `until`.
    fn segment(model: &BodyModel, state: State, until: Tick) -> (Flight, Turn) {
        let flight = Flight {
            start: Tick::ZERO,
            position: state.position,
            velocity: state.velocity,
            model: 0,
            body: 0,
        };
        let mut turn = Turn::default();
        turn.begin(state.rotation, state.spin, model);
        turn.extend(&flight, model, until);
        (flight, turn)
    }

    /// Balls read off their centres give the contacts that the general search gives: to the ticks in
    /// which the gap falls by rounding.
    #[test]
    fn unions_of_balls_touch_when_the_general_search_says() {
        let water = dynamic(&[
            ball_at(0.1, 0.0, 0.0),
            ball_at(0.06, 0.12, 0.07),
            ball_at(0.06, -0.12, 0.07),
        ]);
        assert_eq!(water.law, Law::Tumbling);
        let sphere = dynamic(&[Part::centred(Shape::Ball { radius: 0.15 })]);
        let floor = Part::centred(Shape::HalfSpace { normal: Vec3::Y });
        let floor = BodyModel::fixed(&[floor], Material::default()).expect("a floor");
        let (mut rng, until) = (Pcg64Mcg::seed_from_u64(11), Tick::from_seconds(0.2));
        let (mut touched, mut missed) = (0, 0);
        for trial in 0..600 {
            let from = Vec3::new(0.0, 0.6, 0.0) + vector(&mut rng, 0.2);
            let own = State {
                position: from,
                velocity: -4.0 * from + vector(&mut rng, 2.0),
                rotation: Quat::from_scaled_axis(vector(&mut rng, 1.0)),
                spin: vector(&mut rng, 20.0),
            };
            let still = State::at_rest(Pose::IDENTITY);
            let (model, state) = match trial % 3 {
                0 => (
                    &water,
                    State {
                        spin: vector(&mut rng, 20.0),
                        ..still
                    },
                ),
                1 => (&sphere, still),
                _ => (&floor, still),
            };
            let (fa, ta) = segment(&water, own, until);
            let (fb, tb) = segment(model, state, until);
            let a = Motion {
                model: &water,
                flight: &fa,
                turn: &ta,
            };
            let b = Motion {
                model,
                flight: &fb,
                turn: &tb,
            };
            let pair = Pair::new(&a, &b).expect("balls and planes");
            let known = first_touch_of_parts(&a, &b, Tick::ZERO, until);
            let found = pair.first_touch(Tick::ZERO, until);
            let swapped = Pair::new(&b, &a)
                .expect("likewise")
                .first_touch(Tick::ZERO, until);
            match (known, found, swapped) {
                (Some(known), Some(found), Some(swapped)) => {
                    touched += 1;
                    assert!(known.since(found).abs() < 1e-11, "{known:?} {found:?}");
                    assert!(known.since(swapped).abs() < 1e-11, "{known:?} {swapped:?}");
                }
                (None, None, None) => missed += 1,
                _ => panic!("{known:?}, {found:?} and {swapped:?} in trial {trial}"),
            }
        }
        assert!(
            touched > 150 && missed > 50,
            "{touched} touched, {missed} missed"
        );
    }
}
