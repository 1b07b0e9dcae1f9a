// What is told of a program that does not end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import * as TestClock from 'effect/testing/TestClock'
import { linuxI2c } from '../../../native/i2c/linux.ts'
import type { ProgramsPort } from '../../../native/programs/port.ts'
import { FakeSystemFiles } from '../../../native/system-files/fake.ts'

test('a program that the kernel does not let go is left behind after its time and a second', async () => {
  let isLeft = false
  const leave = () => {
    isLeft = true
  }
  const held = Effect.callback<never>(() => Effect.sync(leave))
  const programs: ProgramsPort = { run: () => held, listen: () => held }
  const i2c = linuxI2c({ files: new FakeSystemFiles(), programs, limitMs: 20_000 })

  const fault = await Effect.runPromise(
    Effect.gen(function* () {
      const scan = yield* Effect.forkChild(Effect.flip(i2c.scan(1, [], () => {})))
      yield* TestClock.adjust('20 seconds')
      assert.equal(isLeft, false)
      yield* TestClock.adjust('1 second')
      return yield* Fiber.join(scan)
    }).pipe(Effect.provide(TestClock.layer())),
  )

  assert.equal(fault.code, 'i2c.stuck')
  assert.equal(isLeft, true)
})
