// Finding other devices.
import * as Effect from 'effect/Effect'
import { branch } from '../composition/branch.ts'
import { discoveryPorts } from './ports.ts'

export const discoveryBranch = branch({ ports: discoveryPorts, needs: {}, start: () => Effect.void })
