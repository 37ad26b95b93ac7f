//! What the documentation shows is what the program prints, and one ending names a recording.
//!
//! A block of `text` right after a `console` block of one command is that command's output, some lines of
//! it left out: each line must be in it. `WARPLINE_WRITE_DOCS=1 cargo nextest run documentation::`
//! writes them anew.

use std::path::{Path, PathBuf};
use std::process::Command;

fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = std::fs::read_dir(root.join("docs")).expect("the book");
    let mut pages: Vec<PathBuf> = docs.map(|entry| entry.expect("a page").path()).collect();
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
