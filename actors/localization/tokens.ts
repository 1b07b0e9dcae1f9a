// What others know of localization: what was solved last, and how it stands.
import type { Latest } from '../../machines/latest.ts'
import type { LensChecks } from '../../machines/localization/lens-checks.ts'
import type { TagCounts } from '../../machines/localization/rejected-tags.ts'
import type { SurveyRequest } from '../../machines/localization/rig-and-map/survey.ts'
import type { RoundSolver, SolvedRound } from '../../machines/localization/round-solver.ts'
import type { Solved } from '../../machines/localization/solution.ts'
import type { UsedMap, UsedStream } from '../../machines/localization/solve-document.ts'
import type { SolvedBy } from '../../machines/localization/solve-rounds.ts'
import type { LocalizationState } from '../../machines/localization/state.ts'
import { token } from '../../machines/token.ts'
import type { Work } from '../jobs/jobs.ts'
import type { ExternalSamples } from './external-samples.ts'

/** Localization as others see it. */
export interface Localization {
  /** Of the newest round; undefined before the first, and after the config, the map or a mount has changed. */
  readonly solved: Latest<Solved | undefined>
  /** The newest round itself, with what is known by it. */
  readonly rounds: Latest<SolvedRound>
  readonly state: () => LocalizationState
  /** All streams of this device. */
  readonly streams: () => readonly UsedStream[]
  /** Calls back when the state, the streams or the map may be others; returns the way to stop that. */
  readonly onChanged: (listener: () => void) => () => void
  /** How many tags were not used within the last second, by why. */
  readonly rejected: () => TagCounts
  /** The map by which is solved; null: there is none. */
  readonly map: () => UsedMap | null
}

export const LOCALIZATION = token<Localization>('localization')

/** What other programs have sent. */
export const EXTERNAL_SAMPLES = token<ExternalSamples>('external-samples')

/** Makes what solves rounds, by a config and a map. */
export const ROUND_SOLVER = token<(by: SolvedBy) => RoundSolver>('round-solver')

/** Whether lenses are as they were calibrated. */
export const LENS_CHECKS = token<LensChecks>('lens-checks')

/** Makes the work of a job that surveys map and rig. */
export const SURVEY_WORK = token<(request: SurveyRequest) => Work>('survey-work')
