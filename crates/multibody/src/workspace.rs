//! What the algorithms remember of one state: poses, velocities, and the factors that answer to
//! impulses afterwards. Made once and used again; no call allocates.

use crate::inertia::Articulated;
use crate::model::{Kind, Link};
use crate::spatial::{Force, Motion, Sym3};
use crate::{Mat3, Multibody, Pose, Quat, Vec3};

/// One link in the world's axes, about its own origin.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub rot: Mat3,
    pub pos: Vec3,
    /// From the parent's origin.
    pub offset: Vec3,
    pub axis: Vec3,
    pub velocity: Motion,
    /// Acceleration that the velocities alone make.
    pub bias: Motion,
    pub inertia: Articulated,
    pub force: Force,
    /// Inertia times the joint's direction; its inverse along that direction; force left over.
    pub u: Force,
    pub d_inv: f64,
    pub rest: f64,
    pub acceleration: Motion,
}

impl Default for State {
    fn default() -> Self {
        State {
            rot: Mat3::IDENTITY,
            pos: Vec3::ZERO,
            offset: Vec3::ZERO,
            axis: Vec3::ZERO,
            velocity: Motion::ZERO,
            bias: Motion::ZERO,
            inertia: Articulated::default(),
            force: Force::ZERO,
            u: Force::ZERO,
            d_inv: 0.0,
            rest: 0.0,
            acceleration: Motion::ZERO,
        }
    }
}

/// The factors of a ball or of a free joint.
#[derive(Clone, Debug)]
pub(crate) struct Wide {
    /// Ball: inverse of the inertia along the joint, in the world's axes.
    pub d_inv: Sym3,
    /// Free: factors L D Lᵀ of the inertia, lower triangle by rows.
    pub ldl: [f64; 21],
    pub rest: Force,
}

/// Memory for the algorithms on one multibody.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// Index 0 is the world.
    pub(crate) states: Vec<State>,
    pub(crate) wide: Vec<Wide>,
    pub(crate) tau: Vec<f64>,
    pub(crate) forces: Vec<Force>,
    pub(crate) motions: Vec<Motion>,
    pub(crate) rests: Vec<f64>,
    /// External forces on links, about their origins; empty when there are none.
    pub(crate) external: Vec<Force>,
    pub(crate) disturbed: bool,
    /// Forces of the world through the centres of mass of links.
    pub(crate) steady: Vec<(usize, Vec3)>,
}

impl Workspace {
    /// Memory for this multibody.
    pub fn new(model: &Multibody) -> Workspace {
        let n = model.len() + 1;
        let wide = Wide {
            d_inv: Sym3::ZERO,
            ldl: [0.0; 21],
            rest: Force::ZERO,
        };
        Workspace {
            states: vec![State::default(); n],
            wide: vec![wide; model.wide],
            tau: vec![0.0; model.velocities()],
            forces: vec![Force::ZERO; n],
            motions: vec![Motion::ZERO; n],
            rests: vec![0.0; n],
            external: vec![Force::ZERO; n],
            disturbed: false,
            steady: Vec::new(),
        }
    }

    /// A link's pose in the world, as of the last algorithm that ran.
    pub fn pose(&self, link: usize) -> Pose {
        let s = &self.states[link + 1];
        Pose::from_parts(s.pos, Quat::from_mat3(&s.rot).normalize())
    }

    /// A link's attitude as a matrix.
    pub fn rotation(&self, link: usize) -> Mat3 {
        self.states[link + 1].rot
    }

    /// A link's origin in the world.
    pub fn origin(&self, link: usize) -> Vec3 {
        self.states[link + 1].pos
    }

    /// A link's velocity about its origin, in the world's axes.
    pub fn velocity(&self, link: usize) -> Motion {
        self.states[link + 1].velocity
    }

    /// A link's acceleration as measured in the world: angular, and that of the link's origin as a
    /// moving point. Valid after [`Multibody::forward_dynamics`]; without gravity's trick.
    pub fn acceleration(&self, link: usize, gravity: Vec3) -> Motion {
        let s = &self.states[link + 1];
        Motion::new(
            s.acceleration.ang,
            s.acceleration.lin + gravity + s.velocity.ang.cross(s.velocity.lin),
        )
    }

    /// Velocity of a point, given in the world, that moves with a link.
    pub fn point_velocity(&self, link: usize, point: Vec3) -> Vec3 {
        let s = &self.states[link + 1];
        s.velocity.at(point - s.pos).lin
    }

    /// Adds an external force on a link at a point of the world, for the calls that follow, until
    /// [`Workspace::clear_forces`].
    pub fn push(&mut self, link: usize, force: Vec3, point: Vec3) {
        let origin = self.states[link + 1].pos;
        self.external[link + 1] += Force::at_point(force, point, origin);
        self.disturbed = true;
    }

    /// Lets these forces, along the world's axes, act through the centres of mass of links wherever those go, until this is
    /// called again.
    pub fn hold_forces(&mut self, forces: &[(u32, Vec3)]) {
        self.steady.clear();
        let forces = forces.iter();
        self.steady.extend(forces.map(|(k, f)| (*k as usize, *f)));
    }

    /// Takes those forces into account after kinematics.
    #[inline]
    pub(crate) fn push_steadily(&mut self, links: &[Link]) {
        for &(link, force) in &self.steady {
            let s = &mut self.states[link + 1];
            let com = s.rot * links[link].com;
            s.force += -Force::new(com.cross(force), force);
        }
    }

    /// Forgets external forces.
    pub fn clear_forces(&mut self) {
        self.external.fill(Force::ZERO);
        self.disturbed = false;
    }

    /// Whether the link's joint resists a force, after forward dynamics.
    pub(crate) fn gives(&self, k: usize, link: &Link) -> bool {
        match link.kind {
            Kind::Fixed => true,
            Kind::Hinge | Kind::Slide => {
                let d = self.states[k + 1].d_inv;
                d > 0.0 && d < 1e18
            }
            Kind::Ball => {
                let d = self.wide[link.wide as usize].d_inv.diagonal;
                d.min_element() > 0.0 && d.max_element() < 1e18
            }
            Kind::Free => {
                let ldl = &self.wide[link.wide as usize].ldl;
                (0..6).all(|i| ldl[i * (i + 3) / 2] > 1e-18)
            }
        }
    }
}
