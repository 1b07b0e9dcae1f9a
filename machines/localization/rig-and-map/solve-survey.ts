// The solve of a survey, as it is asked for and answered across threads.
import type { LocalizationConfig } from '../config.ts'
import type { FieldMap } from '../field-map.ts'
import type { PoseDocument } from '../pose.ts'
import { solveMapOf } from '../solve-map.ts'
import { Bundle } from './bundle.ts'
import { type Proposal, proposalOf } from './proposal.ts'
import { SURVEY_PRIORS, type SurveyRound } from './survey.ts'

/** What is to be solved; it can be cloned. */
export interface SurveyInput {
  readonly map: FieldMap
  /** Of its content. */
  readonly hash: string
  readonly config: LocalizationConfig
  readonly rounds: readonly SurveyRound[]
  /** Of each stream, as the rig has its camera. */
  readonly mounts: ReadonlyMap<string, PoseDocument>
}

/** undefined: what was seen does not fix it. onStep: called before each step, with the share that is done. */
export const solveSurvey = (
  { map, hash, config, rounds, mounts }: SurveyInput,
  onStep: (share: number) => void = () => {},
): Proposal | undefined => {
  const solveMap = solveMapOf(map)
  const bundle = new Bundle(solveMap, { ...config, priors: SURVEY_PRIORS }, rounds)
  const estimates = bundle.solve((step) => onStep(step / Bundle.maxSteps))
  return estimates && proposalOf(estimates, { map, hash, solveMap, config, mounts })
}
