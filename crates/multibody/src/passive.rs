//! What acts without being asked: springs and dampers of joints and tendons, the fluid around
//! links, compensation of gravity.

use crate::constraint::Combination;
use crate::joint::JointKind;
use crate::kinematics::attitude;
use crate::spatial::Force;
use crate::{Mat3, Multibody, Vec3, Workspace};

/// A box on a link, of the same inertia as the body it stands for, on which a fluid acts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drag {
    /// The link.
    pub link: usize,
    /// The body's centre of mass in the link's frame.
    pub com: Vec3,
    /// The body's principal axes in the link's frame.
    pub axes: Mat3,
    /// Lengths of the box along these axes, m.
    pub size: Vec3,
}

/// A spring and damper along a sum of joint positions (a fixed tendon).
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// Its length.
    pub length: Combination,
    /// N/m.
    pub stiffness: f64,
    /// N·s/m.
    pub damping: f64,
    /// Between these lengths the spring is slack.
    pub rest: (f64, f64),
}

/// What surrounds a multibody.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surroundings {
    /// Density of the fluid, kg/m³.
    pub density: f64,
    /// Viscosity of the fluid, Pa·s.
    pub viscosity: f64,
    /// Velocity of the fluid, m/s.
    pub wind: Vec3,
    /// Where it acts.
    pub drags: Vec<Drag>,
    /// Mass that does not feel gravity: link, point in its frame, kg.
    pub weightless: Vec<(usize, Vec3, f64)>,
    /// Springs along tendons.
    pub bands: Vec<Band>,
}

impl Band {
    fn force(&self, length: f64, rate: f64) -> f64 {
        let stretch = if length > self.rest.1 {
            length - self.rest.1
        } else if length < self.rest.0 {
            length - self.rest.0
        } else {
            0.0
        };
        -self.stiffness * stretch - self.damping * rate
    }
}

impl Drag {
    /// Force of the fluid on the box, in the box's axes at its centre, for its velocity there: the
    /// viscous drag of a sphere of its mean width, and the drag of its faces.
    fn force(&self, ang: Vec3, lin: Vec3, density: f64, viscosity: f64) -> Force {
        let b = self.size;
        let width = b.element_sum() / 3.0;
        let pi = std::f64::consts::PI;
        let mut force = Force::new(
            ang * (-pi * width * width * width * viscosity),
            lin * (-3.0 * pi * width * viscosity),
        );
        let faces = Vec3::new(b.y * b.z, b.x * b.z, b.x * b.y);
        force.lin -= faces * lin.abs() * lin * (0.5 * density);
        let p = b * b * b * b;
        let edges = Vec3::new(b.x * (p.y + p.z), b.y * (p.x + p.z), b.z * (p.x + p.y));
        force.ang -= edges * ang.abs() * ang * (density / 64.0);
        force
    }
}

impl Surroundings {
    pub(crate) fn acts(&self) -> bool {
        !self.weightless.is_empty() || self.resists()
    }

    fn resists(&self) -> bool {
        !self.drags.is_empty() && (self.density != 0.0 || self.viscosity != 0.0)
    }

    /// Energy of the tendons' springs.
    pub(crate) fn energy(&self, _model: &Multibody, q: &[f64]) -> f64 {
        let energy = |b: &Band| {
            let pull = b.force(b.length.value(q), 0.0);
            if b.stiffness > 0.0 {
                0.5 * pull * pull / b.stiffness
            } else {
                0.0
            }
        };
        self.bands.iter().map(energy).sum()
    }

    pub(crate) fn push(&self, gravity: Vec3, ws: &mut Workspace) {
        for &(link, point, mass) in &self.weightless {
            let s = &mut ws.states[link + 1];
            let force = gravity * -mass;
            s.force += -Force::new((s.rot * point).cross(force), force);
        }
        if !self.resists() {
            return;
        }
        for drag in &self.drags {
            let s = &mut ws.states[drag.link + 1];
            let com = s.rot * drag.com;
            let axes = s.rot * drag.axes;
            let v = s.velocity.at(com);
            let own = axes.transpose();
            let f = drag.force(
                own * v.ang,
                own * (v.lin - self.wind),
                self.density,
                self.viscosity,
            );
            s.force += -Force::new(axes * f.ang, axes * f.lin).about(com);
        }
    }
}

impl Multibody {
    /// Adds the forces of springs and dampers to `tau`.
    pub fn add_passive(&self, q: &[f64], v: &[f64], tau: &mut [f64]) {
        if self.springs {
            for k in 0..self.len() {
                self.add_spring(k, q, v, tau);
            }
        }
        for band in &self.surroundings.bands {
            let force = band.force(band.length.value(q), band.length.rate(v));
            for (c, coefficient) in &band.length.terms {
                tau[c.velocity] += coefficient * force;
            }
        }
    }

    fn add_spring(&self, k: usize, q: &[f64], v: &[f64], tau: &mut [f64]) {
        let spec = self.link(k);
        let joint = &spec.joint;
        let (at, dof) = (self.position_index(k), self.velocity_index(k));
        for c in 0..joint.kind.velocities() {
            tau[dof + c] -= joint.damping * v[dof + c];
        }
        if joint.stiffness == 0.0 {
            return;
        }
        let mut pull = |dof: usize, d: Vec3| {
            for c in 0..3 {
                tau[dof + c] -= joint.stiffness * d[c];
            }
        };
        match joint.kind {
            JointKind::Fixed => {}
            JointKind::Hinge(_) | JointKind::Slide(_) => {
                tau[dof] -= joint.stiffness * (q[at] - joint.spring_reference);
            }
            JointKind::Ball => {
                pull(
                    dof,
                    crate::coordinates::rotation_vector(attitude(&q[at..at + 4])),
                );
            }
            JointKind::Free => {
                let rest = spec.placement;
                pull(
                    dof,
                    Vec3::new(q[at], q[at + 1], q[at + 2]) - rest.translation,
                );
                let turn = rest.rotation.inverse() * attitude(&q[at + 3..at + 7]);
                pull(dof + 3, crate::coordinates::rotation_vector(turn));
            }
        }
    }

    /// Accelerations with all that acts: `applied` joint forces, springs, dampers, tendons' springs,
    /// fluid, gravity, external forces.
    pub fn accelerations(
        &self,
        q: &[f64],
        v: &[f64],
        applied: &[f64],
        ws: &mut Workspace,
        a: &mut [f64],
    ) {
        let mut tau = std::mem::take(&mut ws.tau);
        tau.copy_from_slice(applied);
        self.add_passive(q, v, &mut tau);
        self.outward(q, v, ws);
        if ws.disturbed {
            for (s, f) in ws.states.iter_mut().zip(&ws.external) {
                s.force += -*f;
            }
        }
        ws.push_steadily(&self.links);
        if self.surroundings.acts() {
            self.surroundings.push(self.gravity, ws);
        }
        self.inward(&tau, ws);
        self.accelerate(ws, a);
        ws.tau = tau;
    }
}
