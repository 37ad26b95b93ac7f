//! The server answers its own page and nobody else, follows a run while it is written, and turns broken
//! recordings into messages. Asked over plain TCP, as any stranger could.

#[allow(dead_code)]
#[path = "../../record/examples/bounce.rs"]
mod bounce;

use record::{Event, Header, NO_PARTNER, Segment, Writer};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use warpline_viewer::{
    Error, Launcher, Live, Offer, Options, Server, Started, Wish, serve, serve_scenes,
};

fn recorded(folder: &Path) -> PathBuf {
    let path = folder.join("bounce.wline");
    bounce::record(&path, 10, 3.0, None).expect("temporary file");
    path
}

fn authority(server: &Server) -> String {
    server
        .url()
        .trim_start_matches("http://")
        .trim_end_matches('/')
        .to_string()
}

/// Sends a request as it is written; gives the status, the head and the body.
fn send(server: &Server, request: &str) -> (u16, String, Vec<u8>) {
    let mut stream = TcpStream::connect(authority(server)).expect("listens");
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .expect("a timeout");
    stream.write_all(request.as_bytes()).expect("sends");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("answers");
    let split = answer
        .windows(4)
        .position(|w| w == b"\r\n\r\n")
        .expect("a head");
    let head = String::from_utf8_lossy(&answer[..split]).to_string();
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|code| code.parse().ok())
        .expect("a status");
    (status, head, answer[split + 4..].to_vec())
}

fn get(server: &Server, path: &str) -> (u16, String, Vec<u8>) {
    let host = authority(server);
    send(
        server,
        &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"),
    )
}

fn json(server: &Server, path: &str) -> serde_json::Value {
    let (status, _, body) = get(server, path);
    assert_eq!(status, 200, "{path}: {}", String::from_utf8_lossy(&body));
    serde_json::from_slice(&body).expect("JSON")
}

#[test]
fn the_page_and_its_answers_are_there() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let server = serve(recorded(folder.path()), &Options::default()).expect("serves");
    assert!(server.url().starts_with("http://127.0.0.1:"));
    for (path, start) in [
        ("/", "<!doctype html>"),
        ("/page.js", ""),
        ("/page.css", ":root"),
    ] {
        let (status, head, body) = get(&server, path);
        assert_eq!(status, 200, "{path}");
        assert!(
            body.starts_with(start.as_bytes()) && !body.is_empty(),
            "{path}"
        );
        assert!(
            head.contains("content-security-policy: default-src 'none'"),
            "{head}"
        );
    }
    let scene = json(&server, "/api/scene");
    assert_eq!(scene["bodies"].as_array().map(Vec::len), Some(12));
    assert_eq!(scene["bodies"][2]["parts"][0]["type"], "ball");
    assert_eq!(scene["status"]["complete"], true);
    assert_eq!(scene["status"]["end"], 3.0);
    let (status, _, window) = get(&server, "/api/window?time=1.5");
    assert_eq!((status, &window[..4]), (200, &b"WLW1"[..]));
    assert_eq!(window[4], 12, "every body is somewhere at 1.5 s");
    assert_eq!((window.len() - 32) % 104, 0);
    let bars = json(&server, "/api/overview?bins=30");
    let total: f64 = bars
        .as_array()
        .expect("bars")
        .iter()
        .filter_map(|x| x.as_f64())
        .sum();
    let reader = record::Reader::open(folder.path().join("bounce.wline")).expect("there");
    let mut segments = 0;
    reader
        .for_each_segment(i64::MIN, i64::MAX, |_| segments += 1)
        .expect("readable");
    // every segment is counted in some bar; shares of a block are sums of fractions
    assert!(
        (total - f64::from(segments)).abs() < 1e-6 * total,
        "{total} of {segments}"
    );
    // what a picture of it all is framed around: few corners, and all balls within them at every moment
    let corners: Vec<[f64; 3]> =
        serde_json::from_value(json(&server, "/api/bounds")).expect("points");
    assert!((8..=64).contains(&corners.len()), "{}", corners.len());
    let edge = |axis: usize, least: bool| {
        let along = corners.iter().map(|corner| corner[axis]);
        match least {
            true => along.fold(f64::INFINITY, f64::min),
            false => along.fold(f64::NEG_INFINITY, f64::max),
        }
    };
    let mut states = Vec::new();
    for step in 0..=30 {
        reader
            .states_at(step * (3 << 40) / 30, &mut states)
            .expect("readable");
        let moving = reader.header().bodies.iter().zip(&states);
        for (body, state) in moving.filter(|(body, _)| body.kind == record::Kind::Dynamic) {
            let Some(state) = state else { continue };
            for axis in 0..3 {
                let (low, high) = (edge(axis, true), edge(axis, false));
                let margin = 0.05 * (high - low);
                let at = state.position[axis];
                assert!(
                    low - margin <= at && at <= high + margin,
                    "{} at {at}",
                    body.name
                );
            }
        }
    }
    let undone = json(&server, "/api/undone?from=0&to=3");
    assert!(!undone.as_array().expect("rows").is_empty());
    assert_eq!(
        json(&server, "/api/clocks?time=3")["lvt"]
            .as_array()
            .map(Vec::len),
        Some(12)
    );
}

