//! What the documentation shows is what the program prints, and one ending names a recording.
//!
//! A block of `text` right after a `console` block of one command is that command's output, some lines of
//! it left out: each line must be in it. `WARPLINE_WRITE_DOCS=1 cargo nextest run documentation::`
//! writes them anew.

use std::path::{Path, PathBuf};
use std::process::Command;
use warpline::sim::scene::{self, Override};
use warpline::sim::{Algorithm, Discard, run};

fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = Vec::new();
    for folder in ["docs", "docs/papers", "docs/notes"] {
        let docs = std::fs::read_dir(root.join(folder)).expect("the book");
        pages.extend(docs.map(|entry| entry.expect("a page").path()));
    }
    pages.retain(|page| page.extension().is_some_and(|e| e == "md"));
    pages.push(root.join("README.md"));
    pages.sort();
    pages
}

fn output(command: &str) -> Vec<String> {
    let mut words = command.split_whitespace();
    assert_eq!(words.next(), Some("warpline"), "{command}");
    let ran = Command::new(env!("CARGO_BIN_EXE_warpline"))
        .args(words)
        .output()
        .expect("the command starts");
    assert!(ran.status.success(), "{command}");
    let text = String::from_utf8(ran.stdout).expect("text");
    text.lines().map(str::to_string).collect()
}

/// What a line of a table is about: all before two spaces.
fn label(line: &str) -> &str {
    let start = line.len() - line.trim_start().len();
    let end = line[start..].find("  ").map_or(line.len(), |at| start + at);
    line[..end].trim_end()
}

/// The page with the outputs of its commands as they are now.
fn renewed(page: &str) -> String {
    let mut lines = page.lines().peekable();
    let mut out = Vec::new();
    let mut commands: Vec<&str> = Vec::new();
    while let Some(line) = lines.next() {
        out.push(line.to_string());
        if line == "```console" {
            commands.clear();
            for line in lines.by_ref() {
                out.push(line.to_string());
                match line.strip_prefix("$ ") {
                    Some(command) => commands.push(command),
                    None => break,
                }
            }
        } else if line == "```text" && commands.len() == 1 {
            let now = output(commands[0]);
            for line in lines.by_ref() {
                let same = now.iter().find(|own| label(own) == label(line));
                out.push(same.cloned().unwrap_or_else(|| line.to_string()));
                if line == "```" {
                    break;
                }
            }
            commands.clear();
        } else if line.starts_with('#') {
            commands.clear();
        }
    }
    out.join("\n") + "\n"
}

#[test]
fn shown_output_is_what_the_program_prints() {
    let write = std::env::var_os("WARPLINE_WRITE_DOCS").is_some();
    for path in pages() {
        let page = std::fs::read_to_string(&path).expect("a readable page");
        let now = renewed(&page);
        if write && now != page {
            std::fs::write(&path, now).expect("a page that can be written");
            continue;
        }
        for (old, new) in page.lines().zip(now.lines()) {
            let page = path.display();
            assert_eq!(
                old, new,
                "{page}: run with WARPLINE_WRITE_DOCS=1 to renew it"
            );
        }
    }
}

#[test]
fn recordings_have_one_ending() {
    for path in pages() {
        let page = std::fs::read_to_string(&path).expect("a readable page");
        for line in page.lines().filter(|line| line.contains("--record ")) {
            let name = line.split("--record ").nth(1).unwrap_or_default();
            let name = name.split([' ', '`']).next().unwrap_or_default();
            let fits = name.ends_with(".wline") || name == "FILE";
            assert!(fits, "{}: {line}", path.display());
        }
    }
}

/// The texts between fences of one language.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let fence = format!("```{language}\n");
    let parts = page.split(&fence).skip(1);
    parts.filter_map(|part| part.split("```").next()).collect()
}

#[test]
fn scenes_of_the_book_are_read_and_run() {
    let mut count = 0;
    for path in pages() {
        let page = std::fs::read_to_string(&path).expect("a readable page");
        for text in blocks(&page, "toml") {
            // Pieces of a scene, and scenes that need files beside them, are not whole.
            let needs_file = [".obj\"", ".xml\"", ".urdf\""];
            let needs_file = needs_file.iter().any(|ending| text.contains(ending));
            if !text.contains("name =") || !text.contains("until =") || needs_file {
                continue;
            }
            let place = path.display();
            let short = Override::option("--until", "until", "0.05");
            let scene = scene::load("page.toml", text, &[short]);
            let world = scene
                .unwrap_or_else(|e| panic!("{place}: {e}\n{text}"))
                .world;
            let ran = run(&world, Algorithm::Ordered, &mut Discard);
            assert!(ran.is_ok(), "{place}: {:?}\n{text}", ran.err());
            count += 1;
        }
    }
    assert!(count > 30, "the book has {count} scenes");
}

#[test]
fn every_page_is_in_the_contents_and_every_link_leads_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let contents = std::fs::read_to_string(root.join("docs/SUMMARY.md")).expect("the contents");
    for path in pages() {
        let book = root.join("docs");
        if let Ok(inside) = path.strip_prefix(&book) {
            let link = format!("({})", inside.display());
            let is_there = contents.contains(&link) || inside == Path::new("SUMMARY.md");
            assert!(is_there, "{} is not in the contents", inside.display());
        }
        let page = std::fs::read_to_string(&path).expect("a readable page");
        let folder = path.parent().expect("a folder");
        for rest in page.split("](").skip(1) {
            let target = rest.split([')', '#', ' ']).next().unwrap_or_default();
            let is_file = !target.is_empty() && !target.contains("://") && !target.contains('`');
            let is_file = is_file && rest.split(')').next().is_some_and(|t| !t.contains('\n'));
            assert!(
                !is_file || folder.join(target).exists(),
                "{}: no {target}",
                path.display()
            );
        }
    }
}

#[test]
fn chapters_of_papers_lead_to_code_that_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    for path in pages() {
        let page = std::fs::read_to_string(&path).expect("a readable page");
        if !path.starts_with(root.join("docs/papers")) {
            continue;
        }
        for name in page.split('`').filter(|word| word.starts_with("crates/")) {
            assert!(root.join(name).exists(), "{}: no {name}", path.display());
            count += 1;
        }
    }
    assert!(count > 20, "{count} names");
}
