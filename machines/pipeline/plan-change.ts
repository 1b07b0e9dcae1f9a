// The change from the running plan of an engine to another.
import { isSameJson } from '../settings/same-json.ts'
import type { Plan, PlanStep, StepParams } from './graph.ts'
import { typeOfStep } from './planning/type-of-step.ts'

/**
 * none: they do the same. params: only parameters differ that take effect between two frames; all of those steps. plan:
 * another one is to be made.
 */
export type PlanChange =
  | { readonly kind: 'none' }
  | { readonly kind: 'params'; readonly steps: readonly StepParams[] }
  | { readonly kind: 'plan' }

/** How `after` differs from `before`, which is being run. */
export const planChange = (before: Plan, after: Plan): PlanChange => {
  const differ = after.steps.flatMap((step, n) => {
    const was = before.steps[n]
    return isSameJson(step, was) ? [] : [{ was, step }]
  })
  const isSameShape =
    before.steps.length === after.steps.length &&
    before.slots === after.slots &&
    isSameJson(before.outputs, after.outputs)
  if (!isSameShape || !differ.every(({ was, step }) => differsLive(was, step))) return { kind: 'plan' }
  return differ.length === 0
    ? { kind: 'none' }
    : { kind: 'params', steps: differ.map(({ step: { id, params } }) => ({ id, params })) }
}

/** Whether the one differs from the other in live parameters alone. */
const differsLive = (before: PlanStep | undefined, { params, ...step }: PlanStep): boolean => {
  if (!before) return false
  const { params: paramsBefore, ...stepBefore } = before
  const changed = Object.keys(params).filter((name) => !isSameJson(params[name], paramsBefore[name]))
  return isSameJson(step, stepBefore) && changed.every((name) => isLive(step, name))
}

/** Of what plugins do all is. */
const isLive = (step: Pick<PlanStep, 'type' | 'plugin'>, name: string): boolean =>
  step.plugin !== undefined || typeOfStep(step).live?.includes(name) === true
