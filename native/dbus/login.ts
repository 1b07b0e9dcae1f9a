// logind: who restarts the device.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { DbusFailure, DbusPort } from './port.ts'

const LIMIT_MS = 10_000 // it asks polkit first

/** Has the whole device restarted; succeeds when that is ordered. Fails with `device.failed`. */
export const restartDevice = (dbus: DbusPort): Effect.Effect<void, Fault> =>
  Effect.mapError(
    Effect.scoped(
      Effect.flatMap(dbus.connect, (connection) =>
        Effect.asVoid(
          connection.call({
            service: 'org.freedesktop.login1',
            path: '/org/freedesktop/login1',
            interface: 'org.freedesktop.login1.Manager',
            member: 'Reboot',
            signature: 'b',
            body: [false], // nobody is there who could be asked for a password
            limitMs: LIMIT_MS,
          }),
        ),
      ),
    ),
    ({ kind, text }: DbusFailure): Fault => ({
      code: 'device.failed',
      detail: oneLine`
        the device cannot be restarted: ${text}${kind === 'error' ? `. ${REMEDY}` : ''}
      `,
    }),
  )

const REMEDY = oneLine`
  The user of this service needs the right org.freedesktop.login1.reboot, which a rule of polkit gives; or switch the
  device off and on
`
