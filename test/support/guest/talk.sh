#!/bin/bash
# Runs what it is told through a serial port of the emulated machine: a command in base64 on each line, answered by its
# exit code and all that it wrote.
exec 3<>/dev/virtio-ports/talk
echo ready >&3
while IFS= read -r line <&3; do
  printf '%s' "$line" | base64 -d >/run/talk.command
  code=0
  bash /run/talk.command >/run/talk.output 2>&1 </dev/null 3>&- || code=$?
  printf '%s %s\n' "$code" "$(base64 -w0 </run/talk.output)" >&3
done
