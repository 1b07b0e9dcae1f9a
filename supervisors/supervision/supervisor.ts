// Who is started and restarted: one fibre per child, which runs one incarnation after another, for as long as the child
// is wanted. Children know nothing of their siblings.

import * as Clock from 'effect/Clock'
import * as Deferred from 'effect/Deferred'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import * as Result from 'effect/Result'
import * as Scope from 'effect/Scope'
import type { AnyActorLogic, AnyActorRef } from 'xstate'
import type { Fault } from '../../machines/errors/fault.ts'
import type { OnBug } from '../../machines/listeners.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import {
  type ChildSnapshot,
  type ChildStatus,
  findPresent,
  hasComeUp,
  ROUTINE,
} from '../../machines/supervision/child.ts'
import { type AfterCrash, afterCrash, defaultPolicy, type Policy } from '../../machines/supervision/policy.ts'
import { type Crash, type Incarnate, runOnce } from './incarnation.ts'

/** A child to be kept running. */
export interface Child<L extends AnyActorLogic = AnyActorLogic> {
  /** Also the resource its faults concern (`streams/front`). */
  readonly id: string
  readonly incarnate: Incarnate<L>
  /** The service cannot do without it. */
  readonly isEssential?: boolean
  /** The fault of a child that has failed, with the remedy in words; default `child.failed`. */
  readonly failure?: (failure: Failure) => Fault
}

/** The child, whatever it runs: for lists of children of several kinds. */
export const anyChild = <L extends AnyActorLogic>(child: Child<L>): Child => child as unknown as Child

/** Too many crashes in a row. */
export interface Failure {
  /** The fault of the latest. */
  readonly crash: Fault
  readonly crashes: number
  /** Until the next attempt, and between all that follow. */
  readonly retryMs: number
}

/**
 * A turn in a child's life.
 *
 * crashed: with the fault of the crash; bug: what was thrown, for the log. failed: it crashed too often, with the fault
 * that says so. requested: another start was ordered, and follows. stopped: it ended by itself, or was stopped.
 */
export interface LifecycleEvent {
  readonly id: string
  readonly type: 'started' | 'crashed' | 'failed' | 'requested' | 'stopped'
  readonly at_ms: number
  readonly fault?: Fault
  readonly bug?: unknown
}

/** Keeps children running. Closing its scope stops them all at once and waits until each is released. */
export interface Supervisor {
  /** Starts a child; one of the same id is stopped first. Does not wait for either. */
  readonly start: <L extends AnyActorLogic>(child: Child<L>) => Effect.Effect<void>
  /** Stops a child for good, and waits until it is released. */
  readonly stop: (id: string) => Effect.Effect<void>
  /** Ends the present incarnation and starts another at once, with a clean history. False: there is no such child. */
  readonly restart: (id: string) => Effect.Effect<boolean>
  /** The same for a child that waits for its next attempt; one that runs goes on. False: it was not waiting. */
  readonly retry: (id: string) => Effect.Effect<boolean>
  /** undefined while the child is down. */
  readonly actor: (id: string) => AnyActorRef | undefined
  /** Of the child's present actor, also when that has just ended; undefined while it has none. */
  readonly snapshot: (id: string) => ChildSnapshot | undefined
  /** undefined: there is no such child; it ended by itself, was stopped, or never started. */
  readonly status: (id: string) => ChildStatus | undefined
  /** All of them, in order of their first start. */
  readonly children: () => readonly ChildStatus[]
  /** Whether no essential child has failed. */
  readonly isWell: () => boolean
  /** The wall clock was set, and says nowMs by now: what is shown began so much later, but what began since. */
  readonly clockSet: (byMs: number, nowMs: number) => void
  /** Fails as soon as an essential child has failed: there is nothing to run for any more. */
  readonly lost: Effect.Effect<never, Fault>
}

/** What a supervisor works with. */
export interface SupervisorParts {
  /** Told of every turn in a child's life, at once and in order; must not throw. */
  readonly listen: (event: LifecycleEvent) => void
  /** Told of what an observer of a child threw. */
  readonly onBug: (id: string) => OnBug
  readonly policy?: Policy
  /** Told whenever what people are shown of a child may be another; must not throw. */
  readonly look?: (id: string) => void
}

