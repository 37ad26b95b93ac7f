//! `layer`, `collides` and `ignores`: who meets whom, by name.

use super::decode::{Decoded, Table, label};
use super::error::{Fault, Place, suggestion};
use super::tree::{Node, Value};
use crate::layers::Layers;

/// The layer of bodies that name none.
const DEFAULT: &str = "default";

/// The layers of a scene in the order in which they were named.
pub(super) struct LayerNames {
    names: Vec<String>,
    /// Whether a body is in it.
    is_used: Vec<bool>,
    /// Where a layer was first asked for.
    asked: Vec<Option<Place>>,
}

impl Default for LayerNames {
    fn default() -> Self {
        LayerNames {
            names: vec![DEFAULT.into()],
            is_used: vec![true],
            asked: vec![None],
        }
    }
}

impl LayerNames {
    /// Those of a world that has been read.
    pub fn known(names: &[String]) -> Self {
        if names.is_empty() {
            return LayerNames::default();
        }
        LayerNames {
            names: names.to_vec(),
            is_used: vec![true; names.len()],
            asked: vec![None; names.len()],
        }
    }

    /// All of them, in the order of their bits.
    pub fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// The layers of a table's bodies.
    pub fn read(&mut self, t: &Table<'_>) -> Decoded<Layers> {
        let mut layers = Layers::default();
        if let Some(node) = t.get("layer") {
            layers.of = 0;
            for item in one_or_more(node) {
                let index = self.number(item, "layer", t)?;
                self.is_used[index] = true;
                layers.of |= 1 << index;
            }
            if layers.of == 0 {
                let message = "`layer` names none; leave it out for the layer `default`";
                return Err(Fault::new(&node.place, message));
            }
        }
        match (t.get("collides"), t.get("ignores")) {
            (Some(_), Some(node)) => {
                let message = "give either `collides` or `ignores`, not both";
                return Err(Fault::new(&node.place, message));
            }
            (Some(node), None) => layers.meets = self.set(node, "collides", t)?,
            (None, Some(node)) => layers.meets = !self.set(node, "ignores", t)?,
            (None, None) => {}
        }
        Ok(layers)
    }

    fn set(&mut self, node: &Node, key: &str, t: &Table<'_>) -> Decoded<u32> {
        let mut set = 0;
        for item in one_or_more(node) {
            let index = self.number(item, key, t)?;
            self.asked[index].get_or_insert(item.place.clone());
            set |= 1 << index;
        }
        Ok(set)
    }

    fn number(&mut self, node: &Node, key: &str, t: &Table<'_>) -> Decoded<usize> {
        let name = label(node, key, t.scope())?;
        if let Some(index) = self.names.iter().position(|known| *known == name) {
            return Ok(index);
        }
        if self.names.len() == Layers::MOST {
            let message = format!("`{name}` would be one layer more than {}", Layers::MOST);
            return Err(Fault::new(&node.place, message));
        }
        self.names.push(name);
        self.is_used.push(false);
        self.asked.push(None);
        Ok(self.names.len() - 1)
    }

    /// Refuses layers that were asked for and that no body is in.
    pub fn check(&self) -> Decoded<()> {
        for (index, place) in self.asked.iter().enumerate() {
            if let Some(place) = place
                && !self.is_used[index]
            {
                let used = self.names.iter().zip(&self.is_used);
                let used = used.filter(|(_, is_used)| **is_used);
                let name = &self.names[index];
                let message = format!("no body is in the layer `{name}`");
                let help = suggestion(name, used.map(|(name, _)| name.as_str()));
                return Err(Fault::new(place, message).help(help));
            }
        }
        Ok(())
    }
}

/// The items of a list, or the value itself.
fn one_or_more(node: &Node) -> &[Node] {
    match &node.value {
        Value::List(items) => items,
        _ => std::slice::from_ref(node),
    }
}
