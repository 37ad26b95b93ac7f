//! Convex pieces of a solid that is given by its surface: what a body of any form is made of. By parry's voxels (VHACD): the
//! solid is cut where it is most concave until every part is nearly its own hull.

use crate::Vec3;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};
use parry3d_f64::transformation::voxelization::FillMode;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The corners of convex pieces that together fill the solid inside a closed surface: `most` of them at most, found with
/// `resolution` voxels along the longest side. None if the surface encloses nothing that can be cut.
pub fn convex_pieces(
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
    resolution: u32,
    most: u32,
) -> Option<Vec<Vec<Vec3>>> {
    let parameters = VHACDParameters {
        resolution,
        max_convex_hulls: most,
        fill_mode: FillMode::FloodFill {
            detect_cavities: false,
        },
        ..VHACDParameters::default()
    };
    // parry asserts what a surface from a file need not keep.
    let cut = catch_unwind(AssertUnwindSafe(|| {
        let cut = VHACD::decompose(&parameters, vertices, triangles, true);
        cut.compute_exact_convex_hulls(vertices, triangles)
    }));
    let pieces: Vec<Vec<Vec3>> = cut.ok()?.into_iter().map(|(points, _)| points).collect();
    let is_solid = |points: &Vec<Vec3>| points.len() >= 4;
    let pieces: Vec<Vec<Vec3>> = pieces.into_iter().filter(is_solid).collect();
    match pieces.is_empty() {
        true => None,
        false => Some(pieces),
    }
}
