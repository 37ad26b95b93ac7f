#!/usr/bin/env bash
# Reads the exports back with the Khronos validator (npm) and usd-core (PyPI). Optional: needs Node,
# Python and a network; the tests in exports.rs need neither.
set -euo pipefail
cd "$(dirname "$0")/../../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cargo run -q -p warpline-record --example bounce -- "$folder/b.wline" 30 6
for format in glb usda csv; do
    cargo run -q -p warpline-record --example export -- "$folder/b.wline" "$folder/b.$format"
done
npm install --silent --no-save --prefix "$folder" gltf-validator@2.0.0-dev.3.10
NODE_PATH="$folder/node_modules" node -e '
    const fs = require("fs"), validator = require("gltf-validator");
    validator.validateBytes(new Uint8Array(fs.readFileSync(process.argv[1]))).then((report) => {
        console.log("glTF validator:", JSON.stringify(report.issues, null, 1), report.info.animationCount, "animation");
        if (report.issues.numErrors + report.issues.numWarnings > 0) process.exit(1);
    });' "$folder/b.glb"
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q usd-core
"$folder/python/bin/python" - "$folder/b.usda" "$folder/b.csv" <<'PYTHON'
import csv, sys
from pxr import Usd, UsdGeom
stage = Usd.Stage.Open(sys.argv[1])
cache, worst, rows = UsdGeom.XformCache(), 0.0, 0
prims = {int(p.GetName()[1:].split("_")[0]): p for p in stage.GetPrimAtPath("/World").GetChildren()}
for row in csv.DictReader(open(sys.argv[2])):
    cache.SetTime(float(row["time_s"]) * stage.GetTimeCodesPerSecond())
    seen = cache.GetLocalToWorldTransform(prims[int(row["body"])]).ExtractTranslation()
    worst = max(worst, *(abs(seen[i] - float(row[k])) for i, k in enumerate(("x_m", "y_m", "z_m"))))
    rows += 1
print(f"usd-core: {len(prims)} prims, {rows} events, largest distance {worst:.2e} m")
assert rows > 100 and worst < 1e-9, "USD does not stand where the recording does"
PYTHON
