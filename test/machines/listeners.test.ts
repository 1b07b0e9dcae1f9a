// One who listens and throws is nobody else's trouble.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStore } from '@xstate/store'
import { Latest } from '../../machines/latest.ts'
import { isolateSubscribers, Listeners } from '../../machines/listeners.ts'
import { createSettingsStore } from '../../machines/settings/store.ts'
import { PictureBoard } from '../../machines/stream/picture.ts'

const broken = new Error('broken listener')
const throwing = () => {
  throw broken
}

test('a listener that throws is told of each time, and the others and the one who tells go on', () => {
  const [heard, bugs]: [string[], unknown[]] = [[], []]
  const listeners = new Listeners<string>((bug) => bugs.push(bug))
  listeners.add((value) => heard.push(`first ${value}`))
  listeners.add(throwing)
  listeners.add((value) => heard.push(`last ${value}`))

  listeners.notify('a')
  listeners.notify('b')

  assert.deepEqual(heard, ['first a', 'last a', 'first b', 'last b'])
  assert.deepEqual(bugs, [broken, broken])
})

test('telling of a bug may lead back to the listener that has it', () => {
  const bugs: unknown[] = []
  const listeners: Listeners<string> = new Listeners((bug) => {
    bugs.push(bug)
    listeners.notify('there was a bug')
  })
  listeners.add(throwing)

  listeners.notify('a')

  assert.deepEqual(bugs, [broken])
})

test('where nobody is told of bugs the first is thrown after all have heard', () => {
  const heard: string[] = []
  const listeners = new Listeners<string>()
  listeners.add(throwing)
  listeners.add((value) => heard.push(value))

  assert.throws(() => listeners.notify('a'), broken)
  assert.deepEqual(heard, ['a'])
})

test('a store tells its other subscribers of this change and of all later ones, and the writer does not notice', () => {
  const [heard, bugs]: [number[], unknown[]] = [[], []]
  const store = createSettingsStore(undefined, (bug) => bugs.push(bug))
  const subscription = store.subscribe(throwing)
  store.subscribe(({ context }) => heard.push(context.revisions.streams ?? 0))
  const commit = (revision: number) =>
    store.trigger.committed({
      collection: 'streams',
      collectionRevision: revision,
      collectionBase: 0,
      id: 'front',
      revision,
      value: {},
    })

  commit(1)
  commit(2)
  subscription.unsubscribe()
  commit(3)

  assert.deepEqual(heard, [1, 2, 3])
  assert.equal(bugs.length, 2)
})

test('a viewer that throws costs neither the engine that delivers nor the other viewers', () => {
  const [heard, bugs]: [number[], unknown[]] = [[], []]
  const board = new PictureBoard((bug) => bugs.push(bug))
  const watch = () => board.watch({ max_width_px: 0, quality: 0, overlay: false, fps: 0 })
  watch()?.pictures.subscribe(throwing)
  watch()?.pictures.subscribe(({ seq }) => heard.push(seq))
  const [kind] = board.wanted()

  const picture = { captured_us: 0, width_px: 1, height_px: 1, passthrough: false, jpeg: new Uint8Array() }
  for (const seq of [1, 2]) board.deliver({ key: kind?.key ?? '', seq, ...picture })

  assert.deepEqual(heard, [1, 2])
  assert.equal(bugs.length, 2)
})

test('a slot keeps the newest value for those who come later', () => {
  const slot = new Latest<number>()

  slot.set(1)
  slot.set(2)

  assert.equal(slot.value, 2)
})

test('a change that a subscriber of a store makes is told to all, after the one that it was told of', () => {
  const store = isolateSubscribers(
    createStore({ context: { n: 0 }, on: { counted: ({ n }) => ({ n: n + 1 }) } }),
    () => {},
  )
  const heard: string[] = []
  store.subscribe(({ context }) => heard.push(`first ${context.n}`))
  store.subscribe(({ context }) => {
    if (context.n === 1) store.trigger.counted()
  })
  store.subscribe(({ context }) => heard.push(`last ${context.n}`))

  store.trigger.counted()

  assert.deepEqual(heard, ['first 1', 'last 1', 'first 2', 'last 2'])
})

test('subscribers that change a store on every change are stopped, and that is recorded as a bug', () => {
  const bugs: unknown[] = []
  const store = isolateSubscribers(
    createStore({ context: { n: 0 }, on: { counted: ({ n }) => ({ n: n + 1 }) } }),
    (bug) => bugs.push(bug),
  )
  const heard: number[] = []
  const { unsubscribe } = store.subscribe(({ context }) => {
    if (context.n > 10_000) throw new Error('it goes on for ever')
    store.trigger.counted()
  })
  store.subscribe(({ context }) => heard.push(context.n))

  store.trigger.counted()
  const rounds = heard.length
  unsubscribe()
  store.trigger.counted()

  assert.ok(rounds < 1000, `${rounds} rounds`)
  assert.match(String(bugs), /^Error: the subscribers of a store have changed it 100 times/)
  assert.equal(heard.length, rounds + 1)
  assert.equal(heard.at(-1), store.getSnapshot().context.n)
})
