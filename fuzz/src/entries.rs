//! One function per fuzz target: any bytes must come back, in bounded time and memory, without a panic.
//! What they are answered with does not matter here.
//!
//! Recordings and checkpoints are compressed and carry digests, which a fuzzer cannot guess. Their targets
//! take the content as it is before that, and pack it with digests that are right.

use physics::{Quat, State, Vec3};
use sha2::{Digest, Sha256};
use std::path::Path;
use warp::Tick;
use warp::message::{Parcel, Wire};
use warpline_sim::scene::{self, Override};
use warpline_sim::{Action, Algorithm, BodyId, Discard, LookAhead, Session, Simulation, World};

/// The text of a scene: read, or refused with a place in it.
pub fn scene(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if let Err(error) = scene::load("fuzz", text, &[]) {
        // Whoever prints the error asks for all of this.
        let _ = (
            error.line(),
            error.column(),
            error.excerpt(),
            error.to_string(),
        );
    }
}

/// Most bodies and vertices of a world that is also run: the fuzzer looks for panics, not for patience.
const BODIES: usize = 24;
const VERTICES: usize = 200;
/// How long such a world runs, seconds.
const RUNS: f64 = 0.004;

/// The text of a scene that is read and, if it is small, run for a moment under two executors, which must
/// agree on whether it ends well.
pub fn world(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(scene) = scene::load("fuzz", text, &[]) else {
        return;
    };
    let world = scene.world;
    let mut vertices = Vec::new();
    for deformable in &world.deformables {
        let mut own = Vec::new();
        deformable.model.start().positions(&mut own);
        vertices.extend(own);
    }
    if world.bodies.len() > BODIES || vertices.len() > VERTICES {
        return;
    }
    agree_for_a_moment(world);
}

/// Runs a world for [`RUNS`] seconds under two executors, which must agree on how it ends.
fn agree_for_a_moment(mut world: World) {
    world.until = world.until.min(Tick::from_seconds(RUNS));
    world.redraw_hertz = None;
    let ordered = warpline_sim::run(&world, Algorithm::Ordered, &mut Discard);
    let ahead = Algorithm::TimeWarp(LookAhead::Seconds(1e-3));
    let warped = warpline_sim::run(&world, ahead, &mut Discard);
    match (ordered, warped) {
        (Ok((_, a)), Ok((_, b))) => {
            let same = a.iter().zip(&b).all(|(a, b)| bits(a) == bits(b));
            assert!(same, "ordered and timewarp end in different states");
        }
        (Err(a), Err(b)) => assert_eq!(a.to_string(), b.to_string(), "different errors"),
        (Ok(_), Err(error)) => panic!("only timewarp fails: {error}"),
        (Err(error), Ok(_)) => panic!("only ordered fails: {error}"),
    }
}

fn bits(state: &State) -> Vec<u64> {
    let vectors = [state.position, state.velocity, state.spin].map(|v| v.to_array());
    let numbers = vectors.as_flattened().iter().copied();
    numbers
        .chain(state.rotation.to_array())
        .map(f64::to_bits)
        .collect()
}

/// An expression, as a number in a scene and as a `--set`.
pub fn expression(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let quoted: String = text.chars().flat_map(char::escape_default).collect();
    // What TOML calls an escape is not what Rust does: anything unusual is left to the target `scene`.
    if !quoted.contains("\\u") {
        let scene = format!(
            "name = \"fuzz\"\nuntil = \"{quoted}\"\n[parameters]\nn = 3\nword = \"moving\"\nhalf = 0.5\n"
        );
        let _ = scene::load("fuzz", &scene, &[]);
    }
    if let Ok(change) = Override::parse(&format!("until={text}")) {
        let _ = scene::load(
            "fuzz",
            "name = \"fuzz\"\nuntil = 1\n[parameters]\nn = 3\n",
            &[change],
        );
    }
    if let Ok(change) = Override::parse(text) {
        let _ = scene::load(
            "fuzz",
            "name = \"fuzz\"\nuntil = 1\n[parameters]\nn = 3\n",
            &[change],
        );
    }
}

/// Bytes before a block's payload in the input of [`recording`]: kind, flags, count, extra, three ticks,
/// length.
const BLOCK: usize = 1 + 1 + 4 + 4 + 24 + 2;

