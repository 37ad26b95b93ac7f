//! Time Warp with no physics in it.
