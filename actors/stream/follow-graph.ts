// A stream takes up the stored pipeline of its slot, which has been changed: tried by its engine first, then stored
// with the stream, which switches to it.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { planGraph } from '../../machines/pipeline/plan.ts'
import { changeOrder } from '../../machines/settings/commit.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import { followed } from '../../machines/stream/pipeline-change.ts'
import { cannotRun, copyOf, type SlotGraph } from '../../machines/stream/slots.ts'
import { isOfLostEngine } from '../../machines/stream/what-runs.ts'
import type { WriteSettings } from '../settings/write-settings.ts'
import type { StreamPipeline } from './stream-pipeline.ts'

/** manifest: of the stream, as it is stored. */
interface FollowParts {
  readonly pipeline: Pick<StreamPipeline, 'tried'>
  readonly manifest: CanonicalManifest
  readonly write: WriteSettings
}

/** Fails when it cannot run, or cannot be stored: the previous pipeline goes on. */
export const followGraph = (
  graph: SlotGraph | null,
  { pipeline, manifest, write }: FollowParts,
): Effect.Effect<void, Fault> => {
  if (!graph?.stored) return Effect.void // it has just gone
  const { graph_id, stored } = graph
  const planned = planGraph(stored.value)
  if (!planned.ok) return Effect.fail({ code: 'pipeline.invalid', detail: cannotRun(graph_id, planned) })
  const tried = pipeline.tried({ ...manifest, pipeline: copyOf(planned.graph) }, planned.plan)
  const kept = write(changeOrder(streamCollection, manifest.id, followed(graph_id, planned)))
  return Effect.andThen(
    Effect.mapError(tried, (why) => (isOfLostEngine(why) ? why : notMade(graph_id, why))),
    Effect.mapError(kept, (why) => notStored(graph_id, why)),
  )
}

const notMade = (graph_id: string, { detail }: Fault): Fault => ({
  code: 'pipeline.refused',
  detail: `the engine cannot make the stored pipeline ${graph_id}: ${detail}`,
})

const notStored = (graph_id: string, { code, detail }: Fault): Fault => ({
  code,
  detail: `the stored pipeline ${graph_id} cannot be stored with the stream: ${detail}`,
})
