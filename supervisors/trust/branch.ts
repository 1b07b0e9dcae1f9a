// Who this device is to other devices, and which of them it trusts. Its identity is made at the first start, so that it
// is known before the first request.
import * as Effect from 'effect/Effect'
import { identityActor } from '../../actors/identity/identity-actor.ts'
import { isFault } from '../../machines/errors/fault.ts'
import { trustCollection } from '../../machines/trust/trust-entry.ts'
import { IDENTITY } from '../../native/identity/port.ts'
import { branch } from '../composition/branch.ts'
import { SUPERVISOR } from '../composition/tokens.ts'
import { trustPorts } from './ports.ts'

export const trustBranch = branch({
  collections: [trustCollection],
  ports: trustPorts,
  needs: { supervisor: SUPERVISOR, identity: IDENTITY },
  start: ({ supervisor, identity }) => {
    const fault = identity.now()
    if (!isFault(fault)) return Effect.void
    const options = { input: { fault } }
    return supervisor.start({
      id: 'identity',
      incarnate: Effect.sync(() => ({ logic: identityActor(identity), options })),
    })
  },
})
