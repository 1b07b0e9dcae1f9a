// Projects of plugins.
import * as Effect from 'effect/Effect'
import { branch } from '../composition/branch.ts'
import { idePorts } from './ports.ts'

export const ideBranch = branch({ ports: idePorts, needs: {}, start: () => Effect.void })
