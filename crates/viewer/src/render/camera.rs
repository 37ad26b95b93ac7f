//! Where the picture is taken from, and where the light comes from: both look at the middle of what
//! moves, from above and aside.

use super::Eye;
use super::model::clip;

/// Half the vertical field of view, rad.
const HALF_VIEW: f64 = 0.366;

pub(crate) type Vector = [f64; 3];

/// A pinhole camera and a distant light.
pub(crate) struct Camera {
    pub(crate) eye: Vector,
    pub(crate) forward: Vector,
    pub(crate) right: Vector,
    pub(crate) above: Vector,
    /// Half the picture's width and height at distance 1.
    pub(crate) extent: (f64, f64),
    pub(crate) near: f64,
    /// Against gravity.
    pub(crate) up: Vector,
    pub(crate) light: Light,
    /// What walls are cut to.
    pub(crate) frame: Frame,
}

/// A box with the scene in it.
pub(crate) struct Frame {
    low: Vector,
    high: Vector,
}

impl Frame {
    /// A little more than the corners.
    fn new(scene: &Bounds) -> Self {
        let margin = 0.12 * scene.radius;
        let (mut low, mut high) = (scene.centre, scene.centre);
        for corner in &scene.corners {
            low = std::array::from_fn(|i| low[i].min(corner[i] - margin));
            high = std::array::from_fn(|i| high[i].max(corner[i] + margin));
        }
        Self { low, high }
    }

    /// What of a polygon lies in the box.
    pub(crate) fn cut(&self, mut polygon: Vec<Vector>) -> Vec<Vector> {
        for axis in 0..3 {
            let mut normal = [0.0; 3];
            normal[axis] = 1.0;
            polygon = clip(&polygon, self.low, normal);
            normal[axis] = -1.0;
            polygon = clip(&polygon, self.high, normal);
        }
        polygon
    }
}

/// Where a scene is.
pub(crate) struct Bounds {
    pub(crate) centre: Vector,
    pub(crate) radius: f64,
    /// Corners of the boxes around its bodies, at several moments.
    pub(crate) corners: Vec<Vector>,
}

/// Directions in which the outermost corners are looked for.
const DIRECTIONS: usize = 64;

impl Bounds {
    /// The corners that are outermost in some direction: few, however many bodies there are.
    pub(crate) fn outermost(&self) -> Vec<Vector> {
        let mut found = vec![(f64::NEG_INFINITY, 0); DIRECTIONS];
        let ways: Vec<Vector> = (0..DIRECTIONS).map(direction).collect();
        for (index, corner) in self.corners.iter().enumerate() {
            for (way, best) in ways.iter().zip(&mut found) {
                let far = dot(*way, *corner);
                if far > best.0 {
                    *best = (far, index);
                }
            }
        }
        let mut chosen: Vec<usize> = found.into_iter().map(|(_, index)| index).collect();
        chosen.sort_unstable();
        chosen.dedup();
        let corners = chosen.into_iter().filter_map(|i| self.corners.get(i));
        corners.copied().collect()
    }

    /// Around the corners; a ball of 5 m if there are none.
    pub(crate) fn new(corners: Vec<Vector>) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for corner in &corners {
            low = std::array::from_fn(|i| low[i].min(corner[i]));
            high = std::array::from_fn(|i| high[i].max(corner[i]));
        }
        if corners.is_empty() {
            return Self {
                centre: [0.0; 3],
                radius: 5.0,
                corners,
            };
        }
        let across = sub(high, low);
        let radius = (0.5 * dot(across, across).sqrt()).max(1e-6);
        Self {
            centre: sum(&[(0.5, low), (0.5, high)]),
            radius,
            corners,
        }
    }
}

/// One of many directions that are spread evenly.
fn direction(index: usize) -> Vector {
    let up = 1.0 - (2.0 * index as f64 + 1.0) / DIRECTIONS as f64;
    let (aside, angle) = ((1.0 - up * up).sqrt(), 2.399_963_229_728_653 * index as f64);
    [aside * libm::cos(angle), up, aside * libm::sin(angle)]
}

