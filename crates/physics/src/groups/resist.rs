//! Resistance to rolling and to turning on the spot: a couple between two bodies at a contact point, at most a
//! length times the normal impulse, against their relative spin.
//!
//! What rolls and is held by friction does not slip when the couple brakes it: the friction that keeps it so is
//! found together with the couple, so that spin and velocity end together and no energy is made. Where friction
//! cannot do that, the couple acts on the spin alone.

use crate::material::Rolling;
use crate::{Mat3, Vec3};

/// One of two bodies at a contact point.
#[derive(Clone, Copy)]
pub(super) struct Side {
    /// From the centre of mass to the point, metres.
    pub arm: Vec3,
    /// World angular velocity, rad/s.
    pub spin: Vec3,
    /// 1/kg.
    pub inverse_mass: f64,
    /// 1/(kg m^2), in the world.
    pub inverse_inertia: Mat3,
}

impl Side {
    /// Change of velocity at the point by an impulse there.
    fn response(&self, impulse: Vec3) -> Vec3 {
        impulse * self.inverse_mass + self.turned(self.arm.cross(impulse)).cross(self.arm)
    }

    /// Change of spin by an angular impulse.
    fn turned(&self, couple: Vec3) -> Vec3 {
        self.inverse_inertia * couple
    }
}

/// The impulses that a contact point bears in a sub-step.
#[derive(Clone, Copy)]
pub(super) struct Borne {
    /// N s.
    pub normal: f64,
    /// Along both tangents, N s.
    pub tangent: [f64; 2],
    /// Coulomb's coefficient.
    pub friction: f64,
}

/// Angular impulse on the first body (the second gets the opposite), and the change of the tangential impulse.
pub(super) fn resistance(
    frame: &[Vec3; 3],
    sides: [Side; 2],
    borne: Borne,
    rolling: Rolling,
) -> (Vec3, [f64; 2]) {
    let [n, t, u] = *frame;
    let spin = sides[0].spin - sides[1].spin;
    let mut couple = Vec3::ZERO;
    if rolling.spinning > 0.0 {
        let response = n.dot(sides[0].turned(n) + sides[1].turned(n));
        let limit = rolling.spinning * borne.normal;
        if response > 0.0 {
            couple -= n * (n.dot(spin) / response).clamp(-limit, limit);
        }
    }
    let wanted = [-t.dot(spin), -u.dot(spin)];
    if rolling.rolling == 0.0 || wanted == [0.0; 2] {
        return (couple, [0.0; 2]);
    }
    let limit = rolling.rolling * borne.normal;
    let holds = |rub: [f64; 2]| {
        let [x, y] = [borne.tangent[0] + rub[0], borne.tangent[1] + rub[1]];
        let most = borne.friction * borne.normal;
        x * x + y * y <= most * most
    };
    let sticking = Rows::sticking(frame, sides).and_then(|rows| rows.solve(wanted, limit));
    let (braked, rub) = match sticking.filter(|(_, rub)| holds(*rub)) {
        Some(found) => found,
        None => match Rows::slipping(frame, sides).solve(wanted, limit) {
            Some(found) => found,
            None => return (couple, [0.0; 2]),
        },
    };
    (couple + t * braked[0] + u * braked[1], rub)
}

/// What couples along both tangents do.
struct Rows {
    /// Changes of spin along the tangents, by columns.
    spin: [[f64; 2]; 2],
    /// Tangential impulses that go with them, by columns.
    rub: [[f64; 2]; 2],
}

impl Rows {
    /// Where nothing keeps the point from slipping.
    fn slipping([_, t, u]: &[Vec3; 3], sides: [Side; 2]) -> Self {
        let column = |couple: Vec3| {
            let spin = sides[0].turned(couple) + sides[1].turned(couple);
            [t.dot(spin), u.dot(spin)]
        };
        Rows {
            spin: [column(*t), column(*u)],
            rub: [[0.0; 2]; 2],
        }
    }

    /// Where friction keeps the slip as it is.
    fn sticking([_, t, u]: &[Vec3; 3], sides: [Side; 2]) -> Option<Self> {
        let [a, b] = sides;
        let respond = |impulse: Vec3| a.response(impulse) + b.response(impulse);
        let (kt, ku) = (respond(*t), respond(*u));
        let matrix = [[t.dot(kt), u.dot(kt)], [t.dot(ku), u.dot(ku)]];
        let column = |couple: Vec3| {
            let slip = a.turned(couple).cross(a.arm) + b.turned(couple).cross(b.arm);
            let rub = solve(matrix, [-t.dot(slip), -u.dot(slip)])?;
            let impulse = *t * rub[0] + *u * rub[1];
            let spin =
                a.turned(couple + a.arm.cross(impulse)) + b.turned(couple + b.arm.cross(impulse));
            Some(([t.dot(spin), u.dot(spin)], rub))
        };
        let ((st, rt), (su, ru)) = (column(*t)?, column(*u)?);
        Some(Rows {
            spin: [st, su],
            rub: [rt, ru],
        })
    }

    /// The couple that changes the spin as wanted, as far as the limit goes, and the friction with it.
    fn solve(&self, wanted: [f64; 2], limit: f64) -> Option<([f64; 2], [f64; 2])> {
        let [x, y] = solve(self.spin, wanted)?;
        let size = (x * x + y * y).sqrt();
        let scale = if size > limit { limit / size } else { 1.0 };
        let (x, y) = (x * scale, y * scale);
        let rub = [0, 1].map(|row| self.rub[0][row] * x + self.rub[1][row] * y);
        Some(([x, y], rub))
    }
}

/// Solves a system of two equations given by columns.
fn solve([a, b]: [[f64; 2]; 2], [x, y]: [f64; 2]) -> Option<[f64; 2]> {
    let determinant = a[0] * b[1] - a[1] * b[0];
    (determinant > 0.0).then(|| {
        [
            (b[1] * x - b[0] * y) / determinant,
            (a[0] * y - a[1] * x) / determinant,
        ]
    })
}
