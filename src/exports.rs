//! A recording in a format that other programs read, evaluated by the laws of the world it was recorded from.

use crate::error::Error;
use crate::replay::Replayed;
use record::Reader;
use record::export::{ExportError, Interpolated, Options, export_with};
use sim::{World, scene};
use std::fmt::Write;
use std::path::Path;

/// The world that was recorded, made again from the scene in the recording; or why that cannot be.
pub fn world_of(reader: &Reader) -> Result<World, String> {
    let header = reader.header();
    if header.scene_toml.is_empty() {
        return Err("it was not made from a scene".into());
    }
    let scene = scene::load(&header.scene, &header.scene_toml, &[]);
    let world = scene.map_err(|e| e.message.clone())?.world;
    let count = world.bodies.len() + world.deformables.len();
    if count != header.bodies.len() {
        return Err("its scene gives another number of bodies now".into());
    }
    Ok(world)
}

/// Exports the motion. Says whether this version of the program computes another motion from the recorded scene: states
/// between recorded moments are interpolated then.
pub fn motion(reader: &Reader, path: &Path, options: &Options) -> Result<bool, ExportError> {
    match world_of(reader) {
        Ok(world) => {
            let mut replayed = Replayed::new(&world);
            export_with(reader, path, options, &mut replayed)?;
            Ok(replayed.is_doubtful())
        }
        Err(_) => {
            export_with(reader, path, options, &mut Interpolated)?;
            Ok(false)
        }
    }
}

/// The contact events of a recording as a table for a `.csv` file.
pub fn contacts(reader: &Reader, path: &Path, options: &Options) -> Result<String, Error> {
    if path.extension().is_none_or(|ending| ending != "csv") {
        let path = path.display();
        let message = format!("contacts are written as a table: let the name {path} end in .csv");
        return Err(Error::Other(message));
    }
    let (from, to) = options.span(reader);
    let mut table =
        String::from("time_s,tick,what,body,partner,body_name,partner_name,impulse_Ns\n");
    let bodies = &reader.header().bodies;
    let quoted = |body: u32| format!("\"{}\"", bodies[body as usize].name.replace('"', "\"\""));
    for contact in reader.contacts_between(from, to.saturating_add(1))? {
        let [a, b] = contact.bodies;
        let seconds = record::seconds_between(0, contact.tick);
        let (tick, what) = (contact.tick, contact.touch.name());
        let (first, second, impulse) = (quoted(a), quoted(b), contact.impulse);
        // Writing to a string cannot fail.
        let _ = writeln!(
            table,
            "{seconds},{tick},{what},{a},{b},{first},{second},{impulse}"
        );
    }
    Ok(table)
}

/// Opens a recording and exports its motion: `.glb`, `.usda`, `.obj`, `.csv`, `.parquet` or `.mcap`.
pub fn file(recording: &Path, path: &Path, options: &Options) -> Result<(), Error> {
    let reader = Reader::open(recording)?;
    motion(&reader, path, options)?;
    Ok(())
}