/// A recording from its blocks, packed with checksums that are right: opened, and asked everything.
pub fn recording(bytes: &[u8]) {
    let Ok(folder) = tempfile::tempdir() else {
        return;
    };
    let path = folder.path().join("fuzz.wline");
    if std::fs::write(&path, packed_recording(bytes)).is_ok() {
        ask(&path);
    }
    if std::fs::write(&path, bytes).is_ok() {
        ask(&path);
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(word)
}

/// A recording's file from the input of [`recording`].
pub fn packed_recording(bytes: &[u8]) -> Vec<u8> {
    let mut file = b"WARPLINE".to_vec();
    file.extend(record::block::VERSION.to_le_bytes());
    file.extend([0; 4]);
    let mut rest = bytes;
    while rest.len() >= BLOCK {
        let (head, more) = rest.split_at(BLOCK);
        let length = usize::from(u16::from_le_bytes([head[BLOCK - 2], head[BLOCK - 1]]));
        let (payload, more) = more.split_at(length.min(more.len()));
        rest = more;
        let Ok(stored) = zstd::bulk::compress(payload, 1) else {
            continue;
        };
        // A block that lies about its size has the lowest flag.
        let raw = match head[1] & 1 {
            0 => payload.len() as u32,
            _ => word(head, 2),
        };
        let start = file.len();
        file.extend(u32::from(head[0]).to_le_bytes());
        file.extend(&head[2..6]);
        file.extend(raw.to_le_bytes());
        file.extend((stored.len() as u32).to_le_bytes());
        file.extend(&head[6..10]);
        file.extend(&head[10..34]);
        let mut sum = xxhash_rust::xxh3::Xxh3::new();
        sum.update(&file[start..]);
        sum.update(&stored);
        file.extend(sum.digest().to_le_bytes());
        file.extend(stored);
    }
    file
}

/// The input of [`recording`] that a whole recording comes from, its index left out.
pub fn unpacked_recording(file: &[u8]) -> Vec<u8> {
    const HEAD: usize = 52;
    const INDEX: u32 = 6;
    let mut out = Vec::new();
    let mut at = 16;
    while at + HEAD <= file.len() {
        let head = &file[at..at + HEAD];
        let (kind, stored) = (word(head, 0), word(head, 12) as usize);
        let payload = file.get(at + HEAD..at + HEAD + stored);
        let payload = payload.and_then(|p| zstd::bulk::decompress(p, usize::from(u16::MAX)).ok());
        let Some(payload) = payload.filter(|_| kind != INDEX) else {
            break;
        };
        out.extend([kind as u8, 0]);
        out.extend(&head[4..8]);
        out.extend(&head[16..20]);
        out.extend(&head[20..44]);
        out.extend((payload.len() as u16).to_le_bytes());
        out.extend(payload);
        at += HEAD + stored;
    }
    out
}

fn ask(path: &Path) {
    let Ok(mut reader) = record::Reader::open(path) else {
        return;
    };
    let _ = (
        reader.warning(),
        reader.footer().is_some(),
        reader.is_complete(),
        reader.gvt(),
    );
    let (from, to) = reader.span();
    let bodies = reader.header().bodies.len().min(8) as u32;
    let mut states = Vec::new();
    for tick in [from, from / 2 + to / 2, to, 0, i64::MIN, i64::MAX] {
        let _ = reader.states_at(tick, &mut states);
        let _ = reader.for_each_current(tick, |_| {});
        for body in 0..=bodies {
            let _ = reader.pose(body, tick);
            let _ = reader.vertices_at(body, tick);
            let _ = reader.vertices_blended(body, tick);
        }
    }
    for body in 0..=bodies {
        let _ = (
            reader.segments(body).is_ok(),
            reader.vertex_ticks(body).len(),
        );
    }
    let _ = (
        reader.events_between(from, to).is_ok(),
        reader.density(16).len(),
    );
    let _ = reader.refresh();
}

/// Small worlds whose checkpoints are read.
const SAVED: [&str; 3] = [
    "name = \"pile\"\nuntil = 1\n[contact]\nrest_after = 0.05\n\
     [[body]]\nname = \"ground\"\nkind = \"fixed\"\nshape = { half_space = [0, 1, 0] }\n\
     [[body]]\nname = \"a\"\nshape = { ball = 0.1 }\nposition = [0, 0.1, 0]\n\
     [[body]]\nname = \"b\"\nshape = { box = [0.2, 0.2, 0.2] }\nposition = [0.5, 0.3, 0]\nspin = [1, 2, 3]\n",
    "name = \"chain\"\nuntil = 1\n[contact]\n\
     [[body]]\nname = \"post\"\nkind = \"kinematic\"\nshape = { box = [0.1, 0.1, 0.1] }\n\
     script = [{ at = 0, position = [0, 1, 0] }, { at = 0.5, position = [0.3, 1, 0] }]\n\
     [[body]]\nname = \"a\"\nshape = { ball = 0.1 }\nposition = [0.3, 1, 0]\n\
     [[body]]\nname = \"b\"\nshape = { ball = 0.1 }\nposition = [0.6, 1, 0]\n\
     [[joint]]\nkind = \"ball\"\nbodies = [\"post\", \"a\"]\n\
     [[joint]]\nkind = \"hinge\"\naxis = [0, 0, 1]\nlimits = [-30, 30]\nbodies = [\"a\", \"b\"]\n",
    "name = \"cloth\"\nuntil = 1\n\
     [[body]]\nname = \"ball\"\nshape = { ball = 0.1 }\nposition = [0.25, 0.15, 0.25]\ndamping = 0.1\n\
     [[cloth]]\nname = \"sheet\"\ngrid = { columns = 3, rows = 3, u = [0.5, 0, 0], v = [0, 0, 0.5] }\n\
     pins = [\"corners\"]\nthickness = 0.005\n",
];

/// Bytes of a checkpoint before its content, and of the digest after it.
const CHECKPOINT_HEAD: usize = 16 + 4 + 32;
const CHECKPOINT_SUM: usize = 32;

fn saved_world(number: u8) -> Option<World> {
    let text = SAVED[usize::from(number) % SAVED.len()];
    scene::load("fuzz", text, &[]).ok().map(|scene| scene.world)
}

/// Checkpoints of the small worlds as inputs of [`checkpoint`]: a world's number, then the content.
pub fn unpacked_checkpoints() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for number in 0..SAVED.len() as u8 {
        for seconds in [0.0, 0.12, 0.3] {
            let Some(world) = saved_world(number) else {
                continue;
            };
            let content = Simulation::new(world, 0.1).ok().and_then(|mut sim| {
                sim.advance(Tick::from_seconds(seconds)).ok()?;
                let folder = tempfile::tempdir().ok()?;
                let path = folder.path().join("fuzz.check");
                sim.save(&path).ok()?;
                let file = std::fs::read(&path).ok()?;
                let content = &file[CHECKPOINT_HEAD..file.len() - CHECKPOINT_SUM];
                zstd::bulk::decompress(content, 1 << 24).ok()
            });
            all.extend(content.map(|content| [&[number], content.as_slice()].concat()));
        }
    }
    all
}

