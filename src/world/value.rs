//! Values of a scene file, and how they are written: a world made in code is the scene file that says the same, so
//! that nothing can be said in one of them and not in the other.

use std::fmt::{self, Write};

/// A value of a scene.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A whole number.
    Whole(i64),
    /// Yes or no.
    Flag(bool),
    /// A text: a name, or an expression of parameters.
    Text(String),
    /// A list, or a vector.
    List(Vec<Value>),
    /// Keys and values.
    Table(Table),
}

/// Keys and values, in the order in which they were said.
pub type Table = Vec<(String, Value)>;

impl fmt::Display for Value {
    /// As TOML writes it inline. Numbers come back to the last bit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(x) if x.is_nan() => f.write_str("nan"),
            Value::Number(x) if x.is_infinite() => {
                f.write_str(if *x > 0.0 { "inf" } else { "-inf" })
            }
            // The shortest digits that give the number back.
            Value::Number(x) => write!(f, "{x:?}"),
            Value::Whole(n) => write!(f, "{n}"),
            Value::Flag(yes) => write!(f, "{yes}"),
            Value::Text(text) => quoted(text, f),
            Value::List(items) => {
                f.write_char('[')?;
                for (index, item) in items.iter().enumerate() {
                    let comma = if index == 0 { "" } else { ", " };
                    write!(f, "{comma}{item}")?;
                }
                f.write_char(']')
            }
            Value::Table(table) => {
                f.write_str("{ ")?;
                for (index, (key, value)) in table.iter().enumerate() {
                    let comma = if index == 0 { "" } else { ", " };
                    f.write_str(comma)?;
                    write_key(key, f)?;
                    write!(f, " = {value}")?;
                }
                f.write_str(" }")
            }
        }
    }
}

fn quoted(text: &str, f: &mut dyn Write) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            c if c.is_control() => write!(f, "\\u{:04X}", c as u32)?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

/// A key, in quotes where it has to be.
pub(super) fn write_key(key: &str, f: &mut dyn Write) -> fmt::Result {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    match !key.is_empty() && key.chars().all(is_bare) {
        true => f.write_str(key),
        false => quoted(key, f),
    }
}

impl From<f64> for Value {
    fn from(x: f64) -> Self {
        Value::Number(x)
    }
}

impl From<i32> for Value {
    fn from(n: i32) -> Self {
        Value::Whole(n.into())
    }
}

impl From<u32> for Value {
    fn from(n: u32) -> Self {
        Value::Whole(n.into())
    }
}

impl From<bool> for Value {
    fn from(yes: bool) -> Self {
        Value::Flag(yes)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::Text(text)
    }
}

impl From<physics::Vec3> for Value {
    fn from(v: physics::Vec3) -> Self {
        v.to_array().into()
    }
}

impl<V: Into<Value>, const N: usize> From<[V; N]> for Value {
    fn from(items: [V; N]) -> Self {
        Value::List(items.into_iter().map(Into::into).collect())
    }
}

impl<V: Into<Value>> From<Vec<V>> for Value {
    fn from(items: Vec<V>) -> Self {
        Value::List(items.into_iter().map(Into::into).collect())
    }
}

/// A table of a scene: `table([("columns", 20.into()), ("rows", 20.into())])`.
pub fn table<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Table(entries.into_iter().map(|(k, v)| (k.into(), v)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let value = table([
            ("x", 0.1.into()),
            ("tiny", 1.5e-300.into()),
            ("v", [1.0, -2.0, 1e22].into()),
            ("name", "a \"b\" \\ \n".into()),
            ("odd key", true.into()),
        ]);
        let text = format!("t = {value}");
        let read: toml::Table = text.parse().expect("TOML");
        let t = read["t"].as_table().expect("a table");
        assert_eq!(t["x"].as_float(), Some(0.1));
        assert_eq!(t["tiny"].as_float(), Some(1.5e-300));
        assert_eq!(t["v"][2].as_float(), Some(1e22));
        assert_eq!(t["name"].as_str(), Some("a \"b\" \\ \n"));
        assert_eq!(t["odd key"].as_bool(), Some(true));
    }
}
