// The stored pipelines: nothing runs for them, streams run copies.
import * as Effect from 'effect/Effect'
import { graphCollection } from '../../machines/pipeline/stored-graphs.ts'
import { branch } from '../composition/branch.ts'
import { pipelinePorts } from './ports.ts'

export const pipelineBranch = branch({
  collections: [graphCollection],
  ports: pipelinePorts,
  needs: {},
  start: () => Effect.void,
})
