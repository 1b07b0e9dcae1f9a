// An update by RAUC with the power cut at every moment at which something stays: RAUC, its boot loader and the device
// are models; the backend and its record are real.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { isFault } from '../../../machines/errors/fault.ts'
import type { UpdateBackend } from '../../../native/update/port.ts'
import { raucBackend } from '../../../native/update/rauc.ts'
import { folderOf } from '../../support/processes/folder.ts'
import { modelDbus, RaucModel } from '../../support/update/fake-rauc.ts'
import { systemBundle } from '../../support/update/system-bundle.ts'

/** How the new system does: it is found well, is found unwell, or does not come so far that anybody could look. */
type Health = 'well' | 'unwell' | 'dead'

class PowerCut extends Error {}

const MAX_BOOTS = 12

/** A device that runs one program after the other. */
class Device {
  readonly model = new RaucModel()
  readonly #folder: string
  readonly #health: Health
  /** The moments so far, and the one at which the power goes. */
  moments = 0
  cutAt = Number.POSITIVE_INFINITY
  isCut = false
  startsOfNew = 0

  constructor(t: TestContext, health: Health) {
    this.#folder = folderOf(t)
    this.#health = health
    this.model.onStep = () => {
      if (this.isCut) throw new PowerCut() // nothing is done any more, whoever tries
      this.moments += 1
      this.isCut = this.moments === this.cutAt
      if (this.isCut) throw new PowerCut()
    }
  }

  get backend(): UpdateBackend {
    return raucBackend({
      dbus: modelDbus(this.model),
      system: this.#folder,
      dataDir: this.#folder,
      version: '1.0.0',
      bootId: async () => this.model.bootId,
      nowMs: () => this.model.boots,
      restart: Effect.void,
    })
  }

  /** Whether the power stayed on. */
  async isDone(what: (backend: UpdateBackend) => Promise<void>): Promise<boolean> {
    try {
      await what(this.backend)
      return true
    } catch (error) {
      if (!this.isCut || isFault(error)) throw error
      return false
    }
  }

  /** Starts it, and again, until it stays as it is; how often. */
  async settle(): Promise<number> {
    for (let boots = 1; boots <= MAX_BOOTS; boots += 1) {
      this.isCut = false
      this.model.boot()
      const isNew = this.model.booted === 'rootfs.1'
      if (isNew) this.startsOfNew += 1
      if (isNew && this.#health === 'dead') continue
      let isTrial = true
      const isOn = await this.isDone(async (backend) => {
        isTrial = (await run(backend.slots)).isTrial
        if (!isTrial) return
        if (this.#health === 'unwell') return run(backend.goBack('it was not well'))
        await run(backend.commit)
        isTrial = false
      })
      if (isOn && !isTrial) return boots
    }
    throw new Error(`it does not stay: ${JSON.stringify(this.model)}`)
  }
}

const run = <Value>(effect: Effect.Effect<Value, unknown>) => Effect.runPromise(effect)

const update = async (backend: UpdateBackend): Promise<void> => {
  await run(backend.slots)
  const name = await run(backend.install(systemBundle(Buffer.from('a system')), () => {}))
  await run(backend.activate(name))
}

for (const health of ['well', 'unwell', 'dead'] as const) {
  test(`the power may be cut at any moment of an update to a system that is ${health}`, async (t) => {
    const whole = new Device(t, health)
    assert.ok(await whole.isDone(update))
    await whole.settle()
    assert.ok(whole.moments > 12, `${whole.moments} moments`)

    const ends = new Set<string>()
    for (let cutAt = 1; cutAt <= whole.moments; cutAt += 1) {
      const device = new Device(t, health)
      device.cutAt = cutAt
      await device.isDone(update)
      await device.settle()
      const { booted, primary } = device.model
      const { tries } = device.model.slot(booted)
      const { running, failed, chosen, isTrial } = await run(device.backend.slots)
      ends.add(running.name)

      const said = `cut at ${cutAt}: ${JSON.stringify({ running, failed, model: device.model })}`
      if (health !== 'well') assert.equal(running.name, 'rootfs.0', said)
      if (device.startsOfNew > 0 && running.name === 'rootfs.0') assert.equal(failed?.version, 'rootfs.1', said)
      if (health === 'unwell' && failed) assert.equal(failed.reason, 'it was not well', said)
      if (device.startsOfNew === 0) assert.equal(failed, null, said)
      assert.equal(isTrial, false, said)
      assert.equal(chosen, running.name, said)
      assert.equal(primary, running.name, said)
      assert.equal(tries, 99, said)

      for (let starts = 0; starts < 5; starts += 1) {
        device.model.boot()
        assert.equal(device.model.booted, running.name, `${said}, and after ${starts + 1} more starts`)
      }
    }
    assert.deepEqual([...ends].sort(), health === 'well' ? ['rootfs.0', 'rootfs.1'] : ['rootfs.0'])
  })
}

test('what is written is not started before it is chosen', async (t) => {
  const device = new Device(t, 'well')
  await run(device.backend.slots)

  const name = await run(device.backend.install(systemBundle(Buffer.from('a system')), () => {}))
  const { primary } = device.model
  const { chosen, isTrial } = await run(device.backend.slots)
  await run(device.backend.activate(name))

  assert.deepEqual([name, primary, chosen, isTrial], ['rootfs.1', 'rootfs.0', 'rootfs.0', false])
  assert.equal((await run(device.backend.slots)).chosen, 'rootfs.1')
})

test('why the previous system runs again: as it was said, or that it never was found well', async (t) => {
  const reasons = async (health: Health) => {
    const device = new Device(t, health)
    await device.isDone(update)
    await device.settle()
    return (await run(device.backend.slots)).failed?.reason
  }

  assert.equal(await reasons('unwell'), 'it was not well')
  assert.match((await reasons('dead')) ?? '', /^2\.0\.0: the boot loader went back to the previous system/)
})

test('a system that others installed is on trial as well, and is kept when it is well', async (t) => {
  const device = new Device(t, 'well')
  await run(device.backend.slots)
  for (const _ of device.model.install());

  device.model.boot()
  const before = await run(device.backend.slots)
  await run(device.backend.commit)
  const after = await run(device.backend.slots)

  assert.equal(before.isTrial, true)
  assert.equal(after.isTrial, false)
  assert.equal(device.model.slot('rootfs.1').tries, 99)
})
