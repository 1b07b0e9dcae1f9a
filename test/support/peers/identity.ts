// Who the device of a test is.
import assert from 'node:assert/strict'
import type { Resolve } from '../../../machines/token.ts'
import { type DeviceIdentity, IDENTITY, type IdentityPort, keptIdentity } from '../../../native/identity/port.ts'

/** The identity that there must be. */
export const identityOf = (port: IdentityPort): DeviceIdentity => {
  const identity = keptIdentity(port)
  assert.ok(identity, JSON.stringify(port.now()))
  return identity
}

/** The same of a service. */
export const ownIdentity = ({ resolve }: { readonly resolve: Resolve }): DeviceIdentity => identityOf(resolve(IDENTITY))
