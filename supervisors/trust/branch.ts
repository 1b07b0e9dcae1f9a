// Who this device is to other devices, and which of them it trusts. Its identity is made at the first start, so that it can be told before anybody asks for it.
import * as Effect from 'effect/Effect'
import { trustCollection } from '../../machines/trust/trust-entry.ts'
import { IDENTITY } from '../../native/identity/port.ts'
import { branch } from '../composition/branch.ts'
import { trustPorts } from './ports.ts'

export const trustBranch = branch({
  collections: [trustCollection],
  ports: trustPorts,
  needs: { identity: IDENTITY },
  start: () => Effect.void,
})
