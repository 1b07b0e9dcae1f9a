// When the figures of all streams are told, and when they are not even looked at.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as TestClock from 'effect/testing/TestClock'
import { createEventBus } from '../../../actors/events/event-bus.ts'
import { tellFigures } from '../../../actors/stream/figures-news.ts'
import type { StreamRuntime } from '../../../actors/stream/stream-runtime.ts'
import { type LiveFigures, liveFiguresExample } from '../../../machines/stream/live-figures.ts'

/** One stream, and what is told of it. */
const lab = () => {
  const events = createEventBus({ epoch: 'e', nowMs: () => 0 })
  const told: number[] = []
  events.subscribe(({ data }) => told.push((data as { streams: LiveFigures[] }).streams[0]?.viewers ?? -1))
  let looks = 0
  let viewers = 1
  const figures = () => {
    looks += 1
    return { ...liveFiguresExample, viewers }
  }
  const streams = { all: () => [{ figures } as StreamRuntime] }
  return {
    events,
    told,
    looks: () => looks,
    setViewers: (count: number) => {
      viewers = count
    },
    run: (story: Effect.Effect<void>) =>
      Effect.runPromise(
        Effect.gen(function* () {
          yield* Effect.forkScoped(tellFigures({ events, streams }), { startImmediately: true })
          yield* story
        }).pipe(Effect.scoped, Effect.provide(TestClock.layer())),
      ),
  }
}

const seconds = (count: number) => TestClock.adjust(`${count} seconds`)

test('nothing is looked at while nobody listens, nor after the last has left', async () => {
  const { events, told, looks, run } = lab()

  await run(
    Effect.gen(function* () {
      yield* seconds(10)
      assert.equal(looks(), 0)
      const leave = events.attend()
      yield* seconds(3)
      leave()
      const before = looks()
      yield* seconds(10)
      assert.equal(looks(), before)
    }),
  )

  assert.deepEqual(told, [1])
})

test('figures are told when they change, once a second at most', async () => {
  const { events, told, setViewers, run } = lab()

  await run(
    Effect.gen(function* () {
      events.attend()
      yield* seconds(5)
      for (let viewers = 2; viewers <= 10; viewers += 1) {
        setViewers(viewers)
        yield* TestClock.adjust('100 millis')
      }
      yield* seconds(5)
    }),
  )

  assert.deepEqual(told, [1, 10])
})

test('whoever comes later is told within a second, though nothing has changed, also in place of another', async () => {
  const { events, told, run } = lab()

  await run(
    Effect.gen(function* () {
      const leave = events.attend()
      yield* seconds(5)
      leave()
      events.attend()
      yield* seconds(1)
      assert.deepEqual(told, [1, 1])
      yield* seconds(5)
    }),
  )

  assert.deepEqual(told, [1, 1])
})
