// Updates by RAUC itself: what it writes, what it refuses, and which system runs after each start of the device.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../../machines/errors/fault.ts'
import { linuxDbus } from '../../../native/dbus/linux.ts'
import { chooseBackend } from '../../../native/update/choose.ts'
import { noUpdates } from '../../../native/update/none.ts'
import type { UpdateBackend } from '../../../native/update/port.ts'
import { raucBackend } from '../../../native/update/rauc.ts'
import { folderOf } from '../../support/processes/folder.ts'
import { until } from '../../support/until.ts'
import { noRauc, RealRauc } from '../../support/update/real-rauc.ts'
import { systemBundle } from '../../support/update/system-bundle.ts'

const options = { skip: noRauc }
const IMAGE_BYTES = 1_000_000

const run = <Value>(effect: Effect.Effect<Value, unknown>) => Effect.runPromise(effect)
const fault = (effect: Effect.Effect<unknown, Fault>) => Effect.runPromise(Effect.flip(effect))

/** A device whose service runs as long as the device does. */
const device = async (t: TestContext) => {
  const rauc = new RealRauc(t)
  const system = folderOf(t)
  const start = async (): Promise<UpdateBackend> => {
    await rauc.boot()
    const dbus = linuxDbus({ address: rauc.address })
    const parts = {
      dbus,
      system,
      dataDir: system,
      version: '1.0.0',
      bootId: async () => `run ${rauc.boots}`,
      restart: Effect.void,
    }
    const backendNow = () => chooseBackend({ dbus, rauc: raucBackend(parts), otherwise: noUpdates('1.0.0') })
    let backend = backendNow()
    await until('RAUC on the bus', async () => {
      backend = backendNow()
      await run(backend.slots)
      return backend.kind === 'rauc'
    })
    return backend
  }
  return { rauc, start }
}

test('RAUC updates a device to a system that is kept, and goes back from one that never starts', options, async (t) => {
  const { rauc, start } = await device(t)
  const image = randomBytes(IMAGE_BYTES)
  let on = await start()
  const told: number[] = []

  const bundle = systemBundle(rauc.bundle(image, '2.0.0'))
  const name = await run(on.install(bundle, (bytes) => told.push(bytes)))
  const written = await run(on.slots)
  const primary = rauc.read('primary')
  await run(on.activate(name))
  on = await start()
  const trial = await run(on.slots)
  await run(on.commit)

  assert.equal(name, 'rootfs.1')
  assert.ok(rauc.content('B', IMAGE_BYTES).equals(image), 'the slot holds the image')
  assert.equal(told.at(-1), 2 * (bundle.manifest.files[0]?.bytes ?? 0))
  assert.deepEqual(written.other, { name: 'rootfs.1', version: '2.0.0', built_at_ms: null })
  assert.deepEqual([written.chosen, primary, written.isTrial], ['rootfs.0', 'A', false])
  assert.deepEqual([trial.running.name, trial.running.version, trial.isTrial], ['rootfs.1', '2.0.0', true])
  assert.deepEqual([rauc.booted, rauc.tries('B')], ['B', 99])

  const bad = systemBundle(rauc.bundle(randomBytes(IMAGE_BYTES), '3.0.0'), { version: '3.0.0' })
  await run(on.activate(await run(on.install(bad, () => {}))))
  await rauc.boot() // nothing of ours runs in it
  const first = rauc.booted
  await rauc.boot()
  const second = rauc.booted
  on = await start()
  const back = await run(on.slots)

  assert.deepEqual([first, second, rauc.booted], ['A', 'A', 'B'])
  assert.equal(back.running.version, '2.0.0')
  assert.deepEqual([back.isTrial, back.chosen, rauc.read('primary')], [false, 'rootfs.1', 'B'])
  assert.equal(back.failed?.version, 'rootfs.0')
  assert.match(back.failed?.reason ?? '', /^3\.0\.0: the boot loader went back to the previous system/)
  assert.equal(back.floor, '1.5.0')
})

test('a system that is not well is gone back from, with the reason that was said', options, async (t) => {
  const { rauc, start } = await device(t)
  let on = await start()
  const bundle = systemBundle(rauc.bundle(randomBytes(IMAGE_BYTES), '2.0.0'))
  await run(on.activate(await run(on.install(bundle, () => {}))))

  on = await start()
  const { isTrial } = await run(on.slots)
  await run(on.goBack('the camera front gives no pictures'))
  on = await start()
  const slots = await run(on.slots)

  assert.equal(isTrial, true)
  assert.deepEqual([rauc.booted, rauc.tries('A'), rauc.tries('B')], ['A', 99, 0])
  assert.equal(slots.failed?.reason, 'the camera front gives no pictures')
})

test('what RAUC refuses is refused before a byte of the other slot is written', options, async (t) => {
  const { rauc, start } = await device(t)
  const on = await start()
  const image = randomBytes(IMAGE_BYTES)
  const good = rauc.bundle(image, '2.0.0')
  const flipped = Buffer.from(good)
  flipped.writeUInt8(flipped.readUInt8(IMAGE_BYTES / 2) ^ 1, IMAGE_BYTES / 2)
  const cases: readonly (readonly [string, Buffer, RegExp])[] = [
    ['one bit changed', flipped, /RAUC does not take the system in it \(/],
    ['cut short', good.subarray(0, -1_000), /RAUC does not take the system in it \(/],
    ['a foreign key', rauc.bundle(image, '2.0.0', 'foreign'), /RAUC does not take the system in it \(/],
    ['another device', rauc.bundle(image, '2.0.0', 'known', 'lamp'), /its system is made for lamp/],
    ['another version', rauc.bundle(image, '1.9.0'), /it says to be 2\.0\.0, and the system in it says to be 1\.9\.0/],
  ]

  for (const [what, content, why] of cases) {
    const refusal = await fault(on.install(systemBundle(content), () => {}))
    assert.equal(refusal.code, 'update.refused', what)
    assert.match(refusal.detail, why, what)
  }

  const slots = await run(on.slots)
  assert.ok(rauc.content('B', IMAGE_BYTES).equals(Buffer.alloc(IMAGE_BYTES)), 'nothing was written')
  assert.equal(slots.chosen, 'rootfs.0')
  assert.equal(rauc.tries('B'), 99)
})
