//! The triangles of a glTF 2.0 file: all meshes of its scene, placed by their nodes. Of the format only what a surface
//! needs is read: positions and indices, in the file, in `data:` or in a file beside it.

use super::mesh_files::Surface;
use physics::{Pose, Quat, Vec3};
use serde_json::Value;

/// Nodes may be nested so deep.
const DEPTH_MAX: u32 = 64;
/// Corners and indices of one part at most.
const COUNT_MAX: usize = 16_000_000;

type Read<T> = Result<T, String>;

/// Reads a `.gltf` or `.glb` file's content.
pub(super) fn read(content: &[u8], beside: &dyn Fn(&str) -> Read<Vec<u8>>) -> Read<Surface> {
    let (json, binary) = chunks(content)?;
    let root: Value = serde_json::from_slice(json).map_err(|e| format!("is not glTF: {e}"))?;
    let mut buffers = Vec::new();
    for (index, buffer) in list(&root, "buffers").iter().enumerate() {
        buffers.push(match buffer["uri"].as_str() {
            None if index == 0 => binary.to_vec(),
            None => return Err(format!("names no content for its buffer {index}")),
            Some(uri) => match uri.split_once(";base64,") {
                Some((_, text)) => base64(text).ok_or("holds data that is not base64")?,
                None => beside(uri)?,
            },
        });
    }
    let file = File { root, buffers };
    let mut surface = Surface::default();
    let scene = file.root["scene"].as_u64().unwrap_or(0) as usize;
    let roots = list(&file.root, "scenes").get(scene);
    match roots.and_then(|scene| scene["nodes"].as_array()) {
        Some(nodes) => {
            for node in nodes {
                file.node(node, Placed::default(), 0, &mut surface)?;
            }
        }
        // A file may have meshes and no scene.
        None => {
            for mesh in 0..list(&file.root, "meshes").len() {
                file.mesh(mesh, Placed::default(), &mut surface)?;
            }
        }
    }
    Ok(surface)
}

/// The JSON and the binary part of a file.
fn chunks(content: &[u8]) -> Read<(&[u8], &[u8])> {
    if !content.starts_with(b"glTF") {
        return Ok((content, &[]));
    }
    let (mut json, mut binary): (&[u8], &[u8]) = (&[], &[]);
    let mut rest = content.get(12..).unwrap_or_default();
    while let Some((head, after)) = rest.split_first_chunk::<8>() {
        let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let Some(chunk) = after.get(..length) else {
            return Err("ends in the middle of a part".into());
        };
        match &head[4..] {
            b"JSON" => json = chunk,
            b"BIN\0" => binary = chunk,
            _ => {}
        }
        rest = &after[length..];
    }
    Ok((json, binary))
}

/// Where a node is: a point goes to `columns · point + origin`.
#[derive(Clone, Copy)]
struct Placed {
    columns: [Vec3; 3],
    origin: Vec3,
}

impl Default for Placed {
    fn default() -> Self {
        Placed {
            columns: [Vec3::X, Vec3::Y, Vec3::Z],
            origin: Vec3::ZERO,
        }
    }
}

impl Placed {
    fn turned(&self, v: Vec3) -> Vec3 {
        self.columns[0] * v.x + self.columns[1] * v.y + self.columns[2] * v.z
    }

    fn then(&self, inner: &Placed) -> Placed {
        Placed {
            columns: inner.columns.map(|column| self.turned(column)),
            origin: self.turned(inner.origin) + self.origin,
        }
    }

    /// Whether it turns surfaces inside out.
    fn mirrors(&self) -> bool {
        self.columns[0].cross(self.columns[1]).dot(self.columns[2]) < 0.0
    }

    fn of(node: &Value) -> Read<Placed> {
        if let Some(m) = numbers::<16>(&node["matrix"])? {
            let column = |i: usize| Vec3::new(m[4 * i], m[4 * i + 1], m[4 * i + 2]);
            return Ok(Placed {
                columns: [column(0), column(1), column(2)],
                origin: column(3),
            });
        }
        let at = numbers::<3>(&node["translation"])?.unwrap_or([0.0; 3]);
        let turn = numbers::<4>(&node["rotation"])?.unwrap_or([0.0, 0.0, 0.0, 1.0]);
        let scale = numbers::<3>(&node["scale"])?.unwrap_or([1.0; 3]);
        let turn = Quat::from_array(turn);
        let turn = match turn.length() > 1e-9 {
            true => turn.normalize(),
            false => Quat::IDENTITY,
        };
        let pose = Pose::from_parts(Vec3::from_array(at), turn);
        Ok(Placed {
            columns: [Vec3::X * scale[0], Vec3::Y * scale[1], Vec3::Z * scale[2]]
                .map(|axis| pose.rotation * axis),
            origin: pose.translation,
        })
    }
}

struct File {
    root: Value,
    buffers: Vec<Vec<u8>>,
}

