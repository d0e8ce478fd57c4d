# Sourced by the launchers: installs what is missing, configures and builds. Needs $root.
# Everything it says goes to stderr.

# PyPI's torch, where there is an NVIDIA driver or no Debian package: the newest has CUDA 13, the older one CUDA 12
# (nn/device.cpp names the same).
torch_wheel=2.11.0 older_wheel=2.10.0

say() { printf '%s\n' "$*" >&2; }
die() { say "error: $*"; exit 3; }

# What a build depends on beside the sources (programs know where their own files lie); shell
# built-ins only, for it runs at every start.
build_key() {
  nvidia=no
  if [ -e /proc/driver/nvidia ] || command -v nvidia-smi >/dev/null; then nvidia=yes; fi
  key="root=$root torch=${SHARPZERO_TORCH:-} prefix=${CMAKE_PREFIX_PATH:-} nvidia=$nvidia"
}

# up_to_date PRESET STAMP: are the programs of build/PRESET newer than every source, and built with
# the same key?
up_to_date() {
  stamp="$root/build/$1/.$2-built"
  [ -f "$stamp" ] || return 1
  IFS= read -r built_key <"$stamp" || return 1
  [ "$built_key" = "$key" ] || return 1
  sources="base rules tablebase tactics mcts engine nn selfplay book arena training studies app cmake CMakeLists.txt CMakePresets.json"
  case "$2" in sharpzero*) ;; *) sources="$sources tests" ;; esac
  # shellcheck disable=SC2086 # a list of names; in folders of studies/ lie answers of the program
  [ -z "$(cd "$root" &&
    find $sources -path 'studies/*' -type d -prune -o ! -path studies -newer "$stamp" -print -quit)" ]
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@" >&2; return; fi
  command -v sudo >/dev/null || die "not root and no sudo: please run as root: $*"
  say "this needs root: sudo $*"
  sudo "$@" >&2
}

# Installs those of the packages that are not installed yet.
install_packages() {
  command -v apt-get >/dev/null || return 0 # not Debian: CMake will name what it does not find
  missing=
  for package in "$@"; do
    case "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" in
      installed) ;;
      *) missing="$missing $package" ;;
    esac
  done
  [ -z "$missing" ] && return
  say "installing$missing"
  as_root apt-get update -qq || say "warning: apt-get update failed"
  # shellcheck disable=SC2086 # a list of names
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    $missing || die "could not install$missing"
}

# Prints the major version of NVIDIA's driver, or nothing.
driver_version() {
  if [ -r /proc/driver/nvidia/version ]; then
    sed -n 's/^NVRM version:[^0-9]*x86_64[^0-9]*\([0-9]*\)\..*/\1/p' /proc/driver/nvidia/version
  elif command -v nvidia-smi >/dev/null; then
    nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | sed -n '1s/\..*//p'
  fi
}

# Sets wheel: the newest that a driver of this major version runs (unknown: the newest), or nothing.
choose_wheel() {
  wheel=$torch_wheel
  [ "${1:-580}" -ge 580 ] || wheel=$older_wheel
  [ "${1:-580}" -lt 525 ] || return 0
  say "warning: the GPU is not used: the NVIDIA driver $1 is too old for CUDA 12; update it to 525 or newer"
  wheel=
}

# Puts torch's wheel of that version under .torch/ and sets torch_folder.
install_wheel() {
  torch_folder="$root/.torch/$1/torch"
  [ -e "$root/.torch/$1/.complete" ] && return
  install_packages python3 python3-venv
  say "installing torch $1 from PyPI into .torch/$1 (several GB, once)"
  rm -rf "$root/.torch/$1"
  python3 -m venv "$root/.torch/pip" >&2 &&
    "$root/.torch/pip/bin/pip" install -q --disable-pip-version-check --no-cache-dir \
      --target "$root/.torch/$1" "torch==$1" >&2 || die "could not install torch $1"
  : >"$root/.torch/$1/.complete"
}

# Puts axe-core, which finds what keeps people out of a page, under .cache/axe-core/, from PyPI. Without
# it the tests that drive a browser check less.
install_axe() {
  [ -e "$root/.cache/axe-core/.complete" ] && return
  install_packages python3 python3-venv
  say "installing axe-core from PyPI into .cache/axe-core"
  python3 -m venv "$root/.cache/axe-core/pip" >&2 || return 0
  printf 'axe-core-python==0.1.0 --hash=sha256:%s\n' \
    f99f6bd674726c631c5e20b876983b44dff2b8f452a0ccf08f3c23ee45d0aac3 >"$root/.cache/axe-core/wanted.txt"
  if "$root/.cache/axe-core/pip/bin/pip" install -q --disable-pip-version-check --no-deps --require-hashes \
    --upgrade --target "$root/.cache/axe-core" -r "$root/.cache/axe-core/wanted.txt" >&2; then
    : >"$root/.cache/axe-core/.complete"
  else
    say "warning: no axe-core: the pages are tested without it"
  fi
}

