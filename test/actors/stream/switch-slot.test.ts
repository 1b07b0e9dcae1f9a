// A stream is switched by number, as a robot does.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { settingsWriter } from '../../../actors/settings/write-settings.ts'
import { hasSlot, switchSlot } from '../../../actors/stream/switch-slot.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { graphCollection } from '../../../machines/pipeline/stored-graphs.ts'
import { putOrder } from '../../../machines/settings/commit.ts'
import { graphsIn, plansFor } from '../../../machines/stream/known-graphs.ts'
import type { StreamManifest } from '../../../machines/stream/manifest.ts'
import { runnable, tagsAs } from '../../support/engine/graphs.ts'
import { liveStreams } from '../../support/engine/live-streams.ts'
import { until } from '../../support/until.ts'

const slots = [
  { slot: 0, graph_id: 'near' },
  { slot: 3, graph_id: 'far' },
]

const switched = async (t: TestContext, more: Partial<StreamManifest> = {}) => {
  const service = await liveStreams(t)
  const { directory, documents, addStream, state } = service
  const write = settingsWriter(directory)
  for (const id of ['near', 'far'])
    await Effect.runPromise(write(putOrder(graphCollection, id, { name: id, ...tagsAs(id) })))
  const stream = await addStream({ id: 'front', source: { backend: 'images', path: '/pictures' }, ...more })
  await state('front', 'live')
  const parts = { graphOf: graphsIn(directory.settings), planOf: plansFor({ unavailable: () => new Map() }), write }
  const to = (slot: number) =>
    Effect.runPromise(
      Effect.match(switchSlot(stream, slot, parts), {
        onSuccess: () => null,
        onFailure: (fault): Fault | null => fault,
      }),
    )
  return { ...service, stream, to, commits: () => documents.commits.length }
}

test('the slot of that number runs, and the stream is stored so', async (t) => {
  const { stream, to, engine, commits } = await switched(t, { slots })
  const before = commits()

  assert.equal(await to(3), null)

  assert.deepEqual([stream.manifest.active_slot, commits() - before], [3, 1])
  const ports = () => `${engine('front').task?.plan.outputs.map(({ port }) => port)}`
  await until('its pipeline', ports, (now) => now === 'far')
})

test('the one that runs is not stored again, and 0 is the pipeline of a stream without slots', async (t) => {
  const { stream, to, commits } = await switched(t)
  const before = commits()

  assert.equal(await to(0), null)

  assert.deepEqual([stream.manifest.active_slot, commits() - before], [undefined, 0])
})

test('a robot that asks for a slot gets it in place of what is tried, also the one that is stored', async (t) => {
  const { stream, to, engine, commits } = await switched(t, { slots })
  const ports = () => `${engine('front').task?.plan.outputs.map(({ port }) => port)}`
  const tried = async () => {
    stream.tried.begin(runnable(tagsAs('tried')).graph, 60)
    await until('what is tried', ports, (now) => now === 'tried')
    assert.ok(!hasSlot(stream, stream.manifest.active_slot ?? 0))
  }
  await to(0)
  const before = commits()

  await tried()
  await to(0)
  await until('the stored one', ports, (now) => now === 'near')
  await tried()
  await to(3)
  await until('the other one', ports, (now) => now === 'far')

  assert.equal(stream.tried.graph, undefined)
  assert.deepEqual([stream.manifest.active_slot, commits() - before], [3, 1])
})

test('a slot without a pipeline changes nothing', async (t) => {
  const { stream, to, commits } = await switched(t, { slots })
  await to(0)
  const before = commits()

  assert.equal((await to(7))?.code, 'slot.empty')

  assert.deepEqual([stream.manifest.active_slot, commits() - before], [0, 0])
})
