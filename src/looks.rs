//! How a recorded scene wants to be seen: what its `[view]` says.

use record::Header;
use sim::scene::{Ground, view_of};
use viewer::{Eye, Look};

/// What the scene in a recording's header says of its pictures.
pub fn look(header: &Header) -> Look {
    let view = view_of(&header.scene_toml).unwrap_or_default();
    Look {
        eye: view.camera.map(|camera| Eye {
            from: camera.from.to_array(),
            to: camera.to.to_array(),
            degrees: camera.degrees,
        }),
        light: view.light.map(|light| light.to_array()),
        dark: view.ground.map(|ground| ground == Ground::Dark),
    }
}
