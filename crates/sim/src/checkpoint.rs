//! Checkpoints: a running simulation in a file, to be resumed in another process as if it had never
//! stopped.
//!
//! What is saved is the retained history and nothing that follows from it: segments with the events
//! that began them, inputs, and what groups remember. Dense output, the broad phase and the queue are
//! functions of these (law 2) and are made anew. The file is compressed and carries a version, a
//! digest of the world and a digest of itself; one that was cut, changed or made for another world is
//! refused. It is written beside its place and moved there when it is whole.

use crate::engine::{Engine, Saved};
use crate::room::Tenure;
use crate::scene;
use crate::simulation::Simulation;
use crate::world::World;
use sha2::{Digest, Sha256};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;
use warp::Tick;

const MAGIC: &[u8; 16] = b"warpline-check\r\n";
/// Version of the format.
pub const VERSION: u32 = 9;
const HEAD: usize = MAGIC.len() + 4 + 32;
const COMPRESSION: i32 = 3;
/// A checkpoint whose content is larger than this is refused, or so much larger than the file; small ones are not.
const LARGEST: u64 = 1 << 34;
const MOST_EXPANSION: u64 = 1000;
const LEAST_LIMIT: u64 = 1 << 26;

/// Why a checkpoint could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file system's reasons.
    #[error("cannot {doing} the checkpoint {path}: {source}")]
    File {
        /// Read or write.
        doing: &'static str,
        /// The file.
        path: String,
        /// The reason.
        source: io::Error,
    },
    /// Not a checkpoint.
    #[error("{path} is not a checkpoint")]
    Foreign {
        /// The file.
        path: String,
    },
    /// Another version.
    #[error(
        "{path} has checkpoint format {found}; this program reads format {VERSION}: simulate the scene and save it again, or read \
         the file with the version of warpline that wrote it"
    )]
    Version {
        /// The file.
        path: String,
        /// Its version.
        found: u32,
    },
    /// Cut or changed.
    #[error("the checkpoint {path} is damaged: {what}")]
    Damaged {
        /// The file.
        path: String,
        /// What does not fit.
        what: String,
    },
    /// Made from another world.
    #[error("the checkpoint {path} was made from another world than `{world}`")]
    OtherWorld {
        /// The file.
        path: String,
        /// The world given.
        world: String,
    },
    /// Something in the simulation cannot be saved.
    #[error("the simulation cannot be saved: {what}")]
    Unsaveable {
        /// What.
        what: &'static str,
    },
}

/// Tells worlds apart: everything that a run depends on and that can be read off, shapes, scripts and the
/// solver's settings among it; not what functions do.
fn digest_of(world: &World) -> [u8; 32] {
    let mut digest = Sha256::new();
    let mut numbers = |values: &[f64]| {
        for value in values {
            digest.update(value.to_le_bytes());
        }
    };
    numbers(&world.gravity.to_array());
    // What was added while it ran is in the file.
    let declared = &world.bodies[..world.declared()];
    for body in declared {
        let model = &world.models[body.model.place()];
        numbers(&[
            f64::from(body.model.place() as u32),
            f64::from(body.kind as u8),
        ]);
        numbers(&[f64::from(u8::from(body.is_absent)), model.bounding_radius()]);
        numbers(&body.start.position.to_array());
        numbers(&body.start.velocity.to_array());
        numbers(&body.start.rotation.to_array());
        numbers(&body.start.spin.to_array());
        numbers(&[
            model.mass.mass,
            model.material.restitution,
            model.material.friction,
        ]);
        numbers(&model.mass.inertia.to_array());
        numbers(&model.gravity.to_array());
        numbers(&model.damping);
        numbers(&[model.rolling.rolling, model.rolling.spinning]);
        numbers(&[body.layers.of, body.layers.meets].map(f64::from));
    }
    for deformable in &world.deformables {
        let mut vertices = Vec::new();
        deformable.model.start().positions(&mut vertices);
        numbers(&[
            deformable.model.step_seconds(),
            deformable.collides as u8 as f64,
        ]);
        numbers(vertices.as_flattened());
    }
    for joint in &world.joints {
        numbers(&joint.bodies.map(f64::from));
        for frame in &joint.frames {
            numbers(&frame.translation.to_array());
            numbers(&frame.rotation.to_array());
        }
        numbers(&joint.numbers());
        numbers(&[f64::from(u8::from(joint.collide))]);
    }
    let counts = [world.callbacks.len(), world.slots, world.deformables.len()];
    numbers(&counts.map(|n| n as f64));
    if let Some(rules) = &world.contact {
        numbers(&[rules.step, rules.margin, rules.fuse_speed, rules.rest_speed]);
        numbers(&[rules.rest_after, rules.wake_speed, rules.wake_gap]);
        numbers(&[f64::from(rules.steps_per_check)]);
        digest.update(format!("{:?}", rules.solver));
    }
    for model in &world.models[..world.models.len() - 2 * world.room] {
        digest.update(format!("{:?}", model.collider.described));
        digest.update(format!("{:?}", model.named));
    }
    for body in declared {
        digest.update(body.name.as_bytes());
        digest.update([0]);
        digest.update(format!("{:?}", body.script));
    }
    for made in &world.multibodies {
        digest.update(format!(
            "{:?}",
            (&made.name, &made.joints, &made.motor_names)
        ));
        digest.update(format!("{:?}", (&made.model, &made.loops, &made.motors)));
        digest.update(format!("{:?}", (&made.start, &made.controls, &made.links)));
    }
    digest.finalize().into()
}

