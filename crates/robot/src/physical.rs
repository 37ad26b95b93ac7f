//! Whether an inertia could be that of a solid.

use multibody::eigen::symmetric;
use multibody::spatial::Sym3;

/// What is wrong with an inertia tensor, as the end of a sentence.
pub(crate) fn odd(tensor: Sym3) -> Option<String> {
    let (values, _) = symmetric(tensor);
    let size = values.abs().max_element();
    if values.x < -1e-9 * size {
        return Some(format!(
            "has a negative principal moment, {:e} kg·m²",
            values.x
        ));
    }
    // some slack for numbers that were rounded when the file was written
    if values.x + values.y < values.z * (1.0 - 1e-4) {
        return Some(format!(
            "is that of no solid: of its principal moments {:e}, {:e} and {:e} kg·m² the largest exceeds the sum of the others",
            values.x, values.y, values.z
        ));
    }
    None
}
