//! Time Warp between processes that only send messages (Jefferson 1985; Mirtich 2000, section 3).
//! One [`Model`], several ways to run it: [`run_sequential`] in strict order, [`Optimistic`] under any
//! [`Schedule`] and [`Transport`], [`run_checked`] forward, back and forward again. All commit the same
//! history, to the byte.
//!
//! ```
//! use warpline_warp::Tick;
//! use warpline_warp::message::{
//!     Delay, Direct, Optimistic, Phold, TraceHash, Windowed, run_sequential,
//! };
//!
//! let model = Phold { processes: 8, events_each: 2, remote: 0.5, delay: Delay::Exponential, seed: 1 };
//! let until = Tick::from_seconds(20.0);
//! let (mut plain, mut speculative) = (TraceHash::default(), TraceHash::default());
//! run_sequential(&model, until, &mut plain);
//! // Windows of 2^40 ticks, 1 s: ten times the shortest delay, so that much has to be undone.
//! let mut run = Optimistic::new(&model, Windowed::new(40), Direct);
//! let statistics = run.run(until, &mut speculative);
//! assert!(statistics.undone > 0);
//! assert_eq!(plain.finish(), speculative.finish());
//! ```

mod check;
mod foreign;
mod gvt;
mod hostile;
mod mailbox;
mod model;
mod optimistic;
mod outputs;
mod phold;
mod post;
mod pucks;
mod schedule;
mod sequential;
mod share;
mod slab;
mod sync;
mod throttle;
mod together;
mod transport;
mod wire;

pub use check::{Divergence, run_checked};
pub use gvt::Control;
pub use hostile::Hostile;
pub use mailbox::{Endpoint, mailboxes, mailboxes_in_one_thread};
pub use model::{Committed, Envelope, MessageId, Model, Outbox, Output};
pub use optimistic::{Optimistic, Statistics, Step};
pub use outputs::{CommitCount, TraceHash};
pub use phold::{Delay, Phold, PholdState};
pub use pucks::{News, PuckState, Pucks};
pub use schedule::{LowestFirst, Schedule, Shuffled, Windowed};
pub use sequential::run_sequential;
pub use share::Share;
pub use together::run_together;
pub use transport::{Direct, Parcel, Reordering, Stamp, Transport, WorkerId};
pub use wire::Wire;
