#!/usr/bin/env bash
# All tests, from a fresh machine with only the Rust toolchain. Installs what the tests need.
set -euo pipefail
cd "$(dirname "$0")"
cargo nextest --version >/dev/null 2>&1 || cargo install cargo-nextest --locked
cargo fmt --all --check
cargo clippy --workspace --all-targets -- -D warnings
# The engine alone: no scenes, no shells, no files.
cargo clippy -p warpline-sim --no-default-features -- -D warnings
cargo nextest run --workspace --no-tests=warn
cargo test --workspace --doc
# The examples end with an error if what they show does not hold. The tests' build has made them.
for example in netcode planner hello; do
    "${CARGO_TARGET_DIR:-target}/debug/examples/$example"
done
# The Python package, built as the tests above are and installed into a clean environment.
if python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null && python3 -m venv --help >/dev/null 2>&1; then
    environment=$(mktemp -d)
    trap 'rm -rf "$environment"' EXIT
    python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet 'maturin>=1.8,<2' numpy pytest gymnasium 'mypy<1.19' nbformat nbclient ipykernel pandas polars
    "$environment/bin/maturin" build --profile dev --out "$environment/wheels" --interpreter "$environment/bin/python"
    "$environment/bin/pip" install --quiet "$environment"/wheels/warpline-*.whl
    cargo clippy -p warpline-python --features extension -- -D warnings
    # The last mypy that knows Python 3.9.
    "$environment/bin/mypy" --strict --python-version 3.9 crates/python/python/warpline/__init__.pyi
    "$environment/bin/python" -m pytest --quiet crates/python/tests
else
    echo "Python 3.9 or newer is not here: the tests of the Python package were left out"
fi
# Jobs of several ranks, where an MPI library is there (Debian: libopenmpi-dev, openmpi-bin and libclang-dev).
if command -v mpirun >/dev/null && command -v mpicc >/dev/null; then
    cargo clippy -p warpline-mpi --features mpi --all-targets -- -D warnings
    cargo nextest run -p warpline-mpi --features mpi
    cargo nextest run -p warpline --features mpi --test distributed
else
    echo "mpirun or mpicc is not here: the tests of jobs of several ranks were left out"
fi
# Licences and sources, where the tool is there; its advisories need a network.
if cargo deny --version >/dev/null 2>&1; then
    cargo deny --offline check licenses bans sources
fi
