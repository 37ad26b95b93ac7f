//! Vertices and pairs as a person knows them: by mesh and by their numbers in it, not in the model's own order.

use crate::acm::{Kind, Pair, ShellModel};

impl ShellModel {
    /// A vertex by its number in its mesh, and that mesh by its number if there are several; both from 0.
    pub(crate) fn name_vertex(&self, vertex: u32) -> String {
        self.name("vertex", &[vertex])
    }

    /// Both primitives of a pair by their vertices.
    pub(crate) fn name_pair(&self, pair: Pair) -> String {
        let stencil = pair.stencil(&self.topology);
        let (one, other) = stencil.split_at(pair.kind().first_len());
        let (first, second) = match pair.kind() {
            Kind::VertexFace => ("vertex", "triangle"),
            Kind::EdgeEdge => ("edge", "edge"),
        };
        format!("{} and {}", self.name(first, one), self.name(second, other))
    }

    /// Some vertices of one mesh as what they make up.
    pub(crate) fn name(&self, what: &str, vertices: &[u32]) -> String {
        let given = |v: &u32| self.input_of[*v as usize];
        let mesh = vertices.first().map_or(0, |v| {
            self.mesh_starts.partition_point(|&start| start <= given(v)) - 1
        });
        let numbers = vertices.iter().map(|v| given(v) - self.mesh_starts[mesh]);
        let numbers: Vec<String> = numbers.map(|v| v.to_string()).collect();
        let of_mesh = match self.mesh_starts.len() {
            1 => String::new(),
            _ => format!(" of mesh {mesh}"),
        };
        match &numbers[..] {
            [one] => format!("{what} {one}{of_mesh}"),
            several => format!("{what} ({}){of_mesh}", several.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::acm::{ContactLaw, Material, Mesh, Motion, Pair, ShellBuilder};
    use glamx::DVec3;

    /// Whatever the model's order, names lead back to the places that were given.
    #[test]
    fn names_are_the_numbers_of_the_files() {
        let mut builder = ShellBuilder::new(DVec3::ZERO, ContactLaw::default());
        let fixed = builder.motion(Motion::fixed());
        let sheet = |y: f64| Mesh::rectangle(4, 5, DVec3::Y * y, DVec3::X, DVec3::Z);
        builder.obstacle(sheet(0.0), fixed);
        builder.shell(sheet(1.0), Material::default(), |_| None);
        let (model, state) = builder.build().expect("a model");
        for (v, x) in (0..).zip(state.positions()) {
            let mesh = usize::from(x.y > 0.5);
            let meant = sheet(mesh as f64).positions.iter().position(|p| *p == x);
            let name = format!("vertex {} of mesh {mesh}", meant.expect("a vertex"));
            assert_eq!(model.name_vertex(v), name);
        }
        let face = model.triangles().iter().position(|t| t[0] < 20);
        let pair = model.name_pair(Pair::vertex_face(30, face.expect("a face") as u32));
        assert!(
            pair.contains(" of mesh 0 and triangle (") && pair.ends_with("of mesh 1"),
            "{pair}"
        );
    }
}
