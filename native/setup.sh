#!/bin/sh
# Prepares a Debian machine to run and test Vedette: system packages, npm packages, the C++ addon. Repeats cost nothing:
# each part is skipped when what it is made from has not changed since it last succeeded. It may be killed at any
# moment, and started twice at once.
set -eu
unset CDPATH # cd would look there, and print what it finds
cd "$(dirname "$0")/.."

INSTALL='sudo apt-get update && sudo apt-get install -y --no-install-recommends'

say() { printf 'vedette: %s\n' "$*" >&2; }

# Runs a command in silence; when it fails, its last lines and a sentence are shown, and that is the end. $1: the
# sentence.
quietly() {
  sentence=$1
  shift
  said=$("$@" 2>&1) && return 0 # no file: a kill would leave it behind
  printf '%s\n' "$said" | tail -n 30 >&2
  say "$sentence; the lines above say why"
  exit 1
}

purpose=${1:-run} # or: test, which wants the programs of others too

# What was compiled once is not compiled again in another checkout: objects by their content.
compiler=g++
[ "$purpose" != test ] || compiler='ccache g++'

# Has on the disk what was made, before that is noted: of what is noted nobody looks whether a power cut has emptied it.
settle() { sync -f "$1" 2>/dev/null || true; }

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
  need libjpeg62-turbo-dev /usr/include/jpeglib.h
  need libcurl4-openssl-dev '/usr/include/curl/curl.h /usr/include/*/curl/curl.h'
  need libpng-dev /usr/include/libpng16/png.h
  need libzxing-dev /usr/include/ZXing/ReadBarcode.h
  need libopencv-core-dev /usr/include/opencv4/opencv2/core.hpp
  need libopencv-imgproc-dev /usr/include/opencv4/opencv2/imgproc.hpp
  need libopencv-calib3d-dev /usr/include/opencv4/opencv2/calib3d.hpp
  [ "$purpose" != test ] || need_for_tests
}

# Programs of others that play what was recorded and decode what is damaged, cameras that speak RTSP, a browser, and
# what updates a whole system.
need_for_tests() {
  plugins='/usr/lib/*/gstreamer-1.0/libgst'
  need ffmpeg /usr/bin/ffprobe
  need chromium-headless-shell /usr/lib/chromium/chromium-headless-shell
  need dbus /usr/bin/dbus-daemon
  need openssl /usr/bin/openssl
  need rauc /usr/bin/rauc
  need ccache /usr/bin/ccache
  need squashfs-tools /usr/bin/mksquashfs
  need poppler-utils /usr/bin/pdftoppm
  need libjpeg-turbo-progs /usr/bin/djpeg
  need clang-format /usr/bin/clang-format
  need python3-gi /usr/lib/python3/dist-packages/gi/__init__.py
  need python3-numpy /usr/lib/python3/dist-packages/numpy/__init__.py
  need zip /usr/bin/zip
  need unzip /usr/bin/unzip
  need gir1.2-gst-rtsp-server-1.0 '/usr/lib/*/girepository-1.0/GstRtspServer-1.0.typelib'
  need gstreamer1.0-plugins-base "${plugins}videotestsrc.so"
  need gstreamer1.0-plugins-good "${plugins}jpeg.so"
  need gstreamer1.0-plugins-bad "${plugins}x265.so"
  need gstreamer1.0-plugins-ugly "${plugins}x264.so"
}

# What only the second addon is made of, the one that records and reads videos: without it, everything else works.
find_packages_to_record() {
  missing=''
  need libavformat-dev '/usr/include/*/libavformat/avformat.h /usr/include/libavformat/avformat.h'
  need libavcodec-dev '/usr/include/*/libavcodec/avcodec.h /usr/include/libavcodec/avcodec.h'
  to_record=$missing
}

# A system that has just been started may be updating itself.
apt_install='apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300'

install_packages() {
  if ! command -v apt-get >/dev/null; then
    say "these system packages are missing, and this is not a Debian machine that could install them:$missing"
    exit 1
  fi
  if [ "$(id -u)" != 0 ]; then
    say "system packages are missing; please run: $INSTALL$missing"
    exit 1
  fi
  say "installing system packages:$missing"
  quietly 'the system packages could not be installed' apt-get update
  # shellcheck disable=SC2086 # several words
  DEBIAN_FRONTEND=noninteractive quietly 'the system packages could not be installed' $apt_install $missing
}

