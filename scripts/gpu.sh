#!/bin/sh
# gpu.sh [--device cuda] [--minutes 8] [--limit 540] [--out gpu] [STAGE]...: what a machine with a GPU is wanted for. Stages,
# none of whose commands takes more than the limit (seconds), by default all in this order:
#   tests               every precision against fp32 on the processor, and a game that is overfitted
#   beside-BxC          `bench beside` of a network of B blocks and C channels: games and learning, alone and together
#   paced-BxC           the same where no more than 20,000 positions a second are learned beside games, as in a run
#   bench-BxC           `bench all` of it; B and C: 10x128, 15x192, 20x256
#   pipeline-BxC        `bench pipeline` of it: how busy a run keeps the device and the cores
#   profile             where the time of learning and of games goes (nsys, where it is installed)
#   train               so many minutes of configs/cpu.toml with a network of 10 blocks of 128 channels
#   teach               an NNUE taught by that network from that run's games
#   rates               learning rates for that network on that run's games (scripts/sweep_rates.py), 300 steps each
# What a stage says lies in the out folder, the newest network of the run beside it as soon as there is one, 16 MiB at most.
# A stage that is done is not repeated, and one that fails does not stop the others: after a break the same command goes on.
# A machine that is lent for a quarter of an hour: `--limit 60 --minutes 5 tests paced-10x128 paced-15x192 train`, then
# `--limit 100 teach rates`. With `--device simulated:launch_us=300,row_ns=1500` all can be rehearsed without a GPU.
#
# BIN names the folder of nn_tests, training_tests, sharpzero and sharpzero-net (default: build/release/bin, where ./test puts
# them). For a machine on which nothing can be installed, build them elsewhere against the wheel of its torch, and
# set LD_LIBRARY_PATH to its torch/lib, the nvidia/*/lib beside that, and the other libraries that ldd names;
# BIN/../share/sharpzero must be a link to this folder.
# MORE adds words to every sharpzero command that measures a preset, such as "--set selfplay.games=512".
set -eu
root=$(dirname "$(dirname "$(readlink -f "$0")")")
cd "$root"
device=cuda minutes=8 limit=540 out=gpu failed=
while [ $# -gt 0 ]; do
  case "$1" in
    --device) device=$2 ;;
    --minutes) minutes=$2 ;;
    --limit) limit=$2 ;;
    --out) out=$2 ;;
    *) break ;;
  esac
  shift 2
