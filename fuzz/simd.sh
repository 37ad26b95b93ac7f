#!/usr/bin/env bash
# One history on processors with and without AVX2: a few built-in scenes under qemu's models of processors,
# their history hashes compared with each other and with this machine's. Skips where qemu is not installed
# (Debian: the package qemu-user).
#
#   fuzz/simd.sh [path of the warpline binary]
set -euo pipefail
cd "$(dirname "$0")/.."
warpline="${1:-target/debug/warpline}"
qemu="$(command -v qemu-x86_64 || command -v qemu-x86_64-static || true)"
if [[ -z "$qemu" ]]; then
    echo "skipped: qemu-x86_64 is not installed"
    exit 0
fi
if [[ "$(uname -m)" != x86_64 ]]; then
    echo "skipped: this machine is no x86-64"
    exit 0
fi
if [[ ! -x "$warpline" ]]; then
    echo "$warpline is not there; build it: cargo build --bin warpline" >&2
    exit 2
fi
hash() { "$@" --stats - | sed -n 's/.*"history_sha256": *"\([0-9a-f]*\)".*/\1/p'; }
failed=0
while read -r -a run; do
    native="$(hash "$warpline" run "${run[@]}")"
    for model in Nehalem Haswell max; do
        found="$(hash "$qemu" -cpu "$model" "$warpline" run "${run[@]}" 2>/dev/null || true)"
        if [[ -n "$native" && "$found" == "$native" ]]; then
            echo "same       ${run[*]}: $model"
        else
            echo "DIFFERENT  ${run[*]}: $model ${found:0:16}, here ${native:0:16}"
            failed=1
        fi
    done
done <<'SCENES'
gas --set bodies=60 --until 0.5
tumblers --until 0.3
pile --until 0.5
dominoes --until 0.3
bridge --until 0.2
packing --set bodies=24 --set layers=4 --until 0.6
packing --set bodies=24 --set layers=4 --until 0.6 --solver auto
packing-spheres --set bodies=24 --set layers=4 --until 0.6
gears --until 0.2
cloth-catch --set side=8 --set duration=0.3
two-cloths --set size=5 --set duration=0.01
SCENES
exit "$failed"
