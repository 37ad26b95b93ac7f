//! The server: one thread with its own small runtime, bound to loopback, until it is stopped or dropped.

use crate::api::{self, Context};
use crate::error::{Error, Result};
use crate::guard::{Known, guard};
use crate::page;
use crate::runs::Launcher;
use crate::shows::{Opened, Shows};
use axum::http::header;
use axum::routing::get;
use axum::{Router, middleware};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use tokio::sync::oneshot;

/// How to serve.
#[derive(Clone, Default)]
pub struct Options {
    /// The port on 127.0.0.1; 0 takes any free one.
    pub port: u16,
    /// Who starts runs from the page; without one the page only shows.
    pub launcher: Option<Arc<dyn Launcher>>,
    /// A secret: who asks for the page with `?key=` and this may show it in a frame, as a notebook's cell does.
    pub key: Option<String>,
}

/// A running viewer. Dropping it stops it.
pub struct Server {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
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
    listener.set_nonblocking(true).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(failed)?;
    let (stop, stopped) = oneshot::channel();
    let shows = Arc::new(Shows::new(options.launcher.clone()));
    let known = Known {
        port: address.port(),
        key: options.key.as_deref().map(Arc::from),
    };
    let thread = std::thread::Builder::new()
        .name("viewer".into())
        .spawn(move || {
            runtime.block_on(run(listener, shows, first, known, stopped));
            // a read in progress ends with its page; nobody waits for it
            runtime.shutdown_background();
        });
    let thread = Some(thread.map_err(failed)?);
    Ok(Server {
        address,
        stop: Some(stop),
        thread,
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
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

async fn run(
    listener: TcpListener,
    shows: Context,
    first: Option<Opened>,
    known: Known,
    stopped: oneshot::Receiver<()>,
) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
        return;
    };
    if let Some(first) = first {
        shows.add(first);
    }
    let app = router(shows, known);
    tokio::select! {
        _ = axum::serve(listener, app).into_future() => {}
        _ = stopped => {}
    }
}

fn router(context: Context, known: Known) -> Router {
    let mut router = api::routes(context);
    for asset in &page::ASSETS {
        let answer = ([(header::CONTENT_TYPE, asset.media)], asset.bytes);
        router = router.route(asset.path, get(move || async move { answer }));
    }
    router.layer(middleware::from_fn_with_state(known, guard))
}
