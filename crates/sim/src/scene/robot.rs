//! `[[robot]]`: a robot that a URDF or MJCF file describes becomes a multibody.

use super::builder::{Builder, Notes};
use super::decode::{Decoded, Table};
use super::error::{Fault, suggestion};
use super::files::Files;
use super::keys;
use super::multibody::add;
use super::robot_contact::{self, Standing, is_touched};
use super::tree::Node;
use crate::layers::Layers;
use crate::multibodies::{JointState, LinkShape, Plan, Tendon};
use crate::world::BodyId;
use physics::material::Rolling;
use physics::{BodyModel, Material, Part, Pose, Quat, Shape, Vec3};
use robot::{Assembly, Geom, Options, Robot, Transmission};
use std::f64::consts::FRAC_1_SQRT_2;

/// A mesh that collides stands for the hull of its outermost points in so many directions.
const DIRECTIONS: usize = 96;

/// Reads one `[[robot]]`.
pub(super) fn robot(
    node: &Node,
    root: &Table<'_>,
    files: &Files,
    builder: &mut Builder,
) -> Decoded<()> {
    let t = Table::open(node, &keys::ROBOT, root.scope())?;
    t.require(
        "file",
        "a URDF or MJCF file, for example `file = \"arm.urdf\"`",
    )?;
    let file = t.text("file")?.unwrap_or_default();
    let options = Options {
        floating: t.flag("floating")?,
        ..Options::default()
    };
    let read = robot::load(&files.folder.join(&file), &options);
    let mut robot = read.map_err(|e| blamed(&t, &e))?;
    robot.gravity = builder.world.gravity;
    place(&mut robot, t.pose()?);
    let assembly = robot.assemble().map_err(|e| blamed(&t, &e))?;
    let name = match t.label("name")? {
        Some(name) => name,
        None if robot.name.is_empty() => format!("robot {}", builder.world.multibodies.len() + 1),
        None => robot.name.clone(),
    };
    let warnings = robot.warnings.iter().map(|w| w.to_string());
    builder.warnings.extend(warnings);
    let standing = standing(&robot, &assembly, &name, &t, builder)?;
    let (start, controls) = start(&robot, &assembly, &t)?;
    let mut joints = vec![String::new(); assembly.multibody.len()];
    for (joint, link) in &assembly.joints {
        joints[*link].clone_from(joint);
    }
    let collides = t.flag("collide")?;
    let plan = Plan {
        shapes: shapes(&robot, &assembly, &t)?,
        apart: Vec::new(),
        name: name.clone(),
        model: assembly.multibody.clone(),
        constraints: assembly.constraints.clone(),
        tendons: tendons(&robot, &assembly),
        motors: assembly
            .motors
            .iter()
            .map(|(_, motor)| motor.clone())
            .collect(),
        controls,
        start,
        joints,
        motor_names: assembly
            .motors
            .iter()
            .map(|(number, _)| motor_name(&robot.actuators[*number]))
            .collect(),
        collides_with_itself: collides,
    };
    add(plan, &t, builder)?;
    robot_contact::keep_apart(&robot, &assembly, &standing, collides, builder);
    Ok(())
}

/// An error of a robot's file, at the key that names the file.
fn blamed(t: &Table<'_>, error: &robot::RobotError) -> Fault {
    t.fault("file", error.to_string())
}

/// Puts the whole robot somewhere.
fn place(robot: &mut Robot, at: Pose) {
    for body in robot.bodies.iter_mut().filter(|b| b.parent.is_none()) {
        body.pose = at * body.pose;
    }
    for geom in &mut robot.world_geoms {
        geom.pose = at * geom.pose;
    }
}

/// State and control signals at the start: those of a keyframe, or the reference.
fn start(robot: &Robot, assembly: &Assembly, t: &Table<'_>) -> Decoded<(JointState, Vec<f64>)> {
    let Some(name) = t.text("keyframe")? else {
        return Ok((JointState::default(), Vec::new()));
    };
    let Some(frame) = robot.keyframes.iter().find(|k| k.name == name) else {
        let known = robot.keyframes.iter().map(|k| k.name.as_str());
        let message = format!("the robot has no keyframe `{name}`");
        return Err(t.fault("keyframe", message).help(suggestion(&name, known)));
    };
    let state = JointState {
        positions: frame.positions.clone(),
        velocities: frame.velocities.clone(),
    };
    let control = |number: usize| frame.controls.get(number).copied().unwrap_or(0.0);
    let controls = assembly.motors.iter().map(|(number, _)| control(*number));
    Ok((state, controls.collect()))
}

