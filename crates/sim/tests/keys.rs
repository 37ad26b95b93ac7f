//! The table of keys, the reader and the schema say the same: every example is read, every default is what holds without the
//! key, every wrong value is refused, and the schema agrees with each of these verdicts.
//!
//! `WARPLINE_WRITE_DOCS=1 cargo nextest run keys::` writes the reference and the schema anew.

use record::HistoryHash;
use serde_json::Value as Json;
use std::path::Path;
use toml::{Table, Value};
use warpline_sim::scene::keys::{Default, Key, Kind, Range, Section, reference, schema, sections};
use warpline_sim::scene::{self, BUILTIN};
use warpline_sim::{Algorithm, run};

/// Files that examples name.
const FILES: [(&str, &str); 4] = [
    (
        "arm.xml",
        "<mujoco><worldbody><body name='arm'><joint name='elbow' type='hinge' axis='0 1 0'/><geom type='box' size='.1 .1 .5'/></body></worldbody><keyframe><key name='home' qpos='0.5'/></keyframe></mujoco>",
    ),
    (
        "tetrahedron.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
    ),
    (
        "sheet.obj",
        "v 0 0 0\nv 0.3 0 0\nv 0 0 0.3\nv 0.3 0 0.3\nf 1 3 2\nf 2 3 4\n",
    ),
    (
        "floor.obj",
        "v -1 -1 -1\nv 1 -1 -1\nv -1 -1 1\nv 1 -1 1\nf 1 3 2\nf 2 3 4\n",
    ),
];

/// A folder with the files that examples name.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in FILES {
        std::fs::write(folder.path().join(name), content).expect("a file");
    }
    folder
}

fn value(text: &str) -> Value {
    let table: Table = format!("value = {text}")
        .parse()
        .unwrap_or_else(|e| panic!("{text}: {e}"));
    table["value"].clone()
}

/// Steps down to the table at a path; tables are made where there are none.
fn at<'a>(root: &'a mut Value, path: &str) -> &'a mut Table {
    let mut here = root;
    for step in path.split('.').filter(|step| !step.is_empty()) {
        here = match here {
            Value::Array(items) => &mut items[step.parse::<usize>().expect("a number")],
            Value::Table(table) => table.entry(step).or_insert(Value::Table(Table::new())),
            _ => panic!("{path}: nothing below {step}"),
        };
    }
    here.as_table_mut().expect("a table")
}

/// The section's scene, with what the key needs beside it, and without the key itself.
fn without(section: &Section, key: &Key) -> Value {
    let table: Table = section.example.scene.parse().expect("a scene");
    let mut root = Value::Table(table);
    at(&mut root, section.example.at).remove(key.name);
    for beside in key.beside {
        if let Some(gone) = beside.strip_prefix('-') {
            at(&mut root, section.example.at).remove(gone);
            continue;
        }
        let (path, set) = beside.split_once(" = ").expect("KEY = VALUE");
        match path.strip_prefix('^') {
            Some(path) => {
                let (above, name) = path.rsplit_once('.').unwrap_or(("", path));
                at(&mut root, above).insert(name.into(), value(set));
            }
            None => {
                at(&mut root, section.example.at).insert(path.into(), value(set));
            }
        }
    }
    root
}

fn with(section: &Section, key: &Key, set: Value) -> Value {
    let mut root = without(section, key);
    at(&mut root, section.example.at).insert(key.name.into(), set);
    root
}

fn read(root: &Value, folder: &Path) -> Result<scene::Scene, String> {
    let text = toml::to_string(root).expect("TOML");
    let file = folder.join("scene.toml");
    scene::load(&file.to_string_lossy(), &text, &[]).map_err(|e| e.to_string())
}

fn hash(root: &Value, folder: &Path) -> String {
    let scene = read(root, folder).expect("a scene");
    let mut hash = HistoryHash::new();
    run(&scene.world, Algorithm::Ordered, &mut hash).expect("a run");
    hash.finish()
}

