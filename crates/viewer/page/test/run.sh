#!/usr/bin/env bash
# The page in a real browser, and the committed bundle against its sources. Needs Node and Chromium
# (Debian: apt-get install chromium). Pictures go to the folder given, or to a temporary one.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-$(mktemp -d)}
mkdir -p "$folder"
[ -d node_modules ] || npm ci
npm run --silent check
(cd ../../.. && cargo build -p warpline-viewer -p warpline-record --example view --example bounce --example shapes)
programs=$(cd ../../.. && cargo metadata --no-deps --format-version 1 |
    node -pe 'JSON.parse(require("fs").readFileSync(0)).target_directory')/debug/examples
node test/page.mjs "$programs/view" "$programs/bounce" "$programs/shapes" "$folder"
echo "pictures: $folder"
