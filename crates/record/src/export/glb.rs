//! Animated glTF 2.0 in one binary file: a node for each body, each with its own key times; nodes of links are children
//! of those they hang on.
//! Deformables become morph targets, one a frame, evenly thinned to at most [`MAX_TARGETS`].

use super::buffer::{Buffer, Target};
use super::extent::Extent;
use super::keys::{self, Key};
use super::links::Hierarchy;
use super::tessellate::{Surface, smooth, tessellate};
use super::{Evaluator, Options, colour, seconds_f32, upright};
use crate::error::Result;
use crate::model::{Body, Shape, ShapeAt};
use crate::reader::Reader;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Morph targets of one deformable; its weights take the square of this.
const MAX_TARGETS: usize = 240;

/// The whole file; `None` if it would pass the format's 4 GiB.
pub(crate) fn build(
    reader: &Reader,
    options: &Options,
    evaluator: &mut dyn Evaluator,
) -> Result<Option<Vec<u8>>> {
    let mut scene = Scene::default();
    let keys = keys::all_bodies(reader, options, evaluator)?;
    let start = options.span(reader).0;
    let bodies = &reader.header().bodies;
    let bodies = Extent::of(bodies, &keys).bounded(bodies, &keys);
    let hierarchy = Hierarchy::of(reader.header());
    let keys = hierarchy.local(&keys);
    for (index, (body, keys)) in bodies.iter().zip(&keys).enumerate() {
        let material = scene.material(colour(index, body));
        let ticks = keys::vertex_ticks(reader, index as u32, options);
        match deforming_mesh(body).filter(|_| !ticks.is_empty()) {
            Some(mesh) => {
                let process = (index as u32, body);
                scene.deformable(reader, process, mesh, material, (ticks, start))?;
            }
            None => scene.rigid((index, body), keys, material, start),
        }
    }
    scene.hang(&hierarchy);
    Ok(scene.finish(reader))
}

fn deforming_mesh(body: &Body) -> Option<&[[u32; 3]]> {
    match &body.shapes.first()?.shape {
        Shape::Mesh { triangles, .. } => Some(triangles),
        _ => None,
    }
}

/// What the JSON part will say, gathered body by body.
#[derive(Default)]
struct Scene {
    buffer: Buffer,
    nodes: Vec<Value>,
    roots: Vec<usize>,
    /// The nodes of bodies, by body.
    node_of: BTreeMap<usize, usize>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    samplers: Vec<Value>,
    channels: Vec<Value>,
    /// Meshes by shape and material, materials by colour: equal ones are stored once.
    mesh_of: BTreeMap<(String, usize), usize>,
    material_of: BTreeMap<String, usize>,
    geometry_of: BTreeMap<String, Value>,
}

impl Scene {
    fn rigid(&mut self, (index, body): (usize, &Body), keys: &[Key], material: usize, start: i64) {
        let children: Vec<usize> = body
            .shapes
            .iter()
            .map(|shape| self.shape_node(shape, material))
            .collect();
        let mut node = json!({ "name": body.name });
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        if let Some(key) = keys.first() {
            node["translation"] = json!(key.state.position.map(|x| x as f32));
            node["rotation"] = json!(key.state.rotation.map(|x| x as f32));
        }
        let number = self.nodes.len();
        self.roots.push(number);
        self.node_of.insert(index, number);
        self.nodes.push(node);
        self.animate(number, keys, start);
    }

    /// Makes nodes of links the children of those that they hang on.
    fn hang(&mut self, hierarchy: &Hierarchy) {
        for (body, parent) in hierarchy.parent.iter().enumerate() {
            let above = parent.and_then(|parent| self.node_of.get(&parent));
            let (Some(&above), Some(&own)) = (above, self.node_of.get(&body)) else {
                continue;
            };
            self.roots.retain(|root| *root != own);
            match self.nodes[above]["children"].as_array_mut() {
                Some(children) => children.push(json!(own)),
                None => self.nodes[above]["children"] = json!([own]),
            }
        }
    }

