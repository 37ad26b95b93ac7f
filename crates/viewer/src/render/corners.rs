//! What tells bodies apart that touch: the sky does not reach into corners (ambient occlusion, from the depth
//! buffer), and edges are drawn as lines.

use super::bands::in_bands;
use super::camera::{Camera, Vector, cross, dot, sum, unit};
use super::model::{JOINTS, Triangle};
use super::raster::{NOTHING, Raster};

/// Directions in which each place is asked what stands in its way.
const ASKED: usize = 14;
/// How far is asked, in parts of the scene's radius.
const FAR: f64 = 0.11;
/// Side of the tiles in which it is looked up whether there is nothing but one plane, in samples.
const TILE: usize = 32;
/// Places of the coarse grid on which it is computed, in samples.
const GRID: usize = 2;
/// Places over which it is smoothed, to each side.
const SMOOTH: i64 = 2;
/// How much of the sky's light a full corner loses.
const DARK: f32 = 0.85;
/// Two normals that differ by more than this cosine make an edge.
const CREASE: f32 = 0.8;

/// How open to the sky every place is.
pub(super) struct Corners {
    width: usize,
    open: Vec<f32>,
}

impl Corners {
    pub(super) fn new(raster: &Raster, camera: &Camera, triangles: &[Triangle]) -> Self {
        let (width, height) = (raster.width.div_ceil(GRID), raster.height.div_ceil(GRID));
        let far = FAR * camera.light.reach;
        let (asked, tiles) = (directions(), Tiles::new(raster, camera, triangles, far));
        let rough = in_bands(height, |rows| {
            let places = rows.flat_map(|row| (0..width).map(move |column| (column, row)));
            let open_at = |(column, row): (usize, usize)| {
                let (x, y) = (column * GRID, row * GRID);
                match tiles.is_plain(x, y) {
                    true => 1.0,
                    false => open(raster, camera, &asked, x, y, far),
                }
            };
            places.map(open_at).collect()
        });
        let deep = |i: usize| raster.near[i / width * GRID * raster.width + i % width * GRID];
        // a mean over neighbours that are as deep takes away the grain
        let smooth = |i: usize| {
            if tiles.is_plain(i % width * GRID, i / width * GRID) {
                return 1.0;
            }
            let (x, y) = ((i % width) as i64, (i / width) as i64);
            let (mut sum, mut count) = (0.0, 0.0);
            for dy in -SMOOTH..=SMOOTH {
                for dx in -SMOOTH..=SMOOTH {
                    let (nx, ny) = (x + dx, y + dy);
                    if nx < 0 || ny < 0 || nx >= width as i64 || ny >= height as i64 {
                        continue;
                    }
                    let j = ny as usize * width + nx as usize;
                    if (deep(j) / deep(i) - 1.0).abs() < 0.02 {
                        sum += rough[j];
                        count += 1.0;
                    }
                }
            }
            if count > 0.0 { sum / count } else { rough[i] }
        };
        Self {
            width,
            open: in_bands(height, |rows| {
                (rows.start * width..rows.end * width).map(smooth).collect()
            }),
        }
    }

    /// From 0 in the deepest corner to 1 where nothing is in the way.
    pub(super) fn open_to_sky(&self, x: usize, y: usize) -> f32 {
        self.open[y / GRID * self.width + x / GRID]
    }
}

/// The share of the directions around the normal in which nothing near stands in the way.
fn open(
    raster: &Raster,
    camera: &Camera,
    asked: &[[Vector; ASKED]; 16],
    x: usize,
    y: usize,
    far: f64,
) -> f32 {
    let place = y * raster.width + x;
    if raster.id[place] == NOTHING {
        return 1.0;
    }
    let ray = along(raster, camera, x, y);
    let depth = 1.0 / f64::from(raster.near[place]);
    let point = sum(&[(1.0, camera.eye), (depth, ray)]);
    let mut normal = unit(raster.normal[place].map(f64::from));
    if dot(normal, ray) > 0.0 {
        normal = normal.map(|x| -x);
    }
    let side = if normal[0].abs() < 0.7 {
        [1.0, 0.0, 0.0]
    } else {
        [0.0, 1.0, 0.0]
    };
    let u = unit(cross(side, normal));
    let v = cross(normal, u);
    // neighbours ask in turned directions, so that no pattern is seen
    let turned = (x / GRID % 4) * 4 + y / GRID % 4;
    let mut blocked = 0.0;
    for way in &asked[turned] {
        let at = sum(&[
            (1.0, point),
            (far * way[0], normal),
            (far * way[1], u),
            (far * way[2], v),
        ]);
        blocked += is_hidden(raster, camera, at, far);
    }
    1.0 - DARK * (blocked / ASKED as f64) as f32
}

/// Which way and how far is asked: along the normal, aside and aside across, in parts of the farthest; for each of the
/// sixteen turns.
fn directions() -> [[Vector; ASKED]; 16] {
    std::array::from_fn(|turn| {
        std::array::from_fn(|k| {
            let part = (k as f64 + 0.5) / ASKED as f64;
            let angle = (k as f64 * 0.618_034 + turn as f64 / 16.0) * std::f64::consts::TAU;
            let (high, wide) = (part.sqrt(), (1.0 - part).sqrt());
            let reach = 0.15 + 0.85 * ((k * 5 % ASKED) as f64 + 0.5) / ASKED as f64;
            [high, wide * libm::cos(angle), wide * libm::sin(angle)].map(|x| reach * x)
        })
    })
}

