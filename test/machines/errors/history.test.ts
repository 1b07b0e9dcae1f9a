// Counting faults.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Check } from 'typebox/value'
import type { FaultCode } from '../../../machines/errors/catalogue.ts'
import { createErrorHistoryStore, ErrorEntry, errorsOf, MAX_ERRORS } from '../../../machines/errors/history.ts'

const history = () => {
  const store = createErrorHistoryStore()
  const record = (code: FaultCode, at_ms: number, resource?: string) =>
    store.trigger.recorded({
      at_ms,
      fault: { code, detail: `${code} at ${at_ms}`, ...(resource === undefined ? {} : { resource }) },
    })
  return { store, record }
}

test('equal faults are one entry, with the latest sentence and both times', () => {
  const { store, record } = history()

  record('camera.lost', 1, 'streams/front')
  record('camera.lost', 2, 'streams/back')
  record('camera.lost', 3, 'streams/front')
  record('storage.full', 4)

  assert.deepEqual(errorsOf(store), [
    { code: 'storage.full', resource: '', detail: 'storage.full at 4', count: 1, first_at_ms: 4, last_at_ms: 4 },
    {
      code: 'camera.lost',
      resource: 'streams/front',
      detail: 'camera.lost at 3',
      count: 2,
      first_at_ms: 1,
      last_at_ms: 3,
    },
    {
      code: 'camera.lost',
      resource: 'streams/back',
      detail: 'camera.lost at 2',
      count: 1,
      first_at_ms: 2,
      last_at_ms: 2,
    },
  ])
  assert.ok(errorsOf(store).every((entry) => Check(ErrorEntry, entry)))
})

test('the history is bounded: the one quiet for longest goes', () => {
  const { store, record } = history()
  for (let n = 0; n < MAX_ERRORS; n += 1) record('camera.lost', n, `${n}`)

  record('camera.lost', 1000, '0')
  record('camera.lost', 1001, 'new')

  const resources = errorsOf(store).map(({ resource }) => resource)
  assert.equal(resources.length, MAX_ERRORS)
  assert.deepEqual(resources.slice(0, 2), ['new', '0'])
  assert.ok(!resources.includes('1'))
})

test('a very long sentence is cut', () => {
  const store = createErrorHistoryStore()

  store.trigger.recorded({ at_ms: 1, fault: { code: 'picture.corrupt', detail: 'x'.repeat(1_000_000) } })

  assert.equal(errorsOf(store)[0]?.detail.length, 2000)
})

for (const revision of [Number.NaN, -3e9, 0.5, Number.MAX_SAFE_INTEGER])
  test(`the revision goes on rising, and can be expected by clients, after ${revision} was kept`, () => {
    const { store, record } = history()
    const revisionNow = () => store.getSnapshot().context.revision
    store.trigger.loaded({ revision, entries: [] })
    const before = revisionNow()

    record('camera.lost', 9)

    assert.equal(revisionNow(), before + 1)
    assert.match(`"${before}"`, /^"\d{1,15}"$/)
  })

test('what was kept is counted in once, however often it is loaded', () => {
  const { store, record } = history()
  const kept: ErrorEntry = { code: 'camera.lost', resource: '', detail: 'old', count: 5, first_at_ms: 1, last_at_ms: 2 }
  record('camera.lost', 9)

  store.trigger.loaded({ revision: 7, entries: [kept] })
  store.trigger.loaded({ revision: 7, entries: [kept] })

  assert.deepEqual(errorsOf(store), [
    { code: 'camera.lost', resource: '', detail: 'camera.lost at 9', count: 6, first_at_ms: 1, last_at_ms: 9 },
  ])
})

test('what this run recorded is moved when the clock is set, and what earlier runs had stays', () => {
  const { store, record } = history()
  const kept = (code: string, at_ms: number) => ({
    code,
    resource: '',
    detail: 'x',
    count: 1,
    first_at_ms: at_ms,
    last_at_ms: at_ms,
  })
  const times = () =>
    Object.fromEntries(errorsOf(store).map((each) => [each.code, [each.first_at_ms, each.last_at_ms]]))

  record('camera.lost', 10)
  store.trigger.loaded({ revision: 1, entries: [kept('storage.full', 5_000), kept('engine.hung', 6_000)] })
  record('engine.hung', 20)
  store.trigger.clockSet({ by_ms: 100_000 })
  record('http.port_taken', 100_030)
  store.trigger.clockSet({ by_ms: -50 })

  assert.deepEqual(times(), {
    'camera.lost': [99_960, 99_960],
    'storage.full': [5_000, 5_000],
    'engine.hung': [6_000, 99_970],
    'http.port_taken': [99_980, 99_980],
  })
})

test('a history that this run has added nothing to does not change when the clock is set', () => {
  const { store } = history()
  store.trigger.loaded({ revision: 1, entries: [] })
  const before = store.getSnapshot().context

  store.trigger.clockSet({ by_ms: 1_000 })

  assert.equal(store.getSnapshot().context, before)
})
