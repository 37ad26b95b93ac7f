//! `[[cloth]]`: inextensible cloth as a grid or from an OBJ file, held by pins, stepped by impulses.

use super::builder::Builder;
use super::cloth_pins::{Pin, pins};
use super::decode::{Decoded, Table, text};
use super::error::{Fault, suggestion};
use super::files::Files;
use super::keys;
use super::template::color;
use super::tree::Node;
use crate::deformable::{ClothModel, Collides, DeformableBody, Fastened};
use physics::Vec3;
use shell::impulse::TriangleMesh;
use shell::impulse::scenes::{Weave, weave};
use shell::impulse::{
    Air, Cloth, ClothDescription, ConstraintSet, Contacts, Kind, Optimisations, Particle, Settings,
    Skipping, Solver,
};
use std::sync::Arc;

/// Vertices a side of a grid at most.
const SIDE_MAX: u64 = 2000;
/// A cloth watches bodies from this far off, m, besides its tolerance and thickness: how far impulses may
/// carry a particle out of the box of its free motion within a step.
const WATCH: f64 = 0.05;
/// How many contact tolerances away a particle is watched.
const WATCH_TOLERANCES: f64 = 10.0;

/// Where a cloth's vertices are, how they are joined, and which of them have names.
pub(super) struct Layout {
    pub mesh: TriangleMesh,
    sets: Vec<ConstraintSet>,
    /// Columns and rows of a grid.
    pub sides: Option<[u32; 2]>,
}

/// A cloth as it is read, before those that meet each other become one.
struct Sheet<'t> {
    name: String,
    t: Table<'t>,
    layout: Layout,
    particles: Vec<Particle>,
    settings: Settings,
    thickness: f64,
    tolerance: f64,
    collides: Collides,
    is_surface: bool,
    pins: Vec<Option<Pin>>,
    air: Option<Air>,
    /// In J.
    bending: f64,
}

/// Reads every `[[cloth]]`; `files` are those that the scene may name. Cloths that may meet are one model.
pub(super) fn cloths(root: &Table<'_>, files: &Files, builder: &mut Builder) -> Decoded<()> {
    let mut meeting: Vec<Sheet<'_>> = Vec::new();
    for node in root.list("cloth")? {
        let sheet = sheet(node, root, files, builder, meeting.len())?;
        let usual = sheet.is_surface && sheet.thickness > 0.0;
        match meets_itself(&sheet.t)?.unwrap_or(usual) {
            true => meeting.push(sheet),
            false => add(vec![sheet], false, builder)?,
        }
    }
    for other in meeting.iter().skip(1) {
        fits(&meeting[0], other)?;
    }
    match meeting.is_empty() {
        true => Ok(()),
        false => add(meeting, true, builder),
    }
}

/// Reads one, after so many that are not in the world yet.
fn sheet<'t>(
    node: &'t Node,
    root: &Table<'t>,
    files: &Files,
    builder: &mut Builder,
    waiting: usize,
) -> Decoded<Sheet<'t>> {
    let t = Table::open(node, &keys::CLOTH, root.scope())?;
    let name = match t.text("name")? {
        Some(name) => name,
        None => format!("cloth {}", builder.world.deformables.len() + 1 + waiting),
    };
    builder.take_name(&name, t.place)?;
    let layout = layout(&t, builder.world.gravity, files)?;
    let thickness = t.at_least_zero("thickness")?.unwrap_or(0.0);
    let is_surface = is_surface(&t)?;
    if meets_itself(&t)? == Some(true) && (thickness == 0.0 || !is_surface) {
        let message =
            "a cloth that meets itself needs a `thickness` above 0 and `contact = \"surface\"`";
        return Err(t.fault("self_contact", message));
    }
    let pins = pins(&t, &layout, builder)?;
    Ok(Sheet {
        name,
        particles: particles(&t, &layout, thickness, &pins)?,
        pins,
        air: air(&t)?,
        bending: t.at_least_zero("bending")?.unwrap_or(0.0),
        settings: settings(&t, builder.world.gravity)?,
        tolerance: t.positive("contact_tolerance")?.unwrap_or(1e-3),
        collides: collides(&t)?,
        thickness,
        is_surface,
        layout,
        t,
    })
}

