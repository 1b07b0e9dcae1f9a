// Who this device is to other devices. Its identity is made at the first start, so that it can be told before anybody asks for it.
import * as Effect from 'effect/Effect'
import { IDENTITY } from '../../native/identity/port.ts'
import { branch } from '../composition/branch.ts'
import { trustPorts } from './ports.ts'

export const trustBranch = branch({ ports: trustPorts, needs: { identity: IDENTITY }, start: () => Effect.void })
