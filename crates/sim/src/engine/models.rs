//! Models: what bodies are made of, looked up by [`ModelId`]. The world's own, one for bodies that are not there,
//! and variants that inputs make for bodies under a force.

use super::look_ahead::Reach;
use super::pairs::Outline;
use crate::grid::Grid;
use crate::world::World;
use physics::{BodyModel, Material, ModelId, Part, Shape, Vec3};
use std::sync::Arc;
use warp::{Column, Tick};

/// A model made for a body under forces: its own, with another uniform acceleration.
#[derive(Clone, Copy, Debug)]
struct Variant {
    base: ModelId,
    force: Vec3,
    model: ModelId,
    /// No segment that follows it reaches past this tick.
    last: Tick,
}

/// All models, each in both modes, and what the broad and the narrow phase want to know of each at once.
pub(super) struct Models {
    models: Column<Arc<BodyModel>>,
    reaches: Column<Reach>,
    outline: Column<Outline>,
    absent: ModelId,
    variants: Vec<Variant>,
}

/// The models that were added while the world ran, as plain data: how many models there are in all, and each
/// variant's base, force, model and last tick.
pub(super) type SavedModels = (u32, Vec<(u32, [f64; 3], u32, i64)>);

impl Models {
    /// The models of a world.
    pub fn new(world: &World, grid: &Grid) -> Self {
        let reaches: Vec<Reach> = world.models.iter().map(|m| Reach::new(m, grid)).collect();
        let outline: Vec<Outline> = world.models.iter().map(|m| Outline::new(m)).collect();
        let mut models = Models {
            models: world.models.clone().into(),
            reaches: reaches.into(),
            outline: outline.into(),
            absent: ModelId::at(world.models.len() as u32),
            variants: Vec::new(),
        };
        models.add_absent(grid);
        models
    }

    /// The model of bodies that are not there: never registered, so never met.
    fn add_absent(&mut self, grid: &Grid) {
        let speck = Part::centred(Shape::Ball { radius: 1e-3 });
        let model = BodyModel::fixed(&[speck], Material::default());
        let model = Arc::new(model.expect("a ball is a shape"));
        self.set(self.absent, Arc::clone(&model), grid);
        self.set(self.absent.carried(), model, grid);
    }

    /// A model.
    #[inline]
    pub fn get(&self, id: ModelId) -> &Arc<BodyModel> {
        &self.models[id.place()]
    }

    /// How far bodies of a model may travel in one look-ahead.
    #[inline]
    pub fn reach(&self, id: ModelId) -> &Reach {
        &self.reaches[id.place()]
    }

    /// What the check of a pair wants to know first.
    #[inline]
    pub fn outline(&self, id: ModelId) -> &Outline {
        &self.outline[id.place()]
    }

    /// The model of bodies that are not there.
    #[inline]
    pub fn absent(&self) -> ModelId {
        self.absent
    }

    /// Whether there is such a model.
    pub fn contains(&self, id: ModelId) -> bool {
        id.place() < self.models.len()
    }

    /// Whether a segment of a body whose own model is `own` may follow a model: its own, that of bodies that are
    /// not there, or its own under a force; free or carried.
    pub fn may_follow(&self, own: ModelId, model: ModelId) -> bool {
        let is_variant = |v: &Variant| v.base == own && v.model == model.free();
        let is_own = model.free() == own || model.free() == self.absent;
        self.contains(model) && (is_own || self.variants.iter().any(is_variant))
    }

    /// Puts a model at a place, at most one past the last.
    fn set(&mut self, id: ModelId, model: Arc<BodyModel>, grid: &Grid) {
        let (reach, outline) = (Reach::new(&model, grid), Outline::new(&model));
        if id.place() == self.models.len() {
            self.reaches.push(reach);
            self.outline.push(outline);
            self.models.push(model);
        } else {
            self.reaches[id.place()] = reach;
            self.outline[id.place()] = outline;
            self.models[id.place()] = model;
        }
    }

    /// Puts another model, in both modes, where nobody follows the one before any more.
    pub fn replace(&mut self, id: ModelId, [free, carried]: [Arc<BodyModel>; 2], grid: &Grid) {
        self.set(id, free, grid);
        self.set(id.carried(), carried, grid);
        let absent = self.absent;
        // Variants of the model before are of use to nobody; their places are used again.
        for variant in self.variants.iter_mut().filter(|v| v.base == id) {
            (variant.base, variant.last) = (absent, Tick::MIN);
        }
    }

    /// The model of bodies like `base` under a force that lasts until `last`. A variant that no segment after
    /// `gvt` follows gives its place.
    pub fn under(
        &mut self,
        base: ModelId,
        (force, last): (Vec3, Tick),
        gvt: Tick,
        grid: &Grid,
    ) -> ModelId {
        if force == Vec3::ZERO {
            return base;
        }
        let same = |v: &&mut Variant| v.base == base && v.force == force;
        if let Some(variant) = self.variants.iter_mut().find(same) {
            variant.last = variant.last.max(last);
            return variant.model;
        }
        let over = self.variants.iter().position(|v| v.last < gvt);
        let model = match over {
            Some(place) => self.variants.swap_remove(place).model,
            None => ModelId::at(self.models.len() as u32),
        };
        let variant = Variant {
            base,
            force,
            model,
            last,
        };
        self.set_variant(variant, grid);
        model
    }

