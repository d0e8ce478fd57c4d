#!/bin/sh
# gpu.sh [--device cuda] [--minutes 20] [--out gpu]: all that a machine with a GPU is wanted for, in one go:
# correctness of every number format against fp32 on the processor, the benchmarks of two networks, and a run of
# configs/gpu-overnight.toml for the rest of the time. Everything it says, and the run, end up in the out folder.
# Run ./test first: it alone builds nn_tests, which this needs. BIN names the folder of the programs (default:
# build/release/bin, where ./test puts them).
set -eu
root=$(dirname "$(dirname "$(readlink -f "$0")")")
cd "$root"
device=cuda minutes=20 out=gpu
while [ $# -gt 0 ]; do
  case "$1" in
    --device) device=$2 ;;
    --minutes) minutes=$2 ;;
    --out) out=$2 ;;
    *) echo "usage: $0 [--device cuda] [--minutes 20] [--out gpu]" >&2; exit 2 ;;
  esac
  shift 2
done
bin=${BIN:-build/release/bin}
began=$(date +%s)
mkdir -p "$out"

# step FILE COMMAND...: what the command says goes into out/FILE and is shown; ends here where it fails.
step() {
  file=$out/$1 status=0
  shift
  "$@" >"$file" 2>&1 || status=$?
  cat "$file"
  [ "$status" = 0 ] || { echo "error: exit code $status, see $file: $*" >&2; exit "$status"; }
}

{ nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv || echo "no nvidia-smi"; } 2>&1 | tee "$out/machine.txt"
step tests.txt "$bin/nn_tests" --gtest_brief=1
for size in "10 128" "20 256"; do
  set -- $size
  step "bench-$1x$2.json" "$bin/sharpzero" bench all --json --device "$device" --preset gpu-overnight \
    --set "network.blocks=$1" --set "network.channels=$2"
done
spent=$((($(date +%s) - began) / 60))
[ "$minutes" -gt "$((spent + 2))" ] || { echo "no time left to train" >&2; exit 0; }
step train.txt "$bin/sharpzero" train --config configs/gpu-overnight.toml --device "$device" --run "$out/run" \
  --max-time "$((minutes - spent - 1))m"
