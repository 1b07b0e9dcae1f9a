// The rig: nothing runs for it, its documents are stored.
import * as Effect from 'effect/Effect'
import { rigCollection } from '../../machines/rig/robot.ts'
import { branch } from '../composition/branch.ts'

export const rigBranch = branch({ collections: [rigCollection], needs: {}, start: () => Effect.void })
