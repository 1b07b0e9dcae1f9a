// The updater at work: from an upload to a version that is kept or given up, over restarts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askNow } from '../../../actors/ask.ts'
import { STEADY_MS, UNCLAIMED_MS } from '../../../machines/update/update-setup.ts'
import { untilState } from '../../support/clock/clock.ts'
import { FakeDevice, type Run } from '../../support/update/fake-device.ts'

const steady = (run: Run) =>
  untilState(run.actor, (snapshot) => snapshot.matches({ trial: { watched: 'steady' } }), 'the trial is steady')

/** A device that has been restarted into a version that is on trial. */
const inTrial = async (device: FakeDevice): Promise<Run> => {
  const run = await device.start()
  await run.upload('vedette 1.5.0')
  await run.until('ready')
  assert.equal((await run.apply('now')).outcome, 'done')
  await run.until('restarting')
  return device.start()
}

test('a version that is well for twenty seconds is kept, and the bundle is forgotten', async (t) => {
  const device = new FakeDevice(t)

  const run = await inTrial(device)
  const begun = run.state()
  await steady(run)
  run.clock.increment(STEADY_MS)
  await run.until('committed')
  await untilState(run.actor, (snapshot) => snapshot.matches({ committed: 'kept' }))

  assert.deepEqual([begun, device.backend.restarts], ['trial', 1])
  assert.deepEqual(device.lookedWith[0], device.before)
  const { running, other, isTrial } = device.backend.known
  assert.deepEqual([running.version, other?.name, isTrial], ['1.5.0', 'packaged', false])
  assert.deepEqual([device.store.upload, device.records.record?.state], [null, 'committed'])
  assert.equal((await device.start()).state(), 'committed')
})

test('a version that is not well goes back, says why, and the one before says so', async (t) => {
  const device = new FakeDevice(t)
  device.missing = ['the stream front is opening']

  const run = await inTrial(device)
  await untilState(run.actor, ({ context }) => context.missing.length > 0)
  run.clock.increment(45_000)
  await untilState(run.actor, (snapshot) => snapshot.matches({ trial: 'going-back' }))
  await untilState(run.actor, () => device.backend.restarts === 2, 'the restart')
  const after = await device.start()

  assert.equal(after.state(), 'rolled-back')
  const { running, failed } = device.backend.known
  assert.deepEqual([running.name, failed?.version.startsWith('1.5.0-')], ['packaged', true])
  assert.match(failed?.reason ?? '', /the stream front is opening/)
  assert.equal((await device.start()).state(), 'rolled-back', 'also after another restart')
})

test('a break begins the twenty seconds again', async (t) => {
  const device = new FakeDevice(t)
  const run = await inTrial(device)
  await steady(run)
  run.clock.increment(STEADY_MS - 1)

  device.missing = ['there is no link to the robot']
  await untilState(run.actor, (snapshot) => snapshot.matches({ trial: { watched: 'unwell' } }))
  device.missing = []
  await steady(run)
  run.clock.increment(STEADY_MS - 1)
  const still = run.state()
  run.clock.increment(1)
  await run.until('committed')

  assert.equal(still, 'trial')
})

test('an enabled robot refuses an update, and one that was ordered waits before the restart', async (t) => {
  const device = new FakeDevice(t)
  const run = await device.start()
  await run.upload('vedette 1.5.0')
  await run.until('ready')
  device.use.set({ robotEnabled: true, busyWith: [] })

  const refused = await run.apply('now')
  const ordered = await run.apply('idle')
  const waits = run.state()
  device.use.set({ robotEnabled: false, busyWith: ['front is being recorded'] })
  const recorded = run.state()
  device.use.set({ robotEnabled: false, busyWith: [] })
  await run.until('restarting')

  assert.ok(refused.outcome === 'refused')
  assert.equal(refused.fault.code, 'update.robot_enabled')
  assert.deepEqual([ordered.outcome, waits, recorded], ['done', 'scheduled', 'scheduled'])
})

