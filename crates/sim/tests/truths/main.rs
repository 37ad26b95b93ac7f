//! Physical truths: scenes with a closed form or a conserved quantity, under every solver and at
//! several rates. Each module has one subject; `scenes/` holds what is run, and the first lines of a
//! scene say what is right.

mod balance;
mod interrupted;
mod jointed;
mod lab;
mod words;
mod rolling;
mod rotation;
mod sleepers;
mod limits;
mod storms;
mod windows;
mod cooling;
mod impacts;
mod scales;
mod slopes;
mod swings;
