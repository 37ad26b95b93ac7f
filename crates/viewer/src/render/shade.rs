//! Light: each pixel gets its colour from the sky, the sun where no shadow falls, a soft highlight, and
//! haze with distance. Corners are darker, edges are lines. Four samples a pixel; where the first and the last of
//! them look the same, the other two are not asked.

use super::bands::{Tones, in_bands};
use super::camera::{Camera, Light, Vector, dot, sub, sum, unit};
use super::corners::{Corners, is_edge};
use super::model::Triangle;
use super::raster::{Corner, NOTHING, Raster};

/// Samples along each side of a pixel.
const SAMPLES: usize = 2;
/// What remains of the light along an edge.
const EDGE: f32 = 0.55;
/// Side of the shadow map, texels.
const SHADOW: usize = 2048;

/// Colours of the surroundings, linear.
pub(crate) struct Look {
    background: [f32; 3],
    sky: f32,
    sun: f32,
    floor: [[f32; 3]; 2],
    wall: [f32; 3],
    /// Side of the floor's squares, m.
    cell: f64,
    /// Distances at which haze begins and has taken all, m.
    haze: (f64, f64),
}

impl Look {
    pub(crate) fn new(dark: bool, radius: f64) -> Self {
        let cell = libm::pow(10.0, libm::round(libm::log10(radius / 6.0)));
        let haze = (radius * 7.0, radius * 26.0);
        if dark {
            let floor = [[0.075, 0.085, 0.10], [0.065, 0.073, 0.088]];
            Self {
                background: [0.007, 0.009, 0.012],
                sky: 0.42,
                sun: 1.9,
                floor,
                wall: [0.10, 0.11, 0.13],
                cell,
                haze,
            }
        } else {
            let floor = [[0.46, 0.48, 0.52], [0.40, 0.42, 0.46]];
            Self {
                background: [0.72, 0.77, 0.83],
                sky: 0.5,
                sun: 1.55,
                floor,
                wall: [0.50, 0.53, 0.57],
                cell,
                haze,
            }
        }
    }
}

/// Two samples of a pixel that differ by less than this in every colour are the same.
const SAME: f32 = 0.012;

/// What is drawn into: large, so that it is kept from one picture to the next.
pub(crate) struct Canvas {
    size: (usize, usize),
    raster: Raster,
    shadow: Raster,
    tones: Tones,
}

impl Canvas {
    /// For pictures of so many pixels.
    pub(crate) fn new((width, height): (usize, usize)) -> Self {
        Self {
            size: (width, height),
            raster: Raster::new(width * SAMPLES, height * SAMPLES, true),
            shadow: Raster::new(SHADOW, SHADOW, false),
            tones: Tones::new(encode),
        }
    }
}

/// Draws the triangles; gives rows of RGB bytes.
pub(crate) fn draw(
    triangles: &[Triangle],
    camera: &Camera,
    look: &Look,
    canvas: &mut Canvas,
) -> Vec<u8> {
    let (width, height) = canvas.size;
    let Canvas {
        raster,
        shadow,
        tones,
        ..
    } = canvas;
    raster.clear();
    shadow.clear();
    for (id, triangle) in triangles.iter().enumerate() {
        project(triangle, camera, raster, id as u32);
        if !triangle.floor && !triangle.is_glass {
            let corners = triangle.corners.map(|p| from_light(p, &camera.light));
            shadow.triangle(&corners, 0);
        }
    }
    let corners = Corners::new(raster, camera, triangles);
    let seen = Seen {
        triangles,
        raster,
        shadow,
        camera,
        look,
        corners: &corners,
    };
    in_bands(height, |rows| {
        let mut pixels = Vec::with_capacity(rows.len() * width * 3);
        for row in rows {
            for column in 0..width {
                let light = seen.pixel(column * SAMPLES, row * SAMPLES);
                pixels.extend(light.map(|x| tones.byte(x)));
            }
        }
        pixels
    })
}

/// All that a sample's colour follows from.
struct Seen<'a> {
    triangles: &'a [Triangle],
    raster: &'a Raster,
    shadow: &'a Raster,
    camera: &'a Camera,
    look: &'a Look,
    corners: &'a Corners,
}

