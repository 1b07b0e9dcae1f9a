// The logs: our own is kept in files from here on, as the settings say, and all can be read.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { logReader } from '../../actors/logs/log-reader.ts'
import { LOG_READER } from '../../actors/logs/tokens.ts'
import { LOG_LEVEL_AT_START } from '../../machines/logs/level.ts'
import { logCollection, logSettingsIn } from '../../machines/logs/settings.ts'
import { CLOCK } from '../../native/clock/port.ts'
import { LOGS, OWN_LOG } from '../../native/logs/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { OPTIONS } from '../composition/tokens.ts'
import { logPorts } from './ports.ts'

/** It starts behind the settings: whoever has the store of this data folder has its log. */
export const logBranch = branch({
  collections: [logCollection],
  ports: logPorts,
  offers: [
    offer(LOG_LEVEL_AT_START, { options: OPTIONS }, ({ options: { log } }) => log.level),
    offer(LOG_READER, { own: OWN_LOG, logs: LOGS, clock: CLOCK }, ({ own, logs, clock }) =>
      logReader({ sources: { own, ...logs }, clock }),
    ),
  ],
  needs: { directory: DIRECTORY, own: OWN_LOG },
  start: ({ directory: { settings }, own }) =>
    Effect.asVoid(
      Effect.acquireRelease(
        Effect.sync(() => {
          const heed = () => own.heed(logSettingsIn(settings).value)
          heed()
          own.open()
          return settings.subscribe(heed)
        }),
        ({ unsubscribe }) => Effect.sync(unsubscribe),
      ),
    ),
})
