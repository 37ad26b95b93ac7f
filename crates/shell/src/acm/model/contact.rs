//! Pairs of primitives and the set of those that have penalty layers.
//! The set is sorted by pair, so that everything that walks it does so in one order.

use crate::acm::detect::reach::Stencils;
use crate::acm::model::shell::ShellModel;
use crate::acm::model::topology::Topology;
use std::fmt;

/// The two kinds of primitive pairs that can touch first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// One vertex against one triangle.
    VertexFace,
    /// Two edges.
    EdgeEdge,
}

impl Kind {
    /// How many vertices of a stencil belong to the first primitive.
    #[inline]
    pub fn first_len(self) -> usize {
        match self {
            Kind::VertexFace => 1,
            Kind::EdgeEdge => 2,
        }
    }
}

/// A pair of primitives, ordered by kind, then by its two indices.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair(u64);

const EDGE_BIT: u64 = 1 << 63;

impl Pair {
    /// A vertex and a triangle, by their indices in the model.
    #[inline]
    pub fn vertex_face(vertex: u32, face: u32) -> Pair {
        Pair(u64::from(vertex) << 32 | u64::from(face))
    }

    /// Two edges, by their indices in the model, in either order.
    #[inline]
    pub fn edge_edge(a: u32, b: u32) -> Pair {
        Pair(EDGE_BIT | u64::from(a.min(b)) << 32 | u64::from(a.max(b)))
    }

    pub(crate) fn bits(self) -> u64 {
        self.0
    }

    pub(crate) fn from_bits(bits: u64) -> Pair {
        Pair(bits)
    }

    /// Which kind of pair it is.
    #[inline]
    pub fn kind(self) -> Kind {
        if self.0 & EDGE_BIT == 0 {
            Kind::VertexFace
        } else {
            Kind::EdgeEdge
        }
    }

    /// Indices of the two primitives.
    #[inline]
    pub fn parts(self) -> (u32, u32) {
        (((self.0 & !EDGE_BIT) >> 32) as u32, self.0 as u32)
    }

    /// The four vertices, the first primitive's before the second's.
    #[inline]
    pub fn stencil(self, topology: &Topology) -> [u32; 4] {
        let (a, b) = self.parts();
        match self.kind() {
            Kind::VertexFace => {
                let [p, q, r] = topology.triangles[b as usize];
                [a, p, q, r]
            }
            Kind::EdgeEdge => {
                let ([p, q], [r, s]) = (topology.edges[a as usize], topology.edges[b as usize]);
                [p, q, r, s]
            }
        }
    }
}

impl fmt::Debug for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (a, b) = self.parts();
        match self.kind() {
            Kind::VertexFace => write!(f, "vertex {a} and face {b}"),
            Kind::EdgeEdge => write!(f, "edge {a} and edge {b}"),
        }
    }
}

/// All pairs that have penalty layers, with how many, sorted by pair.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContactSet {
    entries: Vec<(Pair, u8)>,
}

/// A pair in a layer's bucket, with its stencil looked up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Contact {
    pub kind: Kind,
    pub stencil: [u32; 4],
}

impl Contact {
    pub fn of(pair: Pair, model: &ShellModel) -> Contact {
        Contact {
            kind: pair.kind(),
            stencil: pair.stencil(&model.topology),
        }
    }
}

/// The contacts of one layer, vertex-face pairs first.
#[derive(Debug, Clone, Default)]
pub(crate) struct LayerContacts {
    pairs: Vec<Pair>,
    pub contacts: Vec<Contact>,
    /// The same in blocks.
    pub blocks: Vec<Stencils>,
    /// Their vertices, each once.
    pub vertices: Vec<u32>,
    /// For each vertex whether it is among them.
    listed: Vec<bool>,
}

impl ContactSet {
    /// The pairs and their numbers of layers, sorted.
    pub fn entries(&self) -> &[(Pair, u8)] {
        &self.entries
    }

    /// A set of these pairs; none if they are not sorted or one is there twice.
    pub(crate) fn from_entries(entries: Vec<(Pair, u8)>) -> Option<ContactSet> {
        let sorted = entries.windows(2).all(|e| e[0].0 < e[1].0);
        sorted.then_some(ContactSet { entries })
    }

    /// How many layers a pair has.
    #[inline]
    pub fn layers_of(&self, pair: Pair) -> u8 {
        self.entries
            .binary_search_by_key(&pair, |e| e.0)
            .map_or(0, |i| self.entries[i].1)
    }

    /// Gives each of `missed` (sorted, without repeats) one more layer.
    pub fn deepen(&mut self, missed: &[Pair]) {
        let mut unknown = 0;
        let mut known = self.entries.iter_mut().peekable();
        for &pair in missed {
            while known.next_if(|e| e.0 < pair).is_some() {}
            match known.next_if(|e| e.0 == pair) {
                Some(entry) => entry.1 += 1,
                None => unknown += 1,
            }
        }
        if unknown == 0 {
            return;
        }
        // from the back, so that every entry moves once
        let mut from = self.entries.len();
        self.entries.resize(from + unknown, (Pair(0), 0));
        let mut to = self.entries.len();
        for &pair in missed.iter().rev() {
            while from > 0 && self.entries[from - 1].0 > pair {
                (from, to) = (from - 1, to - 1);
                self.entries[to] = self.entries[from];
            }
            if from == 0 || self.entries[from - 1].0 != pair {
                to -= 1;
                self.entries[to] = (pair, 1);
            }
        }
    }

