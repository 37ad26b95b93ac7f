//! The constant half of a shell: topology, masses, elements, motions, steps. Built once, shared by
//! every state; vertices are in reverse Cuthill-McKee order, the dynamic ones before the kinematic.

use crate::acm::forces::facets::{Facets, Placed};
use crate::acm::forces::layers;
use crate::acm::forces::membrane;
use crate::acm::forces::rigid::{NONE, Rigid, RigidBody, RigidId, RigidState};
use crate::acm::model::order;
use crate::acm::model::topology::{Topology, hinge_stencils};
use crate::acm::{
    ContactLaw, Hinge, Layers, Material, Membrane, Mesh, Motion, ShellError, ShellState, Tick,
};
use crate::impulse::Air;
use glamx::{DQuat, DVec3};

/// A kinematic vertex that moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Driven {
    pub vertex: u32,
    pub motion: u32,
    pub rest: DVec3,
}

/// The constant model of one or more shells and the obstacles around them.
#[derive(Debug, Clone, PartialEq)]
pub struct ShellModel {
    pub(crate) topology: Topology,
    pub(crate) inverse_mass: Vec<f64>,
    pub(crate) mass: Vec<f64>,
    /// Vertices below this index obey forces, the others their motion.
    pub(crate) dynamic: usize,
    pub(crate) membranes: Vec<Membrane>,
    pub(crate) hinges: Vec<Hinge>,
    /// Both, laid out for the fused kernel.
    pub(crate) facets: Facets,
    pub(crate) driven: Vec<Driven>,
    pub(crate) motions: Vec<Motion>,
    /// Rigid bodies, and for each vertex which one's surface it is on.
    pub(crate) rigids: Vec<Rigid>,
    pub(crate) rigid_of: Vec<u32>,
    pub(crate) gravity: DVec3,
    /// Air, and the triangles that it pushes.
    pub(crate) air: Option<(Air, Vec<[u32; 3]>)>,
    pub(crate) layers: Layers,
    /// Step of the fused internal forces, in ticks.
    pub(crate) internal_step: Tick,
    /// For each vertex of the model its index in the order the parts were given.
    pub(crate) input_of: Vec<u32>,
    /// Where each part begins in that order.
    pub(crate) mesh_starts: Vec<u32>,
}

/// Internal forces that need shorter steps than this would crawl for ever, in s.
const STEP_LEAST_S: f64 = 1.0e-9;

/// Index of a motion given to a builder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MotionId(u32);

/// One mesh as given: its triangles follow those of the parts before it.
#[derive(Debug, Clone)]
pub struct Part {
    mesh: Mesh,
    rest: Vec<DVec3>,
    material: Option<Material>,
    drive: Vec<Option<MotionId>>,
    rigid: Option<RigidId>,
    /// Initial velocity of its dynamic vertices, in m/s.
    pub velocity: DVec3,
}

impl Part {
    /// Takes another stress-free shape than the initial one.
    pub fn with_rest(&mut self, rest: Vec<DVec3>) -> &mut Part {
        self.rest = rest;
        self
    }
}

/// Collects parts and laws, then builds a model and its first state.
#[derive(Debug, Clone, Default)]
pub struct ShellBuilder {
    parts: Vec<Part>,
    motions: Vec<Motion>,
    rigids: Vec<(RigidBody, RigidState)>,
    /// Gravity in m/s^2.
    pub gravity: DVec3,
    /// Air that all shells move through, if there is some.
    pub air: Option<Air>,
    /// The law of all contacts.
    pub contact: ContactLaw,
}

impl ShellBuilder {
    /// An empty world with its gravity (m/s^2) and its law of contact.
    pub fn new(gravity: DVec3, contact: ContactLaw) -> ShellBuilder {
        ShellBuilder {
            gravity,
            contact,
            ..ShellBuilder::default()
        }
    }

    /// Registers a motion for obstacles and driven vertices.
    pub fn motion(&mut self, motion: Motion) -> MotionId {
        self.motions.push(motion);
        MotionId(self.motions.len() as u32 - 1)
    }

    /// Adds a deformable mesh; `drive` names the motion of each vertex that is not free.
    pub fn shell(
        &mut self,
        mesh: Mesh,
        material: Material,
        drive: impl Fn(usize) -> Option<MotionId>,
    ) -> &mut Part {
        let drive = (0..mesh.positions.len()).map(drive).collect();
        self.add(mesh, Some(material), drive)
    }

