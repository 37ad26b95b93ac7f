//! The server: bound to loopback, a thread for each connection, until it is stopped or dropped.

use crate::api;
use crate::error::{Error, Result};
use crate::guard::{self, Known};
use crate::http::{self as plain, Answer, Connection, Request};
use crate::live;
use crate::runs::{Launcher, Look};
use crate::shows::{Opened, Shows};
use ::http::{StatusCode, header};
use record::Header;
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tungstenite::WebSocket;
use tungstenite::handshake::derive_accept_key;
use tungstenite::protocol::Role;

/// Connections at a time: a browser has six for questions, and one for the news of each page.
const MAX_CONNECTIONS: usize = 256;
/// Before trying again to take a connection that could not be taken.
const PAUSE: Duration = Duration::from_millis(50);

/// How to serve.
#[derive(Clone, Default)]
pub struct Options {
    /// The port on 127.0.0.1; 0 takes any free one.
    pub port: u16,
    /// Who starts runs from the page; without one the page only shows.
    pub launcher: Option<Arc<dyn Launcher>>,
    /// What a recording's scene says of how it wants to be seen.
    pub look: Option<fn(&Header) -> Look>,
    /// A secret: who asks for the page with `?key=` and this may show it in a frame, as a notebook's cell does.
    pub key: Option<String>,
}

/// A running viewer. Dropping it stops it.
pub struct Server {
    address: SocketAddr,
    desk: Arc<Desk>,
    thread: Option<JoinHandle<()>>,
}

/// Shows a recording: finished, cut short, or still being written (then its `.partial` file is followed
/// until it is finished). Returns once the address answers.
pub fn serve(recording: impl AsRef<Path>, options: &Options) -> Result<Server> {
    begin(Some(Opened::recording(recording.as_ref())?), options)
}

/// Shows nothing yet but the list of scenes that can be started.
pub fn serve_scenes(options: &Options) -> Result<Server> {
    begin(None, options)
}

fn begin(first: Option<Opened>, options: &Options) -> Result<Server> {
    let failed = |source| Error::Serve {
        port: options.port,
        source,
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let desk = Arc::new(Desk {
        known: Known {
            port: address.port(),
            key: options.key.clone(),
        },
        shows: Shows::new(options.launcher.clone(), options.look),
        open: Mutex::default(),
        is_closed: AtomicBool::new(false),
    });
    if let Some(first) = first {
        desk.shows.add(first).map_err(failed)?;
    }
    let sitting = desk.clone();
    let thread = std::thread::Builder::new()
        .name("viewer".into())
        .spawn(move || take(&listener, &sitting));
    Ok(Server {
        address,
        desk,
        thread: Some(thread.map_err(failed)?),
    })
}

impl Server {
    /// The address to open in a browser.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Serves until the program ends.
    pub fn wait(mut self) {
        if let Some(thread) = self.thread.take() {
            // the thread ends only when it is told to or panics; either way there is nothing to serve
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.desk.is_closed.store(true, Ordering::Relaxed);
        self.desk.shows.leave();
        // who waits for a connection gets one, and looks up
        let woken = TcpStream::connect(self.address).is_ok();
        if let Some(thread) = self.thread.take()
            && woken
        {
            let _ = thread.join();
        }
        // a question that is being answered ends with its page; nobody waits for it
        for stream in self.desk.open().values() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

/// What all connections have in common.
struct Desk {
    known: Known,
    shows: Shows,
    /// The connections, by number.
    open: Mutex<BTreeMap<u64, TcpStream>>,
    is_closed: AtomicBool,
}

impl Desk {
    fn open(&self) -> std::sync::MutexGuard<'_, BTreeMap<u64, TcpStream>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes connections until the desk is closed.
fn take(listener: &TcpListener, desk: &Arc<Desk>) {
    for number in 0.. {
        let stream = listener.accept();
        if desk.is_closed.load(Ordering::Relaxed) {
            return;
        }
        // out of files, or gone again: the next one may fare better
        let Ok((stream, _)) = stream else {
            std::thread::sleep(PAUSE);
            continue;
        };
        let Ok(copy) = stream.try_clone() else {
            continue;
        };
        let mut open = desk.open();
        if open.len() >= MAX_CONNECTIONS {
            continue;
        }
        open.insert(number, copy);
        drop(open);
        let guest = Guest {
            desk: desk.clone(),
            number,
        };
        let thread = std::thread::Builder::new().name("viewer: page".into());
        // without a thread the guest is dropped, and leaves
        let _ = thread.spawn(move || guest.talk(stream));
    }
}

/// One connection; it leaves the list when it ends, however that may be.
struct Guest {
    desk: Arc<Desk>,
    number: u64,
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.desk.open().remove(&self.number);
    }
}

impl Guest {
    /// Answers question after question.
    fn talk(&self, stream: TcpStream) {
        let Ok(mut connection) = Connection::new(stream) else {
            return;
        };
        loop {
            let request = match connection.next() {
                Ok(Some(request)) => request,
                Ok(None) => return,
                Err(status) => {
                    let why = status.canonical_reason().unwrap_or_default();
                    let mut answer = plain::words(status, format!("{why}\n"));
                    guard::mark(&mut answer, false);
                    if connection.send(&answer, false).is_ok() {
                        connection.close();
                    }
                    return;
                }
            };
            let is_told = match guard::guard(&self.desk.known, &request) {
                Ok(is_told) => is_told,
                Err(why) => {
                    let answer = plain::words(StatusCode::FORBIDDEN, why);
                    if connection.send(&answer, false).is_ok() {
                        connection.close();
                    }
                    return;
                }
            };
            let mut answer = match api::live(&self.desk.shows, &request) {
                None => self.answer(&request),
                Some(Err(refused)) => *refused,
                Some(Ok((shown, key))) => {
                    let mut answer = switching(&key);
                    guard::mark(&mut answer, is_told);
                    if connection.send(&answer, true).is_ok() {
                        let Connection { stream, ahead } = connection;
                        let role = Role::Server;
                        let socket = WebSocket::from_partially_read(stream, ahead, role, None);
                        live::tell(socket, &shown);
                    }
                    return;
                }
            };
            guard::mark(&mut answer, is_told);
            let stays = plain::stays(&request);
            if connection.send(&answer, stays).is_err() || !stays {
                return;
            }
        }
    }

    /// An answer, even where the program that should find it has a fault.
    fn answer(&self, request: &Request) -> Answer {
        let found = catch_unwind(AssertUnwindSafe(|| api::answer(&self.desk.shows, request)));
        found.unwrap_or_else(|_| {
            let words = "looking for the answer was interrupted\n";
            plain::words(StatusCode::INTERNAL_SERVER_ERROR, words)
        })
    }
}

/// The answer that makes a connection a socket.
fn switching(key: &[u8]) -> Answer {
    let mut answer = Answer::new(Default::default());
    *answer.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    let headers = answer.headers_mut();
    let words = |text| ::http::HeaderValue::from_static(text);
    headers.insert(header::CONNECTION, words("Upgrade"));
    headers.insert(header::UPGRADE, words("websocket"));
    if let Ok(key) = derive_accept_key(key).parse() {
        headers.insert(header::SEC_WEBSOCKET_ACCEPT, key);
    }
    answer
}
