// Which nodes cannot be used for want of the runtime of models. Every engine has the C++ of all types: a test holds the
// addon against the registry.
import { MODEL_NODES } from '../../machines/models/model-fit.ts'
import type { UnavailableNodes } from '../../machines/pipeline/availability.ts'
import { runtimeComplaint } from './runtime.ts'

/**
 * Looks once: what is installed changes with the next start. complaint: why there is no runtime; undefined: there is.
 */
export const unavailableNodes = (complaint = runtimeComplaint): UnavailableNodes => {
  const why = complaint()
  const missing = new Map(why === undefined ? [] : MODEL_NODES.map((type) => [type, why] as const))
  return () => missing
}