/// What a motor is called: by its own name, or by what it pulls at.
fn motor_name(actuator: &robot::Actuator) -> String {
    match &actuator.transmission {
        Transmission::Joint(name, _) | Transmission::Tendon(name, _)
            if actuator.name.is_empty() =>
        {
            name.clone()
        }
        _ => actuator.name.clone(),
    }
}

/// Fixed bodies of what stands on the world: the robot's base, and shapes of the world itself.
fn standing(
    robot: &Robot,
    assembly: &Assembly,
    name: &str,
    t: &Table<'_>,
    builder: &mut Builder,
) -> Decoded<Vec<Standing>> {
    let mut standing = Vec::new();
    for (number, frame) in assembly.bodies.iter().enumerate() {
        if frame.link.is_none() {
            let body = &robot.bodies[number];
            let called = format!("{name}.{}", body.name);
            let made = fixed(robot, &body.geoms, frame.pose, called, t, builder)?;
            standing.extend(made.into_iter().map(|(body, masks)| Standing {
                body,
                masks,
                of: Some(number),
            }));
        }
    }
    let ground = format!("{name}.world");
    let (geoms, at) = (&robot.world_geoms, Pose::IDENTITY);
    let made = fixed(robot, geoms, at, ground, t, builder)?;
    standing.extend(made.into_iter().map(|(body, masks)| Standing {
        body,
        masks,
        of: None,
    }));
    Ok(standing)
}

/// A fixed body for each shape; returns them with the masks of their shapes.
fn fixed(
    robot: &Robot,
    geoms: &[Geom],
    at: Pose,
    name: String,
    t: &Table<'_>,
    builder: &mut Builder,
) -> Decoded<Vec<(BodyId, (u32, u32))>> {
    let (chosen, layers) = chosen(robot, geoms.iter().map(|g| (g, at)));
    // A plane has no part beside it: it is placed by its normal alone.
    let mut bodies = Vec::with_capacity(chosen.len());
    for (geom, at) in chosen {
        let Some(part) = part(robot, geom, at, t)? else {
            continue;
        };
        let model = BodyModel::fixed(&[part], surface(geom));
        let model = model.map_err(|e| t.fault("file", e.to_string()))?;
        let model = builder.world.add_model(model);
        let called = match bodies.len() {
            0 => name.clone(),
            made => format!("{name} {}", made + 1),
        };
        let body = builder.world.add_fixed(called, model, Pose::IDENTITY);
        let notes = Notes {
            color: Some(color(geom)),
            layers,
            ..Notes::default()
        };
        builder.added(body, &notes, t.place)?;
        bodies.push((body, geom.contact));
    }
    Ok(bodies)
}

/// What each link looks like: the shapes of all bodies that move with it.
fn shapes(robot: &Robot, assembly: &Assembly, t: &Table<'_>) -> Decoded<Vec<LinkShape>> {
    let links = 0..assembly.multibody.len();
    links
        .map(|link| {
            let on = robot.bodies.iter().zip(&assembly.bodies);
            let on = on.filter(|(_, frame)| frame.link == Some(link));
            let geoms = on.flat_map(|(body, frame)| body.geoms.iter().map(|g| (g, frame.pose)));
            link_shape(robot, geoms, t)
        })
        .collect()
}

