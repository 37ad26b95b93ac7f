#!/usr/bin/env bash
# All tests, from a fresh machine with only the Rust toolchain. Installs what the tests need.
set -euo pipefail
cd "$(dirname "$0")"
command -v cargo-nextest >/dev/null || cargo install cargo-nextest --locked
cargo fmt --all --check
cargo clippy --workspace --all-targets -- -D warnings
cargo nextest run --workspace --no-tests=warn
cargo test --workspace --doc
