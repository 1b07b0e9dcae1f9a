// The settings writer on a store in memory: what a caller, a reader and a listener see.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as Effect from 'effect/Effect'
import Type from 'typebox'
import { createActor } from 'xstate'
import { askNow } from '../../../actors/ask.ts'
import { createEventBus } from '../../../actors/events/event-bus.ts'
import { settingsActor } from '../../../actors/settings/settings-writer-actor.ts'
import type { Fault, Reply } from '../../../machines/errors/fault.ts'
import type { EventDocument } from '../../../machines/events/event.ts'
import { type Collections, collection, collectionsByName } from '../../../machines/settings/collection.ts'
import type { SettingsCommand, Written } from '../../../machines/settings/commit.ts'
import { createSettingsStore, documentOf, documentsOf } from '../../../machines/settings/store.ts'
import type { CommandIn } from '../../../machines/supervision/actors.ts'
import { FakeDocuments } from '../../../native/documents/fake.ts'
import { anyDocuments, anyStreams, unsaid } from '../../support/api/any-documents.ts'
import { untilState } from '../../support/clock/clock.ts'

const actors: { readonly stop: () => void }[] = [] // they look at the store from time to time, for as long as they live
after(() => {
  for (const actor of actors) actor.stop()
})

const writer = async (port = new FakeDocuments(), collections = anyDocuments) => {
  const documents = await Effect.runPromise(Effect.scoped(port.open))
  const store = createSettingsStore()
  const events = createEventBus({ epoch: 'e', nowMs: () => 0 })
  const published: EventDocument[] = []
  events.subscribe((event) => published.push(event))
  const recorded: Fault[] = []
  const record = (fault: Fault) => recorded.push(fault)
  const actor = createActor(settingsActor({ documents, store, events, record }), { input: { collections } })
  actor.subscribe({ error: () => {} })
  actor.start()
  actors.push(actor)
  const order = (
    type: 'put' | 'merge' | 'delete',
    id: string,
    more: Record<string, unknown> = {},
  ): Promise<Reply<Written>> =>
    askNow(actor, { type: `document.${type}`, collection: 'streams', id, ...more } as CommandIn<SettingsCommand>)
  return { port, store, published, recorded, actor, order }
}

const ready = async (port?: FakeDocuments, collections?: Collections) => {
  const parts = await writer(port, collections)
  await untilState(parts.actor, ({ value }) => value === 'ready')
  return parts
}

const codeOf = (reply: Reply) => (reply.outcome === 'done' ? 'done' : `${reply.outcome} ${reply.fault.code}`)

test('a document is put, changed, deleted and put again, and its revision rises throughout', async () => {
  const { store, order } = await ready()

  const replies = [
    await order('put', 'front', { value: { fps: 30 } }),
    await order('merge', 'front', { patch: { fps: 60, seed: 1 } }),
    await order('delete', 'front'),
    await order('put', 'front', { value: {}, create_only: true }),
  ]

  assert.deepEqual(
    replies.map((reply) => reply.outcome === 'done' && reply.value),
    [
      { id: 'front', revision: 1, collectionRevision: 1, value: { fps: 30 } },
      { id: 'front', revision: 2, collectionRevision: 2, value: { fps: 60, seed: 1 } },
      { id: 'front', revision: 3, collectionRevision: 3, value: undefined },
      { id: 'front', revision: 4, collectionRevision: 4, value: {} },
    ],
  )
  assert.deepEqual(documentOf(store, anyStreams, 'front'), { revision: 4, value: {} })
})

