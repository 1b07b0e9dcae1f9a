// Which streams there are, and who is told.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventBus } from '../../../actors/events/event-bus.ts'
import { StreamRegistry } from '../../../actors/stream/stream-registry.ts'
import { createSettingsStore } from '../../../machines/settings/store.ts'
import { setState, storedStream } from '../../support/engine/stream-runtime.ts'

/** Streams whose documents a test commits itself. */
const registered = () => {
  let nowMs = 1000
  const clock = { nowMs: () => nowMs, monotonicUs: () => nowMs * 1000 }
  const settings = createSettingsStore()
  const events = createEventBus({ epoch: 'test', nowMs: clock.nowMs })
  const streams = new StreamRegistry({ settings, clock, events, tableOf: (id) => `table-${id}` })
  let revision = 0
  const commit = (id: string, value: unknown) => {
    revision += 1
    const numbers = { collectionRevision: revision, collectionBase: 0, revision }
    settings.trigger.committed({ collection: 'streams', id, value, ...numbers })
  }
  return {
    settings,
    events,
    streams,
    put: (id: string, enabled = true) =>
      commit(id, storedStream(1, { id, enabled, source: { backend: 'synthetic' } }).value),
    drop: (id: string) => commit(id, undefined),
    pass: (ms: number) => {
      nowMs += ms
    },
    told: () => {
      const all = events.since(0, 'test')
      return all.type === 'events'
        ? all.events.map(({ resource_ref, data }) => ({ ...resource_ref, ...(data as object) }))
        : []
    },
  }
}

test('streams are there in order of creation, with the newest manifest', () => {
  const { streams, put } = registered()
  let changes = 0
  streams.subscribe(() => {
    changes += 1
  })

  put('rear')
  put('front')
  put('rear', false)

  assert.deepEqual(
    streams.all().map(({ id, manifest, stored }) => [id, manifest.enabled, stored.revision]),
    [
      ['rear', false, 3],
      ['front', true, 2],
    ],
  )
  assert.equal(changes, 3)
})

test('those that were stored before are there from the start', () => {
  const { settings, events, put } = registered()
  put('front')

  const clock = { nowMs: () => 0, monotonicUs: () => 0 }
  const late = new StreamRegistry({ settings, clock, events, tableOf: () => null })

  assert.equal(late.get('front')?.stored.revision, 1)
})

test('other documents of the settings are none of its business', () => {
  const { settings, streams } = registered()
  let changes = 0
  streams.subscribe(() => {
    changes += 1
  })

  settings.trigger.committed({
    collection: 'nt4',
    id: 'nt4',
    value: {},
    collectionRevision: 1,
    collectionBase: 0,
    revision: 1,
  })

  assert.equal(changes, 0)
})

test('a stream that is deleted says so once, and one of the same id is another', () => {
  const { streams, put, drop, told } = registered()
  put('front')
  const stream = streams.get('front')
  let deletions = 0
  stream?.onDeleted(() => {
    deletions += 1
  })

  drop('front')
  put('front')
  if (stream) setState(stream, 'live')

  assert.equal(deletions, 1)
  assert.notEqual(streams.get('front'), stream)
  assert.deepEqual(told(), [], 'nothing is told of a stream that is not there any more')
})

test('another state is told once with its fault, and a status says since when it lasts', () => {
  const { streams, put, pass, told } = registered()
  put('front')
  const stream = streams.get('front')
  assert.ok(stream)
  const fault = { code: 'camera.lost', detail: 'the camera was unplugged' } as const

  pass(10)
  setState(stream, 'live')
  pass(10)
  setState(stream, 'live')
  assert.equal(stream.status().since_ms, 1010)
  pass(10)
  setState(stream, 'backing-off', fault)
  pass(10)
  put('front', false)

  assert.deepEqual(told(), [
    { stream_id: 'front', state: 'live', fault: null, pipeline_fault: null },
    { stream_id: 'front', state: 'backing-off', fault, pipeline_fault: null },
    { stream_id: 'front', state: 'disabled', fault: null, pipeline_fault: null },
  ])
  assert.deepEqual([stream.status().state, stream.status().since_ms], ['disabled', 1040])
  assert.equal(stream.status().extcam_table, 'table-front')
})

test('a pipeline that stops running is told, and again when it runs, in the same state and since time', () => {
  const { streams, put, pass, told } = registered()
  put('front')
  const stream = streams.get('front')
  assert.ok(stream)
  setState(stream, 'live')
  const since_ms = stream.status().since_ms

  pass(10)
  stream.graph.set({ graph_id: 'near', stored: undefined })
  stream.observe()
  stream.graph.set(null)

  const faults = told().map(
    (turn) => (turn as { pipeline_fault: { code: string } | null }).pipeline_fault?.code ?? null,
  )
  assert.deepEqual(faults, [null, 'graph.not_found', null])
  assert.equal(stream.status().since_ms, since_ms)
})

test('a stream is told when the stored pipeline of its active slot changes, and of no other slot', () => {
  const { settings, streams } = registered()
  const graph = (name: string) => ({ name, nodes: [], edges: [], outputs: [] })
  const commit = (collection: string, id: string, value: unknown, revision: number) =>
    settings.trigger.committed({ collection, id, value, revision, collectionRevision: revision, collectionBase: 0 })
  const source = { backend: 'synthetic' } as const
  const slots = [
    { slot: 0, graph_id: 'near' },
    { slot: 1, graph_id: 'constructor' },
  ]
  const put = (more: object, revision: number) =>
    commit('streams', 'front', storedStream(1, { id: 'front', source, ...more }).value, revision)
  put({}, 1)
  const told: unknown[] = []
  streams.get('front')?.graph.subscribe((now) => told.push(now && [now.graph_id, now.stored?.value.name]))

  commit('graphs', 'near', graph('first'), 1)
  put({ slots, active_slot: 0 }, 2)
  commit('graphs', 'near', graph('second'), 2)
  commit('graphs', 'far', graph('other'), 3)
  put({ slots, active_slot: 0, alias: 'Front' }, 3)
  commit('graphs', 'near', undefined, 4)
  put({ slots, active_slot: 1 }, 4)
  put({ slots }, 5)

  assert.deepEqual(told, [['near', 'first'], ['near', 'second'], ['near', undefined], ['constructor', undefined], null])
})