# Where they cannot be installed, that is said once and not tried again.
install_packages_to_record() {
  mkdir -p "$(dirname $no_recording)" && : >$no_recording
  # shellcheck disable=SC2086 # several words
  if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] && say "installing system packages:$to_record" &&
    { DEBIAN_FRONTEND=noninteractive $apt_install $to_record || { apt-get update &&
      DEBIAN_FRONTEND=noninteractive $apt_install $to_record; }; } >/dev/null 2>&1; then
    rm -f $no_recording
  else
    say "this device can neither record nor read videos, all else works; for that, please run: $INSTALL$to_record"
  fi
}

# The lock file and the machine's architecture decide what node_modules must hold.
arch=$(uname -m)
wanted_modules() { printf '%s-%s' "$(cat package.json package-lock.json .npmrc | cksum)" "$arch"; }
modules_are_ready() { [ "$(cat node_modules/.ready 2>/dev/null)" = "$(wanted_modules)" ]; }

install_modules() {
  say 'installing npm packages'
  rm -f node_modules/.ready
  quietly 'the npm packages could not be installed' npm ci --no-progress
  # 220 MB of libraries for others
  rm -rf node_modules/onnxruntime-node/bin/napi-v*/darwin node_modules/onnxruntime-node/bin/napi-v*/win32
  settle node_modules
  wanted_modules >node_modules/.ready
}

# The content of what the addon is made of decides whether it is built. Time stamps do not: in a copied checkout they
# all are new. They only tell make what is left to do where the content is not known, after a build that was not
# finished. $1: the folder of the addon. $2: what is built there.
is_built() { for file in $2; do [ -e "$1/build/$file" ] || return 1; done; }
contents() { printf "%s\n" "$arch" && cd "$1" && b2sum --length=256 $(make -s inputs); }
addon_is_ready() {
  now=$(contents "$1" 2>/dev/null) && is_built "$1" "$2" && [ "$now" = "$(cat "$1/build/made-of" 2>/dev/null)" ]
}

# $2: what people call it. $3: how long it takes.
build_addon() {
  addon=$1
  record=$addon/build/made-of
  say "building the $2 addon (about $3)"
  now=$(contents "$addon")
  known=''
  if [ -e $record ] && [ "$(head -n 1 $record)" != "$arch" ]; then
    rm -rf $addon/build
  elif [ -e $record ]; then
    same=$(printf '%s\n' "$now" | grep -xF -f $record)
    changed=$(printf '%s\n' "$now" | grep -vxF -f $record || true)
    known="$(make_flags -o "$same") $(make_flags -W "$changed")"
    forget_lost_sources
    printf '%s\n' "$same" >$record # what changed is not known to be built until all of it is
    look_built $addon
  fi
  # shellcheck disable=SC2086 # several words
  quietly "the $2 addon could not be built" make -j2 -C $addon CXX="$compiler" $known
  settle $addon/build
  printf '%s\n' "$now" >$record
}

# Of sources that were moved or taken away: what was noted at their last build asks for them where they were, and make
# would give up.
forget_lost_sources() {
  for source in $(sources_of "$(cat $record)" | grep -vxF -e "$(sources_of "$now")"); do
    rm -f "$addon/build/$(basename "$source" .cc).d"
  done
}
sources_of() { printf '%s\n' "$1" | sed -n 's/^[0-9a-f]\{64\}  \(.*\.cc\)$/\1/p'; }

# For make: -o, as old as can be; -W, just changed. $2: lines of contents.
make_flags() { printf '%s\n' "$2" | sed -n "s/^[0-9a-f]\{64\}  /$1 /p"; }

# Whoever makes with other targets, as tests do, goes by time stamps: what is built right shall look so. Only a
# convenience: a checkout may belong to somebody else, and they cannot be set there.
agree_with_make() { make -q -C "$1" >/dev/null 2>&1 || look_built "$1"; }