test('readers and listeners know of a change when its answer comes', async () => {
  const { store, published, order } = await ready()

  await order('put', 'front', { value: 1 })
  assert.deepEqual(documentOf(store, anyStreams, 'front'), { revision: 1, value: 1 })
  await order('delete', 'front')

  assert.equal(documentOf(store, anyStreams, 'front'), undefined)
  assert.deepEqual(
    published.map(({ kind, resource_ref, revision, data }) => ({ kind, resource_ref, revision, data })),
    [
      { kind: 'stream_changed', resource_ref: { stream_id: 'front' }, revision: 1, data: { deleted: false } },
      { kind: 'stream_changed', resource_ref: { stream_id: 'front' }, revision: 2, data: { deleted: true } },
    ],
  )
})

test('a write that expects another revision, another document or none is refused and changes nothing', async () => {
  const { port, published, order } = await ready()
  await order('put', 'front', { value: 1 })

  const stale = await order('merge', 'front', { patch: {}, expected_revisions: [7] })
  const refusals = [
    stale,
    await order('put', 'front', { value: 2, expected_revisions: [0] }),
    await order('delete', 'front', { expected_revisions: [2] }),
    await order('put', 'front', { value: 2, create_only: true }),
    await order('merge', 'back', { patch: {} }),
    await order('delete', 'back'),
    await order('put', 'back', { value: 1, expected_revisions: [1] }),
    await order('delete', 'constructor'),
  ]

  assert.deepEqual(refusals.map(codeOf), [
    ...Array.from({ length: 3 }, () => 'refused revision.stale'),
    'refused document.exists',
    ...Array.from({ length: 4 }, () => 'refused document.unknown'),
  ])
  assert.ok(stale.outcome === 'refused')
  assert.deepEqual(stale.fault.context, { revision: 1 })
  assert.equal(port.commits.length, 1)
  assert.equal(published.length, 1)
})

test('a write that the disk refuses fails, changes nothing, and the next one succeeds', async () => {
  const { port, store, published, order } = await ready()
  await order('put', 'front', { value: 1 })

  port.fault = { code: 'storage.full', detail: 'no room' }
  assert.equal(codeOf(await order('put', 'front', { value: 2 })), 'failed storage.full')
  assert.deepEqual(documentOf(store, anyStreams, 'front'), { revision: 1, value: 1 })
  assert.equal(published.length, 1)

  port.fault = null
  const reply = await order('put', 'front', { value: 3 })
  assert.deepEqual(reply.outcome === 'done' && reply.value?.revision, 2)
})

test('a revision from before a deletion is stale for the document that came after it', async () => {
  const { order } = await ready()
  await order('put', 'front', { value: 1 })
  await order('delete', 'front')
  await order('put', 'back', { value: 1 })
  await order('put', 'front', { value: 2 })

  const replies = [1, 2].map((expected) => order('merge', 'front', { patch: {}, expected_revisions: [expected] }))

  assert.deepEqual((await Promise.all(replies)).map(codeOf), ['refused revision.stale', 'refused revision.stale'])
})

test('many writes at once are answered in their order', async () => {
  const { order } = await ready()

  const replies = await Promise.all(Array.from({ length: 50 }, (_, n) => order('put', 'front', { value: n })))

  assert.deepEqual(
    replies.map((reply) => reply.outcome === 'done' && reply.value?.revision),
    Array.from({ length: 50 }, (_, n) => n + 1),
  )
})

test('a writer that starts again shows what was kept, in order of creation, and goes on from there', async () => {
  const { port, actor, order } = await ready()
  for (const id of ['back', 'front', 'aft']) await order('put', id, { value: id })
  await order('put', 'back', { value: 'changed' })
  await order('delete', 'front')
  actor.stop()

  const again = await ready(port)

  assert.deepEqual(documentsOf(again.store, anyStreams), {
    back: { revision: 2, value: 'changed' },
    aft: { revision: 1, value: 'aft' },
  })
  assert.deepEqual(Object.keys(documentsOf(again.store, anyStreams)), ['back', 'aft'])
  const reply = await again.order('put', 'front', { value: 'new' })
  assert.deepEqual(reply.outcome === 'done' && reply.value, {
    id: 'front',
    revision: 3,
    collectionRevision: 6,
    value: 'new',
  })
  assert.deepEqual(Object.keys(documentsOf(again.store, anyStreams)), ['back', 'aft', 'front'])
})

