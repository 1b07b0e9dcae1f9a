// The name of the device.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { hostnameActor } from '../../actors/hostname/hostname-actor.ts'
import { hostnameChanged } from '../../machines/hostname/events.ts'
import { HOST_NAME } from '../../machines/http/host-name.ts'
import { HOSTNAME } from '../../native/hostname/port.ts'
import { branch } from '../composition/branch.ts'
import { SUPERVISOR } from '../composition/tokens.ts'
import { hostnamePorts } from './ports.ts'

export const hostnameBranch = branch({
  ports: hostnamePorts,
  events: [hostnameChanged],
  needs: { supervisor: SUPERVISOR, directory: DIRECTORY, port: HOSTNAME, slot: HOST_NAME },
  start: ({ supervisor, directory: { events }, port, slot }) =>
    Effect.gen(function* () {
      const tell = (hostname: string) => events.publish(hostnameChanged, { resource_ref: {}, data: { hostname } })
      yield* Effect.acquireRelease(
        Effect.sync(() => slot.subscribe(tell)),
        (stop) => Effect.sync(stop),
      )
      yield* supervisor.start({
        id: 'hostname',
        incarnate: Effect.sync(() => ({ logic: hostnameActor({ port, slot }) })),
      })
    }),
})
