//! Following a recording that is still being written: one thread looks for news a few times a second and
//! tells every page. Pages that are slow skip what they missed.

use crate::shows::Shown;
use crate::wire;
use record::Reader;
use serde_json::{Value, json};
use std::io::ErrorKind;
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;
use tungstenite::{Error, Message, WebSocket};

/// Time between two looks at the file.
const LOOK: Duration = Duration::from_millis(100);
/// How long a page may be gone before it is noticed.
const NOTICE: Duration = Duration::from_millis(250);
/// How long to wait for a page's word: it has none but goodbye.
const LISTEN: Duration = Duration::from_millis(1);
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
pub(crate) fn follow(shown: &Shown) {
    while !shown.is_left() {
        std::thread::sleep(LOOK);
        let mut reader = shown.writing();
        let news = reader.refresh();
        let is_complete = reader.is_complete();
        drop(reader);
        match (news, is_complete) {
            (Ok(true), _) => shown.tell(),
            (Ok(false), false) => {}
            // finished, or broken beyond what was read: the pages keep what they have
            _ => return,
        }
    }
}

/// Tells one page about news until it goes away.
pub(crate) fn tell(mut socket: WebSocket<TcpStream>, shown: &Arc<Shown>) {
    let _visit = shown.visit();
    if socket.get_ref().set_read_timeout(Some(LISTEN)).is_err() {
        return;
    }
    let mut samples_sent = 0;
    let mut seen = None;
    while !shown.is_left() && !is_gone(&mut socket) {
        let news = shown.news(seen, NOTICE);
        if seen == Some(news) {
            continue;
        }
        seen = Some(news);
        let (mut status, samples) = {
            let reader = shown.reading();
            let samples = reader.samples(samples_sent).unwrap_or_default();
            (status(&reader), samples)
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
        if socket.send(Message::text(status.to_string())).is_err() {
            return;
        }
    }
    // who is still there is told that there is nothing more to come
    let _ = socket.close(None);
    let _ = socket.flush();
}

/// Hears what a page says. Asked how it is, the socket answers by itself; all else means nothing.
fn is_gone(socket: &mut WebSocket<TcpStream>) -> bool {
    match socket.read() {
        Ok(_) => false,
        Err(Error::Io(error)) => {
            !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
        }
        Err(_) => true,
    }
}
