//! `[[robot]]`: a robot that a URDF or MJCF file describes becomes a multibody.

use super::builder::{Builder, Notes};
use super::decode::{Decoded, Table};
use super::error::{Fault, suggestion};
use super::files::Files;
use super::keys;
use super::multibody::add;
use super::tree::Node;
use crate::layers::Layers;
use crate::multibodies::{JointState, LinkShape, Plan};
use crate::world::BodyId;
use physics::material::Rolling;
use physics::{BodyModel, Material, Part, Pose, Quat, Shape, Vec3};
use robot::{Assembly, Geom, Options, Robot};
use std::f64::consts::FRAC_1_SQRT_2;

/// A mesh that collides stands for the hull of its outermost points in so many directions.
const DIRECTIONS: usize = 96;
/// What is not touched.
const UNTOUCHED: Layers = Layers { of: 0, meets: 0 };

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
    let base = standing(&robot, &assembly, &name, &t, builder)?;
    let (start, controls) = start(&robot, &assembly, &t)?;
    let mut joints = vec![String::new(); assembly.multibody.len()];
    for (joint, link) in &assembly.joints {
        joints[*link].clone_from(joint);
    }
    let collides = t.flag("collide")?;
    let apart = robot
        .excludes
        .iter()
        .filter_map(|(a, b)| Some((assembly.bodies[*a].link?, assembly.bodies[*b].link?)));
    let plan = Plan {
        shapes: shapes(&robot, &assembly, &t)?,
        apart: apart.collect(),
        name: name.clone(),
        model: assembly.multibody.clone(),
        constraints: assembly.constraints.clone(),
        motors: assembly
            .motors
            .iter()
            .map(|(_, motor)| motor.clone())
            .collect(),
        controls,
        start,
        joints,
        collides_with_itself: collides,
    };
    add(plan, &t, builder)?;
    // What stands is part of the robot: its links do not collide with it, unless they are asked to.
    if !collides && let Some(made) = builder.world.multibodies.last_mut() {
        for (body, link) in base
            .iter()
            .flat_map(|b| made.links.iter().map(move |l| (b, l)))
        {
            made.apart.push((body.0, link.body.0));
        }
        made.apart.sort_unstable();
    }
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

/// Fixed bodies of what stands on the world: the robot's base, which its links pass through, and shapes of the world
/// itself, which they do not. Returns the former.
fn standing(
    robot: &Robot,
    assembly: &Assembly,
    name: &str,
    t: &Table<'_>,
    builder: &mut Builder,
) -> Decoded<Vec<BodyId>> {
    let mut base = Vec::new();
    for (body, frame) in robot.bodies.iter().zip(&assembly.bodies) {
        if frame.link.is_none() {
            let called = format!("{name}.{}", body.name);
            let made = fixed(robot, &body.geoms, frame.pose, called, t, builder)?;
            base.extend(made);
        }
    }
    let ground = format!("{name}.world");
    fixed(
        robot,
        &robot.world_geoms,
        Pose::IDENTITY,
        ground,
        t,
        builder,
    )?;
    Ok(base)
}

/// A fixed body for each shape, all of which are returned.
fn fixed(
    robot: &Robot,
    geoms: &[Geom],
    at: Pose,
    name: String,
    t: &Table<'_>,
    builder: &mut Builder,
) -> Decoded<Vec<BodyId>> {
    let shape = link_shape(robot, geoms.iter().map(|g| (g, at)), t)?;
    // A plane has no part beside it: it is placed by its normal alone.
    let mut bodies = Vec::with_capacity(shape.parts.len());
    for (k, part) in shape.parts.iter().enumerate() {
        let model = BodyModel::fixed(std::slice::from_ref(part), shape.material);
        let model = model.map_err(|e| t.fault("file", e.to_string()))?;
        let model = builder.world.add_model(model);
        let called = if k == 0 {
            name.clone()
        } else {
            format!("{name} {}", k + 1)
        };
        let body = builder.world.add_fixed(called, model, Pose::IDENTITY);
        let notes = Notes {
            color: shape.color,
            layers: shape.layers,
            ..Notes::default()
        };
        builder.added(body, &notes, t.place)?;
        bodies.push(body);
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

/// The shapes that are touched; where there are none, those that are only seen.
fn link_shape<'a>(
    robot: &Robot,
    geoms: impl Iterator<Item = (&'a Geom, Pose)>,
    t: &Table<'_>,
) -> Decoded<LinkShape> {
    let geoms: Vec<_> = geoms.collect();
    let is_touched = |g: &Geom| !g.visual && g.contact != (0, 0);
    let touched: Vec<_> = geoms.iter().filter(|(g, _)| is_touched(g)).collect();
    let seen: Vec<_> = geoms.iter().filter(|(g, _)| !g.collision_only).collect();
    let (chosen, layers) = match touched.is_empty() {
        true => (seen, UNTOUCHED),
        false => (touched, Layers::default()),
    };
    let mut shape = LinkShape {
        material: Material {
            restitution: 0.0,
            friction: chosen.first().map_or(0.0, |(g, _)| g.friction[0]),
        },
        rolling: Rolling::default(),
        color: chosen
            .first()
            .map(|(g, _)| [0, 1, 2].map(|k| g.rgba[k] as f32)),
        layers,
        ..LinkShape::default()
    };
    for (geom, at) in chosen {
        if let Some(part) = part(robot, geom, *at, t)? {
            shape.parts.push(part);
        }
    }
    Ok(shape)
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
                let mesh =
                    mesh.map_err(|why| t.fault("file", format!("`{}`: {why}", file.name)))?;
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
