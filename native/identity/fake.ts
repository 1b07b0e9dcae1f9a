// A device that has another identity at each start.
import { randomUUID } from 'node:crypto'
import * as Effect from 'effect/Effect'
import { madeIdentity } from './certificate.ts'
import type { DeviceIdentity, IdentityPort } from './port.ts'

export const fakeIdentity = (device_id: string = randomUUID()): DeviceIdentity => madeIdentity(device_id)

/** One that has its identity for certain. */
export const fakeIdentityPort = (identity: DeviceIdentity = fakeIdentity()): IdentityPort => ({
  now: () => identity,
  look: Effect.void,
})
