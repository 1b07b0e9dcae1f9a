// RAUC as it answers over a bus: what it refuses, and what becomes of an update when it dies or is silent.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import type { Fault } from '../../../machines/errors/fault.ts'
import { linuxDbus } from '../../../native/dbus/linux.ts'
import { restartDevice } from '../../../native/dbus/login.ts'
import type { DbusFailure, DbusPort } from '../../../native/dbus/port.ts'
import { chooseBackend } from '../../../native/update/choose.ts'
import { noUpdates } from '../../../native/update/none.ts'
import { readOfRauc } from '../../../native/update/rauc/service.ts'
import { raucBackend } from '../../../native/update/rauc.ts'
import { noBus, startBus } from '../../support/dbus/bus.ts'
import { dbusError, FakeService } from '../../support/dbus/fake-service.ts'
import { folderOf } from '../../support/processes/folder.ts'
import { arrival, until } from '../../support/until.ts'
import { modelDbus, RaucModel, raucMethods, tellCompleted, tellProgress } from '../../support/update/fake-rauc.ts'
import { systemBundle } from '../../support/update/system-bundle.ts'

const RAUC = 'de.pengutronix.rauc'
const CONTENT = Buffer.alloc(1_000, 'a system')
const options = { skip: noBus }

const run = <Value>(effect: Effect.Effect<Value, unknown>) => Effect.runPromise(effect)
const fault = (effect: Effect.Effect<unknown, Fault>) => Effect.runPromise(Effect.flip(effect))

type Installing = (rauc: FakeService, path: string) => void | Promise<void>

/** A device whose RAUC does in `installing` whatever a test has it do. */
const device = async (t: TestContext, installing: Installing = () => {}, silenceMs = 600_000) => {
  const bus = await startBus(t)
  const model = new RaucModel()
  const system = folderOf(t)
  const rauc = await FakeService.start(
    t,
    bus.address,
    RAUC,
    raucMethods(model, (path) => installing(rauc, path)),
  )
  const dbus = linuxDbus({ address: bus.address })
  const backend = raucBackend({
    dbus,
    system,
    dataDir: system,
    version: '0.1.0',
    bootId: async () => model.bootId,
    restart: restartDevice(dbus),
    silenceMs,
  })
  const told: (readonly [number, number | null])[] = []
  const install = (bundle = systemBundle(CONTENT)) => backend.install(bundle, (...each) => told.push(each))
  return { bus, model, rauc, system, dbus, backend, install, told }
}

/** Installs at once, and says so as RAUC does. */
const wellOf =
  (model: () => RaucModel): Installing =>
  (rauc) => {
    const steps = model().install()
    steps.next()
    tellProgress(rauc, 40)
    steps.next()
    tellProgress(rauc, 10) // it begins again with the next step
    tellProgress(rauc, 100)
    steps.next()
    tellCompleted(rauc, 0)
  }

test(
  'the slots are those that RAUC knows; the version of a system that it did not install is ours',
  options,
  async (t) => {
    const { backend, model } = await device(t)
    model.slots[0].version = null

    const slots = await run(backend.slots)

    assert.deepEqual(slots, {
      running: { name: 'rootfs.0', version: '0.1.0', built_at_ms: null },
      other: null,
      isTrial: false,
      chosen: 'rootfs.0',
      failed: null,
      floor: null,
    })
  },
)

test('RAUC installs what was unpacked, tells how far it is, and nothing is left of it', options, async (t) => {
  let found: Buffer | undefined
  const own = await device(t, (rauc, path) => {
    found = readFileSync(path)
    wellOf(() => own.model)(rauc, path)
  })
  await run(own.backend.slots)

  const name = await run(own.install())
  const slots = await run(own.backend.slots)

  assert.equal(name, 'rootfs.1')
  assert.deepEqual(found, CONTENT)
  assert.deepEqual(own.told, [
    [1_000, 2_000],
    [1_400, 2_000],
    [1_400, 2_000],
    [2_000, 2_000],
  ])
  assert.deepEqual(slots.other, { name: 'rootfs.1', version: '2.0.0', built_at_ms: null })
  assert.deepEqual(readdirSync(own.system), ['rauc.json'])
})

