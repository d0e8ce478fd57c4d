#!/bin/sh
# gpu.sh [--device cuda] [--minutes 9] [--out gpu] [tests|bench|train]...: what a machine with a GPU is wanted for, by
# default all of it: correctness of every precision against fp32 on the processor, the benchmarks of two networks, and
# so many minutes of configs/gpu-overnight.toml with short matches at the end. What each says lies in the out folder, the
# run beside it; one that fails does not stop the others.
#
# BIN names the folder of nn_tests, sharpzero and sharpzero-net (default: build/release/bin, where ./test puts them). For a
# machine on which nothing can be installed, build them elsewhere with -DSHARPZERO_NATIVE=OFF against the wheel of its
# torch, and set LD_LIBRARY_PATH to its torch/lib, the nvidia/*/lib beside that, and the other libraries that ldd names.
set -eu
root=$(dirname "$(dirname "$(readlink -f "$0")")")
cd "$root"
device=cuda minutes=9 out=gpu failed=
while [ $# -gt 0 ]; do
  case "$1" in
    --device) device=$2 ;;
    --minutes) minutes=$2 ;;
    --out) out=$2 ;;
    *) break ;;
  esac
  shift 2
done
[ $# -gt 0 ] || set -- tests bench train
bin=${BIN:-build/release/bin}
mkdir -p "$out"

# step NAME COMMAND...: what the command answers goes into out/NAME and is shown, what it says beside into out/NAME.log.
step() {
  file=$out/$1
  shift
  "$@" >"$file" 2>"$file.log" || { failed="$failed $file"; tail -5 "$file.log"; }
  cat "$file"
}

{ nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv || echo "no nvidia-smi"; } 2>&1 | tee "$out/machine.txt"
for what in "$@"; do
  case "$what" in
    tests) step tests.txt "$bin/nn_tests" --gtest_brief=1 ;;
    bench)
      for size in 10x128 20x256; do
        step "bench-$size.json" "$bin/sharpzero" bench all --json --device "$device" --preset gpu-overnight \
          --set "network.blocks=${size%x*}" --set "network.channels=${size#*x}"
      done
      ;;
    train)
      step train.txt "$bin/sharpzero" train --config configs/gpu-overnight.toml --device "$device" --run "$out/run" \
        --max-time "${minutes}m" --set evaluation.final_games=40 --set evaluation.simulations=64
      ;;
    *) echo "usage: $0 [--device cuda] [--minutes 9] [--out gpu] [tests|bench|train]..." >&2; exit 2 ;;
  esac
done
[ -z "$failed" ] || { echo "error: failed, see the .log beside:$failed" >&2; exit 1; }
