#!/bin/sh
# reliability.sh [kill|damage|fuzz|sanitizers|leaks|soak]...: the long forms of what the tests do in short
# (docs/reliability.md). Default: all but the soak, which takes two hours.
set -eu
root=$(dirname "$(dirname "$(readlink -f "$0")")")
cd "$root"
[ $# -gt 0 ] || set -- kill damage fuzz sanitizers leaks

for what in "$@"; do
  echo "== $what"
  case "$what" in
    kill) # 200 kills, signals, full and read-only disks, two processes, clocks, cores
      ./test rules # builds
      SHARPZERO_LONG_TESTS=1 build/release/bin/app_tests --gtest_filter='Night.*'
      ;;
    damage) # 3,000 damaged files
      ./test rules
      SHARPZERO_LONG_TESTS=1 build/release/bin/training_tests --gtest_filter='Damage.*'
      ;;
    fuzz) scripts/fuzz.sh 600 ;;
    sanitizers)
      ./test --asan
      ./test --tsan
      ;;
    leaks) # ten minutes of games and learning under AddressSanitizer, whose leak check comes at the end
      ./test --asan rules
      folder=$(mktemp -d)
      ASAN_OPTIONS=detect_leaks=1 LSAN_OPTIONS="suppressions=$root/tests/lsan.supp:print_suppressions=0" \
        build/asan/bin/sharpzero train --config configs/quick.toml --run "$folder/run" --max-time 10m \
        --set evaluation.final_games=10
      rm -r "$folder"
      ;;
    soak) scripts/soak.py ;;
    *)
      echo "usage: $0 [kill|damage|fuzz|sanitizers|leaks|soak]..." >&2
      exit 2
      ;;
  esac
done
