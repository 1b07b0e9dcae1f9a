#!/bin/sh
# Prepares a Debian machine to run and test Vedette: system packages, npm packages, the C++ addon. Repeats cost nothing: each part is skipped
# when what it is made from has not changed since it last succeeded. It may be killed at any moment, and started twice at once.
set -eu
cd "$(dirname "$0")/.."

say() { printf 'vedette: %s\n' "$*" >&2; }

# Runs a command in silence; when it fails, its last lines and a sentence are shown, and that is the end. $1: the sentence.
quietly() {
  sentence=$1
  shift
  said=$("$@" 2>&1) && return 0 # no file: a kill would leave it behind
  printf '%s\n' "$said" | tail -n 30 >&2
  say "$sentence; the lines above say why"
  exit 1
}

# Fake engines need no addon, and nothing that it is built from.
with_addon() { [ "${VEDETTE_ENGINE:-}" != fake ]; }

# One file per package that it alone brings: looking for a file is a hundred times faster than asking dpkg.
need() { for file in $2; do [ -e "$file" ] && return 0; done; missing="$missing $1"; }
find_missing_packages() {
  missing=''
  need util-linux /usr/bin/flock
  with_addon || return 0
  need g++ /usr/bin/g++
  need make /usr/bin/make
  need libapriltag-dev /usr/include/apriltag/apriltag.h
  need libturbojpeg0-dev /usr/include/turbojpeg.h
  need libcurl4-openssl-dev '/usr/include/curl/curl.h /usr/include/*/curl/curl.h'
  need libpng-dev /usr/include/libpng16/png.h
  need libopencv-core-dev /usr/include/opencv4/opencv2/core.hpp
  need libopencv-imgproc-dev /usr/include/opencv4/opencv2/imgproc.hpp
  need libopencv-calib3d-dev /usr/include/opencv4/opencv2/calib3d.hpp
}

install_packages() {
  if ! command -v apt-get >/dev/null; then
    say "these system packages are missing, and this is not a Debian machine that could install them:$missing"
    exit 1
  fi
  if [ "$(id -u)" != 0 ]; then
    say "system packages are missing; please run: sudo apt-get update && sudo apt-get install -y --no-install-recommends$missing"
    exit 1
  fi
  say "installing system packages:$missing"
  quietly 'the system packages could not be installed' apt-get update
  # shellcheck disable=SC2086 # several words
  DEBIAN_FRONTEND=noninteractive quietly 'the system packages could not be installed' \
    apt-get install -y --no-install-recommends $missing
}

# The lock file and the machine's architecture decide what node_modules must hold.
arch=$(uname -m)
wanted_modules() { printf '%s-%s' "$(cat package.json package-lock.json .npmrc | cksum)" "$arch"; }
modules_are_ready() { [ "$(cat node_modules/.ready 2>/dev/null)" = "$(wanted_modules)" ]; }

install_modules() {
  say 'installing npm packages'
  rm -f node_modules/.ready
  quietly 'the npm packages could not be installed' npm ci --no-progress
  wanted_modules >node_modules/.ready
}

# The content of what the addon is made of decides whether it is built. Time stamps do not: in a copied checkout they all are new. They only tell make
# what is left to do where the content is not known, after a build that was not finished.
addon=native/addon
record=$addon/build/made-of
contents() { printf '%s\n' "$arch" && cd $addon && sha256sum $(make -s inputs); }
addon_is_ready() {
  now=$(contents 2>/dev/null) && [ -e $addon/build/vedette.node ] && [ "$now" = "$(cat $record 2>/dev/null)" ]
}

build_addon() {
  say 'building the vision addon (about a minute)'
  now=$(contents)
  known=''
  if [ -e $record ] && [ "$(head -n 1 $record)" != "$arch" ]; then
    rm -rf $addon/build
  elif [ -e $record ]; then
    same=$(printf '%s\n' "$now" | grep -xF -f $record)
    changed=$(printf '%s\n' "$now" | grep -vxF -f $record || true)
    known="$(make_flags -o "$same") $(make_flags -W "$changed")"
    printf '%s\n' "$same" >$record # what changed is not known to be built until all of it is
  fi
  # shellcheck disable=SC2086 # several words
  quietly 'the vision addon could not be built' make -j2 -C $addon $known
  printf '%s\n' "$now" >$record
}

# For make: -o, as old as can be; -W, just changed. $2: lines of contents.
make_flags() { printf '%s\n' "$2" | sed -n "s/^[0-9a-f]\{64\}  /$1 /p"; }

# Whoever makes with other targets goes by time stamps: what is built right shall look so. Only a convenience: a service may run from a checkout that
# belongs to somebody else, where it cannot set them.
agree_with_make() {
  make -q -C $addon >/dev/null 2>&1 || touch -c $addon/build/*.o $addon/build/vedette.node 2>/dev/null || true
}

everything_is_ready() {
  find_missing_packages
  [ -z "$missing" ] && modules_are_ready && { ! with_addon || addon_is_ready; }
}

if ! everything_is_ready; then
  # On this file, so that nothing is left behind; whatever is started from here holds the lock too, until it has really ended.
  exec 9<native/setup.sh
  if command -v flock >/dev/null && ! flock --nonblock 9; then
    say 'another start is preparing this checkout; waiting for it'
    flock --timeout 1800 9 || { say 'the other start has not finished in half an hour; end it and try again'; exit 1; }
  fi
  find_missing_packages
  [ -z "$missing" ] || install_packages
  modules_are_ready || install_modules
  ! with_addon || addon_is_ready || build_addon
  exec 9<&-
fi
if with_addon; then agree_with_make; fi
