// Under which id a survey is stored.
import Type from '../../schema/type.ts'

/** Of the moment in which it was made. */
export const SurveyId = Type.String({
  pattern: '^s[0-9a-z]{1,15}$',
  description: 'Of a survey; no later one has it.',
  examples: ['s1k2m3n4p'],
})

/** By its moment, Unix time. */
export const surveyIdOf = (madeAtMs: number): string => `s${Math.round(madeAtMs).toString(36)}`
