// Lives of supervised actors under a clock that only the test moves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import * as TestClock from 'effect/testing/TestClock'
import { setup } from 'xstate'
import { fromScoped } from '../../actors/run.ts'
import { needed } from '../../machines/effects.ts'
import type { Fault } from '../../machines/fault.ts'
import { usualPolicy } from '../../supervisors/policy.ts'
import { type Child, type Life, makeSupervisor } from '../../supervisors/supervisor.ts'

const overheated: Fault = { code: 'lamp.overheated', detail: 'the lamp is too hot' }

/** A machine with every way to end. */
const lampMachine = setup({
  types: { output: {} as { outcome: string; fault?: Fault } },
  actors: { shine: needed<never>('shine') },
}).createMachine({
  id: 'lamp',
  initial: 'on',
  output: ({ event }) => (event.output as { outcome: string } | undefined) ?? { outcome: 'retired' },
  states: {
    on: {
      invoke: { id: 'shine', src: 'shine' },
      on: {
        drop: {
          actions: () => {
            throw new TypeError('dropped')
          },
        },
        retire: 'retired',
        overheat: 'crashed',
      },
    },
    retired: { type: 'final', output: { outcome: 'retired' } },
    crashed: { type: 'final', output: { outcome: 'crashed', fault: overheated } },
  },
})

/** What the lamps of one test hold, in the order in which they took and gave it back. */
const lampShop = () => {
  const log: string[] = []
  const hold = (what: string) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        log.push(`+${what}`)
      }),
      () =>
        Effect.sync(() => {
          log.push(`-${what}`)
        }),
    )
  const lamp = (id: string, change: Partial<Child> = {}): Child => ({
    id,
    incarnate: Effect.as(hold(id), {
      logic: lampMachine.provide({
        actors: { shine: fromScoped<never>(() => Effect.andThen(hold(`${id} light`), Effect.never)) },
      }),
    }),
    ...change,
  })
  return { log, lamp }
}

const supervised = (
  story: (
    parts: ReturnType<typeof lampShop> & {
      lives: string[]
      full: Life[]
      supervisor: Effect.Success<ReturnType<typeof makeSupervisor>>
    },
  ) => Effect.Effect<unknown, unknown, Scope.Scope>,
) =>
  Effect.gen(function* () {
    const full: Life[] = []
    const lives: string[] = []
    const supervisor = yield* makeSupervisor((life) => {
      full.push(life)
      lives.push(`${life.id} ${life.type}`)
    })
    yield* story({ ...lampShop(), lives, full, supervisor })
  }).pipe(Effect.scoped, Effect.provide(TestClock.layer()), Effect.runPromise)

test('a child that is killed comes back, and its siblings do not notice', () =>
  supervised(({ supervisor, lamp, lives }) =>
    Effect.gen(function* () {
      yield* supervisor.start(lamp('a'))
      yield* supervisor.start(lamp('b'))
      const [a, b] = [supervisor.actor('a'), supervisor.actor('b')]

      a?.send({ type: 'drop' })
      yield* TestClock.adjust('1 second')

      assert.deepEqual(lives, ['a started', 'b started', 'a crashed', 'a started'])
      assert.notEqual(supervisor.actor('a'), a)
      assert.equal(supervisor.actor('b'), b)
      assert.equal(b?.getSnapshot().status, 'active')
      assert.equal(supervisor.children()[0]?.restarts, 1)
    }),
  ))

test('a crash releases the scope and the effects of the incarnation before the next begins', () =>
  supervised(({ supervisor, lamp, log }) =>
    Effect.gen(function* () {
      yield* supervisor.start(lamp('a'))

      supervisor.actor('a')?.send({ type: 'drop' })
      yield* TestClock.adjust('1 second')

      assert.deepEqual(log, ['+a', '+a light', '-a light', '-a', '+a', '+a light'])
    }),
  ))

test('the delay doubles with each crash, and a child that is down has no actor', () =>
  supervised(({ supervisor, lamp, full }) =>
    Effect.gen(function* () {
      yield* supervisor.start(lamp('a'))

      for (const delayMs of [100, 200, 400, 800]) {
        supervisor.actor('a')?.send({ type: 'drop' })
        yield* TestClock.adjust(delayMs - 1)
        assert.equal(supervisor.actor('a'), undefined)
        assert.equal(supervisor.children()[0]?.state, 'backing-off')
        yield* TestClock.adjust(1)
        assert.equal(supervisor.children()[0]?.state, 'running')
      }

      assert.deepEqual(
        full.filter(({ type }) => type === 'started').map(({ at_ms }) => at_ms),
        [0, 100, 300, 700, 1500],
      )
    }),
  ))

