//! The viewer: a server on loopback and its page, and pictures without a browser.
//!
//! [`serve`] shows a recording, finished or still being written, in a web page that needs nothing but a
//! browser. The page asks for what it shows at its own pace, so a slow page never slows a run: the run
//! only writes its recording. [`render`] draws a moment of a recording into a PNG by itself.

mod api;
mod error;
mod guard;
mod http;
mod interrupt;
mod live;
mod page;
mod render;
mod runs;
mod scene;
mod server;
mod shows;
mod wire;

pub use error::{Error, Result};
pub use interrupt::on_interrupt;
pub use render::{Animation, Eye, Picture, animate, animate_told, render};
pub use runs::{Launcher, Live, Look, Offer, Parameter, Pull, Pulled, Started, Wish};
pub use server::{Options, Server, serve, serve_scenes};
