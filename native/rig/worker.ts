// The thread that solves one survey, and ends.
import { parentPort, workerData } from 'node:worker_threads'
import type { Proposal } from '../../machines/localization/rig-and-map/proposal.ts'
import { type SurveyInput, solveSurvey } from '../../machines/localization/rig-and-map/solve-survey.ts'

/** What it says: how far it is, and at the end what it found. */
export type SurveyReport =
  | { readonly type: 'share'; readonly share: number }
  | { readonly type: 'done'; readonly proposal: Proposal | undefined }

const port = parentPort as NonNullable<typeof parentPort>
const say = (report: SurveyReport): void => port.postMessage(report)

const proposal = solveSurvey(workerData as SurveyInput, (share) => say({ type: 'share', share }))
say({ type: 'done', proposal })
