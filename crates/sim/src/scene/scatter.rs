//! `[[scatter]]`: many bodies of one template at random places of a box, none overlapping, with random
//! attitudes, velocities and spins.
//!
//! Sparse regions are filled one body after the other at random; where that would take too long (from
//! a fifth of the volume on) bodies go to random sites of a face-centred lattice, each shaken as far as
//! its neighbours allow.

use super::builder::{BODIES_MAX, Builder, Occupancy};
use super::decode::{Decoded, Table};
use super::error::Fault;
use super::keys;
use super::random::Random;
use super::template::{self, Catalogue};
use super::tree::Node;
use crate::world::Kind;
use physics::{BodyModel, ModelId, Pose, Quat, State, Vec3};

/// Attempts per body before the lattice is tried.
const ATTEMPTS: u32 = 200;
/// Share of the region's volume up to which random places are found quickly.
const SPARSE: f64 = 0.2;

/// Width of a distribution of speeds or spins.
#[derive(Clone, Copy)]
enum Spread {
    /// Everything alike.
    Exactly(f64),
    /// Normal components; the root mean square of the whole vector.
    Rms(f64),
    /// Normal components of a body in thermal equilibrium; kT in joules.
    Temperature(f64),
}

/// Reads a scatter and adds its bodies. `region` is what the scene's box offers as a default.
pub(super) fn scatter(
    node: &Node,
    root: &Table<'_>,
    catalogue: &Catalogue,
    region: Option<(Vec3, Vec3)>,
    builder: &mut Builder,
) -> Decoded<()> {
    let t = Table::open(node, &keys::SCATTER, root.scope())?;
    t.require("count", "how many bodies to scatter")?;
    let count = t.whole("count", 0, BODIES_MAX)?.unwrap_or(0) as usize;
    let variants = t.whole("variants", 1, 10_000)?.unwrap_or(1);
    let models = (0..variants)
        .map(|v| template::model(&t, catalogue, Kind::Dynamic, v))
        .collect::<Decoded<Vec<BodyModel>>>()?;
    let mut random = Random::new(t.whole("seed", 0, 1 << 53)?.unwrap_or(0));
    let poses = {
        let mut ask = Request {
            t: &t,
            count,
            models: &models,
            region: read_region(&t, region)?,
            gap: t.at_least_zero("gap")?.unwrap_or(0.0),
            turned: is_turned(&t)?,
            random: &mut random,
        };
        ask.poses(builder)?
    };
    let speed = spread(&t, "speed")?;
    let spin = spread(&t, "spin")?;
    let drift = t.vector("velocity")?.unwrap_or(Vec3::ZERO);
    let name = t.label("name")?.unwrap_or("body".into());
    let notes = template::notes(&t, catalogue, Kind::Dynamic, builder)?;
    let models: Vec<ModelId> = models
        .into_iter()
        .map(|model| builder.world.add_model(model))
        .collect();
    for (index, pose) in poses.into_iter().enumerate() {
        let model = models[index % models.len()];
        let mass = builder.world.models[model.place()].mass;
        let state = State {
            position: pose.translation,
            velocity: drift + draw(speed, Vec3::splat(mass.mass), &mut random),
            rotation: pose.rotation,
            spin: pose.rotation * draw(spin, mass.inertia, &mut random),
        };
        let name = format!("{name} {}", index + 1);
        builder.add_centred(name, model, &state, &notes, t.place)?;
    }
    Ok(())
}

fn read_region(t: &Table<'_>, offered: Option<(Vec3, Vec3)>) -> Decoded<(Vec3, Vec3)> {
    let Some(node) = t.get("region") else {
        return offered.ok_or_else(|| {
            Fault::new(
                t.place,
                "`region` is missing; expected `{ min = [x, y, z], max = [x, y, z] }`",
            )
            .help("a scene with a `[box]` needs no region")
        });
    };
    corners(&Table::open(node, &keys::REGION, t.scope())?)
}

