//! Koenig, Karamouzas and Guy, *Object-Centric Parallel Rigid Body Simulation With Timewarp*: every sphere is a soft
//! thread that simulates itself, meets others in a hash table over space and time, tells them with messages, and rolls
//! back when it is told of something in its past.
//!
//! The protocol is in `entity` (the phases, Algorithms 2 to 4) and `errand` (what is done under locks, Algorithms 1 and 5
//! to 7); `tvht` and `bucket` are the hash table, `frames` is GVT. It runs on real threads ([`threads`]) and in an order
//! that a seed decides ([`seeded`]), and on cores that are not there ([`simulated`]). [`plain`] is the loop over sub-steps whose history both must have, to the byte.
//!
//! Why nobody waits for ever, with any number of entities: a lock is waited for in the order of buckets; an antievent is
//! acknowledged at once by whoever reads it; and an event is waited for by the entity that wrote its state *second*, so
//! that every wait for an acknowledgement leads to an entity that has written at the same LVT before, or to one at an
//! earlier LVT that holds GVT back. The first of all by (LVT, number of the write) waits for nobody.

mod bucket;
mod entity;
mod errand;
mod frames;
pub mod law;
mod message;
pub mod plain;
mod protocol;
pub mod scene;
pub mod seeded;
pub mod simulated;
mod sync;
pub mod tally;
pub mod threads;
mod tvht;

#[cfg(test)]
mod schedules;

pub use law::{Partner, Turn};
pub use plain::Trajectories;
pub use protocol::Error;
pub use scene::{Fault, Fixed, Form, Frame, Ms, Phy, Scene, Settings, Sphere, Unusable, Vec3};
pub use tally::{Activity, Tally};
pub use threads::{Ran, Workers};
