// A device that is somebody else at each start.
import { randomUUID } from 'node:crypto'
import { madeIdentity } from './certificate.ts'
import type { IdentityPort } from './port.ts'

export const fakeIdentity = (device_id: string = randomUUID()): IdentityPort => madeIdentity(device_id)
