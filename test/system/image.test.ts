// The image of native/package/image in an emulated machine: its firmware boots GRUB, that boots a slot, and a slot that
// is never found good is left again.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { noGuest } from '../support/guest/debian-image.ts'
import { type Machine, machine } from '../support/guest/machine.ts'
import { folderOf } from '../support/processes/folder.ts'

const ROOT = join(import.meta.dirname, '../..')
const SLOTS = '/usr/lib/vedette/slots.sh'

const missing = (): string | undefined => {
  const tools = ['/usr/share/ovmf/OVMF.fd', '/usr/bin/grub-mkimage', '/usr/bin/mcopy', '/usr/sbin/sgdisk']
  if (tools.every((path) => existsSync(path))) return noGuest()
  return 'apt-get install ovmf grub-efi-amd64-bin grub-common mtools dosfstools gdisk is needed'
}
const SKIP = process.env.SYSTEM_TESTS === '1' ? (missing() ?? false) : 'it starts a machine: npm run test:system'

/** The image, with what the test talks to. */
const makeImage = (folder: string): string => {
  const out = join(folder, 'dist')
  execFileSync(process.execPath, ['native/package/main.ts', '--out', out, '--version', '0.1.0', '--deb', 'zstd'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [key, keyring, disk] = ['key.pem', 'cert.pem', 'disk.raw'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const request = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    key,
    '-out',
    keyring,
    '-subj',
    '/CN=test',
  ]
  execFileSync('openssl', request, { stdio: 'ignore' })
  const guest = join(ROOT, 'test/support/guest')
  const customize = [
    `cp ${guest}/talk.sh "$1/usr/local/lib/"`,
    `cp ${guest}/talk.service "$1/etc/systemd/system/"`,
    'ln -s ../talk.service "$1/etc/systemd/system/multi-user.target.wants/talk.service"',
  ].join(' && ')
  const making = ['--deb', join(out, 'vedette_0.1.0_amd64.deb'), '--keyring', keyring, '--out', disk]
  execFileSync('native/package/image/make-image.sh', making, {
    cwd: ROOT,
    env: { ...process.env, CUSTOMIZE: customize },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return disk
}

const slotOf = async ({ output }: Machine): Promise<string> => (await output(`${SLOTS} get-current`)).trim()

test('the image boots, and a slot on trial that is never found good is left for the other one', {
  skip: SKIP,
}, async (t) => {
  const guest = machine(t, { disk: makeImage(folderOf(t)) })

  await guest.start()
  assert.equal(await slotOf(guest), 'A')
  const running = 'for i in $(seq 240); do systemctl -q is-active vedette && break; sleep 0.5; done'
  assert.equal(await guest.output(`${running}; systemctl is-active vedette`), 'active\n')
  assert.match(await guest.output('findmnt -n -o SOURCE /var/lib/vedette'), /^\/dev\/vda4$/m)
  const status = await guest.output('rauc status --output-format=json')
  assert.match(status, /"booted":"A"/)
  assert.match(status, /"boot_primary":"rootfs\.0"/)

  await guest.output(`${SLOTS} set-primary B`)
  const slots: string[] = []
  for (let turn = 0; turn < 3; turn++) {
    await guest.reboot()
    slots.push(await slotOf(guest))
  }

  assert.deepEqual(slots, ['B', 'B', 'A'])
  assert.equal(await guest.output(`${SLOTS} get-state A; ${SLOTS} get-state B`), 'good\nbad\n')
})
