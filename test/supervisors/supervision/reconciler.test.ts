// One child for each thing that is wanted, and one that cannot be had is nobody else's trouble.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import * as TestClock from 'effect/testing/TestClock'
import Type, { type Static } from 'typebox'
import { setup } from 'xstate'
import { collection } from '../../../machines/settings/collection.ts'
import { createSettingsStore, documentsOf } from '../../../machines/settings/store.ts'
import { Reconciler, type WantedChildren } from '../../../supervisors/supervision/reconciler.ts'
import { anyChild, makeSupervisor, type Supervisor } from '../../../supervisors/supervision/supervisor.ts'
import { unsaid } from '../../support/api/any-documents.ts'
import { settle } from '../../support/clock/clock.ts'

const lamp = setup({}).createMachine({ id: 'lamp', initial: 'on', states: { on: {} } })

const Wish = Type.Object({ colour: Type.String(), isBroken: Type.Optional(Type.Boolean()) })
type Wish = Static<typeof Wish>

const stored = collection({
  name: 'lamps',
  id: Type.String(),
  schema: Wish,
  limit: 100,
  ...unsaid,
})

interface Room {
  readonly supervisor: Supervisor
  /** Stores a kind, or forgets it. */
  readonly want: (id: string, kind: Wish | undefined) => void
  /** What was asked of the lamps, in order. */
  readonly log: string[]
  readonly bugs: string[]
  /** Makes reading what is wanted throw, as often as told. */
  readonly breakAll: (times: number) => void
  readonly state: (id: string) => string | undefined
}

/** Lamps as wanted by the settings, under a clock that only the test moves. */
const room = (story: (room: Room) => Effect.Effect<unknown, unknown, Scope.Scope>) =>
  Effect.gen(function* () {
    const settings = createSettingsStore()
    const [log, bugs]: [string[], string[]] = [[], []]
    const onBug = (id: string) => (bug: unknown) => bugs.push(`${id}: ${(bug as Error).message}`)
    const supervisor = yield* makeSupervisor({ listen: () => {}, onBug })
    let broken = 0
    let revision = 0
    const lamps: WantedChildren<Wish> = {
      name: 'lamps',
      watch: (changed) => {
        const subscription = settings.subscribe(changed)
        return () => subscription.unsubscribe()
      },
      wanted: () => {
        broken -= 1
        if (broken >= 0) throw new Error('cannot read')
        return new Map(Object.entries(documentsOf(settings, stored)).map(([id, { value }]) => [id, value]))
      },
      isSame: (before, after) => JSON.stringify(before) === JSON.stringify(after),
      start: (id, { colour, isBroken }) => {
        if (isBroken) throw new Error(`${colour} is broken`)
        log.push(`start ${id} ${colour}`)
        return colour === 'none' ? null : anyChild({ id, incarnate: Effect.succeed({ logic: lamp }) })
      },
      change: (id, { colour, isBroken }) => {
        if (isBroken) throw new Error(`${colour} is broken`)
        log.push(`change ${id} ${colour}`)
        return Effect.succeed(colour !== 'none')
      },
      dropped: (id) => log.push(`drop ${id}`),
      stuck: (id, { code }) => log.push(`${id} ${code}`),
    }
    const { child } = new Reconciler(supervisor, onBug, lamps)
    yield* supervisor.start(child)
    yield* TestClock.adjust(0)
    yield* story({
      supervisor,
      log,
      bugs,
      want: (id, value) => {
        revision += 1
        settings.trigger.committed({
          collection: 'lamps',
          collectionRevision: revision,
          collectionBase: 0,
          id,
          revision,
          value,
        })
      },
      breakAll: (times) => {
        broken = times
      },
      state: (id) => supervisor.status(id)?.state,
    })
  }).pipe(Effect.scoped, Effect.provide(TestClock.layer()), Effect.runPromise)

/** Lets everything happen that does not wait for time. */
const settled = Effect.andThen(Effect.promise(settle), TestClock.adjust(0))

const partOf = ({ supervisor }: Room) => ({
  state: supervisor.actor('lamps')?.getSnapshot().value,
  fault: supervisor.actor('lamps')?.getSnapshot().context.fault,
})

