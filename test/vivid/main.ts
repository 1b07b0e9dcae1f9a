// `npm run test:vivid`: our capture code against a real driver of the kernel. No machine for tests has a camera, so a
// guest in an emulator loads Debian's kernel with `vivid`, the kernel's own test camera, and runs test/vivid/guest.cc
// as all there is. About a minute, and 90 MB of packages at the first time.
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { makeGuest } from './guest-files.ts'
import { run, unpack } from './packages.ts'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'node_modules/.cache/vivid')
// on an idle machine it takes 20 s; nothing in it waits for anything but the emulated processor
const LIMIT_MS = 300_000

const say = (text: string) => process.stdout.write(`${text}\n`)

if (process.arch !== 'x64') {
  say(`the guest is made for x64, and this machine is ${process.arch}: nothing was tested`)
  process.exit(1)
}

const unpacked = unpack(FOLDER)
for (const name of unpacked.names.filter((each) => /^(linux-image|qemu-system-x86|seabios|busybox)/.test(each)))
  say(`package ${name}`)
run('make', ['-s', '-C', 'native/addon', 'build/vivid_guest'], { cwd: ROOT })
const guest = makeGuest(unpacked, join(ROOT, 'native/addon/build/vivid_guest'), FOLDER)

const inRoot = (pattern: string) => globSync(pattern, { cwd: unpacked.root }).map((path) => join(unpacked.root, path))
const [qemu] = inRoot('usr/bin/qemu-system-x86_64')
const machine = spawn(
  qemu as string,
  [
    ...['-L', join(unpacked.root, 'usr/share/qemu'), '-L', join(unpacked.root, 'usr/share/seabios')],
    ...['-accel', 'tcg', '-M', 'pc', '-cpu', 'max', '-m', '512', '-smp', '1'],
    ...[
      '-nodefaults',
      '-no-reboot',
      '-display',
      'none',
      '-serial',
      'stdio',
      '-kernel',
      guest.kernel,
      '-initrd',
      guest.files,
    ],
    ...['-append', 'console=ttyS0 quiet panic=-1 mitigations=off'],
  ],
  {
    env: { ...process.env, LD_LIBRARY_PATH: inRoot('{usr/,}lib/*-linux-gnu{,/pulseaudio}').join(':') },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
)
const limit = setTimeout(() => machine.kill('SIGKILL'), LIMIT_MS)
let passed = false
for await (const line of createInterface({ input: machine.stdout })) {
  say(line.trim())
  passed ||= line.trim() === '0 failed'
}
clearTimeout(limit)
if (!passed) say('the guest did not come to a good end; its lines above say how far it came')
process.exit(passed ? 0 : 1)
