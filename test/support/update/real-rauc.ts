// RAUC itself, on a bus of the test, with plain files as slots and a boot loader made of small files: in namespaces of
// its own, since it mounts what it installs.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { busConfiguration } from '../dbus/bus.ts'
import type { Lifetime } from '../lifetime.ts'
import { folderOf } from '../processes/folder.ts'
import { arrival } from '../until.ts'

const UNSHARE = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'] as const
const SLOT_BYTES = 4 * 1024 * 1024

const works = (program: string, ...words: readonly string[]): boolean => spawnSync(program, words).status === 0

const reasonToSkip = (): string | false => {
  if (process.getuid?.() !== 0) return 'RAUC mounts what it installs, and this is not root'
  if (!['rauc', 'mksquashfs', 'openssl'].every((program) => works('which', program)))
    return 'there is no RAUC here (packages rauc, squashfs-tools, openssl)'
  if (!works('dbus-daemon', '--version')) return 'there is no dbus-daemon here (package dbus)'
  if (!works('losetup', '--find')) return 'there are no loop devices here, on which RAUC mounts a bundle'
  return works('unshare', ...UNSHARE, 'true') ? false : 'no namespaces can be made here (unshare)'
}

/** Why such a test is skipped; false: it can be done. */
export const noRauc: string | false = reasonToSkip()

/** What RAUC asks of a boot loader, kept in small files. It is update.md's, and so is the selector below. */
const BOOT_LOADER = oneLine`
  put() { echo "$2" >"$D/$1.new" && mv "$D/$1.new" "$D/$1"; };
  case $1 in
  get-primary) cat "$D/primary";;
  set-primary) put "tries.$2" 2; put primary "$2";;
  get-state) [ "$(cat "$D/tries.$2")" -gt 0 ] && echo good || echo bad;;
  set-state) [ "$3" = good ] && put "tries.$2" 99 || put "tries.$2" 0;;
  esac
`

const CONFIGURATION = (folder: string) => `[system]
compatible=vedette-test
bootloader=custom
bundle-formats=plain
mountprefix=${folder}/mount
statusfile=${folder}/rauc.status
[handlers]
bootloader-custom-backend=${folder}/boot-loader
[keyring]
path=${folder}/known.pem
[slot.rootfs.0]
device=${folder}/A.img
type=raw
bootname=A
[slot.rootfs.1]
device=${folder}/B.img
type=raw
bootname=B
`

const run = (program: string, ...words: readonly string[]): void => {
  const { status, stderr } = spawnSync(program, words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stderr}`)
}

/** A device with RAUC, which can be switched on and off. */
export class RealRauc {
  readonly folder: string
  readonly address: string
  boots = 0
  booted: 'A' | 'B' = 'A'
  #off = async () => {}

  constructor(t: Lifetime) {
    this.folder = folderOf(t)
    this.address = `unix:path=${this.folder}/bus`
    mkdirSync(join(this.folder, 'mount'))
    this.#write('boot-loader', `#!/bin/sh\nD=${this.folder}\n${BOOT_LOADER}\n`)
    chmodSync(join(this.folder, 'boot-loader'), 0o755)
    this.#write('system.conf', CONFIGURATION(this.folder))
    this.#write('bus.conf', busConfiguration(join(this.folder, 'bus')))
    this.#write('primary', 'A')
    for (const slot of ['A', 'B']) {
      this.#write(`tries.${slot}`, '99')
      this.#write(`${slot}.img`, '')
      truncateSync(join(this.folder, `${slot}.img`), SLOT_BYTES)
    }
    for (const key of ['known', 'foreign']) this.#makeKey(key)
    t.after(() => this.switchOff())
  }

  /** Starts the slot that the selector takes: it counts down before, and goes on with the other one at 0. */
  async boot(): Promise<void> {
    await this.switchOff()
    const preferred = this.read('primary') as 'A' | 'B'
    const other = preferred === 'A' ? 'B' : 'A'
    this.booted = this.tries(preferred) > 0 ? preferred : other
    const tries = this.tries(this.booted)
    if (tries > 0 && tries < 99) this.#write(`tries.${this.booted}`, String(tries - 1))
    this.boots += 1
    rmSync(join(this.folder, 'bus'), { force: true })
    const script = oneLine`
      cd "$1"; dbus-daemon --config-file=bus.conf --nofork --nopidfile --print-address & read -r ready <told;
      export DBUS_SYSTEM_BUS_ADDRESS="$2"; exec rauc --conf=system.conf service --override-boot-slot="$3"
    `
    rmSync(join(this.folder, 'told'), { force: true })
    run('mkfifo', join(this.folder, 'told'))
    const words = [...UNSHARE, 'sh', '-c', script, 'sh', this.folder, this.address, this.booted]
    const device = spawn('unshare', words, { stdio: ['ignore', 'pipe', 'ignore'] })
    const ended = once(device, 'exit')
    this.#off = async () => {
      device.kill('SIGKILL')
      await ended
    }
    await arrival('the address of the bus', once(device.stdout, 'data'))
    writeFileSync(join(this.folder, 'told'), '\n')
  }

  async switchOff(): Promise<void> {
    await this.#off()
    this.#off = async () => {}
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8').trim()
  }

  tries(slot: 'A' | 'B'): number {
    return Number(this.read(`tries.${slot}`))
  }

  /** What lies in a slot, as long as an image is. */
  content(slot: 'A' | 'B', bytes: number): Buffer {
    return readFileSync(join(this.folder, `${slot}.img`)).subarray(0, bytes)
  }

  /** RAUC's bundle of an image, signed with one of the two keys. */
  bundle(image: Buffer, version: string, key: 'known' | 'foreign' = 'known', compatible = 'vedette-test'): Buffer {
    const content = join(this.folder, `content of ${version}`)
    const path = join(this.folder, `${version}.raucb`)
    for (const old of [content, path]) if (existsSync(old)) rmSync(old, { recursive: true })
    mkdirSync(content)
    writeFileSync(join(content, 'root.img'), image)
    writeFileSync(
      join(content, 'manifest.raucm'),
      `[update]
compatible=${compatible}
version=${version}
[bundle]
format=plain
[image.rootfs]
filename=root.img
`,
    )
    const [cert, secret] = [join(this.folder, `${key}.pem`), join(this.folder, `${key}.key`)]
    run('rauc', 'bundle', `--cert=${cert}`, `--key=${secret}`, content, path)
    return readFileSync(path)
  }

  #makeKey(name: string): void {
    const [key, cert] = [join(this.folder, `${name}.key`), join(this.folder, `${name}.pem`)]
    const subject = `/CN=vedette test ${name}`
    const how = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '3650']
    run('openssl', 'req', '-x509', ...how, '-keyout', key, '-out', cert, '-subj', subject)
  }

  #write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text)
  }
}
