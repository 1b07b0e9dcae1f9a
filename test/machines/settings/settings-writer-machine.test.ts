// The settings writer as a machine: walked, and a few episodes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { initialTransition, transition } from 'xstate'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import { withDefault } from '../../../machines/schema/defaults.ts'
import { collection, collectionsByName } from '../../../machines/settings/collection.ts'
import { decide, type SettingsCommand, type Written } from '../../../machines/settings/commit.ts'
import { settingsWriterMachine } from '../../../machines/settings/settings-writer-machine.ts'
import { noSettings, type Settings, storedIn } from '../../../machines/settings/store.ts'
import { MAX_ORDERS } from '../../../machines/supervision/order-queue.ts'
import { anyDocuments, unsaid } from '../../support/api/any-documents.ts'
import { repliesIn, type Step, walk } from '../../support/walk.ts'

const full: Fault = { code: 'storage.full', detail: 'no room' }
const at = { collection: 'streams', id: 'front', ask: 1 }
const commands: readonly SettingsCommand[] = [
  { type: 'document.put', ...at, value: { fps: 30 } },
  { type: 'document.put', ...at, value: { fps: 30 }, create_only: true },
  { type: 'document.merge', ...at, patch: { fps: 60 } },
  { type: 'document.change', ...at, change: (before: object) => ({ ...before, fps: 90 }) },
  { type: 'document.delete', ...at },
  { type: 'document.delete', ...at, expected_revisions: [999] },
]

type Actions = Step['actions']
const announced = (actions: Actions) => actions.filter(({ type }) => type === 'announce').map(({ params }) => params)
const asked = (actions: Actions) =>
  actions.filter(({ type }) => type === 'xstate.spawnChild').map(({ params }) => (params as { id: string }).id)

test('on all paths each command is answered exactly once, and only a finished write is announced', () => {
  const walked = walk(settingsWriterMachine, {
    input: { collections: anyDocuments },
    samples: [
      ...commands,
      { type: 'xstate.done.actor.loadSettings', output: noSettings },
      { type: 'xstate.error.actor.writeCommit', error: full },
      { type: 'store.checked', fault: full },
      { type: 'store.checked', fault: null },
    ],
    // Revisions and the contents of the queue grow without bound and steer only through these.
    sameAs: ({ context }) => [
      context.waiting.length,
      [context.waiting[0]?.type, `${context.waiting[0]?.expected_revisions}`],
      context.settings.documents.streams?.front !== undefined,
    ],
    check: ({ before, event, snapshot, actions }) => {
      const came = event.type.startsWith('document.') ? 1 : 0
      const waited = before?.context.waiting.length ?? 0
      assert.equal(repliesIn(actions).length, waited + came - snapshot.context.waiting.length)
      assert.equal(announced(actions).length, event.type === 'xstate.done.actor.writeCommit' ? 1 : 0)
      assert.ok(snapshot.context.waiting.length <= MAX_ORDERS)
      if (snapshot.value === 'ready') assert.equal(snapshot.context.waiting.length, 0)
      if (snapshot.value === 'committing') assert.ok(snapshot.context.waiting.length > 0)
    },
  })

  assert.ok(walked.configurations > MAX_ORDERS)
})

const writer = () => {
  let [snapshot] = initialTransition(settingsWriterMachine, { collections: anyDocuments })
  const send = (event: { type: string }) => {
    const [next, actions] = transition(settingsWriterMachine, snapshot, event as never)
    snapshot = next
    return { state: snapshot.value, replies: repliesIn(actions), announced: announced(actions), asked: asked(actions) }
  }
  const ready = { type: 'xstate.done.actor.loadSettings', output: noSettings }
  const written = { type: 'xstate.done.actor.writeCommit' }
  return { send, ready, written }
}

test('a write is synced, then announced, then answered', () => {
  const { send, ready, written } = writer()
  send(ready)

  const put = send({ type: 'document.put', ...at, value: 7 } as SettingsCommand)
  assert.deepEqual(put, { state: 'committing', replies: [], announced: [], asked: ['writeCommit'] })

  const done = send(written)
  assert.equal(done.state, 'ready')
  assert.deepEqual(done.announced, [
    { collection: 'streams', collectionRevision: 1, collectionBase: 0, id: 'front', revision: 1, value: 7 },
  ])
  assert.deepEqual(done.replies, [
    { type: 'reply', ask: 1, outcome: 'done', value: { id: 'front', revision: 1, collectionRevision: 1, value: 7 } },
  ])
})

