// What the room of streams offers to others.
import { token } from '../../machines/token.ts'
import type { FreshPicture } from './fresh-picture.ts'
import type { PipelineOrder } from './pipeline-order.ts'
import type { StreamRegistry } from './stream-registry.ts'

/** All stored streams. */
export const STREAM_REGISTRY = token<StreamRegistry>('stream-registry')

/** Gives one picture of a stream. */
export const FRESH_PICTURE = token<FreshPicture>('fresh-picture')

/** Makes the order that gives a stream another pipeline. */
export const PIPELINE_ORDER = token<PipelineOrder>('pipeline-order')
