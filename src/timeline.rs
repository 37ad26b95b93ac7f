//! `--trace FILE`: what every thread of a run was at, in the trace-event format that Perfetto and `chrome://tracing` open.

use crate::failure::Failure;
use crate::output::WholeFile;
use record::Segment;
use sim::{Doing, History, HistoryError, Span, Told};
use std::path::Path;

/// Bytes that are kept back before they are written.
const ENOUGH: usize = 1 << 16;

/// A file that is being written. It gets its name when it is whole.
pub struct Timeline {
    file: WholeFile,
    text: String,
    /// Threads that have been named.
    named: u32,
    spans: u64,
}

impl Timeline {
    /// Begins a file.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        Ok(Timeline {
            file: WholeFile::create(path)?,
            text: "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[".into(),
            named: 0,
            spans: 0,
        })
    }

    /// The run is over: the file gets its name, if there was anything to tell.
    pub fn finish(mut self, undivided: Option<&str>) -> Result<(), Failure> {
        if self.spans == 0 {
            let why = undivided.map_or(String::new(), |what| {
                format!(": worlds with {what} run undivided")
            });
            return Err(Failure::run(
                format!("there is no trace to write, for nothing ran on threads{why}"),
                Some("leave `--trace` out, or run a world of free bodies with `--algorithm parallel`".into()),
            ));
        }
        self.text += "\n]}\n";
        self.file.finish(self.text.as_bytes())
    }

    fn event(&mut self, event: &str) {
        if self.spans > 0 || self.named > 0 {
            self.text.push(',');
        }
        self.text.push('\n');
        self.text.push_str(event);
    }

    /// Names the threads up to this one.
    fn name(&mut self, span: &Span) {
        while self.named <= span.thread {
            let thread = self.named;
            let is_history = span.what == Doing::Merge && thread == span.thread;
            let name = match is_history {
                true => "history".to_string(),
                false => format!("region {thread}"),
            };
            self.event(&format!(
                "{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":{thread},\"args\":{{\"name\":\"{name}\"}}}}"
            ));
            self.named += 1;
        }
    }
}

/// A span in the trace-event format: times in microseconds.
fn told(span: &Span) -> String {
    let micros = |time: std::time::Duration| time.as_nanos() as f64 / 1e3;
    let (begin, end) = (micros(span.begin), micros(span.end));
    let until = match span.tick == warp::Tick::MAX {
        true => String::new(),
        false => format!("\"until_s\":{},", span.tick.seconds()),
    };
    format!(
        "{{\"ph\":\"X\",\"name\":\"{}\",\"pid\":1,\"tid\":{},\"ts\":{begin:.3},\"dur\":{:.3},\"args\":{{{until}\"{}\":{}}}}}",
        span.what.name(),
        span.thread,
        (end - begin).max(0.0),
        span.what.counted(),
        span.count,
    )
}

impl History for Timeline {
    fn segment(&mut self, _: &Segment<'_>) -> Told {
        Ok(())
    }

    fn wants_spans(&self) -> bool {
        true
    }

    fn span(&mut self, span: &Span) -> Told {
        self.name(span);
        self.event(&told(span));
        self.spans += 1;
        if self.text.len() < ENOUGH {
            return Ok(());
        }
        let written = self.file.append(self.text.as_bytes());
        self.text.clear();
        written.map_err(HistoryError::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use warp::Tick;

    #[test]
    fn a_trace_is_json_that_names_every_thread_once() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("trace.json");
        let Ok(mut timeline) = Timeline::create(&path) else {
            panic!("no file");
        };
        let span = |thread, what, micros| Span {
            thread,
            what,
            begin: Duration::from_micros(micros),
            end: Duration::from_micros(micros + 5),
            tick: Tick::from_seconds(0.5),
            count: 7,
        };
        for round in 0..2000 {
            for (thread, what) in [(0, Doing::Work), (1, Doing::Wait), (2, Doing::Merge)] {
                timeline
                    .span(&span(thread, what, 10 * round))
                    .expect("room");
            }
        }
        assert!(timeline.finish(None).is_ok());
        let text = std::fs::read_to_string(&path).expect("a text");
        let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let events = json["traceEvents"].as_array().expect("events");
        assert_eq!(events.len(), 6003);
        let names: Vec<_> = events
            .iter()
            .filter(|e| e["ph"] == "M")
            .map(|e| e["args"]["name"].as_str().unwrap_or("").to_string())
            .collect();
        assert_eq!(names, ["region 0", "region 1", "history"]);
        let work = events.iter().find(|e| e["name"] == "work").expect("work");
        assert_eq!(
            (work["dur"].as_f64(), work["args"]["entries"].as_u64()),
            (Some(5.0), Some(7))
        );
    }

    #[test]
    fn a_run_without_threads_leaves_no_file() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("trace.json");
        let Ok(timeline) = Timeline::create(&path) else {
            panic!("no file");
        };
        assert!(timeline.finish(Some("joints")).is_err());
        assert!(!path.exists());
    }
}
