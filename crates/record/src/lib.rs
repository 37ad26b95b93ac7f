//! The recording: write, read, export.