/// The corners of a box-shaped region.
pub(super) fn corners(t: &Table<'_>) -> Decoded<(Vec3, Vec3)> {
    t.require("min", "the lower corner [x, y, z]")?;
    t.require("max", "the upper corner [x, y, z]")?;
    let lo = t.vector("min")?.unwrap_or(Vec3::ZERO);
    let hi = t.vector("max")?.unwrap_or(Vec3::ZERO);
    if lo.cmplt(hi).all() {
        return Ok((lo, hi));
    }
    Err(t.fault(
        "max",
        format!("the upper corner {hi} must lie above the lower one {lo} along every axis"),
    ))
}

fn is_turned(t: &Table<'_>) -> Decoded<bool> {
    match t.text("attitude")?.as_deref() {
        None | Some("random") => Ok(true),
        Some("upright") => Ok(false),
        Some(other) => {
            let message = format!("`attitude` is `{other}`; expected `random` or `upright`");
            Err(t.fault("attitude", message))
        }
    }
}

fn spread(t: &Table<'_>, key: &str) -> Decoded<Option<Spread>> {
    let Some(node) = t.get(key) else {
        return Ok(None);
    };
    let what = format!("a distribution (`{key}`)");
    let s = Table::open_as(node, &what, &keys::DISTRIBUTION, t.scope())?;
    let known = ["rms", "temperature", "exactly"];
    let mut given = known.iter().filter(|k| s.get(k).is_some());
    let (Some(kind), None) = (given.next(), given.next()) else {
        return Err(t.fault(
            key,
            format!("`{key}` needs exactly one of `rms`, `temperature` (kT in joules), `exactly`"),
        ));
    };
    let value = s.at_least_zero(kind)?.unwrap_or(0.0);
    Ok(Some(match *kind {
        "rms" => Spread::Rms(value),
        "temperature" => Spread::Temperature(value),
        _ => Spread::Exactly(value),
    }))
}

/// A random vector; `inertia` is what stands against it along each axis (masses, moments).
fn draw(spread: Option<Spread>, inertia: Vec3, random: &mut Random) -> Vec3 {
    match spread {
        None => Vec3::ZERO,
        Some(Spread::Exactly(length)) => random.direction() * length,
        Some(Spread::Rms(rms)) => random.normals() * (rms / 3f64.sqrt()),
        Some(Spread::Temperature(kt)) => {
            let width = Vec3::new(kt / inertia.x, kt / inertia.y, kt / inertia.z);
            random.normals() * Vec3::new(width.x.sqrt(), width.y.sqrt(), width.z.sqrt())
        }
    }
}

/// What is to be placed where.
struct Request<'a> {
    t: &'a Table<'a>,
    count: usize,
    models: &'a [BodyModel],
    region: (Vec3, Vec3),
    gap: f64,
    turned: bool,
    random: &'a mut Random,
}

