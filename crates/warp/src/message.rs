//! Time Warp between processes that only send messages (Jefferson 1985; Mirtich 2000, section 3).
//! One [`Model`], several ways to run it: [`run_sequential`] in strict order, [`Optimistic`] under any
//! [`Schedule`] and [`Transport`], [`run_checked`] forward, back and forward again. All commit the same
//! history, to the byte.

mod check;
mod model;
mod optimistic;
mod phold;
mod schedule;
mod sequential;
mod slab;
mod trace;
mod transport;

pub use check::{Divergence, run_checked};
pub use model::{Committed, Envelope, MessageId, Model, Outbox, Output};
pub use optimistic::{Optimistic, Statistics};
pub use phold::{Delay, Phold, PholdState};
pub use schedule::{LowestFirst, Schedule, Shuffled, Windowed};
pub use sequential::run_sequential;
pub use trace::{CommitCount, TraceHash};
pub use transport::{Direct, Parcel, Reordering, Transport};
