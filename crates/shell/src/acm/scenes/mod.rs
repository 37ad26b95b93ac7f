//! The scenes of Harmon et al. and Ainsley et al., generated; the size is a parameter. Meshes keep
//! a spacing of 1 cm, so a smaller size is a smaller piece of the same cloth. Materials are
//! stand-ins, since the published tables could not be had.

pub(crate) mod knots;

use crate::acm::scenes::knots::{bowline_line, reef_line, resample, side_vectors};
use crate::acm::{
    ContactLaw, Material, Mesh, Motion, MotionId, ShellBuilder, ShellError, ShellModel, ShellState,
};
use glamx::DVec3;

/// Distance of neighbouring vertices at rest, in m.
const SPACING: f64 = 0.01;
const GRAVITY: DVec3 = DVec3::new(0.0, -9.81, 0.0);

/// A scene by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SceneName {
    /// Two ribbons tied to a reef knot, ends pulled apart.
    ReefKnot,
    /// One ribbon tied to a bowline, pulled tight.
    BowlineKnot,
    /// Sheets pressed between closing walls.
    TrashCompactor,
    /// Two cloths draped over a ball.
    TwoCloths,
    /// A cloth wrung between two edges that turn against each other.
    Twister,
}

impl SceneName {
    /// All scenes, in the order of the paper's Table 1.
    pub const ALL: [SceneName; 5] = [
        SceneName::ReefKnot,
        SceneName::BowlineKnot,
        SceneName::TrashCompactor,
        SceneName::TwoCloths,
        SceneName::Twister,
    ];

    /// The name as users write it.
    pub fn as_str(self) -> &'static str {
        match self {
            SceneName::ReefKnot => "reef-knot",
            SceneName::BowlineKnot => "bowline-knot",
            SceneName::TrashCompactor => "trash-compactor",
            SceneName::TwoCloths => "two-cloths",
            SceneName::Twister => "twister",
        }
    }

    /// The scene with this name.
    pub fn parse(name: &str) -> Option<SceneName> {
        SceneName::ALL.into_iter().find(|s| s.as_str() == name)
    }

    /// Size parameter at which the scene has about the paper's number of vertices.
    pub fn paper_size(self) -> usize {
        match self {
            SceneName::ReefKnot => 17,
            SceneName::BowlineKnot => 5,
            SceneName::TrashCompactor => 13,
            SceneName::TwoCloths => 89,
            SceneName::Twister => 60,
        }
    }

    /// A size that runs in seconds.
    pub fn small_size(self) -> usize {
        match self {
            SceneName::ReefKnot => 4,
            SceneName::BowlineKnot => 3,
            SceneName::TrashCompactor => 8,
            SceneName::TwoCloths => 12,
            SceneName::Twister => 6,
        }
    }

    /// Builds the scene; `size` is the number of vertices across a cloth or ribbon.
    pub fn build(self, size: usize) -> Result<Scene, ShellError> {
        crate::acm::model::material::require(
            "size",
            size as f64,
            (3..=1000).contains(&size),
            "3 to 1000 vertices across",
        )?;
        match self {
            SceneName::ReefKnot => reef_knot(size),
            SceneName::BowlineKnot => bowline_knot(size),
            SceneName::TrashCompactor => trash_compactor(size),
            SceneName::TwoCloths => two_cloths(size),
            SceneName::Twister => twister(size),
        }
    }
}

/// A scene ready to run.
#[derive(Debug, Clone)]
pub struct Scene {
    /// What does not change.
    pub model: ShellModel,
    /// The state at t = 0.
    pub state: ShellState,
    /// How long it is meant to run, in s.
    pub duration_s: f64,
}

fn cloth() -> Material {
    Material {
        damping_s: 2.0e-5,
        step_fraction: 0.5,
        ..Material::default()
    }
}

fn law() -> ContactLaw {
    ContactLaw {
        thickness_m: 0.1 * SPACING,
        restitution: 0.3,
        friction: 0.2,
        step_fraction: 0.2,
        ..ContactLaw::default()
    }
}

fn finish(builder: ShellBuilder, duration_s: f64) -> Result<Scene, ShellError> {
    let (model, state) = builder.build()?;
    Ok(Scene {
        model,
        state,
        duration_s,
    })
}

/// Two square cloths, turned against each other, fall on a fixed ball.
fn two_cloths(n: usize) -> Result<Scene, ShellError> {
    let mut builder = ShellBuilder::new(GRAVITY, law());
    let side = (n - 1) as f64 * SPACING;
    let radius = 0.22 * side;
    let fixed = builder.motion(Motion::fixed());
    builder.obstacle(Mesh::sphere((n / 8).max(5), DVec3::ZERO, radius), fixed);
    for (k, turn) in [(0.0, 0.1f64), (1.0, 0.6)] {
        let (sin, cos) = libm::sincos(turn);
        let (u, v) = (
            DVec3::new(cos, 0.0, sin) * side,
            DVec3::new(-sin, 0.0, cos) * side,
        );
        let corner = DVec3::Y * (radius + 0.003 + 0.004 * k) - (u + v) * 0.5;
        builder.shell(Mesh::rectangle(n, n, corner, u, v), cloth(), |_| None);
    }
    finish(builder, 0.6 * side.sqrt())
}

