// Solves surveys at once, where they are asked for.
import * as Effect from 'effect/Effect'
import { solveSurvey } from '../../machines/localization/rig-and-map/solve-survey.ts'
import type { SurveySolver } from './port.ts'

export const solveHere: SurveySolver = (input, report) => Effect.sync(() => solveSurvey(input, report))
