// Which of the node types this device has.
import { token } from '../token.ts'

/**
 * Node types that cannot be used here, each with the reason as a part of a sentence: `ONNX Runtime is not installed`.
 * Read again at each call.
 */
export type UnavailableNodes = () => ReadonlyMap<string, string>

/** The node types that this device does not have. */
export const UNAVAILABLE_NODES = token<UnavailableNodes>('unavailable-nodes')