/// Whether a value is what a schema asks for; all of draft 7 that our schema uses.
fn fits(schema: &Json, root: &Json, value: &Json) -> bool {
    let Some(rules) = schema.as_object() else {
        return schema.as_bool() == Some(true);
    };
    rules.iter().all(|(rule, said)| match rule.as_str() {
        "$ref" => {
            let path = said.as_str().expect("a path").trim_start_matches('#');
            fits(root.pointer(path).expect("a definition"), root, value)
        }
        "type" => match said.as_str() {
            Some("object") => value.is_object(),
            Some("array") => value.is_array(),
            Some("string") => value.is_string(),
            Some("boolean") => value.is_boolean(),
            Some("number") => value.is_number(),
            Some("integer") => value.as_f64().is_some_and(|n| n.fract() == 0.0),
            other => panic!("type {other:?}"),
        },
        "properties" => {
            let own = value.as_object();
            own.is_none_or(|own| {
                own.iter().all(|(key, value)| {
                    said.get(key).is_none_or(|schema| fits(schema, root, value))
                })
            })
        }
        "additionalProperties" => {
            let known = &rules.get("properties");
            let is_more = |key: &str| known.is_none_or(|known| known.get(key).is_none());
            let own = value.as_object();
            own.is_none_or(|own| {
                let mut more = own.iter().filter(|(key, _)| is_more(key));
                more.all(|(_, value)| fits(said, root, value))
            })
        }
        "required" => {
            let keys = said.as_array().expect("a list");
            keys.iter().all(|key| {
                let key = key.as_str().expect("a name");
                value.as_object().is_none_or(|own| own.contains_key(key))
            })
        }
        "items" => {
            let items = value.as_array();
            items.is_none_or(|items| items.iter().all(|item| fits(said, root, item)))
        }
        "minItems" => value
            .as_array()
            .is_none_or(|i| i.len() as u64 >= said.as_u64().unwrap_or(0)),
        "maxItems" => value
            .as_array()
            .is_none_or(|i| i.len() as u64 <= said.as_u64().unwrap_or(0)),
        "enum" => said.as_array().expect("a list").contains(value),
        "pattern" => value.as_str().is_none_or(|text| text.starts_with('$')),
        "minimum" => value
            .as_f64()
            .is_none_or(|n| n >= said.as_f64().expect("a number")),
        "maximum" => value
            .as_f64()
            .is_none_or(|n| n <= said.as_f64().expect("a number")),
        "exclusiveMinimum" => value
            .as_f64()
            .is_none_or(|n| n > said.as_f64().expect("a number")),
        "anyOf" => {
            let any = said.as_array().expect("a list");
            any.iter().any(|schema| fits(schema, root, value))
        }
        "allOf" => {
            let all = said.as_array().expect("a list");
            all.iter().all(|schema| fits(schema, root, value))
        }
        "oneOf" => {
            let all = said.as_array().expect("a list");
            all.iter()
                .filter(|schema| fits(schema, root, value))
                .count()
                == 1
        }
        "$schema" | "title" | "description" | "default" | "examples" | "definitions" => true,
        other => panic!("the test does not know `{other}`"),
    })
}

/// Reader and schema, asked together.
struct Both {
    schema: Json,
    folder: tempfile::TempDir,
}

impl Both {
    fn new() -> Self {
        Both {
            schema: serde_json::from_str(&schema()).expect("JSON"),
            folder: folder(),
        }
    }

    fn schema_takes(&self, root: &Value) -> bool {
        let json = serde_json::to_value(root).expect("JSON");
        fits(&self.schema, &self.schema, &json)
    }
}

fn everything() -> impl Iterator<Item = (&'static Section, &'static Key)> {
    sections()
        .into_iter()
        .flat_map(|section| section.keys().map(move |key| (section, key)))
}

#[test]
fn every_example_is_read() {
    let both = Both::new();
    for (section, key) in everything() {
        let scene = with(section, key, value(key.example));
        let label = format!("`{}` of {}", key.name, section.id);
        if let Err(why) = read(&scene, both.folder.path()) {
            panic!("{label}: {why}");
        }
        assert!(both.schema_takes(&scene), "{label}: the schema refuses it");
    }
}

#[test]
fn every_default_is_what_holds_without_the_key() {
    let folder = folder();
    for (section, key) in everything() {
        let Default::Is(default) = key.default else {
            continue;
        };
        let bare = hash(&without(section, key), folder.path());
        let said = hash(&with(section, key, value(default)), folder.path());
        assert_eq!(
            bare, said,
            "`{}` of {} is not {default}",
            key.name, section.id
        );
    }
}

