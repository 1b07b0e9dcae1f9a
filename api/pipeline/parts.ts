// The parts that the endpoints of pipelines share.
import { DIRECTORY } from '../../actors/directory.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { STORED_MODELS } from '../../machines/models/stored-models.ts'
import { UNAVAILABLE_NODES } from '../../machines/pipeline/availability.ts'
import type { Given } from '../../machines/token.ts'

export const pipelineNeeds = {
  directory: DIRECTORY,
  streams: STREAM_REGISTRY,
  unavailable: UNAVAILABLE_NODES,
  models: STORED_MODELS,
}

/**
 * directory: where stored pipelines are read. streams: for which a pipeline may be meant. unavailable: what this device
 * does not have. models: what it has.
 */
export type PipelineParts = Given<typeof pipelineNeeds>