# What is compiled of what is made here first, objects next, what is linked of them last: in a copied checkout it is the
# other way round as often as not. Not those of tests, of which nobody has looked whether they are right.
look_built() {
  touch -c "$1"/build/*.cc 2>/dev/null || true
  find "$1"/build -name '*.o' ! -name '*_test_*' -exec touch -c {} + 2>/dev/null || true
  touch -c "$1"/build/*.node "$1"/build/cameras "$1"/build/picture-edit "$1"/build/compare \
    "$1"/build/calibrate "$1"/build/board-corners "$1"/build/capture-guide "$1"/build/colour-chart \
    "$1"/build/vedette-confine "$1"/build/vedette-lamps "$1"/build/vedette-i2c "$1"/build/codecs 2>/dev/null || true
}

vision=native/addon
libav=native/libav
notify=native/notify
no_recording=$libav/build/not-installed
vision_files='vedette.node cameras picture-edit compare calibrate board-corners capture-guide colour-chart'
vision_files="$vision_files vedette-confine vedette-lamps vedette-i2c shared_memory.node"
vision_is_ready() { ! with_addon || addon_is_ready $vision "$vision_files"; }
notify_is_ready() { ! with_addon || addon_is_ready $notify notify.node; }
recording_is_ready() {
  with_addon || return 0
  find_packages_to_record
  if [ -z "$to_record" ]; then addon_is_ready $libav 'vedette_libav.node codecs'; else [ -e $no_recording ]; fi
}

# The one that npm brings, where it does.
node_of_npm() { if [ -x node_modules/.bin/node ]; then echo node_modules/.bin/node; else echo node; fi; }

# The page for people. What it was made of is noted, and what was made: a device may lose its power before all of that
# is on the disk. Types of the interface are looked at by tests alone.
page=ui/build
page_contents() {
  find ui \( -path $page.new -o -name schema.d.ts -o -path $page/made-of \) -prune -o -type f -print0 |
    LC_ALL=C sort -z | xargs -0 b2sum package-lock.json
}
page_is_ready() { [ -e $page/made-of ] && [ "$(page_contents | b2sum -)" = "$(cat $page/made-of)" ]; }
build_page() {
  say 'building the page'
  quietly 'the page could not be built' "$(node_of_npm)" ui/build.ts
  page_contents | b2sum - >$page/made-of
}

everything_is_ready() {
  find_missing_packages
  [ -z "$missing" ] && modules_are_ready && vision_is_ready && notify_is_ready && recording_is_ready && page_is_ready
}

# The service is run by the Node that npm brings as an optional package. Where it has not brought one, the machine's own
# has to be new enough.
check_node() {
  [ ! -x node_modules/.bin/node ] || return 0
  found=$(node --version 2>/dev/null) || found=none
  major=${found#v}
  [ "${major%%.*}" -ge "$least_node" ] 2>/dev/null && return 0
  say "this takes Node $least_node or newer, and there is $found. npm brings a good one where it may install" \
    'optional packages (npm ci without --omit=optional) and the machine is x64 or arm64;' \
    "elsewhere please install Node $least_node"
  exit 1
}
least_node=$(sed -n 's/^    "node": ">=\([0-9]*\)"$/\1/p' package.json)

if ! everything_is_ready; then
  # On this file, so that nothing is left behind; whatever is started from here holds the lock too, until it has really
  # ended.
  exec 9<native/setup.sh
  if command -v flock >/dev/null && ! flock --nonblock 9; then
    say 'another start is preparing this checkout; waiting for it'
    flock --timeout 1800 9 || { say 'the other start has not finished in half an hour; end it and try again'; exit 1; }
  fi
  find_missing_packages
  [ -z "$missing" ] || install_packages
  modules_are_ready || install_modules
  check_node
  vision_is_ready || build_addon $vision vision 'a minute'
  notify_is_ready || (build_addon $notify notifying 'a second') ||
    say 'systemd cannot be told how this service is, all else works'
  recording_is_ready || [ -z "$to_record" ] || install_packages_to_record
  recording_is_ready || (build_addon $libav recording 'ten seconds') ||
    say 'this device can neither record nor read videos, all else works'
  page_is_ready || (build_page) || say 'the service starts without its page; its interface works'
  exec 9<&-
fi
check_node
# Of the types that the page is checked with, which are made of the interface as it is now.
[ "$purpose" != test ] || quietly 'the types of the interface could not be made' "$(node_of_npm)" ui/generate-types.ts
if [ "$purpose" = test ] && with_addon; then
  agree_with_make $vision
  agree_with_make $notify
  [ -n "${to_record:-}" ] || agree_with_make $libav
fi
