#!/usr/bin/env bash
# The tests of the crate that has `unsafe` in it (crates/warp: memory in large pages, prefetch) under
# AddressSanitizer, and the engine's tests that use it hardest. Miri does not know mmap with large pages; this
# does. Needs no nightly toolchain: RUSTC_BOOTSTRAP lets the stable one take the flag.
set -euo pipefail
cd "$(dirname "$0")/.."
target="$(rustc -vV | sed -n 's/^host: //p')"
export RUSTC_BOOTSTRAP=1
export RUSTFLAGS="-Zsanitizer=address"
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_stack_use_after_return=1:detect_leaks=0}"
# With a target named, build scripts and macros are left alone.
cargo test --target "$target" --target-dir target/sanitize -p warpline-warp --lib --tests
if [[ "${1:-}" == "--all" ]]; then
    cargo test --target "$target" --target-dir target/sanitize -p warpline-sim --test sim -- \
        branches:: checkpoint:: late_inputs:: law_1::
fi
