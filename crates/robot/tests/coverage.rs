//! Every element and attribute of every model is in one of the lists: used, approximated, ignored.
//! The number of entries is counted again by a parser that knows nothing of the formats.

use std::path::{Path, PathBuf};
use warpline_robot::{Options, Verdict, load};

fn models(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            models(&path, out);
        } else if path.extension().is_some_and(|e| e == "xml" || e == "urdf") {
            out.push(path);
        }
    }
}

/// Elements and attributes of a file, without what it includes.
fn count(path: &Path) -> (usize, String) {
    let text = std::fs::read_to_string(path).expect("text");
    let document = roxmltree::Document::parse(&text).expect("XML");
    let elements = document.descendants().filter(|n| n.is_element());
    let count = elements.map(|e| 1 + e.attributes().count()).sum();
    (count, document.root_element().tag_name().name().to_string())
}

fn check(folder: &Path) {
    let mut files = Vec::new();
    models(folder, &mut files);
    files.sort();
    let mut totals = [0; 3];
    let mut read = 0;
    for path in files {
        let (own, root) = count(&path);
        if root == "package"
            || root == "mujocoinclude"
            || path.components().any(|c| c.as_os_str() == "common")
        {
            continue;
        }
        let robot = load(&path, &Options::default()).unwrap_or_else(|e| panic!("{e}"));
        let name = path.display().to_string();
        let listed = robot
            .coverage
            .entries
            .iter()
            .filter(|e| e.file == name)
            .count();
        assert_eq!(listed, own, "{name}");
        assert!(
            robot
                .coverage
                .entries
                .iter()
                .all(|e| e.verdict == Verdict::Used || !e.why.is_empty())
        );
        for (k, v) in [Verdict::Used, Verdict::Approximated, Verdict::Ignored]
            .into_iter()
            .enumerate()
        {
            totals[k] += robot.coverage.count(v);
        }
        read += 1;
    }
    println!(
        "{read} files: {} used, {} approximated, {} ignored",
        totals[0], totals[1], totals[2]
    );
    assert!(read > 0);
}

#[test]
fn the_models_of_the_repository_are_covered() {
    check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models"));
}

#[test]
fn all_given_models_are_covered() {
    match std::env::var_os("WARPLINE_ROBOTS") {
        Some(folder) => check(Path::new(&folder)),
        None => println!("skipped: WARPLINE_ROBOTS names no folder"),
    }
}
