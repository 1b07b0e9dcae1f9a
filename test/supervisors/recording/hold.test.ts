// How long an engine is held for the file that it writes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Deferred from 'effect/Deferred'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import * as TestClock from 'effect/testing/TestClock'
import { monotonicUs } from '../../../native/clock/system.ts'
import { type FakeEngines, fakeEngines } from '../../../native/engine/fake/fake.ts'
import { endRecordings } from '../../../supervisors/recording/children.ts'
import { incarnateStream } from '../../../supervisors/stream/incarnation.ts'
import { streamRuntime } from '../../support/engine/stream-runtime.ts'

const camera = { id: 'front', source: { backend: 'synthetic' } } as const

const onTestClock = <Value, Failed>(program: Effect.Effect<Value, Failed>): Promise<Value> =>
  Effect.runPromise(Effect.provide(program, TestClock.layer()))

/** Whether there is nothing to wait for. */
const isDone = (program: Effect.Effect<void>) =>
  Effect.timeoutOrElse(Effect.as(program, true), { duration: 0, orElse: () => Effect.succeed(false) })

/** A stream with an engine that is being ended. isEnded: whether it is. */
const ending = (engines: FakeEngines, hold: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const stream = streamRuntime(camera)
    const parts = { engines, record: () => {} } as unknown as Parameters<typeof incarnateStream>[0]
    const scope = yield* Scope.make()
    yield* Scope.provide(incarnateStream(parts)(stream), scope)
    stream.recording.holdEngine(hold)
    let isEnded = false
    const close = Effect.andThen(
      Scope.close(scope, Exit.void),
      Effect.sync(() => {
        isEnded = true
      }),
    )
    yield* Effect.forkDetach(close, { startImmediately: true })
    return () => isEnded
  })

test('an engine is ended when the recording has let go of it', () =>
  onTestClock(
    Effect.gen(function* () {
      const letGo = yield* Deferred.make<void>()
      const isEnded = yield* ending(fakeEngines({ nowUs: monotonicUs }), Deferred.await(letGo))
      yield* TestClock.adjust('1 second')
      const before = isEnded()

      yield* Deferred.succeed(letGo, undefined)
      yield* TestClock.adjust(0)

      assert.deepEqual([before, isEnded()], [false, true])
    }),
  ))

test('a disk that does not answer holds no engine for long', () =>
  onTestClock(
    Effect.gen(function* () {
      const isEnded = yield* ending(fakeEngines({ nowUs: monotonicUs }), Effect.never)

      yield* TestClock.adjust('2 seconds')

      assert.equal(isEnded(), true)
    }),
  ))

test('a service that has waited for its recordings in vain holds no engine for them again', () =>
  onTestClock(
    Effect.gen(function* () {
      const stream = streamRuntime(camera)
      stream.recording.holdEngine(Effect.never)
      yield* Effect.forkDetach(endRecordings({ stop: () => Effect.never }, { all: () => [stream] }), {
        startImmediately: true,
      })

      yield* TestClock.adjust('2 seconds')

      assert.equal(yield* isDone(stream.recording.hold), true)
      stream.recording.holdEngine(Effect.never)
      assert.equal(yield* isDone(stream.recording.hold), true)
    }),
  ))
