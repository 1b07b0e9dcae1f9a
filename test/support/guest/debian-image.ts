// A bare Debian 12 for an emulated machine: what `mmdebstrap` installs, a kernel, systemd, and a way to talk to it. It
// is made once and kept under the sum of what it is made of; each machine gets a layer of its own over it.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { cachedFolder } from '../../../native/package/cache.ts'

/** What a bare system has; nothing that Vedette would need. */
const PACKAGES = [
  'systemd',
  'systemd-sysv',
  'dbus',
  'udev',
  'kmod',
  'linux-image-amd64',
  'iproute2',
  'procps',
  'polkitd',
]
const MODULES = ['virtio_pci', 'virtio_blk', 'virtio_console', 'ext4']
const ROOT_BYTES = 4 * 1024 ** 3

/** What costs time in an emulator and says nothing. */
const MASKED = [
  ...['apt-daily.timer', 'apt-daily-upgrade.timer', 'dpkg-db-backup.timer', 'fstrim.timer', 'e2scrub_all.timer'],
  ...['e2scrub_reap.service', 'getty@tty1.service', 'serial-getty@ttyS0.service', 'systemd-timesyncd.service'],
]

/** A system that can be started. */
export interface DebianImage {
  /** Its root, a raw disk that is never written. */
  readonly disk: string
  readonly kernel: string
  readonly initrd: string
  /** The root as a folder. */
  readonly root: string
}

/** The programs that an emulated machine takes, with the packages that bring them. */
const TOOLS: Readonly<Record<string, string>> = {
  'qemu-system-x86_64': 'qemu-system-x86',
  'qemu-img': 'qemu-utils',
  mmdebstrap: 'mmdebstrap',
  'mkfs.ext4': 'e2fsprogs',
  mksquashfs: 'squashfs-tools',
  cpio: 'cpio',
  busybox: 'busybox-static',
}

/** Why there can be no emulated machine here, as a sentence; undefined: there can. */
export const noGuest = (): string | undefined => {
  if (process.arch !== 'x64') return `the emulated machine is an x64 one, and this machine is ${process.arch}`
  if (process.getuid?.() !== 0) return 'a root file system is made as root'
  const missing = Object.entries(TOOLS).filter(
    ([tool]) => !['/usr/bin', '/usr/sbin', '/bin', '/sbin'].some((folder) => existsSync(join(folder, tool))),
  )
  return missing.length === 0
    ? undefined
    : `apt-get install ${['seabios', ...missing.map(([, name]) => name)].join(' ')} is needed`
}

const DPKG_OPTIONS = [
  'force-unsafe-io',
  ...['doc', 'man', 'locale'].map((name) => `path-exclude=/usr/share/${name}/*`),
  '',
].join('\n')

const OWN_FILES = ['talk.sh', 'talk.service', 'boot.sh']

/** Makes it where it is not there yet. more: packages besides those of a bare system. */
export const debianImage = (more: readonly string[] = []): DebianImage => {
  const texts = OWN_FILES.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
  const folder = cachedFolder('debian', [PACKAGES, MODULES, MASKED, DPKG_OPTIONS, more, texts], (into) => {
    mkdirSync(join(into, 'root'))
    makeRoot(into, more)
    makeInitrd(into)
    execFileSync('truncate', ['-s', String(ROOT_BYTES), join(into, 'disk')])
    execFileSync('mkfs.ext4', ['-q', '-L', 'root', '-d', join(into, 'root'), join(into, 'disk')])
  })
  const [kernel = ''] = globSync('root/boot/vmlinuz-*', { cwd: folder })
  return {
    disk: join(folder, 'disk'),
    kernel: join(folder, kernel),
    initrd: join(folder, 'initrd'),
    root: join(folder, 'root'),
  }
}

const makeRoot = (folder: string, more: readonly string[]): void => {
  const root = join(folder, 'root')
  const archive = join(folder, 'root.tar')
  execFileSync(
    'mmdebstrap',
    ['--quiet', '--variant=minbase', `--include=${[...PACKAGES, ...more].join(',')}`, 'bookworm', archive],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const unwanted = [
    'usr/share/doc/*',
    'usr/share/man/*',
    'usr/share/locale/*',
    'var/lib/apt/lists/*',
    'boot/initrd.img*',
  ]
  execFileSync('tar', ['-xf', archive, '-C', root, ...unwanted.map((pattern) => `--exclude=./${pattern}`)])
  rmSync(archive)
  for (const drivers of ['gpu', 'net/wireless', 'infiniband'])
    for (const path of globSync(`lib/modules/*/kernel/drivers/${drivers}`, { cwd: root }))
      rmSync(join(root, path), { recursive: true })
  rmSync(join(root, 'usr/sbin/policy-rc.d'), { force: true })
  writeFileSync(join(root, 'etc/hostname'), 'guest\n')
  writeFileSync(join(root, 'etc/apt/sources.list'), '')
  // what is installed is on the disk when it is synced, and not after each file
  writeFileSync(join(root, 'etc/dpkg/dpkg.cfg.d/test'), DPKG_OPTIONS)
  copyFileSync(join(import.meta.dirname, 'talk.sh'), join(root, 'usr/local/lib/talk.sh'))
  copyFileSync(join(import.meta.dirname, 'talk.service'), join(root, 'etc/systemd/system/talk.service'))
  for (const unit of MASKED) execFileSync('ln', ['-sf', '/dev/null', join(root, 'etc/systemd/system', unit)])
  mkdirSync(join(root, 'etc/systemd/system/multi-user.target.wants'), { recursive: true })
  execFileSync('ln', ['-sf', '../talk.service', join(root, 'etc/systemd/system/multi-user.target.wants/talk.service')])
}

/** Debian's own is large and slow to unpack in an emulator. */
const makeInitrd = (folder: string): void => {
  const place = join(folder, 'boot')
  for (const name of ['bin', 'modules']) mkdirSync(join(place, name), { recursive: true })
  const [kernel = ''] = globSync('root/boot/vmlinuz-*', { cwd: folder })
  const version = basename(kernel).replace('vmlinuz-', '')
  const order = new Set<string>()
  for (const module of MODULES) {
    const said = execFileSync('chroot', [join(folder, 'root'), 'modprobe', '-S', version, '--show-depends', module])
    for (const [, path = ''] of said.toString().matchAll(/^insmod (\S+)/gm)) order.add(path)
  }
  for (const path of order) copyFileSync(join(folder, 'root', path), join(place, 'modules', basename(path)))
  writeFileSync(join(place, 'modules/order'), [...order].map((path) => `${basename(path)}\n`).join(''))
  copyFileSync('/bin/busybox', join(place, 'bin/busybox'))
  copyFileSync(join(import.meta.dirname, 'boot.sh'), join(place, 'init'))
  execFileSync('sh', ['-c', 'chmod 755 init bin/busybox; find . | cpio --quiet -o -H newc | gzip -1 >../initrd'], {
    cwd: place,
  })
}
