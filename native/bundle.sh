#!/bin/sh
# Prints the entry that `npm start` runs: that of the bundle, a few large files made of the sources of the service and of the packages that it uses, which
# start in half the time and take 25 MB less (docs/decisions/0063-a-bundle-for-the-service.md). It is made here whenever its content is not the right
# one; where it cannot be made, the service runs from its sources all the same.
set -eu
cd "$(dirname "$0")/.."

bundle=.bundle
record=$bundle/made-of

# Of what it is made of, and of what was made: a device may lose its power before all of that is on the disk.
contents() {
  # shellcheck disable=SC2046 # several files
  sha256sum package-lock.json tsconfig.json native/bundle.sh $(
    find actors api machines native supervisors $bundle -name '*.ts' -o -name '*.mjs' | LC_ALL=C sort
  )
}
is_ready() { [ -e $record ] && [ "$(contents)" = "$(cat $record)" ]; }

# Not part of it: what fastify never loads as it is used here (schema compilers, injected requests), what is loaded when TLS is switched on, and what
# looks for a binary beside itself. The service's own files that look for others by their place lie two folders deep here as there.
make_bundle() {
  rm -rf $bundle &&
    node node_modules/esbuild/bin/esbuild main=supervisors/main.ts engine/main=native/engine/main.ts --log-level=warning \
      --bundle --splitting --platform=node --format=esm --sourcemap --sources-content=false \
      --outdir=$bundle --out-extension:.js=.mjs --chunk-names='service/[name]-[hash]' \
      --banner:js="import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);" \
      --external:@fastify/ajv-compiler --external:@fastify/fast-json-stringify-compiler --external:light-my-request \
      --external:selfsigned --external:msgpackr-extract &&
    rm -rf node_modules/.cache/service && # what Node keeps of the files before
    contents >$record.new && mv $record.new $record
}

if ! is_ready; then
  exec 9<native/bundle.sh # of two starts at once one makes it, and the other waits for that
  flock 9
  if ! is_ready && ! said=$(make_bundle 2>&1); then
    printf '%s\n' "$said" | head -n 12 >&2
    echo 'vedette: the service could not be bundled; the lines above say why. It runs from its sources, which takes longer to start.' >&2
    exec echo supervisors/main.ts
  fi
fi
echo $bundle/main.mjs
