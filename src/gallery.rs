//! `warpline gallery`: twelve clips of built-in scenes and a page that shows them, by one command.

use crate::failure::Failure;
use crate::output::{make_directory, print, write_file};
use crate::recorder::Recorder;
use crate::render::animate_told;
use crate::report;
use crate::simulate::simulate_measured;
use record::Reader;
use sim::scene::{self, Override};
use std::path::{Path, PathBuf};
use viewer::{Animation, Picture};

/// Arguments of `gallery`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Where the page and its clips go
    #[arg(long, value_name = "DIR", default_value = "gallery")]
    out: PathBuf,
    /// Width and height of a clip in pixels
    #[arg(long, num_args = 2, value_names = ["WIDTH", "HEIGHT"], default_values_t = [480, 270])]
    size: Vec<u32>,
    /// Frames per second
    #[arg(long, default_value_t = 20.0)]
    fps: f64,
    /// Write GIF, even where `ffmpeg` could write MP4
    #[arg(long)]
    gif: bool,
    /// On a dark background
    #[arg(long)]
    dark: bool,
    /// Only these scenes
    #[arg(long, value_name = "SCENE")]
    only: Vec<String>,
}

/// A clip: which scene, how long, and from where it is seen.
struct Clip {
    scene: &'static str,
    set: &'static [&'static str],
    /// First and last moment that is shown, s.
    from: f64,
    seconds: f64,
    /// The direction to look from; where none is given as the scene's `[view]` says, or from aside and above.
    camera: Option<[f64; 3]>,
    /// How many times nearer.
    zoom: f64,
}

const fn clip(scene: &'static str, seconds: f64) -> Clip {
    Clip {
        scene,
        set: &[],
        from: 0.0,
        seconds,
        camera: None,
        zoom: 1.0,
    }
}

/// The twelve.
const CLIPS: [Clip; 12] = [
    clip("atoms", 3.0),
    clip("tumblers", 3.0),
    Clip {
        camera: Some([0.0, 1.0, 0.7]),
        ..clip("pool-break", 3.0)
    },
    clip("dominoes", 4.5),
    clip("bridge", 4.0),
    Clip {
        from: 0.4,
        camera: Some([0.9, 0.75, 1.0]),
        ..clip("pile", 3.0)
    },
    clip("cradle", 4.0),
    clip("avalanche", 4.0),
    Clip {
        camera: Some([0.55, 0.45, 0.95]),
        zoom: 1.2,
        ..clip("cloth-hammock", 2.0)
    },
    clip("cars", 5.0),
    clip("bouncing", 3.0),
    clip("orbits", 4.0),
];

/// A clip that has been made.
struct Made {
    name: &'static str,
    file: String,
    description: String,
    bodies: usize,
    events: u64,
    cpu_seconds: f64,
}

/// Runs the command.
pub fn gallery(arguments: &Arguments) -> Result<(), Failure> {
    for name in &arguments.only {
        if !CLIPS.iter().any(|clip| clip.scene == name) {
            let names: Vec<&str> = CLIPS.iter().map(|clip| clip.scene).collect();
            let help = format!("the gallery has: {}", names.join(", "));
            return Err(Failure::input(
                format!("`{name}` is not in the gallery"),
                Some(help),
            ));
        }
    }
    make_directory(&arguments.out)?;
    let folder = tempfile::tempdir()
        .map_err(|e| Failure::run(format!("cannot make a temporary folder: {e}"), None))?;
    let ending = match arguments.gif || !has_ffmpeg() {
        true => "gif",
        false => "mp4",
    };
    let wanted = |clip: &&Clip| {
        arguments.only.is_empty() || arguments.only.iter().any(|name| name == clip.scene)
    };
    let mut made = Vec::new();
    for clip in CLIPS.iter().filter(wanted) {
        let one = make(clip, arguments, ending, folder.path())?;
        let (name, file) = (one.name, arguments.out.join(&one.file));
        print(&format!("{name}: {}\n", file.display()))?;
        made.push(one);
    }
    let page = arguments.out.join("index.html");
    write_file(&page, html(&made, arguments.dark).as_bytes())?;
    print(&format!("open {}\n", page.display()))
}

