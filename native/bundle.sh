#!/bin/sh
# Prints the entry that `npm start` runs: that of the bundle, a dozen files made of the sources of the service and of
# the packages that it uses, which start in half the time and take 24 MB less
# (docs/decisions/0063-a-bundle-for-the-service.md). It is made here whenever its content is not the right one; where it
# cannot be made, the service runs from its sources all the same.
set -eu
unset CDPATH # cd would look there, and print what it finds
cd "$(dirname "$0")/.."

bundle=.bundle
REQUIRE="import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);"
record=$bundle/made-of
# put in its place when it is whole: a service that runs from the one before still starts engines from it
new=.bundle.new

# Sums by BLAKE2, which takes half the time of SHA-256: they are made at every start. Files of the service only, and no
# links that lead nowhere: editors leave such things among the sources.
sources() {
  find actors api machines native supervisors -name '*.ts' \( -type f -o -type l -xtype f \) -print0 |
    LC_ALL=C sort -z | xargs -0 b2sum package-lock.json tsconfig.json native/bundle.sh
}
# Of what was made as well: a device may lose its power before all of that is on the disk.
made_in() { (cd "$1" && find . -name '*.mjs' -print0 | LC_ALL=C sort -z | xargs -0 b2sum); }
sum_of_all() { b2sum -; } # one line: the shell takes longer to compare two lists than it takes to make them
is_ready() { [ -e $record ] && [ "$({ sources && made_in $bundle; } | sum_of_all)" = "$(cat $record)" ]; }

# Not part of it: what fastify never loads as it is used here (schema compilers), what is loaded when TLS is switched
# on, and what looks for a binary beside itself. The service's own files that look for others by their
# place lie two folders deep here as there, or ask native/files/project-root.ts. The sources are noted as they were
# before: what is changed meanwhile is missing in it, and the next start makes another.
make_bundle() {
  of=$(sources) &&
    rm -rf $new &&
    node node_modules/esbuild/bin/esbuild main=supervisors/main.ts engine/main=native/engine/process/main.ts \
      engine/host-worker=native/engine/process/host/worker.ts models/check=native/models/check.ts \
      documents/sqlite-worker=native/documents/sqlite-worker.ts \
      rig/worker=native/rig/worker.ts console/main=native/console/main.ts \
      plugins/package=native/plugins/packages/child.ts --log-level=warning \
      --bundle --splitting --platform=node --format=esm --sourcemap --sources-content=false \
      --outdir=$new --out-extension:.js=.mjs --chunk-names='service/[name]-[hash]' \
      --banner:js="$REQUIRE" \
      --external:@fastify/ajv-compiler --external:@fastify/fast-json-stringify-compiler \
      --external:selfsigned --external:msgpackr-extract --external:onnxruntime-node &&
    made=$(made_in $new) && printf '%s\n%s\n' "$of" "$made" | sum_of_all >$new/made-of &&
    rm -rf $bundle && mv $new $bundle && forget_compiled && return
  rm -rf $new # on a full disk it is in the way
  return 1
}

# What Node keeps of the files before only takes room: where it stays, that costs nobody the bundle. It is moved away
# first, since a service that still runs may be writing there.
forget_compiled() {
  kept=node_modules/.cache/service
  [ ! -d $kept ] || { mv $kept $kept.$$ && rm -rf $kept.*; } || :
}

do_without() {
  printf '%s\n' "$1" | head -n 12 >&2
  echo 'vedette: the service could not be bundled; the lines above say why. It runs from its sources, which takes' \
    'longer to start.' >&2
  exec echo supervisors/main.ts
}

if ! is_ready; then
  exec 9<native/bundle.sh # of two starts at once one makes it, and the other waits for that
  flock --timeout 60 9 || do_without 'another start has not finished the bundle in a minute'
  is_ready || said=$(make_bundle 2>&1) || do_without "$said"
fi
echo $bundle/main.mjs
