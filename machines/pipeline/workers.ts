// Steps that workers of an engine do, in JavaScript: each is a thread with a heap of its own.
import { MODEL_NODES } from '../models/model-fit.ts'

/** Types of nodes that workers do. */
export const WORKER_NODES = ['script', ...MODEL_NODES] as const
export type WorkerNode = (typeof WORKER_NODES)[number]

export const isWorkerNode = (type: string): type is WorkerNode => (WORKER_NODES as readonly string[]).includes(type)

/** So many nodes of a graph, and so many workers for a plan. */
export const MAX_WORKERS = 4

const LIVE_OF_MODELS = ['timeout_ms', 'min_confidence', 'limit'] as const

/** Their live parameters: a worker is not told of them, and none is started again for them. */
export const LIVE_OF_WORKERS = {
  script: ['timeout_ms'],
  'object-detector': [...LIVE_OF_MODELS, 'max_overlap', 'classes'],
  classifier: LIVE_OF_MODELS,
} as const satisfies Readonly<Record<WorkerNode, readonly string[]>>
