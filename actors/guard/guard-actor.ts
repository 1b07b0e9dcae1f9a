// The resource guard, with its effects: when it looks, and for how long what was measured counts.
import * as Effect from 'effect/Effect'
import {
  type GuardActions,
  type GuardEffects,
  type GuardEvent,
  guardMachine,
} from '../../machines/guard/guard-machine.ts'
import { guardSettingsIn } from '../../machines/guard/settings-collection.ts'
import { fromScoped } from '../run.ts'
import type { StreamRegistry } from '../stream/stream-registry.ts'
import type { SystemMetricsSource } from '../system/tokens.ts'
import { type StartTimer, startTimer } from '../timer.ts'
import { Guarding, type GuardingParts } from './guarding.ts'

/** What it works with. */
export interface GuardParts extends GuardingParts {
  readonly streams: Pick<StreamRegistry, 'all' | 'get' | 'subscribe'>
  readonly metrics: Pick<SystemMetricsSource, 'latest' | 'need'>
  /** Whether it may be on at all, whatever the settings say. */
  readonly isAllowed: boolean
  readonly later?: StartTimer
}

/**
 * What was measured counts for so long. It comes each second; a machine that is so busy that this process runs seldom
 * is no reason to give everything back at once, and pressures are averages of ten seconds anyway.
 */
export const FIGURES_COUNT_MS = 10_000

/** The guard of the streams. Whatever ends it, they get back all that they want. */
export const guardActor = (parts: GuardParts) => {
  let guarding: Guarding | undefined
  let tell: (isAnyCut: boolean) => void = () => {}
  return guardMachine.provide({
    actions: {
      restoreStream: (_, stream_id) => {
        if (guarding) tell(guarding.restore(stream_id))
      },
    } satisfies Required<GuardActions>,
    actors: {
      watchStreams: fromScoped<never, void, GuardEvent>((_, { send, guard }) =>
        Effect.gen(function* () {
          let isEnabled: boolean | undefined
          let isAnyRunning: boolean | undefined
          const look = () => {
            const before = { isEnabled, isAnyRunning }
            isEnabled = parts.isAllowed && guardSettingsIn(parts.settings).value.enabled
            isAnyRunning = parts.streams.all().some(({ manifest }) => manifest.enabled)
            if (isAnyRunning !== before.isAnyRunning) send({ type: 'streams.changed', isAnyRunning })
            if (isEnabled !== before.isEnabled) send({ type: 'settings.changed', isEnabled })
          }
          const listener = guard(look)
          const stops = [parts.streams.subscribe(listener), unsubscriber(parts.settings.subscribe(listener))]
          listener()
          yield* Effect.addFinalizer(() =>
            Effect.sync(() => {
              for (const stop of stops) stop()
            }),
          )
          return yield* Effect.never
        }),
      ),
      guardStreams: fromScoped<never, void, GuardEvent>((_, { send, guard }) =>
        Effect.gen(function* () {
          yield* parts.metrics.need
          const own = new Guarding(parts)
          guarding = own
          let wasCut = false
          let isBlind = false
          tell = (isAnyCut) => {
            if (isAnyCut !== wasCut) send({ type: isAnyCut ? 'streams.limited' : 'streams.full' })
            wasCut = isAnyCut
          }
          const forget = guard(() => {
            isBlind = true
            wasCut = false
            own.end()
            send({ type: 'figures.old' })
          })
          const { later = startTimer } = parts
          let unwait = later(FIGURES_COUNT_MS, forget)
          const stop = parts.metrics.latest.subscribe(
            guard((metrics) => {
              if (!metrics) return
              unwait()
              unwait = later(FIGURES_COUNT_MS, forget)
              if (isBlind) send({ type: 'figures.came' })
              isBlind = false
              tell(own.look(metrics))
            }),
          )
          yield* Effect.addFinalizer(() =>
            Effect.sync(() => {
              stop()
              unwait()
              guarding = undefined
              tell = () => {}
              own.end()
            }),
          )
          return yield* Effect.never
        }),
      ),
    } satisfies Required<GuardEffects>,
  })
}

const unsubscriber =
  ({ unsubscribe }: { readonly unsubscribe: () => void }) =>
  () =>
    unsubscribe()