/// Where as far as is asked there is nothing but one plane, or nothing at all: nothing stands in anything's way.
struct Tiles {
    across: usize,
    plain: Vec<bool>,
}

impl Tiles {
    fn new(raster: &Raster, camera: &Camera, triangles: &[Triangle], far: f64) -> Self {
        let (across, down) = (raster.width.div_ceil(TILE), raster.height.div_ceil(TILE));
        // whose a tile is, if it is one plane's or nobody's, and how near its nearest sample is
        let whose = |tile: usize| {
            let (x0, y0) = (tile % across * TILE, tile / across * TILE);
            let (x1, y1) = (
                (x0 + TILE).min(raster.width),
                (y0 + TILE).min(raster.height),
            );
            let mut near = 0.0f32;
            let mut first = None;
            for place in (y0..y1).flat_map(|y| (x0..x1).map(move |x| y * raster.width + x)) {
                let owner = match triangles.get(raster.id[place] as usize) {
                    None => NOTHING,
                    Some(triangle) if triangle.floor || triangle.wall => triangle.owner,
                    Some(_) => return None,
                };
                if *first.get_or_insert(owner) != owner {
                    return None;
                }
                near = near.max(raster.near[place]);
            }
            first.map(|owner| (owner, near))
        };
        let tiles: Vec<_> = (0..across * down).map(whose).collect();
        let is_plain = |tile: usize| {
            let Some((owner, near)) = tiles[tile] else {
                return false;
            };
            if owner == NOTHING {
                return true;
            }
            // how far that is on the screen, with room for what is nearer to the camera than the tile
            let samples = far * f64::from(near) / camera.extent.1 * raster.height as f64 / 2.0;
            let reach = (1.5 * samples / TILE as f64).ceil() as usize + 1;
            let (column, row) = (tile % across, tile / across);
            let rows = row.saturating_sub(reach)..=(row + reach).min(down - 1);
            rows.into_iter().all(|row| {
                let columns = column.saturating_sub(reach)..=(column + reach).min(across - 1);
                columns.into_iter().all(|column| {
                    tiles[row * across + column].is_some_and(|(other, _)| other == owner)
                })
            })
        };
        Self {
            across,
            plain: (0..across * down).map(is_plain).collect(),
        }
    }

    fn is_plain(&self, x: usize, y: usize) -> bool {
        self.plain[y / TILE * self.across + x / TILE]
    }
}

/// Whether something stands before a point, and near enough to it to matter: 1, fading to 0 with distance.
fn is_hidden(raster: &Raster, camera: &Camera, at: Vector, far: f64) -> f64 {
    let d = super::camera::sub(at, camera.eye);
    let depth = dot(d, camera.forward);
    if depth <= camera.near {
        return 0.0;
    }
    let (w, h) = (raster.width as f64, raster.height as f64);
    let x = w * 0.5 * (1.0 + dot(d, camera.right) / depth / camera.extent.0);
    let y = h * 0.5 * (1.0 - dot(d, camera.above) / depth / camera.extent.1);
    if !(x >= 0.0 && y >= 0.0 && x < w && y < h) {
        return 0.0;
    }
    let seen = 1.0 / f64::from(raster.near[y as usize * raster.width + x as usize]);
    let before = depth - seen;
    if before < 0.02 * far {
        return 0.0;
    }
    (1.0 - (before - far) / far).clamp(0.0, 1.0)
}

/// The direction of a sample, one unit deep.
fn along(raster: &Raster, camera: &Camera, x: usize, y: usize) -> Vector {
    let across = (2.0 * (x as f64 + 0.5) / raster.width as f64 - 1.0) * camera.extent.0;
    let up = (1.0 - 2.0 * (y as f64 + 0.5) / raster.height as f64) * camera.extent.1;
    sum(&[
        (1.0, camera.forward),
        (across, camera.right),
        (up, camera.above),
    ])
}

/// Whether a sample lies on an edge: the one to its right or below belongs to somebody else, or faces
/// elsewhere. Of two, the nearer one has the line.
pub(super) fn is_edge(x: usize, y: usize, triangles: &[Triangle], raster: &Raster) -> bool {
    let here = y * raster.width + x;
    let Some(mine) = triangles.get(raster.id[here] as usize) else {
        return false;
    };
    // a bar is a line already
    if mine.owner == JOINTS {
        return false;
    }
    let differs = |nx: i64, ny: i64| {
        if nx < 0 || ny < 0 || nx >= raster.width as i64 || ny >= raster.height as i64 {
            return false;
        }
        let there = ny as usize * raster.width + nx as usize;
        let other = triangles.get(raster.id[there] as usize);
        if other.is_some_and(|t| t.is_glass) != mine.is_glass {
            return false;
        }
        if other.map(|t| t.owner) != Some(mine.owner) {
            let nearness = raster.near[there] / raster.near[here];
            // side by side, one of the two has the line
            let is_level = (nearness - 1.0).abs() < 0.01 && there > here;
            return is_level || nearness < 0.99;
        }
        let cosine = cosine(raster.normal[here], raster.normal[there]);
        // a crease has two sides: the line is on one of them
        cosine < CREASE && there > here
    };
    let (x, y) = (x as i64, y as i64);
    differs(x + 1, y) || differs(x, y + 1) || differs(x - 1, y) || differs(x, y - 1)
}

fn cosine(a: [f32; 3], b: [f32; 3]) -> f32 {
    let dot = |p: [f32; 3], q: [f32; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let size = (dot(a, a) * dot(b, b)).sqrt();
    if size > 0.0 { dot(a, b) / size } else { 1.0 }
}