impl Request<'_> {
    fn poses(&mut self, builder: &Builder) -> Decoded<Vec<Pose>> {
        let radius = self.radius();
        let (lo, hi) = self.room(radius)?;
        let spread = (hi - lo) + Vec3::splat(2.0 * radius);
        let reach = radius + 0.5 * self.gap;
        let volume = 4.0 / 3.0 * std::f64::consts::PI * reach * reach * reach;
        let share = self.count as f64 * volume / (spread.x * spread.y * spread.z);
        if share < SPARSE
            && let Some(poses) = self.one_after_the_other(builder, (lo, hi))
        {
            return Ok(poses);
        }
        self.on_a_lattice(builder, (lo, hi))
    }

    fn radius(&self) -> f64 {
        let radii = self.models.iter().map(BodyModel::bounding_radius);
        radii.fold(0.0, f64::max)
    }

    /// Where centres may lie.
    fn room(&self, radius: f64) -> Decoded<(Vec3, Vec3)> {
        let (lo, hi) = self.region;
        let (lo, hi) = (lo + Vec3::splat(radius), hi - Vec3::splat(radius));
        if lo.cmple(hi).all() {
            return Ok((lo, hi));
        }
        let message = format!(
            "the region is smaller than one body, which is {} m across",
            2.0 * radius
        );
        Err(self.t.fault("region", message))
    }

    fn attitude(&mut self) -> Quat {
        match self.turned {
            true => self.random.attitude(),
            false => Quat::IDENTITY,
        }
    }

    fn one_after_the_other(
        &mut self,
        builder: &Builder,
        (lo, hi): (Vec3, Vec3),
    ) -> Option<Vec<Pose>> {
        let mut room = Occupancy::new(&builder.world, 2.0 * self.radius() + self.gap);
        let mut poses = Vec::with_capacity(self.count);
        let (models, gap) = (self.models, self.gap);
        for index in 0..self.count {
            let model = &models[index % models.len()];
            let mut attempts = (0..ATTEMPTS).map(|_| {
                let at = self.random.inside(lo, hi);
                Pose::from_parts(at, self.attitude())
            });
            let pose = attempts.find(|pose| room.is_free(model, *pose, gap))?;
            room.take(pose.translation, model.bounding_radius());
            poses.push(pose);
        }
        Some(poses)
    }

    fn on_a_lattice(&mut self, builder: &Builder, (lo, hi): (Vec3, Vec3)) -> Decoded<Vec<Pose>> {
        let least = 2.0 * self.radius() + self.gap;
        let room = Occupancy::new(&builder.world, least);
        let extent = hi - lo;
        let volume = (extent + Vec3::splat(least)).element_product();
        let mut spacing = libm::cbrt(2f64.sqrt() * volume / self.count.max(1) as f64).max(least);
        loop {
            let poses = self.lattice_poses(&room, (lo, extent), (spacing, least));
            if poses.len() >= self.count {
                return Ok(self.chosen(poses));
            }
            if spacing <= least {
                return Err(self.no_room(poses.len()));
            }
            spacing = (0.97 * spacing).max(least);
        }
    }

    /// Free poses on the sites of a face-centred lattice whose nearest neighbours are `spacing` apart.
    fn lattice_poses(
        &mut self,
        room: &Occupancy<'_>,
        (lo, extent): (Vec3, Vec3),
        (spacing, least): (f64, f64),
    ) -> Vec<Pose> {
        let edge = spacing / 2f64.sqrt();
        // A rounding error must not cost the last layer of a lattice that just fits.
        let layers = (extent / edge + Vec3::splat(1e-9)).floor();
        let rest = (extent - layers * edge) * 0.5;
        let shake = (0.5 * (spacing - least)).min(spacing);
        let model = &self.models[0];
        let mut poses = Vec::new();
        for x in 0..=layers.x as i64 {
            for y in 0..=layers.y as i64 {
                for z in (0..=layers.z as i64).filter(|z| (x + y + z) % 2 == 0) {
                    let site = lo + rest + Vec3::new(x as f64, y as f64, z as f64) * edge;
                    let shaken = site + self.random.direction() * self.random.between(0.0, shake);
                    let at = shaken.clamp(lo, lo + extent);
                    let pose = Pose::from_parts(at, self.attitude());
                    if room.is_free(model, pose, self.gap) {
                        poses.push(pose);
                    }
                }
            }
        }
        poses
    }

    /// `count` of the poses, at random and in random order.
    fn chosen(&mut self, mut poses: Vec<Pose>) -> Vec<Pose> {
        for index in 0..self.count {
            let other = index + self.random.below(poses.len() - index);
            poses.swap(index, other);
        }
        poses.truncate(self.count);
        poses
    }

    fn no_room(&self, found: usize) -> Fault {
        let (count, diameter, gap) = (self.count, 2.0 * self.radius(), self.gap);
        self.t
            .fault(
                "count",
                format!("{count} bodies do not fit into the region: there is room for about {found}"),
            )
            .help(format!(
                "each takes a ball of {diameter:.4} m and a gap of {gap} m; enlarge the region or ask for fewer"
            ))
    }
}