/** Makes a supervisor that lives as long as the scope. */
export const makeSupervisor = ({
  listen,
  onBug,
  policy = defaultPolicy,
  look = () => {},
}: SupervisorParts): Effect.Effect<Supervisor, never, Scope.Scope> =>
  Effect.gen(function* () {
    const fibres = yield* Scope.fork(yield* Effect.scope, 'parallel')
    const lost = yield* Deferred.make<never, Fault>()
    const entries = new Map<string, Entry>()

    /** before: of the same child, which is to be started again. */
    const keep = (child: Child, before?: Entry): Effect.Effect<void> =>
      Effect.gen(function* () {
        const previous = entries.get(child.id)?.fibre
        const since_ms = yield* Clock.currentTimeMillis
        const { restarts = 0, fault = null } = before?.status ?? {}
        const status: ChildStatus = { id: child.id, state: 'starting', since_ms, restarts, fault }
        const isAfterCrash = before?.isAfterCrash ?? false
        const entry: Entry = { child, status, shown: 'starting', crashes: 0, isAfterCrash, startedNs: undefined }
        entries.set(child.id, entry)
        const whole = Effect.gen(function* () {
          if (previous) yield* Effect.uninterruptible(Fiber.interrupt(previous))
          if (before) yield* say(entry, { type: 'requested' })
          yield* live(entry)
        })
        // At once: a fibre that is interrupted before it began would not wait for the previous one.
        entry.fibre = yield* Effect.forkIn(whole, fibres, { startImmediately: true })
      })

    const say = (entry: Entry, event: Omit<LifecycleEvent, 'id' | 'at_ms'>) =>
      Effect.map(Clock.currentTimeMillis, (at_ms) => {
        entry.status = { ...entry.status, ...statusAfter(event, entry) }
        if (event.type === 'crashed' || event.type === 'started') entry.isAfterCrash = event.type === 'crashed'
        noteShown(entry, at_ms)
        listen({ id: entry.child.id, at_ms, ...event })
        look(entry.child.id)
      })

    /** One incarnation after another, until one ends by itself. */
    const live = (entry: Entry): Effect.Effect<void> =>
      Effect.gen(function* () {
        for (;;) {
          const end = yield* Effect.result(incarnationOf(entry))
          if (Result.isSuccess(end)) return
          const next = afterCrash(policy, entry.crashes, yield* ranMs(entry))
          entry.crashes = next.crashes
          yield* say(entry, { type: 'crashed', ...reasonOf(entry, end.failure) })
          if (next.hasFailed) yield* fail(entry, next)
          yield* Effect.sleep(next.delayMs)
        }
      }).pipe(Effect.ensuring(Effect.suspend(() => Effect.andThen(forget(entry), say(entry, { type: 'stopped' })))))

    const incarnationOf = (entry: Entry): Effect.Effect<void, Crash> =>
      runOnce(entry.child.incarnate, onBug(entry.child.id), (actor) =>
        Effect.flatMap(Clock.Clock, (clock) => {
          entry.startedNs = clock.monotonicTimeNanosUnsafe()
          entry.actor = actor
          follow(entry, actor, () => {
            noteShown(entry, clock.currentTimeMillisUnsafe())
            look(entry.child.id)
          })
          return say(entry, { type: 'started' })
        }),
      ).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            delete entry.actor
          }),
        ),
      )

    const fail = (entry: Entry, { crashes, delayMs }: AfterCrash): Effect.Effect<void> => {
      const { child, status } = entry
      const failure = { crash: status.fault as Fault, crashes, retryMs: delayMs }
      const fault = { resource: child.id, ...(child.failure?.(failure) ?? childFailed(child.id, failure)) }
      const end = Effect.andThen(Deferred.fail(lost, fault), Effect.never)
      return Effect.andThen(say(entry, { type: 'failed', fault }), child.isEssential ? end : Effect.void)
    }

    const ranMs = (entry: Entry): Effect.Effect<number> =>
      Effect.map(Clock.monotonicTimeNanos, (nowNs) => {
        const { startedNs = nowNs } = entry
        entry.startedNs = undefined
        return Number(nowNs - startedNs) / 1e6
      })

    const forget = (entry: Entry) =>
      Effect.sync(() => {
        if (entries.get(entry.child.id) === entry) entries.delete(entry.child.id)
      })

    const restartIf = (id: string, applies: (status: ChildStatus) => boolean): Effect.Effect<boolean> =>
      Effect.suspend(() => {
        const entry = entries.get(id)
        if (!entry || !applies(entry.status)) return Effect.succeed(false)
        return Effect.as(keep(entry.child, entry), true)
      })

    return {
      start: (child) => keep(anyChild(child)),
      stop: (id) =>
        Effect.suspend(() => {
          const entry = entries.get(id)
          return entry?.fibre ? Effect.andThen(Fiber.interrupt(entry.fibre), forget(entry)) : Effect.void
        }),
      restart: (id) => restartIf(id, () => true),
      retry: (id) => restartIf(id, ({ state }) => state === 'restarting' || state === 'failed'),
      actor: (id) => {
        const actor = entries.get(id)?.actor
        // one that has ended is still being released
        return actor?.getSnapshot().status === 'active' ? actor : undefined
      },
      snapshot: (id) => entries.get(id)?.actor?.getSnapshot(),
      status: (id) => entries.get(id)?.status,
      children: () => [...entries.values()].map(({ status }) => status),
      isWell: () => [...entries.values()].every(({ child, status }) => !child.isEssential || status.state !== 'failed'),
      clockSet: (byMs, nowMs) => {
        for (const entry of entries.values()) {
          const since_ms = Math.max(0, entry.status.since_ms + byMs)
          if (since_ms <= nowMs) entry.status = { ...entry.status, since_ms }
        }
      },
      lost: Deferred.await(lost),
    }
  })