/// A checkpoint's content, packed with digests that are right: resumed, asked and advanced.
pub fn checkpoint(bytes: &[u8]) {
    let Some((number, content)) = bytes.split_first() else {
        return;
    };
    let (Some(world), Ok(folder)) = (saved_world(*number), tempfile::tempdir()) else {
        return;
    };
    let path = folder.path().join("fuzz.check");
    // The head tells which world it is: taken from a checkpoint of that world's start.
    let head = Simulation::new(world.clone(), 0.0).ok().and_then(|sim| {
        sim.save(&path).ok()?;
        std::fs::read(&path).ok()
    });
    let (Some(head), Ok(packed)) = (head, zstd::bulk::compress(content, 1)) else {
        return;
    };
    let mut file = head[..CHECKPOINT_HEAD].to_vec();
    file.extend(packed);
    let sum: [u8; CHECKPOINT_SUM] = Sha256::digest(&file).into();
    file.extend(sum);
    if std::fs::write(&path, file).is_err() {
        return;
    }
    let Ok(mut sim) = Simulation::load(&path, world) else {
        return;
    };
    let now = sim.now();
    let _ = sim.hash_at(now);
    let _ = sim.advance(Tick(now.0.saturating_add(1 << 33)));
    let _ = sim.hash_at(sim.now());
}

/// Takes numbers off the front of the fuzzer's bytes.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    /// Any number at all: often a plain one, sometimes eight raw bytes.
    fn number(&mut self) -> Option<f64> {
        let kind = self.byte()?;
        if kind < 0xf0 {
            return Some((f64::from(kind) - 120.0) / 16.0);
        }
        let (raw, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(f64::from_le_bytes(*raw))
    }

    fn vector(&mut self) -> Option<Vec3> {
        Some(Vec3::new(self.number()?, self.number()?, self.number()?))
    }

    fn state(&mut self) -> Option<State> {
        let (position, velocity, spin) = (self.vector()?, self.vector()?, self.vector()?);
        let turn = self.vector()?;
        let rotation = Quat::from_array([turn.x, turn.y, turn.z, self.number()?]);
        Some(State {
            position,
            velocity,
            rotation,
            spin,
        })
    }

    fn action(&mut self) -> Option<Action> {
        Some(match self.byte()? % 6 {
            0 => Action::Impulse {
                impulse: self.vector()?,
                point: match self.byte()? & 1 {
                    0 => None,
                    _ => Some(self.vector()?),
                },
            },
            1 => Action::Force {
                force: self.vector()?,
                ticks: (self.number()? * 1e10) as i64,
            },
            2 => Action::Teleport(self.state()?),
            3 => Action::Motor {
                velocity: self.vector()?,
                spin: self.vector()?,
            },
            4 => Action::Enter(self.state()?),
            _ => Action::Leave,
        })
    }
}

