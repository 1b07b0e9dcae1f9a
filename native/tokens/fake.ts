// Tokens that are kept nowhere.
import type { Tokens } from './port.ts'

/** valid: the one token that is good. */
export const fakeTokens = (valid: string): Tokens => ({
  verify: (token) => token === valid,
  fingerprint: `of ${valid}`,
  made: null,
  fault: null,
})