interface Entry {
  readonly child: Child
  status: ChildStatus
  /** The state in which people were last shown it, or would have been; ROUTINE: one of a routine. */
  shown: string
  /** In a row. */
  crashes: number
  /** It has crashed, and has not been started since. */
  isAfterCrash: boolean
  /** When the present incarnation got to run; undefined: it did not. */
  startedNs: bigint | undefined
  fibre?: Fiber.Fiber<void>
  actor?: AnyActorRef
}

const statusAfter = (
  event: Omit<LifecycleEvent, 'id' | 'at_ms'>,
  { status: { restarts }, isAfterCrash }: Entry,
): Partial<ChildStatus> => {
  if (event.type === 'started') return { state: 'running', restarts: isAfterCrash ? restarts + 1 : restarts }
  if (event.type === 'crashed') return { state: 'restarting', fault: event.fault ?? null }
  if (event.type === 'failed') return { state: 'failed', fault: event.fault ?? null }
  return {}
}

/**
 * Keeps the status true to what the actor says of itself. Its observer is the actor's first, so that a reader of the
 * child's status, when its actor has come up, sees no fault any more.
 */
const follow = (entry: Entry, actor: AnyActorRef, changed: () => void): void => {
  const heed = () => {
    if (entry.status.fault && hasComeUp(actor.getSnapshot())) entry.status = { ...entry.status, fault: null }
    changed()
  }
  actor.subscribe({ next: heed, error: heed, complete: heed })
  heed()
}

/** The one place that notices another state. */
const noteShown = (entry: Entry, at_ms: number): void => {
  const snapshot: ChildSnapshot | undefined = entry.actor?.getSnapshot()
  const { state, isRunning } = findPresent(entry.status, snapshot)
  const shown = isRunning && snapshot?.hasTag?.(ROUTINE as never) ? ROUTINE : state
  if (shown === entry.shown) return
  entry.shown = shown
  entry.status = { ...entry.status, since_ms: at_ms }
}

/** The fault of a crash names the child, unless it concerns something else. */
const reasonOf = ({ child }: Entry, { fault, bug }: Crash): Pick<LifecycleEvent, 'fault' | 'bug'> => ({
  fault: { resource: child.id, ...fault },
  ...(bug === undefined ? {} : { bug }),
})

const childFailed = (id: string, failure: Failure): Fault => ({
  code: 'child.failed',
  detail: oneLine`
    ${failureText(`The part ${id}`, failure)}. If it goes on, restart the service, and report it with the file of GET
    /v1/errors/export.
  `,
})

/**
 * `<What> failed 5 times in a row: <why>. It is tried again every 15 s`; the caller adds what else can be done, and the
 * full stop.
 */
export const failureText = (what: string, { crash, crashes, retryMs }: Failure): string =>
  oneLine`
    ${what} failed ${crashes} times in a row: ${crash.detail.replace(/\.$/, '')}. It is tried again every
    ${retryMs / 1000} s
  `
