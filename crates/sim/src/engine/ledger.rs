//! The ledger: segments begun but not yet committed. A run that keeps nothing back commits all of
//! them at once; a simulation that retains history files them by time, so that a commit costs what
//! it hands over and not what is kept.

use std::collections::VecDeque;
use std::sync::Arc;
use warp::{NodeRef, Tick};

/// Pages of a retaining ledger are 2^34 ticks long, a sixty-fourth of a second.
pub(crate) const PAGE_LOG2: u32 = 34;

/// What began within one page of time.
#[derive(Clone, Debug, Default)]
struct Page {
    segments: Vec<NodeRef>,
}

/// Segments begun since the last commit. See the module's text.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger {
    /// Without retention: everything, in the order of discovery.
    flat: Vec<NodeRef>,
    pages: VecDeque<Arc<Page>>,
    /// Number of the first page.
    first: i64,
    retains: bool,
    /// Segments in the pages, and how many there were when those that are gone were last crossed out.
    noted: usize,
    left: usize,
}

/// Segments that are too few to be worth crossing out.
const FEW: usize = 4096;

impl Ledger {
    /// From now on, files by time.
    pub fn retain(&mut self) {
        self.retains = true;
    }

    /// Nothing before `gvt` will be noted.
    pub fn begin_at(&mut self, gvt: Tick) {
        self.first = gvt.0 >> PAGE_LOG2;
    }

    fn page(&mut self, at: Tick) -> &mut Page {
        // What begins before the first page (nothing does, short of a broken clock) goes into it.
        let place = ((at.0 >> PAGE_LOG2) - self.first).max(0) as usize;
        if place >= self.pages.len() {
            self.pages.resize_with(place + 1, Arc::default);
        }
        Arc::make_mut(&mut self.pages[place])
    }

    /// Notes a segment that begins at `at`.
    #[inline]
    pub fn note(&mut self, at: Tick, segment: NodeRef) {
        if self.retains {
            self.noted += 1;
            self.page(at).segments.push(segment);
        } else {
            self.flat.push(segment);
        }
    }

    /// Calls with every segment begun before `gvt`, and forgets them; `is_due` tells whether one is, or is gone.
    pub fn settle(
        &mut self,
        gvt: Tick,
        is_due: impl Fn(NodeRef) -> bool,
        mut segment: impl FnMut(NodeRef),
    ) {
        // A window may be committed in part: what has run ahead stays.
        self.flat.retain(|noted| {
            let is_due = is_due(*noted);
            if is_due {
                segment(*noted);
            }
            !is_due
        });
        if !self.retains {
            return;
        }
        let current = gvt.0 >> PAGE_LOG2;
        while self.first < current {
            let Some(page) = self.pages.pop_front() else {
                self.first = current;
                return;
            };
            self.noted -= page.segments.len();
            page.segments.iter().copied().for_each(&mut segment);
            self.first += 1;
        }
    }

    /// Everything that is noted.
    pub fn all(&self) -> impl Iterator<Item = NodeRef> + '_ {
        let filed = self.pages.iter().flat_map(|page| page.segments.iter());
        self.flat.iter().chain(filed).copied()
    }

    /// Crosses out segments that are gone, once they may be as many as the others.
    pub fn cross_out(&mut self, is_gone: impl Fn(NodeRef) -> bool) {
        if self.noted < (2 * self.left).max(FEW) {
            return;
        }
        self.noted = 0;
        for page in &mut self.pages {
            let page = Arc::make_mut(page);
            page.segments.retain(|segment| !is_gone(*segment));
            page.segments.shrink_to(2 * page.segments.len());
            self.noted += page.segments.len();
        }
        self.left = self.noted;
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let of = |v: &Vec<NodeRef>| v.capacity() * size_of::<NodeRef>();
        of(&self.flat)
            + self
                .pages
                .iter()
                // A page that a branch shares is not its own.
                .filter(|p| Arc::strong_count(p) == 1)
                .map(|p| size_of::<Page>() + of(&p.segments))
                .sum::<usize>()
    }
}
