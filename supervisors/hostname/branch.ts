// The name of the device.
import * as Effect from 'effect/Effect'
import { hostnameActor } from '../../actors/hostname/hostname-actor.ts'
import { HOST_NAME } from '../../machines/http/host-name.ts'
import { HOSTNAME } from '../../native/hostname/port.ts'
import { branch } from '../composition/branch.ts'
import { SUPERVISOR } from '../composition/tokens.ts'
import { hostnamePorts } from './ports.ts'

export const hostnameBranch = branch({
  ports: hostnamePorts,
  needs: { supervisor: SUPERVISOR, port: HOSTNAME, slot: HOST_NAME },
  start: ({ supervisor, port, slot }) =>
    supervisor.start({ id: 'hostname', incarnate: Effect.sync(() => ({ logic: hostnameActor({ port, slot }) })) }),
})
