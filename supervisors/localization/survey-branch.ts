// Surveys of map and rig, as work for jobs.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { surveyWork } from '../../actors/localization/survey-work.ts'
import { LOCALIZATION, SURVEY_WORK } from '../../actors/localization/tokens.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { FIELD_MAPS } from '../../machines/localization/field-map.ts'
import { surveyCollection } from '../../machines/localization/rig-and-map/stored-survey.ts'
import { SURVEY_SOLVER } from '../../native/rig/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { surveyPorts } from './ports.ts'

/** Starts nothing: jobs do. */
export const surveyBranch = branch({
  collections: [surveyCollection],
  ports: surveyPorts,
  offers: [
    offer(
      SURVEY_WORK,
      {
        directory: DIRECTORY,
        localization: LOCALIZATION,
        streams: STREAM_REGISTRY,
        maps: FIELD_MAPS,
        solve: SURVEY_SOLVER,
      },
      (parts) => (request) => surveyWork(parts, request),
    ),
  ],
  needs: {},
  start: () => Effect.void,
})
