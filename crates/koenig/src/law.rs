//! Integration and contact. Several contacts at one LVT are left open by the paper: here every impulse is computed from
//! the states before, and they are summed by the partner's number, fixed shapes first. A state is then a function of
//! the state before and of the set of its contacts, and neither threads nor their order can be seen in it.

use crate::scene::{Fixed, Form, Frame, Ms, Phy, Scene, Sphere, Vec3};

/// The share of an overlap that a contact takes back in one sub-step, at least. An elastic bounce is faster than this and
/// never notices; what lies still does not sink.
const TAKEN_BACK: f64 = 0.2;

/// A change of an entity's motion at an LVT: what a recording keeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// When.
    pub lvt: Ms,
    /// Who.
    pub entity: u32,
    /// Where, and the velocity after all impulses.
    pub phy: Phy,
    /// The first of those it met.
    pub partner: Partner,
    /// All impulses together, N s.
    pub impulse: f64,
}

/// Whom an entity met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partner {
    /// A fixed shape, by its number.
    Fixed(u32),
    /// Another entity.
    Entity(u32),
}

/// One sub-step of an entity: its state at the next LVT, and its turn if there was one. `impulses` are those of the
/// entities it meets, by their numbers.
pub(crate) fn advance(
    scene: &Scene,
    entity: u32,
    (lvt, phy): (Ms, &Phy),
    impulses: impl Iterator<Item = (u32, Vec3)>,
    sub_step: Ms,
) -> (Phy, Option<Turn>) {
    let sphere = &scene.spheres[entity as usize];
    let dt = sub_step as f64 * 1e-3;
    let mut sum = Vec3::ZERO;
    let mut first = None;
    for (number, fixed) in scene.fixed.iter().enumerate() {
        if let Some(impulse) = bounce(scene, sphere, phy, fixed, dt) {
            sum += impulse;
            first.get_or_insert(Partner::Fixed(number as u32));
        }
    }
    for (partner, impulse) in impulses {
        sum += impulse;
        first.get_or_insert(Partner::Entity(partner));
    }
    let velocity = phy.velocity + sum / sphere.mass;
    let turn = first.map(|partner| Turn {
        lvt,
        entity,
        phy: Phy {
            position: phy.position,
            velocity,
        },
        partner,
        impulse: sum.length(),
    });
    let next = Phy {
        position: phy.position + velocity * dt + scene.gravity * (0.5 * dt * dt),
        velocity: velocity + scene.gravity * dt,
    };
    (next, turn)
}

/// The impulse on the first of two entities that touch and do not part, if they do. The one with the smaller number
/// comes first.
pub(crate) fn contact(
    scene: &Scene,
    (a, phy_a): (u32, &Phy),
    (b, phy_b): (u32, &Phy),
    sub_step: Ms,
) -> Option<Vec3> {
    let (sphere_a, sphere_b) = (&scene.spheres[a as usize], &scene.spheres[b as usize]);
    let apart = phy_a.position - phy_b.position;
    let reach = sphere_a.radius + sphere_b.radius;
    let squared = apart.length_squared();
    if squared >= reach * reach {
        return None;
    }
    let distance = squared.sqrt();
    let normal = direction(apart, distance);
    let approach = -(phy_a.velocity - phy_b.velocity).dot(normal);
    let restitution = scene.restitution[sphere_a.surface][sphere_b.surface];
    let dt = sub_step as f64 * 1e-3;
    let change = change(approach, reach - distance, restitution, dt)?;
    let mass = sphere_a.mass * sphere_b.mass / (sphere_a.mass + sphere_b.mass);
    Some(normal * (change * mass))
}

fn direction(along: Vec3, length: f64) -> Vec3 {
    match length > 0.0 {
        true => along / length,
        false => Vec3::Y,
    }
}

/// By how much the speed along the normal changes.
fn change(approach: f64, depth: f64, restitution: f64, dt: f64) -> Option<f64> {
    let least = TAKEN_BACK * depth / dt;
    let after = (restitution * approach).max(least);
    (approach > -least).then_some(after + approach)
}

fn bounce(scene: &Scene, sphere: &Sphere, phy: &Phy, fixed: &Fixed, dt: f64) -> Option<Vec3> {
    let (gap, normal) = fixed.form.towards(phy.position);
    let depth = sphere.radius - gap;
    if depth <= 0.0 {
        return None;
    }
    let approach = -phy.velocity.dot(normal);
    let restitution = scene.restitution[sphere.surface][fixed.surface];
    let change = change(approach, depth, restitution, dt)?;
    Some(normal * (change * sphere.mass))
}

impl Form {
    /// The distance of a point from the surface, negative inside, and the direction in which it grows.
    pub fn towards(&self, point: Vec3) -> (f64, Vec3) {
        match self {
            Form::HalfSpace { normal, offset } => (normal.dot(point) - offset, *normal),
            Form::Ball { centre, radius } => {
                let along = point - *centre;
                let length = along.length();
                (length - radius, direction(along, length))
            }
            Form::Box {
                frame,
                half_extents,
            } => {
                let local = frame.local(point);
                let (gap, normal) = from_box(local, *half_extents);
                (gap, frame.world(normal))
            }
            Form::Cylinder {
                frame,
                half_height,
                radius,
            } => {
                let local = frame.local(point);
                let across = Vec3::new(local.x, 0.0, local.z);
                let length = across.length();
                let outward = match length > 0.0 {
                    true => across / length,
                    false => Vec3::X,
                };
                // In the half-plane through the axis and the point the cylinder is a rectangle.
                let flat = Vec3::new(length, local.y, 0.0);
                let (gap, normal) = from_box(flat, Vec3::new(*radius, *half_height, f64::INFINITY));
                (gap, frame.world(outward * normal.x + Vec3::Y * normal.y))
            }
        }
    }
}

impl Frame {
    fn local(&self, point: Vec3) -> Vec3 {
        let from = point - self.origin;
        Vec3::new(
            from.dot(self.axes[0]),
            from.dot(self.axes[1]),
            from.dot(self.axes[2]),
        )
    }

    fn world(&self, along: Vec3) -> Vec3 {
        self.axes[0] * along.x + self.axes[1] * along.y + self.axes[2] * along.z
    }
}

fn from_box(point: Vec3, half: Vec3) -> (f64, Vec3) {
    let nearest = point.clamp(-half, half);
    let along = point - nearest;
    let length = along.length();
    if length > 0.0 {
        return (length, along / length);
    }
    // Inside: out through the nearest face.
    let depth = half - point.abs();
    let sign = |x: f64| if x < 0.0 { -1.0 } else { 1.0 };
    if depth.x <= depth.y && depth.x <= depth.z {
        (-depth.x, Vec3::X * sign(point.x))
    } else if depth.y <= depth.z {
        (-depth.y, Vec3::Y * sign(point.y))
    } else {
        (-depth.z, Vec3::Z * sign(point.z))
    }
}
