//! Trees to try things on.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use warpline_multibody::spatial::Sym3;
use warpline_multibody::{
    Builder, Inertia, Joint, JointKind, LinkSpec, Mat3, Multibody, Pose, Quat, Vec3,
};

/// Numbers between -1 and 1.
pub fn stream(seed: u64) -> impl FnMut() -> f64 {
    let mut rng = Pcg64::seed_from_u64(seed);
    move || rng.random_range(-1.0..1.0)
}

pub fn vector(next: &mut impl FnMut() -> f64) -> Vec3 {
    Vec3::new(next(), next(), next())
}

pub fn turn(next: &mut impl FnMut() -> f64) -> Quat {
    Quat::from_xyzw(next(), next(), next(), next()).normalize()
}

/// A solid that could exist: moments of inertia of a cloud of points.
pub fn solid(next: &mut impl FnMut() -> f64) -> Inertia {
    let size = (vector(next).abs() + 0.2) * 0.3;
    let mass = 1.5 + next();
    let s = size * size * (mass / 3.0);
    let diagonal = Vec3::new(s.y + s.z, s.x + s.z, s.x + s.y);
    let tensor = Sym3 {
        diagonal,
        off: Vec3::ZERO,
    };
    Inertia {
        mass,
        com: vector(next) * 0.2,
        tensor: tensor.turned(&Mat3::from_quat(turn(next))),
    }
}

/// A tree of `n` links with all kinds of joints.
pub fn random_tree(seed: u64, n: usize, floating: bool) -> Multibody {
    let mut next = stream(seed);
    let mut builder = Builder::new(Vec3::new(0.3, -0.2, -9.81));
    for k in 0..n {
        let kind = match (next() * 5.0).abs() as usize {
            _ if k == 0 && floating => JointKind::Free,
            0 | 1 => JointKind::Hinge(vector(&mut next)),
            2 => JointKind::Slide(vector(&mut next)),
            3 => JointKind::Ball,
            _ => JointKind::Fixed,
        };
        let parent = (k > 0).then(|| ((next() + 1.0) * 0.5 * k as f64) as usize);
        let mut joint = Joint::new(kind);
        joint.armature = if floating {
            0.0
        } else {
            (0.1 * next()).max(0.0)
        };
        joint.reference = next();
        let spec = LinkSpec {
            name: format!("link {k}"),
            parent,
            placement: Pose::from_parts(vector(&mut next) * 0.5, turn(&mut next)),
            joint,
            // some links of composite joints have no mass; a leaf always has some
            inertia: solid(&mut next),
        };
        builder.add(spec).expect("a tree that can exist");
    }
    builder.build().expect("a tree that can move")
}

/// Positions and velocities at random; quaternions of unit length.
pub fn random_state(model: &Multibody, seed: u64) -> (Vec<f64>, Vec<f64>) {
    let mut next = stream(seed);
    let mut q: Vec<f64> = (0..model.positions()).map(|_| next()).collect();
    model.normalize(&mut q);
    let v = (0..model.velocities()).map(|_| next() * 2.0).collect();
    (q, v)
}

/// A chain of rods, each `length` long and 1 kg, hanging along -z, hinged about y.
pub fn chain(n: usize, length: f64) -> Multibody {
    let mut builder = Builder::new(Vec3::new(0.0, 0.0, -9.81));
    for k in 0..n {
        let at = if k == 0 { 0.0 } else { -length };
        let moment = length * length / 12.0;
        builder
            .add(LinkSpec {
                name: format!("rod {k}"),
                parent: k.checked_sub(1),
                placement: Pose::from_translation(Vec3::new(0.0, 0.0, at)),
                joint: Joint::hinge(Vec3::Y),
                inertia: Inertia {
                    mass: 1.0,
                    com: Vec3::new(0.0, 0.0, -0.5 * length),
                    tensor: Sym3 {
                        diagonal: Vec3::new(moment, moment, 1e-4),
                        off: Vec3::ZERO,
                    },
                },
            })
            .expect("a rod");
    }
    builder.build().expect("a chain")
}