done
sizes='10x128 15x192 20x256'
all=tests
for size in $sizes; do all="$all beside-$size paced-$size bench-$size pipeline-$size"; done
# shellcheck disable=SC2086 # a list of names
[ $# -gt 0 ] || set -- $all profile train teach rates
bin=${BIN:-build/release/bin}
mkdir -p "$out"

# keep [--for SECONDS] FILE COMMAND...: what the command answers goes into out/FILE, once it has succeeded, and is shown; what
# it says beside into out/FILE.log.
keep() {
  most=$limit
  if [ "$1" = --for ]; then most=$2 && shift 2; fi
  file=$out/$1
  shift
  [ ! -e "$file" ] || return 0
  if timeout "$most" "$@" >"$file.part" 2>"$file.log"; then
    mv "$file.part" "$file"
    tail -40 "$file"
  else
    failed="$failed $file"
    tail -n 40 "$file.part" "$file.log"
  fi
}

# of SIZE: the options that make a preset's network of that size.
of() { echo "--preset gpu-overnight --set network.blocks=${1%x*} --set network.channels=${1#*x} ${MORE:-}"; }

# Copies what the run has written into the out folder.
fetch() {
  for file in metrics.jsonl report.html config.toml run.json; do
    [ ! -e "$run/$file" ] || cp "$run/$file" "$out/"
  done
  newest=$(find "$run/checkpoints" -name network.safetensors 2>/dev/null | sort | tail -1)
  [ -z "$newest" ] || { cp "$newest" "$out/network.part" && mv "$out/network.part" "$out/network.safetensors"; }
}
# The machine may be taken back before the run has ended.
fetch_as_they_come() { while sleep 15; do fetch 2>/dev/null || true; done; }

# measure STAGE WORD...: what `bench` says of the network in the stage's name.
measure() {
  file=$1.json size=${1#*-}
  shift
  # shellcheck disable=SC2046 # a list of words
  keep "$file" "$bin/sharpzero" bench "$@" --json --device "$device" $(of "$size")
}

stage() {
  case "$1" in
    tests)
      keep tests.txt "$bin/nn_tests" --gtest_brief=1 --gtest_filter='Inference.*:Precision.*:SimulatedDevice.*'
      keep device_tests.txt "$bin/training_tests" --gtest_brief=1 --gtest_filter='LearnerOnADevice.*'
      ;;
    beside-*x*) measure "$1" beside ;;
    paced-*x*) measure "$1" beside --positions-per-s 20000 ;;
    bench-*x*) measure "$1" all ;;
    pipeline-*x*)
      measure "$1" pipeline --set run.first_plies=100000 --set run.plies_per_generation=100000 \
        --set evaluation.games=8 --set evaluation.simulations=32
      ;;
    profile)
      command -v nsys >/dev/null || { echo "profile: no nsys here"; return 0; }
      keep profile.txt nsys profile --stats=true --trace=cuda --output "$out/profile" --force-overwrite true \
        "$bin/sharpzero" train --config configs/gpu-overnight.toml --device "$device" --run "$out/profiled" --max-time 2m \
        --set run.first_plies=50000 --set run.plies_per_generation=50000 --set evaluation.every=0 \
        --set evaluation.final_games=0
      rm -rf "$out/profiled" "$out"/profile.nsys-rep "$out"/profile.sqlite
      ;;
    train)
      fetch_as_they_come &
      fetcher=$!
      # shellcheck disable=SC2086 # a list of words
      keep --for "$((${minutes%.*} * 60 + 90))" train.txt "$bin/sharpzero" train --config configs/cpu.toml \
        --device "$device" --run "$run" --max-time "${minutes}m" $trained --set selfplay.games=4096 \
        --set run.first_plies=400000 --set run.plies_per_generation=130000 \
        --set evaluation.every=0 --set evaluation.final_games=0 ${MORE:-}
      kill "$fetcher"
      fetch
      ;;
    teach)
      keep teach.txt "$bin/sharpzero" train --config configs/nnue.toml --device "$device" --run "$run-nnue" --teacher "$run" \
        --set learner.shard_rows=128 --set evaluation.final_games=0 # as many shards as there may be threads
      newest=$(find "$run-nnue/checkpoints" -name nnue.safetensors 2>/dev/null | sort | tail -1)
      [ -z "$newest" ] || cp "$newest" "$out/"
      [ ! -e "$run-nnue/metrics.jsonl" ] || cp "$run-nnue/metrics.jsonl" "$out/teach.jsonl"
      ;;
    rates)
      # shellcheck disable=SC2086 # a list of words
      keep rates.txt scripts/sweep_rates.py "$run" --program "$bin/sharpzero" --config configs/cpu.toml --device "$device" \
        --positions 307200 --seeds 1 --rates 1e-3,2.5e-3,5e-3,1e-2 --out "$run-rates" $trained
      ;;
    *) echo "usage: $0 [--device cuda] [--minutes 8] [--limit 540] [--out gpu] [STAGE]...; stages: $all profile train teach rates" >&2; exit 2 ;;
  esac
}

trained="--set network.blocks=10 --set network.channels=128 --set learner.batch=1024"
run=${RUN:-$out-run} # the whole run, which may be large, stays where it is
{ nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv || echo "no nvidia-smi"; } >"$out/machine.txt" 2>&1
cat "$out/machine.txt"
for what in "$@"; do
  echo "== $what"
  stage "$what"
done
size=$(du -sk "$out" | cut -f1)
[ "$size" -le 16384 ] || { echo "error: $out takes $size KiB, expected at most 16384" >&2; exit 1; }
[ -z "$failed" ] || { echo "error: failed, see the .log beside:$failed" >&2; exit 1; }
