//! The binary part of a glTF file: accessors over one buffer, and the container around it.

use super::tessellate::Surface;
use serde_json::{Value, json};

const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// What numbers are for: the format wants bounds for some and a binding for others.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Target {
    /// Vertex positions: bounds and a binding.
    Positions,
    /// Other vertex attributes: a binding.
    Attributes,
    /// Key times: bounds.
    Times,
    /// Key values.
    Keys,
}

/// Bytes and the accessors that describe them.
#[derive(Default)]
pub(crate) struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    /// A primitive with positions, normals and triangles.
    pub(crate) fn surface(&mut self, surface: &Surface) -> Value {
        let positions = self.numbers(&narrow(&surface.positions), 3, Target::Positions);
        let normals = self.numbers(&narrow(&surface.normals), 3, Target::Attributes);
        json!({
            "attributes": { "POSITION": positions, "NORMAL": normals },
            "indices": self.indices(&surface.indices),
        })
    }

    /// A morph target from one surface to another with as many vertices.
    pub(crate) fn difference(&mut self, from: &Surface, to: &Surface) -> Value {
        let less = |a: &[[f64; 3]], b: &[[f64; 3]]| -> Vec<f32> {
            a.iter()
                .flatten()
                .zip(b.iter().flatten())
                .map(|(a, b)| (b - a) as f32)
                .collect()
        };
        let positions = less(&from.positions, &to.positions);
        let normals = less(&from.normals, &to.normals);
        json!({
            "POSITION": self.numbers(&positions, 3, Target::Positions),
            "NORMAL": self.numbers(&normals, 3, Target::Attributes),
        })
    }

    /// An accessor over vectors of `width` numbers.
    pub(crate) fn numbers(&mut self, values: &[f32], width: usize, target: Target) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        let binding = matches!(target, Target::Positions | Target::Attributes);
        let view = self.view(&bytes, binding.then_some(ARRAY_BUFFER));
        let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"][width - 1];
        let mut accessor = json!({
            "bufferView": view, "componentType": FLOAT, "count": values.len() / width, "type": kind
        });
        if matches!(target, Target::Positions | Target::Times) {
            let bound = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
                let column = |i| values.iter().skip(i).step_by(width).copied().reduce(pick);
                (0..width).map(|i| column(i).unwrap_or(0.0)).collect()
            };
            accessor["min"] = json!(bound(f32::min));
            accessor["max"] = json!(bound(f32::max));
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn indices(&mut self, indices: &[u32]) -> usize {
        let bytes: Vec<u8> = indices.iter().flat_map(|i| i.to_le_bytes()).collect();
        let view = self.view(&bytes, Some(ELEMENT_ARRAY_BUFFER));
        self.accessors.push(json!({
            "bufferView": view, "componentType": UNSIGNED_INT, "count": indices.len(), "type": "SCALAR"
        }));
        self.accessors.len() - 1
    }

    fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        let mut view =
            json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.bytes.extend_from_slice(bytes);
        self.views.push(view);
        self.views.len() - 1
    }

    /// The whole file around `json`; `None` if it would pass the container's 4 GiB.
    pub(crate) fn file(self, mut json: Value) -> Option<Vec<u8>> {
        if !self.bytes.is_empty() {
            json["buffers"] = json!([{ "byteLength": self.bytes.len() }]);
            json["bufferViews"] = json!(self.views);
            json["accessors"] = json!(self.accessors);
        }
        let mut text = json.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let length = 12 + 8 + text.len() + 8 + self.bytes.len();
        let mut out = Vec::with_capacity(length);
        out.extend_from_slice(b"glTF");
        out.extend_from_slice(&2u32.to_le_bytes());
        let with_bytes = if self.bytes.is_empty() {
            length - 8
        } else {
            length
        };
        out.extend_from_slice(&u32::try_from(with_bytes).ok()?.to_le_bytes());
        for (name, chunk) in [(b"JSON", &text), (b"BIN\0", &self.bytes)] {
            if !chunk.is_empty() {
                out.extend_from_slice(&u32::try_from(chunk.len()).ok()?.to_le_bytes());
                out.extend_from_slice(name);
                out.extend_from_slice(chunk);
            }
        }
        Some(out)
    }
}

fn narrow(vectors: &[[f64; 3]]) -> Vec<f32> {
    vectors.iter().flatten().map(|x| *x as f32).collect()
}
