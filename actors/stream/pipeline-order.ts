// Another pipeline for a stream that runs, whoever wants it: tried by its engine, then stored, or run for a while.
import type { Fault } from '../../machines/errors/fault.ts'
import { planChange } from '../../machines/pipeline/plan-change.ts'
import { planWithoutMissing } from '../../machines/pipeline/without-missing.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { changeOrder, type Expected, Refused, staleFault } from '../../machines/settings/commit.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import type { PipelineChange } from '../../machines/stream/pipeline-change.ts'
import { hasOtherChoice, isOfLostEngine } from '../../machines/stream/what-runs.ts'
import type { Command } from '../../machines/supervision/actors.ts'
import type { StreamRuntime } from './stream-runtime.ts'

/**
 * The order that stores another pipeline, once an engine that runs has shown that it can make it. Where only live
 * parameters differ nothing is made. One that is only to be run for a while runs by then, and the order stores nothing.
 * Never rejected; faults: `revision.stale`, `pipeline.refused`.
 */
export type PipelineOrder = (
  stream: Pick<StreamRuntime, 'id' | 'stored' | 'manifest' | 'wanted' | 'tried'> & {
    readonly engine: Pick<StreamRuntime['engine'], 'tryPlan'>
  },
  change: PipelineChange,
  expected: Expected,
) => Promise<Command<'settings'> | Fault>

export const pipelineOrder: PipelineOrder = async (stream, { runs, trial_s, change }, expected) => {
  const staleBy = (wanted: Expected) =>
    staleFault(`${streamCollection.name}/${stream.id}`, stream.stored.revision, wanted)
  const stale = staleBy(expected)
  if (stale) return stale
  const found = { expected_revisions: [stream.stored.revision] }
  const { turn } = stream.tried
  const now = planWithoutMissing(stream.wanted.value.pipeline)
  const isMade = runs && !(now.ok && planChange(now.plan, runs.plan).kind !== 'plan')
  const why = isMade ? await stream.engine.tryPlan?.(runs) : undefined
  if (why) return { code: 'pipeline.refused', detail: refusedBecause(why) }
  if (runs && typeof trial_s === 'number') {
    // by what others have stored meanwhile, or want to run
    const late = staleBy(found) ?? (stream.tried.turn === turn ? undefined : overtaken(stream.id))
    if (late) return late
    stream.tried.begin(runs.graph, trial_s)
  }
  if (trial_s === null && !choosesOther(stream.manifest, change)) stream.tried.end()
  return changeOrder(streamCollection, stream.id, change, expected)
}

/** That ends a trial when it is stored, without the pipeline of before in between. */
const choosesOther = (manifest: CanonicalManifest, change: PipelineChange['change']): boolean => {
  const after = change(manifest)
  return after instanceof Refused || hasOtherChoice(manifest, after)
}

/** Whoever has asked later has it: another trial, the end of one, another pipeline or slot. */
const overtaken = (id: string): Fault => ({
  code: 'revision.stale',
  detail: oneLine`
    somebody has said anew what the stream ${id} is to run while its engine tried this pipeline; read the stream again
    and repeat`,
})

/** What ended the engine that tried it would end the next one as well. */
const refusedBecause = (why: Fault): string =>
  isOfLostEngine(why)
    ? oneLine`
      the stream goes back to the pipeline of before with another engine, since its engine did not survive making this
      one: ${why.detail}`
    : `the pipeline of before goes on, since the engine cannot make this one: ${why.detail}`
