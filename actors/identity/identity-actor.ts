// Looking for the identity of this device until there is one.
import { type IdentityEffects, identityMachine } from '../../machines/identity/identity-machine.ts'
import type { IdentityPort } from '../../native/identity/port.ts'
import { fromEffect } from '../run.ts'

export const identityActor = ({ look }: Pick<IdentityPort, 'look'>) =>
  identityMachine.provide({ actors: { look: fromEffect(() => look) } satisfies Required<IdentityEffects> })