/// What other peers may send to a session: inputs of any frame, body and number, withdrawals,
/// confirmations, in any order.
pub fn session(bytes: &[u8]) {
    let mut from = Numbers(bytes);
    let Some(world) = from.byte().and_then(saved_world) else {
        return;
    };
    if let Ok(session) = Session::new(world, 64, 16) {
        let _ = converse(session, from);
    }
}

/// At most so many messages.
const MESSAGES: usize = 64;

fn converse(mut session: Session, mut from: Numbers<'_>) -> Option<()> {
    for _ in 0..MESSAGES {
        let kind = from.byte()? % 8;
        let frame = session
            .frame()
            .saturating_add(u64::from(from.byte()? % 32))
            .saturating_sub(16);
        let body = BodyId(u32::from(from.byte()? % 6));
        match kind {
            0..4 => {
                let player = u32::from(from.byte()? % 4);
                let action = from.action()?;
                let _ = session.input(frame, player, body, action);
            }
            4 => {
                let player = u32::from(from.byte()? % 4);
                let _ = session.withdraw(frame, player, body);
            }
            5 => {
                let _ = session.confirm(frame);
            }
            6 => {
                let _ = (session.state(body, frame), session.hash(frame));
            }
            _ => {
                let next = session.frame() + 1;
                session.advance_to(next).ok()?;
            }
        }
    }
    Some(())
}

/// Most bytes of a robot's meshes: what is fuzzed is their reader, not its patience.
const MESH: usize = 1 << 16;

/// A robot's file and, behind a zero byte, the content of its meshes `part.stl`, `part.obj` and `part.dae`: read or refused
/// with a place in it, put together, and, if it is small, run for a moment.
pub fn robot(bytes: &[u8]) {
    let zero = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    let (text, mesh) = bytes.split_at(zero);
    let mesh = mesh.get(1..).unwrap_or_default();
    let Ok(folder) = tempfile::tempdir() else {
        return;
    };
    let path = folder.path().join("robot.xml");
    let parts = ["part.stl", "part.obj", "part.dae"].map(|name| folder.path().join(name));
    let written = parts.iter().all(|part| std::fs::write(part, mesh).is_ok());
    if mesh.len() > MESH || !written || std::fs::write(&path, text).is_err() {
        return;
    }
    for part in &parts {
        let _ = robot::mesh::read(part);
    }
    let robot = match robot::load(&path, &robot::Options::default()) {
        Ok(robot) => robot,
        Err(error) => {
            let _ = (
                error.line(),
                error.column(),
                error.excerpt().len(),
                error.to_string(),
            );
            return;
        }
    };
    let told = robot.coverage.entries.iter().map(|e| e.to_string().len());
    let warned = robot.warnings.iter().map(|w| w.to_string().len());
    let _ = told.chain(warned).sum::<usize>();
    if robot.assemble().is_err() || robot.bodies.len() > BODIES {
        return;
    }
    let scene = "name = \"fuzz\"\nuntil = 1\n[contact]\n[[robot]]\nfile = \"robot.xml\"\n";
    let name = folder.path().join("scene.toml");
    if let Ok(scene) = scene::load(&name.to_string_lossy(), scene, &[]) {
        agree_for_a_moment(scene.world);
    }
}

/// What arrives from another rank: parcels, one after the other, until something is none. What was read is written as it came.
pub fn parcel(bytes: &[u8]) {
    parcels::<()>(bytes);
    parcels::<u64>(bytes);
    parcels::<warp::message::News>(bytes);
}

fn parcels<P: Wire + std::fmt::Debug>(bytes: &[u8]) {
    let mut rest = bytes;
    let mut again = Vec::new();
    while let Some(parcel) = Parcel::<P>::take(&mut rest) {
        again.clear();
        parcel.put(&mut again);
        let end = bytes.len() - rest.len();
        assert_eq!(
            &bytes[end - again.len()..end],
            again.as_slice(),
            "{parcel:?}"
        );
    }
}
