#!/usr/bin/env bash
# The page in a real browser, and the committed bundle against its sources. Needs Node and Chromium
# (Debian: apt-get install chromium). Pictures go to the folder given, or to a temporary one.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-$(mktemp -d)}
mkdir -p "$folder"
[ -d node_modules ] || npm ci
npm run --silent check
(cd ../../.. && cargo build --release -p warpline &&
    cargo build --release -p warpline-record --no-default-features --features files --example bounce --example shapes)
programs=$(cd ../../.. && cargo metadata --no-deps --format-version 1 |
    node -pe 'JSON.parse(require("fs").readFileSync(0)).target_directory')/release
node test/page.mjs "$programs/warpline" "$programs/examples/bounce" "$programs/examples/shapes" "$folder"
node test/first.mjs "$programs/warpline"
echo "pictures: $folder"
