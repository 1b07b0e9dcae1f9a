// Who is started, restarted and given up: one fibre per child, which runs one incarnation after another. Children know nothing of their siblings.
import * as Cause from 'effect/Cause'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Fiber from 'effect/Fiber'
import * as Scope from 'effect/Scope'
import type { AnyActorLogic, AnyActorRef } from 'xstate'
import type { Fault } from '../machines/fault.ts'
import { type Crash, type Incarnate, liveOnce } from './incarnation.ts'
import { type Policy, restartSchedule, usualPolicy } from './policy.ts'

/** A child to be kept alive. id: also the resource its faults concern (`streams/front`). */
export interface Child<L extends AnyActorLogic = AnyActorLogic> {
  readonly id: string
  readonly incarnate: Incarnate<L>
  readonly policy?: Policy
}

/** A turn in a child's life. `crashed` and `given-up` carry the fault; bug: what was thrown, for the log. */
export interface Life {
  readonly id: string
  readonly type: 'started' | 'crashed' | 'given-up' | 'stopped' | 'revived'
  readonly at_ms: number
  readonly fault?: Fault
  readonly bug?: unknown
}

/** A child as it is now. restarts: since it was started or revived. fault: of the latest crash, also after it runs again. */
export interface ChildStatus {
  readonly id: string
  readonly state: 'starting' | 'running' | 'backing-off' | 'given-up'
  readonly since_ms: number
  readonly restarts: number
  readonly fault: Fault | null
}

/** Keeps children alive. Closing its scope stops them all at once and waits until each is released. */
export interface Supervisor {
  /** Starts a child; one of the same id is stopped first. Does not wait for either. */
  readonly start: <L extends AnyActorLogic>(child: Child<L>) => Effect.Effect<void>
  /** Stops a child for good, and waits until it is released. */
  readonly stop: (id: string) => Effect.Effect<void>
  /** Starts a child that was given up again, with a clean history. False: it was not given up. */
  readonly revive: (id: string) => Effect.Effect<boolean>
  /** undefined while the child is down. */
  readonly actor: (id: string) => AnyActorRef | undefined
  /** In order of their first start. A child that ended by itself or was stopped is no longer among them. */
  readonly children: () => readonly ChildStatus[]
}

/** Makes a supervisor that lives as long as the scope. listen: told of every turn of life, at once and in order. */
export const makeSupervisor = (listen: (life: Life) => void): Effect.Effect<Supervisor, never, Scope.Scope> =>
  Effect.gen(function* () {
    const fibres = yield* Scope.fork(yield* Effect.scope, 'parallel')
    const entries = new Map<string, Entry>()

    const keep = (child: Child, from: 'started' | 'revived'): Effect.Effect<void> =>
      Effect.gen(function* () {
        const previous = entries.get(child.id)?.fibre
        const entry: Entry = {
          child,
          status: {
            id: child.id,
            state: 'starting',
            since_ms: yield* Clock.currentTimeMillis,
            restarts: 0,
            fault: null,
          },
        }
        entries.set(child.id, entry)
        const whole = Effect.gen(function* () {
          if (previous) yield* Effect.uninterruptible(Fiber.interrupt(previous))
          if (from === 'revived') yield* say(entry, { type: 'revived' })
          yield* lives(entry)
        })
        // At once: a fibre that is interrupted before it began would not wait for the previous one.
        entry.fibre = yield* Effect.forkIn(whole, fibres, { startImmediately: true })
      })

    const say = (entry: Entry, life: Omit<Life, 'id' | 'at_ms'>) =>
      Effect.map(Clock.currentTimeMillis, (at_ms) => {
        entry.status = { ...entry.status, ...statusAfter(life, entry.status), since_ms: at_ms }
        listen({ id: entry.child.id, at_ms, ...life })
      }).pipe(Effect.ignoreCause({ log: 'Error', message: 'a listener to the lives of children threw' }))

    const lives = (entry: Entry): Effect.Effect<void> =>
      liveOnce(entry.child.incarnate, (actor) => {
        entry.actor = actor
        return say(entry, { type: 'started' })
      }).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            delete entry.actor
          }),
        ),
        Effect.tapError((crash) => say(entry, { type: 'crashed', ...reasonOf(entry, crash) })),
        Effect.retry(restartSchedule<Crash>(entry.child.policy ?? usualPolicy)),
        Effect.onExit((exit) => {
          const givenUp = Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)
          if (givenUp) return say(entry, { type: 'given-up', fault: entry.status.fault as Fault })
          return Effect.andThen(forget(entry), say(entry, { type: 'stopped' }))
        }),
        Effect.ignore,
      )

    const forget = (entry: Entry) =>
      Effect.sync(() => {
        if (entries.get(entry.child.id) === entry) entries.delete(entry.child.id)
      })

    return {
      start: (child) => keep(child as unknown as Child, 'started'),
      stop: (id) =>
        Effect.suspend(() => {
          const entry = entries.get(id)
          return entry?.fibre ? Effect.andThen(Fiber.interrupt(entry.fibre), forget(entry)) : Effect.void
        }),
      revive: (id) =>
        Effect.suspend(() => {
          const entry = entries.get(id)
          if (entry?.status.state !== 'given-up') return Effect.succeed(false)
          return Effect.as(keep(entry.child, 'revived'), true)
        }),
      actor: (id) => {
        const actor = entries.get(id)?.actor
        return actor?.getSnapshot().status === 'active' ? actor : undefined // one that has ended is still being released
      },
      children: () => [...entries.values()].map(({ status }) => status),
    }
  })

interface Entry {
  readonly child: Child
  status: ChildStatus
  fibre?: Fiber.Fiber<void>
  actor?: AnyActorRef
}

const statusAfter = (life: Omit<Life, 'id' | 'at_ms'>, before: ChildStatus): Partial<ChildStatus> => {
  if (life.type === 'started') return { state: 'running', restarts: before.fault === null ? 0 : before.restarts + 1 }
  if (life.type === 'given-up') return { state: 'given-up' }
  if (life.type === 'crashed') return { state: 'backing-off', fault: life.fault ?? null }
  return {}
}

/** The fault of a crash names the child, unless it concerns something else. */
const reasonOf = ({ child }: Entry, { fault, bug }: Crash): Pick<Life, 'fault' | 'bug'> => ({
  fault: { resource: child.id, ...fault },
  ...(bug === undefined ? {} : { bug }),
})
