#!/bin/sh
# release.sh [--check] [x86_64] [aarch64]: makes build/sharpzero-VERSION-linux-ARCHITECTURE.tar.gz for these (else both)
# and plays by what it made; on Debian for x86-64. The program in it is `sharpzero`, which needs no LibTorch, with every
# library linked in, glibc too, so that it runs on any Linux. It is a .gz, since a bare Debian cannot unpack .xz.
# Exit code 69: the sources of a library cannot be downloaded.
# --check, as root: unpacks x86_64's too in an older and a newer Debian with nothing else installed, and plays, serves
# and counts there with three levels of processors.
set -eu
root=$(dirname "$(dirname "$(readlink -f "$0")")")
. "$root/scripts/build.sh"
stock="$root/.cache/release"
version=$(sed -n 's/^project(sharpzero VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
libraries='libeigen3-dev libtbb-dev libsqlitecpp-dev libsqlite3-dev libzstd-dev nlohmann-json3-dev libcli11-dev
  libtomlplusplus-dev libspdlog-dev libfmt-dev libcpp-httplib-dev'

# private_apt ARCHITECTURE WORD...: apt-get for sources, or for another architecture, from where this machine has its
# packages, but with a state of its own.
private_apt() {
  apt="$stock/apt-$1"
  if [ ! -d "$apt" ]; then
    mkdir -p "$apt.new/lists/partial" "$apt.new/archives/partial" "$apt.new/parts"
    : >"$apt.new/status"
    for list in $(grep -lsE 'debian|ubuntu' /etc/apt/sources.list /etc/apt/sources.list.d/*); do
      sed 's/^Types:.*/Types: deb deb-src/;s/^deb \(.*\)/&\ndeb-src \1/' "$list" >"$apt.new/parts/${list##*/}"
    done
    mv "$apt.new" "$apt"
    private_apt "$1" update
  fi
  architecture=$1
  shift
  apt-get -qq -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" -o Dir::State="$apt" \
    -o Dir::State::status="$apt/status" -o Dir::Cache="$apt" -o Dir::Etc::sourcelist=/dev/null \
    -o Dir::Etc::sourceparts="$apt/parts" "$@" >&2
}

# Puts what cmake/StaticProgram.cmake compiles under .cache/release/sources.
get_sources() {
  [ ! -e "$stock/sources" ] || return 0
  install_packages dpkg-dev
  rm -rf "$stock/sources.new"
  for source in spdlog fmtlib cpp-httplib; do
    mkdir -p "$stock/sources.new/$source"
    (cd "$stock/sources.new/$source" && private_apt amd64 source "$source" && mv "$source"-*/* .) ||
      { say "cannot download the sources of $source"; exit 69; }
  done
  mv "$stock/sources.new" "$stock/sources"
}

# Puts the libraries for arm64 under .cache/release/arm64. The C library comes with the compiler.
get_arm_libraries() {
  [ ! -e "$stock/arm64" ] || return 0
  install_packages g++-aarch64-linux-gnu qemu-user-static
  # shellcheck disable=SC2086 # a list of names
  private_apt arm64 install -y --download-only --no-install-recommends $libraries || die "no libraries for arm64"
  for package in "$stock"/apt-arm64/archives/*.deb; do
    case "$package" in */libc6*_* | */linux-libc-dev_* | */libcrypt*_*) continue ;; esac
    dpkg -x "$package" "$stock/arm64.new"
  done
  cp -r "$stock/arm64.new/usr/include/aarch64-linux-gnu/." "$stock/arm64.new/usr/include" # where CMake says they are
  mv "$stock/arm64.new" "$stock/arm64"
}

# The program for x86-64 is linked from the object files of the usual build.
build_x86_64() {
  unset PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
  build_key
  up_to_date release sharpzero || build release sharpzero sharpzero
  folder="$root/build/release"
  cmake "$folder" -DSHARPZERO_LIBRARY_SOURCES="$stock/sources" >&2
}

build_aarch64() {
  build_key
  get_arm_libraries
  folder="$root/build/aarch64"
  lib="$stock/arm64/usr/lib/aarch64-linux-gnu"
  export PKG_CONFIG_LIBDIR="$lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$stock/arm64"
  cmake -S "$root" -B "$folder" -G Ninja -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
    -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -DCMAKE_FIND_ROOT_PATH="$stock/arm64" \
    -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=ONLY \
    -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_PROGRAM=NEVER \
    -DCHART_LIBRARY=/usr/share/javascript/chart.js/chart.min.js -DSHARPZERO_NET=OFF \
    -DMARKED_LIBRARY=/usr/share/javascript/marked/marked.min.js \
    -DSHARPZERO_LIBRARY_SOURCES="$stock/sources" >&2
}

# pack STRIP: what lies in bin/ finds share/ (base/program_files.h).
pack() {
  rm -rf "$stock/packed"
  to="$stock/packed/$name"
  mkdir -p "$to/bin" "$to/share/sharpzero/networks/nnue" "$to/licences"
  "$1" -o "$to/bin/sharpzero" "$folder/bin/sharpzero-static"
  ln -s bin/sharpzero "$to/sharpzero"
  cp -r "$root/configs" "$to/share/sharpzero"
  cp -r "$root"/networks/*.* "$root/networks/rule_sets" "$root/networks/book" "$to/share/sharpzero/networks"
  cp "$root/networks/nnue/chess_sharp.safetensors" "$to/share/sharpzero/networks/nnue"
  cp "$root/LICENSE" "$to/licences/sharpzero"
  for package in $libraries libjs-chart.js libjs-marked libc6-dev libstdc++-12-dev; do
    cp "/usr/share/doc/$package/copyright" "$to/licences/${package%-dev}" || die "no licence of $package"
  done
  for text in Apache-2.0 GPL-3 LGPL-2.1 MPL-2.0; do cp "/usr/share/common-licenses/$text" "$to/licences"; done
  cp "$root/docs/release.txt" "$to/README.txt"
  tar -C "$stock/packed" --owner=0 --group=0 --sort=name -c "$name" | gzip -9 >"$root/build/$name.tar.gz"
}

# try FOLDER PREFIX...: unpacks the archive in FOLDER, runs its program behind PREFIX, and prints the number of moves
# at depth 4 and the checksum of four games, which are the same on every processor.
try() {
  tar -C "$1" -xf "$root/build/$name.tar.gz"
  (
    cd "$1"
    shift
    sharpzero="./$name/sharpzero" nnue="$name/share/sharpzero/networks/nnue/chess_sharp.safetensors"
    "$@" "$sharpzero" perft --depth 4
    { echo 'go nodes 20000' && sleep 3; } | "$@" "$sharpzero" uci --threads 1 | grep -q '^bestmove [A-Za-z]'
    "$@" "$sharpzero" match --a "$nnue:nodes=1000" --b alphabeta:3 --games 4 --seed 1 --pgn games.pgn >&2
    grep '^[0-9]' games.pgn | sha256sum
  )
}

# serve FOLDER: fetches the page of the program there.
serve() {
  chroot "$1" "/$name/sharpzero" serve --port 0 >"$1/served" &
  server=$!
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    sleep 1
    url=$(grep -o 'http://[^ ]*' "$1/served") && break
  done
  curl -fsS "$url" | grep '<title>'
  kill "$server"
  wait "$server" || true
}

check() {
  install_packages debootstrap curl
  name=sharpzero-$version-linux-x86_64
  for suite in bullseye trixie; do
    there="$stock/$suite"
    if [ ! -e "$there" ]; then
      debootstrap --variant=minbase "$suite" "$there.new" >&2
      mv "$there.new" "$there"
    fi
    mount -t proc proc "$there/proc"
    trap 'umount "$there/proc"' EXIT
    for level in x86-64-v2 avx2 avx512_vnni; do
      [ "$(SHARPZERO_CPU=$level try "$there" chroot .)" = "$expected" ] || die "$suite: other games with $level"
    done
    serve "$there"
    trap - EXIT
    umount "$there/proc"
    say "$suite: the same games with three levels of processors, and a page"
  done
}

asked=no
[ "${1:-}" != --check ] || { asked=yes; shift; }
[ $# -gt 0 ] || set -- x86_64 aarch64
mkdir -p "$stock"
get_sources
expected=
for architecture in "$@"; do
  case "$architecture" in
    x86_64) strip=strip run=env ;;
    aarch64) strip=aarch64-linux-gnu-strip run=qemu-aarch64-static ;;
    *) say "usage: scripts/release.sh [--check] [x86_64] [aarch64]"; exit 2 ;;
  esac
  name=sharpzero-$version-linux-$architecture
  "build_$architecture"
  cmake --build "$folder" --target sharpzero-static >&2
  pack "$strip"
  mkdir "$stock/packed/tried"
  found=$(try "$stock/packed/tried" "$run")
  [ "${expected:-$found}" = "$found" ] || die "$architecture plays other games: $found, not $expected"
  expected=$found
  ls -l "$root/build/$name.tar.gz"
  echo "$found"
done
[ "$asked" = no ] || check