    /// Adds a rigid obstacle that follows `motion`.
    pub fn obstacle(&mut self, mesh: Mesh, motion: MotionId) -> &mut Part {
        let drive = vec![Some(motion); mesh.positions.len()];
        self.add(mesh, None, drive)
    }

    /// How many vertices the parts have so far.
    pub fn vertex_count(&self) -> usize {
        let of = |part: &Part| part.mesh.positions.len();
        self.parts.iter().map(of).sum()
    }

    /// Registers a rigid body with where it is at t = 0.
    pub fn body(&mut self, body: RigidBody, position: DVec3, rotation: DQuat) -> RigidId {
        let state = RigidState::at_rest(position, rotation);
        self.rigids.push((body, state));
        RigidId(self.rigids.len() as u32 - 1)
    }

    /// Adds a part of a rigid body's surface, where it is at t = 0.
    pub fn surface(&mut self, mesh: Mesh, body: RigidId) -> &mut Part {
        let held = self.motion(Motion::fixed());
        let part = self.obstacle(mesh, held);
        part.rigid = Some(body);
        part
    }

    fn add(
        &mut self,
        mesh: Mesh,
        material: Option<Material>,
        drive: Vec<Option<MotionId>>,
    ) -> &mut Part {
        let rest = mesh.positions.clone();
        let at = self.parts.len();
        self.parts.push(Part {
            mesh,
            rest,
            material,
            drive,
            rigid: None,
            velocity: DVec3::ZERO,
        });
        &mut self.parts[at]
    }

    /// Builds the model and the state at t = 0.
    pub fn build(&self) -> Result<(ShellModel, ShellState), ShellError> {
        for part in &self.parts {
            part.mesh.validate()?;
            if let Some(material) = &part.material {
                material.validate()?;
            }
        }
        if self.air.as_ref().is_some_and(|air| air.check().is_err()) {
            return Err(ShellError::BadParameter {
                name: "air",
                value: f64::NAN,
                expected: "numbers of at least 0, a positive period and a finite velocity",
            });
        }
        let joined = Joined::new(self);
        let topology = Topology::new(joined.mass.len(), &joined.triangles)?;
        let elements = Elements::new(&joined, &topology)?;
        let dynamic = joined.drive.iter().filter(|d| d.is_none()).count();
        let mut inverse_mass: Vec<f64> = joined
            .mass
            .iter()
            .zip(&joined.drive)
            .map(|(&m, d)| if d.is_none() && m > 0.0 { 1.0 / m } else { 0.0 })
            .collect();
        let internal_step = elements.stable_step(&joined, &inverse_mass[..dynamic])?;
        let rigids = joined.rigids(&self.rigids);
        let lightest = rigids.iter().flat_map(Rigid::compliances);
        let heaviest_inverse = inverse_mass.iter().copied().chain(lightest);
        let heaviest_inverse = heaviest_inverse.fold(0.0, f64::max);
        for rigid in &rigids {
            for &(vertex, own) in &rigid.surface {
                inverse_mass[vertex as usize] = rigid.body.corner_compliance(own);
            }
        }
        let in_air = |t: &&[u32; 3]| t.iter().any(|&v| (v as usize) < dynamic);
        let pushed = topology.triangles.iter().filter(in_air).copied().collect();
        let facets = Facets::new(&topology, &elements.placed(), dynamic);
        let driven = joined.driven(&self.motions);
        let model = ShellModel {
            layers: Layers::new(&self.contact, heaviest_inverse, internal_step)?,
            topology,
            inverse_mass,
            mass: joined.mass,
            dynamic,
            membranes: elements.membranes,
            hinges: elements.hinges,
            facets,
            driven,
            motions: self.motions.clone(),
            rigids,
            rigid_of: joined.rigid,
            gravity: self.gravity,
            air: self.air.clone().map(|air| (air, pushed)),
            internal_step,
            input_of: joined.input_of,
            mesh_starts: joined.mesh_starts,
        };
        let mut state = ShellState::new(joined.positions, joined.velocities);
        state.rigid = self.rigids.iter().map(|&(_, state)| state).collect();
        model.require_start(&state)?;
        Ok((model, state))
    }
}

/// All parts in one numbering, already in the model's order.
struct Joined {
    positions: Vec<DVec3>,
    velocities: Vec<DVec3>,
    rest: Vec<DVec3>,
    mass: Vec<f64>,
    drive: Vec<Option<MotionId>>,
    rigid: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    materials: Vec<Option<Material>>,
    input_of: Vec<u32>,
    mesh_starts: Vec<u32>,
}

