// The console: its sessions, one child for each.
import * as Effect from 'effect/Effect'
import { CONSOLE_SESSIONS, ConsoleSessions } from '../../actors/console/console-sessions.ts'
import { CONSOLES } from '../../actors/console/tokens.ts'
import { DIRECTORY } from '../../actors/directory.ts'
import { consoleChanged } from '../../machines/console/events.ts'
import { CONSOLE_PORT } from '../../native/console/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { LOG, ON_BUG, OPTIONS, supervision } from '../composition/tokens.ts'
import { keepAsWanted } from '../supervision/keep-as-wanted.ts'
import { consoleChildren } from './children.ts'
import { consolePorts } from './ports.ts'

export const consoleBranch = branch({
  events: [consoleChanged],
  ports: consolePorts,
  offers: [
    offer(
      CONSOLE_SESSIONS,
      { directory: DIRECTORY, port: CONSOLE_PORT, log: LOG, options: OPTIONS, onBug: ON_BUG },
      ({ options: { profile, console }, onBug, ...parts }) =>
        new ConsoleSessions({ ...parts, onBug: onBug('console'), isEnabled: console || profile === 'bench' }),
    ),
    offer(CONSOLES, { sessions: CONSOLE_SESSIONS }, ({ sessions }) => sessions),
  ],
  needs: { ...supervision, sessions: CONSOLE_SESSIONS, port: CONSOLE_PORT },
  start: ({ sessions, port, ...supervised }) =>
    Effect.gen(function* () {
      yield* Effect.forkScoped(port.endLeft)
      yield* keepAsWanted(supervised, consoleChildren(sessions, port))
    }),
})
