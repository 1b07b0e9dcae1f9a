#!/bin/sh
# Prepares a Debian machine to run and test Vedette: system packages, npm packages, the C++ addon. Repeats cost nothing: each part is skipped
# when its inputs have not changed since it last succeeded.
set -eu
cd "$(dirname "$0")/.."

say() { printf 'vedette: %s\n' "$*" >&2; }

# One file per package that it alone brings: looking for a file is a hundred times faster than asking dpkg.
arch=$(uname -m)
missing=''
need() { for file in $2; do [ -e "$file" ] && return 0; done; missing="$missing $1"; }
need g++ /usr/bin/g++
need make /usr/bin/make
need libapriltag-dev /usr/include/apriltag/apriltag.h
need libturbojpeg0-dev /usr/include/turbojpeg.h
need libpng-dev /usr/include/libpng16/png.h
need libopencv-core-dev /usr/include/opencv4/opencv2/core.hpp
need libopencv-imgproc-dev /usr/include/opencv4/opencv2/imgproc.hpp
need libopencv-calib3d-dev /usr/include/opencv4/opencv2/calib3d.hpp

if [ -n "$missing" ]; then
  if ! command -v apt-get >/dev/null; then
    say "these system packages are missing, and this is not a Debian machine that could install them:$missing"
    exit 1
  fi
  if [ "$(id -u)" != 0 ]; then
    say "system packages are missing; please run: sudo apt-get update && sudo apt-get install -y --no-install-recommends$missing"
    exit 1
  fi
  say "installing system packages:$missing"
  log=$(mktemp)
  if ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    say "the system packages could not be installed; the lines above say why"
    exit 1
  fi
  rm -f "$log"
fi

# The lock file and the machine's architecture decide what node_modules must hold.
wanted=$(cat package.json package-lock.json .npmrc | cksum)-$arch
if [ "$(cat node_modules/.ready 2>/dev/null || true)" != "$wanted" ]; then
  say 'installing npm packages'
  log=$(mktemp)
  if ! npm ci --no-progress >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    say 'the npm packages could not be installed; the lines above say why'
    exit 1
  fi
  rm -f "$log"
  printf '%s' "$wanted" >node_modules/.ready
fi

if ! make -q -C native/addon >/dev/null 2>&1; then
  say 'building the vision addon (about a minute)'
  log=$(mktemp)
  if ! make -j2 -C native/addon >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    say 'the vision addon could not be built; the lines above say why'
    exit 1
  fi
  rm -f "$log"
fi
