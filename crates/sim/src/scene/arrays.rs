//! Regular arrangements: `[[lattice]]` (rows, columns and layers), `[[stack]]` (one above the other,
//! along y) and `[[ring]]` (around an axis, circling it).

use super::builder::{BODIES_MAX, Builder, Notes};
use super::decode::{Decoded, Table, list, whole};
use super::error::Fault;
use super::keys::{self, Section};
use super::template::{self, Catalogue};
use super::tree::Node;
use crate::overlap::corners_at;
use crate::world::Kind;
use physics::rotation::from_rotation_vector;
use physics::{ModelId, Pose, Quat, State, Vec3};

/// A generator's table, opened, with its model added.
struct Copies<'a> {
    t: Table<'a>,
    kind: Kind,
    model: ModelId,
    name: String,
    notes: Notes,
}

impl<'a> Copies<'a> {
    fn open(
        (node, section): (&'a Node, &Section),
        root: &Table<'a>,
        catalogue: &Catalogue,
        builder: &mut Builder,
    ) -> Decoded<Self> {
        let t = Table::open(node, section, root.scope())?;
        let kind = template::kind(&t)?;
        if kind == Kind::Kinematic {
            let what = section.what;
            return Err(t.fault("kind", format!("{what} holds dynamic or fixed bodies")));
        }
        let model = template::model(&t, catalogue, kind, 0)?;
        Ok(Copies {
            kind,
            model: builder.world.add_model(model),
            name: t.label("name")?.unwrap_or("body".into()),
            notes: template::notes(&t, catalogue, kind, builder)?,
            t,
        })
    }

    fn add(&self, builder: &mut Builder, label: &str, state: State) -> Decoded<()> {
        let name = format!("{} {label}", self.name);
        let what = (self.kind, self.model);
        builder.add(name, what, state, &self.notes, self.t.place)
    }

    fn state(&self) -> Decoded<State> {
        let pose = self.t.pose()?;
        Ok(State {
            position: pose.translation,
            velocity: self.t.vector("velocity")?.unwrap_or(Vec3::ZERO),
            rotation: pose.rotation,
            spin: self.t.vector("spin")?.unwrap_or(Vec3::ZERO),
        })
    }

    /// The body's size along the world's axes.
    fn size(&self, builder: &Builder, rotation: Quat) -> Decoded<Vec3> {
        let model = &builder.world.models[self.model.place()];
        let pose = Pose::from_parts(Vec3::ZERO, rotation) * model.user_frame.inverse();
        let (lo, hi) = corners_at(model, &pose)
            .ok_or_else(|| self.t.fault("shape", "a half-space cannot be repeated"))?;
        Ok(hi - lo)
    }
}

/// `count = [nx, ny, nz]` bodies from `position` on, `spacing` apart.
pub(super) fn lattice(
    node: &Node,
    root: &Table<'_>,
    catalogue: &Catalogue,
    builder: &mut Builder,
) -> Decoded<()> {
    let copies = Copies::open((node, &keys::LATTICE), root, catalogue, builder)?;
    let t = &copies.t;
    let node = t.require("count", "how many bodies along each axis: [x, y, z]")?;
    let items = list(node, "count")?;
    let mut count = [0_u64; 3];
    if items.len() != 3 {
        return Err(Fault::new(
            &node.place,
            "`count` needs three numbers: [x, y, z]",
        ));
    }
    for (slot, item) in count.iter_mut().zip(items) {
        *slot = whole(item, "count", (0, BODIES_MAX), t.scope())?;
    }
    if count.iter().try_fold(1_u64, |p, c| p.checked_mul(*c)) > Some(BODIES_MAX) {
        return Err(Fault::new(
            &node.place,
            format!("more than {BODIES_MAX} bodies"),
        ));
    }
    let state = copies.state()?;
    let spacing = match t.vector("spacing")? {
        Some(spacing) => spacing,
        None => copies.size(builder, state.rotation)? * 1.1,
    };
    for x in 0..count[0] {
        for y in 0..count[1] {
            for z in 0..count[2] {
                let step = spacing * Vec3::new(x as f64, y as f64, z as f64);
                let at = State {
                    position: state.position + step,
                    ..state
                };
                copies.add(builder, &format!("{} {} {}", x + 1, y + 1, z + 1), at)?;
            }
        }
    }
    Ok(())
}

/// `count` bodies above each other; `position` is the ground under the lowest, `gap` lies between.
pub(super) fn stack(
    node: &Node,
    root: &Table<'_>,
    catalogue: &Catalogue,
    builder: &mut Builder,
) -> Decoded<()> {
    let copies = Copies::open((node, &keys::STACK), root, catalogue, builder)?;
    let t = &copies.t;
    t.require("count", "how many bodies to stack")?;
    let count = t.whole("count", 0, BODIES_MAX)?.unwrap_or(0);
    let gap = t.at_least_zero("gap")?.unwrap_or(0.0);
    let state = copies.state()?;
    let height = copies.size(builder, state.rotation)?.y;
    for level in 0..count {
        let y = gap + 0.5 * height + level as f64 * (height + gap);
        let at = State {
            position: state.position + Vec3::new(0.0, y, 0.0),
            ..state
        };
        copies.add(builder, &format!("{}", level + 1), at)?;
    }
    Ok(())
}

/// `count` bodies on a circle of `radius` about `axis` through `position`, circling with `speed`.
pub(super) fn ring(
    node: &Node,
    root: &Table<'_>,
    catalogue: &Catalogue,
    builder: &mut Builder,
) -> Decoded<()> {
    let copies = Copies::open((node, &keys::RING), root, catalogue, builder)?;
    let t = &copies.t;
    t.require("count", "how many bodies the ring has")?;
    t.require("radius", "the ring's radius in metres")?;
    let count = t.whole("count", 0, BODIES_MAX)?.unwrap_or(0);
    let radius = t.positive("radius")?.unwrap_or(1.0);
    let axis = t.vector("axis")?.unwrap_or(Vec3::Y);
    if axis.length() < 1e-12 {
        return Err(t.fault("axis", "the axis has no length; expected a direction"));
    }
    let axis = axis / axis.length();
    let speed = t.number("speed")?.unwrap_or(0.0);
    let phase = t.number("phase")?.unwrap_or(0.0);
    let state = copies.state()?;
    let out = axis.any_orthonormal_vector() * radius;
    for index in 0..count {
        let angle = std::f64::consts::TAU * (index as f64 / count as f64 + phase);
        let turn = from_rotation_vector(axis * angle);
        let arm = turn * out;
        let at = State {
            position: state.position + arm,
            velocity: state.velocity + axis.cross(arm) * (speed / radius),
            rotation: turn * state.rotation,
            spin: state.spin,
        };
        copies.add(builder, &format!("{}", index + 1), at)?;
    }
    Ok(())
}
