// The boot firmware, by what programs of the system print.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { linuxBootloader } from '../../../native/bootloader/linux.ts'
import { FakePrograms } from '../../../native/programs/fake.ts'
import { FakeSystemFiles } from '../../../native/system-files/fake.ts'
import { faultOf } from '../../support/processes/documents.ts'

const device = () => {
  const [programs, files] = [new FakePrograms(), new FakeSystemFiles()]
  const port = linuxBootloader({ programs, files })
  return { programs, files, port, status: () => Effect.runPromise(port.status) }
}

const AVAILABLE = `*** UPDATE AVAILABLE ***
BOOTLOADER: update available
   CURRENT: Fri 16 Feb 15:28:41 UTC 2024 (1708097321)
    LATEST: Mon 23 Sep 13:50:56 UTC 2024 (1727099456)
   RELEASE: default (/lib/firmware/raspberrypi/bootloader-2711/default)
`
const end = (exitCode: number, stdout = '', stderr = '') => ({ exitCode, stdout, stderr })

test('rpi-eeprom-update says by its exit code how the firmware stands', async () => {
  const { programs, status, files } = device()
  const states = { 0: 'up-to-date', 1: 'available', 2: 'unknown', 3: 'frozen' }
  for (const [code, state] of Object.entries(states)) {
    programs.programs.set('rpi-eeprom-update', () => end(Number(code), AVAILABLE, 'it broke'))
    assert.equal((await status()).state, state)
  }

  programs.programs.set('rpi-eeprom-update', () => end(1, AVAILABLE))
  const { current, latest } = await status()
  assert.deepEqual(current, { version: '2024-02-16', built_at_ms: 1_708_097_321_000 })
  assert.deepEqual(latest, { version: '2024-09-23', built_at_ms: 1_727_099_456_000 })

  files.files.set('/boot/firmware/pieeprom.upd', '')
  const staged = await status()
  assert.equal(staged.state, 'staged')
  assert.match(staged.detail, /the next start of the device puts it in/)
})

test('a board that rpi-eeprom-update leaves alone is not up to date, and nothing is staged', async () => {
  const { programs, status, port } = device()
  for (const said of [
    'Device does not have a Raspberry Pi bootloader EEPROM (e.g. Pi 4 or Pi 5). Skipping bootloader update.',
    'rpi-eeprom-update is not enabled by default on CM4. Run with -h for more information.',
    'This tool only works with a Raspberry Pi 4', // an old one on a Raspberry Pi 5
  ]) {
    programs.programs.set('rpi-eeprom-update', () => end(0, `${said}\n`))

    const { state, detail } = await status()

    assert.equal(state, 'not-supported')
    assert.equal(detail, `rpi-eeprom-update does nothing on this board. It says: ${said}`)
    assert.equal((await Effect.runPromise(faultOf(port.stage))).detail, `the boot firmware is not staged. ${detail}`)
  }
})

test('what is available is staged, what is the newest is left alone, and a refusal says why', async () => {
  const { programs, port } = device()
  programs.programs.set('rpi-eeprom-update', (args) => (args.length > 0 ? '' : end(1, AVAILABLE)))
  await Effect.runPromise(port.stage)
  assert.deepEqual(programs.ran.slice(-1), ['rpi-eeprom-update -a'])

  programs.programs.set('rpi-eeprom-update', (args) => (args.length > 0 ? end(2, '', 'Must be run as root') : end(1)))
  assert.match(
    (await Effect.runPromise(faultOf(port.stage))).detail,
    /^the boot firmware is not staged: rpi-eeprom-update failed with 2: Must be run as root\. Root may do that/,
  )

  programs.programs.set('rpi-eeprom-update', () => end(0, AVAILABLE))
  const before = programs.ran.length
  await Effect.runPromise(port.stage)
  assert.deepEqual(programs.ran.slice(before), ['rpi-eeprom-update'])
})

const DEVICES = JSON.stringify({
  Devices: [
    { DeviceId: 'aa11', Name: 'SSD', Version: '1', Flags: ['updatable'] },
    { DeviceId: 'bb22', Name: 'System Firmware', Version: '1.14.0', Flags: ['internal', 'updatable', 'needs-reboot'] },
  ],
})
const UPDATES = JSON.stringify({
  Devices: [{ Name: 'System Firmware', Releases: [{ Version: '1.15.0', Created: 1_727_099_456 }] }],
})

test('elsewhere fwupd is asked; exit code 2 means that there is nothing to do', async () => {
  const { programs, status } = device()
  const fwupd = (updates: ReturnType<typeof end>) =>
    programs.programs.set('fwupdmgr', ([order]) => (order === 'get-devices' ? DEVICES : updates))

  fwupd(end(0, UPDATES))
  const { by, state, current, latest } = await status()
  assert.deepEqual([by, state, current?.version, latest?.version], ['fwupd', 'available', '1.14.0', '1.15.0'])
  fwupd(end(2, '{}'))
  assert.equal((await status()).state, 'up-to-date')
  for (const garbage of ['', '[]', '{"Devices":7}', '{"Devices":[null,7]}', 'x'.repeat(1000)]) {
    programs.programs.set('fwupdmgr', () => garbage)
    assert.match((await status()).state, /^(unknown|not-supported)$/)
  }
})

test('by fwupd the boot firmware is staged, and no firmware of anything else', async () => {
  const { programs, port } = device()
  programs.programs.set('fwupdmgr', ([order]) =>
    order === 'get-devices' ? DEVICES : order === 'get-updates' ? end(0, UPDATES) : end(0),
  )

  await Effect.runPromise(port.stage)

  assert.match(programs.ran.at(-1) ?? '', /^fwupdmgr update bb22 /)
})

test('without either it is said what is true, and nothing is staged', async () => {
  const { files, status, port } = device()
  files.files.set('/proc/device-tree/model', 'Orange Pi 5')

  const { by, state, detail } = await status()

  assert.deepEqual([by, state], ['none', 'not-supported'])
  assert.match(detail, /^Neither rpi-eeprom-update nor fwupd is installed on this Orange Pi 5/)
  assert.match((await Effect.runPromise(faultOf(port.stage))).detail, /^the boot firmware is not staged\. Neither/)
})
