// How a version is doing, looked at in a service on fakes.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import type { Part } from '../../../actors/directory.ts'
import { ranBefore, trialHealth } from '../../../actors/update/trial-health.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { Latest } from '../../../machines/latest.ts'
import { FakeNt4Session } from '../../../native/nt4/fake.ts'
import type { Nt4Session } from '../../../native/nt4/port.ts'
import { fakeService } from '../../support/service.ts'

const part = (name: string, more: Partial<Part> = {}): Part => ({
  name,
  state: 'idle',
  since_ms: 0,
  restarts: 0,
  fault: null,
  ...more,
})

const looked = async (t: TestContext) => {
  const { streams, addStream, engine, state } = await fakeService(t)
  await addStream({ id: 'front', source: { backend: 'synthetic' } })
  const link = new Latest<Nt4Session | undefined>()
  const world = { parts: [part('settings'), part('http'), part('cameras')], fault: null as Fault | null, listens: true }
  const parts = { directory: { parts: () => world.parts }, streams, link }
  const look = trialHealth({
    ...parts,
    askOwnApi: () => (world.fault ? Effect.fail(world.fault) : Effect.void),
    address: () => (world.listens ? { host: '127.0.0.1', port: 1 } : null),
  })
  const live = async () => {
    engine('front').showFrame()
    await state('front', 'live')
  }
  return {
    world,
    link,
    live,
    before: () => ranBefore(parts),
    look: (...args: Parameters<typeof look>) => Effect.runPromise(look(...args)),
  }
}

test('what ran before is what is live, what was well, and whether there was a link', async (t) => {
  const { world, link, live, before } = await looked(t)
  const nothing = before()

  world.parts = [...world.parts, part('dns-sd', { state: 'failed' }), part('streams/front')]
  link.set(new FakeNt4Session())
  await live()

  assert.deepEqual(nothing, { streams: [], parts: ['settings', 'http', 'cameras'], robot_link: false })
  assert.deepEqual(before(), { streams: ['front'], parts: ['settings', 'http', 'cameras'], robot_link: true })
})

test('a version is well when all that ran before runs again, and each thing that does not is named', async (t) => {
  const { world, link, live, look } = await looked(t)
  const before = { streams: ['front', 'gone'], parts: ['settings', 'http', 'cameras'], robot_link: true }
  const fault: Fault = { code: 'device.failed', detail: 'it does not answer itself' }

  world.fault = fault
  world.parts = [part('settings'), part('http'), part('cameras', { state: 'failed', fault })]
  const unwell = await look(before)
  world.fault = null
  world.parts = [part('settings'), part('http'), part('cameras')]
  link.set(new FakeNt4Session())
  await live()
  const well = await look({ ...before, streams: ['front'] })

  assert.equal(unwell.length, 5, JSON.stringify(unwell))
  const [api, cameras, front, gone, robot] = unwell
  assert.equal(api, 'it does not answer itself')
  assert.equal(cameras, 'the part cameras is failed: it does not answer itself')
  assert.match(front ?? '', /^the stream front is (?!live)/)
  assert.deepEqual([gone, robot], ['the stream gone is missing', 'there is no link to the robot'])
  assert.deepEqual(well, [])
})

test('a part that was started again since the last look is not well in that look', async (t) => {
  const { world, look } = await looked(t)
  const first = await look(null)

  world.parts = [part('settings'), part('http'), part('cameras', { restarts: 1 })]
  const crashed = await look(null)
  const again = await look(null)

  assert.deepEqual([first, crashed, again], [[], ['the part cameras crashed, and was started again'], []])
})

test('without knowledge of what ran before, the API and the essential parts must be well', async (t) => {
  const { world, look } = await looked(t)
  world.parts = [part('settings', { state: 'restarting' }), part('http'), part('cameras', { state: 'failed' })]
  world.listens = false

  assert.deepEqual(await look(null), ['the API does not listen', 'the part settings is restarting'])
})
