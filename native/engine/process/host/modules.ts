// Which types of nodes are done by JavaScript, and by which module.
import type { Plan } from '../../../../machines/pipeline/graph.ts'
import { PORT_KINDS } from '../../../../machines/pipeline/kinds.ts'
import { isWorkerNode, LIVE_OF_WORKERS, type WorkerNode } from '../../../../machines/pipeline/workers.ts'
import { MODEL_FOLDER, versionOfModel } from '../../../models/folder.ts'
import type { HostType } from './module.ts'

/**
 * A model of 256 MB is read from a memory card, and made ready, in half a minute. What takes a picture longer than its
 * node may wait is no use, and ends some time.
 */
const learned: Omit<HostType, 'live'> = {
  load: () => import('./learned.ts'),
  memoryMb: () => 128, // of it the weights are no part
  environment: [MODEL_FOLDER],
  version: ({ model }) => versionOfModel(model),
  prepareLimits: { idleMs: 10_000, busyMs: 60_000, waitedMs: 120_000 },
  runLimits: { idleMs: 5_000, busyMs: 20_000, waitedMs: 120_000 },
}

/** By the type of the node. */
export const HOST_TYPES: Readonly<Record<WorkerNode, HostType>> = {
  script: {
    load: () => import('./script.ts'),
    memoryMb: ({ memory_mb }) => Number(memory_mb),
    live: LIVE_OF_WORKERS.script,
    inputs: PORT_KINDS.flatMap((kind) => (kind === 'image' ? [] : [{ port: kind, kind }])),
    prepareLimits: { idleMs: 5_000, busyMs: 2_000, waitedMs: 60_000 },
    // A script that has not answered after so many pictures will not.
    runLimits: { idleMs: 2_000, busyMs: 1_000, waitedMs: 60_000 },
  },
  'object-detector': { ...learned, live: LIVE_OF_WORKERS['object-detector'] },
  classifier: { ...learned, live: LIVE_OF_WORKERS.classifier },
}

/** undefined: the addon does it. */
export const hostTypeOf = (type: string): HostType | undefined => (isWorkerNode(type) ? HOST_TYPES[type] : undefined)

/** Whether JavaScript, or a plugin, does steps of a plan. */
export const isHosted = ({ steps }: Plan): boolean => steps.some(({ type, plugin }) => plugin || hostTypeOf(type))