    fn set_variant(&mut self, variant: Variant, grid: &Grid) {
        let Variant {
            base, force, model, ..
        } = variant;
        let mut pushed = (**self.get(base)).clone();
        pushed.gravity += force * pushed.mass.inverse_mass;
        let carried = Arc::clone(self.get(base.carried()));
        self.set(model, Arc::new(pushed), grid);
        self.set(model.carried(), carried, grid);
        self.variants.push(variant);
    }

    /// What was added, as plain data.
    pub fn save(&self) -> SavedModels {
        let variant = |v: &Variant| {
            let (base, model) = (v.base.place() as u32, v.model.place() as u32);
            (base, v.force.to_array(), model, v.last.0)
        };
        let variants = self.variants.iter().map(variant).collect();
        (self.models.len() as u32, variants)
    }

    /// Adds from plain data what a run had added; or says what is wrong with it.
    pub fn restore(&mut self, (all, variants): SavedModels, grid: &Grid) -> Result<(), String> {
        let own = self.models.len() as u32;
        if all < own || all - own > 2 * variants.len() as u32 {
            return Err("it has models that nothing needs".into());
        }
        for place in own..all {
            let filler = Arc::clone(self.get(self.absent));
            self.set(ModelId::at(place), filler, grid);
        }
        for (base, force, model, last) in variants {
            let is_pair = |m: u32| m.is_multiple_of(2) && m < u32::MAX - 1;
            let is_sound = is_pair(base) && is_pair(model) && base + 1 < own;
            if !is_sound || model < own || model + 1 >= all {
                return Err("a model is not where it should be".into());
            }
            let force = Vec3::from_array(force);
            if !force.is_finite() {
                return Err("a force is not a number".into());
            }
            let variant = Variant {
                base: ModelId::at(base),
                force,
                model: ModelId::at(model),
                last: Tick(last),
            };
            self.set_variant(variant, grid);
        }
        Ok(())
    }

    /// The same models for a branch.
    pub fn branch(&mut self) -> Self {
        Models {
            models: self.models.branch(),
            reaches: self.reaches.branch(),
            outline: self.outline.branch(),
            absent: self.absent,
            variants: self.variants.clone(),
        }
    }

    /// Takes back what no branch shares any more.
    pub fn reclaim(&mut self) {
        self.models.reclaim();
        self.reaches.reclaim();
        self.outline.reclaim();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use physics::Mode;

    fn one_ball() -> (World, Grid) {
        let mut world = World::new("models", Vec3::new(0.0, -9.81, 0.0), 1.0);
        let part = Part::centred(Shape::Ball { radius: 0.5 });
        let heft = physics::body::Heft::Mass(2.0);
        let ball = BodyModel::dynamic(&[part], heft, Material::default(), world.gravity);
        world.add_model(ball.expect("a ball"));
        (world, Grid::new(1.0, 8, [1.0; 3]))
    }

    #[test]
    fn a_variant_is_shared_while_it_lasts_and_its_place_is_used_again() {
        let (world, grid) = one_ball();
        let mut models = Models::new(&world, &grid);
        let own = ModelId::new(0, Mode::Free);
        let push = Vec3::new(4.0, 0.0, 0.0);
        let first = models.under(own, (push, Tick(100)), Tick::ZERO, &grid);
        assert_eq!(models.get(first).gravity, Vec3::new(2.0, -9.81, 0.0));
        assert_eq!(
            models.under(own, (push, Tick(200)), Tick(150), &grid),
            first
        );
        assert!(models.may_follow(own, first.carried()));
        let other = models.under(own, (-push, Tick(300)), Tick(150), &grid);
        assert_ne!(other, first, "the first is still followed at tick 150");
        let third = models.under(own, (2.0 * push, Tick(900)), Tick(250), &grid);
        assert_eq!(third, first, "nothing after tick 250 follows it");
        assert_eq!(
            models.under(own, (Vec3::ZERO, Tick(9)), Tick::ZERO, &grid),
            own
        );
    }

    #[test]
    fn what_was_saved_is_restored_or_refused() {
        let (world, grid) = one_ball();
        let mut models = Models::new(&world, &grid);
        let own = ModelId::new(0, Mode::Free);
        let variant = models.under(own, (Vec3::X, Tick(7)), Tick::ZERO, &grid);
        let saved = models.save();
        let mut again = Models::new(&world, &grid);
        again.restore(saved.clone(), &grid).expect("sound");
        assert_eq!(again.get(variant).gravity, models.get(variant).gravity);
        let odd = (saved.0, vec![(1, [0.0; 3], saved.1[0].2, 7)]);
        assert!(Models::new(&world, &grid).restore(odd, &grid).is_err());
        let nan = (saved.0, vec![(0, [f64::NAN; 3], saved.1[0].2, 7)]);
        assert!(Models::new(&world, &grid).restore(nan, &grid).is_err());
        assert!(
            Models::new(&world, &grid)
                .restore((u32::MAX, Vec::new()), &grid)
                .is_err()
        );
    }
}
