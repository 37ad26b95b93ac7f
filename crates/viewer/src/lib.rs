//! The viewer: a server on loopback and its page.
