//! Nested penalty layers (Harmon et al. 2009; Ainsley, section 1.1): layer l has thickness eta_l,
//! stiffness k_l and step h_l. Thickness falls by 0.7 and stiffness rises by 4 from one layer to
//! the next, so the work to cross all of them diverges (k eta^2 grows by 1.96), the stable step
//! halves exactly in ticks, and a layer's thickness in steps grows by 1.4: however fast an impact,
//! some finite layer is sampled often enough to stop it.

use crate::acm::model::material::require;
use crate::acm::{ShellError, Tick, ticks};

const THICKNESS_RATIO: f64 = 0.7;
const STIFFNESS_RATIO: f64 = 4.0;
/// Internal and outermost contact steps are multiples of this many ticks (about 1 us), so that
/// the step can be halved this often before a tick is reached.
pub(crate) const STEP_QUANTUM_LOG2: u32 = 20;

/// Layers end where their step would fall below this many ticks (about 1 ns): that deep, a few
/// micrometres and thousands of m/s, a problem has no room left and is told so instead of crawling.
const STEP_MIN: Tick = 1 << 10;

/// How contacts push, rub and bounce.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactLaw {
    /// Thickness eta_1 of the outermost layer, in m; must be below the distance of any two
    /// primitives that are apart at the start.
    pub thickness_m: f64,
    /// Stiffness k_1 in N/m; `None` makes it as stiff as the internal forces' step allows.
    pub stiffness_n_m: Option<f64>,
    /// Factor on the stiffness while a pair separates, in (0, 1]; one layer then returns
    /// sqrt(factor) of the approach speed.
    pub restitution: f64,
    /// Coulomb's coefficient of friction.
    pub friction: f64,
    /// Fraction of the stability limit of one contact; its square is the share of a vertex that
    /// each contact may claim, so 0.2 leaves room for 25 contacts at one vertex. A layer begins with
    /// a kink of its force, and each crossing errs by an amount that grows with this fraction: at
    /// the default of 0.1 elastic crumpling keeps its energy, at 0.2 it gains some per cent in
    /// millions of forces, which does not matter where contacts dissipate.
    pub step_fraction: f64,
}

impl Default for ContactLaw {
    fn default() -> ContactLaw {
        ContactLaw {
            thickness_m: 1.0e-3,
            stiffness_n_m: None,
            restitution: 1.0,
            friction: 0.0,
            step_fraction: 0.1,
        }
    }
}

/// One penalty layer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layer {
    /// Thickness in m: the layer pushes while the distance is below it.
    pub thickness_m: f64,
    /// Stiffness in N/m.
    pub stiffness_n_m: f64,
    /// Step in ticks.
    pub step: Tick,
}

/// All layers, outermost first, and the law they share.
#[derive(Debug, Clone, PartialEq)]
pub struct Layers {
    layers: Vec<Layer>,
    /// Factor on the stiffness while a pair separates.
    pub restitution: f64,
    /// Coulomb's coefficient of friction.
    pub friction: f64,
}

impl Layers {
    /// Lays out the layers for vertices no lighter than `1 / inverse_mass_max` kg. Stability of
    /// one contact needs h < 2 / sqrt(k w) with w <= 2 / m.
    pub fn new(
        law: &ContactLaw,
        inverse_mass_max: f64,
        internal_step: Tick,
    ) -> Result<Layers, ShellError> {
        require(
            "contact.thickness_m",
            law.thickness_m,
            law.thickness_m > 0.0,
            "a positive thickness in m",
        )?;
        let restitution_ok = law.restitution > 0.0 && law.restitution <= 1.0;
        require(
            "contact.restitution",
            law.restitution,
            restitution_ok,
            "a factor in (0, 1]",
        )?;
        require(
            "contact.friction",
            law.friction,
            law.friction >= 0.0,
            "a non-negative coefficient",
        )?;
        let fraction_ok = law.step_fraction > 0.0 && law.step_fraction <= 1.0;
        require(
            "contact.step_fraction",
            law.step_fraction,
            fraction_ok,
            "a fraction in (0, 1]",
        )?;
        let w = 2.0 * inverse_mass_max.max(f64::MIN_POSITIVE);
        let reach = 2.0 * law.step_fraction;
        let (stiffness, step) = match law.stiffness_n_m {
            Some(k) => {
                require(
                    "contact.stiffness_n_m",
                    k,
                    k > 0.0,
                    "a positive stiffness in N/m",
                )?;
                (k, quantise(reach / (k * w).sqrt()))
            }
            None => {
                let h = crate::acm::seconds(internal_step);
                ((reach / h) * (reach / h) / w, internal_step)
            }
        };
        let mut layers = vec![Layer {
            thickness_m: law.thickness_m,
            stiffness_n_m: stiffness,
            step,
        }];
        while let Some(last) = layers
            .last()
            .copied()
            .filter(|l| l.step % 2 == 0 && l.step > 2 * STEP_MIN)
        {
            layers.push(Layer {
                thickness_m: last.thickness_m * THICKNESS_RATIO,
                stiffness_n_m: last.stiffness_n_m * STIFFNESS_RATIO,
                step: last.step / 2,
            });
        }
        Ok(Layers {
            layers,
            restitution: law.restitution,
            friction: law.friction,
        })
    }

    /// How many layers time can resolve.
    pub fn count(&self) -> u8 {
        self.layers.len() as u8
    }

    /// Layer `depth`, 1 being the outermost.
    #[inline]
    pub fn at(&self, depth: u8) -> &Layer {
        &self.layers[depth as usize - 1]
    }

    /// The thickness that a pair with `active` layers must not enter unnoticed.
    #[inline]
    pub fn next_thickness(&self, active: u8) -> f64 {
        self.layers
            .get(active as usize)
            .map_or(0.0, |l| l.thickness_m)
    }
}

/// The longest step in ticks not above `step_s` seconds that can still be halved often.
pub(crate) fn quantise(step_s: f64) -> Tick {
    let raw = ticks(step_s).max(1);
    if raw >> STEP_QUANTUM_LOG2 > 0 {
        (raw >> STEP_QUANTUM_LOG2) << STEP_QUANTUM_LOG2
    } else {
        1 << raw.ilog2()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_of_the_layers_diverges_and_steps_stay_stable() {
        let layers =
            Layers::new(&ContactLaw::default(), 1.0 / 2.0e-5, quantise(3e-5)).expect("a law");
        assert!(layers.count() >= 14);
        for depth in 2..=layers.count() {
            let (outer, inner) = (layers.at(depth - 1), layers.at(depth));
            let work = |l: &Layer| l.stiffness_n_m * l.thickness_m * l.thickness_m;
            assert!(work(inner) > 1.9 * work(outer));
            assert!(inner.thickness_m < outer.thickness_m);
            let h = crate::acm::seconds(inner.step);
            // h sqrt(k w) stays at twice the fraction for every layer
            assert!((h * (inner.stiffness_n_m * 2.0 / 2.0e-5).sqrt() - 0.2).abs() < 1e-9);
        }
    }
}
