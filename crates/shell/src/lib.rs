//! Cloth and thin shells.
