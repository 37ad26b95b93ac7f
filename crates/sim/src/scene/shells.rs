//! `[[shell]]`: thin shells that never pass through each other. Either one of the paper's scenes by name
//! and size, or a sheet as a grid or from an OBJ file, with obstacles from OBJ files that stand or move. All shells
//! of a scene meet each other and its fixed bodies unless one says that it collides with nothing.

use super::builder::Builder;
use super::decode::{Decoded, Table, text, vector, whole};
use super::deformables::air;
use super::error::{Fault, suggestion};
use super::files::Files;
use super::keys::{self, OWN_SHELL};
use super::shell_bodies::{Met, obstacles};
use super::shell_motion::motion;
use super::template::color;
use super::tree::{Node, Value};
use crate::deformable::{Carried, Collides, DeformableBody, ShellBody};
use physics::Vec3;
use shell::acm::{
    AcmOptions, ContactLaw, Material, Mesh, Motion, MotionId, SceneName, ShellBuilder, ShellError,
    ShellModel, ShellState, WindowLength,
};
use std::sync::Arc;

/// Vertices a side of a grid at most.
const SIDE_MAX: u64 = 1000;

/// Reads every `[[shell]]`; `files` are those that the scene may name. Shells that may meet are one model.
pub(super) fn shells(root: &Table<'_>, files: &Files, builder: &mut Builder) -> Decoded<()> {
    let mut meeting: Vec<(String, Table<'_>)> = Vec::new();
    for node in root.list("shell")? {
        let t = Table::open(node, &keys::SHELL, root.scope())?;
        let name = match t.text("name")? {
            Some(name) => name,
            None => format!(
                "shell {}",
                builder.world.deformables.len() + 1 + meeting.len()
            ),
        };
        builder.take_name(&name, t.place)?;
        match t.text("collides")?.as_deref() {
            None | Some("all") => meeting.push((name, t)),
            Some("nothing") => {
                let built = one(&t, Vec::new(), builder.world.gravity, files)?;
                add(name, &t, built, builder)?;
            }
            Some(other) => {
                let message = format!("a shell cannot collide with `{other}`");
                let help = suggestion(other, ["all", "nothing"]);
                return Err(t.fault("collides", message).help(help));
            }
        }
    }
    let Some((name, first)) = meeting.first() else {
        return Ok(());
    };
    let bodies = obstacles(first, name, builder)?;
    let gravity = builder.world.gravity;
    let built = match &meeting[..] {
        [(_, t)] => one(t, bodies, gravity, files)?,
        _ => together(&meeting, bodies, gravity, files)?,
    };
    let names: Vec<&str> = meeting.iter().map(|(name, _)| name.as_str()).collect();
    add(names.join(" + "), first, built, builder)
}

/// Adds shells that are one model, with the clock and the colour of the first.
fn add(name: String, t: &Table<'_>, built: Built, builder: &mut Builder) -> Decoded<()> {
    let built = built.map_err(|e| Fault::new(t.place, e.to_string()))?;
    let in_range = |s: f64| (1e-5..=1.0).contains(&s);
    let seconds = "seconds from 0.00001 to 1";
    let step = t.checked("step", in_range, seconds)?.unwrap_or(1.0 / 250.0);
    let length = |s: f64| s == 0.0 || in_range(s);
    let or_found = "0, to have it found, or seconds from 0.00001 to 1";
    let window = match t.checked("window", length, or_found)? {
        Some(r) if r > 0.0 => WindowLength::seconds(r),
        _ => WindowLength::Adaptive,
    };
    let threads = t.whole("threads", 1, 64)?.unwrap_or(1) as usize;
    let options = AcmOptions {
        window,
        threads,
        ..AcmOptions::default()
    };
    builder.world.deformables.push(DeformableBody {
        name,
        color: color(t)?,
        collides: match built.carried.is_empty() {
            true => Collides::Nothing,
            false => Collides::All,
        },
        model: Arc::new(
            ShellBody::new(built.model, built.state, step, options)
                .with_bodies(built.carried, built.shown),
        ),
    });
    Ok(())
}

type Built = Result<Whole, ShellError>;

/// A model and its first state, with the bodies of the world that are part of it.
struct Whole {
    model: ShellModel,
    state: ShellState,
    carried: Carried,
    /// How many vertices are not those of bodies.
    shown: usize,
}

impl Whole {
    /// Builds what is to meet, with the bodies among it.
    fn build(mut shells: ShellBuilder, bodies: Vec<Met>) -> Built {
        let (mut carried, mut shown) = (Carried::default(), shells.vertex_count());
        for Met { meshes, moving } in bodies {
            let Some((body, rigid, pose)) = moving else {
                for mesh in meshes {
                    let fixed = shells.motion(Motion::fixed());
                    shells.obstacle(mesh, fixed);
                }
                shown = shells.vertex_count();
                continue;
            };
            let rigid = shells.body(rigid, pose.translation, pose.rotation);
            for mesh in meshes {
                shells.surface(mesh, rigid);
            }
            carried.push(body, rigid);
        }
        let (model, state) = shells.build()?;
        Ok(Whole {
            model,
            state,
            carried,
            shown,
        })
    }
}

/// A shell that meets no other, with the surfaces of fixed bodies.
fn one(t: &Table<'_>, bodies: Vec<Met>, gravity: Vec3, files: &Files) -> Decoded<Built> {
    if let Some(scene) = t.text("scene")? {
        if !bodies.is_empty() {
            let message = format!(
                "the scene `{scene}` brings its own obstacles, and the world's bodies would pass through it"
            );
            return Err(t.fault("scene", message).help(
                "give the shell `collides = \"nothing\"` if they may, or make it a `grid` or a `mesh`",
            ));
        }
        return generated(t, &scene);
    }
    let mut shells = ShellBuilder::new(gravity, law(t)?);
    shells.air = air(t)?;
    own(t, &mut shells, files)?;
    Ok(Whole::build(shells, bodies))
}

/// Shells that meet each other: one law of contact and one clock for all of them.
fn together(
    meeting: &[(String, Table<'_>)],
    bodies: Vec<Met>,
    gravity: Vec3,
    files: &Files,
) -> Decoded<Built> {
    let first = &meeting[0].1;
    let of_all = law(first)?;
    let mut shells = ShellBuilder::new(gravity, of_all);
    shells.air = air(first)?;
    for (name, t) in meeting {
        if t.get("scene").is_some() {
            let message = format!("`{name}` is a scene of its own and cannot meet other shells");
            return Err(t
                .fault("scene", message)
                .help("give it `collides = \"nothing\"` if others may pass through it"));
        }
        if law(t)? != of_all {
            let message = format!(
                "`{name}` has another law of contact than `{}`, and they may meet; expected the same                  contact_thickness, restitution, friction and step_fraction for both",
                meeting[0].0
            );
            return Err(Fault::new(t.place, message));
        }
        if air(t)? != shells.air {
            let message = format!(
                "`{name}` has other `air` than `{}`, and they are one model; expected the same for both",
                meeting[0].0
            );
            return Err(Fault::new(t.place, message));
        }
        for key in ["step", "window", "threads"] {
            if t.number(key)? != first.number(key)? {
                let message = format!(
                    "`{name}` has another `{key}` than `{}`, and they may meet; expected the same for both",
                    meeting[0].0
                );
                return Err(Fault::new(t.place, message));
            }
        }
        own(t, &mut shells, files)?;
    }
    Ok(Whole::build(shells, bodies))
}

/// One of the paper's scenes.
fn generated(t: &Table<'_>, scene: &str) -> Decoded<Built> {
    if let Some(key) = OWN_SHELL
        .map(|key| key.name)
        .into_iter()
        .find(|key| t.get(key).is_some())
    {
        let message = format!("`{key}` has no meaning here: the scene `{scene}` brings its own");
        return Err(t.fault(key, message));
    }
    let Some(name) = SceneName::parse(scene) else {
        let known = SceneName::ALL.map(SceneName::as_str);
        let message = format!("unknown scene of shells `{scene}`");
        return Err(t.fault("scene", message).help(suggestion(scene, known)));
    };
    let size = t.whole("size", 3, SIDE_MAX)?;
    let size = size.map_or(name.small_size(), |s| s as usize);
    Ok(name.build(size).map(|built| Whole {
        shown: built.model.vertex_count(),
        model: built.model,
        state: built.state,
        carried: Carried::default(),
    }))
}

/// A sheet of the user's own.
fn own(t: &Table<'_>, shells: &mut ShellBuilder, files: &Files) -> Decoded<()> {
    let mesh = match (t.get("grid"), t.get("mesh")) {
        (Some(node), None) => grid(node, t)?,
        (None, Some(_)) => {
            let name = t.text("mesh")?.unwrap_or_default();
            obj(t, "mesh", &name, files)?
        }
        _ => {
            return Err(Fault::new(
                t.place,
                "a shell is a `scene`, a `grid` or a `mesh`; expected one of them, for example \
                 `scene = \"two-cloths\"`",
            ));
        }
    };
    let material = material(t)?;
    let velocity = t.vector("velocity")?.unwrap_or(Vec3::ZERO);
    let pinned = pins(t, &mesh, shells)?;
    shells.shell(mesh, material, |v| pinned[v]).velocity = velocity;
    for item in t.list("obstacles")? {
        let (name, moves) = match &item.value {
            Value::Table(_) => {
                let o = Table::open(item, &keys::OBSTACLE, t.scope())?;
                let mesh = o.require("mesh", "an OBJ file")?;
                (text(mesh, "mesh", t.scope())?, motion(&o)?)
            }
            _ => (text(item, "obstacles", t.scope())?, Motion::fixed()),
        };
        let moves = shells.motion(moves);
        shells.obstacle(obj(t, "obstacles", &name, files)?, moves);
    }
    Ok(())
}

fn grid(node: &Node, t: &Table<'_>) -> Decoded<Mesh> {
    let g = Table::open(node, &keys::SHELL_GRID, t.scope())?;
    g.require("u", "the side along which the columns follow each other")?;
    g.require("v", "the side along which the rows follow each other")?;
    let side = |key: &str| Ok::<usize, Fault>(g.whole(key, 2, SIDE_MAX)?.unwrap_or(10) as usize);
    let axis = |key: &str| -> Decoded<Vec3> { Ok(g.vector(key)?.unwrap_or(Vec3::ZERO)) };
    let (corner, u, v) = (axis("corner")?, axis("u")?, axis("v")?);
    if u.cross(v).length() <= 1e-9 * u.length() * v.length() {
        return Err(g.fault("v", "`u` and `v` span no area; expected two directions"));
    }
    Ok(Mesh::rectangle(
        side("columns")?,
        side("rows")?,
        corner,
        u,
        v,
    ))
}

/// A mesh from a file; the shell's own is placed by `position`, `rotation` and `scale`.
fn obj(t: &Table<'_>, key: &str, name: &str, files: &Files) -> Decoded<Mesh> {
    let (path, content) = files.text(t, key, name)?;
    let read = Mesh::from_obj(&content);
    let checked = read.and_then(|mesh| mesh.validate().map(|()| mesh));
    let mut mesh = checked.map_err(|e| t.fault(key, format!("{}: {e}", path.display())))?;
    if key == "mesh" {
        let (pose, scale) = (t.pose()?, t.positive("scale")?.unwrap_or(1.0));
        for vertex in &mut mesh.positions {
            *vertex = pose * (*vertex * scale);
        }
    }
    Ok(mesh)
}

/// Which vertices are held, and how they move: by number, or whatever is near a point.
fn pins(t: &Table<'_>, mesh: &Mesh, shells: &mut ShellBuilder) -> Decoded<Vec<Option<MotionId>>> {
    let fixed = shells.motion(Motion::fixed());
    let mut pinned = vec![None; mesh.positions.len()];
    for item in t.list("pins")? {
        if let Value::Number(_) = &item.value {
            let last = (mesh.positions.len() as u64).saturating_sub(1);
            pinned[whole(item, "pins", (0, last), t.scope())? as usize] = Some(fixed);
            continue;
        }
        let p = Table::open(item, &keys::SHELL_PIN, t.scope())?;
        let near = p.require("near", "a point, m, and a `radius`")?;
        let near = vector(near, "near", t.scope())?;
        let radius = p.positive("radius")?.unwrap_or(1e-6);
        let held = |x: &Vec3| x.distance(near) <= radius;
        if !mesh.positions.iter().any(held) {
            let message = format!("the pin holds no vertex within {radius} m of {near}");
            return Err(Fault::new(&item.place, message));
        }
        let moves = shells.motion(motion(&p)?);
        let vertices = pinned.iter_mut().zip(&mesh.positions);
        vertices
            .filter(|(_, x)| held(x))
            .for_each(|(pin, _)| *pin = Some(moves));
    }
    Ok(pinned)
}

fn material(t: &Table<'_>) -> Decoded<Material> {
    let usual = Material::default();
    Ok(Material {
        young_pa: t.positive("young")?.unwrap_or(usual.young_pa),
        poisson: t.at_least_zero("poisson")?.unwrap_or(usual.poisson),
        density_kg_m3: t.positive("density")?.unwrap_or(usual.density_kg_m3),
        thickness_m: t.positive("thickness")?.unwrap_or(usual.thickness_m),
        bending_j: t.at_least_zero("bending")?.unwrap_or(usual.bending_j),
        damping_s: t.at_least_zero("damping")?.unwrap_or(usual.damping_s),
        ..usual
    })
}

fn law(t: &Table<'_>) -> Decoded<ContactLaw> {
    let usual = ContactLaw::default();
    let positive = |key: &str, usual: f64| Ok::<f64, Fault>(t.positive(key)?.unwrap_or(usual));
    Ok(ContactLaw {
        thickness_m: positive("contact_thickness", usual.thickness_m)?,
        restitution: positive("restitution", usual.restitution)?,
        friction: t.at_least_zero("friction")?.unwrap_or(usual.friction),
        step_fraction: t
            .checked(
                "step_fraction",
                |f| (0.001..=0.5).contains(&f),
                "a number from 0.001 to 0.5",
            )?
            .unwrap_or(usual.step_fraction),
        ..usual
    })
}
