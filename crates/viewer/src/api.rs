//! The answers to the page's questions. Every question is about the one recording that is shown; no
//! request names a file.

use crate::live;
use crate::scene::{Scene, surface_bytes};
use crate::wire;
use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use record::{NO_PARTNER, Reader};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use tokio::sync::watch;

/// Bars of the overview.
const MAX_BINS: usize = 4096;
/// Rollbacks in one answer: more cannot be told apart on a screen.
const MAX_UNDONE: usize = 20_000;
/// Vertex frames in one answer.
const MAX_FRAMES: usize = 16;

/// The recording and what was derived from it once.
pub(crate) struct Shown {
    reader: RwLock<Reader>,
    scene: Scene,
}

impl Shown {
    pub(crate) fn new(reader: Reader) -> Self {
        let scene = Scene::new(reader.header());
        Self {
            reader: RwLock::new(reader),
            scene,
        }
    }

    pub(crate) fn reading(&self) -> RwLockReadGuard<'_, Reader> {
        self.reader.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn writing(&self) -> RwLockWriteGuard<'_, Reader> {
        self.reader.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What every handler has.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) shown: Arc<Shown>,
    pub(crate) changes: watch::Receiver<u64>,
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
        .route("/api/clocks", get(clocks))
        .route("/api/vertices/{body}", get(vertices))
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

async fn scene(State(context): State<Context>) -> Response {
    let mut description = context.shown.scene.description.clone();
    description["status"] = live::status(&context.shown.reading());
    json_answer(&description)
}

async fn surface(State(context): State<Context>, Path(number): Path<usize>) -> Response {
    match context.shown.scene.surfaces.get(number) {
        Some(surface) => bytes_answer(surface_bytes(surface)),
        None => (StatusCode::NOT_FOUND, "there is no such surface\n").into_response(),
    }
}

async fn status(State(context): State<Context>) -> Response {
    json_answer(&live::status(&context.shown.reading()))
}

async fn follow(State(context): State<Context>, upgrade: WebSocketUpgrade) -> Response {
    upgrade.on_upgrade(|socket| live::tell(socket, context.shown, context.changes))
}

async fn overview(State(context): State<Context>, Query(asked): Query<Bins>) -> Response {
    let bins = asked.bins.clamp(1, MAX_BINS);
    json_answer(&json!(context.shown.reading().density(bins)))
}

async fn window(State(context): State<Context>, Query(asked): Query<At>) -> Response {
    let from = wire::tick(asked.time);
    read(context, move |reader| {
        wire::window(reader, from, wire::MAX_SEGMENTS)
    })
    .await
    .map_or_else(|error| error, bytes_answer)
}

async fn undone(State(context): State<Context>, Query(asked): Query<Between>) -> Response {
    let (from, to) = (wire::tick(asked.from), wire::tick(asked.to));
    let found = read(context, move |reader| reader.undone_between(from, to)).await;
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

async fn clocks(State(context): State<Context>, Query(asked): Query<At>) -> Response {
    let tick = wire::tick(asked.time);
    let found = read(context, move |reader| reader.clocks_at(tick)).await;
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
async fn vertices(
    State(context): State<Context>,
    Path(body): Path<u32>,
    Query(asked): Query<At>,
) -> Response {
    let tick = wire::tick(asked.time);
    let found = read(context, move |reader| {
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

/// Asks the recording off the server's thread; an error becomes an answer that says what is wrong.
async fn read<T: Send + 'static>(
    context: Context,
    question: impl FnOnce(&Reader) -> record::Result<T> + Send + 'static,
) -> Result<T, Response> {
    let asked = tokio::task::spawn_blocking(move || question(&context.shown.reading()));
    match asked.await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(error)) => Err(failure(error.to_string())),
        Err(_) => Err(failure("reading the recording was interrupted".into())),
    }
}

fn failure(message: String) -> Response {
    (StatusCode::INTERNAL_SERVER_ERROR, message).into_response()
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
