// What of a stream an engine runs: what makes it another task, and what takes the place of a pipeline that cannot be
// made.
import type { Fault } from '../errors/fault.ts'
import type { CanonicalGraph } from '../pipeline/graph.ts'
import { planGraph } from '../pipeline/plan.ts'
import { isSameJson } from '../settings/same-json.ts'
import type { CanonicalManifest } from './manifest.ts'
import { isComputed } from './sources/traits.ts'

/** What an engine has taken up of a stream: the one truth of which revision is in force. */
export interface Applied {
  /**
   * Of which all is in force; null: of nothing that was stored, since another pipeline takes the place of the one that
   * is wanted.
   */
  readonly revision: number | null
  /** Of which all but perhaps the pipeline is in force. */
  readonly cameraRevision: number
  /** With the pipeline that runs. */
  readonly value: CanonicalManifest
}

/**
 * What the camera was opened with is still right: only names, the mount, what is kept and the pipeline differ. A
 * synthetic camera is really moved, so it opens again.
 */
export const cameraNeedsNoReopening = (before: CanonicalManifest, after: CanonicalManifest): boolean => {
  const ofTheCamera = ({ source, crop, media_grants, intrinsics, map_id, pose }: CanonicalManifest) =>
    JSON.stringify([...[source, crop, media_grants, intrinsics, map_id], isComputed(source) ? pose : null])
  return ofTheCamera(before) === ofTheCamera(after)
}

/** To an engine a name, and places for editors, are nothing. */
export const hasSamePipeline = (
  { pipeline: before }: Pick<CanonicalManifest, 'pipeline'>,
  { pipeline: after }: Pick<CanonicalManifest, 'pipeline'>,
): boolean => {
  const forEngine = ({ nodes, edges, outputs }: CanonicalGraph) => ({ nodes, edges, outputs })
  return before === after || isSameJson(forEngine(before), forEngine(after))
}

/** Whether another pipeline was chosen for a stream: by its graph, or by a slot. */
export const hasOtherChoice = (before: CanonicalManifest, after: CanonicalManifest): boolean =>
  before.active_slot !== after.active_slot || !hasSamePipeline(before, after)

const planned = planGraph({ nodes: [{ id: 'source', type: 'source' }], edges: [], outputs: [] })
if (!planned.ok) throw new Error('a source alone cannot be planned')

/** Nothing is computed of the pictures: they are shown and recorded. */
export const sourceAlone: CanonicalGraph = planned.graph

/** Faults of an engine that is gone: whatever it was doing has ended it, or somebody else has. */
const OF_THE_DEAD: readonly unknown[] = ['engine.crashed', 'engine.hung', 'engine.unavailable']

/**
 * Whether an engine, or who prepares its task, refuses a pipeline: what else may be wrong with an opening is the
 * camera's, or the engine is gone.
 */
export const isOfPipeline = ({ code }: Fault): boolean =>
  /^(engine|pipeline)\./.test(code) && !OF_THE_DEAD.includes(code)

/** Whether the engine that answered this is gone. */
export const isOfLostEngine = ({ code }: Fault): boolean => OF_THE_DEAD.includes(code)

/** Why another pipeline runs than the one that is wanted, with what runs in its place. */
export const standInFault = (runs: CanonicalGraph, { code, detail }: Fault): Fault => ({
  code: code.startsWith('engine.') ? 'pipeline.refused' : code,
  detail:
    runs === sourceAlone
      ? `Pictures come, and nothing is computed of them: ${detail}`
      : `The pipeline of before goes on: ${detail}`,
})
