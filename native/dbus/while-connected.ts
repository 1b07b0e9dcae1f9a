// A use of the bus that outlives the bus: services of the system are restarted, and so is what joins them.
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { DbusConnection, DbusFailure, DbusPort } from './port.ts'

const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 30_000

/** How long it is waited before the next attempt, after so many that failed. */
export const pauseBeforeMs = (failures: number): number => Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS)

/**
 * Does something with a connection, and again with another one whenever the bus is gone: at the first loss after half a
 * second, then after pauses that double. Whatever else it fails with is the end. use: begins with what it needs to know
 * now, since it has not heard what was told meanwhile.
 */
export const whileConnected = <Value>(
  dbus: DbusPort,
  use: (connection: DbusConnection) => Effect.Effect<Value, DbusFailure, Scope.Scope>,
): Effect.Effect<Value, DbusFailure> =>
  Effect.suspend(() => {
    let failures = 0
    const once = Effect.scoped(
      Effect.flatMap(dbus.connect, (connection) => {
        failures = 0
        return Effect.raceFirst(use(connection), connection.lost)
      }),
    )
    const again: Effect.Effect<Value, DbusFailure> = Effect.catch(once, (why) => {
      if (why.kind === 'error' || why.kind === 'unsendable') return Effect.fail(why)
      failures += 1
      return Effect.andThen(Effect.sleep(pauseBeforeMs(failures)), again)
    })
    return again
  })
