//! The keys as a page of the book.

use super::{Default, Key, Kind, Range, Section, sections};
use std::fmt::Write;

/// The reference of scene files, in Markdown.
pub fn reference() -> String {
    let mut page = String::from(
        "# Reference of scenes\n\n\
         Every key of a scene file. This page is printed by `warpline schema --reference` from the table that the program reads \
         scenes with; `warpline schema` prints the same as a JSON schema for editors (`docs/scene.schema.json`). \
         [Scenes](scenes.md) explains the keys with whole scenes.\n\n\
         A **number** may be written as such or as an expression in quotes: `2.5`, `\"2 * $balls / 3\"`. A **label** is a text in which \
         `$i` stands for the value of a parameter or index, and `$($i + 1)` for that of an expression. A **vector** is three numbers, \
         `[x, y, z]`. An editor with taplo (VS Code: \"Even Better TOML\") completes, explains and checks a scene whose first line is\n\n\
         ```text\n\
         #:schema ./scene.schema.json\n\
         ```\n\n\
         with the file that `warpline schema > scene.schema.json` writes.\n",
    );
    let mut shown = Vec::new();
    for section in sections() {
        let _ = write!(page, "\n## {}\n\n{}\n\n", heading(section), section.about);
        page += "| key | value | without it | what it is | example |\n|---|---|---|---|---|\n";
        for key in section.keys() {
            page += &row(key);
        }
        let scene = section.example.scene;
        if !shown.contains(&scene) {
            let _ = write!(page, "\n```toml{scene}```\n");
            shown.push(scene);
        }
    }
    page
}

/// The heading of a section; links to it are made from its letters.
fn heading(section: &Section) -> String {
    let what = section.what;
    let mut letters = what.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    let name = format!("{}{}", first.unwrap_or_default(), letters.as_str());
    format!("{name}: {}", section.written)
}

fn row(key: &Key) -> String {
    let unit = match key.unit {
        "" => String::new(),
        unit => format!(", {unit}"),
    };
    let default = match key.default {
        Default::Needed => "needed".into(),
        Default::Is(default) => format!("`{default}`"),
        Default::Says(words) => words.to_string(),
    };
    let example = format!("`{} = {}`", key.name, key.example);
    let cells = [
        format!("`{}`", key.name),
        format!("{}{unit}", kind(&key.kind)),
        default,
        key.about.into(),
        example,
    ];
    let cells = cells.map(|cell| cell.replace('|', "\\|"));
    format!("| {} |\n", cells.join(" | "))
}

fn kind(kind: &Kind) -> String {
    match kind {
        Kind::Number(Range::Any) => "number".into(),
        Kind::Number(Range::Positive) => "number above 0".into(),
        Kind::Number(Range::AtLeastZero) => "number, 0 or above".into(),
        Kind::Number(Range::Between(low, high)) => format!("number from {low} to {high}"),
        Kind::Whole(least, most) if *most >= u64::from(u32::MAX) => {
            format!("whole number from {least}")
        }
        Kind::Whole(least, most) => format!("whole number from {least} to {most}"),
        Kind::Vector => "vector".into(),
        Kind::Text => "text".into(),
        Kind::Label => "label".into(),
        Kind::Word(words) => {
            let words: Vec<String> = words.iter().map(|w| format!("`\"{w}\"`")).collect();
            words.join(", ")
        }
        Kind::Flag => "`true` or `false`".into(),
        Kind::Table(section) => {
            format!("table: [{}](#{})", section.what, anchor(&heading(section)))
        }
        Kind::List(item) => format!("list of: {}", self::kind(item)),
        Kind::Exactly(count, item) => format!("list of {count}: {}", self::kind(item)),
        Kind::Named(item) => format!("by name: {}", self::kind(item)),
        Kind::Either(kinds) => {
            let kinds: Vec<String> = kinds.iter().map(self::kind).collect();
            kinds.join(", or ")
        }
    }
}

/// The anchor that readers of Markdown give a heading: small letters, digits and hyphens.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase();
    let kept = kept.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
        _ => None,
    });
    kept.collect()
}