/// Whether `ffmpeg` answers.
fn has_ffmpeg() -> bool {
    let quiet = std::process::Stdio::null;
    let asked = std::process::Command::new("ffmpeg")
        .arg("-version")
        .stdout(quiet())
        .stderr(quiet())
        .status();
    asked.is_ok_and(|status| status.success())
}

/// Runs a scene and draws it.
fn make(clip: &Clip, arguments: &Arguments, ending: &str, folder: &Path) -> Result<Made, Failure> {
    let mut overrides = Vec::new();
    for set in clip.set {
        overrides.push(Override::parse(set).map_err(|why| Failure::input(why, None))?);
    }
    let seconds = clip.seconds.to_string();
    overrides.push(Override::option("--until", "until", &seconds));
    let Some(builtin) = scene::builtin(clip.scene) else {
        let message = format!("there is no built-in scene `{}`", clip.scene);
        return Err(Failure::run(message, None));
    };
    let scene = scene::load(builtin.name, builtin.text, &overrides)?;
    let recording = folder.join(format!("{}.wline", clip.scene));
    let named = "timewarp"
        .parse()
        .map_err(|why: String| Failure::run(why, None))?;
    let mut recorder = Recorder::create(&recording, &scene.world, clip.scene)?;
    let stats = simulate_measured(&scene.world, &named, false, &mut recorder)?;
    recorder.finish(&report::json(&stats)?)?;
    let file = format!("{}.{ending}", clip.scene);
    let failed = |error: &dyn std::fmt::Display| Failure::run(error.to_string(), None);
    let reader = Reader::open(&recording).map_err(|e| failed(&e))?;
    let look = warpline::looks::look(reader.header());
    let picture = Picture {
        width: arguments.size[0],
        height: arguments.size[1],
        dark: arguments.dark,
        eye: look.eye.filter(|_| clip.camera.is_none()),
        light: look.light,
        camera: clip.camera,
        zoom: clip.zoom,
        close: clip.from > 0.0,
    };
    let animation = Animation {
        from: clip.from,
        to: clip.seconds.min(scene.world.until.seconds()),
        fps: arguments.fps,
    };
    let out = arguments.out.join(&file);
    animate_told(&reader, &animation, &picture, &out, clip.scene).map_err(|e| failed(&e))?;
    Ok(Made {
        name: clip.scene,
        file,
        description: scene.description,
        bodies: scene.world.bodies.len() + scene.world.deformables.len(),
        events: stats.events_committed,
        cpu_seconds: stats.cpu_seconds,
    })
}

const STYLE: &str = "\
:root{color-scheme:light dark}body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:1560px;padding:0 1rem;\
background:#f4f5f7;color:#1c2128}main{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,340px),1fr));gap:18px}\
figure{margin:0;border:1px solid #d9dce1;border-radius:8px;overflow:hidden;background:#fff}\
img,video{display:block;width:100%;height:auto}figcaption{padding:10px 14px}code{font-size:13px}\
small{color:#667080;display:block}@media(prefers-color-scheme:dark){body{background:#14171c;color:#e4e7ec}\
figure{background:#1c2027;border-color:#323842}small{color:#8f99a8}}";

fn html(made: &[Made], dark: bool) -> String {
    use crate::chart::escape;
    let dark = if dark { " --dark" } else { "" };
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Warpline: gallery</title><style>{STYLE}</style>\n<h1>Warpline: gallery</h1>\n\
         <p>Built-in scenes, simulated and drawn by <code>warpline gallery{dark}</code>. See one from all sides: \
         <code>warpline view atoms</code>.</p>\n<main>\n"
    );
    for clip in made {
        let file = escape(&clip.file);
        let picture = match clip.file.ends_with(".mp4") {
            true => format!("<video src=\"{file}\" autoplay loop muted playsinline></video>"),
            false => format!("<img src=\"{file}\" alt=\"{}\">", escape(&clip.description)),
        };
        html += &format!(
            "<figure>{picture}<figcaption><b>{}</b>: {}<small>{} bodies, {} events, {:.2} s of CPU time</small>\
             <code>warpline view {}</code></figcaption></figure>\n",
            escape(clip.name),
            escape(&clip.description),
            clip.bodies,
            clip.events,
            clip.cpu_seconds,
            escape(clip.name),
        );
    }
    html + "</main></html>\n"
}
