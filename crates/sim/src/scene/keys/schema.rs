//! The keys as a JSON schema (draft 7), which editors read to complete, explain and check scenes.

use super::{Default, Key, Kind, Range, SCENE, SHAPE, SHAPE_KINDS, Section, sections};
use serde_json::{Map, Value, json};

/// The schema of scene files.
pub fn schema() -> String {
    let mut root = table(&SCENE);
    let definitions = sections().into_iter().skip(1);
    let definitions: Map<String, Value> = definitions
        .map(|section| (section.id.to_string(), Value::Object(table(section))))
        .collect();
    root.insert(
        "$schema".into(),
        json!("http://json-schema.org/draft-07/schema#"),
    );
    root.insert("title".into(), json!("A scene of Warpline"));
    root.insert("definitions".into(), Value::Object(definitions));
    // Only strings, numbers and maps with names: it can be written.
    let text = serde_json::to_string_pretty(&Value::Object(root)).unwrap_or_default();
    text + "\n"
}

fn table(section: &Section) -> Map<String, Value> {
    let properties: Map<String, Value> = section
        .keys()
        .map(|key| (key.name.to_string(), property(key)))
        .collect();
    let needed = section
        .keys()
        .filter(|key| matches!(key.default, Default::Needed));
    let needed: Vec<&str> = needed.map(|key| key.name).collect();
    let mut table = Map::new();
    table.insert("type".into(), json!("object"));
    table.insert("description".into(), json!(section.about));
    table.insert("properties".into(), Value::Object(properties));
    table.insert("additionalProperties".into(), json!(false));
    if !needed.is_empty() {
        table.insert("required".into(), json!(needed));
    }
    if section.id == SHAPE.id {
        let one: Vec<Value> = SHAPE_KINDS
            .iter()
            .map(|k| json!({ "required": [k] }))
            .collect();
        table.insert("oneOf".into(), json!(one));
    }
    table
}

fn property(key: &Key) -> Value {
    let Value::Object(mut schema) = value(&key.kind) else {
        return json!(true);
    };
    let about = match (key.about, key.unit) {
        (about, "") => about.to_string(),
        (about, unit) => format!("{about} ({unit})"),
    };
    let (about, default) = match key.default {
        Default::Needed | Default::Says("") => (about, None),
        Default::Is(default) => (about, as_json(default)),
        Default::Says(words) => (format!("{about}. Without it: {words}"), None),
    };
    // Beside a reference draft 7 reads nothing: the reference goes into a list of one.
    if let Some(reference) = schema.remove("$ref") {
        schema.insert("allOf".into(), json!([{ "$ref": reference }]));
    }
    schema.insert("description".into(), json!(about));
    if let Some(default) = default {
        schema.insert("default".into(), default);
    }
    if let Some(example) = as_json(key.example) {
        schema.insert("examples".into(), json!([example]));
    }
    Value::Object(schema)
}

/// A value in TOML as JSON.
fn as_json(toml: &str) -> Option<Value> {
    let table: toml::Table = format!("value = {toml}").parse().ok()?;
    serde_json::to_value(table.get("value")?).ok()
}

fn value(kind: &Kind) -> Value {
    match kind {
        Kind::Number(range) => number(range),
        Kind::Whole(least, most) => {
            json!({ "anyOf": [{ "type": "integer", "minimum": least, "maximum": most }, expression()] })
        }
        Kind::Vector => value(&Kind::Exactly(3, &Kind::Number(Range::Any))),
        Kind::Text | Kind::Label => json!({ "type": "string" }),
        Kind::Word(words) => {
            json!({ "anyOf": [{ "enum": words }, { "type": "string", "pattern": "^\\$" }] })
        }
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Table(section) => json!({ "$ref": format!("#/definitions/{}", section.id) }),
        Kind::List(item) => json!({ "type": "array", "items": value(item) }),
        Kind::Exactly(count, item) => {
            json!({ "type": "array", "items": value(item), "minItems": count, "maxItems": count })
        }
        Kind::Named(item) => json!({ "type": "object", "additionalProperties": value(item) }),
        Kind::Either(kinds) => {
            let kinds: Vec<Value> = kinds.iter().map(value).collect();
            json!({ "anyOf": kinds })
        }
    }
}

fn number(range: &Range) -> Value {
    let mut number = json!({ "type": "number" });
    match range {
        Range::Any => {}
        Range::Positive => number["exclusiveMinimum"] = json!(0),
        Range::AtLeastZero => number["minimum"] = json!(0),
        Range::Between(low, high) => {
            number["minimum"] = json!(low);
            number["maximum"] = json!(high);
        }
    }
    json!({ "anyOf": [number, expression()] })
}

/// An expression in quotes, which the reader evaluates.
fn expression() -> Value {
    json!({ "type": "string" })
}
