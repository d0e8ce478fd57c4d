#!/bin/sh
# fuzz.sh [SECONDS [NAME...]]: builds the fuzz targets with Clang under AddressSanitizer and UBSan and
# runs each, or those named, for SECONDS (default 60), one after the other on one core. New inputs go
# to build/fuzz/corpus; a finding stops the script and lies beside it.
set -eu
seconds=${1:-60}
[ $# = 0 ] || shift
[ $# -gt 0 ] || set -- fen moves search pgn config record store network
root=$(dirname "$(dirname "$(readlink -f "$0")")")
build=$root/build/fuzz
mkdir -p "$build"
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=clang++ \
  -DSHARPZERO_FUZZ=ON -DSHARPZERO_NET=OFF \
  -DCMAKE_CXX_FLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all" \
  >"$build/configure.log" 2>&1 || { cat "$build/configure.log" >&2; exit 1; }
ninja -C "$build" fuzz
for name in "$@"; do
  found=$build/corpus/$name
  mkdir -p "$found"
  echo "== $name, $seconds s"
  nice "$build/bin/fuzz_$name" -max_total_time="$seconds" -max_len=65536 -timeout=10 \
    -print_final_stats=1 -verbosity=0 -artifact_prefix="$build/$name-" \
    "$found" "$root/tests/fuzz/corpus/$name"
done
