//! The answers to the page's questions. A question is about a recording that is shown, by number; no
//! request names a file.

use crate::http::{Answer, Query, Request, answer as answered, lists, words};
use crate::live;
use crate::page;
use crate::runs::{Pull, Wish};
use crate::scene::surface_bytes;
use crate::shows::{Shown, Shows};
use crate::wire;
use http::{Method, StatusCode, header};
use record::NO_PARTNER;
use serde_json::{Value, json};
use std::sync::Arc;

/// Bars of the overview.
const MAX_BINS: usize = 4096;
/// Rollbacks in one answer: more cannot be told apart on a screen.
const MAX_UNDONE: usize = 20_000;
/// Vertex frames in one answer.
const MAX_FRAMES: usize = 16;

/// An answer that says why there is no other.
pub(crate) type Refused = Box<Answer>;

/// An answer, or another one that says why there is none.
type Answered = Result<Answer, Refused>;

/// A recording whose news are told over a socket, and the key to answer the request with.
type Called = (Arc<Shown>, Vec<u8>);

/// The answer to any request but one for a socket.
pub(crate) fn answer(shows: &Shows, request: &Request) -> Answer {
    let path = request.uri().path();
    let is_post = request.method() == Method::POST;
    if let Some(asset) = page::ASSETS.iter().find(|asset| asset.path == path) {
        return match is_post {
            true => *not_that_way(),
            false => answered(StatusCode::OK, asset.media, asset.bytes),
        };
    }
    let Some(question) = path.strip_prefix("/api/") else {
        return *missing("there is no such page\n");
    };
    let query = &Query::of(request);
    let found = match (question.split_once('/'), question) {
        (_, "start" | "pull") if !is_post => Err(not_that_way()),
        (_, "start") => start(shows, query),
        (_, "pull") => shown(shows, query).and_then(|shown| pull(&shown, query)),
        _ if is_post => Err(not_that_way()),
        (_, "offers") => Ok(offers(shows)),
        (Some(("surface", number)), _) => {
            shown(shows, query).and_then(|shown| surface(&shown, number))
        }
        (Some(("vertices", body)), _) => {
            shown(shows, query).and_then(|shown| vertices(&shown, body, query))
        }
        (_, "scene") => scene(shows, query),
        _ => {
            let ask = match question {
                "status" => status,
                "overview" => overview,
                "bounds" => bounds,
                "window" => window,
                "undone" => undone,
                "rollbacks" => rollbacks,
                "clocks" => clocks,
                "forces" => forces,
                _ => return *missing("there is no such question\n"),
            };
            shown(shows, query).and_then(|shown| ask(&shown, query))
        }
    };
    found.unwrap_or_else(|why| *why)
}

/// The recording whose news a request wants to be told over a socket, and the key to answer with; nothing if the request
/// is another one.
pub(crate) fn live(shows: &Shows, request: &Request) -> Option<Result<Called, Refused>> {
    if request.uri().path() != "/api/live" {
        return None;
    }
    if request.method() != Method::GET {
        return Some(Err(not_that_way()));
    }
    let headers = request.headers();
    let version = headers.get(header::SEC_WEBSOCKET_VERSION);
    let asks = lists(request, header::CONNECTION, "upgrade")
        && lists(request, header::UPGRADE, "websocket")
        && version.is_some_and(|version| version == "13");
    let key = headers.get(header::SEC_WEBSOCKET_KEY);
    let (true, Some(key)) = (asks, key) else {
        return Some(Err(refusal("this is answered to a web socket\n".into())));
    };
    let found = shown(shows, &Query::of(request));
    Some(found.map(|shown| (shown, key.as_bytes().to_vec())))
}

/// The recording that a request is about: `run` in its query, or the first.
fn shown(shows: &Shows, query: &Query) -> Result<Arc<Shown>, Refused> {
    let run = query.value("run").map_err(refusal)?;
    let nothing = || missing("nothing is shown yet\n");
    shows.get(run.unwrap_or(0)).ok_or_else(nothing)
}