    /// Replaces each pair's number of layers by `keep(pair, layers)`, dropping those with none.
    pub fn retain_layers(&mut self, mut keep: impl FnMut(Pair, u8) -> u8) {
        self.entries.iter_mut().for_each(|e| e.1 = keep(e.0, e.1));
        self.entries.retain(|e| e.1 > 0);
    }

    /// The deepest layer of any pair.
    pub fn deepest(&self) -> u8 {
        self.entries.iter().map(|e| e.1).max().unwrap_or(0)
    }

    /// One bucket for each depth: the pairs that have at least that many layers, in order.
    pub(crate) fn buckets(&self, model: &ShellModel, buckets: &mut Vec<LayerContacts>) {
        buckets.iter_mut().for_each(LayerContacts::clear);
        buckets.resize_with(self.deepest() as usize, LayerContacts::default);
        for &(pair, layers) in &self.entries {
            let contact = Contact::of(pair, model);
            for bucket in &mut buckets[..layers as usize] {
                bucket.push(pair, contact);
            }
        }
        for bucket in buckets {
            Stencils::lay_out(&bucket.contacts, &mut bucket.blocks);
            bucket.list_vertices(0, model.vertex_count());
        }
    }
}

impl LayerContacts {
    fn clear(&mut self) {
        self.pairs.clear();
        self.contacts.clear();
        self.blocks.clear();
        for &v in &self.vertices {
            self.listed[v as usize] = false;
        }
        self.vertices.clear();
    }

    fn push(&mut self, pair: Pair, contact: Contact) {
        self.pairs.push(pair);
        self.contacts.push(contact);
    }

    /// Adds pairs (sorted, none of them here) at their places.
    pub fn insert(&mut self, model: &ShellModel, new: &[Pair]) {
        let mut from = self.pairs.len();
        for &pair in new {
            self.push(pair, Contact::of(pair, model));
        }
        self.list_vertices(from, model.vertex_count());
        // from the back, so that every contact moves once
        let mut to = self.pairs.len();
        for &pair in new.iter().rev() {
            while from > 0 && self.pairs[from - 1] > pair {
                (from, to) = (from - 1, to - 1);
                self.pairs[to] = self.pairs[from];
                self.contacts[to] = self.contacts[from];
            }
            to -= 1;
            self.pairs[to] = pair;
            self.contacts[to] = Contact::of(pair, model);
        }
        Stencils::lay_out_from(from, &self.contacts, &mut self.blocks);
    }

    /// Lists the vertices of the contacts from place `from` on that are not listed yet.
    fn list_vertices(&mut self, from: usize, count: usize) {
        self.listed.resize(count, false);
        for v in self.contacts[from..].iter().flat_map(|c| c.stencil) {
            if !std::mem::replace(&mut self.listed[v as usize], true) {
                self.vertices.push(v);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_round_trip_and_sets_stay_sorted() {
        let (a, b) = (Pair::vertex_face(7, 3), Pair::edge_edge(9, 2));
        assert_eq!((a.kind(), a.parts()), (Kind::VertexFace, (7, 3)));
        assert_eq!((b.kind(), b.parts()), (Kind::EdgeEdge, (2, 9)));
        let mut set = ContactSet::default();
        set.deepen(&[a, b]);
        set.deepen(&[Pair::vertex_face(1, 1), b]);
        assert_eq!(
            set.entries(),
            [(Pair::vertex_face(1, 1), 1), (a, 1), (b, 2)]
        );
        set.retain_layers(|_, layers| layers - 1);
        assert_eq!(set.entries(), [(b, 1)]);
    }

    /// Contacts put in one by one make the same bucket as all at once, whatever the order.
    #[test]
    fn buckets_grow_in_place() {
        use rand::{RngExt, SeedableRng};
        let mut rng = rand_pcg::Pcg64::seed_from_u64(24);
        let scene = crate::acm::SceneName::TwoCloths.build(5).expect("a scene");
        let (model, edges) = (&scene.model, scene.model.topology.edges.len() as u32);
        for _ in 0..200 {
            let (mut set, mut grown) = (ContactSet::default(), LayerContacts::default());
            for _ in 0..rng.random_range(1..6) {
                let mut some: Vec<Pair> = (0..rng.random_range(1..12))
                    .map(|_| match rng.random() {
                        true => Pair::vertex_face(rng.random_range(0..9), rng.random_range(0..9)),
                        false => {
                            let a = rng.random_range(0..edges - 1);
                            Pair::edge_edge(a, rng.random_range(a + 1..edges))
                        }
                    })
                    .filter(|&pair| set.layers_of(pair) == 0)
                    .collect();
                some.sort_unstable();
                some.dedup();
                set.deepen(&some);
                grown.insert(model, &some);
            }
            let mut whole = Vec::new();
            set.buckets(model, &mut whole);
            let Some(whole) = whole.first() else { continue };
            let laid = |layer: &LayerContacts| -> Vec<(Kind, usize, [[u32; 8]; 4])> {
                let blocks = layer.blocks.iter();
                blocks.map(|b| (b.kind, b.count, b.vertices)).collect()
            };
            assert_eq!(laid(&grown), laid(whole));
            assert_eq!(grown.pairs, whole.pairs);
            let sorted = |layer: &LayerContacts| {
                let mut vertices = layer.vertices.clone();
                vertices.sort_unstable();
                vertices
            };
            assert_eq!(sorted(&grown), sorted(whole));
        }
    }
}
