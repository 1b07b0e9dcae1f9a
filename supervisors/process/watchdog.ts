// Says to whoever started this process that it is ready and goes on well: as long as that is said it is not ended and
// started again, and a version on trial is not given up for it.
import * as Effect from 'effect/Effect'
import type { Notify } from '../../native/notify/port.ts'
import type { Supervisor } from '../supervision/supervisor.ts'

/** Within the time that is allowed it is said so often: one that comes late costs nothing. */
const TIMES = 3

/**
 * Says that the service is ready, and from then on that it is well: its event loop turns, or this would not run, and no
 * part that it cannot do without has failed.
 */
export const feedWatchdog = (notify: Notify, { isWell }: Pick<Supervisor, 'isWell'>): Effect.Effect<void> =>
  Effect.gen(function* () {
    yield* Effect.sync(notify.ready)
    if (notify.watchdogMs === null) return
    const feed = Effect.sync(() => {
      if (isWell()) notify.watchdog()
    })
    yield* feed.pipe(Effect.delay(notify.watchdogMs / TIMES), Effect.forever)
  })
