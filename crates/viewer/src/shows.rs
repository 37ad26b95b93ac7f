//! Everything that this server shows: the recording it was begun with and those of runs started from the
//! page, by number. A page says in every request which one it means.

use crate::error::Result;
use crate::live;
use crate::render::Measure;
use crate::runs::{Launcher, Live, Look, Started, Wish};
use crate::scene::Scene;
use record::{Header, Reader};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{
    Arc, Condvar, Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
};
use std::time::Duration;

/// Runs that one server shows: more are somebody's mistake.
const MAX_SHOWS: usize = 64;

/// A recording and what was derived from it once.
pub(crate) struct Shown {
    reader: RwLock<Reader>,
    pub(crate) scene: Scene,
    measure: OnceLock<Measure>,
    /// How often there was something new.
    news: Mutex<u64>,
    told: Condvar,
    is_left: Arc<AtomicBool>,
    pub(crate) live: Option<Arc<dyn Live>>,
    pages: AtomicUsize,
}

impl Shown {
    fn new(
        reader: Reader,
        live: Option<Arc<dyn Live>>,
        look: &Look,
        is_left: Arc<AtomicBool>,
    ) -> Self {
        let scene = Scene::new(reader.header(), look);
        Self {
            reader: RwLock::new(reader),
            scene,
            measure: OnceLock::new(),
            news: Mutex::new(0),
            told: Condvar::new(),
            is_left,
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

    /// The outermost corners of what moves, as far as the run has come.
    pub(crate) fn corners(&self) -> record::Result<Vec<[f64; 3]>> {
        let reader = self.reading();
        let made = || Measure::new(reader.header());
        self.measure.get_or_init(made).corners(&reader)
    }

    /// Tells every page that there is something new.
    pub(crate) fn tell(&self) {
        *self.news.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.told.notify_all();
    }

    /// How often there was something new: another number than the one that was seen, unless the time is over.
    pub(crate) fn news(&self, seen: Option<u64>, at_most: Duration) -> u64 {
        let news = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self
            .told
            .wait_timeout_while(news, at_most, |news| seen == Some(*news));
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Whether the server has ended.
    pub(crate) fn is_left(&self) -> bool {
        self.is_left.load(Ordering::Relaxed)
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
    look: Option<fn(&Header) -> Look>,
    is_left: Arc<AtomicBool>,
}

impl Shows {
    pub(crate) fn new(
        launcher: Option<Arc<dyn Launcher>>,
        look: Option<fn(&Header) -> Look>,
    ) -> Self {
        Self {
            all: RwLock::new(Vec::new()),
            launcher,
            look,
            is_left: Arc::default(),
        }
    }

    pub(crate) fn get(&self, number: usize) -> Option<Arc<Shown>> {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        all.get(number).cloned()
    }

    pub(crate) fn is_empty(&self) -> bool {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        all.is_empty()
    }

    /// Tells all that follow something that the server has ended.
    pub(crate) fn leave(&self) {
        self.is_left.store(true, Ordering::Relaxed);
    }

    /// One more recording, which is followed from here on; gives its number.
    pub(crate) fn add(&self, started: Opened) -> std::io::Result<usize> {
        let Opened { reader, live } = started;
        let look = self
            .look
            .map(|look| look(reader.header()))
            .unwrap_or_default();
        let shown = Arc::new(Shown::new(reader, live, &look, self.is_left.clone()));
        let followed = shown.clone();
        std::thread::Builder::new()
            .name("viewer: follow".into())
            .spawn(move || live::follow(&followed))?;
        let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
        all.push(shown);
        Ok(all.len() - 1)
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
