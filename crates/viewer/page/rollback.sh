#!/usr/bin/env bash
# Makes docs/pictures/rollback.gif, the animated picture of a rollback: the viewer's tour, drawn frame by frame.
# Needs Node, Chromium and ffmpeg.
set -euo pipefail
cd "$(dirname "$0")"
[ -d node_modules ] || npm ci
(cd ../../.. && cargo build --release -p warpline)
programs=$(cd ../../.. && cargo metadata --no-deps --format-version 1 |
    node -pe 'JSON.parse(require("fs").readFileSync(0)).target_directory')/release
node rollback.mjs "$programs/warpline" "${1:-../../../docs/pictures/rollback.gif}"
