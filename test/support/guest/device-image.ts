// A device as somebody has it who put its image on a card: Debian with NetworkManager and the service of this checkout,
// installed as its package does it.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type DebianImage, debianImage } from './debian-image.ts'
import { packageOf } from './package.ts'

const PACKAGES = ['network-manager', 'iputils-arping', 'ifupdown']

/** In a namespace of its own, so that nothing stays mounted whatever becomes of it. root, layer, package, disk. */
const INSTALL = `
set -e
mkdir -p "$2/up" "$2/work" "$2/root"
mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/up,workdir=$2/work" "$2/root"
mount -t tmpfs none "$2/root/run"
mount -t tmpfs none "$2/root/mnt"
cp "$3" "$2/root/mnt/package.deb"
chroot "$2/root" dpkg --install /mnt/package.deb
umount "$2/root/run" "$2/root/mnt"
truncate -s "$(stat -c %s "$5")" "$4"
mkfs.ext4 -q -L root -d "$2/root" "$4"
`

/** Makes one, in a folder of the test. */
export const deviceImage = (folder: string): DebianImage => {
  const archive = packageOf('0.1.0', folder)
  const depends = execFileSync('dpkg-deb', ['-f', archive, 'Depends'], { encoding: 'utf8' }).trim().split(', ')
  const image = debianImage([...depends.map((each) => each.replace(/ .*/, '')).toSorted(), ...PACKAGES])
  const [layer, disk] = [join(folder, 'layer'), join(folder, 'disk')]
  mkdirSync(layer)
  execFileSync('unshare', ['-m', 'sh', '-c', INSTALL, 'sh', image.root, layer, archive, disk, image.disk], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return { ...image, disk }
}
