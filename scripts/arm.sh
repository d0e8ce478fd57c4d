#!/bin/sh
# arm.sh: whether the NNUE's kernels compute on ARM what they compute here, bit for bit: builds them for arm64 and runs
# them in an emulator (Debian's g++-aarch64-linux-gnu and qemu-user-static, installed where they are missing).
set -eu
root=$(dirname "$(dirname "$(readlink -f "$0")")")
. "$root/scripts/build.sh"
install_packages g++ g++-aarch64-linux-gnu qemu-user-static
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$root"
# build COMPILER OUTPUT OPTION...: with the options of CMakeLists.txt
build() {
  compiler=$1 output=$2
  shift 2
  "$compiler" -std=c++20 -O3 -ffp-contract=off -I. -DSHARPZERO_LEVEL=baseline "$@" -static \
    tactics/nnue_kernels.cpp tests/tactics/kernel_results.cpp -o "$folder/$output"
}
build g++ here -march=x86-64-v2
build aarch64-linux-gnu-g++ arm
"$folder/here" >"$folder/here.txt"
qemu-aarch64-static "$folder/arm" >"$folder/arm.txt"
if cmp "$folder/here.txt" "$folder/arm.txt"; then
  echo "alike: $(wc -l <"$folder/arm.txt") results"
else
  diff "$folder/here.txt" "$folder/arm.txt" | head -4
  exit 1
fi