test('the floor of a system counts once it is kept', options, async (t) => {
  const own = await device(t, (...each) => wellOf(() => own.model)(...each))
  await run(own.backend.slots)
  await run(own.backend.activate(await run(own.install())))
  const before = await run(own.backend.slots)

  own.model.boot()
  await run(own.backend.commit)

  assert.equal(before.floor, null)
  assert.equal((await run(own.backend.slots)).floor, '1.5.0')
})

const refusals: readonly [what: string, Parameters<typeof systemBundle>[1], Partial<RaucModel['bundle']>, RegExp][] = [
  ['a release alone', { base: 'debian-12' }, {}, /installs whole systems with RAUC, and the bundle carries a release/],
  [
    'a system for another device',
    {},
    { compatible: 'lamp' },
    /its system is made for lamp, and this device is vedette/,
  ],
  [
    'a base of another device',
    { base: 'rauc:lamp' },
    {},
    /its base is rauc:lamp, and that of this device is rauc:vedette/,
  ],
  [
    'a system of another version',
    {},
    { version: '1.9.0' },
    /it says to be 2\.0\.0, and the system in it says to be 1\.9\.0/,
  ],
]

for (const [what, manifest, inside, why] of refusals)
  test(`${what} is refused before RAUC installs anything`, options, async (t) => {
    const { install, model, system, backend } = await device(t, () => assert.fail('it was installed'))
    Object.assign(model.bundle, inside)
    await run(backend.slots)

    const refusal = await fault(install(systemBundle(CONTENT, manifest)))

    assert.equal(refusal.code, 'update.refused')
    assert.match(refusal.detail, why)
    assert.equal(existsSync(join(system, 'system.raucb')), false)
    assert.equal((await run(backend.slots)).chosen, 'rootfs.0')
  })

test('a bundle whose signature does not hold is refused with the words of RAUC', options, async (t) => {
  const bus = await startBus(t)
  const model = new RaucModel()
  const methods = raucMethods(model, () => assert.fail('it was installed')).filter(([name]) => name !== 'Info')
  const info = () => {
    throw dbusError('org.gtk.GDBus.UnmappedGError.Code30', 'signature verification failed: self-signed certificate')
  }
  await FakeService.start(t, bus.address, RAUC, [...methods, ['Info', info]])
  const dbus = linuxDbus({ address: bus.address })
  const backend = raucBackend({
    dbus,
    system: folderOf(t),
    dataDir: folderOf(t),
    version: '0.1.0',
    restart: Effect.void,
  })

  const refusal = await fault(backend.install(systemBundle(CONTENT), () => {}))

  assert.equal(refusal.code, 'update.refused')
  assert.match(
    refusal.detail,
    /RAUC does not take the system in it \(signature verification failed: self-signed certificate\)/,
  )
})

test('an install that fails says why in the words of RAUC, and nothing is chosen', options, async (t) => {
  const own = await device(t, (rauc) => {
    own.model.installFails = 'Failed splicing data: Error reading from file: Input/output error'
    for (const _ of own.model.install());
    tellCompleted(rauc, 1)
  })
  await run(own.backend.slots)

  const failure = await fault(own.install())

  assert.equal(failure.code, 'device.failed')
  assert.match(failure.detail, /did not install the system: Failed splicing data: .*untouched, and stays/)
  assert.equal(own.model.primary, 'rootfs.0')
})

test('a service of RAUC that dies in the middle fails the update at once', options, async (t) => {
  const own = await device(t, (rauc) => {
    own.model.install().next()
    setImmediate(() => rauc.stop()) // it has answered by then
  })
  await run(own.backend.slots)

  const failure = await fault(own.install())

  assert.equal(failure.code, 'device.failed')
  assert.match(failure.detail, /its service ended in the middle of it/)
})

test('a bus that dies in the middle fails the update at once', options, async (t) => {
  const own = await device(t, () => void setImmediate(own.bus.kill))
  await run(own.backend.slots)

  const failure = await fault(own.install())

  assert.equal(failure.code, 'device.failed')
  assert.match(failure.detail, /the connection to the system bus ended/)
})

