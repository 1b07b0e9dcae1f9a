// The system around the service: what it runs on, and how that does.
import * as Effect from 'effect/Effect'
import { branch } from '../composition/branch.ts'
import { systemPorts } from './ports.ts'

export const systemBranch = branch({ ports: systemPorts, needs: {}, start: () => Effect.void })