impl Joined {
    fn new(builder: &ShellBuilder) -> Joined {
        let mut all = Joined {
            positions: Vec::new(),
            velocities: Vec::new(),
            rest: Vec::new(),
            mass: Vec::new(),
            drive: Vec::new(),
            rigid: Vec::new(),
            triangles: Vec::new(),
            materials: Vec::new(),
            input_of: Vec::new(),
            mesh_starts: Vec::new(),
        };
        for part in &builder.parts {
            let base = all.positions.len() as u32;
            all.mesh_starts.push(base);
            all.positions.extend(&part.mesh.positions);
            all.rest.extend(&part.rest);
            all.drive.extend(&part.drive);
            let rigid = part.rigid.map_or(NONE, |id| id.0);
            all.rigid.resize(all.positions.len(), rigid);
            all.velocities.extend(part.drive.iter().map(|d| {
                if d.is_none() {
                    part.velocity
                } else {
                    DVec3::ZERO
                }
            }));
            all.mass.resize(all.positions.len(), 0.0);
            for &corners in &part.mesh.triangles {
                let corners = corners.map(|v| v + base);
                all.triangles.push(corners);
                all.materials.push(part.material);
                if let Some(material) = &part.material {
                    let [a, b, c] = corners.map(|v| all.rest[v as usize]);
                    let third = (b - a).cross(c - a).length() / 6.0
                        * material.thickness_m
                        * material.density_kg_m3;
                    corners.iter().for_each(|&v| all.mass[v as usize] += third);
                }
            }
        }
        all.reorder();
        all
    }

    /// Renumbers the vertices by reverse Cuthill-McKee, kinematic ones last, and the triangles by
    /// their lowest vertex.
    fn reorder(&mut self) {
        let rcm = order::reverse_cuthill_mckee(self.mass.len(), &self.triangles);
        let (free, held): (Vec<u32>, Vec<u32>) =
            rcm.iter().partition(|&&v| self.drive[v as usize].is_none());
        let from: Vec<u32> = free.into_iter().chain(held).collect();
        let mut to = vec![0u32; from.len()];
        for (new, &old) in from.iter().enumerate() {
            to[old as usize] = new as u32;
        }
        self.positions = from.iter().map(|&v| self.positions[v as usize]).collect();
        self.velocities = from.iter().map(|&v| self.velocities[v as usize]).collect();
        self.rest = from.iter().map(|&v| self.rest[v as usize]).collect();
        self.mass = from.iter().map(|&v| self.mass[v as usize]).collect();
        self.drive = from.iter().map(|&v| self.drive[v as usize]).collect();
        self.rigid = from.iter().map(|&v| self.rigid[v as usize]).collect();
        let mut faces: Vec<_> = self
            .triangles
            .iter()
            .map(|t| t.map(|v| to[v as usize]))
            .zip(self.materials.iter().copied())
            .collect();
        faces.sort_by_key(|(t, _)| (t[0].min(t[1]).min(t[2]), t[0].max(t[1]).max(t[2]), *t));
        (self.triangles, self.materials) = faces.into_iter().unzip();
        self.input_of = from;
    }

    fn rigids(&self, bodies: &[(RigidBody, RigidState)]) -> Vec<Rigid> {
        let of = |&(body, _): &(RigidBody, RigidState)| Rigid {
            body,
            surface: Vec::new(),
        };
        let mut rigids: Vec<Rigid> = bodies.iter().map(of).collect();
        for (vertex, &body) in self.rigid.iter().enumerate().filter(|r| *r.1 != NONE) {
            let state = &bodies[body as usize].1;
            let own = state.rotation.inverse() * (self.positions[vertex] - state.position);
            rigids[body as usize].surface.push((vertex as u32, own));
        }
        rigids
    }

    fn driven(&self, motions: &[Motion]) -> Vec<Driven> {
        let moving = |(vertex, drive): (usize, &Option<MotionId>)| {
            let motion = (*drive)?.0;
            let rest = self.positions[vertex];
            (!motions[motion as usize].is_fixed()).then_some(Driven {
                vertex: vertex as u32,
                motion,
                rest,
            })
        };
        self.drive.iter().enumerate().filter_map(moving).collect()
    }
}

