// Another pipeline for a stream that runs, whoever wants it: tried by its engine, then stored.
import type { Fault } from '../../machines/errors/fault.ts'
import { planChange } from '../../machines/pipeline/plan-change.ts'
import { planWithoutMissing } from '../../machines/pipeline/without-missing.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { changeOrder, type Expected, staleFault } from '../../machines/settings/commit.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import type { PipelineChange } from '../../machines/stream/pipeline-change.ts'
import { isOfLostEngine } from '../../machines/stream/what-runs.ts'
import type { Command } from '../../machines/supervision/actors.ts'
import type { StreamRuntime } from './stream-runtime.ts'

/**
 * The order that stores another pipeline, once an engine that runs has shown that it can make it. Where only live
 * parameters differ nothing is made. Never rejected; faults: `revision.stale`, `pipeline.refused`.
 */
export type PipelineOrder = (
  stream: Pick<StreamRuntime, 'id' | 'stored' | 'manifest'> & {
    readonly engine: Pick<StreamRuntime['engine'], 'tryPlan'>
  },
  change: PipelineChange,
  expected: Expected,
) => Promise<Command<'settings'> | Fault>

export const pipelineOrder: PipelineOrder = async (stream, { runs, change }, expected) => {
  const stale = staleFault(`${streamCollection.name}/${stream.id}`, stream.stored.revision, expected)
  if (stale) return stale
  const now = planWithoutMissing(stream.manifest.pipeline)
  const isMade = runs && !(now.ok && planChange(now.plan, runs.plan).kind !== 'plan')
  const why = isMade ? await stream.engine.tryPlan?.(runs) : undefined
  if (why) return { code: 'pipeline.refused', detail: refusedBecause(why) }
  return changeOrder(streamCollection, stream.id, change, expected)
}

/** What ended the engine that tried it would end the next one as well. */
const refusedBecause = (why: Fault): string =>
  isOfLostEngine(why)
    ? oneLine`
      the stream goes back to the pipeline of before with another engine, since its engine did not survive making this
      one: ${why.detail}`
    : `the pipeline of before goes on, since the engine cannot make this one: ${why.detail}`
