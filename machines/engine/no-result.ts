/**
 * Why an engine sends no results: none came for so long that a robot must be told something else (NO_RESULT_AFTER_MS),
 * or the engine has ended.
 */
export type NoResultCause = 'no-result' | 'ended'
