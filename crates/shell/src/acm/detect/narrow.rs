//! The narrow phase over one window: near pairs that the chords of the window leave open are followed through its
//! parts, and only what these leave open, too, is put to slabs along whole tracks.

use crate::acm::detect::history::{Histories, Sample};
use crate::acm::detect::parts::{Borders, COUNT, Parts};
use crate::acm::detect::slab::Slabs;
use crate::acm::detect::spans::Spans;
use crate::acm::detect::sweep::Swept;
use crate::acm::detect::tube::extent;
use crate::acm::detect::{Missed, fill};
use crate::acm::forces::integrate::Trace;
use crate::acm::lanes::quads::Row;
use crate::acm::model::contact::{Contact, Pair};
use crate::acm::profile::Profile;
use crate::acm::speculate::watch::Watched;
use crate::acm::{ContactSet, ShellModel, Threads, Tick};
use rayon::prelude::*;

/// Candidates in one unit of parallel work.
const CANDIDATES: usize = 32;

/// A pair that could not be culled, and the distance it must keep until some time.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    pair: Pair,
    thickness: f64,
    until: Tick,
}

/// A candidate and the parts of the window in which it may come too near, one bit each.
#[derive(Debug, Clone, Copy)]
struct Open {
    candidate: Candidate,
    stencil: [u32; 4],
    parts: u8,
}

/// Buffers of the narrow phase, kept between windows.
#[derive(Debug, Default)]
pub(crate) struct Narrow {
    candidates: Vec<Candidate>,
    /// Their stencils.
    contacts: Vec<Contact>,
    spans: Spans,
    rooms: Vec<Row>,
    open: Vec<Open>,
    /// Tracks of the open pairs' vertices, whole and in parts.
    tracks: Vec<Vec<Sample>>,
    parts: Vec<Parts>,
    part_of: Vec<u32>,
    cut_vertices: Vec<u32>,
    borders: Borders,
    use_slabs: bool,
}

/// What the narrow phase found out about a candidate.
#[derive(Debug, Clone, Copy)]
struct Decision {
    entry: Option<Tick>,
    steps: u32,
    failsafe: u32,
}

impl Narrow {
    /// Without slabs every straight piece of an open pair is put to the continuous detection.
    pub fn new(use_slabs: bool) -> Narrow {
        Narrow {
            use_slabs,
            ..Narrow::default()
        }
    }

    /// Which of the near pairs, whose chords keep them `rooms` (m) apart, entered a layer deeper than they
    /// had.
    pub fn missed(
        &mut self,
        model: &ShellModel,
        (near, rooms, swept): (&Watched, &[f64], &Swept),
        (contacts, trace): (&ContactSet, &Trace),
        threads: &Threads,
        profile: &mut Profile,
    ) -> Missed {
        self.borders = trace.history.borders();
        self.find_candidates(model, (near, rooms), contacts, trace);
        self.follow(&trace.history, swept, threads);
        self.cut(&trace.history, threads);
        let decide = |open: &Open| self.decide(open, swept);
        let decisions: Vec<Decision> = if threads.count() == 1 {
            self.open.iter().map(decide).collect()
        } else {
            let open = self.open.par_iter().with_min_len(CANDIDATES);
            threads.run(|| open.map(decide).collect())
        };
        let mut missed = Missed {
            pairs: Vec::new(),
            since: Tick::MAX,
            first: Vec::new(),
        };
        profile.counts.slab_pairs += near.pairs.len() as u64;
        for (open, decision) in self.open.iter().zip(decisions) {
            profile.counts.slab_steps += u64::from(decision.steps);
            profile.counts.failsafe_calls += u64::from(decision.failsafe);
            if let Some(t) = decision.entry {
                missed.pairs.push(open.candidate.pair);
                if t < missed.since {
                    missed.first.clear();
                    missed.since = t;
                }
                if t == missed.since {
                    missed.first.push(open.candidate.pair);
                }
            }
        }
        missed.pairs.sort_unstable();
        missed.pairs.dedup();
        missed
    }

    /// Near pairs that their chords do not clear, and pairs with a layer that was activated inside the
    /// window: it must not have been needed before.
    fn find_candidates(
        &mut self,
        model: &ShellModel,
        (near, rooms): (&Watched, &[f64]),
        contacts: &ContactSet,
        trace: &Trace,
    ) {
        let Narrow {
            candidates,
            contacts: stencils,
            borders,
            ..
        } = self;
        let (first, end) = (model.layers.next_thickness(0), borders.at(COUNT));
        candidates.clear();
        stencils.clear();
        let all = near.pairs.iter().zip(&near.contacts).zip(rooms);
        for ((&pair, &contact), &room) in all {
            // also if the room is not a number
            if room > first {
                continue;
            }
            let thickness = model.layers.next_thickness(contacts.layers_of(pair));
            if room > thickness {
                continue;
            }
            candidates.push(Candidate {
                pair,
                thickness,
                until: end,
            });
            stencils.push(contact);
        }
        for a in &trace.activations {
            candidates.push(Candidate {
                pair: a.pair,
                thickness: model.layers.next_thickness(a.layers),
                until: a.since,
            });
            stencils.push(Contact {
                kind: a.pair.kind(),
                stencil: a.pair.stencil(&model.topology),
            });
        }
    }

