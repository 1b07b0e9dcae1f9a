// Whether an engine can make a plan, for those who do not speak Effect.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Runnable } from '../../machines/pipeline/plan.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import type { PipelineRecord } from '../../machines/stream/pipeline-record.ts'
import type { Engine } from '../../native/engine/port.ts'
import { untilLost } from './stream-pipeline.ts'

/**
 * Why it cannot; null: it can, or nothing can be said, since no camera is open: then it is made when one is. Never
 * rejected.
 */
export type PlanTrial = (runs: Runnable) => Promise<Fault | null>

/**
 * What an engine answers without a camera: also one that was taken away while it made the plan. An engine that ends is
 * no such thing, whatever ends with it.
 */
const WITHOUT_CAMERA: readonly string[] = ['engine.bad_task', 'camera.lost']

/** What a trial works with. */
interface TrialParts {
  readonly engine: Pick<Engine, 'tryPlan'>
  /** Whether a camera is open, asked before and afterwards. */
  readonly isOpen: () => boolean
  readonly manifest: () => CanonicalManifest
  /** In which the trial is noted, in case the engine does not survive it. */
  readonly record: Pick<PipelineRecord, 'tries' | 'passed'>
}

export const planTrialOf =
  ({ engine, isOpen, manifest, record }: TrialParts): PlanTrial =>
  async ({ plan, graph }) => {
    if (!isOpen()) return null
    const tried = { ...manifest(), pipeline: graph }
    const outcome = Effect.match(untilLost(engine.tryPlan(plan), record.tries(tried)), {
      onFailure: (why): Fault | null => why,
      onSuccess: () => null,
    })
    const why = await Effect.runPromise(outcome)
    if (!why) record.passed(tried)
    return why && WITHOUT_CAMERA.includes(why.code) && !isOpen() ? null : why
  }
