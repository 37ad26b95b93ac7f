//! Pictures without a browser: a small software renderer, so that `render` works on any machine and
//! gives the same pixels everywhere. Draws what the page draws: bodies, joints, floor, light, soft shadow, and
//! besides edges and the dark of corners.

mod bands;
mod camera;
mod corners;
mod file;
mod model;
mod raster;
mod shade;

use crate::error::{Error, Result};
use crate::wire;
use camera::Camera;
use file::{Film, Format};
use model::Model;
use record::Reader;
use shade::{Canvas, Look};
use std::path::Path;

/// Largest side of a picture, pixels.
const MAX_SIDE: u32 = 8192;
/// Largest number of frames of an animation.
const MAX_FRAMES: f64 = 10_000.0;

/// What to draw.
#[derive(Clone, Copy, Debug)]
pub struct Picture {
    /// Width, pixels.
    pub width: u32,
    /// Height, pixels.
    pub height: u32,
    /// On a dark background.
    pub dark: bool,
    /// Framed around what moves at the moments drawn, not over the whole recording.
    pub close: bool,
    /// The direction to look from, as seen from the middle of the scene; from aside and above unless told.
    pub camera: Option<[f64; 3]>,
    /// How many times nearer than where all is in the picture.
    pub zoom: f64,
    /// Exactly where to look from, whatever is then in the picture; `camera` and `zoom` do not count then.
    pub eye: Option<Eye>,
    /// The direction in which the light is; from above and aside unless told.
    pub light: Option<[f64; 3]>,
}

/// Where a picture is taken from.
#[derive(Clone, Copy, Debug)]
pub struct Eye {
    /// Where the camera is, m.
    pub from: [f64; 3],
    /// What it looks at, m.
    pub to: [f64; 3],
    /// Its field of view from bottom to top, degrees.
    pub degrees: f64,
}

impl Default for Picture {
    fn default() -> Self {
        Self {
            width: 1280,
            height: 720,
            dark: false,
            close: false,
            camera: None,
            zoom: 1.0,
            eye: None,
            light: None,
        }
    }
}

/// Which part of a recording an animation shows.
#[derive(Clone, Copy, Debug)]
pub struct Animation {
    /// First moment, s.
    pub from: f64,
    /// Last moment, s.
    pub to: f64,
    /// Frames per second, of the scene's time and of the animation.
    pub fps: f64,
}

/// Draws a recording at `time` (s) into a PNG or GIF file.
pub fn render(reader: &Reader, time: f64, picture: &Picture, out: &Path) -> Result<()> {
    if Format::of(out)? == Format::Mp4 {
        return Err(Error::Still { path: out.into() });
    }
    check_size(picture)?;
    check_time(reader, "the moment", time)?;
    let mut studio = Studio::new(reader, picture, (time, time))?;
    let pixels = studio.frame(reader, time)?;
    file::write(out, picture, None, std::iter::once(Ok(pixels)))
}

/// Draws part of a recording into an animated PNG, which browsers play, a GIF, or (with `ffmpeg`) an MP4.
pub fn animate(
    reader: &Reader,
    animation: &Animation,
    picture: &Picture,
    out: &Path,
) -> Result<()> {
    animate_told(reader, animation, picture, out, &|_, _| {})
}

/// As [`animate`]; says before each frame which one it is, and of how many.
pub fn animate_told(
    reader: &Reader,
    animation: &Animation,
    picture: &Picture,
    out: &Path,
    told: &dyn Fn(u32, u32),
) -> Result<()> {
    Format::of(out)?;
    check_size(picture)?;
    let Animation { from, to, fps } = *animation;
    check_time(reader, "the first moment", from)?;
    check_time(reader, "the last moment", to)?;
    let count = ((to - from) * fps).floor() + 1.0;
    if !(fps > 0.0 && fps <= 1000.0 && (1.0..=MAX_FRAMES).contains(&count)) {
        let expected = format!("it must give 1 to {MAX_FRAMES} frames from {from} to {to} s");
        return Err(Error::Moment {
            what: "the frame rate",
            value: fps,
            expected,
        });
    }
    let mut studio = Studio::new(reader, picture, (from, to))?;
    let count = count as u32;
    let frame = |i: u32| {
        told(i, count);
        studio.frame(reader, (from + f64::from(i) / fps).min(to))
    };
    let film = Film { count, fps };
    file::write(out, picture, Some(film), (0..count).map(frame))
}

/// What is measured to see all of a recording: made once, while the recording may still grow.
pub(crate) struct Measure(Model);

impl Measure {
    pub(crate) fn new(header: &record::Header) -> Self {
        Self(Model::new(header))
    }

    /// The outermost corners of what a picture of all of the recording so far is framed around.
    pub(crate) fn corners(&self, reader: &Reader) -> record::Result<Vec<[f64; 3]>> {
        Ok(self.0.bounds(reader, reader.span())?.outermost())
    }
}

/// A scene set up once, drawn at many moments.
struct Studio {
    model: Model,
    camera: Camera,
    look: Look,
    canvas: Canvas,
}

impl Studio {
    fn new(reader: &Reader, picture: &Picture, (from, to): (f64, f64)) -> Result<Self> {
        let mut model = Model::new(reader.header());
        let span = match picture.close {
            true => (wire::tick(from), wire::tick(to)),
            false => reader.span(),
        };
        let bounds = model.bounds(reader, span)?;
        let aspect = f64::from(picture.width) / f64::from(picture.height);
        let gravity = reader.header().gravity;
        let from = picture.eye.map(|eye| camera::sub(eye.from, eye.to));
        let from = from.or(picture.camera);
        let mut camera = Camera::around(&bounds, gravity, aspect, from, picture.zoom);
        if let Some(eye) = &picture.eye {
            camera.stand(eye, aspect);
        }
        if let Some(light) = picture.light {
            camera.light.turn(light);
        }
        model.see_through(reader, span, &camera)?;
        let look = Look::new(picture.dark, bounds.radius);
        Ok(Self {
            model,
            camera,
            look,
            canvas: Canvas::new((picture.width as usize, picture.height as usize)),
        })
    }

    fn frame(&mut self, reader: &Reader, time: f64) -> Result<Vec<u8>> {
        let triangles = self.model.at(reader, wire::tick(time), &self.camera)?;
        Ok(shade::draw(
            &triangles,
            &self.camera,
            &self.look,
            &mut self.canvas,
        ))
    }
}

fn check_size(picture: &Picture) -> Result<()> {
    if !(picture.zoom.is_finite() && (0.01..=100.0).contains(&picture.zoom)) {
        return Err(Error::Moment {
            what: "the zoom",
            value: picture.zoom,
            expected: "it must be 0.01 to 100".into(),
        });
    }
    let length = picture.camera.map(|v| camera::dot(v, v).sqrt());
    if length.is_some_and(|length| !(length.is_finite() && length > 0.0)) {
        return Err(Error::Camera);
    }
    let (width, height) = (picture.width, picture.height);
    if (1..=MAX_SIDE).contains(&width) && (1..=MAX_SIDE).contains(&height) {
        return Ok(());
    }
    Err(Error::Size {
        width,
        height,
        limit: MAX_SIDE,
    })
}

fn check_time(reader: &Reader, what: &'static str, value: f64) -> Result<()> {
    let (first, last) = reader.span();
    let (first, last) = (wire::seconds(first), wire::seconds(last));
    if (first..=last).contains(&value) {
        return Ok(());
    }
    let expected = format!("the recording covers {first} to {last} s");
    Err(Error::Moment {
        what,
        value,
        expected,
    })
}
