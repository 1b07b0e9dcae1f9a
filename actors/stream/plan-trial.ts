// Whether an engine can make a plan, for those who do not speak Effect.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Plan } from '../../machines/pipeline/graph.ts'
import type { Engine } from '../../native/engine/port.ts'

/** Why it cannot; null: it can, or nothing can be said, since no camera is open: then it is made when one is. Never rejected. */
export type PlanTrial = (plan: Plan) => Promise<Fault | null>

/** isOpen: whether a camera is, asked before and afterwards. */
export const planTrialOf =
  (engine: Pick<Engine, 'tryPlan'>, isOpen: () => boolean): PlanTrial =>
  async (plan) => {
    if (!isOpen()) return null
    const outcome = Effect.match(engine.tryPlan(plan), { onFailure: (why): Fault | null => why, onSuccess: () => null })
    const why = await Effect.runPromise(outcome)
    return isOpen() ? why : null // it went away meanwhile
  }