/// Four sheets in a box whose two walls close to a third of their distance.
fn trash_compactor(n: usize) -> Result<Scene, ShellError> {
    let mut builder = ShellBuilder::new(GRAVITY, law());
    let side = (n - 1) as f64 * SPACING;
    let (half, duration) = (0.75 * side, 0.5);
    let fixed = builder.motion(Motion::fixed());
    let walls = [
        DVec3::X,
        DVec3::NEG_X,
        DVec3::Y,
        DVec3::NEG_Y,
        DVec3::Z,
        DVec3::NEG_Z,
    ];
    for normal in walls {
        let motion = if normal.x == 0.0 {
            fixed
        } else {
            builder.motion(Motion::shifted(vec![
                (0.0, DVec3::ZERO),
                (0.8 * duration, normal * (-2.0 * half / 3.0)),
            ]))
        };
        let DVec3 { x, y, z } = normal.abs() * (4.0 * half);
        let (u, v) = (DVec3::new(y, z, x), DVec3::new(z, x, y));
        builder.obstacle(
            Mesh::rectangle(2, 2, normal * half - (u + v) * 0.5, u, v),
            motion,
        );
    }
    for k in 0..4 {
        let tilt = 0.15 * (k as f64 - 1.5);
        let (sin, cos) = libm::sincos(tilt);
        let (u, v) = (
            DVec3::new(cos, sin, 0.0) * side,
            DVec3::new(0.0, 0.1 * sin, 1.0).normalize() * side,
        );
        let centre = DVec3::Y * (half * 0.36 * (k as f64 - 1.5));
        builder.shell(
            Mesh::rectangle(n, n, centre - (u + v) * 0.5, u, v),
            cloth(),
            |_| None,
        );
    }
    finish(builder, duration)
}

/// A cloth twice as long as wide; its short edges turn against each other, five turns in all, and
/// come closer by a fifth of the length.
fn twister(n: usize) -> Result<Scene, ShellError> {
    let mut builder = ShellBuilder::new(DVec3::ZERO, law());
    let (width, along) = ((n - 1) as f64 * SPACING, 2 * n - 1);
    let length = 2.0 * width;
    let (turns, rate) = (2.5 * std::f64::consts::TAU, 2.0 * std::f64::consts::TAU);
    let duration = turns / rate;
    let mut edge = |sign: f64| {
        let mut motion = Motion::turned(
            DVec3::ZERO,
            DVec3::Z,
            vec![(0.0, 0.0), (duration, sign * turns)],
        );
        motion.shift = vec![
            (0.0, DVec3::ZERO),
            (duration, DVec3::Z * (sign * -0.1 * length)),
        ];
        builder.motion(motion)
    };
    let (low, high) = (edge(-1.0), edge(1.0));
    let sheet = Mesh::rectangle(
        along,
        n,
        DVec3::new(-0.5 * width, 0.0, -0.5 * length),
        DVec3::Z * length,
        DVec3::X * width,
    );
    // the wrung cloth is stretched to twice its length, where its stiffness is five times as large
    let material = Material {
        step_fraction: 0.25,
        ..cloth()
    };
    let drive = |v: usize| match v / n {
        0 => Some(low),
        row if row == along - 1 => Some(high),
        _ => None,
    };
    builder.shell(sheet, material, drive);
    finish(builder, duration)
}

/// Two ribbons on mirrored bights; each ribbon's two ends are pulled away from the knot.
fn reef_knot(across: usize) -> Result<Scene, ShellError> {
    let mut builder = ShellBuilder::new(DVec3::ZERO, law());
    let width = (across - 1) as f64 * SPACING;
    let duration = 3.0 * width.sqrt();
    let line = resample(&reef_line(width), SPACING);
    let mirrored: Vec<DVec3> = line.iter().map(|p| DVec3::new(-p.x, p.y, -p.z)).collect();
    for (line, pull) in [(line, DVec3::NEG_X), (mirrored, DVec3::X)] {
        let motion = builder.motion(Motion::shifted(vec![
            (0.0, DVec3::ZERO),
            (duration, pull * (3.5 * width)),
        ]));
        pulled_ribbon(
            &mut builder,
            &line,
            across,
            width,
            &[(0, motion), (line.len() - 1, motion)],
        );
    }
    finish(builder, duration)
}

/// One ribbon tied to a bowline: the standing part and the far end of the loop are pulled apart.
fn bowline_knot(across: usize) -> Result<Scene, ShellError> {
    let mut builder = ShellBuilder::new(DVec3::ZERO, law());
    let width = (across - 1) as f64 * SPACING;
    let duration = 4.0 * width.sqrt();
    let line = resample(&bowline_line(width, across), SPACING);
    let lowest = (0..line.len())
        .min_by(|&a, &b| line[a].y.total_cmp(&line[b].y))
        .unwrap_or(0);
    let mut pull = |direction: DVec3| {
        builder.motion(Motion::shifted(vec![
            (0.0, DVec3::ZERO),
            (duration, direction * (8.0 * width)),
        ]))
    };
    let (up, down) = (pull(DVec3::Y), pull(DVec3::NEG_Y));
    pulled_ribbon(
        &mut builder,
        &line,
        across,
        width,
        &[(0, up), (lowest, down)],
    );
    finish(builder, duration)
}

/// A ribbon along `line`, stress-free as laid out, with whole rows driven.
fn pulled_ribbon(
    builder: &mut ShellBuilder,
    line: &[DVec3],
    across: usize,
    width: f64,
    rows: &[(usize, MotionId)],
) {
    let side = side_vectors(line);
    let mesh = Mesh::ribbon(line, across, width, |i| side[i]);
    builder.shell(mesh, cloth(), |v| {
        rows.iter().find(|r| r.0 == v / across).map(|r| r.1)
    });
}
