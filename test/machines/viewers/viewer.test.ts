import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HalfPart } from '../../../machines/viewers/record.ts'
import {
  afterEvent,
  isWrittenHere,
  newViewer,
  type ViewerEvent,
  type ViewerState,
} from '../../../machines/viewers/viewer.ts'

const half = (sentBytes: number | undefined): HalfPart => ({
  head: new Uint8Array(10),
  jpegBytes: 100,
  positionBytes: 5,
  sentBytes,
})

const EVENTS: readonly ViewerEvent[] = [
  { type: 'handover.available' },
  { type: 'settled' },
  { type: 'held' },
  { type: 'not-held' },
  { type: 'handover.unavailable' },
  { type: 'engine.ended', owed: null },
  { type: 'engine.ended', owed: half(20) },
  { type: 'engine.ended', owed: half(undefined) },
  { type: 'ended' },
]

/** Every state that events lead to, with the states one event further. */
const reachable = (): Map<string, { state: ViewerState; next: ViewerState[] }> => {
  const found = new Map<string, { state: ViewerState; next: ViewerState[] }>()
  const visit = (state: ViewerState): void => {
    const key = JSON.stringify(state)
    if (found.has(key)) return
    const next = EVENTS.map((event) => afterEvent(state, event))
    found.set(key, { state, next })
    next.forEach(visit)
  }
  visit(newViewer)
  return found
}

const walk = (...types: readonly (ViewerEvent | ViewerEvent['type'])[]): ViewerState =>
  types.reduce<ViewerState>(
    (state, event) =>
      afterEvent(state, typeof event === 'string' ? ({ type: event, owed: null } as ViewerEvent) : event),
    newViewer,
  )

test('every state is reached, and from each one a viewer can end, after which nothing happens', () => {
  const states = [...reachable().values()]

  assert.deepEqual(
    new Set(states.map(({ state }) => state.at)),
    new Set(['here', 'handing-over', 'with-engine', 'waiting', 'cut-off', 'ended']),
  )
  for (const { state, next } of states) {
    assert.ok(next.some(({ at }) => at === 'ended'))
    if (state.at === 'ended') assert.ok(next.every((each) => each === state))
  }
})

test('from writing here to writing by the engine leads no step: the socket changes hands in between', () => {
  for (const { state, next } of reachable().values()) {
    if (isWrittenHere(state)) assert.ok(next.every(({ at }) => at !== 'with-engine'))
  }
})

test('a viewer goes with each engine, and waits where there is none', () => {
  assert.equal(walk('handover.available').at, 'handing-over')
  assert.equal(walk('handover.available', 'held').at, 'with-engine')
  assert.equal(walk('handover.available', 'held', 'handover.unavailable').at, 'with-engine') // its process still ends
  assert.equal(walk('handover.available', 'held', 'handover.unavailable', 'engine.ended').at, 'waiting')
  assert.equal(walk('handover.available', 'held', 'engine.ended', 'handover.available', 'held').at, 'with-engine')
})

test('a viewer that an engine does not take is shown pictures from here, until there is another engine', () => {
  assert.equal(walk('handover.available', 'not-held').at, 'here')
  assert.equal(walk('handover.available', 'not-held', 'handover.unavailable').at, 'here')
  assert.equal(walk('handover.available', 'not-held', 'handover.unavailable', 'handover.available').at, 'handing-over')
})

test('who is cut off in the midst of a part is not written to before the next engine has said where he is', () => {
  const cutOff = walk('handover.available', 'held', { type: 'engine.ended', owed: half(undefined) })

  assert.equal(cutOff.at, 'cut-off')
  assert.ok(!isWrittenHere(cutOff))
  const next = afterEvent(cutOff, { type: 'handover.available' })
  assert.equal(afterEvent(next, { type: 'not-held' }).at, 'cut-off')
  assert.equal(afterEvent(afterEvent(next, { type: 'settled' }), { type: 'not-held' }).at, 'here')
})