test('each kind gets a child; a change is told to it, and with its kind it goes', () =>
  room((parts) =>
    Effect.gen(function* () {
      parts.want('a', { colour: 'red' })
      parts.want('b', { colour: 'blue' })
      yield* settled
      parts.want('a', { colour: 'green' })
      yield* settled
      parts.want('b', undefined)
      yield* settled

      assert.deepEqual(parts.log, ['start a red', 'start b blue', 'change a green', 'drop b'])
      assert.deepEqual([parts.state('a'), parts.state('b')], ['running', undefined])
      assert.deepEqual(partOf(parts), { state: 'in-step', fault: null })
    }),
  ))

test('a child that cannot go on with a change is started anew, or stopped when none shall run', () =>
  room((parts) =>
    Effect.gen(function* () {
      parts.want('a', { colour: 'red' })
      yield* settled
      parts.want('a', { colour: 'none' })
      yield* settled
      assert.deepEqual([parts.log.at(-1), parts.state('a')], ['start a none', undefined])

      parts.want('a', { colour: 'green' })
      yield* settled
      assert.deepEqual([parts.log.at(-1), parts.state('a')], ['start a green', 'running'])
    }),
  ))

test('a kind that throws is recorded with its resource, harms no other, and is tried again with each change', () =>
  room((parts) =>
    Effect.gen(function* () {
      parts.want('a', { colour: 'red', isBroken: true })
      parts.want('b', { colour: 'blue' })
      yield* settled

      assert.equal(parts.state('b'), 'running')
      assert.deepEqual([...new Set(parts.bugs)], ['a: red is broken'])
      assert.ok(parts.log.includes('a child.stuck'))
      const { state, fault } = partOf(parts)
      assert.deepEqual([state, fault.code, fault.resource], ['incomplete', 'child.stuck', 'a'])
      assert.match(fault.detail, /red is broken.*tried again every 15 s/)

      const before = parts.bugs.length
      parts.want('c', { colour: 'white' })
      yield* settled
      assert.equal(parts.state('c'), 'running')
      assert.equal(parts.bugs.length, before + 1)
    }),
  ))

test('a change that throws leaves the child as it is, and is carried out when it can be', () =>
  room((parts) =>
    Effect.gen(function* () {
      parts.want('a', { colour: 'red' })
      yield* settled
      parts.want('a', { colour: 'green', isBroken: true })
      yield* settled
      assert.equal(parts.state('a'), 'running')

      parts.want('a', { colour: 'green' })
      yield* settled
      assert.equal(parts.log.at(-1), 'change a green')
      assert.deepEqual(partOf(parts), { state: 'in-step', fault: null })
    }),
  ))

test('a reconciler that crashes is started again like any child, and its children run on', () =>
  room((parts) =>
    Effect.gen(function* () {
      parts.want('a', { colour: 'red' })
      yield* settled
      const actor = parts.supervisor.actor('a')

      parts.breakAll(1)
      parts.want('b', { colour: 'blue' })
      yield* settled
      assert.equal(parts.state('lamps'), 'restarting')
      assert.equal(parts.supervisor.status('lamps')?.fault?.detail, 'Error: cannot read')

      yield* TestClock.adjust('1 second')
      assert.deepEqual([parts.state('lamps'), parts.state('b')], ['running', 'running'])
      assert.equal(parts.supervisor.actor('a'), actor)
      assert.deepEqual(parts.log, ['start a red', 'start b blue'])
    }),
  ))

test('a child is restarted when that is asked for', () =>
  room((parts) =>
    Effect.gen(function* () {
      parts.want('a', { colour: 'red' })
      parts.want('b', { colour: 'blue' })
      yield* settled
      const [a, b] = [parts.supervisor.actor('a'), parts.supervisor.actor('b')]

      parts.supervisor.actor('lamps')?.send({ type: 'child.restart', ask: 1, id: 'a' })
      yield* settled

      assert.equal(parts.state('a'), 'running')
      assert.notEqual(parts.supervisor.actor('a'), a)
      assert.equal(parts.supervisor.actor('b'), b)
    }),
  ))
