//! Physical truths: scenes with a closed form or a conserved quantity, under every solver and at
//! several rates. Each module has one subject; `scenes/` holds what is run, and the first lines of a
//! scene say what is right.

mod balance;
mod cooling;
mod impacts;
mod interrupted;
mod jointed;
mod lab;
mod limits;
mod overlap;
mod rolling;
mod rotation;
mod scales;
mod sleepers;
mod slopes;
mod standing;
mod storms;
mod swings;
mod visits;
mod windows;
mod words;
