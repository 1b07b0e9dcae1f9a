// Supervised actors, under a clock that only the test moves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import * as TestClock from 'effect/testing/TestClock'
import { SimulatedClock, setup, spawnChild } from 'xstate'
import { fromScoped } from '../../../actors/run.ts'
import { needed } from '../../../machines/effects.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { COMING_UP, ROUTINE } from '../../../machines/supervision/child.ts'
import { defaultPolicy, type Policy } from '../../../machines/supervision/policy.ts'
import { type Child, type LifecycleEvent, makeSupervisor } from '../../../supervisors/supervision/supervisor.ts'

const overheated: Fault = { code: 'camera.lost', detail: 'the lamp is too hot' }

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
      events: string[]
      full: LifecycleEvent[]
      bugs: unknown[]
      supervisor: Effect.Success<ReturnType<typeof makeSupervisor>>
    },
  ) => Effect.Effect<unknown, unknown, Scope.Scope>,
  policy: Policy = defaultPolicy,
) =>
  Effect.gen(function* () {
    const full: LifecycleEvent[] = []
    const events: string[] = []
    const bugs: unknown[] = []
    const listen = (event: LifecycleEvent) => {
      full.push(event)
      events.push(`${event.id} ${event.type}`)
    }
    const supervisor = yield* makeSupervisor({ listen, onBug: () => (bug) => bugs.push(bug), policy })
    yield* story({ ...lampShop(), events, full, bugs, supervisor })
  }).pipe(Effect.scoped, Effect.provide(TestClock.layer()), Effect.runPromise)