/// A light from far away, and the square that its shadow map covers.
pub(crate) struct Light {
    /// Towards the light.
    pub(crate) towards: Vector,
    pub(crate) right: Vector,
    pub(crate) above: Vector,
    pub(crate) centre: Vector,
    /// Half the side of the square, m.
    pub(crate) reach: f64,
}

impl Camera {
    /// Sees all of `scene`, from a direction if one is given, and so many times nearer.
    pub(crate) fn around(
        scene: &Bounds,
        gravity: Vector,
        aspect: f64,
        from: Option<Vector>,
        zoom: f64,
    ) -> Self {
        let (centre, radius) = (scene.centre, scene.radius);
        let up = if dot(gravity, gravity) > 0.0 {
            unit(gravity.map(|x| -x))
        } else {
            [0.0, 1.0, 0.0]
        };
        let side = if up[0].abs() < 0.7 {
            [1.0, 0.0, 0.0]
        } else {
            [0.0, 0.0, 1.0]
        };
        let across = unit(cross(side, up));
        let front = cross(up, across);
        let aside = unit(sum(&[(0.55, front), (-0.95, across), (0.5, up)]));
        let away = from.map_or(aside, unit);
        let forward = away.map(|x| -x);
        let right = match cross(forward, up) {
            // straight from above or below: the picture's top is the scene's front
            v if dot(v, v) < 1e-12 => across,
            v => unit(v),
        };
        let above = cross(right, forward);
        let height = HALF_VIEW.tan();
        // the least distance from which every corner is in the picture
        let need = |corner: &Vector| {
            let d = sub(*corner, centre);
            let aside = (dot(d, right).abs() / aspect).max(dot(d, above).abs());
            dot(d, away) + aside / height
        };
        let distance = 1.12 / zoom * scene.corners.iter().map(need).fold(radius, f64::max);
        let eye = sum(&[(1.0, centre), (distance, away)]);
        let towards = unit(sum(&[(2.6, up), (1.2, aside), (1.4, across)]));
        let light_right = unit(cross(towards, right));
        let light_above = cross(towards, light_right);
        Self {
            eye,
            forward,
            right,
            above,
            extent: (height * aspect, height),
            near: distance / 500.0,
            up,
            light: Light {
                towards,
                right: light_right,
                above: light_above,
                centre,
                reach: 1.7 * radius,
            },
            frame: Frame::new(scene),
        }
    }

    /// Stands where it is told, looking as it does.
    pub(crate) fn stand(&mut self, eye: &Eye, aspect: f64) {
        let height = (0.5 * eye.degrees.to_radians()).tan();
        let away = sub(eye.from, eye.to);
        self.eye = eye.from;
        self.extent = (height * aspect, height);
        self.near = dot(away, away).sqrt() / 500.0;
    }
}

impl Light {
    /// Comes from another direction.
    pub(crate) fn turn(&mut self, towards: Vector) {
        let towards = unit(towards);
        let side = match towards[1].abs() < 0.9 {
            true => [0.0, 1.0, 0.0],
            false => [1.0, 0.0, 0.0],
        };
        self.right = unit(cross(towards, side));
        self.above = cross(towards, self.right);
        self.towards = towards;
    }
}

pub(crate) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

pub(crate) fn sub(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|i| a[i] - b[i])
}

pub(crate) fn sum(terms: &[(f64, Vector)]) -> Vector {
    std::array::from_fn(|i| terms.iter().map(|(scale, v)| scale * v[i]).sum())
}

pub(crate) fn unit(v: Vector) -> Vector {
    let length = dot(v, v).sqrt();
    if length > 0.0 {
        v.map(|x| x / length)
    } else {
        [0.0, 1.0, 0.0]
    }
}