impl Seen<'_> {
    /// The mean of a pixel's samples.
    fn pixel(&self, x: usize, y: usize) -> [f32; 3] {
        let (first, last) = (self.sample(x, y), self.sample(x + 1, y + 1));
        let owner = |x, y| {
            let id = self.raster.id[y * self.raster.width + x];
            self.triangles.get(id as usize).map(|t| t.owner)
        };
        let is_one = owner(x, y) == owner(x + 1, y + 1)
            && owner(x, y) == owner(x + 1, y)
            && owner(x, y) == owner(x, y + 1);
        let is_even = (0..3).all(|i| (first[i] - last[i]).abs() < SAME);
        if is_one && is_even {
            return std::array::from_fn(|i| 0.5 * (first[i] + last[i]));
        }
        let (second, third) = (self.sample(x + 1, y), self.sample(x, y + 1));
        std::array::from_fn(|i| 0.25 * (first[i] + second[i] + third[i] + last[i]))
    }

    fn sample(&self, x: usize, y: usize) -> [f32; 3] {
        let open = self.corners.open_to_sky(x, y);
        let one = self.shade(x, y, open);
        match is_edge(x, y, self.triangles, self.raster) {
            true => one.map(|c| EDGE * c),
            false => one,
        }
    }

    /// The light that comes from a sample.
    fn shade(&self, x: usize, y: usize, open: f32) -> [f32; 3] {
        let Self {
            triangles,
            raster,
            shadow,
            camera,
            look,
            ..
        } = *self;
        let place = y * raster.width + x;
        let id = raster.id[place];
        if id == NOTHING {
            return look.background;
        }
        let triangle = &triangles[id as usize];
        let depth = 1.0 / f64::from(raster.near[place]);
        let across = (2.0 * (x as f64 + 0.5) / raster.width as f64 - 1.0) * camera.extent.0;
        let up = (1.0 - 2.0 * (y as f64 + 0.5) / raster.height as f64) * camera.extent.1;
        let ray = sum(&[
            (1.0, camera.forward),
            (across, camera.right),
            (up, camera.above),
        ]);
        let point = sum(&[(1.0, camera.eye), (depth, ray)]);
        let towards_eye = unit(ray).map(|x| -x);
        let mut normal = unit(raster.normal[place].map(f64::from));
        if dot(normal, towards_eye) < 0.0 {
            normal = normal.map(|x| -x);
        }
        let base = if triangle.floor {
            floor_colour(point, normal, look)
        } else if triangle.wall {
            look.wall
        } else {
            triangle.colour
        };
        let towards = camera.light.towards;
        let facing = dot(normal, towards).max(0.0);
        let lit = if facing > 0.0 {
            open_to_light(point, normal, shadow, &camera.light)
        } else {
            0.0
        };
        let gloss = if triangle.floor { 0.0 } else { 0.22 };
        let shine = match lit > 0.0 && !triangle.floor {
            true => highlight(dot(
                normal,
                unit(sum(&[(1.0, towards), (1.0, towards_eye)])),
            )),
            false => 0.0,
        };
        let from_above = 0.5 + 0.5 * dot(normal, camera.up) as f32;
        let sky = look.sky * (0.45 + 0.55 * from_above) * open;
        let sun = look.sun * (facing * lit) as f32 * 0.62 * (0.5 + 0.5 * open);
        let colour = base.map(|c| c * (sky + sun) + gloss * shine * lit as f32 * look.sun * 0.4);
        let distance = depth * dot(ray, ray).sqrt();
        let haze = ((distance - look.haze.0) / (look.haze.1 - look.haze.0)).clamp(0.0, 1.0) as f32;
        std::array::from_fn(|i| colour[i] + haze * (look.background[i] - colour[i]))
    }
}

/// Cuts a triangle at the camera's near plane and draws what is in front of it.
fn project(triangle: &Triangle, camera: &Camera, raster: &mut Raster, id: u32) {
    let view = |i: usize| {
        let d = sub(triangle.corners[i], camera.eye);
        let place = [
            dot(d, camera.right),
            dot(d, camera.above),
            dot(d, camera.forward),
        ];
        (place, triangle.normals[i])
    };
    let corners = [view(0), view(1), view(2)];
    let mut kept: [(Vector, Vector); 4] = [corners[0]; 4];
    let mut count = 0;
    let mut keep = |corner| {
        kept[count] = corner;
        count += 1;
    };
    for i in 0..3 {
        let (a, b) = (corners[i], corners[(i + 1) % 3]);
        let (da, db) = (a.0[2] - camera.near, b.0[2] - camera.near);
        if da >= 0.0 {
            keep(a);
        }
        if (da >= 0.0) != (db >= 0.0) {
            let s = da / (da - db);
            keep((
                sum(&[(1.0 - s, a.0), (s, b.0)]),
                sum(&[(1.0 - s, a.1), (s, b.1)]),
            ));
        }
    }
    let (w, h) = (raster.width as f64, raster.height as f64);
    let screen = |(p, normal): (Vector, Vector)| Corner {
        x: w * 0.5 * (1.0 + p[0] / p[2] / camera.extent.0),
        y: h * 0.5 * (1.0 - p[1] / p[2] / camera.extent.1),
        near: 1.0 / p[2],
        weight: 1.0 / p[2],
        normal,
    };
    for k in 2..count {
        let corners = [kept[0], kept[k - 1], kept[k]].map(screen);
        if triangle.is_glass {
            raster.half_triangle(&corners, id);
        } else {
            raster.triangle(&corners, id);
        }
    }
}