/// Whether a cloth meets itself, if it says so.
fn meets_itself(t: &Table<'_>) -> Decoded<Option<bool>> {
    t.get("self_contact")
        .map(|_| t.flag("self_contact"))
        .transpose()
}

/// Cloths that meet have one clock and one law of contact.
fn fits(first: &Sheet<'_>, other: &Sheet<'_>) -> Decoded<()> {
    let is_same = first.settings == other.settings
        && first.tolerance == other.tolerance
        && first.collides == other.collides;
    if is_same {
        return Ok(());
    }
    let message = format!(
        "`{}` and `{}` may meet, but differ in step, friction, contact_tolerance, velocity_tolerance, collides or solver; \
         expected the same for both",
        first.name, other.name
    );
    Err(Fault::new(other.t.place, message)
        .help("give one of them `self_contact = false` if they may pass through each other"))
}

/// Adds cloths that are one model, with the colour of the first.
fn add(sheets: Vec<Sheet<'_>>, meets_itself: bool, builder: &mut Builder) -> Decoded<()> {
    let first = &sheets[0];
    let place = first.t.place;
    let names: Vec<&str> = sheets.iter().map(|sheet| sheet.name.as_str()).collect();
    let (name, color) = (names.join(" + "), color(&first.t)?);
    let (settings, tolerance, collides) = (first.settings.clone(), first.tolerance, first.collides);
    let thickest = sheets
        .iter()
        .fold(0.0, |most: f64, s| most.max(s.thickness));
    let (mut particles, mut sets) = (Vec::new(), Vec::new());
    let (mut triangles, mut surface) = (Vec::new(), Vec::new());
    let (mut pins, mut parts) = (Vec::new(), Vec::new());
    for sheet in sheets {
        let begin = particles.len() as u32;
        particles.extend(sheet.particles);
        pins.extend(sheet.pins);
        sets.extend(sheet.layout.sets.into_iter().map(|mut set| {
            set.pairs.iter_mut().flatten().for_each(|v| *v += begin);
            set
        }));
        let own = sheet.layout.mesh.triangles.iter();
        let own: Vec<[u32; 3]> = own.map(|t| t.map(|v| v + begin)).collect();
        if sheet.is_surface {
            surface.extend(&own);
        }
        triangles.extend(&own);
        parts.push((own, sheet.air, sheet.bending, sheet.layout.sides.is_some()));
    }
    let description = ClothDescription {
        particles,
        sets,
        contacts: Contacts {
            balls: Vec::new(),
            tolerance,
        },
        settings,
    };
    let fault = |e: shell::impulse::ClothError| Fault::new(place, e.to_string());
    let (mut cloth, state) = Cloth::new(&description).map_err(fault)?;
    cloth = cloth.with_surface(&surface).map_err(fault)?;
    if meets_itself {
        cloth = cloth.meeting_itself(&state).map_err(fault)?;
    }
    for (own, air, bending, is_flat) in parts {
        if let Some(air) = air {
            cloth = cloth.in_air(air, &own).map_err(fault)?;
        }
        let bent = cloth.resisting_bending(bending, &own, &state, is_flat);
        cloth = bent.map_err(fault)?;
    }
    let mut fastened = Vec::new();
    for ((particle, pin), &at) in (0u32..).zip(pins).zip(&state.position) {
        match pin {
            None | Some(Pin::Stands) => {}
            Some(Pin::Moves(motion)) => cloth = cloth.leading(particle, motion, at),
            Some(Pin::Led(body) | Pin::Pulls(body)) => {
                let pose = builder.world.bodies[body.0 as usize].start.pose();
                fastened.push(Fastened {
                    particle,
                    body,
                    point: pose.inverse() * at,
                });
            }
        }
    }
    let margin = WATCH + thickest + WATCH_TOLERANCES * tolerance;
    let model = ClothModel::new(cloth, state, triangles, margin).with_fastened(fastened);
    builder.world.deformables.push(DeformableBody {
        name,
        color,
        collides,
        model: Arc::new(model),
    });
    Ok(())
}