test('a child that is killed comes back, and its siblings do not notice', () =>
  supervised(({ supervisor, lamp, events }) =>
    Effect.gen(function* () {
      yield* supervisor.start(lamp('a'))
      yield* supervisor.start(lamp('b'))
      const [a, b] = [supervisor.actor('a'), supervisor.actor('b')]

      a?.send({ type: 'drop' })
      yield* TestClock.adjust('1 second')

      assert.deepEqual(events, ['a started', 'b started', 'a crashed', 'a started'])
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

/** Spawns a beacon, which flashes every second for as long as it lives; and throws. */
const lighthouseMachine = (flashed: () => void) => {
  const beacon = setup({ delays: { pause: 1000 } }).createMachine({
    initial: 'dark',
    states: { dark: { after: { pause: { target: 'dark', reenter: true, actions: flashed } } } },
  })
  return setup({ actors: { beacon } }).createMachine({
    entry: spawnChild('beacon'),
    on: {
      collapse: {
        actions: [
          spawnChild('beacon'),
          () => {
            throw new Error('collapsed')
          },
        ],
      },
    },
  })
}

test('what a crashed actor had spawned ends with it, its timers too', () =>
  supervised(({ supervisor }) =>
    Effect.gen(function* () {
      let flashes = 0
      const logic = lighthouseMachine(() => {
        flashes += 1
      })
      const clock = new SimulatedClock()
      yield* supervisor.start({ id: 'a', incarnate: Effect.succeed({ logic, options: { clock } }) })
      clock.increment(1000)
      assert.equal(flashes, 1)

      supervisor.actor('a')?.send({ type: 'collapse' })
      clock.increment(5000)

      assert.equal(flashes, 1)
    }),
  ))

/** Comes up when it is told to. */
const engineMachine = setup({ types: { tags: {} as typeof COMING_UP } }).createMachine({
  initial: 'warming-up',
  states: { 'warming-up': { tags: COMING_UP, on: { warm: 'running' } }, running: {} },
  on: {
    drop: {
      actions: () => {
        throw new TypeError('dropped')
      },
    },
  },
})

test('the fault of a crash stays with its child until that is up again, also when started on request', () =>
  supervised(({ supervisor }) =>
    Effect.gen(function* () {
      yield* supervisor.start({ id: 'a', incarnate: Effect.succeed({ logic: engineMachine }) })
      const fault = () => supervisor.status('a')?.fault?.code
      const tell = (type: 'warm' | 'drop') => supervisor.actor('a')?.send({ type })
      assert.equal(fault(), undefined)

      tell('drop')
      yield* TestClock.adjust('1 second')
      assert.equal(fault(), 'actor.crashed')
      yield* supervisor.restart('a')
      yield* TestClock.adjust('1 second')
      assert.deepEqual([supervisor.status('a')?.state, fault()], ['running', 'actor.crashed'])

      tell('warm')
      assert.equal(fault(), undefined)
      assert.equal(supervisor.status('a')?.restarts, 1)
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
        assert.equal(supervisor.children()[0]?.state, 'restarting')
        yield* TestClock.adjust(1)
        assert.equal(supervisor.children()[0]?.state, 'running')
      }

      assert.deepEqual(
        full.filter(({ type }) => type === 'started').map(({ at_ms }) => at_ms),
        [0, 100, 300, 700, 1500],
      )
    }),
  ))

type Supervised = Effect.Success<ReturnType<typeof makeSupervisor>>

const killFiveTimes = (supervisor: Supervised, id: string) =>
  Effect.gen(function* () {
    for (let crash = 0; crash < 5; crash += 1) {
      supervisor.actor(id)?.send({ type: 'overheat' })
      yield* TestClock.adjust('1 second')
    }
  })

test('after the fifth crash in a row a child has failed, with a fault of its own that says what can be done', () =>
  supervised(({ supervisor, lamp, events, full, log }) =>
    Effect.gen(function* () {
      yield* supervisor.start(lamp('a'))
      yield* supervisor.start(lamp('b'))

      yield* killFiveTimes(supervisor, 'a')

      assert.equal(events.filter((event) => event === 'a crashed').length, 5)
      assert.equal(events.at(-1), 'a failed')
      const { fault } = full.at(-1) ?? {}
      assert.deepEqual([fault?.code, fault?.resource], ['child.failed', 'a'])
      assert.match(
        fault?.detail ?? '',
        /a failed 5 times in a row: the lamp is too hot\. It is tried again every 15 s\. /,
      )
      assert.equal(supervisor.actor('a'), undefined)
      assert.equal(log.at(-1), '-a')
      assert.deepEqual(supervisor.status('a')?.fault, fault)
      assert.deepEqual(
        supervisor.children().map(({ id, state }) => [id, state]),
        [
          ['a', 'failed'],
          ['b', 'running'],
        ],
      )
      assert.equal(supervisor.actor('b')?.getSnapshot().status, 'active')
    }),
  ))

test('a child may have words of its own for its failure', () =>
  supervised(({ supervisor, lamp, full }) =>
    Effect.gen(function* () {
      const broken: Fault = { code: 'stream.failed', detail: 'buy another one' }
      yield* supervisor.start(
        lamp('a', { failure: ({ crash, crashes }) => ({ ...broken, context: { crash: crash.code, crashes } }) }),
      )

      yield* killFiveTimes(supervisor, 'a')

      const context = { crash: 'camera.lost', crashes: 5 }
      assert.deepEqual(full.at(-1)?.fault, { ...broken, context, resource: 'a' })
    }),
  ))

test('a child that has failed is tried again every 15 s, for ever', () =>
  supervised(({ supervisor, lamp, full }) =>
    Effect.gen(function* () {
      yield* supervisor.start(lamp('a'))
      yield* killFiveTimes(supervisor, 'a') // the last second of which is waited already
      yield* TestClock.adjust('14 seconds')

      for (let attempt = 0; attempt < 100; attempt += 1) {
        assert.equal(supervisor.status('a')?.state, 'running')
        supervisor.actor('a')?.send({ type: 'overheat' })
        yield* TestClock.adjust(1)
        assert.equal(supervisor.status('a')?.state, 'failed')
        yield* TestClock.adjust(14_999)
      }

      assert.equal(full.filter(({ type }) => type === 'failed').length, 101)
    }),
  ))

test('a child that has failed and then runs well starts afresh', () =>
  supervised(({ supervisor, lamp }) =>
    Effect.gen(function* () {
      yield* supervisor.start(lamp('a'))
      yield* killFiveTimes(supervisor, 'a')
      yield* TestClock.adjust('14 seconds')
      yield* TestClock.adjust(defaultPolicy.goodRunMs)

      supervisor.actor('a')?.send({ type: 'drop' })
      yield* TestClock.adjust(defaultPolicy.firstDelayMs)

      assert.equal(supervisor.status('a')?.state, 'running')
    }),
  ))

const STEP_MS = 100

for (const [runSeconds, maxMs] of [
  [0, defaultPolicy.retryEveryMs],
  [4, defaultPolicy.retryEveryMs],
  [6, defaultPolicy.firstDelayMs],
  [14, defaultPolicy.firstDelayMs],
  [60, defaultPolicy.firstDelayMs],
] as const) {
  test(`a child that crashes again and again after ${runSeconds} s is back after ${maxMs} ms at the latest`, () =>
    supervised(({ supervisor, lamp, full }) =>
      Effect.gen(function* () {
        yield* supervisor.start(lamp('a'))

        for (let crash = 0; crash < 20; crash += 1) {
          yield* TestClock.adjust(runSeconds * 1000)
          supervisor.actor('a')?.send({ type: 'drop' })
          for (let waitedMs = 0; supervisor.status('a')?.state !== 'running'; waitedMs += STEP_MS) {
            assert.ok(waitedMs <= maxMs, `it is not back after crash ${crash + 1}`)
            yield* TestClock.adjust(waitedMs === 0 ? 0 : STEP_MS)
          }
        }

        assert.equal(
          full.some(({ type }) => type === 'failed'),
          maxMs === defaultPolicy.retryEveryMs,
        )
      }),
    ))
}

test('a child that waits for its next attempt can be tried at once, with a clean history; one that runs goes on', () =>
  supervised(({ supervisor, lamp, events }) =>
    Effect.gen(function* () {
      yield* supervisor.start(lamp('a'))
      assert.equal(yield* supervisor.retry('a'), false)
      yield* killFiveTimes(supervisor, 'a')

      assert.equal(yield* supervisor.retry('a'), true)
      assert.deepEqual(events.slice(-4), ['a failed', 'a stopped', 'a requested', 'a started'])
      const status = { id: 'a', state: 'running', since_ms: 5000, restarts: 5, fault: null } as const
      assert.deepEqual(supervisor.status('a'), status)

      supervisor.actor('a')?.send({ type: 'drop' })
      yield* TestClock.adjust('1 second')
      assert.equal(supervisor.status('a')?.state, 'running')
    }),
  ))

test('a child that runs can be restarted: it is released first, and all of it is new', () =>
  supervised(({ supervisor, lamp, log }) =>
    Effect.gen(function* () {
      yield* supervisor.start(lamp('a'))
      const before = supervisor.actor('a')

      assert.equal(yield* supervisor.restart('a'), true)
      yield* TestClock.adjust(0)

      assert.deepEqual(log, ['+a', '+a light', '-a light', '-a', '+a', '+a light'])
      assert.notEqual(supervisor.actor('a'), before)
      assert.deepEqual(
        supervisor.children().map(({ id, state, restarts }) => ({ id, state, restarts })),
        [{ id: 'a', state: 'running', restarts: 0 }],
      )
      assert.equal(yield* supervisor.restart('nobody'), false)
    }),
  ))

test('restarts after crashes and failures are counted, whatever began them; those of a running child are not', () =>
  supervised(({ supervisor, lamp }) =>
    Effect.gen(function* () {
      yield* supervisor.start(lamp('a'))

      yield* killFiveTimes(supervisor, 'a') // four restarts
      yield* supervisor.retry('a') // the fifth
      yield* supervisor.restart('a')
      yield* TestClock.adjust('1 second')
      supervisor.actor('a')?.send({ type: 'drop' })
      yield* TestClock.adjust('1 second')

      assert.equal(supervisor.status('a')?.restarts, 6)
    }),
  ))

test('the state that a child is shown in counts from its own beginning', () =>
  supervised(({ supervisor }) =>
    Effect.gen(function* () {
      const logic = setup({}).createMachine({
        initial: 'dim',
        states: { dim: { on: { turn: 'bright' } }, bright: { on: { touch: {}, turn: 'dim' } } },
      })
      const shown = () => supervisor.status('a')?.since_ms
      yield* TestClock.adjust('1 second')
      yield* supervisor.start({ id: 'a', incarnate: Effect.succeed({ logic }) })
      yield* TestClock.adjust('1 second')
      assert.equal(shown(), 1000)

      supervisor.actor('a')?.send({ type: 'turn' })
      yield* TestClock.adjust('1 second')
      supervisor.actor('a')?.send({ type: 'touch' })
      assert.equal(shown(), 2000)

      supervisor.actor('a')?.send({ type: 'turn' })
      assert.equal(shown(), 3000)
    }),
  ))

test('states of a routine count from the first of them', () =>
  supervised(({ supervisor }) =>
    Effect.gen(function* () {
      const logic = setup({ types: { tags: {} as typeof ROUTINE } }).createMachine({
        initial: 'looking',
        states: {
          looking: { tags: ROUTINE, on: { rest: 'watching' } },
          watching: { tags: ROUTINE, on: { look: 'looking', break: 'broken' } },
          broken: { on: { look: 'looking' } },
        },
      })
      yield* supervisor.start({ id: 'a', incarnate: Effect.succeed({ logic }) })
      const after = (type: 'rest' | 'look' | 'break') =>
        Effect.gen(function* () {
          yield* TestClock.adjust('1 second')
          supervisor.actor('a')?.send({ type })
          return supervisor.status('a')?.since_ms
        })

      assert.deepEqual([yield* after('rest'), yield* after('look'), yield* after('rest')], [0, 0, 0])
      assert.deepEqual([yield* after('break'), yield* after('look'), yield* after('rest')], [4000, 5000, 5000])
    }),
  ))

test('an essential child that has failed is told of, with its fault, and not tried again', () =>
  supervised(({ supervisor, lamp, events }) =>
    Effect.gen(function* () {
      yield* supervisor.start(lamp('a', { isEssential: true }))
      const lost: Fault[] = []
      yield* Effect.forkScoped(Effect.map(Effect.flip(supervisor.lost), (fault) => lost.push(fault)))

      yield* killFiveTimes(supervisor, 'a')

      assert.deepEqual(
        lost.map(({ code, resource }) => [code, resource]),
        [['child.failed', 'a']],
      )
      yield* TestClock.adjust('1 hour')
      assert.equal(events.at(-1), 'a failed')
    }),
  ))

test('what an observer of a child throws is told of, and harms neither the child nor the process', () =>
  supervised(({ supervisor, lamp, bugs, events }) =>
    Effect.gen(function* () {
      const broken = new Error('broken observer')
      yield* supervisor.start(lamp('a'))
      supervisor.actor('a')?.subscribe(() => {
        throw broken
      })

      supervisor.actor('a')?.send({ type: 'retire' })
      yield* TestClock.adjust('1 second')

      assert.deepEqual(bugs, [broken])
      assert.deepEqual(events, ['a started', 'a stopped'])
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
          ['crashed', 'camera.lost'],
          ['started', undefined],
        ],
      )
    }),
  ))

test('an actor that ends by itself is released and not started again', () =>
  supervised(({ supervisor, lamp, events, log }) =>
    Effect.gen(function* () {
      yield* supervisor.start(lamp('a'))

      supervisor.actor('a')?.send({ type: 'retire' })
      yield* TestClock.adjust('1 hour')

      assert.deepEqual(events, ['a started', 'a stopped'])
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
  ['fails', Effect.fail(overheated), 'camera.lost'],
  [
    'throws',
    Effect.sync(() => {
      throw new RangeError('no socket')
    }),
    'actor.crashed',
  ],
] as const) {
  test(`a child whose acquisition ${how} is tried again, first soon and then every 15 s`, () =>
    supervised(({ supervisor, events, full }) =>
      Effect.gen(function* () {
        yield* supervisor.start({ id: 'a', incarnate })

        yield* TestClock.adjust('35 seconds')

        const crashed = Array.from({ length: 5 }, () => 'a crashed')
        assert.deepEqual(events, [...crashed, 'a failed', 'a crashed', 'a failed', 'a crashed', 'a failed'])
        assert.equal(full[0]?.fault?.code, code)
      }),
    ))
}

test('an observer that does not listen for errors does not turn a crash into the end of the process', () =>
  supervised(({ supervisor, lamp, events }) =>
    Effect.gen(function* () {
      const seen: unknown[] = []
      yield* supervisor.start(lamp('a'))
      supervisor.actor('a')?.subscribe((snapshot) => seen.push(snapshot))

      supervisor.actor('a')?.send({ type: 'drop' })
      yield* TestClock.adjust('1 second')

      assert.deepEqual(events, ['a started', 'a crashed', 'a started'])
    }),
  ))

test('stopping waits until the child is released', () =>
  supervised(({ supervisor, lamp, events, log }) =>
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
      assert.deepEqual(events, ['a started', 'a stopped'])
      assert.deepEqual(supervisor.children(), [])
    }),
  ))

test('a child that waits to be restarted can be stopped', () =>
  supervised(({ supervisor, lamp, events }) =>
    Effect.gen(function* () {
      yield* supervisor.start(lamp('a'))
      supervisor.actor('a')?.send({ type: 'drop' })
      yield* TestClock.adjust(1)

      yield* supervisor.stop('a')
      yield* TestClock.adjust('1 hour')

      assert.deepEqual(events, ['a started', 'a crashed', 'a stopped'])
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
    const supervisor = yield* makeSupervisor({ listen: () => {}, onBug: () => () => {} })
    yield* supervisor.start(lamp('a'))
    yield* supervisor.start(lamp('b'))
  }).pipe(Effect.scoped, Effect.runPromise)

  assert.deepEqual(log.slice().sort(), ['+a', '+a light', '+b', '+b light', '-a', '-a light', '-b', '-b light'])
})

test('a supervisor may have a policy of its own', () =>
  supervised(
    ({ supervisor, lamp, events }) =>
      Effect.gen(function* () {
        yield* supervisor.start(lamp('a'))

        supervisor.actor('a')?.send({ type: 'drop' })
        yield* TestClock.adjust('2 seconds')

        assert.deepEqual(events, ['a started', 'a crashed', 'a failed', 'a started'])
      }),
    { ...defaultPolicy, maxRestarts: 0, retryEveryMs: 2000 },
  ))
