#!/usr/bin/env bash
# All tests, from a fresh machine with only the Rust toolchain. Installs what the tests need.
set -euo pipefail
cd "$(dirname "$0")"
cargo nextest --version >/dev/null 2>&1 || cargo install cargo-nextest --locked
cargo fmt --all --check
cargo clippy --workspace --all-targets -- -D warnings
cargo nextest run --workspace --no-tests=warn
cargo test --workspace --doc
# The examples end with an error if what they show does not hold.
cargo run --example netcode
cargo run --example planner
# Licences and sources, where the tool is there; its advisories need a network.
if cargo deny --version >/dev/null 2>&1; then
    cargo deny --offline check licenses bans sources
fi
