//! What a first state must be: free of intersections, and with all that is apart farther apart than the
//! outermost layer is thick. Neighbours in a mesh could never leave the layer, and strangers would be thrown
//! apart by energy that nobody put in.

use crate::acm::detect::coarse::{Coarse, Grid};
use crate::acm::detect::hierarchy::Hierarchy;
use crate::acm::{Pair, ShellError, ShellModel, ShellState, closest, intersections};
use glamx::DVec3;

impl ShellModel {
    /// Whether a run can begin with `state`.
    pub(crate) fn require_start(&self, state: &ShellState) -> Result<(), ShellError> {
        let positions = state.positions();
        if let Some(found) = intersections(self, &positions).first() {
            return Err(ShellError::StartsIntersecting {
                edge: self.name("edge", &found.edge),
                triangle: self.name("triangle", &found.triangle),
            });
        }
        match self.nearest(&positions) {
            Some((distance_m, pair)) => Err(ShellError::StartsTooNear {
                pair: self.name_pair(pair),
                distance_m,
                thickness_m: self.layers.next_thickness(0),
            }),
            None => Ok(()),
        }
    }

    /// Of the pairs within the first layer's thickness of each other the nearest one, with its distance in m.
    fn nearest(&self, positions: &[DVec3]) -> Option<(f64, Pair)> {
        let thickness = self.layers.next_thickness(0);
        let triangles = self.topology.triangles.iter();
        let grid = Grid::around(positions.iter().copied());
        let bounds: Vec<Coarse> = triangles
            .map(|t| {
                let [a, b, c] = t.map(|v| positions[v as usize]);
                Coarse::tube(&grid, a, b, 0.0).union(&Coarse::tube(&grid, c, c, 0.0))
            })
            .collect();
        let moves = |stencil: &[u32]| stencil.iter().any(|&v| (v as usize) < self.dynamic);
        let mut tree = Hierarchy::over(self, positions);
        tree.refit(&bounds);
        let mut nearest: Option<(f64, Pair)> = None;
        for task in tree.tasks(1) {
            tree.traverse(task, grid.steps(thickness), |s, t| {
                self.topology.for_each_pair(s, t, |pair| {
                    let stencil = pair.stencil(&self.topology);
                    let places = stencil.map(|v| positions[v as usize]);
                    let distance = closest(pair.kind(), &places).separation.length();
                    let least = nearest.map_or(thickness, |n| n.0);
                    if distance < least && moves(&stencil) {
                        nearest = Some((distance, pair));
                    }
                });
            });
        }
        nearest
    }
}

#[cfg(test)]
mod tests {
    use crate::acm::{ContactLaw, Material, Mesh, Motion, ShellBuilder, ShellError};
    use glamx::DVec3;

    fn built(thickness_m: f64, obstacle_y: f64) -> Result<(), ShellError> {
        let law = ContactLaw {
            thickness_m,
            ..ContactLaw::default()
        };
        let mut builder = ShellBuilder::new(DVec3::ZERO, law);
        let fixed = builder.motion(Motion::fixed());
        let grid = |place: DVec3, u: DVec3| Mesh::rectangle(4, 4, place, u, DVec3::Z * 0.03);
        builder.shell(
            grid(DVec3::ZERO, DVec3::X * 0.03),
            Material::default(),
            |_| None,
        );
        let place = DVec3::new(0.015, obstacle_y, 0.001);
        builder.obstacle(grid(place, DVec3::Y * 0.03), fixed);
        builder.build().map(|_| ())
    }

    #[test]
    fn impossible_starts_are_told() {
        assert_eq!(built(1e-3, 0.0011), Ok(()));
        let near = built(1e-3, 0.0009).expect_err("within the layer");
        let distance = match near {
            ShellError::StartsTooNear { distance_m, .. } => distance_m,
            other => panic!("{other}"),
        };
        assert!((distance - 0.0009).abs() < 1e-15);
        let through = built(1e-3, -0.015).expect_err("they intersect");
        assert!(
            matches!(through, ShellError::StartsIntersecting { .. }),
            "{through}"
        );
        // neighbours across a triangle of 10 mm are 7 mm apart
        let thick = built(8e-3, 0.02).expect_err("too thick");
        assert!(matches!(thick, ShellError::StartsTooNear { .. }), "{thick}");
    }
}
