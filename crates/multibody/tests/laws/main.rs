//! Laws that multibodies keep: the algorithms agree with each other, energy and momentum stay,
//! loops stay closed.

mod agreement;
mod bounds;
mod loops;
mod motion;
mod refusals;
mod trees;
