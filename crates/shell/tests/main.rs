//! All tests of this crate in one program: what they test is compiled and linked once.

mod acm_ccd;
mod acm_contact;
mod acm_dynamics;
mod acm_false_futures;
mod acm_momentum;
mod acm_rigid;
mod acm_scenes;
mod cloth_itself;
mod cloth_laws;
mod cloth_optimisations;
mod cloth_process;
mod cloth_surface;
