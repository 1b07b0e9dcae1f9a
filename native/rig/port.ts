// The port of what solves surveys: a second of computing, which holds up nobody.
import type * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Proposal } from '../../machines/localization/rig-and-map/proposal.ts'
import type { SurveyInput } from '../../machines/localization/rig-and-map/solve-survey.ts'
import { token } from '../../machines/token.ts'

/**
 * report: told the share that is done. The proposal is undefined where what was seen does not fix it. What it acquired
 * ends with the scope, also in the middle.
 */
export type SurveySolver = (
  input: SurveyInput,
  report: (share: number) => void,
) => Effect.Effect<Proposal | undefined, Fault, Scope.Scope>

export const SURVEY_SOLVER = token<SurveySolver>('survey-solver')