const killFiveTimes = (supervisor: Effect.Success<ReturnType<typeof makeSupervisor>>, id: string) =>
  Effect.gen(function* () {
    for (let death = 0; death < 5; death += 1) {
      supervisor.actor(id)?.send({ type: 'overheat' })
      yield* TestClock.adjust('1 second')
    }
  })

test('after the fifth death within a minute a child is given up and reported, and everything is released', () =>
  supervised(({ supervisor, lamp, lives, full, log }) =>
    Effect.gen(function* () {
      yield* supervisor.start(lamp('a'))
      yield* supervisor.start(lamp('b'))

      yield* killFiveTimes(supervisor, 'a')
      yield* TestClock.adjust('1 hour')

      assert.equal(lives.filter((life) => life === 'a crashed').length, 5)
      assert.equal(lives.at(-1), 'a given-up')
      assert.deepEqual(full.at(-1)?.fault, { ...overheated, resource: 'a' })
      assert.equal(supervisor.actor('a'), undefined)
      assert.equal(log.at(-1), '-a')
      assert.deepEqual(
        supervisor.children().map(({ id, state }) => [id, state]),
        [
          ['a', 'given-up'],
          ['b', 'running'],
        ],
      )
      assert.equal(supervisor.actor('b')?.getSnapshot().status, 'active')
    }),
  ))

test('deaths that are far enough apart never give a child up', () =>
  supervised(({ supervisor, lamp, lives }) =>
    Effect.gen(function* () {
      yield* supervisor.start(lamp('a'))

      for (let death = 0; death < 20; death += 1) {
        supervisor.actor('a')?.send({ type: 'drop' })
        yield* TestClock.adjust('20 seconds')
      }

      assert.equal(lives.filter((life) => life === 'a started').length, 21)
      assert.ok(!lives.includes('a given-up'))
    }),
  ))

test('a child that was given up is revived with a clean history', () =>
  supervised(({ supervisor, lamp, lives }) =>
    Effect.gen(function* () {
      yield* supervisor.start(lamp('a'))
      assert.equal(yield* supervisor.revive('a'), false)
      yield* killFiveTimes(supervisor, 'a')

      assert.equal(yield* supervisor.revive('a'), true)
      assert.deepEqual(lives.slice(-3), ['a given-up', 'a revived', 'a started'])
      assert.deepEqual(supervisor.children()[0], {
        id: 'a',
        state: 'running',
        since_ms: 5000,
        restarts: 0,
        fault: null,
      })

      supervisor.actor('a')?.send({ type: 'drop' })
      yield* TestClock.adjust('1 second')
      assert.equal(supervisor.children()[0]?.state, 'running')
    }),
  ))

test('an actor that says it crashed is restarted, and its fault is reported', () =>
  supervised(({ supervisor, lamp, full }) =>
    Effect.gen(function* () {
      yield* supervisor.start(lamp('a'))

      supervisor.actor('a')?.send({ type: 'overheat' })
      yield* TestClock.adjust('1 second')

      assert.deepEqual(
        full.map(({ type, fault }) => [type, fault?.code]),
        [
          ['started', undefined],
          ['crashed', 'lamp.overheated'],
          ['started', undefined],
        ],
      )
    }),
  ))

test('an actor that ends by itself is released and not started again', () =>
  supervised(({ supervisor, lamp, lives, log }) =>
    Effect.gen(function* () {
      yield* supervisor.start(lamp('a'))

      supervisor.actor('a')?.send({ type: 'retire' })
      yield* TestClock.adjust('1 hour')

      assert.deepEqual(lives, ['a started', 'a stopped'])
      assert.equal(log.at(-1), '-a')
      assert.deepEqual(supervisor.children(), [])
    }),
  ))

test('what is thrown reaches the listener with its fault made from it', () =>
  supervised(({ supervisor, lamp, full }) =>
    Effect.gen(function* () {
      yield* supervisor.start(lamp('a'))

      supervisor.actor('a')?.send({ type: 'drop' })
      yield* TestClock.adjust(0)

      assert.deepEqual(full[1]?.fault, { code: 'actor.crashed', detail: 'TypeError: dropped', resource: 'a' })
      assert.ok(full[1]?.bug instanceof TypeError)
    }),
  ))

