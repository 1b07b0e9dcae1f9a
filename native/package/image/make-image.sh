#!/bin/sh
# Makes a disk that boots by UEFI into Debian 12 with the service, in two slots that RAUC installs into. No loop device
# and no mount is needed. docs/how-to/make-an-image.md says how it is used.
#
# make-image.sh --deb vedette_*.deb --keyring c.pem --out disk.raw
set -eu

unset CDPATH # cd would look there, and print what it finds
here=$(cd "$(dirname "$0")" && pwd)
slot_mib=${SLOT_MIB:-2048}
data_mib=${DATA_MIB:-1024}
esp_mib=64
deb='' keyring='' out=''
while [ $# -gt 0 ]; do
  case $1 in
    --deb) deb=$(realpath "$2") ;;
    --keyring) keyring=$(realpath "$2") ;;
    --out) out=$(realpath "$2") ;;
    *) break ;;
  esac
  shift 2
done
[ -f "$deb" ] && [ -f "$keyring" ] && [ -n "$out" ] || { sed -n '5,6s/^# //p' "$0" >&2; exit 64; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
packages=systemd,systemd-sysv,dbus,udev,kmod,linux-image-amd64,initramfs-tools,iproute2,procps,network-manager
packages=$packages,polkitd,rauc,rauc-service,grub-common,e2fsprogs,dosfstools

# The root: Debian, the package, and what RAUC and GRUB have to know of the slots.
mmdebstrap --quiet --variant=minbase --include="$packages" \
  --customize-hook="cp '$deb' \"\$1/tmp/vedette.deb\"" \
  --customize-hook='chroot "$1" apt-get -qq install -y /tmp/vedette.deb >/dev/null && rm "$1/tmp/vedette.deb"' \
  --customize-hook="install -D -m 644 '$here/fstab' \"\$1/etc/fstab\"" \
  --customize-hook="install -D -m 644 '$here/system.conf' \"\$1/etc/rauc/system.conf\"" \
  --customize-hook="install -D -m 755 '$here/slots.sh' \"\$1/usr/lib/vedette/slots.sh\"" \
  --customize-hook="install -D -m 644 '$keyring' \"\$1/etc/rauc/keyring.pem\"" \
  --customize-hook='mkdir -p "$1/boot/efi" "$1/var/lib/vedette"' \
  --customize-hook='echo vedette >"$1/etc/hostname" && : >"$1/etc/machine-id"' \
  ${CUSTOMIZE:+--customize-hook="$CUSTOMIZE"} \
  bookworm "$work/root.tar"
mkdir "$work/root"
tar -xf "$work/root.tar" -C "$work/root"
rm "$work/root.tar"

# The first partition: GRUB, which chooses the slot.
cat >"$work/early.cfg" <<'CFG'
set prefix=($root)/grub
configfile ($root)/grub/grub.cfg
CFG
grub-mkimage -O x86_64-efi -o "$work/grub.efi" -c "$work/early.cfg" -p /grub \
  part_gpt fat ext2 normal configfile linux loadenv test echo regexp reboot sleep serial terminal
grub-editenv "$work/grubenv" create
grub-editenv "$work/grubenv" set primary=A A_left=good B_left=good
mkfs.vfat -C -n ESP "$work/esp" $((esp_mib * 1024)) >/dev/null
mmd -i "$work/esp" ::/EFI ::/EFI/BOOT ::/grub
mcopy -i "$work/esp" "$work/grub.efi" ::/EFI/BOOT/BOOTX64.EFI
mcopy -i "$work/esp" "$here/grub.cfg" "$work/grubenv" ::/grub/

mkfs.ext4 -q -d "$work/root" "$work/slot" "${slot_mib}M"
mkfs.ext4 -q "$work/data" "${data_mib}M"

rm -f "$out"
truncate -s $((1 + esp_mib + 2 * slot_mib + data_mib + 1))M "$out"
sgdisk --clear --new=1:1M:+${esp_mib}M --typecode=1:ef00 --change-name=1:esp \
  --new=2:0:+"${slot_mib}M" --change-name=2:A --new=3:0:+"${slot_mib}M" --change-name=3:B \
  --new=4:0:+"${data_mib}M" --change-name=4:data "$out" >/dev/null
put() { dd if="$1" of="$out" bs=1M seek="$2" conv=notrunc,sparse status=none; }
put "$work/esp" 1
put "$work/slot" $((1 + esp_mib))
put "$work/slot" $((1 + esp_mib + slot_mib))
put "$work/data" $((1 + esp_mib + 2 * slot_mib))