/// Membranes and hinges in triangle order.
#[derive(Default)]
struct Elements {
    membranes: Vec<Membrane>,
    membrane_triangles: Vec<u32>,
    materials: Vec<Material>,
    hinges: Vec<Hinge>,
    hinge_triangles: Vec<[u32; 2]>,
}

impl Elements {
    fn new(joined: &Joined, topology: &Topology) -> Result<Elements, ShellError> {
        let mut elements = Elements::default();
        let stencils = hinge_stencils(topology);
        let free = |v: &[u32]| v.iter().any(|&v| joined.drive[v as usize].is_none());
        for (triangle, &corners) in topology.triangles.iter().enumerate() {
            let Some(material) = joined.materials[triangle] else {
                continue;
            };
            if free(&corners) {
                let rest = corners.map(|v| joined.rest[v as usize]);
                let membrane = Membrane::new(corners, rest, &material)?;
                elements.membranes.push(membrane);
                elements.membrane_triangles.push(triangle as u32);
                elements.materials.push(material);
            }
            let first = stencils.partition_point(|s| s.0 < triangle as u32);
            let own = stencils[first..]
                .iter()
                .take_while(|s| s.0 == triangle as u32);
            for &(_, stencil, pair) in own.filter(|s| material.bending_j > 0.0 && free(&s.1)) {
                let rest = stencil.map(|v| joined.rest[v as usize]);
                elements.hinges.push(Hinge::new(stencil, rest, &material));
                elements.hinge_triangles.push(pair);
            }
        }
        Ok(elements)
    }

    fn placed(&self) -> Placed<'_> {
        Placed {
            membranes: &self.membranes,
            membrane_triangles: &self.membrane_triangles,
            hinges: &self.hinges,
            hinge_triangles: &self.hinge_triangles,
        }
    }

    /// The step at which the stiffest mode is stable: squared frequencies of membranes and hinges
    /// add, damping shortens the step (explicit velocity term).
    fn stable_step(&self, joined: &Joined, inverse_mass: &[f64]) -> Result<Tick, ShellError> {
        let weight = |v: u32| inverse_mass.get(v as usize).copied().unwrap_or(0.0);
        let mut shared = vec![0.0f64; joined.mass.len()];
        self.hinges
            .iter()
            .for_each(|h| h.vertices.iter().for_each(|&v| shared[v as usize] += 1.0));
        let rest = |v: u32| joined.rest[v as usize];
        let bending = self
            .hinges
            .iter()
            .map(|h| {
                h.frequency_bound_squared(
                    h.vertices.map(rest),
                    h.vertices.map(|v| weight(v) * shared[v as usize]),
                )
            })
            .fold(0.0, f64::max);
        let step = |(m, material): (&Membrane, &Material)| {
            let omega = (membrane::frequency_bound_squared(m.vertices.map(rest), material)
                + bending)
                .sqrt();
            let zeta = 0.5 * material.damping_s * omega;
            // far above critical damping the difference would be lost, or no number
            let damped = if zeta < 1.0e6 {
                (1.0 + zeta * zeta).sqrt() - zeta
            } else {
                0.5 / zeta
            };
            material.step_fraction * 2.0 / omega * damped
        };
        let shortest = self
            .membranes
            .iter()
            .zip(&self.materials)
            .map(step)
            // what is not a number stays
            .fold(1.0e-3, |a: f64, b| if a < b || a.is_nan() { a } else { b });
        if shortest >= STEP_LEAST_S {
            Ok(layers::quantise(shortest))
        } else {
            Err(ShellError::TooStiff {
                step_s: shortest,
                least_s: STEP_LEAST_S,
            })
        }
    }
}

impl ShellModel {
    /// Number of vertices, kinematic ones included.
    pub fn vertex_count(&self) -> usize {
        self.mass.len()
    }

    /// Triangles of all parts, in the model's vertex order.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.topology.triangles
    }

    /// For each vertex of the model its index in the order the parts were given.
    pub fn input_of(&self) -> &[u32] {
        &self.input_of
    }

    /// Mass of each vertex in kg, zero for obstacles.
    pub fn masses(&self) -> &[f64] {
        &self.mass
    }

    /// Number of vertices that obey forces; they come first.
    pub fn dynamic_count(&self) -> usize {
        self.dynamic
    }

    /// The penalty layers.
    pub fn layers(&self) -> &Layers {
        &self.layers
    }

    /// Step of the fused internal forces, in ticks.
    pub fn internal_step(&self) -> Tick {
        self.internal_step
    }
}
