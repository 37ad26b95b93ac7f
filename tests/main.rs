//! All tests of the whole program in one program: what they test is compiled and linked once.

mod architecture;
mod bad_input;
mod builtin_scenes;
mod command;
mod contacts;
mod documentation;
mod forces;
mod joints_exported;
mod library;
mod numbers;
mod packings;
mod view;
