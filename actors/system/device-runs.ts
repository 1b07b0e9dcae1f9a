// Notes that the service runs, so that the next start of the device knows whether it went off in the middle. Lives as
// long as the service.
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { Latest } from '../../machines/latest.ts'
import { beginRun, type DeviceRuns, endRun, type RunRecord } from '../../machines/system/release.ts'
import type { Log } from '../../native/log/port.ts'
import type { RunRecordPort, SystemPort } from '../../native/system/port.ts'

/** What it works with. */
export interface DeviceRunsParts {
  readonly port: RunRecordPort
  readonly system: Pick<SystemPort, 'bootId'>
  readonly log: Log
}

/** Of a device of which nothing was noted yet. */
export const NO_RUNS: DeviceRuns = { starts: 0, unsafe_shutdowns: 0, last_was_unsafe: null }

/** Notes it as the scope begins, and as it ends that all is well. runs: told what is known. */
export const noteRuns = (
  { port, system, log }: DeviceRunsParts,
  runs: Latest<DeviceRuns>,
): Effect.Effect<void, never, Scope.Scope> => {
  const write = (record: RunRecord) =>
    Effect.promise(() =>
      port.write(record).catch((error: Error) => {
        log('warn', `whether the device goes off well cannot be noted: ${error.message}`)
      }),
    )
  return Effect.asVoid(
    Effect.acquireRelease(
      Effect.gen(function* () {
        const [before, bootId] = yield* Effect.promise(() => Promise.all([port.read(), system.bootId()]))
        const record = beginRun(before, bootId)
        yield* write(record)
        const { starts, unsafe_shutdowns, last_was_unsafe } = record
        runs.set({ starts, unsafe_shutdowns, last_was_unsafe })
        if (record.last_was_unsafe && before?.boot_id !== record.boot_id)
          log('info', `the device went off while the service ran, ${unsafe_shutdowns} times so far`)
        return record
      }),
      (record) => write(endRun(record)),
    ),
  )
}
