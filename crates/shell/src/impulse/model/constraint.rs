//! Constraints between two particles (sections 3.3 and 3.4): a distance is kept, a rope does not get
//! longer, a contact does not get closer. All three share one error, `|b - a| - length`, and differ
//! only in the band of errors they tolerate, so one comparison decides for every kind.

use glamx::DVec3;

/// What a constraint demands of the distance of its two particles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Bilateral: the distance stays the rest length.
    Distance,
    /// Unilateral: the distance does not exceed the rest length.
    Rope,
    /// Unilateral: the distance does not fall below the sum of the radii.
    Contact,
}

/// One constraint, ready to be solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Constraint {
    /// First particle.
    pub a: u32,
    /// Second particle.
    pub b: u32,
    /// What is demanded.
    pub kind: Kind,
    /// Rest length, or sum of the radii for a contact, m.
    pub length: f64,
    /// The largest error that needs no correction, m.
    pub tolerance: f64,
    /// `1 / (1/m_a + 1/m_b)`, kg: impulse for a unit change of relative velocity.
    pub effective_mass: f64,
    /// Errors below this are violations, m.
    pub low: f64,
    /// Errors above this are violations, m.
    pub high: f64,
}

impl Constraint {
    /// A constraint of `kind` over the pair with inverse masses `w_a`, `w_b` (1/kg, not both 0).
    pub fn new(
        kind: Kind,
        [a, b]: [u32; 2],
        [w_a, w_b]: [f64; 2],
        length: f64,
        tolerance: f64,
    ) -> Self {
        let (low, high) = kind.band(tolerance);
        Self {
            a,
            b,
            kind,
            length,
            tolerance,
            effective_mass: 1.0 / (w_a + w_b),
            low,
            high,
        }
    }

    /// Both particles as indices.
    #[inline]
    pub fn pair(&self) -> (usize, usize) {
        (self.a as usize, self.b as usize)
    }

    /// Whether `error` (m) has to be corrected; an error that is not a number does, and never passes.
    #[inline]
    pub fn is_violated(&self, error: f64) -> bool {
        !(error >= self.low && error <= self.high)
    }

    /// Constraint direction: from a to b, unit length (a fixed axis if the particles coincide).
    #[inline]
    pub fn direction(a: DVec3, b: DVec3) -> DVec3 {
        let d = b - a;
        let length = d.length();
        if length > 0.0 {
            d * (1.0 / length)
        } else {
            DVec3::Z
        }
    }

    /// Error along a known direction (section 4.1): no square root.
    #[inline]
    pub fn error_along(&self, direction: DVec3, a: DVec3, b: DVec3) -> f64 {
        direction.dot(b - a) - self.length
    }

    /// Error from the true length.
    #[inline]
    pub fn error(&self, a: DVec3, b: DVec3) -> f64 {
        (b - a).length() - self.length
    }

    /// The band of relative velocities (m/s) that needs no correction at the end of a step in which the
    /// position error is `error`: a slack rope and an open contact demand nothing.
    #[inline]
    pub fn velocity_band(&self, error: f64, tolerance: f64) -> (f64, f64) {
        let is_active = match self.kind {
            Kind::Distance => true,
            Kind::Rope => error >= 0.0,
            Kind::Contact => error <= 0.0,
        };
        if is_active {
            self.kind.band(tolerance)
        } else {
            OPEN
        }
    }
}

/// The band that no error leaves.
const OPEN: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

/// The iteration aims a millionth below the tolerance, so that rounding in its last bits (1e-15 of the
/// length against 1e-6 of a tolerance that is at least 1e-7 of it) never shows as an excess.
const GUARD: f64 = 1.0 - 1e-6;

impl Kind {
    fn band(self, tolerance: f64) -> (f64, f64) {
        let tolerance = tolerance * GUARD;
        match self {
            Kind::Distance => (-tolerance, tolerance),
            Kind::Rope => (f64::NEG_INFINITY, tolerance),
            Kind::Contact => (-tolerance, f64::INFINITY),
        }
    }
}