    /// A node that places a shape in its body. Balls and boxes share a unit mesh and differ in scale.
    fn shape_node(&mut self, at: &ShapeAt, material: usize) -> usize {
        let (shape, scale) = match &at.shape {
            Shape::Ball { radius } => (Shape::Ball { radius: 1.0 }, [*radius; 3]),
            Shape::Box { half_extents } => (
                Shape::Box {
                    half_extents: [1.0; 3],
                },
                *half_extents,
            ),
            other => (other.clone(), [1.0; 3]),
        };
        let mut node = json!({
            "translation": at.position.map(|x| x as f32),
            "rotation": at.rotation.map(|x| x as f32),
            "scale": scale.map(|x| x as f32),
        });
        if let Some(mesh) = self.mesh(&shape, material) {
            node["mesh"] = json!(mesh);
        }
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn mesh(&mut self, shape: &Shape, material: usize) -> Option<usize> {
        let key = (format!("{shape:?}"), material);
        if let Some(&mesh) = self.mesh_of.get(&key) {
            return Some(mesh);
        }
        if !self.geometry_of.contains_key(&key.0) {
            let surface = tessellate(shape);
            if surface.indices.is_empty() {
                return None;
            }
            self.geometry_of
                .insert(key.0.clone(), self.buffer.surface(&surface));
        }
        let mut primitive = self.geometry_of[&key.0].clone();
        primitive["material"] = json!(material);
        self.meshes.push(json!({ "primitives": [primitive] }));
        self.mesh_of.insert(key, self.meshes.len() - 1);
        Some(self.meshes.len() - 1)
    }

    fn material(&mut self, colour: [f32; 3]) -> usize {
        let next = self.materials.len();
        let number = *self
            .material_of
            .entry(format!("{colour:?}"))
            .or_insert(next);
        if number == next {
            let [r, g, b] = colour;
            self.materials.push(json!({
                "pbrMetallicRoughness": {
                    "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.55
                },
                "doubleSided": true,
            }));
        }
        number
    }

    /// Translation and rotation channels over one list of key times.
    fn animate(&mut self, node: usize, keys: &[Key], start: i64) {
        // seconds are f32 here: keys closer than its resolution would not rise, the later one stays
        let mut distinct: Vec<(f32, &Key)> = Vec::with_capacity(keys.len());
        for key in keys {
            let time = seconds_f32(start, key.tick);
            distinct.pop_if(|last| last.0 >= time);
            distinct.push((time, key));
        }
        if distinct.len() < 2 || keys::is_still(keys) {
            return;
        }
        let times: Vec<f32> = distinct.iter().map(|(time, _)| *time).collect();
        let places: Vec<f32> = distinct
            .iter()
            .flat_map(|(_, k)| k.state.position.map(|x| x as f32))
            .collect();
        let turns: Vec<f32> = distinct
            .iter()
            .flat_map(|(_, k)| k.state.rotation.map(|x| x as f32))
            .collect();
        let input = self.buffer.numbers(&times, 1, Target::Times);
        let outputs = [("translation", 3, places), ("rotation", 4, turns)];
        for (path, width, values) in outputs {
            let output = self.buffer.numbers(&values, width, Target::Keys);
            self.channel(node, path, input, output);
        }
    }

    fn channel(&mut self, node: usize, path: &str, input: usize, output: usize) {
        let sampler = self.samplers.len();
        self.samplers
            .push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
        self.channels
            .push(json!({ "sampler": sampler, "target": { "node": node, "path": path } }));
    }

    fn deformable(
        &mut self,
        reader: &Reader,
        (process, body): (u32, &Body),
        triangles: &[[u32; 3]],
        material: usize,
        (ticks, start): (Vec<i64>, i64),
    ) -> Result<()> {
        let stride = ticks.len().div_ceil(MAX_TARGETS);
        let chosen: Vec<i64> = ticks.into_iter().step_by(stride).collect();
        let mut surfaces = Vec::with_capacity(chosen.len());
        for &tick in &chosen {
            let points = reader.vertices_blended(process, tick)?;
            surfaces.extend(points.map(|points| smooth(&points, triangles)));
        }
        let Some(first) = surfaces
            .first()
            .filter(|surface| !surface.indices.is_empty())
        else {
            return Ok(());
        };
        let alike = |s: &&Surface| s.positions.len() == first.positions.len();
        let mut primitive = self.buffer.surface(first);
        let targets: Vec<Value> = surfaces[1..]
            .iter()
            .filter(alike)
            .map(|surface| self.buffer.difference(first, surface))
            .collect();
        let count = targets.len();
        primitive["material"] = json!(material);
        let mut node = json!({ "name": body.name, "mesh": self.meshes.len() });
        if count > 0 {
            primitive["targets"] = json!(targets);
            node["weights"] = json!(vec![0.0; count]);
        }
        self.meshes.push(json!({ "primitives": [primitive] }));
        self.roots.push(self.nodes.len());
        self.nodes.push(node);
        if count > 0 && count + 1 == chosen.len() {
            let start = start.min(chosen[0]);
            let times: Vec<f32> = chosen
                .iter()
                .map(|tick| seconds_f32(start, *tick))
                .collect();
            // at the k-th time the k-th target stands alone; the first frame is the mesh itself
            let weight = |i: usize| if i / count == i % count + 1 { 1.0 } else { 0.0 };
            let weights: Vec<f32> = (0..(count + 1) * count).map(weight).collect();
            let input = self.buffer.numbers(&times, 1, Target::Times);
            let output = self.buffer.numbers(&weights, 1, Target::Keys);
            self.channel(self.nodes.len() - 1, "weights", input, output);
        }
        Ok(())
    }

    fn finish(mut self, reader: &Reader) -> Option<Vec<u8>> {
        let header = reader.header();
        let root = self.nodes.len();
        let mut node = json!({ "name": header.scene, "rotation": upright(header.gravity) });
        if !self.roots.is_empty() {
            node["children"] = json!(self.roots);
        }
        self.nodes.push(node);
        let mut json = json!({
            "asset": { "version": "2.0", "generator": "Warpline" },
            "scene": 0,
            "scenes": [{ "name": header.scene, "nodes": [root] }],
            "nodes": self.nodes,
        });
        if !self.channels.is_empty() {
            json["animations"] =
                json!([{ "name": "run", "samplers": self.samplers, "channels": self.channels }]);
        }
        let lists = [("meshes", self.meshes), ("materials", self.materials)];
        for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            json[name] = json!(list);
        }
        self.buffer.file(json)
    }
}