impl File {
    fn node(&self, number: &Value, above: Placed, depth: u32, out: &mut Surface) -> Read<()> {
        if depth > DEPTH_MAX {
            return Err(format!("has nodes that are nested deeper than {DEPTH_MAX}"));
        }
        let number = number.as_u64().map(|n| n as usize);
        let node = number.and_then(|n| list(&self.root, "nodes").get(n));
        let node = node.ok_or("refers to a node that does not exist")?;
        let placed = above.then(&Placed::of(node)?);
        if let Some(mesh) = node["mesh"].as_u64() {
            self.mesh(mesh as usize, placed, out)?;
        }
        for child in list(node, "children") {
            self.node(child, placed, depth + 1, out)?;
        }
        Ok(())
    }

    fn mesh(&self, number: usize, placed: Placed, out: &mut Surface) -> Read<()> {
        let mesh = list(&self.root, "meshes").get(number);
        let mesh = mesh.ok_or("refers to a mesh that does not exist")?;
        for part in list(mesh, "primitives") {
            if part["mode"].as_u64().unwrap_or(4) != 4 {
                return Err("has lines, points or strips; expected triangles".into());
            }
            let corners = self.accessor(&part["attributes"]["POSITION"], 3)?;
            let corners = corners.as_chunks::<3>().0;
            let count = corners.len();
            let indices: Vec<u32> = match &part["indices"] {
                Value::Null => (0..count as u32).collect(),
                given => {
                    let indices = self.accessor(given, 1)?;
                    indices.into_iter().map(|i| i as u32).collect()
                }
            };
            if indices.iter().any(|i| *i as usize >= count) {
                return Err("has a triangle whose corner does not exist".into());
            }
            let from = out.vertices.len() as u32;
            let place = |v: &[f64; 3]| placed.turned(Vec3::from_array(*v)) + placed.origin;
            out.vertices.extend(corners.iter().map(place));
            for &[a, b, c] in indices.as_chunks::<3>().0 {
                let triangle = match placed.mirrors() {
                    true => [a, c, b],
                    false => [a, b, c],
                };
                out.triangles.push(triangle.map(|i| from + i));
            }
            if out.triangles.len() > COUNT_MAX {
                return Err("has more triangles than can be read".into());
            }
        }
        Ok(())
    }

    /// The numbers of an accessor, `width` for each element.
    fn accessor(&self, number: &Value, width: usize) -> Read<Vec<f64>> {
        let wrong = || "refers to data that does not exist".to_string();
        let find = |key: &str, number: &Value| {
            let index = number.as_u64()? as usize;
            list(&self.root, key).get(index)
        };
        let accessor = find("accessors", number).ok_or_else(wrong)?;
        let view = find("bufferViews", &accessor["bufferView"])
            .ok_or("holds compressed or sparse data, which is not read: export it without")?;
        let whole = |value: &Value| value.as_u64().unwrap_or(0) as usize;
        let (size, number): (usize, fn(&[u8]) -> f64) = match accessor["componentType"].as_u64() {
            Some(5121) => (1, |b| f64::from(b[0])),
            Some(5123) => (2, |b| f64::from(u16::from_le_bytes([b[0], b[1]]))),
            Some(5125) => (4, |b| {
                f64::from(u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            }),
            Some(5126) => (4, |b| {
                f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            }),
            _ => return Err("has numbers of a kind that is not read".into()),
        };
        let count = whole(&accessor["count"]);
        if count > COUNT_MAX {
            return Err(format!(
                "has a part of {count} elements; at most {COUNT_MAX} are read"
            ));
        }
        let buffer = self.buffers.get(whole(&view["buffer"])).ok_or_else(wrong)?;
        let stride = match whole(&view["byteStride"]) {
            0 => width * size,
            stride => stride,
        };
        let start = whole(&view["byteOffset"]).checked_add(whole(&accessor["byteOffset"]));
        let start = start.ok_or_else(wrong)?;
        let mut out = Vec::with_capacity(count * width);
        for element in 0..count {
            for component in 0..width {
                let at = element
                    .checked_mul(stride)
                    .and_then(|at| at.checked_add(start + component * size))
                    .ok_or_else(wrong)?;
                let bytes = at.checked_add(size).and_then(|end| buffer.get(at..end));
                out.push(number(bytes.ok_or("ends before its data does")?));
            }
        }
        Ok(out)
    }
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

/// So many numbers, if they are there.
fn numbers<const N: usize>(value: &Value) -> Read<Option<[f64; N]>> {
    let Some(items) = value.as_array() else {
        return Ok(None);
    };
    let numbers: Option<Vec<f64>> = items.iter().map(Value::as_f64).collect();
    match numbers.and_then(|numbers| <[f64; N]>::try_from(numbers).ok()) {
        Some(numbers) => Ok(Some(numbers)),
        None => Err(format!("has a place that is not {N} numbers")),
    }
}

/// What a text in base64 stands for.
fn base64(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut held) = (0_u32, 0);
    for byte in text.trim_end_matches('=').bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(digit);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    Some(out)
}