/// Which triangle is nearest, in a small picture.
pub(super) fn outline(
    triangles: &[Triangle],
    camera: &Camera,
    (width, height): (usize, usize),
) -> Raster {
    let mut raster = Raster::new(width, height, false);
    for (id, triangle) in triangles.iter().enumerate() {
        project(triangle, camera, &mut raster, id as u32);
    }
    raster
}

/// Where a point is in a small picture, if it is in it.
pub(super) fn pixel(at: Vector, camera: &Camera, (width, height): (usize, usize)) -> Option<usize> {
    let d = sub(at, camera.eye);
    let depth = dot(d, camera.forward);
    let x = width as f64 * 0.5 * (1.0 + dot(d, camera.right) / depth / camera.extent.0);
    let y = height as f64 * 0.5 * (1.0 - dot(d, camera.above) / depth / camera.extent.1);
    let inside = depth > camera.near
        && (0.0..width as f64).contains(&x)
        && (0.0..height as f64).contains(&y);
    inside.then(|| y as usize * width + x as usize)
}

fn from_light(p: Vector, light: &Light) -> Corner {
    let d = sub(p, light.centre);
    let scale = |along: f64| SHADOW as f64 * 0.5 * (1.0 + along / light.reach);
    Corner {
        x: scale(dot(d, light.right)),
        y: scale(dot(d, light.above)),
        near: dot(d, light.towards),
        weight: 1.0,
        normal: [0.0; 3],
    }
}

/// The forty-eighth power of what is not negative: a narrow highlight.
fn highlight(cosine: f64) -> f32 {
    let c = cosine.max(0.0);
    let third = c * c * c;
    let twelfth = (third * third) * (third * third);
    ((twelfth * twelfth) * (twelfth * twelfth)) as f32
}

/// The floor's checks, in the plane's own directions.
fn floor_colour(point: Vector, normal: Vector, look: &Look) -> [f32; 3] {
    let least = (0..3)
        .max_by(|&i, &j| normal[i].abs().total_cmp(&normal[j].abs()))
        .unwrap_or(1);
    let square = |i: usize| (point[i] / look.cell).floor() as i64;
    let parity: i64 = (0..3).filter(|i| *i != least).map(square).sum();
    look.floor[(parity.rem_euclid(2)) as usize]
}

/// How much of the sun reaches a point: a mean over neighbouring texels softens the edge.
fn open_to_light(point: Vector, normal: Vector, shadow: &Raster, light: &Light) -> f64 {
    let texel = 2.0 * light.reach / SHADOW as f64;
    let lifted = sum(&[(1.0, point), (2.0 * texel, normal)]);
    let at = from_light(lifted, light);
    let bias = 1.5 * texel;
    let is_open = |dx: i64, dy: i64| {
        let (x, y) = (at.x as i64 + dx, at.y as i64 + dy);
        let inside = (0..SHADOW as i64).contains(&x) && (0..SHADOW as i64).contains(&y);
        !(inside && f64::from(shadow.near[y as usize * SHADOW + x as usize]) > at.near + bias)
    };
    // where every second texel says the same, so do those between them
    let every = |step: usize| {
        let along = move || (-2..=2).step_by(step);
        along().flat_map(move |dy| along().map(move |dx| (dx, dy)))
    };
    let coarse: i32 = every(2).map(|(dx, dy)| i32::from(is_open(dx, dy))).sum();
    match coarse {
        0 => 0.0,
        9 => 1.0,
        _ => {
            let open: i32 = every(1).map(|(dx, dy)| i32::from(is_open(dx, dy))).sum();
            f64::from(open) / 25.0
        }
    }
}

/// A linear value as an sRGB byte; bright ones are rolled off instead of cut.
fn encode(x: f32) -> u8 {
    let rolled = if x > 0.8 {
        1.0 - 0.2 * libm::expf(-(x - 0.8) / 0.2)
    } else {
        x.max(0.0)
    };
    let gamma = if rolled <= 0.003_130_8 {
        12.92 * rolled
    } else {
        1.055 * libm::powf(rolled, 1.0 / 2.4) - 0.055
    };
    (gamma * 255.0 + 0.5) as u8
}