fn layout(t: &Table<'_>, gravity: Vec3, files: &Files) -> Decoded<Layout> {
    let extensibility = t.positive("extensibility")?.unwrap_or(0.01);
    let kind = match t.text("constraints")?.as_deref() {
        None | Some("distance") => Kind::Distance,
        Some("rope") => Kind::Rope,
        Some(other) => {
            let message = format!("unknown kind of constraint `{other}`");
            let help = suggestion(other, ["distance", "rope"]);
            return Err(t.fault("constraints", message).help(help));
        }
    };
    match (t.get("grid"), t.get("mesh")) {
        (Some(node), None) => grid(node, t, gravity, (kind, extensibility)),
        (None, Some(_)) => mesh(t, files, (kind, extensibility)),
        _ => Err(Fault::new(
            t.place,
            "a cloth is either a `grid` or a `mesh`; expected one of them, for example \
             `grid = { columns = 20, rows = 20, u = [1, 0, 0], v = [0, 0, 1] }`",
        )),
    }
}

/// A rectangle of vertices; `arc` bends it down between its sides, so that it spans less than its length.
fn grid(
    node: &Node,
    t: &Table<'_>,
    gravity: Vec3,
    (kind, extensibility): (Kind, f64),
) -> Decoded<Layout> {
    let g = Table::open(node, &keys::CLOTH_GRID, t.scope())?;
    if let Some(key) = ["position", "rotation", "scale"]
        .iter()
        .find(|key| t.get(key).is_some())
    {
        let message = format!("a grid has no `{key}`; its place is `corner`, `u` and `v`");
        return Err(t.fault(key, message));
    }
    for (key, expected) in [
        ("columns", "how many vertices along `u`"),
        ("rows", "how many vertices along `v`"),
        ("u", "the side along which the columns follow each other"),
        ("v", "the side along which the rows follow each other"),
    ] {
        g.require(key, expected)?;
    }
    let side = |key: &str| Ok::<u32, Fault>(g.whole(key, 2, SIDE_MAX)?.unwrap_or(2) as u32);
    let (columns, rows) = (side("columns")?, side("rows")?);
    let corner = g.vector("corner")?.unwrap_or(Vec3::ZERO);
    let axis = |key: &str| -> Decoded<Vec3> { Ok(g.vector(key)?.unwrap_or(Vec3::ZERO)) };
    let (u, v) = (axis("u")?, axis("v")?);
    if u.cross(v).length() < 1e-9 * u.length() * v.length() || u == Vec3::ZERO || v == Vec3::ZERO {
        return Err(g.fault("v", "`u` and `v` span no area; expected two directions"));
    }
    let threads = match g.text("weave")?.as_deref() {
        None | Some("square") => Weave::Square,
        Some("triangles") => Weave::Triangulated,
        Some(other) => {
            let help = suggestion(other, ["square", "triangles"]);
            return Err(g
                .fault("weave", format!("unknown weave `{other}`"))
                .help(help));
        }
    };
    let arc = g.checked("arc", |a| (0.0..90.0).contains(&a), "degrees from 0 to 90")?;
    let made = TriangleMesh::grid(columns, rows, corner, u, v);
    let mut mesh = made.map_err(|e| Fault::new(&node.place, e.to_string()))?;
    if let Some(degrees) = arc {
        let down = gravity.try_normalize().unwrap_or(Vec3::NEG_Y);
        bend(&mut mesh, columns, (u, down), degrees.to_radians());
    }
    Ok(Layout {
        mesh,
        sets: weave(columns, rows, threads, kind, extensibility),
        sides: Some([columns, rows]),
    })
}

/// Bends the rows of a level grid into an arc that hangs down, without changing the length of its links:
/// the slope falls evenly from `slope_max` (radians) at one side to its opposite at the other.
fn bend(mesh: &mut TriangleMesh, columns: u32, (u, down): (Vec3, Vec3), slope_max: f64) {
    let link = u.length() / f64::from(columns - 1);
    let along = u / u.length();
    let slope = |k: u32| slope_max * (1.0 - f64::from(2 * k + 1) / f64::from(columns - 1));
    let span: f64 = (0..columns - 1).map(|k| link * libm::cos(slope(k))).sum();
    let (mut x, mut depth) = (0.5 * (u.length() - span), 0.0);
    for column in 0..columns {
        let level = u * (f64::from(column) / f64::from(columns - 1));
        for vertex in mesh
            .vertices
            .iter_mut()
            .skip(column as usize)
            .step_by(columns as usize)
        {
            *vertex += along * x + down * depth - level;
        }
        x += link * libm::cos(slope(column));
        depth += link * libm::sin(slope(column));
    }
}