test('a write that comes before all is loaded waits for it', async () => {
  const { order } = await writer()

  assert.equal(codeOf(await order('put', 'front', { value: 1 })), 'done')
})

test('a store that cannot be read ends the writer with the fault', async () => {
  const port = new FakeDocuments()
  const documents = await Effect.runPromise(Effect.scoped(port.open))
  port.fault = { code: 'storage.failed', detail: 'unreadable' }
  const events = createEventBus({ epoch: 'e', nowMs: () => 0 })
  const parts = { documents, store: createSettingsStore(), events, record: () => {} }
  const actor = createActor(settingsActor(parts), { input: { collections: anyDocuments } })

  actor.start()
  await untilState(actor, ({ status }) => status === 'done')

  assert.deepEqual(actor.getSnapshot().output, { outcome: 'crashed', fault: port.fault })
})

const fits = { revision: 3, value: 'fits' }
const misfit = { place: 1n, collection: 'streams', id: 'bad', revision: 5, value: 7 }
const texts = collectionsByName([
  collection({ name: 'streams', id: Type.String(), schema: Type.String(), limit: 9, ...unsaid }),
])

test('a kept document that does not fit is set aside and recorded, and the others are there', async () => {
  const port = new FakeDocuments()
  port.documents = [misfit, { place: 2n, collection: 'streams', id: 'good', ...fits }]

  const { store, recorded, order } = await ready(port, texts)

  assert.deepEqual(documentsOf(store, anyStreams), { good: fits })
  assert.deepEqual(
    port.aside.map(({ id }) => id),
    ['bad'],
  )
  assert.deepEqual(
    recorded.map(({ code, resource }) => [code, resource]),
    [['storage.document_invalid', 'streams/bad']],
  )
  const reply = await order('put', 'bad', { value: 'anew' })
  assert.ok(reply.outcome === 'done' && (reply.value?.revision ?? 0) > misfit.revision)
})

test('a document that was set aside and fits by now is there again, recorded, and changed like any other', async () => {
  const port = new FakeDocuments()
  port.asideEarlier = [{ place: 1n, collection: 'streams', id: 'back', ...fits }]

  const { store, recorded, order } = await ready(port, texts)

  assert.deepEqual(documentsOf(store, anyStreams), { back: { revision: 1, value: 'fits' } })
  assert.deepEqual(
    recorded.map(({ code, resource }) => [code, resource]),
    [['storage.document_restored', 'streams/back']],
  )
  const reply = await order('put', 'back', { value: 'changed' })
  assert.equal(reply.outcome === 'done' && reply.value?.revision, 2)
})

test('a disk without room for setting aside keeps nobody from starting', async () => {
  const port = new FakeDocuments()
  port.documents = [misfit]
  const full: Fault = { code: 'storage.full', detail: 'no room' }
  port.asideFault = full

  const { store, recorded } = await ready(port, texts)

  assert.deepEqual(documentsOf(store, anyStreams), {})
  assert.deepEqual(
    recorded.map(({ code }) => code),
    ['storage.document_invalid', 'storage.full'],
  )
})

test('a write that changes nothing is answered, and neither stored nor published nor shown anew', async () => {
  const { port, store, published, order } = await ready()
  await order('put', 'front', { value: { fps: 30 } })
  const [commits, events, before] = [port.commits.length, published.length, store.getSnapshot()]

  const replies = [await order('put', 'front', { value: { fps: 30 } }), await order('merge', 'front', { patch: {} })]

  for (const reply of replies) assert.equal(reply.outcome === 'done' && reply.value?.revision, 1)
  assert.deepEqual([port.commits.length, published.length], [commits, events])
  assert.equal(store.getSnapshot(), before)
})
