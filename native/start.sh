#!/bin/sh
# What `npm start` runs: prepares the machine where something is missing, and becomes the service. Questions are
# answered first and out of files: nothing is installed or built for them, and the machine's own Node may be too old to
# read the service's code.
set -eu
unset CDPATH # cd would look there, and print what it finds
cd "$(dirname "$0")/.."

before=''
for argument; do # as in supervisors/options.ts
  case $argument in
    -h | --help) exec cat docs/help.txt ;;
    -v | --version) exec sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json ;;
    --engine=*) export VEDETTE_ENGINE="${argument#*=}" ;; # the set-up has to know
    *) [ "$before" != --engine ] || export VEDETTE_ENGINE="$argument" ;;
  esac
  before=$argument
done

sh native/setup.sh
PATH="$PWD/node_modules/.bin:$PATH" # who starts this by hand has npm's Node as well
main=$(sh native/bundle.sh)
exec node --max-semi-space-size=1 "$main" "$@" # the heap: docs/decisions/0003-small-young-heap.md
