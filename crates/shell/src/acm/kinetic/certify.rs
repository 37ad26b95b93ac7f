//! Which pairs of primitives the kinetic baseline certifies with a separating slab: three readings of
//! Harmon et al. 2009, from the literal one to one with culling that the original did not have.

/// Pairs that hold a slab. `margin_m` is how far, in m, a vertex may move before its neighbourhood
/// is searched again; the thickness of the first layer is a good value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Certify {
    /// Every pair of primitives in the simulation, near or not, as Ainsley (section 1.1) words it.
    EveryPair,
    /// Every pair of primitives taken from two triangles whose bounds come within the first layer's
    /// thickness: a hierarchy over triangles culls, and slabs are all there is below it.
    NearTriangles {
        /// Radius of the spheres, in m.
        margin_m: f64,
    },
    /// Only pairs whose own bounds come that near: culling by primitives, which Ainsley's section 3
    /// brings to the speculative algorithm, given to the baseline as well.
    NearPrimitives {
        /// Radius of the spheres, in m.
        margin_m: f64,
    },
}

impl Certify {
    /// Radius of the spheres in which vertices move freely, in m.
    pub fn margin_m(self) -> f64 {
        match self {
            Certify::EveryPair => f64::INFINITY,
            Certify::NearTriangles { margin_m } | Certify::NearPrimitives { margin_m } => margin_m,
        }
    }
}