    /// Finds the parts of the window in which candidates are open.
    fn follow(&mut self, history: &Histories, swept: &Swept, threads: &Threads) {
        let Narrow {
            candidates,
            contacts,
            spans,
            rooms,
            open,
            borders,
            ..
        } = self;
        let borders = *borders;
        let before = |until: Tick| (0..COUNT).take_while(move |&k| borders.at(k) < until);
        open.clear();
        rooms.clear();
        if self.use_slabs {
            spans.take(contacts.iter().map(|c| c.stencil), history, swept);
            if threads.count() == 1 {
                spans.rooms(contacts, rooms);
            } else {
                let some = |some: &[Contact]| {
                    let mut out = Vec::new();
                    spans.rooms(some, &mut out);
                    out
                };
                let chunks = contacts.par_chunks(CANDIDATES);
                let found: Vec<Vec<Row>> = threads.run(|| chunks.map(some).collect());
                rooms.extend(found.into_iter().flatten());
            }
        } else {
            rooms.resize(candidates.len(), Row::ZERO);
        }
        for ((candidate, contact), room) in candidates.iter().zip(contacts).zip(rooms) {
            // also if the room is not a number
            let clear = |k: usize| room.0[k] > candidate.thickness;
            let parts = before(candidate.until).filter(|&k| !clear(k));
            let parts = parts.fold(0, |parts, k| parts | 1 << k);
            if parts != 0 {
                open.push(Open {
                    candidate: *candidate,
                    stencil: contact.stencil,
                    parts,
                });
            }
        }
    }

    /// Puts together the tracks of the vertices that are open and cuts them into parts.
    fn cut(&mut self, history: &Histories, threads: &Threads) {
        let Narrow {
            open,
            tracks,
            parts,
            part_of,
            cut_vertices,
            ..
        } = self;
        part_of.clear();
        part_of.resize(history.vertex_count(), u32::MAX);
        cut_vertices.clear();
        for v in open.iter().flat_map(|o| o.stencil) {
            if part_of[v as usize] == u32::MAX {
                part_of[v as usize] = cut_vertices.len() as u32;
                cut_vertices.push(v);
            }
        }
        if tracks.len() < cut_vertices.len() {
            tracks.resize_with(cut_vertices.len(), Vec::new);
        }
        let tracks = &mut tracks[..cut_vertices.len()];
        if threads.count() == 1 {
            for (&v, track) in cut_vertices.iter().zip(&mut *tracks) {
                history.track(v as usize, track);
            }
            fill(parts, tracks.len(), false, |i| Parts::of(&tracks[i]));
        } else {
            threads.run(|| {
                (&cut_vertices[..], &mut *tracks)
                    .into_par_iter()
                    .with_min_len(64)
                    .for_each(|(&v, track)| history.track(v as usize, track));
                fill(parts, tracks.len(), true, |i| Parts::of(&tracks[i]));
            });
        }
    }

    /// Looks for the first entry in each run of open parts.
    fn decide(&self, open: &Open, swept: &Swept) -> Decision {
        let c = &open.candidate;
        let places = open.stencil.map(|v| self.part_of[v as usize] as usize);
        let slabs = Slabs::new(
            c.pair.kind(),
            places.map(|i| &self.tracks[i][..]),
            c.thickness,
            extent(&open.stencil.map(|v| swept.tubes[v as usize])),
            self.borders.at(1) - self.borders.at(0),
        );
        let mut slabs = slabs.along(places.map(|i| &self.parts[i]));
        let (mut entry, mut k) = (None, 0);
        while entry.is_none() && open.parts >> k != 0 {
            k += (open.parts >> k).trailing_zeros();
            let end = k + (open.parts >> k).trailing_ones();
            let from = self.borders.at(k as usize);
            let to = self.borders.at(end as usize).min(c.until);
            entry = if self.use_slabs {
                slabs.first_entry(from, to)
            } else {
                slabs.first_entry_piecewise(from, to)
            };
            k = end;
            if k as usize == COUNT {
                break;
            }
        }
        Decision {
            entry,
            steps: slabs.steps,
            failsafe: slabs.failsafe,
        }
    }
}
