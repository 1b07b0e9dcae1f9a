// The pipeline of a stream in the engine of one incarnation: what that was told to run, and what it is about to make,
// noted in case it does not survive that.
import * as Cause from 'effect/Cause'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { Plan } from '../../machines/pipeline/graph.ts'
import { planChange } from '../../machines/pipeline/plan-change.ts'
import { planWithoutMissing } from '../../machines/pipeline/without-missing.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import type { PipelineRecord } from '../../machines/stream/pipeline-record.ts'
import type { Opening } from '../../machines/stream/stream-machine.ts'
import { isOfLostEngine, sourceAlone } from '../../machines/stream/what-runs.ts'
import type { Engine } from '../../native/engine/port.ts'

/** What an engine runs, and is to run. record: outlives it. */
export class StreamPipeline {
  readonly #engine: Pick<Engine, 'setPlan' | 'setParams' | 'tryPlan'>
  readonly #record: PipelineRecord
  /** What it has made and runs; undefined while that is not certain. */
  #plan: Plan | undefined
  /** How often something was stored that plans read when they are made. */
  #stored = 0

  constructor(engine: Pick<Engine, 'setPlan' | 'setParams' | 'tryPlan'>, record: PipelineRecord) {
    this.#engine = engine
    this.#record = record
    record.engineStarted()
  }

  /** The manifest that a camera is opened with. Fails when there is none, or its pipeline is better left alone. */
  manifestFor({ stored: { value }, runs }: Opening): Effect.Effect<CanonicalManifest, Fault> {
    if (runs === 'source-alone') return Effect.succeed({ ...value, pipeline: sourceAlone })
    if (runs === 'stored') return this.#unobjected(value)
    const pipeline = this.#record.previous(value)
    return pipeline ? this.#unobjected({ ...value, pipeline }) : Effect.fail(noOther)
  }

  /** Runs what opens the camera, with the plan of that manifest. */
  opened<Answer>(
    manifest: CanonicalManifest,
    plan: Plan,
    open: Effect.Effect<Answer, Fault>,
  ): Effect.Effect<Answer, Fault> {
    return this.#begun(manifest, plan, open)
  }

  /** Has the engine run the pipeline of a manifest on the pictures that come. */
  switchedTo(manifest: CanonicalManifest): Effect.Effect<void, Fault> {
    return Effect.gen({ self: this }, function* () {
      const plan = yield* planOf(yield* this.#unobjected(manifest))
      const before = this.#plan
      const change = before ? planChange(before, plan) : ({ kind: 'plan' } as const)
      if (change.kind === 'plan') {
        const keep = this.#keeping(before)
        const refused = () => Effect.sync(keep)
        return yield* Effect.tapError(this.#begun(manifest, plan, this.#engine.setPlan(plan)), refused)
      }
      if (change.kind === 'params') this.#engine.setParams(change.steps)
      this.#plan = plan
      this.#record.runs(manifest)
    })
  }

  /** Has the engine make it by way of trial, where it would make it to run it. */
  tried(manifest: CanonicalManifest, plan: Plan): Effect.Effect<void, Fault> {
    if (this.#plan && planChange(this.#plan, plan).kind !== 'plan') return Effect.void
    return Effect.andThen(
      this.#unobjected(manifest),
      Effect.suspend(() => untilLost(this.#engine.tryPlan(plan), this.#record.tries(manifest))),
    )
  }

  /** What it was told is right, and what it has read for that is not any more. */
  hasReadOther(): void {
    this.#stored += 1
    this.#plan = undefined
    this.#record.forgive()
  }

  /** Whether the engine survives it: what it was told before is not certain until it has answered. */
  #begun<Answer>(
    manifest: CanonicalManifest,
    plan: Plan,
    made: Effect.Effect<Answer, Fault>,
  ): Effect.Effect<Answer, Fault> {
    return Effect.suspend(() => {
      this.#plan = undefined
      this.#record.begins(manifest)
      const keep = this.#keeping(plan)
      const answered = Effect.tap(made, () =>
        Effect.sync(() => {
          keep()
          this.#record.runs(manifest)
        }),
      )
      return untilLost(answered, () => this.#record.refused())
    })
  }

  /** Says later that a plan is what runs, unless something was stored by then that it may have read before. */
  #keeping(plan: Plan | undefined): () => void {
    const stored = this.#stored
    return () => {
      if (this.#stored === stored) this.#plan = plan
    }
  }

  #unobjected(manifest: CanonicalManifest): Effect.Effect<CanonicalManifest, Fault> {
    return Effect.suspend(() => {
      const why = this.#record.objection(manifest)
      return why ? Effect.fail(why) : Effect.succeed(manifest)
    })
  }
}

/** The plan of a manifest that was stored by another version may be none. What plugins lack is left out of it. */
export const planOf = ({ pipeline }: CanonicalManifest): Effect.Effect<Plan, Fault> => {
  const planned = planWithoutMissing(pipeline)
  if (planned.ok) return Effect.succeed(planned.plan)
  const detail = `The pipeline cannot be planned: ${planned.why}.`
  return Effect.fail({ code: 'pipeline.invalid', detail })
}

/** Runs a program, and tells when it is over, unless the engine is: then it stands noted. */
export const untilLost = <Answer>(
  program: Effect.Effect<Answer, Fault>,
  over: () => void,
): Effect.Effect<Answer, Fault> =>
  Effect.onExit(program, (exit) =>
    Effect.sync(() => {
      const why = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
      if (!isFault(why) || !isOfLostEngine(why)) over()
    }),
  )

const noOther: Fault = { code: 'pipeline.refused', detail: 'no other pipeline is known that has run before' }