test('what a write means is decided once, when its turn has come', () => {
  const { send, ready, written } = writer()
  let decisions = 0
  const change = (n: number) => () => {
    decisions++
    return n
  }
  send(ready)

  send({ type: 'document.put', ...at, ask: 1, value: 0 } as SettingsCommand)
  send({ type: 'document.change', ...at, ask: 2, change: change(7) } as SettingsCommand)
  send({ type: 'document.change', ...at, ask: 3, change: change(7) } as SettingsCommand)
  assert.equal(decisions, 0)
  send(written)
  assert.equal(decisions, 1)
  const { state, replies } = send(written)

  assert.deepEqual([state, decisions], ['ready', 2])
  assert.deepEqual(
    replies.map(({ ask, outcome }) => [ask, outcome]),
    [
      [2, 'done'],
      [3, 'done'],
    ],
  )
})

test('writes that come during a commit are carried out in their order, each on what the one before left', () => {
  const { send, ready, written } = writer()
  send(ready)

  send({ type: 'document.put', ...at, ask: 1, value: { a: 1 } } as SettingsCommand)
  send({ type: 'document.merge', ...at, ask: 2, patch: { b: 2 } } as SettingsCommand)
  send({ type: 'document.put', ...at, ask: 3, value: 0, create_only: true } as SettingsCommand)
  send({ type: 'document.merge', ...at, ask: 4, patch: { a: null }, expected_revisions: [2] } as SettingsCommand)
  const answers = [send(written), send(written), send(written)].flatMap(({ replies }) => replies)

  assert.deepEqual(
    answers.map((reply) => [reply.ask, reply.outcome === 'done' ? reply.value : reply.fault.code]),
    [
      [1, { id: 'front', revision: 1, collectionRevision: 1, value: { a: 1 } }],
      [2, { id: 'front', revision: 2, collectionRevision: 2, value: { a: 1, b: 2 } }],
      [3, 'document.exists'],
      [4, { id: 'front', revision: 3, collectionRevision: 3, value: { b: 2 } }],
    ],
  )
})

test('a write repeated while it waits for the disk is done once, and answered like the first', () => {
  const { send, ready, written } = writer()
  send(ready)
  const order = (ask: number, fingerprint: string) =>
    ({
      type: 'document.put',
      ...at,
      ask,
      value: { fps: ask },
      create_only: true,
      request: { key: 'one', fingerprint },
    }) as SettingsCommand
  send(order(1, 'same'))
  send(order(2, 'same'))
  send(order(3, 'another'))

  const { state, replies, asked } = send(written)

  assert.deepEqual([state, asked], ['ready', []])
  assert.deepEqual(
    replies.map((reply) => [
      reply.ask,
      reply.outcome === 'done' ? (reply.value as Written).revision : reply.fault.code,
    ]),
    [
      [1, 1],
      [2, 1],
      [3, 'request_id.reused'],
    ],
  )
})

test('a change is made of the document as the writes before it left it', () => {
  const { send, ready, written } = writer()
  const add = (n: number) => ({ type: 'document.change', ...at, change: (before: readonly number[]) => [...before, n] })
  send(ready)

  send({ type: 'document.put', ...at, value: [1] } as SettingsCommand)
  send(add(2))
  send(add(3))
  const [, , last] = [send(written), send(written), send(written)].flatMap(({ replies }) => replies)

  assert.ok(last?.outcome === 'done')
  assert.deepEqual(last.value, { id: 'front', revision: 3, collectionRevision: 3, value: [1, 2, 3] })
})

test('a write may expect the revision of more than its document', () => {
  const whole = { name: 'the stage', collections: [{ name: 'streams' }, { name: 'lamps' }] }
  const settings: Settings = {
    documents: { streams: { front: { revision: 2, value: 1 } } },
    bases: {},
    revisions: { streams: 5, lamps: 4, hats: 9 },
  }
  const put = { type: 'document.put', ...at, value: 2, whole } as const

  const [right, wrong] = [9, 2].map((each) => decide(anyDocuments, settings, { ...put, expected_revisions: [each] }))

  assert.ok(right && !isFault(right))
  assert.ok(isFault(wrong) && wrong.code === 'revision.stale')
  assert.match(wrong.detail, /^the stage is at revision 9, but the write expected 2;/)
})

test('a write that finds too many waiting is refused at once', () => {
  const { send, ready } = writer()
  send(ready)
  for (let n = 0; n < MAX_ORDERS; n += 1) send({ type: 'document.put', ...at, value: n } as SettingsCommand)

  const { replies } = send({ type: 'document.put', ...at, ask: 9, value: 9 } as SettingsCommand)

  assert.ok(replies[0]?.outcome === 'refused' && replies[0].ask === 9)
  assert.equal(replies[0].fault.code, 'actor.not_now')
})

const lamps = collectionsByName([
  collection({
    name: 'lamps',
    id: Type.String({ pattern: '^[a-z]+$' }),
    schema: Type.Object({ watts: Type.Number() }, { additionalProperties: false }),
    limit: 2,
    ...unsaid,
  }),
])

