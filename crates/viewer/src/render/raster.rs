//! Triangles to pixels: a depth buffer that remembers, for each pixel, the nearest triangle and its
//! normal there. Used for the picture and, seen from the light, for its shadow.

/// A corner on the screen: pixel coordinates, nearness (linear on the screen, larger is nearer), and the
/// weight that makes the normal's interpolation right in perspective.
#[derive(Clone, Copy)]
pub(crate) struct Corner {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) near: f64,
    pub(crate) weight: f64,
    pub(crate) normal: [f64; 3],
}

/// A pixel that no triangle covers.
pub(crate) const NOTHING: u32 = u32::MAX;

/// The nearest of everything that was drawn.
pub(crate) struct Raster {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) near: Vec<f32>,
    pub(crate) id: Vec<u32>,
    pub(crate) normal: Vec<[f32; 3]>,
}

impl Raster {
    /// An empty picture; `normals` are left out where only depth matters.
    pub(crate) fn new(width: usize, height: usize, normals: bool) -> Self {
        let pixels = width * height;
        Self {
            width,
            height,
            near: vec![f32::NEG_INFINITY; pixels],
            id: vec![NOTHING; pixels],
            normal: vec![[0.0; 3]; if normals { pixels } else { 0 }],
        }
    }

    /// Empty again: the memory of one picture serves the next.
    pub(crate) fn clear(&mut self) {
        self.near.fill(f32::NEG_INFINITY);
        self.id.fill(NOTHING);
    }

    /// Draws a triangle, whichever way it is turned.
    pub(crate) fn triangle(&mut self, corners: &[Corner; 3], id: u32) {
        self.fill::<false>(corners, id);
    }

    /// Draws every second sample of a triangle, as on a chessboard: half of what is behind is seen.
    pub(crate) fn half_triangle(&mut self, corners: &[Corner; 3], id: u32) {
        self.fill::<true>(corners, id);
    }

    fn fill<const HALF: bool>(&mut self, corners: &[Corner; 3], id: u32) {
        let [a, b, c] = corners;
        let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        if area == 0.0 || !area.is_finite() {
            return;
        }
        let least = |f: fn(&Corner) -> f64| f(a).min(f(b)).min(f(c));
        let most = |f: fn(&Corner) -> f64| f(a).max(f(b)).max(f(c));
        // pixel centres stand at halves
        let first = |low: f64| (low - 0.5).ceil().max(0.0) as usize;
        let end = |high: f64, limit: usize| {
            ((high - 0.5).floor() + 1.0).clamp(0.0, limit as f64) as usize
        };
        let (x0, x1) = (first(least(|p| p.x)), end(most(|p| p.x), self.width));
        let (y0, y1) = (first(least(|p| p.y)), end(most(|p| p.y), self.height));
        for row in y0..y1 {
            let y = row as f64 + 0.5;
            for column in x0..x1 {
                if HALF && (row + column) % 2 == 0 {
                    continue;
                }
                let x = column as f64 + 0.5;
                let wa = ((b.x - x) * (c.y - y) - (b.y - y) * (c.x - x)) / area;
                let wb = ((c.x - x) * (a.y - y) - (c.y - y) * (a.x - x)) / area;
                let wc = 1.0 - wa - wb;
                if wa < 0.0 || wb < 0.0 || wc < 0.0 {
                    continue;
                }
                let near = (wa * a.near + wb * b.near + wc * c.near) as f32;
                let place = row * self.width + column;
                if near <= self.near[place] {
                    continue;
                }
                self.near[place] = near;
                self.id[place] = id;
                if let Some(normal) = self.normal.get_mut(place) {
                    let (wa, wb, wc) = (wa * a.weight, wb * b.weight, wc * c.weight);
                    *normal = std::array::from_fn(|i| {
                        (wa * a.normal[i] + wb * b.normal[i] + wc * c.normal[i]) as f32
                    });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner(x: f64, y: f64, near: f64) -> Corner {
        Corner {
            x,
            y,
            near,
            weight: 1.0,
            normal: [0.0, 0.0, 1.0],
        }
    }

    #[test]
    fn a_triangle_covers_its_area_and_the_nearer_one_wins() {
        let mut raster = Raster::new(100, 100, true);
        let big = [
            corner(0.0, 0.0, 1.0),
            corner(100.0, 0.0, 1.0),
            corner(0.0, 100.0, 1.0),
        ];
        raster.triangle(&big, 7);
        let covered = raster.id.iter().filter(|id| **id == 7).count();
        // 5000 pixels of area; the diagonal's 100 may fall either way
        assert!((4900..=5100).contains(&covered), "{covered}");
        let behind = big.map(|c| Corner { near: 0.5, ..c });
        raster.triangle(&behind, 8);
        assert!(!raster.id.contains(&8));
        let before = big.map(|c| Corner { near: 2.0, ..c });
        raster.triangle(&[before[0], before[2], before[1]], 9);
        assert_eq!(raster.id.iter().filter(|id| **id == 9).count(), covered);
    }

    #[test]
    fn what_is_off_the_picture_is_left_out() {
        let mut raster = Raster::new(10, 10, false);
        raster.triangle(
            &[
                corner(-50.0, -50.0, 1.0),
                corner(-40.0, -50.0, 1.0),
                corner(-50.0, -9.0, 1.0),
            ],
            1,
        );
        raster.triangle(
            &[
                corner(f64::NAN, 0.0, 1.0),
                corner(1.0, 0.0, 1.0),
                corner(0.0, 9.0, 1.0),
            ],
            1,
        );
        assert!(raster.id.iter().all(|id| *id == NOTHING));
        raster.triangle(
            &[
                corner(-1e6, -1e6, 1.0),
                corner(1e6, -1e6, 1.0),
                corner(0.0, 1e6, 1.0),
            ],
            1,
        );
        assert!(raster.id.iter().all(|id| *id == 1));
    }
}
