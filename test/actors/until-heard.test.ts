// Waiting for what a listener hears: however it ends, nobody listens any more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import { untilHeard, untilSo } from '../../actors/until-heard.ts'

/** Something that is told of, and who listens to it. */
const source = <T>() => {
  const listening = new Set<(value: T) => void>()
  return {
    listening,
    add: (listener: (value: T) => void) => {
      listening.add(listener)
      return () => void listening.delete(listener)
    },
    tell: (value: T) => {
      for (const listener of listening) listener(value)
    },
  }
}

test('what is heard ends the wait, and with it the listening', async () => {
  const news = source<number>()
  const heard = Effect.runPromise(untilHeard<number>((done) => news.add((value) => done(Effect.succeed(value)))))
  assert.equal(news.listening.size, 1)

  news.tell(1)
  news.tell(2)

  assert.equal(await heard, 1)
  assert.equal(news.listening.size, 0)
})

test('what is so already is not waited for, and nobody goes on listening', async () => {
  const news = source<void>()

  await Effect.runPromise(untilSo(news.add, () => true))

  assert.equal(news.listening.size, 0)
})

test('a wait that is interrupted or fails listens no more', async () => {
  const news = source<void>()
  const fiber = Effect.runFork(untilSo(news.add, () => false))
  news.tell()
  assert.equal(news.listening.size, 1)

  await Effect.runPromise(Fiber.interrupt(fiber))
  assert.equal(news.listening.size, 0)
  const failed = Effect.runPromiseExit(untilHeard<void, string>((done) => news.add(() => done(Effect.fail('no')))))
  news.tell()

  assert.equal((await failed)._tag, 'Failure')
  assert.equal(news.listening.size, 0)
})