test('what is stored is whole: a write that leaves out or removes what has a default stores the default', () => {
  const dimmable = collectionsByName([
    collection({
      name: 'lamps',
      id: Type.String(),
      schema: Type.Object(
        { watts: Type.Number(), steps: withDefault(Type.Integer(), 8) },
        { additionalProperties: false },
      ),
      limit: 2,
      ...unsaid,
    }),
  ])
  const kept: Settings = {
    documents: { lamps: { desk: { revision: 1, value: { watts: 5, steps: 3 } } } },
    revisions: { lamps: 1 },
    bases: {},
  }
  const order = { ask: 0, collection: 'lamps' } as const

  const put = decide(dimmable, kept, { ...order, type: 'document.put', id: 'attic', value: { watts: 7 } })
  const merged = decide(dimmable, kept, { ...order, type: 'document.merge', id: 'desk', patch: { steps: null } })

  assert.deepEqual(
    [put, merged].map((commit) => 'value' in commit && commit.value),
    [
      { watts: 7, steps: 8 },
      { watts: 5, steps: 8 },
    ],
  )
})

test('what would leave a document that does not fit is refused, whoever orders it', () => {
  const put = { type: 'document.put', ask: 0, collection: 'lamps', id: 'desk', value: { watts: 5 } } as const
  const full: Settings = {
    documents: { lamps: { desk: { revision: 1, value: { watts: 5 } }, attic: { revision: 1, value: { watts: 7 } } } },
    revisions: { lamps: 2 },
    bases: {},
  }
  const padding = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`k${n}`, n]))
  const orders: readonly SettingsCommand[] = [
    { ...put, value: { watts: '5' } },
    { ...put, value: { watts: 5, ...padding } },
    { ...put, type: 'document.merge', patch: { watts: null } },
    { ...put, type: 'document.merge', patch: 7 },
    { ...put, id: '../../x' },
    { ...put, id: '__proto__' },
    { ...put, collection: 'hats' },
    { ...put, id: 'hall' },
  ]

  const faults = orders.map((order) => decide(lamps, full, order)).filter(isFault)

  assert.deepEqual(
    faults.map(({ code }) => code),
    [...Array.from({ length: 7 }, () => 'document.invalid'), 'document.too_many'],
  )
  assert.equal(faults[0]?.errors?.[0]?.pointer, '/watts')
  assert.ok((faults[1]?.errors?.length ?? 99) <= 16)
  assert.ok(!isFault(decide(lamps, full, put)))
  assert.ok(!isFault(decide(lamps, full, { ...put, type: 'document.delete' })))
})

test('a write that changes nothing is answered with the revision as it is, and nothing is stored or announced', () => {
  const settings: Settings = {
    documents: { streams: { front: { revision: 4, value: { fps: 30, seed: 1 } } } },
    revisions: { streams: 9 },
    bases: {},
  }
  const unchanged = { id: 'front', revision: 4, collectionRevision: 9, value: { fps: 30, seed: 1 } }

  const orders: readonly SettingsCommand[] = [
    { type: 'document.put', ...at, value: { seed: 1, fps: 30 } },
    { type: 'document.merge', ...at, patch: { fps: 30, none: null } },
    { type: 'document.merge', ...at, patch: {}, expected_revisions: [3, 4] },
  ]
  const [stale] = [
    decide(anyDocuments, settings, { type: 'document.merge', ...at, patch: {}, expected_revisions: [3] }),
  ]

  for (const order of orders) assert.deepEqual(decide(anyDocuments, settings, order), { unchanged })
  assert.ok(isFault(stale) && stale.code === 'revision.stale' && stale.context?.revision === 4)
})

test('a document that is always there is changed without being created, from the revision that it shows', () => {
  const lamp = collection({
    ...unsaid,
    name: 'lamp',
    id: Type.Literal('lamp'),
    limit: 1,
    schema: Type.Object({ watts: Type.Optional(Type.Number()) }),
    blank: {},
  })
  const declared = collectionsByName([lamp])
  const order = { type: 'document.merge', ask: 1, collection: 'lamp', id: 'lamp', patch: { watts: 5 } } as const
  const used: Settings = { ...noSettings, bases: { lamp: 7 } }

  const revisions = [noSettings, used].map((settings) => decide(declared, settings, order))
  const stale = decide(declared, used, { ...order, expected_revisions: [0] })

  assert.deepEqual(
    revisions.map((each) => 'revision' in each && [each.revision, each.value]),
    [
      [1, { watts: 5 }],
      [8, { watts: 5 }],
    ],
  )
  assert.ok(isFault(stale) && stale.context?.revision === 7)
  assert.deepEqual(storedIn(used, lamp, 'lamp'), { revision: 7, value: {} })
  assert.ok('unchanged' in decide(declared, used, { ...order, patch: {} }))
})