/// What is shown; null where nothing is yet.
fn scene(shows: &Shows, query: &Query) -> Answered {
    let shown = match shown(shows, query) {
        Err(_) if shows.is_empty() => return Ok(json_answer(&Value::Null)),
        found => found?,
    };
    let mut description = shown.scene.description.clone();
    description["status"] = live::status(&shown.reading());
    description["live"] = shown.live.is_some().into();
    Ok(json_answer(&description))
}

fn surface(shown: &Shown, number: &str) -> Answered {
    let number: usize = number.parse().map_err(|_| no_number(number))?;
    match shown.scene.surfaces.get(number) {
        Some(surface) => Ok(bytes_answer(surface_bytes(surface))),
        None => Err(missing("there is no such surface\n")),
    }
}

fn status(shown: &Shown, _: &Query) -> Answered {
    Ok(json_answer(&live::status(&shown.reading())))
}

fn overview(shown: &Shown, query: &Query) -> Answered {
    let bins: usize = query.needed("bins").map_err(refusal)?;
    let bins = bins.clamp(1, MAX_BINS);
    Ok(json_answer(&json!(shown.reading().density(bins))))
}

/// What a picture of the whole recording is framed around.
fn bounds(shown: &Shown, _: &Query) -> Answered {
    Ok(json_answer(&json!(shown.corners().map_err(broken)?)))
}

/// The moment that a query names, or the beginning.
fn at(query: &Query) -> Result<i64, Refused> {
    let time = query.value("time").map_err(refusal)?;
    Ok(wire::tick(time.unwrap_or(0.0)))
}

fn window(shown: &Shown, query: &Query) -> Answered {
    let from = at(query)?;
    let found = wire::window(&shown.reading(), from, wire::MAX_SEGMENTS);
    found.map(bytes_answer).map_err(broken)
}

fn undone(shown: &Shown, query: &Query) -> Answered {
    let moment = |name| query.needed(name).map(wire::tick).map_err(refusal);
    let (from, to) = (moment("from")?, moment("to")?);
    let all = shown.reading().undone_between(from, to).map_err(broken)?;
    let row = |u: &record::Undone| {
        let cause = (u.cause != NO_PARTNER).then_some(u.cause);
        let times = [u.from, u.to, u.gvt].map(wire::seconds);
        let partner = (u.partner != NO_PARTNER).then_some(u.partner);
        let event = u.event as u8;
        json!([u.body, cause, times[0], times[1], times[2], event, partner])
    };
    let skipped = all.len().saturating_sub(MAX_UNDONE);
    let rows: Vec<Value> = all.iter().skip(skipped).map(row).collect();
    Ok(json_answer(&rows.into()))
}

/// How many stretches of each body were taken back.
fn rollbacks(shown: &Shown, _: &Query) -> Answered {
    let reader = shown.reading();
    let mut counts = vec![0u32; reader.header().bodies.len()];
    for undone in reader.undone_between(i64::MIN, i64::MAX).map_err(broken)? {
        if let Some(count) = counts.get_mut(undone.body as usize) {
            *count += 1;
        }
    }
    Ok(json_answer(&json!(counts)))
}

fn clocks(shown: &Shown, query: &Query) -> Answered {
    let found = shown.reading().clocks_at(at(query)?).map_err(broken)?;
    let (gvt, clocks) = found.unzip();
    let clocks = clocks.unwrap_or_default();
    Ok(json_answer(&json!({
        "gvt": gvt.map(wire::seconds),
        "lvt": clocks.iter().map(|c| wire::seconds(c.lvt)).collect::<Vec<f64>>(),
        "group": clocks.iter().map(|c| c.group).collect::<Vec<u32>>(),
        "thread": clocks.iter().map(|c| c.thread).collect::<Vec<u32>>(),
    })))
}

