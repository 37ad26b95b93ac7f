//! `warpline view` on a scene, and the pictures and exports of a recording, through the binary.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

fn warpline() -> Command {
    Command::new(env!("CARGO_BIN_EXE_warpline"))
}

/// The answer to a request with this `Host`.
fn answer(address: &str, host: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("the viewer listens");
    let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream
        .write_all(request.as_bytes())
        .expect("it takes a request");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("it answers");
    text
}

#[test]
fn a_scene_can_be_looked_at_while_it_runs() {
    // It is killed, so that it cannot take its recording away.
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = warpline()
        .args(["view", "gas", "--set", "bodies=20", "--until", "1"])
        .env("TMPDIR", folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut line = String::new();
    let stdout = child.stdout.take().expect("it has an output");
    BufReader::new(stdout)
        .read_line(&mut line)
        .expect("it prints its address");
    let address = line
        .trim()
        .trim_start_matches("http://")
        .trim_end_matches('/');
    let page = answer(address, address);
    let foreign = answer(address, "example.invalid");
    child.kill().expect("it can be stopped");
    child.wait().expect("it ends");
    assert!(address.starts_with("127.0.0.1:"), "{line}");
    assert!(
        page.starts_with("HTTP/1.1 200") && page.contains("<html"),
        "{page}"
    );
    assert!(foreign.starts_with("HTTP/1.1 403"), "{foreign}");
}

#[test]
fn a_recording_can_be_drawn_and_exported() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("stack.wline");
    let run = |arguments: &[&str]| {
        let output = warpline()
            .args(arguments)
            .output()
            .expect("the command runs");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), errors)
    };
    let name = file.to_str().expect("a path");
    assert_eq!(
        run(&["run", "stack", "--until", "1", "--record", name]).0,
        Some(0)
    );
    let picture = folder.path().join("frame.png");
    let out = picture.to_str().expect("a path");
    let size = ["--size", "160", "90"];
    let drawn = run(&[&["render", name, "--at", "0.5", "-o", out][..], &size[..]].concat());
    assert_eq!(drawn, (Some(0), String::new()));
    let bytes = std::fs::read(&picture).expect("a picture");
    assert!(bytes.starts_with(b"\x89PNG"));
    for ending in ["glb", "usda", "csv"] {
        let out = folder.path().join(format!("stack.{ending}"));
        let exported = run(&["export", name, "--to", out.to_str().expect("a path")]);
        assert_eq!(exported.0, Some(0), "{ending}: {}", exported.1);
        assert!(out.metadata().expect("a file").len() > 1000, "{ending}");
    }
    let (code, message) = run(&["export", name, "--to", "stack.xyz"]);
    assert_eq!(code, Some(2));
    assert!(message.contains(".glb"), "{message}");
    assert_eq!(run(&["render", name, "--at", "99", "-o", out]).0, Some(2));
}
