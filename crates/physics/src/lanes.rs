//! Points of a polytope, transposed for a fast search of the farthest one: four at a time, without
//! branches. The result is the one that a plain loop finds, to the last tie.

use crate::Vec3;

const WIDTH: usize = 4;

/// Points side by side: per block four x, four y and four z.
#[derive(Clone, Debug, Default)]
pub struct Lanes {
    blocks: Vec<[[f64; WIDTH]; 3]>,
}

impl Lanes {
    /// Transposes `points`; the last block is filled up with the last point.
    pub fn new(points: &[Vec3]) -> Self {
        let block = |chunk: &[Vec3]| {
            let mut block = [[0.0; WIDTH]; 3];
            for lane in 0..WIDTH {
                let point = chunk[lane.min(chunk.len() - 1)];
                for axis in 0..3 {
                    block[axis][lane] = point[axis];
                }
            }
            block
        };
        Lanes {
            blocks: points.chunks(WIDTH).map(block).collect(),
        }
    }

    /// Number of the first point that lies farthest along `direction`.
    #[inline]
    pub fn farthest(&self, direction: Vec3) -> usize {
        let mut most = [f64::NEG_INFINITY; WIDTH];
        let mut at = [0u64; WIDTH];
        for (number, [x, y, z]) in self.blocks.iter().enumerate() {
            let mut along = [0.0; WIDTH];
            for lane in 0..WIDTH {
                along[lane] = x[lane] * direction.x + y[lane] * direction.y + z[lane] * direction.z;
            }
            for lane in 0..WIDTH {
                let is_farther = along[lane] > most[lane];
                at[lane] = if is_farther { number as u64 } else { at[lane] };
                most[lane] = if is_farther { along[lane] } else { most[lane] };
            }
        }
        let mut best = 0;
        for lane in 1..WIDTH {
            let ties = most[lane] == most[best] && at[lane] < at[best];
            if most[lane] > most[best] || ties {
                best = lane;
            }
        }
        at[best] as usize * WIDTH + best
    }
}

/// A hull's points and face normals.
#[derive(Clone, Debug)]
pub struct HullLanes {
    /// The points, in the order of the hull.
    pub points: Lanes,
    /// Outward normals of the faces, in the order of the hull.
    pub normals: Lanes,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_farthest_is_the_first_of_the_farthest() {
        // Every corner of a cube ties with three others along an axis.
        for count in 1..=8 {
            let corner = |k: u32| {
                let side = |bit: u32| if k & bit == 0 { -1.0 } else { 1.0 };
                Vec3::new(side(1), side(2), side(4))
            };
            let points: Vec<Vec3> = (0..count).map(corner).collect();
            let lanes = Lanes::new(&points);
            for direction in [
                Vec3::X,
                -Vec3::X,
                Vec3::Y,
                Vec3::Z,
                Vec3::new(0.3, -2.0, 0.1),
            ] {
                let along = |p: &Vec3| p.dot(direction);
                let most = points.iter().map(along).fold(f64::NEG_INFINITY, f64::max);
                let first = points.iter().position(|p| along(p) == most);
                assert_eq!(Some(lanes.farthest(direction)), first);
            }
        }
    }
}