/// The contact forces at a moment: the two bodies, the point in the first one's frame, the force on it.
fn forces(shown: &Shown, query: &Query) -> Answered {
    let found = shown.reading().forces_at(at(query)?).map_err(broken)?;
    let row = |f: &record::Force| json!([f.bodies, f.at, f.force]);
    let rows: Vec<Value> = found.iter().map(row).collect();
    Ok(json_answer(&rows.into()))
}

/// The frames of a deformable from the one shown at a time on: count, then for each its time, its number
/// of vertices and their positions.
fn vertices(shown: &Shown, body: &str, query: &Query) -> Answered {
    let body: u32 = body.parse().map_err(|_| no_number(body))?;
    let tick = at(query)?;
    let reader = shown.reading();
    let ticks = reader.vertex_ticks(body);
    let first = ticks.partition_point(|at| *at <= tick).saturating_sub(1);
    let mut out = Vec::new();
    for &tick in ticks.iter().skip(first).take(MAX_FRAMES) {
        let Some(frame) = reader.vertices_at(body, tick).map_err(broken)? else {
            continue;
        };
        out.extend_from_slice(&wire::seconds(tick).to_le_bytes());
        out.extend_from_slice(&(frame.positions.len() as u64).to_le_bytes());
        for number in frame.positions.iter().flatten() {
            out.extend_from_slice(&(*number as f32).to_le_bytes());
        }
        out.resize(out.len().next_multiple_of(8), 0);
    }
    Ok(bytes_answer(out))
}

fn offers(shows: &Shows) -> Answer {
    let launcher = shows.launcher.as_ref();
    let offers = launcher.map(|launcher| launcher.offers());
    json_answer(&json!(offers.unwrap_or_default()))
}

/// Starts a run; answers with its number.
fn start(shows: &Shows, query: &Query) -> Answered {
    let wish = Wish {
        scene: query.text("scene").unwrap_or_default(),
        set: query.text("set").unwrap_or_default(),
        look_ahead: query.text("look_ahead").unwrap_or_default(),
        live: query.value("live").map_err(refusal)?.unwrap_or_default(),
        inputs: query.value("inputs").map_err(refusal)?.unwrap_or_default(),
    };
    let run = query.value("run").map_err(refusal)?;
    let opened = shows.start(&wish, run).map_err(refusal)?;
    let unable = |error: std::io::Error| failure(format!("the run cannot be followed: {error}"));
    let run = shows.add(opened).map_err(unable)?;
    Ok(json_answer(&json!({ "run": run })))
}

fn pull(shown: &Shown, query: &Query) -> Answered {
    let number = |name| query.needed(name).map_err(refusal);
    let pull = Pull {
        body: query.needed("body").map_err(refusal)?,
        time: number("time")?,
        x: number("x")?,
        y: number("y")?,
        z: number("z")?,
    };
    let Some(live) = &shown.live else {
        let why = "this run takes no inputs: start it live from the list of scenes";
        return Err(refusal(why.into()));
    };
    let pulled = live.pull(&pull).map_err(refusal)?;
    Ok(json_answer(&json!(pulled)))
}

/// What the recording does not say, because it is damaged there.
fn broken(error: record::Error) -> Refused {
    failure(error.to_string())
}

fn failure(message: String) -> Refused {
    Box::new(words(StatusCode::INTERNAL_SERVER_ERROR, message))
}

fn refusal(message: String) -> Refused {
    Box::new(words(StatusCode::BAD_REQUEST, message))
}

fn missing(message: &str) -> Refused {
    Box::new(words(StatusCode::NOT_FOUND, message))
}

fn no_number(text: &str) -> Refused {
    refusal(format!("`{text}` is not a number\n"))
}

fn not_that_way() -> Refused {
    Box::new(words(
        StatusCode::METHOD_NOT_ALLOWED,
        "this is not asked that way\n",
    ))
}

fn json_answer(value: &Value) -> Answer {
    let bytes = value.to_string().into_bytes();
    answered(StatusCode::OK, "application/json", bytes)
}

fn bytes_answer(bytes: Vec<u8>) -> Answer {
    answered(StatusCode::OK, "application/octet-stream", bytes)
}
