// The link to the robot and the embedded server.
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { watchRobotMode } from '../../actors/nt4/robot-mode.ts'
import { NT4_IN_FORCE, NT4_LINK, NT4_SETTINGS, NT4_TURNS, ROBOT_ENABLED } from '../../actors/nt4/tokens.ts'
import { WriteScheduler } from '../../actors/nt4/write-scheduler.ts'
import { Latest } from '../../machines/latest.ts'
import { nt4Link } from '../../machines/nt4/events.ts'
import {
  DEFAULT_PUBLISHING,
  type Nt4AtStart,
  nt4Collection,
  nt4SettingsIn,
  nt4SettingsOf,
} from '../../machines/nt4/settings.ts'
import { addressText } from '../../machines/nt4/target.ts'
import { CLOCK } from '../../native/clock/port.ts'
import { NT4 } from '../../native/nt4/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { LOG, ON_BUG, OPTIONS, RECORD, supervision } from '../composition/tokens.ts'
import { keepAsWanted } from '../supervision/keep-as-wanted.ts'
import { Nt4Children } from './children.ts'
import { nt4Ports } from './ports.ts'

const atStart = (target: string): Nt4AtStart => ({
  target,
  client_name: 'vedette',
  emulate_extcam_api: true,
  publish_own_table: true,
  ...DEFAULT_PUBLISHING,
})

export const nt4Branch = branch({
  collections: [nt4Collection],
  events: [nt4Link],
  ports: nt4Ports,
  offers: [
    offer(NT4_LINK, { onBug: ON_BUG }, ({ onBug }) => new Latest(onBug('nt4-link'))),
    offer(ROBOT_ENABLED, { onBug: ON_BUG }, ({ onBug }) => new Latest(onBug('robot-mode'))),
    offer(NT4_TURNS, { clock: CLOCK }, ({ clock }) => new WriteScheduler(clock.monotonicUs)),
    offer(NT4_SETTINGS, { directory: DIRECTORY, options: OPTIONS }, ({ directory, options }) => {
      const start = atStart(options.nt4)
      return () => nt4SettingsIn(directory.settings, start)
    }),
    offer(NT4_IN_FORCE, { options: OPTIONS }, ({ options }) => {
      const start = atStart(options.nt4)
      return (stored) => nt4SettingsOf(stored, start)
    }),
  ],
  needs: {
    ...supervision,
    directory: DIRECTORY,
    options: OPTIONS,
    log: LOG,
    record: RECORD,
    port: NT4,
    link: NT4_LINK,
    enabled: ROBOT_ENABLED,
    settings: NT4_SETTINGS,
  },
  start: ({ options: { dataDir }, log, record, enabled, ...parts }) =>
    Effect.gen(function* () {
      yield* Effect.acquireRelease(
        Effect.sync(() => watchRobotMode({ link: parts.link, enabled })),
        (stop) => Effect.sync(stop),
      )
      const nt4 = new Nt4Children({
        ...parts,
        persistentFile: join(dataDir, 'nt4-persistent.json'),
        record,
        listening: (at) =>
          log('info', `robot code finds the NT4 server at ${addressText(at)}`, { nt4: addressText(at) }),
        seed: Math.random(),
      })
      parts.lifecycle.add((event) => nt4.connect(event))
      yield* keepAsWanted(parts, nt4)
    }),
})