test('an upload whose asker has left, so that nobody sends, gives way after some seconds', async (t) => {
  const device = new FakeDevice(t)
  const run = await device.start()
  const receive = (resumable: boolean) =>
    askNow(run.actor, { type: 'update.receive', announced: { bytes: 13, resumable } })
  const left = () => run.clock.increment(UNCLAIMED_MS)

  const first = await receive(true)
  left()
  const paused = run.actor.getSnapshot().matches({ receiving: 'paused' })
  const second = await receive(false)
  left()
  await run.until('failed')

  assert.deepEqual([first.outcome, paused, second.outcome], ['done', true, 'done'])
  assert.match(run.actor.getSnapshot().context.failure?.detail ?? '', /nobody sent any of the bundle/)
  assert.equal((await receive(true)).outcome, 'done')
})

test('an upload whose bytes come is left alone, and one that is gone on with ends the request before', async (t) => {
  const device = new FakeDevice(t)
  const run = await device.start()
  const begun = await askNow(run.actor, { type: 'update.receive', announced: { bytes: 13, resumable: true } })
  const id = begun.outcome === 'done' && begun.value ? begun.value.id : ''
  run.actor.send({ type: 'update.arriving', id })
  run.clock.increment(10 * UNCLAIMED_MS)
  const arriving = run.actor.getSnapshot().matches({ receiving: 'arriving' })

  const again = await askNow(run.actor, { type: 'update.resume', id })
  run.clock.increment(UNCLAIMED_MS)
  const paused = run.actor.getSnapshot().matches({ receiving: 'paused' })
  const received = await askNow(run.actor, { type: 'update.received', id })

  assert.deepEqual([arriving, again.outcome, paused, received.outcome], [true, 'done', true, 'done'])
})

test('what is ordered can be cancelled, and then be forgotten', async (t) => {
  const device = new FakeDevice(t)
  device.use.set({ robotEnabled: false, busyWith: ['front is being recorded'] })
  const run = await device.start()
  await run.upload('vedette 1.5.0')
  await run.until('ready')
  await run.apply('idle')

  const cancelled = [(await run.cancel()).outcome, run.state()]
  const forgotten = [(await run.cancel()).outcome, run.state(), device.store.upload]
  const nothing = await run.cancel()

  assert.deepEqual(cancelled, ['done', 'ready'])
  assert.deepEqual(forgotten, ['done', 'idle', null])
  assert.ok(nothing.outcome === 'refused')
  assert.equal(nothing.fault.code, 'update.not_cancellable')
})

test('a version below the floor is refused unless an administrator allows it', async (t) => {
  const device = new FakeDevice(t)
  device.backend.known = { ...device.backend.known, floor: '2.0.0' }
  const run = await device.start()
  await run.upload('vedette 1.5.0')
  await run.until('ready')

  const refused = await run.apply('now')
  const allowed = await run.apply('now', true)

  assert.ok(refused.outcome === 'refused')
  assert.equal(refused.fault.code, 'update.too_old')
  assert.equal(allowed.outcome, 'done')
})

test('a disk that fails while the version is written leaves what runs, with the reason', async (t) => {
  const device = new FakeDevice(t)
  const run = await device.start()
  await run.upload('vedette 1.5.0')
  await run.until('ready')
  device.backend.fault = { code: 'storage.full', detail: 'no room is left' }

  await run.apply('now')
  await run.until('failed')

  const { failure } = device.records.record ?? {}
  assert.deepEqual([failure?.code, failure?.state], ['storage.full', 'applying'])
  device.backend.fault = null
  assert.equal((await device.start()).state(), 'failed', 'also after a restart')
})

test('a new version that is chosen and never started is given up', async (t) => {
  const device = new FakeDevice(t)
  const run = await device.start()
  await run.upload('vedette 1.5.0')
  await run.until('ready')
  await run.apply('now')
  await run.until('restarting')

  run.clock.increment(60_000)
  await run.until('failed')

  assert.equal(device.backend.known.chosen, 'packaged')
  assert.equal(device.records.record?.failure?.code, 'update.not_started')
})
