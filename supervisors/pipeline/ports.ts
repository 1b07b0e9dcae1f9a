// The node types that this device does not have.
import { UNAVAILABLE_NODES } from '../../machines/pipeline/availability.ts'
import { unavailableNodes } from '../../native/models/unavailable.ts'
import { port } from '../composition/branch.ts'

export const pipelinePorts = [
  port(UNAVAILABLE_NODES, { device: () => unavailableNodes(), fake: () => () => new Map() }),
]