/// A triangle mesh from an OBJ file, placed by `position`, `rotation` and `scale`.
fn mesh(t: &Table<'_>, files: &Files, (kind, extensibility): (Kind, f64)) -> Decoded<Layout> {
    let name = t.text("mesh")?.unwrap_or_default();
    let (path, content) = files.text(t, "mesh", &name)?;
    let read = TriangleMesh::from_obj(&content);
    let mut mesh = read.map_err(|e| t.fault("mesh", format!("{}: {e}", path.display())))?;
    if mesh.triangles.is_empty() {
        let message = format!("{} has no faces; expected a triangle mesh", path.display());
        return Err(t.fault("mesh", message));
    }
    let scale = t.positive("scale")?.unwrap_or(1.0);
    let pose = t.pose()?;
    for vertex in &mut mesh.vertices {
        *vertex = pose * (*vertex * scale);
    }
    if let Some(seam) = t.positive("seam")? {
        mesh = sewn(mesh, seam);
    }
    let sets = vec![ConstraintSet {
        name: "edges".into(),
        kind,
        extensibility,
        pairs: mesh.edges(),
    }];
    Ok(Layout {
        mesh,
        sets,
        sides: None,
    })
}

fn particles(
    t: &Table<'_>,
    layout: &Layout,
    thickness: f64,
    pins: &[Option<Pin>],
) -> Decoded<Vec<Particle>> {
    let vertices = &layout.mesh.vertices;
    let mass = t.positive("mass")?.unwrap_or(1.0) / vertices.len() as f64;
    let velocity = t.vector("velocity")?.unwrap_or(Vec3::ZERO);
    let particle = |(&position, pin): (&Vec3, &Option<Pin>)| {
        let is_free = pin.as_ref().is_none_or(Pin::is_free);
        let mut particle = match is_free {
            true => Particle::new(position, mass),
            false => Particle::fixed(position),
        };
        if is_free {
            particle.velocity = velocity;
        }
        particle.radius = thickness;
        particle
    };
    Ok(vertices.iter().zip(pins).map(particle).collect())
}

/// The air around cloth or a shell, if it says that there is some.
pub(super) fn air(t: &Table<'_>) -> Decoded<Option<Air>> {
    let Some(node) = t.get("air") else {
        return Ok(None);
    };
    let a = Table::open(node, &keys::CLOTH_AIR, t.scope())?;
    let usual = Air::default();
    Ok(Some(Air {
        density: a.at_least_zero("density")?.unwrap_or(usual.density),
        velocity: a.vector("velocity")?.unwrap_or(usual.velocity),
        gust: a.at_least_zero("gust")?.unwrap_or(usual.gust),
        period: a.positive("period")?.unwrap_or(usual.period),
        drag: [
            a.at_least_zero("drag")?.unwrap_or(usual.drag[0]),
            a.at_least_zero("along")?.unwrap_or(usual.drag[1]),
        ],
    }))
}

/// Makes one of all vertices of a mesh that are nearer to each other than `seam`, m: pieces that are sewn together.
fn sewn(mesh: TriangleMesh, seam: f64) -> TriangleMesh {
    let TriangleMesh {
        vertices,
        mut triangles,
    } = mesh;
    let mut order: Vec<usize> = (0..vertices.len()).collect();
    order.sort_by(|&a, &b| vertices[a].x.total_cmp(&vertices[b].x).then(a.cmp(&b)));
    let mut into: Vec<usize> = (0..vertices.len()).collect();
    for (place, &a) in order.iter().enumerate() {
        for &b in &order[place + 1..] {
            if vertices[b].x - vertices[a].x > seam {
                break;
            }
            if vertices[a].distance(vertices[b]) <= seam {
                let (low, high) = (into[a].min(into[b]), into[a].max(into[b]));
                into.iter_mut()
                    .filter(|to| **to == high)
                    .for_each(|to| *to = low);
            }
        }
    }
    let mut number = vec![u32::MAX; vertices.len()];
    let mut kept = Vec::new();
    for (vertex, &position) in vertices.iter().enumerate() {
        if into[vertex] == vertex {
            number[vertex] = kept.len() as u32;
            kept.push(position);
        }
    }
    for corner in triangles.iter_mut().flatten() {
        *corner = number[into[*corner as usize]];
    }
    triangles.retain(|[a, b, c]| a != b && b != c && c != a);
    TriangleMesh {
        vertices: kept,
        triangles,
    }
}