/// The shapes that are touched; where there are none, those that are only seen, which meet nobody.
fn chosen<'a>(
    robot: &Robot,
    geoms: impl Iterator<Item = (&'a Geom, Pose)>,
) -> (Vec<(&'a Geom, Pose)>, Layers) {
    let mut geoms: Vec<_> = geoms.collect();
    if geoms.iter().any(|(g, _)| is_touched(robot, g)) {
        geoms.retain(|(g, _)| is_touched(robot, g));
        return (geoms, Layers::default());
    }
    geoms.retain(|(g, _)| !g.collision_only);
    (geoms, Layers::NOBODY)
}

fn link_shape<'a>(
    robot: &Robot,
    geoms: impl Iterator<Item = (&'a Geom, Pose)>,
    t: &Table<'_>,
) -> Decoded<LinkShape> {
    let (chosen, layers) = chosen(robot, geoms);
    let first = chosen.first().map(|(geom, _)| *geom);
    let mut shape = LinkShape {
        material: first.map_or_else(Material::default, surface),
        rolling: Rolling::default(),
        color: first.map(color),
        layers,
        ..LinkShape::default()
    };
    for (geom, at) in chosen {
        if let Some(part) = part(robot, geom, at, t)? {
            shape.parts.push(part);
        }
    }
    Ok(shape)
}

fn surface(geom: &Geom) -> Material {
    Material {
        restitution: 0.0,
        friction: geom.friction[0],
    }
}

fn color(geom: &Geom) -> [f32; 3] {
    [0, 1, 2].map(|k| geom.rgba[k] as f32)
}

/// A shape as the narrow phase knows it. Capsules and cylinders of robots stand along z, ours along y.
fn part(robot: &Robot, geom: &Geom, at: Pose, t: &Table<'_>) -> Decoded<Option<Part>> {
    let along_z = Pose::from_rotation(Quat::from_xyzw(FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2));
    let pose = at * geom.pose;
    let (shape, pose) = match &geom.shape {
        robot::Shape::Sphere(radius) => (Shape::Ball { radius: *radius }, pose),
        robot::Shape::Capsule(radius, half_height) => (
            Shape::Capsule {
                half_height: *half_height,
                radius: *radius,
            },
            pose * along_z,
        ),
        robot::Shape::Cylinder(radius, half_height) => (
            Shape::Cylinder {
                half_height: *half_height,
                radius: *radius,
            },
            pose * along_z,
        ),
        robot::Shape::Box(half_extents) => (
            Shape::Box {
                half_extents: *half_extents,
            },
            pose,
        ),
        robot::Shape::Ellipsoid(axes) => (hull(directions().map(|d| d * *axes).collect()), pose),
        robot::Shape::Plane => (
            Shape::HalfSpace {
                normal: pose.rotation * Vec3::Z,
            },
            Pose::from_translation(pose.translation),
        ),
        robot::Shape::Mesh(number) => {
            let file = &robot.meshes[*number];
            let (None, None) = (&file.path, &file.given) else {
                let mesh = file.mesh();
                let mesh = mesh.map_err(|why| {
                    let message = format!("the mesh `{}` {why}", file.name);
                    blamed(t, &robot.error_at(&file.place, message))
                })?;
                return Ok(Some(Part {
                    shape: hull(outermost(&mesh.vertices)),
                    pose,
                }));
            };
            return Ok(None);
        }
        robot::Shape::HeightField => return Ok(None),
    };
    Ok(Some(Part { shape, pose }))
}

fn hull(points: Vec<Vec3>) -> Shape {
    Shape::Hull { points }
}

/// Directions that are spread evenly over the sphere.
fn directions() -> impl Iterator<Item = Vec3> {
    let golden = std::f64::consts::PI * (3.0 - 5.0f64.sqrt());
    (0..DIRECTIONS).map(move |k| {
        let z = 1.0 - (2.0 * k as f64 + 1.0) / DIRECTIONS as f64;
        let (sin, cos) = libm::sincos(golden * k as f64);
        let radius = (1.0 - z * z).sqrt();
        Vec3::new(radius * cos, radius * sin, z)
    })
}

/// The points that are outermost in some direction.
fn outermost(points: &[Vec3]) -> Vec<Vec3> {
    let mut chosen: Vec<Vec3> = Vec::new();
    for direction in directions()
        .chain(Vec3::AXES)
        .chain(Vec3::AXES.map(|axis| -axis))
    {
        let farther = |a: &&Vec3, b: &&Vec3| a.dot(direction).total_cmp(&b.dot(direction));
        if let Some(&point) = points.iter().max_by(farther)
            && !chosen.contains(&point)
        {
            chosen.push(point);
        }
    }
    chosen
}

/// Fixed tendons that something keeps from moving freely.
fn tendons(robot: &Robot, assembly: &Assembly) -> Vec<Tendon> {
    let all = robot.tendons.iter().zip(&assembly.tendons);
    let held = all.filter(|(tendon, _)| tendon.limits.is_some() || tendon.friction_loss > 0.0);
    held.map(|(tendon, length)| Tendon {
        name: tendon.name.clone(),
        length: length.clone(),
        limits: tendon.limits,
        friction_loss: tendon.friction_loss,
    })
    .collect()
}