test('an end that nobody told of is found by asking', options, async (t) => {
  const installing = () => {
    for (const _ of own.model.install());
  }
  const own = await device(t, installing, 50)
  await run(own.backend.slots)

  assert.equal(await run(own.install()), 'rootfs.1')

  own.model.installFails = 'no space left on device'
  const failure = await fault(own.install())
  assert.match(failure.detail, /no space left on device/)
})

test('a RAUC that installs for others is busy, and is not told of slots', options, async (t) => {
  const { model, backend, install } = await device(t)
  await run(backend.slots)
  model.install().next()

  const slots = await run(backend.slots)
  const failure = await fault(install())

  assert.equal(slots.chosen, 'rootfs.0')
  assert.match(failure.detail, /RAUC is installing something already/)
})

/** For longer than a backend that does not wait needs to tell RAUC of a slot: others ask it a few times. */
const askRauc = async (dbus: DbusPort) => {
  for (let round = 0; round < 5; round += 1)
    await run(Effect.scoped(Effect.flatMap(dbus.connect, (connection) => readOfRauc(connection, 'Operation'))))
}

type Device = Awaited<ReturnType<typeof device>>

/** Gives up an update, and has RAUC end its install afterwards. meanwhile: what RAUC does once it is given up. */
const giveUp = async (own: Device, fiber: Fiber.Fiber<unknown, unknown>, meanwhile = () => {}) => {
  let isOver = false
  const given = run(Fiber.interrupt(fiber)).then(() => {
    isOver = true
  })
  meanwhile()
  await askRauc(own.dbus)
  assert.equal(isOver, false)
  wellOf(() => own.model)(own.rauc, '')
  await arrival('the end of the update', given)
}

/** RAUC has installed it, and what runs is started again all the same. */
const assertUnchosen = ({ model }: Device) => {
  assert.equal(model.slot('rootfs.1').version, '2.0.0')
  assert.equal(model.primary, 'rootfs.0')
  assert.equal(model.slot('rootfs.0').tries, 99)
}

test('who gives up an update waits for RAUC, which cannot be stopped, and nothing is chosen', options, async (t) => {
  const own = await device(t, (rauc) => {
    own.model.operation = 'installing'
    setImmediate(() => tellProgress(rauc, 0)) // it has answered by then
  })
  await run(own.backend.slots)

  const fiber = Effect.runFork(own.install())
  await until('a part of the install', () => own.told.length > 1)
  await giveUp(own, fiber)

  assertUnchosen(own)
})

test('who gives up an update before RAUC has said that it begins waits for it, too', options, async (t) => {
  const answered = Promise.withResolvers<void>()
  const own = await device(t, () => {
    own.model.operation = 'installing'
    return answered.promise
  })
  await run(own.backend.slots)

  const fiber = Effect.runFork(own.install())
  await until('the order', () => own.model.operation === 'installing')
  await giveUp(own, fiber, answered.resolve)

  assertUnchosen(own)
})

test('who gives up while the system is unpacked has that ended, and nothing is left', options, async (t) => {
  const { system, install, told, backend } = await device(t, () => assert.fail('it was installed'))
  await run(backend.slots)
  const bundle = systemBundle(CONTENT)
  const endless = Readable.from(
    (async function* () {
      for (;;) {
        yield CONTENT
        await new Promise(setImmediate)
      }
    })(),
  )
  const files = async function* () {
    for await (const file of bundle.files()) yield { ...file, content: endless }
  }

  const fiber = Effect.runFork(install({ ...bundle, files }))
  await until('some of it', () => told.length > 3)
  await run(Fiber.interrupt(fiber))

  assert.deepEqual(readdirSync(system), ['rauc.json'])
})

test('a system that is chosen begins with a copy of the settings as they are then', options, async (t) => {
  const own = await device(t, (...each) => wellOf(() => own.model)(...each))
  await run(own.backend.slots)
  const [stale, mine] = ['packaged-B', 'packaged-A'].map((name) => join(own.system, 'settings', name)) as [
    string,
    string,
  ]
  for (const folder of [stale, mine]) mkdirSync(folder, { recursive: true })
  const name = await run(own.install())
  const before = existsSync(stale)

  await run(own.backend.activate(name))

  assert.deepEqual([before, existsSync(stale), existsSync(mine)], [true, false, true])
})