fn collides(t: &Table<'_>) -> Decoded<Collides> {
    match t.text("collides")?.as_deref() {
        None | Some("all") => Ok(Collides::All),
        Some("immovable") => Ok(Collides::Immovable),
        Some("nothing") => Ok(Collides::Nothing),
        Some(other) => {
            let message = format!("a cloth cannot collide with `{other}`");
            let help = suggestion(other, ["all", "immovable", "nothing"]);
            Err(t.fault("collides", message).help(help))
        }
    }
}

/// Whether triangles meet bodies, or only vertices.
fn is_surface(t: &Table<'_>) -> Decoded<bool> {
    match t.text("contact")?.as_deref() {
        None | Some("surface") => Ok(true),
        Some("vertices") => Ok(false),
        Some(other) => {
            let message = format!("a cloth cannot meet bodies with its `{other}`");
            let help = suggestion(other, ["surface", "vertices"]);
            Err(t.fault("contact", message).help(help))
        }
    }
}

fn settings(t: &Table<'_>, gravity: Vec3) -> Decoded<Settings> {
    let defaults = Settings::default();
    let in_range = |s: f64| (1e-5..=1.0).contains(&s);
    let step = t.checked("step", in_range, "a number of seconds from 0.00001 to 1")?;
    let most = t.whole("max_iterations", 1, u64::from(u32::MAX))?;
    Ok(Settings {
        step: step.unwrap_or(defaults.step),
        gravity,
        velocity_tolerance: t.positive("velocity_tolerance")?,
        friction: t.at_least_zero("friction")?.unwrap_or(0.0),
        solver: solver(t)?,
        max_iterations: most.map_or(defaults.max_iterations, |n| n as u32),
        ..defaults
    })
}

fn solver(t: &Table<'_>) -> Decoded<Solver> {
    match t.text("solver")?.as_deref() {
        None | Some("impulses") => Ok(Solver::Impulses(optimisations(t)?)),
        Some("strips") => {
            if t.get("optimisations").is_some() {
                let message = "strips have no `optimisations`; expected `solver = \"impulses\"`";
                return Err(t.fault("optimisations", message));
            }
            Ok(Solver::Strips {
                is_parallel: t.whole("threads", 1, 1024)?.unwrap_or(1) > 1,
            })
        }
        Some(other) => {
            let help = suggestion(other, ["impulses", "strips"]);
            Err(t
                .fault("solver", format!("unknown solver of cloth `{other}`"))
                .help(help))
        }
    }
}

/// Optimisations by name; all of them unless the list says otherwise.
fn optimisations(t: &Table<'_>) -> Decoded<Optimisations> {
    if t.get("optimisations").is_none() {
        return Ok(Optimisations::ALL);
    }
    let mut chosen = Optimisations::NONE;
    for item in t.list("optimisations")? {
        let name = text(item, "optimisations", t.scope())?;
        match name.as_str() {
            "reuse-direction" => chosen.reuse_direction = true,
            "anticipation" => chosen.anticipation = true,
            "skipping" => chosen.skipping = Skipping::Flags,
            "skipping-bits" => chosen.skipping = Skipping::BodyBits,
            "frozen-direction" => chosen.frozen_direction = true,
            "early-update" => chosen.early_update = true,
            _ => {
                let known = [
                    "reuse-direction",
                    "anticipation",
                    "skipping",
                    "skipping-bits",
                    "frozen-direction",
                    "early-update",
                ];
                let message = format!("unknown optimisation `{name}`");
                return Err(Fault::new(&item.place, message).help(suggestion(&name, known)));
            }
        }
    }
    Ok(chosen)
}