/// How many places there are for bodies that are added, and what was said of those that were, by their places.
type Arrivals = (u32, Vec<(u32, String)>);

fn arrivals_of(world: &World) -> Result<Arrivals, CheckpointError> {
    let mut added = Vec::new();
    for (place, body) in world.bodies[world.declared()..].iter().enumerate() {
        match &body.tenure {
            Tenure::Added { text } if text.is_empty() => {
                let what = "a body was added in code; add it with the text of a scene's `[[body]]`";
                return Err(CheckpointError::Unsaveable { what });
            }
            Tenure::Added { text } => added.push((place as u32, text.clone())),
            Tenure::Declared | Tenure::Vacant => {}
        }
    }
    Ok((world.room as u32, added))
}

impl Simulation {
    /// Writes a checkpoint: the whole retained history, inputs to come included.
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        let saved = self
            .engine
            .save(self.now)
            .map_err(|what| CheckpointError::Unsaveable { what })?;
        let arrivals = arrivals_of(self.world())?;
        let body = postcard::to_allocvec(&(self.now.0, self.retain, arrivals, saved));
        let body = body.map_err(|_| CheckpointError::Unsaveable {
            what: "its numbers do not fit the format",
        })?;
        let failed = |source| CheckpointError::File {
            doing: "write",
            path: path.display().to_string(),
            source,
        };
        let body = zstd::bulk::compress(&body, COMPRESSION).map_err(failed)?;
        let mut bytes = Vec::with_capacity(HEAD + body.len() + 32);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&digest_of(self.engine.world()));
        bytes.extend_from_slice(&body);
        let sum: [u8; 32] = Sha256::digest(&bytes).into();
        bytes.extend_from_slice(&sum);
        let mut beside = path.as_os_str().to_owned();
        beside.push(".partial");
        let beside = Path::new(&beside);
        let written = std::fs::File::create(beside).and_then(|mut file| {
            file.write_all(&bytes)?;
            file.sync_all()
        });
        let moved = written.and_then(|()| std::fs::rename(beside, path));
        moved.map_err(|error| {
            let _ = std::fs::remove_file(beside);
            failed(error)
        })
    }

    /// Resumes a checkpoint that was made from the same world.
    pub fn load(path: &Path, mut world: World) -> Result<Self, CheckpointError> {
        let name = || path.display().to_string();
        let bytes = std::fs::read(path).map_err(|source| CheckpointError::File {
            doing: "read",
            path: name(),
            source,
        })?;
        let damaged = |what: &str| CheckpointError::Damaged {
            path: name(),
            what: what.into(),
        };
        if bytes.get(..MAGIC.len()) != Some(MAGIC.as_slice()) {
            return Err(CheckpointError::Foreign { path: name() });
        }
        if bytes.len() < HEAD + 32 {
            return Err(damaged("it is cut"));
        }
        let (content, sum) = bytes.split_at(bytes.len() - 32);
        let found = u32::from_le_bytes([content[16], content[17], content[18], content[19]]);
        if found != VERSION {
            return Err(CheckpointError::Version {
                path: name(),
                found,
            });
        }
        if Sha256::digest(content).as_slice() != sum {
            return Err(damaged("its digest does not match its content"));
        }
        world.prepare_open_ended();
        if content[20..HEAD] != digest_of(&world) {
            return Err(CheckpointError::OtherWorld {
                path: name(),
                world: world.name,
            });
        }
        let body = expanded(&content[HEAD..]);
        let body = body.ok_or_else(|| damaged("its content cannot be expanded"))?;
        resume(&body, world).map_err(|what| damaged(&what))
    }
}

/// The content of a file; none if it is damaged or more than such a file can hold. Takes no more memory than
/// there is content, whatever the file claims.
fn expanded(packed: &[u8]) -> Option<Vec<u8>> {
    let most = (packed.len() as u64).saturating_mul(MOST_EXPANSION);
    let most = most.clamp(LEAST_LIMIT, LARGEST);
    let mut body = Vec::new();
    let decoder = zstd::stream::read::Decoder::new(packed).ok()?;
    decoder.take(most + 1).read_to_end(&mut body).ok()?;
    (body.len() as u64 <= most).then_some(body)
}

/// A simulation from the content of a file; or what is wrong with it.
fn resume(body: &[u8], mut world: World) -> Result<Simulation, String> {
    let (now, retain, arrivals, saved): (i64, i64, Arrivals, Saved) =
        postcard::from_bytes(body).map_err(|_| "its content cannot be read".to_string())?;
    if retain < 0 {
        return Err("it retains less than nothing".into());
    }
    let (places, added) = arrivals;
    if places as usize > World::ROOM_MAX {
        return Err("it has more room than there can be".into());
    }
    world.make_room(places as usize);
    for (place, text) in added {
        let unknown = || format!("body {place} was added where there is no room");
        let body = world.at_place(place).ok_or_else(unknown)?;
        let (new, _) = scene::read_body(&world, &text).map_err(|e| e.to_string())?;
        world.put(body, new).map_err(|e| e.to_string())?;
    }
    let engine = Engine::restore(Arc::new(world), saved, Tick(now))?;
    Ok(Simulation::resumed(engine, Tick(now), retain))
}

#[cfg(test)]
mod tests;
