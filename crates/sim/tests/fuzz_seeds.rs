//! The seeds of the fuzz targets, and whatever they have found, through the same entry functions as under
//! the fuzzer: none may panic. `fuzz/README.md` tells how the fuzzers are run.

#[path = "../../../fuzz/src/entries.rs"]
mod entries;

use std::path::{Path, PathBuf};
use warpline_sim::scene::BUILTIN;

type Entry = fn(&[u8]);

const TARGETS: [(&str, Entry); 8] = [
    ("scene", entries::scene),
    ("world", entries::world),
    ("expression", entries::expression),
    ("recording", entries::recording),
    ("checkpoint", entries::checkpoint),
    ("session", entries::session),
    ("robot", entries::robot),
    ("parcel", entries::parcel),
];

fn seeds(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/seeds")
        .join(target)
}

#[test]
fn all_seeds_come_back() {
    for (name, entry) in TARGETS {
        let folder = std::fs::read_dir(seeds(name)).expect("seeds of every target");
        let mut files: Vec<PathBuf> = folder.map(|file| file.expect("a file").path()).collect();
        files.sort();
        assert!(files.len() >= 3, "{name} has only {} seeds", files.len());
        for file in files {
            println!("{}", file.display());
            entry(&std::fs::read(&file).expect("a readable seed"));
        }
    }
}

/// A seed that is refused at once leads a fuzzer nowhere.
#[test]
fn seeds_lead_behind_the_first_door() {
    for file in std::fs::read_dir(seeds("recording")).expect("seeds") {
        let path = file.expect("a file").path();
        if !path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("whole"))
        {
            continue;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let packed = folder.path().join("seed.wline");
        let bytes = entries::packed_recording(&std::fs::read(&path).expect("a seed"));
        std::fs::write(&packed, bytes).expect("a file");
        let reader = record::Reader::open(&packed).expect("a recording");
        assert!(!reader.header().bodies.is_empty(), "{}", path.display());
    }
}

/// Makes the seeds anew, for a change of a format: `--run-ignored only` with this test's name.
#[test]
#[ignore = "writes the seeds that are committed"]
fn write_seeds() {
    let write = |target: &str, name: &str, bytes: &[u8]| {
        let folder = seeds(target);
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join(name), bytes).expect("a file");
    };
    for builtin in BUILTIN.iter().filter(|b| b.text.len() < 3000) {
        write(
            "scene",
            &format!("{}.toml", builtin.name),
            builtin.text.as_bytes(),
        );
    }
    for (number, content) in entries::unpacked_checkpoints().iter().enumerate() {
        write("checkpoint", &format!("whole_{number}"), content);
    }
    for name in ["billiard", "cloth-catch", "stack"] {
        let builtin = warpline_sim::scene::builtin(name).expect("a built-in scene");
        let sets: &[&str] = match name {
            "cloth-catch" => &["side=4", "duration=0.05"],
            "stack" => &["until=0.005"],
            _ => &["until=0.05"],
        };
        let sets: Vec<_> = sets
            .iter()
            .map(|s| warpline_sim::scene::Override::parse(s).expect("a setting"))
            .collect();
        let world = warpline_sim::scene::load(name, builtin.text, &sets)
            .expect("a scene")
            .world;
        write("recording", &format!("whole_{name}"), &recorded(&world));
    }
}

/// A short recording of a world, unpacked.
fn recorded(world: &warpline_sim::World) -> Vec<u8> {
    struct Recorder(record::Writer);
    impl warpline_sim::History for Recorder {
        fn segment(&mut self, segment: &record::Segment<'_>) -> warpline_sim::Told {
            self.0
                .append(segment)
                .map_err(warpline_sim::HistoryError::new)
        }

        fn gvt(&mut self, tick: warp::Tick) -> warpline_sim::Told {
            self.0.gvt(tick.0);
            Ok(())
        }

        fn vertices(
            &mut self,
            deformable: u32,
            tick: warp::Tick,
            positions: &[[f64; 3]],
        ) -> warpline_sim::Told {
            let written = self.0.append_vertices(deformable, tick.0, positions);
            written.map_err(warpline_sim::HistoryError::new)
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("seed.wline");
    let body = |name: &str| record::Body {
        name: name.into(),
        kind: record::Kind::Dynamic,
        shapes: vec![record::ShapeAt::centred(record::Shape::Ball {
            radius: 0.1,
        })],
        color: None,
    };
    let deformables = world.deformables.iter().map(|d| body(&d.name));
    let header = record::Header {
        bodies: world
            .bodies
            .iter()
            .map(|b| body(&b.name))
            .chain(deformables)
            .collect(),
        ..record::Header::default()
    };
    let mut recorder = Recorder(record::Writer::create(&path, &header).expect("a file"));
    let ordered = warpline_sim::Algorithm::Ordered;
    warpline_sim::run(world, ordered, &mut recorder).expect("it ends");
    recorder.0.finish("{}").expect("written");
    entries::unpacked_recording(&std::fs::read(&path).expect("a file"))
}
