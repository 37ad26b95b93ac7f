//! The answers to the page's questions. A question is about a recording that is shown, by number; no
//! request names a file.

use crate::live;
use crate::runs::{Pull, Wish};
use crate::scene::surface_bytes;
use crate::shows::{Shown, Shows};
use crate::wire;
use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{FromRequestParts, Path, Query, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use record::{NO_PARTNER, Reader};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// Bars of the overview.
const MAX_BINS: usize = 4096;
/// Rollbacks in one answer: more cannot be told apart on a screen.
const MAX_UNDONE: usize = 20_000;
/// Vertex frames in one answer.
const MAX_FRAMES: usize = 16;

/// What every handler has.
pub(crate) type Context = Arc<Shows>;

/// The recording that a request is about: `run` in its query, or the first.
struct Asked(Arc<Shown>);

#[derive(Deserialize)]
struct Run {
    run: Option<usize>,
}

impl FromRequestParts<Context> for Asked {
    type Rejection = Response;

    async fn from_request_parts(
        parts: &mut Parts,
        shows: &Context,
    ) -> std::result::Result<Self, Response> {
        let run = Query::<Run>::try_from_uri(&parts.uri);
        let run = run
            .map_err(|_| refusal("`run` is not a number".into()))?
            .run;
        let missing = || (StatusCode::NOT_FOUND, "nothing is shown yet\n").into_response();
        shows.get(run.unwrap_or(0)).map(Self).ok_or_else(missing)
    }
}

/// The questions and their answers.
pub(crate) fn routes(context: Context) -> Router {
    Router::new()
        .route("/api/scene", get(scene))
        .route("/api/surface/{number}", get(surface))
        .route("/api/status", get(status))
        .route("/api/live", get(follow))
        .route("/api/overview", get(overview))
        .route("/api/window", get(window))
        .route("/api/undone", get(undone))
        .route("/api/rollbacks", get(rollbacks))
        .route("/api/clocks", get(clocks))
        .route("/api/vertices/{body}", get(vertices))
        .route("/api/offers", get(offers))
        .route("/api/start", post(start))
        .route("/api/pull", post(pull))
        .with_state(context)
}

#[derive(Deserialize)]
struct At {
    #[serde(default)]
    time: f64,
}

#[derive(Deserialize)]
struct Between {
    from: f64,
    to: f64,
}

#[derive(Deserialize)]
struct Bins {
    bins: usize,
}

async fn scene(Asked(shown): Asked) -> Response {
    let mut description = shown.scene.description.clone();
    description["status"] = live::status(&shown.reading());
    description["live"] = shown.live.is_some().into();
    json_answer(&description)
}

async fn surface(Asked(shown): Asked, Path(number): Path<usize>) -> Response {
    match shown.scene.surfaces.get(number) {
        Some(surface) => bytes_answer(surface_bytes(surface)),
        None => (StatusCode::NOT_FOUND, "there is no such surface\n").into_response(),
    }
}

async fn status(Asked(shown): Asked) -> Response {
    json_answer(&live::status(&shown.reading()))
}

async fn follow(Asked(shown): Asked, upgrade: WebSocketUpgrade) -> Response {
    upgrade.on_upgrade(|socket| live::tell(socket, shown))
}

async fn overview(Asked(shown): Asked, Query(asked): Query<Bins>) -> Response {
    let bins = asked.bins.clamp(1, MAX_BINS);
    json_answer(&json!(shown.reading().density(bins)))
}

async fn window(Asked(shown): Asked, Query(asked): Query<At>) -> Response {
    let from = wire::tick(asked.time);
    read(shown, move |reader| {
        wire::window(reader, from, wire::MAX_SEGMENTS)
    })
    .await
    .map_or_else(|error| error, bytes_answer)
}

async fn undone(Asked(shown): Asked, Query(asked): Query<Between>) -> Response {
    let (from, to) = (wire::tick(asked.from), wire::tick(asked.to));
    let found = read(shown, move |reader| reader.undone_between(from, to)).await;
    found.map_or_else(
        |error| error,
        |all| {
            let row = |u: &record::Undone| {
                let cause = (u.cause != NO_PARTNER).then_some(u.cause);
                let times = [u.from, u.to, u.gvt].map(wire::seconds);
                let partner = (u.partner != NO_PARTNER).then_some(u.partner);
                let event = u.event as u8;
                json!([u.body, cause, times[0], times[1], times[2], event, partner])
            };
            let skipped = all.len().saturating_sub(MAX_UNDONE);
            json_answer(
                &all.iter()
                    .skip(skipped)
                    .map(row)
                    .collect::<Vec<Value>>()
                    .into(),
            )
        },
    )
}

/// How many stretches of each body were taken back.
async fn rollbacks(Asked(shown): Asked) -> Response {
    let found = read(shown, |reader| {
        let mut counts = vec![0u32; reader.header().bodies.len()];
        for undone in reader.undone_between(i64::MIN, i64::MAX)? {
            if let Some(count) = counts.get_mut(undone.body as usize) {
                *count += 1;
            }
        }
        Ok(counts)
    });
    found
        .await
        .map_or_else(|error| error, |counts| json_answer(&json!(counts)))
}

async fn clocks(Asked(shown): Asked, Query(asked): Query<At>) -> Response {
    let tick = wire::tick(asked.time);
    let found = read(shown, move |reader| reader.clocks_at(tick)).await;
    found.map_or_else(
        |error| error,
        |clocks| {
            let (gvt, clocks) = clocks.unzip();
            let clocks = clocks.unwrap_or_default();
            json_answer(&json!({
                "gvt": gvt.map(wire::seconds),
                "lvt": clocks.iter().map(|c| wire::seconds(c.lvt)).collect::<Vec<f64>>(),
                "group": clocks.iter().map(|c| c.group).collect::<Vec<u32>>(),
                "thread": clocks.iter().map(|c| c.thread).collect::<Vec<u32>>(),
            }))
        },
    )
}

/// The frames of a deformable from the one shown at a time on: count, then for each its time, its number
/// of vertices and their positions.
async fn vertices(Asked(shown): Asked, Path(body): Path<u32>, Query(asked): Query<At>) -> Response {
    let tick = wire::tick(asked.time);
    let found = read(shown, move |reader| {
        let ticks = reader.vertex_ticks(body);
        let first = ticks.partition_point(|at| *at <= tick).saturating_sub(1);
        let mut out = Vec::new();
        for &tick in ticks.iter().skip(first).take(MAX_FRAMES) {
            let Some(frame) = reader.vertices_at(body, tick)? else {
                continue;
            };
            out.extend_from_slice(&wire::seconds(tick).to_le_bytes());
            out.extend_from_slice(&(frame.positions.len() as u64).to_le_bytes());
            for number in frame.positions.iter().flatten() {
                out.extend_from_slice(&(*number as f32).to_le_bytes());
            }
            out.resize(out.len().next_multiple_of(8), 0);
        }
        Ok(out)
    });
    found.await.map_or_else(|error| error, bytes_answer)
}

async fn offers(State(shows): State<Context>) -> Response {
    let listed = tokio::task::spawn_blocking(move || {
        let launcher = shows.launcher.as_ref();
        launcher
            .map(|launcher| launcher.offers())
            .unwrap_or_default()
    });
    match listed.await {
        Ok(offers) => json_answer(&json!(offers)),
        Err(_) => failure("the list of scenes was interrupted".into()),
    }
}

/// Starts a run; answers with its number.
async fn start(
    State(shows): State<Context>,
    Query(run): Query<Run>,
    Query(wish): Query<Wish>,
) -> Response {
    let starting = shows.clone();
    let started = tokio::task::spawn_blocking(move || starting.start(&wish, run.run)).await;
    match started {
        Ok(Ok(opened)) => json_answer(&json!({ "run": shows.add(opened) })),
        Ok(Err(why)) => refusal(why),
        Err(_) => failure("starting the run was interrupted".into()),
    }
}

async fn pull(Asked(shown): Asked, Query(pull): Query<Pull>) -> Response {
    let Some(live) = shown.live.clone() else {
        return refusal("this run takes no inputs: start it live from the list of scenes".into());
    };
    match tokio::task::spawn_blocking(move || live.pull(&pull)).await {
        Ok(Ok(pulled)) => json_answer(&json!(pulled)),
        Ok(Err(why)) => refusal(why),
        Err(_) => failure("the input was interrupted".into()),
    }
}

/// Asks the recording off the server's thread; an error becomes an answer that says what is wrong.
async fn read<T: Send + 'static>(
    shown: Arc<Shown>,
    question: impl FnOnce(&Reader) -> record::Result<T> + Send + 'static,
) -> Result<T, Response> {
    let asked = tokio::task::spawn_blocking(move || question(&shown.reading()));
    match asked.await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(error)) => Err(failure(error.to_string())),
        Err(_) => Err(failure("reading the recording was interrupted".into())),
    }
}

fn failure(message: String) -> Response {
    (StatusCode::INTERNAL_SERVER_ERROR, message).into_response()
}

fn refusal(message: String) -> Response {
    (StatusCode::BAD_REQUEST, message).into_response()
}

fn json_answer(value: &Value) -> Response {
    (
        [(header::CONTENT_TYPE, "application/json")],
        value.to_string(),
    )
        .into_response()
}

fn bytes_answer(bytes: Vec<u8>) -> Response {
    ([(header::CONTENT_TYPE, "application/octet-stream")], bytes).into_response()
}
