// What the endpoints of pipelines are made of.
import { DIRECTORY } from '../../actors/directory.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { UNAVAILABLE_NODES } from '../../machines/pipeline/availability.ts'
import type { Given } from '../../machines/token.ts'

export const pipelineNeeds = { directory: DIRECTORY, streams: STREAM_REGISTRY, unavailable: UNAVAILABLE_NODES }

/** directory: where stored pipelines are read. streams: for which a pipeline may be meant. unavailable: what this device does not have. */
export type PipelineParts = Given<typeof pipelineNeeds>
