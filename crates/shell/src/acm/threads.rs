//! How many threads the kernels may use. Work is cut by index and never reduced across threads,
//! so the number changes the time a run takes and nothing else.

use std::fmt;

/// A pool of worker threads, or none.
pub struct Threads {
    pool: Option<rayon::ThreadPool>,
    count: usize,
}

impl Threads {
    /// A pool of `count` threads; 0 and 1 mean the calling thread alone, and so does a system that
    /// refuses to start more.
    pub fn new(count: usize) -> Threads {
        if count <= 1 {
            return Threads {
                pool: None,
                count: 1,
            };
        }
        match rayon::ThreadPoolBuilder::new().num_threads(count).build() {
            Ok(pool) => Threads {
                pool: Some(pool),
                count,
            },
            Err(_) => Threads {
                pool: None,
                count: 1,
            },
        }
    }

    /// Number of threads.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Runs `work` inside the pool.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}

impl fmt::Debug for Threads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} threads", self.count)
    }
}
