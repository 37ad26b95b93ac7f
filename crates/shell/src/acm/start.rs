//! What a first state must be: free of intersections, and with neighbours in a mesh farther apart than the
//! outermost layer is thick, since these could never leave it.

use super::detect::kin_pairs;
use super::{ShellError, ShellModel, ShellState, closest, intersections};

impl ShellModel {
    /// Whether a run can begin with `state`.
    pub(super) fn require_start(&self, state: &ShellState) -> Result<(), ShellError> {
        let positions = state.positions();
        if let Some(found) = intersections(self, &positions).first() {
            return Err(ShellError::StartsIntersecting {
                edge: self.name("edge", &found.edge),
                triangle: self.name("triangle", &found.triangle),
            });
        }
        let thickness_m = self.layers.next_thickness(0);
        for pair in kin_pairs(self) {
            let places = pair.stencil(&self.topology).map(|v| positions[v as usize]);
            let distance_m = closest(pair.kind(), &places).separation.length();
            if distance_m <= thickness_m {
                return Err(ShellError::TooThick {
                    pair: self.name_pair(pair),
                    distance_m,
                    thickness_m,
                });
            }
        }
        Ok(())
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
        assert_eq!(built(1e-3, 0.005), Ok(()));
        // nearer than the thickness is a start: the layer pushes
        assert_eq!(built(1e-3, 0.0005), Ok(()));
        let through = built(1e-3, -0.015).expect_err("they intersect");
        assert!(
            matches!(through, ShellError::StartsIntersecting { .. }),
            "{through}"
        );
        // neighbours across a triangle of 10 mm are 7 mm apart
        let thick = built(8e-3, 0.02).expect_err("too thick");
        assert!(matches!(thick, ShellError::TooThick { .. }), "{thick}");
    }
}
