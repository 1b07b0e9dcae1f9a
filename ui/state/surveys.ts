// Surveys of map and rig: what each drive says of where the tags hang and how the cameras sit.
import { type Answer, api, ask, askAll, type Documents } from '../api/client.ts'
import { createForgetting } from './forgotten.ts'
import { createLive } from './live.ts'

/** A survey, with what it proposes and what was accepted of it. */
export type Survey = Documents['LocalizationSurvey']

/** The oldest first. */
export const surveys = createLive<readonly Survey[]>({
  read: () =>
    askAll((cursor) => api.GET('/v1/localization/surveys', { params: { query: { ...(cursor && { cursor }) } } })),
  heed: ({ kind, resource_ref }) =>
    kind === 'localization_survey_changed' && resource_ref.peer_id === undefined ? 'stale' : undefined,
})

/** What a job of a survey is called. */
export const SURVEY_JOB = 'localization_survey'

/** Starts one, as a job. */
export const startSurvey = (wanted: Pick<Documents['LocalizationSurveyRequest'], 'rounds' | 'duration_s'>) =>
  ask(api.POST('/v1/localization/surveys', { body: wanted }))

/** What is accepted of a survey. */
export interface SurveyChoice {
  readonly tags: Documents['ChosenTag'][]
  /** By their streams. */
  readonly cameras: string[]
  /** Whether the config also gets how far map and mounts may still be off. */
  readonly errors: boolean
}

/** The answer names the revision in the document alone. */
const withRevision = async (asked: Promise<Answer<Survey>>): Promise<Answer<Survey>> => {
  const answer = await asked
  return answer.ok ? { ...answer, revision: answer.value.revision } : answer
}

/** Accepts it. */
export const acceptSurvey = (id: string, choice: SurveyChoice): Promise<Answer<Survey>> =>
  withRevision(ask(api.POST('/v1/localization/surveys/{id}/accept', { params: { path: { id } }, body: choice })))

/** Puts back what was there before something was accepted. */
export const undoSurvey = (id: string): Promise<Answer<Survey>> =>
  withRevision(ask(api.POST('/v1/localization/surveys/{id}/undo', { params: { path: { id } }, body: {} })))

/** Those that somebody has deleted here, as long as that can be taken back or is on its way. */
export const forgottenSurveys = createForgetting({
  remove: (id, isLeaving) =>
    ask(api.DELETE('/v1/localization/surveys/{id}', { params: { path: { id } }, keepalive: isLeaving, body: {} })),
  goneCode: 'survey.not_found',
})
