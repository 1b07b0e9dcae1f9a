#!/bin/sh
# What RAUC asks of the boot selector: get-primary, set-primary NAME, get-state NAME, set-state NAME good|bad,
# get-current. GRUB reads the same variables (grub.cfg): `left` is good, or how often the slot may still be tried.
set -eu
environment=/boot/efi/grub/grubenv

read_variable() { grub-editenv "$environment" list | sed -n "s/^$1=//p"; }
write_variables() { grub-editenv "$environment" set "$@" && sync "$environment"; }

case $1 in
  get-primary) read_variable primary ;;
  set-primary) write_variables "primary=$2" "${2}_left=2" ;;
  get-state) [ "$(read_variable "${2}_left")" = 0 ] && echo bad || echo good ;;
  set-state) if [ "$3" = good ]; then write_variables "${2}_left=good"; else write_variables "${2}_left=0"; fi ;;
  get-current) sed -n 's/.*\brauc\.slot=\([AB]\).*/\1/p' /proc/cmdline ;;
  *) exit 64 ;;
esac
