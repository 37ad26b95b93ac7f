#!/usr/bin/env bash
# All fuzz targets one after the other, each for so many seconds (600 if nothing is said), on one core.
#
#   fuzz/run.sh [seconds] [target…]
set -euo pipefail
cd "$(dirname "$0")/.."
seconds="${1:-600}"
shift || true
targets=("$@")
[[ ${#targets[@]} -gt 0 ]] || targets=(scene world expression recording checkpoint session robot parcel)
export RUSTC_BOOTSTRAP=1
failed=()
for target in "${targets[@]}"; do
    mkdir -p "fuzz/corpus/$target"
    cargo fuzz run --sanitizer none "$target" "fuzz/corpus/$target" "fuzz/seeds/$target" -- \
        -max_total_time="$seconds" -rss_limit_mb=4096 -malloc_limit_mb=4096 -timeout=20 -print_final_stats=1 || failed+=("$target")
done
if [[ ${#failed[@]} -gt 0 ]]; then
    echo "something was found by: ${failed[*]}; see fuzz/artifacts" >&2
    exit 1
fi
