// A stream is switched to one of its slots by number, as a robot does: through the same steps as over HTTP.
import * as Effect from 'effect/Effect'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { PlanOf } from '../../machines/pipeline/plan.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import { pipelineChange } from '../../machines/stream/pipeline-change.ts'
import { type GraphOf, graphIdOf } from '../../machines/stream/slots.ts'
import type { WriteSettings } from '../settings/write-settings.ts'
import { pipelineOrder } from './pipeline-order.ts'
import type { StreamRuntime } from './stream-runtime.ts'

/** What switching works with. */
export interface SwitchParts {
  readonly graphOf: GraphOf
  readonly planOf: PlanOf
  readonly write: WriteSettings
}

/**
 * Whether a stream runs that slot already. One without an active slot counts as 0, unless its slot 0 has a pipeline
 * that it could run. A pipeline that is tried is none of them.
 */
export const hasSlot = ({ manifest, tried }: Pick<StreamRuntime, 'manifest' | 'tried'>, slot: number): boolean =>
  !tried.graph && isSlotOf(manifest, slot)

const isSlotOf = (manifest: CanonicalManifest, slot: number): boolean =>
  manifest.active_slot === slot ||
  (manifest.active_slot === undefined && slot === 0 && graphIdOf(manifest, slot) === undefined)

/**
 * Fails with `slot.empty`, `graph.not_found`, `pipeline.refused`, or why nothing can be stored; the previous pipeline
 * goes on then.
 */
export const switchSlot = (
  stream: StreamRuntime,
  slot: number,
  { graphOf, planOf, write }: SwitchParts,
): Effect.Effect<void, Fault> =>
  Effect.gen(function* () {
    if (isSlotOf(stream.manifest, slot)) return stream.tried.end()
    const change = pipelineChange({ slot }, { manifest: stream.manifest, graphOf, planOf })
    if (isFault(change)) return yield* Effect.fail(asOfSlot(change, slot))
    const order = yield* Effect.promise(() => pipelineOrder(stream, change, {}))
    if (isFault(order)) return yield* Effect.fail(order)
    yield* write(order)
  })

/** What is told of the body of a request, to those who have sent none. */
const asOfSlot = (fault: Fault, slot: number): Fault => {
  if (fault.code !== 'body.invalid') return fault
  const why = fault.errors?.map(({ message }) => message).join(', and ') ?? fault.detail
  return { code: 'pipeline.refused', detail: `the pipeline of slot ${slot} ${why}` }
}