# Builds the Python package and installs it, with what its tests need from PyPI, under .cache/python/.
# Where a test lacks something more (torch), it is skipped.
install_python_package() {
  install_packages g++ cmake ninja-build python3 python3-dev python3-venv libzstd-dev nlohmann-json3-dev \
    libsqlitecpp-dev libsqlite3-dev libtomlplusplus-dev
  [ -x "$root/.cache/python/bin/pip" ] || python3 -m venv "$root/.cache/python" >&2 || die "no venv for Python"
  pip="$root/.cache/python/bin/pip -q --disable-pip-version-check"
  say "building the Python package into .cache/python"
  $pip install numpy pytest 'nanobind>=3.1' 'scikit-build-core>=0.10' >&2 || die "could not install pytest"
  $pip install pettingzoo >&2 || say "warning: no pettingzoo: the package is tested without it"
  $pip install --no-build-isolation --no-deps --config-settings="build-dir=$root/build/python" "$root" >&2 ||
    die "could not build the Python package"
}

# Sets torch_folder: SHARPZERO_TORCH (a folder or a version), a LibTorch already here, the CUDA wheel
# where there is an NVIDIA driver, Debian's package, else the wheel.
choose_torch() {
  torch_folder=
  case "${SHARPZERO_TORCH:-}" in
    '') ;;
    [0-9]*.[0-9]*) install_wheel "$SHARPZERO_TORCH"; return ;;
    *) torch_folder=$SHARPZERO_TORCH; return ;;
  esac
  torch_folder=$(cmake -P "$root/cmake/LibTorch.cmake") || exit 3
  wheel=
  if [ "$nvidia" = yes ] && [ "${torch_folder:-/usr}" = /usr ]; then choose_wheel "$(driver_version)"; fi
  if [ -n "$wheel" ]; then
    install_wheel "$wheel"
  elif [ -z "$torch_folder" ]; then
    if apt-cache show libtorch-dev >/dev/null 2>&1; then
      install_packages libtorch-dev
      torch_folder=/usr
    else
      install_wheel "$torch_wheel"
    fi
  fi
}

# A folder that was moved or copied with its builds: CMake refuses a cache of another place.
drop_foreign_cache() {
  cache="$root/build/$preset/CMakeCache.txt"
  [ -f "$cache" ] || return 0
  grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache" ||
    rm -rf "$cache" "$root/build/$preset/CMakeFiles"
}

# Configures and builds. What was configured for more stays so: a program that is built later configures nothing anew.
compile() {
  case "$stamp_name" in
    sharpzero) options=-DSHARPZERO_NET=OFF; [ ! -f "build/$preset/CMakeCache.txt" ] || options= ;;
    sharpzero-net) options=-DSHARPZERO_NET=ON ;;
    *) options="-DSHARPZERO_NET=ON -DSHARPZERO_TESTS=ON" ;;
  esac
  # shellcheck disable=SC2086 # a list of options
  cmake --preset "$preset" ${torch_folder:+-DSHARPZERO_TORCH="$torch_folder"} $options &&
    NINJA_STATUS='[%p, %es] ' cmake --build "build/$preset" --target "$@"
}

# Copies a build's output, and says each tenth of it that is done.
tell_tenths() {
  next=10
  while IFS= read -r line; do
    printf '%s\n' "$line"
    case "$line" in '['*'%, '*) ;; *) continue ;; esac
    done=${line%%%*}
    done=${done##*[! 0-9]}
    [ "$done" -ge "$next" ] || continue
    say "  ${line%%]*}]"
    next=$((done / 10 * 10 + 10))
  done
}

# build PRESET STAMP TARGET...: brings the targets of build/PRESET up to date. A second launcher that
# comes meanwhile waits and finds the work done.
build() {
  preset=$1 stamp_name=$2
  shift 2
  mkdir -p "$root/build/$preset"
  exec 9>"$root/build/.lock"
  flock 9
  if ! up_to_date "$preset" "$stamp_name"; then
    build_locked "$@"
  fi
  exec 9>&-
}

build_locked() {
  install_packages g++ cmake ninja-build libeigen3-dev libtbb-dev libsqlitecpp-dev libsqlite3-dev libzstd-dev \
    nlohmann-json3-dev libcli11-dev libtomlplusplus-dev libspdlog-dev libcpp-httplib-dev libpqxx-dev pkg-config \
    libjs-chart.js libjs-marked
  torch_folder=
  if [ "$stamp_name" = sharpzero ]; then
    say "building sharpzero, once: some two minutes on two cores"
  else
    install_packages libopenblas0-openmp
    choose_torch
    [ "$torch_folder" != /usr ] || install_packages libdnnl-dev libgloo-dev
    if [ "$stamp_name" = sharpzero-net ]; then
      say "this needs LibTorch ($torch_folder): building sharpzero-net, once: some two minutes on two cores"
    else
      install_packages libgtest-dev libgmock-dev libbenchmark-dev
      say "building $stamp_name ($preset, LibTorch of $torch_folder): some ten minutes on two cores"
    fi
  fi
  drop_foreign_cache
  new_stamp="$root/build/$preset/.$stamp_name-building"
  log="$root/build/$preset/build.log"
  printf '%s\n' "$key" >"$new_stamp" # as old as the start: what is edited meanwhile is newer
  if [ -t 2 ]; then
    (cd "$root" && compile "$@" >&2) || die "the build failed"
  else
    rm -f "$log.failed"
    { (cd "$root" && compile "$@" 2>&1) || : >"$log.failed"; } | tell_tenths >"$log"
    [ ! -e "$log.failed" ] || { cat "$log" >&2; die "the build failed"; }
  fi
  mv "$new_stamp" "$root/build/$preset/.$stamp_name-built"
}