for (const [how, incarnate, code] of [
  ['fails', Effect.fail(overheated), 'lamp.overheated'],
  [
    'throws',
    Effect.sync(() => {
      throw new RangeError('no socket')
    }),
    'actor.crashed',
  ],
] as const) {
  test(`a child whose acquisition ${how} is tried again and then given up`, () =>
    supervised(({ supervisor, lives, full }) =>
      Effect.gen(function* () {
        yield* supervisor.start({ id: 'a', incarnate })

        yield* TestClock.adjust('1 hour')

        assert.deepEqual(lives, [...Array.from({ length: 5 }, () => 'a crashed'), 'a given-up'])
        assert.equal(full.at(-1)?.fault?.code, code)
      }),
    ))
}

test('an observer that does not listen for errors does not turn a crash into the end of the process', () =>
  supervised(({ supervisor, lamp, lives }) =>
    Effect.gen(function* () {
      const seen: unknown[] = []
      yield* supervisor.start(lamp('a'))
      supervisor.actor('a')?.subscribe((snapshot) => seen.push(snapshot))

      supervisor.actor('a')?.send({ type: 'drop' })
      yield* TestClock.adjust('1 second')

      assert.deepEqual(lives, ['a started', 'a crashed', 'a started'])
    }),
  ))

test('stopping waits until the child is released', () =>
  supervised(({ supervisor, lamp, lives, log }) =>
    Effect.gen(function* () {
      const slow: Child = lamp('a')
      const incarnate = Effect.andThen(
        Effect.addFinalizer(() =>
          Effect.andThen(
            Effect.promise(() => new Promise((resolve) => setImmediate(resolve))),
            Effect.sync(() => {
              log.push('slow')
            }),
          ),
        ),
        slow.incarnate,
      )
      yield* supervisor.start({ ...slow, incarnate })

      yield* supervisor.stop('a')

      assert.deepEqual(log, ['+a', '+a light', '-a light', '-a', 'slow'])
      assert.deepEqual(lives, ['a started', 'a stopped'])
      assert.deepEqual(supervisor.children(), [])
    }),
  ))

test('a child that waits to be restarted can be stopped', () =>
  supervised(({ supervisor, lamp, lives }) =>
    Effect.gen(function* () {
      yield* supervisor.start(lamp('a'))
      supervisor.actor('a')?.send({ type: 'drop' })
      yield* TestClock.adjust(1)

      yield* supervisor.stop('a')
      yield* TestClock.adjust('1 hour')

      assert.deepEqual(lives, ['a started', 'a crashed', 'a stopped'])
    }),
  ))

test('starting a child again replaces it, one after the other', () =>
  supervised(({ supervisor, lamp, log }) =>
    Effect.gen(function* () {
      yield* supervisor.start(lamp('a'))

      yield* supervisor.start(lamp('a'))
      yield* supervisor.start(lamp('a'))
      yield* TestClock.adjust('1 second')

      const once = ['+a', '+a light', '-a light', '-a']
      assert.deepEqual(log.slice(-6), [...once, '+a', '+a light'])
      assert.equal(log.filter((entry) => entry === '+a').length - log.filter((entry) => entry === '-a').length, 1)
      assert.equal(supervisor.children().length, 1)
    }),
  ))

test('a replacement that is stopped at once still waits for the one before', () =>
  supervised(({ supervisor, lamp, log }) =>
    Effect.gen(function* () {
      yield* supervisor.start(lamp('a'))

      yield* supervisor.start(lamp('a'))
      yield* supervisor.stop('a')

      assert.equal(log.at(-1), '-a')
      assert.equal(supervisor.actor('a'), undefined)
    }),
  ))

test('closing the supervisor releases all children', async () => {
  const { log, lamp } = lampShop()

  await Effect.gen(function* () {
    const supervisor = yield* makeSupervisor(() => {})
    yield* supervisor.start(lamp('a'))
    yield* supervisor.start(lamp('b'))
  }).pipe(Effect.scoped, Effect.runPromise)

  assert.deepEqual(log.slice().sort(), ['+a', '+a light', '+b', '+b light', '-a', '-a light', '-b', '-b light'])
})

test('a policy of its own applies to one child', () =>
  supervised(({ supervisor, lamp, lives }) =>
    Effect.gen(function* () {
      yield* supervisor.start(lamp('a', { policy: { ...usualPolicy, maxRestarts: 0 } }))

      supervisor.actor('a')?.send({ type: 'drop' })
      yield* TestClock.adjust('1 hour')

      assert.deepEqual(lives, ['a started', 'a crashed', 'a given-up'])
    }),
  ))
