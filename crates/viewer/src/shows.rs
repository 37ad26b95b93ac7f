//! Everything that this server shows: the recording it was begun with and those of runs started from the
//! page, by number. A page says in every request which one it means.

use crate::error::Result;
use crate::live;
use crate::runs::{Launcher, Live, Started, Wish};
use crate::scene::Scene;
use record::Reader;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use tokio::sync::watch;

/// Runs that one server shows: more are somebody's mistake.
const MAX_SHOWS: usize = 64;

/// A recording and what was derived from it once.
pub(crate) struct Shown {
    reader: RwLock<Reader>,
    pub(crate) scene: Scene,
    news: watch::Sender<u64>,
    pub(crate) live: Option<Arc<dyn Live>>,
    pages: AtomicUsize,
}

impl Shown {
    fn new(reader: Reader, live: Option<Arc<dyn Live>>) -> Self {
        let scene = Scene::new(reader.header());
        Self {
            reader: RwLock::new(reader),
            scene,
            news: watch::channel(0).0,
            live,
            pages: AtomicUsize::new(0),
        }
    }

    pub(crate) fn reading(&self) -> RwLockReadGuard<'_, Reader> {
        self.reader.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn writing(&self) -> RwLockWriteGuard<'_, Reader> {
        self.reader.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells every page that there is something new.
    pub(crate) fn tell(&self) {
        self.news.send_modify(|count| *count += 1);
    }

    /// To be woken when there is something new.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.news.subscribe()
    }

    /// A page has come; it goes when what is returned is dropped.
    pub(crate) fn visit(self: &Arc<Self>) -> Visit {
        let pages = self.pages.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(live) = &self.live {
            live.watched(pages);
        }
        Visit(self.clone())
    }
}

/// A page that looks at a recording.
pub(crate) struct Visit(Arc<Shown>);

impl Drop for Visit {
    fn drop(&mut self) {
        let pages = self.0.pages.fetch_sub(1, Ordering::Relaxed) - 1;
        if let Some(live) = &self.0.live {
            live.watched(pages);
        }
    }
}

/// All of them, and who starts more.
pub(crate) struct Shows {
    all: RwLock<Vec<Arc<Shown>>>,
    pub(crate) launcher: Option<Arc<dyn Launcher>>,
}

impl Shows {
    pub(crate) fn new(launcher: Option<Arc<dyn Launcher>>) -> Self {
        Self {
            all: RwLock::new(Vec::new()),
            launcher,
        }
    }

    pub(crate) fn get(&self, number: usize) -> Option<Arc<Shown>> {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        all.get(number).cloned()
    }

    /// One more recording; gives its number. Called on the server's runtime, where it is then followed.
    pub(crate) fn add(&self, started: Opened) -> usize {
        let shown = Arc::new(Shown::new(started.reader, started.live));
        tokio::spawn(live::follow(shown.clone()));
        let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
        all.push(shown);
        all.len() - 1
    }

    /// Starts a run; gives what is to be added.
    pub(crate) fn start(
        &self,
        wish: &Wish,
        from: Option<usize>,
    ) -> std::result::Result<Opened, String> {
        let Some(launcher) = &self.launcher else {
            return Err("this viewer shows a recording and starts no runs".into());
        };
        let count = self
            .all
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .len();
        if count >= MAX_SHOWS {
            return Err(format!(
                "{count} runs are shown already: begin the viewer again"
            ));
        }
        let from = from.and_then(|number| self.get(number));
        let from = from.as_ref().and_then(|shown| shown.live.as_deref());
        let started = launcher.start(wish, from)?;
        Opened::new(started).map_err(|error| error.to_string())
    }
}

/// A recording that has been opened, ready to be shown.
pub(crate) struct Opened {
    reader: Reader,
    live: Option<Arc<dyn Live>>,
}

impl Opened {
    pub(crate) fn recording(path: &Path) -> Result<Self> {
        Self::new(Started {
            recording: path.into(),
            live: None,
        })
    }

    pub(crate) fn new(started: Started) -> Result<Self> {
        Ok(Self {
            reader: Reader::open(started.recording)?,
            live: started.live,
        })
    }
}