#[test]
fn strangers_and_odd_requests_are_refused() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let server = serve(recorded(folder.path()), &Options::default()).expect("serves");
    let host = authority(&server);
    let ask = |line: &str, headers: &str| {
        send(
            &server,
            &format!("{line} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n"),
        )
        .0
    };
    let own = format!("Host: {host}\r\n");
    assert_eq!(ask("GET /api/status", &own), 200);
    assert_eq!(ask("GET /api/status", "Host: attacker.example\r\n"), 403);
    assert_eq!(ask("GET /", "Host: attacker.example\r\n"), 403);
    assert_eq!(
        ask(
            "GET /api/status",
            &format!("{own}Origin: http://attacker.example\r\n")
        ),
        403
    );
    assert_eq!(ask("GET /api/live", &format!("{own}Origin: null\r\n")), 403);
    assert_eq!(ask("POST /api/status", &own), 403);
    for path in [
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/etc/passwd",
        "/api/surface/99999",
    ] {
        assert_eq!(ask(&format!("GET {path}"), &own), 404, "{path}");
    }
    for path in [
        "/api/window?time=banana",
        "/api/surface/-1",
        "/api/overview",
        "/api/undone?from=1",
    ] {
        assert_eq!(ask(&format!("GET {path}"), &own), 400, "{path}");
    }
    // absurd numbers are only late or early times
    for time in ["NaN", "inf", "-1e308", "1e308"] {
        assert_eq!(
            ask(&format!("GET /api/window?time={time}"), &own),
            200,
            "{time}"
        );
    }
    assert_eq!(ask("GET /api/overview?bins=99999999999", &own), 200);
    assert_eq!(ask("GET /api/vertices/4000000000?time=0", &own), 200);
}

#[test]
fn a_run_is_followed_while_it_is_written() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let body = record::Body {
        name: "one".into(),
        kind: record::Kind::Dynamic,
        shapes: vec![],
        color: None,
    };
    let header = Header {
        bodies: vec![body],
        until: 1 << 42,
        ..Header::default()
    };
    let mut writer = Writer::create(folder.path().join("run.wline"), &header).expect("writes");
    let server = serve(writer.partial_path(), &Options::default()).expect("serves");
    assert_eq!(json(&server, "/api/status")["complete"], false);
    let segment = Segment {
        body: 0,
        start: 0,
        micro: 0,
        event: Event::Start,
        partner: NO_PARTNER,
        group: warpline_record::NO_GROUP,
        position: [0.0; 3],
        velocity: [0.0; 3],
        acceleration: [0.0; 3],
        rotation: [0.0, 0.0, 0.0, 1.0],
        spin: [0.0; 3],
        momentum: None,
        impulse: 0.0,
        knots: &[],
    };
    writer.append(&segment).expect("writes");
    writer.gvt(1 << 41);
    writer.flush().expect("writes");
    wait_for(|| json(&server, "/api/status")["end"] == 2.0);
    writer.gvt(1 << 42);
    writer.finish("{\"collisions\": 0}").expect("writes");
    wait_for(|| json(&server, "/api/status")["complete"] == true);
    let status = json(&server, "/api/status");
    assert_eq!(status["end"], 4.0);
    assert_eq!(status["summary"]["collisions"], 0);
}

