// When a part's turns are news.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Part } from '../../../actors/directory.ts'
import { createEventBus } from '../../../actors/events/event-bus.ts'
import { HealthNews } from '../../../actors/health/health-news.ts'
import type { HealthPart } from '../../../machines/health/part.ts'

const well: Part = { name: 'streams/front', state: 'live', since_ms: 1, restarts: 0, fault: null }
const fault = { code: 'camera.busy', detail: 'it was pulled out' } as const
const ill: Part = { ...well, state: 'backing-off', fault }

/** One part, and a clock that a test turns. */
const lab = () => {
  const events = createEventBus({ epoch: 'e', nowMs: () => 0 })
  const told: (string | null)[] = []
  events.subscribe(({ data }) => {
    const { status, part } = data as { status: string; part: HealthPart | null }
    told.push(part && `${status} ${part.state}`)
  })
  let part: Part | undefined = well
  const pauses = new Set<() => void>()
  const news = new HealthNews({
    directory: { events, parts: () => (part ? [part] : []) },
    startTimer: (_delayMs, callback) => {
      pauses.add(callback)
      return () => pauses.delete(callback)
    },
  })
  return {
    told,
    news,
    pauses,
    become: (next: Part | undefined) => {
      part = next
      news.look('streams/front', next)
    },
    pass: () => {
      const due = [...pauses]
      pauses.clear()
      for (const each of due) each()
    },
  }
}

test('states without a fault are no news; a fault is, and its end is', () => {
  const { told, become, pass } = lab()

  for (const state of ['starting', 'opening', 'live']) become({ ...well, state })
  become(ill)
  become({ ...ill, state: 'opening' })
  pass()
  become(well)

  assert.deepEqual(told, ['degraded backing-off', 'ok live'])
})

test('a part that falls and rises on and on is told of once a second, and then as it is', () => {
  const { told, become, pass } = lab()

  for (let round = 0; round < 50; round += 1) {
    become(ill)
    become(well)
  }
  pass()
  pass()

  assert.deepEqual(told, ['degraded backing-off', 'ok live'])
})

test('a part that is gone with its fault is told of, and one that was well is not', () => {
  const { told, become, pass } = lab()
  become(undefined)
  assert.deepEqual(told, [])

  become(ill)
  pass()
  become(undefined)

  assert.deepEqual(told, ['degraded backing-off', null])
})

test('another fault is news, also when its code is the same', () => {
  const { told, become, pass } = lab()
  const other = { ...fault, detail: 'another program has it' }

  become(ill)
  pass()
  become({ ...ill, fault: { ...fault } })
  become({ ...ill, fault: other })
  pass()
  become({ ...ill, fault: other })

  assert.deepEqual(told, ['degraded backing-off', 'degraded backing-off'])
})

test('nothing is told after the end, and no timer is left', () => {
  const { told, news, pauses, become } = lab()
  become(ill)

  news.end()

  assert.deepEqual([told.length, pauses.size], [1, 0])
})
