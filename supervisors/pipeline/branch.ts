// The stored pipelines: nothing runs for them, streams run copies.
import * as Effect from 'effect/Effect'
import { UNAVAILABLE_NODES } from '../../machines/pipeline/availability.ts'
import { graphCollection } from '../../machines/pipeline/stored-graphs.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'

/** Every engine has every type of the registry: a test holds the addon against it. */
const NONE: ReadonlyMap<string, string> = new Map()

export const pipelineBranch = branch({
  collections: [graphCollection],
  offers: [offer(UNAVAILABLE_NODES, {}, () => () => NONE)],
  needs: {},
  start: () => Effect.void,
})
