#!/usr/bin/env bash
# Exports of real runs, read back with other people's readers: Khronos' glTF validator (npm), and
# usd-core, pyarrow and mcap (PyPI). Needs Python, Node and a network. The tools and files go to the folder
# given, or to a temporary one.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$(mktemp -d)}
mkdir -p "$folder"
cd "$here/../../.."
cargo build --release -p warpline --features exports
warpline=$(cargo metadata --no-deps --format-version 1 |
    node -pe 'JSON.parse(require("fs").readFileSync(0)).target_directory')/release/warpline
[ -d "$folder/python" ] || python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet usd-core pyarrow mcap numpy
[ -d "$folder/node_modules" ] || npm install --silent --prefix "$folder" gltf-validator
for scene in atoms pile cloth-hammock; do
    "$warpline" run "$scene" --until 1 --record "$folder/$scene.wline" >/dev/null
    for ending in glb usda csv parquet mcap; do
        "$warpline" export "$folder/$scene.wline" --to "$folder/$scene.$ending"
    done
    NODE_PATH="$folder/node_modules" node "$here/validate.cjs" "$folder/$scene.glb"
    "$folder/python/bin/python" "$here/read_back.py" "$folder/$scene"
done
# The joints of multibodies: tables of their own, and channels of the log.
for scene in double-pendulum acrobot; do
    "$warpline" run "$scene" --until 1 --record "$folder/$scene.wline" >/dev/null
    for ending in csv parquet; do
        "$warpline" export "$folder/$scene.wline" --what joints --fps 50 --to "$folder/$scene-joints.$ending"
    done
    "$warpline" export "$folder/$scene.wline" --fps 50 --to "$folder/$scene.mcap"
    "$folder/python/bin/python" "$here/joints_back.py" "$folder/$scene"
done