#[test]
fn what_is_needed_is_missed() {
    let both = Both::new();
    for (section, key) in everything() {
        if matches!(key.default, Default::Needed) {
            let scene = without(section, key);
            let label = format!("{} without `{}`", section.id, key.name);
            assert!(read(&scene, both.folder.path()).is_err(), "{label} is read");
            assert!(!both.schema_takes(&scene), "{label}: the schema takes it");
        }
    }
}

/// Values that a key of this kind does not take.
fn wrong(kind: &Kind) -> Vec<String> {
    let texts = |all: &[&str]| all.iter().map(|t| t.to_string()).collect();
    match kind {
        Kind::Number(Range::Any) => texts(&["true", "[]", "{}"]),
        Kind::Number(Range::Positive) => texts(&["true", "[]", "0", "-1"]),
        Kind::Number(Range::AtLeastZero) => texts(&["true", "[]", "-1"]),
        Kind::Number(Range::Between(low, high)) => {
            vec![
                "true".into(),
                format!("{}", low - 1.0),
                format!("{}", high + 1.0),
            ]
        }
        Kind::Whole(least, most) => {
            let mut wrong: Vec<String> = texts(&["true", "[]", "4.5"]);
            wrong.extend((*most < 1 << 40).then(|| (most + 1).to_string()));
            wrong.extend((*least > 0).then(|| (least - 1).to_string()));
            wrong
        }
        Kind::Vector => texts(&["3", "[1, 2]", "[1, 2, 3, 4]", "[true, 1, 2]"]),
        Kind::Text | Kind::Label => texts(&["3", "true", "[1]"]),
        Kind::Word(_) => texts(&["3", "\"nonsense\""]),
        Kind::Flag => texts(&["3", "\"yes\""]),
        Kind::Table(_) => texts(&["3", "[1]", "{ zzz = 1 }"]),
        Kind::List(_) => texts(&["true", "[true]"]),
        Kind::Exactly(_, _) => texts(&["true", "[]"]),
        Kind::Named(_) => texts(&["3", "[1]", "{ a = true }"]),
        Kind::Either(_) => texts(&["true"]),
    }
}

#[test]
fn every_wrong_value_is_refused() {
    let both = Both::new();
    for (section, key) in everything() {
        for wrong in wrong(&key.kind) {
            let scene = with(section, key, value(&wrong));
            let label = format!("`{} = {wrong}` of {}", key.name, section.id);
            assert!(read(&scene, both.folder.path()).is_err(), "{label} is read");
            assert!(!both.schema_takes(&scene), "{label}: the schema takes it");
        }
    }
}

#[test]
fn no_section_takes_a_key_that_is_not_its_own() {
    let both = Both::new();
    for section in sections() {
        let table: Table = section.example.scene.parse().expect("a scene");
        let mut root = Value::Table(table);
        assert!(both.schema_takes(&root), "{}: its own scene", section.id);
        at(&mut root, section.example.at).insert("zzz".into(), Value::Integer(1));
        let refused = read(&root, both.folder.path()).err().unwrap_or_default();
        assert!(refused.contains("zzz"), "{}: {refused}", section.id);
        assert!(
            !both.schema_takes(&root),
            "{}: the schema takes it",
            section.id
        );
    }
}

#[test]
fn built_in_scenes_are_what_the_schema_asks_for() {
    let both = Both::new();
    for scene in BUILTIN {
        let table: Table = scene.text.parse().expect("TOML");
        assert!(both.schema_takes(&Value::Table(table)), "{}", scene.name);
    }
}

#[test]
fn the_reference_and_the_schema_of_the_book_are_current() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for (name, now) in [
        ("reference.md", reference()),
        ("scene.schema.json", schema()),
    ] {
        let path = book.join(name);
        if std::env::var_os("WARPLINE_WRITE_DOCS").is_some() {
            std::fs::write(&path, &now).expect("a page that can be written");
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == now,
            "docs/{name} is not what the table of keys says: run with WARPLINE_WRITE_DOCS=1 to renew it"
        );
    }
}
