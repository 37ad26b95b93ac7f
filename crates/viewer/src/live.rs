//! Following a recording that is still being written: one task looks for news a few times a second and
//! tells every page. Pages that are slow skip what they missed.

use crate::shows::Shown;
use crate::wire;
use axum::extract::ws::{Message, WebSocket};
use record::Reader;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// Time between two looks at the file.
const LOOK: Duration = Duration::from_millis(100);
/// Samples of the statistics in one message.
const MAX_SAMPLES: usize = 1200;

/// What a page needs to know about the recording as a whole.
pub(crate) fn status(reader: &Reader) -> Value {
    let (first, last) = reader.span();
    json!({
        "start": wire::seconds(first),
        "end": wire::seconds(last),
        "gvt": reader.gvt().map(wire::seconds),
        "until": wire::seconds(reader.header().until),
        "complete": reader.is_complete(),
        "warning": reader.warning(),
        "summary": reader.footer().and_then(|text| serde_json::from_str::<Value>(text).ok()),
    })
}

/// Takes in what the run has written until it is finished, and tells the pages. A recording that nobody
/// writes any more (cut short) is simply looked at in vain.
pub(crate) async fn follow(shown: Arc<Shown>) {
    loop {
        tokio::time::sleep(LOOK).await;
        let looking = shown.clone();
        let looked = tokio::task::spawn_blocking(move || {
            let mut reader = looking.writing();
            let news = reader.refresh();
            (news, reader.is_complete())
        })
        .await;
        match looked {
            Ok((Ok(true), _)) => shown.tell(),
            Ok((Ok(false), false)) => {}
            // finished, or broken beyond what was read: the pages keep what they have
            _ => return,
        }
    }
}

/// Tells one page about news until it goes away.
pub(crate) async fn tell(mut socket: WebSocket, shown: Arc<Shown>) {
    let _visit = shown.visit();
    let mut changes = shown.changes();
    let mut samples_sent = 0;
    loop {
        let asked = shown.clone();
        let message = tokio::task::spawn_blocking(move || {
            let reader = asked.reading();
            let samples = reader.samples(samples_sent).unwrap_or_default();
            (status(&reader), samples)
        });
        let Ok((mut status, samples)) = message.await else {
            return;
        };
        samples_sent += samples.len();
        let recent = &samples[samples.len().saturating_sub(MAX_SAMPLES)..];
        status["samples"] = recent
            .iter()
            .map(|sample| {
                let mut value = json!(sample);
                value["gvt"] = json!(wire::seconds(sample.gvt));
                value
            })
            .collect();
        if socket
            .send(Message::Text(status.to_string().into()))
            .await
            .is_err()
        {
            return;
        }
        tokio::select! {
            _ = changes.changed() => {}
            gone = socket.recv() => if !matches!(gone, Some(Ok(_))) { return },
        }
    }
}