test('only what was installed can be chosen', options, async (t) => {
  const { backend } = await device(t)

  assert.match((await fault(backend.activate('rootfs.1'))).detail, /it is not what was installed last/)
})

test('RAUC that does not know what was booted says what its configuration lacks', options, async (t) => {
  const { backend, model } = await device(t)
  model.booted = 'none'

  assert.match((await fault(backend.slots)).detail, /its system\.conf needs two slots with a bootname/)
})

test('a record that says nothing is that of a device on which nothing was installed', options, async (t) => {
  const { backend, system } = await device(t)
  await run(backend.slots)
  writeFileSync(join(system, 'rauc.json'), '{"format":1,"comm')

  const slots = await run(backend.slots)

  assert.equal(slots.isTrial, false)
  assert.equal(JSON.parse(readFileSync(join(system, 'rauc.json'), 'utf8')).committed, 'rootfs.0')
})

test('the device is restarted by logind; where that is not allowed, the right is named', options, async (t) => {
  const { bus, backend } = await device(t)
  const asked: unknown[] = []
  let isAllowed = true
  await FakeService.start(t, bus.address, 'org.freedesktop.login1', [
    [
      'Reboot',
      (interactive) => {
        asked.push(interactive)
        if (!isAllowed) throw dbusError('org.freedesktop.DBus.Error.InteractiveAuthorizationRequired', 'not authorized')
        return ['']
      },
    ],
  ])

  await run(backend.restart)
  isAllowed = false
  const failure = await fault(backend.restart)

  assert.deepEqual(asked, [false, false])
  assert.match(
    failure.detail,
    /cannot be restarted: not authorized\. .*needs the right org\.freedesktop\.login1\.reboot/,
  )
})

test('RAUC installs where it is on the bus, somebody else where it is not', options, async (t) => {
  const { bus, backend: rauc, dbus } = await device(t)
  const otherwise = noUpdates('0.1.0')
  const chosen = chooseBackend({ dbus, rauc, otherwise })
  const before = chosen.kind
  await run(chosen.slots)

  const empty = await startBus(t)
  const without = chooseBackend({ dbus: linuxDbus({ address: empty.address }), rauc, otherwise })
  const slots = await run(without.slots)
  await bus.kill()
  const busless = chooseBackend({ dbus, rauc, otherwise })
  await run(busless.slots)

  assert.deepEqual([before, chosen.kind, chosen.unavailable], ['none', 'rauc', null])
  assert.equal(without.kind, 'none')
  assert.equal(slots.running.name, 'checkout')
  assert.equal(busless.kind, 'none')
})

test('a bus that does not answer in time is no answer, and is asked again', async () => {
  let isSilent = true
  const model = new RaucModel()
  const there: DbusPort['connect'] = Effect.map(modelDbus(model).connect, (connection) => ({
    ...connection,
    call: (each) => (each.member === 'NameHasOwner' ? Effect.succeed([true]) : connection.call(each)),
  }))
  const silent = Effect.fail<DbusFailure>({ kind: 'no-answer', name: null, text: 'it did not answer' })
  const dbus = { connect: Effect.suspend(() => (isSilent ? silent : there)) }
  const rauc = { ...noUpdates('2.0.0'), kind: 'rauc' as const }
  const chosen = chooseBackend({ dbus, rauc, otherwise: noUpdates('0.1.0') })

  const failure = await fault(chosen.slots)
  isSilent = false
  await run(chosen.slots)

  assert.match(failure.detail, /whether RAUC is here is not known yet: it did not answer/)
  assert.equal(chosen.kind, 'rauc')
})

test('a whole system is refused where RAUC is not', options, async (t) => {
  const { address } = await startBus(t)
  const { backend: rauc } = await device(t)
  const otherwise = { ...noUpdates('0.1.0'), install: () => Effect.succeed('installed') }
  const chosen = chooseBackend({ dbus: linuxDbus({ address }), rauc, otherwise })

  const refusal = await fault(chosen.install(systemBundle(CONTENT), () => {}))
  const release = await run(chosen.install(systemBundle(CONTENT, { base: 'debian-12' }), () => {}))

  assert.equal(refusal.code, 'update.refused')
  assert.match(refusal.detail, /carries a whole system for a device with RAUC, and this device has none/)
  assert.equal(release, 'installed')
})
