#!/bin/sh
# fuzz.sh [SECONDS [NAME...]]: builds the fuzz targets with Clang under AddressSanitizer and UBSan and
# runs each, or those named, for SECONDS (default 60), each on one core, as many at once as there are.
# New inputs go to build/fuzz/corpus; after a finding, which lies beside it, no more are begun.
set -eu
seconds=${1:-60}
[ $# = 0 ] || shift
[ $# -gt 0 ] || set -- fen moves search pgn rules config record store network
root=$(dirname "$(dirname "$(readlink -f "$0")")")
build=$root/build/fuzz
mkdir -p "$build"
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=clang++ \
  -DSHARPZERO_FUZZ=ON -DSHARPZERO_NET=OFF \
  -DCMAKE_CXX_FLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all" \
  >"$build/configure.log" 2>&1 || { cat "$build/configure.log" >&2; exit 1; }
ninja -C "$build" fuzz
export root build seconds
# shellcheck disable=SC2016 # the inner shell expands; 255 stops xargs
printf '%s\n' "$@" | xargs -n 1 -P "$(nproc)" sh -c '
  name=$1 said=$build/$1.log
  mkdir -p "$build/corpus/$name"
  nice "$build/bin/fuzz_$name" -max_total_time="$seconds" -max_len=65536 -timeout=10 \
    -print_final_stats=1 -verbosity=0 -artifact_prefix="$build/$name-" \
    "$build/corpus/$name" "$root/tests/fuzz/corpus/$name" >"$said" 2>&1 || found=yes
  echo "== $name, $seconds s"
  cat "$said"
  [ -z "${found:-}" ] || exit 255' -
