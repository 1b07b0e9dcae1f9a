// How the device does, with its effects: when to look.
import * as Effect from 'effect/Effect'
import { metricsOf, type ServiceProcess, type SystemReading } from '../../machines/system/reading.ts'
import { type SystemEffects, type SystemEvent, systemMachine } from '../../machines/system/system-machine.ts'
import type { Clock } from '../../native/clock/port.ts'
import type { SystemPort } from '../../native/system/port.ts'
import { fromScoped, keep } from '../run.ts'
import type { ConditionKeeper } from './condition-keeper.ts'
import type { MetricsSource } from './metrics-source.ts'

/** What it works with. */
export interface SystemParts {
  readonly port: SystemPort
  readonly source: MetricsSource
  readonly conditions: ConditionKeeper
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicUs'>
  /** Those of the service, as they are now. */
  readonly processes: () => readonly ServiceProcess[]
}

const SAMPLE_EVERY_MS = 1_000
const FIRST_AFTER_MS = 200 // the first sample needs two readings, and somebody waits for it
const LOOK_EVERY = '10 seconds'
const SELDOM = '1 minute' // of a device that tells nothing, where that may be over some time

/** Samples as long as somebody needs it. */
export const systemActor = ({ port, source, conditions, clock, processes }: SystemParts) =>
  systemMachine.provide({
    actors: {
      watchNeeds: fromScoped<never, void, SystemEvent>((_, { send, guard }) =>
        keep(
          () => {
            const tell = guard((isNeeded: boolean) => {
              send({ type: isNeeded ? 'metrics.needed' : 'metrics.unneeded' })
            })
            const stop = source.isNeeded.subscribe(tell)
            if (source.isNeeded.value) tell(true)
            return stop
          },
          (stop) => stop(),
        ),
      ),
      sample: fromScoped<never, void, SystemEvent>((_, { send }) =>
        Effect.gen(function* () {
          const reader = yield* Effect.acquireRelease(
            Effect.sync(() => port.open()),
            (opened) => Effect.sync(() => opened.close()),
          )
          const read = Effect.promise(() => reader.read(processes()))
          let previous: SystemReading = yield* read
          yield* Effect.sleep(FIRST_AFTER_MS)
          for (;;) {
            const startedUs = clock.monotonicUs()
            const now = yield* read
            send({ type: 'condition.seen', fault: conditions.heed(now.throttling, now.at_us) })
            source.take(metricsOf(previous, now, clock.nowMs()))
            previous = now
            source.forget()
            const tookMs = (clock.monotonicUs() - startedUs) / 1_000
            yield* Effect.sleep(Math.max(0, SAMPLE_EVERY_MS - tookMs))
          }
        }),
      ),
      lookNowAndThen: fromScoped<never, void, SystemEvent>((_, { send }) =>
        Effect.gen(function* () {
          for (;;) {
            const seen = yield* Effect.promise(() => port.throttling())
            send({ type: 'condition.seen', fault: conditions.heed(seen, clock.monotonicUs()) })
            yield* Effect.sleep(seen.now === null ? SELDOM : LOOK_EVERY)
          }
        }),
      ),
    } satisfies Required<SystemEffects>,
  })