/// Waits for something that must come true; a generous limit turns a hang into a failure.
fn wait_for(mut ready: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !ready() {
        assert!(begun.elapsed() < Duration::from_secs(30), "waited in vain");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_recording_that_breaks_inside_gives_a_message() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = recorded(folder.path());
    let mut bytes = std::fs::read(&path).expect("just written");
    let middle = bytes.len() / 2;
    bytes[middle..middle + 64].fill(0xa5);
    std::fs::write(&path, &bytes).expect("temporary file");
    let server = serve(&path, &Options::default()).expect("the index is whole");
    let answers: Vec<_> = (0..30)
        .map(|i| {
            get(
                &server,
                &format!("/api/window?time={}", f64::from(i) / 10.0),
            )
        })
        .collect();
    let broken = answers
        .iter()
        .find(|(status, _, _)| *status == 500)
        .expect("one window is hit");
    let message = String::from_utf8_lossy(&broken.2);
    assert!(
        message.contains("damaged at byte") && message.contains("checksum"),
        "{message}"
    );
    std::fs::write(&path, b"not a recording at all").expect("temporary file");
    assert!(matches!(
        serve(&path, &Options::default()),
        Err(Error::Recording(_))
    ));
}

#[test]
fn many_pages_at_once_are_answered_and_a_taken_port_is_named() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let server = serve(recorded(folder.path()), &Options::default()).expect("serves");
    std::thread::scope(|scope| {
        for _ in 0..10 {
            scope.spawn(|| {
                for i in 0..10 {
                    assert_eq!(get(&server, &format!("/api/window?time=0.{i}")).0, 200);
                }
            });
        }
    });
    let port = authority(&server)
        .rsplit(':')
        .next()
        .and_then(|p| p.parse().ok())
        .expect("a port");
    let taken = serve(
        folder.path().join("bounce.wline"),
        &Options {
            port,
            ..Options::default()
        },
    );
    let message = taken.err().expect("the port is taken").to_string();
    assert!(message.contains(&port.to_string()), "{message}");
    let url = authority(&server);
    drop(server);
    assert!(TcpStream::connect(url).is_err(), "a dropped server is gone");
}

#[test]
fn pages_that_ask_and_never_read_hold_up_nobody() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("run.wline");
    let header = Header {
        bodies: vec![record::Body {
            name: "one".into(),
            kind: record::Kind::Dynamic,
            shapes: vec![],
            color: None,
        }],
        until: 1 << 42,
        ..Header::default()
    };
    let mut writer = Writer::create(&path, &header).expect("writes");
    let server = serve(writer.partial_path(), &Options::default()).expect("serves");
    let host = authority(&server);
    // each asks for far more than a socket's buffers hold
    let asked = format!("GET /page.js HTTP/1.1\r\nHost: {host}\r\n\r\n").repeat(40);
    let live = format!(
        "GET /api/live HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    let silent: Vec<TcpStream> = (0..20)
        .map(|i| {
            let mut stream = TcpStream::connect(&host).expect("listens");
            let request = if i % 2 == 0 { &asked } else { &live };
            stream.write_all(request.as_bytes()).expect("sends");
            stream
        })
        .collect();
    for step in 0..200i64 {
        let segment = Segment {
            body: 0,
            start: step << 30,
            micro: 0,
            event: Event::Start,
            partner: NO_PARTNER,
            group: warpline_record::NO_GROUP,
            position: [step as f64, 0.0, 0.0],
            velocity: [0.0; 3],
            acceleration: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            spin: [0.0; 3],
            momentum: None,
            impulse: 0.0,
            knots: &[],
        };
        writer.append(&segment).expect("writes");
        writer.gvt(step << 30);
        writer.flush().expect("writes");
    }
    writer.gvt(1 << 42);
    writer.finish("{}").expect("the run ends, whoever reads");
    wait_for(|| json(&server, "/api/status")["complete"] == true);
    drop(silent);
}

#[test]
fn a_web_socket_is_told_what_is_new_until_it_goes() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let server = serve(recorded(folder.path()), &Options::default()).expect("serves");
    let host = authority(&server);
    let (mut socket, answer) =
        tungstenite::connect(format!("ws://{host}/api/live")).expect("an upgrade");
    assert_eq!(answer.status(), 101);
    let news = socket.read().expect("news").into_text().expect("text");
    let news: serde_json::Value = serde_json::from_str(&news).expect("JSON");
    assert_eq!(
        (&news["complete"], &news["end"]),
        (&true.into(), &3.0.into())
    );
    assert!(news["samples"].is_array());
    socket.close(None).expect("says goodbye");
    // the other side says goodbye, too, and nothing else
    while let Ok(message) = socket.read() {
        assert!(message.is_close(), "{message}");
    }
    // a request that is no socket's is told so; so is one for a run that is not there
    assert_eq!(get(&server, "/api/live").0, 400);
    assert!(tungstenite::connect(format!("ws://{host}/api/live?run=7")).is_err());
}

