// Who starts the next run of this service, by what is found of this process.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { fakeDbus } from '../../../native/dbus/fake.ts'
import { FakePrograms } from '../../../native/programs/fake.ts'
import { linuxRestart, type OwnProcess } from '../../../native/restart/linux.ts'
import { FakeSystemFiles } from '../../../native/system-files/fake.ts'
import { dataFolder, faultOf } from '../../support/processes/documents.ts'

const device = (t: TestContext, found: Partial<OwnProcess> = {}) => {
  const did: string[] = []
  const files = new FakeSystemFiles()
  const programs = new FakePrograms()
  const dataDir = dataFolder(t)
  const own: OwnProcess = {
    parent: 77,
    env: {},
    end: () => did.push('end'),
    becomeNext: () => did.push('become'),
    ...found,
  }
  const port = linuxRestart({ files, programs, dbus: fakeDbus, dataDir, own })
  const restart = async () => {
    await Effect.runPromise(port.restart('service'))
    return did.join(' ')
  }
  const refusal = async () => (await Effect.runPromise(faultOf(port.check('service')))).detail
  return { files, programs, dataDir, port, did, restart, refusal }
}

/** Started by a unit of systemd, whose Restart= is this. */
const byUnit = (t: TestContext, restart: string) => {
  const world = device(t, { parent: 1, env: { INVOCATION_ID: '7' } })
  world.files.files.set('/proc/self/cgroup', '0::/system.slice/vedette.service\n')
  world.programs.programs.set('systemctl', () => `${restart}\n`)
  return world
}

test('a service that a unit starts again just ends', async (t) => {
  const { restart, programs } = byUnit(t, 'always')

  assert.equal(await restart(), 'end')
  assert.deepEqual(programs.ran, ['systemctl show --property=Restart --value vedette.service'])
})

test('one whose unit would not start it again is left alone, and the refusal says what to do', async (t) => {
  const { refusal, port, did } = byUnit(t, 'no')

  assert.match(await refusal(), /its unit vedette\.service does not start it again when it ends; write Restart=always/)
  assert.match((await Effect.runPromise(faultOf(port.restart('service')))).detail, /cannot be restarted from here/)
  assert.deepEqual(did, [])
})

test('a unit that systemd does not speak of is that of our package when our launcher runs in it', async (t) => {
  const { restart, programs } = byUnit(t, '')
  assert.equal(await restart(), 'become end')
  assert.equal(programs.ran.length, 1)

  const launched = device(t, { parent: 1, env: { INVOCATION_ID: '7', VEDETTE_RUNNING: '1.0.0' } })
  launched.files.files.set('/proc/self/cgroup', '0::/system.slice/vedette.service\n')
  assert.equal(await launched.restart(), 'end')
})

test('one that our launcher watches ends, and the launcher chooses the version', async (t) => {
  const { restart, files } = device(t, { env: { VEDETTE_RUNNING: '1.0.0' } })
  files.files.set('/proc/77/cmdline', '/usr/bin/node\0launch.mjs\0--watch\0')

  assert.equal(await restart(), 'end')
})

test('one that was started by hand becomes the next run itself; where that is not possible it says so', async (t) => {
  assert.equal(await device(t).restart(), 'become end')

  const { refusal } = device(t, { becomeNext: undefined })
  assert.match(await refusal(), /^the service cannot be restarted from here: nobody would start it again/)
})

test('a device without a system bus cannot be restarted from here, which is known beforehand', async (t) => {
  const { detail } = await Effect.runPromise(faultOf(device(t).port.check('device')))

  assert.match(detail, /^the device cannot be restarted from here: logind is asked over .*, and there is no/)
})

test('a note is taken once, and what is none is nothing', async (t) => {
  const { port, dataDir } = device(t)
  const note = { target: 'service', boot_id: null, ordered_us: 5 } as const

  await Effect.runPromise(port.note(note))
  assert.deepEqual(await Effect.runPromise(port.takeNote), note)
  assert.equal(await Effect.runPromise(port.takeNote), null)
  writeFileSync(join(dataDir, 'restart.json'), '{"target":')
  assert.equal(await Effect.runPromise(port.takeNote), null)
})