#[test]
fn a_connection_takes_question_after_question_and_is_closed_to_nonsense() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let server = serve(recorded(folder.path()), &Options::default()).expect("serves");
    let host = authority(&server);
    let ask = |path: &str, more: &str| format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n");
    // three in one breath, the second with a body that nobody reads
    let all = [
        ask("/api/status", ""),
        ask("/api/nothing", "Content-Length: 5\r\n") + "hello",
        ask("/api/clocks?time=1", "Connection: close\r\n"),
    ];
    let (_, _, answers) = send(&server, &all.concat());
    let answers = String::from_utf8_lossy(&answers);
    assert_eq!(answers.matches("HTTP/1.1 404 Not Found").count(), 1);
    assert_eq!(
        answers.matches("HTTP/1.1 200 OK").count(),
        1,
        "and the first, whose head is taken off"
    );
    let long = ask("/", &format!("X: {}\r\n", "x".repeat(20_000)));
    for (request, status) in [
        (long, 431),
        (ask("/", "Transfer-Encoding: chunked\r\n"), 501),
        (ask("/", "Content-Length: 99999999\r\n"), 413),
        (ask("/", "Content-Length: -1\r\n"), 400),
        ("nonsense\r\n\r\n".into(), 400),
    ] {
        let (told, head, _) = send(&server, &request);
        assert_eq!(told, status, "{head}");
        assert!(head.contains("connection: close"), "{head}");
    }
}

/// Starts one recording, whatever is asked for, unless the scene has no name.
struct Shelf(PathBuf);

impl Launcher for Shelf {
    fn offers(&self) -> Vec<Offer> {
        vec![Offer {
            name: "bounce".into(),
            description: "balls".into(),
            parameters: Vec::new(),
        }]
    }

    fn start(&self, wish: &Wish, _: Option<&dyn Live>) -> Result<Started, String> {
        match wish.scene.as_str() {
            "" => Err("name a scene".into()),
            _ => Ok(Started {
                recording: self.0.clone(),
                live: None,
            }),
        }
    }
}

#[test]
fn runs_are_started_by_our_own_page_only_and_shown_by_number() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let options = Options {
        launcher: Some(Arc::new(Shelf(recorded(folder.path())))),
        ..Options::default()
    };
    let server = serve_scenes(&options).expect("serves");
    let post = |path: &str, origin: &str| {
        let host = authority(&server);
        let head = format!("POST {path} HTTP/1.1\r\nHost: {host}\r\n{origin}Content-Length: 0\r\n");
        send(&server, &format!("{head}Connection: close\r\n\r\n"))
    };
    let ours = format!("Origin: http://{}\r\n", authority(&server));
    assert!(
        json(&server, "/api/scene").is_null(),
        "nothing is shown yet"
    );
    assert_eq!(json(&server, "/api/offers")[0]["name"], "bounce");
    assert_eq!(post("/api/start?scene=bounce", "").0, 403);
    let foreign = "Origin: http://evil.example\r\n";
    assert_eq!(post("/api/start?scene=bounce", foreign).0, 403);
    assert!(json(&server, "/api/scene").is_null(), "nothing was started");
    let (status, _, why) = post("/api/start?scene=", &ours);
    assert_eq!((status, &why[..]), (400, &b"name a scene"[..]));
    for number in 0..2 {
        let (status, _, answer) = post("/api/start?scene=bounce", &ours);
        let answer: serde_json::Value = serde_json::from_slice(&answer).expect("JSON");
        assert_eq!((status, answer["run"].as_u64()), (200, Some(number)));
    }
    assert_eq!(json(&server, "/api/scene?run=1")["status"]["end"], 3.0);
    assert_eq!(get(&server, "/api/scene?run=7").0, 404);
    assert_eq!(get(&server, "/api/scene?run=x").0, 400);
    let pull = "/api/pull?run=1&body=2&time=1&x=1&y=0&z=0";
    assert_eq!(post(pull, &ours).0, 400, "a recording takes no inputs");
    let counts = json(&server, "/api/rollbacks?run=1");
    assert_eq!(counts.as_array().map(Vec::len), Some(12));
}

#[test]
fn a_viewer_without_a_launcher_starts_nothing() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let server = serve(recorded(folder.path()), &Options::default()).expect("serves");
    let host = authority(&server);
    let request = format!(
        "POST /api/start?scene=bounce HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n\
         Content-Length: 0\r\nConnection: close\r\n\r\n"
    );
    assert_eq!(send(&server, &request).0, 400);
    assert_eq!(
        json(&server, "/api/offers").as_array().map(Vec::len),
        Some(0)
    );
}
